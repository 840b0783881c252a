//! Bounded model checking against exploration. Z3 is needed unless `MAZURKA_NEED_Z3` is 0.

use std::sync::Arc;
use std::time::Duration;

use mazurka_bmc::{Encoding, Options, Reduction, Report, check};
use mazurka_process::Image;
use mazurka_smt::solver::Settings;
use mazurka_testkit::{Schedules, check_schedules, check_verdicts, generate, load};
use mazurka_trace::Verdict;

/// So many random programs.
const PROGRAMS: u64 = 30;

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
    let (mut decided, mut open) = (0, 0);
    for seed in 0..PROGRAMS {
        let source = generate(seed).to_string();
        let image = load("random.mzk", &source, &[]).expect("random programs are valid");
        let found = check_verdicts(&image, seed).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        decided += found.0;
        open += found.1;
    }
    assert!(open * 20 < decided, "only {decided} were decided, {open} were not");
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

/// A step that is swapped with one before it takes its own choices with it: the only way to the failure is that both processes choose
/// the first cell, by different numbers, in the order that is not preferred.
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

/// Every program of `corpus/bounded`: the folder is the verdict, under every reduction, and the shortest violation has as many steps as it says.
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
        for entry in std::fs::read_dir(folder).expect("it can be listed") {
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
