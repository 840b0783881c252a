//! `mazurka constraints`, and solvers that do not do their work.

use std::os::unix::fs::PermissionsExt;

use crate::sandbox::{Ran, Sandbox};

const FIGURE_1: &str = "int z = -1, x = -2;
process p { x = x + 1; }
process q { atomic { if (z >= 0) { z = x; } } }
process r { atomic { x = x + 1; z = z + 1; } }
independent q, r when z >= 0;
finally { assert z == 0; }
";

/// Runs without what was found before; `keep` names a folder to keep it in.
fn run(sandbox: &Sandbox, keep: &str, arguments: &[&str]) -> Ran {
    let mut command = sandbox.mazurka(arguments);
    command.env("MAZURKA_CACHE", keep).env_remove("MAZURKA_SOLVER");
    Ran::from(command.output().expect("the program can be started"))
}

fn solver(sandbox: &Sandbox, name: &str, script: &str) -> String {
    sandbox.write(name, format!("#!/bin/sh\n{script}\n"));
    let path = sandbox.path().join(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    path.display().to_string()
}

#[test]
fn constraints_are_shown_and_kept() {
    let sandbox = Sandbox::new("constraints");
    sandbox.write("f.mzk", FIGURE_1);
    let folder = sandbox.path().join("kept").display().to_string();
    let ran = run(&sandbox, &folder, &["constraints", "f.mzk"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for text in ["z >= 0", "z == x", "z <= -2", "z <= -1", "when true", "in no other state"] {
        assert!(ran.stdout.contains(text), "`{text}` in {}", ran.stdout);
    }
    let again = run(&sandbox, &folder, &["constraints", "f.mzk", "--solver", "nonesuch"]);
    assert_eq!((again.status, again.stdout), (ran.status, ran.stdout), "a second run needs no solver");
    let json = run(&sandbox, &folder, &["constraints", "f.mzk", "--format", "json"]).json();
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(3), "{json}");
}

#[test]
fn declarations_are_proven_or_refused() {
    let sandbox = Sandbox::new("declared");
    sandbox.write("f.mzk", FIGURE_1).write("wrong.mzk", FIGURE_1.replace("when z >= 0", "when z >= -1"));
    let ran = run(&sandbox, "", &["constraints", "f.mzk", "--verify"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("proven: independent q, r when z >= 0"), "{ran:?}");
    let ran = run(&sandbox, "", &["constraints", "wrong.mzk", "--verify"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("from z = -1"), "{ran:?}");
    assert!(ran.stdout.contains("first, then second: z = "), "{ran:?}");
    run(&sandbox, "", &["check", "wrong.mzk", "-a", "constrained"]).is_refused(&["wrong: independent q, r", "z = -1"]);
}

/// Time for constraints runs out: that is said, and the result is sound.
#[test]
fn without_time_the_result_is_sound() {
    let sandbox = Sandbox::new("time");
    let source = FIGURE_1.replace("independent q, r when z >= 0;", "");
    sandbox.write("f.mzk", &source);
    let ran = run(&sandbox, "", &["constraints", "f.mzk", "--constraints-timeout", "0"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("3 pairs of steps were not looked at"), "{ran:?}");
    let ran = run(&sandbox, "", &["check", "f.mzk", "-a", "constrained", "--constraints-timeout", "0"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("--constraints-timeout gives more"), "{ran:?}");
}

/// No solver, one that hangs, one that dies, one that answers nonsense: that is said, and both final values are found.
#[test]
fn without_a_working_solver_the_result_is_sound() {
    let sandbox = Sandbox::new("solvers");
    sandbox.write("f.mzk", FIGURE_1);
    let liar = "echo '(:name \"Z3\")'; while read line; do echo maybe; done";
    let mute = "echo '(:name \"other\")'; while read line; do sleep 100; done";
    let solvers = [
        "nonesuch".to_owned(),
        solver(&sandbox, "dies", "exit 1"),
        solver(&sandbox, "lies", liar),
        solver(&sandbox, "hangs", mute),
    ];
    for name in solvers {
        let arguments = ["check", "f.mzk", "-a", "constrained", "--solver", &name, "--solver-timeout", "0.1"];
        let ran = run(&sandbox, "", &arguments);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("note: "), "{ran:?}");
    }
    run(&sandbox, "", &["constraints", "f.mzk", "--solver", "nonesuch"])
        .is_refused(&["needs a solver", "apt install z3"]);
}
