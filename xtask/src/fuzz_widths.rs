//! `cargo xtask fuzz --widths`: `quasi:K` for several K, and `quasi:optimal`, against `optimal` on
//! random programs.

use std::time::{Duration, Instant};

use mazurka_testkit::{Profile, WIDTHS, check_widths};

use crate::shell::Result;

/// Programs with more executions are passed over.
const MOST_EXECUTIONS: u64 = 20_000;

/// Compares so many programs, until the time is over or one disagrees.
pub(crate) fn run(first: u64, count: Option<u64>, seconds: Option<u64>, profile: Option<Profile>) -> Result {
    let begin = Instant::now();
    let deadline = seconds.map(|seconds| begin + Duration::from_secs(seconds));
    let count = count.unwrap_or(if deadline.is_some() { u64::MAX } else { 100_000 });
    let (mut compared, mut skipped, mut executions, mut source) = (0u64, 0u64, 0u64, 0u64);
    let mut blocked = [0; WIDTHS.len()];
    let (mut fewer, mut more) = ([0u64; WIDTHS.len()], [0u64; WIDTHS.len()]);
    let mut examples = Vec::new();
    for number in 0..count {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            break;
        }
        let seed = first.wrapping_add(number);
        match check_widths(seed, profile, MOST_EXECUTIONS) {
            Err(disagreement) => {
                println!("seed {seed}: {disagreement}");
                return Err("a program disagrees".into());
            }
            Ok(None) => skipped += 1,
            Ok(Some(widths)) => {
                compared += 1;
                executions += widths.executions;
                source += widths.source;
                for at in 0..WIDTHS.len() {
                    blocked[at] += widths.blocked[at];
                    let next = widths.blocked.get(at + 1).copied().unwrap_or(0);
                    fewer[at] += u64::from(next < widths.blocked[at]);
                    more[at] += u64::from(next > widths.blocked[at]);
                    if next > widths.blocked[at] && examples.len() < 10 {
                        examples.push(seed);
                    }
                }
            }
        }
    }
    println!(
        "no disagreement: seed {first}, {compared} programs, {skipped} more are too large, {executions} executions, {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    println!("blocked with source: {source}");
    for (at, width) in WIDTHS.into_iter().enumerate() {
        println!(
            "blocked with quasi:{width}: {}; with the next larger K fewer in {} programs, more in {}",
            blocked[at], fewer[at], more[at]
        );
    }
    println!("blocked with quasi:optimal: 0");
    if !examples.is_empty() {
        println!("more are blocked with a larger K in, for example: {examples:?}");
    }
    Ok(())
}
