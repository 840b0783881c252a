//! Bounded model checking against exploration. Z3 is needed unless `MAZURKA_NEED_Z3` is 0.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mazurka_bmc::{Cutoff, Encoding, Options, Reduction, Report, check, schedules};
use mazurka_process::Image;
use mazurka_smt::solver::Settings;
use mazurka_testkit::{Schedules, check_schedules, check_verdicts, generate, initial_processes, load};
use mazurka_trace::Verdict;

/// So many random programs.
const PROGRAMS: u64 = 20;

fn has_solver() -> bool {
    let there = mazurka_smt::Solver::start(Settings::default()).is_ok();
    assert!(there || std::env::var_os("MAZURKA_NEED_Z3").is_none_or(|need| need != "1"), "Z3 is missing");
    there
}

fn bounded(image: &Arc<Image>, reduction: Reduction, encoding: Encoding) -> Report {
    let options =
        Options { reduction, encoding, steps: 60, timeout: Some(Duration::from_secs(60)), ..Options::default() };
    check(image, &options, &Settings::default()).unwrap_or_else(|error| panic!("{reduction}: {error}"))
}

#[test]
fn verdicts_agree_with_exploration_on_random_programs() {
    if !has_solver() {
        return;
    }
    let mut open = Vec::new();
    for seed in 0..PROGRAMS {
        let source = generate(seed).to_string();
        let image = load("random.mzk", &source, &[]).expect("random programs are valid");
        let found = check_verdicts(&image, seed).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        open.extend(found.1.into_iter().map(|open| format!("seed {seed}: {open}")));
    }
    assert_eq!(open, Vec::<String>::new(), "these came to no verdict");
}

/// Theorem 2, and what it is for more processes; `cargo xtask fuzz --bmc` takes more programs.
#[test]
fn one_schedule_of_each_trace_is_left_of_random_programs() {
    if !has_solver() {
        return;
    }
    let (mut of_two, mut of_more, mut seed) = (0, 0, 0);
    while of_two < PROGRAMS / 2 || of_more < PROGRAMS / 2 {
        let source = generate(seed).to_string();
        let image = load("random.mzk", &source, &[]).expect("random programs are valid");
        let found = check_schedules(&image, 20, seed).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        of_two += u64::from(matches!(found, Schedules::OfTwo(_)));
        of_more += u64::from(matches!(found, Schedules::OfMore(_)));
        seed += 1;
    }
}

/// The same on the corpus: programs of two processes and of more, with up to so many traces. How
/// many of each, and those of two processes that were skipped.
fn corpus(most_of_two: usize, most_of_more: usize) -> (usize, usize, Vec<String>) {
    let mut files = Vec::new();
    for folder in ["verified", "violation"] {
        let folder = format!("{}/../../corpus/{folder}", env!("CARGO_MANIFEST_DIR"));
        let entries = std::fs::read_dir(folder).expect("it can be listed");
        files.extend(entries.map(|entry| entry.expect("it is there").path()));
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "mzk"));
    files.sort();
    let found = Mutex::new((0, 0, Vec::new()));
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let source = std::fs::read_to_string(file).expect("it can be read");
            let given = mazurka_testkit::corpus::Expectation::parse(&source).expect("it is well-formed");
            let image = load("corpus.mzk", &source, &given.definitions).expect("it is valid");
            let (two, begin) = (initial_processes(&image) == 2, Instant::now());
            let schedules = check_schedules(&image, if two { most_of_two } else { most_of_more }, 0);
            println!("{:.1} s: {}: {schedules:?}", begin.elapsed().as_secs_f64(), file.display());
            let mut found = found.lock().expect("nobody panics with it");
            match schedules.unwrap_or_else(|error| panic!("{}: {error}", file.display())) {
                Schedules::OfTwo(_) => found.0 += 1,
                Schedules::OfMore(_) => found.1 += 1,
                Schedules::Skipped(why) if two => found.2.push(format!("{}: {why}", file.display())),
                Schedules::Skipped(_) => {}
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    found.into_inner().expect("nobody panics with it")
}

