//! Proving declared constraints.

use crate::solver::{Answer, Error, Reason, Solver};
use crate::term::{Arena, Term};

/// What came of the proof of a declared constraint for two steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// It is right in every state.
    Proven,
    /// It is wrong: a state in which it holds, each variable with its value, and what is different
    /// afterwards, or on the way: what it is with left then right, and with right then left.
    Refuted {
        /// The state.
        state: Vec<(String, String)>,
        /// What differs.
        results: Vec<(String, String, String)>,
    },
    /// Nobody knows.
    Unknown(String),
}

/// What a solver says about a claim that is to hold in every case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It holds.
    Holds,
    /// It does not: the solver has a model of a case.
    Fails,
    /// Why the solver does not know, in words.
    Unknown(String),
}

/// Asks whether these terms exclude each other.
///
/// # Errors
/// Where the solver dies or answers nonsense.
pub fn exclude(solver: &mut Solver, arena: &Arena, terms: &[Term]) -> Result<Claim, Error> {
    Ok(match solver.check_assuming(arena, terms)? {
        Answer::Unsat => Claim::Holds,
        Answer::Sat => Claim::Fails,
        Answer::Unknown(Reason::Said(why)) => Claim::Unknown(format!("the solver does not know: {why}")),
        Answer::Unknown(Reason::TimeLimit) => {
            Claim::Unknown("the solver needs more time (--solver-timeout)".to_owned())
        }
        Answer::Unknown(Reason::Stopped) => Claim::Unknown("interrupted".to_owned()),
    })
}
