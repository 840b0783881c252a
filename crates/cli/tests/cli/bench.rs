//! `mazurka bench`, as a user runs it.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::sandbox::{Ran, Sandbox};

/// A row of each program of `jss23` that has figures, small enough for a test.
const ROWS: [&str; 16] = [
    "lastwrite N=4",
    "lastwrite-dif N=4",
    "lastwrite-2phases N=4",
    "floatingread N=5",
    "floatingread-dif N=5",
    "floatingread-2phases N=3",
    "abs N=4",
    "abs-dif N=4",
    "abs-2phases N=3",
    "arraywrite N=5",
    "pipesort N=3",
    "pi N=6",
    "quicksort N=4",
    "mergesort N=6",
    "fib N=5",
    "boundedbuffer N=7",
];

fn bench(arguments: &[&str]) -> Ran {
    let sandbox = Sandbox::new(&format!("bench-{}", arguments.join("-").replace([' ', '/', '='], "_")));
    sandbox.run(&[&["bench"], arguments].concat())
}

/// The runs of one row, as the JSON format has them.
fn runs(row: &str, more: &[&str]) -> Vec<Value> {
    let ran = bench(&[&["--suite", "jss23", "--format", "json", "--filter", row], more].concat());
    assert_eq!(ran.status, Some(0), "{row}: {ran:?}");
    ran.json()["runs"].as_array().expect("there is a list of runs").clone()
}

#[test]
fn without_a_suite_the_suites_are_listed() {
    let ran = bench(&[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("jss23") && ran.stdout.contains("--suite NAME"), "{ran:?}");
}

/// Every algorithm meets the paper's figures in a small size of every program.
#[test]
fn the_figures_of_jss23_are_met() {
    for row in ROWS {
        // All algorithms that the paper has figures for; then the two that are held to those of
        // `optimal`.
        for algorithms in [&[][..], &["-a", "dpor,source"]] {
            for run in runs(row, algorithms) {
                assert_eq!(run["outcome"], "finished", "{row}: {run}");
                let exact = run["bar"]["exact"].as_bool().expect("there is a figure");
                assert!(run["rating"] == "equal" || !exact && run["rating"] == "better", "{row}: {run}");
                assert!(run["peak_memory_bytes"].is_u64() && run["time_s"].is_f64(), "{row}: {run}");
            }
        }
    }
}

/// (N + 3) * 2^(N - 2): no row of the paper's table, but known.
#[test]
fn lastzero_is_counted() {
    let [run] = runs("lastzero", &["-a", "optimal", "--size", "7"]).try_into().expect("there is one run");
    assert_eq!((&run["executions"], &run["blocked"]), (&320.into(), &0.into()));
    assert_eq!((&run["paper"], &run["rating"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_run_that_reaches_the_limit_says_so_and_larger_ones_are_left_out() {
    let limited = ["--suite", "jss23", "-a", "optimal", "--filter", "lastwrite ", "--timeout", "0.2"];
    let sizes = ["--size", "3", "--size", "N=12", "--size", "13"];
    let ran = bench(&[&limited[..], &sizes, &["--format", "csv"]].concat());
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{ran:?}");
    assert!(lines[1].starts_with("lastwrite,N=3,optimal,finished,6,0,"), "{ran:?}");
    assert_eq!(lines[2], "lastwrite,N=12,optimal,timeout,,,,,,,timeout,,optimal,timeout,");
    assert_eq!(lines[3], "lastwrite,N=13,optimal,not run,,,,,,,,,,,");
}

#[test]
fn who_does_not_finish_where_the_paper_does_is_worse() {
    let ran = bench(&["--suite", "jss23", "-a", "optimal", "--filter", "pi N=8", "--timeout", "0.001"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("> 1.0 ms") && ran.stdout.contains("worse"), "{ran:?}");
}

#[test]
fn ctrl_c_reports_what_was_measured_so_far() {
    let sandbox = Sandbox::new("bench-interrupt");
    let arguments = ["bench", "--suite", "jss23", "-a", "optimal", "--filter", "lastwrite ", "--format", "json"];
    let mut command = sandbox.mazurka(&arguments);
    let child = command.args(["--size", "3", "--size", "16"]).stdout(Stdio::piped()).spawn().expect("it starts");
    // Long enough for the first run, and much shorter than the second.
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be run");
    assert!(sent.success());
    let ran = Ran::from(child.wait_with_output().expect("the program ends"));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let report = ran.json();
    assert_eq!((&report["interrupted"], &report["runs"][0]["executions"]), (&true.into(), &6.into()), "{ran:?}");
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1), "{ran:?}");
}

#[test]
fn further_options_reach_every_run() {
    let ran = bench(&["--suite", "jss23", "-a", "optimal", "--filter", "pi N=5", "--", "--max-depth", "3"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("failed: reached max-depth"), "{ran:?}");
}

#[test]
fn tables_for_people_and_documents() {
    let arguments = ["--suite", "jss23", "-a", "optimal", "--filter", "pipesort N=3"];
    let ran = bench(&arguments);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let words: Vec<&str> = ran.stdout.lines().nth(4).unwrap_or_default().split_whitespace().collect();
    assert_eq!(&words[..5], ["pipesort*", "N=3", "optimal", "6", "0"], "{ran:?}");
    assert_eq!(&words[words.len() - 4..], ["6", "10", "ms", "equal"], "{ran:?}");
    assert!(ran.stdout.ends_with("figures compare loosely.\n1 run · 1 equal\n"), "{ran:?}");
    let ran = bench(&[&arguments[..], &["--format", "markdown"]].concat());
    assert!(
        ran.stdout.contains("\n| program | size | algorithm |") && ran.stdout.contains("| 6 | 10 ms | equal |"),
        "{ran:?}"
    );
}

#[test]
fn what_is_not_there_is_refused() {
    bench(&["--suite", "nonesuch"]).is_refused(&["there is no suite `nonesuch`", "jss23"]);
    bench(&["--suite", "jss23", "--filter", "nonesuch"]).is_refused(&[
        "nothing to run",
        "the programs are",
        "pipesort",
    ]);
    bench(&["--suite", "jss23", "--kind", "nonesuch"]).is_refused(&["nothing to run"]);
    bench(&["--suite", "jss23", "--size", "K=2"]).is_refused(&["nothing to run"]);
}
