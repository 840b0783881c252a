//! Who may wait for whom, and the circles that can close.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use mazurka_machine::Place;

use crate::condense::condensed;
use crate::cycles::{Successors, cycles};
use crate::held::{Awaited, Behaviour, Hold, Wait};
use crate::mutation::{self, Mutation};
use crate::overlap::can_overlap;
use crate::skeleton::{LockId, PlaceId, Skeleton, ThreadId};

/// So many cycles are looked at.
const MOST_CYCLES: usize = 10_000;

/// So many cycles of a lock with which a thread ends are told apart by who waits where.
const MOST_KEPT: usize = 1_000;

/// So many combinations of states are tried to show that a cycle can close.
const MOST_COMBINATIONS: usize = 4_096;

/// What a cycle would be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CycleKind {
    /// A circle of threads, each of which waits for the next.
    Circle,
    /// A thread waits for a lock that another one had when it ended.
    Kept,
}

/// A cycle of waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// What it would be.
    pub kind: CycleKind,
    /// Its edges, by number.
    edges: Vec<usize>,
    /// The thread that ended with the lock, and where it took that.
    keeper: Option<(ThreadId, PlaceId)>,
    /// Why it cannot happen, if the analysis knows that.
    pub discharged: Option<String>,
}

/// An edge of a cycle, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who waits, or what is held by who waits.
    pub from: String,
    /// For whom, or for what.
    pub to: String,
    /// Where.
    pub point: Place,
    /// Who stands there.
    pub task: String,
    /// What kind of wait: `get`, `await`, `lock`, `join`.
    pub kind: &'static str,
    /// All of it, but for whom.
    pub text: String,
}

/// What is held, if it is a lock, and the wait.
type Stand = (Option<Hold>, Wait);

/// A thread that holds one thing, or is waited for itself, while it waits for another, at one
/// place; in some states.
#[derive(Clone, Debug)]
struct Edge {
    thread: ThreadId,
    from: Awaited,
    to: Awaited,
    place: PlaceId,
    states: Vec<Stand>,
}

/// What the analysis says of a program.
#[derive(Clone, Debug)]
pub struct Analysis {
    skeleton: Skeleton,
    behaviour: Behaviour,
    edges: Vec<Edge>,
    /// The cycles, open ones first.
    pub cycles: Vec<Cycle>,
    /// There are too many: then there is one for each component of the graph.
    pub more: bool,
}

impl Analysis {
    /// Analyses a program.
    pub fn of(skeleton: Skeleton) -> Self {
        let bodies = skeleton.bodies.iter().map(condensed).collect();
        let skeleton = Skeleton { bodies, ..skeleton };
        let behaviour = Behaviour::of(&skeleton);
        let edges = edges(&behaviour);
        let mut analysis = Analysis { skeleton, behaviour, edges, cycles: Vec::new(), more: false };
        analysis.find_cycles();
        analysis
    }

    fn find_cycles(&mut self) {
        let numbers = self.numbers();
        let mut successors: Successors = vec![Vec::new(); numbers.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            successors[numbers[&edge.from]].push((number, numbers[&edge.to]));
        }
        let found = cycles(&successors, MOST_CYCLES);
        self.more = found.more;
        let circles = found.all.into_iter().filter_map(|edges| {
            // Where not all cycles are known, none can be left out.
            let discharged = if self.more { None } else { self.examine(&edges)? };
            Some(Cycle { kind: CycleKind::Circle, edges, keeper: None, discharged })
        });
        let mut cycles: Vec<Cycle> = circles.collect();
        let mut kept = self.kept();
        if kept.len() > MOST_KEPT {
            self.more = true;
            let mut known = BTreeSet::new();
            kept.retain(|cycle| {
                let keeper = cycle.keeper.map(|(keeper, _)| keeper);
                known.insert((keeper, cycle.edges.first().map(|&edge| self.edges[edge].to)))
            });
        }
        cycles.extend(kept);
        cycles.sort_by_key(|cycle| (cycle.discharged.is_some(), cycle.kind));
        self.cycles = cycles;
    }

    /// Threads that wait for a lock that another one had when it ended.
    fn kept(&self) -> Vec<Cycle> {
        let mut cycles = Vec::new();
        if mutation::on(Mutation::KeptForgotten) {
            return cycles;
        }
        for &(keeper, lock, since) in &self.behaviour.kept {
            for (number, edge) in self.edges.iter().enumerate() {
                let other = edge.thread != keeper || self.behaviour.many.contains(&keeper);
                if edge.to == Awaited::Lock(lock) && edge.from == Awaited::Thread(edge.thread) && other {
                    let keeper = Some((keeper, since));
                    cycles.push(Cycle { kind: CycleKind::Kept, edges: vec![number], keeper, discharged: None });
                }
            }
        }
        cycles
    }

