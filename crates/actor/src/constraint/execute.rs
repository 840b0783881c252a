//! A method, from its beginning to where its step ends, for all states at once: one path after the
//! other, each with the conditions under which it is taken.
//!
//! What is not followed *cuts* a path: new objects, exceptions, calls of other objects that return
//! their result, looking at futures of earlier calls, choices, loops that go round often. Where a
//! path is cut, nothing is known.

use mazurka_smt::{Arena, Sort, Term};

use super::functions::{EntryFunction, Treatment, treatments};
use super::value::{self, Arithmetic, Map, Value};
use crate::code::{Constant, FRAME, Image, Instruction, Pc, Slot};
use crate::hir::{Builtin, Kind, Operator};

/// So many instructions of a step are followed.
const MOST_INSTRUCTIONS: usize = 1_000;

/// So often loops of a step go round, all of them together.
const MOST_ROUNDS: usize = 6;

/// So many paths may there be.
const MOST_PATHS: usize = 64;

/// A call that makes a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Call {
    /// Who calls: the left step (0) or the right one (1).
    pub(super) side: usize,
    pub(super) receiver: Value,
    pub(super) selector: u32,
    pub(super) arguments: Vec<Value>,
    /// Whether anybody will have the future.
    pub(super) is_kept: bool,
}

/// How a step ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// With a result.
    Returned(Value),
    /// The task waits here, in these frames, and keeps these values.
    Stopped { pc: Pc, frames: Vec<(Pc, usize)>, kept: Vec<Value> },
    /// Nothing is known, for this reason.
    Cut(&'static str),
}

/// What is known of a state, and of what led to it.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// What holds if it comes to this.
    pub(super) conditions: Vec<Term>,
    /// Which constructors values have, or do not have, by their identity.
    shapes: Vec<(Term, u32, bool)>,
    pub(super) fields: Vec<Value>,
    pub(super) calls: Vec<Call>,
}

impl State {
    pub(super) fn new(fields: Vec<Value>) -> State {
        State { fields, ..State::default() }
    }
}

/// A path that has come to its end.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) state: State,
    pub(super) end: End,
}

/// A task on a path.
#[derive(Clone, Debug)]
struct Cpu {
    state: State,
    stack: Vec<Value>,
    base: usize,
    pc: Pc,
    /// Who called, and where its frame begins.
    frames: Vec<(Pc, usize)>,
    /// How many instructions may follow.
    left: usize,
    /// How often loops went round.
    rounds: usize,
    /// Why the path is not followed any more.
    cut: Option<&'static str>,
}

/// What an instruction comes to.
enum Flow {
    Next,
    /// The path goes on from where it is now.
    Goes,
    /// Goes on there where the condition holds.
    Branch(Term, Pc),
    End(End),
}

/// A program that can be executed so.
pub(super) struct Symbolic<'a> {
    pub(super) image: &'a Image,
    treatments: Vec<Treatment>,
    just: u32,
    nothing: u32,
}

/// More paths than are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooManyPaths;

