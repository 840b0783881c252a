//! `mazurka deadlocks`: the analysis, then an exploration that confirms or refutes what it left.

mod args;
mod human;
mod json;

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka_actor::ActorMachine;
use mazurka_actor::deadlock::{Analysis, Cycle, CycleKind, Guide, Settings as Precision, Witness};
use mazurka_explore::{Limits, Monitor, Options, explore_guided};
use mazurka_machine::{Machine, Run};
use mazurka_report::{Timeline, trace};
use mazurka_trace::{Event, FaultKind, Limit, Outcome, ProcessId, Schedule, Scheduled};

pub(crate) use args::{Deadlocks, HELP};

use crate::actor::ActorSettings;
use crate::args::Format;
use crate::check::schedule;
use crate::diagnostics::{self, Refusal};
use crate::frontend::{Program, Settings};
use crate::interrupt;
use crate::load::{Loaded, load};
use crate::status::Status;
use crate::terminal::{self, Terminal};
use crate::trace_file::{self, Saved};

/// A step may run so many instructions.
const MAX_INSTRUCTIONS: u64 = 10_000_000;

/// An execution that shows a circle is run on to its end, for so many steps.
const MOST_STEPS: usize = 100_000;

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Free,
    Deadlock,
    Unknown,
}

/// What has become of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CycleStatus {
    Discharged,
    Confirmed,
    Refuted,
    Unknown,
}

/// What was found, ready to be shown.
struct Answer {
    analysis: Analysis,
    analysis_time: Duration,
    /// What the exploration found, if there was one.
    explored: Option<Explored>,
    verdict: Verdict,
    /// For each cycle of the analysis.
    statuses: Vec<CycleStatus>,
}

/// What an exploration found.
struct Explored {
    outcome: Outcome,
    confirmed: Vec<Option<Witness>>,
    unforeseen: Vec<Witness>,
    states: u64,
    pruned: u64,
    deadlocks: u64,
    /// The execution of each cycle that was confirmed.
    shown: Vec<Option<Timeline>>,
    limits: Vec<&'static str>,
    /// Every cycle that was not confirmed is refuted.
    is_complete: bool,
    /// Tasks that are stuck for other reasons than a circle, in some final state.
    stuck: Vec<String>,
}

impl Answer {
    fn count(&self, status: CycleStatus) -> usize {
        self.statuses.iter().filter(|&&other| other == status).count()
    }

    fn cycles(&self) -> impl Iterator<Item = (usize, &Cycle, CycleStatus)> {
        self.analysis.cycles.iter().zip(&self.statuses).enumerate().map(|(number, (cycle, &of))| (number, cycle, of))
    }

