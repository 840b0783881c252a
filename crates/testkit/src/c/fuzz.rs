//! One random C program after the other.

use std::fmt;

use crate::check::{Counts, Culprit, Disagreement, catch};
use crate::fuzz::Fuzzed;

use super::build::{Compiled, Compiler};
use super::check::{CChecks, check_c};
use super::generate::generate_c;
use super::profile::CProfile;
use super::program::CProgram;

/// How often a smaller program is tried.
const ATTEMPTS: usize = 2_000;

/// A random C program on which something disagrees.
#[derive(Clone, Debug)]
pub struct CFailure {
    /// The program's seed.
    pub seed: u64,
    /// The program's profile.
    pub profile: CProfile,
    /// The program, made small.
    pub program: CProgram,
    /// What disagrees on the small program.
    pub disagreement: Disagreement,
}

impl fmt::Display for CFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first_lines = self.disagreement.to_string().replace('\n', "\n// ");
        write!(f, "// seed {}, profile {}\n// {first_lines}\n{}", self.seed, self.profile, self.program)
    }
}

/// Checks the programs of seeds, compiled together; makes small those on which something disagrees.
///
/// # Errors
/// Where clang does not compile the programs: they are meant to be valid.
pub fn fuzz_c(
    seeds: &[u64],
    profile: Option<CProfile>,
    compiler: &Compiler,
    checks: &CChecks,
) -> Result<Vec<Result<Fuzzed, Box<CFailure>>>, String> {
    let of = |seed: u64| profile.unwrap_or_else(|| CProfile::of_seed(seed));
    let programs: Vec<CProgram> = seeds.iter().map(|&seed| generate_c(of(seed), seed)).collect();
    let compiled = compiler.compile(&programs)?;
    let check_one = |(number, program): (usize, &CProgram)| match check(&compiled, number, checks) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        Err(found) => {
            let (program, disagreement) = shrink(compiler, program, found, checks);
            let seed = seeds[number];
            Err(Box::new(CFailure { seed, profile: of(seed), program, disagreement }))
        }
    };
    Ok(programs.iter().enumerate().map(check_one).collect())
}

fn check(compiled: &Compiled, number: usize, checks: &CChecks) -> Result<Option<Counts>, Disagreement> {
    catch(|| check_c(compiled, number, checks))
}

/// Whether a disagreement of one is as good as one of the other: any algorithm is.
fn is_like(one: Culprit, other: Culprit) -> bool {
    matches!((one, other), (Culprit::Algorithm(_), Culprit::Algorithm(_))) || one == other
}

/// Takes out of a program what is not needed for something of the same kind to disagree.
fn shrink(compiler: &Compiler, program: &CProgram, found: Disagreement, checks: &CChecks) -> (CProgram, Disagreement) {
    let (mut smallest, mut disagreement) = (program.clone(), found);
    let mut attempts = 0;
    'smaller: while attempts < ATTEMPTS && disagreement.culprit != Culprit::FrontEnd {
        let candidates = smallest.smaller();
        attempts += candidates.len();
        // A program that lacks a declaration is not compiled, and neither are those beside it.
        let Ok(compiled) = compiler.compile(&candidates) else { break };
        for (number, candidate) in candidates.into_iter().enumerate() {
            match check(&compiled, number, checks) {
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
