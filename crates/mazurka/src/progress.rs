//! How far a check is, while it runs.
//!
//! A thread of its own reads the exploration's [`Monitor`]. In the time between it dives at random
//! into the executions, on a machine of its own, to estimate how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use mazurka_explore::{Estimate, Estimator, Monitor, Options};
use mazurka_machine::Machine;

/// Nothing is said of an exploration that is over by then.
const DELAY: Duration = Duration::from_millis(300);

/// Time for dives in each period.
const DIVING: Duration = Duration::from_millis(20);

/// Dives that would be deeper are given up.
const DEEPEST_DIVE: usize = 20_000;

/// What is known of a running exploration at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Complete executions so far.
    pub executions: u64,
    /// Explorations that were cut so far.
    pub blocked: u64,
    /// Events of the current execution.
    pub depth: u64,
    /// How long it has run.
    pub elapsed: Duration,
    /// How many executions there are, as far as that can be told.
    pub estimate: Option<Estimate>,
}

/// Somebody who is told how far an exploration is.
pub trait Watcher: Send {
    /// The time between two readings.
    fn period(&self) -> Duration;

    /// Hears a reading.
    fn see(&mut self, reading: &Reading);

    /// The exploration is over.
    fn end(&mut self) {}
}

/// Does the work, and tells the watcher how far it is meanwhile.
pub fn watched<M: Machine, R>(
    watcher: Option<&mut dyn Watcher>,
    options: &Options,
    monitor: &Monitor,
    make: &(impl Fn() -> M + Sync),
    work: impl FnOnce() -> R,
) -> R {
    let Some(watcher) = watcher else { return work() };
    std::thread::scope(|scope| {
        // Dropped when the work is done, or panics: then the thread ends.
        let (_working, done) = mpsc::channel::<()>();
        // A dive can be long.
        let over = Arc::new(AtomicBool::new(false));
        let cancel = Arc::clone(&over);
        scope.spawn(move || {
            let estimator = Estimator::new(make(), options.algorithm, 1).cancelled_by(&cancel);
            Watch { watcher, monitor, estimator, estimate: None, started: Instant::now() }.run(&done);
        });
        let result = work();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// The thread's state.
struct Watch<'a, M> {
    watcher: &'a mut dyn Watcher,
    monitor: &'a Monitor,
    estimator: Estimator<M>,
    estimate: Option<Estimate>,
    started: Instant,
}

impl<M: Machine> Watch<'_, M> {
    fn run(mut self, done: &Receiver<()>) {
        let mut wait = DELAY;
        while done.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            self.dive();
            let reading = self.reading();
            self.watcher.see(&reading);
            wait = self.watcher.period().saturating_sub(DIVING);
        }
        self.watcher.end();
    }

    /// Dives for a while.
    fn dive(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < DIVING {
            match self.estimator.dive(DEEPEST_DIVE) {
                Some(estimate) => self.estimate = Some(estimate),
                None => return,
            }
        }
    }

    fn reading(&self) -> Reading {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Reading {
            executions: read(&self.monitor.executions),
            blocked: read(&self.monitor.blocked),
            depth: read(&self.monitor.depth),
            elapsed: self.started.elapsed(),
            estimate: self.estimate,
        }
    }
}
