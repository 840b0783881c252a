//! `mazurka deadlocks`: the analysis, then an exploration that confirms or refutes what it left.

mod actors;
mod aim;
mod args;
mod human;
mod json;
mod threads;

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka::{CSettings, Loaded, Program, Refusal, Saved, Settings, schedule};
use mazurka_actor::deadlock::Searched;
use mazurka_explore::Monitor;
use mazurka_llvm::CMachine;
use mazurka_process::ProcessMachine;
use mazurka_report::{Timeline, diagrams_html};
use mazurka_trace::{Limit, Outcome, Schedule};
use mazurka_waits::{Skeleton, Step};

pub(crate) use args::{Deadlocks, HELP};

use crate::actor::of_program;
use crate::args::Format;
use crate::diagnostics;
use crate::interrupt;
use crate::load::load;
use crate::progress;
use crate::status::Status;
use crate::terminal::{self, Terminal};

/// A step may run so many instructions.
const MAX_INSTRUCTIONS: u64 = 10_000_000;

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

/// A cycle that the analysis found.
struct Cycle {
    kind: &'static str,
    steps: Vec<Step>,
    /// Why it cannot happen, if the analysis knows that.
    discharged: Option<String>,
}

/// What the analysis says.
struct Answered {
    cycles: Vec<Cycle>,
    /// There are more cycles.
    more: bool,
    /// Why it proves nothing, whatever the cycles are: waits that are no matter of cycles.
    undecided: Vec<String>,
    /// What it does not speak of.
    uncovered: Vec<String>,
    /// The graph of waits, for Graphviz.
    dot: String,
}

impl Answered {
    /// Whether there is something to explore.
    fn is_open(&self) -> bool {
        !self.undecided.is_empty() || self.cycles.iter().any(|cycle| cycle.discharged.is_none())
    }
}

/// What was found, ready to be shown.
struct Answer {
    analysis: Answered,
    analysis_time: Duration,
    /// What the exploration found, if there was one.
    explored: Option<Explored>,
    verdict: Verdict,
    /// For each cycle of the analysis.
    statuses: Vec<CycleStatus>,
}

/// A deadlock, with a schedule that leads to it.
#[derive(Clone)]
struct Witness {
    /// Each wait, in a line.
    lines: Vec<String>,
    schedule: Schedule,
    /// After so many states.
    states: Option<u64>,
}

/// What an exploration found.
struct Explored {
    outcome: Outcome,
    confirmed: Vec<Option<Witness>>,
    /// Circles that the analysis excludes.
    unforeseen: Vec<Witness>,
    /// Deadlocks that no cycle of the analysis describes, each with its execution.
    others: Vec<(Witness, Option<Timeline>)>,
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
    /// Failures that are no deadlocks. They end executions: what would come after is not known.
    failures: Vec<String>,
    /// For each cycle, if it had a search of its own: how much of one.
    searched: Vec<Option<Searched>>,
    /// What `states` counts.
    unit: &'static str,
}

impl Answer {
    fn count(&self, status: CycleStatus) -> usize {
        self.statuses.iter().filter(|&&other| other == status).count()
    }

    fn cycles(&self) -> impl Iterator<Item = (usize, &Cycle, CycleStatus)> {
        self.analysis.cycles.iter().zip(&self.statuses).enumerate().map(|(number, (cycle, &of))| (number, cycle, of))
    }

    /// Why a cycle has the status that it has.
    fn reason(&self, cycle: usize, status: CycleStatus) -> Option<String> {
        let explored = self.explored.as_ref();
        let reason = match status {
            CycleStatus::Discharged => self.analysis.cycles[cycle].discharged.as_deref()?,
            CycleStatus::Confirmed => return None,
            CycleStatus::Refuted => "no schedule leads to it",
            CycleStatus::Unknown => match explored {
                None => "nothing was explored",
                Some(explored) if !explored.limits.is_empty() => "a limit was reached",
                Some(_) if self.searched(cycle).is_some_and(Searched::is_matched) => {
                    "the stops of a deadlock meet its constraints, and their circle is another one"
                }
                Some(_) => "nothing is explored after a deadlock",
            },
        };
        Some(reason.to_owned())
    }

    /// The search for one cycle alone, if there was one.
    fn searched(&self, cycle: usize) -> Option<&Searched> {
        self.explored.as_ref()?.searched.get(cycle)?.as_ref()
    }

