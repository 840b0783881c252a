//! Races of two writes that somebody observes.

use mazurka_machine::Machine;
use mazurka_trace::EventId;

use super::{Observation, Observer, Races, Reversal, Reverse, add_unordered, could_differ, is_open};
use crate::choices::Script;
use crate::execution::{Execution, Race};
use crate::names::Variant;
use crate::order::Order;
use crate::search::Search;

impl Races {
    /// A race of two writes that is observed: finds out what its last observer would see if they
    /// came in the other order.
    pub(super) fn analyse_observed<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        first: EventId,
        second: EventId,
        stable: usize,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        search.pick.note_racy(&search.execution, first, second);
        let Races { observers, order, variants, uncertain, exact, .. } = self;
        let execution = &search.execution;
        execution.observers(first, second, observers);
        // Where all that is new comes after observers, the same was requested the last time.
        let mut new = (stable..execution.len()).map(EventId::new);
        let observed = |event| observers.iter().any(|&o| o != event && execution.happens_before(o, event));
        if stable > 0 && new.all(observed) {
            return;
        }
        if add_unordered(search, &[first], second, uncertain) && is_open(search, &[first], second, uncertain) {
            // Who observes it then is found when that has been explored.
            let race = Reversal { first, second, removed: uncertain, variants: &[], last: false };
            algorithm.reverse(search, &race);
        }
        reverse(&search.execution, first, second, observers, order);
        let observer = observers.last().copied();
        let differs =
            |&observer: &EventId| could_differ(search, &Race { first: Some(second), second: observer }, *exact);
        let tries = observer.as_ref().is_none_or(differs);
        if tries {
            run(search, first, order);
        }
        if search.is_late() {
            return;
        }
        let observer = match observer {
            None => Observer::Finale(search.order.see_finale(&mut search.cursor)),
            Some(observer) => {
                see(search, observer, tries, variants);
                Observer::Event(observer, variants)
            }
        };
        if tries {
            search.cursor.machine.rewind(first.index());
        }
        algorithm.reverse_observed(search, &Observation { first, second, order, observer });
    }
}

/// What is to run from the first event's node for the second one to come first, and both before
/// those who observe them.
fn reverse(execution: &Execution, first: EventId, second: EventId, observers: &[EventId], order: &mut Vec<EventId>) {
    order.clear();
    let later = || (first.index() + 1..execution.len()).map(EventId::new);
    order.extend(later().filter(|&event| !execution.happens_before(first, event)));
    order.push(second);
    // A local step is taken as soon as it can be.
    let process = execution.record(second).process;
    let own = later().filter(|&event| event > second && execution.record(event).process == process);
    order.extend(own.take_while(|&event| execution.record(event).is_local));
    let until = order.last().copied();
    order.push(first);
    order.extend(later().filter(|&event| {
        let ahead =
            event == second || (execution.record(event).process == process && event > second && Some(event) <= until);
        !ahead
            && execution.happens_before(first, event)
            && !observers.iter().any(|&observer| execution.happens_before(observer, event))
    }));
}

/// Runs events in this order.
fn run<M: Machine, O: Order<M>>(search: &mut Search<'_, M, O>, first: EventId, order: &[EventId]) {
    search.seek(first.index());
    for &event in order {
        let record = *search.execution.record(event);
        search.cursor.try_step(record.process, Script::Exactly(record.choice));
    }
}

/// What an observer can be in the machine's state, if that is one to try it out in.
fn see<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    observer: EventId,
    tries: bool,
    variants: &mut Vec<Variant>,
) {
    let record = *search.execution.record(observer);
    variants.clear();
    if tries {
        search.cursor.variants(record.process, variants);
        search.order.see_variants(&mut search.cursor, record.footprint, variants);
    } else {
        variants.push(Variant::of(&record));
    }
}
