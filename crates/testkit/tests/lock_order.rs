//! The analysis of lock order against brute force, on random programs of the process notation.

use std::fmt::Write;

use mazurka_testkit::{LockOrder, Profile, Random, check_lock_order, generate_with};

/// The seeds to try: `LOCK_SEEDS=FROM..TO`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let given = std::env::var("LOCK_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..few)
}

#[test]
fn no_deadlock_is_missed() {
    for profile in [Profile::Locks, Profile::Spawn, Profile::Mixed] {
        let tally = compare(seeds(400), |seed| generate_with(profile, seed).to_string());
        assert!(tally.agreed > 0 && tally.deadlocks > 0, "{profile}: {tally:?}");
    }
}

#[test]
fn no_deadlock_is_missed_where_locks_are_nested() {
    let tally = compare(seeds(1_500), nested);
    let Tally { agreed, with_cycles, gated, proved, deadlocks } = tally;
    println!(
        "{agreed} agree: {with_cycles} have cycles, {gated} only discharged ones, {proved} are proved free, {deadlocks} deadlock"
    );
    assert!(with_cycles > 0 && gated > 0 && proved > 0 && deadlocks > 0, "{tally:?}");
}

#[derive(Default, Debug)]
struct Tally {
    agreed: u64,
    with_cycles: u64,
    gated: u64,
    proved: u64,
    deadlocks: u64,
}

fn compare(seeds: std::ops::Range<u64>, program: impl Fn(u64) -> String) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let source = program(seed);
        match check_lock_order(&source, 20_000) {
            Ok(None) => {}
            Ok(Some(LockOrder { cycles, discharged, is_proved, deadlocks })) => {
                tally.agreed += 1;
                tally.with_cycles += u64::from(cycles > 0);
                tally.gated += u64::from(cycles > 0 && discharged == cycles);
                tally.proved += u64::from(is_proved);
                tally.deadlocks += u64::from(deadlocks > 0);
            }
            Err(wrong) => panic!("seed {seed}: {wrong}\n{source}"),
        }
    }
    tally
}

/// Processes that take two or three of four mutexes in some order; sometimes behind a gate, in a
/// branch, by an index that is computed, in a process that another one spawns, or not given back.
fn nested(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("mutex g; mutex m[4];\nint x = 0;\n");
    let count = random.between(2, 3);
    let gated = random.chance(30);
    for process in 0..count {
        let spawned = random.chance(20);
        let head = if spawned { format!("proc w{process}(int k)") } else { format!("process p{process}") };
        let _ = write!(text, "{head} {{ ");
        if !spawned {
            let _ = write!(text, "int k = {}; ", random.below(4));
        }
        let mut order = [0, 1, 2, 3];
        random.shuffle(&mut order);
        let taken: Vec<String> = order[..random.between(2, if count == 2 { 3 } else { 2 })]
            .iter()
            .map(|lock| if random.chance(30) { format!("m[(k + {lock}) % 4]") } else { format!("m[{lock}]") })
            .collect();
        let has_gate = gated && random.chance(85);
        if has_gate {
            text.push_str("lock(g); ");
        }
        let branch = random.chance(25);
        for (at, lock) in taken.iter().enumerate() {
            if branch && at + 1 == taken.len() {
                let _ = write!(text, "if (x == 0) {{ lock({lock}); x = 1; unlock({lock}); }} ");
            } else {
                let _ = write!(text, "lock({lock}); ");
            }
        }
        for (at, lock) in taken.iter().enumerate().rev() {
            let is_given_back = branch && at + 1 == taken.len();
            if !(is_given_back || random.chance(3)) {
                let _ = write!(text, "unlock({lock}); ");
            }
        }
        if has_gate {
            text.push_str("unlock(g); ");
        }
        text.push_str("}\n");
        if spawned {
            let _ = writeln!(text, "process p{process} {{ spawn w{process}({}); }}", random.below(4));
        }
    }
    text
}
