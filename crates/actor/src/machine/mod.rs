//! The machine: runs a program, one macro-step at a time, and takes steps back.
//!
//! A task is a process of the exploration. Its step runs from where it stands to its end, or to the
//! next `await`, `get` or `suspend` that stops it. What is shared, and so is told in events:
//!
//! - the lock of a group: the task that stopped at a `get` there, or nobody. A task that has to
//!   begin or go on reads it; a step that stops at a `get`, or no longer does, writes it;
//! - fields, each on its own, or entries of a map field;
//! - futures: the step that ends a task writes it, and who looks whether it is there reads it,
//!   whether it goes on or not. So the end of a task depends on all that poll it. A call that drops
//!   the future makes a task that nobody can poll; the end of such a task is not told.
//!
//! What things cost: a step, its instructions and a copy of what the task keeps while it waits;
//! rewinding, one write for each change. Neither grows with the number of objects or tasks.

mod arithmetic;
mod calls;
mod cells;
mod choice;
mod circles;
mod constraint;
mod coverage;
mod describe;
mod digest;
mod ends;
mod heap;
mod interference;
mod interpreter;
mod reach;
mod registry;
mod rooted;
mod show;
mod step;
mod symbolic;
mod value;
mod waits;

use std::sync::Arc;

use mazurka_machine::undo::Deeds;
use mazurka_machine::{
    Companion, Constrained, Constraints, DataRaces, Digest, Heard, Imagination, Independence, Machine, Run,
};
use mazurka_trace::{AccessKind, Event, FaultKind, LocationId, ProcessId, ProcessSet, SiteId, Value as Choice};

use crate::code::{Constant, Image, Instruction, Pc};
use cells::Cells;
use choice::Choosing;
use constraint::Reasons;
use digest::Met;
use ends::Account;
use heap::Heap;
use registry::{NOBODY, Owner, Registry, Task};
use symbolic::Symbolic;
use value::Value;

pub use coverage::{Coverage, Target};
pub use symbolic::{Bounds, Ended, Oracle, Path, Summary};

pub(crate) use circles::{Circle, Frame, Wait, Waiter};
pub(crate) use rooted::{Ahead, Kind as TaskKind, Rooted, Signature};

/// Instructions that one step may run, unless the machine is told otherwise.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// The words of a task's stack before its first frame: where it stands, where the frame begins, how
/// many calls and how many objects it has made.
const TASK: usize = 4;

/// So many entries of a map field are told apart; see `Registry::bucket`.
const BUCKETS: u32 = 16;

/// A running ABS program.
#[derive(Clone, Debug)]
pub struct ActorMachine {
    image: Arc<Image>,
    heap: Heap,
    constants: Vec<Value>,
    cells: Cells,
    registry: Registry,
    /// What each task keeps while it waits; empty before it was called and after its end.
    stacks: Vec<Vec<Value>>,
    live: ProcessSet,
    records: Vec<Record>,
    /// What tasks kept before the steps of the current execution.
    saved: Vec<Value>,
    /// Where each object was made in the current execution, and by which one.
    makers: Vec<(Pc, u32)>,
    /// The tasks that steps have called.
    started: Deeds<u32>,
    /// The tasks that ended with an exception.
    failed: Deeds<u32>,
    fuel: u64,
    scratch: Event,
    trial: Vec<Value>,
    met: Met,
    /// States are told apart by the names of all tasks.
    by_name: bool,
    /// States were compared.
    compared: bool,
    /// The values of the data choices of the current execution.
    chosen: Vec<Choice>,
    /// The states in which executions end, where somebody asks.
    account: Option<Box<Account>>,
    /// Which choices are explored, where not all are.
    choosing: Option<Box<Choosing>>,
    /// A step that closes a circle of waits tells so.
    tells_circles: bool,
    /// What the last answer about constraints rests on.
    reasons: Reasons,
    /// Inputs that are not decided.
    symbolic: Option<Box<Symbolic>>,
    /// What has run, where somebody asks.
    coverage: Option<Box<Coverage>>,
    /// Each instruction is looked at before it runs.
    attends: bool,
}

/// What it takes to undo one step, besides the log.
#[derive(Clone, Copy, Debug)]
struct Record {
    task: u32,
    /// How long the log was before.
    log: u32,
    /// Where the task's stack is saved.
    saved: u32,
    /// How many data choices were made before.
    chosen: u32,
    /// How many decisions were made before.
    decided: u32,
    ended: bool,
}

impl ActorMachine {
    /// A machine in the program's initial state: main is about to run.
    pub fn new(image: Arc<Image>) -> Self {
        let mut heap = Heap::default();
        let constants = image
            .constants
            .iter()
            .map(|constant| match constant {
                Constant::Int(number) => heap.int(number.clone()),
                Constant::String(text) => heap.string(text.clone()),
                Constant::Constructor(constructor) => Value::plain(*constructor),
                Constant::Input(_) => Value::NULL,
            })
            .collect();
        let mut machine = Self {
            image,
            heap,
            constants,
            cells: Cells::default(),
            registry: Registry::default(),
            stacks: Vec::new(),
            live: ProcessSet::new(),
            records: Vec::new(),
            saved: Vec::new(),
            makers: Vec::new(),
            started: Deeds::default(),
            failed: Deeds::default(),
            fuel: DEFAULT_FUEL,
            scratch: Event::default(),
            trial: Vec::new(),
            met: Met::default(),
            by_name: false,
            compared: false,
            chosen: Vec::new(),
            account: None,
            choosing: None,
            tells_circles: false,
            reasons: Reasons::default(),
            symbolic: None,
            coverage: None,
            attends: false,
        };
        machine.start_main();
        machine
    }

