//! Runs what is left of a method on sets of values.

use super::set::{Atom, Set};
use super::{Location, Read, Rooted, Task, add};
use crate::code::{BodyKind, FRAME, Instruction, Pc, Slot};
use crate::fixpoint::{Transfer, handler};
use crate::hir::Operator;
use crate::machine::arithmetic::truth;
use crate::machine::value::{Kind, Value};

/// A unit that is being run.
pub(super) struct Running<'r, 'm> {
    pub(super) rooted: &'r mut Rooted<'m>,
    pub(super) unit: u32,
}

/// What a condition can be.
#[derive(Clone, Copy)]
struct Truth {
    yes: bool,
    no: bool,
}

impl Running<'_, '_> {
    fn instruction(&self, pc: Pc) -> Instruction {
        self.rooted.machine.image.code[pc as usize]
    }

    fn join(&self, into: &mut Set, from: &Set) -> bool {
        into.join(from, &self.rooted.machine.heap)
    }

    fn truth(&self, condition: &Set) -> Truth {
        let yes = truth(&self.rooted.machine.image, true);
        let is_other = |atom: &Atom| *atom != Atom::of(yes);
        Truth {
            yes: condition.any || condition.contains(yes),
            no: condition.any || condition.atoms().iter().any(is_other),
        }
    }

    fn truths(&self, truths: Truth) -> Set {
        let mut set = Set::default();
        for (possible, holds) in [(truths.yes, true), (truths.no, false)] {
            if possible {
                set.insert(Atom::of(truth(&self.rooted.machine.image, holds)), &self.rooted.machine.heap);
            }
        }
        set
    }

    /// Where an exception of an instruction goes on.
    pub(super) fn throw(&mut self, pc: Pc, state: &[Set], others: &mut Vec<(Pc, Vec<Set>)>) {
        let machine = self.rooted.machine;
        let Some(handler) = handler(&machine.image, pc) else { return };
        self.rooted.reads(self.unit, Read::Thrown);
        let mut caught = state.to_vec();
        caught[handler.slot as usize] = self.rooted.thrown.clone();
        others.push((handler.target, caught));
    }

    /// The unfinished tasks whose futures these are.
    fn tasks(&self, futures: &Set) -> Vec<Task> {
        let task = |atom: &Atom| match atom {
            Atom::Future(unit) => Some(Task::ToCome(*unit)),
            Atom::Object(_) => None,
            Atom::Word(word) => match Value(*word).kind() {
                Kind::Future(task) => self.rooted.unfinished(task),
                _ => None,
            },
        };
        futures.atoms().iter().filter_map(task).collect()
    }

    /// It can wait here for these futures.
    fn wait(&mut self, at: (Pc, bool), futures: &Set) {
        let tasks = self.tasks(futures);
        let unit = &mut self.rooted.units[self.unit as usize];
        tasks.iter().for_each(|&task| add(&mut unit.polls, task));
        unit.wait(at, tasks);
    }

    /// What the tasks of these futures come to.
    fn results(&mut self, futures: &Set) -> Set {
        let mut all = Set::default();
        for atom in futures.atoms().to_vec() {
            let value = match atom {
                Atom::Future(unit) => self.rooted.result_of(self.unit, unit),
                Atom::Object(_) => continue,
                Atom::Word(word) => match Value(word).kind() {
                    Kind::Future(task) => self.rooted.result_of_task(self.unit, task).0,
                    _ => continue,
                },
            };
            self.join(&mut all, &value);
        }
        all
    }

    fn arguments(&self, state: &[Set], first: Slot, count: u32) -> Vec<Set> {
        let from = (first + FRAME) as usize;
        state[from..from + count as usize].to_vec()
    }

    fn dispatch(&self, object: Atom, selector: u32) -> Option<u32> {
        let class = self.rooted.class_of(object)?;
        self.rooted.machine.image.classes[class as usize].methods[selector as usize]
    }

    /// A call that makes tasks. Their futures.
    fn call(&mut self, receivers: &[Atom], selector: u32, arguments: &[Set]) -> Set {
        let mut futures = Set::default();
        for &object in receivers {
            let Some(body) = self.dispatch(object, selector) else { continue };
            let Some(unit) = self.rooted.called(object, body, arguments) else { continue };
            self.rooted.units[unit as usize].is_task = true;
            let location = self.rooted.units[unit as usize].location;
            add(&mut self.rooted.units[self.unit as usize].posts, location);
            futures.insert(Atom::Future(unit), &self.rooted.machine.heap);
        }
        futures
    }

