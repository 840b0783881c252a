//! The digest of the state.
//!
//! Steps do not know of it. Where it is tracked, asking for it brings it up to date with the steps taken since it was
//! last asked for, at the cost of what they changed; where it is not, it is computed from the whole state. A slot that
//! holds 0 and a mutex that is free do not count, so that processes which have not been started do not either, whether
//! the machine has met them or not.

use std::ops::Range;

use mazurka_machine::Digest;
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

/// The digest as of some step.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracker {
    /// The name of each slot of the memory.
    names: Vec<Digest>,
    digest: Digest,
    on: bool,
    /// How many of the steps the digest knows of; 0 when it is off.
    synced: usize,
}

impl Tracker {
    pub(super) fn name_locations(&mut self, locations: usize) {
        self.names.extend((0..locations).map(|slot| Digest::default().name(LOCATION).name(slot as u64)));
    }

    pub(super) fn name_frame(&mut self, process: Digest, size: usize) {
        self.names.extend((0..size).map(|slot| process.name(SLOT).name(slot as u64)));
    }

    #[inline(always)]
    pub(super) fn synced(&self) -> usize {
        self.synced
    }
}

impl ProcessMachine {
    /// Whether the digest is kept up to date at the cost of what changes (and not computed anew each time it is asked
    /// for). Off at first.
    pub fn track_digest(&mut self, on: bool) {
        self.tracker.on = on;
        self.tracker.synced = if on { self.records.len() } else { 0 };
        self.tracker.digest = if on { self.digest_of_all() } else { Digest::default() };
    }

    /// See `Run::digest`.
    pub(super) fn state_digest(&mut self) -> Digest {
        if !self.tracker.on {
            return self.digest_of_all();
        }
        if self.tracker.synced < self.records.len() {
            self.sync();
        }
        self.tracker.digest
    }

    fn digest_of_all(&self) -> Digest {
        let mut digest = Digest::default();
        for (slot, &value) in self.state.memory.iter().enumerate() {
            self.toggle(&mut digest, slot, value);
        }
        digest
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
            digest.toggle(self.tracker.names[slot], value);
        }
    }

    /// Takes the steps that the digest does not know of back, and does them again, looking on.
    fn sync(&mut self) {
        for at in (self.tracker.synced..self.records.len()).rev() {
            self.swap_place(at);
            for change in self.changes(at).rev() {
                self.swap_change(change);
            }
        }
        let mut digest = self.tracker.digest;
        for at in self.tracker.synced..self.records.len() {
            for change in self.changes(at) {
                let slot = self.state.log[change].slot as usize;
                self.toggle(&mut digest, slot, self.state.memory[slot]);
                self.swap_change(change);
                self.toggle(&mut digest, slot, self.state.memory[slot]);
            }
            let slot = self.frame(self.records[at].process);
            self.toggle(&mut digest, slot, self.state.memory[slot]);
            self.swap_place(at);
            self.toggle(&mut digest, slot, self.state.memory[slot]);
        }
        self.tracker.digest = digest;
        self.tracker.synced = self.records.len();
    }

    /// The part of the log that belongs to one step.
    fn changes(&self, record: usize) -> Range<usize> {
        let end = self.records.get(record + 1).map_or(self.state.log.len(), |next| next.log as usize);
        self.records[record].log as usize..end
    }

    fn swap_change(&mut self, at: usize) {
        let change = &mut self.state.log[at];
        std::mem::swap(&mut change.old, &mut self.state.memory[change.slot as usize]);
    }

    fn swap_place(&mut self, at: usize) {
        let record = &mut self.records[at];
        let slot = self.frames[record.process.index()] as usize;
        let other = std::mem::replace(&mut self.state.memory[slot], Value::from(record.pc));
        record.pc = other as u32;
    }

    /// Takes back steps that the digest knows of.
    pub(super) fn take_back_tracked(&mut self, steps: usize) {
        let mut digest = self.tracker.digest;
        while self.records.len() > steps {
            let Some(record) = self.records.pop() else { break };
            self.take_back_one(record, &mut digest);
        }
        self.tracker.digest = digest;
        self.tracker.synced = steps;
    }

    fn take_back_one(&mut self, record: Record, digest: &mut Digest) {
        while self.state.log.len() > record.log as usize {
            let Some(change) = self.state.log.pop() else { break };
            self.restore_slot(change.slot as usize, change.old, digest);
        }
        self.restore_slot(self.frame(record.process), Value::from(record.pc), digest);
        self.restore(record);
    }

    fn restore_slot(&mut self, slot: usize, old: Value, digest: &mut Digest) {
        self.toggle(digest, slot, self.state.memory[slot]);
        self.state.memory[slot] = old;
        self.toggle(digest, slot, old);
    }
}
