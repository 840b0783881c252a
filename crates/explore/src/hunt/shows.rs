//! Whether a step, a state or a schedule shows a violation that is known.

use mazurka_machine::Machine;
use mazurka_trace::{Ending, Event, Fault, FaultKind, ProcessId, Schedule, Violation};

use super::bounded::can_go_on;

/// Whether a step showed the violation.
pub(crate) fn shows(faults: &[Fault], violation: &Violation) -> bool {
    let wanted = &violation.fault;
    faults.iter().any(|f| (f.kind, f.site, f.process) == (wanted.kind, wanted.site, wanted.process))
}

/// Whether the machine's state shows the violation, if it is a data race.
pub(crate) fn races<M: Machine>(machine: &mut M, violation: &Violation) -> bool {
    if violation.fault.kind != FaultKind::DataRace {
        return false;
    }
    let (one, live) = (violation.fault.process, machine.live().iter().collect::<Vec<_>>());
    let is_it = |other| machine.data_race(one, other).is_some_and(|fault| fault == violation.fault);
    live.contains(&one) && live.into_iter().filter(|&other| other != one).any(is_it)
}

/// Whether the machine's state, in which nobody can move, shows the violation.
pub(crate) fn end_shows<M: Machine>(machine: &mut M, violation: &Violation) -> bool {
    if violation.fault.kind.is_standstill() {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let waiting = live.into_iter().map(|process| (process, machine.pending(process), machine.holder(process)));
        return waiting.eq(violation.waiting.iter().map(|waiting| (waiting.process, waiting.site, waiting.holder)));
    }
    let (steps, mut event) = (machine.steps(), Event::default());
    if !machine.live().is_empty() || !machine.conclude(&mut event) {
        return false;
    }
    let shown = shows(&event.faults, violation);
    machine.rewind(steps);
    shown
}

/// Whether the schedule can be run and its last step, or the state after it, shows the violation.
pub(crate) fn shows_at_end<M: Machine>(machine: &mut M, violation: &Violation, schedule: &Schedule) -> bool {
    machine.restart();
    let mut event = Event::default();
    for (at, step) in schedule.iter().enumerate() {
        let fits =
            machine.at_local().is_none_or(|at_local| at_local == step.process) && can_go_on(machine, step.process);
        if !fits {
            return false;
        }
        machine.step(step.process, &step.choices, &mut event);
        if !event.choices.iter().map(|choice| choice.value).eq(step.choices.iter().copied()) {
            return false;
        }
        if shows(&event.faults, violation) {
            return at + 1 == schedule.len();
        }
        if event.ending != Ending::Continues {
            return false;
        }
    }
    if races(machine, violation) {
        return true;
    }
    let live: Vec<ProcessId> = machine.live().iter().collect();
    live.into_iter().all(|process| !machine.is_enabled(process)) && end_shows(machine, violation)
}
