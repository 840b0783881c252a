//! The machine: runs a lowered program, step by step, and takes steps back.
//!
//! What things cost: a step, what its instructions cost and a record of 20 bytes; rewinding, one
//! write for each change; [`Run::is_enabled`], constant time at everything but a condition (its
//! evaluation), and atomic blocks that may block (a run of the block that is taken back). Nothing
//! is allocated per step in the steady state; a process costs memory the first time it is met, and
//! keeps it.

mod constraint;
mod describe;
mod digest;
mod guard;
mod interpreter;
mod processes;
mod snapshot;
mod state;
mod step;

use std::sync::Arc;

use mazurka_machine::undo::Deeds;
use mazurka_machine::{
    Companion, Constrained, Constraints, DataRaces, Digest, Imagination, Independence, Machine, Run,
};
use mazurka_trace::{Event, LocationId, ProcessId, ProcessSet, SiteId, Value};

use crate::code::{Image, Instruction, Stop};

use constraint::Evaluation;
use digest::Slots;
use interpreter::Activation;
use processes::Process;
use state::State;
use step::purpose::STEP;

/// Instructions that one step may run, unless the machine is told otherwise.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// A running program of the process notation.
#[derive(Clone, Debug)]
pub struct ProcessMachine {
    image: Arc<Image>,
    state: State,
    /// Where each process's frame begins.
    frames: Vec<u32>,
    processes: Vec<Process>,
    live: ProcessSet,
    at_local: ProcessSet,
    records: Vec<Record>,
    /// The processes started by steps.
    started: Deeds<ProcessId>,
    /// Who runs the finally block, if there is one.
    finale: Option<ProcessId>,
    fuel: u64,
    /// An event for runs that nobody is told of.
    scratch: Event,
    slots: Slots,
    evaluation: Evaluation,
    /// How long the log was before values were imagined.
    imagined: Option<usize>,
}

/// What it takes to undo one step, besides the log.
#[derive(Clone, Copy, Debug)]
struct Record {
    process: ProcessId,
    /// The process's frame.
    frame: u32,
    /// Where the process was before.
    pc: u32,
    /// How long the log was before.
    log: u32,
    notes: u32,
}

/// What else a step changed.
mod notes {
    /// The process is not live any more.
    pub(super) const ENDED: u32 = 2;
    /// The process was at a local step.
    pub(super) const WAS_URGENT: u32 = 1;
    /// The process is at a local step.
    pub(super) const IS_URGENT: u32 = 4;
    /// Processes were started.
    pub(super) const STARTED: u32 = 8;
    /// What there is something to do about besides undoing changes, and not often.
    pub(super) const RARE: u32 = WAS_URGENT | IS_URGENT | STARTED;
}

impl ProcessMachine {
    /// A machine in the program's initial state.
    pub fn new(image: Arc<Image>) -> Self {
        let mut machine = Self {
            state: State::new(&image.initial),
            image,
            frames: Vec::new(),
            processes: Vec::new(),
            live: ProcessSet::new(),
            at_local: ProcessSet::new(),
            records: Vec::new(),
            started: Deeds::default(),
            finale: None,
            fuel: DEFAULT_FUEL,
            scratch: Event::default(),
            slots: Slots::default(),
            evaluation: Evaluation::default(),
            imagined: None,
        };
        machine.slots.name_locations(machine.image.locations());
        machine.start_initial();
        machine
    }

    /// The program.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// Sets how many instructions one step may run; loops count, straight code is not metered.
    pub fn set_fuel(&mut self, instructions: u64) {
        self.fuel = instructions;
    }

    /// The value that a location holds now.
    pub fn value(&self, location: LocationId) -> Value {
        self.state.memory[location.index()]
    }

    /// The body of a process: its place among the program's processes, procs and finally block.
    pub fn body(&self, process: ProcessId) -> usize {
        self.processes[process.index()].body
    }

    /// How many process ids have been given out; they are dense.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    #[inline(always)]
    fn frame(&self, process: ProcessId) -> usize {
        self.frames[process.index()] as usize
    }

