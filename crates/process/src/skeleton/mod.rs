//! What a program does with mutexes, for the analysis of waits.
//!
//! Every instance of a process is a thread of its own, and every cell of an array of mutexes a lock
//! of its own. Which cell an index names is followed through locals and constants. A global
//! variable that nobody writes has its initial value, any other can have any. A spawned process is
//! a thread for each place where its creator spawns; one that spawns itself again is one thread, of
//! which there are several. A condition that is awaited is a communication.
//!
//! The locks of an atomic block are followed one after the other, although they are taken at once:
//! that can find cycles that the exploration refutes, and hides none.

mod values;

use std::collections::{BTreeMap, BTreeSet};

use mazurka_machine::Describe;
use mazurka_trace::{LocationId, SiteId, Value};
use mazurka_waits::{Body, BodyId, Lock, LockId, Node, Operation, PlaceId, Reentry, Skeleton, Thread, ThreadId};

use crate::ProcessMachine;
use crate::code::{Cells, Image, Instruction};
use crate::hir::BodyKind;
use values::Values;

impl ProcessMachine {
    /// What the program does with mutexes.
    pub fn skeleton(&self) -> Skeleton {
        let mut builder = Builder::new(self.image());
        builder.start();
        let mut bodies = Vec::new();
        for number in 0..builder.threads.len() {
            bodies.push(builder.body(number));
        }
        let Builder { image, threads, .. } = builder;
        let lock = |slot: usize| Lock {
            name: image.location_name(LocationId::new(slot)),
            is_one: true,
            again: Reentry::Waits,
        };
        let describe = |(number, thread): (usize, Run)| Thread {
            name: thread.name,
            body: BodyId(number as u32),
            creator: thread.creator,
            is_many: thread.is_many,
        };
        Skeleton {
            locks: (image.mutexes..image.initial.len()).map(lock).collect(),
            bodies,
            threads: threads.into_iter().enumerate().map(describe).collect(),
            places: (0..image.sites.len()).map(|site| self.place(SiteId::new(site))).collect(),
            callers: Vec::new(),
            assumed: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

/// What is known before an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    /// Where the step began: there the process stands while it cannot be taken.
    stop: SiteId,
    value: Values,
    stack: Vec<Values>,
    locals: Vec<Values>,
}

impl Known {
    /// Adds what can be so besides; whether that is new.
    fn join(&mut self, other: &Known) -> bool {
        let mine = std::iter::once(&mut self.value).chain(&mut self.stack).chain(&mut self.locals);
        let theirs = std::iter::once(&other.value).chain(&other.stack).chain(&other.locals);
        mine.zip(theirs).fold(false, |is_new, (mine, theirs)| mine.join(theirs) | is_new)
    }
}

/// A thread that is followed.
struct Run {
    name: String,
    body: usize,
    creator: Option<ThreadId>,
    is_many: bool,
    parameters: Vec<Values>,
    /// By instruction.
    known: BTreeMap<usize, Known>,
    /// Which thread each instruction that spawns creates.
    spawned: BTreeMap<usize, ThreadId>,
}

struct Builder<'a> {
    image: &'a Image,
    /// The variables that somebody writes, by slot.
    written: BTreeSet<u32>,
    threads: Vec<Run>,
}

impl<'a> Builder<'a> {
    fn new(image: &'a Image) -> Self {
        let changed = image.code.iter().filter_map(|instruction| instruction.variables_changed());
        let mut written: BTreeSet<u32> = changed.flat_map(|cells| cells.first..cells.first + cells.length).collect();
        if !image.initial_inputs.is_empty() {
            written.extend(0..image.mutexes as u32);
        }
        Builder { image, written, threads: Vec::new() }
    }

    /// Follows all threads.
    fn start(&mut self) {
        let image = self.image;
        for (body, code) in image.bodies.iter().enumerate() {
            match code.kind {
                BodyKind::Process => self.add(code.name.clone(), body, None, Vec::new()),
                BodyKind::ProcessArray(count) => {
                    for index in 0..count {
                        let parameters =
                            if code.parameters > 0 { vec![Values::one(index as Value)] } else { Vec::new() };
                        self.add(format!("{}[{index}]", code.name), body, None, parameters);
                    }
                }
                BodyKind::Proc | BodyKind::Finally => {}
            }
        }
        let mut todo: Vec<usize> = (0..self.threads.len()).rev().collect();
        while let Some(thread) = todo.pop() {
            self.follow(thread, &mut todo);
        }
    }

    fn add(&mut self, name: String, body: usize, creator: Option<ThreadId>, parameters: Vec<Values>) {
        let (known, spawned) = (BTreeMap::new(), BTreeMap::new());
        self.threads.push(Run { name, body, creator, is_many: false, parameters, known, spawned });
    }

