//! Macro-steps: one task runs from where it stands to where it stops.

use mazurka_trace::{
    Access, AccessKind, Ending, Event, Fault, FaultKind, LocationId, ProcessId, SiteId, Value as Choice,
};

use super::interpreter::{Cpu, Exit};
use super::value::{Kind, Value};
use super::{ActorMachine, Record};
use crate::code::Instruction;
use crate::mutation::{self, Mutation};
use crate::options::Dependence;

impl ActorMachine {
    /// Whether others of its group wait for this task, which stopped at a `get`.
    fn blocks(&self, task: u32) -> bool {
        matches!(self.instruction(task), Instruction::Get { .. })
    }

    /// The task that a `get` or `await` of a future waits for, whether it has ended or not.
    pub(super) fn awaited(&self, task: u32) -> Option<u32> {
        let stack = &self.stacks[task as usize];
        let future = match self.instruction(task) {
            Instruction::AwaitFuture { future, .. } | Instruction::Get { future, .. } => future,
            _ => return None,
        };
        match stack[stack[1].as_count() as usize + future as usize].kind() {
            Kind::Future(other) => Some(other),
            _ => None,
        }
    }

    /// Whether a task has its result.
    pub(super) fn has_ended(&self, task: u32) -> bool {
        self.cells.get(self.registry.tasks[task as usize].future) != Value::ABSENT
    }

    /// See `Run::is_enabled`.
    pub(super) fn can_step(&mut self, task: u32) -> bool {
        let lock = self.registry.tasks[task as usize].lock;
        match self.instruction(task) {
            Instruction::Get { .. } => self.awaited(task).is_none_or(|other| self.has_ended(other)),
            _ if self.cells.get(lock) != Value::ABSENT => false,
            Instruction::AwaitFuture { .. } => self.awaited(task).is_none_or(|other| self.has_ended(other)),
            Instruction::Guard { .. } if mutation::on(Mutation::GuardOnce) => false,
            Instruction::Guard { .. } => {
                let mut event = std::mem::take(&mut self.scratch);
                event.begin(ProcessId::new(task as usize), SiteId::new(0));
                let holds = self.evaluate_guard(task, &mut event);
                self.scratch = event;
                holds
            }
            _ => true,
        }
    }

    /// Evaluates the guard that a task stands at. What it reads is told in the event.
    fn evaluate_guard(&mut self, task: u32, event: &mut Event) -> bool {
        let mut stack = std::mem::take(&mut self.trial);
        stack.clear();
        stack.extend_from_slice(&self.stacks[task as usize]);
        let (base, pc) = (stack[1].as_count() as usize, stack[0].as_count());
        stack.resize(base + self.image.body_at(pc).size as usize, Value::ABSENT);
        self.cells.begin();
        let mut cpu = Cpu { task, stack, base, pc: pc + 1, choices: &[], fuel: self.fuel, is_trial: true, entry: None };
        let exit = self.run(&mut cpu, event);
        self.trial = cpu.stack;
        // A guard that fails lets the task go on, and fail.
        exit != Exit::Guard(false)
    }

    /// What is known of steps from where a task stands.
    fn describe_step(&self, task: u32, event: &mut Event) {
        let pc = self.pc(task);
        event.begin(ProcessId::new(task as usize), SiteId::new(pc as usize));
        let begins = matches!(self.instruction(task), Instruction::Begin);
        let waits = !matches!(self.instruction(task), Instruction::Begin | Instruction::Resume);
        event.can_block = (waits || self.image.blocks) && !mutation::on(Mutation::NeverBlocks);
        let is_straight = begins && self.image.body_at(pc).straight;
        event.varies = !(is_straight || mutation::on(Mutation::NeverVaries)) || self.symbolic.is_some();
    }

    /// See `Run::disabled_step`.
    pub(super) fn try_to_step(&mut self, task: u32, event: &mut Event) {
        self.describe_step(task, event);
        self.cells.begin();
        if self.blocks(task) {
            return self.poll_awaited(task, event);
        }
        match self.instruction(task) {
            Instruction::AwaitFuture { .. } => self.poll_awaited(task, event),
            Instruction::Guard { .. } => {
                self.evaluate_guard(task, event);
            }
            _ => {}
        }
        // The guard has begun another event; the lock is none of what it reads.
        self.cells.begin();
        self.read_lock(task, event);
    }

