//! `cargo xtask fuzz`: random programs, every algorithm against brute force.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_testkit::actor::{ActorChecks, generate_actors, generate_circles, generate_commuting};
use mazurka_testkit::c::{CChecks, CProfile};
use mazurka_testkit::{
    Algorithm, Checks, Failure, Finder, Fuzzed, Profile, fuzz_constrained, fuzz_seed, fuzz_synthesised,
};

use crate::shell::{self, Result, cargo, relative, root};

/// How many programs, and which.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The seed of the first program; the next one has the next seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many programs (default: 100000, or as many as there is time for)
    #[arg(long)]
    count: Option<u64>,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// How many threads (default: one for each processor)
    #[arg(long)]
    jobs: Option<usize>,
    /// Only programs of this profile (default: they take turns)
    #[arg(long)]
    profile: Option<Profile>,
    /// Only these algorithms (default: all)
    #[arg(long = "algorithm", value_delimiter = ',')]
    algorithms: Vec<Algorithm>,
    /// With the independence constraints that brute force finds to be true, and the algorithms that
    /// use them
    #[arg(long, conflicts_with_all = ["profile", "decoder"])]
    constraints: bool,
    /// With the constraints that a solver finds, which are also tried out in all states
    #[arg(long, conflicts_with_all = ["profile", "algorithms", "decoder", "constraints"])]
    synthesis: bool,
    /// Bounded model checking against exploration, and the schedules that its reductions leave
    /// against brute force
    #[arg(long, conflicts_with_all = ["profile", "algorithms", "decoder", "constraints"])]
    bmc: bool,
    /// With --bmc: only the schedules of programs of two processes, and as many of those
    #[arg(long, requires = "bmc")]
    two: bool,
    /// With --bmc: only the verdicts, under every reduction
    #[arg(long, requires = "bmc", conflicts_with = "two")]
    verdicts: bool,
    /// `quasi:K` for several K, and `quasi:optimal`, against `optimal`, without brute force: how
    /// many explorations are blocked
    #[arg(long, conflicts_with_all = ["algorithms", "decoder", "constraints", "bmc", "jobs"])]
    widths: bool,
    /// How many executions the algorithms take, one beside the other, without brute force
    #[arg(long, conflicts_with_all = ["decoder", "synthesis", "bmc", "widths", "jobs"])]
    counts: bool,
    /// Random C programs: every algorithm, and the machine itself, against brute force
    #[arg(long, conflicts_with_all = ["profile", "decoder", "constraints", "synthesis", "bmc", "widths", "counts"])]
    c: bool,
    /// With --c: only programs of this profile (default: they take turns)
    #[arg(long, requires = "c")]
    c_profile: Option<CProfile>,
    /// With --c: not random programs, but the one in this file, which may be larger
    #[arg(long, requires = "c", value_name = "FILE", conflicts_with_all = ["c_profile", "seconds", "count"])]
    c_file: Option<std::path::PathBuf>,
    /// With --c-file: defines a macro
    #[arg(short = 'D', requires = "c_file", value_name = "NAME=VALUE")]
    defines: Vec<String>,
    /// Random programs of actors: every algorithm, and the machine itself, against brute force;
    /// with --synthesis such whose methods commute, with the constraints that a solver finds
    #[arg(long, conflicts_with_all = ["profile", "decoder", "constraints", "bmc", "widths", "counts", "c"])]
    actors: bool,
    /// Random networks: every algorithm, and the machine itself, against brute force; with --print,
    /// shows the network of --seed
    #[arg(long, conflicts_with_all = ["profile", "algorithms", "decoder", "constraints", "synthesis", "actors"])]
    networks: bool,

    /// Random programs of actors that wait in circles: the analysis of deadlocks and the guided
    /// explorations against brute force
    #[arg(long, conflicts_with_all = ["profile", "algorithms", "decoder", "constraints", "synthesis", "actors"])]
    deadlocks: bool,
    /// Random methods of actors: symbolic execution against brute force
    #[arg(long, conflicts_with_all = ["profile", "algorithms", "decoder", "constraints", "actors", "seconds"])]
    methods: bool,
    /// Damaged ABS files instead of programs: the front end must read or refuse them
    #[arg(long)]
    abs_mutated: bool,
    /// Skip programs with more interleavings than this, so that there is time for many small ones;
    /// in the notation and for actors
    #[arg(long, value_name = "N", conflicts_with_all = ["c", "deadlocks", "bmc", "widths", "counts"])]
    largest: Option<u64>,
    /// Go on until so many programs disagree
    #[arg(long, default_value_t = 1)]
    failures: usize,
    /// Only print the program of the seed
    #[arg(long)]
    print: bool,
    /// Damaged bitcode instead of programs: the decoder must read or refuse it
    #[arg(long)]
    decoder: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result {
    if arguments.decoder {
        return crate::fuzz_decoder::run(arguments.seed, arguments.count, arguments.seconds);
    }
    if arguments.methods {
        return crate::fuzz_symbolic::run(arguments.seed, arguments.count);
    }
    if arguments.print && arguments.c {
        let profile = arguments.c_profile.unwrap_or_else(|| CProfile::of_seed(arguments.seed));
        print!("{}", mazurka_testkit::c::generate_c(profile, arguments.seed));
        return Ok(());
    }
    if arguments.print && arguments.deadlocks {
        print!("{}", generate_circles(arguments.seed));
        return Ok(());
    }
    if arguments.print && arguments.actors {
        let generate = if arguments.synthesis { generate_commuting } else { generate_actors };
        print!("{}", generate(arguments.seed));
        return Ok(());
    }
    if arguments.networks {
        return crate::fuzz_networks::run(arguments.seed, arguments.count, arguments.seconds, arguments.print);
    }
    if arguments.print {
        let profile = arguments.profile.unwrap_or_else(|| Profile::of_seed(arguments.seed));
        print!("{}", mazurka_testkit::generate_with(profile, arguments.seed));
        return Ok(());
    }
    if arguments.bmc {
        // The solver takes the time: a release build is not worth waiting for.
        let what = match arguments {
            Arguments { two: true, .. } => crate::fuzz_bmc::What::SchedulesOfTwo,
            Arguments { verdicts: true, .. } => crate::fuzz_bmc::What::Verdicts,
            _ => crate::fuzz_bmc::What::All,
        };
        return crate::fuzz_bmc::run(arguments.seed, arguments.count, arguments.seconds, arguments.jobs, what);
    }
    if cfg!(debug_assertions) {
        // The same again, as a release build.
        let own: Vec<String> = std::env::args().skip(1).collect();
        return shell::run(cargo(&["run", "--quiet", "--release", "--package", "xtask", "--"]).args(own));
    }
    if arguments.c {
        let mut checks = CChecks::default();
        if !arguments.algorithms.is_empty() {
            checks.checks.algorithms.clone_from(&arguments.algorithms);
        }
        if let Some(file) = &arguments.c_file {
            return crate::fuzz_c::run_file(file, &arguments.defines, checks);
        }
        return crate::fuzz_c::run(&crate::fuzz_c::Campaign {
            first: arguments.seed,
            count: arguments.count,
            seconds: arguments.seconds,
            jobs: arguments.jobs,
            profile: arguments.c_profile,
            failures: arguments.failures,
            checks,
        });
    }
    if arguments.abs_mutated {
        return crate::fuzz_actors::run_damaged(arguments.seed, arguments.count, arguments.seconds);
    }
    if arguments.actors {
        return crate::fuzz_actors::run(&actors(arguments));
    }
    if arguments.deadlocks {
        let Campaign { first, count, deadline, allowed, .. } = Campaign::new(arguments);
        return crate::fuzz_deadlocks::run(&crate::fuzz_deadlocks::Campaign { first, count, deadline, allowed });
    }
    if arguments.widths {
        return crate::fuzz_widths::run(arguments.seed, arguments.count, arguments.seconds, arguments.profile);
    }
    if arguments.counts {
        return crate::fuzz_counts::run(&crate::fuzz_counts::Sample {
            first: arguments.seed,
            count: arguments.count,
            seconds: arguments.seconds,
            profile: arguments.profile,
            constraints: arguments.constraints,
            algorithms: &arguments.algorithms,
        });
    }
    let campaign = Campaign::new(arguments);
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    // A panic is caught, shrunk and reported as a disagreement.
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| campaign.work());
        }
        campaign.report_progress();
    });
    let _ = std::panic::take_hook();
    campaign.conclude()
}

