//! Calls, new objects and exceptions.

use mazurka_trace::{Event, FaultKind, ProcessId};

use super::interpreter::{Cpu, Exit};
use super::registry::{NOBODY, Object, Owner, Task};
use super::value::{Kind, Value};
use super::{ActorMachine, BUCKETS, TASK};
use crate::code::{BodyKind, FRAME, Handler, Instruction};
use crate::hir::ConstructorId;
use crate::mutation::{self, Mutation};
use crate::options::Dependence;

/// Words that a task's stack may have.
const MOST_WORDS: usize = 1 << 22;

impl ActorMachine {
    /// Pushes a frame whose parameters are in place. The machine goes on in it.
    #[inline]
    pub(super) fn enter(&mut self, cpu: &mut Cpu<'_>, body: u32, first: u32, this: Value) -> Result<(), Exit> {
        let body = &self.image.bodies[body as usize];
        let base = cpu.base + first as usize;
        let end = base + body.size as usize;
        if end > MOST_WORDS {
            return Err(Exit::Halted(FaultKind::StackOverflow));
        }
        if cpu.stack.len() < end {
            cpu.stack.resize(end, Value::ABSENT);
        }
        cpu.stack[base] = Value::count(cpu.pc);
        cpu.stack[base + 1] = this;
        (cpu.base, cpu.pc) = (base, body.entry);
        Ok(())
    }

    /// Leaves a frame with a value. None where it was the task's first one.
    #[inline]
    pub(super) fn leave(&mut self, cpu: &mut Cpu<'_>, value: Value) -> Option<Exit> {
        if cpu.base == TASK {
            return Some(Exit::Returned(value));
        }
        let call = cpu.stack[cpu.base].as_count();
        let (first, to, next) = match self.image.code[call as usize] {
            Instruction::Call { to, first, .. }
            | Instruction::CallLocal { to, first, .. }
            | Instruction::New { to, first, .. } => (first, to, call + 1),
            // The `get` after it is for tasks.
            Instruction::Sync { to, first, .. } => (first, to, call + 2),
            _ => unreachable!("only calls push frames"),
        };
        cpu.base -= first as usize;
        cpu.pc = next;
        cpu.set(to, value);
        None
    }

    /// Throws an exception: goes on where it is caught, or ends the task. What a function of the
    /// library throws is told with the place of its call.
    pub(super) fn throw(&mut self, cpu: &mut Cpu<'_>, exception: Value) -> Option<Exit> {
        self.throw_from(cpu, exception, cpu.pc)
    }

    /// The same of an exception that an instruction has thrown before.
    pub(super) fn throw_from(&mut self, cpu: &mut Cpu<'_>, exception: Value, mut site: u32) -> Option<Exit> {
        loop {
            if self.image.is_library(site) {
                site = cpu.pc;
            }
            let body = self.image.body_at(cpu.pc);
            let (pc, outer) = (cpu.pc, cpu.base == TASK);
            let catches =
                |handler: &&Handler| (handler.from..handler.to).contains(&pc) && (outer || !handler.outermost);
            if let Some(handler) = body.handlers.iter().find(catches) {
                let (slot, target, size) = (handler.slot, handler.target, body.size as usize);
                if cpu.stack.len() < cpu.base + size {
                    cpu.stack.resize(cpu.base + size, Value::ABSENT);
                }
                cpu.set(slot, exception);
                cpu.set(slot + 1, Value::count(site));
                cpu.pc = target;
                return None;
            }
            if cpu.base == TASK {
                return Some(Exit::Thrown(exception, site));
            }
            let call = cpu.stack[cpu.base].as_count();
            let first = match self.image.code[call as usize] {
                Instruction::Call { first, .. }
                | Instruction::CallLocal { first, .. }
                | Instruction::New { first, .. }
                | Instruction::Sync { first, .. } => first,
                _ => unreachable!("only calls push frames"),
            };
            cpu.base -= first as usize;
            cpu.pc = call;
        }
    }

