//! Static analysis of deadlocks: can a circle of waits ever close?
//!
//! # Paper
//! Flores-Montoya, Albert, Genaim, *May-happen-in-parallel based deadlock analysis for concurrent
//! objects*, FORTE 2013; may-happen-in-parallel after FORTE 2012, must-have-finished after
//! SAS 2015.
//! The rules are our own formulation.
//!
//! # Guarantee
//! If some schedule, with any data, leads to a circle of waits, then one of the cycles that are not
//! discharged is part of it. So without such a cycle the program is free of deadlocks. Not covered:
//! tasks that wait for a condition that nobody makes true, and executions that do not end.
//!
//! # Names
//! abstract location → `ObjectId` of the object that it was made for; abstract
//! task → `TaskId`; *D* → `Edge`s; MHP → `parallel`.
//!
//! # Deviations
//! 1. It runs on the lowered code: control flow is explicit there, nothing recurses, and points are
//!    the places where the machine stops.
//! 2. Calls are told apart by where they stand, and each has a latest task and older ones, instead
//!    of multisets of variables.
//! 3. A wait for a future that is known to be finished never stops: it is no edge.
//!
//! # Cost
//! Points-to runs each method as often as its inputs grow. May-happen-in-parallel needs a set of
//! places for each place.
//!
//! # Tests
//! `tests/deadlocks.rs`; crate `testkit`, `tests/deadlocks.rs`, against brute force.

mod calls;
mod chain;
mod feasible;
mod findings;
mod flow;
mod graph;
mod guide;
mod interfere;
mod names;
mod paper;
mod parallel;
mod points;
mod refute;
mod single;
mod slice;
mod values;
mod world;

pub use chain::Found;
pub use findings::{Findings, Witness};
pub use guide::{Goal, Guidance, Guide, Wanted};
pub use interfere::Interfering;
pub use paper::{PaperGuide, Searched};
pub use refute::{Refuter, Waiting};

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::code::Image;
use crate::fixpoint::meets;
use crate::machine::{Signature, TaskKind, Wait};
use calls::summaries;
use feasible::Judge;
use flow::Flow;
use graph::{Edge, Node};
pub use mazurka_waits::Step;
use mazurka_waits::{Successors, cycles};
use names::Names;
use paper::Called;
use parallel::Parallel;
use single::Single;
use world::{TaskId, World};

/// So many cycles are looked at.
pub const MOST_CYCLES: usize = 10_000;

/// How precise to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many makers tell objects apart.
    pub sensitivity: usize,
    /// Discharge cycles whose waits cannot happen at the same time.
    pub parallel: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { sensitivity: 1, parallel: true }
    }
}

/// What a cycle would be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CycleKind {
    /// Somebody keeps a location.
    Deadlock,
    /// Awaits alone.
    AwaitCycle,
}

/// An abstract cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// What it would be.
    pub kind: CycleKind,
    /// Its edges, by number.
    edges: Vec<usize>,
    /// Why it cannot happen, if the analysis knows that.
    pub discharged: Option<String>,
}

/// What the analysis says of a program.
pub struct Analysis {
    world: World,
    names: Names,
    edges: Vec<Edge>,
    called: Called,
    /// The cycles, those with a location first.
    pub cycles: Vec<Cycle>,
    /// There are more than [`MOST_CYCLES`]: then there is one for each component of the graph.
    pub more: bool,
    /// For each cycle, the methods of which an initial context for it has tasks. Empty if the
    /// program begins with its main block.
    pub initial: Vec<Vec<Interfering>>,
    /// Decides which cycles a context excludes, if the program does not begin with its main block.
    pub refuter: Option<Refuter>,
}

impl Analysis {
    /// Analyses a program.
    pub fn of(image: &Arc<Image>, settings: &Settings) -> Self {
        let flow = Flow::of(image, settings.sensitivity);
        let summaries = summaries(&flow);
        let single = Single::of(&flow, &summaries);
        let edges = graph::edges(&flow, &summaries, &single);
        let names = Names::of(image, &flow.world);
        let (found, more) = abstract_cycles(&edges, flow.shares_futures);
        let parallel = settings.parallel.then(|| Parallel::of(&flow, &summaries));
        // Where not all cycles are known, none can be left out.
        let judge = parallel.as_ref().filter(|_| !more).map(|parallel| Judge {
            flow: &flow,
            summaries: &summaries,
            parallel,
            single: &single,
            names: &names,
        });
        let mut cycles: Vec<Cycle> = found
            .into_iter()
            .map(|(kind, cycle)| {
                let all: Vec<&Edge> = cycle.iter().map(|&edge| &edges[edge]).collect();
                let discharged = judge.as_ref().and_then(|judge| judge.discharge(&all));
                Cycle { kind, edges: cycle, discharged }
            })
            .collect();
        cycles.sort_by_key(|cycle| (cycle.kind, cycle.discharged.is_some()));
        let called = Called::of(flow.calls, flow.within);
        Analysis { world: flow.world, names, edges, called, cycles, more, initial: Vec::new(), refuter: None }
    }

