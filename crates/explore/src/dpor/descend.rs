//! A new node: who sleeps there, and what is not to be run from it.

use mazurka_machine::Machine;

use crate::dpor::context::Contextual;
use crate::order::Order;
use crate::search::Search;
use crate::sleep::Sleep;

/// The newest event led to a new node. Whoever depends on the event wakes up there; a don't-do
/// sequence of which the event was a step holds without it.
#[inline(always)]
pub(crate) fn descend<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    sleep: &mut Sleep,
    contextual: &mut Option<Contextual>,
) {
    let Search { order, cursor, execution, .. } = search;
    let mut pending = contextual.iter().flat_map(|contextual| contextual.dont.pending());
    let independent = order.wake(cursor, execution, sleep, &mut pending);
    drop(pending);
    if let Some(contextual) = contextual {
        contextual.descend(search, sleep, &independent);
    }
}
