//! What several workers explore together: an ordered trie of schedules, and the tasks in it.
//!
//! A *cone* is all that begins with a schedule. Each worker explores one cone after the other, each
//! by itself, and knows nothing of what the others do but for the trie above the cones.
//!
//! - The trie is *append-only*. The order of a node's children is that of their insertion. What
//!   sleeps at a node follows from the elder children along its path, so it is never stored and
//!   never changes, and time plays no role.
//! - A node is *whole* if everything that begins with it is explored below it, by one worker. It
//!   stays so when that worker gives away parts of its cone.
//! - A *task* is a whole node that nobody has taken yet.
//!
//! Each worker has a [`Copy`](struct@Copy) of the trie, so it takes the lock only if something is
//! missing there, or when it takes a task. A stale copy is no harm: what it calls redundant is so,
//! since nothing is ever removed. Nobody appends at a node unless the copy is the trie ([`Stale`]).
//!
//! Steps are told by *names*: who, by creator and as which of its creations, and the values of data
//! choices. Machines number processes as they meet them, so numbers differ between workers.
//!
//! # Termination
//! Nothing is left when no task waits and no worker has one: only who has a task appends any.

mod copy;
mod rest;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mazurka_trace::{AccessKind, Choice, LocationId, ProcessId, Value};

pub(crate) use copy::{Copy, Own};

use crate::checkpoint::Checkpoint;
use rest::Resting;

/// Who waits for a task looks at the clock so often.
const PATIENCE: Duration = Duration::from_millis(20);

/// A node of the trie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Node(u32);

impl Node {
    /// Before the first step.
    pub(crate) const ROOT: Node = Node(0);

    /// The one that was appended as the one of this number, from 0.
    pub(crate) fn appended(number: usize) -> Node {
        Node(number as u32 + 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step, by names.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// Who steps: see `Describe::process_key`.
    pub(crate) process: Arc<str>,
    /// The values of its data choices.
    pub(crate) values: Arc<[Value]>,
    /// What it is on every machine, if that is known.
    pub(crate) known: Option<Arc<Known>>,
}

/// What a step is on every machine, where their numbers agree.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) process: ProcessId,
    /// Whether it can sleep.
    pub(crate) sleeps: bool,
    pub(crate) choices: Vec<Choice>,
    pub(crate) uses: Vec<(LocationId, AccessKind)>,
}

/// What a new node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// On the way to others.
    Inner,
    /// Whole, and still to be explored.
    Task,
    /// Whole, and explored, or being explored by whoever appends it.
    Taken,
}

/// A node as it was appended.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) parent: Node,
    pub(crate) step: Named,
    pub(crate) kind: Kind,
}

/// What is to be appended. The parents are nodes, or, where they are told by `Err`, entries before.
pub(crate) type Entries = Vec<(Result<Node, usize>, Named, Kind)>;

/// The trie has grown since the worker looked at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stale;

/// What workers share.
pub(crate) struct Frontier {
    shared: Mutex<Shared>,
    /// Rings when there are tasks, or when it is over.
    bell: Condvar,
    /// How many nodes there are.
    length: AtomicUsize,
    /// So many workers wait for tasks that there are not.
    hungry: AtomicUsize,
    /// Nothing more is to be explored.
    stopped: AtomicBool,
    /// All workers are to rest.
    pausing: AtomicBool,
    /// Complete executions that were counted, where they are limited.
    counted: AtomicU64,
    /// Give away all that can be, at once, and take tasks at random: a test.
    restless: bool,
}

/// Tasks by how deep the way to them leaves the way to others that were explored, and then by age:
/// the youngest first, at each depth.
type Queue = BTreeMap<(u32, Reverse<u32>), Node>;

/// What only one worker at a time looks at.
struct Shared {
    /// The nodes, without the root, in the order in which they were appended.
    log: Vec<Entry>,
    /// How deep the nodes lie, the root included.
    depths: Vec<u32>,
    /// The tasks that each worker has appended.
    queues: Vec<Queue>,
    /// So many workers have a task.
    running: usize,
    random: Option<u64>,
    resting: Resting,
}

/// What a worker that has no task is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// To explore this.
    Task(Node),
    /// To rest, and then to ask again.
    Rest,
    /// To end.
    End,
}

