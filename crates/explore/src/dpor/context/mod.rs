//! Whether a race commutes in the state in which it happens.
//!
//! # Paper
//! Albert and others, *Context-sensitive dynamic partial order reduction*, CAV 2017; *Optimal
//! context-sensitive dynamic partial order reduction with observers*, JSS 2023, Sections 3.1 to
//! 3.4.
//!
//! # The check
//! For a race of `e` and `e'` in E, let B be the state after *pre(E, e)* and all that `e'` needs
//! but `e` (*ance*). If `e.e'` and `e'.e` lead from B to the same state, and show the same
//! failures, then whoever runs *ance*.`e'`.`e` from *pre(E, e)* finds nothing that is not found
//! after *ance*.`e`.`e'`, which is explored first. The states are compared by digests of what
//! changed on the way to them: of all variables, all locals, who is where.
//!
//! # Deviations
//! 1. The paper's refined check (Section 3.4) runs one order and compares, on the locations
//!    involved, with a state of the execution in which unrelated events have run as well. Here both
//!    orders run from B, two steps each, and all of their effects are compared (*W* is what the
//!    machine's log says: [`Machine::effects_since`]): nothing runs that the race does not need,
//!    and nothing is left out of the comparison. So there is no *I*. `Options::whole_check` runs
//!    all that lies between the two events as well, as the paper does before that section. That
//!    alone must not decide: what lies between can hide the difference from the comparison, but not
//!    from a process that comes earlier (`WholeCheckAlone`, a breakage).
//! 2. A step that ends its process untimely, makes other data choices than before, or cannot run in
//!    the other order fails the check.
//! 3. Both steps must use the same in either order. Otherwise the one that uses less could be
//!    followed by something that meets an event which was independent of both, in the order that is
//!    left out only; the paper's dependence does not vary with the order. So too where a constraint
//!    says that they commute, which is about states.
//! 4. A don't-do sequence that is down to one step also outlives an event that the step depends on,
//!    if the two commute where the event happened: running the step then leads where running it
//!    first leads. The paper drops it.
//! 5. Where only the machine knows what the second event needs, *ance* holds what the footprints
//!    say is needed. With more, the sequence would hold only where steps that have nothing to do
//!    with the race come first. Some of it can be in conflict only with what the second event is
//!    before the first one. Then both orders of the two can be new, and what is forbidden can stand
//!    in the way of either, so engines do not rely on it (`RivalsNeeded`, a breakage).
//! 6. Where it counts who observes what is written, *ance* need not commute with `e`: then
//!    *ance*.`e'`.`e` is compared with `e`.*ance*.`e'`, which is what was explored.
//!
//! # Cost
//! The steps of *ance* and four more, and two digests of what they changed. Nothing is run from the
//! beginning.

mod check;
mod commuting;

use mazurka_machine::Machine;
use mazurka_relation::Footprints;
use mazurka_trace::{Check, EventId, ProcessId};

use crate::choices::{Script, Step};
use crate::dpor::dont::{DontDo, Inherited, Tail, inherited};
use crate::dpor::inevitable::Inevitable;
use crate::execution::{Cut, Execution, Leaf};
use crate::listener::Compared;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::races::{Observation, Reversal};
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};
use check::Context;

/// What makes an algorithm context-sensitive: the check, and the don't-do sets.
#[derive(Debug)]
pub(crate) struct Contextual {
    check: Context,
    pub(crate) dont: DontDo,
    inevitable: Inevitable,
}

impl Contextual {
    pub(crate) fn new() -> Self {
        Self { check: Context::default(), dont: DontDo::new(), inevitable: Inevitable::default() }
    }

