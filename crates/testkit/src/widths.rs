//! Exploring the unfolding with alternatives of every width, against `optimal`.
//!
//! Nothing is compared with brute force, to which `optimal` is: so programs can be larger, and many
//! more of them are seen.

use std::num::NonZeroU32;
use std::time::Duration;

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_trace::Outcome;

use crate::check::{Culprit, Disagreement, catch};
use crate::generate::{Profile, generate_with};
use crate::load::{load, machine};

/// The widths that are compared; after these comes `quasi:optimal`.
pub const WIDTHS: [u32; 4] = [1, 2, 3, 4];

/// A program that takes `optimal` longer is passed over.
const TIME: Duration = Duration::from_secs(10);

/// The others may take so many times as long.
const SLOWER: u32 = 30;

/// How many explorations were blocked in a program, with each width; with `quasi:optimal` none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Widths {
    /// Complete executions.
    pub executions: u64,
    /// Blocked explorations with each of [`WIDTHS`].
    pub blocked: [u64; WIDTHS.len()],
    /// Blocked explorations with `source`.
    pub source: u64,
}

/// Compares the program of a seed; none if it has more than `most` executions, or takes too long.
///
/// # Errors
/// Where executions, discarded executions or violations are not as many as with `optimal`, or
/// `quasi:optimal` blocks an exploration.
pub fn check_widths(seed: u64, profile: Option<Profile>, most: u64) -> Result<Option<Widths>, Disagreement> {
    let profile = profile.unwrap_or_else(|| Profile::of_seed(seed));
    let source = generate_with(profile, seed).to_string();
    catch(|| {
        let image = load("random.mzk", &source, &[]).map_err(Disagreement::refused)?;
        let run = |algorithm: Algorithm, most: u64, timeout: Duration| {
            let limits = Limits { executions: Some(most), timeout: Some(timeout), ..Limits::default() };
            explore(
                &mut machine(&image),
                &Options { algorithm, all: true, limits, ..Options::default() },
                &Monitor::default(),
            )
        };
        // Executions that an assumption discards do not count: without a limit on the time, there
        // could be any number of them.
        let optimal = run(Algorithm::Optimal, most, TIME);
        if !optimal.limits.is_empty() {
            return Ok(None);
        }
        // Those that are blocked do not count as executions.
        let most = optimal.executions + optimal.assume_blocked + 1;
        let compare = |algorithm: Algorithm| -> Result<u64, Disagreement> {
            let outcome = run(algorithm, most, SLOWER * TIME);
            let counts = |outcome: &Outcome| {
                let executions: u64 = outcome.violations.iter().map(|violation| violation.executions).sum();
                (outcome.executions, outcome.assume_blocked, outcome.violations.len(), executions)
            };
            if counts(&outcome) != counts(&optimal) {
                let limits = &outcome.limits;
                let what = format!("{:?}, with optimal {:?}; limits {limits:?}", counts(&outcome), counts(&optimal));
                return Err(Disagreement::new(Culprit::Algorithm(algorithm), what));
            }
            Ok(outcome.blocked)
        };
        let mut widths =
            Widths { executions: optimal.executions, source: compare(Algorithm::Source)?, ..Widths::default() };
        for (blocked, width) in widths.blocked.iter_mut().zip(WIDTHS.into_iter().filter_map(NonZeroU32::new)) {
            *blocked = compare(Algorithm::Quasi(width))?;
        }
        match compare(Algorithm::QuasiOptimal)? {
            0 => Ok(Some(widths)),
            blocked => {
                let what = format!("{blocked} explorations were blocked");
                Err(Disagreement::new(Culprit::Algorithm(Algorithm::QuasiOptimal), what))
            }
        }
    })
}