    /// Follows a thread, from its beginning, until nothing new is known.
    fn follow(&mut self, thread: usize, others: &mut Vec<usize>) {
        let run = &self.threads[thread];
        let code = &self.image.bodies[run.body];
        let mut locals = run.parameters.clone();
        locals.resize(code.locals.len(), Values::one(0));
        let stop = self.image.places[code.entry];
        let mut todo = vec![(code.entry, Known { stop, value: Values::one(0), stack: Vec::new(), locals })];
        while let Some((at, known)) = todo.pop() {
            let is_new = match self.threads[thread].known.get_mut(&at) {
                Some(before) => before.join(&known),
                None => self.threads[thread].known.insert(at, known).is_none(),
            };
            if is_new {
                let mut known = self.threads[thread].known[&at].clone();
                for next in self.step(thread, at, &mut known, others) {
                    todo.push((next, known.clone()));
                }
            }
        }
    }

    fn global(&self, slot: u32) -> Values {
        if self.written.contains(&slot) { Values::Any } else { Values::one(self.image.initial[slot as usize]) }
    }

    fn cell(&self, cells: Cells, index: &Values) -> Values {
        let slots = slots(cells, index);
        if slots.iter().any(|slot| self.written.contains(slot)) {
            return Values::Any;
        }
        Values::of(slots.into_iter().map(|slot| self.image.initial[slot as usize]))
    }

    /// What an instruction does to what is known, and where it can go on.
    fn step(&mut self, thread: usize, at: usize, known: &mut Known, others: &mut Vec<usize>) -> Vec<usize> {
        let local = |known: &Known, slot: u32| known.locals[slot as usize].clone();
        match self.image.code[at] {
            Instruction::End { .. } | Instruction::Nowhere => return Vec::new(),
            Instruction::Jump(to) | Instruction::Loop(to) => return vec![to as usize],
            Instruction::JumpIfFalse(to) => return branches(&known.value, to as usize, at + 1),
            Instruction::JumpIfTrue(to) => return branches(&known.value, at + 1, to as usize),
            Instruction::Await | Instruction::Assume if !known.value.admits_other(0) => return Vec::new(),
            Instruction::Constant(value) => known.value = Values::one(value),
            Instruction::Local(slot) => known.value = local(known, slot),
            Instruction::Global(slot) => known.value = self.global(slot),
            Instruction::Cell(cells) => known.value = self.cell(cells, &known.value),
            Instruction::CellLocal(cells, slot) => known.value = self.cell(cells, &local(known, slot)),
            Instruction::Push => known.stack.push(known.value.clone()),
            Instruction::Binary(operator) => {
                let left = known.stack.pop().unwrap_or(Values::Any);
                known.value = left.combine(operator, &known.value);
            }
            Instruction::BinaryConstant(operator, value) => {
                known.value = known.value.combine(operator, &Values::one(value));
            }
            Instruction::LocalBinaryConstant(operator, slot, value) => {
                known.value = local(known, slot).combine(operator, &Values::one(value));
            }
            Instruction::GlobalBinaryConstant(operator, slot, value) => {
                known.value = self.global(slot).combine(operator, &Values::one(value));
            }
            Instruction::BinaryLocal(operator, slot) => {
                known.value = known.value.combine(operator, &local(known, slot));
            }
            Instruction::BinaryGlobal(operator, slot) => {
                known.value = known.value.combine(operator, &self.global(slot));
            }
            Instruction::Negate => known.value = known.value.map(Value::checked_neg),
            Instruction::Not => known.value = known.value.map(|value| Some(Value::from(value == 0))),
            Instruction::Choose => {
                let low = known.stack.pop().unwrap_or(Values::Any);
                known.value = chosen(&low, &known.value);
            }
            Instruction::SetLocal(slot) => known.locals[slot as usize] = known.value.clone(),
            Instruction::ConstantToLocal(slot, value) => known.locals[slot as usize] = Values::one(value),
            Instruction::GlobalToLocal { local, global } => known.locals[local as usize] = self.global(global),
            Instruction::SetCell(_) => drop(known.stack.pop()),
            Instruction::Spawn { body } => self.spawn(thread, at, body as usize, known, others),
            Instruction::Stop(stop) => known.stop = stop.site,
            Instruction::SetGlobal(_)
            | Instruction::SetCellLocal(..)
            | Instruction::ConstantToGlobal(..)
            | Instruction::AddToGlobal(..)
            | Instruction::LocalToGlobal { .. }
            | Instruction::Lock(_)
            | Instruction::LockCell(_)
            | Instruction::Unlock(_)
            | Instruction::UnlockCell(_)
            | Instruction::Await
            | Instruction::Assume
            | Instruction::Assert => {}
        }
        vec![at + 1]
    }

