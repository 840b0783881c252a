//! What the analysis of a state amounts to: which waits can still close a circle, and who may step
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use mazurka_waits::{Successors, components};
use rustc_hash::FxHashSet;

use super::set::Atom;
use super::{Location, Rooted, Task, Unit};
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
    /// The tasks that may step alone: those of a location that nobody else has to do with.
    pub(crate) alone: Option<Vec<u32>>,
}

/// A node of the graph: a task, or a location that is blocked by a task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Node {
    Task(Task),
    BlockedBy(Task),
}

impl Rooted<'_> {
    /// What can still happen. `enabled` are the tasks that can step now.
    pub(crate) fn ahead(&self, enabled: &[u32]) -> Ahead {
        Ahead { circles: self.circles(), alone: self.alone(enabled) }
    }

    /// The units that a task runs.
    fn units_of(&self, task: Task) -> Vec<&Unit> {
        let mut left: Vec<u32> = match task {
            Task::ToCome(unit) => vec![unit],
            Task::There(task) => self.frames.get(&task).cloned().unwrap_or_default(),
        };
        let mut seen: BTreeSet<u32> = left.iter().copied().collect();
        while let Some(unit) = left.pop() {
            let within = &self.units[unit as usize].within;
            left.extend(within.iter().copied().filter(|&other| seen.insert(other)));
        }
        seen.into_iter().map(|unit| &self.units[unit as usize]).collect()
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
        let mut numbers: BTreeMap<Node, usize> = edges.iter().flat_map(|&(from, to, _)| [(from, 0), (to, 0)]).collect();
        numbers.values_mut().enumerate().for_each(|(next, number)| *number = next);
        let mut successors: Successors = vec![Vec::new(); numbers.len()];
        for (number, (from, to, _)) in edges.iter().enumerate() {
            successors[numbers[from]].push((number, numbers[to]));
        }
        let component = components(&successors);
        let mut circles: BTreeMap<usize, BTreeSet<Signature>> = BTreeMap::new();
        let mut moving: BTreeSet<usize> = BTreeSet::new();
        for (from, to, signature) in &edges {
            let of = component[numbers[from]];
            if of == component[numbers[to]] {
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

    /// Where a task can wait, and for what; whether that keeps the location. What can never move
    /// stays where it is, and can still be part of a circle that others close.
    fn waits_of(&self, task: Task) -> Vec<(Pc, bool, Vec<Task>)> {
        match task {
            Task::There(number) if self.dead.contains(&number) => {
                let awaited = self.machine.all_awaited(number).into_iter().map(Task::There).collect();
                vec![(self.machine.pc(number), self.machine.keeps_location(number), awaited)]
            }
            _ => {
                let waits = self.units_of(task).into_iter().flat_map(|unit| &unit.waits);
                waits.map(|(&(pc, keeps), awaited)| (pc, keeps, awaited.iter().copied().collect())).collect()
            }
        }
    }

    fn edges(&self) -> Vec<(Node, Node, Signature)> {
        let tasks = self.tasks();
        let mut edges = Vec::new();
        let mut blockers: BTreeMap<Location, Vec<Task>> = BTreeMap::new();
        let mut hanging = Vec::new();
        for &task in &tasks {
            let kind = self.kind_of(task);
            let mut can_block = false;
            for (pc, keeps, awaited) in self.waits_of(task) {
                can_block |= keeps;
                for other in awaited {
                    let (to, target) = (Node::Task(other), self.kind_of(other));
                    edges.push((Node::Task(task), to, Signature::Waits(pc, kind, target)));
                    if keeps {
                        edges.push((Node::BlockedBy(task), to, Signature::Blocked(pc, kind, target)));
                    }
                }
            }
            if can_block {
                blockers.entry(self.location_of_task(task)).or_default().push(task);
            }
            let releases = self.units_of(task).iter().any(|unit| unit.releases);
            if releases || !self.holds_lock(task) {
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

    /// The tasks of a location that can be explored before all others: nobody else calls tasks
    /// there, what waits there waits for nobody else, and neither looks at the other's futures.
    fn alone(&self, enabled: &[u32]) -> Option<Vec<u32>> {
        let mut locations: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &task in enabled {
            locations.entry(self.machine.registry.tasks[task as usize].lock).or_default().push(task);
        }
        if locations.len() < 2 {
            return None;
        }
        let involved = self.involved(enabled);
        let mut all: Vec<(u32, Vec<u32>)> = locations.into_iter().collect();
        all.sort_by_key(|(_, tasks)| tasks.len());
        all.into_iter().find(|(lock, _)| !involved.contains(&Location::Lock(*lock))).map(|(_, tasks)| tasks)
    }

    /// The locations that have to do with others.
    fn involved(&self, enabled: &[u32]) -> FxHashSet<Location> {
        let mut involved = FxHashSet::default();
        for unit in &self.units {
            let own = unit.location;
            involved.extend(unit.posts.iter().filter(|&&location| location != own));
            for &task in unit.polls.iter().filter(|task| matches!(task, Task::There(_))) {
                let location = self.location_of_task(task);
                if location != own {
                    involved.insert(own);
                    if !mutation::on(Mutation::PolledFromOutside) {
                        involved.insert(location);
                    }
                }
            }
        }
        let enabled: FxHashSet<u32> = enabled.iter().copied().collect();
        for &task in self.roots.keys().filter(|task| !enabled.contains(task)) {
            let own = self.location_of_task(Task::There(task));
            let mut awaited = self.machine.all_awaited(task).into_iter();
            if awaited.any(|other| self.location_of_task(Task::There(other)) != own) {
                involved.insert(own);
            }
        }
        involved
    }
}

impl ActorMachine {
    /// Whether a task keeps its location: it stopped at a `get`.
    fn keeps_location(&self, task: u32) -> bool {
        matches!(self.instruction(task), crate::code::Instruction::Get { .. })
    }
}
