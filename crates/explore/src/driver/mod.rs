//! The one loop that every algorithm shares: depth first, on an explicit stack, rewinding instead
//! of running again.

mod ends;
mod path;
pub(crate) mod portfolio;

use mazurka_machine::Machine;
use mazurka_trace::Event;

use crate::choices::Step;
use crate::execution::{Cut, Leaf, Record};
use crate::mutation::{self, Mutation};
use crate::order::{ByConflict, Order, Restart};
use crate::races::{Races, Reverse, Wanted};
use crate::search::Search;

/// The decisions of an algorithm. A *node* is a state on the current path; node `i` is the one
/// before event `i`.
pub(crate) trait Strategy<M: Machine, O = ByConflict>: Reverse<M, O> {
    /// The state after the current execution is new, and the machine is there: decides what to
    /// explore from it, and gives the first step of that; or the reason why there is nothing.
    fn enter(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf>;

    /// The step was taken.
    fn descend(&mut self, search: &mut Search<'_, M, O>);

    /// All that follows the event has been explored, and the event was taken back.
    fn ascend(&mut self, search: &mut Search<'_, M, O>, event: &Record);

    /// The next step to explore from the newest node.
    fn next(&mut self, search: &mut Search<'_, M, O>) -> Option<Step>;

    /// The current execution has come to its end, before its races are reversed. Why it was cut, if
    /// a don't-do set forbids its newest event.
    fn end(&mut self, _search: &mut Search<'_, M, O>) -> Option<Cut> {
        None
    }

    /// The current execution has come to its end: what has not happened in it, and can race with
    /// what has. Those are the steps of whoever waits; an engine that ends executions early knows
    /// of more.
    #[inline(always)]
    fn virtual_events(&mut self, search: &mut Search<'_, M, O>, cut: Option<Cut>, events: &mut Vec<Event>) {
        let is_over = search.cursor.machine.steps() >= search.execution.len() && !search.execution.has_halted();
        if is_over && search.cursor.machine.live().is_empty() {
            return events.clear();
        }
        search.cursor.disabled_steps(&search.execution, cut, events);
    }

    /// The newest event ended the execution: whoever else could have run in its place has to run
    /// there, too.
    fn alternatives_to_end(&mut self, search: &mut Search<'_, M, O>);
}

/// How an exploration came to a halt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// Nothing is left to be explored, or the search was stopped.
    Over,
    /// It can go on.
    Paused,
    /// What was explored is worthless: everything is to be explored again, in another way.
    Again(Restart),
}

/// An exploration under way: the decisions of an algorithm, and the races of the current execution.
pub(crate) struct Exploration<F, S> {
    make: F,
    strategy: S,
    races: Races,
}

impl<F: Fn() -> S, S> Exploration<F, S> {
    /// One that has not begun. `make` makes the strategy, again whenever everything begins again.
    pub(crate) fn new(make: F) -> Self {
        let strategy = make();
        Self { make, strategy, races: Races::default() }
    }

    /// The decisions that were taken.
    pub(crate) fn into_strategy(self) -> S {
        self.strategy
    }

    /// Explores until nothing is left or the search is stopped.
    pub(crate) fn run<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Halt
    where
        S: Strategy<M, O>,
    {
        self.run_until(search, u64::MAX)
    }

    /// Explores likewise, but with a pause after so much work, see [`Search::work`]. Where it is
    /// found out who observes what, everything begins again, with that known.
    pub(crate) fn run_until<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, most: u64) -> Halt
    where
        S: Strategy<M, O>,
    {
        let step = arrive(search, &mut self.strategy, &mut self.races);
        self.go_on(search, step, most)
    }

    /// Goes on after a pause. The machine is where it was, or in its initial state.
    pub(crate) fn resume_until<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, most: u64) -> Halt
    where
        S: Strategy<M, O>,
    {
        self.go_on(search, None, most)
    }

    #[inline(always)]
    fn go_on<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        mut step: Option<Step>,
        most: u64,
    ) -> Halt
    where
        S: Strategy<M, O>,
    {
        loop {
            let halt = go_on(search, &mut self.strategy, &mut self.races, step, most);
            if halt != Halt::Again(Restart::Observers) {
                return halt;
            }
            search.begin_again();
            self.strategy = (self.make)();
            self.races = Races::default();
            step = arrive(search, &mut self.strategy, &mut self.races);
        }
    }
}

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// The exploration is over, unless all begins again.
    fn halt(&mut self) -> Halt {
        self.restart().map_or(Halt::Over, Halt::Again)
    }
}

#[inline(always)]
fn go_on<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    strategy: &mut impl Strategy<M, O>,
    races: &mut Races,
    mut step: Option<Step>,
    most: u64,
) -> Halt {
    while !search.is_late() && !search.cursor.pace.stopped {
        if let Some((process, script)) = step {
            search.advance(process, script);
            search.session.outcome.nodes += 1;
            if search.cursor.pace.stopped {
                break;
            }
            strategy.descend(search);
            step = arrive(search, strategy, races);
            if step.is_none() && search.work() >= most && !search.cursor.pace.stopped {
                return Halt::Paused;
            }
            continue;
        }
        if search.execution.len() == 0 {
            return search.halt();
        }
        let event = search.retreat();
        strategy.ascend(search, &event);
        step = strategy.next(search);
    }
    search.abandon();
    search.halt()
}

/// Enters a new node. Where that is the end of an execution, there is no step to take.
#[inline(always)]
fn arrive<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    strategy: &mut impl Strategy<M, O>,
    races: &mut Races,
) -> Option<Step> {
    match strategy.enter(search) {
        Ok(step) => Some(step),
        Err(leaf) => {
            // Where it is late, the machine need not be there, and this need not be an end.
            if search.is_late() {
                return None;
            }
            search.finish(leaf);
            if !search.cursor.pace.stopped {
                reverse_races(search, strategy, races);
            }
            None
        }
    }
}

/// The current execution has come to its end: sees to it that what can come instead is explored.
#[inline(always)]
fn reverse_races<M: Machine, O: Order<M>>(
    search: &mut Search<'_, M, O>,
    strategy: &mut impl Strategy<M, O>,
    races: &mut Races,
) {
    let cut = strategy.end(search);
    let wanted = strategy.wanted();
    if wanted == Wanted::Nothing || (mutation::on(Mutation::RedundantWithoutRaces) && cut.is_some()) {
        return;
    }
    strategy.virtual_events(search, cut, &mut races.virtual_events);
    races.for_each(search, cut, strategy);
    if search.execution.has_halted() && !search.is_late() && !mutation::on(Mutation::HaltWithoutAlternatives) {
        strategy.alternatives_to_end(search);
    }
}
