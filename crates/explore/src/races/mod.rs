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
//! race itself.
//!
//! *Virtual events* are what has not happened in an execution that is at its end, and can race with
//! what has: a process that waits there (for a mutex, for a condition) races with those who keep it
//! waiting, although its step is no event of the execution. A virtual event is entered for the
//! moment in which its races are looked for, so it hides no other race and enters no clock. An
//! engine that ends executions early adds what the others could still have used
//! (`Strategy::virtual_events`).

mod bound;
mod data;
mod reversals;
mod waits;

use mazurka_machine::Machine;
use mazurka_relation::{Dependence, Footprint};
use mazurka_trace::{Event, EventId};

use crate::choices::Script;
use crate::execution::{Cut, Execution, Race};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::{ByConflict, Order, Removal};
use crate::search::Search;
use reversals::Reversals;

/// A race to be reversed.
#[derive(Clone, Copy)]
pub(crate) struct Reversal<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    /// The second event is to run without these, and without all that happens after them; `first`
    /// is the earliest.
    pub(crate) removed: &'a [EventId],
    /// What the second event can be then; empty where it is the same as in this execution.
    pub(crate) variants: &'a [Variant],
    /// The events after the second one that are not ordered with it are to run before it; otherwise
    /// only those that it is independent of.
    pub(crate) last: bool,
}

impl Reversal<'_> {
    /// Whether only the machine knows what the second event needs: the clock of the second event
    /// does not tell.
    pub(crate) fn is_unsure(&self, execution: &Execution) -> bool {
        self.last || execution.record(self.second).waits
    }

    /// Whether the second event does the same before the first one, and only that one has to be
    /// left out for it.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.variants.is_empty() && self.removed.len() == 1 && !self.last
    }

    /// Whether nothing stands between the two events: then nobody but the second one's process has
    /// to run to reverse the race.
    #[inline]
    pub(crate) fn is_adjacent(&self) -> bool {
        self.second.index() == self.first.index() + 1 && !self.last
    }
}

/// A race of two events that merely write where they meet, observed by others: it is reversed
/// together with somebody who observes it there.
#[derive(Clone, Copy)]
pub(crate) struct Observation<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    /// What is to run from the first event's node, in this order, before the observer.
    pub(crate) order: &'a [EventId],
    pub(crate) observer: Observer<'a>,
}

/// Who observes a race.
#[derive(Clone, Copy)]
pub(crate) enum Observer<'a> {
    /// An event, and what that can be when the race is reversed.
    Event(EventId, &'a [Variant]),
    /// What is accessed when all is over.
    Finale(Footprint),
}

impl Observer<'_> {
    /// What the observer, if it is an event, can be when the race is reversed.
    pub(crate) fn variants(&self) -> impl Iterator<Item = Option<Variant>> {
        let (events, finale) = match *self {
            Observer::Event(_, variants) => (variants, None),
            Observer::Finale(_) => (&[][..], Some(None)),
        };
        events.iter().copied().map(Some).chain(finale)
    }
}

/// The latest event that a decision about a reversal rests on. As long as that event stays,
/// whatever comes after it, the reversal needs nothing more. None where the decision rests on all
/// of the execution.
pub(crate) type Basis = Option<EventId>;

/// What an algorithm does about races.
pub(crate) trait Reverse<M, O = ByConflict> {
    /// Sees to it that a race is reversed.
    fn reverse(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis;

    /// Sees to it that a race between two writes is reversed, and observed.
    fn reverse_observed(&mut self, _search: &mut Search<'_, M, O>, _race: &Observation<'_>) {
        unreachable!("only where observers count are there such races");
    }

    /// Which reversals it wants to see.
    fn wanted(&self) -> Wanted;

    /// Whether it keeps what steps use, so that this has to be what they use where they are run.
    fn keeps_footprints(&self) -> bool {
        false
    }

    /// Whether explorations can be cut, so that an event has to request all other variants of its
    /// step.
    fn requests_every_variant(&self) -> bool;

    /// Whether the other variants of an event's step may still have to be requested.
    fn wants_variants(&self, _search: &Search<'_, M, O>, _event: EventId) -> bool {
        true
    }

    /// The same for the most common race: nothing stands between the two events, and the second
    /// does the same before the first.
    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        self.reverse(search, race)
    }
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
    imagined: bound::Imagined,
}

