//! Random executions: what they show is there, and they prove nothing.

use std::num::NonZeroU32;

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_testkit::{generate, load, machine};
use mazurka_trace::{Limit, Outcome, Verdict};

fn run(source: &str, algorithm: Algorithm, seed: u64) -> Outcome {
    let image = load("sampling.mzk", source, &[]).expect("the program is valid");
    let limits = Limits { executions: Some(5_000), ..Limits::default() };
    let options = Options { algorithm, seed, limits, ..Options::default() };
    explore(&mut machine(&image), &options, &Monitor::default())
}

fn random(executions: u32) -> Algorithm {
    Algorithm::Random(NonZeroU32::new(executions).expect("there are some"))
}

/// Whatever a random execution shows, `optimal` finds; most of what there is, some execution shows.
#[test]
fn failures_are_real_and_mostly_found() {
    let (mut failing, mut found) = (0, 0);
    for seed in 0..400 {
        let source = generate(seed).to_string();
        let proof = run(&source, Algorithm::Optimal, 1).verdict();
        let sampled = run(&source, random(100), seed).verdict();
        assert_ne!(sampled, Verdict::Verified, "nothing is proven: seed {seed}");
        assert!(sampled == Verdict::Incomplete || proof != Verdict::Verified, "seed {seed}:\n{source}");
        failing += u32::from(proof == Verdict::Violation);
        found += u32::from(proof == Verdict::Violation && sampled == Verdict::Violation);
    }
    assert!(failing >= 50 && found * 10 >= failing * 9, "{found} of {failing} were found");
}

/// As many executions as were requested, and the same ones from the same seed.
#[test]
fn executions_are_counted_and_can_be_repeated() {
    let source = "int x = 0;\nprocess p[4](i) { x = x + i; int c = choose(0, 3); x = x + c; }\n";
    let outcome = run(source, random(37), 5);
    assert_eq!((outcome.executions, outcome.blocked), (37, 0));
    assert_eq!(outcome.limits, [Limit::Sampled]);
    assert_eq!(run(source, random(37), 5).events, outcome.events);
}

/// Every value of a choice is taken some time.
#[test]
fn choices_are_random() {
    for value in 0..4 {
        let source = format!(
            "process p {{ int i = 0; while (i < 2) {{ i = i + 1; int c = choose(0, 3); assert c != {value}; }} }}\n"
        );
        assert_eq!(run(&source, random(100), 1).verdict(), Verdict::Violation, "{source}");
    }
}
