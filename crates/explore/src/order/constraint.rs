//! `constrained`, `optimal-constrained`, `optimal-constrained-observers`: what the program's
//! independence constraints are used for.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Algorithm 1, over the source sets and don't-do sets of [`crate::dpor::backtrack`] (policy
//! `Source`) and [`crate::dpor::context`]. Over the wakeup trees of [`crate::dpor::optimal`], and
//! together with observers: beyond the paper, which leaves both open.
//!
//! # Use
//! 1. *Back-set reduction* (line 9). Two events that conflict are not ordered, and so do not race,
//!    if in the state after *pre(E, e)* and what `n` needs (*u*) some constraint holds, and nobody
//!    else may change that ([`Independence::Uniform`]). This enters happens-before, so all that is
//!    computed from it follows.
//! 2. *Sleep-set extension* (line 17). A step goes on to sleep if it and the event are in such a
//!    relation.
//! 3. *Don't-do sequences without a comparison* (lines 11, 12). Where a constraint merely holds,
//!    the race is reversed, and its reversal is redundant.
//! 4. Where none holds, states are compared (line 14), unless the constraints are known to be
//!    necessary.
//!
//! # Guarantee
//! As [`crate::dpor::context`]: all states in which an execution can end, and all failures, are
//! found (where constraints are right only up to who created a process: up to that); at most as
//! many complete executions as there are traces. With no constraints, it is `source`;
//! `optimal-constrained` is `optimal-cs`, and `optimal-constrained-observers` is
//! `optimal-cs-observers`, whose guarantee it has.
//!
//! # Why wakeup trees
//! The proof of `optimal` asks of happens-before, not of dependence: that all linearisations are
//! executions that lead to the same state and have the same happens-before, and that what was
//! ordered stays so when something is inserted between that is not ordered with the first event.
//! Deviations 1, 4 and 5 are what makes that so.
//! - A wakeup sequence, without its last step, is what comes first in a linearisation of the
//!   execution: so it can be replayed, in the order in which it stands, with the footprints that it
//!   had, although it can hold events that conflict and are not ordered. A step of it is an initial
//!   if happens-before says so.
//! - Its last step runs without the first event of the race, which can be what made it commute with
//!   others. Then it is open which comes first of the step and those that conflict with it and are
//!   not ordered with it. So it is requested without them and all that happens after them, and also
//!   with all of them before it ([`crate::races`]). (Two that both write `x = 1` commute with `if
//!   (x == 1)` uniformly, each because of the other one. With the other one in the sequence, the
//!   order in which both come later would never be requested.) What the last step uses is asked of
//!   the machine wherever it could be something else, and footprints alone decide what it depends
//!   on. So they do for sleepers and branches that are not part of the sequence. A step that
//!   conflicts, and commutes uniformly, then counts as dependent: what is requested too much is
//!   found to sleep when its branch is taken (those that commute uniformly have gone on to sleep),
//!   and costs an exploration that is cut.
//! - What was explored covers only what it is a member of: the argument of deviation 13 of
//!   [`crate::dpor::optimal`] finds what comes before an explored step by its races, and steps that
//!   commute uniformly are in none (a program in the tests).
//!
//! # Why observers
//! Who observes a write is told by who reads the location next; whom a constraint leaves unordered
//! with a read can pass on what it read. So the two do not meet at any location:
//! - Where both events of a pair merely write the same, or one reads what the other merely writes,
//!   observers decide and no constraint is asked ([`Search::is_left_to_observers`]).
//! - Where a pair is left unordered, nobody merely writes what both use, nor what the constraint or
//!   the footprints rest on: if somebody does, those writes count as observed, all of them, and the
//!   exploration begins again ([`Search::learn_from_unordered`]), as for what somebody waits for.
//!   Then their order is the same in all linearisations, and with it the reason to leave the pair
//!   unordered.
//! - Happens-before is computed when an execution is at its end, by comparing each event with all
//!   before it that use the same.
//! - States are compared with what was explored: what a constraint says about two events tells
//!   nothing about what the second one needs, which need not commute with the first where nobody
//!   observes that. Don't-do sequences are dropped by whatever conflicts with them; explored steps
//!   go on to sleep, by the state that both orders lead to.
//!
//! # Names
//! *U⇒* is [`Search::excuses`]; *u = dep(E, e, n)* is `needed`.
//!
//! # Deviations
//! 1. That two steps commute is not enough to leave them unordered: each also has to do the same,
//!    with the same footprint, before the other as after it. Otherwise what depends on one of them
//!    in one order depends on the other one in the other, and happens-before says nothing about
//!    executions equivalent to this one. (Two calls of the paper's `res` commute, but only the
//!    second one spawns.) Where a step's footprint can vary, or it chooses, this is tried out, and
//!    nobody else may write what decides about the footprint. Steps that fail that, and commute,
//!    still leave a don't-do sequence.
//! 2. A step that spawns is left unordered only if the states after both orders are equal, with the
//!    names of processes.
//! 3. With events left unordered, the newest use of a location does not tell of those before it. So
//!    an event is compared with all before it that use the same, the latest first, but for those
//!    that it knows of.
//! 4. Operations on mutexes, and steps that can wait, are never left unordered. The paper asks only
//!    whether one step enables the other in the state in which they meet. But a third one can
//!    change that: with `x = 1`, which commutes with `await x >= 0` wherever both can run, and `x =
//!    -1`, the paper's condition loses states.
//! 5. What a constraint is about must not only stay as it is: it must also have come about before,
//!    and stay so. If it was written by an event that the second step is in a race with, then
//!    turning that race takes it away, and with it the reason to leave the two unordered; the
//!    paper's condition then loses executions. (`x = 1` and `if (x > y)` commute once `y = 1` has
//!    run. In the order in which the condition is read before `y = 1`, they do not.) The same holds
//!    for steps that go on to sleep: what a constraint is about must have come about before the
//!    event, or before the step, and stay so. Otherwise the order in which the step was explored is
//!    another one, with other races.
//! 6. Constraints are about integers that are far from the ends of their range. Where such as could
//!    be too large are met, the exploration begins again without constraints: `Size`.
//! 7. A don't-do sequence, of any length, outlives an event that commutes uniformly with those
//!    steps of it that it conflicts with, where these are the next ones of their processes. In the
//!    paper only single steps do.
//! 8. A failure after a failed assumption counts if that does not happen before it; its schedule
//!    then holds only what does.
//!
//! # Cost
//! An event is compared with all before it that use the same and that it does not know of. A
//! constraint that is not constantly true costs the steps of *u*, two more where the steps vary,
//! and going back.
//!
//! # Tests
//! Random programs with constraints that brute force has found to be true, and the paper's
//! examples: crate `testkit`.

