//! Threads with locks: the analysis of lock order; executions that aim at the cycles that it left;
//! and an exploration of all schedules, which confirms or refutes the others.

use std::time::{Duration, Instant};

use mazurka::{Task, Watcher, watched};
use mazurka_explore::{Limits, Monitor, Options, explore, explore_hunting};
use mazurka_machine::{Describe, Machine, Place, Run};
use mazurka_report::{Timeline, trace};
use mazurka_trace::{FaultKind, Limit, Outcome, ProcessId, SiteId, Violation, Waiting};
use mazurka_waits::{Analysis, Blame, Circle, Circles, CycleKind};

use super::aim::{Aim, Effort};
use super::{Answered, Cycle, Deadlocks, Explored, Witness, args, limit_names};
use crate::progress;

/// What the random numbers come from.
const SEED: u64 = 1;

/// How much is tried before anything is explored.
const FIRST_EFFORT: Effort = Effort { executions: 300, steps: 50_000 };

/// After so many executions, more is tried before the exploration goes on to its end.
const FIRST_EXECUTIONS: u64 = 20_000;

/// How much that is.
const FURTHER_EFFORT: Effort = Effort { executions: 20_000, steps: 2_000_000 };

/// Aiming takes no more than one part in so many of the time.
const SHARE: u32 = 10;

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

/// The outcome of an exploration, and its failures that are no deadlocks.
type Found = (Outcome, Vec<String>);

impl Task for Exploration<'_> {
    type Output = Explored;

    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Explored {
        let make = || Circles::new(Box::new(make()));
        let started = Instant::now();
        let mut evidence = Evidence::of(self.analysis);
        let mut aim = Aim::new(self.analysis, SEED);
        self.aim(&make, &mut aim, FIRST_EFFORT, &mut evidence);
        let mut found = None;
        for most in [Some(FIRST_EXECUTIONS), None] {
            if self.is_enough(&evidence) {
                break;
            }
            let (outcome, failures) = self.explore(&make, most, started, &mut evidence);
            let is_cut = outcome.limits == [Limit::Executions] && outcome.executions < self.most();
            found = Some((outcome, failures));
            if !is_cut {
                break;
            }
            self.aim(&make, &mut aim, FURTHER_EFFORT, &mut evidence);
        }
        evidence.into_explored(found, aim.executions, started.elapsed())
    }
}

impl Exploration<'_> {
    fn most(&self) -> u64 {
        self.arguments.max_states.unwrap_or(u64::MAX)
    }

    fn left(&self, started: Instant) -> Option<Duration> {
        self.arguments.timeout.map(|limit| limit.saturating_sub(started.elapsed()))
    }

    /// Whether all is known that was asked for.
    fn is_enough(&self, evidence: &Evidence<'_>) -> bool {
        match self.arguments.goal {
            args::Goal::First => evidence.deadlocks > 0,
            args::Goal::All => false,
            args::Goal::Cycle => {
                let is_decided = self.analysis.communications().is_empty() && self.analysis.unknown().is_empty();
                evidence.deadlocks > 0 && is_decided && !self.analysis.more && evidence.open().is_empty()
            }
        }
    }

    /// Aims at the cycles that are neither excluded nor confirmed.
    fn aim<'m>(&self, make: &dyn Fn() -> Circles<'m>, aim: &mut Aim<'_>, effort: Effort, evidence: &mut Evidence<'_>) {
        if evidence.open().is_empty() {
            return;
        }
        let mut machine = make();
        // Nothing is refuted here, so nothing has to be assumed of the program.
        machine.assume_nothing();
        let started = Instant::now();
        let limit = self.arguments.timeout.map(|limit| limit / SHARE);
        let is_over = || self.monitor.is_due() || limit.is_some_and(|limit| started.elapsed() > limit);
        let is_first = self.arguments.goal == args::Goal::First;
        let wanted = |machine: &mut Circles<'_>| {
            let (circles, _) = machine.take();
            evidence.deadlocks = evidence.deadlocks.max(u64::from(!circles.is_empty()));
            evidence.add_circles(machine, circles);
            if is_first && evidence.deadlocks > 0 { Vec::new() } else { evidence.open() }
        };
        aim.take(&mut machine, effort, wanted, is_over);
    }

    /// Explores so many executions at most.
    fn explore<'m>(
        &self,
        make: &(impl Fn() -> Circles<'m> + Sync),
        most: Option<u64>,
        started: Instant,
        evidence: &mut Evidence<'_>,
    ) -> Found {
        let Exploration { arguments, monitor, .. } = self;
        let most = most.map_or(arguments.max_states, |most| Some(most.min(self.most())));
        let limits = || Limits { timeout: self.left(started), executions: most, ..Limits::default() };
        let mut machine = make();
        let first = Options { limits: limits(), ..Options::default() };
        let mut display = progress::wanted(arguments.progress, arguments.output.format);
        // The first failure is found fast, or shown not to be there.
        let watcher = display.as_mut().map(|display| display as &mut dyn Watcher);
        let hunting = || explore_hunting(&mut machine, make, SEED, &first, monitor);
        let mut outcome = watched(watcher, &first, monitor, make, hunting);
        evidence.add(&mut machine, &outcome);
        let stopped = !outcome.violations.is_empty();
        if stopped && !self.is_enough(evidence) {
            let options = Options { all: true, limits: limits(), ..first };
            let watcher = display.as_mut().map(|display| display as &mut dyn Watcher);
            outcome = watched(watcher, &options, monitor, make, || explore(&mut machine, &options, monitor));
            evidence.add(&mut machine, &outcome);
            evidence.is_complete = outcome.limits.is_empty();
        } else {
            evidence.is_complete = outcome.limits.is_empty() && !stopped;
        }
        let failures = failures(&mut machine, &outcome);
        (outcome, failures)
    }
}

