//! Actors: the analysis of futures and objects, and the exploration that it guides.

use std::sync::Arc;
use std::time::Duration;

use mazurka_actor::deadlock::{
    Analysis, CycleKind, Findings, Goal, Guidance as Guided, Guide, PaperGuide, Searched, Settings as Precision, Wanted,
};
use mazurka_actor::{ActorMachine, Image};
use mazurka_explore::{Limits, Monitor, Options, Reduction as NoReduction, explore_guided};
use mazurka_machine::{Describe, Machine, Run};
use mazurka_report::{Timeline, trace};
use mazurka_trace::{Event, FaultKind, Outcome, ProcessId, Schedule, Scheduled};

use super::args::{Guidance, Reduction};
use super::{Answered, Cycle, Deadlocks, Explored, MAX_INSTRUCTIONS, Witness, limit_names};

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
    let Searches { findings, outcome, searched, is_cut } = match arguments.guide {
        Guidance::Rooted => at_once(arguments, analysis, Guided::Rooted, &mut machine, monitor),
        Guidance::None => at_once(arguments, analysis, Guided::None, &mut machine, monitor),
        Guidance::Paper => by_cycle(arguments, analysis, &mut machine, monitor),
    };
    let Findings { confirmed, unforeseen, states, pruned, deadlocks, is_full, .. } = findings;
    let mut limits = limit_names(&outcome);
    limits.extend(is_full.then_some("max-states"));
    limits.extend(ends_early(&outcome).then_some("halted"));
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
        // The first deadlock says nothing of other cycles, and neither does one that ended its
        // execution: a cycle may close only after it.
        is_complete: limits.is_empty() && !(is_cut && deadlocks > 0),
        limits,
        stuck,
        failures: Vec::new(),
        searched,
        unit: "state",
    }
}

/// What one search for all cycles has found, or one for each.
struct Searches {
    findings: Findings,
    outcome: Outcome,
    /// For each cycle, if it had a search of its own.
    searched: Vec<Option<Searched>>,
    /// Deadlocks ended the search, or their executions.
    is_cut: bool,
}

/// One search for all cycles at once.
fn at_once(
    arguments: &Deadlocks,
    analysis: &Analysis,
    guidance: Guided,
    machine: &mut ActorMachine,
    monitor: &Monitor,
) -> Searches {
    let goal: Goal = arguments.goal.into();
    // Without reductions all orders are seen in which circles can close first.
    let stops_at_deadlocks = arguments.reduction == Reduction::None && goal == Goal::All;
    let wanted = Wanted { goal, guidance, stops_at_deadlocks };
    let mut guide = Guide::new(analysis, wanted, arguments.max_states);
    let options = options(arguments.timeout);
    let outcome = explore_guided(machine, &mut guide, arguments.reduction.into(), &options, monitor);
    let is_cut = stops_at_deadlocks || goal == Goal::First;
    Searches { findings: guide.findings, outcome, searched: Vec::new(), is_cut }
}

/// The paper's searches, one for each cycle that is left.
fn by_cycle(arguments: &Deadlocks, analysis: &Analysis, machine: &mut ActorMachine, monitor: &Monitor) -> Searches {
    let goal: Goal = arguments.goal.into();
    let mut findings = Findings::new(analysis, arguments.max_states);
    let mut searched = vec![None; analysis.cycles.len()];
    let mut outcome = Outcome::default();
    let left = analysis.cycles.iter().enumerate().filter(|(_, cycle)| cycle.discharged.is_none());
    for (number, _) in left {
        let timeout = arguments.timeout.map(|limit| limit.saturating_sub(outcome.time));
        let mut guide = PaperGuide::new(analysis, number, goal, arguments.late, &mut findings);
        let next = explore_guided(machine, &mut guide, NoReduction::None, &options(timeout), monitor);
        searched[number] = Some(guide.searched);
        outcome = joined(outcome, next);
        let is_enough = goal == Goal::First && findings.deadlocks > 0;
        if is_enough || findings.is_full || !outcome.limits.is_empty() {
            break;
        }
    }
    // Each search ends where a deadlock closes, and may miss those that close after it.
    let is_cut = !arguments.late || goal != Goal::All;
    Searches { findings, outcome, searched, is_cut: is_cut || analysis.more }
}

fn options(timeout: Option<Duration>) -> Options {
    Options { all: true, limits: Limits { timeout, ..Limits::default() }, ..Options::default() }
}

/// What two searches amount to.
fn joined(one: Outcome, other: Outcome) -> Outcome {
    let mut violations = one.violations;
    violations.extend(other.violations);
    let mut limits = one.limits;
    limits.extend(other.limits);
    Outcome { time: one.time + other.time, violations, limits, ..other }
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