    /// Whether the edges make a cycle at all, and, if they do, why it cannot happen, or nothing
    /// where it can.
    fn examine(&self, cycle: &[usize]) -> Option<Option<String>> {
        let edges: Vec<&Edge> = cycle.iter().map(|&edge| &self.edges[edge]).collect();
        for (at, one) in edges.iter().enumerate() {
            let again = edges[..at].iter().any(|other| other.thread == one.thread);
            if again && !self.behaviour.many.contains(&one.thread) {
                return None;
            }
        }
        // All combinations of the states in which the threads can stand there.
        let mut chosen = vec![0; edges.len()];
        let (mut is_cycle, mut reason) = (false, None);
        for _ in 0..MOST_COMBINATIONS {
            let states: Vec<&Stand> = edges.iter().zip(&chosen).map(|(edge, &state)| &edge.states[state]).collect();
            if self.waits_for_writers(&states) {
                is_cycle = true;
                match self.excluded(&states) {
                    None => return Some(None),
                    Some(why) => reason = Some(why),
                }
            }
            let Some(raised) = (0..edges.len()).find(|&at| chosen[at] + 1 < edges[at].states.len()) else {
                return is_cycle.then_some(reason);
            };
            chosen[raised] += 1;
            chosen[..raised].fill(0);
        }
        Some(None)
    }

    /// Whether at each lock of a circle one of both sides, who holds it and who waits for it,
    /// writes. Readers of a lock that stands for several are not told apart.
    fn waits_for_writers(&self, states: &[&Stand]) -> bool {
        let next = states.iter().cycle().skip(1);
        states.iter().zip(next).all(|((_, wait), (hold, _))| match (wait.awaited, hold) {
            (Awaited::Lock(lock), Some(hold)) => {
                !((wait.is_shared && hold.is_shared || mutation::on(Mutation::WritersShare))
                    && self.skeleton.lock(lock).is_one)
            }
            _ => true,
        })
    }

    /// Why the threads cannot all stand there at the same time, if that is so.
    fn excluded(&self, states: &[&Stand]) -> Option<String> {
        for (at, (_, one)) in states.iter().enumerate() {
            for (_, other) in &states[..at] {
                if let Some(gate) = self.gate(one, other) {
                    let [one, other] = [one, other].map(|wait| &self.skeleton.thread(wait.thread).name);
                    let gate = &self.skeleton.lock(gate).name;
                    return Some(format!("`{other}` and `{one}` both hold `{gate}` there"));
                }
                if !can_overlap(&self.skeleton, &self.behaviour, one, other) {
                    let [one, other] = [one, other].map(|wait| &self.skeleton.thread(wait.thread).name);
                    return Some(format!("`{other}` and `{one}` do not stand there at the same time"));
                }
            }
        }
        None
    }

    /// A lock that two threads both hold surely, one of them not as a reader.
    fn gate(&self, one: &Wait, other: &Wait) -> Option<LockId> {
        let sure = |wait: &Wait| wait.held.iter().filter(|hold| hold.is_sure).copied().collect::<Vec<_>>();
        let others = sure(other);
        let excludes =
            |hold: &Hold| others.iter().any(|other| other.lock == hold.lock && !(other.is_shared && hold.is_shared));
        sure(one).into_iter().find(excludes).map(|hold| hold.lock)
    }

    /// The nodes of the graph.
    fn numbers(&self) -> BTreeMap<Awaited, usize> {
        let mut numbers: BTreeMap<Awaited, usize> =
            self.edges.iter().flat_map(|edge| [(edge.from, 0), (edge.to, 0)]).collect();
        numbers.values_mut().enumerate().for_each(|(next, number)| *number = next);
        numbers
    }

    /// The edges of a cycle.
    pub fn steps(&self, cycle: &Cycle) -> Vec<Step> {
        cycle.edges.iter().map(|&edge| self.step(&self.edges[edge], cycle.keeper)).collect()
    }

    /// Whether each lock of a cycle is one concrete lock.
    pub(crate) fn is_exact(&self, cycle: &Cycle) -> bool {
        let mut locks = cycle.edges.iter().map(|&edge| self.edges[edge].to);
        locks.all(|lock| !matches!(lock, Awaited::Lock(lock) if !self.skeleton.lock(lock).is_one))
    }

