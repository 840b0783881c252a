//! The papers' own examples, with the papers' numbers.

use std::sync::Arc;

use mazurka_testkit::{Algorithm, Checks, Counts, check_all_algorithms, load, machine};

use mazurka_explore::{Monitor, Options, explain, explore};
use mazurka_machine::Describe;
use mazurka_process::Image;
use mazurka_trace::{AccessKind, Check, Explanation, Outcome, Value};

/// An explanation with names, and with how a location was used and what was left there.
type Told = Explanation<String, (AccessKind, Value)>;

fn checked(source: &str) -> Counts {
    let counts = check_all_algorithms(source, &Checks { shuffles: vec![1, 2, 3], ..Checks::default() });
    match counts {
        Ok(Some(counts)) => counts,
        Ok(None) => panic!("too large for brute force:\n{source}"),
        Err(disagreement) => panic!("{disagreement}\n{source}"),
    }
}

fn check(source: &str, interleavings: u64, traces: u64) {
    let counts = checked(source);
    assert_eq!((counts.interleavings, counts.traces), (interleavings, traces), "{source}");
}

fn outcome(image: &Arc<Image>, algorithm: Algorithm) -> Outcome {
    let options = Options { algorithm, ..Options::default() };
    explore(&mut machine(image), &options, &Monitor::default())
}

fn executions(source: &str, algorithm: Algorithm) -> u64 {
    let outcome = outcome(&load("test.mzk", source, &[]).expect("the program is valid"), algorithm);
    assert_eq!(outcome.blocked, 0, "{algorithm}: {source}");
    outcome.executions
}

/// Optimal context-sensitive DPOR with observers (JSS 2023), running example: Figs. 1 and 2.
#[test]
fn jss_running_example() {
    let source = "
        int x = 0, y = 0;
        process p { y = 1; x = 1; }
        process q { x = 2; }
        process r { assert x < 3; assert x < 2; }";
    check(source, 30, 12);
    // P1 to P4 are left out, and one more, since a step that commutes with the next one stays
    // forbidden; the schedule does not stop at the assertion that fails. Observers leave P5 out:
    // nobody reads x after the last two writes.
    for (algorithm, expected) in
        [(Algorithm::Cs, (5, 5)), (Algorithm::OptimalCs, (5, 5)), (Algorithm::Observers, (11, 0))]
    {
        let image = load("test.mzk", source, &[]).expect("the program is valid");
        let options = Options { algorithm, all: true, ..Options::default() };
        let outcome = explore(&mut machine(&image), &options, &Monitor::default());
        assert_eq!((outcome.executions, outcome.blocked), expected, "{algorithm}");
    }
}