    pub(super) fn throw_plain(&mut self, cpu: &mut Cpu<'_>, constructor: ConstructorId) -> Option<Exit> {
        self.throw(cpu, Value::plain(constructor.0))
    }

    /// The body of a method of an object.
    fn dispatch(&self, object: u32, selector: u32) -> Option<u32> {
        let class = self.registry.objects[object as usize].class;
        self.image.classes[class as usize].methods[selector as usize]
    }

    /// The lock of the group that an object, or main, belongs to.
    pub(super) fn lock_of(&self, object: Value, task: u32) -> u32 {
        match object.kind() {
            Kind::Object(object) => self.registry.objects[object as usize].lock,
            _ => self.registry.tasks[task as usize].lock,
        }
    }

    /// A call that makes a task. The future, or why there is none. `is_kept` tells whether anybody
    /// will have the future.
    pub(super) fn call_task(
        &mut self,
        cpu: &mut Cpu<'_>,
        (receiver, selector): (Value, u32),
        (first, count): (u32, u32),
        is_kept: bool,
        event: &mut Event,
    ) -> Result<Value, Option<Exit>> {
        let object = match receiver.kind() {
            Kind::Object(object) => object,
            Kind::Null => return Err(self.throw_plain(cpu, self.image.known.null)),
            _ => return Err(Some(Exit::Halted(FaultKind::Misuse))),
        };
        let Some(body) = self.dispatch(object, selector) else { return Err(Some(Exit::Halted(FaultKind::Misuse))) };
        let nth = cpu.stack[2].as_count();
        cpu.stack[2] = Value::count(nth + 1);
        let nth = if mutation::on(Mutation::NameBySchedule) { self.started.len() as u32 } else { nth };
        let task = self.task((cpu.task, nth), body, object, is_kept);
        let from = cpu.base + (first + FRAME) as usize;
        let arguments = &cpu.stack[from..from + count as usize];
        let entry = self.image.bodies[body as usize].entry;
        let header = [Value::count(entry), Value::count(TASK as u32), Value::count(0), Value::count(0)];
        let stack = &mut self.stacks[task as usize];
        stack.clear();
        stack.extend(header);
        stack.extend([Value::ABSENT, receiver]);
        stack.extend_from_slice(arguments);
        let process = ProcessId::new(task as usize);
        self.live.insert(process);
        self.started.note(self.records.len() - 1, task);
        event.spawned.push(process);
        if let Some(choosing) = &mut self.choosing {
            choosing.enqueue(self.records.len() as u32 - 1, task);
        }
        Ok(Value::future(task))
    }

    /// The task of this name.
    fn task(&mut self, (caller, nth): (u32, u32), body: u32, receiver: u32, is_kept: bool) -> u32 {
        if let Some(task) = self.registry.find_task((caller, nth), body, receiver, is_kept) {
            return task;
        }
        let lock = self.registry.objects[receiver as usize].lock;
        let future = self.cells.grow(2);
        let task = Task { caller, nth, body, receiver, lock, future, is_kept };
        let task = self.registry.add_task(task, &mut self.heap);
        self.registry.name_location(Owner::Future(task), 0, &self.heap);
        self.registry.name_location(Owner::Taken(task), 1, &self.heap);
        self.stacks.push(Vec::new());
        task
    }

    /// A call that returns the result: within the group a frame, otherwise a task whose future is
    /// left for the `get`.
    pub(super) fn call_method(
        &mut self,
        cpu: &mut Cpu<'_>,
        (receiver, selector): (Value, u32),
        (first, count): (u32, u32),
        event: &mut Event,
    ) -> Option<Exit> {
        let object = match receiver.kind() {
            Kind::Object(object) => object,
            Kind::Null => return self.throw_plain(cpu, self.image.known.null),
            _ => return Some(Exit::Halted(FaultKind::Misuse)),
        };
        let own = self.lock_of(cpu.this(), cpu.task);
        if self.registry.objects[object as usize].lock == own {
            let Some(body) = self.dispatch(object, selector) else { return Some(Exit::Halted(FaultKind::Misuse)) };
            return self.enter(cpu, body, first, receiver).err();
        }
        match self.call_task(cpu, (receiver, selector), (first, count), true, event) {
            Ok(future) => {
                cpu.set(first, future);
                cpu.pc += 1;
                None
            }
            Err(exit) => exit,
        }
    }

