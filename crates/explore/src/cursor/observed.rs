//! What is known about who observes what, where that counts.

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{Access, AccessKind, Ending, Event, LocationId};

use super::Cursor;
use crate::mutation::{self, Mutation};
use crate::names::Variant;

/// So often an exploration begins again because something was found out about who observes what.
const MOST_ROUNDS: u32 = 16;

/// What is known about who observes what. An execution in which something is found out is run to
/// its end, to find out all that it shows; then everything begins again.
#[derive(Debug, Default)]
pub(crate) struct Observed {
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
    /// The exploration was stopped because of what was found.
    stopped: bool,
    /// Locations at which the newest event that is in order was left unordered with others: they
    /// have been looked at.
    pub(crate) looked_at: Vec<LocationId>,
    /// What was accessed when the current execution was over.
    pub(crate) finale: Vec<Access>,
}

impl Observed {
    /// Nothing is known yet. `all` says whether the exploration goes on after a failure.
    pub(crate) fn new(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// Somebody waits, or waited, for these.
    fn learn(&mut self, accesses: &[Access]) {
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
    fn has_learned(&self) -> bool {
        self.found_end || !self.found.is_empty()
    }

    /// Makes use of what was found out.
    pub(super) fn begin_again(&mut self) {
        self.rounds += 1;
        self.stopped = false;
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
        let Some(observed) = &mut self.observed else { return };
        let event = &mut self.event;
        let locks = event.locks && event.accesses.len() == 1;
        let waits = event.can_block && !locks;
        if waits {
            observed.learn(&event.accesses);
        }
        if event.ending == Ending::Halts && (observed.all || event.faults.is_empty()) {
            observed.learn_end();
        }
        let plain = event.plain && self.machine.detects_data_races();
        for access in &mut event.accesses {
            if access.kind == AccessKind::Write
                && (waits || plain || observed.orders(access.location))
                && !mutation::on(Mutation::NobodyWaits)
            {
                access.kind = AccessKind::Update;
            }
        }
    }

    /// Somebody waits for what the attempt reads: that counts as observed when it is written.
    pub(crate) fn learn_from_attempt(&mut self, attempt: &Event) {
        if let Some(observed) = &mut self.observed {
            observed.learn(&attempt.accesses);
        }
    }

    /// What a step would use in another order of the events, where it used `original`. If it reads
    /// something else there, the order of the writes of that is not to be left open: it was
    /// explored as if nobody observed it.
    pub(crate) fn learn_from_variants(&mut self, original: Footprint, variants: &[Variant]) {
        let Some(observed) = &mut self.observed else { return };
        for variant in variants.iter().filter(|variant| variant.footprint != original) {
            let reads = |footprint| {
                self.names.footprints.list(footprint).filter(|(_, kind)| kind.observes() && !kind.is_mutex())
            };
            for (location, _) in reads(variant.footprint) {
                if reads(original).all(|(known, _)| known != location) && !mutation::on(Mutation::NobodyVaries) {
                    observed.learn_location(location);
                }
            }
        }
    }

    /// The same for what is accessed when all is over.
    pub(crate) fn learn_from_finale(&mut self, finale: Footprint) {
        let Some(observed) = &mut self.observed else { return };
        for (location, _) in self.names.footprints.list(finale).filter(|(_, kind)| kind.observes() && !kind.is_mutex())
        {
            if observed.finale.iter().all(|access| access.location != location && access.kind != AccessKind::Halt) {
                observed.learn_location(location);
            }
        }
    }

    /// Whether something was found out that makes the exploration worthless.
    pub(crate) fn has_learned(&self) -> bool {
        self.observed.as_ref().is_some_and(Observed::has_learned)
    }

    /// Stops the exploration if something was found out that makes it worthless. Tells whether it
    /// is stopped for that, or because it is late.
    pub(crate) fn stop_to_begin_again(&mut self) -> bool {
        let late = self.pace.was_late();
        let learned = self.observed.as_mut().filter(|observed| observed.has_learned() && !late);
        let Some(observed) = learned else { return late };
        observed.stopped = true;
        self.pace.stopped = true;
        true
    }

    /// Whether the exploration, which is over, has to begin again. Not if it was stopped for
    /// another reason.
    pub(crate) fn is_to_begin_again(&self) -> bool {
        let learned = self.observed.as_ref().filter(|observed| observed.has_learned());
        learned.is_some_and(|observed| observed.stopped || !self.pace.stopped)
    }

    /// What is accessed when all is over, as it is in the machine's state; where the current
    /// exploration has come to its end and was cut, everything. The machine is to be rewound before
    /// anything else is done.
    pub(crate) fn finale(&mut self) -> Footprint {
        let unknown = |observed: &Observed| observed.finale.iter().any(|access| access.kind == AccessKind::Halt);
        if self.observed.as_ref().is_some_and(unknown) { Footprint::HALT } else { self.last_word() }
    }
}
