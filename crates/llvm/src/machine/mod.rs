//! The machine: runs a lowered C program, step by step, and takes steps back.
//!
//! A thread rests before its next visible operation, with all operands evaluated; a step does that
//! operation, and then all invisible code up to the next one. Visible is what others could notice:
//! an access to a shared object ([`sharing`]), a synchronisation, the end of a shared object's
//! life. Whether an operation is visible depends on the thread's own past alone.
//!
//! What things cost: a step, what its instructions cost, a record, and a copy of the current frame
//! ([`frames`]; registers are not logged one by one, memory is: [`log`]); a step that is known from
//! the thread's own past ([`pasts`]), one access and the registers that it changes; rewinding, what
//! changed; [`Run::is_enabled`], constant time but for waiting loops and atomic blocks that may
//! block (a run of the step that is taken back); [`Run::digest`], what has changed since it was
//! last requested ([`parts`]). Nothing is allocated per step in the steady state; threads, blocks
//! and stack objects cost memory the first time they are met.
//!
//! # Known limits
//! - An address that reaches another thread in a way that is not noticed (in parts, or computed)
//!   leads to a fault of kind `Unmodelled` when it is used there. It is noticed where eight bytes
//!   are written that hold it, or where the lowering exposes it.
//! - A thread that uses the address of a stack object of its own after leaving its scope may meet
//!   another object in its place, unless others knew of the first.
//! - A loop waits only if an iteration changes nothing: stack objects of functions that it calls
//!   count as changes, and so does every write to shared memory. Taking a lock and giving it back
//!   is no change where nobody tries to take it in the meantime.
//! - What atomic blocks do is not looked at for data races.
//! - What synchronises is told in [`synchronisation`].

mod access;
mod arithmetic;
mod assumptions;
mod bare;
mod births;
pub(crate) mod call;
mod calls;
mod cells;
mod counters;
mod digest;
mod event;
mod exits;
mod frames;
mod guard;
mod interpreter;
pub(crate) mod joins;
mod known;
mod leak;
mod locking;
mod log;
mod memory;
pub(crate) mod object;
mod parts;
pub(crate) mod pasts;
mod registry;
mod remember;
mod scope;
mod sharing;
mod single;
pub(crate) mod snapshot;
pub(crate) mod soft;
pub(crate) mod state;
mod step;
pub(crate) mod synchronisation;
#[cfg(test)]
mod tests;
pub(crate) mod thread;
mod trial;
mod turn;
mod waiting;
mod waits;

use std::sync::Arc;

use mazurka_machine::undo::Deeds;
use mazurka_machine::{Companion, Constraints, DataRaces, Digest, Imagination, Machine, Run};
use mazurka_trace::{Event, Fault, ProcessId, ProcessSet, SiteId, Value};

use crate::code::Image;
use crate::code::instruction::Instruction;
use crate::mutation::{self, Mutation};

use call::Grant;
use counters::Counters;
use frames::Copies;
use pasts::{Past, Pasts};
use state::State;
use thread::{Frame, NEVER_ALONE, Rest, word};
use trial::{Domains, Guards};
use turn::{Fuse, Turn};
use waits::Waits;

/// Loop iterations and calls that one step may do, unless the machine is told otherwise.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// A running C program. Its clones are machines of the same program that agree with it on what
/// addresses are.
#[derive(Clone, Debug)]
pub struct CMachine {
    pub(crate) image: Arc<Image>,
    pub(crate) state: State,
    copies: Copies,
    records: Vec<Record>,
    pasts: Pasts,
    /// The threads started by steps.
    started: Deeds<ProcessId>,
    /// For each function, whether something in it can have to wait.
    blocking: Vec<bool>,
    waits: Waits,
    fuel: u64,
    /// How much a thread had read when a trial began.
    trial_reads: usize,
    /// Whether the step that is taken goes on with the next access.
    fuse: Fuse,
    domains: Domains,
    guards: Guards,
    counters: Counters,
    /// An event for runs that nobody is told of.
    scratch: Event,
}

/// What it takes to undo one step, besides the log and the copies.
#[derive(Clone, Copy, Debug)]
struct Record {
    process: ProcessId,
    /// How long the log was before.
    log: u32,
    /// How many copies of frames there were before; of a known step, which one it is.
    copies: u32,
    notes: u32,
    /// The thread's own past before, if it was known.
    past: Past,
}

