//! One random ABS program after the other.

use std::fmt;

use mazurka_actor::deadlock::Settings;
use mazurka_audit::Budget;

use crate::check::{Culprit, Disagreement};
use crate::fuzz::Fuzzed;

use super::check::{ActorChecks, check_actors};
use super::deadlocks::{Waits, check_deadlocks};
use super::generate::{generate_actors, generate_circles};
use super::program::ActorProgram;

/// How often a smaller program is tried.
const ATTEMPTS: usize = 1_000;

/// A random ABS program on which something disagrees.
#[derive(Clone, Debug)]
pub struct ActorFailure {
    /// The program's seed.
    pub seed: u64,
    /// The program, made small.
    pub program: ActorProgram,
    /// What disagrees on the small program.
    pub disagreement: Disagreement,
}

impl fmt::Display for ActorFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first_lines = self.disagreement.to_string().replace('\n', "\n// ");
        write!(f, "// seed {}\n// {first_lines}\n{}", self.seed, self.program)
    }
}

/// Checks the program of a seed; makes it small if something disagrees.
///
/// # Errors
/// The small program, and what disagrees on it.
pub fn fuzz_actors(seed: u64, checks: &ActorChecks) -> Result<Fuzzed, Box<ActorFailure>> {
    let program = generate_actors(seed);
    match check_actors(&program.to_string(), checks) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        Err(found) => {
            let (program, disagreement) = shrink(program, found, |source| check_actors(source, checks));
            Err(Box::new(ActorFailure { seed, program, disagreement }))
        }
    }
}

/// So much of the interleavings of a random program is tried.
const BUDGET: Budget = Budget { executions: 150, steps: 1_000, depth: 100 };

/// Compares the analysis of deadlocks with brute force on the program of a seed, with one precision
/// after the other; makes it small if something disagrees. `None` for a program that is too large.
///
/// # Errors
/// The small program, and what disagrees on it.
pub fn fuzz_deadlocks(seed: u64) -> Result<Option<Waits>, Box<ActorFailure>> {
    let program = generate_circles(seed);
    let settings = Settings { sensitivity: (seed % 3) as usize, parallel: true };
    check_deadlocks(&program.to_string(), settings, BUDGET).map_err(|found| {
        let check = |source: &str| check_deadlocks(source, settings, BUDGET);
        let (program, disagreement) = shrink(program, found, check);
        Box::new(ActorFailure { seed, program, disagreement })
    })
}

/// Whether a disagreement of one is as good as one of the other: any algorithm is.
fn is_like(one: Culprit, other: Culprit) -> bool {
    matches!((one, other), (Culprit::Algorithm(_), Culprit::Algorithm(_))) || one == other
}

/// Takes out of a program what is not needed for something of the same kind to disagree.
pub(super) fn shrink<T>(
    program: ActorProgram,
    found: Disagreement,
    mut check: impl FnMut(&str) -> Result<T, Disagreement>,
) -> (ActorProgram, Disagreement) {
    let (mut smallest, mut disagreement) = (program, found);
    let mut attempts = 0;
    'smaller: while attempts < ATTEMPTS && disagreement.culprit != Culprit::FrontEnd {
        for candidate in smallest.smaller() {
            attempts += 1;
            match check(&candidate.to_string()) {
                Err(other) if is_like(other.culprit, disagreement.culprit) => {
                    (smallest, disagreement) = (candidate, other);
                    continue 'smaller;
                }
                _ => {}
            }
        }
        break;
    }
    (smallest, disagreement)
}
