//! Wakeup sequences and their weak initials.
//!
//! To reverse the race of `e` and `e'` in E, run from *pre(E, e)* all events after `e` that do not
//! happen after it, and then `e'`. All of them, not only those that `e'` needs: they are what tells
//! whether the sequence leads to something that is explored anyway.
//!
//! A step is a *weak initial* of a sequence when the sequence could begin with it: it is in the
//! sequence and nothing of the sequence comes before it, or it is not in the sequence and
//! independent of all of it.

use mazurka_relation::{Dependence, Footprint, Footprints};
use mazurka_trace::{EventId, ProcessId};

use crate::Monitor;
use crate::choices::ChoiceId;
use crate::execution::Execution;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::{Cover, Watched};
use crate::races::{Basis, Observation, Observer, Reversal};
use crate::search::Search;
use crate::sleep::Sleeper;

/// No step.
const NONE: u32 = u32::MAX;

/// What is needed to compare steps.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) execution: &'a Execution,
    pub(crate) footprints: &'a Footprints,
    /// Whether the exploration has to end.
    pub(crate) monitor: &'a Monitor,
}

impl<'a> World<'a> {
    pub(crate) fn of<M, O>(search: &'a Search<'_, M, O>) -> Self {
        Self {
            execution: &search.execution,
            footprints: &search.cursor.names.footprints,
            monitor: search.cursor.pace.monitor,
        }
    }
}

/// A step of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) process: ProcessId,
    pub(crate) variant: Variant,
    /// The event of the current execution that it repeats; the last step does so in a new context.
    pub(crate) event: Option<EventId>,
    /// The next step of the same process.
    next: u32,
    removed: bool,
}

/// How a step begins a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Initial {
    /// As the step with this number.
    Member(usize),
    /// It is independent of the whole sequence.
    Stranger,
}

/// Whether, and how, a sequence of a single step could begin with another one: see
/// [`Sequence::weak_initial`].
#[inline]
pub(crate) fn begins_with(single: &Sleeper, step: &Sleeper, footprints: &Footprints) -> Option<Initial> {
    if step.process == single.process {
        return (step.choice == single.choice).then_some(Initial::Member(0));
    }
    let stranger = !footprints.dependent(single.footprint, step.footprint);
    (stranger || mutation::on(Mutation::StrangersAreInitials)).then_some(Initial::Stranger)
}

/// A wakeup sequence, from which steps can be removed.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    steps: Vec<Step>,
    /// The first step of each process that has not been removed.
    firsts: Vec<u32>,
    /// All steps before this one have been removed.
    start: usize,
    remaining: usize,
    /// The last step does the same as its event, and needs the same but for the race's first event.
    as_it_was: bool,
    /// It counts who observes what is written.
    observers: bool,
    /// What is accessed when all is over, if the sequence is a whole execution and that observes
    /// something in it.
    finale: Option<Footprint>,
}

impl Sequence {
    /// For an exploration in which it counts who observes what, or not.
    pub(crate) fn new(observers: bool) -> Self {
        Self { observers, ..Self::default() }
    }

    /// An empty one, for the same exploration.
    pub(crate) fn another(&self) -> Self {
        Self::new(self.observers)
    }

    fn clear(&mut self) {
        for step in &self.steps {
            self.firsts[step.process.index()] = NONE;
        }
        self.steps.clear();
        self.start = 0;
        self.remaining = 0;
        self.as_it_was = false;
        self.finale = None;
    }

    /// What it rests on that a step of the sequence is the first of those that remain. Nothing that
    /// the step needs is in the sequence, and what comes later in the execution is not needed. The
    /// last step is looked at in a new context, of which its event tells only where it does the
    /// same there: what conflicts with it and comes later in the execution, happens after the
    /// race's first event.
    #[inline]
    pub(crate) fn basis(&self, number: usize) -> Basis {
        self.steps[number].event.filter(|_| self.as_it_was || !self.is_last(number))
    }

