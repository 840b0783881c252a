//! Random programs with constraints.

use std::sync::Arc;

use mazurka_process::{Image, compile};

use crate::check::{Checks, Counts, Disagreement, catch, check_image};
use crate::constrain::constrain;
use crate::fuzz::{Failure, Fuzzed};
use crate::generate::{Profile, generate_with};
use crate::program::Program;
use crate::shrink::shrink;

/// The most states that a program with constraints may have.
const STATES: usize = 3_000;

/// Checks the program of a seed, with all that brute force knows about when its steps commute;
/// shrinks it if something disagrees.
///
/// # Errors
/// The small program, where something disagrees.
pub fn fuzz_constrained(seed: u64, checks: &Checks) -> Result<Fuzzed, Box<Failure>> {
    let profile = Profile::of_seed(seed);
    let program = generate_with(profile, seed);
    match check_constrained(&program.to_string(), seed, checks) {
        Ok(Some(counts)) => Ok(Fuzzed::Agreed(counts)),
        Ok(None) => Ok(Fuzzed::TooLarge),
        Err(found) => {
            let persists = |candidate: &Program| {
                let checked = check_constrained(&candidate.to_string(), seed, checks);
                checked.is_err_and(|other| other.culprit == found.culprit)
            };
            let program = shrink(&program, 20_000, persists);
            let disagreement = check_constrained(&program.to_string(), seed, checks).err().unwrap_or(found);
            Err(Box::new(Failure { seed, profile, program, disagreement }))
        }
    }
}

/// As [`check_all_algorithms`](crate::check_all_algorithms), with the constraints of a seed.
///
/// # Errors
/// The first difference found.
pub fn check_constrained(source: &str, seed: u64, checks: &Checks) -> Result<Option<Counts>, Disagreement> {
    catch(|| match load_constrained(source, seed).map_err(Disagreement::refused)? {
        Some(image) => check_image(image, checks),
        None => Ok(None),
    })
}

/// A program with the constraints of a seed; none if it reaches too many states for that.
///
/// # Errors
/// Where the front end refuses it.
pub(crate) fn load_constrained(source: &str, seed: u64) -> Result<Option<Arc<Image>>, String> {
    let program = compile("random.mzk", source, &[]).map_err(|errors| format!("{errors:?}"))?;
    let image = Image::new(&program, "random.mzk", source);
    Ok(constrain(&program, &image, seed, STATES).map(Arc::new))
}
