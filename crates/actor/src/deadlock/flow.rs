//! Points-to: which objects and futures variables, fields, parameters and results can hold.
//!
//! Variables are followed along the control flow, and an assignment replaces what they held. Fields
//! of an abstract object are one set each, parameters and results one for each abstract task: they
//! only grow. Branches are not evaluated, so the result holds for all data.
//!
//! A method is run again when something that it reads has grown. Functions are not run: what they
//! come to is what they were given.
//!
//! Cost: each method as often as its inputs grow.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::points::{Atom, Points};
use super::world::{ObjectId, TaskId, World};
use crate::code::{BodyKind, FRAME, Image, Instruction, Pc, Slot};
use crate::fixpoint::{Transfer, handler, leaders, solve};
use crate::hir::Input;
use crate::mutation::{self, Mutation};

/// What can be where, for the whole program.
pub(super) struct Flow<'i> {
    pub(super) image: &'i Image,
    pub(super) world: World,
    /// Paths can meet there.
    pub(super) leaders: Vec<bool>,
    parameters: Vec<Vec<Points>>,
    results: Vec<Points>,
    fields: FxHashMap<(ObjectId, u32), Points>,
    thrown: Points,
    /// What an instruction of a task works on: the future that it waits for, whose method it calls,
    /// the object that it makes.
    operands: FxHashMap<(TaskId, Pc), Points>,
    /// The tasks that a call makes.
    pub(super) calls: BTreeMap<(TaskId, Pc), BTreeSet<TaskId>>,
    /// The methods that a call runs within the task: of the same group, or of a new object.
    pub(super) within: BTreeMap<(TaskId, Pc), BTreeSet<TaskId>>,
    /// Tasks that some call makes, and main.
    pub(super) started: BTreeSet<TaskId>,
    /// Some future is kept where other tasks can find it, or handed on.
    pub(super) shares_futures: bool,
    /// Who reads what.
    readers: FxHashMap<Read, FxHashSet<TaskId>>,
    left: BTreeSet<TaskId>,
}

/// Something that a method reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Read {
    Field(ObjectId, u32),
    Result(TaskId),
    Thrown,
}

impl<'i> Flow<'i> {
    /// Follows the program from its main block.
    pub(super) fn of(image: &'i Image, sensitivity: usize) -> Self {
        let mut flow = Self::begun(image, sensitivity);
        flow.settle();
        flow
    }

    /// Follows all methods of the program: each runs in a location of its class that was there
    /// before, with any fields and arguments.
    pub(super) fn of_methods(image: &'i Image, sensitivity: usize) -> Self {
        let mut flow = Self::begun(image, sensitivity);
        let classes = 0..image.classes.len() as u32;
        let inputs: Vec<ObjectId> = classes.map(|class| flow.world.input(class)).collect();
        let points = |input: &Input| {
            let mut points = Points::of(Atom::Null);
            for (class, &object) in image.classes.iter().zip(&inputs) {
                if input.references.iter().any(|interface| class.interfaces.contains(&interface.0)) {
                    points.insert(Atom::Object(object));
                }
            }
            points
        };
        for (class, &object) in image.classes.iter().zip(&inputs) {
            for (field, input) in class.inputs.iter().enumerate() {
                flow.fields.insert((object, field as u32), points(input));
            }
            for &body in class.methods.iter().flatten() {
                let task = flow.world.task(object, body);
                flow.started.insert(task);
                let arguments: Vec<Points> = image.bodies[body as usize].inputs.iter().map(points).collect();
                flow.pass(task, &arguments);
                flow.left.insert(task);
            }
        }
        flow.settle();
        flow
    }

    fn begun(image: &'i Image, sensitivity: usize) -> Self {
        Flow {
            image,
            world: World::new(sensitivity, image.main),
            leaders: leaders(image),
            parameters: Vec::new(),
            results: Vec::new(),
            fields: FxHashMap::default(),
            thrown: Points::default(),
            operands: FxHashMap::default(),
            calls: BTreeMap::new(),
            within: BTreeMap::new(),
            started: BTreeSet::from([TaskId::MAIN]),
            shares_futures: false,
            readers: FxHashMap::default(),
            left: BTreeSet::from([TaskId::MAIN]),
        }
    }

