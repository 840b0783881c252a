//! What is known about who observes what, where that counts.
//!
//! # Deviations
//! Where the paper asks who reads a write (JSS 2023, Section 4.1), more counts as observed:
//! 1. Writes of a location that somebody waits for, and of waiting steps: what a step that cannot
//!    run would read is not seen in an execution (`NobodyWaits` of the mutations).
//! 2. Writes that can be part of a data race, where the machine looks for those.
//! 3. Everything that is written, where a fault, or the program itself, ends executions before
//!    everybody has ended and the exploration goes on after that: how far the others had come
//!    counts then.
//! 4. What a step reads in one order and not in another: in which order it was written when the
//!    step did not read it is arbitrary, and the other order can have been taken for explored
//!    (`NobodyVaries` has the program).

use mazurka_machine::Machine;
use mazurka_trace::{Access, AccessKind, Ending, LocationId};

use super::Cursor;
use crate::mutation::{self, Mutation};

/// So often an exploration begins again because something was found out about who observes what.
const MOST_ROUNDS: u32 = 16;

/// What is known about who observes what. An execution in which something is found out is run to
/// its end, to find out all that it shows; then everything begins again.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// It counts who observes what.
    pub(super) counts: bool,
    /// The exploration goes on after a failure.
    all: bool,
    /// The locations that somebody waits for, and those that a step reads in one order of the
    /// others and not in another, by number. Whether a step can run at all depends on the former;
    /// who observes the latter is not known from the orders that were explored. So what is written
    /// there counts as observed.
    awaited: Vec<bool>,
    /// Those that have been found since: all that was explored has to be explored again, with them.
    found: Vec<LocationId>,
    /// How often that was so.
    rounds: u32,
    /// Everything that is written counts as observed: executions end before everybody has, and the
    /// exploration goes on after that, so how far the others have come counts; or there was too
    /// much to find out.
    everything: bool,
    /// That has been found since.
    found_end: bool,
}

impl Known {
    /// Nothing is known yet. `counts` says whether it counts who observes what, `all` whether the
    /// exploration goes on after a failure.
    pub(crate) fn new(counts: bool, all: bool) -> Self {
        Self { counts, all, ..Self::default() }
    }

    /// Somebody waits, or waited, for these.
    pub(crate) fn learn(&mut self, accesses: &[Access]) {
        for access in accesses.iter().filter(|access| access.kind.observes() && !access.kind.is_mutex()) {
            self.learn_location(access.location);
        }
    }

    pub(crate) fn learn_location(&mut self, location: LocationId) {
        if !self.orders(location) {
            self.found.push(location);
        }
    }

    /// A fault ends an execution.
    fn learn_end(&mut self) {
        self.found_end = !self.everything;
    }

    /// Whether something has been found out that makes what was explored worthless.
    pub(crate) fn has_learned(&self) -> bool {
        self.found_end || !self.found.is_empty()
    }

    /// Makes use of what was found out.
    pub(super) fn begin_again(&mut self) {
        self.rounds += 1;
        self.everything |= std::mem::take(&mut self.found_end) || self.rounds > MOST_ROUNDS;
        for location in self.found.drain(..) {
            if location.index() >= self.awaited.len() {
                self.awaited.resize(location.index() + 1, false);
            }
            self.awaited[location.index()] = true;
        }
    }

    /// Whether all writes of a location count as observed.
    pub(crate) fn orders(&self, location: LocationId) -> bool {
        self.everything || self.is_awaited(location)
    }

    fn is_awaited(&self, location: LocationId) -> bool {
        self.awaited.get(location.index()).copied().unwrap_or(false)
    }
}

impl<M: Machine> Cursor<'_, M> {
    /// The event in the buffer: what somebody waits for, or what can be part of a data race, counts
    /// as observed when it is written; and everything, where a fault ends executions.
    #[cold]
    pub(super) fn learn_from_event(&mut self) {
        let Cursor { known: observed, event, machine, .. } = self;
        let locks = event.locks && event.accesses.len() == 1;
        let waits = event.can_block && !locks;
        if waits {
            observed.learn(&event.accesses);
        }
        if event.ending == Ending::Halts && (observed.all || event.faults.is_empty()) {
            observed.learn_end();
        }
        let plain = event.plain && machine.detects_data_races();
        for access in &mut event.accesses {
            if access.kind == AccessKind::Write
                && (waits || plain || observed.orders(access.location))
                && !mutation::on(Mutation::NobodyWaits)
            {
                access.kind = AccessKind::Update;
            }
        }
    }
}