    /// Whether somebody in the sequence, or the finale, observes what a step writes where an
    /// earlier one writes, too.
    fn is_observed(&self, number: usize, earlier: Footprint, footprints: &Footprints) -> bool {
        let footprint = self.steps[number].variant.footprint;
        let mut contested = footprints.contested(footprint, earlier);
        for later in self.steps[number + 1..].iter().map(|later| later.variant.footprint).chain(self.finale) {
            if footprints.observes_contested(later, footprint, contested) {
                return !mutation::on(Mutation::ObserverForgotten);
            }
            contested = footprints.still_contested(later, footprint, contested);
            if contested.is_empty() {
                return false;
            }
        }
        false
    }

    /// The shortest sequence that reverses an observed race: only what its second event needs. The
    /// first one comes after it in any case, and who observes it there is found out when that has
    /// been explored.
    pub(crate) fn reverse_observed_shortly(&mut self, race: &Observation<'_>, world: World<'_>) {
        let execution = world.execution;
        self.clear();
        for &event in race.order {
            let record = execution.record(event);
            // A local step is taken as soon as it can be.
            let follows =
                |previous: EventId| previous < race.first || self.steps.iter().any(|step| step.event == Some(previous));
            if execution.happens_before(event, race.second)
                || (record.is_local && record.previous().is_none_or(follows))
            {
                self.push(record.process, Variant::of(record), Some(event));
            }
        }
        self.link();
    }

    /// The sequence that reverses an observed race; with the observer, if it is an event, as
    /// `variant`.
    pub(crate) fn reverse_observed(&mut self, race: &Observation<'_>, variant: Option<Variant>, world: World<'_>) {
        self.clear();
        for &event in race.order {
            let record = world.execution.record(event);
            self.push(record.process, Variant::of(record), Some(event));
        }
        match race.observer {
            Observer::Event(observer, _) => {
                if let Some(variant) = variant {
                    self.push(world.execution.record(observer).process, variant, Some(observer));
                }
            }
            Observer::Finale(finale) => self.finale = Some(finale),
        }
        self.link();
    }

    /// Whether, and how, a step that sleeps on a condition covers what remains.
    pub(crate) fn covered_by(&self, watched: Watched, footprints: &Footprints) -> Option<Cover> {
        let steps = self.remaining().map(|step| (step.process, step.variant.choice, step.variant.footprint));
        watched.covers(steps, self.finale, true, footprints)
    }

    fn push(&mut self, process: ProcessId, variant: Variant, event: Option<EventId>) {
        if process.index() >= self.firsts.len() {
            self.firsts.resize(process.index() + 1, NONE);
        }
        self.steps.push(Step { process, variant, event, next: NONE, removed: false });
    }

    /// Links each step to the next one of its process.
    fn link(&mut self) {
        for at in (0..self.steps.len()).rev() {
            let first = &mut self.firsts[self.steps[at].process.index()];
            self.steps[at].next = *first;
            *first = at as u32;
        }
        self.remaining = self.steps.len();
    }

    /// The sequence that reverses a race, with the second event as `variant`.
    #[inline]
    pub(crate) fn reverse(&mut self, race: &Reversal<'_>, variant: Variant, world: World<'_>) {
        let execution = world.execution;
        self.clear();
        let first = *execution.record(race.first);
        for event in (race.first.index() + 1..execution.len()).map(EventId::new) {
            if execution.knows(event, &first) || event == race.second {
                continue;
            }
            if (race.removed.len() > 1 && execution.is_removed(event, race.removed))
                || (race.last && execution.happens_before(race.second, event))
                || (mutation::on(Mutation::WakeupOnlyPast) && !execution.happens_before(event, race.second))
            {
                continue;
            }
            let record = execution.record(event);
            self.push(record.process, Variant::of(record), Some(event));
        }
        if !mutation::on(Mutation::WakeupWithoutRace) || self.steps.is_empty() {
            self.push(execution.record(race.second).process, variant, Some(race.second));
        }
        self.as_it_was = race.is_plain();
        self.link();
    }

