//! The check: both orders of a race are run, and compared.

use mazurka_machine::{Digest, Independence, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{Access, Check, EventId, Fault, ProcessId};

use crate::choices::ChoiceId;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::races::Reversal;
use crate::search::Search;
use crate::sleep::Sleeper;

/// Looks for races that commute. Keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// What has to run before the second event.
    pub(super) before: Vec<EventId>,
    /// That is enough for it: it was tried out. And nothing of it is only in conflict with what the
    /// second event is now. Of the two and what is, both orders can be new, and each of them can
    /// begin with what is forbidden.
    pub(super) suffices: bool,
    /// Scratch.
    pub(super) kept: Vec<EventId>,
    pub(super) faults: [Vec<Fault>; 2],
    /// Steps that commute with the newest event.
    pub(super) commuting: Vec<Sleeper>,
    /// What each of those leads to after the event, and the failures that it shows there, and
    /// before the event.
    pub(super) afterwards: Vec<(Digest, [Vec<Fault>; 2])>,
    /// The sequence that is redundant.
    pub(super) sequence: Vec<Sleeper>,
    /// What decided, and what the two steps used in the order that was explored and in the other
    /// one, where somebody requests that.
    pub(super) check: Option<Check>,
    pub(super) used: [Vec<(ProcessId, Vec<Access>)>; 2],
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
        self.suffices = false;
        if race.first == race.second || variant.footprint == Footprint::HALT {
            return None;
        }
        let (first, second) = (*search.execution.record(race.first), *search.execution.record(race.second));
        if first.footprint == Footprint::HALT || first.locks || second.locks {
            return None;
        }
        self.collect(search, race);
        let unsure = race.is_unsure(&search.execution);
        let mut certain = true;
        if unsure {
            self.keep_needed(search, race, variant.footprint, false);
            let needed = self.before.len();
            self.collect(search, race);
            self.keep_needed(search, race, variant.footprint, true);
            certain = self.before.len() == needed || mutation::on(Mutation::RivalsNeeded);
        }
        let mut commutes = self.compare(search, race, variant);
        self.suffices &= certain;
        self.sequence.clear();
        for record in self.before.iter().map(|&event| search.execution.record(event)) {
            self.sequence.push(Sleeper::new(record.process, record.choice, record.footprint));
        }
        self.sequence.push(Sleeper::new(second.process, variant.choice, variant.footprint));
        self.sequence.push(Sleeper::new(first.process, first.choice, first.footprint));
        let alone = mutation::on(Mutation::WholeCheckAlone);
        let as_it_was = (variant.choice, variant.footprint) == (second.choice, second.footprint);
        if (search.options.whole_check || alone) && as_it_was && !unsure {
            commutes = self.compare_whole(search, race) && (commutes || alone);
        }
        search.cursor.machine.rewind(race.first.index());
        Some(commutes)
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

    /// Of what could run before the second event, keeps what it needs to be what it is now: what
    /// these uses, `footprint`, depend on and what came before it as it was; with `rivals`, also
    /// what did not. With more, a don't-do sequence would hold only where steps that have nothing
    /// to do with the race come first.
    fn keep_needed<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        race: &Reversal<'_>,
        footprint: Footprint,
        rivals: bool,
    ) {
        let (execution, footprints) = (&search.execution, &search.cursor.names.footprints);
        let first = execution.record(race.first).footprint;
        let second = execution.record(race.second);
        let Context { before, kept, .. } = self;
        kept.clear();
        for &event in before.iter().rev() {
            let record = execution.record(event);
            let in_conflict = footprints.dependent(record.footprint, footprint);
            let needed = record.process == second.process
                || second.previous() == Some(event)
                || execution.joins(race.second, record.process)
                || (in_conflict && (rivals || execution.happens_before(event, race.second)))
                || (rivals && footprints.dependent(record.footprint, first))
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
        let Context { before, suffices, faults: [faults, other_faults], check, used, .. } = self;
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
        let used = &mut used[1];
        let Some(spawns) = run_step(search, second.process, variant, faults, used) else { return false };
        *suffices = true;
        let as_it_was = Variant::of(&first);
        let Some(also) = run_step(search, first.process, as_it_was, faults, used) else { return false };
        let spawns = spawns || also;
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
        self.compare_states(search, race, variant, if begins { None } else { Some(base) })
    }

    /// The reversed order has run: runs the other one, after what the second event needs, from
    /// `base`; or, if there is none, before that, from the first event's node.
    fn compare_states<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
        base: Option<usize>,
    ) -> bool {
        let Context { before, faults: [faults, other_faults], check, used, .. } = self;
        let (first, second) = (*search.execution.record(race.first), *search.execution.record(race.second));
        let node = race.first.index();
        let reversed: Digest = search.cursor.machine.effects_since(node);
        if base.is_none() {
            other_faults.clear();
        }
        search.cursor.machine.rewind(base.unwrap_or(node));
        if repeat(search, first.process, first.choice, other_faults) != Some(first.footprint) {
            return false;
        }
        note_use(search, &mut used[0]);
        if (base.is_none() && !run_all(search, before.iter().copied(), other_faults))
            || repeat(search, second.process, variant.choice, other_faults) != Some(variant.footprint)
        {
            return false;
        }
        note_use(search, &mut used[0]);
        *check = Some(Check::States);
        faults.sort_unstable_by_key(key);
        other_faults.sort_unstable_by_key(key);
        let same = search.cursor.machine.effects_since(node) == reversed && faults == other_faults;
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

/// Runs a step; tells whether it creates processes. None where it does not do what it did before.
fn run_step<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    process: ProcessId,
    variant: Variant,
    faults: &mut Vec<Fault>,
    used: &mut Vec<(ProcessId, Vec<Access>)>,
) -> Option<bool> {
    if repeat(search, process, variant.choice, faults) != Some(variant.footprint) {
        return None;
    }
    note_use(search, used);
    Some(!search.cursor.event.spawned.is_empty())
}

/// Notes what the event in the buffer used, if somebody requests that.
#[inline]
fn note_use<M: Machine, O: Order<M>>(search: &Search<'_, M, O>, used: &mut Vec<(ProcessId, Vec<Access>)>) {
    if search.listener.is_there() {
        used.push((search.cursor.event.process, search.cursor.event.accesses.clone()));
    }
}

pub(super) fn key(
    fault: &Fault,
) -> (mazurka_trace::FaultKind, ProcessId, mazurka_trace::SiteId, [mazurka_trace::Value; 2]) {
    (fault.kind, fault.process, fault.site, fault.detail)
}

/// Steps a process with these choices, if it can do just that; gives what it used.
pub(super) fn repeat<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    process: ProcessId,
    choice: ChoiceId,
    faults: &mut Vec<Fault>,
) -> Option<Footprint> {
    let used = search.cursor.step_exactly(process, choice)?;
    faults.extend_from_slice(&search.cursor.event.faults);
    Some(used)
}