/// All but those that have many traces.
#[test]
fn one_schedule_of_each_trace_is_left_of_the_corpus() {
    if !has_solver() {
        return;
    }
    let (of_two, of_more, mut skipped) = corpus(40, 12);
    assert!(of_two >= 73 && of_more >= 44, "{of_two} of two processes, {of_more} others");
    skipped.retain(|skipped| !skipped.ends_with(": traces"));
    assert_eq!(skipped, Vec::<String>::new(), "these were skipped");
}

/// Takes a minute or two.
#[test]
#[ignore = "cargo test -p mazurka-testkit --test bmc --release -- --ignored"]
fn one_schedule_of_each_trace_is_left_of_the_whole_corpus() {
    let (of_two, of_more, skipped) = corpus(400, 40);
    println!("{of_two} of two processes, {of_more} others");
    assert_eq!(skipped, Vec::<String>::new(), "these were skipped");
}

/// Steps that write nothing where they are looked at, but would after the other one: they do not
/// commute.
#[test]
fn a_step_that_would_write_elsewhere_is_disturbed() {
    if !has_solver() {
        return;
    }
    let source = include_str!("../../../corpus/violation/trap-7-many-switches.mzk");
    let image = load("trap.mzk", source, &[]).expect("it is valid");
    for reduction in Reduction::ALL {
        for encoding in Encoding::ALL {
            assert_eq!(bounded(&image, reduction, encoding).verdict(), Verdict::Violation, "{reduction}, {encoding:?}");
        }
    }
}

/// One value out of 2^32, and one order of steps.
#[test]
fn a_needle_in_a_haystack_is_found() {
    if !has_solver() {
        return;
    }
    let source = "
        int x = 0, y = 0; bool hit;
        process p { int secret = any(0, 4294967295); x = secret; y = 1; assert !hit; }
        process q { if (y == 0 && x == 3735928559) { hit = true; } }";
    let image = load("needle.mzk", source, &[]).expect("it is valid");
    for reduction in Reduction::ALL {
        let report = bounded(&image, reduction, Encoding::Dependent);
        let violation = report.violation.unwrap_or_else(|| panic!("{reduction}: {:?}", report.cutoffs));
        assert!(violation.schedule.iter().any(|step| step.choices == [3_735_928_559]), "{reduction}");
    }
    let harmless = source.replace("3735928559", "4294967296");
    let image = load("needle.mzk", &harmless, &[]).expect("it is valid");
    for reduction in Reduction::ALL {
        assert_eq!(bounded(&image, reduction, Encoding::Merged).verdict(), Verdict::Verified, "{reduction}");
    }
}

/// A step that is swapped with one before it takes its own choices with it: the only way to the
/// failure is that both processes choose the first cell, by different numbers, in the order that is
/// not preferred.
#[test]
fn neighbours_have_their_own_choices() {
    if !has_solver() {
        return;
    }
    let source = "
        int a[2];
        process p { atomic { int c = choose(0, 1); a[1 - c] = 6; } }
        process q { atomic { int c = choose(0, 1); a[c] = 5; } }
        finally { assert !(a[0] == 6 && a[1] == 0); }";
    let image = load("choices.mzk", source, &[]).expect("it is valid");
    for reduction in Reduction::ALL {
        for encoding in Encoding::ALL {
            assert_eq!(bounded(&image, reduction, encoding).verdict(), Verdict::Violation, "{reduction}, {encoding:?}");
        }
    }
}

/// A step does not fail before local code that goes first has run, which may fail as well (random
/// program 8809).
#[test]
fn a_failure_waits_for_its_turn() {
    if !has_solver() {
        return;
    }
    for bound in [0, 1] {
        let source = format!(
            "int k = 0;
             process p {{ assert k >= 1; }}
             process q[2](i) {{ int t = choose(0, 1); assert t >= {bound}; k = 1; }}"
        );
        let image = load("turn.mzk", &source, &[]).expect("it is valid");
        for reduction in Reduction::ALL {
            assert_eq!(bounded(&image, reduction, Encoding::Both).verdict(), Verdict::Violation, "{reduction}");
        }
    }
}