/// The same example, step by step: Figs. 1 and 4 and Examples 6, 9 and 10. The prunings P1 to P4
/// come from the comparisons that the paper names, P5 from observers. P6 is not there: the check
/// that it comes from is unsound, see `traps.rs`.
#[test]
fn jss_running_example_explained() {
    let source = "
        int x = 0, y = 0;
        process q { x = 2; }
        process p { y = 1; x = 1; }
        process r { assert x < 3; assert x < 2; }";
    let image = load("test.mzk", source, &[]).expect("the program is valid");
    let remarks = |algorithm| {
        let options = Options { algorithm, all: true, ..Options::default() };
        let mut machine = machine(&image);
        let (outcome, remarks) = explain(&mut machine, &options, &Monitor::default());
        let remarks = remarks.iter().map(|remark| {
            remark.named(|process| machine.process_name(process), |access| (access.kind, access.after), |site| site)
        });
        (outcome, remarks.collect::<Vec<_>>())
    };
    // What is cut, and the comparison because of which it is: after which schedule, and which order
    // is not to be run there.
    let cuts = |remarks: &[Told]| -> Vec<(String, String, String)> {
        let comparison = |number: usize| {
            let all = remarks.iter().filter_map(|remark| match remark {
                Explanation::Compared(comparison) => Some(comparison),
                _ => None,
            });
            all.into_iter().find(|comparison| comparison.number == number).expect("it was made")
        };
        let cuts = remarks.iter().filter_map(|remark| match remark {
            // Without a comparison, somebody sleeps there who was explored before.
            Explanation::Cut { schedule, because, .. } => Some((schedule, comparison(*because.first()?))),
            _ => None,
        });
        cuts.map(|(schedule, because)| (schedule.join("."), because.after.join("."), because.reversed.join(".")))
            .collect()
    };
    let (outcome, context) = remarks(Algorithm::OptimalCs);
    assert_eq!(outcome.executions, 5);
    let cut = cuts(&context);
    // The states that P1 comes from: r sees one value before p writes and another one after it, and
    // passes its assertion with both.
    let states = context.iter().find_map(|remark| match remark {
        Explanation::Compared(comparison) if comparison.after == ["q", "p"] && comparison.reversed == ["r", "p"] => {
            Some((comparison.check, comparison.used.clone()))
        }
        _ => None,
    });
    let (read, write) =
        (|value| ("r".to_owned(), vec![(AccessKind::Read, value)]), || ("p".to_owned(), vec![(AccessKind::Write, 1)]));
    assert_eq!(states, Some((Check::States, [vec![write(), read(1)], vec![read(2), write()]])));
    for (schedule, after, order) in [
        // P1: p is forbidden after q.p.r because r.p is after q.p.
        ("q.p.r.p", "q.p", "r.p"),
        // P2: q after p.p.r, because of r.q after p.p.
        ("p.p.r.q", "p.p", "r.q"),
        // P3: p after p.r, because of r.p after p.
        ("p.r.p", "p", "r.p"),
    ] {
        assert!(cut.contains(&(schedule.into(), after.into(), order.into())), "{schedule}: {cut:?}");
    }
    // P4: q after p.r; the paper has it from r.q after p, which the one at the beginning says
    // already.
    assert!(cut.iter().any(|(schedule, _, order)| schedule == "p.r.q" && order == "r.q"), "{cut:?}");
    // P5: the order of the two last writes is not even requested.
    let compares = |remarks: &[Told], observed: &str| {
        remarks.iter().any(|remark| match remark {
            Explanation::Compared(comparison) => {
                comparison.after.join(".") == observed && comparison.first.0 != "r" && comparison.second.0 != "r"
            }
            _ => false,
        })
    };
    let (_, both) = remarks(Algorithm::OptimalCsObservers);
    assert!(compares(&context, "p.r.r") && !compares(&both, "p.r.r"));
}

/// Context-sensitive engines where every race commutes: N workers that add to a sum take one
/// execution (the paper's need as many as there are alternating permutations of N: JSS 2023, Table
/// 1, pi); writers of different values, all of them.
#[test]
fn sums_and_different_values() {
    for (n, factorial) in [(5, 120), (6, 720), (7, 5040)] {
        for algorithm in [Algorithm::Cs, Algorithm::OptimalCs] {
            let run = |statement: &str| {
                let source = format!("int x = 0; process w[{n}](i) {{ {statement} }}");
                let image = load("test.mzk", &source, &[]).expect("the program is valid");
                let options = Options { algorithm, ..Options::default() };
                explore(&mut machine(&image), &options, &Monitor::default()).executions
            };
            assert_eq!((run("x = x + 1;"), run("x = i;")), (1, factorial), "{algorithm}, N = {n}");
        }
    }
}

/// Thesis of 2020, Example 1.
#[test]
fn thesis_example_1() {
    let source = "
        int x = 0, y = 0, z = 0;
        process p { y = 1; x = 5; }
        process q { z = 2; x = 4; }
        process r { assert x > 0; }";
    check(source, 30, 6);
}

/// Constrained DPOR (CAV 2018), Fig. 1, from two initial states: all final values are reached.
#[test]
fn cav_figure_1() {
    for (z, x) in [(-2, -2), (-1, -2)] {
        let counts = checked(&format!(
            "int z = {z}, x = {x};
             process p {{ atomic {{ x = x + 1; }} }}
             process q {{ atomic {{ if (z >= 0) {{ z = x; }} }} }}
             process r {{ atomic {{ x = x + 1; z = z + 1; }} }}"
        ));
        assert_eq!(counts.interleavings, 6);
    }
}

