//! How many executions will there be? An unbiased estimate by random dives.
//!
//! Knuth, *Estimating the efficiency of backtrack programs*, 1975: walk from the root of a tree to
//! a leaf, taking a child at random at each node; the product of the numbers of children on the way
//! is an unbiased estimate of the number of leaves.
//!
//! The trees of the reductions grow while they are explored, so they cannot be dived into. The tree
//! that is: everybody enabled at each node, with sleep sets. It has exactly one complete leaf for
//! each trace, which is what every reduction counts; its blocked leaves count zero. For `none`, the
//! same without sleep sets.
//!
//! Cost: at each node of a dive, one step for each enabled process. The spread of the estimate can
//! be large: it comes with its standard error.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use crate::choices::Script;
use crate::names::Variant;
use crate::search::Search;
use crate::sleep::Sleeper;
use crate::{Algorithm, Limits, Monitor, Options};

/// An unbiased estimate of the number of complete executions, by random dives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many dives it rests on.
    pub dives: u64,
    /// The mean of the dives: the estimate.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

/// Dives at random into the executions of a machine.
#[derive(Debug)]
pub struct Estimator<M> {
    machine: M,
    cancel: Arc<AtomicBool>,
    sleeping: bool,
    random: u64,
    dives: u64,
    mean: f64,
    /// The sum of the squared distances from the mean (Welford).
    squares: f64,
}

impl<M: Machine> Estimator<M> {
    /// An estimator on a machine of its own, of what `algorithm` would count, from a seed.
    pub fn new(machine: M, algorithm: Algorithm, seed: u64) -> Self {
        let sleeping = !algorithm.counts_interleavings();
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
        let cancel = Arc::default();
        Self { machine, cancel, sleeping, random: random.max(1), dives: 0, mean: 0.0, squares: 0.0 }
    }

    /// Gives up a dive as soon as somebody sets this flag.
    pub fn cancelled_by(self, cancel: &Arc<AtomicBool>) -> Self {
        Self { cancel: Arc::clone(cancel), ..self }
    }

    /// One more dive. Gives up, and returns `None`, where it would be deeper than `depth`, since
    /// then no estimate is unbiased, or where it is cancelled.
    pub fn dive(&mut self, depth: usize) -> Option<Estimate> {
        let leaves = self.leaves(depth)?;
        self.dives += 1;
        let distance = leaves - self.mean;
        self.mean += distance / self.dives as f64;
        self.squares += distance * (leaves - self.mean);
        let variance = if self.dives > 1 { self.squares / (self.dives - 1) as f64 } else { f64::INFINITY };
        Some(Estimate { dives: self.dives, mean: self.mean, error: (variance / self.dives as f64).sqrt() })
    }

    /// One dive's estimate of the number of complete executions.
    fn leaves(&mut self, depth: usize) -> Option<f64> {
        let options = Options { all: true, limits: Limits { depth, ..Limits::default() }, ..Options::default() };
        let monitor = Monitor { cancel: Arc::clone(&self.cancel), ..Monitor::default() };
        let mut search = Search::by_conflict(&mut self.machine, &options, &monitor);
        let (mut weight, mut sleep) = (1.0, Vec::new());
        let (mut children, mut variants) = (Vec::new(), Vec::new());
        let complete = loop {
            if search.execution.has_halted() {
                break true;
            }
            let any_enabled = awake_children(&mut search, &sleep, &mut variants, &mut children);
            if search.is_too_long() || search.is_late() {
                return None;
            }
            if children.is_empty() {
                break !any_enabled;
            }
            weight *= children.len() as f64;
            let taken = (next_random(&mut self.random) % children.len() as u64) as usize;
            let child = children[taken];
            if self.sleeping {
                sleep.extend_from_slice(&children[..taken]);
                sleep.retain(|sleeper: &Sleeper| {
                    sleeper.process != child.process
                        && !search.cursor.names.footprints.dependent(sleeper.footprint, child.footprint)
                });
            }
            search.advance(child.process, Script::Exactly(child.choice));
        };
        let counts = complete && !search.is_discarded();
        search.conclude();
        Some(if counts { weight } else { 0.0 })
    }
}

/// The steps that can be taken and do not sleep. Tells whether anybody is enabled.
fn awake_children<M: Machine>(
    search: &mut Search<'_, M>,
    sleep: &[Sleeper],
    variants: &mut Vec<Variant>,
    children: &mut Vec<Sleeper>,
) -> bool {
    children.clear();
    let mut any_enabled = false;
    let mut add = |search: &mut Search<'_, M>, process: ProcessId| {
        search.cursor.variants(process, variants);
        any_enabled |= !variants.is_empty();
        let steps = variants.iter().map(|&Variant { choice, footprint, .. }| Sleeper::new(process, choice, footprint));
        children.extend(steps.filter(|step| !sleep.contains(step)));
    };
    if let Some(at_local) = search.cursor.machine.at_local() {
        add(search, at_local);
        return true;
    }
    let mut from = 0;
    while let Some(process) = search.cursor.machine.live().next_from(from) {
        from = process.index() + 1;
        add(search, process);
    }
    any_enabled
}

/// Marsaglia's xorshift, 64 bits.
fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 8
}
