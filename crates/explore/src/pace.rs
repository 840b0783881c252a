//! How long an exploration may go on: the clock, whoever interrupts it, and whoever works beside
//! it.
//!
//! Cost: a decrement for each step, and two loads for each question whether it is late.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mazurka_trace::{Limit, Outcome};

use crate::Monitor;
use crate::checkpoint::Deposit;

/// How often (in steps) the clock and the monitor are looked at.
const STRIDE: u32 = 2048;

/// The number of steps between two looks at whether the time is up. It divides [`STRIDE`].
const SHORT_STRIDE: u32 = 64;

/// Somebody who works beside an exploration.
pub(crate) trait Beside {
    /// The exploration has taken so many more steps. Tells whether it may end, because there is an
    /// answer.
    fn go_on(&mut self, steps: u32) -> bool;

    /// A complete execution is to be counted: whether it may be. Then it is.
    fn may_count(&mut self) -> bool {
        true
    }

    /// All who explore together rest: this is what one of them has come to.
    fn rest(&mut self, _deposit: Deposit) {}
}

/// The pace of an exploration.
pub(crate) struct Pace<'a> {
    pub(crate) monitor: &'a Monitor,
    timeout: Option<Duration>,
    started: Instant,
    countdown: u32,
    /// The events that were executed, local steps not counted.
    pub(crate) events: u64,
    /// The length of the current execution.
    pub(crate) depth: usize,
    /// Nothing more is to be explored.
    pub(crate) stopped: bool,
    /// The time is up, or somebody interrupted. From then on the machine is not stepped any more,
    /// so it need not be where it is taken to be: nothing is found out any more.
    late: bool,
    /// The limits that ended the exploration.
    reached: Vec<Limit>,
    beside: Option<&'a mut dyn Beside>,
}

impl<'a> Pace<'a> {
    /// A pace from now on.
    pub(crate) fn new(monitor: &'a Monitor, timeout: Option<Duration>) -> Self {
        Self {
            monitor,
            timeout,
            started: Instant::now(),
            countdown: STRIDE,
            events: 0,
            depth: 0,
            stopped: false,
            late: false,
            reached: Vec::new(),
            beside: None,
        }
    }

    /// Somebody works beside the exploration.
    pub(crate) fn accompany(&mut self, beside: &'a mut dyn Beside) {
        self.beside = Some(beside);
    }

    /// Whether a complete execution may be counted. Then it is to be.
    #[inline]
    pub(crate) fn may_count(&mut self) -> bool {
        self.beside.as_mut().is_none_or(|beside| beside.may_count())
    }

    /// Rests with all others who explore, with what has been come to.
    pub(crate) fn rest(&mut self, deposit: Deposit) {
        if let Some(beside) = &mut self.beside {
            beside.rest(deposit);
        }
    }

    /// The pace of another exploration, begun at the same time, while this one pauses.
    pub(crate) fn of_another(&mut self) -> Pace<'_> {
        let beside = self.beside.as_mut().map(|beside| &mut **beside as &mut dyn Beside);
        Pace { started: self.started, beside, ..Pace::new(self.monitor, self.timeout) }
    }

    /// Nothing more is to be explored, because of a limit.
    pub(crate) fn stop(&mut self, limit: Limit) {
        self.reached.push(limit);
        self.stopped = true;
        self.late |= matches!(limit, Limit::Timeout | Limit::Interrupted);
    }

    /// The exploration begins again. The events that were executed count.
    pub(crate) fn begin_again(&mut self) {
        self.reached.clear();
        self.stopped = false;
    }

    /// Whether the exploration had to end at once when that was last looked at.
    #[inline(always)]
    pub(crate) fn was_late(&self) -> bool {
        self.late
    }

    /// Whether the exploration has to end at once: to be asked in whatever takes long without
    /// stepping the machine. What was being found out then is worth nothing.
    #[inline(always)]
    pub(crate) fn is_late(&mut self) -> bool {
        if self.monitor.is_due() {
            self.look_around();
        }
        self.late
    }

    /// A step was taken.
    #[inline(always)]
    pub(crate) fn count(&mut self, local: bool) {
        self.events += u64::from(!local);
        self.countdown -= 1;
        if self.countdown.is_multiple_of(SHORT_STRIDE) && (self.countdown == 0 || self.monitor.is_due()) {
            self.look_around();
        }
    }

    #[cold]
    fn look_around(&mut self) {
        self.countdown = STRIDE;
        self.monitor.events.store(self.events, Ordering::Relaxed);
        self.monitor.depth.store(self.depth as u64, Ordering::Relaxed);
        if self.monitor.cancel.load(Ordering::Relaxed) {
            self.stop(Limit::Interrupted);
        }
        let is_up = |limit| self.monitor.late.load(Ordering::Relaxed) || self.started.elapsed() >= limit;
        if self.timeout.is_some_and(is_up) {
            self.stop(Limit::Timeout);
        }
        if !self.stopped && self.beside.as_mut().is_some_and(|beside| beside.go_on(STRIDE)) {
            self.stopped = true;
        }
    }

    /// Tells the outcome what was counted, and which limits were reached.
    pub(crate) fn conclude(&self, outcome: &mut Outcome) {
        outcome.events = self.events;
        outcome.time = self.started.elapsed();
        self.reached.iter().for_each(|&limit| outcome.reached(limit));
    }
}
