//! Wrong input and wrong calls: a clear message on stderr, nothing on stdout, status 2.

use crate::sandbox::{ATOMIC, LOST_UPDATE, Ran, Sandbox};

#[test]
fn errors_in_the_source_show_the_line() {
    let sandbox = Sandbox::new("source");
    sandbox.write("bad.mzk", "int count = 0;\nprocess p {\n  cuont = 1;\n  count = ;\n}\n");
    let parts = ["bad.mzk:3:3", "  cuont = 1;", "^^^^^", "help: did you mean `count`?", "bad.mzk:4:11"];
    sandbox.run(&["check", "bad.mzk"]).is_refused(&parts);
    // One object on stdout, whatever happens.
    let mut ran = sandbox.run(&["check", "bad.mzk", "--format", "json"]);
    let error = ran.json()["error"].as_str().expect("what is wrong").to_owned();
    assert!(parts.iter().all(|part| error.contains(part)), "{ran:?}");
    ran.stdout.clear();
    ran.is_refused(&parts);
}

#[test]
fn nesting_ten_thousand_deep() {
    let sandbox = Sandbox::new("deep");
    let deep = |open: &str, close: &str| open.repeat(10_000) + "1" + &close.repeat(10_000);
    let programs = [
        format!("int x = 0; process p {{ x = {}; }}", deep("(", ")")),
        format!("int x = 0; process p {{ x = {}; }}", deep("-", "")),
        format!("int x = 0; process p {{ x = {}; }}", deep("1 ? 2 : ", "")),
        format!("int x = 0; process p {{ {} }}", deep("if (x == 0) { ", "}")),
        format!("int x = 0;\nprocess p {{\n{}\n}}", deep("atomic {\n", "\n}")),
        deep("{", "}"),
    ];
    for program in programs {
        let ran = sandbox.write("deep.mzk", program).run(&["check", "deep.mzk"]);
        ran.is_refused(&["deep.mzk:"]);
        assert!(ran.stderr.len() < 20_000, "{ran:?}");
    }
    // A long chain is not deep.
    let chain = format!("int x = 0; process p {{ x = 0{}; assert x == 10000; }}", " + 1".repeat(10_000));
    let ran = sandbox.write("chain.mzk", chain).run(&["check", "chain.mzk"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}

#[test]
fn files_that_are_no_programs() {
    let sandbox = Sandbox::new("files");
    sandbox.write("empty.mzk", "").write("blank.mzk", " \n\n").write("comment.mzk", "// nothing\n");
    sandbox.write("latin.mzk", b"int x = 0;\n// caf\xe9\n").write("zero.mzk", b"int x\0 = 0;");
    sandbox.write("program.abs", "").write("program.txt", "").write("program", "");
    std::fs::create_dir(sandbox.path().join("dir.mzk")).expect("a directory can be made");
    let refused = |file: &str, parts: &[&str]| sandbox.run(&["check", file]).is_refused(parts);
    refused("empty.mzk", &["`empty.mzk` is empty"]);
    refused("blank.mzk", &["`blank.mzk` is empty"]);
    refused("comment.mzk", &["comment.mzk", "process"]);
    refused("latin.mzk", &["latin.mzk", "byte 17 (0xe9, in line 2) is not UTF-8"]);
    refused("zero.mzk", &["zero.mzk", "byte 5 is zero"]);
    refused("nosuch.mzk", &["there is no file `nosuch.mzk`"]);
    refused("nosuch/x.mzk", &["there is no file `nosuch/x.mzk`"]);
    refused("dir.mzk", &["`dir.mzk` is a directory"]);
    refused("program.abs", &["program.abs", "there is no main block"]);
    refused("program.txt", &["program.txt", "this version reads `.mzk`"]);
    refused("program", &["program", "this version reads `.mzk`"]);
}

#[test]
fn wrong_calls() {
    let sandbox = Sandbox::new("calls");
    sandbox.write("atomic.mzk", ATOMIC);
    let refused = |arguments: &[&str], parts: &[&str]| {
        sandbox.run(&[&["check", "atomic.mzk"], arguments].concat()).is_refused(parts);
    };
    refused(&["-D", "N"], &["NAME=VALUE"]);
    refused(&["-D", "N=five"], &["`five` is neither an integer nor `true` or `false`"]);
    refused(&["-D", "N=99999999999999999999"], &["does not fit 64 bits"]);
    refused(&["-D", "NOSUCH=1"], &["NOSUCH"]);
    refused(&["-a", "fastest"], &["no algorithm of this name", "auto, none, dpor, source, optimal"]);
    refused(&["-a", "quasi:0"], &["no algorithm of this name"]);
    refused(&["-a", "random:0"], &["no algorithm of this name"]);
    refused(&["--timeout", "-1"], &["--timeout"]);
    refused(&["--timeout=soon"], &["number of seconds"]);
    refused(&["--max-executions", "many"], &["whole number"]);
    refused(&["--format", "xml"], &["human", "json"]);
    refused(&["--save-trace", "nosuch/t.json"], &["nosuch"]);
    refused(&["--", "argument"], &["takes no arguments"]);
    refused(&["atomic.mzk"], &["is one file"]);
    for option in [&["-I", "."][..], &["--cflags", "-O1"], &["--leaks"], &["--overflow"], &["--no-data-races"]] {
        refused(option, &[option[0], "is for C and C++ programs"]);
    }
    for option in [&["--unroll", "3"][..], &["--nondet", "-1..1"], &["--clang", "clang"]] {
        refused(option, &[option[0], "is for C and C++ programs"]);
    }
    refused(&["--nondet", "3..1"], &["there is no number from 3 to 1"]);
    sandbox.run(&["chekc", "atomic.mzk"]).is_refused(&["chekc"]);
    assert_eq!(sandbox.run(&[]).status, Some(2));
    assert_eq!(sandbox.run(&["check"]).status, Some(2));
}

#[test]
fn help_teaches() {
    let sandbox = Sandbox::new("help");
    let ran = sandbox.run(&["--help"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.stdout.contains("Exit status:") && ran.stdout.contains("mazurka check counter.mzk"), "{ran:?}");
    let ran = sandbox.run(&["check", "--help"]);
    assert_eq!(ran.status, Some(0));
    for part in ["--timeout", "--max-depth", "[default: 1_000_000]", "wakeup trees", "Exit status:"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    let ran = sandbox.run(&["--version"]);
    assert_eq!((ran.status, ran.stdout), (Some(0), format!("mazurka {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_trace_file_that_cannot_be_written_does_not_hide_the_verdict() {
    let sandbox = Sandbox::new("unwritable");
    sandbox.write("lost.mzk", LOST_UPDATE);
    let ran: Ran = sandbox.run(&["check", "lost.mzk", "--save-trace", "/dev/full"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("violation: "), "{ran:?}");
    assert!(ran.stderr.contains("cannot write the trace to `/dev/full`"), "{ran:?}");
}