    fn poll_awaited(&mut self, task: u32, event: &mut Event) {
        if let Some(other) = self.awaited(task) {
            self.cells.read(self.registry.tasks[other as usize].future, event);
        }
    }

    /// A task that does not hold the lock of its group reads it: somebody else may.
    fn read_lock(&mut self, task: u32, event: &mut Event) {
        let lock = self.registry.tasks[task as usize].lock;
        if mutation::on(Mutation::LockUntold) {
            return;
        }
        match self.image.dependence {
            Dependence::Object => self.cells.note(lock, AccessKind::Update, self.cells.get(lock), event),
            Dependence::Field | Dependence::Entry if self.image.blocks => {
                self.cells.read(lock, event);
            }
            Dependence::Field | Dependence::Entry => {}
        }
    }

    /// See `Run::step`.
    pub(super) fn macro_step(&mut self, task: u32, choices: &[Choice], event: &mut Event) {
        if self.stacks[task as usize].is_empty() {
            return self.miss_task(task, event);
        }
        self.describe_step(task, event);
        self.cells.begin();
        let mut stack = std::mem::take(&mut self.stacks[task as usize]);
        self.records.push(Record {
            task,
            log: self.cells.log.len() as u32,
            saved: self.saved.len() as u32,
            chosen: self.chosen.len() as u32,
            decided: self.decided(),
            ended: false,
        });
        self.saved.extend_from_slice(&stack);
        let (base, pc) = (stack[1].as_count() as usize, stack[0].as_count());
        let held = matches!(self.image.code[pc as usize], Instruction::Get { .. });
        if !held || self.image.dependence == Dependence::Object {
            self.read_lock(task, event);
        }
        stack.resize(base + self.image.body_at(pc).size as usize, Value::ABSENT);
        let mut cpu = Cpu { task, stack, base, pc, choices, fuel: self.fuel, is_trial: false, entry: None };
        self.begin_coverage();
        let exit = if self.exceeds_switches(task) { Exit::OutOfFuel } else { self.run(&mut cpu, event) };
        if matches!(exit, Exit::Waits(_))
            && cpu.pc == pc
            && matches!(self.image.code[pc as usize], Instruction::Guard { .. })
        {
            self.note_idle();
        }
        self.finish(cpu, exit, held, event);
    }

    /// A task is to step that is not there. States were taken for equal up to the names of tasks,
    /// and an engine counts on a name that its task has only in the other order: names matter after
    /// all (`Run::reconsiders`). Until everything begins again, the execution ends here.
    #[cold]
    fn miss_task(&mut self, task: u32, event: &mut Event) {
        assert!(self.compared && !self.by_name, "a task that is not live was stepped");
        self.heap.names_matter = true;
        let entry = self.image.bodies[self.registry.tasks[task as usize].body as usize].entry;
        // It is told of main, whom everybody knows.
        event.begin(ProcessId::new(0), SiteId::new(entry as usize));
        let (log, saved) = (self.cells.log.len() as u32, self.saved.len() as u32);
        self.records.push(Record {
            task,
            log,
            saved,
            chosen: self.chosen.len() as u32,
            decided: self.decided(),
            ended: false,
        });
        event.ending = Ending::Halts;
        let location = LocationId::new(0);
        event.accesses.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
    }

    /// The end of a step.
    fn finish(&mut self, cpu: Cpu<'_>, exit: Exit, held: bool, event: &mut Event) {
        let Cpu { task, mut stack, base, pc, .. } = cpu;
        let mut holds = false;
        match exit {
            Exit::Returned(value) => self.end(task, &mut stack, value, event),
            Exit::Thrown(exception, site) => {
                let failure = self.failure_constructor();
                let value = self.heap.construct(failure, &[exception, Value::count(site)]);
                self.failed.note(self.records.len() - 1, task);
                self.end(task, &mut stack, value, event);
            }
            Exit::Waits(height) | Exit::Blocks(height) => {
                stack.truncate(base + height as usize);
                (stack[0], stack[1]) = (Value::count(pc), Value::count(base as u32));
                holds = matches!(exit, Exit::Blocks(_));
            }
            Exit::Guard(_) => unreachable!("a step does not end with a guard"),
            Exit::OutOfFuel | Exit::Halted(_) => {
                self.halt(&mut stack, exit, pc, event);
                holds = held;
            }
        }
        let keeps = mutation::on(Mutation::KeepLock) && matches!(exit, Exit::Returned(_));
        if held != holds && !keeps {
            let lock = self.registry.tasks[task as usize].lock;
            let holder = if holds { Value::future(task) } else { Value::ABSENT };
            self.cells.write(lock, AccessKind::Update, holder, event);
        }
        self.stacks[task as usize] = stack;
        if self.tells_circles && matches!(exit, Exit::Waits(_) | Exit::Blocks(_)) {
            event.faults.extend(self.fault_of_circle(task));
        }
        if let Some(choosing) = &mut self.choosing {
            choosing.enqueue(self.records.len() as u32 - 1, task);
        }
    }

