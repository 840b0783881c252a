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
//!    with the race come first.
//! 6. Where it counts who observes what is written, *ance* need not commute with `e`: then
//!    *ance*.`e'`.`e` is compared with `e`.*ance*.`e'`, which is what was explored.
//!
//! # Cost
//! The steps of *ance* and four more, and two digests of what they changed. Nothing is run from the
//! beginning.

use mazurka_machine::{Digest, Independence, Machine};
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{Access, Check, EventId, Fault, ProcessId};

use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::dont::{DontDo, Inherited, Tail, inherited};
use crate::execution::{Cut, Execution, Leaf, Record};
use crate::listener::Compared;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::races::{Observation, Reversal};
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};

/// What makes an algorithm context-sensitive: the check, and the don't-do sets.
#[derive(Debug)]
pub(crate) struct Contextual {
    check: Context,
    pub(crate) dont: DontDo,
}

impl Contextual {
    pub(crate) fn new() -> Self {
        Self { check: Context::default(), dont: DontDo::new() }
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
        let Contextual { check, dont } = self;
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

    /// The same for one variant of the second event. Tells whether something new is not to be run.
    pub(crate) fn compare_variant<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) -> bool {
        let same = self.check.commutes(search, race, variant);
        self.conclude(search, race, same, false)
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
        let Contextual { check, dont } = self;
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
        let tail = writer.map_or_else(Tail::default, Tail::of_writes).because_of(comparison);
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

/// Looks for races that commute. Keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// What has to run before the second event.
    before: Vec<EventId>,
    /// Scratch.
    kept: Vec<EventId>,
    faults: [Vec<Fault>; 2],
    /// Steps that commute with the newest event.
    commuting: Vec<Sleeper>,
    /// What each of those leads to after the event, and the failures that it shows there, and
    /// before the event.
    afterwards: Vec<(Digest, [Vec<Fault>; 2])>,
    /// The sequence that is redundant.
    sequence: Vec<Sleeper>,
    /// What decided, and what the two steps used in the order that was explored and in the other
    /// one, where somebody requests that.
    check: Option<Check>,
    used: [Vec<(ProcessId, Vec<Access>)>; 2],
}

impl Context {
    /// Whether the race commutes: then `sequence` need not be run from the first event's node. None
    /// where its orders cannot be compared.
    pub(crate) fn commutes<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) -> Option<bool> {
        if race.first == race.second || variant.footprint == Footprint::HALT {
            return None;
        }
        let (first, second) = (*search.execution.record(race.first), *search.execution.record(race.second));
        if first.footprint == Footprint::HALT || first.locks || second.locks {
            return None;
        }
        self.collect(search, race);
        if race.is_unsure(&search.execution) {
            self.keep_needed(search, race, variant.footprint);
        }
        self.sequence.clear();
        for record in self.before.iter().map(|&event| search.execution.record(event)) {
            self.sequence.push(Sleeper::new(record.process, record.choice, record.footprint));
        }
        self.sequence.push(Sleeper::new(second.process, variant.choice, variant.footprint));
        self.sequence.push(Sleeper::new(first.process, first.choice, first.footprint));
        let mut commutes = self.compare(search, race, variant);
        let alone = mutation::on(Mutation::WholeCheckAlone);
        let as_it_was = (variant.choice, variant.footprint) == (second.choice, second.footprint);
        if (search.options.whole_check || alone) && as_it_was && !race.is_unsure(&search.execution) {
            commutes = self.compare_whole(search, race) && (commutes || alone);
        }
        search.cursor.machine.rewind(race.first.index());
        Some(commutes)
    }