/// So many sets of events are left out to find out what a waiting step could have run without,
/// where events that use the same location need not be ordered.
const MOST_TRIALS: usize = 256;

/// Which reversals an algorithm wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// None: everything is explored anyway.
    Nothing,
    /// Each one once, but for those that vary.
    New,
    /// At the end of each execution all those that could mean something else than before.
    Changed,
}

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
                    let second = race.second;
                    search.pick.note_racy(&search.execution, first, second);
                    let race = Reversal { first, second, removed: &[first], variants: &[], last: false };
                    let basis = if race.is_adjacent() {
                        algorithm.reverse_adjacent(search, &race)
                    } else {
                        algorithm.reverse(search, &race)
                    };
                    // What rests on no later event than the second one stays settled as long as
                    // that one is there.
                    if wanted == Wanted::Changed && basis.is_none_or(|basis| basis > second) {
                        self.reversals.push(second, &[first], &[], false);
                        self.reversals.set_basis(self.reversals.stored.len() - 1, basis);
                    }
                }
                _ => self.analyse(search, wanted, race, algorithm),
            }
        }
        self.races = races;
        if !self.virtual_events.is_empty() {
            self.analyse_virtual(search, wanted, algorithm);
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
        search.order.see_attempts(&mut search.cursor, &self.virtual_events);
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

    /// A race of two writes that is observed: finds out what its last observer would see if they
    /// came in the other order.
    fn analyse_observed<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        first: EventId,
        second: EventId,
        stable: usize,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        search.pick.note_racy(&search.execution, first, second);
        let Races { observers, order, variants, uncertain, exact, .. } = self;
        let execution = &search.execution;
        execution.observers(first, second, observers);
        // Where all that is new comes after observers, the same was requested the last time.
        let mut new = (stable..execution.len()).map(EventId::new);
        let observed = |event| observers.iter().any(|&o| o != event && execution.happens_before(o, event));
        if stable > 0 && new.all(observed) {
            return;
        }
        if add_unordered(search, &[first], second, uncertain) && is_open(search, &[first], second, uncertain) {
            // Who observes it then is found when that has been explored.
            let race = Reversal { first, second, removed: uncertain, variants: &[], last: false };
            algorithm.reverse(search, &race);
        }
        let execution = &search.execution;
        order.clear();
        let later = || (first.index() + 1..execution.len()).map(EventId::new);
        order.extend(later().filter(|&event| !execution.happens_before(first, event)));
        order.push(second);
        // An internal step is taken as soon as it can be.
        let process = execution.record(second).process;
        let own = later().filter(|&event| event > second && execution.record(event).process == process);
        order.extend(own.take_while(|&event| execution.record(event).internal));
        let until = order.last().copied();
        order.push(first);
        order.extend(later().filter(|&event| {
            let ahead = event == second
                || (execution.record(event).process == process && event > second && Some(event) <= until);
            !ahead
                && execution.happens_before(first, event)
                && !observers.iter().any(|&observer| execution.happens_before(observer, event))
        }));
        let observer = observers.last().copied();
        let differs =
            |&observer: &EventId| could_differ(search, &Race { first: Some(second), second: observer }, *exact);
        let tries = observer.as_ref().is_none_or(differs);
        if tries {
            search.seek(first.index());
            for &event in &*order {
                let record = *search.execution.record(event);
                search.cursor.try_step(record.process, Script::Exactly(record.choice));
            }
        }
        if search.is_late() {
            return;
        }
        let Some(observer) = observer else {
            let finale = search.order.see_finale(&mut search.cursor);
            search.cursor.machine.rewind(first.index());
            let observer = Observer::Finale(finale);
            return algorithm.reverse_observed(search, &Observation { first, second, order, observer });
        };
        let record = *search.execution.record(observer);
        variants.clear();
        if tries {
            search.cursor.variants(record.process, variants);
            search.cursor.machine.rewind(first.index());
            search.order.see_variants(&mut search.cursor, record.footprint, variants);
        } else {
            variants.push(Variant::of(&record));
        }
        let observer = Observer::Event(observer, variants);
        algorithm.reverse_observed(search, &Observation { first, second, order, observer });
    }

    /// Hands out the known reversals that mean something else than before: because of the new
    /// events, from position `stable` on. Forgets those whose second event is not the same any
    /// more.
    fn analyse_again<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        stable: usize,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        self.reversals.forget_from(stable);
        self.forget_varying_from(stable);
        search.execution.set_new(stable, self.reversals.stored.len() + self.varying.len());
        for number in 0..self.reversals.stored.len() {
            if search.is_late() {
                return;
            }
            if self.reversals.is_settled(number, stable)
                || search.execution.precedes_all_new(self.reversals.stored[number].first)
            {
                continue;
            }
            let race = self.reversals.get(number);
            if !race.removed.iter().any(|&gone| search.execution.precedes_all_new(gone)) {
                let basis = hand_out(search, &race, &mut self.uncertain, algorithm);
                self.reversals.set_basis(number, basis);
            }
        }
        for number in 0..self.varying.len() {
            if search.is_late() {
                return;
            }
            let race = self.varying[number];
            if !search.execution.precedes_all_new(race.first.unwrap_or(race.second)) {
                self.analyse_varying(search, race, algorithm);
            }
        }
        for number in 0..search.execution.choosing().len() {
            if search.is_late() {
                return;
            }
            let event = search.execution.choosing()[number];
            if event.index() >= stable || !search.execution.precedes_all_new(event) {
                self.analyse_choices(search, event, algorithm);
            }
        }
    }

    /// An event that makes data choices: what if it makes others, after all that does not depend on
    /// it?
    ///
    /// The variants of a step exclude each other, like processes of which only one can go on. So
    /// each event races with the other variants of its step. It is enough to request the next one,
    /// in a circle: that one requests the one after it. Unless it is not explored to its end; then
    /// each of them is requested.
    #[cold]
    fn analyse_choices<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        event: EventId,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        if !algorithm.wants_variants(search, event) {
            return;
        }
        self.analyse_choices_without(search, &[event], algorithm);
        let mut uncertain = std::mem::take(&mut self.uncertain);
        if add_unordered(search, &[event], event, &mut uncertain) && is_open(search, &[event], event, &uncertain) {
            self.analyse_choices_without(search, &uncertain, algorithm);
        }
        self.uncertain = uncertain;
    }

    /// The same without these, of which it is the first.
    fn analyse_choices_without<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        removed: &[EventId],
        algorithm: &mut impl Reverse<M, O>,
    ) {
        let event = removed[0];
        let record = *search.execution.record(event);
        search.cursor.replay_without(&search.execution, removed, event, search.execution.len());
        if search.is_late() {
            return;
        }
        if algorithm.requests_every_variant() {
            search.cursor.variants(record.process, &mut self.variants);
            self.variants.retain(|variant| variant.choice != record.choice);
        } else {
            self.variants.clear();
            self.variants.extend(search.cursor.next_variant(record.process, record.choice));
        }
        search.cursor.machine.rewind(event.index());
        search.order.see_variants(&mut search.cursor, record.footprint, &self.variants);
        if !self.variants.is_empty() && !mutation::on(Mutation::FirstChoiceOnly) {
            let variants = &self.variants[..];
            algorithm.reverse(search, &Reversal { first: event, second: event, removed, variants, last: true });
        }
    }

    fn forget_varying_from(&mut self, position: usize) {
        while self.varying.last().is_some_and(|last| last.second.index() >= position) {
            self.varying.pop();
        }
    }

    /// The races of the virtual events, each as if it came next.
    #[cold]
    fn analyse_virtual<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        wanted: Wanted,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        let virtual_events = std::mem::take(&mut self.virtual_events);
        for event in &virtual_events {
            search.order.push_virtual(&mut search.cursor, &mut search.execution, event);
            let mut races = std::mem::take(&mut self.races);
            search.execution.take_races(&mut races);
            if search.cursor.machine.detects_data_races() {
                check_data_races(search, &races);
            }
            self.leave_out_bound(search, 0, &mut races);
            for &race in &races {
                if search.is_late() {
                    break;
                }
                self.analyse(search, wanted, race, algorithm);
            }
            self.races = races;
            self.reversals.forget_from(search.execution.len() - 1);
            self.forget_varying_from(search.execution.len() - 1);
            search.execution.pop();
        }
        self.virtual_events = virtual_events;
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

    /// A waiting event: finds out what it could have run without.
    fn analyse_wait<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        let Races { waits, variants, reversals, .. } = self;
        let record = *search.execution.record(second);
        let varies = could_differ(search, &Race { first: None, second }, self.exact);
        let end = if varies { search.execution.len() } else { second.index() };
        waits.begin(search, second);
        let mut at = 0;
        while at < waits.queue.len() {
            if !search.order.is_total() && waits.queue.len() > MOST_TRIALS {
                return self.give_up(search, second);
            }
            let removed = std::mem::take(&mut waits.queue[at]);
            at += 1;
            if waits.is_accepted(search, &removed) {
                continue;
            }
            let first = *removed.iter().min().expect("something is removed");
            let mut past = !varies && search.order.is_known_at_once() && !search.cursor.sets_aside();
            loop {
                if past {
                    search.cursor.replay_past_without(&search.execution, &removed, second);
                } else {
                    search.cursor.replay_without(&search.execution, &removed, second, end);
                }
                if search.is_late() {
                    return;
                }
                search.cursor.variants(record.process, variants);
                if variants.is_empty() {
                    search.cursor.machine.attempt(record.process, &mut waits.attempt);
                    search.order.see_attempts(&mut search.cursor, std::slice::from_ref(&waits.attempt));
                }
                search.cursor.machine.rewind(first.index());
                // One that waited may have stopped at the first of several conditions: then others
                // than those of its past count, too.
                past = past && waits.reads_more(search, second, variants);
                if !past {
                    break;
                }
                past = false;
            }
            search.order.see_variants(&mut search.cursor, record.footprint, variants);
            if !variants.is_empty() {
                retain_dependent(search, first, variants);
                if !variants.is_empty() {
                    reversals.push(second, &removed, variants, varies);
                }
                waits.accepted.push(removed);
            } else if !mutation::on(Mutation::OnlyLatestRival) {
                waits.go_on(search, second, removed);
            }
        }
    }
}