    fn run_within(&mut self, object: Atom, body: u32, arguments: &[Set]) -> Set {
        let Some(unit) = self.rooted.called(object, body, arguments) else { return Set::default() };
        add(&mut self.rooted.units[self.unit as usize].within, unit);
        self.rooted.result_of(self.unit, unit)
    }

    fn call_and_get(&mut self, pc: Pc, state: &mut [Set], others: &mut Vec<(Pc, Vec<Set>)>) -> bool {
        let Instruction::Sync { to, receiver, selector, first, count } = self.instruction(pc) else {
            unreachable!("only calls that return the result come here")
        };
        let arguments = self.arguments(state, first, count);
        let own = self.rooted.units[self.unit as usize].location;
        let receivers: Vec<Atom> = state[receiver as usize].atoms().to_vec();
        let (mut far, mut result) = (Vec::new(), Set::default());
        for object in receivers {
            let Some(location) = self.rooted.location_of(object) else { continue };
            if location == own
                && let Some(body) = self.dispatch(object, selector)
            {
                let value = self.run_within(object, body, &arguments);
                self.join(&mut result, &value);
            }
            // There can be several objects of one place that are still to be made.
            if location != own || matches!(location, Location::New(_)) {
                far.push(object);
            }
        }
        if !result.is_empty() {
            let mut after = state.to_vec();
            after[to as usize] = result;
            others.push((pc + 2, after));
        }
        let futures = self.call(&far, selector, &arguments);
        let goes_on = !futures.is_empty();
        state[first as usize] = futures;
        goes_on
    }

    fn make(&mut self, pc: Pc, state: &mut [Set]) {
        let Instruction::New { to, class, local, first, count } = self.instruction(pc) else { return };
        let arguments = self.arguments(state, first, count);
        let shared = local.then(|| self.rooted.units[self.unit as usize].location);
        let object = self.rooted.made(pc, class, shared);
        let init = self.rooted.machine.image.classes[class as usize].init;
        self.run_within(object, init, &arguments);
        let mut made = Set::default();
        made.insert(object, &self.rooted.machine.heap);
        state[to as usize] = made;
    }

    fn store(&mut self, field: u32, value: &Set) {
        let Some(this) = self.rooted.units[self.unit as usize].this else { return };
        let heap = &self.rooted.machine.heap;
        if self.rooted.field(this, field).join(value, heap) {
            self.rooted.has_grown(Read::Field(this, field));
        }
    }

    fn load(&mut self, field: u32) -> Set {
        let Some(this) = self.rooted.units[self.unit as usize].this else { return Set::default() };
        self.rooted.reads(self.unit, Read::Field(this, field));
        self.rooted.field(this, field).clone()
    }

    fn give_back(&mut self, value: &Set) {
        let heap = &self.rooted.machine.heap;
        if self.rooted.units[self.unit as usize].result.join(value, heap) {
            self.rooted.has_grown(Read::Result(self.unit));
        }
    }

    /// Whether two values can be equal, and can be different.
    fn equal(&self, left: &Set, right: &Set) -> Truth {
        if left.any || right.any {
            return Truth { yes: true, no: true };
        }
        let (mut yes, mut no) = (false, false);
        for &one in left.atoms() {
            for &other in right.atoms() {
                yes |= one == other;
                // There can be several that are still to be made.
                no |= one != other || one.value().is_none();
            }
        }
        Truth { yes, no }
    }

