//! What can still come of a state: the analysis of deadlocks, started from the state itself.
//!
//! Objects and unfinished tasks are those of the state, each task analysed from where it stands
//! with what it holds; what is still to be made is one abstract object for each place, what is
//! still to be called one abstract task for each method of an object. Values are sets, conditions
//! are evaluated, and a branch that no value allows is not looked at. Finished tasks are constants,
//! and tasks that can never move again are left out.
//!
//! So the result covers every wait of every state that can follow.
//!
//! # Cost
//! As much as running what is left of each task, as often as what it reads grows.

mod outlook;
mod run;
mod set;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::ActorMachine;
use super::TASK;
use super::value::{self, Value};
use crate::code::{FRAME, Instruction, Pc, Slot};
use crate::fixpoint::solve_from;
pub(crate) use outlook::{Ahead, Kind, Signature};
use run::Running;
use set::{Atom, Set};

/// A location: that of a lock, or that of an object that is still to be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Location {
    Lock(u32),
    New(u32),
}

/// An object that is still to be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NewObject {
    site: Pc,
    class: u32,
    /// The location of its maker, if it lives there.
    shared: Option<Location>,
}

/// Where a unit can wait, whether that keeps the location, and for what.
type Waits = ((Pc, bool), Few<Task>);

/// Something to analyse: what is left of a frame of a task, or a method that is still to be called.
struct Unit {
    body: u32,
    this: Option<Atom>,
    location: Location,
    /// Where it goes on, with what.
    start: Pc,
    frame: Vec<Set>,
    /// The word that gets the result of something else at the start.
    awaits: Option<(Slot, Source)>,
    parameters: Vec<Set>,
    result: Set,
    /// Where it can wait, and for what; whether that keeps the location.
    waits: SmallVec<[Waits; 2]>,
    /// Whose futures it can look at, other than where it stands.
    polls: Few<Task>,
    /// It can let others of its group go on.
    releases: bool,
    /// The units that run within it.
    within: Few<u32>,
    /// Where it can call tasks.
    posts: Few<Location>,
    /// It is called as a task.
    is_task: bool,
}

/// A set that is mostly small, in the order in which its members came. Long ones are sorted.
type Few<T> = SmallVec<[T; 2]>;

/// Adds to a set.
fn add<T: Copy + Ord>(few: &mut Few<T>, new: T) {
    if few.len() < SMALL {
        if !few.contains(&new) {
            few.push(new);
            if few.len() == SMALL {
                few.sort_unstable();
            }
        }
    } else if let Err(at) = few.binary_search(&new) {
        few.insert(at, new);
    }
}

/// Longer sets are sorted.
const SMALL: usize = 16;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// The result of a frame above.
    Unit(u32),
    /// A future.
    Future(u32),
}

/// A task: of the state, or still to be called, by its unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Task {
    There(u32),
    ToCome(u32),
}

/// Something that a unit reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Read {
    Field(Atom, u32),
    Result(u32),
    Thrown,
}

/// The analysis of a state.
pub(crate) struct Rooted<'m> {
    machine: &'m ActorMachine,
    meets: &'m [bool],
    units: Vec<Unit>,
    objects: Vec<NewObject>,
    object_numbers: FxHashMap<NewObject, u32>,
    call_numbers: FxHashMap<(Atom, u32), u32>,
    /// The unit of the outermost frame of each task of the state.
    roots: FxHashMap<u32, u32>,
    /// The units of its frames.
    frames: FxHashMap<u32, Vec<u32>>,
    /// The tasks that can never move again.
    dead: FxHashSet<u32>,
    fields: FxHashMap<(Atom, u32), Set>,
    thrown: Set,
    readers: FxHashMap<Read, Few<u32>>,
    left: BTreeSet<u32>,
}

impl<'m> Rooted<'m> {
    /// Analyses the current state. `meets` tells where more than one way of the program leads.
    pub(crate) fn of(machine: &'m ActorMachine, meets: &'m [bool]) -> Self {
        let mut rooted = Rooted {
            machine,
            meets,
            units: Vec::new(),
            objects: Vec::new(),
            object_numbers: FxHashMap::default(),
            call_numbers: FxHashMap::default(),
            roots: FxHashMap::default(),
            frames: FxHashMap::default(),
            dead: machine.dead(),
            fields: FxHashMap::default(),
            thrown: Set::anything(),
            readers: FxHashMap::default(),
            left: BTreeSet::new(),
        };
        for process in machine.live.iter() {
            let task = process.index() as u32;
            if !rooted.dead.contains(&task) {
                rooted.add_task(task);
            }
        }
        while let Some(unit) = rooted.left.pop_first() {
            rooted.run(unit);
        }
        rooted
    }

