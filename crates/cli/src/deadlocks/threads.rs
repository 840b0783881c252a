//! Threads with locks: the analysis of lock order, and an exploration of all schedules that
//! confirms or refutes what it left.

use mazurka::{Task, Watcher, watched};
use mazurka_explore::{Limits, Monitor, Options, explore, explore_hunting};
use mazurka_machine::{Describe, Machine, Place};
use mazurka_report::trace;
use mazurka_trace::{FaultKind, Outcome, Violation, Waiting};
use mazurka_waits::{Analysis, Blame, CycleKind};

use super::{Answered, Cycle, Deadlocks, Explored, Witness, args, limit_names};
use crate::progress;

/// What the random numbers of the first search come from.
const SEED: u64 = 1;

/// What the analysis says.
pub(super) fn answered(analysis: &Analysis) -> Answered {
    let cycle = |cycle: &mazurka_waits::Cycle| Cycle {
        kind: match cycle.kind {
            CycleKind::Circle => "deadlock",
            CycleKind::Kept => "kept",
        },
        steps: analysis.steps(cycle),
        discharged: cycle.discharged.clone(),
    };
    let mut undecided = analysis.communications();
    undecided.extend(analysis.unknown());
    let mut uncovered = vec!["executions that do not end".to_owned()];
    uncovered.extend(analysis.assumed().iter().cloned());
    Answered {
        cycles: analysis.cycles.iter().map(cycle).collect(),
        more: analysis.more,
        undecided,
        uncovered,
        dot: analysis.dot(),
    }
}

/// The exploration, whatever the kind of program.
pub(super) struct Exploration<'a> {
    pub(super) arguments: &'a Deadlocks,
    pub(super) analysis: &'a Analysis,
    pub(super) monitor: &'a Monitor,
}

impl Task for Exploration<'_> {
    type Output = Explored;

    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Explored {
        let Exploration { arguments, analysis, monitor } = self;
        let mut machine = make();
        let limits = Limits { timeout: arguments.timeout, executions: arguments.max_states, ..Limits::default() };
        let first = Options { limits: limits.clone(), ..Options::default() };
        let mut display = progress::wanted(arguments.progress, arguments.output.format);
        // The first failure is found fast, or shown not to be there.
        let watcher = display.as_mut().map(|display| display as &mut dyn Watcher);
        let hunting = || explore_hunting(&mut machine, &make, SEED, &first, monitor);
        let mut outcome = watched(watcher, &first, monitor, &make, hunting);
        let is_enough = arguments.goal == args::Goal::First && outcome.violations.iter().any(is_deadlock);
        let stopped = !outcome.violations.is_empty();
        if stopped && !is_enough {
            let left = limits.timeout.map(|limit| limit.saturating_sub(outcome.time));
            let options = Options { all: true, limits: Limits { timeout: left, ..limits }, ..first };
            let time = outcome.time;
            let watcher = display.as_mut().map(|display| display as &mut dyn Watcher);
            outcome = watched(watcher, &options, monitor, &make, || explore(&mut machine, &options, monitor));
            outcome.time += time;
        }
        let is_complete = outcome.limits.is_empty() && !(stopped && is_enough);
        self::explored(analysis, &mut machine, outcome, is_complete)
    }
}

fn is_deadlock(violation: &Violation) -> bool {
    violation.fault.kind == FaultKind::Deadlock
}

/// What the deadlocks of an exploration say of the cycles.
fn explored<M: Machine + Describe>(
    analysis: &Analysis,
    machine: &mut M,
    outcome: Outcome,
    is_complete: bool,
) -> Explored {
    let mut confirmed: Vec<Option<Witness>> = vec![None; analysis.cycles.len()];
    let mut shown: Vec<_> = confirmed.iter().map(|_| None).collect();
    let (mut unforeseen, mut others) = (Vec::new(), Vec::new());
    let mut deadlocks = 0;
    for violation in outcome.violations.iter().filter(|violation| is_deadlock(violation)) {
        deadlocks += violation.executions;
        // The names of what waits are those of the state at its end.
        let timeline = trace(machine, &violation.schedule).ok();
        let blame = Blame::of(violation);
        let lines = lines(machine, blame.waiting());
        let witness = Witness { lines, schedule: violation.schedule.clone(), states: None };
        let standing = standing(machine, blame.waiting());
        let met = analysis.met_by(&standing);
        for &number in &met {
            if confirmed[number].is_none() {
                confirmed[number] = Some(witness.clone());
                shown[number] = timeline.clone();
            }
        }
        let is_foreseen = matches!(blame, Blame::Everybody(_)) || analysis.more || !analysis.unknown().is_empty();
        if met.is_empty() && !is_foreseen {
            unforeseen.push(witness);
        } else if met.is_empty() {
            others.push((witness, timeline));
        }
    }
    let limits = limit_names(&outcome);
    let failures = failures(machine, &outcome);
    Explored {
        states: outcome.executions,
        pruned: 0,
        outcome,
        confirmed,
        unforeseen,
        others,
        deadlocks,
        shown,
        limits,
        is_complete,
        stuck: Vec::new(),
        failures,
        searched: Vec::new(),
        unit: "execution",
    }
}

/// The failures that are no deadlocks, each once.
fn failures<M: Describe>(machine: &M, outcome: &Outcome) -> Vec<String> {
    let others = outcome.violations.iter().filter(|violation| !is_deadlock(violation));
    let sentence = |violation: &Violation| {
        let Place { file, line, .. } = machine.fault_place(&violation.fault);
        format!("{} ({file}:{line})", machine.fault_text(&violation.fault))
    };
    let mut failures: Vec<String> = others.map(sentence).collect();
    failures.sort();
    failures.dedup();
    failures
}

/// Who stands where, in the user's own code.
fn standing<M: Describe>(machine: &M, circle: &[&Waiting]) -> Vec<(String, Place)> {
    let place = |waiting: &Waiting| machine.standing(waiting.process).unwrap_or_else(|| machine.place(waiting.site));
    circle.iter().map(|waiting| (machine.process_name(waiting.process), place(waiting))).collect()
}

/// A circle in words.
fn lines<M: Describe>(machine: &M, circle: &[&Waiting]) -> Vec<String> {
    let line = |waiting: &&Waiting| {
        let name = machine.process_name(waiting.process);
        let place = machine.place(waiting.site);
        let what: Vec<String> =
            waiting.locations.iter().map(|&location| format!("`{}`", machine.location_name(location))).collect();
        let holder = waiting.holder.map(|holder| format!(", held by {}", machine.process_name(holder)));
        let what = if what.is_empty() { format!("`{}`", place.text) } else { what.join(", ") };
        format!("{name} waits at line {} for {what}{}", place.line, holder.unwrap_or_default())
    };
    circle.iter().map(line).collect()
}
