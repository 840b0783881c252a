//! One random program after the other.

use std::fmt;

use crate::check::{Checks, Counts, Culprit, Disagreement, check_all_algorithms};
use crate::generate::{Profile, generate_with};
use crate::metamorphic::check_renamed;
use crate::program::Program;
use crate::shrink::shrink;

/// How one random program fared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fuzzed {
    /// All agree.
    Agreed(Counts),
    /// It has more executions than brute force may run.
    TooLarge,
}

/// A random program on which something disagrees.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The program's seed.
    pub seed: u64,
    /// The program's profile.
    pub profile: Profile,
    /// The program, made small.
    pub program: Program,
    /// What disagrees on the small program.
    pub disagreement: Disagreement,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first_lines = self.disagreement.to_string().replace('\n', "\n// ");
        write!(f, "// seed {}, profile {}\n// {first_lines}\n{}", self.seed, self.profile, self.program)
    }
}

/// Checks the program of a seed; shrinks it if something disagrees.
///
/// # Errors
/// The small program, where something disagrees.
pub fn fuzz_seed(seed: u64, profile: Option<Profile>, checks: &Checks) -> Result<Fuzzed, Box<Failure>> {
    let profile = profile.unwrap_or_else(|| Profile::of_seed(seed));
    let program = generate_with(profile, seed);
    match check(&program, seed, checks) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        // The generator makes valid programs; a smaller one that is refused, too, would tell
        // nothing.
        Err(disagreement) if disagreement.culprit == Culprit::FrontEnd => {
            Err(Box::new(Failure { seed, profile, program, disagreement }))
        }
        Err(found) => {
            // Another disagreement of the same is as good.
            let persists =
                |candidate: &Program| check(candidate, seed, checks).is_err_and(|other| other.culprit == found.culprit);
            let program = shrink(&program, 20_000, persists);
            let disagreement = check(&program, seed, checks).err().unwrap_or(found);
            Err(Box::new(Failure { seed, profile, program, disagreement }))
        }
    }
}

fn check(program: &Program, seed: u64, checks: &Checks) -> Result<Option<Counts>, Disagreement> {
    let counts = check_all_algorithms(&program.to_string(), checks)?;
    if counts.is_some_and(|counts| counts.interleavings + counts.discarded <= checks.few) {
        check_renamed(program, seed, &checks.algorithms, checks.few + 1)?;
    }
    Ok(counts)
}
