//! The one loop that every algorithm shares: depth first, on an explicit stack, rewinding instead of running again.

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use crate::choices::Script;
use crate::execution::Record;
use crate::search::{Leaf, Search};

/// The decisions of an algorithm. A *node* is a state on the current path; node `i` is the one before event `i`.
pub(crate) trait Strategy<M: Machine> {
    /// The state after the current execution is new, and the machine is there: decide what to explore from it. Gives the
    /// reason where there is nothing.
    fn enter(&mut self, search: &mut Search<'_, M>) -> Option<Leaf>;

    /// The next step to explore from the newest node.
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<(ProcessId, Script)>;

    /// The step was taken.
    fn descend(&mut self, search: &mut Search<'_, M>);

    /// All that follows the event has been explored, and the event was taken back.
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record);

    /// The current execution has come to its end: see to it that the races in it are reversed.
    fn reverse_races(&mut self, search: &mut Search<'_, M>);
}

/// Explores until nothing is left or the search is stopped.
pub(crate) fn run<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>) {
    arrive(search, strategy);
    while !search.stopped {
        if let Some((process, script)) = strategy.next(search) {
            search.advance(process, script);
            if search.stopped {
                break;
            }
            strategy.descend(search);
            arrive(search, strategy);
        } else if search.execution.len() > 0 {
            let event = search.retreat();
            strategy.ascend(search, &event);
        } else {
            return;
        }
    }
    search.abandon();
}

fn arrive<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>) {
    if let Some(leaf) = strategy.enter(search) {
        search.finish(leaf);
        if !search.stopped {
            strategy.reverse_races(search);
        }
    }
}
