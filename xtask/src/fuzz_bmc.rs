//! `cargo xtask fuzz --bmc`: bounded model checking of random programs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_testkit::{Schedules, check_schedules, check_verdicts, generate, initial_processes, load};

use crate::shell::Result;

/// So many traces are enumerated.
const MOST_TRACES: usize = 40;

/// What to compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Verdicts, and schedules of programs that have few.
    All,
    /// Verdicts.
    Verdicts,
    /// Schedules of programs of two processes; only those count.
    SchedulesOfTwo,
}

/// What has been compared so far.
#[derive(Default)]
struct Compared {
    programs: u64,
    decided: u64,
    open: Vec<String>,
    of_two: u64,
    of_more: u64,
    traces: u64,
}

/// Compares so many programs, until the time is over or one disagrees.
pub(crate) fn run(first: u64, count: Option<u64>, seconds: Option<u64>, jobs: Option<usize>, what: What) -> Result {
    let begin = Instant::now();
    let deadline = seconds.map(|seconds| begin + Duration::from_secs(seconds));
    let count = count.unwrap_or(if deadline.is_some() { u64::MAX } else { 1_000 });
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let (taken, compared, failed) = (AtomicU64::new(0), Mutex::new(Compared::default()), Mutex::new(None));
    let work = || {
        loop {
            let number = taken.fetch_add(1, Ordering::Relaxed);
            let over = deadline.is_some_and(|deadline| Instant::now() > deadline);
            let counted = match what {
                What::All | What::Verdicts => number,
                What::SchedulesOfTwo => compared.lock().expect("nobody panics with it").of_two,
            };
            let enough = counted >= count;
            if enough || over || failed.lock().expect("nobody panics with it").is_some() {
                return;
            }
            let seed = first.wrapping_add(number);
            let result = compare(seed, what);
            let mut compared = compared.lock().expect("nobody panics with it");
            match result {
                Ok((verdicts, schedules)) => compared.add(seed, verdicts, schedules),
                Err(error) => *failed.lock().expect("nobody panics with it") = Some(error),
            }
            if compared.programs.is_multiple_of(100) {
                eprintln!("{}", compared.summary(begin));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    let compared = compared.into_inner().expect("the threads have ended");
    println!("seed {first}, {}", compared.summary(begin));
    compared.open.iter().for_each(|open| println!("open: {open}"));
    match failed.into_inner().expect("the threads have ended") {
        None => Ok(()),
        Some(error) => Err(error),
    }
}

fn compare(seed: u64, what: What) -> Result<((u64, Vec<String>), Schedules)> {
    let source = generate(seed).to_string();
    let image = load("random.mzk", &source, &[])?;
    let failed = |error: String| format!("seed {seed}: {error}\n{source}");
    if what == What::SchedulesOfTwo && initial_processes(&image) != 2 {
        return Ok(((0, Vec::new()), Schedules::Skipped("processes")));
    }
    let verdicts = match what {
        What::All | What::Verdicts => check_verdicts(&image, seed).map_err(failed)?,
        What::SchedulesOfTwo => (0, Vec::new()),
    };
    let schedules = match what {
        What::Verdicts => Schedules::Skipped("verdicts alone"),
        What::All | What::SchedulesOfTwo => check_schedules(&image, MOST_TRACES, seed).map_err(failed)?,
    };
    Ok((verdicts, schedules))
}

impl Compared {
    fn add(&mut self, seed: u64, (decided, open): (u64, Vec<String>), schedules: Schedules) {
        self.programs += 1;
        self.decided += decided;
        self.open.extend(open.iter().map(|open| format!("seed {seed}, {open}")));
        match schedules {
            Schedules::OfTwo(traces) => {
                self.of_two += 1;
                self.traces += traces;
            }
            Schedules::OfMore(traces) => {
                self.of_more += 1;
                self.traces += traces;
            }
            Schedules::Skipped(_) => {}
        }
    }

    fn summary(&self, begin: Instant) -> String {
        format!(
            "{} programs: {} verdicts agree, {} are open; schedules of {} programs of two processes and of {} others agree \
             with their {} traces; {:.0} s",
            self.programs,
            self.decided,
            self.open.len(),
            self.of_two,
            self.of_more,
            self.traces,
            begin.elapsed().as_secs_f64()
        )
    }
}
