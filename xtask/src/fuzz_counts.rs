//! `cargo xtask fuzz --counts`: how many executions algorithms take on random programs, one beside
//! the other.

use std::time::{Duration, Instant};

use mazurka_testkit::{Algorithm, Profile, Took, count};

use crate::shell::Result;

/// So many seeds are named.
const MOST_SEEDS: usize = 8;

/// Which programs, and which algorithms.
pub(crate) struct Sample<'a> {
    pub(crate) first: u64,
    pub(crate) count: Option<u64>,
    pub(crate) seconds: Option<u64>,
    pub(crate) profile: Option<Profile>,
    pub(crate) constraints: bool,
    pub(crate) algorithms: &'a [Algorithm],
}

/// The programs on which one algorithm takes more executions than another.
#[derive(Clone, Default)]
struct More {
    programs: u64,
    seeds: Vec<u64>,
}

/// Counts on so many programs, or until the time is over.
pub(crate) fn run(sample: &Sample<'_>) -> Result {
    let begin = Instant::now();
    let deadline = sample.seconds.map(|seconds| begin + Duration::from_secs(seconds));
    let most = sample.count.unwrap_or(if deadline.is_some() { u64::MAX } else { 10_000 });
    let algorithms: Vec<Algorithm> = match (sample.algorithms, sample.constraints) {
        ([], true) => Algorithm::CONSTRAINED.to_vec(),
        ([], false) => {
            vec![Algorithm::Optimal, Algorithm::Observers, Algorithm::OptimalCs, Algorithm::OptimalCsObservers]
        }
        (given, _) => given.to_vec(),
    };
    let number = algorithms.len();
    let mut totals = vec![Took::default(); number];
    let mut more = vec![vec![More::default(); number]; number];
    let (mut counted, mut skipped) = (0u64, 0u64);
    for seed in (0..most).map(|number| sample.first.wrapping_add(number)) {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break;
        }
        let Some(took) = count(seed, sample.profile, sample.constraints, &algorithms)? else {
            skipped += 1;
            continue;
        };
        counted += 1;
        for (one, took_by_one) in took.iter().enumerate() {
            totals[one].executions += took_by_one.executions;
            totals[one].blocked += took_by_one.blocked;
            for (other, took_by_other) in took.iter().enumerate() {
                if took_by_one.executions > took_by_other.executions {
                    let more = &mut more[one][other];
                    more.programs += 1;
                    more.seeds.extend((more.seeds.len() < MOST_SEEDS).then_some(seed));
                }
            }
        }
    }
    let elapsed = begin.elapsed().as_secs_f64();
    println!("seed {}, {counted} programs, {skipped} more are too large, {elapsed:.1} s", sample.first);
    for (one, algorithm) in algorithms.iter().enumerate() {
        println!("{algorithm}: {} executions, {} blocked", totals[one].executions, totals[one].blocked);
        for (other, than) in algorithms.iter().enumerate() {
            let More { programs, seeds } = &more[one][other];
            if *programs > 0 {
                println!("  more than {than} in {programs} programs, for example {seeds:?}");
            }
        }
    }
    Ok(())
}
