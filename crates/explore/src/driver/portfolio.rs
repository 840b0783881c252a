//! `optimal-cs-observers` takes turns with `observers`.
//!
//! Comparing states saves executions, and costs redundant explorations. Where many processes write
//! different values, there can be exponentially more of these than executions that they save, and
//! nobody can tell beforehand. So the search that compares states is interrupted now and then, and,
//! if something was redundant, one without that begins, which may do one part in [`SHARE`] of the
//! work. Whichever comes to its end first is the answer.
//!
//! # Guarantee
//! That of whichever came to its end: the other one's executions count for nothing, its events do.
//! The work is at most 1 + 2/[`SHARE`] times that of comparing states alone, and at most about 2 ·
//! [`SHARE`] times that of `observers`, or [`FIRST`], or a few executions.
//!
//! # Cost
//! A turn begins with the current execution, run again.

use mazurka_machine::{Heard, Machine};
use mazurka_trace::{Limit, Outcome};

use crate::driver::{Exploration, Halt, Strategy};
use crate::order::{AnyOrder, Order};
use crate::search::Search;

/// So much work is done before the first turn of the other one.
const FIRST: u64 = 1 << 16;

/// The other one does one part in so many.
const SHARE: u64 = 16;

/// Explores with states compared, and in turn without. `make` makes the strategy of the former,
/// `make_other` that of the latter.
pub(crate) fn run<M, O, S, T>(search: &mut Search<'_, M, O>, make: impl Fn() -> S, make_other: impl Fn() -> T) -> Halt
where
    M: Machine,
    O: Order<M>,
    S: Strategy<M, O>,
    T: Strategy<M, AnyOrder<M>>,
{
    // Who asks what is left out because of states gets an answer, however long that takes.
    let mut until = if search.listener.is_there() { u64::MAX } else { FIRST };
    let mut exploration = Exploration::new(make);
    let mut halt = exploration.run_until(search, until);
    while halt == Halt::Paused {
        if is_worth_it(&search.session.outcome, until / SHARE) {
            if let Some(other) = other_turn(search, until / SHARE, &make_other) {
                adopt(search, other);
                return Halt::Over;
            }
            search.cursor.machine.hear(Heard::TakenUp);
        }
        until = until.saturating_mul(2);
        halt = exploration.resume_until(search, until);
    }
    halt
}

/// Whether the other one may be better: something was redundant, and with so much work it comes
/// beyond its first execution.
fn is_worth_it(outcome: &Outcome, most: u64) -> bool {
    outcome.blocked > 0 && most / 3 > outcome.max_events
}

/// Explores without comparing states, within so much work. What came of it, if it came to an end,
/// or if nothing else will; the machine is in its initial state.
fn other_turn<M, O, T>(search: &mut Search<'_, M, O>, most: u64, make: impl Fn() -> T) -> Option<Outcome>
where
    M: Machine,
    O: Order<M>,
    T: Strategy<M, AnyOrder<M>>,
{
    search.cursor.machine.hear(Heard::SetAside);
    let mut other = search.another(search.plan.without_comparing());
    let paused = Exploration::new(make).run_until(&mut other, most) == Halt::Paused;
    let outcome = other.conclude();
    let ends = |limit: &Limit| matches!(limit, Limit::Timeout | Limit::Interrupted);
    // As many executions as allowed may be too few for this one only.
    let (over, stopped) = (!outcome.limits.contains(&Limit::Executions), outcome.limits.iter().any(ends));
    search.cursor.pace.events += outcome.events;
    (stopped || (!paused && over)).then_some(outcome)
}

/// The other one has come to its end.
fn adopt<M: Machine, O: Order<M>>(search: &mut Search<'_, M, O>, other: Outcome) {
    let (explorations, events) = (search.session.outcome.explorations(), search.cursor.pace.events);
    search.adopt(Outcome { events, uncompared: Some(explorations), ..other });
}
