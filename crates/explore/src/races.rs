//! From the races of an execution to what has to be explored instead.
//!
//! Each race is dealt with once, at the end of the first execution that contains both of its events: later executions with
//! the same beginning would only ask for what the reversed execution finds by itself.
//!
//! Whether a waiting step (`await`, an atomic block that waits) could have run earlier is tried out: without the event that it
//! depends on and all that happens after it. If it still has to wait there, what it reads there tells which event to
//! leave out next, and so on, until it can run or nothing is left that could be left out. What it reads can
//! differ from what it read in the end, so this can lead to events that it did not depend on in the execution.
//!
//! A process that waits at the end of an execution (for a mutex, for a condition) races with those who keep it waiting,
//! although its step is no event of the execution: its attempt is entered as an event for the moment in which its
//! races are looked for, so it hides no other race and enters no clock.

use mazurka_machine::Machine;
use mazurka_trace::{Event, EventId};

use crate::execution::Race;
use crate::mutation::{self, Mutation};
use crate::search::{Search, Variant};

/// A race to be reversed.
pub(crate) struct Reversal<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    /// What the second event can be when it runs before the first; empty where it is the same as in this execution.
    pub(crate) variants: &'a [Variant],
    /// The events to run from the node of the first event on, before the second; where they are not listed, all
    /// that do not happen after the first event.
    pub(crate) kept: Option<&'a [EventId]>,
}

/// The search for states in which a waiting step could have run.
#[derive(Default)]
struct Waits {
    rivals: Vec<EventId>,
    /// Sets of events to leave out, with all that happens after them.
    queue: Vec<Vec<EventId>>,
    /// Those without which the step could run.
    accepted: Vec<Vec<EventId>>,
    /// Those without which it still waits, with the events whose values it reads then.
    waiting: Vec<(Vec<Option<EventId>>, Vec<EventId>)>,
    attempt: Event,
}

/// Finds the races at the end of an execution. Keeps its memory from one time to the next.
#[derive(Default)]
pub(crate) struct Races {
    attempts: Vec<Event>,
    races: Vec<Race>,
    variants: Vec<Variant>,
    kept: Vec<EventId>,
    waits: Waits,
}

impl Races {
    /// Calls `reverse` for every reversible race that is new in this execution. With `exact`, the second event is looked at
    /// in its new context wherever it could do something else there.
    pub(crate) fn for_each<M: Machine>(
        &mut self,
        search: &mut Search<'_, M>,
        exact: bool,
        mut reverse: impl FnMut(&mut Search<'_, M>, Reversal<'_>),
    ) {
        if search.machine.steps() == search.execution.len() && search.machine.live().is_empty() {
            self.attempts.clear();
        } else {
            search.attempts(&mut self.attempts);
        }
        self.handle(search, exact, &mut reverse);
        let attempts = std::mem::take(&mut self.attempts);
        for attempt in &attempts {
            search.push_attempt(attempt);
            self.handle(search, exact, &mut reverse);
            search.execution.pop();
        }
        self.attempts = attempts;
    }

    fn handle<M: Machine>(
        &mut self,
        search: &mut Search<'_, M>,
        exact: bool,
        reverse: &mut impl FnMut(&mut Search<'_, M>, Reversal<'_>),
    ) {
        self.races.clear();
        while let Some(race) = search.execution.take_race() {
            self.races.push(race);
        }
        // Latest first, so that the machine goes back only once where it has to look.
        if self.races.len() > 1 {
            self.races.sort_unstable_by_key(|race| std::cmp::Reverse(race.first.unwrap_or(race.second)));
        }
        let races = std::mem::take(&mut self.races);
        for race in &races {
            match race.first {
                Some(first) => self.reverse(search, exact, first, race.second, reverse),
                None => self.reverse_waiting(search, race.second, reverse),
            }
        }
        self.races = races;
    }

    fn reverse<M: Machine>(
        &mut self,
        search: &mut Search<'_, M>,
        exact: bool,
        first: EventId,
        second: EventId,
        reverse: &mut impl FnMut(&mut Search<'_, M>, Reversal<'_>),
    ) {
        search.note_racy(first);
        search.note_racy(second);
        self.variants.clear();
        let varies = search.execution.record(second).varies && search.execution.reads_from(first, second);
        if exact && varies && !mutation::on(Mutation::NeverPeek) {
            search.replay_without(&[first], second, &mut self.kept);
            search.variants(search.execution.record(second).process, &mut self.variants);
            search.machine.rewind(first.index());
        }
        reverse(search, Reversal { first, second, variants: &self.variants, kept: None });
    }

    /// A waiting event: finds out what it could have run without.
    fn reverse_waiting<M: Machine>(
        &mut self,
        search: &mut Search<'_, M>,
        second: EventId,
        reverse: &mut impl FnMut(&mut Search<'_, M>, Reversal<'_>),
    ) {
        let Races { waits, variants, kept, .. } = self;
        let process = search.execution.record(second).process;
        waits.begin(search, second);
        let mut at = 0;
        while at < waits.queue.len() {
            let removed = std::mem::take(&mut waits.queue[at]);
            at += 1;
            if waits.is_accepted(search, &removed) {
                continue;
            }
            let first = *removed.iter().min().expect("something is removed");
            search.replay_without(&removed, second, kept);
            search.variants(process, variants);
            if variants.is_empty() && !mutation::on(Mutation::OnlyLatestRival) {
                search.machine.attempt(process, &mut waits.attempt);
            }
            search.machine.rewind(first.index());
            if !variants.is_empty() {
                waits.accepted.push(removed);
                reverse(search, Reversal { first, second, variants, kept: Some(kept) });
            } else if !mutation::on(Mutation::OnlyLatestRival) {
                waits.go_on(search, second, removed);
            }
        }
    }
}

impl Waits {
    fn begin<M: Machine>(&mut self, search: &mut Search<'_, M>, second: EventId) {
        search.execution.rivals(second, &mut self.rivals);
        search.note_racy(second);
        self.queue.clear();
        self.accepted.clear();
        self.waiting.clear();
        for &rival in &self.rivals {
            search.note_racy(rival);
            self.queue.push(vec![rival]);
        }
    }

    /// Whether the step could run already with fewer events left out: then more is found when that has been explored.
    fn is_accepted<M: Machine>(&self, search: &Search<'_, M>, removed: &[EventId]) -> bool {
        self.accepted.iter().any(|fewer| fewer.iter().all(|&gone| search.execution.is_removed(gone, removed)))
    }

    /// The step still waits with these left out: leaves out one more of those whose values it reads.
    fn go_on<M: Machine>(&mut self, search: &mut Search<'_, M>, second: EventId, removed: Vec<EventId>) {
        let execution = &search.execution;
        let observed = self.attempt.accesses.iter().filter(|access| access.kind.observes());
        let sources: Vec<Option<EventId>> =
            observed.map(|access| execution.source(access.location, second, &removed)).collect();
        let known = self
            .waiting
            .iter()
            .any(|(same, fewer)| *same == sources && fewer.iter().all(|&gone| execution.is_removed(gone, &removed)));
        if known {
            return;
        }
        for &source in sources.iter().flatten() {
            let mut more: Vec<EventId> =
                removed.iter().copied().filter(|&gone| !execution.happens_before(source, gone)).collect();
            more.push(source);
            more.sort_unstable();
            if !self.queue.contains(&more) {
                self.queue.push(more);
            }
        }
        self.waiting.push((sources, removed));
    }
}
