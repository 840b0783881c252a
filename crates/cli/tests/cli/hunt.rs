//! The hunt for failures beside the proof, as a user sees it.

use crate::c::clang;
use crate::sandbox::Sandbox;

/// Philosophers who all take the left fork first.
const PHILOSOPHERS: &str = "const N = 7;
mutex fork[N];
int eaten = 0;
process philosopher[N](i) {
  int meal = 0;
  while (meal < 2) {
    lock(fork[i]);
    lock(fork[(i + 1) % N]);
    eaten = eaten + 1;
    unlock(fork[(i + 1) % N]);
    unlock(fork[i]);
    meal = meal + 1;
  }
}
";

/// Nothing can go wrong, and there is much to explore.
const WRITERS: &str = "const N = 8;\nint x = 0;\nprocess p[N](i) { x = i; }\n";

#[test]
fn a_late_failure_is_found_beside_the_proof() {
    let sandbox = Sandbox::new("hunt");
    sandbox.write("philosophers.mzk", PHILOSOPHERS);
    let ran = sandbox.run(&["check", "philosophers.mzk", "-a", "optimal", "--save-trace", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation: deadlock: philosopher[0], "), "{}", ran.stdout);
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("found beside the proof, by a hunt of "), "{}", ran.stdout);
    assert!(words.contains(", seed 1); --no-hunt turns it off"), "{}", ran.stdout);
    let ran = sandbox.run(&["replay", "philosophers.mzk", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation shows again: deadlock"), "{}", ran.stdout);

    let json = |seed: &str| {
        let options = ["-a", "optimal", "--format", "json", "--hunt-seed", seed];
        sandbox.run(&[&["check", "philosophers.mzk"], &options[..]].concat()).json()
    };
    let (one, again, other) = (json("5"), json("5"), json("6"));
    let hunt = &one["hunt"];
    assert_eq!(hunt["seed"], 5);
    assert!(hunt["executions"].as_u64().is_some_and(|count| (1..2_000).contains(&count)), "{hunt}");
    assert!(hunt["switches"].as_u64().is_some_and(|count| count >= 6), "{hunt}");
    assert!(["preemption-bound", "random-priorities"].map(Into::into).contains(&hunt["found_by"]), "{hunt}");
    // The same seed finds the same.
    for field in ["hunt", "violations", "executions", "events"] {
        assert_eq!(one[field], again[field], "{field}");
    }
    assert_eq!(other["verdict"], "violation");
}

#[test]
fn without_a_hunt() {
    let sandbox = Sandbox::new("no-hunt");
    sandbox.write("philosophers.mzk", PHILOSOPHERS);
    for options in [&["--no-hunt"][..], &["--all"], &["--max-switches", "1000"]] {
        let limit = ["check", "philosophers.mzk", "-a", "optimal", "--max-executions", "20000", "--format", "json"];
        let ran = sandbox.run(&[&limit, options].concat());
        assert_eq!(ran.status, Some(3), "{options:?}: {ran:?}");
        let json = ran.json();
        assert_eq!((&json["executions"], &json["limits"][0]), (&20_000.into(), &"max-executions".into()));
        assert!(json.get("hunt").is_none(), "{options:?}");
    }
    sandbox.run(&["check", "philosophers.mzk", "--no-hunt", "--hunt-seed", "2"]).is_refused(&["cannot be used with"]);
}

#[test]
fn a_proof_is_the_same_with_and_without_a_hunt() {
    let sandbox = Sandbox::new("hunt-proof");
    sandbox.write("writers.mzk", WRITERS);
    for algorithm in ["dpor", "source", "optimal", "quasi:optimal"] {
        let options = ["check", "writers.mzk", "-a", algorithm, "--format", "json"];
        let (with, without) = (sandbox.run(&options), sandbox.run(&[&options[..], &["--no-hunt"]].concat()));
        assert_eq!((with.status, without.status), (Some(0), Some(0)), "{with:?}");
        let (with, without) = (with.json(), without.json());
        assert_eq!(with["executions"], 40_320);
        let fields = ["verdict", "executions", "blocked", "assume_blocked", "events", "max_events", "unfolding"];
        for field in fields {
            assert_eq!(with[field], without[field], "{algorithm}: {field}");
        }
        assert!(with["events"].as_u64() > Some(60_000) && with.get("hunt").is_none(), "{with}");
    }
}

#[test]
fn limits_hold_beside_a_hunt() {
    let sandbox = Sandbox::new("hunt-limits");
    sandbox.write("writers.mzk", WRITERS);
    let options = ["check", "writers.mzk", "-D", "N=11", "-a", "optimal", "--format", "json"];
    let ran = sandbox.run(&[&options[..], &["--timeout", "0.5"]].concat());
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["limits"][0], "timeout");
    assert!(json["time_s"].as_f64() < Some(2.0), "{json}");
    let ran = sandbox.run(&[&options[..], &["--max-executions", "30000"]].concat());
    let json = ran.json();
    assert_eq!((&json["executions"], &json["limits"][0]), (&30_000.into(), &"max-executions".into()));
}

#[test]
fn seven_philosophers_in_c() {
    if !clang() {
        return;
    }
    let sandbox = Sandbox::new("hunt-c");
    sandbox.write("seven.c", include_str!("../../../../bench/c/philosophers-seven.c"));
    let ran = sandbox.run(&["check", "seven.c", "--format", "json", "--save-trace", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["violations"][0]["fault"], "deadlock");
    assert!(json["hunt"]["executions"].as_u64() < Some(3_000), "{}", json["hunt"]);
    let ran = sandbox.run(&["replay", "seven.c", "t.json"]);
    assert!(ran.stdout.starts_with("violation shows again: deadlock"), "{}", ran.stdout);
}