    fn witness(&self, cycle: usize) -> Option<&Witness> {
        self.explored.as_ref()?.confirmed[cycle].as_ref()
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Deadlocks) -> Result<Status, Refusal> {
    arguments.refuse_contradictions()?;
    let settings = Settings {
        defines: arguments.defines.clone(),
        arguments: arguments.arguments.clone(),
        max_instructions: MAX_INSTRUCTIONS,
        c: CSettings { analysed: arguments.is_static, ..CSettings::from(&arguments.c) },
        actor: of_program(arguments.dialect, arguments.main.clone()),
        network: mazurka::NetworkSettings::default(),
    };
    let loaded = load(&arguments.programs, &settings, arguments.given())?;
    let monitor = Arc::new(Monitor::default());
    interrupt::install(&monitor.cancel);
    let answer = answer(arguments, &loaded, &monitor)?;
    if let Some(path) = &arguments.dot {
        write(path, &answer.analysis.dot)?;
    }
    if let Some(path) = &arguments.html {
        write_page(path, &loaded, &answer)?;
    }
    let saved = save(arguments, &loaded, &answer);
    print(arguments, &loaded, &answer)?;
    if let Err(refusal) = saved {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    Ok(status(&answer))
}

fn answer(arguments: &Deadlocks, loaded: &Loaded, monitor: &Monitor) -> Result<Answer, Refusal> {
    let started = Instant::now();
    match &loaded.program {
        Program::Actor { image, .. } => {
            let (analysis, answered) = actors::analyse(arguments, image);
            let time = started.elapsed();
            let explores = answered.is_open() && !arguments.is_static;
            let explored = explores.then(|| {
                let watch = progress::wanted(arguments.progress, arguments.output.format);
                let work = || actors::explore(arguments, &analysis, image, monitor);
                progress::counting_states(watch, monitor, work)
            });
            Ok(judge(answered, time, explored))
        }
        Program::Network { .. } => Err(Refusal::with_help(
            format!("`{}` is a network: it has no locks", loaded.path),
            "`mazurka sdn` looks for packets that are never answered, too",
        )),
        Program::Process { .. } | Program::C { .. } => {
            arguments.refuse_for_threads()?;
            let analysis = mazurka_waits::Analysis::of(skeleton(&loaded.program));
            let answered = threads::answered(&analysis);
            let time = started.elapsed();
            let explores = answered.is_open() && !arguments.is_static;
            let exploration = threads::Exploration { arguments, analysis: &analysis, monitor };
            let explored = explores.then(|| loaded.program.run(exploration));
            Ok(judge(answered, time, explored))
        }
    }
}

/// What a program of threads does with locks.
fn skeleton(program: &Program) -> Skeleton {
    match program {
        Program::Process { image, .. } => ProcessMachine::new(Arc::clone(image)).skeleton(),
        Program::C { image, .. } => CMachine::new(Arc::clone(image)).skeleton(),
        Program::Actor { .. } | Program::Network { .. } => Skeleton::default(),
    }
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

/// What the analysis and the exploration amount to.
fn judge(analysis: Answered, analysis_time: Duration, explored: Option<Explored>) -> Answer {
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
    } else if statuses.contains(&CycleStatus::Unknown) || (!analysis.undecided.is_empty() && !is_complete) {
        Verdict::Unknown
    } else {
        Verdict::Free
    };
    Answer { analysis, analysis_time, explored, verdict, statuses }
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text).map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display())))
}

/// Draws the execution of each cycle that was confirmed.
fn write_page(path: &std::path::Path, loaded: &Loaded, answer: &Answer) -> Result<(), Refusal> {
    let shown = answer.explored.iter().flat_map(|explored| &explored.shown).enumerate();
    let named = |(number, timeline): (usize, &'_ Option<Timeline>)| {
        Some((Some(format!("cycle {}", number + 1)), timeline.clone()?))
    };
    let diagrams: Vec<(Option<String>, Timeline)> = shown.filter_map(named).collect();
    let diagrams: Vec<(Option<String>, &Timeline)> =
        diagrams.iter().map(|(name, timeline)| (name.clone(), timeline)).collect();
    if diagrams.is_empty() { Ok(()) } else { write(path, &diagrams_html(&loaded.path, &diagrams)) }
}

/// Writes a trace file for each cycle that was confirmed.
fn save(arguments: &Deadlocks, loaded: &Loaded, answer: &Answer) -> Result<(), Refusal> {
    let (Some(folder), Some(explored)) = (&arguments.save_trace, &answer.explored) else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .map_err(|error| Refusal::new(format!("cannot make `{}`: {error}", folder.display())))?;
    let cycles = explored.shown.iter().enumerate().map(|(number, timeline)| (trace_path(folder, number), timeline));
    let others = explored.others.iter().map(|(_, timeline)| timeline).enumerate();
    let others = others.map(|(number, timeline)| (other_path(folder, number), timeline));
    for (path, timeline) in cycles.chain(others) {
        let Some(timeline) = timeline else { continue };
        let traces = timeline.failure.iter().map(|failure| (failure, schedule(timeline)));
        Saved::new(loaded, traces).write(&path)?;
    }
    Ok(())
}

fn trace_path(folder: &std::path::Path, cycle: usize) -> std::path::PathBuf {
    folder.join(format!("cycle-{}.json", cycle + 1))
}

fn other_path(folder: &std::path::Path, standstill: usize) -> std::path::PathBuf {
    folder.join(format!("standstill-{}.json", standstill + 1))
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

/// The limits that were reached.
fn limit_names(outcome: &Outcome) -> Vec<&'static str> {
    outcome.limits.iter().map(|&limit| crate::json::limit_name(limit)).collect()
}

/// A limit that was reached because of time, or of Ctrl-C.
fn was_cut(outcome: &Outcome) -> bool {
    outcome.limits.iter().any(|limit| matches!(limit, Limit::Timeout | Limit::Interrupted))
}
