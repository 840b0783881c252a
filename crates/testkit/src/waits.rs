//! The analysis of lock order against brute force, for programs in the process notation.

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_machine::Describe;
use mazurka_report::trace;
use mazurka_trace::{FaultKind, Violation};
use mazurka_waits::{Analysis, Blame};

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
    /// Deadlocks of brute force, told apart by who waits where.
    pub deadlocks: usize,
}

/// Analyses a program, and compares with all of its executions, unless there are too many. What the
/// analysis excludes and brute force finds is an error.
pub fn check_lock_order(source: &str, most: u64) -> Result<Option<LockOrder>, String> {
    let image = load("random.mzk", source, &[])?;
    let mut machine = machine(&image);
    let analysis = Analysis::of(machine.skeleton());
    let is_open = |number: &usize| analysis.cycles[*number].discharged.is_none();
    let is_proved = !(0..analysis.cycles.len()).any(|number| is_open(&number))
        && analysis.communications().is_empty()
        && analysis.unknown().is_empty();
    let limits = Limits { executions: Some(most), ..Limits::default() };
    let options = Options { algorithm: Algorithm::None, all: true, limits, ..Options::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    if !outcome.limits.is_empty() {
        return Ok(None);
    }
    let is_deadlock = |violation: &&Violation| violation.fault.kind == FaultKind::Deadlock;
    let mut deadlocks = 0;
    for violation in outcome.violations.iter().filter(is_deadlock) {
        deadlocks += 1;
        if is_proved {
            return Err(format!("it is proved free, and deadlocks: {violation:?}"));
        }
        trace(&mut machine, &violation.schedule).map_err(|_| "the schedule does not fit".to_owned())?;
        let Blame::Locks(waiting) = Blame::of(violation) else { continue };
        let standing: Vec<_> = waiting
            .iter()
            .map(|waiting| (machine.process_name(waiting.process), machine.place(waiting.site)))
            .collect();
        if !analysis.more && !analysis.met_by(&standing).iter().any(is_open) {
            return Err(format!("a deadlock that no open cycle foresees: {standing:?}"));
        }
    }
    let discharged = (0..analysis.cycles.len()).filter(|number| !is_open(number)).count();
    Ok(Some(LockOrder { cycles: analysis.cycles.len(), discharged, is_proved, deadlocks }))
}
