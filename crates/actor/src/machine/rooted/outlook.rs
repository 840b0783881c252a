//! What the analysis of a state amounts to: which waits can still close a circle, and who may step
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use mazurka_waits::{Successors, components};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::set::Atom;
use super::{Few, Location, Rooted, Task, Unit};
use crate::code::Pc;
use crate::machine::ActorMachine;
use crate::machine::value::{self, Value};
use crate::mutation::{self, Mutation};

/// A task, by its body and by where its object is made; main has no object.
pub(crate) type Kind = (u32, Option<Pc>);

/// A wait, by where it is and for what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Signature {
    /// A task keeps its location at this `get`, for another task.
    Blocked(Pc, Kind, Kind),
    /// A task waits there for another.
    Waits(Pc, Kind, Kind),
    /// A task has to go on, and its location is blocked.
    Lock(Kind),
}

/// What can still happen from a state on.
pub(crate) struct Ahead {
    /// The waits that can be part of one circle, for each set of such.
    pub(crate) circles: Vec<BTreeSet<Signature>>,
    /// The location whose tasks may step alone, by its lock: nobody else has to do with it. Another
    /// state with the same digest can have other tasks there, but the same locations.
    alone: Option<u32>,
    /// So much was analysed.
    pub(crate) size: usize,
    /// The locations with tasks now that have nothing to do with others, now or later, but for
    /// what waits there.
    free: FxHashSet<u32>,
}

impl Ahead {
    /// The tasks that may step alone in this state.
    pub(crate) fn alone(&self, machine: &ActorMachine, enabled: &[u32]) -> Option<Vec<u32>> {
        let lock = self.alone?;
        let tasks: Vec<u32> = enabled.iter().copied().filter(|&task| machine.lock_of_task(task) == lock).collect();
        (!tasks.is_empty()).then_some(tasks)
    }

    /// The tasks that may step alone in a state that follows.
    pub(crate) fn alone_later(&self, machine: &ActorMachine, enabled: &[u32]) -> Option<Vec<u32>> {
        let locations = locations(machine, enabled);
        if locations.len() < 2 {
            return None;
        }
        let mut involved = FxHashSet::default();
        involve_waiting(machine, machine.unfinished(), enabled, &mut involved);
        let is_free = |lock: u32| self.free.contains(&lock) && !involved.contains(&lock);
        locations.into_iter().find(|(lock, _)| is_free(*lock)).map(|(_, tasks)| tasks)
    }
}

/// The enabled tasks of each location, by its lock; those of few tasks first.
fn locations(machine: &ActorMachine, enabled: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut locations: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &task in enabled {
        locations.entry(machine.lock_of_task(task)).or_default().push(task);
    }
    let mut all: Vec<(u32, Vec<u32>)> = locations.into_iter().collect();
    all.sort_by_key(|(_, tasks)| tasks.len());
    all
}

/// Adds the locations of tasks that wait for somebody elsewhere.
fn involve_waiting(
    machine: &ActorMachine,
    tasks: impl Iterator<Item = u32>,
    enabled: &[u32],
    involved: &mut FxHashSet<u32>,
) {
    let enabled: FxHashSet<u32> = enabled.iter().copied().collect();
    for task in tasks.filter(|task| !enabled.contains(task)) {
        let own = machine.lock_of_task(task);
        if machine.all_awaited(task).into_iter().any(|other| machine.lock_of_task(other) != own) {
            involved.insert(own);
        }
    }
}

/// A node of the graph: a task, or a location that is blocked by a task.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Task(Task),
    BlockedBy(Task),
}