    /// Adds the frames of a task, the innermost first.
    fn add_task(&mut self, task: u32) {
        let machine = self.machine;
        let stack = &machine.stacks[task as usize];
        let (mut base, mut pc) = (stack[1].as_count() as usize, machine.pc(task));
        let mut end = stack.len();
        let mut inner = None;
        loop {
            let unit = self.frame(task, (base, end), pc, inner);
            self.frames.entry(task).or_default().push(unit);
            if base == TASK {
                self.roots.insert(task, unit);
                return;
            }
            inner = Some(unit);
            end = base;
            pc = stack[base].as_count();
            base -= match machine.image.code[pc as usize] {
                Instruction::Sync { first, .. } => first as usize,
                _ => unreachable!("only calls within the group are left while a task waits"),
            };
        }
    }

    /// The rest of a frame; `inner` is the frame that it waits for.
    fn frame(&mut self, task: u32, (base, end): (usize, usize), pc: Pc, inner: Option<u32>) -> u32 {
        let machine = self.machine;
        let stack = &machine.stacks[task as usize];
        let body = machine.image.owners[pc as usize];
        let size = machine.image.bodies[body as usize].size as usize;
        let mut frame = vec![Set::default(); size];
        for (slot, &value) in stack[base..end].iter().enumerate().skip(FRAME as usize).take(size - FRAME as usize) {
            frame[slot] = Set::of(value);
        }
        let this = match stack[base + 1].kind() {
            value::Kind::Object(_) => Some(Atom::of(stack[base + 1])),
            _ => None,
        };
        let location = Location::Lock(machine.registry.tasks[task as usize].lock);
        let mut unit = Unit::new(body, this, location, pc, frame);
        match (inner, machine.image.code[pc as usize]) {
            (Some(inner), Instruction::Sync { to, .. }) => {
                (unit.start, unit.awaits) = (pc + 2, Some((to, Source::Unit(inner))));
            }
            (None, Instruction::Get { to, .. }) => {
                if let Some(other) = machine.awaited(task) {
                    (unit.start, unit.awaits) = (pc + 1, Some((to, Source::Future(other))));
                    unit.wait((pc, true), self.unfinished(other));
                }
            }
            (None, Instruction::AwaitFuture { .. }) => {
                if let Some(other) = machine.awaited(task) {
                    unit.start = pc + 1;
                    unit.releases = true;
                    unit.wait((pc, false), self.unfinished(other));
                }
            }
            _ => {}
        }
        self.add(unit)
    }

    fn add(&mut self, unit: Unit) -> u32 {
        let number = self.units.len() as u32;
        self.units.push(unit);
        self.left.insert(number);
        number
    }

    /// A task of the state, if it has no result yet.
    fn unfinished(&self, task: u32) -> Option<Task> {
        (!self.machine.has_ended(task)).then_some(Task::There(task))
    }

    fn run(&mut self, number: u32) {
        let unit = &self.units[number as usize];
        let (start, mut frame) = (unit.start, unit.frame.clone());
        for (parameter, given) in unit.parameters.iter().enumerate() {
            frame[FRAME as usize + parameter].clone_from(given);
        }
        if let Some((slot, source)) = unit.awaits {
            let (value, throws) = match source {
                Source::Unit(inner) => (self.result_of(number, inner), true),
                Source::Future(task) => self.result_of_task(number, task),
            };
            if throws {
                self.catch_at_start(number, &frame);
            }
            if value.is_empty() {
                return;
            }
            frame[slot as usize] = value;
        }
        let meets = self.meets;
        solve_from(meets, &mut Running { rooted: self, unit: number }, start, frame);
    }

    /// What it waits for at the start can throw.
    fn catch_at_start(&mut self, number: u32, frame: &[Set]) {
        let start = self.units[number as usize].start;
        // The call, or the `get`, that it stands at.
        let pc = match self.units[number as usize].awaits {
            Some((_, Source::Unit(_))) => start - 2,
            _ => start - 1,
        };
        let mut caught = Vec::new();
        Running { rooted: self, unit: number }.throw(pc, frame, &mut caught);
        for (target, frame) in caught {
            let meets = self.meets;
            solve_from(meets, &mut Running { rooted: self, unit: number }, target, frame);
        }
    }

    fn reads(&mut self, unit: u32, read: Read) {
        add(self.readers.entry(read).or_default(), unit);
    }

    fn has_grown(&mut self, read: Read) {
        if let Some(readers) = self.readers.get(&read) {
            self.left.extend(readers.iter().copied());
        }
    }

    fn result_of(&mut self, reader: u32, unit: u32) -> Set {
        self.reads(reader, Read::Result(unit));
        self.units[unit as usize].result.clone()
    }

    /// What a task of the state comes to, and whether that can be an exception.
    fn result_of_task(&mut self, reader: u32, task: u32) -> (Set, bool) {
        let machine = self.machine;
        if !machine.has_ended(task) {
            // Nobody waits for what can never move and goes on.
            let Some(&root) = self.roots.get(&task) else { return (Set::default(), true) };
            return (self.result_of(reader, root), true);
        }
        let value = machine.cells.get(machine.registry.tasks[task as usize].future);
        if machine.heap.constructor(value) == Some(machine.failure_constructor()) {
            let exception = Set::of(machine.heap.arguments(value)[0]);
            if self.thrown.join(&exception, &machine.heap) {
                self.has_grown(Read::Thrown);
            }
            return (Set::default(), true);
        }
        (Set::of(value), false)
    }

