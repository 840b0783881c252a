//! What is observed of an execution, and executions that differ only in what nobody observes.

use mazurka_machine::{Describe, Digest};
use mazurka_trace::{Access, AccessKind, Event, LocationId};

use crate::dependence::{conflict, dependent_by_cause};
use crate::form::Form;
use crate::names::Names;

/// What every process read, chose and failed at, step by step, and what `finally` read: equal for
/// executions that differ only in what nobody observes. `step` is told of each step what its
/// process had seen before, and which locations it reads.
pub(crate) fn view(
    events: &[Event],
    finale: Option<&Event>,
    names: &mut Names,
    describe: &impl Describe,
    mut step: impl FnMut(Digest, Digest),
) -> Digest {
    let mut histories: Vec<(u64, Digest)> = Vec::new();
    for event in events.iter().chain(finale) {
        let name = names.get(describe, event.process).hash;
        let at = histories.iter().position(|&(known, _)| known == name).unwrap_or_else(|| {
            histories.push((name, Digest::default().name(name)));
            histories.len() - 1
        });
        // Failures of others, of two rules of a network, say, are shown by whoever comes second.
        let own = event.faults.iter().filter(|fault| fault.process == event.process).count();
        let mut history = histories[at].1.name(event.site.index() as u64).name(own as u64);
        let mut reads: Vec<_> = event.accesses.iter().filter(|access| reads(access)).collect();
        reads.sort_by_key(|access| access.location);
        let locations = reads.iter().map(|access| access.location.index() as u64);
        step(histories[at].1, locations.fold(Digest::default(), Digest::name));
        for access in reads {
            history = history.name(access.location.index() as u64).name(access.before as u64);
        }
        for choice in &event.choices {
            history = history.name(choice.value as u64);
        }
        histories[at].1 = history;
    }
    let mut digest = Digest::default();
    for (_, history) in histories {
        digest.toggle(history, 1);
    }
    digest
}

fn reads(access: &Access) -> bool {
    matches!(access.kind, AccessKind::Read | AccessKind::Update)
}

/// The form of an execution up to the order of writes that nobody observes; none if somebody in it
/// waits for memory, or if a step makes data choices: there the algorithm is not exact. Where data
/// races are looked for, a write that can be part of one observes: which of two such writes is the
/// first is what a race is about.
pub(crate) fn form(
    events: &[Event],
    finale: Option<&Event>,
    detects_data_races: bool,
    names: &mut Names,
    describe: &impl Describe,
) -> Option<Form> {
    let chooses = |event: &Event| !event.choices.is_empty();
    if events.iter().any(|event| (event.can_block && !event.locks) || chooses(event)) {
        return None;
    }
    let racing: Vec<Event>;
    let events = if detects_data_races && events.iter().any(|event| event.plain) {
        racing = events.iter().map(with_observing_writes).collect();
        &racing[..]
    } else {
        events
    };
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for (at, event) in events.iter().enumerate() {
        let written = event.accesses.iter().filter(|access| access.kind == AccessKind::Write);
        let unobserved = written.filter(|written| !is_observed(written, &events[at + 1..], finale));
        let unobserved: Vec<LocationId> = unobserved.map(|written| written.location).collect();
        for (earlier, row) in events[..at].iter().zip(&mut before) {
            row[at] = dependent_by_cause(earlier, event) || interfere(earlier, event, &unobserved);
        }
    }
    for middle in 0..count {
        for a in 0..middle {
            for b in middle + 1..count {
                before[a][b] |= before[a][middle] && before[middle][b];
            }
        }
    }
    let names: Vec<u64> = events.iter().map(|event| names.get(describe, event.process).hash).collect();
    Some(Form::of_order(&names, &before, |event| &events[event].choices))
}

/// An event whose writes are updates, if it can be part of a data race.
fn with_observing_writes(event: &Event) -> Event {
    let mut event = event.clone();
    for access in event.accesses.iter_mut().filter(|access| event.plain && access.kind == AccessKind::Write) {
        access.kind = AccessKind::Update;
    }
    event
}

/// Whether one of the later events reads the location that was written, before it is written again.
fn is_observed(written: &Access, later: &[Event], finale: Option<&Event>) -> bool {
    let concerns = |access: &&Access| access.location == written.location || access.kind == AccessKind::Halt;
    let next = later.iter().flat_map(|event| &event.accesses).find(concerns);
    let looks = |finale: &Event| finale.accesses.iter().any(|access| concerns(&access) && access.kind.observes());
    next.map_or_else(|| finale.is_some_and(looks), reads)
}

/// Whether two events meet at a location where not both merely write, or where somebody observes
/// what the second one wrote: it is not one of `unobserved`.
fn interfere(first: &Event, second: &Event, unobserved: &[LocationId]) -> bool {
    let meets = |one: &Access, other: &Access| {
        let unobserved = one.kind == AccessKind::Write && unobserved.contains(&other.location);
        conflict(one, other) && !unobserved
    };
    first.accesses.iter().any(|one| second.accesses.iter().any(|other| meets(one, other)))
}
