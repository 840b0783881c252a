//! From the races of an execution to what has to be explored instead.
//!
//! A race is analysed once, at the end of the first execution that contains both of its events. The
//! result, a [`Reversal`], is kept as long as they are part of the current execution: an algorithm
//! that reverses a race together with all that does not depend on its first event has to see it
//! again at the end of each execution in which that differs.
//!
//! Whether a waiting step (`await`, an atomic block that waits) could have run earlier is tried
//! out: without the event that it depends on and all that happens after it. If it still has to wait
//! there, what it reads there tells which event to leave out next, and so on, until it can run or
//! nothing is left that could be left out. What it reads can differ from what it read in the end,
//! so this can lead to events that it did not depend on in the execution.
//!
//! A step whose accesses vary with what it reads can, in its new context, depend on events that it
//! was not ordered with at all. So it is tried out with all of them before it (the other order is
//! then a race of the new execution), and this is done again at the end of each execution that
//! differs in such events.
//!
//! Where constraints leave events unordered, a race is reversed with and without those that
//! conflict with its second event and are not ordered with it: see [`crate::order`].
//!
//! The variants of a step (with other data choices) exclude each other. An event that makes choices
//! races with the other variants of its step: each of them can come in its place, after all that
//! does not depend on the event.
//!
//! Where the machine knows of data races, each race is also looked at as one: two accesses that
//! race can be brought side by side, and what is ordered by other accesses alone contains a data
//! race itself. Not so a waiting step: it could have used its locations in vain, while others
//! used them. So that is looked at besides.
//!
//! *Virtual events* are what has not happened in an execution that is at its end, and can race with
//! what has: a process that waits there (for a mutex, for a condition) races with those who keep it
//! waiting, although its step is no event of the execution. A virtual event is entered for the
//! moment in which its races are looked for, so it hides no other race and enters no clock. An
//! engine that ends executions early adds what the others could still have used
//! (`Strategy::virtual_events`).

mod again;
mod bound;
mod choices;
mod data;
mod observed;
mod reversal;
mod reversals;
mod virtual_events;
mod waits;

pub(crate) use reversal::{Basis, Observation, Observer, Reversal, Reverse, Wanted};

use mazurka_machine::Machine;
use mazurka_relation::{Dependence, Footprint};
use mazurka_trace::{Event, EventId};

use crate::execution::{Cut, Race};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::{Order, Removal};
use crate::search::Search;
use reversals::Reversals;
use waits::Waits;

/// Finds the races at the end of an execution. Keeps its memory from one time to the next.
#[derive(Default)]
pub(crate) struct Races {
    reversals: Reversals,
    /// What has not happened in the current execution, which is at its end, and can race with what
    /// has: where these come from is not asked.
    pub(crate) virtual_events: Vec<Event>,
    races: Vec<Race>,
    /// The races of the current execution that have to be analysed again and again.
    varying: Vec<Race>,
    variants: Vec<Variant>,
    waits: Waits,
    observers: Vec<EventId>,
    order: Vec<EventId>,
    /// The algorithm keeps footprints.
    exact: bool,
    /// Scratch.
    uncertain: Vec<EventId>,
}

