//! What there is only one of: tasks that are called once, objects that are made once.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::calls::{Site, Summary};
use super::flow::Flow;
use super::points::Atom;
use super::world::{ObjectId, TaskId};
use crate::code::{Instruction, Pc};

/// The tasks and the objects of which there is at most one.
pub(super) struct Single {
    tasks: BTreeSet<TaskId>,
    objects: BTreeSet<ObjectId>,
}

impl Single {
    pub(super) fn of(flow: &Flow<'_>, summaries: &[Summary]) -> Self {
        let mut callers: FxHashMap<TaskId, Vec<(TaskId, Site)>> = FxHashMap::default();
        for (&(caller, pc), tasks) in &flow.calls {
            for &task in tasks {
                callers.entry(task).or_default().push((caller, Site::Task(pc)));
            }
        }
        let mut makers: FxHashMap<ObjectId, Vec<(TaskId, Site)>> = FxHashMap::default();
        for (&(caller, pc), tasks) in &flow.within {
            for &task in tasks {
                callers.entry(task).or_default().push((caller, Site::Within(pc)));
            }
            if let Instruction::New { .. } = flow.image.code[pc as usize] {
                for atom in flow.operand(caller, pc).iter() {
                    let Atom::Object(object) = atom else { continue };
                    makers.entry(object).or_default().push((caller, Site::Within(pc)));
                }
            }
        }
        let mut tasks = BTreeSet::from([TaskId::MAIN]);
        loop {
            let is_once = |by: &[(TaskId, Site)]| match by {
                [(caller, site)] => tasks.contains(caller) && runs_once(&summaries[caller.index()], *site),
                _ => false,
            };
            let more: Vec<TaskId> = callers.iter().filter(|(_, by)| is_once(by)).map(|(&task, _)| task).collect();
            let before = tasks.len();
            tasks.extend(more);
            if tasks.len() == before {
                break;
            }
        }
        let is_once = |by: &[(TaskId, Site)]| match by {
            [(caller, site)] => tasks.contains(caller) && runs_once(&summaries[caller.index()], *site),
            _ => false,
        };
        let made = makers.iter().filter(|(_, by)| is_once(by)).map(|(&object, _)| object);
        let objects = made.chain([ObjectId::MAIN]).collect();
        Single { tasks, objects }
    }

    pub(super) fn is_task(&self, task: TaskId) -> bool {
        self.tasks.contains(&task)
    }

    /// Whether an abstract location stands for one location.
    pub(super) fn is_location(&self, location: ObjectId) -> bool {
        self.objects.contains(&location)
    }
}

/// Whether a call runs at most once in a task.
fn runs_once(summary: &Summary, site: Site) -> bool {
    summary.rests.values().all(|calls| calls.sites.get(&site).is_none_or(|made| made.older.is_none()))
}

/// The code that a call stands for, for messages.
pub(super) fn pc_of(site: Site) -> Option<Pc> {
    match site {
        Site::Parameter(_) => None,
        Site::Task(pc) | Site::Within(pc) => Some(pc),
    }
}