impl<'a> Symbolic<'a> {
    pub(super) fn new(image: &'a Image) -> Symbolic<'a> {
        let named = |name: &str| image.constructors.iter().position(|constructor| constructor.name == name);
        let number = |name: &str| named(name).map_or(u32::MAX, |number| number as u32);
        let (just, nothing) = (number("Just"), number("Nothing"));
        Symbolic { image, treatments: treatments(image), just, nothing }
    }

    /// All paths of a step that begins a method. `side` says whose it is.
    pub(super) fn run(
        &self,
        arena: &mut Arena,
        (side, body): (usize, u32),
        parameters: &[Value],
        state: State,
    ) -> Result<Vec<Path>, TooManyPaths> {
        let body = &self.image.bodies[body as usize];
        let empty = value::null(arena);
        let mut stack = vec![empty.clone(); FRAME as usize];
        stack.extend_from_slice(parameters);
        stack.resize(body.size as usize + 1, empty);
        let (base, pc, frames, left) = (0, body.entry, Vec::new(), MOST_INSTRUCTIONS);
        let start = Cpu { state, stack, base, pc, frames, left, rounds: 0, cut: None };
        let (mut open, mut done) = (vec![start], Vec::new());
        while let Some(mut cpu) = open.pop() {
            let end = self.follow(arena, side, &mut cpu, &mut open);
            done.push(Path { state: cpu.state, end });
            if done.len() + open.len() > MOST_PATHS {
                return Err(TooManyPaths);
            }
        }
        Ok(done)
    }

    /// Follows a path to its end. Others that leave it are added to `open`.
    fn follow(&self, arena: &mut Arena, side: usize, cpu: &mut Cpu, open: &mut Vec<Cpu>) -> End {
        loop {
            if cpu.left == 0 {
                return End::Cut("a step goes on for long");
            }
            if let Some(reason) = cpu.cut {
                return End::Cut(reason);
            }
            cpu.left -= 1;
            match self.execute(arena, side, cpu, open) {
                Flow::Next => cpu.pc += 1,
                Flow::Goes => {}
                Flow::Branch(condition, to) => {
                    let next = cpu.pc + 1;
                    match cpu.decide(arena, condition, open, |other| other.pc = to) {
                        Decision::Holds => cpu.pc = to,
                        Decision::Fails => cpu.pc = next,
                    }
                }
                Flow::End(end) => return end,
            }
        }
    }

    fn execute(&self, arena: &mut Arena, side: usize, cpu: &mut Cpu, open: &mut Vec<Cpu>) -> Flow {
        let image = self.image;
        match image.code[cpu.pc as usize] {
            Instruction::Begin | Instruction::Resume | Instruction::Guard { .. } | Instruction::Entry { .. } => {}
            Instruction::Constant { to, constant } => match self.constant(arena, constant) {
                Some(value) => cpu.set(to, value),
                None => return cut("a number is large"),
            },
            Instruction::Null { to } => cpu.set(to, value::null(arena)),
            Instruction::Copy { to, from } => cpu.set(to, cpu.get(from).clone()),
            Instruction::This { to } => cpu.set(to, value::this(arena)),
            Instruction::Load { to, field } => cpu.set(to, cpu.state.fields[field as usize].clone()),
            Instruction::Store { field, from } => cpu.state.fields[field as usize] = cpu.get(from).clone(),
            Instruction::Construct { to, constructor, first, count } => {
                cpu.set(to, Value::Data(constructor, cpu.row(first, count).to_vec()));
            }
            Instruction::List { to, first, count } => {
                let mut list = Value::Data(image.known.nil.0, Vec::new());
                for slot in (first..first + count).rev() {
                    list = Value::Data(image.known.cons.0, vec![cpu.get(slot).clone(), list]);
                }
                cpu.set(to, list);
            }
            Instruction::Not { to, from } => {
                let truth = value::truth(arena, cpu.get(from));
                cpu.set(to, Value::Bool(arena.not(truth)));
            }
            Instruction::Negate { to, from } => cpu.set(to, value::negate(arena, cpu.get(from))),
            Instruction::Binary { operator, to, left, right } => {
                match binary(arena, operator, cpu.get(left), cpu.get(right)) {
                    Some(value) => cpu.set(to, value),
                    None => return cut("a step may divide by zero"),
                }
            }
            Instruction::Builtin { to, builtin, first } => match self.builtin(arena, builtin, cpu.get(first)) {
                Some(value) => cpu.set(to, value),
                None => return cut("a step chooses, or takes a part of a text"),
            },
            Instruction::Jump { to } => {
                cpu.rounds += usize::from(to <= cpu.pc);
                if cpu.rounds > MOST_ROUNDS {
                    return cut("a loop may go round often");
                }
                cpu.pc = to;
                return Flow::Goes;
            }
            Instruction::Unless { condition, to } => {
                let truth = value::truth(arena, cpu.get(condition));
                return Flow::Branch(arena.not(truth), to);
            }
            Instruction::When { condition, to } => return Flow::Branch(value::truth(arena, cpu.get(condition)), to),
            Instruction::Unequal { left, right, to } => {
                let same = value::equal(arena, cpu.get(left), cpu.get(right));
                return Flow::Branch(arena.not(same), to);
            }
            Instruction::Unmatched { value, constructor, to } => {
                return self.unmatched(arena, cpu, (value, constructor), to, open);
            }
            Instruction::Project { to, value, index } => {
                let part = project(arena, cpu.get(value), index);
                cpu.set(to, part);
            }
            Instruction::Call { to, function, first } => return self.call(arena, cpu, (to, function, first), open),
            _ => return self.execute_task(arena, side, cpu, open),
        }
        Flow::Next
    }

    /// What concerns other tasks, and waiting.
    fn execute_task(&self, arena: &mut Arena, side: usize, cpu: &mut Cpu, open: &mut Vec<Cpu>) -> Flow {
        match self.image.code[cpu.pc as usize] {
            Instruction::Async { to, receiver, selector, first, count, is_kept } => {
                let receiver = cpu.get(receiver).clone();
                let Value::Other(object) = receiver else { return cut("a step calls something strange") };
                let is_null = value::is_null(arena, object);
                let reason = "a step may call null";
                let cuts = |other: &mut Cpu| other.cut = Some(reason);
                if cpu.decide(arena, is_null, open, cuts) == Decision::Holds {
                    return cut(reason);
                }
                let arguments = cpu.row(first + FRAME, count).to_vec();
                let number = cpu.state.calls.iter().filter(|call| call.side == side).count();
                cpu.state.calls.push(Call { side, receiver, selector, arguments, is_kept });
                cpu.set(to, Value::Future(side, number));
                Flow::Next
            }
            Instruction::Sync { receiver, selector, first, .. } if value::is_this(arena, cpu.get(receiver)) => {
                let class = self.image.body_at(cpu.pc).class;
                let body = class.and_then(|class| self.image.classes[class as usize].methods[selector as usize]);
                let Some(body) = body else { return cut("a step calls something strange") };
                self.enter(arena, cpu, body, first);
                Flow::Goes
            }
            Instruction::Sync { .. } => cut("a step calls another object and waits for the result"),
            Instruction::Return { from } => self.leave(cpu, from),
            Instruction::AwaitFuture { future, height } if is_own(cpu.get(future), side) => cpu.stop(height),
            Instruction::Get { future, .. } if is_own(cpu.get(future), side) => {
                cut("a step keeps its object from going on")
            }
            Instruction::Ready { to, future } if is_own(cpu.get(future), side) => {
                cpu.set(to, Value::Bool(arena.no()));
                Flow::Next
            }
            Instruction::AwaitFuture { .. } | Instruction::Get { .. } | Instruction::Ready { .. } => {
                cut("a step looks whether a task has ended")
            }
            Instruction::EndGuard { guard, condition } => {
                let truth = value::truth(arena, cpu.get(condition));
                let next = cpu.pc + 1;
                if cpu.decide(arena, truth, open, |other| other.pc = next) == Decision::Holds {
                    return Flow::Next;
                }
                let Instruction::Guard { height } = self.image.code[guard as usize] else {
                    return cut("a step waits strangely");
                };
                cpu.pc = guard;
                cpu.stop(height)
            }
            Instruction::Suspend { height } => {
                cpu.pc += 1;
                cpu.stop(height)
            }
            Instruction::Assert { condition } => {
                let truth = value::truth(arena, cpu.get(condition));
                let next = cpu.pc + 1;
                match cpu.decide(arena, truth, open, |other| other.pc = next) {
                    Decision::Holds => Flow::Next,
                    Decision::Fails => cut("an assertion may fail"),
                }
            }
            // The types do not allow that.
            Instruction::NoMatch { exhaustive: true } => cut("a value has another type"),
            Instruction::NoMatch { .. } | Instruction::Throw { .. } => cut("a step may throw an exception"),
            Instruction::New { .. } | Instruction::ReturnThis => cut("a step makes an object"),
            Instruction::Reached => cut("a step calls a method that is a failure"),
            _ => cut("a step uses functions as values, or interfaces"),
        }
    }

    fn constant(&self, arena: &mut Arena, constant: u32) -> Option<Value> {
        let known = self.image.known;
        Some(match &self.image.constants[constant as usize] {
            Constant::Int(number) => Value::Int(arena.int(i128::try_from(number).ok()?)),
            Constant::String(_) => value::text(arena, constant),
            Constant::Constructor(constructor) if *constructor == known.yes.0 => Value::Bool(arena.yes()),
            Constant::Constructor(constructor) if *constructor == known.no.0 => Value::Bool(arena.no()),
            Constant::Constructor(constructor) => Value::Data(*constructor, Vec::new()),
            Constant::Input(_) => return None,
        })
    }

    fn builtin(&self, arena: &mut Arena, builtin: Builtin, argument: &Value) -> Option<Value> {
        Some(match builtin {
            Builtin::Truncate if matches!(argument, Value::Int(_)) => argument.clone(),
            Builtin::Truncate => value::integer_of(arena, "truncate", argument),
            Builtin::Numerator => value::integer_of(arena, "numerator", argument),
            Builtin::Denominator => value::integer_of(arena, "denominator", argument),
            Builtin::StringLength => value::integer_of(arena, "strlen", argument),
            Builtin::ToString => {
                let identity = value::identity(arena, argument);
                Value::Other(value::apply(arena, "toString", &[identity], Sort::Int))
            }
            Builtin::Print => Value::Data(self.image.known.unit.0, Vec::new()),
            Builtin::Substring | Builtin::Random => return None,
        })
    }

    /// Jumps where a value has another constructor.
    fn unmatched(
        &self,
        arena: &mut Arena,
        cpu: &mut Cpu,
        (value, constructor): (Slot, u32),
        to: Pc,
        open: &mut Vec<Cpu>,
    ) -> Flow {
        let known = self.image.known;
        let identity = match cpu.get(value) {
            Value::Data(own, _) => {
                let jumps = *own != constructor;
                return Flow::Branch(arena.truth(jumps), to);
            }
            Value::Bool(truth) if constructor == known.yes.0 => return Flow::Branch(arena.not(*truth), to),
            Value::Bool(truth) if constructor == known.no.0 => return Flow::Branch(*truth, to),
            Value::Other(identity) => *identity,
            Value::Int(_) | Value::Bool(_) | Value::Rat(_) | Value::Map(_) | Value::Future(..) => {
                return cut("a step looks into a value");
            }
        };
        let shape = |is: bool| (identity, constructor, is);
        let state = &cpu.state;
        let has_other = state.shapes.iter().any(|&(of, other, is)| of == identity && is && other != constructor);
        if state.shapes.contains(&shape(true)) || self.is_last(state, identity, constructor) {
            return Flow::Next;
        }
        if has_other || state.shapes.contains(&shape(false)) {
            cpu.pc = to;
            return Flow::Goes;
        }
        let tag = value::apply(arena, "constructor", &[identity], Sort::Int);
        let number = arena.int(i128::from(constructor));
        let differs = arena.different(tag, number);
        match cpu.decide(arena, differs, open, |other| {
            other.pc = to;
            other.state.shapes.push(shape(false));
        }) {
            Decision::Holds => {
                cpu.pc = to;
                cpu.state.shapes.push(shape(false));
            }
            Decision::Fails => {
                cpu.pc += 1;
                cpu.state.shapes.push(shape(true));
            }
        }
        Flow::Goes
    }

    /// Whether all other constructors of the type were excluded. Of exceptions there are always
    /// others.
    fn is_last(&self, state: &State, identity: Term, constructor: u32) -> bool {
        let constructors = &self.image.constructors;
        let data = constructors[constructor as usize].data;
        let is_exception = data == constructors[self.image.known.division.0 as usize].data;
        let excluded = |number: usize| state.shapes.contains(&(identity, number as u32, false));
        let mut siblings = (0..constructors.len()).filter(|&number| constructors[number].data == data);
        !is_exception && siblings.all(|number| number == constructor as usize || excluded(number))
    }

    fn call(
        &self,
        arena: &mut Arena,
        cpu: &mut Cpu,
        (to, function, first): (Slot, u32, Slot),
        open: &mut Vec<Cpu>,
    ) -> Flow {
        let argument = |cpu: &Cpu, number: u32| cpu.get(first + FRAME + number).clone();
        match self.treatments[function as usize] {
            Treatment::Followed => self.enter(arena, cpu, function, first),
            Treatment::Entry(entry) => match argument(cpu, 0) {
                Value::Map(map) => return self.call_entry(arena, cpu, (to, entry, map), first, open),
                // A map of which more is known than its entries.
                Value::Data(..) => self.enter(arena, cpu, function, first),
                _ => return cut("a step looks into a value"),
            },
            Treatment::Opaque => {
                let body = &self.image.bodies[function as usize];
                let arguments: Vec<Term> = (0..body.parameters)
                    .map(|number| {
                        let argument = argument(cpu, number);
                        value::identity(arena, &argument)
                    })
                    .collect();
                let result = opaque(arena, &format!("{} {function}", body.name), &arguments, body.result);
                cpu.set(to, result);
                return Flow::Next;
            }
            Treatment::Avoided => return cut("a step calls a function that may fail"),
        }
        Flow::Goes
    }

    fn call_entry(
        &self,
        arena: &mut Arena,
        cpu: &mut Cpu,
        (to, entry, map): (Slot, EntryFunction, Map),
        first: Slot,
        open: &mut Vec<Cpu>,
    ) -> Flow {
        let [key, given] = [1, 2].map(|number| cpu.get(first + FRAME + number).clone());
        match entry {
            EntryFunction::Put => cpu.set(to, Value::Map(map.change(arena, &key, Some(&given)))),
            EntryFunction::Remove => cpu.set(to, Value::Map(map.change(arena, &key, None))),
            EntryFunction::LookUp | EntryFunction::LookUpDefault | EntryFunction::LookUpUnsafe => {
                let (present, found) = map.look_up(arena, &key);
                let (found, otherwise) = match entry {
                    EntryFunction::LookUp => {
                        (Value::Data(self.just, vec![found]), Some(Value::Data(self.nothing, Vec::new())))
                    }
                    EntryFunction::LookUpDefault => (found, Some(given)),
                    _ => (found, None),
                };
                let next = cpu.pc + 1;
                let decision = cpu.decide(arena, present, open, |other| {
                    other.set(to, found.clone());
                    other.pc = next;
                });
                match (decision, otherwise) {
                    (Decision::Holds, _) => cpu.set(to, found),
                    (Decision::Fails, Some(otherwise)) => cpu.set(to, otherwise),
                    (Decision::Fails, None) => return cut("a step may look for a key that is not there"),
                }
            }
        }
        Flow::Next
    }

    /// Begins a body whose arguments stand where its frame will be.
    fn enter(&self, arena: &mut Arena, cpu: &mut Cpu, body: u32, first: Slot) {
        let of = &self.image.bodies[body as usize];
        cpu.frames.push((cpu.pc, cpu.base));
        cpu.base += first as usize;
        cpu.pc = of.entry;
        let (end, empty) = (cpu.base + of.size as usize + 1, value::null(arena));
        if cpu.stack.len() < end {
            cpu.stack.resize(end, empty.clone());
        }
        // The caller and the object, which are known.
        cpu.stack[cpu.base..cpu.base + FRAME as usize].fill(empty);
    }

    /// Goes back to the caller, or ends the task.
    fn leave(&self, cpu: &mut Cpu, from: Slot) -> Flow {
        let value = cpu.get(from).clone();
        let Some((call, base)) = cpu.frames.pop() else { return Flow::End(End::Returned(value)) };
        let (to, next) = match self.image.code[call as usize] {
            Instruction::Call { to, .. } => (to, call + 1),
            // The `get` after it is for tasks.
            Instruction::Sync { to, .. } => (to, call + 2),
            _ => return cut("a step calls something strange"),
        };
        cpu.base = base;
        cpu.pc = next;
        cpu.set(to, value);
        Flow::Goes
    }
}

/// How a path goes on where there are two ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decision {
    Holds,
    Fails,
}

