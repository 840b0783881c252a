//! The analysis of lock order against an exploration of all schedules.

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Settings};
use mazurka_machine::{Describe, Machine, Place};
use mazurka_report::trace;
use mazurka_trace::{FaultKind, Schedule, Violation, Waiting};
use mazurka_waits::{Analysis, Blame, Circles, Skeleton};

use crate::c::Compiled;
use crate::load::{load, machine};

/// What became of the cycles of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockOrder {
    /// How many there are.
    pub cycles: usize,
    /// How many of them were discharged.
    pub discharged: usize,
    /// Nothing is left open.
    pub is_proved: bool,
    /// The standstills and circles that were found, told apart by who waits where.
    pub deadlocks: usize,
}

/// Analyses a program of the process notation, and compares with all of its executions, unless
/// there are too many. What the analysis excludes and brute force finds is an error.
pub fn check_lock_order(source: &str, most: u64) -> Result<Option<LockOrder>, String> {
    let image = load("random.mzk", source, &[])?;
    let machine = machine(&image);
    let skeleton = machine.skeleton();
    compare_lock_order(machine, skeleton, Algorithm::None, most)
}

/// The same for a C program, with one execution of each trace.
pub fn check_c_lock_order(compiled: &Compiled, number: usize, most: u64) -> Result<Option<LockOrder>, String> {
    let image = compiled.image(number, &Settings { data_races: false, ..Settings::default() })?;
    let machine = CMachine::new(image);
    let skeleton = machine.skeleton();
    compare_lock_order(machine, skeleton, Algorithm::Optimal, most)
}

/// Compares what the analysis says of a skeleton with what an exploration of the program finds:
/// standstills, and circles of locks and joins wherever executions end.
pub fn compare_lock_order<M: Machine + Describe>(
    machine: M,
    skeleton: Skeleton,
    algorithm: Algorithm,
    most: u64,
) -> Result<Option<LockOrder>, String> {
    let analysis = Analysis::of(skeleton);
    let is_open = |number: &usize| analysis.cycles[*number].discharged.is_none();
    let is_proved = !(0..analysis.cycles.len()).any(|number| is_open(&number))
        && analysis.communications().is_empty()
        && analysis.unknown().is_empty();
    let limits = Limits { executions: Some(most), ..Limits::default() };
    let options = Options { algorithm, all: true, limits, ..Options::default() };
    let mut machine = Circles::new(Box::new(machine));
    let outcome = explore(&mut machine, &options, &Monitor::default());
    if !outcome.limits.is_empty() {
        return Ok(None);
    }
    let (circles, _) = machine.take();
    let kinds = [FaultKind::Deadlock, FaultKind::Livelock];
    let is_deadlock = |violation: &&Violation| kinds.contains(&violation.fault.kind);
    let standstills: Vec<&Violation> = outcome.violations.iter().filter(is_deadlock).collect();
    if is_proved && standstills.len() + circles.len() > 0 {
        return Err(format!("it is proved free, and deadlocks: {standstills:?} {circles:?}"));
    }
    let of_standstills = standstills.iter().filter_map(|&violation| match Blame::of(violation) {
        Blame::Locks(waiting) => Some((waiting.into_iter().cloned().collect(), &violation.schedule)),
        Blame::Everybody(_) => None,
    });
    let of_circles = circles.iter().map(|circle| (circle.waiting.clone(), &circle.schedule));
    let found: Vec<(Vec<Waiting>, &Schedule)> = of_standstills.chain(of_circles).collect();
    for (waiting, schedule) in found {
        trace(&mut machine, schedule).map_err(|_| "the schedule does not fit".to_owned())?;
        let standing: Vec<_> = waiting.iter().map(|waiting| stand(&machine, waiting)).collect();
        let is_known = !analysis.more && analysis.unknown().is_empty();
        if is_known && !analysis.met_by(&standing).iter().any(is_open) {
            return Err(format!("a deadlock that no open cycle foresees: {standing:?}"));
        }
    }
    let discharged = (0..analysis.cycles.len()).filter(|number| !is_open(number)).count();
    let deadlocks = standstills.len() + circles.len();
    Ok(Some(LockOrder { cycles: analysis.cycles.len(), discharged, is_proved, deadlocks }))
}

/// Who waits, and where in the program's own code.
fn stand<M: Describe>(machine: &M, waiting: &Waiting) -> (String, Place) {
    let place = machine.standing(waiting.process).unwrap_or_else(|| machine.place(waiting.site));
    (machine.process_name(waiting.process), place)
}