    /// A process is spawned: a thread of this place, or one that its creators come from.
    fn spawn(&mut self, creator: usize, at: usize, body: usize, known: &mut Known, others: &mut Vec<usize>) {
        let code = &self.image.bodies[body];
        let arguments = known.stack.split_off(known.stack.len() - code.parameters);
        let found = self.threads[creator].spawned.get(&at).copied();
        let thread = found.unwrap_or_else(|| self.descendant(creator, at, body));
        let run = &mut self.threads[thread.index()];
        let is_new = run.known.is_empty();
        let mine = run.parameters.iter_mut().zip(&arguments);
        let grows = mine.fold(false, |grows, (mine, argument)| mine.join(argument) | grows);
        if is_new || grows {
            others.push(thread.index());
        }
    }

    fn descendant(&mut self, creator: usize, at: usize, body: usize) -> ThreadId {
        let line = std::iter::successors(Some(creator), |&thread| self.threads[thread].creator.map(ThreadId::index));
        let again = line.into_iter().find(|&thread| self.threads[thread].body == body);
        let thread = match again {
            Some(thread) => {
                self.threads[thread].is_many = true;
                ThreadId(thread as u32)
            }
            None => {
                let nothing = Values::OneOf(BTreeSet::new());
                let code = &self.image.bodies[body];
                let name = format!("{}@{}", code.name, self.threads[creator].name);
                self.add(name, body, Some(ThreadId(creator as u32)), vec![nothing; code.parameters]);
                ThreadId(self.threads.len() as u32 - 1)
            }
        };
        self.threads[creator].spawned.insert(at, thread);
        thread
    }

    /// The skeleton of what a thread runs.
    fn body(&self, thread: usize) -> Body {
        let run = &self.threads[thread];
        let order: BTreeMap<usize, usize> = run.known.keys().enumerate().map(|(node, &at)| (at, node)).collect();
        let entry = order.get(&self.image.bodies[run.body].entry).copied();
        let mut nodes: Vec<Node> = run.known.keys().map(|&at| self.node(run, at, &order)).collect();
        // It begins at the first.
        if let Some(entry) = entry.filter(|&entry| entry > 0) {
            let place = nodes[entry].place;
            nodes.iter_mut().flat_map(|node| &mut node.next).for_each(|next| *next += 1);
            nodes.insert(0, Node { operation: Operation::Nothing, next: vec![entry + 1], place });
        }
        Body { nodes }
    }

    fn node(&self, run: &Run, at: usize, order: &BTreeMap<usize, usize>) -> Node {
        let known = &run.known[&at];
        let lock = |slot: u32| LockId(slot - self.image.mutexes as u32);
        let locks = |cells: Cells| slots(cells, &known.value).into_iter().map(lock).collect();
        let take = |locks: Vec<LockId>| Operation::Take { locks, is_shared: false, waits: true };
        let operation = match self.image.code[at] {
            Instruction::Lock(slot) => take(vec![lock(slot)]),
            Instruction::LockCell(cells) => take(locks(cells)),
            Instruction::Unlock(slot) => Operation::Give { locks: vec![lock(slot)] },
            Instruction::UnlockCell(cells) => Operation::Give { locks: locks(cells) },
            Instruction::Await if known.value.admits(0) => Operation::Communicate("a condition".to_owned()),
            Instruction::Spawn { .. } => Operation::Create(run.spawned.get(&at).copied().into_iter().collect()),
            _ => Operation::Nothing,
        };
        let next = match self.image.code[at] {
            Instruction::End { .. } | Instruction::Nowhere => Vec::new(),
            Instruction::Jump(to) | Instruction::Loop(to) => vec![to as usize],
            Instruction::JumpIfFalse(to) => branches(&known.value, to as usize, at + 1),
            Instruction::JumpIfTrue(to) => branches(&known.value, at + 1, to as usize),
            _ => vec![at + 1],
        };
        let next = next.iter().filter_map(|next| order.get(next).copied()).collect();
        Node { operation, next, place: PlaceId(known.stop.index() as u32) }
    }
}

/// Where to go on with a value: if it is false, and if it is true.
fn branches(value: &Values, no: usize, yes: usize) -> Vec<usize> {
    let both = [(value.admits(0), no), (value.admits_other(0), yes)];
    both.into_iter().filter(|(can, _)| *can).map(|(_, to)| to).collect()
}

/// The slots that an index can name.
fn slots(cells: Cells, index: &Values) -> Vec<u32> {
    (0..cells.length).filter(|&cell| index.admits(Value::from(cell))).map(|cell| cells.first + cell).collect()
}

/// What is chosen between two bounds.
fn chosen(low: &Values, high: &Values) -> Values {
    let (Values::OneOf(low), Values::OneOf(high)) = (low, high) else { return Values::Any };
    match (low.first(), high.last()) {
        (Some(&low), Some(&high)) => Values::of(low..=high),
        _ => Values::Any,
    }
}