impl Frontier {
    /// With what is left to be explored of an exploration, all of it if there is none. `restless`
    /// is the seed of a test.
    pub(crate) fn new(workers: usize, restless: Option<u64>, left: Option<&Checkpoint>) -> Self {
        let mut shared = Shared {
            log: Vec::new(),
            depths: vec![0],
            queues: vec![Queue::new(); workers],
            running: 0,
            random: restless.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            resting: Resting::default(),
        };
        match left {
            None => shared.add_task(0, 0, Node::ROOT),
            Some(left) => {
                for node in &left.nodes {
                    let depth = shared.depths[node.parent as usize] + 1;
                    shared.depths.push(depth);
                }
                for &task in &left.tasks {
                    shared.add_task(0, shared.depths[task as usize], Node(task));
                }
                shared.log.extend(left.nodes.iter().map(|node| Entry {
                    parent: Node(node.parent),
                    step: Named { process: Arc::clone(&node.process), values: Arc::clone(&node.values), known: None },
                    kind: if node.whole { Kind::Taken } else { Kind::Inner },
                }));
            }
        }
        Self {
            length: AtomicUsize::new(shared.log.len()),
            shared: Mutex::new(shared),
            bell: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            pausing: AtomicBool::new(false),
            counted: AtomicU64::new(left.map_or(0, |left| left.counts.executions)),
            restless: restless.is_some(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A worker that panics stops all others.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many nodes have been appended.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length.load(Ordering::Acquire)
    }

    /// Whether somebody waits for a task.
    #[inline(always)]
    pub(crate) fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0 || self.restless
    }

    /// Whether this is a test in which everything is given away at once.
    pub(crate) fn is_restless(&self) -> bool {
        self.restless
    }

    /// Nothing more is to be explored, by anybody.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.bell.notify_all();
    }

    /// Whether nothing more is to be explored.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether a complete execution is one of as many as may be counted. Then it is counted.
    pub(crate) fn may_count(&self, most: u64) -> bool {
        self.counted.fetch_add(1, Ordering::Relaxed) < most
    }

    /// The worker has explored its task.
    pub(crate) fn finish(&self) {
        let mut shared = self.lock();
        shared.running -= 1;
        if shared.running == 0 {
            self.bell.notify_all();
        }
    }

