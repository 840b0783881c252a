//! The options of `check` and `replay`, and those that commands share.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mazurka::CSettings;

use crate::algorithm::Wanted;
use crate::solver::SolverArguments;
use crate::values::{count, range, rounds, seconds};

/// The heading of the options that say what is shown.
const OUTPUT: &str = "Output";

/// `mazurka check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The program; its kind follows from its ending (.mzk: process notation; .abs: actors; .c .cc
    /// .cpp .ll .bc: C and C++; actors and C also in several files)
    #[arg(value_name = "PROGRAM", required = true)]
    pub(crate) programs: Vec<PathBuf>,

    /// Arguments of the program itself (C: argv)
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// How to explore: auto, none, dpor, source, optimal, observers, cs, optimal-cs,
    /// optimal-cs-observers, constrained, optimal-constrained, optimal-constrained-observers,
    /// quasi:K, quasi:optimal, random:N
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = crate::algorithm::parse)]
    pub(crate) algorithm: Wanted,

    /// Give a `const` of the program, or a function of ABS without parameters, another value, or
    /// define a macro of C; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,

    /// Go on after the first violation and report every distinct one
    #[arg(long)]
    pub(crate) all: bool,

    /// Explore with N threads; 0: as many as there are processors. For programs in C and in the
    /// process notation, with -a optimal (which `auto` is then), source, dpor or none
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(crate) threads: u16,

    /// Keep the exploration in a file, every few seconds and when it is interrupted or its time is
    /// up, so that --resume can go on with it. For what --threads is for
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// How often, in seconds, the checkpoint is written
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, requires = "checkpoint")]
    pub(crate) checkpoint_every: Duration,

    /// Go on with the exploration in a checkpoint, of the same program with the same options
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Only prove. Otherwise, where the proof does not end at once, a small share of the time goes
    /// into a hunt for failures beside it: schedules with few preemptions, and random priorities
    /// (not with --all, --max-switches, --explain or --dot)
    #[arg(long)]
    pub(crate) no_hunt: bool,

    /// What the hunt's random numbers come from; the same seed finds the same failure
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "no_hunt")]
    pub(crate) hunt_seed: u64,

    /// What the random numbers of -a random:N come from; the same seed runs the same executions
    /// [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) solver: SolverArguments,

    /// Use declared constraints also where they could not be proven; the verdict then rests on them
    #[arg(long, help_heading = "Constraints")]
    pub(crate) trust: bool,

    #[command(flatten)]
    pub(crate) actor: crate::actor::Actors,

    #[command(flatten)]
    pub(crate) network: crate::network::Networks,

    #[command(flatten)]
    pub(crate) c: C,

    /// Write the schedules of the violations to a file, for `mazurka replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) save_trace: Option<PathBuf>,

    /// Draw the sequence diagrams of the failing executions of actors into a page
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) html: Option<PathBuf>,

    /// The same as a drawing
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) svg: Option<PathBuf>,

    /// Draw the unfolding of a small program into a file, for Graphviz; with -a quasi:K or
    /// quasi:optimal
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) dot: Option<PathBuf>,

    /// Say what was left out, and why: which races were compared in both orders, and what was cut
    /// because of that; with -a cs, optimal-cs, optimal-cs-observers, constrained,
    /// optimal-constrained or optimal-constrained-observers
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,

    /// Compare states once more after all that lies between the two steps of a race has run in both
    /// orders: slower, to compare; with -a cs, optimal-cs, optimal-cs-observers, constrained,
    /// optimal-constrained or optimal-constrained-observers
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) whole_check: bool,

    /// How far apart skip pointers lie in the trees of the unfolding; with -a quasi:K or
    /// quasi:optimal [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=65_536))]
    pub(crate) skip_step: Option<u32>,

    /// Show failing schedules as they were found, instead of with as few preemptions as possible
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_shorten: bool,

    /// Show progress on stderr: always, never, or auto: for the human format, if stderr is a
    /// terminal
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) progress: Progress,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// The limits of an exploration.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits (reaching one makes the verdict `incomplete`, unless a violation was found)")]
pub(crate) struct Limits {
    /// Stop after so many seconds [default: none]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,

    /// Stop after so many complete executions [default: none]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_executions: Option<u64>,

    /// Cut executions that have more events
    #[arg(long, value_name = "N", default_value = "1_000_000", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_depth: u64,

    /// Cut executions with more than N context switches, as they are explored; who stepped last
    /// goes on where there is a choice [default: none]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_switches: Option<u64>,

    /// Cut executions in which a single step runs more instructions (a loop in an atomic block, or
    /// over locals)
    #[arg(long, value_name = "N", default_value = "10_000_000", value_parser = count, allow_negative_numbers = true)]
    pub(crate) max_instructions: u64,
}

/// What is only for C and C++.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "C and C++")]
pub(crate) struct C {
    /// A folder of header files; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) includes: Vec<PathBuf>,

