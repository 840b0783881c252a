//! Initials: who can go first to reverse a race.
//!
//! To reverse the race of `e` and `e'`, run from *pre(E, e)* the events after `e` that do not happen after it, up to and
//! with `e'` (the sequence *v*). A process is an *initial* of v when its first event in v has no other event of v
//! before it in happens-before. Everything that happens before such an event, and is not that event, thus stands before `e`.

use mazurka_trace::{EventId, ProcessId};

use crate::choices::Label;
use crate::execution::Execution;

/// If `process` is an initial of the sequence that reverses the race: the choices its event makes there.
#[inline]
pub(crate) fn contains(execution: &Execution, first: EventId, second: EventId, process: ProcessId) -> Option<Label> {
    let event = execution.first_from(process, first.index() + 1)?;
    let in_sequence = event == second || (event < second && !execution.happens_before(first, event));
    (in_sequence && has_no_predecessor(execution, first, second, event)).then(|| execution.record(event).label)
}

/// Some initial: the process of the second event if it is one; else the earliest event that the second one needs.
pub(crate) fn some(execution: &Execution, first: EventId, second: EventId) -> ProcessId {
    let process = execution.record(second).process;
    if contains(execution, first, second, process).is_some() {
        return process;
    }
    // The earliest event after `first` that happens before `second`, leaving out what happens after `first`: that of a lock
    // is known by way of the release, and is not needed for the reversal.
    let needed = execution.known(second).filter_map(|(process, count)| {
        let event = execution.first_from(process, first.index() + 1)?;
        let known = execution.record(event).index < count && event != second;
        (known && !execution.happens_before(first, event)).then_some((event, process))
    });
    needed.min().map_or(process, |(_, process)| process)
}

fn has_no_predecessor(execution: &Execution, first: EventId, second: EventId, event: EventId) -> bool {
    let record = execution.record(event);
    if event == second && record.locks {
        // A lock knows of the critical section before it, but needs only what its own process needs.
        return record.previous().is_none_or(|previous| previous < first);
    }
    execution.known(event).all(|(process, count)| {
        process == record.process
            || (event == second && process == execution.record(first).process)
            || count as usize <= execution.count_before(process, first.index())
    }) && (record.index > 0 || record.previous().is_none_or(|birth| birth < first))
}