    fn binary(&self, operator: Operator, left: &Set, right: &Set) -> Set {
        match operator {
            Operator::Equal => return self.truths(self.equal(left, right)),
            Operator::NotEqual => {
                let Truth { yes, no } = self.equal(left, right);
                return self.truths(Truth { yes: no, no: yes });
            }
            _ => {}
        }
        let is_order =
            matches!(operator, Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual);
        let (Some(left), Some(right)) = (left.integers(), right.integers()) else {
            return if is_order { self.truths(Truth { yes: true, no: true }) } else { Set::anything() };
        };
        let mut all = Set::default();
        for &one in &left {
            for &other in &right {
                let value = match operator {
                    Operator::Less => Some(self.word(one < other)),
                    Operator::LessEqual => Some(self.word(one <= other)),
                    Operator::Greater => Some(self.word(one > other)),
                    Operator::GreaterEqual => Some(self.word(one >= other)),
                    Operator::Add => one.checked_add(other).and_then(Value::int),
                    Operator::Subtract => one.checked_sub(other).and_then(Value::int),
                    Operator::Multiply => one.checked_mul(other).and_then(Value::int),
                    Operator::Remainder => one.checked_rem(other).and_then(Value::int),
                    Operator::Divide | Operator::Equal | Operator::NotEqual => None,
                };
                match value {
                    Some(value) => all.insert(Atom::of(value), &self.rooted.machine.heap),
                    None => return Set::anything(),
                };
            }
        }
        all
    }

    fn word(&self, holds: bool) -> Value {
        truth(&self.rooted.machine.image, holds)
    }

    /// A function without parameters that is a constant.
    fn constant(&self, function: u32) -> Option<Set> {
        let machine = self.rooted.machine;
        let body = &machine.image.bodies[function as usize];
        match machine.image.code[body.entry as usize..] {
            [Instruction::Constant { to, constant }, Instruction::Return { from }, ..] if to == from => {
                Some(Set::of(machine.constants[constant as usize]))
            }
            _ => None,
        }
    }

    /// What a function comes to: some data made of what it is given, or a part of that.
    fn applied(&self, function: u32, state: &[Set], first: Slot) -> Set {
        let machine = self.rooted.machine;
        let count = machine.image.bodies[function as usize].parameters;
        if let Some(constant) = self.constant(function).filter(|_| count == 0) {
            return constant;
        }
        let arguments = self.arguments(state, first, count);
        let mut value = Set::made_of(arguments.iter(), &machine.heap);
        value.insert(Atom::of(Value::NULL), &machine.heap);
        value
    }

    /// Instructions that only compute.
    fn compute(&mut self, pc: Pc, state: &mut [Set]) {
        let machine = self.rooted.machine;
        let heap = &machine.heap;
        let of = |slot: Slot| &state[slot as usize];
        let several = |first: Slot, count: u32| &state[first as usize..(first + count) as usize];
        let both = Truth { yes: true, no: true };
        let (to, value) = match self.instruction(pc) {
            Instruction::Constant { to, constant } => (to, Set::of(machine.constants[constant as usize])),
            Instruction::Null { to } => (to, Set::of(Value::NULL)),
            Instruction::Copy { to, from } => (to, of(from).clone()),
            Instruction::This { to } => {
                let mut this = Set::default();
                let object = self.rooted.units[self.unit as usize].this.unwrap_or(Atom::of(Value::NULL));
                this.insert(object, heap);
                (to, this)
            }
            Instruction::Load { to, field } => (to, self.load(field)),
            Instruction::Construct { to, first, count, .. }
            | Instruction::List { to, first, count }
            | Instruction::Closure { to, first, count, .. } => (to, Set::made_of(several(first, count).iter(), heap)),
            Instruction::Call { to, function, first } => (to, self.applied(function, state, first)),
            Instruction::CallLocal { to, closure, first, count } => {
                let arguments = self.arguments(state, first, count);
                let mut value = Set::made_of(arguments.iter().chain([of(closure)]), heap);
                value.insert(Atom::of(Value::NULL), heap);
                (to, value)
            }
            Instruction::Builtin { to, .. } | Instruction::Negate { to, .. } => (to, Set::anything()),
            Instruction::Not { to, from } => {
                let Truth { yes, no } = self.truth(of(from));
                (to, self.truths(Truth { yes: no, no: yes }))
            }
            Instruction::Binary { operator, to, left, right } => (to, self.binary(operator, of(left), of(right))),
            Instruction::Project { to, value, index } => (to, of(value).argument(index as usize, heap)),
            Instruction::Implements { to, .. } => (to, self.truths(both)),
            Instruction::As { to, object, .. } => {
                let mut value = of(object).clone();
                value.insert(Atom::of(Value::NULL), heap);
                (to, value)
            }
            Instruction::Ready { to, future } => {
                let tasks = self.tasks(of(future));
                let polls = &mut self.rooted.units[self.unit as usize].polls;
                tasks.into_iter().for_each(|task| add(polls, task));
                (to, self.truths(both))
            }
            _ => return,
        };
        state[to as usize] = value;
    }

