//! Programs of actors.

use crate::sandbox::Sandbox;

/// A program of the corpus.
fn corpus(name: &str) -> String {
    let path = format!("{}/../../corpus/{name}.abs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a program of the corpus")
}

#[test]
fn a_deadlock_is_found_and_drawn() {
    let sandbox = Sandbox::new("actors");
    sandbox.write("database.abs", corpus("violation/abs/database-worker"));
    let ran = sandbox.run(&["check", "database.abs", "--html", "page.html"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
    for part in [
        "violation: deadlock: ",
        "for the result of Worker.ping#1.1, and keeps Database#1",
        "since Worker#2 is kept by Worker.work#2",
        "circle of waiting: ",
        "▒ blocks on ping#1.1",
        "✗ waits",
    ] {
        let report = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(report.contains(part.trim()), "`{part}` in {}", ran.stdout);
    }
    let page = std::fs::read_to_string(sandbox.path().join("page.html")).expect("a page was written");
    assert!(page.contains("<svg") && page.contains("register#1") && page.ends_with("</html>\n"));
}

#[test]
fn counts_of_the_papers() {
    let sandbox = Sandbox::new("anchors");
    for (name, executions, states, failing) in [
        ("violation/abs/database-worker", 6, 23, 2),
        ("violation/abs/sleeping-barber", 42, 181, 6),
        ("violation/abs/polling", 7, 22, 1),
    ] {
        sandbox.write("p.abs", corpus(name));
        let json = sandbox.run(&["check", "p.abs", "-a", "none", "--all", "--format", "json"]).json();
        assert_eq!((&json["executions"], &json["states"]), (&executions.into(), &states.into()), "{name}");
        assert_eq!(json["violations"][0]["kind"], "deadlock", "{name}");
        assert_eq!(json["violations"][0]["executions"], failing, "{name}");
    }
}

#[test]
fn kinds_of_standstill() {
    let sandbox = Sandbox::new("standstill");
    for kind in ["await-cycle", "stuck"] {
        sandbox.write("p.abs", corpus(&format!("violation/abs/{kind}")));
        let json = sandbox.run(&["check", "p.abs", "--format", "json"]).json();
        assert_eq!(json["violations"][0]["kind"], kind);
    }
    sandbox.write("p.abs", corpus("violation/abs/exception-unhandled"));
    let json = sandbox.run(&["check", "p.abs", "--format", "json"]).json();
    assert_eq!(json["violations"][0]["kind"], "exception");
}

#[test]
fn a_saved_schedule_fails_again() {
    let sandbox = Sandbox::new("actor-replay");
    sandbox.write("p.abs", corpus("violation/abs/polling"));
    for options in [&[][..], &["--dependence", "object", "-a", "optimal"][..]] {
        let saving = [&["check", "p.abs", "--save-trace", "t.json"][..], options].concat();
        assert_eq!(sandbox.run(&saving).status, Some(1));
        let ran = sandbox.run(&["replay", "p.abs", "t.json"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.stdout.starts_with("violation shows again: deadlock: "), "{}", ran.stdout);
    }
}

#[test]
fn several_files_and_mains() {
    let sandbox = Sandbox::new("actor-files");
    sandbox.write("a.abs", "module A; export *; def Int one() = 1; { assert False; }");
    sandbox.write("b.abs", "module B; import * from A; { assert one() == 1; }");
    sandbox.run(&["check", "a.abs", "b.abs"]).is_refused(&["2 modules have a main block", "--main A"]);
    assert_eq!(sandbox.run(&["check", "a.abs", "b.abs", "--main", "B"]).status, Some(0));
    assert_eq!(sandbox.run(&["check", "a.abs", "b.abs", "--main", "A"]).status, Some(1));
    sandbox.write("c.abs", "module C; { Int n = True; }");
    sandbox.write("d.abs", "module D; { Bool b = 1; }");
    let ran = sandbox.run(&["check", "c.abs", "d.abs", "--main", "C"]);
    ran.is_refused(&["c.abs:1:21", "d.abs:1:22", "expected `Int`", "expected `Bool`"]);
}

#[test]
fn a_call_can_be_a_failure() {
    let sandbox = Sandbox::new("actor-property");
    sandbox.write("p.abs", corpus("verified/abs/database-workers-await"));
    let ran = sandbox.run(&["check", "p.abs", "--property", "Worker.ping"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation: Worker.ping is called at "), "{}", ran.stdout);
    assert_eq!(sandbox.run(&["check", "p.abs", "--property", "Worker.work"]).status, Some(1));
    sandbox.run(&["check", "p.abs", "--property", "pong"]).is_refused(&["there is no method `pong`"]);
    sandbox.run(&["check", "p.abs", "--property", "Database.ping"]).is_refused(&["there is no method"]);
}

#[test]
fn options_of_other_kinds_of_programs() {
    let sandbox = Sandbox::new("actor-options");
    sandbox.write("p.abs", "{ skip; }").write("p.mzk", "int x = 0; process p { x = 1; }");
    sandbox.run(&["check", "p.abs", "--leaks"]).is_refused(&["--leaks is for C and C++ programs"]);
    sandbox.run(&["check", "p.abs", "-D", "n=1"]).is_refused(&["there is no function `n`"]);
    sandbox.write("n.abs", "module M; def Int n() = 1; { assert n() == 2; }");
    assert_eq!(sandbox.run(&["check", "n.abs"]).status, Some(1));
    assert_eq!(sandbox.run(&["check", "n.abs", "-D", "n=2"]).status, Some(0));
    sandbox.run(&["check", "p.abs", "--", "3"]).is_refused(&["takes no arguments"]);
    sandbox.run(&["check", "p.mzk", "--dialect", "syco"]).is_refused(&["--dialect is for actors"]);
    sandbox.run(&["check", "p.mzk", "--svg", "x.svg"]).is_refused(&["--svg draws sequence diagrams of actors"]);
    sandbox.run(&["check", "p.mzk", "--html", "x.html"]).is_refused(&["--html draws sequence diagrams of actors"]);
    assert_eq!(sandbox.run(&["check", "p.abs"]).status, Some(0));
}

#[test]
fn final_states_and_executions() {
    let sandbox = Sandbox::new("final");
    sandbox.write("p.abs", corpus("violation/abs/database-worker"));
    let json = sandbox.run(&["check", "p.abs", "-a", "none", "--all", "--all-traces", "--format", "json"]).json();
    let states = json["final_states"].as_array().expect("a list");
    let counts: Vec<_> = states.iter().map(|state| state["executions"].as_u64()).collect();
    assert_eq!(counts, [Some(2), Some(2), Some(2)]);
    assert_eq!(states[0]["waiting"].as_object().map(|waiting| waiting.len()), Some(4));
    assert_eq!(states[1]["objects"]["Worker#2"]["content"], 1);
    assert_eq!(json["traces"].as_array().map(Vec::len), Some(6));
    let ran = sandbox.run(&["check", "p.abs", "-a", "none", "--all", "--trace", "2", "--html", "page.html"]);
    for part in ["execution 2: ends in state 2", "3 final states", "2: 2 executions, the first is --trace 2"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let both = ["--trace", "2", "--svg", "two.svg", "--html", "page.html"];
    sandbox.run(&[&["check", "p.abs", "-a", "none", "--all"], &both[..]].concat());
    let drawing = std::fs::read_to_string(sandbox.path().join("two.svg")).expect("a drawing was written");
    assert!(drawing.starts_with("<svg xmlns") && drawing.ends_with("</svg>\n"), "{drawing}");
    for part in ["execution 2: ends in state 2", "<style>", "class=\"wait\"", "class=\"waits\""] {
        assert!(drawing.contains(part), "`{part}` in {drawing}");
    }
    let page = std::fs::read_to_string(sandbox.path().join("page.html")).expect("a page was written");
    assert!(page.contains("<h2>execution 2: ends in state 2</h2>"), "{page}");
    let ran = sandbox.run(&["check", "p.abs", "-a", "none", "--all", "--trace", "7"]);
    assert!(ran.stdout.contains("there is no execution 7: 6 executions came to an end"), "{}", ran.stdout);
}

#[test]
fn less_than_every_choice() {
    let sandbox = Sandbox::new("choices");
    sandbox.write("p.abs", corpus("verified/abs/file-reader"));
    for (options, executions) in [
        (&["--tasks", "fifo"][..], 1),
        (&["--tasks", "lifo"], 1),
        (&["--objects", "round-robin"], 6),
        (&["--objects", "round-robin", "--tasks", "fifo"], 1),
    ] {
        let call = [&["check", "p.abs", "--all", "--format", "json"], options].concat();
        let json = sandbox.run(&call).json();
        let found = (&json["verdict"], &json["executions"], &json["limits"][0]);
        assert_eq!(found, (&"incomplete".into(), &executions.into(), &"choices".into()), "{options:?}");
    }
    let ran = sandbox.run(&["check", "p.abs", "-a", "optimal", "--tasks", "fifo"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--tasks fifo leaves out schedules, and `optimal` relies on all"), "{}", ran.stderr);
}

/// A deadlock of two objects, beside one that goes on for ever.
const ENDLESS: &str = "
module Endless;
interface Peer { Int ask(Peer other); Int answer(); }
interface Clock { Unit tick(); }
class Peer implements Peer {
  Int ask(Peer other) {
    Fut<Int> f = other!answer();
    return f.get;
  }
  Int answer() { return 1; }
}
class Clock implements Clock { Int n = 0; Unit tick() { n = n + 1; this!tick(); } }
{
  Clock clock = new Clock();
  Peer a = new Peer();
  Peer b = new Peer();
  clock!tick();
  a!ask(b);
  b!ask(a);
}
";

#[test]
fn a_circle_of_waits_is_found_although_others_go_on_for_ever() {
    let sandbox = Sandbox::new("early");
    sandbox.write("p.abs", ENDLESS);
    for algorithm in ["none", "dpor", "source", "optimal", "observers", "cs", "optimal-cs-observers", "quasi:optimal"] {
        let ran = sandbox.run(&["check", "p.abs", "-a", algorithm, "--no-hunt", "--save-trace", "t.json"]);
        assert_eq!(ran.status, Some(1), "{algorithm}: {ran:?}");
        let report = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "deadlock: these wait for each other, whatever the others do",
            "waits at line 8: f.get, for the result of Peer.answer#2.1, and keeps Peer#2",
            "since Peer#3 is kept by Peer.ask#3",
            "circle of waiting: Peer.ask#2 → Peer.answer#2.1 → Peer.ask#3 → Peer.answer#3.1 → Peer.ask#2",
        ] {
            assert!(report.contains(part), "`{part}` in {}", ran.stdout);
        }
        assert_eq!(sandbox.run(&["replay", "p.abs", "t.json"]).status, Some(1), "{algorithm}");
    }
    let all = ["check", "p.abs", "--all", "--max-depth", "30", "--max-executions", "50", "--format", "json"];
    assert_eq!(sandbox.run(&all).json()["violations"][0]["kind"], "deadlock");
}

#[test]
fn a_circle_of_waits_is_told_once() {
    let sandbox = Sandbox::new("once");
    sandbox.write("p.abs", corpus("violation/abs/polling"));
    let json = sandbox.run(&["check", "p.abs", "-a", "none", "--all", "--format", "json"]).json();
    assert_eq!(json["violations"].as_array().map(Vec::len), Some(1), "{json}");
    assert_eq!(json["executions"], 7);
}

#[test]
fn a_call_instead_of_the_main_block() {
    let sandbox = Sandbox::new("call");
    let class = "class Cell(Int start) implements Cell {
        Int x = start;
        Int both(Int a, Bool b) { assert b || a < x; return a; }
        Unit twice() { this!both(1, True); this!both(2, False); }
    }";
    let main = "{ Cell c = new Cell(9); c!both(0, True); }";
    sandbox.write("p.abs", format!("module Call; interface Cell {{ Int both(Int a, Bool b); }} {class} {main}"));
    let status = |call: &str| sandbox.run(&["check", "p.abs", "--call", call]);
    assert_eq!(sandbox.run(&["check", "p.abs"]).status, Some(0));
    assert_eq!(status("Cell(3).both(3, true)").status, Some(0));
    assert_eq!(status("Cell(3).both(2, False)").status, Some(0));
    let ran = status("Cell(3).both(3, false)");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("assertion failed: b || a < x"), "{ran:?}");
    assert_eq!(status("Cell(2).twice()").status, Some(1), "a method that no interface has");
    for (wrong, message) in [
        ("Cell.both(3, true)", "is given 0 arguments: expected 1"),
        ("Cel(1).both(3, true)", "did you mean `Cell`?"),
        ("Cell(1).bot(3, true)", "did you mean `both`?"),
        ("Cell(1).both(3, 4)", "Bool"),
        ("both(3, true)", "expected a call of a method of a class"),
    ] {
        let ran = status(wrong);
        assert_eq!(ran.status, Some(2), "{wrong}: {ran:?}");
        assert!(ran.stderr.contains(message), "`{message}` in {}", ran.stderr);
    }
    let trace = ["check", "p.abs", "--call", "Cell(3).both(3, false)", "--save-trace", "t.json"];
    assert_eq!(sandbox.run(&trace).status, Some(1));
    assert_eq!(sandbox.run(&["replay", "p.abs", "t.json"]).status, Some(1), "a trace knows the call");
}
