//! The global phase of may-happen-in-parallel: which two places tasks can rest at together.
//!
//! A graph leads from each place where a task can rest to the tasks that it may have made by then,
//! in one of three statuses, and from there to the places where these can rest. Two tasks that rest
//! at the same time are below each other, or below two different calls of a common caller (or below
//! two calls of one site). So two places can coincide only if one is reached from the other, or
//! both
//! from a third one by different ways.
//!
//! Cost: a set of places for each place, computed once.

use rustc_hash::FxHashMap;

use super::calls::{Calls, END, Site, Status, Summary};
use super::flow::Flow;
use super::world::TaskId;
use crate::code::Pc;

/// A place where a method of a task can rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Rest {
    /// The method. It may run within another task.
    pub(super) method: TaskId,
    pub(super) pc: Pc,
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Rest(Rest),
    Task(TaskId, Status),
}

/// Tasks that a site may have made, of which only one is there; or many.
struct Group {
    is_many: bool,
    alternatives: Vec<usize>,
}

/// Which places are reached from which.
pub(super) struct Parallel {
    numbers: FxHashMap<Node, usize>,
    groups: Vec<Vec<Group>>,
    reached: Vec<Set>,
}

/// A set of nodes.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn insert(&mut self, number: usize) -> bool {
        let is_new = !self.contains(number);
        self.0[number / 64] |= 1 << (number % 64);
        is_new
    }
}

impl Parallel {
    pub(super) fn of(flow: &Flow<'_>, summaries: &[Summary]) -> Self {
        let mut numbers = FxHashMap::default();
        for (number, summary) in summaries.iter().enumerate() {
            let method = TaskId(number as u32);
            let rests = summary.rests.keys().map(|&pc| Node::Rest(Rest { method, pc }));
            let tasks = [Status::Pending, Status::Active, Status::Finished].map(|status| Node::Task(method, status));
            for node in rests.chain(tasks) {
                let next = numbers.len();
                numbers.insert(node, next);
            }
        }
        let mut parallel = Parallel { groups: Vec::new(), reached: Vec::new(), numbers };
        parallel.groups.resize_with(parallel.numbers.len(), Vec::new);
        let mut successors = vec![Vec::new(); parallel.numbers.len()];
        for (number, summary) in summaries.iter().enumerate() {
            let method = TaskId(number as u32);
            parallel.connect(flow, method, summary, &mut successors);
        }
        parallel.reached = closure(&successors);
        parallel
    }

    fn connect(&mut self, flow: &Flow<'_>, method: TaskId, summary: &Summary, successors: &mut [Vec<usize>]) {
        let entry = flow.image.bodies[flow.world.tasks[method.index()].body as usize].entry;
        let [pending, active, finished] =
            [Status::Pending, Status::Active, Status::Finished].map(|status| self.numbers[&Node::Task(method, status)]);
        for (&pc, calls) in &summary.rests {
            let rest = self.numbers[&Node::Rest(Rest { method, pc })];
            successors[active].push(rest);
            if pc == entry {
                successors[pending].push(rest);
            }
            if pc == END {
                successors[finished].push(rest);
            }
            let groups = self.groups_of(flow, method, calls);
            successors[rest].extend(groups.iter().flat_map(|group| group.alternatives.iter().copied()));
            self.groups[rest] = groups;
        }
    }

    fn groups_of(&self, flow: &Flow<'_>, method: TaskId, calls: &Calls) -> Vec<Group> {
        let mut groups = Vec::new();
        for (site, made) in &calls.sites {
            let targets = match site {
                Site::Parameter(_) => None,
                Site::Task(pc) => flow.calls.get(&(method, *pc)),
                Site::Within(pc) => flow.within.get(&(method, *pc)),
            };
            let Some(targets) = targets else { continue };
            for (status, is_many) in [(Some(made.latest), false), (made.older, true)] {
                let Some(status) = status else { continue };
                let alternatives = targets.iter().map(|&task| self.numbers[&Node::Task(task, status)]).collect();
                groups.push(Group { is_many, alternatives });
            }
        }
        groups
    }

    /// Whether two tasks can rest at these places at the same time; two different ones, if it
    /// is the same place.
    pub(super) fn may_coincide(&self, one: Rest, other: Rest) -> bool {
        let (Some(&one), Some(&other)) = (self.numbers.get(&Node::Rest(one)), self.numbers.get(&Node::Rest(other)))
        else {
            return false;
        };
        if self.reached[one].contains(other) || self.reached[other].contains(one) {
            return true;
        }
        self.groups.iter().any(|groups| self.is_below_both(groups, one, other))
    }

    /// Whether two places are reached by two different ways.
    fn is_below_both(&self, groups: &[Group], one: usize, other: usize) -> bool {
        let reaches = |group: &Group, number: usize| {
            group.alternatives.iter().any(|&alternative| self.reached[alternative].contains(number))
        };
        groups.iter().enumerate().any(|(first, group)| {
            reaches(group, one)
                && groups
                    .iter()
                    .enumerate()
                    .any(|(second, other_group)| (first != second || group.is_many) && reaches(other_group, other))
        })
    }
}

/// What each node leads to, by one step or more.
fn closure(successors: &[Vec<usize>]) -> Vec<Set> {
    let words = successors.len().div_ceil(64);
    let mut all = Vec::with_capacity(successors.len());
    let mut left = Vec::new();
    for from in successors {
        let mut reached = Set(vec![0; words]);
        left.extend(from.iter().copied());
        while let Some(number) = left.pop() {
            if reached.insert(number) {
                left.extend(successors[number].iter().copied());
            }
        }
        all.push(reached);
    }
    all
}