/// Nobody can move: they wait, or go round in loops that look for a change.
fn is_deadlock(violation: &Violation) -> bool {
    matches!(violation.fault.kind, FaultKind::Deadlock | FaultKind::Livelock)
}

/// Who stands where: what circles are told apart by.
type Standing = Vec<(String, Place)>;

/// What was found so far.
struct Evidence<'a> {
    analysis: &'a Analysis,
    confirmed: Vec<Option<Witness>>,
    shown: Vec<Option<Timeline>>,
    unforeseen: Vec<(Standing, Witness)>,
    others: Vec<(Standing, Witness, Option<Timeline>)>,
    deadlocks: u64,
    is_complete: bool,
}

impl<'a> Evidence<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let confirmed: Vec<Option<Witness>> = vec![None; analysis.cycles.len()];
        let shown = confirmed.iter().map(|_| None).collect();
        let (unforeseen, others) = (Vec::new(), Vec::new());
        Evidence { analysis, confirmed, shown, unforeseen, others, deadlocks: 0, is_complete: false }
    }

    /// The cycles that are neither excluded nor confirmed.
    fn open(&self) -> Vec<usize> {
        let is_open =
            |&number: &usize| self.analysis.cycles[number].discharged.is_none() && self.confirmed[number].is_none();
        (0..self.confirmed.len()).filter(is_open).collect()
    }

    /// Enters what an exploration found.
    fn add(&mut self, machine: &mut Circles<'_>, outcome: &Outcome) {
        let (circles, otherwise) = machine.take();
        let of_circles: Vec<Vec<(ProcessId, SiteId)>> = circles.iter().map(|circle| stand(&circle.waiting)).collect();
        self.add_circles(machine, circles);
        let mut deadlocks = otherwise;
        for violation in outcome.violations.iter().filter(|violation| is_deadlock(violation)) {
            deadlocks += violation.executions.max(1);
            let all = stand(&violation.waiting);
            if !of_circles.iter().any(|circle| circle.iter().all(|one| all.contains(one))) {
                self.add_standstill(machine, violation);
            }
        }
        self.deadlocks = self.deadlocks.max(deadlocks);
    }

    fn add_circles(&mut self, machine: &mut Circles<'_>, circles: Vec<Circle>) {
        for Circle { waiting, schedule } in circles {
            // The names of what waits are those of the state at its end.
            let timeline = trace(machine, &schedule).ok();
            let waiting: Vec<&Waiting> = waiting.iter().collect();
            let witness = Witness { lines: lines(machine, &waiting), schedule, states: None };
            let standing = standing(machine, &waiting);
            let met = self.analysis.met_by(&standing);
            self.confirm(&met, &witness, timeline.as_ref());
            let is_foreseen = self.analysis.more || !self.analysis.unknown().is_empty();
            if !met.is_empty() {
                continue;
            }
            if is_foreseen && !self.others.iter().any(|(known, ..)| *known == standing) {
                self.others.push((standing, witness, timeline));
            } else if !is_foreseen && !self.unforeseen.iter().any(|(known, _)| *known == standing) {
                self.unforeseen.push((standing, witness));
            }
        }
    }

    /// A deadlock in which nobody waits in a circle.
    fn add_standstill(&mut self, machine: &mut Circles<'_>, violation: &Violation) {
        let timeline = trace(machine, &violation.schedule).ok();
        let blame = Blame::of(violation);
        let lines = lines(machine, blame.waiting());
        let witness = Witness { lines, schedule: violation.schedule.clone(), states: None };
        let standing = standing(machine, blame.waiting());
        let met = match &blame {
            Blame::Locks(_) => self.analysis.met_by(&standing),
            Blame::Everybody(waiting) => self.met_within(machine, waiting, &standing),
        };
        self.confirm(&met, &witness, timeline.as_ref());
        if met.is_empty() && !self.others.iter().any(|(known, ..)| *known == standing) {
            self.others.push((standing, witness, timeline));
        }
    }

    /// Who keeps a thread waiting is not always known: who does something once is not.
    fn met_within(&self, machine: &mut Circles<'_>, waiting: &[&Waiting], standing: &Standing) -> Vec<usize> {
        let keepers: Vec<Vec<ProcessId>> = waiting.iter().map(|one| machine.keepers(one.process)).collect();
        let may_wait_for =
            |one: usize, other: usize| keepers[one].is_empty() || keepers[one].contains(&waiting[other].process);
        self.analysis.met_within(standing, may_wait_for)
    }

    fn confirm(&mut self, met: &[usize], witness: &Witness, timeline: Option<&Timeline>) {
        for &number in met {
            if self.confirmed[number].is_none() {
                self.confirmed[number] = Some(witness.clone());
                self.shown[number] = timeline.cloned();
            }
        }
    }

    fn into_explored(self, found: Option<Found>, aimed: u64, time: Duration) -> Explored {
        let is_explored = found.is_some();
        let (mut outcome, failures) = found.unwrap_or_default();
        outcome.time = time;
        let limits = limit_names(&outcome);
        Explored {
            states: if is_explored { outcome.executions } else { aimed },
            pruned: 0,
            outcome,
            confirmed: self.confirmed,
            unforeseen: self.unforeseen.into_iter().map(|(_, witness)| witness).collect(),
            others: self.others.into_iter().map(|(_, witness, timeline)| (witness, timeline)).collect(),
            deadlocks: self.deadlocks,
            shown: self.shown,
            limits,
            is_complete: self.is_complete,
            stuck: Vec::new(),
            failures,
            searched: Vec::new(),
            unit: "execution",
        }
    }
}