impl Races {
    /// Gives the races of the current execution, which has come to its end, to the algorithm. `cut`
    /// is why it was cut by a don't-do set, if it was.
    #[inline(always)]
    pub(crate) fn for_each<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        cut: Option<Cut>,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        self.exact = algorithm.keeps_footprints();
        if !search.order.is_known_at_once() {
            return self.for_each_at_end(search, cut, algorithm);
        }
        let wanted = algorithm.wanted();
        let stable = search.execution.take_stable();
        if !self.varying.is_empty() || !self.reversals.stored.is_empty() || !search.execution.choosing().is_empty() {
            self.analyse_again(search, stable, algorithm);
        }
        let mut races = std::mem::take(&mut self.races);
        let has_waits = search.execution.take_races(&mut races);
        if search.cursor.machine.detects_data_races() {
            check_data_races(search, &races);
            search.check_beside_end();
        }
        if has_waits {
            self.leave_out_bound(search, 0, &mut races);
        }
        for &race in &races {
            if search.is_late() {
                break;
            }
            match race.first {
                Some(first) if search.order.is_total() && !could_differ(search, &race, self.exact) => {
                    self.reverse_plainly(search, wanted, first, race.second, algorithm);
                }
                _ => self.analyse(search, wanted, race, algorithm),
            }
        }
        self.races = races;
        if !self.virtual_events.is_empty() {
            self.analyse_virtual(search, wanted, algorithm);
        }
    }

    /// The most common race: its second event does the same before the first one.
    #[inline(always)]
    fn reverse_plainly<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        wanted: Wanted,
        first: EventId,
        second: EventId,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        search.pick.note_racy(&search.execution, first, second);
        let race = Reversal { first, second, removed: &[first], variants: &[], last: false };
        let basis = if race.is_adjacent() {
            algorithm.reverse_adjacent(search, &race)
        } else {
            algorithm.reverse(search, &race)
        };
        // What rests on no later event than the second one stays settled as long as that one is
        // there.
        if wanted == Wanted::Changed && basis.is_none_or(|basis| basis > second) {
            self.reversals.push(second, &[first], &[], false);
            self.reversals.set_basis(self.reversals.stored.len() - 1, basis);
        }
    }

    /// Leaves out waiting events from this position on that could not have run earlier. The latest
    /// first, so that the machine only goes back.
    #[inline(never)]
    fn leave_out_bound<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        from: usize,
        races: &mut Vec<Race>,
    ) {
        for at in (0..races.len()).rev() {
            if search.is_late() {
                return;
            }
            let race = races[at];
            if race.first.is_none() && race.second.index() >= from && self.waits.is_bound(search, race.second) {
                races.remove(at);
            }
        }
    }

    /// The same where it counts who observes a write: the order of all events, and so all races,
    /// can be new.
    fn for_each_at_end<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        cut: Option<Cut>,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        search.order.see_disabled_steps(&mut search.cursor, &self.virtual_events);
        if search.stops_to_begin_again() {
            return;
        }
        let stable = search.order.settle(&mut search.cursor, &mut search.execution, cut);
        search.tell_unordered();
        if search.is_late() || (!search.order.is_total() && search.stops_to_begin_again()) {
            return;
        }
        self.analyse_again(search, stable, algorithm);
        let mut races = std::mem::take(&mut self.races);
        search.execution.take_races(&mut races);
        if search.cursor.machine.detects_data_races() {
            check_data_races(search, &races);
            search.check_beside_end();
        }
        self.leave_out_bound(search, stable, &mut races);
        for &race in &races {
            if search.is_late() {
                break;
            }
            let if_observed = |first| {
                let footprint = |event| search.execution.record(event).footprint;
                search.cursor.names.footprints.dependence(footprint(first), footprint(race.second))
                    == Dependence::IfObserved
            };
            match race.first {
                Some(first) if if_observed(first) => {
                    self.analyse_observed(search, first, race.second, stable, algorithm);
                }
                _ if race.second.index() < stable => {}
                _ => self.analyse(search, Wanted::Changed, race, algorithm),
            }
        }
        self.races = races;
        self.analyse_virtual(search, Wanted::Changed, algorithm);
        search.stops_to_begin_again();
    }

    fn forget_varying_from(&mut self, position: usize) {
        while self.varying.last().is_some_and(|last| last.second.index() >= position) {
            self.varying.pop();
        }
    }

    /// Finds out how a new race can be reversed.
    fn analyse<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        wanted: Wanted,
        race: Race,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        if could_differ(search, &race, self.exact) {
            self.varying.push(race);
            return self.analyse_varying(search, race, algorithm);
        }
        let known = self.reversals.stored.len();
        match race.first {
            Some(first) => {
                search.pick.note_racy(&search.execution, first, race.second);
                self.reversals.push(race.second, &[first], &[], false);
            }
            None => self.analyse_wait(search, race.second),
        }
        for number in known..self.reversals.stored.len() {
            let basis = hand_out(search, &self.reversals.get(number), &mut self.uncertain, algorithm);
            self.reversals.set_basis(number, basis);
        }
        if wanted == Wanted::New {
            self.reversals.truncate(known);
        }
    }

    fn analyse_varying<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: Race,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        let known = self.reversals.stored.len();
        match race.first {
            Some(first) => self.analyse_race(search, first, race.second),
            None => self.analyse_wait(search, race.second),
        }
        for number in known..self.reversals.stored.len() {
            algorithm.reverse(search, &self.reversals.get(number));
        }
        self.reversals.truncate(known);
    }

    /// An event that could differ: finds out what it would be. What is uncertain: see [`hand_out`].
    fn analyse_race<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        first: EventId,
        second: EventId,
    ) {
        search.pick.note_racy(&search.execution, first, second);
        let mut uncertain = std::mem::take(&mut self.uncertain);
        let mut all = true;
        if add_unordered(search, &[first], second, &mut uncertain) {
            self.analyse_race_without(search, &uncertain, second);
            all = is_open(search, &[first], second, &uncertain);
        }
        self.uncertain = uncertain;
        if all {
            self.analyse_race_without(search, &[first], second);
        }
    }

    /// The same without these, the first of which is the first one of the race.
    fn analyse_race_without<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        removed: &[EventId],
        second: EventId,
    ) {
        let first = removed[0];
        search.cursor.replay_without(&search.execution, removed, second, search.execution.len());
        if search.is_late() {
            return;
        }
        let record = *search.execution.record(second);
        search.cursor.variants(record.process, &mut self.variants);
        search.cursor.machine.rewind(first.index());
        search.order.see_variants(&mut search.cursor, record.footprint, &self.variants);
        retain_dependent(search, first, &mut self.variants);
        if !self.variants.is_empty() {
            self.reversals.push(second, removed, &self.variants, true);
        }
    }
}