/// The solver lets a process wait before local code that may discard, and chooses there later what
/// does not; the machine does so as well (random program 12697).
#[test]
fn a_choice_is_left_until_it_is_made() {
    if !has_solver() {
        return;
    }
    let source = "
        int x = 0;
        int y = 0;
        process p { assume y <= 1; int t = choose(0, 1); x = 0; if (t == x) { await y < 0; } }
        process q { y = 2; int t = choose(0, 1); assume t == 0; assume y >= 1; }";
    let image = load("later.mzk", source, &[]).expect("it is valid");
    for reduction in Reduction::ALL {
        assert_eq!(bounded(&image, reduction, Encoding::Both).verdict(), Verdict::Violation, "{reduction}");
    }
}

/// Executions with more processes than there is room for are left out, and that is said; what fails
/// without them is found.
#[test]
fn processes_beyond_the_bound_are_left_out() {
    if !has_solver() {
        return;
    }
    let source = "
        const MOST = 100;
        int x = 0;
        proc w() { atomic { x = x + 1; assert x <= MOST; spawn w(); } }
        process p { spawn w(); }
        finally { assert false; }";
    for (most, expected) in [(100, Verdict::Incomplete), (2, Verdict::Violation)] {
        let image = load("spawning.mzk", source, &[("MOST".to_owned(), most)]).expect("it is valid");
        for reduction in Reduction::ALL {
            let options = Options { reduction, processes: 4, ..Options::default() };
            let report = check(&image, &options, &Settings::default()).expect("the solver works");
            assert_eq!(report.verdict(), expected, "{reduction}: {:?}", report.cutoffs);
            let beyond = expected == Verdict::Incomplete;
            assert_eq!(report.cutoffs.contains(&Cutoff::Processes), beyond, "{reduction}");
        }
    }
}

/// How many schedules each reduction leaves.
fn left(source: &str) -> Vec<usize> {
    let image = load("left.mzk", source, &[]).expect("it is valid");
    let of = |reduction: Reduction| {
        let options = Options { reduction, ..Options::default() };
        schedules(&image, &options, &Settings::default(), 1_000).expect("the solver works").expect("it ends").len()
    };
    Reduction::ALL.into_iter().map(of).collect()
}

