//! The analysis of deadlocks against brute force, on random programs.

use mazurka_actor::deadlock::Settings;
use mazurka_audit::Budget;
use mazurka_testkit::actor::{check_deadlocks, generate_actors};

/// The seeds to try: `ACTOR_SEEDS=FROM..TO`, or a few.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("ACTOR_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..2_000)
}

#[test]
fn no_circle_of_waits_is_missed() {
    let budget = Budget { executions: 2_000, steps: 20_000, depth: 300 };
    let (mut agreed, mut with_cycles, mut all, mut free, mut deadlocks) = (0, 0, 0, 0, 0);
    for seed in seeds() {
        let program = generate_actors(seed).to_string();
        for sensitivity in [0, 1] {
            let settings = Settings { sensitivity, parallel: true };
            match check_deadlocks(&program, settings, budget) {
                Ok(Some(waits)) => {
                    agreed += 1;
                    with_cycles += u64::from(waits.cycles > 0);
                    all += u64::from(waits.cycles > 0 && waits.discharged == waits.cycles);
                    free += u64::from(waits.discharged == waits.cycles);
                    deadlocks += u64::from(waits.circles > 0);
                }
                Ok(None) => {}
                Err(missed) => panic!("seed {seed}: {missed}\n{program}"),
            }
        }
    }
    println!(
        "{agreed} agree: {with_cycles} have cycles, {all} of them all discharged; {free} proved free; {deadlocks} have circles of waits"
    );
    assert!(deadlocks > 0, "some program has a deadlock");
}
