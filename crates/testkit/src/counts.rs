//! How many executions each algorithm takes, one beside the other.
//!
//! Nothing is compared with brute force: whether the algorithms are right is asked elsewhere.

use std::time::Duration;

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};

use crate::fuzz_constrained::load_constrained;
use crate::generate::{Profile, generate_with};
use crate::load::{load, machine};

/// A program that takes some algorithm longer, or more executions, is passed over.
const TIME: Duration = Duration::from_secs(10);
const EXECUTIONS: u64 = 20_000;

/// What an exploration took.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Took {
    /// Complete executions, those that an assumption discards included.
    pub executions: u64,
    /// Explorations that were blocked.
    pub blocked: u64,
}

/// What each of some algorithms takes on the program of a seed, with constraints that brute force
/// finds to be true or without; none if that is too much for one of them.
///
/// # Errors
/// Where the front end refuses the program.
pub fn count(
    seed: u64,
    profile: Option<Profile>,
    constraints: bool,
    algorithms: &[Algorithm],
) -> Result<Option<Vec<Took>>, String> {
    let profile = profile.unwrap_or_else(|| Profile::of_seed(seed));
    let source = generate_with(profile, seed).to_string();
    let image = if constraints { load_constrained(&source, seed)? } else { Some(load("random.mzk", &source, &[])?) };
    let Some(image) = image else { return Ok(None) };
    let limits = Limits { executions: Some(EXECUTIONS), timeout: Some(TIME), ..Limits::default() };
    let took = algorithms.iter().map(|&algorithm| {
        let options = Options { algorithm, all: true, limits: limits.clone(), ..Options::default() };
        let outcome = explore(&mut machine(&image), &options, &Monitor::default());
        let took = Took { executions: outcome.executions + outcome.assume_blocked, blocked: outcome.blocked };
        outcome.limits.is_empty().then_some(took)
    });
    Ok(took.collect())
}
