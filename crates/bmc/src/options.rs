//! What can be asked, and what comes of it.

use std::fmt;
use std::time::Duration;

use mazurka_smt::solver::{Statistics, Usage};
use mazurka_trace::{SiteId, Verdict, Violation};

/// Which schedules are left out because others stand for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// None.
    None,
    /// Those that differ in the order of steps that use nothing in common, whatever the values.
    Static,
    /// Those that differ in the order of steps that use no common location: rules 1 to 3.
    Simple,
    /// Those that differ in the order of steps that do not disturb each other's values: rules 1 to
    /// 4.
    Full,
    /// Also those that differ in the order of steps that a solver finds to commute.
    Synth,
    /// All but one of those that differ in the order of steps that use no common location, for any
    /// number of processes.
    Monotonic,
}

impl Reduction {
    /// All of them: those of the paper from the weakest to the strongest, then those beyond it.
    pub const ALL: [Reduction; 6] = [
        Reduction::None,
        Reduction::Static,
        Reduction::Simple,
        Reduction::Full,
        Reduction::Synth,
        Reduction::Monotonic,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::None => "none",
            Reduction::Static => "static",
            Reduction::Simple => "simple",
            Reduction::Full => "full",
            Reduction::Synth => "synth",
            Reduction::Monotonic => "monotonic",
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the constraints are written down (Section 4). What they mean is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// One for each pair of steps.
    Pairs,
    /// One for each step and process, where all that process's steps share their condition.
    Merged,
    /// One for all steps of two processes that are free of dependences with the other, one for each
    /// pair of the rest.
    Dependent,
    /// As [`Encoding::Dependent`], with merged ones for the rest.
    Both,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 4] = [Encoding::Pairs, Encoding::Merged, Encoding::Dependent, Encoding::Both];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Pairs => "pairs",
            Encoding::Merged => "merged",
            Encoding::Dependent => "dependent",
            Encoding::Both => "both",
        }
    }
}

/// What to look for, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// Executions of up to so many steps are looked at; one that fails counts the step that does.
    pub steps: usize,
    /// The reduction.
    pub reduction: Reduction,
    /// How its constraints are written down.
    pub encoding: Encoding,
    /// Rounds of a loop within a step.
    pub rounds: usize,
    /// Processes that can be met, in all executions together.
    pub processes: usize,
    /// The time for everything.
    pub timeout: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            steps: 50,
            reduction: Reduction::Full,
            encoding: Encoding::Both,
            rounds: 16,
            processes: 64,
            timeout: None,
        }
    }
}

/// A reason why something was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutoff {
    /// There are executions of more steps.
    Steps,
    /// A loop within a step has more rounds; its place.
    Rounds(SiteId),
    /// There are more processes.
    Processes,
    /// The time is over.
    Timeout,
    /// Somebody said stop.
    Stopped,
    /// The solver does not know.
    Unknown,
}

/// What one depth came to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DepthStatistics {
    /// Executions of so many steps.
    pub steps: usize,
    /// The time that the solver took.
    pub time: Duration,
    /// The time that building the formula took.
    pub encoding_time: Duration,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// Decisions of the solver.
    pub decisions: u64,
    /// Terms in the formula so far.
    pub terms: usize,
    /// Bytes that the solver was given to read so far.
    pub size: usize,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Report {
    /// A violation, with a schedule that was run.
    pub violation: Option<Violation>,
    /// All executions of up to so many steps were looked at; where there is a violation, it takes
    /// so many.
    pub steps: usize,
    /// What was left out, each reason once.
    pub cutoffs: Vec<Cutoff>,
    /// What the solver said where it does not know.
    pub unknown: Option<String>,
    /// The most processes in any of the executions.
    pub processes: usize,
    /// Depth by depth.
    pub depths: Vec<DepthStatistics>,
    /// What the solver counted in all.
    pub statistics: Statistics,
    /// The time that the solver took.
    pub solver_time: Duration,
    /// The processor time and the memory of the solver's process; with [`Reduction::Synth`], of
    /// both of them.
    pub usage: Usage,
    /// The time in all.
    pub time: Duration,
}

impl Report {
    /// The answer.
    pub fn verdict(&self) -> Verdict {
        if self.violation.is_some() {
            Verdict::Violation
        } else if self.cutoffs.is_empty() {
            Verdict::Verified
        } else {
            Verdict::Incomplete
        }
    }
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The solver.
    Solver(mazurka_smt::Error),
    /// What the solver found does not happen on the machine: one of our own mistakes.
    Mismatch(String),
}

impl From<mazurka_smt::Error> for Error {
    fn from(error: mazurka_smt::Error) -> Self {
        Error::Solver(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Solver(error) => error.fmt(f),
            Error::Mismatch(what) => write!(f, "the solver's schedule does not fail on the machine: {what}"),
        }
    }
}

impl std::error::Error for Error {}