impl Cpu {
    fn get(&self, slot: Slot) -> &Value {
        &self.stack[self.base + slot as usize]
    }

    fn set(&mut self, slot: Slot, value: Value) {
        self.stack[self.base + slot as usize] = value;
    }

    fn row(&self, first: Slot, count: u32) -> &[Value] {
        &self.stack[self.base + first as usize..self.base + (first + count) as usize]
    }

    /// Whether a condition holds on this path. Where that is open, the path goes on as if it did
    /// not, and another one, changed like this, as if it did.
    fn decide(
        &mut self,
        arena: &mut Arena,
        condition: Term,
        open: &mut Vec<Cpu>,
        change: impl FnOnce(&mut Cpu),
    ) -> Decision {
        let not = arena.not(condition);
        if arena.is(condition, true) || self.state.conditions.contains(&condition) {
            return Decision::Holds;
        }
        if arena.is(condition, false) || self.state.conditions.contains(&not) {
            return Decision::Fails;
        }
        let mut other = self.clone();
        other.state.conditions.push(condition);
        change(&mut other);
        open.push(other);
        self.state.conditions.push(not);
        Decision::Fails
    }

    fn stop(&self, height: Slot) -> Flow {
        let kept = self.stack[..self.base + height as usize].to_vec();
        Flow::End(End::Stopped { pc: self.pc, frames: self.frames.clone(), kept })
    }
}