    /// Of the steps that could have run instead of the newest event, keeps those that commute with
    /// it where it happened. The machine is after the event, and stays there.
    #[inline]
    fn keep_commuting<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        if !self.commuting.is_empty() {
            self.compare_commuting(search, event);
        }
    }

    #[cold]
    fn compare_commuting<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        let Context { commuting, afterwards, .. } = self;
        let here = search.cursor.machine.steps();
        if event.footprint == Footprint::HALT || event.locks || event.internal || here != search.execution.len() {
            return commuting.clear();
        }
        // First after the event, then before it.
        afterwards.clear();
        commuting.retain(|step| {
            let mut faults = Vec::new();
            let same = step.footprint != Footprint::HALT
                && repeat(search, step.process, step.choice, &mut faults) == Some(step.footprint);
            if same {
                afterwards.push((search.cursor.machine.effects_since(here - 1), [faults, Vec::new()]));
            }
            search.cursor.machine.rewind(here);
            same
        });
        if commuting.is_empty() {
            return;
        }
        search.cursor.machine.rewind(here - 1);
        let mut number = 0;
        commuting.retain(|step| {
            let (digest, [_, faults]) = &mut afterwards[number];
            let same = repeat(search, step.process, step.choice, faults) == Some(step.footprint)
                && repeat(search, event.process, event.choice, faults) == Some(event.footprint)
                && (search.cursor.machine.effects_since(here - 1) == *digest
                    || mutation::on(Mutation::ForbiddenForever));
            search.cursor.machine.rewind(here - 1);
            if same {
                number += 1;
            } else {
                afterwards.remove(number);
            }
            same
        });
        search.cursor.try_step(event.process, Script::Exactly(event.choice));
        let mut faults = afterwards.iter_mut().map(|(_, faults)| faults);
        commuting.retain(|_| {
            let Some([after, before]) = faults.next() else { return false };
            after.extend_from_slice(&search.cursor.event.faults);
            after.sort_unstable_by_key(key);
            before.sort_unstable_by_key(key);
            after == before
        });
    }

    /// Collects what has to run before the second event: all that happens before it but not after
    /// the first; where only the machine knows what it needs, all that could run before it.
    fn collect<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, race: &Reversal<'_>) {
        let execution = &search.execution;
        let unsure = race.is_unsure(execution);
        let end = if race.last { execution.len() } else { race.second.index() };
        self.before.clear();
        self.before.extend((race.first.index() + 1..end).map(EventId::new).filter(|&event| {
            event != race.second
                && !execution.is_removed(event, race.removed)
                && !(race.last && execution.happens_before(race.second, event))
                && (unsure || execution.happens_before(event, race.second))
        }));
    }

    /// Of what could run before the second event, keeps what it needs to be what it is then. With
    /// more, a don't-do sequence would hold only where steps that have nothing to do with the race
    /// come first.
    fn keep_needed<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        race: &Reversal<'_>,
        footprint: Footprint,
    ) {
        let (execution, footprints) = (&search.execution, &search.cursor.names.footprints);
        let first = execution.record(race.first).footprint;
        let second = execution.record(race.second);
        let Context { before, kept, .. } = self;
        kept.clear();
        for &event in before.iter().rev() {
            let record = execution.record(event);
            let needed = record.process == second.process
                || second.previous() == Some(event)
                || execution.joins(race.second, record.process)
                || footprints.dependent(record.footprint, footprint)
                || footprints.dependent(record.footprint, first)
                || kept.iter().any(|&later| execution.happens_before(event, later));
            if needed {
                kept.push(event);
            }
        }
        kept.reverse();
        std::mem::swap(before, kept);
    }

    /// Runs both orders from the first event's node, and compares.
    fn compare<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) -> bool {
        let (first, second) = (*search.execution.record(race.first), *search.execution.record(race.second));
        search.seek(race.first.index());
        let Context { before, faults: [faults, other_faults], check, used, .. } = self;
        faults.clear();
        other_faults.clear();
        used.iter_mut().for_each(Vec::clear);
        *check = Some(Check::Uses);
        if !run_all(search, before.iter().copied(), faults) {
            return false;
        }
        other_faults.extend_from_slice(faults);
        let base = search.cursor.machine.steps();
        let known = search.order.independence(&mut search.cursor, first.process, second.process);
        if known == Independence::Refuted {
            *check = Some(Check::Constraint);
            return false;
        }
        // Reversed first: that is the one that mostly fails.
        if repeat(search, second.process, variant.choice, faults) != Some(variant.footprint) {
            return false;
        }
        note_use(search, &mut used[1]);
        let mut spawns = !search.cursor.event.spawned.is_empty();
        if repeat(search, first.process, first.choice, faults) != Some(first.footprint) {
            return false;
        }
        note_use(search, &mut used[1]);
        spawns |= !search.cursor.event.spawned.is_empty();
        // What has to run before the second event need not commute with the first, where nobody
        // observed that.
        let begins = !search.order.is_known_at_once() && !mutation::on(Mutation::AnceOfCommuting);
        if matches!(known, Independence::Holds | Independence::Uniform) && !spawns && !begins {
            // That they commute says nothing about what they use.
            let steady = !first.varies && !second.varies || mutation::on(Mutation::ConstraintHidesUses);
            let same = steady || {
                search.cursor.machine.rewind(base);
                repeat(search, first.process, first.choice, other_faults) == Some(first.footprint)
                    && repeat(search, second.process, variant.choice, other_faults) == Some(variant.footprint)
            };
            *check = Some(if same { Check::Constraint } else { Check::Uses });
            return same;
        }
        let reversed: Digest = search.cursor.machine.effects_since(race.first.index());
        if begins {
            other_faults.clear();
        }
        search.cursor.machine.rewind(if begins { race.first.index() } else { base });
        if repeat(search, first.process, first.choice, other_faults) != Some(first.footprint) {
            return false;
        }
        note_use(search, &mut used[0]);
        if (begins && !run_all(search, before.iter().copied(), other_faults))
            || repeat(search, second.process, variant.choice, other_faults) != Some(variant.footprint)
        {
            return false;
        }
        note_use(search, &mut used[0]);
        *check = Some(Check::States);
        faults.sort_unstable_by_key(key);
        other_faults.sort_unstable_by_key(key);
        let same = search.cursor.machine.effects_since(race.first.index()) == reversed && faults == other_faults;
        same || mutation::on(Mutation::EverythingCommutes)
    }

    /// The same with everything between the two: what the second one does not need runs last in the
    /// reversed order.
    fn compare_whole<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> bool {
        let Context { before, kept, faults: [faults, other_faults], .. } = self;
        faults.clear();
        other_faults.clear();
        let all = || (race.first.index()..=race.second.index()).map(EventId::new);
        let rest = all().filter(|event| *event != race.second && !before.contains(event));
        kept.clear();
        kept.extend(before.iter().copied().chain([race.second]).chain(rest));
        search.seek(race.first.index());
        if !run_all(search, kept.iter().copied(), faults) {
            return false;
        }
        let digest = search.cursor.machine.effects_since(race.first.index());
        search.cursor.machine.rewind(race.first.index());
        let same =
            run_all(search, all(), other_faults) && search.cursor.machine.effects_since(race.first.index()) == digest;
        faults.sort_unstable_by_key(key);
        other_faults.sort_unstable_by_key(key);
        same && faults == other_faults
    }
}

/// Runs events again, one after the other; tells whether each of them did what it did in the
/// execution.
fn run_all<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    mut events: impl Iterator<Item = EventId>,
    faults: &mut Vec<Fault>,
) -> bool {
    events.all(|event| {
        let record = *search.execution.record(event);
        repeat(search, record.process, record.choice, faults) == Some(record.footprint)
    })
}

/// Notes what the event in the buffer used, if somebody requests that.
#[inline]
fn note_use<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, used: &mut Vec<(ProcessId, Vec<Access>)>) {
    if search.listener.is_there() {
        used.push((search.cursor.event.process, search.cursor.event.accesses.clone()));
    }
}

fn key(fault: &Fault) -> (mazurka_trace::FaultKind, ProcessId, mazurka_trace::SiteId, [mazurka_trace::Value; 2]) {
    (fault.kind, fault.process, fault.site, fault.detail)
}

/// Steps a process with these choices, if it can do just that; gives what it used.
fn repeat<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    process: ProcessId,
    choice: ChoiceId,
    faults: &mut Vec<Fault>,
) -> Option<Footprint> {
    let used = search.cursor.step_exactly(process, choice)?;
    faults.extend_from_slice(&search.cursor.event.faults);
    Some(used)
}
