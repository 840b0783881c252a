//! A few seconds of random programs; `cargo xtask fuzz` has hours of them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mazurka_audit::Budget;
use mazurka_testkit::{Algorithm, Checks, Fuzzed, Profile, WIDTHS, check_widths, count, fuzz_seed, generate, load};

/// So many programs.
const COUNT: u64 = 1_800;

#[test]
fn every_algorithm_agrees_with_brute_force() {
    let checks = Checks { budget: Budget { executions: 4_000, steps: 200_000, depth: 1_000 }, ..Checks::default() };
    let (next, agreed) = (AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= COUNT || !failures.lock().expect("nobody panics with it").is_empty() {
                        break;
                    }
                    match fuzz_seed(seed, None, &checks) {
                        Ok(Fuzzed::Agreed(_)) => _ = agreed.fetch_add(1, Ordering::Relaxed),
                        Ok(Fuzzed::TooLarge) => {}
                        Err(failure) => {
                            failures.lock().expect("nobody panics with it").push(failure.to_string());
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panics with it");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let agreed = agreed.into_inner();
    assert!(agreed > COUNT * 8 / 10, "too many programs are too large: only {agreed} of {COUNT} were checked");
}

/// Observers and states leave out, each by itself and both together. (Which of the orders that lead
/// to one state is explored first can make the two together take a few executions more than states
/// alone: in three programs of a thousand.)
#[test]
fn what_is_left_out_adds_up() {
    let algorithms = [Algorithm::Optimal, Algorithm::Observers, Algorithm::OptimalCs, Algorithm::OptimalCsObservers];
    let (mut counted, mut more) = (0, 0);
    for seed in 0..1_000 {
        let Some(took) = count(seed, None, false, &algorithms).expect("the program is valid") else { continue };
        let [optimal, observers, states, both] = took[..] else { panic!("one for each") };
        assert!(observers.executions <= optimal.executions, "seed {seed}: {took:?}");
        assert!(states.executions <= optimal.executions, "seed {seed}: {took:?}");
        assert!(both.executions <= observers.executions, "seed {seed}: {took:?}");
        assert_eq!((optimal.blocked, observers.blocked), (0, 0), "seed {seed}");
        counted += 1;
        more += u64::from(both.executions > states.executions);
    }
    assert!(counted > 900 && more <= 3, "{more} of {counted}");
}

#[test]
fn random_programs_are_valid() {
    for seed in 0..2_000 {
        let source = generate(seed).to_string();
        if let Err(error) = load("random.mzk", &source, &[]) {
            panic!("seed {seed}: {error}\n{source}");
        }
    }
}

/// What the profiles are for shows in their programs.
#[test]
fn random_programs_have_what_their_profile_says() {
    let texts = |profile: Profile| -> String {
        let seeds = (0..2_000).filter(|&seed| Profile::of_seed(seed) == profile);
        seeds.map(|seed| generate(seed).to_string()).collect()
    };
    for (profile, words) in [
        (Profile::Races, &["if (", "assert", "["][..]),
        (Profile::Locks, &["lock(m)", "unlock(n)", "lock(m[i])"]),
        (Profile::Awaits, &["await", "&&", "||"]),
        (Profile::Choices, &["choose(0, 1)", "choose(0, 2)", "? 1 : 0)"]),
        (Profile::Atomics, &["atomic {", "while (", "await", "choose("]),
        (Profile::Spawn, &["spawn w0(", "proc w1(", "(v0 - 1)"]),
        (Profile::Faults, &[" / ", " % ", "9223372036854775807", "unlock("]),
        (Profile::Assumes, &["assume"]),
        (Profile::Mixed, &["lock(", "await", "atomic", "while", "assume", "choose", "spawn", "finally"]),
    ] {
        let text = texts(profile);
        for word in words {
            assert!(text.contains(word), "no `{word}` in any program of the profile {profile}");
        }
    }
}

/// Fewer explorations are blocked the larger K is, none in the end.
#[test]
fn wider_alternatives_block_less() {
    let (mut blocked, mut source) = ([0; WIDTHS.len()], 0);
    for seed in 0..400 {
        let widths = check_widths(seed, None, 2_000).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let Some(widths) = widths else { continue };
        assert!(widths.blocked.is_sorted_by(|one, next| one >= next), "seed {seed}: {widths:?}");
        blocked.iter_mut().zip(widths.blocked).for_each(|(all, blocked)| *all += blocked);
        source += widths.source;
    }
    assert!(source > blocked[0] && blocked[0] > blocked[1], "{source} {blocked:?}");
}