/// Quasi-Optimal POR (CAV 2018), Fig. 1: n writers of variables of their own, a counter, and a
/// reader of the variable that the counter points to: 2n executions.
#[test]
fn qpor_figure_1() {
    for n in 1..=8 {
        let source = format!(
            "int x[{n}] = 0; int c = 0;
             process writer[{n}](i) {{ x[i] = 7; }}
             process count {{ int k = 1; while (k < {n}) {{ c = k; k = k + 1; }} }}
             process master {{ int i = c; int t = x[i]; }}"
        );
        assert_eq!(executions(&source, Algorithm::Optimal), 2 * n, "n = {n}");
        if n <= 2 {
            assert_eq!(checked(&source).traces, 2 * n);
        }
    }
}

/// The same with ten writers and two earlier decisions to respect: optimal, where `source` explores
/// hundreds of times as much.
#[test]
fn qpor_figure_1_with_ten_writers() {
    let source = "int x[10] = 0; int c = 0;
        process writer[10](i) { x[i] = 7; }
        process count { int k = 1; while (k < 10) { c = k; k = k + 1; } }
        process master { int i = c; x[i] = 0; }";
    for algorithm in ["quasi:2", "quasi:3", "quasi:optimal"] {
        assert_eq!(executions(source, algorithm.parse().expect("it is an algorithm")), 20, "{algorithm}");
    }
    let blocked = |algorithm| outcome(&load("test.mzk", source, &[]).expect("the program is valid"), algorithm).blocked;
    assert!(blocked(Algorithm::Source) > 1_000);
}

/// Quasi-Optimal POR (CAV 2018), Table 1, the smaller rows: the larger K, the fewer explorations
/// are blocked, and never more than in the paper (which rounds to thousands).
#[test]
fn qpor_table_1() {
    type Row<'a> = (&'a str, &'a [(&'a str, i64)], u64, [u64; 4]);
    let rows: [Row<'_>; 5] = [
        ("disp", &[("S", 5), ("R", 2)], 137, [1_499, 43, 0, 0]),
        ("mpat", &[("K", 4)], 384, [0, 0, 0, 0]),
        ("mpc", &[("P", 2), ("W", 5)], 60, [560, 0, 0, 0]),
        ("pi", &[("N", 5)], 120, [0, 0, 0, 0]),
        ("pol", &[("N", 7), ("K", 3)], 2_440, [72_499, 1_499, 6, 0]),
    ];
    for (name, sizes, executions, most) in rows {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = file.join(format!("../../bench/suites/qpor18/{name}.mzk"));
        let source = std::fs::read_to_string(file).expect("the program is there");
        let sizes: Vec<(String, i64)> = sizes.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        let image = load("test.mzk", &source, &sizes).expect("the program is valid");
        let mut fewer = u64::MAX;
        // The first row of the paper takes a while for this program.
        let names = ["quasi:1", "quasi:2", "quasi:3", "quasi:optimal"];
        for (algorithm, most) in names.into_iter().zip(most).skip(usize::from(name == "pol")) {
            let outcome = outcome(&image, algorithm.parse().expect("it is an algorithm"));
            assert_eq!(outcome.executions, executions, "{name}, {algorithm}");
            assert!(outcome.blocked <= most.min(fewer), "{name}, {algorithm}: {}", outcome.blocked);
            fewer = outcome.blocked;
        }
    }
}

/// N writers of one variable: N! traces, whatever the algorithm; N for one that counts who observes
/// what.
#[test]
fn lastwrite() {
    let mut factorial = 1;
    for n in 1..=7 {
        factorial *= n;
        let source = format!("int x = 0; process w[{n}](i) {{ x = i + 1; }} finally {{ assert x > 0; }}");
        for algorithm in Algorithm::ALL {
            let expected = if algorithm.counts_observers() { n } else { factorial };
            assert_eq!(executions(&source, algorithm), expected, "{algorithm}, N = {n}");
        }
    }
}
