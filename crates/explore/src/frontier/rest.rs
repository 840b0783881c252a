//! A pause in which all workers rest, so that what they have come to can be kept.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Entry, Frontier, Kind, Node, PATIENCE, Shared};
use crate::checkpoint::{Deposit, KeptNode};

/// So long everybody waits for the others to rest, where the exploration is to end after that.
const GRACE: Duration = Duration::from_secs(1);

/// Where all workers stand.
#[derive(Debug)]
pub(super) struct Resting {
    /// So many workers are at work, or rest.
    present: usize,
    /// So many rest.
    resting: usize,
    /// How many pauses there have been.
    round: u64,
    /// What each worker has come to, when it rested last.
    deposits: Vec<Deposit>,
    /// When the last pause ended.
    last: Instant,
    /// After the pause of this number, requested then, the exploration ends.
    end: Option<(u64, Instant)>,
    /// Somebody has left a task behind: nothing is kept any more.
    is_broken: bool,
}

impl Frontier {
    /// All workers are to rest as soon as they can, if the last pause is long enough ago.
    pub(crate) fn pause_every(&self, interval: Duration) {
        let shared = self.lock();
        if shared.resting.end.is_none() && shared.resting.last.elapsed() >= interval {
            self.pausing.store(true, Ordering::Relaxed);
            self.bell.notify_all();
        }
    }

    /// All workers are to rest once more, and then the exploration ends. Whether that is still to
    /// come; it is not if it takes too long.
    pub(crate) fn pause_at_last(&self) -> bool {
        let mut shared = self.lock();
        let Resting { round, ref mut end, .. } = shared.resting;
        let (last, requested) = *end.get_or_insert_with(|| (round, Instant::now()));
        let is_to_come = round <= last && requested.elapsed() < GRACE;
        if is_to_come && !self.is_pausing() {
            self.pausing.store(true, Ordering::Relaxed);
            self.bell.notify_all();
        }
        is_to_come
    }

    /// Whether all workers are to rest.
    #[inline(always)]
    pub(crate) fn is_pausing(&self) -> bool {
        self.pausing.load(Ordering::Relaxed)
    }

    /// A worker begins.
    pub(crate) fn arrive(&self) {
        self.lock().resting.present += 1;
    }

    /// A worker ends, having come to this, and perhaps with a task that is not done.
    pub(crate) fn leave(&self, worker: usize, deposit: Deposit, has_task: bool) {
        let mut shared = self.lock();
        shared.resting.deposit(worker, deposit);
        shared.resting.present -= 1;
        shared.resting.is_broken |= has_task;
        drop(shared);
        self.bell.notify_all();
    }

    /// A worker that has given away all that it had rests, until all others do. The last one keeps
    /// what they have come to.
    pub(crate) fn rest(&self, worker: usize, deposit: Deposit, keep: impl FnOnce(Vec<KeptNode>, Vec<u32>, &[Deposit])) {
        let mut shared = self.lock();
        if !self.is_pausing() {
            return;
        }
        shared.resting.deposit(worker, deposit);
        shared.resting.resting += 1;
        let round = shared.resting.round;
        loop {
            if shared.resting.round != round {
                return;
            }
            if shared.resting.is_complete() {
                keep(shared.kept_nodes(), shared.tasks(), &shared.resting.deposits);
                shared.resting.resting = 0;
                shared.resting.round += 1;
                shared.resting.last = Instant::now();
                self.pausing.store(false, Ordering::Relaxed);
                self.bell.notify_all();
                return;
            }
            if self.is_stopped() || shared.resting.is_overdue() {
                shared.resting.resting -= 1;
                return;
            }
            shared = self.bell.wait_timeout(shared, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Default for Resting {
    fn default() -> Self {
        let (deposits, last) = (Vec::new(), Instant::now());
        Self { present: 0, resting: 0, round: 0, deposits, last, end: None, is_broken: false }
    }
}

impl Resting {
    /// Whether everybody rests, and all that is left to be done is a task.
    fn is_complete(&self) -> bool {
        self.resting == self.present && !self.is_broken
    }

    fn is_overdue(&self) -> bool {
        self.is_broken || self.end.is_some_and(|(_, requested)| requested.elapsed() >= GRACE)
    }

    fn deposit(&mut self, worker: usize, deposit: Deposit) {
        if self.deposits.len() <= worker {
            self.deposits.resize_with(worker + 1, Deposit::default);
        }
        self.deposits[worker] = deposit;
    }
}

impl Shared {
    fn kept_nodes(&self) -> Vec<KeptNode> {
        let kept = |entry: &Entry| KeptNode {
            parent: entry.parent.0,
            process: entry.step.process.clone(),
            values: entry.step.values.clone(),
            whole: entry.kind != Kind::Inner,
        };
        self.log.iter().map(kept).collect()
    }

    /// The tasks that nobody has taken.
    fn tasks(&self) -> Vec<u32> {
        let mut tasks: Vec<Node> = self.queues.iter().flat_map(|queue| queue.values().copied()).collect();
        tasks.sort();
        tasks.into_iter().map(|task| task.0).collect()
    }
}
