//! Who may still interfere with a task: what others can do before its next step that depends on
//! given accesses.
//!
//! The answer is about all executions that follow as long as the task does not step. Others that
//! wait for it, or for a lock that it or one of those keeps, cannot step either. For the rest, the
//! program tells what each method may use ([`crate::code::Uses`]), and the state, which objects
//! they can come to know ([`super::reach`]). Whoever is not excluded by that interferes.
//!
//! Cost: a look at the waiting tasks for each round of who waits for whom, and at the rest of them
//! for each access; what they can reach is looked at once, where it matters.

use mazurka_trace::{AccessKind, LocationId, ProcessId};
use rustc_hash::FxHashSet;

use super::ActorMachine;
use super::reach::Reach;
use super::registry::Owner;
use crate::code::Instruction;
use crate::code::LOCK;
use crate::mutation::{self, Mutation};

impl ActorMachine {
    /// See `Run::others_may_interfere`.
    pub(super) fn may_be_interfered_with(&self, process: ProcessId, accesses: &[(LocationId, AccessKind)]) -> bool {
        if self.choosing.is_some() {
            return true;
        }
        let held_up = self.held_up_by(process.index() as u32);
        let all = self.live.iter().map(|process| process.index() as u32);
        let others: Vec<u32> = all.filter(|task| !held_up.contains(task)).collect();
        if others.is_empty() {
            return false;
        }
        let mut reach = None;
        accesses.iter().any(|&access| self.may_conflict(&others, &held_up, access, &mut reach))
    }

    /// A task, and those that cannot step before it does.
    fn held_up_by(&self, task: u32) -> FxHashSet<u32> {
        let mut held_up = FxHashSet::default();
        held_up.insert(task);
        loop {
            let waits = |other: &u32| {
                let polls =
                    matches!(self.instruction(*other), Instruction::Get { .. } | Instruction::AwaitFuture { .. });
                let awaited = self.awaited(*other).filter(|&awaited| polls && !self.has_ended(awaited));
                awaited.is_some_and(|awaited| held_up.contains(&awaited))
                    || self.locked_by(*other).is_some_and(|holder| held_up.contains(&holder))
            };
            let all = self.live.iter().map(|process| process.index() as u32);
            let more: Vec<u32> = all.filter(|other| !held_up.contains(other)).filter(waits).collect();
            if more.is_empty() {
                return held_up;
            }
            held_up.extend(more);
        }
    }

    /// Whether these tasks may do something that depends on an access.
    fn may_conflict(
        &self,
        others: &[u32],
        held_up: &FxHashSet<u32>,
        (location, kind): (LocationId, AccessKind),
        reach: &mut Option<Reach>,
    ) -> bool {
        let writes_alone = kind.is_read();
        let tasks = || others.iter().copied();
        match self.registry.owners[location.index()] {
            _ if kind == AccessKind::Halt || mutation::on(Mutation::NobodyInterferes) => kind == AccessKind::Halt,
            Owner::Field(object, field) | Owner::Entries(object, field) => {
                self.may_use(tasks, (object, field), writes_alone, reach)
            }
            Owner::Lock(_) => self.may_use_lock(others, location.index() as u32, writes_alone, reach),
            Owner::Future(task) if writes_alone => {
                let can_end = self.live.contains(ProcessId::new(task as usize)) && !held_up.contains(&task);
                can_end || (!self.has_ended(task) && !held_up.contains(&task))
            }
            Owner::Future(task) => self.reached(reach, others).tasks.contains(&task),
            Owner::Taken(_) => true,
        }
    }

    fn reached<'r>(&self, reach: &'r mut Option<Reach>, tasks: &[u32]) -> &'r Reach {
        reach.get_or_insert_with(|| self.reach_of(tasks.iter().copied()))
    }

    /// Whether tasks, or what they call, may use a field of an object; only if they store into it,
    /// if `stores` says so.
    pub(super) fn may_use<T: Iterator<Item = u32>>(
        &self,
        tasks: impl Fn() -> T,
        (object, field): (u32, u32),
        stores: bool,
        reach: &mut Option<Reach>,
    ) -> bool {
        let uses = &self.image.uses;
        let class = self.registry.objects[object as usize].class;
        let own = |task: u32| {
            let of = self.registry.tasks[task as usize];
            of.receiver == object && uses.uses_own(of.body, field, stores)
        };
        let elsewhere = |task: u32| uses.uses_elsewhere(self.registry.tasks[task as usize].body, class, field, stores);
        tasks().any(own)
            || (tasks().any(elsewhere) && reach.get_or_insert_with(|| self.reach_of(tasks())).objects.contains(&object))
    }

    /// The same for the lock of a group.
    fn may_use_lock(&self, tasks: &[u32], lock: u32, stores: bool, reach: &mut Option<Reach>) -> bool {
        let uses = &self.image.uses;
        let of = |task: u32| self.registry.tasks[task as usize];
        if tasks.iter().any(|&task| of(task).lock == lock && uses.uses_own(of(task).body, LOCK, stores)) {
            return true;
        }
        let classes = 0..self.image.classes.len() as u32;
        let elsewhere = |class: u32| tasks.iter().any(|&task| uses.uses_elsewhere(of(task).body, class, LOCK, stores));
        let classes: Vec<u32> = classes.filter(|&class| elsewhere(class)).collect();
        if classes.is_empty() {
            return false;
        }
        let objects = &self.reached(reach, tasks).objects;
        objects.iter().any(|&object| {
            let object = self.registry.objects[object as usize];
            object.lock == lock && classes.contains(&object.class)
        })
    }
}
