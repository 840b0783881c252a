//! From the races of an execution to what has to be explored instead.
//!
//! Each race is dealt with once, at the end of the first execution that contains both of its events: later executions with
//! the same beginning would only ask for what the reversed execution finds by itself.
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
}

/// Finds the races at the end of an execution. Keeps its memory from one time to the next.
#[derive(Default)]
pub(crate) struct Races {
    attempts: Vec<Event>,
    races: Vec<Race>,
    rivals: Vec<EventId>,
    accepted: Vec<EventId>,
    variants: Vec<Variant>,
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
            search.variants_without(first, second, &mut self.variants);
        }
        reverse(search, Reversal { first, second, variants: &self.variants });
    }

    /// A waiting event: it races with the latest rivals before which it could have run.
    fn reverse_waiting<M: Machine>(
        &mut self,
        search: &mut Search<'_, M>,
        second: EventId,
        reverse: &mut impl FnMut(&mut Search<'_, M>, Reversal<'_>),
    ) {
        let mut rivals = std::mem::take(&mut self.rivals);
        search.execution.rivals(second, &mut rivals);
        self.accepted.clear();
        for &first in &rivals {
            if self.accepted.iter().any(|&later| search.execution.happens_before(first, later)) {
                continue;
            }
            search.note_racy(first);
            search.note_racy(second);
            search.variants_without(first, second, &mut self.variants);
            if !self.variants.is_empty() {
                self.accepted.push(first);
                reverse(search, Reversal { first, second, variants: &self.variants });
            }
            if mutation::on(Mutation::OnlyLatestRival) {
                break;
            }
        }
        self.rivals = rivals;
    }
}
