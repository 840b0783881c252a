//! Which cycles a context excludes, for all schedules and all data.
//!
//! Fields are private. So what a method finds in a field that it has written before can only be its
//! own value, or that of a method that runs in the same object. Where a context has nobody in a
//! location who opens the way to a wait, no cycle goes through that wait.
//!
//! # Guarantee
//! Each location of the context is looked at on its own, with the initial tasks that it has and all
//! methods that somebody may call on an object of its class; and so is a location without initial
//! tasks. Fields are free at the beginning, and so are arguments, results and whatever a function
//! comes to. A wait that no run reaches, in any of these locations, is none of a deadlock.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::flow::Flow;
use super::graph::Edge;
use super::values::Values;
use super::world::{ObjectId, TaskId};
use crate::code::{BodyKind, Constant, Image, Instruction, Pc};
use crate::fixpoint::{Transfer, handler, solve};
use crate::machine::Wait;

/// A location of a context: its class, and the methods of its initial tasks.
pub type Waiting = (u32, BTreeSet<u32>);

/// The waits of a cycle: which method of which object stands where.
pub(super) type Waits = Vec<(ObjectId, u32, Pc)>;

/// The instructions that can be reached in an object in which some methods run.
type Reached = BTreeSet<Pc>;

/// Decides what a context excludes. What was found of a location is kept.
pub struct Refuter {
    /// What a task calls, or runs itself.
    callees: BTreeMap<TaskId, BTreeSet<TaskId>>,
    tasks: Vec<(ObjectId, u32)>,
    /// The object that stands for all those of a class that were there before.
    inputs: Vec<ObjectId>,
    numbers: FxHashMap<(ObjectId, u32), TaskId>,
    waits: Vec<Waits>,
    leaders: Vec<bool>,
    known: RefCell<FxHashMap<Vec<u32>, Reached>>,
}

impl Refuter {
    pub(super) fn of(flow: &Flow<'_>, waits: Vec<Waits>) -> Self {
        let mut callees: BTreeMap<TaskId, BTreeSet<TaskId>> = BTreeMap::new();
        for (&(caller, _), tasks) in flow.calls.iter().chain(&flow.within) {
            callees.entry(caller).or_default().extend(tasks);
        }
        let tasks: Vec<(ObjectId, u32)> = flow.world.tasks.iter().map(|task| (task.object, task.body)).collect();
        let numbers = tasks.iter().enumerate().map(|(number, &task)| (task, TaskId(number as u32))).collect();
        let inputs = flow.world.inputs(flow.image.classes.len());
        let (leaders, known) = (flow.leaders.clone(), RefCell::default());
        Refuter { callees, tasks, inputs, numbers, waits, leaders, known }
    }

    /// Whether no cycle is possible in a context: each goes through a wait that nobody comes to.
    pub fn excludes_all(&self, image: &Image, context: &[Waiting]) -> bool {
        let called = self.called(context);
        (0..self.waits.len()).all(|cycle| self.excludes(image, cycle, context, &called))
    }

    /// Whether a wait of a cycle is not possible.
    fn excludes(&self, image: &Image, cycle: usize, context: &[Waiting], called: &BTreeSet<TaskId>) -> bool {
        self.waits[cycle].iter().any(|&(object, body, pc)| {
            let Some(class) = self.inputs.iter().position(|&input| input == object) else { return false };
            let of_class = context.iter().filter(|(of, _)| *of == class as u32).map(|(_, methods)| methods.clone());
            let mut locations = of_class.chain([BTreeSet::new()]);
            let called = self
                .tasks
                .iter()
                .enumerate()
                .filter(|&(number, &(on, _))| on == object && called.contains(&TaskId(number as u32)));
            let called: BTreeSet<u32> = called.map(|(_, &(_, body))| body).collect();
            !locations.any(|initial| {
                let methods: Vec<u32> = initial.union(&called).copied().collect();
                methods.contains(&body) && self.is_reached(image, methods, pc)
            })
        })
    }

    /// All tasks that somebody calls, or runs itself, if the context's tasks run.
    fn called(&self, context: &[Waiting]) -> BTreeSet<TaskId> {
        let initial = context.iter().flat_map(|(class, methods)| {
            let object = self.inputs[*class as usize];
            methods.iter().filter_map(move |&method| self.numbers.get(&(object, method)).copied())
        });
        let mut left: Vec<TaskId> = initial.collect();
        let (mut called, mut seen): (BTreeSet<TaskId>, BTreeSet<TaskId>) = Default::default();
        while let Some(task) = left.pop() {
            if seen.insert(task) {
                let callees = self.callees.get(&task).into_iter().flatten().copied();
                called.extend(callees.clone());
                left.extend(callees);
            }
        }
        called
    }

    fn is_reached(&self, image: &Image, methods: Vec<u32>, pc: Pc) -> bool {
        let mut known = self.known.borrow_mut();
        known.entry(methods).or_insert_with_key(|methods| self.reach(image, methods)).contains(&pc)
    }

    /// What can be reached in an object whose methods are these: until no field can hold more.
    fn reach(&self, image: &Image, methods: &[u32]) -> Reached {
        let mut written: BTreeMap<u32, Values> = BTreeMap::new();
        loop {
            let (mut reached, before) = (Reached::new(), written.clone());
            for &method in methods {
                let mut running = Running { image, written: &mut written, reached: &mut reached };
                let body = &image.bodies[method as usize];
                let start = State { words: vec![Values::any(); body.size as usize], fields: BTreeMap::new() };
                solve(&self.leaders, &mut running, &mut BTreeMap::from([(body.entry, start)]));
            }
            if written == before {
                return reached;
            }
        }
    }
}

