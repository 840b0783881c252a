//! Random ABS programs: every algorithm agrees with brute force, and the machine keeps its
//! contract.

use mazurka_testkit::Fuzzed;
use mazurka_testkit::actor::{ActorChecks, fuzz_actors};

/// The seeds to try: `ACTOR_SEEDS=FROM..TO`, or a few.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("ACTOR_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..400)
}

#[test]
fn random_actor_programs() {
    let checks = ActorChecks::default();
    let (mut agreed, mut failing, mut executions) = (0, 0, 0);
    for seed in seeds() {
        match fuzz_actors(seed, &checks) {
            Ok(Fuzzed::Agreed(counts)) => {
                agreed += 1;
                failing += u64::from(counts.findings > 0);
                executions += counts.executions;
            }
            Ok(Fuzzed::TooLarge) => {}
            Err(failure) => panic!("{failure}"),
        }
    }
    println!("{agreed} programs agree, {failing} of them fail somewhere; {executions} executions");
    assert!(agreed > 0, "some program is small enough");
}
