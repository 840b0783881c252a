//! Initials: who can go first to reverse a race.
//!
//! To reverse the race of `e` and `e'`, run from *pre(E, e)* the events after `e` that do not happen after it, up to and
//! with `e'` (the sequence *v*). A process is an *initial* of v when its first event in v has no other event of v
//! before it in happens-before. Everything that happens before such an event, and is not that event, thus stands before `e`.

use mazurka_trace::{EventId, ProcessId};

use crate::choices::Label;
use crate::execution::Execution;
use crate::races::Reversal;

/// If `process` is an initial of the sequence that reverses the race: the choices its event makes there.
#[inline]
pub(crate) fn contains(execution: &Execution, race: &Reversal<'_>, process: ProcessId) -> Option<Label> {
    if let Some(kept) = race.kept {
        return contains_listed(execution, race, kept, process);
    }
    let event = execution.first_from(process, race.first.index() + 1)?;
    let in_sequence = event == race.second || (event < race.second && !execution.happens_before(race.first, event));
    (in_sequence && has_no_predecessor(execution, race, event)).then(|| execution.record(event).label)
}

fn contains_listed(execution: &Execution, race: &Reversal<'_>, kept: &[EventId], process: ProcessId) -> Option<Label> {
    let Some(at) = kept.iter().position(|&event| execution.record(event).process == process) else {
        let only = kept.is_empty() && execution.record(race.second).process == process;
        return only.then_some(Label::NONE);
    };
    let first = kept[..at].iter().all(|&earlier| !execution.happens_before(earlier, kept[at]));
    first.then(|| execution.record(kept[at]).label)
}

/// Some initial: the process of the second event if it is one; else that of the earliest event that is needed first.
pub(crate) fn some(execution: &Execution, race: &Reversal<'_>) -> ProcessId {
    let Reversal { first, second, kept, .. } = *race;
    let process = execution.record(second).process;
    if let Some(kept) = kept {
        return kept.first().map_or(process, |&event| execution.record(event).process);
    }
    if contains(execution, race, process).is_some() {
        return process;
    }
    // The earliest event after `first` that happens before `second`, leaving out what happens after `first`: a lock knows of
    // that by way of the release, and does not need it for the reversal.
    let needed = execution.known(second).filter_map(|(process, count)| {
        let event = execution.first_from(process, first.index() + 1)?;
        let known = execution.record(event).index < count && event != second;
        (known && !execution.happens_before(first, event)).then_some((event, process))
    });
    needed.min().map_or(process, |(_, process)| process)
}

fn has_no_predecessor(execution: &Execution, race: &Reversal<'_>, event: EventId) -> bool {
    let Reversal { first, second, .. } = *race;
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