/// The waits of a cycle, by the objects and methods of the tasks that stand there.
pub(super) fn waits(flow: &Flow<'_>, cycle: &[&Edge]) -> Waits {
    let edges = cycle.iter().filter(|edge| edge.wait != Wait::Lock);
    let points = edges.filter_map(|edge| edge.points.first());
    let task = |method: TaskId| flow.world.tasks[method.index()];
    points.map(|point| (task(point.method).object, task(point.method).body, point.pc)).collect()
}

#[derive(Clone, PartialEq)]
struct State {
    words: Vec<Values>,
    /// What is in the fields that were surely written; in others there can be anything.
    fields: BTreeMap<u32, Values>,
}

struct Running<'r> {
    image: &'r Image,
    /// What methods write to fields.
    written: &'r mut BTreeMap<u32, Values>,
    reached: &'r mut Reached,
}

impl Running<'_> {
    /// Others may have run.
    fn release(&self, state: &mut State) {
        for (field, values) in &mut state.fields {
            if let Some(written) = self.written.get(field) {
                values.join(written);
            }
        }
    }

    fn constant(&self, constant: u32) -> Values {
        match &self.image.constants[constant as usize] {
            Constant::Int(number) => Values::integer(number),
            Constant::Constructor(constructor) => Values::plain(*constructor),
            Constant::String(_) | Constant::Input(_) => Values::any(),
        }
    }

    fn compute(&mut self, pc: Pc, state: &mut State) {
        let known = &self.image.known;
        let (to, values) = match self.image.code[pc as usize] {
            Instruction::Constant { to, constant } => (to, self.constant(constant)),
            Instruction::Copy { to, from } => (to, state.words[from as usize].clone()),
            Instruction::Load { to, field } => (to, state.fields.get(&field).cloned().unwrap_or_else(Values::any)),
            Instruction::Not { to, from } => (to, state.words[from as usize].not(known)),
            Instruction::Binary { operator, to, left, right } => {
                (to, Values::binary(operator, &state.words[left as usize], &state.words[right as usize], known))
            }
            Instruction::Null { to }
            | Instruction::This { to }
            | Instruction::Construct { to, .. }
            | Instruction::List { to, .. }
            | Instruction::Closure { to, .. }
            | Instruction::Call { to, .. }
            | Instruction::CallLocal { to, .. }
            | Instruction::Builtin { to, .. }
            | Instruction::Negate { to, .. }
            | Instruction::Project { to, .. }
            | Instruction::Implements { to, .. }
            | Instruction::As { to, .. }
            | Instruction::Ready { to, .. }
            | Instruction::Get { to, .. }
            | Instruction::Async { to, .. }
            | Instruction::New { to, .. } => (to, Values::any()),
            _ => return,
        };
        state.words[to as usize] = values;
    }
}

impl Transfer for Running<'_> {
    type State = State;

    fn join(&self, into: &mut State, from: &State) -> bool {
        let before = into.clone();
        for (ours, theirs) in into.words.iter_mut().zip(&from.words) {
            ours.join(theirs);
        }
        into.fields.retain(|field, _| from.fields.contains_key(field));
        for (field, values) in &mut into.fields {
            values.join(&from.fields[field]);
        }
        *into != before
    }

    fn step(&mut self, pc: Pc, state: &mut State, others: &mut Vec<(Pc, State)>) -> bool {
        self.reached.insert(pc);
        if let Some(handler) = handler(self.image, pc) {
            let mut caught = state.clone();
            self.release(&mut caught);
            caught.words[handler.slot as usize] = Values::any();
            others.push((handler.target, caught));
        }
        let known = &self.image.known;
        match self.image.code[pc as usize] {
            Instruction::Jump { to } => {
                others.push((to, state.clone()));
                return false;
            }
            Instruction::Unless { condition, to } => {
                let condition = &state.words[condition as usize];
                if condition.may_differ_from(known.yes.0) {
                    others.push((to, state.clone()));
                }
                return condition.may_be(known.yes.0);
            }
            Instruction::When { condition, to } => {
                let condition = &state.words[condition as usize];
                if condition.may_be(known.yes.0) {
                    others.push((to, state.clone()));
                }
                return condition.may_differ_from(known.yes.0);
            }
            Instruction::Unmatched { to, .. } | Instruction::Unequal { to, .. } => others.push((to, state.clone())),
            Instruction::Store { field, from } => {
                let values = state.words[from as usize].clone();
                self.written.entry(field).or_default().join(&values);
                state.fields.insert(field, values);
            }
            Instruction::AwaitFuture { .. } | Instruction::Suspend { .. } => self.release(state),
            Instruction::EndGuard { condition, .. } => {
                self.release(state);
                state.words[condition as usize] = Values::any();
            }
            Instruction::Guard { .. } => self.release(state),
            // What is called within the group may write fields, and wait. Whether it does, or makes
            // a task, the words that it leaves are not known.
            Instruction::Sync { first, .. } => {
                self.release(state);
                state.words[first as usize..].fill(Values::any());
                let mut after = state.clone();
                self.release_result(pc, &mut after);
                others.push((pc + 2, after));
            }
            Instruction::Return { .. }
            | Instruction::ReturnThis
            | Instruction::Throw { .. }
            | Instruction::NoMatch { .. } => return false,
            _ => self.compute(pc, state),
        }
        true
    }
}

impl Running<'_> {
    /// The result of a call within the group can be anything.
    fn release_result(&self, pc: Pc, state: &mut State) {
        debug_assert!(self.image.body_at(pc).kind != BodyKind::Function, "functions call no methods");
        if let Instruction::Sync { to, .. } = self.image.code[pc as usize] {
            state.words[to as usize] = Values::any();
        }
    }
}