impl Rooted<'_> {
    /// What can still happen. `enabled` are the tasks that can step now.
    pub(crate) fn ahead(&self, enabled: &[u32]) -> Ahead {
        let machine = self.machine;
        let (mut now, later) = self.involved();
        involve_waiting(machine, self.roots.keys().copied(), enabled, &mut now);
        let locations = locations(machine, enabled);
        let alone =
            if locations.len() < 2 { None } else { locations.into_iter().find(|(lock, _)| !now.contains(lock)) };
        let free = machine.unfinished().map(|task| machine.lock_of_task(task)).filter(|lock| !later.contains(lock));
        Ahead {
            circles: self.circles(),
            alone: alone.map(|(lock, _)| lock),
            size: self.units.len() + self.dead.len(),
            free: free.collect(),
        }
    }

    /// The units that a task runs.
    fn units_of(&self, task: Task) -> SmallVec<[&Unit; 4]> {
        let mut numbers: SmallVec<[u32; 8]> = match task {
            Task::ToCome(unit) => smallvec![unit],
            Task::There(task) => self.frames.get(&task).into_iter().flatten().copied().collect(),
        };
        let mut at = 0;
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        while let Some(&unit) = numbers.get(at) {
            at += 1;
            for &other in &self.units[unit as usize].within {
                // What is first there is there once.
                if seen.is_empty() {
                    seen.extend(numbers.iter().copied());
                }
                if seen.insert(other) {
                    numbers.push(other);
                }
            }
        }
        numbers.iter().map(|&unit| &self.units[unit as usize]).collect()
    }

    fn kind_of(&self, task: Task) -> Kind {
        match task {
            Task::There(task) => self.machine.kind_of(task),
            Task::ToCome(unit) => {
                let unit = &self.units[unit as usize];
                (unit.body, unit.this.and_then(|object| self.site_of(object)))
            }
        }
    }

    /// Where an object is made.
    fn site_of(&self, object: Atom) -> Option<Pc> {
        match object {
            Atom::Object(number) => Some(self.objects[number as usize].site),
            Atom::Word(word) => match Value(word).kind() {
                value::Kind::Object(object) => Some(self.machine.maker_of(object).0),
                _ => None,
            },
            Atom::Future(_) => None,
        }
    }

    fn location_of_task(&self, task: Task) -> Location {
        match task {
            Task::There(task) => Location::Lock(self.machine.registry.tasks[task as usize].lock),
            Task::ToCome(unit) => self.units[unit as usize].location,
        }
    }

    /// The tasks of the state, and those that can still be called.
    fn tasks(&self) -> Vec<Task> {
        let there = self.roots.keys().chain(&self.dead).map(|&task| Task::There(task));
        let to_come = (0..self.units.len() as u32).filter(|&unit| self.units[unit as usize].is_task).map(Task::ToCome);
        let mut tasks: Vec<Task> = there.chain(to_come).collect();
        tasks.sort_unstable();
        tasks
    }

    fn circles(&self) -> Vec<BTreeSet<Signature>> {
        let edges = self.edges();
        let mut numbers: FxHashMap<Node, usize> = FxHashMap::default();
        let mut number = |node: Node| {
            let next = numbers.len();
            *numbers.entry(node).or_insert(next)
        };
        let ends: Vec<(usize, usize)> = edges.iter().map(|&(from, to, _)| (number(from), number(to))).collect();
        let mut successors: Successors = vec![Vec::new(); numbers.len()];
        for (number, &(from, to)) in ends.iter().enumerate() {
            successors[from].push((number, to));
        }
        let component = components(&successors);
        let mut circles: BTreeMap<usize, BTreeSet<Signature>> = BTreeMap::new();
        let mut moving: BTreeSet<usize> = BTreeSet::new();
        for ((from, _, signature), &(first, second)) in edges.iter().zip(&ends) {
            let of = component[first];
            if of == component[second] {
                circles.entry(of).or_default().insert(*signature);
                moving.extend(self.can_move(*from).then_some(of));
            }
        }
        // Circles of those that can never move have been seen.
        circles.into_iter().filter(|(of, _)| moving.contains(of)).map(|(_, circle)| circle).collect()
    }

    fn can_move(&self, node: Node) -> bool {
        match node {
            Node::Task(Task::There(task)) | Node::BlockedBy(Task::There(task)) => !self.dead.contains(&task),
            Node::Task(Task::ToCome(_)) | Node::BlockedBy(Task::ToCome(_)) => true,
        }
    }

    /// Where a task that can never move stands, which can still be part of a circle that others
    /// close; whether that keeps the location, and for whom it waits.
    fn standing(&self, task: u32) -> ((Pc, bool), Few<Task>) {
        let awaited = self.machine.all_awaited(task).into_iter().map(Task::There).collect();
        ((self.machine.pc(task), self.machine.keeps_location(task)), awaited)
    }

    fn edges(&self) -> Vec<(Node, Node, Signature)> {
        let mut edges = Vec::new();
        let mut blockers: FxHashMap<Location, Vec<Task>> = FxHashMap::default();
        let mut hanging = Vec::new();
        for task in self.tasks() {
            let kind = self.kind_of(task);
            let mut can_block = false;
            let mut wait = |&((pc, keeps), ref awaited): &((Pc, bool), Few<Task>)| {
                can_block |= keeps;
                for &other in awaited {
                    let (to, target) = (Node::Task(other), self.kind_of(other));
                    edges.push((Node::Task(task), to, Signature::Waits(pc, kind, target)));
                    if keeps {
                        edges.push((Node::BlockedBy(task), to, Signature::Blocked(pc, kind, target)));
                    }
                }
            };
            let units = self.units_of(task);
            match task {
                Task::There(number) if self.dead.contains(&number) => wait(&self.standing(number)),
                _ => units.iter().flat_map(|unit| &unit.waits).for_each(wait),
            }
            if can_block {
                blockers.entry(self.location_of_task(task)).or_default().push(task);
            }
            if units.iter().any(|unit| unit.releases) || !self.holds_lock(task) {
                hanging.push(task);
            }
        }
        for task in hanging {
            let others = blockers.get(&self.location_of_task(task)).into_iter().flatten();
            // There can be several of those that are still to be called.
            for &other in others.filter(|&&other| other != task || matches!(task, Task::ToCome(_))) {
                edges.push((Node::Task(task), Node::BlockedBy(other), Signature::Lock(self.kind_of(task))));
            }
        }
        edges
    }

    /// Whether a task keeps its location now.
    fn holds_lock(&self, task: Task) -> bool {
        match task {
            Task::There(task) => self.machine.keeps_location(task),
            Task::ToCome(_) => false,
        }
    }

    /// The locations that have to do with others: others call tasks there, or one looks at the
    /// other's futures. What waits there for somebody else is left out. First now, then now or
    /// later, when tasks have been called that are still to come.
    fn involved(&self) -> (FxHashSet<u32>, FxHashSet<u32>) {
        let (mut now, mut later) = (FxHashSet::default(), FxHashSet::default());
        let lock = |location: Location| match location {
            Location::Lock(lock) => Some(lock),
            Location::New(_) => None,
        };
        for unit in &self.units {
            let own = unit.location;
            let posts = unit.posts.iter().filter(|&&location| location != own);
            now.extend(posts.filter_map(|&location| lock(location)));
            for &task in &unit.polls {
                let location = self.location_of_task(task);
                if location == own {
                    continue;
                }
                let involved = if matches!(task, Task::There(_)) { &mut now } else { &mut later };
                involved.extend(lock(own));
                if !mutation::on(Mutation::PolledFromOutside) {
                    involved.extend(lock(location));
                }
            }
        }
        later.extend(now.iter().copied());
        (now, later)
    }
}

impl ActorMachine {
    /// Whether a task keeps its location: it stopped at a `get`.
    fn keeps_location(&self, task: u32) -> bool {
        matches!(self.instruction(task), crate::code::Instruction::Get { .. })
    }
}