    /// Further options for clang, such as "-std=c11 -Wall"; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(crate) cflags: Vec<String>,

    /// Show clang's warnings
    #[arg(long)]
    pub(crate) warnings: bool,

    /// Do not report data races
    #[arg(long)]
    pub(crate) no_data_races: bool,

    /// Explore only the orders of synchronisation (mutexes, atomics), as is enough where there are
    /// no data races, and report a data race instead of trying both orders; with -a quasi:K or
    /// quasi:optimal
    #[arg(long, conflicts_with = "no_data_races")]
    pub(crate) lock_races_only: bool,

    /// With --lock-races-only, look for data races in so many percent of the executions (below 100
    /// the verdict is `incomplete`) [default: 100]
    #[arg(long, value_name = "PERCENT", requires = "lock_races_only", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) data_race_share: Option<u32>,

    /// Report memory that is never freed
    #[arg(long)]
    pub(crate) leaks: bool,

    /// Do not report that the program ends with an exit status other than 0
    #[arg(long)]
    pub(crate) any_exit_status: bool,

    /// Report overflow of signed integers
    #[arg(long)]
    pub(crate) overflow: bool,

    /// Let each thread be woken up to N times from `pthread_cond_wait` without a signal [default:
    /// 0]
    #[arg(long, value_name = "N")]
    pub(crate) spurious_wakeups: Option<u32>,

    /// Make every access to memory a step, also where no other thread can notice it (slow; to check
    /// Mazurka itself)
    #[arg(long)]
    pub(crate) no_shortcuts: bool,

    /// Cut executions in which a loop goes round more often (the verdict is then `incomplete`)
    /// [default: none]
    #[arg(long, value_name = "N", value_parser = rounds, allow_negative_numbers = true)]
    pub(crate) unroll: Option<u64>,

    /// The values of `__VERIFIER_nondet_int()` and its kin, both ends included
    #[arg(long, value_name = "LO..HI", value_parser = range, allow_hyphen_values = true)]
    pub(crate) nondet: Option<(i64, i64)>,

    #[command(flatten)]
    pub(crate) compiler: Compiler,
}

/// Which clang.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "C and C++")]
pub(crate) struct Compiler {
    /// The clang to compile with [default: the one that MAZURKA_CLANG names, or one on the path]
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<String>,
}

impl C {
    /// In how many of a hundred executions data races are looked for, where they are not reversed.
    pub(crate) fn lock_races_only(&self) -> Option<u32> {
        self.lock_races_only.then_some(self.data_race_share.unwrap_or(100))
    }

    /// The first option that was given, to be named where it has no meaning.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("-I", !self.includes.is_empty()),
            ("--cflags", !self.cflags.is_empty()),
            ("--warnings", self.warnings),
            ("--no-data-races", self.no_data_races),
            ("--lock-races-only", self.lock_races_only),
            ("--leaks", self.leaks),
            ("--any-exit-status", self.any_exit_status),
            ("--overflow", self.overflow),
            ("--spurious-wakeups", self.spurious_wakeups.is_some()),
            ("--no-shortcuts", self.no_shortcuts),
            ("--unroll", self.unroll.is_some()),
            ("--nondet", self.nondet.is_some()),
            ("--clang", self.compiler.clang.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

impl From<&C> for CSettings {
    fn from(arguments: &C) -> Self {
        let words = arguments.cflags.iter().flat_map(|flags| flags.split_whitespace());
        Self {
            includes: arguments.includes.clone(),
            flags: words.map(str::to_owned).collect(),
            warnings: arguments.warnings,
            data_races: !arguments.no_data_races,
            leaks: arguments.leaks,
            any_exit_status: arguments.any_exit_status,
            overflow: arguments.overflow,
            spurious_wakeups: arguments.spurious_wakeups.unwrap_or(0),
            no_shortcuts: arguments.no_shortcuts,
            analysed: false,
            unroll: arguments.unroll,
            nondet: arguments.nondet,
            clang: arguments.compiler.clang.clone(),
        }
    }
}

/// `mazurka replay`.
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The program that the schedule belongs to; its files in the same order, where it has several
    #[arg(value_name = "PROGRAM", required = true)]
    pub(crate) programs: Vec<PathBuf>,

    /// The file that `mazurka check --save-trace` wrote
    #[arg(value_name = "FILE", required = true)]
    pub(crate) trace: PathBuf,

    /// Run it although the program has changed since
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) compiler: Compiler,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// How to print.
#[derive(Args, Debug)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct Output {
    /// human: a report for people; json: one object on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: Format,

    /// Show every step of a long schedule, also those that no other process notices
    #[arg(long)]
    pub(crate) full: bool,

    /// Use colours: always, never, or auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: Colour,
}

/// How to print.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// When to show progress.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// In the human format, if stderr is a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