    /// The instruction that a process stands at.
    #[inline(always)]
    fn pc(&self, process: ProcessId) -> usize {
        self.state.memory[self.frame(process)] as usize
    }

    /// What the interpreter works with.
    fn activation<'a>(&'a mut self, process: ProcessId, choices: &'a [Value]) -> (Activation<'a>, &'a mut State) {
        let frame = self.frame(process);
        let Self { image, state, .. } = self;
        (Activation { code: &image.code, places: &image.places, process, frame, choices }, state)
    }

    /// The stop that a live process rests at.
    #[inline(always)]
    fn stop(&self, pc: usize) -> Stop {
        match self.image.code[pc] {
            Instruction::Stop(stop) => stop,
            _ => not_live(),
        }
    }
}

#[cold]
fn not_live() -> ! {
    panic!("a process that is not live was asked to step")
}

impl Run for ProcessMachine {
    #[inline]
    fn live(&self) -> &ProcessSet {
        &self.live
    }

    #[inline]
    fn is_enabled(&mut self, process: ProcessId) -> bool {
        self.enabled(process)
    }

    #[inline]
    fn at_local(&self) -> Option<ProcessId> {
        self.at_local.next_from(0)
    }

    #[inline]
    fn pending(&self, process: ProcessId) -> SiteId {
        self.image.places[self.pc(process)]
    }

    #[inline]
    fn step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        self.advance::<STEP>(process, choices, event);
    }

    fn disabled_step(&mut self, process: ProcessId, event: &mut Event) {
        self.wait_for(process, event);
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        self.run_finally(event)
    }

    fn holder(&mut self, process: ProcessId) -> Option<ProcessId> {
        self.holder_of_wanted(process)
    }

    fn digest(&mut self) -> Digest {
        self.digest_of_all()
    }

    fn local_digest(&mut self) -> Digest {
        self.digest_of_processes()
    }

    fn restart(&mut self) {
        self.rewind(0);
    }
}

impl Constraints for ProcessMachine {
    fn has_constraints(&self) -> bool {
        self.image.is_constrained()
    }

    fn constrained(&self, one: SiteId, other: SiteId) -> Constrained {
        self.constrained_sites(one, other)
    }

    fn independence(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        self.independence_of(one, other)
    }

    fn reasons(&self, locations: &mut Vec<LocationId>) {
        locations.extend(self.evaluation.reads().iter().map(|&slot| LocationId::new(slot as usize)));
    }

    fn others_may_write(&self, one: ProcessId, other: ProcessId, location: LocationId) -> bool {
        self.written_by_others(one, other, &[location.index() as u32])
    }

    fn magnitude(&self, process: ProcessId) -> u64 {
        self.locals(process).iter().map(|value| value.unsigned_abs()).max().unwrap_or(0)
    }
}

impl DataRaces for ProcessMachine {}

impl Companion for ProcessMachine {
    fn companion(&self) -> Self {
        let mut companion = self.clone();
        companion.restart();
        companion
    }
}

impl Imagination for ProcessMachine {
    fn value_before(&self, location: LocationId, step: usize) -> Option<Value> {
        let first = self.records.get(step)?.log as usize;
        let end = self.records.get(step + 1).map_or(self.state.log.len(), |next| next.log as usize);
        let change = self.state.log[first..end].iter().find(|change| change.slot as usize == location.index());
        change.map(|change| change.old)
    }

    fn imagine(&mut self, values: &[(LocationId, Value)]) {
        self.imagined = self.imagined.or(Some(self.state.log.len()));
        for &(location, value) in values {
            self.state.write(location.index(), value);
        }
    }

    fn forget(&mut self) {
        if let Some(length) = self.imagined.take() {
            self.state.undo(length);
        }
    }
}

impl Machine for ProcessMachine {
    #[inline]
    fn steps(&self) -> usize {
        self.records.len()
    }

    #[inline]
    fn rewind(&mut self, steps: usize) {
        self.take_back(steps);
    }

    fn named_effects_since(&mut self, steps: usize) -> Digest {
        self.effects_since(steps)
    }

    fn effects_since(&mut self, steps: usize) -> Digest {
        self.digest_of_effects(steps)
    }
}
