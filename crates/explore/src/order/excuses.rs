//! Whether two steps commute uniformly: what constraints say, and what is tried out besides.

use mazurka_machine::{Constrained, Independence, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{Ending, EventId, LocationId, ProcessId};

use super::{is_plain, is_steady};
use crate::choices::{ChoiceId, Script};
use crate::cursor::Cursor;
use crate::execution::{Execution, Record};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::sleep::Sleeper;

/// A step that is to do what it did before.
pub(super) struct Twin {
    process: ProcessId,
    choice: ChoiceId,
    footprint: Footprint,
    /// It does the same whatever it reads.
    is_steady: bool,
}

impl Twin {
    pub(super) fn of(record: &Record) -> Twin {
        let Record { process, choice, footprint, .. } = *record;
        Twin { process, choice, footprint, is_steady: is_steady(record) }
    }

    pub(super) fn asleep(sleeper: &Sleeper) -> Twin {
        let Sleeper { process, choice, footprint, .. } = *sleeper;
        Twin { process, choice, footprint, is_steady: false }
    }
}

/// Whether two events are uniformly independent, where that is known without looking at the state.
pub(super) fn may_commute<M: Machine>(cursor: &Cursor<'_, M>, one: &Record, other: &Record) -> Option<bool> {
    let known = cursor.machine.constrained(one.site, other.site);
    if known == Constrained::Unknown || !is_plain(one) || !is_plain(other) {
        return Some(false);
    }
    if cursor.names.footprints.share_mutex(one.footprint, other.footprint) {
        return Some(false);
    }
    (known == Constrained::Always && is_steady(one) && is_steady(other)).then_some(true)
}

/// Brings the machine to the state before the first event, and what the second one needs.
pub(super) fn run_to<M: Machine>(cursor: &mut Cursor<'_, M>, execution: &Execution, first: EventId, second: EventId) {
    cursor.seek(execution, first.index());
    for event in (first.index() + 1..second.index()).map(EventId::new) {
        let needed = if mutation::on(Mutation::ConstraintInWrongState) {
            !execution.happens_before(first, event)
        } else {
            execution.happens_before(event, second)
        };
        if needed {
            cursor.repeat(execution, event);
        }
    }
}

/// Whether two steps are independent in the machine's current state, and whatever other processes
/// do, and do the same in both orders. If so, `decisive` are the locations that this rests on. The
/// machine is to be rewound.
pub(super) fn are_uniformly_independent<M: Machine>(
    cursor: &mut Cursor<'_, M>,
    one: &Twin,
    other: &Twin,
    decisive: &mut Vec<LocationId>,
) -> bool {
    if !cursor.can_step(one.process) || !cursor.can_step(other.process) {
        return false;
    }
    match cursor.machine.independence(one.process, other.process) {
        Independence::Unknown | Independence::Refuted => return false,
        Independence::Holds if !mutation::on(Mutation::UniformityUnchecked) => return false,
        Independence::Holds | Independence::Uniform => {}
    }
    decisive.clear();
    cursor.machine.reasons(decisive);
    (one.is_steady && other.is_steady) || do_the_same(cursor, one, other, decisive)
}

/// Whether two steps do the same in both orders, and whatever other processes do.
fn do_the_same<M: Machine>(
    cursor: &mut Cursor<'_, M>,
    one: &Twin,
    other: &Twin,
    decisive: &mut Vec<LocationId>,
) -> bool {
    let base = cursor.machine.steps();
    let Some(spawns) = run_twins(cursor, other, one, decisive) else { return false };
    let reversed = spawns.then(|| cursor.machine.named_effects_since(base));
    cursor.machine.rewind(base);
    let changes = |location: &LocationId| cursor.machine.others_may_write(one.process, other.process, *location);
    if decisive.iter().any(changes) && !mutation::on(Mutation::FootprintsUnchecked) {
        return false;
    }
    let Some(reversed) = reversed else { return true };
    run_twins(cursor, one, other, decisive).is_some() && cursor.machine.named_effects_since(base) == reversed
}

/// Runs two steps one after the other, if both do what they did before; tells whether they create
/// processes. The locations whose values decide about what a step uses are added to `decisive`.
pub(super) fn run_twins<M: Machine>(
    cursor: &mut Cursor<'_, M>,
    one: &Twin,
    other: &Twin,
    decisive: &mut Vec<LocationId>,
) -> Option<bool> {
    let mut spawns = false;
    for twin in [one, other] {
        if !cursor.can_step(twin.process) {
            return None;
        }
        cursor.try_step(twin.process, Script::Exactly(twin.choice));
        if cursor.is_late() {
            return None;
        }
        let Variant { choice, footprint, .. } = cursor.variant();
        let same = choice == twin.choice && footprint == twin.footprint && cursor.event.ending == Ending::Continues;
        if cursor.event.can_block {
            return None;
        }
        if !same && !mutation::on(Mutation::FootprintsUnchecked) {
            return None;
        }
        spawns |= !cursor.event.spawned.is_empty();
        if cursor.event.varies {
            let read = cursor.event.accesses.iter().filter(|access| access.kind.observes());
            decisive.extend(read.map(|access| access.location));
        }
    }
    Some(spawns)
}