    /// The futures that a guard asks for: what the words and fields hold that it looks at.
    fn guard(&mut self, pc: Pc, state: &[Set]) {
        let mut at = pc + 1;
        let mut scratch = state.to_vec();
        self.rooted.units[self.unit as usize].releases = true;
        self.rooted.units[self.unit as usize].wait((pc, false), []);
        // A guard has no loops; every branch of it is looked at.
        while !matches!(self.instruction(at), Instruction::EndGuard { .. }) {
            if let Instruction::Ready { future, .. } = self.instruction(at) {
                let futures = scratch[future as usize].clone();
                self.wait((pc, false), &futures);
            }
            self.compute(at, &mut scratch);
            at += 1;
        }
    }
}

impl Transfer for Running<'_, '_> {
    type State = Vec<Set>;

    fn join(&self, into: &mut Vec<Set>, from: &Vec<Set>) -> bool {
        let heap = &self.rooted.machine.heap;
        into.iter_mut().zip(from).fold(false, |changed, (into, from)| into.join(from, heap) | changed)
    }

    fn step(&mut self, pc: Pc, state: &mut Vec<Set>, others: &mut Vec<(Pc, Vec<Set>)>) -> bool {
        self.throw(pc, state, others);
        match self.instruction(pc) {
            Instruction::Jump { to } => {
                others.push((to, std::mem::take(state)));
                return false;
            }
            Instruction::Unless { condition, to } => {
                let Truth { yes, no } = self.truth(&state[condition as usize]);
                if no {
                    others.push((to, state.clone()));
                }
                return yes;
            }
            Instruction::When { condition, to } => {
                let Truth { yes, no } = self.truth(&state[condition as usize]);
                if yes {
                    others.push((to, state.clone()));
                }
                return no;
            }
            Instruction::Unmatched { value, constructor, to } => {
                let heap = &self.rooted.machine.heap;
                let value = &state[value as usize];
                let fits = |atom: &Atom| atom.value().is_some_and(|value| heap.constructor(value) == Some(constructor));
                let (yes, no) = (value.atoms().iter().any(fits), value.atoms().iter().any(|atom| !fits(atom)));
                if value.any || no {
                    others.push((to, state.clone()));
                }
                return value.any || yes;
            }
            Instruction::Unequal { left, right, to } => {
                let Truth { yes, no } = self.equal(&state[left as usize], &state[right as usize]);
                if no {
                    others.push((to, state.clone()));
                }
                return yes;
            }
            Instruction::Store { field, from } => {
                let value = state[from as usize].clone();
                self.store(field, &value);
            }
            Instruction::Guard { .. } => self.guard(pc, state),
            Instruction::AwaitFuture { future, .. } => {
                self.rooted.units[self.unit as usize].releases = true;
                let futures = state[future as usize].clone();
                self.wait((pc, false), &futures);
            }
            Instruction::Suspend { .. } => self.rooted.units[self.unit as usize].releases = true,
            Instruction::Get { to, future, .. } => {
                let futures = state[future as usize].clone();
                self.wait((pc, true), &futures);
                let value = self.results(&futures);
                if value.is_empty() {
                    return false;
                }
                state[to as usize] = value;
            }
            Instruction::Async { to, receiver, selector, first, count, .. } => {
                let receivers = state[receiver as usize].atoms().to_vec();
                let arguments = self.arguments(state, first, count);
                let futures = self.call(&receivers, selector, &arguments);
                // A call on null throws.
                if futures.is_empty() {
                    return false;
                }
                state[to as usize] = futures;
            }
            Instruction::Sync { .. } => return self.call_and_get(pc, state, others),
            Instruction::New { .. } => self.make(pc, state),
            Instruction::Return { from } => {
                if self.rooted.machine.image.body_at(pc).kind == BodyKind::Method {
                    let value = state[from as usize].clone();
                    self.give_back(&value);
                }
                return false;
            }
            Instruction::Throw { from, .. } => {
                let heap = &self.rooted.machine.heap;
                let value = state[from as usize].clone();
                if self.rooted.thrown.join(&value, heap) {
                    self.rooted.has_grown(Read::Thrown);
                }
                return false;
            }
            Instruction::ReturnThis | Instruction::NoMatch { .. } => return false,
            _ => self.compute(pc, state),
        }
        true
    }
}
