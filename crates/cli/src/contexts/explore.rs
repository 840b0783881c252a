//! Looks for a deadlock in a context: executes it with values that are tried out one after the
//! other, and then symbolically, with values that are decided where the program asks for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mazurka::constraints::Solving;
use mazurka::methods::{Exploring, explore_context};
use mazurka_actor::deadlock::{Analysis, Findings, Goal, Guidance, Guide, Settings, Wanted, Witness};
use mazurka_actor::{ActorMachine, Bounds, Candidates, Ended, Image, Situation};
use mazurka_explore::{Limits, Monitor, Options, Reduction, explore_guided};
use mazurka_report::trace;

/// A deadlock that was executed.
pub(super) struct Deadlock {
    /// The context with values.
    pub(super) situation: String,
    /// Each wait, in a line.
    pub(super) lines: Vec<String>,
    /// Who moves, in order.
    pub(super) schedule: Vec<String>,
}

/// What came of a context.
pub(super) enum Found {
    Deadlock(Deadlock),
    /// All paths were explored, and none has one.
    Free,
    /// None was found: why that is not the last word.
    Unknown(String),
}

/// How long to look.
pub(super) struct Patience<'a> {
    pub(super) situations: usize,
    pub(super) time: Duration,
    pub(super) cancel: &'a Arc<AtomicBool>,
}

impl Patience<'_> {
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Looks for a deadlock in a context: for each location its class and the methods of its tasks.
pub(super) fn look(image: &Image, locations: &[(u32, Vec<u32>)], patience: &Patience<'_>) -> Found {
    let started = Instant::now();
    let mut why = match Candidates::of(image, locations) {
        Err(untried) => format!("values of {} are not tried out", untried.what),
        Ok(candidates) => {
            let mut tried = 0;
            // Half of the time is for the other way.
            for situation in candidates {
                let left = (patience.time / 2).saturating_sub(started.elapsed());
                if tried == patience.situations || left.is_zero() || patience.is_cancelled() {
                    break;
                }
                tried += 1;
                if let Some(found) = execute(image, &situation, left, patience.cancel) {
                    return Found::Deadlock(found);
                }
            }
            format!("no deadlock with the values that were tried out ({tried} times)")
        }
    };
    let left = patience.time.saturating_sub(started.elapsed());
    match decide(image, locations, left, patience.cancel) {
        Ok(found) => found,
        Err(reached) => {
            why.push_str(", nor on the paths that were explored; not all were: ");
            why.push_str(&reached);
            Found::Unknown(why)
        }
    }
}

/// Executes a context symbolically. Where nothing is known, which bounds were reached.
fn decide(
    image: &Image,
    locations: &[(u32, Vec<u32>)],
    time: Duration,
    cancel: &Arc<AtomicBool>,
) -> Result<Found, String> {
    let bounds = Bounds { null: true, ..Bounds::default() };
    let (solver, named_by) = crate::solver::solver(None);
    let solver = Some(Solving { solver, named_by, ..Solving::default() });
    let exploring = Exploring { bounds, timeout: Some(time), solver, ..Exploring::default() };
    let mut monitor = Monitor::default();
    monitor.cancel = Arc::clone(cancel);
    let explored = explore_context(image, &Situation::free(image, locations), &exploring, &monitor);
    let found = explored.first(|ended| matches!(ended, Ended::Deadlock | Ended::AwaitCycle));
    if let Some(tested) = found
        && let Some(situation) = &tested.path.situation
    {
        let waiting = &tested.summary().waiting;
        return Ok(Found::Deadlock(Deadlock {
            situation: situation.text(image),
            lines: waiting.iter().map(|(task, place)| format!("{task} waits at {place}")).collect(),
            schedule: tested.path.schedule.iter().skip(1).map(|(task, _)| task.clone()).collect(),
        }));
    }
    match explored.is_complete() && explored.mismatches.is_empty() {
        true => Ok(Found::Free),
        false => Err(explored.reached.into_keys().collect::<Vec<String>>().join(", ")),
    }
}

fn execute(image: &Image, situation: &Situation, time: Duration, cancel: &Arc<AtomicBool>) -> Option<Deadlock> {
    let begun = Arc::new(image.begun_with(situation));
    let analysis = Analysis::of(&begun, &Settings::default());
    if analysis.cycles.iter().all(|cycle| cycle.discharged.is_some()) {
        return None;
    }
    let mut machine = ActorMachine::new(Arc::clone(&begun));
    let limits = Limits { timeout: Some(time), ..Limits::default() };
    let options = Options { all: true, limits, ..Options::default() };
    let wanted = Wanted { goal: Goal::First, guidance: Guidance::Rooted, stops_at_deadlocks: false };
    let mut guide = Guide::new(&analysis, wanted, None);
    let mut monitor = Monitor::default();
    monitor.cancel = Arc::clone(cancel);
    explore_guided(&mut machine, &mut guide, Reduction::Persistent, &options, &monitor);
    let Findings { confirmed, unforeseen, .. } = guide.findings;
    let Witness { lines, schedule, .. } = confirmed.into_iter().flatten().chain(unforeseen).next()?;
    let timeline = trace(&mut machine, &schedule).ok()?;
    let steps = timeline.steps.iter().filter(|step| step.column.is_some());
    let schedule = steps.map(|step| step.process.clone()).collect();
    Some(Deadlock { situation: situation.text(image), lines, schedule })
}