fn cut(reason: &'static str) -> Flow {
    Flow::End(End::Cut(reason))
}

/// The future of a call that this step has made: the task cannot have ended.
fn is_own(future: &Value, side: usize) -> bool {
    matches!(future, Value::Future(of, _) if *of == side)
}

/// An argument of a value whose constructor is known.
fn project(arena: &mut Arena, value: &Value, index: u32) -> Value {
    match value {
        Value::Data(_, arguments) if (index as usize) < arguments.len() => arguments[index as usize].clone(),
        other => {
            let identity = value::identity(arena, other);
            Value::Other(value::apply(arena, &format!("argument {index}"), &[identity], Sort::Int))
        }
    }
}

/// A value of which nothing is known but what it is computed from.
fn opaque(arena: &mut Arena, name: &str, arguments: &[Term], kind: Kind) -> Value {
    value::anything(kind, |part, sort| {
        if arguments.is_empty() {
            arena.variable(&format!("@{name}{part}"), sort)
        } else {
            value::apply(arena, &format!("{name}{part}"), arguments, sort)
        }
    })
}

/// The value of an operator; nothing where it may have none.
fn binary(arena: &mut Arena, operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    let truth = |term: Term| Some(Value::Bool(term));
    match operator {
        Operator::Equal => truth(value::equal(arena, left, right)),
        Operator::NotEqual => {
            let same = value::equal(arena, left, right);
            truth(arena.not(same))
        }
        Operator::Less => truth(value::less(arena, left, right)),
        Operator::Greater => truth(value::less(arena, right, left)),
        Operator::LessEqual => {
            let greater = value::less(arena, right, left);
            truth(arena.not(greater))
        }
        Operator::GreaterEqual => {
            let less = value::less(arena, left, right);
            truth(arena.not(less))
        }
        Operator::Add => Some(value::arithmetic(arena, Arithmetic::Add, left, right)),
        Operator::Subtract => Some(value::arithmetic(arena, Arithmetic::Subtract, left, right)),
        Operator::Multiply => Some(value::arithmetic(arena, Arithmetic::Multiply, left, right)),
        Operator::Divide | Operator::Remainder => {
            let Value::Int(divisor) = right else { return None };
            arena.constant(*divisor).filter(|&divisor| divisor != 0)?;
            match (operator, left) {
                (Operator::Remainder, Value::Int(left)) => Some(Value::Int(arena.remainder_to_zero(*left, *divisor))),
                (Operator::Remainder, _) => None,
                _ => Some(value::arithmetic(arena, Arithmetic::Divide, left, right)),
            }
        }
    }
}
