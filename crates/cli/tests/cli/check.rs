//! `mazurka check`, as a user runs it: verdicts, reports, exit status.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::sandbox::{ATOMIC, LAST_WRITE, LOST_UPDATE, Ran, Sandbox};

#[test]
fn a_proof() {
    let sandbox = Sandbox::new("proof");
    sandbox.write("atomic.mzk", ATOMIC);
    let ran = sandbox.run(&["check", "atomic.mzk", "-a", "optimal"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.starts_with("verified: no schedule fails (2 executions, the longest of 2 events)\n"), "{ran:?}");
    assert!(ran.stdout.contains("2 executions · 0 blocked · 0 discarded · "), "{ran:?}");
}

#[test]
fn a_violation_with_its_timeline() {
    let sandbox = Sandbox::new("violation");
    sandbox.write("lost.mzk", LOST_UPDATE);
    let ran = sandbox.run(&["check", "lost.mzk"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let expected = "
violation: assertion failed: x == 2 at lost.mzk:14:11 in finally

 step  line │ p                │ q
────────────┼──────────────────┼──────────────────
    1     5 │ int t = x        │
            │   reads x = 0    │
━━━━━━━━━━━━┿━ preempted ━━━━━━┿━━━━━━━━━━━━━━━━━━
    2    10 │                  │ int t = x
            │                  │   reads x = 0
    3    11 │                  │ x = t + 1
            │                  │   x: 0 → 1
╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌ ends ╌╌╌╌╌╌╌╌╌╌╌
    4     6 │ x = t + 1        │
            │   x: 1 → 1       │
╌╌╌╌╌╌╌╌╌╌╌╌┼╌ ends ╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
✗        14 │ finally";
    assert!(ran.stdout.starts_with(expected.trim_start()), "{}", ran.stdout);
    let end = "
            │   reads x = 1
            ✗ assertion failed: x == 2
4 steps, with 1 preemption
";
    assert!(ran.stdout.contains(end), "{}", ran.stdout);
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let sandbox = Sandbox::new("deadlock");
    sandbox.write(
        "dead.mzk",
        "mutex a; mutex b;\nprocess p { lock(a); lock(b); unlock(b); unlock(a); }\n\
         process q { lock(b); lock(a); unlock(a); unlock(b); }\n",
    );
    let ran = sandbox.run(&["check", "dead.mzk"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation: deadlock: p and q cannot move at dead.mzk:2:22\n"), "{ran:?}");
    for part in ["p  waits at line 2: lock(b), but b is held by q", "circle of waiting: p → q → p"] {
        assert!(ran.stdout.contains(part), "{}", ran.stdout);
    }
    let json = sandbox.run(&["check", "dead.mzk", "--format", "json"]).json();
    let violation = &json["violations"][0];
    assert_eq!(violation["kind"], "deadlock");
    assert_eq!(violation["waiting"][1]["process"], "q");
    assert_eq!(violation["waiting"][1]["held_by"], "p");
    assert_eq!(violation["waiting"][1]["waits_for"][0], "a");
}

#[test]
fn the_json_object_has_its_fields_in_order() {
    let sandbox = Sandbox::new("json");
    sandbox.write("lost.mzk", LOST_UPDATE);
    let ran = sandbox.run(&["check", "lost.mzk", "--format", "json", "-a", "source"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    let fields = [
        "tool",
        "version",
        "program",
        "algorithm",
        "verdict",
        "executions",
        "blocked",
        "assume_blocked",
        "events",
        "max_events",
        "time_s",
        "frontend_time_s",
        "solver_time_s",
        "peak_memory_bytes",
        "violations",
    ];
    let places: Vec<_> = fields.map(|field| ran.stdout.find(&format!("\n  \"{field}\": ")).expect(field)).into();
    assert!(places.is_sorted(), "{}", ran.stdout);
    let json = ran.json();
    assert_eq!(json["tool"], "mazurka");
    assert_eq!(json["algorithm"], "source");
    assert_eq!(json["verdict"], "violation");
    assert!(json["peak_memory_bytes"].as_u64().is_some());
    let violation = &json["violations"][0];
    assert_eq!(violation["kind"], "assertion");
    assert_eq!(violation["message"], "assertion failed: x == 2");
    assert_eq!(violation["location"], "lost.mzk:14:11");
    assert_eq!(violation["process"], "finally");
    assert_eq!(violation["preemptions"], 1);
    let step = &violation["schedule"][3];
    assert_eq!(step["location"], "lost.mzk:6:3");
    assert_eq!(step["statement"], "x = t + 1");
    assert_eq!(step["writes"][0]["variable"], "x");
    assert_eq!(step["writes"][0]["value"], 1);
}

#[test]
fn kinds_of_failures() {
    let sandbox = Sandbox::new("kinds");
    let programs = [
        ("memory", "int a[2]; process p { int i = 2; a[i] = 1; }"),
        ("arithmetic", "int x = 0; process p { x = 1 / x; }"),
        ("arithmetic", "int x = 9223372036854775807; process p { x = x + 1; }"),
        ("lock", "mutex m; process p { unlock(m); }"),
        ("lock", "mutex m; process p { lock(m); }"),
        ("choice", "int x = 0; process p { int t = choose(2, 1); x = t; }"),
    ];
    for (kind, program) in programs {
        sandbox.write("fails.mzk", program);
        let ran = sandbox.run(&["check", "fails.mzk", "--format", "json"]);
        assert_eq!(ran.status, Some(1), "{program}: {ran:?}");
        assert_eq!(ran.json()["violations"][0]["kind"], kind, "{program}");
    }
}

#[test]
fn all_reports_each_distinct_violation_once() {
    let sandbox = Sandbox::new("all");
    sandbox.write("two.mzk", "int x = 0; process p { x = 1; assert x == 1; } process q { x = 2; assert x == 2; }");
    let ran = sandbox.run(&["check", "two.mzk", "--all"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.lines().next().is_some_and(|line| line.ends_with("(and 1 more)")), "{}", ran.stdout);
    assert!(ran.stdout.contains("violation 1 of 2: assertion failed: x == "), "{}", ran.stdout);
    assert!(ran.stdout.contains("violation 2 of 2: assertion failed: x == "), "{}", ran.stdout);
    let json = sandbox.run(&["check", "two.mzk", "--all", "--format", "json"]).json();
    assert_eq!(json["violations"].as_array().map(Vec::len), Some(2));
    assert!(json["violations"][0]["executions"].as_u64() >= Some(1));
}

#[test]
fn choices_are_shown_before_the_step_they_matter_to() {
    let sandbox = Sandbox::new("choices");
    sandbox.write("choose.mzk", "int x = 0;\nprocess p { int c = choose(0, 2); x = c; assert x < 2; }");
    let ran = sandbox.run(&["check", "choose.mzk"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("chooses 2"), "{}", ran.stdout);
}

#[test]
fn constants_can_be_given_other_values() {
    let sandbox = Sandbox::new("defines");
    sandbox.write("last.mzk", LAST_WRITE);
    let executions = |arguments: &[&str]| {
        let ran = sandbox.run(&[&["check", "last.mzk", "--format", "json"], arguments].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.json()["executions"].as_u64()
    };
    assert_eq!(executions(&["-a", "optimal"]), Some(24));
    assert_eq!(executions(&["-D", "N=5", "-a", "optimal"]), Some(120));
    assert_eq!(executions(&["-DN=3", "-a", "none"]), Some(6));
}

#[test]
fn auto_takes_what_fits_the_program() {
    let sandbox = Sandbox::new("auto");
    sandbox.write("last.mzk", LAST_WRITE);
    sandbox.write("sum.mzk", "int x = 0;\nprocess p[2](i) { x = x + i; }\nindependent p, p when true;\n");
    let algorithm = |arguments: &[&str]| {
        let ran = sandbox.run(&[&["check", "--format", "json"], arguments].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.json()["algorithm"].as_str().map(str::to_owned)
    };
    assert_eq!(algorithm(&["last.mzk", "-D", "N=16"]).as_deref(), Some("optimal-cs-observers"));
    assert_eq!(algorithm(&["last.mzk", "-D", "N=16", "-a", "auto"]).as_deref(), Some("optimal-cs-observers"));
    assert_eq!(algorithm(&["sum.mzk"]).as_deref(), Some("optimal-constrained-observers"));
    assert_eq!(algorithm(&["last.mzk", "-a", "cs"]).as_deref(), Some("cs"));
    for option in ["--explain", "--whole-check"] {
        let ran = sandbox.run(&["check", "last.mzk", option]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let ran = sandbox.run(&["check", "last.mzk", "-a", "observers", option]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("`observers` compares none"), "{ran:?}");
    }
}

/// With many different values, most of what comparing states explores is in vain.
#[test]
fn comparing_states_is_given_up_where_it_does_not_pay() {
    let sandbox = Sandbox::new("given-up");
    sandbox.write(
        "values.mzk",
        "const N = 6;\nint x = 0;\nint y = 0;\nprocess p[N](i) { x = i; y = i; }\nprocess r { assert x < N; }\n",
    );
    let ran = sandbox.run(&["check", "values.mzk", "-a", "optimal-cs-observers", "--format", "json"]);
    let report = ran.json();
    assert_eq!((report["verdict"].as_str(), report["executions"].as_u64()), (Some("verified"), Some(193)), "{ran:?}");
    assert!(report["given_up"].as_u64().is_some_and(|explorations| explorations > 193), "{ran:?}");
    let ran = sandbox.run(&["check", "values.mzk", "-a", "optimal-cs-observers", "--color", "never"]);
    assert!(ran.stdout.contains("optimal-cs-observers, in the end as observers"), "{ran:?}");
    let ran = sandbox.run(&["check", "values.mzk", "-a", "optimal-cs-observers", "-D", "N=3", "--format", "json"]);
    assert!(ran.json()["given_up"].is_null() && ran.json()["algorithm"] == "optimal-cs-observers", "{ran:?}");
}

#[test]
fn limits_make_the_verdict_incomplete() {
    let sandbox = Sandbox::new("limits");
    sandbox.write("last.mzk", LAST_WRITE);
    let ran = sandbox.run(&["check", "last.mzk", "-D", "N=14", "--timeout", "0.2", "-a", "optimal"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.starts_with("incomplete: "), "{ran:?}");
    assert!(ran.stdout.contains("because the time limit of 200 ms was reached; no violation so far\n"), "{ran:?}");
    let ran = sandbox.run(&["check", "last.mzk", "--max-executions", "7", "--format", "json", "-a", "optimal"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["verdict"], "incomplete");
    assert_eq!(json["executions"], 7);
    assert_eq!(json["limits"][0], "max-executions");
    let ran = sandbox.run(&["check", "last.mzk", "--max-depth", "2"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("longer than the limit of 2 events"), "{ran:?}");
    sandbox.write("spin.mzk", "int x = 0; process p { atomic { while (x < 1000000) { x = x + 1; } } }");
    let ran = sandbox.run(&["check", "spin.mzk", "--max-instructions", "1000"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("limit of 1,000 instructions"), "{ran:?}");
}

/// Starts an exploration that takes for ever, and waits until it has begun.
fn start_endless(sandbox: &Sandbox, arguments: &[&str]) -> std::process::Child {
    sandbox.write("last.mzk", LAST_WRITE);
    let mut command = sandbox.mazurka(&["check", "last.mzk", "-D", "N=16", "-a", "optimal", "--progress", "always"]);
    let mut child = command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut progress = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
    stderr.read_line(&mut progress).expect("progress is shown");
    assert!(progress.contains(" executions · "), "{progress}");
    // Somebody has to go on reading.
    std::thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
    child
}

fn interrupt(child: std::process::Child) -> Ran {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be run");
    assert!(sent.success());
    child.wait_with_output().expect("the program ends").into()
}

#[test]
fn ctrl_c_reports_what_was_found_so_far() {
    let sandbox = Sandbox::new("interrupt");
    let ran = interrupt(start_endless(&sandbox, &[]));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("because it was interrupted; no violation so far"), "{ran:?}");
}

#[test]
fn ctrl_c_after_a_violation_is_a_violation() {
    let sandbox = Sandbox::new("interrupt-violation");
    let ran = interrupt(start_endless(&sandbox, &["--all", "-D", "LEAST=100"]));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation: assertion failed: x >= LEAST"), "{ran:?}");
    let words = ran.stdout.replace('\n', " ");
    assert!(words.contains("not to the end because it was interrupted"), "{ran:?}");
}

#[test]
fn ctrl_c_leaves_one_json_object() {
    let sandbox = Sandbox::new("interrupt-json");
    let ran = interrupt(start_endless(&sandbox, &["--format", "json"]));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert_eq!(ran.json()["limits"][0], "interrupted");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::new("pipe");
    sandbox.write("lost.mzk", LOST_UPDATE);
    for arguments in [&["check", "lost.mzk"][..], &["check", "lost.mzk", "--format", "json"]] {
        let mut child = sandbox
            .mazurka(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().expect("the program ends"));
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    }
}

#[test]
fn colours_are_for_terminals() {
    let sandbox = Sandbox::new("colours");
    sandbox.write("lost.mzk", LOST_UPDATE);
    let output = |arguments: &[&str]| sandbox.run(&[&["check", "lost.mzk"], arguments].concat()).stdout;
    assert!(!output(&[]).contains('\x1b'));
    assert!(output(&["--color", "always"]).starts_with("\x1b[1;31mviolation: \x1b[0m"));
    let ran = Ran::from(sandbox.mazurka(&["check", "nosuch.mzk"]).env("NO_COLOR", "1").output().expect("it runs"));
    assert!(!ran.stderr.contains('\x1b'), "{ran:?}");
}

#[test]
fn many_processes_and_narrow_terminals_give_a_list() {
    let sandbox = Sandbox::new("narrow");
    sandbox.write("last.mzk", "int x = 0; process w[9](i) { x = i; } finally { assert x == 8; }");
    let ran = Ran::from(sandbox.mazurka(&["check", "last.mzk"]).env("COLUMNS", "80").output().expect("it runs"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("\n step  line  process\n"), "{}", ran.stdout);
    assert!(ran.stdout.lines().skip(1).all(|line| line.chars().count() <= 80), "{}", ran.stdout);
}

#[test]
fn long_schedules_are_folded() {
    let sandbox = Sandbox::new("fold");
    sandbox.write(
        "long.mzk",
        "int x = 0; int y = 0;\nprocess p { int i = 0; while (i < 200) { y = y + 1; i = i + 1; } x = 1; }\n\
         process q { assert x == 0; }\n",
    );
    let ran = sandbox.run(&["check", "long.mzk"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains(" more steps"), "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 40, "{}", ran.stdout);
    let full = sandbox.run(&["check", "long.mzk", "--full"]);
    assert!(full.stdout.lines().count() > 400, "{}", full.stdout);
}

#[test]
fn an_assumption_that_never_holds_is_no_quiet_proof() {
    let sandbox = Sandbox::new("vacuous");
    sandbox.write("vacuous.mzk", "int x = 0; process p { x = 1; assume x == 2; assert false; }");
    let ran = sandbox.run(&["check", "vacuous.mzk"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("assumptions discard"), "{ran:?}");
}

#[test]
fn the_unfolding_is_explored_and_drawn() {
    let sandbox = Sandbox::new("unfolding");
    sandbox.write("atomic.mzk", ATOMIC);
    let ran = sandbox.run(&["check", "atomic.mzk", "-a", "quasi:optimal", "--dot", "u.dot", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("\"maximal_configurations\": 2"), "{}", ran.stdout);
    let drawing = std::fs::read_to_string(sandbox.path().join("u.dot")).expect("it was written");
    // Each of the two steps first, or after the other.
    assert_eq!(drawing.matches("[label=").count(), 4, "{drawing}");
    assert_eq!(drawing.matches("style=dashed").count(), 1, "{drawing}");
    let ran = sandbox.run(&["check", "atomic.mzk", "-a", "quasi:2"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = sandbox.run(&["check", "atomic.mzk", "--dot", "u.dot"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for name in ["quasi", "quasi:0", "quasi:01", "quasi:all"] {
        let ran = sandbox.run(&["check", "atomic.mzk", "-a", name]);
        assert_eq!(ran.status, Some(2), "{name}: {ran:?}");
    }
}

#[test]
fn too_many_context_switches() {
    let sandbox = Sandbox::new("switches");
    sandbox.write("lost.mzk", LOST_UPDATE);
    for algorithm in ["optimal", "quasi:optimal"] {
        let ran = sandbox.run(&["check", "lost.mzk", "-a", algorithm, "--max-switches", "0"]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(ran.stdout.contains("more context switches than the limit of 0"), "{}", ran.stdout);
        let ran = sandbox.run(&["check", "lost.mzk", "-a", algorithm, "--max-switches", "9"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
    }
}

/// A choice among local values is a step of its own for the explorer, but no step that anybody
/// sees: switching to it counts for nothing.
#[test]
fn local_choices_are_no_context_switches() {
    let sandbox = Sandbox::new("switches-choices");
    sandbox.write(
        "choices.mzk",
        "int x = 0;
         process p { int t = choose(0, 1); x = t; t = choose(0, 1); x = t; }
         process q { int t = choose(0, 1); x = t; t = choose(0, 1); x = t; }",
    );
    for algorithm in ["optimal", "quasi:optimal", "quasi:1"] {
        for (most, status) in [("0", 3), ("1", 3), ("3", 0)] {
            let ran = sandbox.run(&["check", "choices.mzk", "-a", algorithm, "--max-switches", most]);
            assert_eq!(ran.status, Some(status), "{most}: {ran:?}");
        }
    }
}

/// `--explain` says which races were compared, and what was cut because of that.
#[test]
fn what_is_left_out_is_explained() {
    let sandbox = Sandbox::new("explain");
    sandbox.write("sum.mzk", "int x = 0;\nprocess p[2](i) { x = x + 1; }\n");
    let ran = sandbox.run(&["check", "sum.mzk", "-a", "optimal-cs", "--explain"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for line in [
        "explored p[0] p[1]",
        "[1] p[0].1 and p[1].1, a race at the beginning: p[1] p[0] leads where p[0] p[1] does",
        "cut      p[1] p[0]   p[0] is forbidden by [1]",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    let ran = sandbox.run(&["check", "sum.mzk", "-a", "cs", "--explain", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    let remarks = report["explanation"].as_array().expect("there are remarks");
    let cut = remarks.iter().find(|remark| remark["remark"] == "cut").expect("something is cut");
    assert_eq!((&cut["schedule"], &cut["because"]), (&serde_json::json!(["p[1]", "p[0]"]), &serde_json::json!([1])));
    let ran = sandbox.run(&["check", "sum.mzk", "--explain", "-a", "optimal"]);
    ran.is_refused(&["--explain tells what is left out because states are the same", "add `-a cs`"]);
}

/// One execution of so many events that what comes at its end takes far longer than the exploration
/// may.
const LONG: &str = "int position = 0, going = 1;
process one { while (going == 1) { position = position + 1; if (choose(0, 1) == 1) { going = 0; } } }
process two { position = position + 1; }
";

/// The time limit holds whatever the exploration is doing when the time is up: without it, each of
/// these takes five seconds and more.
#[test]
fn the_time_limit_holds_at_the_end_of_a_long_execution() {
    let sandbox = Sandbox::new("time-limit");
    sandbox.write("long.mzk", LONG);
    for algorithm in ["dpor", "source", "optimal", "observers", "cs", "optimal-cs", "quasi:1", "quasi:optimal"] {
        let begun = std::time::Instant::now();
        let ran = sandbox.run(&["check", "long.mzk", "-a", algorithm, "--timeout", "0.5", "--max-depth", "30000"]);
        let taken = begun.elapsed();
        assert_eq!(ran.status, Some(3), "{algorithm}: {ran:?}");
        assert!(ran.stdout.contains("the time limit of 500 ms was reached"), "{algorithm}: {ran:?}");
        // Generous, since other tests run meanwhile.
        assert!(taken.as_secs_f64() < 2.5, "{algorithm}: {taken:?}");
    }
}
