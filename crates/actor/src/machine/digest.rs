//! The digest of the state, or of what steps changed in it. It goes by the names of locations,
//! objects and tasks.

use mazurka_machine::Digest;

use super::heap::Print;
use super::value::Value;
use super::{ActorMachine, Record};
use crate::mutation::{self, Mutation};

/// Who was met by the current request for effects.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    locations: Vec<u32>,
    tasks: Vec<u32>,
    requests: u32,
}

impl Met {
    fn begin(&mut self, locations: usize, tasks: usize) {
        self.locations.resize(locations, 0);
        self.tasks.resize(tasks, 0);
        self.requests = self.requests.checked_add(1).unwrap_or_else(|| {
            self.locations.fill(0);
            self.tasks.fill(0);
            1
        });
    }

    /// Whether it is the first time.
    fn meets(marks: &mut [u32], number: u32, request: u32) -> bool {
        std::mem::replace(&mut marks[number as usize], request) != request
    }
}

fn toggle(digest: &mut Digest, (low, high): Print, (first, second): Print) {
    digest.combine(Digest::default().name(low).name(high).name(first).name(second));
}

impl ActorMachine {
    fn toggle_location(&self, digest: &mut Digest, location: u32, value: Value) {
        if value != Value::ABSENT {
            let value = self.heap.print_of(value);
            toggle(digest, self.registry.locations[location as usize], value);
        }
    }

    fn toggle_stack(&self, digest: &mut Digest, task: u32, stack: &[Value]) {
        if !stack.is_empty() && !mutation::on(Mutation::TasksUncompared) {
            let print =
                stack.iter().fold((79, 83), |print, &word| super::heap::combine(print, self.heap.print_of(word)));
            toggle(digest, self.heap.tasks[task as usize], print);
        }
    }

    /// See `Run::digest`.
    pub(super) fn digest_of_all(&self) -> Digest {
        let mut digest = self.digest_of_tasks();
        for location in 0..self.cells.len() as u32 {
            self.toggle_location(&mut digest, location, self.cells.get(location));
        }
        digest
    }

    /// See `Run::local_digest`.
    pub(super) fn digest_of_tasks(&self) -> Digest {
        let mut digest = Digest::default();
        for process in self.live.iter() {
            let task = process.index() as u32;
            self.toggle_stack(&mut digest, task, &self.stacks[task as usize]);
        }
        digest
    }

    /// See `Machine::effects_since`: of each location and each task that a step changed, what was
    /// there before the first of them and what is there now.
    pub(super) fn digest_of_effects(&mut self, steps: usize) -> Digest {
        let mut digest = Digest::default();
        let mut met = std::mem::take(&mut self.met);
        met.begin(self.cells.len(), self.stacks.len());
        let Some(&Record { log, .. }) = self.records.get(steps) else {
            self.met = met;
            return digest;
        };
        for change in log as usize..self.cells.log.len() {
            let change = self.cells.log[change];
            let now = self.cells.get(change.location);
            if Met::meets(&mut met.locations, change.location, met.requests) && change.old != now {
                self.toggle_location(&mut digest, change.location, change.old);
                self.toggle_location(&mut digest, change.location, now);
            }
        }
        for at in steps..self.records.len() {
            let Record { task, saved, .. } = self.records[at];
            if Met::meets(&mut met.tasks, task, met.requests) {
                let end = self.records.get(at + 1).map_or(self.saved.len(), |next| next.saved as usize);
                // A task that was called meanwhile was not there before.
                let is_new = self.started.iter().rev().take_while(|(step, _)| *step as usize >= steps);
                if !is_new.clone().any(|(_, started)| *started == task) {
                    self.toggle_stack(&mut digest, task, &self.saved[saved as usize..end]);
                }
                self.toggle_stack(&mut digest, task, &self.stacks[task as usize]);
            }
        }
        for &(_, task) in self.started.iter().rev().take_while(|(step, _)| *step as usize >= steps) {
            if Met::meets(&mut met.tasks, task, met.requests) {
                self.toggle_stack(&mut digest, task, &self.stacks[task as usize]);
            }
        }
        self.met = met;
        digest
    }
}
