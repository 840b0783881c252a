//! Whether what an engine plans to run can be run: with the feature `checking`.
//!
//! Wakeup sequences are made of events that were not ordered with a race. A machine that keeps its
//! contract runs them again with the same footprints and choices, in any order that happens-before
//! allows. One that does not leads an engine astray long before anybody notices; with this feature
//! each sequence is run when it is inserted, and a step that differs is a panic with both
//! footprints. Without the feature nothing of this is compiled.

use mazurka_machine::Machine;

use crate::order::Order;
use crate::search::Search;
use crate::sleep::Sleeper;

/// Runs a sequence from a node, and goes back to it.
#[cfg(not(feature = "checking"))]
#[inline(always)]
pub(crate) fn check_sequence<M: Machine, O: Order<M>>(
    _: &mut Search<'_, M, O>,
    _: usize,
    _: impl Iterator<Item = Sleeper>,
) {
}

/// Runs a sequence from a node, and goes back to it.
///
/// # Panics
/// Where a step is not enabled, or has another footprint or other choices than it had.
#[cfg(feature = "checking")]
#[cold]
#[inline(never)]
pub(crate) fn check_sequence<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    node: usize,
    sequence: impl Iterator<Item = Sleeper>,
) {
    use crate::choices::Script;

    // Steps that constraints leave unordered, or accesses that were set aside, may replay
    // differently.
    if !search.order.is_total() || search.cursor.plain.is_some() {
        return;
    }
    let steps: Vec<Sleeper> = sequence.collect();
    let events = search.cursor.pace.events;
    search.seek(node);
    for (at, step) in steps.iter().enumerate() {
        let enabled =
            search.cursor.machine.live().contains(step.process) && search.cursor.machine.is_enabled(step.process);
        assert!(enabled, "step {at} of {} of a wakeup sequence at node {node} is not enabled", steps.len());
        search.cursor.try_step(step.process, Script::Exactly(step.choice));
        let variant = search.cursor.variant();
        if (variant.choice, variant.footprint) != (step.choice, step.footprint) {
            let list = |footprint| search.cursor.names.footprints.list(footprint).collect::<Vec<_>>();
            let (now, was) = (list(variant.footprint), list(step.footprint));
            panic!("step {at} of {} of a wakeup sequence at node {node} uses {now:?}, not {was:?}", steps.len());
        }
    }
    search.cursor.machine.rewind(node);
    search.cursor.pace.events = events;
}
