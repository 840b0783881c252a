//! The analysis of deadlocks against brute force, on random programs.

use mazurka_actor::deadlock::Settings;
use mazurka_audit::Budget;
use mazurka_testkit::actor::{ActorProgram, check_deadlocks, generate_actors, generate_circles};

/// The seeds to try: `ACTOR_SEEDS=FROM..TO`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let given = std::env::var("ACTOR_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..few)
}

#[test]
fn no_circle_of_waits_is_missed() {
    compare(generate_actors, 300);
}

#[test]
fn no_circle_of_waits_is_missed_where_there_are_many() {
    compare(generate_circles, 300);
}

fn compare(generate: fn(u64) -> ActorProgram, few: u64) {
    let budget = Budget { executions: 2_000, steps: 20_000, depth: 300 };
    let (mut agreed, mut with_cycles, mut all, mut free, mut deadlocks) = (0, 0, 0, 0, 0);
    for seed in seeds(few) {
        let program = generate(seed).to_string();
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
