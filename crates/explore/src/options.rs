//! What can be asked of an exploration, and how it is watched.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::plan::Algorithm;

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
    /// Only synchronisation is interference: accesses to memory that is not meant for communication
    /// are not tried in both orders. Data races among them are looked for in so many of a hundred
    /// executions. For the algorithms that explore the unfolding.
    pub lock_races_only: Option<u32>,
    /// Where states are compared, compare them once more after all that lies between the two steps
    /// of a race has run in both orders. It leaves out less, and takes longer: to measure what that
    /// costs.
    pub whole_check: bool,
    /// What the random numbers of `random:N` come from.
    pub seed: u64,
    /// Pick freely among the processes that could go first at random, from this seed, instead of by
    /// the rule. Counts of complete executions do not depend on it: a test.
    pub shuffle: Option<u64>,
    /// Several workers give away all that they can, at once, and take tasks at random, from this
    /// seed. Counts of complete executions do not depend on it: a test.
    pub restless: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            all: false,
            limits: Limits::default(),
            skip_step: 4,
            lock_races_only: None,
            whole_check: false,
            seed: 1,
            shuffle: None,
            restless: None,
        }
    }
}

/// How an exploration is watched and interrupted from another thread. The explorer updates it every
/// few thousand events. It looks at the flags before each step, and in whatever else can take long:
/// see [`Monitor::is_due`].
#[derive(Debug, Default)]
pub struct Monitor {
    /// Set it, and the exploration ends soon.
    pub cancel: Arc<AtomicBool>,
    /// The time is up: set by the exploration's own timer.
    pub(crate) late: Arc<AtomicBool>,
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
    /// One that hears the same interruptions, for counts of its own.
    pub(crate) fn another(&self) -> Self {
        Self { cancel: Arc::clone(&self.cancel), late: Arc::clone(&self.late), ..Self::default() }
    }

    /// Whether the exploration has to end: the time is up, or somebody cancelled it. Two loads, so
    /// that it can be asked in any loop; no clock is read.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.late.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed)
    }

    /// Does the work, and sets the flag when the time is up.
    ///
    /// A thread of its own waits for that. Where the system has no thread to give, the explorer
    /// still reads the clock every few thousand steps.
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