/// What else a step changed.
mod notes {
    /// The thread was at a local step.
    pub(super) const WAS_URGENT: u32 = 1;
    /// The thread is not live any more.
    pub(super) const ENDED: u32 = 2;
    /// The thread is at a local step.
    pub(super) const IS_URGENT: u32 = 4;
    /// Threads were started.
    pub(super) const STARTED: u32 = 8;
    /// What there is something to do about besides undoing changes, and not often.
    pub(super) const RARE: u32 = WAS_URGENT | IS_URGENT | STARTED;
    /// The step was the conclusion.
    pub(super) const CONCLUSION: u32 = 16;
    /// The step was known.
    pub(super) const KNOWN: u32 = 32;
}

impl CMachine {
    /// A machine in the program's initial state.
    pub fn new(image: Arc<Image>) -> Self {
        let mut machine = Self {
            state: State::new(&image),
            copies: Copies::default(),
            records: Vec::new(),
            pasts: Pasts::default(),
            started: Deeds::default(),
            blocking: blocking(&image),
            waits: Waits::of(&image, &function_of_code(&image)),
            fuel: DEFAULT_FUEL,
            trial_reads: 0,
            fuse: Fuse::No,
            domains: Domains::default(),
            guards: Guards::default(),
            counters: Counters::of(&image),
            scratch: Event::default(),
            image,
        };
        machine.state.barriers.ordered = machine.waits.barriers_are_told_apart;
        if !machine.image.settings.shortcuts {
            machine.drop_all_assumptions();
        }
        machine.start();
        if machine.counters.is_active() {
            machine.meet_counters();
        }
        machine
    }

    /// Starts the first thread.
    fn start(&mut self) {
        let main = self.state.meet(None);
        self.state.begin_thread(&self.image, main, self.image.start, &[]);
        if !self.image.settings.shortcuts {
            self.state.set_word(main, word::BALANCE, NEVER_ALONE);
        }
        let mut event = Event::default();
        let mut turn = Turn {
            image: &self.image,
            state: &mut self.state,
            copies: &mut self.copies,
            event: &mut event,
            choices: &[],
            thread: main,
            grant: Grant::Nothing,
            blocking: &self.blocking,
            atomic: 0,
            saved: 0,
            fuel: self.fuel,
            mark: 0,
            watching: false,
            reads: 0,
            trial: false,
            fuse: Fuse::No,
            waits: &self.waits,
        };
        turn.begin(main);
        // The initial state is not taken back.
        self.state.forget();
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The program.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// Sets how many loop iterations and calls one step may do.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.fuel = fuel;
    }

    /// Whether steps keep an account besides what they do.
    fn takes_notes(&self) -> bool {
        self.waits.has_accesses || self.state.order.is_some() || self.counters.is_active()
    }

    /// Where a thread that stands in this frame is said to stand.
    #[inline]
    fn site(&self, process: ProcessId, frame: &Frame) -> SiteId {
        if frame.rest == Rest::Join
            && let Some(join) = self.state.pending_joins(process).first()
        {
            return join.site;
        }
        SiteId::new(self.image.places[frame.pc as usize] as usize)
    }

    /// Which functions can have to wait, themselves or in what they call.
    pub(crate) fn blocking(&self) -> &[bool] {
        &self.blocking
    }

    /// How many thread numbers have been given out; they are dense.
    pub fn threads(&self) -> usize {
        self.state.threads.len()
    }
}

