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
//! - What was explored covers only what it is a member of: the argument about partially explored
//!   steps, in [`crate::dpor::optimal::pruned`], finds what comes before an explored step by its
//!   races, and steps that commute uniformly are in none (a program in the tests).
//!
//! # Why observers
//! Who observes a write is told by who reads the location next; whom a constraint leaves unordered
//! with a read can pass on what it read. So the two do not meet at any location:
//! - Where both events of a pair merely write the same, or one reads what the other merely writes,
//!   observers decide and no constraint is asked ([`Inner::decides`]).
//! - Where a pair is left unordered, nobody merely writes what both use, nor what the constraint or
//!   the footprints rest on: if somebody does, those writes count as observed, all of them, and the
//!   exploration begins again ([`Inner::leave_unordered`]), as for what somebody waits for.
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
//! *U⇒* is [`ByConstraint::excuses`]; *u = dep(E, e, n)* is `needed`.
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
use mazurka_relation::{Dependence, Footprint, Footprints};
use mazurka_trace::{Access, Event, EventId, LocationId, ProcessId, SiteId};

use super::excuses::{Twin, are_uniformly_independent, may_commute, run_to, run_twins};
use super::inner::Inner;
use super::size::Size;
use super::{Order, Removal, Restart, Watched, is_plain};
use crate::choices::ChoiceId;
use crate::cursor::Cursor;
use crate::execution::{Again, Cut, Execution, Leaf, Met};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::sleep::{Sleep, Sleeper};

/// As another order, without the pairs that constraints say commute uniformly.
#[derive(Debug, Default)]
pub(crate) struct ByConstraint<O> {
    inner: O,
    size: Size,
    /// The locations that the last answer rests on.
    decisive: Vec<LocationId>,
    /// Locations at which the newest event that is in order was left unordered with others: they
    /// have been looked at.
    looked_at: Vec<LocationId>,
    /// The sites of steps that were left unordered since somebody asked.
    unordered: Vec<[SiteId; 2]>,
}

/// An order that leaves out some pairs.
impl<O> ByConstraint<O> {
    /// Orders the events from a position on.
    #[cold]
    fn order_from<M: Machine>(&mut self, position: usize, cursor: &mut Cursor<'_, M>, execution: &mut Execution)
    where
        O: Inner<M>,
    {
        execution.begin_order(position);
        for event in (position..execution.len()).map(EventId::new) {
            if cursor.is_late() {
                return;
            }
            execution.enter_again(event);
            if execution.is_ordered(event) {
                execution.order_again(event);
            } else {
                self.order(cursor, execution, event, |order, cursor, execution, first| {
                    order.inner.excuses(&cursor.names.footprints, execution, first, event)
                        || order.excuses(cursor, execution, first, event)
                });
            }
        }
        execution.end_order();
    }

    /// Puts the newest event behind all before it that use the same in conflicting ways, but for
    /// those that are excused.
    fn order<M: Machine>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &mut Execution,
        newest: EventId,
        excuses: impl Fn(&mut Self, &mut Cursor<'_, M>, &Execution, EventId) -> bool,
    ) {
        self.looked_at.clear();
        let mut walks = execution.walk(newest);
        let mut excused = None;
        while let Some(Met { event, walk, changes }) = execution.next_of(&mut walks) {
            // Events come in order, one several times where it uses several locations.
            if excused == Some(event) {
                continue;
            }
            if !execution.happens_before(event, newest) {
                if excuses(self, cursor, execution, event) {
                    excused = Some(event);
                    continue;
                }
                execution.follow_conflict(event, newest);
            }
            // What it happens after is known now.
            if changes && execution.is_closed(event) {
                walks.swap_remove(walk);
            }
        }
        execution.settle(newest, excused.is_none());
    }

    /// Whether two events, of which the second is the newest, are uniformly independent where they
    /// could stand side by side.
    fn excuses<M: Machine>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        first: EventId,
        second: EventId,
    ) -> bool
    where
        O: Inner<M>,
    {
        let (one, other) = (execution.record(first), execution.record(second));
        let decided = self.inner.decides(&cursor.names.footprints, one.footprint, other.footprint);
        let excused = !decided && self.are_independent(cursor, execution, first, second);
        if excused {
            let Self { inner, decisive, looked_at, .. } = self;
            inner.leave_unordered(cursor, execution, [one.footprint, other.footprint], decisive, looked_at);
            self.unordered.push([one.site, other.site]);
        }
        excused
    }

