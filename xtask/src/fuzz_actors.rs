//! `cargo xtask fuzz --actors`: random ABS programs, every algorithm against brute force.
//! `cargo xtask fuzz --abs-mutated`: damaged ABS files, which the front end reads or refuses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_testkit::Fuzzed;
use mazurka_testkit::actor::{
    ActorChecks, ActorFailure, Damaged, MethodFinder, check_damaged, damage, fuzz_actors, fuzz_methods,
};
use mazurka_testkit::corpus;

use crate::fuzz::save_as;
use crate::shell::{Result, root};

/// Which programs, and how thoroughly.
pub(crate) struct Campaign {
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) jobs: usize,
    pub(crate) failures: usize,
    /// With constraints between methods.
    pub(crate) synthesis: bool,
    pub(crate) checks: ActorChecks,
}

/// How it goes.
#[derive(Default)]
struct State {
    taken: AtomicU64,
    agreed: AtomicU64,
    too_large: AtomicU64,
    standing: AtomicU64,
    failing: AtomicU64,
    executions: AtomicU64,
    held: AtomicU64,
    declared: [AtomicU64; 3],
    stop: AtomicBool,
    failures: Mutex<Vec<ActorFailure>>,
}

pub(crate) fn run(campaign: &Campaign) -> Result {
    let (state, start) = (State::default(), Instant::now());
    // A panic is caught, made small and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..campaign.jobs {
            scope.spawn(|| work(campaign, &state));
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
    let summary = summary(campaign, &state, start);
    let failures = std::mem::take(&mut *state.failures.lock().expect("the threads have ended"));
    for failure in &failures {
        let file = save_as(&format!("seed-{}.abs", failure.seed), &failure.to_string())?;
        println!("seed {} disagrees; the program, made small, is in {file}", failure.seed);
    }
    if campaign.synthesis {
        let [held, proven, wrong, open] = [&state.held, &state.declared[0], &state.declared[1], &state.declared[2]]
            .map(|counter| counter.load(Ordering::Relaxed));
        println!("constraints held in {held} states; {proven} declarations proven, {wrong} wrong, {open} open");
    }
    if failures.is_empty() {
        println!("no disagreement: {summary}");
        return Ok(());
    }
    println!("{summary}");
    Err(format!("{} programs disagree", failures.len()))
}

/// One thread's share: takes the next seed until there is none.
fn work(campaign: &Campaign, state: &State) {
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    let late = || campaign.deadline.is_some_and(|deadline| Instant::now() > deadline);
    let mut finder = MethodFinder::default();
    while !state.stop.load(Ordering::Relaxed) && !late() {
        let number = add(&state.taken, 1);
        if number >= campaign.count {
            break;
        }
        let seed = campaign.first.wrapping_add(number);
        let fuzzed = if campaign.synthesis {
            fuzz_methods(seed, &campaign.checks, &mut finder)
        } else {
            fuzz_actors(seed, &campaign.checks)
        };
        match fuzzed {
            Ok(Fuzzed::Agreed(counts)) => {
                add(&state.agreed, 1);
                add(&state.executions, counts.executions);
                add(&state.failing, u64::from(counts.findings > 0));
                add(&state.standing, u64::from(counts.standstills > 0));
            }
            Ok(Fuzzed::TooLarge) => {
                add(&state.too_large, 1);
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
    add(&state.held, finder.held);
    for (all, own) in state.declared.iter().zip(finder.declared) {
        add(all, own);
    }
    state.stop.store(true, Ordering::Relaxed);
}

fn summary(campaign: &Campaign, state: &State, start: Instant) -> String {
    let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let (agreed, too_large) = (load(&state.agreed), load(&state.too_large));
    let seconds = start.elapsed().as_secs_f64();
    format!(
        "seed {}, {agreed} programs agree ({} of them fail in some schedule, {} come to a standstill), \
         {too_large} skipped as too large, {} disagree, {} executions, {seconds:.1} s ({:.0} programs/s)",
        campaign.first,
        load(&state.failing),
        load(&state.standing),
        state.failures.lock().map_or(0, |failures| failures.len()),
        load(&state.executions),
        (agreed + too_large) as f64 / seconds,
    )
}

/// Damaged files, one after the other.
pub(crate) fn run_damaged(first: u64, count: Option<u64>, seconds: Option<u64>) -> Result {
    let files = corpus::files(&root().join("corpus")).map_err(|error| format!("corpus: {error}"))?;
    let actors = files.iter().filter(|file| corpus::is_actor(file));
    let originals: Vec<String> = actors.filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let (start, seed) = (Instant::now(), AtomicU64::new(first));
    let (mut refused, mut ran, finished) = (0u64, 0u64, AtomicBool::new(false));
    let count = count.unwrap_or(if seconds.is_some() { u64::MAX } else { 1_000_000 });
    let is_late = || seconds.is_some_and(|seconds| start.elapsed() > Duration::from_secs(seconds));
    std::panic::set_hook(Box::new(|_| {}));
    let failure = std::thread::scope(|scope| {
        scope.spawn(|| watch_for_hangs(&seed, &finished));
        let mut failure = None;
        for number in (0..count).map(|number| first.wrapping_add(number)) {
            if is_late() {
                break;
            }
            seed.store(number, Ordering::Relaxed);
            let text = damage(&originals, number);
            match check_damaged(&text) {
                Ok(Damaged::Refused) => refused += 1,
                Ok(Damaged::Ran) => ran += 1,
                Err(what) => {
                    failure = Some((number, text, what));
                    break;
                }
            }
        }
        finished.store(true, Ordering::Relaxed);
        failure
    });
    let _ = std::panic::take_hook();
    let seconds = start.elapsed().as_secs_f64();
    println!("seed {first}: {} damaged files, {refused} refused, {ran} read and run, {seconds:.1} s", refused + ran);
    let Some((number, text, what)) = failure else { return Ok(()) };
    let file = save_as(&format!("damaged-{number}.abs"), &text)?;
    Err(format!("seed {number}: {what}; the file is {file}"))
}

/// Says which file takes long, so that a hang can be found.
fn watch_for_hangs(seed: &AtomicU64, finished: &AtomicBool) {
    let mut last = (seed.load(Ordering::Relaxed), Instant::now());
    while !finished.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100));
        let now = seed.load(Ordering::Relaxed);
        if now != last.0 {
            last = (now, Instant::now());
        } else if last.1.elapsed() > Duration::from_secs(10) {
            eprintln!("seed {now} takes long");
            last.1 = Instant::now();
        }
    }
}
