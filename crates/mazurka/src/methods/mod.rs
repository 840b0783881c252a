//! Tests of methods: inputs that are not decided, paths, and what each comes to.
//!
//! # Method
//! The machine for actors executes a context symbolically (`ActorMachine::execute_symbolically`);
//! the explorer runs it as any other program. Each path that comes to its end gives values for the
//! inputs and a schedule. With these, the concrete machine runs the program once more. What it
//! comes to is compared with what the path says, and what it covers is noted. A path whose run
//! says something else is a [`Mismatch`]: a bug of ours.
//!
//! # Guarantee
//! Every test has been run. What a bound or a limit left out is in [`Explored::reached`]; where
//! that is empty, each execution from any values of the inputs is an instance of a path.

mod oracle;
mod run;
mod select;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mazurka_actor::{ActorMachine, Bounds, Ended, Image, ObjectChoice, Path, Situation, Summary, TaskChoice};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_trace::Limit;

use crate::constraints::Solving;
use oracle::SolverOracle;

pub use run::{Mismatch, Ran, run};
pub use select::{Criterion, Missed, Selection, select};

/// How a context is explored.
#[derive(Clone, Debug)]
pub struct Exploring {
    /// How far paths are followed.
    pub bounds: Bounds,
    /// Which tasks of an object move.
    pub tasks: TaskChoice,
    /// Which objects move.
    pub objects: ObjectChoice,
    /// Steps of a path.
    pub depth: usize,
    /// How many paths are kept.
    pub paths: u64,
    /// For how long.
    pub timeout: Option<Duration>,
    /// The solver; none where a look has to do.
    pub solver: Option<Solving>,
    /// How many instructions a step may run.
    pub fuel: u64,
}

impl Default for Exploring {
    fn default() -> Self {
        Exploring {
            bounds: Bounds::default(),
            tasks: TaskChoice::All,
            objects: ObjectChoice::All,
            depth: 200,
            paths: 10_000,
            timeout: None,
            solver: Some(Solving::default()),
            fuel: 10_000_000,
        }
    }
}

/// A path with its test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The path.
    pub path: Path,
    /// What the concrete machine came to. None where nobody knows values for the inputs.
    pub ran: Option<Ran>,
}

impl Tested {
    /// How it ends, as it was run.
    pub fn summary(&self) -> &Summary {
        self.ran.as_ref().map_or(&self.path.summary, |ran| &ran.summary)
    }

    /// Whether it is a test: there are values, and they were run.
    pub fn is_test(&self) -> bool {
        self.ran.is_some()
    }
}

/// What came of a context.
#[derive(Debug, Default)]
pub struct Explored {
    /// The paths that have come to their end, in the order of exploration.
    pub tested: Vec<Tested>,
    /// Which bounds and limits were reached, and what was cut, how often.
    pub reached: BTreeMap<String, u64>,
    /// Paths whose run said something else.
    pub mismatches: Vec<Mismatch>,
}

impl Explored {
    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.reached.is_empty()
    }

    /// The first test that ends so.
    pub fn first(&self, is_wanted: impl Fn(Ended) -> bool) -> Option<&Tested> {
        self.tested.iter().filter(|tested| tested.is_test()).find(|tested| is_wanted(tested.summary().ended))
    }
}

/// Explores all paths from a context.
pub fn explore_context(image: &Image, context: &Situation, exploring: &Exploring, monitor: &Monitor) -> Explored {
    let mut machine = ActorMachine::new(Arc::new(image.begun_keeping(context)));
    machine.set_fuel(exploring.fuel);
    machine.restrict(exploring.objects, exploring.tasks);
    let oracle = exploring.solver.as_ref().map(|solving| {
        let oracle = SolverOracle::new(solving, &monitor.cancel);
        Arc::new(Mutex::new(oracle)) as Arc<Mutex<dyn mazurka_actor::Oracle>>
    });
    machine.execute_symbolically(context, exploring.bounds.clone(), oracle);
    let restricts = exploring.objects != ObjectChoice::All || exploring.tasks != TaskChoice::All;
    let limits = Limits {
        timeout: exploring.timeout,
        executions: Some(exploring.paths),
        depth: exploring.depth,
        ..Limits::default()
    };
    let options = Options { algorithm: Algorithm::UNREDUCED, all: true, limits, ..Options::default() };
    let outcome = explore(&mut machine, &options, monitor);
    let (paths, cut) = machine.take_paths();
    let mut explored = Explored::default();
    explored.reached.extend(cut.into_iter().map(|(what, often)| (what.to_owned(), often)));
    for limit in &outcome.limits {
        if let Some(name) = name_of(*limit, explored.reached.is_empty()) {
            explored.reached.insert(name.to_owned(), 1);
        }
    }
    if restricts {
        explored.reached.insert("schedules (--tasks, --objects-order)".to_owned(), 1);
    }
    for path in paths {
        if path.summary.ended == Ended::Halted {
            *explored.reached.entry("steps that stop the machine".to_owned()).or_insert(0) += 1;
        }
        let ran = path.situation.as_ref().map(|situation| run(image, situation, &path.schedule, exploring.fuel));
        match ran {
            None => {
                *explored.reached.entry("paths without values".to_owned()).or_insert(0) += 1;
                explored.tested.push(Tested { path, ran: None });
            }
            Some(Ok(ran)) if run::agree(&path.summary, &ran.summary) => {
                explored.tested.push(Tested { path, ran: Some(ran) });
            }
            Some(Ok(ran)) => explored.mismatches.push(Mismatch::Otherwise(Box::new(path), Box::new(ran.summary))),
            Some(Err(why)) => explored.mismatches.push(Mismatch::Stops(Box::new(path), why)),
        }
    }
    explored
}

/// A limit of the exploration in words. Cut paths look as steps that ran too long.
fn name_of(limit: Limit, is_unexplained: bool) -> Option<&'static str> {
    Some(match limit {
        Limit::Timeout => "timeout",
        Limit::Executions => "max-paths",
        Limit::Depth => "max-depth",
        Limit::Interrupted => "interrupted",
        Limit::Fuel if !is_unexplained => return None,
        Limit::Fuel => "instructions of a step",
        Limit::Choices | Limit::Switches | Limit::DataRaces | Limit::Sampled => return None,
    })
}
