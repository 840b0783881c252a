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
pub(crate) fn run(sandbox: &Sandbox, keep: &str, arguments: &[&str]) -> Ran {
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
    assert!(ran.stderr.contains("without a look at 3 pairs of steps"), "{ran:?}");
    let ran = run(&sandbox, "", &["check", "f.mzk", "-a", "constrained", "--constraints-timeout", "0"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("--constraints-timeout gives more"), "{ran:?}");
}

/// What was kept and has been cut short or changed since is found again.
#[test]
fn damaged_files_are_not_believed() {
    let sandbox = Sandbox::new("damaged");
    let source = "int x = 0, y = 0, z = 9;
process p { atomic { if (x < 3 && z > 4) { y = y + 1; } else { y = 1; } } }
process q { y = y + 2; }
finally { assert y == 3; }
";
    sandbox.write("f.mzk", source.replace("int x = 0", "int x = 4"));
    let folder = sandbox.path().join("kept");
    let check = || {
        let ran = run(&sandbox, &folder.display().to_string(), &["check", "f.mzk", "-a", "constrained"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
    };
    check();
    let files: Vec<_> =
        std::fs::read_dir(&folder).expect("it was made").map(|file| file.expect("it is there").path()).collect();
    assert!(!files.is_empty());
    for cut in 1..40 {
        for file in &files {
            let text = std::fs::read_to_string(file).expect("it is text");
            std::fs::write(file, &text[..text.len().saturating_sub(cut)]).expect("it can be written");
        }
        check();
    }
}

/// Neither declarations nor a solver that says nothing hold anybody up.
#[test]
fn proofs_are_given_up_in_time() {
    let sandbox = Sandbox::new("late");
    sandbox.write("f.mzk", FIGURE_1);
    let ran = run(&sandbox, "", &["constraints", "f.mzk", "--verify", "--constraints-timeout", "0"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("no time for it"), "{ran:?}");
    let ran = run(&sandbox, "", &["check", "f.mzk", "--timeout", "0.000001", "--all"]);
    assert!(ran.stderr.contains("no time for it"), "{ran:?}");
}

/// What is declared and not proven, or by nobody, is not used unless it is to be trusted. Then the
/// verdict is the user's.
#[test]
fn what_is_not_proven_is_not_used() {
    let sandbox = Sandbox::new("trust");
    let choosy = "int x = 1;
process p { atomic a { x = x * choose(2, 3); } }
process q { atomic b { x = x + 1; } }
independent a, b when true;
finally { assert x != 4; }
";
    sandbox.write("choosy.mzk", choosy).write("f.mzk", choosy.replace("choose(2, 3)", "2"));
    for (file, solver, said) in [("choosy.mzk", "z3", "a step that chooses"), ("f.mzk", "nonesuch", "are not used")] {
        for algorithm in ["auto", "constrained", "optimal-constrained"] {
            let ran = run(&sandbox, "", &["check", file, "-a", algorithm, "--solver", solver]);
            assert_eq!(ran.status, Some(1), "{ran:?}");
            assert!(ran.stderr.contains(said) && ran.stderr.contains("--trust"), "{ran:?}");
        }
        let json = run(&sandbox, "", &["check", file, "--solver", solver, "--trust", "--format", "json"]).json();
        assert_eq!(json["verdict"], "verified", "{json}");
        assert!(json["notes"][0].as_str().is_some_and(|note| note.contains("believed")), "{json}");
    }
    let ran = run(&sandbox, "", &["constraints", "choosy.mzk", "--verify"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

/// Steps that have nothing in common are right for whatever is declared, mutexes or not; what is
/// said is said once for each declaration.
#[test]
fn declarations_of_many_steps_are_told_of_once() {
    let sandbox = Sandbox::new("many");
    let source = "int total = 0, log = 0; mutex m;
process add[3](i) { total = total + i; lock(m); log = log + 1; unlock(m); }
independent add, add when true;
finally { assert log == 3; }
";
    sandbox.write("f.mzk", source).write("none.mzk", "int x; process p { x = 1; }\nindependent p, p when true;\n");
    let ran = run(&sandbox, "", &["constraints", "f.mzk", "--verify"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("proven for 7 of 10 pairs of steps"), "{ran:?}");
    let ran = run(&sandbox, "", &["check", "f.mzk", "-a", "constrained"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.stderr.matches("note: ").count(), 1, "{ran:?}");
    assert!(ran.stderr.contains("3 of 10 pairs of steps: not used there"), "{ran:?}");
    let ran = run(&sandbox, "", &["constraints", "none.mzk", "--verify"]);
    assert!(ran.stdout.contains("no two such steps"), "{ran:?}");
}

/// A solver that cannot be started is an error, one that dies on the way is told of.
#[test]
fn a_broken_solver_is_told_of() {
    let sandbox = Sandbox::new("broken");
    sandbox.write("f.mzk", FIGURE_1);
    run(&sandbox, "", &["constraints", "f.mzk", "--solver", "/bin/true"]).is_refused(&["the solver died"]);
    let dies =
        "while read -r line; do case \"$line\" in *:name*) echo '(:name \"it\")' ;; *check-sat*) exit 1 ;; esac; done";
    let ran = run(&sandbox, "", &["constraints", "f.mzk", "--solver", &solver(&sandbox, "dies-later", dies)]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("nothing is known about 3 pairs of steps: the solver died"), "{ran:?}");
}

/// Steps that commute uniformly are told of, with where they are.
#[test]
fn unordered_steps_are_explained() {
    let sandbox = Sandbox::new("unordered");
    sandbox.write("f.mzk", "int t;\nprocess a[3](i) { atomic s { t = t + i; } }\nindependent s, s when true;\n");
    for algorithm in ["auto", "constrained"] {
        let ran = run(&sandbox, "", &["check", "f.mzk", "-a", algorithm, "--explain"]);
        assert!(ran.stdout.contains("either order `atomic s` (f.mzk:2:19) and `atomic s` (f.mzk:2:19)"), "{ran:?}");
        assert!(ran.stdout.contains("no states were compared"), "{ran:?}");
    }
    let json = run(&sandbox, "", &["check", "f.mzk", "--explain", "--format", "json"]).json();
    let remarks = json["explanation"].as_array().expect("there are remarks");
    assert!(remarks.iter().any(|remark| remark["remark"] == "unordered"), "{json}");
}

/// No solver, one that hangs, one that dies, one that answers nonsense: that is said, and both
/// final values are found.
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

const CELL: &str = "module M;
interface Cell { Unit set(Int v); Unit add(Int v); Unit copy(List<Int> all); }
class Cell implements Cell {
  Int last = 0;
  Int sum = 0;
  // DECLARED
  Unit set(Int v) { last = v; }
  Unit add(Int v) { sum = sum + v; }
  Unit copy(List<Int> all) { foreach (one in all) { sum = one; } }
}
{ Cell c = new Cell(); c!set(1); c!set(2); c!add(1); c!add(2); }
";

/// Runs with time for every question.
fn patiently(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    run(sandbox, "", &[arguments, &["--solver-timeout", "30"]].concat())
}

#[test]
fn methods_of_actors_have_constraints() {
    let sandbox = Sandbox::new("methods");
    sandbox.write("c.abs", CELL);
    let ran = patiently(&sandbox, &["constraints", "c.abs"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let expected = ["Cell.set", "commute when v == v1", "and in no other state", "Cell.add", "commute when true"];
    for text in expected.into_iter().chain(["not looked into: a loop may go round often"]) {
        assert!(ran.stdout.contains(text), "`{text}` in {}", ran.stdout);
    }
    let json = patiently(&sandbox, &["constraints", "c.abs", "--format", "json"]).json();
    assert_eq!(json["pairs"][0]["constraints"][0], "v == v1", "{json}");
    assert_eq!(json["pairs"][0]["left"]["text"], "Cell.set", "{json}");
    let json = patiently(&sandbox, &["check", "c.abs", "-a", "constrained", "--format", "json"]).json();
    assert_eq!((&json["executions"], &json["blocked"]), (&2.into(), &0.into()), "{json}");
    let ran = patiently(&sandbox, &["check", "c.abs", "-a", "constrained", "--solver", "nonesuch"]);
    assert!(ran.stderr.contains("no constraints are looked for"), "{ran:?}");
}

#[test]
fn declarations_of_methods_are_proven_dropped_or_refused() {
    let sandbox = Sandbox::new("methods-declared");
    let declared = |text: &str| CELL.replace("// DECLARED", text);
    sandbox.write("right.abs", declared("[indep(set(w), v == w && last > 3)]"));
    sandbox.write("wrong.abs", declared("[indep(set(w), v >= w)]"));
    sandbox.write("open.abs", CELL.replace("class Cell", "[indep(copy(a), copy(b), a == b)]\nclass Cell"));
    let ran = patiently(&sandbox, &["constraints", "right.abs", "--verify"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("proven: [indep(set(w), v == w && last > 3)]"), "{ran:?}");
    let ran = patiently(&sandbox, &["constraints", "wrong.abs", "--verify"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for text in ["wrong: [indep(set(w), v >= w)]", "Cell.set", "first, then second: last = ", "from "] {
        assert!(ran.stdout.contains(text), "`{text}` in {}", ran.stdout);
    }
    // Where something is declared, it is used unless the user says otherwise.
    patiently(&sandbox, &["check", "wrong.abs"]).is_refused(&["wrong: [indep(set(w), v >= w)]", "last = "]);
    let ran = patiently(&sandbox, &["check", "right.abs"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let ran = patiently(&sandbox, &["constraints", "open.abs", "--verify"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("not proven: [indep(copy(a), copy(b), a == b)]"), "{ran:?}");
    let ran = patiently(&sandbox, &["check", "open.abs"]);
    assert!(ran.stderr.contains("not used there (--trust uses it)"), "{ran:?}");
    let ran = patiently(&sandbox, &["check", "open.abs", "--trust"]);
    assert!(ran.stderr.contains("believed all the same"), "{ran:?}");
    sandbox.write("p.c", "int main(void) { return 0; }");
    patiently(&sandbox, &["constraints", "p.c"]).is_refused(&["neither in the process notation nor in ABS"]);
}