    /// A new object: the machine goes on with what its class does first.
    pub(super) fn create(&mut self, cpu: &mut Cpu<'_>, class: u32, local: bool, first: u32) -> Option<Exit> {
        let nth = cpu.stack[3].as_count();
        cpu.stack[3] = Value::count(nth + 1);
        let shares = local && !mutation::on(Mutation::LocalOwnLock);
        let group = shares.then(|| self.lock_of(cpu.this(), cpu.task));
        let object = match self.registry.find_object(cpu.task, nth, class, local) {
            Some(object) => object,
            None => self.new_object(cpu.task, nth, class, group),
        };
        if self.makers.len() <= object as usize {
            self.makers.resize(object as usize + 1, (0, NOBODY));
        }
        let maker = if let Kind::Object(maker) = cpu.this().kind() { maker } else { NOBODY };
        self.makers[object as usize] = (cpu.pc, maker);
        let init = self.image.classes[class as usize].init;
        self.enter(cpu, init, first, Value::object(object)).err()
    }

    /// Gives an object its fields. Nobody else has seen it.
    pub(super) fn fill(&mut self, cpu: &Cpu<'_>, object: u32, first: u32, count: u32) {
        let Kind::Object(object) = cpu.get(object).kind() else { return };
        let fields = self.registry.objects[object as usize].fields;
        for field in 0..count {
            self.cells.set(fields + field, cpu.get(first + FRAME + field));
        }
    }

    pub(super) fn new_object(&mut self, creator: u32, nth: u32, class: u32, group: Option<u32>) -> u32 {
        let code = &self.image.classes[class as usize];
        let maps = code.maps.iter().filter(|&&map| map).count();
        let with_entries = self.image.dependence == Dependence::Entry;
        let (fields, entries) = (code.fields.len(), if with_entries { maps * BUCKETS as usize } else { 0 });
        let map_fields: Vec<u32> = (0..fields as u32).filter(|&field| code.maps[field as usize]).collect();
        let own_lock = group.is_none();
        let at = self.cells.grow(usize::from(own_lock) + fields + entries);
        let first = at + u32::from(own_lock);
        let lock = group.unwrap_or(at);
        let object = Object { class, lock, fields: first, entries: first + fields as u32, creator, nth };
        let number = self.registry.add_object(object, !own_lock, &mut self.heap);
        if own_lock {
            self.registry.name_location(Owner::Lock(number), 0, &self.heap);
        }
        for field in 0..fields as u32 {
            self.registry.name_location(Owner::Field(number, field), 1 + u64::from(field), &self.heap);
        }
        for entry in 0..entries as u32 {
            let field = map_fields[(entry / BUCKETS) as usize];
            let part = 1 + fields as u64 + u64::from(entry);
            self.registry.name_location(Owner::Entries(number, field), part, &self.heap);
        }
        number
    }

    /// Whether a task waits while an object is being made.
    pub(super) fn is_making(&self, cpu: &Cpu<'_>) -> bool {
        let (mut base, mut pc) = (cpu.base, cpu.pc);
        loop {
            if self.image.body_at(pc).kind == BodyKind::Init {
                return true;
            }
            if base == TASK {
                return false;
            }
            pc = cpu.stack[base].as_count();
            base -= match self.image.code[pc as usize] {
                Instruction::Call { first, .. }
                | Instruction::CallLocal { first, .. }
                | Instruction::New { first, .. }
                | Instruction::Sync { first, .. } => first as usize,
                _ => return false,
            };
        }
    }
}