    /// What a worker that has no task is to do. Waits until there is something, or it is to end.
    pub(crate) fn take(&self, worker: usize, mut is_late: impl FnMut() -> bool) -> Next {
        let mut shared = self.lock();
        loop {
            if self.is_stopped() || is_late() {
                return Next::End;
            }
            if self.is_pausing() {
                return Next::Rest;
            }
            if let Some(task) = shared.next_task(worker) {
                shared.running += 1;
                return Next::Task(task);
            }
            if shared.running == 0 {
                return Next::End;
            }
            self.hungry.fetch_add(1, Ordering::Relaxed);
            let waited = self.bell.wait_timeout(shared, PATIENCE);
            self.hungry.fetch_sub(1, Ordering::Relaxed);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Appends what somebody requests. Not where the trie has more nodes than the worker knows.
    pub(crate) fn insert(&self, worker: usize, known: usize, entries: Entries) -> Result<(), Stale> {
        let shared = self.lock();
        if shared.log.len() != known {
            return Err(Stale);
        }
        // A chain, or siblings: the way to them leaves others where the first one begins.
        let depth = entries.first().and_then(|entry| entry.0.ok()).map(|at| shared.depths[at.index()]);
        self.append_all(shared, worker, depth, entries);
        Ok(())
    }

    /// Appends what a worker gives away, and tells the number of the first of these nodes.
    pub(crate) fn publish(&self, worker: usize, entries: Entries) -> usize {
        let shared = self.lock();
        let first = shared.log.len();
        self.append_all(shared, worker, None, entries);
        first
    }

    /// `depth` is where the ways to the tasks leave others; if there is none, at their parents.
    fn append_all(&self, mut shared: MutexGuard<'_, Shared>, worker: usize, depth: Option<u32>, entries: Entries) {
        let first = shared.log.len();
        for (parent, step, kind) in entries {
            let parent = parent.unwrap_or_else(|entry| Node::appended(first + entry));
            let below = shared.depths[parent.index()];
            shared.depths.push(below + 1);
            shared.log.push(Entry { parent, step, kind });
            if kind == Kind::Task {
                let task = Node::appended(shared.log.len() - 1);
                shared.add_task(worker, depth.unwrap_or(below), task);
            }
        }
        self.length.store(shared.log.len(), Ordering::Release);
        drop(shared);
        self.bell.notify_all();
    }
}

impl Shared {
    fn add_task(&mut self, worker: usize, depth: u32, task: Node) {
        self.queues[worker].insert((depth, Reverse(task.0)), task);
    }

    /// The worker's own task that is nearest to where it is, as in a search in depth; or else
    /// somebody else's that is nearest to the root, which is likely to be large. In a test, anyone.
    fn next_task(&mut self, worker: usize) -> Option<Node> {
        if self.random.is_some() {
            return self.random_task();
        }
        if let Some((_, own)) = self.queues[worker].pop_last() {
            return Some(own);
        }
        let longest = self.queues.iter_mut().max_by_key(|queue| queue.len())?;
        longest.pop_first().map(|(_, task)| task)
    }

    fn random_task(&mut self) -> Option<Node> {
        let waiting: usize = self.queues.iter().map(Queue::len).sum();
        let state = self.random.as_mut().filter(|_| waiting > 0)?;
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        let mut number = ((*state >> 11) % waiting as u64) as usize;
        for queue in &mut self.queues {
            match number.checked_sub(queue.len()) {
                Some(rest) => number = rest,
                None => {
                    let place = queue.keys().nth(number).copied()?;
                    return queue.remove(&place);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str) -> Named {
        Named { process: name.into(), values: Arc::new([]), known: None }
    }

    fn chain() -> Entries {
        vec![(Ok(Node::ROOT), step("p"), Kind::Inner), (Err(0), step("q"), Kind::Task)]
    }

    fn names(copy: &Copy, node: Node) -> Vec<String> {
        let children = std::iter::successors(copy.first(node), |&child| copy.next(child));
        children.map(|child| copy.step(child).process.to_string()).collect()
    }

    /// Who has not seen what others appended appends nothing; children keep the order in which they
    /// came.
    #[test]
    fn nobody_appends_unseen() {
        let frontier = Frontier::new(2, None, None);
        let (mut one, other) = (Copy::new(), Copy::new());
        assert_eq!(frontier.take(0, || false), Next::Task(Node::ROOT));
        assert!(frontier.insert(0, one.length(), chain()).is_ok());
        assert!(frontier.insert(1, other.length(), vec![(Ok(Node::ROOT), step("r"), Kind::Task)]).is_err());
        one.refresh(&frontier);
        assert!(frontier.insert(1, one.length(), vec![(Ok(Node::ROOT), step("r"), Kind::Task)]).is_ok());
        one.refresh(&frontier);
        assert_eq!(names(&one, Node::ROOT), ["p", "r"]);
        let (p, r) = (Node::appended(0), Node::appended(2));
        assert_eq!(names(&one, p), ["q"]);
        assert_eq!([p, Node::appended(1), r].map(|node| one.is_whole(node)), [false, true, true]);
        assert_eq!(one.path_to(Node::appended(1)), [Node::ROOT, p, Node::appended(1)]);
    }

    /// Each task is taken once: one's own, the deepest first, or somebody else's, the highest
    /// first. It is over when nobody has one and none is left.
    #[test]
    fn tasks_are_taken_once() {
        let frontier = Frontier::new(2, None, None);
        assert_eq!(frontier.take(1, || false), Next::Task(Node::ROOT));
        assert_eq!(frontier.take(0, || true), Next::End);
        let given = vec![
            (Ok(Node::ROOT), step("p"), Kind::Taken),
            (Ok(Node::ROOT), step("q"), Kind::Inner),
            (Err(1), step("r"), Kind::Task),
            (Ok(Node::ROOT), step("s"), Kind::Task),
        ];
        assert_eq!(frontier.publish(1, given), 0);
        assert_eq!(frontier.take(0, || false), Next::Task(Node::appended(3)));
        assert_eq!(frontier.take(1, || false), Next::Task(Node::appended(2)));
        (0..3).for_each(|_| frontier.finish());
        assert_eq!(frontier.take(0, || false), Next::End);
    }
}