impl Races {
    /// There are too many sets of events to leave out: whatever could have been done instead of one
    /// of them is requested.
    #[cold]
    fn give_up<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, second: EventId) {
        let locations: Vec<_> = self.waits.attempt.accesses.iter().map(|access| access.location).collect();
        let mut sources: Vec<EventId> =
            locations.iter().flat_map(|&location| search.execution.sources(location, second, &[])).collect();
        sources.extend_from_slice(&self.waits.rivals);
        sources.sort_unstable();
        sources.dedup();
        for source in sources.into_iter().filter(|&source| source < second) {
            self.reversals.push(second, &[source], &[], true);
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
        if let Some(first) = race.first {
            search.check_data_race(first, race.second);
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
/// says whether footprints are kept.
#[inline]
fn could_differ<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, race: &Race, exact: bool) -> bool {
    let execution = &search.execution;
    let record = execution.record(race.second);
    let varies = record.varies || (search.options.all && race.first.is_some());
    // What it uses there is kept. Others that it is not ordered with, because of the first event,
    // could change that.
    let reads = || {
        (exact && !search.order.is_total()) || race.first.is_none_or(|first| execution.reads_from(first, race.second))
    };
    let differs = record.footprint == Footprint::HALT || (varies && reads());
    differs && !mutation::on(Mutation::NeverPeek)
}
