//! Bounded model checking against exploration. Z3 is needed unless `MAZURKA_NEED_Z3` is 0.

use std::sync::Arc;
use std::time::Duration;

use mazurka_bmc::{Encoding, Options, Reduction, Report, check};
use mazurka_explore::{Algorithm, Monitor, explore};
use mazurka_process::Image;
use mazurka_smt::solver::Settings;
use mazurka_testkit::{generate, load, machine};
use mazurka_trace::Verdict;

/// So many random programs.
const PROGRAMS: u64 = 60;

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
    let count = std::env::var("MAZURKA_BMC_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
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
