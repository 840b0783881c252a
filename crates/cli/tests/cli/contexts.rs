//! `mazurka contexts`.

use crate::sandbox::Sandbox;

/// A program of the paper, in a version of our own.
fn suite(name: &str) -> String {
    let path = format!("{}/../../bench/suites/lopstr17/{name}.abs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a program of the paper")
}

/// A sandbox with a program of the paper.
fn with(sandbox: &str, program: &str) -> Sandbox {
    let sandbox = Sandbox::new(sandbox);
    sandbox.write("p.abs", suite(program));
    sandbox
}

#[test]
fn contexts_are_counted_by_class() {
    let sandbox = with("contexts-count", "dbprot");
    let ran = sandbox.run(&[
        "contexts",
        "p.abs",
        "--task",
        "DB.register",
        "--task",
        "DB.connect",
        "--task",
        "Worker.work",
        "--max",
        "2",
    ]);
    let expected = "Worker: 3 (work 1..2)\nDB: 19 (connect 1..2, register 1..2)\n57 contexts\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), expected, ""), "{ran:?}");
    let ran = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--max", "3"]);
    assert!(ran.stdout.ends_with("\n13661856 contexts\n"), "{}", ran.stdout);
}

#[test]
fn contexts_are_listed_small_ones_first() {
    let sandbox = with("contexts-list", "dbprot");
    let ran = sandbox.run(&["contexts", "p.abs", "--task", "DB.register=1", "--task", "DB.connect=0..1", "--list"]);
    let expected = "db1:[register]\ndb1:[connect, register]\ndb1:[connect] db2:[register]\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), expected), "{ran:?}");
    let listed = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--list"]);
    assert_eq!(listed.stdout.lines().count(), 30);
    let json = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--list", "--count", "--format", "json"]).json();
    assert_eq!(json["count"], "30");
    let contexts = json["contexts"].as_array().expect("a list");
    assert_eq!(contexts.len(), 30);
    assert_eq!(contexts[0][0]["name"], "worker1");
    assert_eq!(contexts[0][0]["tasks"], serde_json::json!(["work", "ping"]));
}

/// Table 1 of the paper: all contexts, with the true values where its tool ran out of time.
#[test]
fn the_contexts_of_the_benchmarks() {
    for (name, counts) in [
        ("dbprot", ["30", "45961", "13661856"]),
        ("barber", ["8", "6859", "884736"]),
        ("fact", ["15", "2419", "142311"]),
        ("loop", ["3375", "14154926059", "2882142245226231"]),
        ("pairing", ["2", "57", "576"]),
    ] {
        let sandbox = with("contexts-benchmarks", name);
        for (max, count) in ["1", "2", "3"].iter().zip(counts) {
            let ran = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--max", max]);
            assert!(ran.stdout.ends_with(&format!("\n{count} contexts\n")), "{name} {max}: {}", ran.stdout);
        }
    }
}