    /// Runs methods until nothing grows.
    fn settle(&mut self) {
        let mut states: FxHashMap<TaskId, BTreeMap<Pc, Vec<Points>>> = FxHashMap::default();
        while let Some(task) = self.left.pop_first() {
            let mut known = states.remove(&task).unwrap_or_default();
            self.run(task, &mut known);
            states.insert(task, known);
        }
    }

    fn run(&mut self, task: TaskId, known: &mut BTreeMap<Pc, Vec<Points>>) {
        self.make_room(task);
        let body = &self.image.bodies[self.world.tasks[task.index()].body as usize];
        let mut frame = vec![Points::default(); body.size as usize];
        for (slot, given) in self.parameters[task.index()].iter().enumerate() {
            frame[FRAME as usize + slot].clone_from(given);
        }
        known.insert(body.entry, frame);
        let leaders = std::mem::take(&mut self.leaders);
        solve(&leaders, &mut Running { flow: self, task }, known);
        self.leaders = leaders;
    }

    fn make_room(&mut self, task: TaskId) {
        while self.results.len() <= task.index() {
            let body = self.world.tasks[self.results.len()].body;
            self.parameters.push(vec![Points::default(); self.image.bodies[body as usize].parameters as usize]);
            self.results.push(Points::default());
        }
    }

    /// What an instruction of a task works on.
    pub(super) fn operand(&self, task: TaskId, pc: Pc) -> &Points {
        const NOTHING: &Points = &Points::NONE;
        self.operands.get(&(task, pc)).unwrap_or(NOTHING)
    }

    fn reads(&mut self, task: TaskId, read: Read) {
        self.readers.entry(read).or_default().insert(task);
    }

    fn has_grown(&mut self, read: Read) {
        if let Some(readers) = self.readers.get(&read) {
            self.left.extend(readers.iter().copied());
        }
    }

    /// The body of a method of an abstract object.
    fn dispatch(&self, object: ObjectId, selector: u32) -> Option<u32> {
        let class = self.world.classes[object.index()]?;
        self.image.classes[class as usize].methods[selector as usize]
    }

    /// Hands arguments to a method.
    fn pass(&mut self, to: TaskId, arguments: &[Points]) {
        let is_new = self.results.len() <= to.index();
        self.make_room(to);
        let mut grown = is_new;
        for (parameter, given) in self.parameters[to.index()].iter_mut().zip(arguments) {
            grown |= parameter.join(given);
        }
        if grown {
            self.left.insert(to);
        }
    }

    /// Notes whether futures get where others find them.
    fn hand_on(&mut self, points: &Points) {
        self.shares_futures |= points.futures().next().is_some();
    }
}

/// A method that is being run.
struct Running<'f, 'i> {
    flow: &'f mut Flow<'i>,
    task: TaskId,
}

impl Running<'_, '_> {
    fn this(&self) -> ObjectId {
        self.flow.world.tasks[self.task.index()].object
    }

    fn note(&mut self, pc: Pc, points: &Points) {
        self.flow.operands.entry((self.task, pc)).or_default().join(points);
    }

    /// All that some words hold.
    fn all(state: &[Points], first: Slot, count: u32) -> Points {
        let mut all = Points::default();
        for points in &state[first as usize..(first + count) as usize] {
            all.join(points);
        }
        all
    }

    /// The arguments of a call, as the callee sees them.
    fn arguments(&mut self, state: &[Points], first: Slot, count: u32) -> Vec<Points> {
        let this = self.this();
        let from = (first + FRAME) as usize;
        let arguments: Vec<Points> =
            state[from..from + count as usize].iter().map(|points| points.resolved(this)).collect();
        arguments.iter().for_each(|points| self.flow.hand_on(points));
        arguments
    }

    /// The objects among the receivers of a call.
    fn receivers(&self, receiver: &Points) -> Vec<ObjectId> {
        let objects = receiver.resolved(self.this());
        let objects = objects.iter().filter_map(|atom| match atom {
            Atom::Object(object) => Some(object),
            Atom::Null | Atom::This | Atom::Future(_) => None,
        });
        objects.collect()
    }

