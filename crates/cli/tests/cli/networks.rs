//! `mazurka sdn`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::{Ran, Sandbox};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program at the root of the repository.
fn run(arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(arguments).current_dir(root()).env_remove("COLUMNS").env_remove("NO_COLOR");
    Ran::from(command.output().expect("the program can be started"))
}

const LOAD_BALANCER: &str = "corpus/violation/sdn/load-balancer.sdn";

/// Commands of the chapter print what it shows: line by line, in that order; `…` stands for more.
#[test]
fn the_chapter_shows_what_is_printed() {
    let chapter = std::fs::read_to_string(root().join("docs/load-balancer.md")).expect("there is a chapter");
    let mut lines = chapter.lines().peekable();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ mazurka ") else { continue };
        commands += 1;
        let words: Vec<&str> = command.split_whitespace().collect();
        let ran = run(&words);
        let mut printed = ran.stdout.lines().map(str::trim_end);
        while let Some(shown) = lines.next_if(|line| line.starts_with("    ") || line.is_empty()) {
            let shown = shown.strip_prefix("    ").unwrap_or(shown).trim_end();
            if shown.starts_with("$ ") {
                panic!("an empty line and a sentence stand between two commands");
            }
            if shown.is_empty() || shown == "…" {
                continue;
            }
            assert!(
                printed.any(|line| line == shown),
                "`{shown}` is not printed, at least not there, by\n{command}\n{}",
                ran.stdout
            );
        }
    }
    assert!(commands >= 4, "{commands}");
}

#[test]
fn a_violation_is_shown_with_its_way() {
    let ran = run(&["sdn", "check", LOAD_BALANCER]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in ["the way of packet 0", "1: src = h[0] -> out", "overtakes", "with `await barrier();` before"] {
        assert!(ran.stdout.contains(part), "`{part}` in {}", ran.stdout);
    }
    // `check` may be left out.
    assert_eq!(run(&["sdn", LOAD_BALANCER]).status, Some(1));
}

#[test]
fn json_tells_of_packets_and_ways() {
    let object = run(&["sdn", "check", LOAD_BALANCER, "-D", "P=3", "--format", "json"]).json();
    assert_eq!(object["verdict"], "violation");
    assert!(object["packets"].is_array());
    let violation = &object["violations"][0];
    assert_eq!(violation["packets"], 1, "{violation}");
    assert!(violation["path"].is_array() && violation["reordered"].is_number(), "{violation}");
}

/// The simplest schedule: one packet of many, whatever the exploration met first.
#[test]
fn counterexamples_are_small() {
    let object =
        run(&["sdn", "check", LOAD_BALANCER, "-D", "P=40", "--all", "--max-executions", "60", "--format", "json"])
            .json();
    let violations = object["violations"].as_array().expect("there are some");
    assert!(!violations.is_empty());
    for violation in violations {
        assert_eq!(violation["packets"], 1, "{violation}");
        assert!(violation["schedule"].as_array().is_some_and(|steps| steps.len() <= 13), "{violation}");
    }
}

#[test]
fn a_saved_trace_shows_again() {
    let sandbox = Sandbox::new("sdn-replay");
    let trace = sandbox.path().join("trace.json").display().to_string();
    assert_eq!(run(&["sdn", "check", LOAD_BALANCER, "-D", "P=3", "--save-trace", &trace]).status, Some(1));
    let ran = run(&["replay", LOAD_BALANCER, &trace]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("violation shows again"), "{}", ran.stdout);
}

#[test]
fn pictures_are_written() {
    let sandbox = Sandbox::new("sdn-show");
    let svg = sandbox.path().join("net.svg").display().to_string();
    assert_eq!(run(&["sdn", "show", LOAD_BALANCER, "-o", &svg]).status, Some(0));
    let drawn = std::fs::read_to_string(&svg).expect("it was drawn");
    assert!(drawn.starts_with("<svg") && drawn.contains(">s1<") && drawn.contains(">r2<"));
    let page = sandbox.path().join("page.html").display().to_string();
    assert_eq!(run(&["sdn", "check", LOAD_BALANCER, "--html", &page]).status, Some(1));
    let page = std::fs::read_to_string(&page).expect("it was written");
    assert!(page.contains("class=\"way\"") && page.contains("class=\"guilty\""), "the way is drawn");
}

#[test]
fn tables_are_looked_at() {
    let sandbox = Sandbox::new("sdn-tables");
    sandbox.write("good.sdn", "header { dst: host; } topology linear(3); miss drop; routes 1: dst; check { }");
    sandbox.write(
        "bad.sdn",
        "header { dst: host; } topology ring(3); miss drop; table s[0] { 1: * -> out 1; } \
         table s[1] { 1: * -> out 1; } table s[2] { 1: * -> out 1; } check { }",
    );
    let good = sandbox.run(&["sdn", "tables", "good.sdn", "--matrix"]);
    assert_eq!(good.status, Some(0), "{good:?}");
    assert!(good.stdout.contains("h[0] -> h[2]: dst = h[2]"), "{}", good.stdout);
    let bad = sandbox.run(&["sdn", "tables", "bad.sdn", "--format", "json"]);
    assert_eq!((bad.status, bad.json()["loops"].as_array().map(Vec::len)), (Some(1), Some(3)));
}

#[test]
fn an_exported_network_is_checked() {
    let sandbox = Sandbox::new("sdn-export");
    let abs = sandbox.path().join("net.abs").display().to_string();
    assert_eq!(run(&["sdn", "export", LOAD_BALANCER, "-o", &abs]).status, Some(0));
    let words = [
        "check",
        &abs,
        "--dependence",
        "entry",
        "--property",
        "SwitchC.broken",
        "-a",
        "optimal",
        "--all",
        "--format",
        "json",
    ];
    let object = run(&words).json();
    assert_eq!((&object["verdict"], &object["executions"]), (&"violation".into(), &8.into()));
    let refused = run(&["sdn", "export", "corpus/verified/sdn/load-balancer-sequential.sdn"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("`then`"), "{}", refused.stderr);
}

/// Barriers that are made of futures: 2 classes for one packet, where causes have one.
#[test]
fn barriers_can_be_made_of_futures() {
    let sandbox = Sandbox::new("sdn-futures");
    let text = std::fs::read_to_string(root().join("corpus/verified/sdn/load-balancer-hash.sdn")).expect("it is there");
    let start = text.find("check {").expect("there are properties");
    sandbox.write("net.sdn", format!("{}check {{ no_loop; no_blackhole; }}\n", &text[..start]));
    let executions = |packets: &str, barriers: &str| {
        let words =
            ["sdn", "check", "net.sdn", "-D", packets, "--barriers", barriers, "-a", "optimal", "--format", "json"];
        sandbox.run(&words).json()["executions"].as_u64()
    };
    assert_eq!([executions("P=1", "futures"), executions("P=2", "futures")], [Some(2), Some(56)]);
    assert_eq!([executions("P=1", "scoped"), executions("P=2", "scoped")], [Some(1), Some(1)]);
    sandbox.write("other.sdn", text);
    sandbox.run(&["sdn", "check", "other.sdn", "--barriers", "futures"]);
}

#[test]
fn nothing_sent_is_verified_and_said() {
    let ran = run(&["sdn", "check", LOAD_BALANCER, "-D", "P=0"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains("no packet is sent"), "{ran:?}");
}