#[test]
fn numbers_that_are_large() {
    let sandbox = with("contexts-large", "loop");
    let ran = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--max", "9"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("about ") && ran.stdout.contains(" * 10^"), "{}", ran.stdout);
    let ran = sandbox.run(&["contexts", "p.abs", "--all-tasks", "--max", "64"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("unknown (more than 20,000 vectors to count with)"), "{}", ran.stdout);
}

#[test]
fn what_is_refused() {
    let sandbox = with("contexts-refused", "pairing");
    sandbox.write("future.abs", "module M;\nclass C {\n  Int m(Fut<Int> f) { return f.get; }\n}\n");
    sandbox.write("p.mzk", "int x = 0; process p { x = 1; }");
    for (arguments, message) in [
        (&["p.abs"][..], "there are no initial tasks"),
        (&["p.abs", "--task", "Node.makePair=0"], "there are no initial tasks"),
        (&["p.abs", "--task", "Nodes.makePair"], "there is no class `Nodes`"),
        (&["p.abs", "--task", "Nodes.makePair"], "`Node`"),
        (&["p.abs", "--task", "Node.makePairs"], "the class `Node` has no method `makePairs`"),
        (&["p.abs", "--task", "Node.makePairs"], "`makePair`"),
        (&["p.abs", "--task", "makePair"], "`makePair` names no method of a class"),
        (&["p.abs", "--task", "Node.makePair=2..1"], "there is no number from 2 to 1"),
        (&["p.abs", "--task", "Node.makePair=1..65"], "at most 64 tasks"),
        (&["p.abs", "--task", "Node.makePair=many"], "expected a number of tasks"),
        (&["p.abs", "--task", "Node.makePair", "--task", "Node.makePair=2"], "was given before"),
        (&["p.abs", "--all-tasks", "--max", "65"], "65"),
        (&["p.abs", "--all-tasks", "--max", "0"], "0"),
        (&["future.abs", "--task", "C.m"], "takes a future"),
        (&["p.mzk", "--all-tasks"], "has no methods"),
    ] {
        let ran = sandbox.run(&[&["contexts"], arguments].concat());
        assert_eq!(ran.status, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
    sandbox.write("interface.abs", "module M;\ninterface I { Unit m(); }\nclass C implements I { Unit m() { } }\n");
    let ran = sandbox.run(&["contexts", "interface.abs", "--task", "I.m"]);
    assert!(ran.stderr.contains("`I` is an interface"), "{}", ran.stderr);
}

/// Table 1 of the paper: the cycles, the contexts for them (column G), and those with a deadlock
/// (D; 360 where the paper ran out of time at 156).
#[test]
fn the_contexts_for_deadlocks_of_the_benchmarks() {
    for (name, tasks, counts, deadlocks) in [
        ("dbprot", &[&["Worker.work", "DB.connect", "DB.register"][..]][..], ["2", "57", "576"], [1, 30, 360]),
        ("barber", &[&["Barber.sleeps", "Client.wakesup"]], ["1", "9", "36"], [1, 9, 36]),
        ("fact", &[&["Factor.calculateFact"], &["Factor.show"]], ["2", "6", "12"], [2, 6, 12]),
        ("loop", &[&["A.loopA", "B.loopB", "C.loopC"]], ["1", "27", "216"], [1, 27, 216]),
        ("pairing", &[&["Node.makePair", "Exchange.pairs"], &["Node.makePair"]], ["2", "12", "42"], [2, 12, 42]),
    ] {
        let sandbox = with("contexts-deadlock", name);
        for ((max, count), deadlocks) in ["1", "2", "3"].iter().zip(counts).zip(deadlocks) {
            let ran = sandbox.run(&["contexts", "p.abs", "--deadlock", "--max", max, "--format", "json"]);
            assert_eq!(ran.status, Some(1), "{ran:?}");
            let json = ran.json();
            let sum = |what: &str| -> u64 {
                let cycles = json["cycles"].as_array().expect("a list");
                cycles.iter().map(|cycle| cycle["results"][what].as_u64().expect("a number")).sum()
            };
            assert_eq!(sum("deadlock"), deadlocks, "{name} {max}: {json}");
            let all: u64 = count.parse().expect("a number");
            assert_eq!(sum("deadlock") + sum("free"), all, "{name} {max}: nothing is unknown");
            assert_eq!(sum("executed"), tasks.len() as u64, "{name} {max}: the others follow");
            assert_eq!(json["count"], count, "{name} {max}: {json}");
            let cycles = json["cycles"].as_array().expect("a list");
            let methods = |cycle: &serde_json::Value| -> Vec<String> {
                let all = cycle["tasks"].as_array().expect("a list");
                let mut all: Vec<String> = all.iter().map(|task| task["method"].to_string().replace('"', "")).collect();
                all.sort();
                all
            };
            let mut found: Vec<Vec<String>> = cycles.iter().map(methods).collect();
            let mut expected: Vec<Vec<String>> =
                tasks.iter().map(|one| one.iter().map(|&name| name.to_owned()).collect()).collect();
            expected.iter_mut().for_each(|one: &mut Vec<String>| one.sort());
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn a_program_without_a_cycle_has_no_context_with_a_deadlock() {
    let sandbox = Sandbox::new("contexts-free");
    sandbox.write("p.abs", "module M;\ninterface I { Unit m(); }\nclass C implements I { Unit m() { } }\n");
    let ran = sandbox.run(&["contexts", "p.abs", "--deadlock"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("no cycle"), "{}", ran.stdout);
}

#[test]
fn why_a_task_is_needed_is_said() {
    let sandbox = with("contexts-why", "dbprot");
    let ran = sandbox.run(&["contexts", "p.abs", "--deadlock", "--max", "2"]);
    assert!(ran.stdout.contains("DB.connect 1..2 (writes connected)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("57 contexts (of 45961 with all methods)"), "{}", ran.stdout);
    let coarse = sandbox.run(&["contexts", "p.abs", "--deadlock", "--coarse", "--max", "2"]);
    assert!(coarse.stdout.contains("DB.connect 1..2 (writes connected)"), "{}", coarse.stdout);
}