    fn start_main(&mut self) {
        let lock = self.cells.grow(1);
        self.registry.name_location(Owner::Lock(NOBODY), 0, &self.heap);
        let body = self.image.main;
        let future = self.cells.grow(2);
        let task = Task { caller: NOBODY, nth: 0, body, receiver: NOBODY, lock, future, is_kept: false };
        let main = self.registry.add_task(task, &mut self.heap);
        self.registry.name_location(Owner::Future(main), 0, &self.heap);
        self.registry.name_location(Owner::Taken(main), 1, &self.heap);
        let entry = self.image.bodies[body as usize].entry;
        let header = [Value::count(entry), Value::count(TASK as u32), Value::count(0), Value::count(0)];
        self.stacks.push(header.into_iter().chain([Value::ABSENT, Value::NULL]).collect());
        self.live.insert(ProcessId::new(main as usize));
    }

    /// The program.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// Sets how many instructions one step may run.
    pub fn set_fuel(&mut self, instructions: u64) {
        self.fuel = instructions;
    }

    /// From now on, a step that closes a circle of waits is a failure: see `waits`. Which step
    /// that is depends on the order of steps that are independent; the circle does not.
    pub fn tell_circles(&mut self) {
        self.tells_circles = true;
    }

    /// Where a live task stands.
    #[inline]
    fn pc(&self, task: u32) -> Pc {
        self.stacks[task as usize][0].as_count()
    }

    #[inline]
    fn instruction(&self, task: u32) -> Instruction {
        self.image.code[self.pc(task) as usize]
    }
}

impl Run for ActorMachine {
    fn live(&self) -> &ProcessSet {
        &self.live
    }

    fn is_enabled(&mut self, process: ProcessId) -> bool {
        self.has_turn(process.index() as u32)
    }

    fn at_local(&self) -> Option<ProcessId> {
        None
    }

    fn pending(&self, process: ProcessId) -> SiteId {
        SiteId::new(self.pc(process.index() as u32) as usize)
    }

    fn step(&mut self, process: ProcessId, choices: &[Choice], event: &mut Event) {
        self.macro_step(process.index() as u32, choices, event);
        self.chosen.extend(event.choices.iter().map(|choice| choice.value));
    }

    fn disabled_step(&mut self, process: ProcessId, event: &mut Event) {
        self.try_to_step(process.index() as u32, event);
    }

    fn conclude(&mut self, event: &mut Event) -> bool {
        self.unhandled(event)
    }

    fn holder(&mut self, process: ProcessId) -> Option<ProcessId> {
        self.waits_for(process.index() as u32).map(|task| ProcessId::new(task as usize))
    }

    fn standstill(&mut self) -> Option<FaultKind> {
        Some(self.kind_of_standstill())
    }

    fn compare(&mut self) {
        self.compared = true;
    }

    fn is_told_by_name(&self, process: ProcessId) -> bool {
        self.is_named(process.index() as u32)
    }

    fn reconsiders(&mut self) -> bool {
        let wrong = self.heap.names_matter && self.compared && !self.by_name;
        if wrong {
            self.assume_nothing();
        }
        wrong
    }

    fn assume_nothing(&mut self) {
        self.restart();
        self.by_name = true;
    }

    fn digest(&mut self) -> Digest {
        self.digest_of_all()
    }

    fn local_digest(&mut self) -> Digest {
        self.digest_of_tasks()
    }

    fn shape(&mut self) -> Digest {
        self.digest_of_shape()
    }

    fn named_digest(&mut self) -> Digest {
        self.by_name(|machine| machine.digest_of_all())
    }

    fn restart(&mut self) {
        self.rewind(0);
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Complete => {
                self.enter_end();
                self.enter_path();
            }
            Heard::Cut => {}
            Heard::Begun | Heard::SetAside | Heard::TakenUp => {
                if let Some(account) = &mut self.account {
                    account.hear(heard);
                }
            }
        }
    }
}

impl Constraints for ActorMachine {
    fn has_constraints(&self) -> bool {
        self.image.is_constrained()
    }

    fn constrained(&self, one: SiteId, other: SiteId) -> Constrained {
        self.constrained_sites(one, other)
    }

    fn independence(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        self.independence_of(one.index() as u32, other.index() as u32)
    }

    fn reasons(&self, locations: &mut Vec<LocationId>) {
        self.add_reasons(locations);
    }

    fn others_may_write(&self, one: ProcessId, other: ProcessId, location: LocationId) -> bool {
        self.may_be_written(one, other, location)
    }

    fn others_may_interfere(&self, process: ProcessId, accesses: &[(LocationId, AccessKind)]) -> bool {
        self.may_be_interfered_with(process, accesses)
    }

    fn has_large_integers(&self) -> bool {
        true
    }
}

impl DataRaces for ActorMachine {}

impl Companion for ActorMachine {
    fn companion(&self) -> Self {
        let mut companion = self.clone();
        companion.restart();
        companion
    }
}

impl Imagination for ActorMachine {}

impl Machine for ActorMachine {
    fn steps(&self) -> usize {
        self.records.len()
    }

    fn rewind(&mut self, steps: usize) {
        self.take_back(steps);
    }

    fn effects_since(&mut self, steps: usize) -> Digest {
        self.compare();
        self.sum_effects(steps)
    }

    fn named_effects_since(&mut self, steps: usize) -> Digest {
        self.by_name(|machine| machine.sum_effects(steps))
    }
}
