//! What the program's constraints say about two tasks in the current state.

use mazurka_machine::{Constrained, Independence};
use mazurka_trace::{Event, LocationId, ProcessId, SiteId};

use super::interpreter::{Cpu, Exit};
use super::registry::{NOBODY, Owner};
use super::value::{Kind, Value};
use super::{ActorMachine, TASK};
use crate::code::FRAME;
use crate::code::{Condition, Operation, Source};
use crate::mutation::{self, Mutation};

/// What the last condition that was evaluated was about.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasons {
    locations: Vec<LocationId>,
}

/// A value of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Int(i128),
    Bool(bool),
    Word(Value),
}

impl ActorMachine {
    /// See `Run::constrained`.
    pub(super) fn constrained_sites(&self, one: SiteId, other: SiteId) -> Constrained {
        match self.image.constraints.pairs.get(&(one.index() as u32, other.index() as u32)) {
            None => Constrained::Unknown,
            Some(pair) if pair.always => Constrained::Always,
            Some(_) => Constrained::Sometimes,
        }
    }

    /// See `Run::independence`. Costs the conditions of the two methods, and for each that holds, a
    /// look at every task.
    pub(super) fn independence_of(&mut self, one: u32, other: u32) -> Independence {
        let image = std::sync::Arc::clone(&self.image);
        self.reasons.locations.clear();
        let Some(pair) = image.constraints.pairs.get(&(self.pc(one), self.pc(other))) else {
            return Independence::Unknown;
        };
        let [receiver, twin] = [one, other].map(|task| self.registry.tasks[task as usize].receiver);
        if receiver != twin || receiver == NOBODY {
            return Independence::Unknown;
        }
        let mut found = if pair.necessary { Independence::Refuted } else { Independence::Unknown };
        for &(number, swapped) in &pair.conditions {
            let tasks = if swapped { [other, one] } else { [one, other] };
            self.reasons.locations.clear();
            match self.holds(&image.constraints.conditions[number as usize], tasks) {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    found = if found == Independence::Refuted { Independence::Unknown } else { found };
                    continue;
                }
            }
            found = Independence::Holds;
            let (one, other) = (ProcessId::new(one as usize), ProcessId::new(other as usize));
            if !self.reasons.locations.iter().any(|&location| self.may_be_written(one, other, location)) {
                return Independence::Uniform;
            }
        }
        self.reasons.locations.clear();
        found
    }

    /// See `Run::reasons`.
    pub(super) fn add_reasons(&self, locations: &mut Vec<LocationId>) {
        locations.extend_from_slice(&self.reasons.locations);
    }

    /// Whether a condition holds for two tasks that are about to begin; nothing where that cannot
    /// be told.
    fn holds(&mut self, condition: &Condition, tasks: [u32; 2]) -> Option<bool> {
        if mutation::on(Mutation::ConditionIgnored) {
            return Some(true);
        }
        match condition {
            Condition::Operations(operations) => self.evaluate(operations, tasks),
            Condition::Method(body) => self.call_condition(*body, tasks),
        }
    }

    fn evaluate(&mut self, operations: &[Operation], tasks: [u32; 2]) -> Option<bool> {
        let mut stack: Vec<Item> = Vec::new();
        let mut at = 0;
        while let Some(&operation) = operations.get(at) {
            at += 1;
            let item = match operation {
                Operation::Int(number) => Item::Int(number),
                Operation::Bool(truth) => Item::Bool(truth),
                Operation::Value(source) => self.item(source, tasks)?,
                Operation::Null => Item::Word(Value::NULL),
                Operation::This => Item::Word(Value::object(self.registry.tasks[tasks[0] as usize].receiver)),
                Operation::Constructor(constructor) => Item::Word(Value::plain(constructor)),
                Operation::Constant(constant) => Item::Word(self.constants[constant as usize]),
                Operation::And(end) => {
                    match stack.pop()? {
                        Item::Bool(true) => {}
                        Item::Bool(false) => {
                            stack.push(Item::Bool(false));
                            at = end as usize;
                        }
                        Item::Int(_) | Item::Word(_) => return None,
                    }
                    continue;
                }
                Operation::Not => match stack.pop()? {
                    Item::Bool(truth) => Item::Bool(!truth),
                    Item::Int(_) | Item::Word(_) => return None,
                },
                Operation::Equal | Operation::Less | Operation::LessEqual | Operation::Add | Operation::Multiply => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    self.apply(operation, left, right)?
                }
            };
            stack.push(item);
        }
        match stack[..] {
            [Item::Bool(truth)] => Some(truth),
            _ => None,
        }
    }

    fn apply(&self, operation: Operation, left: Item, right: Item) -> Option<Item> {
        if operation == Operation::Equal {
            let (left, right) = (self.comparable(left, right), self.comparable(right, left));
            return Some(Item::Bool(left? == right?));
        }
        let (Item::Int(left), Item::Int(right)) = (left, right) else { return None };
        match operation {
            Operation::Less => Some(Item::Bool(left < right)),
            Operation::LessEqual => Some(Item::Bool(left <= right)),
            Operation::Add => left.checked_add(right).map(Item::Int),
            Operation::Multiply => left.checked_mul(right).map(Item::Int),
            _ => None,
        }
    }

    /// The item as one that can be compared with the other.
    fn comparable(&self, item: Item, other: Item) -> Option<Item> {
        let same = matches!(
            (item, other),
            (Item::Int(_), Item::Int(_)) | (Item::Bool(_), Item::Bool(_)) | (Item::Word(_), Item::Word(_))
        );
        same.then_some(item)
    }

    /// What a field, a parameter or a task has. Integers that do not fit a word are not looked at.
    fn item(&mut self, source: Source, tasks: [u32; 2]) -> Option<Item> {
        let (value, kind) = match source {
            Source::Kept(side) => return Some(Item::Bool(self.registry.tasks[tasks[side] as usize].is_kept)),
            Source::Parameter(side, number) => {
                let body = self.registry.tasks[tasks[side] as usize].body;
                let value = self.stacks[tasks[side] as usize][TASK + (FRAME + number) as usize];
                (value, self.image.bodies[body as usize].kinds[number as usize].1)
            }
            Source::Field(field) => {
                let object = self.registry.objects[self.registry.tasks[tasks[0] as usize].receiver as usize];
                let class = &self.image.classes[object.class as usize];
                if !class.fixed[field as usize] {
                    self.reasons.locations.push(LocationId::new((object.fields + field) as usize));
                }
                (self.cells.get(object.fields + field), class.kinds[field as usize])
            }
        };
        let known = self.image.known;
        match (kind, value.kind()) {
            (crate::hir::Kind::Int, Kind::Int(number)) => Some(Item::Int(i128::from(number))),
            (crate::hir::Kind::Int, _) => None,
            (crate::hir::Kind::Bool, Kind::Plain(constructor)) if constructor == known.yes.0 => Some(Item::Bool(true)),
            (crate::hir::Kind::Bool, Kind::Plain(constructor)) if constructor == known.no.0 => Some(Item::Bool(false)),
            (crate::hir::Kind::Bool, _) => None,
            _ => Some(Item::Word(value)),
        }
    }

    /// Whether a condition that is a method holds. The fields that it looks at are its reasons.
    fn call_condition(&mut self, body: u32, tasks: [u32; 2]) -> Option<bool> {
        let mut event = Event::default();
        event.begin(ProcessId::new(tasks[0] as usize), SiteId::new(0));
        let receiver = Value::object(self.registry.tasks[tasks[0] as usize].receiver);
        let (entry, size) = (self.image.bodies[body as usize].entry, self.image.bodies[body as usize].size);
        let mut stack = vec![Value::count(entry), Value::count(TASK as u32), Value::count(0), Value::count(0)];
        stack.extend([Value::ABSENT, receiver]);
        for task in tasks {
            let parameters = self.image.bodies[self.registry.tasks[task as usize].body as usize].parameters as usize;
            let first = TASK + FRAME as usize;
            stack.extend_from_slice(&self.stacks[task as usize][first..first + parameters]);
        }
        stack.resize(TASK + size as usize, Value::ABSENT);
        self.cells.begin();
        let mut cpu = Cpu {
            task: tasks[0],
            stack,
            base: TASK,
            pc: entry,
            choices: &[],
            fuel: self.fuel,
            is_trial: true,
            entry: None,
        };
        let exit = self.run(&mut cpu, &mut event);
        self.reasons.locations.extend(event.accesses.iter().map(|access| access.location));
        match exit {
            Exit::Returned(value) => Some(value == Value::plain(self.image.known.yes.0)),
            _ => None,
        }
    }

    /// See `Run::others_may_write`.
    pub(super) fn may_be_written(&self, one: ProcessId, other: ProcessId, location: LocationId) -> bool {
        let (object, field) = match self.registry.owners[location.index()] {
            Owner::Field(object, field) | Owner::Entries(object, field) => (object, field),
            Owner::Lock(_) => return self.image.blocks,
            Owner::Future(task) => return self.may_be_ended(one, other, task),
            Owner::Taken(_) => return true,
        };
        if mutation::on(Mutation::OthersWriteNothing) {
            return false;
        }
        let others = || self.live.iter().filter(|&process| process != one && process != other);
        let others = || others().map(|process| process.index() as u32);
        self.may_use(others, (object, field), true, &mut None)
    }

    /// Whether a task other than these two, or what it calls, may end a task: it is that one, or
    /// may still call it. A task is called by one alone.
    fn may_be_ended(&self, one: ProcessId, other: ProcessId, mut task: u32) -> bool {
        while task != NOBODY {
            let process = ProcessId::new(task as usize);
            if self.live.contains(process) {
                return process != one && process != other;
            }
            task = self.registry.tasks[task as usize].caller;
        }
        false
    }
}