use mazurka_machine::{Constrained, Independence, Machine};
use mazurka_relation::{Dependence, Footprint};
use mazurka_trace::{Ending, EventId, LocationId, ProcessId, Value};

use crate::choices::{ChoiceId, Script};
use crate::execution::{Met, Record};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::search::Search;
use crate::sleep::Sleeper;

impl<M: Machine> Search<'_, M> {
    /// Appends the event in the buffer to the execution, ordered after those only that it does not
    /// commute with uniformly. The machine is where it was.
    #[cold]
    pub(super) fn push_constrained(&mut self, choice: ChoiceId, footprint: Footprint) {
        self.measure();
        if self.orders_at_end() {
            self.execution.push(&self.cursor.event, choice, footprint);
            return;
        }
        let event = std::mem::take(&mut self.cursor.event);
        let newest = self.execution.push_unordered(&event, choice, footprint);
        if self.execution.is_ordered(newest) {
            self.cursor.event = event;
            return;
        }
        self.order_by_constraints(newest, Search::excuses);
        self.seek(self.execution.len());
        self.cursor.event = event;
    }

    /// Looks at the integers that the event in the buffer uses, and at those that its process has
    /// then. Where they could become immoderate in some order of the events, the exploration stops.
    #[cold]
    pub(crate) fn measure(&mut self) {
        if self.cursor.machine.has_large_integers() {
            return;
        }
        let event = &self.cursor.event;
        let used = event.accesses.iter().flat_map(|access| [access.before, access.after]).map(Value::unsigned_abs);
        let own = event.spawned.iter().chain([&event.process]).map(|&process| self.cursor.machine.magnitude(process));
        self.constraints.size.largest = used.chain(own).fold(self.constraints.size.largest, u64::max);
        if self.constraints.size.events == 0 {
            let live: Vec<ProcessId> = self.cursor.machine.live().iter().collect();
            let initial = live.into_iter().map(|process| self.cursor.machine.magnitude(process));
            self.constraints.size.largest = initial.fold(self.constraints.size.largest, u64::max);
        }
        self.constraints.size.events = self.constraints.size.events.max(self.execution.len() + 1);
        self.cursor.pace.stopped |= self.constraints.size.is_immoderate();
    }

    /// Orders the events from a position on by constraints, and by who observes what.
    #[cold]
    pub(crate) fn reorder_constrained(&mut self, position: usize) {
        self.execution.begin_order(position);
        for event in (position..self.execution.len()).map(EventId::new) {
            if self.is_late() {
                return;
            }
            self.execution.enter_again(event);
            if self.execution.is_ordered(event) {
                self.execution.order_again(event);
            } else {
                self.order_by_constraints(event, |search, first, second| {
                    search.execution.is_unobserved(first, second, &search.cursor.names.footprints)
                        || search.excuses(first, second)
                });
            }
        }
        self.execution.end_order();
    }

    /// Puts the newest event behind all before it that use the same in conflicting ways, but for
    /// those that are excused.
    fn order_by_constraints(&mut self, newest: EventId, excuses: fn(&mut Self, EventId, EventId) -> bool) {
        if let Some(observed) = &mut self.cursor.observed {
            observed.looked_at.clear();
        }
        let mut walks = self.execution.walk(newest);
        let mut excused = None;
        while let Some(Met { event, walk, changes }) = self.execution.next_of(&mut walks) {
            // Events come in order, one several times where it uses several locations.
            if excused == Some(event) {
                continue;
            }
            if !self.execution.happens_before(event, newest) {
                if excuses(self, event, newest) {
                    excused = Some(event);
                    continue;
                }
                self.execution.follow_conflict(event, newest);
            }
            // What it happens after is known now.
            if changes && self.execution.is_closed(event) {
                walks.swap_remove(walk);
            }
        }
        self.execution.settle(newest, excused.is_none());
    }

    /// The same for an attempt at a step that waits: it is ordered after everything that it
    /// conflicts with.
    #[cold]
    pub(crate) fn push_attempt_constrained(&mut self, attempt: &mazurka_trace::Event, footprint: Footprint) {
        let newest = self.execution.push_unordered(attempt, ChoiceId::NONE, footprint);
        if self.execution.is_ordered(newest) {
            return;
        }
        self.order_by_constraints(newest, |_, _, _| false);
    }

    /// Whether two events, of which the second is the newest, are uniformly independent where they
    /// could stand side by side.
    fn excuses(&mut self, first: EventId, second: EventId) -> bool {
        let footprint = |event| self.execution.record(event).footprint;
        let (one, other) = (footprint(first), footprint(second));
        let left_to_observers = self.cursor.observed.is_some() && self.is_left_to_observers(one, other);
        let excused = !left_to_observers && self.are_independent(first, second);
        if excused {
            self.learn_from_unordered(one, other);
            let Search { explanations, execution, .. } = self;
            if let Some(explanations) = explanations {
                explanations.leave_unordered(execution.record(first).site, execution.record(second).site);
            }
        }
        excused
    }

    /// Whether two events conflict, in a way that constraints decide about.
    pub(crate) fn conflict(&self, one: EventId, other: EventId) -> bool {
        let footprint = |event: EventId| self.execution.record(event).footprint;
        match self.cursor.names.footprints.dependence(footprint(one), footprint(other)) {
            Dependence::Independent => false,
            // That is a matter of who observes them, if that counts.
            Dependence::IfObserved => self.cursor.observed.is_none(),
            Dependence::Dependent => true,
        }
    }

    /// Whether two events that conflict and are not ordered commute uniformly because of what
    /// these, or those that happen after them, have changed.
    pub(crate) fn commute_because_of(&mut self, one: EventId, other: EventId, removed: &[EventId]) -> bool {
        if !self.are_independent(one.min(other), one.max(other)) {
            return true;
        }
        let execution = &self.execution;
        let is_removed = |change: EventId| change != one && change != other && execution.is_removed(change, removed);
        self.constraints.decisive.iter().any(|&location| execution.changes(location).any(is_removed))
    }

    fn are_independent(&mut self, first: EventId, second: EventId) -> bool {
        self.constraints.decisive.clear();
        let (one, other) = (*self.execution.record(first), *self.execution.record(second));
        let known = self.cursor.machine.constrained(one.site, other.site);
        if known == Constrained::Unknown || !is_plain(&one) || !is_plain(&other) {
            return false;
        }
        if self.cursor.names.footprints.share_mutex(one.footprint, other.footprint) {
            return false;
        }
        if known == Constrained::Always && is_steady(&one) && is_steady(&other) {
            return true;
        }
        self.seek(first.index());
        for event in (first.index() + 1..second.index()).map(EventId::new) {
            let needed = if mutation::on(Mutation::ConstraintInWrongState) {
                !self.execution.happens_before(first, event)
            } else {
                self.execution.happens_before(event, second)
            };
            if needed {
                let record = *self.execution.record(event);
                self.cursor.try_step(record.process, Script::Exactly(record.choice));
            }
        }
        let excused = self.are_uniformly_independent(&Twin::of(&one), &Twin::of(&other));
        self.cursor.machine.rewind(first.index());
        excused && self.rests_on_the_past(first, second)
    }

    /// Whether all that made two events uniformly independent comes before them for ever: it does
    /// not go away with an event that the second one is in a race with.
    fn rests_on_the_past(&self, first: EventId, second: EventId) -> bool {
        let execution = &self.execution;
        let previous = execution.record(second).previous();
        if mutation::on(Mutation::PastUnchecked) {
            return true;
        }
        let fixed = |event: EventId| {
            let had_run = event < first || execution.happens_before(event, second);
            let before = |later: EventId| execution.happens_before(event, later);
            !had_run || before(first) || previous.is_some_and(before)
        };
        self.constraints
            .decisive
            .iter()
            .all(|&location| execution.changes(location).all(|event| event == second || fixed(event)))
    }

    /// The same for the newest event and a step that sleeps: that is explored before whatever has
    /// run since it went to sleep.
    fn sleeps_on_the_past(&self, newest: EventId, sleeper: ProcessId) -> bool {
        let execution = &self.execution;
        if mutation::on(Mutation::SleepersPastUnchecked) {
            return true;
        }
        // Where it counts who observes what, the order of the events is known when the execution is
        // at its end.
        let is_before = |change: EventId, later: EventId| match self.cursor.observed {
            None => execution.happens_before(change, later),
            Some(_) => execution.is_cause(change, later),
        };
        let laters = [Some(newest), execution.newest_of(sleeper)];
        let fixed = |change: EventId| laters.into_iter().flatten().any(|later| is_before(change, later));
        self.constraints.decisive.iter().all(|&location| execution.changes(location).all(fixed))
    }

    /// Whether two steps are independent in the machine's current state, and whatever other
    /// processes do, and do the same in both orders. The machine is to be rewound.
    fn are_uniformly_independent(&mut self, one: &Twin, other: &Twin) -> bool {
        if !self.cursor.can_step(one.process) || !self.cursor.can_step(other.process) {
            return false;
        }
        match self.cursor.machine.independence(one.process, other.process) {
            Independence::Unknown | Independence::Refuted => return false,
            Independence::Holds if !mutation::on(Mutation::UniformityUnchecked) => return false,
            Independence::Holds | Independence::Uniform => {}
        }
        self.constraints.decisive.clear();
        self.cursor.machine.reasons(&mut self.constraints.decisive);
        if one.is_steady && other.is_steady {
            return true;
        }
        let base = self.cursor.machine.steps();
        let mut decisive = std::mem::take(&mut self.constraints.decisive);
        let commute = self.do_the_same(one, other, base, &mut decisive);
        self.constraints.decisive = decisive;
        commute
    }

    /// Whether two steps do the same in both orders, and whatever other processes do.
    fn do_the_same(&mut self, one: &Twin, other: &Twin, base: usize, decisive: &mut Vec<LocationId>) -> bool {
        let Some(spawns) = self.run_twins(other, one, decisive) else { return false };
        let reversed = spawns.then(|| self.cursor.machine.named_effects_since(base));
        self.cursor.machine.rewind(base);
        let changes =
            |location: &LocationId| self.cursor.machine.others_may_write(one.process, other.process, *location);
        if decisive.iter().any(changes) && !mutation::on(Mutation::FootprintsUnchecked) {
            return false;
        }
        let Some(reversed) = reversed else { return true };
        self.run_twins(one, other, decisive).is_some() && self.cursor.machine.named_effects_since(base) == reversed
    }

    /// Runs two steps one after the other, if both do what they did before; tells whether they
    /// create processes. The locations whose values decide about what a step uses are added to
    /// `decisive`.
    fn run_twins(&mut self, one: &Twin, other: &Twin, decisive: &mut Vec<LocationId>) -> Option<bool> {
        let mut spawns = false;
        for twin in [one, other] {
            if !self.cursor.can_step(twin.process) {
                return None;
            }
            self.cursor.try_step(twin.process, Script::Exactly(twin.choice));
            if self.is_late() {
                return None;
            }
            let Variant { choice, footprint, .. } = self.cursor.variant();
            let same =
                choice == twin.choice && footprint == twin.footprint && self.cursor.event.ending == Ending::Continues;
            if self.cursor.event.can_block {
                return None;
            }
            if !same && !mutation::on(Mutation::FootprintsUnchecked) {
                return None;
            }
            spawns |= !self.cursor.event.spawned.is_empty();
            if self.cursor.event.varies {
                let read = self.cursor.event.accesses.iter().filter(|access| access.kind.observes());
                decisive.extend(read.map(|access| access.location));
            }
        }
        Some(spawns)
    }

    /// Finds those of some steps that could have run at the newest event's node which conflict with
    /// the event, and commute with it uniformly.
    pub(crate) fn find_independent(&mut self, steps: &[Sleeper]) -> Vec<Sleeper> {
        let mut independent: Vec<Sleeper> = Vec::new();
        let node = self.execution.len() - 1;
        let event = self.execution.record(EventId::new(node)).to_owned();
        if !is_plain(&event) {
            return independent;
        }
        for sleeper in steps {
            let conflict = sleeper.process != event.process
                && self.cursor.names.footprints.dependent(sleeper.footprint, event.footprint)
                && sleeper.footprint != Footprint::HALT
                && !self.cursor.names.footprints.share_mutex(sleeper.footprint, event.footprint);
            if !conflict || independent.iter().any(|known| known.is_like(sleeper)) {
                continue;
            }
            self.seek(node);
            let site = if self.cursor.machine.live().contains(sleeper.process) {
                self.cursor.machine.pending(sleeper.process)
            } else {
                continue;
            };
            if self.cursor.machine.constrained(site, event.site) == Constrained::Unknown {
                continue;
            }
            let (one, other) = (Twin::of(&event), Twin::asleep(sleeper));
            if self.are_uniformly_independent(&one, &other)
                && self.sleeps_on_the_past(EventId::new(node), sleeper.process)
            {
                self.cursor.machine.rewind(node);
                if self.run_twins(&one, &other, &mut Vec::new()).is_some() {
                    independent.push(*sleeper);
                }
            }
            self.cursor.machine.rewind(node);
        }
        self.seek(node + 1);
        independent
    }

    /// Whether integers were met that could be too large for constraints: then all begins again
    /// without those.
    pub(crate) fn is_to_do_without_constraints(&mut self) -> bool {
        let begins = self.constraints.are_used && self.constraints.size.is_immoderate();
        if begins {
            self.constraints.are_used = false;
            self.plan = self.plan.without_constraints();
            self.begin_again();
            self.session.outcome.unconstrained = true;
        }
        begins
    }

    /// What the constraints say about two processes in the machine's current state.
    pub(crate) fn constraint_between(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        if !self.constraints.are_used || !self.cursor.can_step(one) || !self.cursor.can_step(other) {
            return Independence::Unknown;
        }
        self.cursor.machine.independence(one, other)
    }
}

/// A step that is to do what it did before.
struct Twin {
    process: ProcessId,
    choice: ChoiceId,
    footprint: Footprint,
    /// It does the same whatever it reads.
    is_steady: bool,
}

impl Twin {
    fn of(record: &Record) -> Twin {
        let Record { process, choice, footprint, .. } = *record;
        Twin { process, choice, footprint, is_steady: is_steady(record) }
    }

    fn asleep(sleeper: &Sleeper) -> Twin {
        let Sleeper { process, choice, footprint, .. } = *sleeper;
        Twin { process, choice, footprint, is_steady: false }
    }
}

/// Whether a step's order with others is a matter of memory alone, and it went well.
fn is_plain(record: &Record) -> bool {
    let ends = record.footprint == Footprint::HALT || record.ending != Ending::Continues;
    !record.locks && !record.waits && !record.internal && !ends
}

/// Whether a step does the same whatever it reads.
fn is_steady(record: &Record) -> bool {
    !record.varies && !record.spawns && record.choice == ChoiceId::NONE
}
