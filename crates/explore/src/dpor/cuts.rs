//! Why an exploration was cut, for whoever wants to know.

use crate::dpor::context::Contextual;
use crate::explain::visible;
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};

/// Says why the exploration that has just come to its end was cut, if it was, and if somebody
/// asked.
#[inline]
pub(crate) fn explain_cut<M, O>(search: &mut Search<'_, M, O>, sleep: &Sleep, contextual: Option<&Contextual>) {
    if search.listener.is_there() {
        explain(search, sleep, contextual);
    }
}

#[cold]
fn explain<M, O>(search: &mut Search<'_, M, O>, sleep: &Sleep, contextual: Option<&Contextual>) {
    let Search { execution, listener, .. } = search;
    let because = contextual.map_or(Vec::new(), |contextual| contextual.comparisons(execution));
    listener.explain_cut(because, &mut || {
        let asleep = sleep.top().iter().filter(|sleeper| sleeper.reason.is_explored());
        asleep
            .map(|sleeper| (sleeper.process, visible(execution, first_asleep(sleep, sleeper, execution.len()))))
            .collect()
    });
}

/// The first node of the path to this one at which a step has slept ever since.
fn first_asleep(sleep: &Sleep, sleeper: &Sleeper, node: usize) -> usize {
    let sleeps = |&node: &usize| {
        let is_it = |other: &Sleeper| (other.process, other.choice) == (sleeper.process, sleeper.choice);
        sleep.at(node).iter().any(is_it)
    };
    (0..=node).rev().take_while(sleeps).last().unwrap_or(node)
}