/// Gives a reversal to the algorithm. Where constraints leave events unordered, without those that
/// conflict with the second one; also with them, if it is open which comes first: the other order
/// could be left out.
#[inline]
fn hand_out<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    race: &Reversal<'_>,
    uncertain: &mut Vec<EventId>,
    algorithm: &mut impl Reverse<M, O>,
) -> Basis {
    if add_unordered(search, race.removed, race.second, uncertain) {
        algorithm.reverse(search, &Reversal { removed: uncertain, ..*race });
        if is_open(search, race.removed, race.second, uncertain) {
            algorithm.reverse(search, race);
        }
        return None;
    }
    algorithm.reverse(search, race)
}

/// See [`Order::add_unordered`].
#[inline]
fn add_unordered<M: Machine, O: Order<M>>(
    search: &Search<'_, M, O>,
    removed: &[EventId],
    second: EventId,
    unordered: &mut Vec<EventId>,
) -> bool {
    let (footprints, without) = (&search.cursor.names.footprints, Removal { removed, second });
    search.order.add_unordered(footprints, &search.execution, without, unordered)
}

/// See [`Order::is_open`].
#[inline]
fn is_open<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    removed: &[EventId],
    second: EventId,
    unordered: &[EventId],
) -> bool {
    let without = Removal { removed, second };
    search.order.is_open(&mut search.cursor, &search.execution, without, unordered)
}

/// Finds the data races among new races.
fn check_data_races<M: Machine, O: Order<M>>(search: &mut Search<'_, M, O>, races: &[Race]) {
    for race in races {
        if search.is_late() {
            return;
        }
        match race.first {
            Some(first) => search.check_data_race(first, race.second),
            None => search.check_waiting(race.second),
        }
    }
}

/// Keeps the variants whose order with `first` matters. Others can as well run after it; so can
/// those that only write what it writes, where it counts who observes that, as long as nobody does.
fn retain_dependent<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, first: EventId, variants: &mut Vec<Variant>) {
    let footprint = search.execution.record(first).footprint;
    variants.retain(|variant| match search.cursor.names.footprints.dependence(variant.footprint, footprint) {
        Dependence::Independent => false,
        Dependence::IfObserved => search.order.orders_writes(),
        Dependence::Dependent => true,
    });
}

/// Whether the second event of a race could do something else if it ran before the first. Where the
/// exploration goes on after a failure, that includes failing: then it ends the execution. `exact`
/// says whether footprints are kept: then, where not all conflicts are ordered, the machine is
/// asked wherever the step varies, not only where it reads what the first event wrote.
#[inline]
fn could_differ<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, race: &Race, exact: bool) -> bool {
    let execution = &search.execution;
    let record = execution.record(race.second);
    let varies = record.varies || (search.options.all && race.first.is_some());
    // Others that it is not ordered with, because of the first event, could change what it uses.
    let reads = || {
        (exact && !search.order.is_total()) || race.first.is_none_or(|first| execution.reads_from(first, race.second))
    };
    let differs = record.footprint == Footprint::HALT || (varies && reads());
    differs && !mutation::on(Mutation::NeverPeek)
}
