//! Looks for a deadlock in a context: executes it with values that are tried out one after the
//! other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mazurka_actor::deadlock::{Analysis, Findings, Goal, Guidance, Guide, Settings, Wanted, Witness};
use mazurka_actor::{ActorMachine, Candidates, Image, Situation};
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
    let candidates = match Candidates::of(image, locations) {
        Ok(candidates) => candidates,
        Err(untried) => return Found::Unknown(format!("values of {} are not tried out", untried.what)),
    };
    let (started, mut tried) = (Instant::now(), 0);
    for situation in candidates {
        let left = patience.time.saturating_sub(started.elapsed());
        if tried == patience.situations || left.is_zero() || patience.is_cancelled() {
            return Found::Unknown(format!("no deadlock with the values that were tried out ({tried} times)"));
        }
        tried += 1;
        if let Some(found) = execute(image, &situation, left, patience.cancel) {
            return Found::Deadlock(found);
        }
    }
    Found::Unknown(format!("no deadlock with any of the values that are tried out ({tried} times)"))
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