    /// Whether two events that conflict and are not ordered commute uniformly because of what
    /// these, or those that happen after them, have changed.
    fn commute_because_of<M: Machine>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        [one, other]: [EventId; 2],
        removed: &[EventId],
    ) -> bool {
        if !self.are_independent(cursor, execution, one.min(other), one.max(other)) {
            return true;
        }
        let is_removed = |change: EventId| change != one && change != other && execution.is_removed(change, removed);
        self.decisive.iter().any(|&location| execution.changes(location).any(is_removed))
    }

    /// Whether two events are uniformly independent in the state before both.
    fn are_independent<M: Machine>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        first: EventId,
        second: EventId,
    ) -> bool {
        self.decisive.clear();
        let (one, other) = (*execution.record(first), *execution.record(second));
        if let Some(known) = may_commute(cursor, &one, &other) {
            return known;
        }
        run_to(cursor, execution, first, second);
        let excused = are_uniformly_independent(cursor, &Twin::of(&one), &Twin::of(&other), &mut self.decisive);
        cursor.machine.rewind(first.index());
        excused && self.rests_on_the_past(execution, first, second)
    }

    /// Whether all that made two events uniformly independent comes before them for ever: it does
    /// not go away with an event that the second one is in a race with.
    fn rests_on_the_past(&self, execution: &Execution, first: EventId, second: EventId) -> bool {
        let previous = execution.record(second).previous();
        if mutation::on(Mutation::PastUnchecked) {
            return true;
        }
        let fixed = |event: EventId| {
            let had_run = event < first || execution.happens_before(event, second);
            let before = |later: EventId| execution.happens_before(event, later);
            !had_run || before(first) || previous.is_some_and(before)
        };
        self.decisive.iter().all(|&location| execution.changes(location).all(|event| event == second || fixed(event)))
    }

    /// The same for the newest event and a step that sleeps: that is explored before whatever has
    /// run since it went to sleep.
    fn sleeps_on_the_past<M: Machine>(&self, execution: &Execution, newest: EventId, sleeper: ProcessId) -> bool
    where
        O: Inner<M>,
    {
        if mutation::on(Mutation::SleepersPastUnchecked) {
            return true;
        }
        let laters = [Some(newest), execution.newest_of(sleeper)];
        let fixed = |change: EventId| {
            let before = |later: EventId| self.inner.is_surely_before(execution, change, later);
            laters.into_iter().flatten().any(before)
        };
        self.decisive.iter().all(|&location| execution.changes(location).all(fixed))
    }

    /// Finds those of some steps that could have run at the newest event's node which conflict with
    /// the event, and commute with it uniformly.
    fn find_independent<M: Machine>(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        steps: &[Sleeper],
    ) -> Vec<Sleeper>
    where
        O: Inner<M>,
    {
        let mut independent: Vec<Sleeper> = Vec::new();
        let node = execution.len() - 1;
        let event = execution.record(EventId::new(node)).to_owned();
        if !is_plain(&event) {
            return independent;
        }
        for sleeper in steps {
            let footprints = &cursor.names.footprints;
            let conflict = sleeper.process != event.process
                && footprints.dependent(sleeper.footprint, event.footprint)
                && sleeper.footprint != Footprint::HALT
                && !footprints.share_mutex(sleeper.footprint, event.footprint);
            if !conflict || independent.iter().any(|known| known.is_like(sleeper)) {
                continue;
            }
            cursor.seek(execution, node);
            if !may_commute_asleep(cursor, sleeper, event.site) {
                continue;
            }
            let (one, other) = (Twin::of(&event), Twin::asleep(sleeper));
            if are_uniformly_independent(cursor, &one, &other, &mut self.decisive)
                && self.sleeps_on_the_past(execution, EventId::new(node), sleeper.process)
            {
                cursor.machine.rewind(node);
                if run_twins(cursor, &one, &other, &mut Vec::new()).is_some() {
                    independent.push(*sleeper);
                }
            }
            cursor.machine.rewind(node);
        }
        cursor.seek(execution, node + 1);
        independent
    }
}

/// Whether anything is known about a step that sleeps, in the machine's state, and one from a site.
fn may_commute_asleep<M: Machine>(cursor: &Cursor<'_, M>, sleeper: &Sleeper, site: SiteId) -> bool {
    cursor.machine.live().contains(sleeper.process)
        && cursor.machine.constrained(cursor.machine.pending(sleeper.process), site) != Constrained::Unknown
}

impl<M: Machine, O: Inner<M>> Order<M> for ByConstraint<O> {
    fn is_known_at_once(&self) -> bool {
        self.inner.is_known_at_once()
    }

    fn is_total(&self) -> bool {
        false
    }

    fn orders_writes(&self) -> bool {
        self.inner.orders_writes()
    }

    fn begin_again(&mut self) {
        self.inner.begin_again();
    }

    fn push(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, choice: ChoiceId, footprint: Footprint) {
        self.size.measure(cursor, execution.len());
        if !self.inner.is_known_at_once() {
            return self.inner.push(cursor, execution, choice, footprint);
        }
        let event = std::mem::take(&mut cursor.event);
        let newest = execution.push_unordered(&event, choice, footprint);
        if !execution.is_ordered(newest) {
            self.order(cursor, execution, newest, |order, cursor, execution, first| {
                order.excuses(cursor, execution, first, newest)
            });
            cursor.seek(execution, execution.len());
        }
        cursor.event = event;
    }

    /// It is ordered after everything that it conflicts with.
    #[cold]
    fn push_virtual(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, event: &Event) {
        let footprint = cursor.names.footprints.of(event.site, &event.accesses);
        let newest = execution.push_unordered(event, ChoiceId::NONE, footprint);
        if !execution.is_ordered(newest) {
            self.order(cursor, execution, newest, |_, _, _, _| false);
        }
    }