    /// The shortest sequence that reverses a race: only what the second event needs, and local
    /// steps. Where clocks do not tell that, `needed` does; where that is not known either, the
    /// same as [`Sequence::reverse`].
    pub(crate) fn reverse_shortly(
        &mut self,
        race: &Reversal<'_>,
        needed: Option<&[EventId]>,
        variant: Variant,
        world: World<'_>,
    ) {
        let execution = world.execution;
        let unsure = race.is_unsure(execution);
        if unsure && needed.is_none() {
            return self.reverse(race, variant, world);
        }
        let listed = needed.unwrap_or_default();
        self.clear();
        for event in (race.first.index() + 1..execution.len()).map(EventId::new) {
            let record = execution.record(event);
            let needed = event != race.second
                && if unsure { listed.contains(&event) } else { execution.happens_before(event, race.second) };
            // A local step is taken as soon as it can be.
            let follows =
                |previous: EventId| previous < race.first || self.steps.iter().any(|step| step.event == Some(previous));
            if (needed || (record.is_local && record.previous().is_none_or(follows)))
                && !execution.is_removed(event, race.removed)
            {
                self.push(record.process, Variant::of(record), Some(event));
            }
        }
        self.push(execution.record(race.second).process, variant, Some(race.second));
        self.link();
    }

    /// The steps that have not been removed, as sleepers.
    pub(crate) fn sleepers(&self) -> impl Iterator<Item = Sleeper> + Clone {
        self.remaining().map(|step| Sleeper::new(step.process, step.variant.choice, step.variant.footprint))
    }

    /// The sequence of a single step.
    pub(crate) fn of_one(&mut self, process: ProcessId, variant: Variant) {
        self.clear();
        self.push(process, variant, None);
        self.link();
    }

    /// Whether a step of this process remains.
    #[inline]
    pub(crate) fn has_steps_of(&self, process: ProcessId) -> bool {
        self.firsts.get(process.index()).is_some_and(|&first| first != NONE)
    }

    /// How many steps remain.
    pub(crate) fn len(&self) -> usize {
        self.remaining
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.remaining == 0
    }

    /// The steps that have not been removed.
    pub(crate) fn remaining(&self) -> impl DoubleEndedIterator<Item = &Step> + Clone {
        self.steps[self.start..].iter().filter(|step| !step.removed)
    }

    /// Removes a step that is the first of its process. Gives what it uses.
    pub(crate) fn remove(&mut self, number: usize) -> Footprint {
        let step = &mut self.steps[number];
        step.removed = true;
        let footprint = step.variant.footprint;
        self.firsts[step.process.index()] = step.next;
        self.remaining -= 1;
        while self.steps.get(self.start).is_some_and(|step| step.removed) {
            self.start += 1;
        }
        footprint
    }

    /// Whether, and how, what remains of the sequence could begin with this step.
    #[inline]
    pub(crate) fn weak_initial(&self, step: &Sleeper, world: World<'_>) -> Option<Initial> {
        let first = self.firsts.get(step.process.index()).copied().unwrap_or(NONE);
        if first != NONE {
            let number = first as usize;
            let same = self.steps[number].variant.choice == step.choice;
            return (same && self.is_initial(number, world)).then_some(Initial::Member(number));
        }
        if self.observers {
            return self.commutes_with_all(step, world).then_some(Initial::Stranger);
        }
        // The last step is the one that is most often dependent: it is looked at first.
        let stranger =
            self.remaining().rev().all(|other| !world.footprints.dependent(other.variant.footprint, step.footprint));
        (stranger || mutation::on(Mutation::StrangersAreInitials)).then_some(Initial::Stranger)
    }

