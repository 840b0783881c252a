//! The one loop that every algorithm shares: depth first, on an explicit stack, rewinding instead of running again.

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use crate::choices::Script;
use crate::execution::Record;
use crate::search::{Leaf, Search};

/// A step to take: who, and with which data choices.
pub(crate) type Step = (ProcessId, Script);

/// The decisions of an algorithm. A *node* is a state on the current path; node `i` is the one before event `i`.
pub(crate) trait Strategy<M: Machine> {
    /// The state after the current execution is new, and the machine is there: decides what to explore from it, and gives
    /// the first step of that; or the reason why there is nothing.
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf>;

    /// The step was taken.
    fn descend(&mut self, search: &mut Search<'_, M>);

    /// All that follows the event has been explored, and the event was taken back.
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record);

    /// The next step to explore from the newest node.
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step>;

    /// The current execution has come to its end: see to it that the races in it are reversed.
    fn reverse_races(&mut self, search: &mut Search<'_, M>);
}

/// Explores until nothing is left or the search is stopped.
pub(crate) fn run<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>) {
    run_until(search, strategy, u64::MAX);
}

/// The same, but with a pause after so much work, see [`Search::work`]. Tells whether there is one.
pub(crate) fn run_until<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>, most: u64) -> bool {
    let step = arrive(search, strategy);
    go_on(search, strategy, step, most)
}

/// Goes on after a pause. The machine is where it was, or in its initial state.
pub(crate) fn resume_until<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>, most: u64) -> bool {
    go_on(search, strategy, None, most)
}

#[inline(always)]
fn go_on<M: Machine>(
    search: &mut Search<'_, M>,
    strategy: &mut impl Strategy<M>,
    mut step: Option<Step>,
    most: u64,
) -> bool {
    while !search.is_late() && !search.stopped {
        if let Some((process, script)) = step {
            search.advance(process, script);
            search.outcome.nodes += 1;
            if search.stopped {
                break;
            }
            strategy.descend(search);
            step = arrive(search, strategy);
            if step.is_none() && search.work() >= most && !search.stopped {
                return true;
            }
            continue;
        }
        if search.execution.len() == 0 {
            return false;
        }
        let event = search.retreat();
        strategy.ascend(search, &event);
        step = strategy.next(search);
    }
    search.abandon();
    false
}

/// Enters a new node. Where that is the end of an execution, there is no step to take.
#[inline(always)]
fn arrive<M: Machine>(search: &mut Search<'_, M>, strategy: &mut impl Strategy<M>) -> Option<Step> {
    match strategy.enter(search) {
        Ok(step) => Some(step),
        Err(leaf) => {
            // Where it is late, the machine need not be there, and this need not be an end.
            if search.is_late() {
                return None;
            }
            search.finish(leaf);
            if !search.stopped {
                strategy.reverse_races(search);
            }
            None
        }
    }
}