    fn end(&mut self, leaf: Leaf) {
        self.inner.end(leaf);
    }

    fn conclude(&mut self, accesses: &[Access]) {
        self.inner.conclude(accesses);
    }

    fn settle(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution, cut: Option<Cut>) -> usize {
        let Again { position, stable } = self.inner.begin_to_settle(execution, cut);
        if !self.inner.is_known_at_once() {
            self.order_from(position, cursor, execution);
        }
        stable
    }

    fn settle_so_far(&mut self, cursor: &mut Cursor<'_, M>, execution: &mut Execution) {
        if self.inner.is_known_at_once() {
            return;
        }
        let before = execution.begin_order_so_far();
        let event = std::mem::take(&mut cursor.event);
        self.order_from(0, cursor, execution);
        cursor.seek(execution, execution.len());
        cursor.event = event;
        execution.end_order_so_far(before);
    }

    fn see_disabled_steps(&mut self, cursor: &mut Cursor<'_, M>, disabled_steps: &[Event]) {
        self.inner.see_disabled_steps(cursor, disabled_steps);
    }

    fn see_variants(&mut self, cursor: &mut Cursor<'_, M>, was: Footprint, now: &[Variant]) {
        self.inner.see_variants(cursor, was, now);
    }

    fn see_finale(&mut self, cursor: &mut Cursor<'_, M>) -> Footprint {
        self.inner.see_finale(cursor)
    }

    fn found_out(&self, cursor: &Cursor<'_, M>) -> Option<Restart> {
        let immoderate = self.size.is_immoderate().then_some(Restart::WithoutConstraints);
        immoderate.or_else(|| self.inner.found_out(cursor))
    }

    fn tell_unordered(&mut self, hear: &mut dyn FnMut(SiteId, SiteId)) {
        self.unordered.drain(..).for_each(|[one, other]| hear(one, other));
    }

    fn add_unordered(
        &self,
        footprints: &Footprints,
        execution: &Execution,
        Removal { removed, second }: Removal<'_>,
        unordered: &mut Vec<EventId>,
    ) -> bool {
        if mutation::on(Mutation::UncertainOrder) {
            return false;
        }
        unordered.clear();
        unordered.extend_from_slice(removed);
        let footprint = |event: EventId| execution.record(event).footprint;
        let conflict = |event| match footprints.dependence(footprint(event), footprint(second)) {
            Dependence::Independent => false,
            // That may be a matter of who observes them.
            Dependence::IfObserved => self.inner.orders_writes(),
            Dependence::Dependent => true,
        };
        let first = removed.iter().min().expect("something is removed").index();
        for event in (first + 1..execution.len()).map(EventId::new) {
            let is_unordered = !execution.happens_before(event, second) && !execution.happens_before(second, event);
            if is_unordered && conflict(event) && !execution.is_removed(event, unordered) {
                unordered.push(event);
            }
        }
        unordered.len() > removed.len()
    }

    fn is_open(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        Removal { removed, second }: Removal<'_>,
        unordered: &[EventId],
    ) -> bool {
        let mut added = unordered[removed.len()..].iter();
        added.any(|&event| self.commute_because_of(cursor, execution, [event, second], removed))
    }

    /// What one event wrote can depend on others that it is not ordered with: then these count,
    /// too.
    fn sources(
        &self,
        execution: &Execution,
        locations: &[LocationId],
        waiting: EventId,
        removed: &[EventId],
    ) -> Vec<Option<EventId>> {
        let sources = |&location: &LocationId| execution.sources(location, waiting, removed);
        locations.iter().flat_map(sources).map(Some).collect()
    }

    fn orders_all_uses_of(&self, cursor: &Cursor<'_, M>, execution: &Execution, event: EventId) -> bool {
        self.inner.orders_all_uses_of(cursor, execution, event)
    }

    fn independence(&self, cursor: &mut Cursor<'_, M>, one: ProcessId, other: ProcessId) -> Independence {
        if !cursor.can_step(one) || !cursor.can_step(other) {
            return Independence::Unknown;
        }
        cursor.machine.independence(one, other)
    }

    #[cold]
    fn wake(
        &mut self,
        cursor: &mut Cursor<'_, M>,
        execution: &Execution,
        sleep: &mut Sleep,
        pending: &mut dyn Iterator<Item = Sleeper>,
    ) -> Vec<Sleeper> {
        let event = execution.last().expect("a step was taken").footprint;
        let steps = self.inner.could_sleep_on(&cursor.names.footprints, event, sleep, pending);
        let independent = self.find_independent(cursor, execution, &steps);
        self.inner.wake_but(cursor, execution, sleep, independent)
    }

    fn ascend(&mut self) {
        self.inner.ascend();
    }

    fn watched(&self, node: usize) -> &[Watched] {
        self.inner.watched(node)
    }

    fn was_seen(&self, cursor: &mut Cursor<'_, M>, execution: &Execution) -> bool {
        self.inner.was_seen(cursor, execution)
    }
}