    fn witness(&self, cycle: usize) -> Option<&Witness> {
        self.explored.as_ref()?.confirmed[cycle].as_ref()
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Deadlocks) -> Result<Status, Refusal> {
    let settings = Settings {
        defines: arguments.defines.clone(),
        max_instructions: MAX_INSTRUCTIONS,
        actor: ActorSettings::of_program(arguments.dialect, arguments.main.clone()),
        ..Settings::default()
    };
    let loaded = load(&arguments.programs, &settings)?;
    let Program::Actor { image, .. } = &loaded.program else {
        return Err(Refusal::with_help(
            format!("`{}` is no program of actors", loaded.path),
            "`mazurka deadlocks` reads `.abs` files; `mazurka check` finds the deadlocks of this one",
        ));
    };
    let monitor = Arc::new(Monitor::default());
    interrupt::install(&monitor.cancel);
    let started = Instant::now();
    let precision = Precision { sensitivity: arguments.sensitivity, parallel: !arguments.no_mhp };
    let analysis = Analysis::of(image, &precision);
    let analysis_time = started.elapsed();
    let is_open = analysis.cycles.iter().any(|cycle| cycle.discharged.is_none());
    let explored = (is_open && !arguments.is_static).then(|| {
        let mut machine = ActorMachine::new(Arc::clone(image));
        machine.set_fuel(MAX_INSTRUCTIONS);
        explore(arguments, &analysis, &mut machine, &monitor)
    });
    let answer = judge(analysis, analysis_time, explored);
    if let Some(path) = &arguments.dot {
        write(path, &answer.analysis.dot())?;
    }
    let saved = save(arguments, &loaded, &settings, &answer);
    print(arguments, &loaded, &answer)?;
    if let Err(refusal) = saved {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    Ok(status(&answer))
}

fn status(answer: &Answer) -> Status {
    let wrong = answer.explored.as_ref().is_some_and(|explored| !explored.unforeseen.is_empty());
    match answer.verdict {
        // A deadlock that the analysis excludes is a bug of ours, and found all the same.
        _ if wrong && cfg!(debug_assertions) && !answer.analysis.more => Status::Bug,
        Verdict::Free => Status::Verified,
        Verdict::Deadlock => Status::Violation,
        Verdict::Unknown => Status::Incomplete,
    }
}

fn explore(arguments: &Deadlocks, analysis: &Analysis, machine: &mut ActorMachine, monitor: &Monitor) -> Explored {
    let limits = Limits { timeout: arguments.timeout, ..Limits::default() };
    let options = Options { all: true, limits, ..Options::default() };
    let mut guide = Guide::new(analysis, arguments.goal.into(), arguments.guide.into(), arguments.max_states);
    let outcome = explore_guided(machine, &mut guide, &options, monitor);
    let Guide { confirmed, unforeseen, states, pruned, deadlocks, is_full, .. } = guide;
    let mut limits: Vec<&'static str> = outcome.limits.iter().map(|&limit| crate::json::limit_name(limit)).collect();
    limits.extend(is_full.then_some("max-states"));
    limits.extend(ends_early(&outcome).then_some("halted"));
    // The first deadlock says nothing of other cycles.
    let is_complete = limits.is_empty() && !(arguments.goal == args::Goal::First && deadlocks > 0);
    let stuck = stuck(machine, &outcome);
    let shown = confirmed.iter().map(|witness| witness.as_ref().and_then(|witness| show(machine, witness))).collect();
    Explored { outcome, confirmed, unforeseen, states, pruned, deadlocks, shown, limits, is_complete, stuck }
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
    let mut names: Vec<String> =
        waiting.flat_map(|violation| &violation.waiting).map(|waiting| name(machine, waiting.process)).collect();
    names.sort();
    names.dedup();
    names
}

fn name(machine: &ActorMachine, process: ProcessId) -> String {
    use mazurka_machine::Describe;
    machine.process_name(process)
}

/// The execution of a circle, run on until nobody can move.
fn show(machine: &mut ActorMachine, witness: &Witness) -> Option<Timeline> {
    let schedule = run_on(machine, &witness.schedule);
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

/// What the analysis and the exploration amount to.
fn judge(analysis: Analysis, analysis_time: Duration, explored: Option<Explored>) -> Answer {
    let is_complete = explored.as_ref().is_some_and(|explored| explored.is_complete);
    let stopped = explored.as_ref().is_some_and(|explored| explored.deadlocks > 0);
    let status = |number: usize, cycle: &Cycle| match &explored {
        Some(explored) if explored.confirmed[number].is_some() => CycleStatus::Confirmed,
        _ if cycle.discharged.is_some() => CycleStatus::Discharged,
        Some(_) if is_complete => CycleStatus::Refuted,
        _ => CycleStatus::Unknown,
    };
    let statuses: Vec<CycleStatus> =
        analysis.cycles.iter().enumerate().map(|(number, cycle)| status(number, cycle)).collect();
    let verdict = if stopped {
        Verdict::Deadlock
    } else if statuses.contains(&CycleStatus::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Free
    };
    Answer { analysis, analysis_time, explored, verdict, statuses }
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text).map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display())))
}

/// Writes a trace file for each cycle that was confirmed.
fn save(arguments: &Deadlocks, loaded: &Loaded, settings: &Settings, answer: &Answer) -> Result<(), Refusal> {
    let (Some(folder), Some(explored)) = (&arguments.save_trace, &answer.explored) else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .map_err(|error| Refusal::new(format!("cannot make `{}`: {error}", folder.display())))?;
    for (number, timeline) in explored.shown.iter().enumerate() {
        let Some(timeline) = timeline else { continue };
        let traces = timeline.failure.iter().map(|failure| (failure, schedule(timeline)));
        trace_file::write(&trace_path(folder, number), &Saved::new(loaded, settings, traces))?;
    }
    Ok(())
}

fn trace_path(folder: &std::path::Path, cycle: usize) -> std::path::PathBuf {
    folder.join(format!("cycle-{}.json", cycle + 1))
}

fn print(arguments: &Deadlocks, loaded: &Loaded, answer: &Answer) -> Result<(), Refusal> {
    let text = match arguments.output.format {
        Format::Json => json::text(loaded, answer),
        Format::Human => {
            let terminal = Terminal::of_stdout(arguments.output.color);
            human::text(arguments, loaded, answer, &terminal).paint(terminal.colour)
        }
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
}

/// What a proof does not speak of.
const UNCOVERED: &[&str] = &[
    "tasks that wait for a condition that nobody makes true",
    "executions that do not end",
    "tasks that an exception ended",
];

fn kind_name(kind: CycleKind) -> &'static str {
    match kind {
        CycleKind::Deadlock => "deadlock",
        CycleKind::AwaitCycle => "await-cycle",
    }
}

/// A limit that was reached because of time, or of Ctrl-C.
fn was_cut(outcome: &Outcome) -> bool {
    outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted))
}