    /// A call that makes a task of each receiver. Their futures.
    fn call(&mut self, pc: Pc, receivers: &[ObjectId], selector: u32, arguments: &[Points]) -> Points {
        let mut futures = Points::default();
        for &object in receivers {
            let Some(body) = self.flow.dispatch(object, selector) else { continue };
            let task = self.flow.world.task(object, body);
            self.flow.pass(task, arguments);
            self.flow.started.insert(task);
            self.flow.calls.entry((self.task, pc)).or_default().insert(task);
            futures.insert(Atom::Future(task));
        }
        futures
    }

    /// Runs a method within this task. What it can return.
    fn run_within(&mut self, pc: Pc, object: ObjectId, body: u32, arguments: &[Points]) -> Points {
        let task = self.flow.world.task(object, body);
        self.flow.pass(task, arguments);
        self.flow.within.entry((self.task, pc)).or_default().insert(task);
        self.result_of(task)
    }

    fn result_of(&mut self, task: TaskId) -> Points {
        self.flow.reads(self.task, Read::Result(task));
        self.flow.make_room(task);
        self.flow.results[task.index()].clone()
    }

    /// A call that returns the result: within the group it runs in the same task. Where it may be,
    /// that is one way to go on.
    fn call_and_get(&mut self, pc: Pc, state: &mut [Points], others: &mut Vec<(Pc, Vec<Points>)>) -> bool {
        let Instruction::Sync { to, receiver, selector, first, count } = self.flow.image.code[pc as usize] else {
            unreachable!("only calls that return the result come here")
        };
        let operand = state[receiver as usize].clone();
        self.note(pc, &operand);
        let is_this = operand.is_only(Atom::This);
        let arguments = self.arguments(state, first, count);
        let own = self.flow.world.location(self.this());
        let receivers = self.receivers(&operand);
        let (near, far): (Vec<ObjectId>, Vec<ObjectId>) =
            receivers.iter().partition(|&&object| self.flow.world.location(object) == own);
        let mut result = None;
        for &object in &near {
            let Some(body) = self.flow.dispatch(object, selector) else { continue };
            let points = self.run_within(pc, object, body, &arguments);
            result.get_or_insert_with(Points::default).join(&points);
        }
        if let Some(result) = result {
            let mut after = state.to_vec();
            after[to as usize] = result;
            others.push((pc + 2, after));
        }
        // Objects of one abstract location can be of different groups.
        let others_of_location = if is_this { Vec::new() } else { near };
        let remote = [far, others_of_location].concat();
        let futures = self.call(pc, &remote, selector, &arguments);
        let goes_on = futures != Points::default();
        state[first as usize] = futures;
        goes_on
    }

    fn store(&mut self, field: u32, value: &Points) {
        let this = self.this();
        let value = value.resolved(this);
        self.flow.hand_on(&value);
        let known = self.flow.fields.entry((this, field)).or_default();
        let grown = if mutation::on(Mutation::FieldReplaced) && *known != Points::default() {
            // Who stores by turns would go on for ever, if others were told.
            *known = value;
            false
        } else {
            known.join(&value)
        };
        if grown {
            self.flow.has_grown(Read::Field(this, field));
        }
    }

    fn give_back(&mut self, value: &Points) {
        let value = value.resolved(self.this());
        self.flow.hand_on(&value);
        if self.flow.results[self.task.index()].join(&value) {
            self.flow.has_grown(Read::Result(self.task));
        }
    }

    /// Where an exception of an instruction goes on.
    fn throw(&mut self, pc: Pc, state: &[Points], others: &mut Vec<(Pc, Vec<Points>)>) {
        let Some(handler) = handler(self.flow.image, pc) else { return };
        let mut caught = state.to_vec();
        self.flow.reads(self.task, Read::Thrown);
        caught[handler.slot as usize] = self.flow.thrown.clone();
        others.push((handler.target, caught));
    }

    /// What an object can be that has an interface, or null.
    fn with_interface(&self, points: &Points, interface: u32) -> Points {
        let mut kept = Points::of(Atom::Null);
        for atom in points.iter() {
            let object = match atom {
                Atom::Object(object) => object,
                Atom::This => self.this(),
                Atom::Null | Atom::Future(_) => continue,
            };
            let class = self.flow.world.classes[object.index()];
            if class.is_some_and(|class| self.flow.image.classes[class as usize].interfaces.contains(&interface)) {
                kept.insert(atom);
            }
        }
        kept
    }

