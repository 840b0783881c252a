//! What can be asked of an exploration, and how it is watched.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The exploration algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Algorithm {
    /// Every interleaving.
    None,
    /// Flanagan and Godefroid's dynamic partial order reduction, with sleep sets.
    Dpor,
    /// Source sets and sleep sets.
    Source,
    /// Wakeup trees: one execution for each trace, none blocked.
    Optimal,
    /// Wakeup trees, with two writes ordered only if somebody observes what they leave.
    Observers,
    /// Source sets, without what commutes in the state where it happens.
    Cs,
    /// Wakeup trees, without what commutes in the state where it happens.
    OptimalCs,
    /// `cs`, with what the program's independence constraints say.
    Constrained,
    /// `optimal-cs`, with what the program's independence constraints say.
    OptimalConstrained,
    /// Both: two writes are ordered only if somebody observes what they leave, and what commutes is left out.
    OptimalCsObservers,
    /// `optimal-cs-observers`, with what the program's independence constraints say.
    OptimalConstrainedObservers,
    /// The unfolding, with alternatives to so many of the disabled events.
    Quasi(NonZeroU32),
    /// The unfolding, with alternatives to all disabled events: one execution for each trace, none blocked.
    QuasiOptimal,
}

impl Algorithm {
    /// All that can be relied on, weakest first; of those with a parameter the strongest.
    pub const ALL: [Algorithm; 12] = [
        Algorithm::None,
        Algorithm::Dpor,
        Algorithm::Source,
        Algorithm::Optimal,
        Algorithm::Observers,
        Algorithm::Cs,
        Algorithm::OptimalCs,
        Algorithm::OptimalCsObservers,
        Algorithm::Constrained,
        Algorithm::OptimalConstrained,
        Algorithm::OptimalConstrainedObservers,
        Algorithm::QuasiOptimal,
    ];

    /// Those that make use of independence constraints.
    pub const CONSTRAINED: [Algorithm; 3] =
        [Algorithm::Constrained, Algorithm::OptimalConstrained, Algorithm::OptimalConstrainedObservers];

    /// Its name on the command line.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Algorithm::None => "none",
            Algorithm::Dpor => "dpor",
            Algorithm::Source => "source",
            Algorithm::Optimal => "optimal",
            Algorithm::Observers => "observers",
            Algorithm::Cs => "cs",
            Algorithm::OptimalCs => "optimal-cs",
            Algorithm::Constrained => "constrained",
            Algorithm::OptimalConstrained => "optimal-constrained",
            Algorithm::OptimalConstrainedObservers => "optimal-constrained-observers",
            Algorithm::OptimalCsObservers => "optimal-cs-observers",
            Algorithm::Quasi(width) => return Cow::Owned(format!("quasi:{width}")),
            Algorithm::QuasiOptimal => "quasi:optimal",
        })
    }

    /// With how many disabled events at most an alternative has to conflict, if there is such a limit.
    pub(crate) fn width(self) -> Option<usize> {
        if let Algorithm::Quasi(width) = self { Some(width.get() as usize) } else { None }
    }

    /// `quasi:K`.
    fn quasi(name: &str) -> Option<Self> {
        let width = name.strip_prefix("quasi:")?;
        // One way to write a number: `quasi:01` and `quasi:+1` are no names.
        let number = width.parse().ok().filter(|number: &NonZeroU32| number.to_string() == width)?;
        Some(Algorithm::Quasi(number))
    }

    /// Whether it explores at least one execution of each trace; the others leave out traces that lead to the same states.
    pub fn explores_every_trace(self) -> bool {
        match self {
            Algorithm::None | Algorithm::Dpor | Algorithm::Source | Algorithm::Optimal => true,
            Algorithm::Quasi(_) | Algorithm::QuasiOptimal => true,
            Algorithm::Observers
            | Algorithm::Cs
            | Algorithm::OptimalCs
            | Algorithm::OptimalCsObservers
            | Algorithm::Constrained
            | Algorithm::OptimalConstrained
            | Algorithm::OptimalConstrainedObservers => false,
        }
    }

    /// What it is where nothing is known about when steps commute.
    pub fn without_constraints(self) -> Self {
        match self {
            Algorithm::Constrained => Algorithm::Source,
            Algorithm::OptimalConstrained => Algorithm::OptimalCs,
            Algorithm::OptimalConstrainedObservers => Algorithm::OptimalCsObservers,
            algorithm => algorithm,
        }
    }

    /// Whether it makes use of independence constraints.
    pub fn uses_constraints(self) -> bool {
        Self::CONSTRAINED.contains(&self)
    }

    /// Whether it leaves out traces that lead to the same states.
    pub fn compares_states(self) -> bool {
        match self {
            Algorithm::Cs | Algorithm::OptimalCs | Algorithm::OptimalCsObservers => true,
            Algorithm::Constrained | Algorithm::OptimalConstrained | Algorithm::OptimalConstrainedObservers => true,
            Algorithm::None | Algorithm::Dpor | Algorithm::Source | Algorithm::Optimal | Algorithm::Observers => false,
            Algorithm::Quasi(_) | Algorithm::QuasiOptimal => false,
        }
    }

    /// Whether two writes that nobody observes are in no order: then states are the same only as far as they are observed.
    pub fn counts_observers(self) -> bool {
        match self {
            Algorithm::Observers | Algorithm::OptimalCsObservers | Algorithm::OptimalConstrainedObservers => true,
            Algorithm::None | Algorithm::Dpor | Algorithm::Source | Algorithm::Optimal => false,
            Algorithm::Cs | Algorithm::OptimalCs | Algorithm::Constrained | Algorithm::OptimalConstrained => false,
            Algorithm::Quasi(_) | Algorithm::QuasiOptimal => false,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        named.or_else(|| Self::quasi(name)).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|algorithm| algorithm.name()).collect();
            format!("there is no algorithm `{name}`; there are {}, and quasi:K with K = 1, 2, 3, …", names.join(", "))
        })
    }
}

