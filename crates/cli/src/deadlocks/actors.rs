//! Actors: the analysis of futures and objects, and the exploration that it guides.

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, CycleKind, Guide, Settings as Precision};
use mazurka_actor::{ActorMachine, Image};
use mazurka_explore::{Limits, Monitor, Options, explore_guided};
use mazurka_machine::{Describe, Machine, Run};
use mazurka_report::{Timeline, trace};
use mazurka_trace::{Event, FaultKind, Outcome, ProcessId, Schedule, Scheduled};

use super::{Answered, Cycle, Deadlocks, Explored, MAX_INSTRUCTIONS, Witness, args, limit_names};

/// An execution that shows a circle is run on to its end, for so many steps.
const MOST_STEPS: usize = 100_000;

/// What a proof does not speak of.
const UNCOVERED: &[&str] = &[
    "tasks that wait for a condition that nobody makes true",
    "executions that do not end",
    "tasks that an exception ended",
];

/// The analysis of a program of actors.
pub(super) fn analyse(arguments: &Deadlocks, image: &Arc<Image>) -> (Analysis, Answered) {
    let precision = Precision { sensitivity: arguments.sensitivity, parallel: !arguments.no_mhp };
    let analysis = Analysis::of(image, &precision);
    let cycle = |cycle: &mazurka_actor::deadlock::Cycle| Cycle {
        kind: kind_name(cycle.kind),
        steps: analysis.steps(cycle),
        discharged: cycle.discharged.clone(),
    };
    let answered = Answered {
        cycles: analysis.cycles.iter().map(cycle).collect(),
        more: analysis.more,
        undecided: Vec::new(),
        uncovered: UNCOVERED.iter().map(|&words| words.to_owned()).collect(),
        dot: analysis.dot(),
    };
    (analysis, answered)
}

fn kind_name(kind: CycleKind) -> &'static str {
    match kind {
        CycleKind::Deadlock => "deadlock",
        CycleKind::AwaitCycle => "await-cycle",
    }
}

/// Confirms or refutes the cycles.
pub(super) fn explore(arguments: &Deadlocks, analysis: &Analysis, image: &Arc<Image>, monitor: &Monitor) -> Explored {
    let mut machine = ActorMachine::new(Arc::clone(image));
    machine.set_fuel(MAX_INSTRUCTIONS);
    let limits = Limits { timeout: arguments.timeout, ..Limits::default() };
    let options = Options { all: true, limits, ..Options::default() };
    let mut guide = Guide::new(analysis, arguments.goal.into(), arguments.guide.into(), arguments.max_states);
    let outcome = explore_guided(&mut machine, &mut guide, &options, monitor);
    let Guide { confirmed, unforeseen, states, pruned, deadlocks, is_full, .. } = guide;
    let mut limits = limit_names(&outcome);
    limits.extend(is_full.then_some("max-states"));
    limits.extend(ends_early(&outcome).then_some("halted"));
    // The first deadlock says nothing of other cycles.
    let is_complete = limits.is_empty() && !(arguments.goal == args::Goal::First && deadlocks > 0);
    let stuck = stuck(&machine, &outcome);
    let shown = confirmed.iter().map(|witness| {
        let witness = witness.as_ref()?;
        show(&mut machine, &witness.schedule)
    });
    let shown = shown.collect();
    let witness = |witness: mazurka_actor::deadlock::Witness| {
        let mazurka_actor::deadlock::Witness { lines, schedule, states, .. } = witness;
        Witness { lines, schedule, states: Some(states) }
    };
    Explored {
        outcome,
        confirmed: confirmed.into_iter().map(|found| found.map(witness)).collect(),
        unforeseen: unforeseen.into_iter().map(witness).collect(),
        others: Vec::new(),
        states,
        pruned,
        deadlocks,
        shown,
        limits,
        is_complete,
        stuck,
        failures: Vec::new(),
        unit: "state",
    }
}

/// Some execution was ended by a failure: what would have come after is not known.
fn ends_early(outcome: &Outcome) -> bool {
    let halts = [FaultKind::StackOverflow, FaultKind::Unmodelled, FaultKind::Misuse];
    outcome.violations.iter().any(|violation| halts.contains(&violation.fault.kind))
}

/// The tasks that wait in final states in which nobody waits in a circle.
fn stuck(machine: &ActorMachine, outcome: &Outcome) -> Vec<String> {
    let is_stuck = |kind: FaultKind| kind == FaultKind::Stuck;
    let waiting = outcome.violations.iter().filter(|violation| is_stuck(violation.fault.kind));
    let name = |process: ProcessId| machine.process_name(process);
    let mut names: Vec<String> =
        waiting.flat_map(|violation| &violation.waiting).map(|waiting| name(waiting.process)).collect();
    names.sort();
    names.dedup();
    names
}

/// The execution of a circle, run on until nobody can move.
fn show(machine: &mut ActorMachine, schedule: &Schedule) -> Option<Timeline> {
    let schedule = run_on(machine, schedule);
    trace(machine, &schedule).ok()
}

fn run_on(machine: &mut ActorMachine, schedule: &Schedule) -> Schedule {
    machine.restart();
    let mut event = Event::default();
    for step in schedule {
        machine.step(step.process, &step.choices, &mut event);
    }
    let mut schedule = schedule.clone();
    while schedule.len() < MOST_STEPS {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let Some(process) = live.into_iter().find(|&process| machine.is_enabled(process)) else { break };
        machine.step(process, &[], &mut event);
        let choices = event.choices.iter().map(|choice| choice.value).collect();
        schedule.push(Scheduled { process, choices });
    }
    machine.rewind(0);
    schedule
}