    /// The newest event led to a new node. Whoever depends on the event wakes up there; a don't-do
    /// sequence of which the event was a step holds without it.
    #[inline]
    pub(crate) fn wake<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, sleep: &mut Sleep) {
        let Search { order, cursor, execution, .. } = search;
        let independent = order.wake(cursor, execution, sleep, &mut self.dont.pending());
        self.descend(search, sleep, &independent);
    }

    /// The newest event led to a new node: which don't-do sequences still hold there? One that is
    /// down to a single step holds also if that depends on the event, but commutes with it where it
    /// happened: then it leads where running it first leads. Steps that constraints say commute
    /// with it uniformly, `independent`, do no harm to any of them.
    #[inline]
    fn descend<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        sleep: &mut Sleep,
        independent: &[Sleeper],
    ) {
        let event = *search.execution.last().expect("a step was taken");
        let step = Sleeper::new(event.process, event.choice, event.footprint);
        let Contextual { check, dont, .. } = self;
        let caused = search.execution.is_caused(EventId::new(search.execution.len() - 1));
        let judge = |sequence: &[Sleeper], writer, footprints: &Footprints| {
            inherited(sequence, writer, &step, footprints, independent)
        };
        let commuting = &mut check.commuting;
        commuting.clear();
        for (sequence, writer) in dont.newest() {
            if let [single] = *sequence
                && single.process != event.process
                && judge(sequence, writer, &search.cursor.names.footprints) == Inherited::Dropped
                && !commuting.contains(&single)
            {
                commuting.push(single);
            }
        }
        check.keep_commuting(search, &event);
        dont.descend(&event, caused, sleep, |sequence, writer| {
            match (judge(sequence, writer, &search.cursor.names.footprints), sequence) {
                (Inherited::Dropped, [single]) if check.commuting.contains(single) => Inherited::Commuting,
                (judged, _) => judged,
            }
        });
    }

    /// Whether the newest event was forbidden where it ran: then all that follows it has been
    /// explored.
    pub(crate) fn is_redundant<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>) -> bool {
        let last = search.execution.last();
        last.is_some_and(|event| self.dont.forbids(search.execution.len() - 1, event))
    }

    /// Why it was, if so.
    pub(crate) fn reason<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>) -> Option<Cut> {
        self.dont.reason(search.execution.len().checked_sub(1)?, search.execution.last()?)
    }

    /// A redundant step of the newest node, where the machine is, that nothing can come before that
    /// was not explored: see [`crate::dpor::inevitable`].
    #[inline]
    pub(crate) fn inevitable<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        let Contextual { dont, inevitable, .. } = self;
        dont.forbidden_since().find_map(|(step, origin)| inevitable.find(search, &step, origin))
    }

    /// Picks somebody who is awake: preferably whoever begins a don't-do sequence, so that it is
    /// soon down to one step.
    pub(crate) fn pick<M: Machine, O: Order<M>>(
        &self,
        search: &mut Search<'_, M, O>,
        sleep: &Sleep,
    ) -> Result<Step, Leaf> {
        let awake = |step: &Sleeper| sleep.top().iter().all(|sleeper| sleeper.process != step.process);
        for step in self.dont.leaders().filter(awake) {
            if search.cursor.machine.live().contains(step.process) && search.cursor.machine.is_enabled(step.process) {
                return Ok((step.process, Script::First));
            }
        }
        sleep.pick_awake(search)
    }

    /// Finds out whether a race commutes where it happens; if so, its reversal is not to be run to
    /// its end.
    pub(crate) fn compare<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) {
        let record = search.execution.record(race.second);
        let as_it_was = [Variant::of(record)];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        for &variant in variants {
            self.compare_variant(search, race, variant);
        }
    }

    /// What the second event of the race that was compared last needs to come before the first one.
    pub(crate) fn needed(&self) -> Option<&[EventId]> {
        self.check.suffices.then_some(&self.check.before[..])
    }

    /// Who goes first to bring the second event of the race that was compared last before the first
    /// one: the earliest of what it needs, or itself.
    pub(crate) fn first_needed(&self) -> Option<ProcessId> {
        self.check.sequence.first().filter(|_| self.check.suffices).map(|step| step.process)
    }

    /// The same for one variant of the second event. Tells whether it commutes, and whether
    /// something new is not to be run because of that.
    pub(crate) fn compare_variant<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) -> (bool, bool) {
        let same = self.check.commutes(search, race, variant);
        (same == Some(true), self.conclude(search, race, same, false))
    }

    /// A race was compared: if both orders lead to the same state, the sequence is not to be run.
    /// `observed` says whether both merely write where they meet, and somebody observes that.
    fn conclude<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        same: Option<bool>,
        observed: bool,
    ) -> bool {
        let Contextual { check, dont, .. } = self;
        let begins = !search.order.is_known_at_once();
        let Search { execution, listener, cursor, .. } = search;
        let (one, other) = (execution.record(race.first), execution.record(race.second));
        let alike = cursor.names.footprints.overwrite_each_other(one.footprint, other.footprint)
            || mutation::on(Mutation::UnlikeWriteOvertakes);
        let writer = (observed && alike).then_some(other.process);
        let Some(same) = same else { return false };
        let Reversal { first, second, .. } = *race;
        let (made, used, before) = (check.check.unwrap_or(Check::Uses), &check.used, &check.before);
        let compared = Compared { first, second, observed, before, begins, same, check: made, used };
        let comparison = listener.compare(execution, &compared);
        let tail = writer.map_or_else(Tail::default, Tail::of_writes).because_of(comparison).from(first.index());
        same && dont.add(race.first.index(), &check.sequence, tail)
    }

    /// The comparisons that forbid the newest event.
    pub(crate) fn comparisons(&self, execution: &Execution) -> Vec<usize> {
        execution.last().map_or(Vec::new(), |event| self.dont.comparisons(execution.len() - 1, event))
    }

    /// The same for two writes whose order is observed.
    pub(crate) fn compare_writes<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Observation<'_>,
    ) -> bool {
        let (first, second) = (race.first, race.second);
        let record = search.execution.record(second);
        let variant = Variant::of(record);
        let race = Reversal { first, second, removed: &[first], variants: &[], last: false };
        let same = self.check.commutes(search, &race, variant);
        self.conclude(search, &race, same, true)
    }
}
