//! Saved schedules, run again.

use crate::sandbox::{LOST_UPDATE, Sandbox};

/// A sandbox with `lost.mzk` and the trace `lost.json` of its violation.
fn saved(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("lost.mzk", LOST_UPDATE);
    let ran = sandbox.run(&["check", "lost.mzk", "--save-trace", "lost.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("mazurka replay lost.mzk lost.json"), "{ran:?}");
    sandbox
}

#[test]
fn a_saved_schedule_fails_again() {
    let sandbox = saved("again");
    let ran = sandbox.run(&["replay", "lost.mzk", "lost.json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    let heading = "violation shows again: assertion failed: x == 2 at lost.mzk:14:11 in finally\n\n step  line │ p";
    assert!(ran.stdout.starts_with(heading), "{}", ran.stdout);
    let ran = sandbox.run(&["replay", "lost.mzk", "lost.json", "--format", "json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["reproduced"], true);
    assert_eq!(json["violations"][0]["kind"], "assertion");
    assert_eq!(json["violations"][0]["schedule"][0]["process"], "p");
}

#[test]
fn choices_spawned_processes_and_constants_come_back() {
    let sandbox = Sandbox::new("full");
    let program = "const N = 1; const STRICT = 0; int x = 0;\n\
                   process p { int c = choose(0, 3); spawn w(c, 1); spawn w(c, 2); }\n\
                   proc w(int v, int n) { atomic { x = x + v * n; } assert STRICT == 0 || x != 9 * N; }";
    sandbox.write("full.mzk", program);
    assert_eq!(sandbox.run(&["check", "full.mzk"]).status, Some(0));
    let arguments = ["check", "full.mzk", "-D", "STRICT=1", "--all", "--save-trace", "t.json"];
    let ran = sandbox.run(&arguments);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = sandbox.run(&["replay", "full.mzk", "t.json", "--format", "json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(ran.json()["reproduced"], true, "{ran:?}");
    assert!(ran.json()["violations"].as_array().is_some_and(|violations| violations.len() == 2), "{ran:?}");
}

#[test]
fn a_deadlock_comes_back() {
    let sandbox = Sandbox::new("dead");
    let philosophers = "const N = 3; mutex f[N];\nprocess phil[N](i) { lock(f[i]); lock(f[(i + 1) % N]); \
                        unlock(f[(i + 1) % N]); unlock(f[i]); }";
    sandbox.write("dead.mzk", philosophers);
    let ran = sandbox.run(&["check", "dead.mzk", "-D", "N=4", "--save-trace", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = sandbox.run(&["replay", "dead.mzk", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.stdout.starts_with("violation shows again: deadlock: phil[0], phil[1], phil[2] and phil[3]"),
        "{ran:?}"
    );
}

#[test]
fn a_changed_program_is_noticed() {
    let sandbox = saved("changed");
    sandbox.write("lost.mzk", LOST_UPDATE.replace("int x = 0;", "int x = 0; // changed"));
    sandbox.run(&["replay", "lost.mzk", "lost.json"]).is_refused(&["`lost.mzk` has changed", "--force"]);
    let ran = sandbox.run(&["replay", "lost.mzk", "lost.json", "--force"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    // Mended, with the same steps.
    sandbox.write("lost.mzk", LOST_UPDATE.replace("assert x == 2", "assert x >= 1"));
    let ran = sandbox.run(&["replay", "lost.mzk", "lost.json", "--force"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("violation does not show again: "), "{ran:?}");
    // Mended, with other steps.
    sandbox.write("lost.mzk", LOST_UPDATE.replacen("int t = x;\n  x = t + 1;", "x = x + 1;", 2));
    let ran = sandbox.run(&["replay", "lost.mzk", "lost.json"]);
    ran.is_refused(&["does not fit `lost.mzk`: step 3: process `q` is not running", "has changed"]);
}

#[test]
fn a_schedule_that_does_not_fit_names_the_step() {
    let sandbox = saved("misfit");
    let trace = std::fs::read_to_string(sandbox.path().join("lost.json")).expect("it was written");
    let refused = |from: &str, to: &str, parts: &[&str]| {
        assert!(trace.contains(from), "{trace}");
        sandbox.write("edited.json", trace.replacen(from, to, 1));
        sandbox.run(&["replay", "lost.mzk", "edited.json"]).is_refused(parts);
    };
    let first = "\"schedule\": [\n        {\n          \"process\": \"p\"";
    refused(first, &first.replace("\"p\"", "\"nobody\""), &["step 1: there is no process `nobody`"]);
    refused(first, &first.replace("\"p\"", "\"q\""), &["step 3: process `q` is not running"]);
    refused(first, &(first.to_owned() + ", \"choices\": [7]"), &["step 1: process `p` was to choose [7]"]);
}

#[test]
fn a_step_of_a_process_that_waits_does_not_fit() {
    let sandbox = Sandbox::new("waits");
    sandbox.write("wait.mzk", "mutex m; int x = 0;\nprocess p { lock(m); x = 1; unlock(m); }\nprocess q { lock(m); x = 2; unlock(m); }\nfinally { assert x == 1; }");
    let ran = sandbox.run(&["check", "wait.mzk", "--save-trace", "t.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let trace = std::fs::read_to_string(sandbox.path().join("t.json")).expect("it was written");
    let mut trace: serde_json::Value = serde_json::from_str(&trace).expect("it is JSON");
    trace["violations"][0]["schedule"][1]["process"] = "q".into();
    sandbox.write("t.json", trace.to_string());
    let ran = sandbox.run(&["replay", "wait.mzk", "t.json"]);
    ran.is_refused(&["step 2: process `q` cannot move: it waits at wait.mzk:3:13 (`lock(m)`)"]);
}

#[test]
fn foreign_and_broken_trace_files() {
    let sandbox = saved("foreign");
    let trace = std::fs::read_to_string(sandbox.path().join("lost.json")).expect("it was written");
    sandbox.write("half.json", &trace[..trace.len() / 2]).write("other.json", "{\"x\": 1}").write("list.json", "[]");
    sandbox.write("newer.json", trace.replace("\"version\": 2", "\"version\": 99"));
    sandbox.write("binary.json", b"\xff\xfe\x00").write("empty.json", "");
    sandbox.write("deep.json", "[".repeat(100_000));
    let refused = |file: &str, parts: &[&str]| sandbox.run(&["replay", "lost.mzk", file]).is_refused(parts);
    refused("half.json", &["`half.json` is not a trace", "JSON"]);
    refused("other.json", &["`other.json` is not a trace", "format"]);
    refused("list.json", &["`list.json` is not a trace"]);
    refused("empty.json", &["`empty.json` is not a trace"]);
    refused("deep.json", &["`deep.json` is not a trace"]);
    refused("newer.json", &["version 99"]);
    refused("binary.json", &["`binary.json` is not text"]);
    refused("nosuch.json", &["there is no file `nosuch.json`"]);
    refused(".", &["`.` is a directory"]);
    sandbox.run(&["replay", "nosuch.mzk", "lost.json"]).is_refused(&["there is no file `nosuch.mzk`"]);
}