/// Which functions can have to wait, themselves or in what they call.
fn blocking(image: &Image) -> Vec<bool> {
    let owner = |pc: usize| image.sites[image.places[pc] as usize].function as usize;
    let mut blocking = vec![false; image.functions.len()];
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let mut indirect: Vec<usize> = Vec::new();
    let bounds = function_of_code(image);
    for (pc, instruction) in image.code.iter().enumerate() {
        let function = bounds.get(pc).copied().unwrap_or_else(|| owner(pc));
        match *instruction {
            Instruction::Native { native, .. } => blocking[function] |= native.facts().blocks,
            Instruction::Call { function: callee, .. } => calls.push((function, callee as usize)),
            Instruction::CallIndirect { .. } => indirect.push(function),
            _ => {}
        }
    }
    if blocking.contains(&true) {
        for function in indirect {
            blocking[function] = true;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &(caller, callee) in &calls {
            if blocking[callee] && !blocking[caller] {
                blocking[caller] = true;
                changed = true;
            }
        }
    }
    blocking
}

/// The function that each instruction belongs to: code of a function lies together, from its entry
/// on.
fn function_of_code(image: &Image) -> Vec<usize> {
    let mut entries: Vec<(u32, usize)> = image.functions.iter().map(|f| f.entry).zip(0..).collect();
    entries.sort_unstable();
    let mut functions = vec![0; image.code.len()];
    for (at, &(entry, function)) in entries.iter().enumerate() {
        let end = entries.get(at + 1).map_or(image.code.len(), |next| next.0 as usize);
        functions[(entry as usize).min(end)..end].fill(function);
    }
    functions
}

impl Run for CMachine {
    #[inline]
    fn live(&self) -> &ProcessSet {
        &self.state.live
    }

    #[inline(always)]
    fn is_enabled(&mut self, process: ProcessId) -> bool {
        match self.state.threads[process.index()].frames.last() {
            Some(Frame { rest: Rest::Ready, .. }) => true,
            Some(Frame { rest: Rest::Join, .. }) => !self.state.awaits_end(process),
            _ => self.enabled(process),
        }
    }

    #[inline]
    fn at_local(&self) -> Option<ProcessId> {
        self.state.at_local.next_from(0)
    }

    #[inline(always)]
    fn pending(&self, process: ProcessId) -> SiteId {
        match self.state.threads[process.index()].frames.last() {
            Some(&Frame { rest: Rest::Ready, pc, .. }) => SiteId::new(self.image.places[pc as usize] as usize),
            frame => self.site(process, frame.expect("a live thread has a frame")),
        }
    }

    #[inline]
    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let past = self.state.threads[process.index()].past;
        if past.is_known() && self.step_known(process, past, event) {
            return;
        }
        self.step_unknown(process, choices, event);
    }

    fn disabled_step(&mut self, process: ProcessId, event: &mut Event) {
        self.wait_for(process, event);
        if self.counters.is_active() {
            self.tell_shares(None, event);
        }
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        self.check_leaks(event)
    }

    fn holder(&mut self, process: ProcessId) -> Option<ProcessId> {
        self.holder_of_wanted(process)
    }

    fn keepers(&mut self, process: ProcessId) -> Vec<ProcessId> {
        self.keepers_of(process)
    }

    fn spins(&self, process: ProcessId) -> bool {
        let frame = self.state.threads[process.index()].frames.last();
        frame
            .is_some_and(|frame| frame.rest == Rest::Spin || frame.rest == Rest::Await && self.can_call(process, frame))
            || self.state.late_reads(process).is_some()
    }

    fn assumes(&self, process: ProcessId) -> bool {
        self.is_before_assumption(process) && !mutation::on(Mutation::AssumptionsDeadlock)
    }

    fn observe(&mut self) {
        self.state.observes = !mutation::on(Mutation::AloneUnseen);
    }

    fn digest(&mut self) -> Digest {
        self.state_digest()
    }

    fn local_digest(&mut self) -> Digest {
        self.digest_of_threads()
    }

    fn restart(&mut self) {
        self.take_back(0);
    }

    fn reconsiders(&mut self) -> bool {
        !mutation::on(Mutation::NeverReconsider) && self.drop_assumptions()
    }

    fn assume_nothing(&mut self) {
        self.drop_all_assumptions();
    }
}

impl Constraints for CMachine {}

impl Companion for CMachine {
    const NUMBERS_AGREE: bool = true;

    fn companion(&self) -> Self {
        let mut companion = self.clone();
        companion.restart();
        companion
    }

    fn consult(&mut self, other: &Self) {
        self.domains.consult(&other.domains);
        self.guards.consult(&other.guards);
        self.state.barriers.consult(&other.state.barriers);
    }

    fn remember(&self) -> Vec<i64> {
        self.to_numbers()
    }

    fn recall(&mut self, notes: &[i64]) {
        self.take_over(notes);
    }
}

impl DataRaces for CMachine {
    fn detects_data_races(&self) -> bool {
        self.image.settings.data_races
    }

    fn data_race(&mut self, one: ProcessId, other: ProcessId) -> Option<Fault> {
        self.race(one, other)
    }
}

impl Imagination for CMachine {}

impl Machine for CMachine {
    #[inline]
    fn steps(&self) -> usize {
        self.records.len()
    }

    #[inline]
    fn rewind(&mut self, steps: usize) {
        self.take_back(steps);
    }
}