    /// The same where every two uses of a location that are not both reads are dependent.
    pub(crate) fn begins_with(&self, step: &Sleeper, world: World<'_>) -> Option<Initial> {
        if !self.observers {
            return self.weak_initial(step, world);
        }
        let first = self.firsts.get(step.process.index()).copied().unwrap_or(NONE);
        if first != NONE {
            let number = first as usize;
            let same = self.steps[number].variant.choice == step.choice;
            return (same && self.is_initial_with(number, world, |_| true)).then_some(Initial::Member(number));
        }
        let independent = |other: &Step| !world.footprints.dependent(other.variant.footprint, step.footprint);
        self.remaining().rev().all(independent).then_some(Initial::Stranger)
    }

    /// The footprint of what is accessed when all is over, if the sequence is a whole execution.
    pub(crate) fn finale(&self) -> Footprint {
        self.finale.unwrap_or(Footprint::EMPTY)
    }

    /// Whether a step that is not part of the sequence could as well come before it, where it
    /// counts who observes what.
    fn commutes_with_all(&self, step: &Sleeper, world: World<'_>) -> bool {
        let footprints = world.footprints;
        let all = self.remaining().map(|other| other.variant.footprint);
        all.rev().all(|other| footprints.dependence(other, step.footprint) != Dependence::Dependent)
            && self.finale.is_none_or(|finale| !footprints.observes(finale, step.footprint))
    }

    /// Whether nothing that remains comes before the step, where it counts whether it is observed.
    fn is_initial_with(&self, number: usize, world: World<'_>, mut observed: impl FnMut(Footprint) -> bool) -> bool {
        let step = &self.steps[number];
        self.steps[self.start..number].iter().filter(|earlier| !earlier.removed).all(|earlier| {
            let caused = step.event.is_some_and(|event| {
                let record = world.execution.record(event);
                (record.index == 0 && record.previous() == earlier.event)
                    || world.execution.joins(event, earlier.process)
            });
            let dependent = match world.footprints.dependence(earlier.variant.footprint, step.variant.footprint) {
                Dependence::Independent => false,
                Dependence::IfObserved => observed(earlier.variant.footprint),
                Dependence::Dependent => true,
            };
            !caused && !dependent
        })
    }

    /// Whether nothing that remains comes before the step.
    fn is_initial(&self, number: usize, world: World<'_>) -> bool {
        if self.observers {
            return self.is_initial_with(number, world, |earlier| self.is_observed(number, earlier, world.footprints));
        }
        let World { execution, footprints, .. } = world;
        let step = &self.steps[number];
        let is_last = number + 1 == self.steps.len();
        self.steps[self.start..number].iter().filter(|earlier| !earlier.removed).all(|earlier| {
            mutation::on(Mutation::EveryoneIsInitial)
                || if is_last {
                    // Its clock tells of another context; what it uses, who created it and whose
                    // end it waited for is right in this one.
                    let caused = step.event.is_some_and(|event| {
                        let record = execution.record(event);
                        (record.index == 0 && record.previous() == earlier.event)
                            || execution.joins(event, earlier.process)
                    });
                    !caused && !footprints.dependent(earlier.variant.footprint, step.variant.footprint)
                } else {
                    let (Some(event), Some(before)) = (step.event, earlier.event) else { return false };
                    !execution.happens_before(before, event)
                }
        })
    }

    /// Takes back the newest removal that has not been taken back: that of this step.
    pub(crate) fn restore(&mut self, number: usize) {
        let step = &mut self.steps[number];
        step.removed = false;
        self.firsts[step.process.index()] = number as u32;
        self.remaining += 1;
        self.start = self.start.min(number);
    }

    /// Whether this is the number of the last step.
    pub(crate) fn is_last(&self, number: usize) -> bool {
        number + 1 == self.steps.len()
    }

    /// The choice of a step's choices.
    pub(crate) fn choice(step: &Step) -> ChoiceId {
        step.variant.choice
    }
}