/// What each rule is for: none, static, simple, full, synth, monotonic.
#[test]
fn every_rule_leaves_out_what_it_says() {
    if !has_solver() {
        return;
    }
    let cases = [
        ("rule 1", "int x; int y; process p { x = 1; } process q { y = 1; }", [2, 1, 1, 1, 1, 1]),
        ("rule 2", "int i = 0; int a[3]; process p { a[i] = 1; } process q { a[i + 1] = 1; }", [2, 1, 1, 1, 1, 1]),
        ("rule 4a", "int x = 1; int y; process p { y = x; } process q { x = 1; }", [2, 2, 2, 1, 1, 2]),
        ("rule 4b", "int x; process p { x = 1; } process q { x = 1; }", [2, 2, 2, 1, 1, 2]),
        ("rule 4c", "int x; process p { await x < 10; } process q { x = 3; }", [2, 2, 2, 1, 1, 2]),
        // The combinations: other cells, or a condition that comes out the same; two variables at
        // once.
        ("rules 2, 4c", "int a[2] = {7, 0}; process p { await a[0] > 5; } process q { a[0] = 9; }", [2, 2, 2, 1, 1, 2]),
        ("rules 2, 4c", "int a[2] = {7, 0}; process p { await a[0] > 5; } process q { a[0] = 3; }", [2; 6]),
        ("rules 2, 4c", "int a[2] = {7, 0}; process p { await a[0] > 5; } process q { a[1] = 3; }", [2, 1, 1, 1, 1, 1]),
        (
            "rules 4a, 4b",
            "int x = 1, y; process p { atomic { y = x; } } process q { atomic { x = 1; y = 1; } }",
            [2, 2, 2, 1, 1, 2],
        ),
        (
            "rules 4a, 4b",
            "int x = 1, y; process p { atomic { y = x; } } process q { atomic { x = 1; y = 2; } }",
            [2; 6],
        ),
        // Value by value: who is enabled by the other comes after it, who waits for what the other
        // leaves alone does not.
        ("enabled", "int c = 1; process p { atomic { await c == 0; c = 2; } } process q { c = 0; }", [1; 6]),
        ("both orders", "int c; process p { atomic { await c == 0; c = 2; } } process q { c = 0; }", [2; 6]),
        ("same value", "int c; process p { atomic { await c < 2; c = 1; } } process q { c = 1; }", [2, 2, 2, 2, 1, 2]),
        (
            "same value",
            "int c = 1; process p { atomic { await c < 2; c = 1; } } process q { c = 1; }",
            [2, 2, 2, 1, 1, 2],
        ),
        ("synthesis", "int x; process p { x = x + 1; } process q { x = x + 2; }", [2, 2, 2, 2, 1, 2]),
        // The paper's example of three threads: only quasi-monotonic schedules are one for each of
        // the two traces.
        ("three", "int x; int y; process p { x = 1; } process q { y = 1; } process r { x = 2; }", [6, 3, 3, 3, 3, 2]),
    ];
    for (name, source, expected) in cases {
        assert_eq!(left(source), expected, "{name}");
    }
}

/// What the `//~` lines of a program of the bounded corpus say.
#[derive(Default)]
struct Bounds {
    steps: usize,
    shortest: Option<usize>,
    violation: Option<String>,
}

impl Bounds {
    fn parse(source: &str) -> Bounds {
        let mut bounds = Bounds::default();
        for line in source.lines().filter_map(|line| line.strip_prefix("//~ ")) {
            match line.split_once(": ").expect("it is a key and a value") {
                ("steps", value) => bounds.steps = value.parse().expect("it is a number"),
                ("shortest", value) => bounds.shortest = Some(value.parse().expect("it is a number")),
                ("violation", value) => bounds.violation = Some(value.to_owned()),
                (other, _) => panic!("`{other}` is not known"),
            }
        }
        bounds
    }
}

/// Every program of `corpus/bounded`: the folder is the verdict, under every reduction, and the
/// shortest violation has as many steps as it says.
#[test]
fn the_bounded_corpus_has_its_verdicts() {
    if !has_solver() {
        return;
    }
    let mut count = 0;
    for (folder, expected) in
        [("verified", Verdict::Verified), ("violation", Verdict::Violation), ("incomplete", Verdict::Incomplete)]
    {
        let folder = format!("{}/../../corpus/bounded/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(&folder).expect("it can be listed") {
            let file = entry.expect("it is there").path();
            let source = std::fs::read_to_string(&file).expect("it can be read");
            let bounds = Bounds::parse(&source);
            let image = load("bounded.mzk", &source, &[]).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            for reduction in Reduction::ALL {
                let options = Options { reduction, steps: bounds.steps, ..Options::default() };
                let report = check(&image, &options, &Settings::default()).expect("the solver works");
                let name = format!("{}, {reduction}: {:?}", file.display(), report.cutoffs);
                assert_eq!(report.verdict(), expected, "{name}");
                let fault = report.violation.as_ref().map(|violation| format!("{:?}", violation.fault.kind));
                assert_eq!(fault, bounds.violation, "{name}");
                if let Some(shortest) = bounds.shortest {
                    assert_eq!(report.steps, shortest, "{name}");
                }
            }
            count += 1;
        }
    }
    assert!(count >= 12, "there are {count} programs");
}