    fn location_of(&self, object: Atom) -> Option<Location> {
        match object {
            Atom::Object(number) => Some(self.objects[number as usize].shared.unwrap_or(Location::New(number))),
            Atom::Word(word) => match Value(word).kind() {
                value::Kind::Object(object) => {
                    Some(Location::Lock(self.machine.registry.objects[object as usize].lock))
                }
                _ => None,
            },
            Atom::Future(_) => None,
        }
    }

    fn class_of(&self, object: Atom) -> Option<u32> {
        match object {
            Atom::Object(number) => Some(self.objects[number as usize].class),
            Atom::Word(word) => match Value(word).kind() {
                value::Kind::Object(object) => Some(self.machine.registry.objects[object as usize].class),
                _ => None,
            },
            Atom::Future(_) => None,
        }
    }

    fn made(&mut self, site: Pc, class: u32, shared: Option<Location>) -> Atom {
        let object = NewObject { site, class, shared };
        let next = self.objects.len() as u32;
        let number = *self.object_numbers.entry(object).or_insert(next);
        if number == next {
            self.objects.push(object);
        }
        Atom::Object(number)
    }

    /// The unit of a method that is still to be called.
    fn called(&mut self, object: Atom, body: u32, arguments: &[Set]) -> Option<u32> {
        let location = self.location_of(object)?;
        let number = match self.call_numbers.get(&(object, body)) {
            Some(&number) => number,
            None => {
                let code = &self.machine.image.bodies[body as usize];
                let frame = vec![Set::default(); code.size as usize];
                let mut unit = Unit::new(body, Some(object), location, code.entry, frame);
                unit.parameters = vec![Set::default(); code.parameters as usize];
                let number = self.add(unit);
                self.call_numbers.insert((object, body), number);
                number
            }
        };
        let heap = &self.machine.heap;
        let mut grown = false;
        for (parameter, given) in self.units[number as usize].parameters.iter_mut().zip(arguments) {
            grown |= parameter.join(given, heap);
        }
        if grown {
            self.left.insert(number);
        }
        Some(number)
    }

    /// What a field can hold.
    fn field(&mut self, object: Atom, field: u32) -> &mut Set {
        let machine = self.machine;
        self.fields.entry((object, field)).or_insert_with(|| {
            let Some(value::Kind::Object(number)) = object.value().map(Value::kind) else { return Set::default() };
            Set::of(machine.cells.get(machine.registry.objects[number as usize].fields + field))
        })
    }
}

impl Unit {
    fn new(body: u32, this: Option<Atom>, location: Location, start: Pc, frame: Vec<Set>) -> Self {
        Unit {
            body,
            this,
            location,
            start,
            frame,
            awaits: None,
            parameters: Vec::new(),
            result: Set::default(),
            waits: SmallVec::new(),
            polls: Few::new(),
            releases: false,
            within: Few::new(),
            posts: Few::new(),
            is_task: false,
        }
    }

    fn wait(&mut self, at: (Pc, bool), tasks: impl IntoIterator<Item = Task>) {
        let known = self.waits.iter().position(|(known, _)| *known == at).unwrap_or_else(|| {
            self.waits.push((at, Few::new()));
            self.waits.len() - 1
        });
        tasks.into_iter().for_each(|task| add(&mut self.waits[known].1, task));
    }
}

impl ActorMachine {
    /// The tasks that can never move again: each waits for one of them, or its group is kept by
    /// another of them.
    pub(super) fn dead(&self) -> FxHashSet<u32> {
        let tasks: Vec<u32> = self.unfinished().collect();
        // Who waits for whom, by index. Whoever is not among them can move.
        let mut waits: Vec<(u32, u32)> = Vec::new();
        let mut open = vec![0_u32; tasks.len()];
        for (at, &task) in tasks.iter().enumerate() {
            let is_future = matches!(self.instruction(task), Instruction::Get { .. } | Instruction::AwaitFuture { .. });
            let awaited = if is_future { self.awaited(task).filter(|&other| !self.has_ended(other)) } else { None };
            for other in awaited.into_iter().chain(self.locked_by(task)) {
                waits.push((other, at as u32));
                open[at] += 1;
            }
        }
        waits.sort_unstable();
        let mut freed: Vec<usize> = (0..tasks.len()).filter(|&at| open[at] == 0).collect();
        let mut left = tasks.len();
        while let Some(at) = freed.pop() {
            left -= 1;
            let first = waits.partition_point(|&(other, _)| other < tasks[at]);
            for &(_, waiting) in waits[first..].iter().take_while(|&&(other, _)| other == tasks[at]) {
                open[waiting as usize] -= 1;
                if open[waiting as usize] == 0 {
                    freed.push(waiting as usize);
                }
            }
        }
        if left == 0 {
            return FxHashSet::default();
        }
        (0..tasks.len()).filter(|&at| open[at] > 0).map(|at| tasks[at]).collect()
    }
}