    fn end(&mut self, task: u32, stack: &mut Vec<Value>, value: Value, event: &mut Event) {
        let future = self.registry.tasks[task as usize].future;
        if self.registry.tasks[task as usize].is_kept {
            self.cells.write(future, AccessKind::Write, value, event);
        } else if self.heap.constructor(value) == Some(self.failure_constructor()) {
            // Nobody can ask for it, but an exception is told of at the end.
            self.cells.set(future, value);
        }
        stack.clear();
        self.live.remove(ProcessId::new(task as usize));
        if let Some(record) = self.records.last_mut() {
            record.ended = true;
        }
    }

    /// A failure that ends the execution: the task stays where the step began.
    #[cold]
    fn halt(&mut self, stack: &mut Vec<Value>, exit: Exit, pc: u32, event: &mut Event) {
        stack.clear();
        if let Some(record) = self.records.last() {
            stack.extend_from_slice(&self.saved[record.saved as usize..]);
        }
        event.ending = Ending::OutOfFuel;
        if let Exit::Halted(kind) = exit {
            event.ending = Ending::Halts;
            self.note_halted(kind);
            let site = SiteId::new(pc as usize);
            event.faults.push(Fault { kind, process: event.process, site, detail: [0; 2] });
        }
        let location = LocationId::new(0);
        event.accesses.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
    }

    /// See `Machine::rewind`.
    pub(super) fn take_back(&mut self, steps: usize) {
        while self.records.len() > steps {
            let Some(record) = self.records.pop() else { return };
            self.cells.undo(record.log as usize);
            let stack = &mut self.stacks[record.task as usize];
            let kept = mutation::on(Mutation::StackKept) && record.ended;
            stack.clear();
            let saved = self.saved.len() - if kept { 1 } else { 0 };
            stack.extend_from_slice(&self.saved[record.saved as usize..saved]);
            self.saved.truncate(record.saved as usize);
            self.chosen.truncate(record.chosen as usize);
            self.undecide(record.decided);
            if record.ended {
                self.live.insert(ProcessId::new(record.task as usize));
            }
            let step = self.records.len();
            if let Some(choosing) = &mut self.choosing {
                choosing.undo(step as u32);
            }
            while let Some(task) = self.started.take_back(step) {
                self.live.remove(ProcessId::new(task as usize));
                self.stacks[task as usize].clear();
            }
            while self.failed.take_back(step).is_some() {}
        }
    }

    /// See `Run::conclude`: exceptions that nobody caught, in their tasks or in those that got
    /// their results.
    pub(super) fn unhandled(&mut self, event: &mut Event) -> bool {
        event.begin(ProcessId::new(0), SiteId::new(0));
        self.cells.begin();
        for task in self.failed.iter() {
            let future = self.registry.tasks[task as usize].future;
            let arguments = self.heap.arguments(self.cells.get(future));
            let (exception, site) = (arguments[0], arguments[1].as_count());
            // A failed assertion has been told of.
            let is_assertion = self.heap.constructor(exception) == Some(self.image.known.assertion.0);
            if is_assertion || self.cells.get(future + 1) != Value::ABSENT {
                continue;
            }
            self.cells.read(future, event);
            let (process, site) = (ProcessId::new(task as usize), SiteId::new(site as usize));
            let detail = [exception.0 as i64, 0];
            event.faults.push(Fault { kind: FaultKind::Exception, process, site, detail });
        }
        let found = !event.faults.is_empty();
        if found {
            let (log, saved) = (self.cells.log.len() as u32, self.saved.len() as u32);
            self.saved.extend_from_slice(&self.stacks[0]);
            let (chosen, decided) = (self.chosen.len() as u32, self.decided());
            self.records.push(Record { task: 0, log, saved, chosen, decided, ended: false });
        }
        found
    }
}
