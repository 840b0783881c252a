//! The digest of the state by parts: one for each object and each thread, of which only those are
//! computed again that have changed.
//!
//! What has changed since the last time the log of changes tells, and the records of the steps:
//! what was added to them, and what was taken back. So nothing is to be noted when something
//! changes, and nobody pays for a digest who does not ask for one.

use mazurka_machine::Digest;
use mazurka_trace::ProcessId;

use super::CMachine;
use super::access::is_shared;
use super::log::{Change, What};
use super::object::{Kind, Life};
use super::state::State;
use super::thread::{state, word};

/// Parts of a digest, by number, and which of them are not known any more.
#[derive(Clone, Debug, Default)]
struct Side {
    digests: Vec<Digest>,
    stale: Vec<u32>,
    is_stale: Vec<bool>,
}

impl Side {
    fn mark(&mut self, number: usize) {
        if number >= self.digests.len() {
            // New ones are stale when they are counted.
            return;
        }
        if !std::mem::replace(&mut self.is_stale[number], true) {
            self.stale.push(number as u32);
        }
    }

    /// There are so many now.
    fn grow(&mut self, count: usize) {
        for number in self.digests.len()..count {
            self.digests.push(Digest::default());
            self.is_stale.push(true);
            self.stale.push(number as u32);
        }
    }

    /// Computes what is stale, and brings the whole up to date.
    fn renew(&mut self, whole: &mut Digest, compute: impl Fn(usize) -> Digest) {
        while let Some(number) = self.stale.pop() {
            let number = number as usize;
            self.is_stale[number] = false;
            whole.combine(self.digests[number]);
            self.digests[number] = compute(number);
            whole.combine(self.digests[number]);
        }
    }
}

/// The digest when it was last requested.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    whole: Digest,
    objects: Side,
    threads: Side,
    /// So many changes and so many steps it knows of.
    changes: usize,
    steps: usize,
}

impl Parts {
    /// The changes and steps from these numbers on are about to be taken back.
    #[inline(always)]
    pub(super) fn forgets_changes(&self, length: usize) -> bool {
        length < self.changes
    }
}

impl State {
    /// The slot whose storage a byte belongs to.
    fn owner(&self, at: usize) -> usize {
        let after = self.owners.partition_point(|&(base, _)| base as usize <= at);
        after.checked_sub(1).map_or(0, |number| self.owners[number].1 as usize)
    }

    fn mark_change(&mut self, change: Change) {
        let at = change.at as usize;
        match change.what {
            What::Bytes | What::Shadow | What::ManyBytes | What::ManyShadow => {
                let slot = self.owner(at);
                self.parts.objects.mark(slot);
            }
            What::Object | What::Life | What::Undefined => self.parts.objects.mark(at),
            What::Word => self.parts.threads.mark(at / word::COUNT),
            What::Generation | What::Watch | What::Holds | What::Reads | What::Joins => self.parts.threads.mark(at),
            What::Output | What::Clock => {}
        }
    }

    /// All changes but the first `length` are about to be taken back.
    #[cold]
    pub(super) fn forget_changes(&mut self, length: usize) {
        for at in length..self.parts.changes {
            self.mark_change(self.memory.log[at]);
        }
        self.parts.changes = length;
    }

    fn object_digest(&self, slot: usize) -> Digest {
        let object = &self.memory.objects[slot];
        let counts = !matches!(object.kind, Kind::Function(_) | Kind::Thread | Kind::Constant(_) | Kind::Library);
        let mut digest = Digest::default();
        if object.life != Life::Unborn && counts {
            self.toggle_object(&mut digest, slot, object);
        }
        digest
    }

    fn thread_digest(&self, number: usize) -> Digest {
        let (process, mut digest) = (ProcessId::new(number), Digest::default());
        if self.is(process, state::STARTED) {
            self.toggle_thread(&mut digest, process, &self.threads[number]);
        }
        digest
    }
}

impl CMachine {
    /// All steps but the first `steps` are about to be taken back.
    #[inline(always)]
    pub(super) fn forget_steps(&mut self, steps: usize) {
        if steps < self.state.parts.steps {
            for record in &self.records[steps..self.state.parts.steps] {
                self.state.parts.threads.mark(record.process.index());
            }
            self.state.parts.steps = steps;
        }
    }

    /// See `Run::digest`. Costs what has changed since it was last requested.
    pub(super) fn state_digest(&mut self) -> Digest {
        let state = &mut self.state;
        for at in state.parts.changes..state.memory.log.len() {
            state.mark_change(state.memory.log[at]);
        }
        for record in &self.records[state.parts.steps..] {
            state.parts.threads.mark(record.process.index());
        }
        let mut parts = std::mem::take(&mut state.parts);
        (parts.changes, parts.steps) = (state.memory.log.len(), self.records.len());
        parts.objects.grow(state.memory.objects.len());
        parts.threads.grow(state.threads.len());
        parts.objects.renew(&mut parts.whole, |slot| state.object_digest(slot));
        parts.threads.renew(&mut parts.whole, |number| state.thread_digest(number));
        state.parts = parts;
        state.parts.whole
    }

    /// See `Run::local_digest`: threads, and memory that only one of them can reach. Costs as much
    /// as the whole state.
    pub(super) fn digest_of_threads(&self) -> Digest {
        let state = &self.state;
        let mut digest = Digest::default();
        for number in 0..state.threads.len() {
            digest.combine(state.thread_digest(number));
        }
        for (slot, _) in state.memory.objects.iter().enumerate().filter(|(_, object)| !is_shared(object)) {
            digest.combine(state.object_digest(slot));
        }
        digest
    }
}
