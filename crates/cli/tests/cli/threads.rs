//! `mazurka check --threads N`.

use std::fmt::Write;

use crate::sandbox::{LOST_UPDATE, Sandbox};

/// Executions: the orders of the writers, each of which adds to a counter of its own as well.
fn writers(count: usize) -> String {
    let mut text = String::from("int x = 0, y = 0;\n");
    for number in 0..count {
        writeln!(text, "process p{number} {{ int t = x; x = t + 1; y = y + {number}; }}").expect("it is a text");
    }
    text + "finally { assert y >= 0; }\n"
}

#[test]
fn several_threads_count_the_same() {
    let sandbox = Sandbox::new("threads");
    sandbox.write("writers.mzk", writers(3));
    let counts = |algorithm: &str, threads: &str| {
        let words = ["check", "writers.mzk", "-a", algorithm, "--threads", threads, "--all", "--format", "json"];
        let ran = sandbox.run(&words);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let json = ran.json();
        let fields = ["executions", "blocked", "assume_blocked", "max_events"].map(|name| json[name].as_u64());
        (fields, json["threads"].as_u64())
    };
    // How much is cut depends on how the work is divided: nothing is, here.
    for algorithm in ["optimal", "source", "dpor", "none"] {
        let (alone, threads) = counts(algorithm, "1");
        assert_eq!(threads, None);
        assert!(alone[0].is_some_and(|executions| executions > 50), "{alone:?}");
        for threads in [2, 4, 9] {
            assert_eq!(counts(algorithm, &threads.to_string()), (alone, Some(threads)), "{algorithm}");
        }
    }
}

#[test]
fn several_threads_find_a_failure() {
    let sandbox = Sandbox::new("threads-failure");
    sandbox.write("lost.mzk", LOST_UPDATE);
    let ran = sandbox.run(&["check", "lost.mzk", "--threads", "3", "--save-trace", "lost.json"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("several threads explore by `optimal`"), "{ran:?}");
    assert!(ran.stdout.contains("violation: assertion failed: x == 2 at lost.mzk:14:11"), "{ran:?}");
    assert!(ran.stdout.contains("(optimal, 3 threads; sequential consistency)"), "{ran:?}");
    assert_eq!(sandbox.run(&["replay", "lost.mzk", "lost.json"]).status, Some(1));
}

/// As many executions as are allowed, not one more, whoever runs them.
#[test]
fn limits_are_those_of_all_threads() {
    let sandbox = Sandbox::new("threads-limits");
    sandbox.write("writers.mzk", writers(4));
    let words = |most| {
        ["check", "writers.mzk", "-a", "optimal", "--threads", "4", "--max-executions", most, "--format", "json"]
    };
    let ran = sandbox.run(&words("777"));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert_eq!(ran.json()["executions"].as_u64(), Some(777));
    let all = sandbox.run(&words("1000000"));
    assert_eq!(all.status, Some(0), "{all:?}");
    let count = all.json()["executions"].as_u64().expect("a number").to_string();
    // Exactly as many as there are is no limit.
    assert_eq!(sandbox.run(&words(&count)).status, Some(0));
}

#[test]
fn what_several_threads_cannot_explore_is_refused() {
    let sandbox = Sandbox::new("threads-refused");
    sandbox.write("lost.mzk", LOST_UPDATE).write("empty.abs", "module M; { }");
    let refused = |words: &[&str], parts: &[&str]| {
        sandbox.run(&[&["check"], words, &["--threads", "2"]].concat()).is_refused(parts);
    };
    for algorithm in ["observers", "optimal-cs", "quasi:2", "random:5"] {
        let named = format!("`{algorithm}` explores with one thread only");
        refused(&["lost.mzk", "-a", algorithm], &[&named, "`optimal`, `source`, `dpor` and `none` can"]);
    }
    refused(&["lost.mzk", "--max-switches", "2"], &["context switches", "leave out --threads"]);
    refused(&["empty.abs"], &["only programs in C (or LLVM) and in the process notation"]);
}
