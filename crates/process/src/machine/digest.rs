//! The digest of the state, or of what steps changed in it.
//!
//! Steps do not know of it: it is computed from the whole state, or from the log of changes. Two
//! states that were reached from the same one are told apart by the digests of what changed on the
//! way, which are the differences (exclusive or) to the digest of that. A slot that holds 0 and a
//! mutex that is free do not count, so that processes which have not been started do not either,
//! whether the machine has met them or not.

use std::ops::Range;

use mazurka_machine::Digest;
use mazurka_machine::undo::{Change, Marks};
use mazurka_trace::Value;

use crate::code::FREE;

use super::{ProcessMachine, Record};

const LOCATION: u64 = 1;
const PROCESS: u64 = 2;
const CHILD: u64 = 3;
const SLOT: u64 = 4;
const HELD: u64 = 5;

/// The name of a process that is started at the beginning.
pub(super) fn initial_name(body: usize, index: usize) -> Digest {
    Digest::default().name(PROCESS).name(body as u64).name(index as u64)
}

/// The name of a spawned process.
pub(super) fn child_name(parent: Digest, nth: usize, body: usize) -> Digest {
    parent.name(CHILD).name(nth as u64).name(body as u64)
}

/// What is needed to tell states apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// The name of each slot of the memory.
    names: Vec<Digest>,
    /// The slots that the current request for effects has met.
    met: Marks,
}

impl Slots {
    pub(super) fn name_locations(&mut self, locations: usize) {
        self.names.extend((0..locations).map(|slot| Digest::default().name(LOCATION).name(slot as u64)));
    }

    pub(super) fn name_frame(&mut self, process: Digest, size: usize) {
        self.names.extend((0..size).map(|slot| process.name(SLOT).name(slot as u64)));
    }
}

impl ProcessMachine {
    /// See `Run::digest`.
    pub(super) fn digest_of_all(&self) -> Digest {
        let mut digest = Digest::default();
        for (slot, &value) in self.state.memory.iter().enumerate() {
            self.toggle(&mut digest, slot, value);
        }
        digest
    }

    /// See `Machine::effects_since`: of each slot that a step changed, the value before the first
    /// of them and the value now.
    pub(super) fn digest_of_effects(&mut self, steps: usize) -> Digest {
        let mut digest = Digest::default();
        self.slots.met.begin(self.slots.names.len());
        for at in steps..self.records.len() {
            for change in self.changes(at) {
                let Change { slot, old } = self.state.log[change];
                self.toggle_effect(&mut digest, slot as usize, old);
            }
            let Record { process, pc, .. } = self.records[at];
            self.toggle_effect(&mut digest, self.frame(process), Value::from(pc));
        }
        digest
    }

    #[inline]
    fn toggle_effect(&mut self, digest: &mut Digest, slot: usize, old: Value) {
        let new = self.state.memory[slot];
        if self.slots.met.mark(slot) && old != new {
            self.toggle(digest, slot, old);
            self.toggle(digest, slot, new);
        }
    }

    /// See `Run::local_digest`.
    pub(super) fn digest_of_processes(&self) -> Digest {
        let mut digest = Digest::default();
        for (slot, &value) in self.state.memory.iter().enumerate().skip(self.image.locations()) {
            self.toggle(&mut digest, slot, value);
        }
        digest
    }

    /// Adds a slot with its value to a digest, or takes it out.
    fn toggle(&self, digest: &mut Digest, slot: usize, value: Value) {
        if slot >= self.image.mutexes && slot < self.image.locations() {
            // Processes are numbered as they are met; the digest goes by their names.
            if value != FREE {
                digest.toggle(self.processes[value as usize].digest.name(HELD).name(slot as u64), 1);
            }
        } else if value != 0 {
            digest.toggle(self.slots.names[slot], value);
        }
    }

    /// The part of the log that belongs to one step.
    fn changes(&self, record: usize) -> Range<usize> {
        let end = self.records.get(record + 1).map_or(self.state.log.len(), |next| next.log as usize);
        self.records[record].log as usize..end
    }
}
