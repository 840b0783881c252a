//! The digest of the state, or of what steps changed in it.
//!
//! It goes by the names of locations, objects and tasks, with one exception: a task whose future
//! nobody has is told by its object and by what it keeps, not by who called it. No state holds the
//! name of such a task, so two states that differ in those names only go on in the same way. What
//! such a task will make and call has other names then, which matters where names decide something:
//! where objects are ordered, or told as a text. The machine notices that, and begins again with
//! all names told apart (`Run::reconsiders`).

use mazurka_machine::Digest;
use mazurka_machine::undo::{Change, Marks};

use super::heap::{Print, combine, print};
use super::registry::Owner;
use super::value::{Kind, Value};
use super::{ActorMachine, Record, TASK};
use crate::mutation::{self, Mutation};

/// Who was met by the current request for effects.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    locations: Marks,
    tasks: Marks,
}

impl Met {
    fn begin(&mut self, locations: usize, tasks: usize) {
        self.locations.begin(locations);
        self.tasks.begin(tasks);
    }
}

/// A digest in the making.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// What has a name.
    named: Digest,
    /// What has none: a sum, since several can be alike.
    nameless: u128,
}

impl Sum {
    /// Puts in what has a name, or takes it out.
    fn toggle(&mut self, (low, high): Print, (first, second): Print) {
        self.named.combine(Digest::default().name(low).name(high).name(first).name(second));
    }

    /// Puts in what has no name, or takes it out.
    fn add(&mut self, (low, high): Print, is_there: bool) {
        let part = u128::from(low) | u128::from(high) << 64;
        self.nameless = if is_there { self.nameless.wrapping_add(part) } else { self.nameless.wrapping_sub(part) };
    }

    fn finish(self) -> Digest {
        let mut digest = self.named;
        digest.combine(Digest::default().name(self.nameless as u64).name((self.nameless >> 64) as u64));
        digest
    }
}

impl ActorMachine {
    /// Whether a task is told by its name.
    pub(super) fn is_named(&self, task: u32) -> bool {
        self.by_name || self.registry.tasks[task as usize].is_kept || task == 0
    }

    /// Puts what a location holds in, or takes it out.
    fn sum_location(&self, sum: &mut Sum, location: u32, value: Value, is_there: bool) {
        if value == Value::ABSENT {
            return;
        }
        match self.registry.owners[location as usize] {
            // An exception that nobody will get.
            Owner::Future(task) if !self.is_named(task) => sum.add(self.heap.print_of(value), is_there),
            // Who holds it is who stands at a `get` there.
            Owner::Lock(_) if !self.by_name => sum.toggle(self.registry.locations[location as usize], (1, 1)),
            _ => sum.toggle(self.registry.locations[location as usize], self.heap.print_of(value)),
        }
    }

    /// Puts what a task keeps in, or takes it out.
    fn sum_stack(&self, sum: &mut Sum, task: u32, stack: &[Value], is_there: bool) {
        if stack.is_empty() || mutation::on(Mutation::TasksUncompared) {
            return;
        }
        let fold =
            |seed, words: &[Value]| words.iter().fold(seed, |print, &word| combine(print, self.heap.print_of(word)));
        if self.is_named(task) {
            sum.toggle(self.heap.tasks[task as usize], fold((79, 83), stack));
        } else {
            // How often it has called others is a part of their names alone.
            sum.add(fold(fold((89, 97), &stack[..2]), &stack[TASK..]), is_there);
        }
    }

    /// See `Run::digest`.
    pub(super) fn digest_of_all(&self) -> Digest {
        let mut sum = Sum::default();
        for process in self.live.iter() {
            let task = process.index() as u32;
            self.sum_stack(&mut sum, task, &self.stacks[task as usize], true);
        }
        for location in 0..self.cells.len() as u32 {
            self.sum_location(&mut sum, location, self.cells.get(location), true);
        }
        sum.finish()
    }

    /// What somebody asks for, with all names told apart.
    pub(super) fn by_name(&mut self, ask: impl FnOnce(&mut Self) -> Digest) -> Digest {
        let by_name = std::mem::replace(&mut self.by_name, true);
        let digest = ask(self);
        self.by_name = by_name;
        digest
    }

