//! `cargo xtask fuzz --c`: random C programs, every algorithm against brute force.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_testkit::Fuzzed;
use mazurka_testkit::c::{CChecks, CFailure, CProfile, Compiler, check_c, fuzz_c};

use crate::fuzz::save_as;
use crate::shell::Result;

/// So many programs are compiled together.
const TOGETHER: u64 = 32;

/// Which programs, and how thoroughly.
pub(crate) struct Campaign {
    pub(crate) first: u64,
    pub(crate) count: Option<u64>,
    pub(crate) seconds: Option<u64>,
    pub(crate) jobs: Option<usize>,
    pub(crate) profile: Option<CProfile>,
    pub(crate) failures: usize,
    pub(crate) checks: CChecks,
}

/// How it goes.
#[derive(Default)]
struct State {
    taken: AtomicU64,
    agreed: AtomicU64,
    too_large: AtomicU64,
    executions: AtomicU64,
    stop: AtomicBool,
    problem: Mutex<Option<String>>,
    failures: Mutex<Vec<CFailure>>,
}

pub(crate) fn run(campaign: &Campaign) -> Result {
    let compiler = Compiler::new()?;
    let state = State::default();
    let start = Instant::now();
    let jobs = campaign.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    // A panic is caught, made small and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work(campaign, &compiler, &state, start));
        }
        let mut last = Instant::now();
        while !state.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
            if last.elapsed() > Duration::from_secs(10) {
                last = Instant::now();
                eprintln!("{}", summary(campaign, &state, start));
            }
        }
    });
    let _ = std::panic::take_hook();
    if let Some(problem) = state.problem.lock().expect("the threads have ended").take() {
        return Err(problem);
    }
    let summary = summary(campaign, &state, start);
    let failures = state.failures.into_inner().expect("the threads have ended");
    for failure in &failures {
        let file = save_as(&format!("seed-{}-{}.c", failure.seed, failure.profile), &failure.to_string())?;
        println!("seed {} disagrees; the program, made small, is in {file}", failure.seed);
    }
    if failures.is_empty() {
        println!("no disagreement: {summary}");
        return Ok(());
    }
    println!("{summary}");
    Err(format!("{} programs disagree", failures.len()))
}

/// The same for a program in a file, with more patience.
pub(crate) fn run_file(file: &Path, defines: &[String], mut checks: CChecks) -> Result {
    let compiled = Compiler::new()?.compile_file(file, defines)?;
    checks.checks.budget.executions = 100_000;
    checks.checks.budget.steps = 2_000_000;
    checks.probes.executions = 100;
    match check_c(&compiled, 0, &checks) {
        Ok(Some(counts)) => println!("agreed: {} interleavings, {} traces", counts.interleavings, counts.traces),
        Ok(None) => println!("the contract is kept, as far as was looked; too large for brute force"),
        Err(disagreement) => return Err(disagreement.to_string()),
    }
    Ok(())
}

/// One thread's share: takes the next seeds until there are none.
fn work(campaign: &Campaign, compiler: &Compiler, state: &State, start: Instant) {
    let unlimited = if campaign.seconds.is_some() { u64::MAX } else { 100_000 };
    let count = campaign.count.unwrap_or(unlimited);
    let late = || campaign.seconds.is_some_and(|seconds| start.elapsed() > Duration::from_secs(seconds));
    while !state.stop.load(Ordering::Relaxed) && !late() {
        let from = state.taken.fetch_add(TOGETHER, Ordering::Relaxed);
        if from >= count {
            break;
        }
        let seeds: Vec<u64> = (from..count.min(from + TOGETHER)).map(|n| campaign.first.wrapping_add(n)).collect();
        match fuzz_c(&seeds, campaign.profile, compiler, &campaign.checks) {
            Ok(results) => results.into_iter().for_each(|result| take(campaign, state, result)),
            Err(problem) => {
                *state.problem.lock().expect("nobody panics with it") = Some(format!("seeds {seeds:?}: {problem}"));
                break;
            }
        }
    }
    state.stop.store(true, Ordering::Relaxed);
}

fn take(campaign: &Campaign, state: &State, result: std::result::Result<Fuzzed, Box<CFailure>>) {
    match result {
        Ok(Fuzzed::Agreed(counts)) => {
            state.agreed.fetch_add(1, Ordering::Relaxed);
            state.executions.fetch_add(counts.executions, Ordering::Relaxed);
        }
        Ok(Fuzzed::TooLarge) => {
            state.too_large.fetch_add(1, Ordering::Relaxed);
        }
        Err(failure) => {
            println!("{failure}");
            let mut failures = state.failures.lock().expect("nobody panics with it");
            failures.push(*failure);
            if failures.len() >= campaign.failures {
                state.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

fn summary(campaign: &Campaign, state: &State, start: Instant) -> String {
    let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let (agreed, too_large) = (load(&state.agreed), load(&state.too_large));
    let seconds = start.elapsed().as_secs_f64();
    format!(
        "seed {}, {} programs agree, {too_large} skipped as too large, {} disagree, {} executions, {seconds:.1} s ({:.0} programs/s)",
        campaign.first,
        agreed,
        state.failures.lock().map_or(0, |failures| failures.len()),
        load(&state.executions),
        (agreed + too_large) as f64 / seconds,
    )
}
