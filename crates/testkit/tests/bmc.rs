//! Bounded model checking against exploration. Z3 is needed unless `MAZURKA_NEED_Z3` is 0.

use std::sync::Arc;
use std::time::Duration;

use mazurka_bmc::{Encoding, Options, Reduction, Report, check, count_schedules};
use mazurka_explore::{Algorithm, Monitor, explore};
use mazurka_process::Image;
use mazurka_smt::solver::Settings;
use mazurka_testkit::{generate, load, machine};
use mazurka_trace::Verdict;

/// So many random programs.
const PROGRAMS: u64 = 40;

/// `MAZURKA_BMC_PROGRAMS` asks for more.
fn programs() -> u64 {
    std::env::var("MAZURKA_BMC_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(PROGRAMS)
}

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
    let count = programs();
    let mut decided = 0;
    for seed in 0..count {
        let source = generate(seed).to_string();
        let image = load("random.mzk", &source, &[]).expect("random programs are valid");
        let options = mazurka_explore::Options { algorithm: Algorithm::Optimal, ..Default::default() };
        let expected = explore(&mut machine(&image), &options, &Monitor::default()).verdict();
        for reduction in Reduction::ALL {
            let encoding = Encoding::ALL[(seed % 3) as usize];
            let report = bounded(&image, reduction, encoding);
            if report.verdict() == Verdict::Incomplete {
                println!("seed {seed}: {reduction} is incomplete: {:?}", report.cutoffs);
                continue;
            }
            assert_eq!(report.verdict(), expected, "seed {seed}, {reduction}, {encoding:?}\n{source}");
            decided += 1;
        }
    }
    assert!(decided > count * 4 * 95 / 100, "only {decided} of {} were decided", count * 4);
}

/// Theorem 2: for two processes exactly one schedule of each trace satisfies the constraints of rules 1 to 3; for more, at
/// least one. Rule 4 may only leave fewer.
#[test]
fn for_two_processes_one_schedule_of_each_trace_is_left() {
    if !has_solver() {
        return;
    }
    let (mut pairs, mut others, mut seed) = (0, 0, 0);
    while pairs < programs() {
        let source = generate(seed).to_string();
        seed += 1;
        let image = load("random.mzk", &source, &[]).expect("random programs are valid");
        let options = mazurka_explore::Options { algorithm: Algorithm::Optimal, all: true, ..Default::default() };
        let mut machine = machine(&image);
        let outcome = explore(&mut machine, &options, &Monitor::default());
        if outcome.executions > 40 || outcome.assume_blocked > 0 {
            continue;
        }
        let count = |reduction: Reduction, encoding: Encoding| {
            let options = Options { reduction, encoding, steps: 60, ..Options::default() };
            count_schedules(&image, &options, &Settings::default(), 400).unwrap_or_else(|error| panic!("{error}"))
        };
        let Some(simple) = count(Reduction::Simple, Encoding::ALL[(seed % 3) as usize]) else { continue };
        let processes = machine.processes() - usize::from(source.contains("finally"));
        if processes == 2 {
            assert_eq!(simple, outcome.executions, "seed {}\n{source}", seed - 1);
            pairs += 1;
        } else {
            assert!(simple >= outcome.executions, "seed {}: {simple} < {}\n{source}", seed - 1, outcome.executions);
            others += 1;
        }
        let full = count(Reduction::Full, Encoding::Dependent).expect("there are fewer");
        assert!(0 < full && full <= simple, "seed {}: {full} of {simple}\n{source}", seed - 1);
    }
    assert!(others > 0);
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