/// Programs with more interleavings than `largest` are skipped.
fn limit(checks: &mut Checks, largest: Option<u64>) {
    if let Some(largest) = largest {
        checks.budget.executions = checks.budget.executions.min(largest);
    }
}

/// What is asked of random programs of actors.
fn actors(arguments: &Arguments) -> crate::fuzz_actors::Campaign {
    let unlimited = if arguments.seconds.is_some() { u64::MAX } else { 100_000 };
    let mut checks = ActorChecks::default();
    if !arguments.algorithms.is_empty() {
        checks.checks.algorithms.clone_from(&arguments.algorithms);
    }
    limit(&mut checks.checks, arguments.largest);
    crate::fuzz_actors::Campaign {
        first: arguments.seed,
        count: arguments.count.unwrap_or(unlimited),
        deadline: arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
        jobs: arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        failures: arguments.failures.max(1),
        synthesis: arguments.synthesis,
        checks,
    }
}

/// The programs to check, and how they fared so far.
struct Campaign {
    first: u64,
    count: u64,
    deadline: Option<Instant>,
    profile: Option<Profile>,
    constraints: bool,
    synthesis: bool,
    checks: Checks,
    start: Instant,
    taken: AtomicU64,
    agreed: AtomicU64,
    too_large: AtomicU64,
    executions: AtomicU64,
    stop: AtomicBool,
    allowed: usize,
    failures: Mutex<Vec<Failure>>,
}