    /// See `Machine::effects_since`: of each location and each task that a step changed, what was
    /// there before the first of them and what is there now.
    pub(super) fn sum_effects(&mut self, steps: usize) -> Digest {
        let mut met = std::mem::take(&mut self.met);
        met.begin(self.cells.len(), self.stacks.len());
        let mut sum = Sum::default();
        if let Some(&Record { log, .. }) = self.records.get(steps) {
            self.sum_changes(&mut sum, log as usize, &mut met);
            self.sum_steps(&mut sum, steps, &mut met);
        }
        self.met = met;
        sum.finish()
    }

    /// The digest of what is shown of a final state: fields, who waits, exceptions.
    pub(super) fn digest_of_end(&mut self) -> Digest {
        let mut met = std::mem::take(&mut self.met);
        met.begin(self.cells.len(), self.stacks.len());
        let mut sum = Sum::default();
        for change in &self.cells.log {
            let location = change.slot;
            if met.locations.mark(location as usize) && self.is_shown_at_end(location) {
                self.sum_location(&mut sum, location, self.cells.get(location), true);
            }
        }
        for process in self.live.iter() {
            self.sum_stack(&mut sum, process.index() as u32, &self.stacks[process.index()], true);
        }
        self.met = met;
        sum.finish()
    }

    fn sum_changes(&self, sum: &mut Sum, log: usize, met: &mut Met) {
        for &Change { slot, old } in &self.cells.log[log..] {
            let now = self.cells.get(slot);
            if met.locations.mark(slot as usize) && old != now {
                self.sum_location(sum, slot, old, false);
                self.sum_location(sum, slot, now, true);
            }
        }
    }

    fn sum_steps(&self, sum: &mut Sum, steps: usize, met: &mut Met) {
        // A task that was called meanwhile was not there before.
        for task in self.started.since(steps) {
            if met.tasks.mark(task as usize) {
                self.sum_stack(sum, task, &self.stacks[task as usize], true);
            }
        }
        for at in steps..self.records.len() {
            let Record { task, saved, .. } = self.records[at];
            if met.tasks.mark(task as usize) {
                let end = self.records.get(at + 1).map_or(self.saved.len(), |next| next.saved as usize);
                self.sum_stack(sum, task, &self.saved[saved as usize..end], false);
                self.sum_stack(sum, task, &self.stacks[task as usize], true);
            }
        }
    }

    /// See `Run::shape`: no object and no task is told by its name, but by its class and method.
    pub(super) fn digest_of_shape(&self) -> Digest {
        let mut sum = Sum { nameless: self.sum_of_tasks(), ..Sum::default() };
        for (location, &owner) in self.registry.owners.iter().enumerate() {
            let value = self.cells.get(location as u32);
            let part = match owner {
                Owner::Field(object, field) => {
                    let class = self.registry.objects[object as usize].class;
                    print(print((101, 103), u64::from(class)), u64::from(field))
                }
                Owner::Future(task) => print((107, 109), u64::from(self.registry.tasks[task as usize].body)),
                Owner::Lock(_) | Owner::Entries(..) | Owner::Taken(_) => continue,
            };
            if value != Value::ABSENT {
                sum.add(combine(part, self.shape_of(value)), true);
            }
        }
        sum.finish()
    }

    /// See `Run::local_digest`: tasks alone, likewise.
    pub(super) fn digest_of_tasks(&self) -> Digest {
        Sum { nameless: self.sum_of_tasks(), ..Sum::default() }.finish()
    }

    fn sum_of_tasks(&self) -> u128 {
        let mut sum = Sum::default();
        for process in self.live.iter() {
            let stack = &self.stacks[process.index()];
            let kept = stack[..2].iter().chain(&stack[TASK..]);
            sum.add(kept.fold((113, 127), |print, &word| combine(print, self.shape_of(word))), true);
        }
        sum.nameless
    }

    /// The digest of a value without the names in it.
    fn shape_of(&self, value: Value) -> Print {
        let mut shape = (131, 137);
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            shape = combine(
                shape,
                match value.kind() {
                    Kind::Object(object) => (139, u64::from(self.registry.objects[object as usize].class)),
                    Kind::Future(task) => (149, u64::from(self.registry.tasks[task as usize].body)),
                    Kind::Node(_) => {
                        pending.extend_from_slice(self.heap.arguments(value));
                        (151, u64::from(self.heap.constructor(value).unwrap_or_default()))
                    }
                    _ => self.heap.print_of(value),
                },
            );
        }
        shape
    }
}