/// Limits of an exploration. Reaching one is part of the outcome.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long.
    pub timeout: Option<Duration>,
    /// How many complete executions.
    pub executions: Option<u64>,
    /// How many events an execution may have.
    pub depth: usize,
    /// How often in an execution, as it is explored, another process may step than the one before.
    pub switches: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: None, executions: None, depth: 1_000_000, switches: None }
    }
}

/// What is asked of an exploration.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to explore.
    pub algorithm: Algorithm,
    /// Go on after the first violation.
    pub all: bool,
    /// When to give up.
    pub limits: Limits,
    /// How far apart the skip pointers lie in the trees of the unfolding: at least 2.
    pub skip_step: u32,
    /// Only synchronisation is interference: accesses to memory that is not meant for communication are not tried in both orders. Data races among them are
    /// looked for in so many of a hundred executions. For the algorithms that explore the unfolding.
    pub lock_races_only: Option<u32>,
    /// Where states are compared, compare them once more after all that lies between the two steps of a race has run in both orders. It leaves out less, and takes longer: to measure what that costs.
    pub whole_check: bool,
    /// Pick freely among the processes that could go first at random, from this seed, instead of by the rule.
    /// Counts of complete executions do not depend on it: a test.
    pub shuffle: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Optimal,
            all: false,
            limits: Limits::default(),
            skip_step: 4,
            lock_races_only: None,
            whole_check: false,
            shuffle: None,
        }
    }
}

/// How an exploration is watched and interrupted from another thread. The explorer updates it every few thousand
/// events. It looks at the flags before each step, and in whatever else can take long: see [`Monitor::is_due`].
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set it, and the exploration ends soon.
    pub cancel: Arc<AtomicBool>,
    /// The time is up: set by the exploration's own timer.
    pub(crate) late: AtomicBool,
    /// Complete executions so far.
    pub executions: AtomicU64,
    /// Explorations cut so far.
    pub blocked: AtomicU64,
    /// Events so far.
    pub events: AtomicU64,
    /// Events of the current execution.
    pub depth: AtomicU64,
}

impl Monitor {
    /// Whether the exploration has to end: the time is up, or somebody cancelled it. Two loads, so that it can be
    /// asked in any loop; no clock is read.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.late.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed)
    }

    /// Does the work, and sets the flag when the time is up.
    ///
    /// A thread of its own waits for that. Where the system has no thread to give, the explorer still reads the clock
    /// every few thousand steps.
    pub(crate) fn timed<R>(&self, limit: Option<Duration>, work: impl FnOnce() -> R) -> R {
        self.late.store(false, Ordering::Relaxed);
        let Some(limit) = limit else { return work() };
        std::thread::scope(|scope| {
            // Dropped when the work is done, or panics: then the thread ends.
            let (_working, done) = mpsc::channel::<()>();
            let wait = move || {
                if done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    self.late.store(true, Ordering::Relaxed);
                }
            };
            let _ = std::thread::Builder::new().name("timer".to_owned()).spawn_scoped(scope, wait);
            work()
        })
    }
}