    /// Analyses the methods of a program: any number of tasks of each can be there at the
    /// beginning, with any fields and arguments.
    ///
    /// Nothing is discharged, since all tasks can be there at the same time. `coarse` takes more
    /// tasks into the contexts than are needed, as the paper does.
    pub fn of_methods(image: &Arc<Image>, settings: &Settings, coarse: bool) -> Self {
        let flow = Flow::of_methods(image, settings.sensitivity);
        let summaries = summaries(&flow);
        let edges = graph::edges(&flow, &summaries, &Single::of(&flow, &summaries));
        let names = Names::of(image, &flow.world);
        let (found, more) = abstract_cycles(&edges, flow.shares_futures);
        let mut cycles: Vec<Cycle> =
            found.into_iter().map(|(kind, edges)| Cycle { kind, edges, discharged: None }).collect();
        cycles.sort_by_key(|cycle| cycle.kind);
        let of = |cycle: &Cycle| {
            let all: Vec<&Edge> = cycle.edges.iter().map(|&edge| &edges[edge]).collect();
            interfere::interfering(&flow, &all, coarse)
        };
        let initial = cycles.iter().map(of).collect();
        let waits = cycles.iter().map(|cycle| {
            let all: Vec<&Edge> = cycle.edges.iter().map(|&edge| &edges[edge]).collect();
            refute::waits(&flow, &all)
        });
        // Where not all cycles are known, nothing is refuted.
        let refuter = (!more).then(|| Refuter::of(&flow, waits.collect()));
        let called = Called::of(flow.calls, flow.within);
        Analysis { world: flow.world, names, edges, called, cycles, more, initial, refuter }
    }

    /// The edges of a cycle.
    pub fn steps(&self, cycle: &Cycle) -> Vec<Step> {
        cycle.edges.iter().map(|&edge| self.step(&self.edges[edge])).collect()
    }

    fn step(&self, edge: &Edge) -> Step {
        let kind = match edge.wait {
            Wait::Get => "get",
            Wait::Await => "await",
            Wait::Lock => "lock",
        };
        Step {
            from: self.names.node(edge.from).to_owned(),
            to: self.names.node(edge.to).to_owned(),
            point: self.names.place(edge.points[0].pc),
            task: self.names.task(edge.task).to_owned(),
            kind,
            text: self.names.edge(edge),
        }
    }

    /// The method of a task, and where its object is made.
    fn kind_of(&self, task: TaskId) -> TaskKind {
        let task = self.world.tasks[task.index()];
        (task.body, self.world.objects[task.object.index()].sites.first().copied())
    }

    /// The waits of each cycle, as far as they can be told apart in a state.
    fn signatures(&self) -> Vec<Vec<Signature>> {
        let kind = |task: TaskId| self.kind_of(task);
        let signature = |&edge: &usize| {
            let edge = &self.edges[edge];
            let pc = edge.points[0].pc;
            match (edge.from, edge.to) {
                (Node::Location(_), Node::Task(to)) => Signature::Blocked(pc, kind(edge.task), kind(to)),
                (_, Node::Task(to)) => Signature::Waits(pc, kind(edge.task), kind(to)),
                (_, Node::Location(_)) => Signature::Lock(kind(edge.task)),
            }
        };
        self.cycles.iter().map(|cycle| cycle.edges.iter().map(signature).collect()).collect()
    }

    /// The instructions of the program to which more than one way leads.
    fn meets(&self) -> Vec<bool> {
        meets(self.names.image())
    }

    /// The dependency graph, for Graphviz. What is part of a cycle that can happen is bold.
    pub fn dot(&self) -> String {
        let open: Vec<usize> = self
            .cycles
            .iter()
            .filter(|cycle| cycle.discharged.is_none())
            .flat_map(|cycle| cycle.edges.clone())
            .collect();
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut dot = String::from("digraph waits {\n  node [fontname=\"monospace\"];\n");
        let numbers = numbers(&self.edges);
        for (node, number) in &numbers {
            let shape = if matches!(node, Node::Location(_)) { "box" } else { "ellipse" };
            let label = escaped(self.names.node(*node));
            let _ = writeln!(dot, "  n{number} [shape={shape}, label=\"{label}\"];");
        }
        for (number, edge) in self.edges.iter().enumerate() {
            let label = match edge.wait {
                Wait::Lock => String::new(),
                Wait::Get | Wait::Await => self.names.line(edge.points[0].pc),
            };
            let style = if open.contains(&number) { ", style=bold" } else { "" };
            let (from, to) = (numbers[&edge.from], numbers[&edge.to]);
            let _ = writeln!(dot, "  n{from} -> n{to} [label=\"{}\"{style}];", escaped(&label));
        }
        dot.push_str("}\n");
        dot
    }
}

/// The nodes of the graph.
fn numbers(edges: &[Edge]) -> BTreeMap<Node, usize> {
    let mut numbers: BTreeMap<Node, usize> = edges.iter().flat_map(|edge| [(edge.from, 0), (edge.to, 0)]).collect();
    numbers.values_mut().enumerate().for_each(|(next, number)| *number = next);
    numbers
}

/// The cycles of the graph, and whether there are more. Without futures that are kept or handed on,
/// awaits alone make no circle.
fn abstract_cycles(edges: &[Edge], shares_futures: bool) -> (Vec<(CycleKind, Vec<usize>)>, bool) {
    let numbers = numbers(edges);
    let mut successors: Successors = vec![Vec::new(); numbers.len()];
    for (number, edge) in edges.iter().enumerate() {
        successors[numbers[&edge.from]].push((number, numbers[&edge.to]));
    }
    let found = cycles(&successors, MOST_CYCLES);
    let kind = |cycle: &Vec<usize>| {
        let has_location = cycle.iter().any(|&edge| matches!(edges[edge].from, Node::Location(_)));
        if has_location { CycleKind::Deadlock } else { CycleKind::AwaitCycle }
    };
    let all = found.all.into_iter().map(|cycle| (kind(&cycle), cycle));
    // One cycle of a component stands for all others of it, whatever they are.
    let is_kept = |kind: CycleKind| shares_futures || found.more || kind == CycleKind::Deadlock;
    (all.filter(|(kind, _)| is_kept(*kind)).collect(), found.more)
}