    /// The places at which the threads of a cycle stand.
    pub fn places(&self, cycle: &Cycle) -> Vec<&Place> {
        cycle.edges.iter().map(|&edge| self.place(self.edges[edge].place)).collect()
    }

    fn step(&self, edge: &Edge, keeper: Option<(ThreadId, PlaceId)>) -> Step {
        let thread = &self.skeleton.thread(edge.thread).name;
        let point = self.place(edge.place).clone();
        let (from, to) = (self.name(edge.from), self.name(edge.to));
        let line = self.skeleton.line(edge.place);
        let since = edge.states.iter().find_map(|(hold, _)| hold.map(|hold| self.skeleton.line(hold.since)));
        let mut text = match since {
            Some(since) => format!("{thread} holds {from} since {since}, and waits at {line} for"),
            None => format!("{thread} waits at {line} for"),
        };
        if let Some((keeper, since)) = keeper {
            let keeper = &self.skeleton.thread(keeper).name;
            let since = self.skeleton.line(since);
            text = format!("{keeper} ends with {to}, taken at {since}; {text}");
        }
        let kind = match edge.to {
            Awaited::Lock(_) => "lock",
            Awaited::Thread(_) => "join",
        };
        Step { from, to, point, task: thread.clone(), kind, text }
    }

    fn place(&self, place: PlaceId) -> &Place {
        &self.skeleton.places[place.index()]
    }

    fn name(&self, awaited: Awaited) -> String {
        match awaited {
            Awaited::Lock(lock) => format!("`{}`", self.skeleton.lock(lock).name),
            Awaited::Thread(thread) => format!("the end of {}", self.skeleton.thread(thread).name),
        }
    }

    /// Where threads wait for a communication, of which nothing is proved: in sentences.
    pub fn communications(&self) -> Vec<String> {
        let sentence = |(thread, place, what, holds): &(ThreadId, PlaceId, String, bool)| {
            let thread = &self.skeleton.thread(*thread).name;
            let with = if *holds { ", with a lock" } else { "" };
            format!("{thread} waits at {} for {what}{with}", self.skeleton.line(*place))
        };
        let sentences: BTreeSet<String> = self.behaviour.communications.iter().map(sentence).collect();
        sentences.into_iter().collect()
    }

    /// What is not covered, because it is not part of the program.
    pub fn assumed(&self) -> &[String] {
        &self.skeleton.assumed
    }

    /// Why nothing can be proved, if that is so.
    pub fn unknown(&self) -> Vec<String> {
        let mut reasons = self.skeleton.unknown.clone();
        reasons.extend(self.behaviour.is_unfinished.then(|| "there are too many states of locks".to_owned()));
        reasons
    }

    /// The graph of waits, for Graphviz. What is part of a cycle that can happen is bold.
    pub fn dot(&self) -> String {
        let open = self.cycles.iter().filter(|cycle| cycle.discharged.is_none());
        let open: BTreeSet<usize> = open.flat_map(|cycle| cycle.edges.iter().copied()).collect();
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut dot = String::from("digraph waits {\n  node [fontname=\"monospace\"];\n");
        let numbers = self.numbers();
        for (&node, number) in &numbers {
            let shape = if matches!(node, Awaited::Lock(_)) { "box" } else { "ellipse" };
            let _ = writeln!(dot, "  n{number} [shape={shape}, label=\"{}\"];", escaped(&self.name(node)));
        }
        for (number, edge) in self.edges.iter().enumerate() {
            let label = format!("{}, line {}", self.skeleton.thread(edge.thread).name, self.place(edge.place).line);
            let style = if open.contains(&number) { ", style=bold" } else { "" };
            let (from, to) = (numbers[&edge.from], numbers[&edge.to]);
            let _ = writeln!(dot, "  n{from} -> n{to} [label=\"{}\"{style}];", escaped(&label));
        }
        dot.push_str("}\n");
        dot
    }
}

/// From everything that a waiting thread holds, and from itself, to what it waits for.
fn edges(behaviour: &Behaviour) -> Vec<Edge> {
    let mut edges: BTreeMap<(ThreadId, Awaited, Awaited, PlaceId), Vec<Stand>> = BTreeMap::new();
    for wait in &behaviour.waits {
        let own = (Awaited::Thread(wait.thread), None);
        let held = wait.held.iter().map(|hold| (Awaited::Lock(hold.lock), Some(*hold)));
        for (from, hold) in held.chain([own]) {
            edges.entry((wait.thread, from, wait.awaited, wait.place)).or_default().push((hold, wait.clone()));
        }
    }
    let edge = |((thread, from, to, place), states)| Edge { thread, from, to, place, states };
    edges.into_iter().map(edge).collect()
}
