//! Runs instructions, up to where a step ends.

use std::sync::Arc;

use mazurka_trace::{AccessKind, Choice, Event, Fault, FaultKind, ProcessId, SiteId, Value as ChoiceValue};

use super::arithmetic::{self, Trouble, truth};
use super::show;
use super::value::{Kind, Value};
use super::{ActorMachine, BUCKETS};
use crate::code::{BodyKind, EntryUse, FRAME, Image, Instruction, Pc, Slot};
use crate::hir::Builtin;
use crate::mutation::{self, Mutation};
use crate::options::Dependence;

/// A task that runs.
pub(super) struct Cpu<'a> {
    pub(super) task: u32,
    pub(super) stack: Vec<Value>,
    pub(super) base: usize,
    pub(super) pc: Pc,
    pub(super) choices: &'a [ChoiceValue],
    pub(super) fuel: u64,
    /// Only a guard is evaluated.
    pub(super) is_trial: bool,
    pub(super) entry: Option<Entry>,
}

/// The use of one entry of a map field that is under way.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    base: usize,
    from: Pc,
    end: Pc,
    field: u32,
    bucket: u32,
    usage: EntryUse,
}

impl Cpu<'_> {
    #[inline]
    pub(super) fn get(&self, slot: Slot) -> Value {
        self.stack[self.base + slot as usize]
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        self.stack[self.base + slot as usize] = value;
    }

    /// The object whose method runs.
    #[inline]
    pub(super) fn this(&self) -> Value {
        self.stack[self.base + 1]
    }
}

/// Why the machine stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// The task has come to its end.
    Returned(Value),
    /// An exception ended the task; where it was thrown.
    Thrown(Value, Pc),
    /// It waits, and others of its group may go on; it keeps what is below this height of its
    /// frame.
    Waits(Slot),
    /// It waits, and others of its group may not go on.
    Blocks(Slot),
    /// What a guard came to.
    Guard(bool),
    /// Too many instructions.
    OutOfFuel,
    /// A failure that ends the execution.
    Halted(FaultKind),
}

/// What an instruction comes to that is not simply followed by the next.
pub(super) enum Flow {
    Next,
    /// The machine is where it is to go on.
    Goes,
    Exit(Exit),
}

impl From<Option<Exit>> for Flow {
    fn from(exit: Option<Exit>) -> Flow {
        exit.map_or(Flow::Goes, Flow::Exit)
    }
}

impl ActorMachine {
    /// Runs a task until its step ends.
    pub(super) fn run(&mut self, cpu: &mut Cpu<'_>, event: &mut Event) -> Exit {
        let image = Arc::clone(&self.image);
        loop {
            if cpu.fuel == 0 {
                return Exit::OutOfFuel;
            }
            cpu.fuel -= 1;
            let attended = if self.attends { self.look_at(&image, cpu, event) } else { None };
            let flow = match attended {
                Some(flow) => flow,
                None => self.execute(&image, cpu, event),
            };
            match flow {
                Flow::Next => cpu.pc += 1,
                Flow::Goes => {}
                Flow::Exit(exit) => return exit,
            }
        }
    }