fn stand(waiting: &[Waiting]) -> Vec<(ProcessId, SiteId)> {
    waiting.iter().map(|waiting| (waiting.process, waiting.site)).collect()
}

/// The failures that are no deadlocks, each once.
fn failures(machine: &mut Circles<'_>, outcome: &Outcome) -> Vec<String> {
    let others = outcome.violations.iter().filter(|violation| !is_deadlock(violation));
    let sentence = |violation: &Violation| {
        // What it speaks of is there in the state that it left.
        let _ = trace(machine, &violation.schedule);
        let Place { file, line, .. } = machine.fault_place(&violation.fault);
        format!("{} ({file}:{line})", machine.fault_text(&violation.fault))
    };
    let mut failures: Vec<String> = others.map(sentence).collect();
    failures.sort();
    failures.dedup();
    failures
}

/// Who stands where, in the user's own code.
fn standing<M: Describe>(machine: &M, circle: &[&Waiting]) -> Standing {
    let place = |waiting: &Waiting| standing_of(machine, waiting.process, waiting.site);
    circle.iter().map(|waiting| (machine.process_name(waiting.process), place(waiting))).collect()
}

/// Where a process stands, in the user's own code.
pub(super) fn standing_of<M: Describe>(machine: &M, process: ProcessId, site: SiteId) -> Place {
    machine.standing(process).unwrap_or_else(|| machine.place(site))
}

/// A circle in words.
fn lines<M: Describe>(machine: &M, circle: &[&Waiting]) -> Vec<String> {
    let line = |waiting: &&Waiting| {
        let name = machine.process_name(waiting.process);
        let place = standing_of(machine, waiting.process, waiting.site);
        let what: Vec<String> =
            waiting.locations.iter().map(|&location| format!("`{}`", machine.location_name(location))).collect();
        let holder = waiting.holder.map(|holder| format!(", held by {}", machine.process_name(holder)));
        let what = if what.is_empty() { format!("`{}`", place.text) } else { what.join(", ") };
        format!("{name} waits at line {} for {what}{}", place.line, holder.unwrap_or_default())
    };
    circle.iter().map(line).collect()
}
