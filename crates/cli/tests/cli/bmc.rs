//! `mazurka bmc`, as a user runs it. Z3 is needed unless `MAZURKA_NEED_Z3` is 0.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::{ATOMIC, LOST_UPDATE, Ran, Sandbox};

const NEEDLE: &str = "int secret = any(0, 4294967295); int x = 0, y = 0;
process p { x = secret; y = 1; }
process q { assert !(y == 0 && x == 3735928559); }
";

const ENDLESS: &str = "int x = 0; process p { while (true) { x = 1 - x; } }";

/// A program that takes far longer than a test may.
const HARD: &str = include_str!("../../../../bench/suites/peephole08/indexer.mzk");

pub(crate) fn has_solver() -> bool {
    let there = Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_ok();
    assert!(there || std::env::var_os("MAZURKA_NEED_Z3").is_none_or(|need| need != "1"), "Z3 is missing");
    there
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    let mut command = sandbox.mazurka(&[&["bmc"], arguments].concat());
    Ran::from(command.env_remove("MAZURKA_SOLVER").output().expect("the program can be started"))
}

fn solver(sandbox: &Sandbox, name: &str, script: &str) -> String {
    sandbox.write(name, format!("#!/bin/sh\n{script}\n"));
    let path = sandbox.path().join(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    path.display().to_string()
}

#[test]
fn the_verdict_is_in_the_exit_status() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-verdicts");
    sandbox.write("lost.mzk", LOST_UPDATE).write("atomic.mzk", ATOMIC).write("endless.mzk", ENDLESS);
    for por in ["none", "static", "simple", "full", "synth", "monotonic"] {
        let ran = run(&sandbox, &["lost.mzk", "--por", por]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(
            ran.stdout.starts_with("violation: assertion failed: x == 2 at lost.mzk:14:11 in finally\n"),
            "{ran:?}"
        );
        let ran = run(&sandbox, &["atomic.mzk", "--por", por]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let said = "verified: no schedule and no input fails; every execution of the 2 processes ends within 2 steps\n";
        assert!(ran.stdout.starts_with(said), "{ran:?}");
        let ran = run(&sandbox, &["endless.mzk", "--por", por, "--steps", "7"]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(
            ran.stdout.starts_with("incomplete: no violation within 7 steps; some executions have more"),
            "{ran:?}"
        );
    }
    for encoding in ["pairs", "merged", "dependent", "both"] {
        assert_eq!(run(&sandbox, &["lost.mzk", "--encoding", encoding]).status, Some(1), "{encoding}");
    }
}

/// The step that fails counts: it is not found within fewer steps than it takes.
#[test]
fn steps_are_counted_as_they_are_shown() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-steps");
    sandbox.write("f.mzk", "int x = 0; process p { x = 1; x = 2; assert x != 2; }");
    assert_eq!(run(&sandbox, &["f.mzk", "--steps", "2"]).status, Some(3));
    let ran = run(&sandbox, &["f.mzk", "--steps", "3", "--format", "json"]);
    assert_eq!((ran.status, &ran.json()["steps"]), (Some(1), &3.into()), "{ran:?}");
    assert_eq!(run(&sandbox, &["f.mzk", "--steps", "0"]).status, Some(3));
}

#[test]
fn a_counterexample_has_its_inputs_and_is_replayed() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-replay");
    sandbox.write("needle.mzk", NEEDLE);
    let ran = run(&sandbox, &["needle.mzk", "--save-trace", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let position = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("`{text}`: {ran:?}"));
    assert!(position("chooses 3735928559") < position("x = secret"), "inputs come first: {ran:?}");
    position("secret: 0 → 3735928559");
    let again = sandbox.run(&["replay", "needle.mzk", "t.json"]);
    assert_eq!(again.status, Some(1), "{again:?}");
    assert!(again.stdout.contains("violation shows again") && again.stdout.contains("3735928559"), "{again:?}");
}

#[test]
fn json_tells_every_depth() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-json");
    sandbox.write("lost.mzk", LOST_UPDATE).write("atomic.mzk", ATOMIC);
    let report = run(&sandbox, &["lost.mzk", "--format", "json", "--por", "simple"]).json();
    assert_eq!(
        (&report["algorithm"], &report["por"], &report["verdict"]),
        (&"bmc".into(), &"simple".into(), &"violation".into())
    );
    let violation = &report["violations"][0];
    assert_eq!((&violation["kind"], &violation["location"]), (&"assertion".into(), &"lost.mzk:14:11".into()));
    assert_eq!(violation["schedule"].as_array().map(Vec::len), Some(5), "{violation}");
    let depths = report["depths"].as_array().expect("there is a list");
    assert_eq!(depths.len(), 5, "{depths:?}");
    for field in ["steps", "solver_time_s", "encoding_time_s", "conflicts", "decisions", "terms", "formula_bytes"] {
        assert!(depths.iter().all(|depth| depth[field].is_number()), "{field}");
    }
    assert!(depths.is_sorted_by_key(|depth| depth["formula_bytes"].as_u64()), "{depths:?}");
    assert!(report["solver_memory_bytes"].as_u64().is_some_and(|bytes| bytes > 1_000_000), "{report}");
    let report = run(&sandbox, &["atomic.mzk", "--format", "json"]).json();
    assert_eq!((&report["verdict"], &report["limits"]), (&"verified".into(), &serde_json::json!([])));
    let ran = run(&sandbox, &["atomic.mzk", "--statistics"]);
    assert!(ran.stdout.contains("steps     solver   encoding   conflicts"), "{ran:?}");
    assert!(ran.stdout.contains("of processor time, at most"), "{ran:?}");
}

#[test]
fn limits_make_it_incomplete() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-limits");
    sandbox.write("hard.mzk", HARD);
    sandbox.write("loop.mzk", "int n = any(0, 100), x = 0; process p { atomic { while (x < n) { x = x + 1; } } }");
    sandbox.write("spawns.mzk", "int x; process p { spawn q(); spawn q(); } proc q() { x = 1; }");
    let begin = Instant::now();
    let ran = run(&sandbox, &["hard.mzk", "-D", "N=6", "--por", "none", "--timeout", "1", "--format", "json"]);
    assert_eq!((ran.status, &ran.json()["limits"]), (Some(3), &serde_json::json!(["timeout"])), "{ran:?}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    let ran = run(&sandbox, &["loop.mzk", "--unroll", "5"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("the loop at loop.mzk:1:50 was cut after 5 rounds (--unroll)"), "{ran:?}");
    let ran = run(&sandbox, &["spawns.mzk", "--max-processes", "2"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("there are more than 2 processes (--max-processes)"), "{ran:?}");
    assert_eq!(run(&sandbox, &["spawns.mzk"]).status, Some(0));
}

#[test]
fn ctrl_c_ends_a_question() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-interrupt");
    sandbox.write("hard.mzk", HARD);
    let mut command = sandbox.mazurka(&["bmc", "hard.mzk", "-D", "N=6", "--por", "none", "--format", "json"]);
    let child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be run");
    assert!(sent.success());
    let ran = Ran::from(child.wait_with_output().expect("the program ends"));
    assert_eq!((ran.status, &ran.json()["limits"]), (Some(3), &serde_json::json!(["interrupted"])), "{ran:?}");
}

#[test]
fn solvers_that_do_not_work_are_named() {
    let sandbox = Sandbox::new("bmc-solvers");
    sandbox.write("lost.mzk", LOST_UPDATE);
    run(&sandbox, &["lost.mzk", "--solver", "nonesuch"]).is_refused(&["nonesuch", "--solver"]);
    let mut command = sandbox.mazurka(&["bmc", "lost.mzk"]);
    let ran = Ran::from(command.env("MAZURKA_SOLVER", "nonesuch").output().expect("the program can be started"));
    ran.is_refused(&["nonesuch", "MAZURKA_SOLVER"]);
    let mut command = sandbox.mazurka(&["bmc", "lost.mzk"]);
    command.env("PATH", "").env_remove("MAZURKA_SOLVER");
    Ran::from(command.output().expect("the program can be started")).is_refused(&["z3", "apt install z3"]);
    let dead = solver(&sandbox, "dead", "echo no memory >&2; exit 1");
    run(&sandbox, &["lost.mzk", "--solver", &dead]).is_refused(&["no memory"]);
    let nonsense = solver(&sandbox, "nonsense", "while read line; do echo perhaps; done");
    run(&sandbox, &["lost.mzk", "--solver", &nonsense]).is_refused(&["perhaps"]);
    // One that talks, until it is asked something.
    let playing = |name: &str, at_check: &str| {
        let script = format!(
            "while read -r line; do case \"$line\" in\n\
             '(get-info :name)') echo '(:name \"fake\")' ;;\n\
             '(check-sat'*) {at_check} ;;\n\
             '(echo '*) echo \"$line\" | sed 's/(echo //; s/)//' ;;\n\
             esac; done"
        );
        solver(&sandbox, name, &script)
    };
    let dying = playing("dying", "echo out of memory >&2; exit 1");
    run(&sandbox, &["lost.mzk", "--solver", &dying]).is_refused(&["the solver died", "out of memory"]);
    let babbling = playing("babbling", "echo '(who knows)'");
    run(&sandbox, &["lost.mzk", "--solver", &babbling]).is_refused(&["(who knows)", "sat, unsat or unknown"]);
    let silent = playing("silent", "");
    run(&sandbox, &["lost.mzk", "--solver", &silent]).is_refused(&["no answer"]);
    let unknowing = playing("unknowing", "echo unknown");
    let ran = run(&sandbox, &["lost.mzk", "--solver", &unknowing, "--timeout", "5"]);
    assert!(ran.status == Some(2) || ran.status == Some(3), "it says neither verified nor violation: {ran:?}");
    let hanging = playing("hanging", "exec sleep 1000");
    let begin = Instant::now();
    let ran = run(&sandbox, &["lost.mzk", "--solver", &hanging, "--timeout", "0.3", "--format", "json"]);
    assert_eq!((ran.status, &ran.json()["limits"]), (Some(3), &serde_json::json!(["timeout"])), "{ran:?}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn what_is_wrong_is_refused() {
    let sandbox = Sandbox::new("bmc-refusals");
    sandbox.write("bad.mzk", "int x = any(3, 1);\nbool b = any(0, 1);\nint y = any + 1;\nprocess p { x = z; }\n");
    run(&sandbox, &["bad.mzk"]).is_refused(&[
        "bad.mzk:1:9",
        "there is no number from 3 to 1",
        "bad.mzk:2:10",
        "a bool is not in a range of numbers",
        "bad.mzk:3:9",
        "`any` cannot stand where a constant is needed",
        "bad.mzk:4:17",
    ]);
    run(&sandbox, &["missing.mzk"]).is_refused(&["missing.mzk"]);
    sandbox.write("program.c", "int main(void) { return 0; }").write("lost.mzk", LOST_UPDATE);
    sandbox.write("wait.mzk", "int x; process p { await x == any(0, 1); }");
    run(&sandbox, &["wait.mzk"]).is_refused(&["wait.mzk:1:20", "comes after `choose` or `any`"]);
    assert_eq!(run(&sandbox, &["lost.mzk", "--por", "most"]).status, Some(2));
    assert_eq!(run(&sandbox, &["lost.mzk", "--steps", "-1"]).status, Some(2));
    run(&sandbox, &["lost.mzk", "-D", "N=2"]).is_refused(&["there is no constant of that name"]);
    sandbox.write("large.mzk", "int x = any; process p { int t = any(0, 5000); x = t; }");
    sandbox.run(&["check", "large.mzk"]).is_refused(&[
        "large.mzk:1:9",
        "large.mzk:1:34",
        "5001 values",
        "mazurka bmc large.mzk",
    ]);
    // Small ranges, but too many of them together.
    sandbox.write("many.mzk", "int a[9] = any(0, 9); process p { assert a[0] < 10; }");
    sandbox.run(&["check", "many.mzk"]).is_refused(&["many.mzk:1:12", "1,000,000,000", "mazurka bmc many.mzk"]);
}

/// Nobody takes a step in `finally`, and its inputs are chosen all the same.
#[test]
fn finally_has_inputs() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-finally");
    let program = "int a[3] = {3, 1, 2}; process p { a[1] = 7; } process q { if (a[1] == 7) { a[0] = 8; } }
finally { int i = any(0, 2); bool b = any; assert a[i] != 8 || b; }";
    sandbox.write("f.mzk", program);
    let ran = run(&sandbox, &["f.mzk", "--save-trace", "t.json"]);
    assert!(ran.status == Some(1) && ran.stdout.contains("chooses 0, 0"), "{ran:?}");
    let again = sandbox.run(&["replay", "f.mzk", "t.json"]);
    assert!(again.status == Some(1) && again.stdout.contains("violation shows again"), "{again:?}");
    assert_eq!(sandbox.run(&["check", "f.mzk"]).status, Some(1));
    sandbox.write("g.mzk", program.replace("a[i] != 8 ||", "a[i] != 9 ||"));
    assert_eq!(run(&sandbox, &["g.mzk"]).status, Some(0));
    assert_eq!(sandbox.run(&["check", "g.mzk"]).status, Some(0));
    sandbox.write("loop.mzk", "int x; process p { x = 1; }\nfinally { while (x < any(0, 5)) { x = x + 1; } }");
    run(&sandbox, &["loop.mzk"]).is_refused(&["loop.mzk:2:22", "`any` cannot stand in a loop of `finally`"]);
    sandbox.write("choose.mzk", "int x; process p { x = 1; }\nfinally { x = choose(0, x); }");
    run(&sandbox, &["choose.mzk"]).is_refused(&["choose.mzk:2:15", "`choose` cannot stand in `finally`"]);
}

/// The suite, in a size for tests.
#[test]
fn the_suite_finds_what_the_paper_says() {
    if !has_solver() {
        return;
    }
    let sandbox = Sandbox::new("bmc-suite");
    let ran = sandbox.run(&[
        "bench",
        "--suite",
        "peephole08",
        "--filter",
        "N=2",
        "--format",
        "json",
        "--por",
        "none,full,monotonic",
    ]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let report = ran.json();
    let runs = report["runs"].as_array().expect("there are runs");
    assert_eq!(runs.len(), 12, "{runs:?}");
    assert!(runs.iter().all(|run| run["outcome"] == "right" && run["memory_bytes"].is_u64()), "{runs:?}");
    let ran = sandbox.run(&[
        "bench",
        "--suite",
        "peephole08",
        "--filter",
        "indexer N=3",
        "--timeout",
        "0.1",
        "--por",
        "none",
    ]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    for format in ["csv", "markdown", "human"] {
        let ran = sandbox.run(&[
            "bench",
            "--suite",
            "peephole08",
            "--filter",
            "indexer N=2",
            "--format",
            format,
            "--por",
            "full",
        ]);
        assert!(ran.status == Some(0) && ran.stdout.contains("indexer"), "{ran:?}");
    }
    sandbox.run(&["bench", "--suite", "peephole08", "-a", "optimal"]).is_refused(&["has no algorithms", "--por"]);
    sandbox.run(&["bench", "--suite", "jss23", "--por", "full"]).is_refused(&["has no reductions"]);
}
