//! Initials: who can go first to reverse a race.
//!
//! To reverse the race of `e` and `e'`, run from *pre(E, e)* the events after `e` that do not
//! happen after it, up to and with `e'` (the sequence *v*). A process is an *initial* of v when its
//! first event in v has no other event of v before it in happens-before. Everything that happens
//! before such an event, and is not that event, thus stands before `e`.

use mazurka_trace::{EventId, ProcessId};

use crate::choices::ChoiceId;
use crate::execution::Execution;
use crate::races::Reversal;
use crate::search::Search;

/// If `process` is an initial of the sequence that reverses the race: the choices its event makes
/// there.
#[inline]
pub(crate) fn contains(execution: &Execution, race: &Reversal<'_>, process: ProcessId) -> Option<ChoiceId> {
    if race.is_unsure(execution) {
        return contains_listed(execution, race, process);
    }
    let event = execution.first_from(process, race.first.index() + 1)?;
    let in_sequence = event == race.second || (event < race.second && !execution.happens_before(race.first, event));
    (in_sequence && has_no_predecessor(execution, race, event)).then(|| execution.record(event).choice)
}

/// The events to run before the second one.
fn before_second<'a>(execution: &'a Execution, race: &'a Reversal<'_>) -> impl Iterator<Item = EventId> + Clone + 'a {
    let end = if race.last { execution.len() } else { race.second.index() };
    let later = |event| event != race.second && execution.happens_before(race.second, event);
    (race.first.index() + 1..end)
        .map(EventId::new)
        .filter(move |&event| event != race.second && !execution.is_removed(event, race.removed) && !later(event))
}

/// Whether some variant of the second event depends on an event that is to run before it.
pub(crate) fn needs_others<M, O>(search: &Search<'_, M, O>, race: &Reversal<'_>) -> bool {
    before_second(&search.execution, race).any(|event| {
        let footprint = search.execution.record(event).footprint;
        race.variants.iter().any(|variant| search.cursor.names.footprints.dependent(variant.footprint, footprint))
    })
}

/// The same, going through the sequence. The second event is taken to be an initial only where
/// nothing is to run before it.
fn contains_listed(execution: &Execution, race: &Reversal<'_>, process: ProcessId) -> Option<ChoiceId> {
    let mut before = before_second(execution, race);
    let Some(event) = before.clone().find(|&event| execution.record(event).process == process) else {
        let only = before.next().is_none() && execution.record(race.second).process == process;
        return only.then_some(ChoiceId::NONE);
    };
    let first = before.take_while(|&earlier| earlier < event).all(|earlier| !execution.happens_before(earlier, event));
    first.then(|| execution.record(event).choice)
}

/// Some initial: the process of the second event if it is one; else that of the earliest event that
/// is needed first.
pub(crate) fn some(execution: &Execution, race: &Reversal<'_>) -> ProcessId {
    let Reversal { first, second, .. } = *race;
    let process = execution.record(second).process;
    if race.is_adjacent() {
        return process;
    }
    if race.is_unsure(execution) {
        return before_second(execution, race).next().map_or(process, |event| execution.record(event).process);
    }
    if contains(execution, race, process).is_some() {
        return process;
    }
    // The earliest event after `first` that happens before `second`, leaving out what happens after
    // `first`: a lock knows of that by way of the release, and does not need it for the reversal.
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
        // A lock knows of the critical section before it, but needs only what its own process
        // needs.
        return record.previous().is_none_or(|previous| previous < first);
    }
    execution.known(event).all(|(process, count)| {
        process == record.process
            || (event == second && process == execution.record(first).process)
            || count as usize <= execution.count_before(process, first.index())
    }) && (record.index > 0 || record.previous().is_none_or(|birth| birth < first))
}