impl Campaign {
    fn new(arguments: &Arguments) -> Self {
        let start = Instant::now();
        let unlimited = if arguments.seconds.is_some() { u64::MAX } else { 100_000 };
        let mut checks = if !arguments.algorithms.is_empty() {
            Checks { algorithms: arguments.algorithms.clone(), ..Checks::default() }
        } else if arguments.constraints || arguments.synthesis {
            Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), ..Checks::default() }
        } else {
            Checks::default()
        };
        limit(&mut checks, arguments.largest);
        Campaign {
            first: arguments.seed,
            count: arguments.count.unwrap_or(unlimited),
            deadline: arguments.seconds.map(|seconds| start + Duration::from_secs(seconds)),
            profile: arguments.profile,
            constraints: arguments.constraints,
            synthesis: arguments.synthesis,
            checks,
            start,
            taken: AtomicU64::new(0),
            agreed: AtomicU64::new(0),
            too_large: AtomicU64::new(0),
            executions: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            allowed: arguments.failures.max(1),
            failures: Mutex::new(Vec::new()),
        }
    }

    /// One thread's share: takes the next seed until there is none.
    fn work(&self) {
        let mut finder = Finder::default();
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.taken.fetch_add(1, Ordering::Relaxed);
            if number >= self.count || self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                break;
            }
            let seed = self.first.wrapping_add(number);
            let fuzzed = if self.synthesis {
                fuzz_synthesised(seed, &self.checks, &mut finder)
            } else if self.constraints {
                fuzz_constrained(seed, &self.checks)
            } else {
                fuzz_seed(seed, self.profile, &self.checks)
            };
            match fuzzed {
                Ok(Fuzzed::Agreed(counts)) => {
                    self.agreed.fetch_add(1, Ordering::Relaxed);
                    self.executions.fetch_add(counts.executions, Ordering::Relaxed);
                }
                Ok(Fuzzed::TooLarge) => {
                    self.too_large.fetch_add(1, Ordering::Relaxed);
                }
                Err(failure) => {
                    println!("{failure}");
                    let mut failures = self.failures.lock().expect("nobody panics with it");
                    failures.push(*failure);
                    if failures.len() >= self.allowed {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    fn report_progress(&self) {
        let mut last = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
            if last.elapsed() > Duration::from_secs(10) {
                last = Instant::now();
                eprintln!("{}", self.summary());
            }
        }
    }

    fn summary(&self) -> String {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (agreed, too_large) = (load(&self.agreed), load(&self.too_large));
        let seconds = self.start.elapsed().as_secs_f64();
        format!(
            "seed {}, {} programs, {too_large} of them skipped as too large, {} executions, {seconds:.1} s ({:.0} programs/s)",
            self.first,
            agreed + too_large,
            load(&self.executions),
            (agreed + too_large) as f64 / seconds,
        )
    }

    fn conclude(&self) -> Result {
        let failures = std::mem::take(&mut *self.failures.lock().expect("the threads have ended"));
        if failures.is_empty() {
            println!("no disagreement: {}", self.summary());
            return Ok(());
        }
        for failure in &failures {
            println!("seed {} disagrees; the program, made small, is in {}", failure.seed, save(failure)?);
        }
        println!("{}", self.summary());
        Err(format!("{} programs disagree", failures.len()))
    }
}

fn save(failure: &Failure) -> Result<String> {
    save_as(&format!("seed-{}-{}.mzk", failure.seed, failure.profile), &failure.to_string())
}

/// Keeps a program that was made small; gives the name of its file.
pub(crate) fn save_as(name: &str, text: &str) -> Result<String> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("fuzz");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = folder.join(name);
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(relative(&file))
}