    /// Instructions that only compute.
    fn compute(&mut self, pc: Pc, state: &mut [Points]) {
        let (to, value) = match self.flow.image.code[pc as usize] {
            Instruction::Constant { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::Negate { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Builtin { to, .. }
            | Instruction::Implements { to, .. } => (to, Points::default()),
            Instruction::Ready { to, future } => {
                self.note(pc, &state[future as usize]);
                (to, Points::default())
            }
            Instruction::Null { to } => (to, Points::of(Atom::Null)),
            Instruction::This { to } => (to, Points::of(Atom::This)),
            Instruction::Copy { to, from } => (to, state[from as usize].clone()),
            Instruction::Project { to, value, .. } => (to, state[value as usize].clone()),
            Instruction::As { to, object, interface } => (to, self.with_interface(&state[object as usize], interface)),
            Instruction::Construct { to, first, count, .. }
            | Instruction::List { to, first, count }
            | Instruction::Closure { to, first, count, .. } => (to, Self::all(state, first, count)),
            Instruction::Call { to, function, first } => {
                let count = self.flow.image.bodies[function as usize].parameters;
                let mut value = Self::all(state, first + FRAME, count);
                value.insert(Atom::Null);
                (to, value)
            }
            Instruction::CallLocal { to, closure, first, count } => {
                let mut value = Self::all(state, first + FRAME, count);
                value.join(&state[closure as usize]);
                value.insert(Atom::Null);
                (to, value)
            }
            Instruction::Load { to, field } => {
                let this = self.this();
                self.flow.reads(self.task, Read::Field(this, field));
                (to, self.flow.fields.entry((this, field)).or_default().clone())
            }
            _ => return,
        };
        state[to as usize] = value;
    }
}

impl Transfer for Running<'_, '_> {
    type State = Vec<Points>;

    fn join(&self, into: &mut Vec<Points>, from: &Vec<Points>) -> bool {
        into.iter_mut().zip(from).fold(false, |changed, (into, from)| into.join(from) | changed)
    }

    fn step(&mut self, pc: Pc, state: &mut Vec<Points>, others: &mut Vec<(Pc, Vec<Points>)>) -> bool {
        self.throw(pc, state, others);
        match self.flow.image.code[pc as usize] {
            Instruction::Jump { to } => {
                others.push((to, state.clone()));
                return false;
            }
            Instruction::Unless { to, .. }
            | Instruction::When { to, .. }
            | Instruction::Unmatched { to, .. }
            | Instruction::Unequal { to, .. } => others.push((to, state.clone())),
            Instruction::Store { field, from } => {
                let value = state[from as usize].clone();
                self.store(field, &value);
            }
            Instruction::AwaitFuture { future, .. } => self.note(pc, &state[future as usize]),
            Instruction::Get { to, future, .. } => {
                let futures = state[future as usize].clone();
                self.note(pc, &futures);
                let mut value = Points::default();
                for task in futures.futures() {
                    value.join(&self.result_of(task));
                }
                state[to as usize] = value;
            }
            Instruction::Async { to, receiver, selector, first, count, .. } => {
                let operand = state[receiver as usize].clone();
                self.note(pc, &operand);
                let arguments = self.arguments(state, first, count);
                state[to as usize] = self.call(pc, &self.receivers(&operand), selector, &arguments);
            }
            Instruction::Sync { .. } => return self.call_and_get(pc, state, others),
            Instruction::New { to, class, local, first, count } => {
                let arguments = self.arguments(state, first, count);
                let object = self.flow.world.made(pc, self.this(), class, local);
                let init = self.flow.image.classes[class as usize].init;
                self.run_within(pc, object, init, &arguments);
                self.note(pc, &Points::of(Atom::Object(object)));
                state[to as usize] = Points::of(Atom::Object(object));
            }
            Instruction::Return { from } => {
                let is_method = self.flow.image.body_at(pc).kind == BodyKind::Method;
                if is_method {
                    let value = state[from as usize].clone();
                    self.give_back(&value);
                }
                return false;
            }
            Instruction::Throw { from, .. } => {
                let value = state[from as usize].resolved(self.this());
                self.flow.hand_on(&value);
                if self.flow.thrown.join(&value) {
                    self.flow.has_grown(Read::Thrown);
                }
                return false;
            }
            Instruction::ReturnThis | Instruction::NoMatch { .. } => return false,
            _ => self.compute(pc, state),
        }
        true
    }
}