    /// Looks at an instruction before it runs, for those who want that.
    fn look_at(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Option<Flow> {
        if !cpu.is_trial {
            self.cover(cpu.task, cpu.pc);
        }
        self.attend(image, cpu, event)
    }

    #[inline]
    fn execute(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Flow {
        match image.code[cpu.pc as usize] {
            Instruction::Begin | Instruction::Resume => {}
            Instruction::Constant { to, constant } => cpu.set(to, self.constants[constant as usize]),
            Instruction::Null { to } => cpu.set(to, Value::NULL),
            Instruction::Copy { to, from } => cpu.set(to, cpu.get(from)),
            Instruction::This { to } => cpu.set(to, cpu.this()),
            Instruction::Construct { to, constructor, first, count } => {
                let from = cpu.base + first as usize;
                let value = self.heap.construct(constructor, &cpu.stack[from..from + count as usize]);
                cpu.set(to, value);
            }
            Instruction::List { to, first, count } => {
                let mut list = Value::plain(image.known.nil.0);
                for slot in (first..first + count).rev() {
                    list = self.heap.construct(image.known.cons.0, &[cpu.get(slot), list]);
                }
                cpu.set(to, list);
            }
            Instruction::Jump { .. }
            | Instruction::Unless { .. }
            | Instruction::When { .. }
            | Instruction::Unmatched { .. }
            | Instruction::Unequal { .. } => return self.jump(image, cpu),
            Instruction::Project { to, value, index } => {
                let part = self.heap.arguments(cpu.get(value))[index as usize];
                cpu.set(to, part);
            }
            Instruction::Not { to, from } => cpu.set(to, truth(image, cpu.get(from) != yes(image))),
            Instruction::Negate { to, from } => {
                let result = arithmetic::negate(&mut self.heap, cpu.get(from));
                return self.result(cpu, to, result);
            }
            Instruction::Binary { operator, to, left, right } => {
                let (left, right) = (cpu.get(left), cpu.get(right));
                let result = arithmetic::binary(image, &mut self.heap, operator, left, right);
                return self.result(cpu, to, result);
            }
            Instruction::Builtin { to, builtin, first } => {
                return self.builtin(image, cpu, (to, builtin, first), event);
            }
            Instruction::Load { .. } | Instruction::Store { .. } | Instruction::Entry { .. } => {
                return self.use_field(image, cpu, event);
            }
            Instruction::Implements { to, object, interface } => {
                let holds = self.implements(cpu.get(object), interface);
                cpu.set(to, truth(image, holds));
            }
            Instruction::As { to, object, interface } => {
                let value = cpu.get(object);
                cpu.set(to, if self.implements(value, interface) { value } else { Value::NULL });
            }
            _ => return self.execute_control(image, cpu, event),
        }
        Flow::Next
    }

    /// Goes on elsewhere, or with the next instruction.
    #[inline]
    fn jump(&self, image: &Image, cpu: &mut Cpu<'_>) -> Flow {
        match image.code[cpu.pc as usize] {
            Instruction::Jump { to } => {
                cpu.pc = to;
                Flow::Goes
            }
            Instruction::Unless { condition, to } => branch(cpu, cpu.get(condition) != yes(image), to),
            Instruction::When { condition, to } => branch(cpu, cpu.get(condition) == yes(image), to),
            Instruction::Unmatched { value, constructor, to } => {
                let misses = self.heap.constructor(cpu.get(value)) != Some(constructor);
                branch(cpu, misses, to)
            }
            Instruction::Unequal { left, right, to } => branch(cpu, cpu.get(left) != cpu.get(right), to),
            _ => unreachable!("only jumps come here"),
        }
    }

    /// Calls, waiting, exceptions.
    fn execute_control(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Flow {
        match image.code[cpu.pc as usize] {
            Instruction::Closure { to, function, first, count } => {
                let from = cpu.base + first as usize;
                let constructor = image.constructors.len() as u32 + 1 + function;
                let values = &cpu.stack[from..from + count as usize];
                let value = self.heap.construct(constructor, values);
                cpu.set(to, value);
                Flow::Next
            }
            Instruction::Call { function, first, .. } => self.enter(cpu, function, first, Value::NULL).err().into(),
            Instruction::CallLocal { closure, first, count, .. } => {
                self.call_closure(image, cpu, closure, first, count)
            }
            Instruction::New { class, local, first, .. } => self.create(cpu, class, local, first).into(),
            Instruction::Async { to, receiver, selector, first, count, is_kept } => {
                let receiver = cpu.get(receiver);
                match self.call_task(cpu, (receiver, selector), (first, count), is_kept, event) {
                    Ok(future) => {
                        cpu.set(to, future);
                        Flow::Next
                    }
                    Err(exit) => exit.into(),
                }
            }
            Instruction::Sync { receiver, selector, first, count, .. } => {
                let receiver = cpu.get(receiver);
                self.call_method(cpu, (receiver, selector), (first, count), event).into()
            }
            Instruction::Return { from } => {
                let value = cpu.get(from);
                self.leave(cpu, value).into()
            }
            Instruction::ReturnThis => {
                let value = cpu.this();
                self.leave(cpu, value).into()
            }
            Instruction::Throw { from, again } => {
                let exception = cpu.get(from);
                let site = if again { cpu.get(from + 1).as_count() } else { cpu.pc };
                self.throw_from(cpu, exception, site).into()
            }
            Instruction::Assert { condition } if cpu.get(condition) == yes(image) => Flow::Next,
            Instruction::Reached => {
                note_assertion(cpu, event);
                Flow::Next
            }
            Instruction::Assert { .. } => {
                note_assertion(cpu, event);
                self.throw_plain(cpu, image.known.assertion).into()
            }
            Instruction::NoMatch { .. } => self.throw_plain(cpu, image.known.no_match).into(),
            _ => self.execute_waiting(image, cpu, event),
        }
    }

    /// What may stop the task.
    fn execute_waiting(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Flow {
        match image.code[cpu.pc as usize] {
            Instruction::Ready { to, future } => match cpu.get(future).kind() {
                Kind::Future(task) => {
                    let value = self.poll(task, event);
                    cpu.set(to, truth(image, value != Value::ABSENT));
                    Flow::Next
                }
                _ => self.throw_plain(cpu, image.known.null).into(),
            },
            Instruction::AwaitFuture { future, height } => match cpu.get(future).kind() {
                Kind::Future(task) if self.poll(task, event) == Value::ABSENT => self.stop(cpu, Exit::Waits(height)),
                Kind::Future(_) => Flow::Next,
                _ => self.throw_plain(cpu, image.known.null).into(),
            },
            Instruction::Get { to, future, height } => match cpu.get(future).kind() {
                Kind::Future(task) => match self.poll(task, event) {
                    Value::ABSENT => self.stop(cpu, Exit::Blocks(height)),
                    value => self.take_result(cpu, task, value, to),
                },
                _ => self.throw_plain(cpu, image.known.null).into(),
            },
            Instruction::Guard { .. } => Flow::Next,
            Instruction::Fill { object, first, count } => {
                self.fill(cpu, object, first, count);
                Flow::Next
            }
            Instruction::EndGuard { condition, .. } if cpu.is_trial => {
                Flow::Exit(Exit::Guard(cpu.get(condition) == yes(image)))
            }
            Instruction::EndGuard { condition, .. } if cpu.get(condition) == yes(image) => Flow::Next,
            Instruction::EndGuard { guard, .. } => {
                cpu.pc = guard;
                let Instruction::Guard { height } = image.code[guard as usize] else {
                    unreachable!("a guard begins with a `Guard`")
                };
                self.stop(cpu, Exit::Waits(height))
            }
            Instruction::Suspend { height } => {
                cpu.pc += 1;
                self.stop(cpu, Exit::Waits(height))
            }
            _ => unreachable!("all others were looked at before"),
        }
    }

    /// Stops, unless an object is being made: nobody can wait for that.
    fn stop(&mut self, cpu: &Cpu<'_>, exit: Exit) -> Flow {
        let halts = self.is_making(cpu);
        Flow::Exit(if halts { Exit::Halted(FaultKind::Unmodelled) } else { exit })
    }

    /// Looks whether a task has its result. Told in the event whether it has or not.
    #[inline]
    fn poll(&mut self, task: u32, event: &mut Event) -> Value {
        let future = self.registry.tasks[task as usize].future;
        if mutation::on(Mutation::PollUntold) {
            return self.cells.get(future);
        }
        self.cells.read(future, event)
    }

    /// The value of a future; if the task ended with an exception, it is thrown again.
    fn take_result(&mut self, cpu: &mut Cpu<'_>, task: u32, value: Value, to: Slot) -> Flow {
        if self.heap.constructor(value) != Some(self.failure_constructor()) {
            cpu.set(to, value);
            return Flow::Next;
        }
        let exception = self.heap.arguments(value)[0];
        let taken = self.registry.tasks[task as usize].future + 1;
        if self.cells.get(taken) == Value::ABSENT && !mutation::on(Mutation::NobodyTold) {
            self.cells.set(taken, Value::count(1));
        }
        self.throw(cpu, exception).into()
    }

    /// The constructor of the result of a task that ended with an exception.
    pub(super) fn failure_constructor(&self) -> u32 {
        self.image.constructors.len() as u32
    }

    fn implements(&self, object: Value, interface: u32) -> bool {
        let Kind::Object(object) = object.kind() else { return false };
        let class = self.registry.objects[object as usize].class;
        self.image.classes[class as usize].interfaces.contains(&interface)
    }

    /// Goes on with a result, or with the exception that there is none.
    fn result(&mut self, cpu: &mut Cpu<'_>, to: Slot, result: Result<Value, Trouble>) -> Flow {
        match result {
            Ok(value) => {
                cpu.set(to, value);
                Flow::Next
            }
            Err(Trouble::Division) => self.throw_plain(cpu, self.image.known.division).into(),
            Err(Trouble::Range) => self.throw_plain(cpu, self.image.known.range).into(),
            Err(Trouble::Size) => Flow::Exit(Exit::OutOfFuel),
            Err(Trouble::Types) => Flow::Exit(Exit::Halted(FaultKind::Misuse)),
        }
    }

    fn call_closure(&mut self, image: &Image, cpu: &mut Cpu<'_>, closure: Slot, first: Slot, count: u32) -> Flow {
        let closure = cpu.get(closure);
        let base = image.constructors.len() as u32 + 1;
        let function = self.heap.constructor(closure).and_then(|constructor| constructor.checked_sub(base));
        let Some(function) = function else { return Flow::Exit(Exit::Halted(FaultKind::Misuse)) };
        let captured = self.heap.arguments(closure).len();
        // The values that it brings along come before its arguments.
        let from = cpu.base + (first + FRAME) as usize;
        let end = from + captured + count as usize;
        if cpu.stack.len() < end {
            cpu.stack.resize(end, Value::ABSENT);
        }
        cpu.stack.copy_within(from..from + count as usize, from + captured);
        cpu.stack[from..from + captured].copy_from_slice(self.heap.arguments(closure));
        self.enter(cpu, function, first, Value::NULL).err().into()
    }

    fn builtin(
        &mut self,
        image: &Image,
        cpu: &mut Cpu<'_>,
        (to, builtin, first): (Slot, Builtin, Slot),
        event: &mut Event,
    ) -> Flow {
        if builtin == Builtin::Random {
            return self.choose(cpu, to, cpu.get(first), event);
        }
        let at = cpu.base + first as usize;
        let argument = |number: usize| cpu.stack.get(at + number).copied().unwrap_or_default();
        let arguments = [argument(0), argument(1), argument(2)];
        let unit = Value::plain(image.known.unit.0);
        let registry = &self.registry;
        let spell =
            |heap: &super::heap::Heap, value| show::spell(image, registry, heap, value, arithmetic::LONGEST).ok();
        let result = arithmetic::builtin(&mut self.heap, builtin, arguments, spell, unit);
        self.result(cpu, to, result)
    }

    /// A number below a bound: every one is explored.
    fn choose(&mut self, cpu: &mut Cpu<'_>, to: Slot, bound: Value, event: &mut Event) -> Flow {
        let Some(count) = arithmetic::alternatives(&self.heap, bound) else {
            return Flow::Exit(Exit::Halted(FaultKind::Misuse));
        };
        if count <= 0 {
            return self.throw_plain(cpu, self.image.known.range).into();
        }
        let (low, high) = (0, count - 1);
        let given = cpu.choices.get(event.choices.len()).copied();
        let value = given.filter(|value| (low..=high).contains(value)).unwrap_or(low);
        event.choices.push(Choice { value, low, high });
        if !cpu.is_trial {
            self.note_random(value);
        }
        let value = Value::int(value).unwrap_or(Value::count(0));
        cpu.set(to, value);
        Flow::Next
    }

    /// Loads, stores, and uses of one entry of a map.
    fn use_field(&mut self, image: &Image, cpu: &mut Cpu<'_>, event: &mut Event) -> Flow {
        let Kind::Object(object) = cpu.this().kind() else { return Flow::Exit(Exit::Halted(FaultKind::Misuse)) };
        let object = self.registry.objects[object as usize];
        match image.code[cpu.pc as usize] {
            Instruction::Entry { field, key, usage, end } => {
                let maps = &image.classes[object.class as usize].maps;
                let bucket = self.registry.bucket(entries(object, maps, field), self.heap.print_of(cpu.get(key)));
                cpu.entry = Some(Entry { base: cpu.base, from: cpu.pc, end, field, bucket, usage });
            }
            Instruction::Load { to, field } => {
                let location = object.fields + field;
                let value = self.cells.get(location);
                let fixed = image.classes[object.class as usize].fixed[field as usize];
                if !fixed && !mutation::on(Mutation::LoadUntold) {
                    self.tell_use(image, cpu, (object, field), AccessKind::Read, value, event);
                }
                cpu.set(to, value);
            }
            Instruction::Store { field, from } => {
                let value = cpu.get(from);
                // Nobody else can see an object that is being made.
                if image.body_at(cpu.pc).kind != BodyKind::Init && !mutation::on(Mutation::StoreUntold) {
                    self.tell_use(image, cpu, (object, field), AccessKind::Write, value, event);
                }
                self.cells.set(object.fields + field, value);
            }
            _ => unreachable!("only fields are used here"),
        }
        Flow::Next
    }

    /// Tells of the use of a field, or of the entry of it that is under way.
    fn tell_use(
        &mut self,
        image: &Image,
        cpu: &Cpu<'_>,
        (object, field): (super::registry::Object, u32),
        kind: AccessKind,
        value: Value,
        event: &mut Event,
    ) {
        let maps = &image.classes[object.class as usize].maps;
        if image.dependence != Dependence::Entry || !maps[field as usize] {
            return self.cells.note(object.fields + field, kind, value, event);
        }
        // What the whole map holds depends on the order of changes of other entries: it is not
        // told.
        let value = Value::ABSENT;
        let first = entries(object, maps, field);
        let under_way = cpu.entry.filter(|entry| {
            entry.base == cpu.base && entry.field == field && (entry.from..entry.end).contains(&cpu.pc)
        });
        match under_way {
            // Keys can share a bucket, so a change of one leaves others as they are.
            Some(Entry { bucket, usage: EntryUse::Write, .. }) => {
                self.cells.note(first + bucket, AccessKind::Update, value, event);
            }
            Some(Entry { bucket, .. }) => self.cells.note(first + bucket, kind, value, event),
            None => {
                let buckets = if mutation::on(Mutation::WholeIsOneEntry) { 1 } else { BUCKETS };
                for bucket in 0..buckets {
                    self.cells.note(first + bucket, kind, value, event);
                }
            }
        }
    }
}

/// The location of the first entry of a map field, of those of an object's fields that are maps.
fn entries(object: super::registry::Object, maps: &[bool], field: u32) -> u32 {
    object.entries + maps[..field as usize].iter().filter(|&&map| map).count() as u32 * BUCKETS
}

/// Tells of a failed assertion, or of a call that is not to be.
fn note_assertion(cpu: &Cpu<'_>, event: &mut Event) {
    let (process, site) = (ProcessId::new(cpu.task as usize), SiteId::new(cpu.pc as usize));
    event.faults.push(Fault { kind: FaultKind::Assertion, process, site, detail: [0; 2] });
}

fn yes(image: &Image) -> Value {
    Value::plain(image.known.yes.0)
}

#[inline]
fn branch(cpu: &mut Cpu<'_>, jumps: bool, to: Pc) -> Flow {
    if !jumps {
        return Flow::Next;
    }
    cpu.pc = to;
    Flow::Goes
}
