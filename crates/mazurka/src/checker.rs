//! Checking a program: what is asked, and how it is done.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mazurka_explore::{
    Algorithm, Capabilities, Checkpoint, Keeping, Kept, Limits, Monitor, Options, Plan, explain, explore,
    explore_hunting, explore_parallel, shorten, unfold,
};
use mazurka_machine::{Companion, Describe, Ends, Machine, Place};
use mazurka_report::{Bounds, Timeline, access_text, busiest_text, endless_text, record, trace, unfolding_dot};
use mazurka_trace::{Explanation, Limit, Outcome, ProcessId, Schedule, SiteId, Violation};

use crate::checked::{Checked, Trace};
use crate::constraints::{self, Solving};
use crate::inputs;
use crate::kept::{self, Keeper, Purpose};
use crate::load::Loaded;
use crate::messages::{self, Simplest};
use crate::program::{Program, Task};
use crate::progress::{self, Watcher};
use crate::refusal::Refusal;

/// So long after the time limit, or after an interruption, violations are still made easier to
/// read.
const GRACE: Duration = Duration::from_millis(100);

/// What is said where exploring the orders of synchronisation alone is not enough.
const INTERFERING: &str = "--lock-races-only was left out: accesses are not ordered that are no data race, but whose \
                           order matters (memory is freed while another thread may use it, for example)";

/// Unfoldings with more events are not drawn.
pub const MOST_DRAWN: usize = 2_000;

/// What the hunt's random numbers come from, unless it is told otherwise.
pub const HUNT_SEED: u64 = 1;

/// A check of a program: a builder. [`Checker::run`] does it.
///
/// Without further words, it takes the strongest algorithm for the program, stops at the first
/// violation, and has no limit but on the length of an execution.
pub struct Checker<'a> {
    loaded: &'a mut Loaded,
    algorithm: Option<Algorithm>,
    options: Options,
    solving: Solving,
    hunt: Option<u64>,
    shortens: bool,
    asked: Asked,
    threads: usize,
    checkpoint: Option<(PathBuf, Duration)>,
    resume: Option<PathBuf>,
    monitor: Arc<Monitor>,
    watcher: Option<&'a mut dyn Watcher>,
    tell: &'a dyn Fn(&str),
}

/// What is asked of an exploration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Outcome,
    /// Its outcome, and a drawing of the unfolding.
    Drawing,
    /// Its outcome, and what was left out.
    Explanation,
}

impl<'a> Checker<'a> {
    /// A check of this program.
    pub fn new(loaded: &'a mut Loaded) -> Self {
        Self {
            loaded,
            algorithm: None,
            options: Options::default(),
            solving: Solving::default(),
            hunt: Some(HUNT_SEED),
            shortens: true,
            asked: Asked::Outcome,
            threads: 1,
            checkpoint: None,
            resume: None,
            monitor: Arc::default(),
            watcher: None,
            tell: &|_| {},
        }
    }

    /// How to explore, instead of by the strongest algorithm for the program.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// Goes on after the first violation, and finds every distinct one.
    pub fn all(mut self, all: bool) -> Self {
        self.options.all = all;
        self
    }

    /// When to give up. Reaching a limit makes the verdict `incomplete`.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Gives up after this time.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.limits.timeout = Some(time);
        self
    }

    /// How constraints are found and proven, for the algorithms that use them.
    pub fn solving(mut self, solving: Solving) -> Self {
        self.solving = solving;
        self
    }

    /// The seed of the hunt for failures beside the proof; none for no hunt.
    pub fn hunt(mut self, seed: Option<u64>) -> Self {
        self.hunt = seed;
        self
    }

    /// What the random numbers of `random:N` come from.
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// Whether failing schedules are shown with as few preemptions as can be found.
    pub fn shortens(mut self, shortens: bool) -> Self {
        self.shortens = shortens;
        self
    }

    /// Explores only the orders of synchronisation, for the algorithms that explore the unfolding,
    /// and looks for data races in so many of a hundred executions.
    pub fn lock_races_only(mut self, share: Option<u32>) -> Self {
        self.options.lock_races_only = share;
        self
    }

    /// Compares states once more after all that lies between the two steps of a race.
    pub fn whole_check(mut self, whole: bool) -> Self {
        self.options.whole_check = whole;
        self
    }

    /// How far apart skip pointers lie in the trees of the unfolding: at least 2.
    pub fn skip_step(mut self, step: u32) -> Self {
        self.options.skip_step = step.max(2);
        self
    }

    /// Also draws the unfolding, for the algorithms that explore it; there is no hunt then.
    pub fn draws(mut self, draws: bool) -> Self {
        if draws {
            self.asked = Asked::Drawing;
        }
        self
    }

    /// Also says what was left out, and why, for the algorithms that compare states; there is no
    /// hunt then.
    pub fn explains(mut self, explains: bool) -> Self {
        if explains {
            self.asked = Asked::Explanation;
        }
        self
    }

    /// Explores with so many threads: programs in C and in the process notation, by `optimal`
    /// (which is then the strongest), `source`, `dpor` or `none`. What is found is the same,
    /// whatever their number.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads.get();
        self
    }

    /// Keeps the exploration in a file, so often, and when it is interrupted or its time is up, so
    /// that it can be [resumed](Checker::resume). With the programs and algorithms that several
    /// threads can explore.
    pub fn checkpoint(mut self, file: PathBuf, every: Duration) -> Self {
        self.checkpoint = Some((file, every));
        self
    }

    /// Goes on with an exploration of the same program that was kept in a file.
    pub fn resume(mut self, file: PathBuf) -> Self {
        self.resume = Some(file);
        self
    }

    /// Lets others watch and interrupt the check.
    pub fn monitor(mut self, monitor: &Arc<Monitor>) -> Self {
        self.monitor = Arc::clone(monitor);
        self
    }

    /// Tells somebody how far it is.
    pub fn watcher(mut self, watcher: Option<&'a mut dyn Watcher>) -> Self {
        self.watcher = watcher;
        self
    }

    /// Calls this with what the user is to know, as soon as it is known. All of it is also kept in
    /// [`Loaded::notes`].
    pub fn tells(mut self, tell: &'a dyn Fn(&str)) -> Self {
        self.tell = tell;
        self
    }

    /// The algorithm that will run. Where schedules are left out, it is the one that relies on
    /// none.
    pub fn chosen(&self) -> Algorithm {
        let program = &self.loaded.program;
        match self.algorithm {
            _ if self.loaded.settings.actor.restricts() => Algorithm::UNREDUCED,
            Some(algorithm) => algorithm,
            None if self.is_divided() => Algorithm::Optimal,
            None => Algorithm::auto(program.detects_data_races(), program.declares_constraints()),
        }
    }

    /// Does it. Refused are programs that declare wrong constraints, or that have inputs of too
    /// many values.
    pub fn run(mut self) -> Result<Checked, Refusal> {
        inputs::refuse_large(self.loaded)?;
        self.options.algorithm = self.chosen();
        self.refuse_division()?;
        let is_divided = self.is_divided();
        let purpose = Purpose::of(self.loaded, self.options.algorithm, &self.options);
        let from = self.resume.as_ref().map(|path| kept::read(path, &purpose)).transpose()?;
        let keeper = self.checkpoint.take().map(|(path, every)| (Keeper::new(path, purpose), every));
        if self.options.algorithm.uses_constraints() {
            let limit = self.options.limits.timeout;
            let notes = constraints::prepare(self.loaded, &self.solving, &self.monitor.cancel, limit)?;
            notes.iter().for_each(|note| self.note(note));
        }
        let restricts = self.loaded.settings.actor.restricts();
        let exploration = Exploration {
            options: &self.options,
            monitor: &self.monitor,
            watcher: self.watcher.take(),
            shortens: self.shortens,
            hunt: self.hunt.filter(|_| !restricts),
            asked: self.asked,
            threads: self.threads,
            is_divided,
            keeper,
            from,
            unkept: Mutex::default(),
            bounds: bounds(self.loaded, &self.options),
        };
        let mut checked = self.loaded.program.run(exploration);
        if restricts {
            checked.outcome.reached(Limit::Choices);
        }
        if checked.outcome.interfering {
            self.note(INTERFERING);
        }
        if checked.outcome.unconstrained {
            self.note(constraints::UNUSED);
        }
        Ok(checked)
    }

    /// Whether the work is divided: among threads, or between now and later.
    fn is_divided(&self) -> bool {
        self.threads > 1 || self.checkpoint.is_some() || self.resume.is_some()
    }

    /// Refuses what cannot be divided; says where another algorithm explores because of that.
    fn refuse_division(&mut self) -> Result<(), Refusal> {
        if !self.is_divided() {
            return Ok(());
        }
        let algorithm = self.options.algorithm;
        let alone = match self.threads {
            1 => "leave out --checkpoint and --resume",
            _ => "leave out --threads, or use --threads 1",
        };
        if matches!(self.loaded.program, Program::Actor { .. } | Program::Network { .. }) {
            let what = "only programs in C (or LLVM) and in the process notation (`.mzk`) can be explored by several \
                        threads, or kept in a checkpoint";
            return Err(Refusal::with_help(what, alone));
        }
        if !algorithm.is_divisible() {
            let what = match self.threads {
                1 => format!("an exploration by `{algorithm}` cannot be kept in a checkpoint"),
                _ => format!("`{algorithm}` explores with one thread only"),
            };
            return Err(Refusal::with_help(what, format!("`optimal`, `source`, `dpor` and `none` can; or {alone}")));
        }
        if self.options.limits.switches.is_some() {
            let what = "which executions have more context switches than allowed would depend on how work is divided";
            return Err(Refusal::with_help(what, alone));
        }
        let usual =
            Algorithm::auto(self.loaded.program.detects_data_races(), self.loaded.program.declares_constraints());
        if self.algorithm.is_none() && usual != algorithm {
            let who =
                if self.threads == 1 { "what is kept in a checkpoint is explored" } else { "several threads explore" };
            self.note(&format!(
                "{who} by `{algorithm}`; otherwise it would be `{usual}`, which mostly takes fewer executions"
            ));
        }
        Ok(())
    }

    fn note(&mut self, text: &str) {
        (self.tell)(text);
        self.loaded.notes.push(text.to_owned());
    }
}

/// The limits, for the report.
fn bounds(loaded: &Loaded, options: &Options) -> Bounds {
    Bounds {
        timeout: options.limits.timeout,
        executions: options.limits.executions,
        depth: options.limits.depth,
        switches: options.limits.switches,
        instructions: loaded.settings.max_instructions,
        unroll: loaded.settings.c.unroll,
        can_unroll: matches!(loaded.program, Program::C { .. }),
        data_race_share: options.lock_races_only.unwrap_or(100),
    }
}

/// The exploration itself, whatever the kind of program.
struct Exploration<'a, 'w> {
    options: &'a Options,
    monitor: &'a Monitor,
    watcher: Option<&'w mut dyn Watcher>,
    shortens: bool,
    /// The seed of the hunt, if there is one.
    hunt: Option<u64>,
    asked: Asked,
    threads: usize,
    /// Whether the work is divided among threads, or between now and later.
    is_divided: bool,
    keeper: Option<(Keeper, Duration)>,
    from: Option<Checkpoint>,
    /// Why the exploration could not be kept.
    unkept: Mutex<Option<String>>,
    bounds: Bounds,
}

impl Task for Exploration<'_, '_> {
    type Output = Checked;

    fn run<M: Machine + Describe + Companion + Send>(mut self, make: impl Fn() -> M + Sync) -> Checked {
        let mut machine = make();
        let plan = Plan::new(self.options.algorithm, &Capabilities::of(&machine));
        let started = Instant::now();
        let watcher = self.watcher.take();
        let (outcome, events, explained) =
            progress::watched(watcher, self.options, self.monitor, &make, || self.explore(&mut machine, &make));
        let outcome = without_circles_at_ends(outcome);
        let ends = machine.take_ends();
        let drawing = events.map(|events| events.map(|events| unfolding_dot(&events, &machine)));
        let explanation = explained.map(|explained| explained.iter().map(|one| named(one, &machine)).collect());
        let unkept = self.unkept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let notes =
            [machine.remarks(), limits(&outcome, &machine, &self.bounds), unkept.into_iter().collect()].concat();
        let shown = self.show_all(&mut machine, &outcome, started);
        let plan = plan.after(&outcome);
        let traces = traces(&mut machine, &ends);
        let names = |schedule: &Schedule| schedule.iter().map(|step| machine.process_name(step.process)).collect();
        let schedules = ends.states.iter().map(|state| names(&state.schedule)).collect();
        let (bounds, threads) = (self.bounds, self.threads);
        Checked { outcome, plan, threads, bounds, shown, notes, drawing, explanation, ends, schedules, traces }
    }
}

/// An outcome, the events of the unfolding or how many there are, and what was left out.
type Explored = (Outcome, Option<Result<Vec<mazurka_trace::UnfoldedEvent>, u64>>, Option<Vec<Explanation>>);

impl Exploration<'_, '_> {
    fn explore<M: Machine + Describe + Companion + Send>(&self, machine: &mut M, make: &dyn Fn() -> M) -> Explored {
        let (options, monitor) = (self.options, self.monitor);
        if self.is_divided {
            let mut machines: Vec<M> = (0..self.threads).map(|_| machine.companion()).collect();
            let hunt = self.hunt.map(|seed| (make, seed));
            let (keeper, unkept) = (&self.keeper, &self.unkept);
            let keep = |checkpoint: &Checkpoint| keep(keeper, unkept, checkpoint);
            let keeping = keeper.as_ref().map(|&(_, every)| Keeping { every, keep: &keep });
            let kept = Kept { keeping, from: self.from.as_ref() };
            let outcome = explore_parallel(&mut machines, hunt, kept, options, monitor);
            *machine = machines.swap_remove(0);
            return (outcome, None, None);
        }
        match self.asked {
            Asked::Outcome => {
                let outcome = match self.hunt {
                    Some(seed) => explore_hunting(machine, make, seed, options, monitor),
                    None => explore(machine, options, monitor),
                };
                (outcome, None, None)
            }
            Asked::Drawing => {
                let (outcome, events) = unfold(machine, options, monitor, MOST_DRAWN);
                (outcome, Some(events), None)
            }
            Asked::Explanation => {
                let (outcome, explained) = explain(machine, options, monitor);
                (outcome, None, Some(explained))
            }
        }
    }

    /// The timelines of all violations, made easier to read while there is time.
    fn show_all<M: Machine + Describe>(&self, machine: &mut M, outcome: &Outcome, started: Instant) -> Vec<Timeline> {
        let cancelled = || self.monitor.cancel.load(Ordering::Relaxed);
        // An interruption that ended the exploration is no reason to show nothing that can be read.
        let known = cancelled();
        let limit = self.options.limits.timeout.map(|limit| started + limit);
        let until = if known { Some(Instant::now()) } else { limit }.map(|end| end + GRACE);
        let is_late = || (!known && cancelled()) || until.is_some_and(|until| Instant::now() >= until);
        outcome.violations.iter().map(|violation| self.show(machine, violation, &is_late)).collect()
    }

    /// The timeline of the simplest schedule with the same violation, for machines of messages.
    fn simplest<M: Machine + Describe>(
        &self,
        machine: &mut M,
        violation: &Violation,
        is_late: &dyn Fn() -> bool,
    ) -> Option<Timeline> {
        if !self.shortens || !tells_messages(machine, violation) {
            return None;
        }
        let Simplest { schedule, overtakings } = messages::simplest(machine, violation, is_late)?;
        let timeline = shows(machine, &schedule, violation)?;
        Some(Timeline { overtakings: Some(overtakings), ..timeline })
    }

    /// The violation's timeline, with as few preemptions as could be found.
    fn show<M: Machine + Describe>(
        &self,
        machine: &mut M,
        violation: &Violation,
        is_late: &dyn Fn() -> bool,
    ) -> Timeline {
        if let Some(timeline) = self.simplest(machine, violation, is_late) {
            return timeline;
        }
        let is_long = violation.schedule.len() > messages::LONG && tells_messages(machine, violation);
        let shortened = (self.shortens && !is_long).then(|| shorten(machine, violation, is_late));
        shortened.and_then(|schedule| shows(machine, &schedule, violation)).unwrap_or_else(|| {
            shows(machine, &violation.schedule, violation).expect("a failing schedule fails again when it is run again")
        })
    }
}

/// Keeps what an exploration has come to; or why it could not.
fn keep(keeper: &Option<(Keeper, Duration)>, unkept: &Mutex<Option<String>>, checkpoint: &Checkpoint) {
    if let Some((keeper, _)) = keeper {
        let failed = keeper.write(checkpoint).err();
        let failed = failed.map(|error| format!("the exploration could not be kept in a checkpoint: {error}"));
        *unkept.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}

/// Whether a machine tells of messages: then long schedules are not shortened by other means.
fn tells_messages<M: Describe>(machine: &M, violation: &Violation) -> bool {
    violation.schedule.first().is_some_and(|step| machine.arrival(step.process).is_some())
}

/// What was left out, with names for numbers.
fn named<M: Describe>(explained: &Explanation, machine: &M) -> Explanation<String, String, String> {
    let place = |site| {
        let Place { file, line, column, text } = machine.place(site);
        format!("`{text}` ({file}:{line}:{column})")
    };
    explained.named(|process| machine.process_name(process), |access| access_text(machine, access), place)
}

/// A circle of waits that closes on the way is told once: where an execution that shows it comes to
/// its end, by who waits there.
fn without_circles_at_ends(mut outcome: Outcome) -> Outcome {
    let at_ends: HashSet<(ProcessId, SiteId)> =
        outcome.violations.iter().flat_map(|one| &one.waiting).map(|waiter| (waiter.process, waiter.site)).collect();
    outcome.violations.retain(|one| {
        let is_circle = one.fault.kind.is_standstill() && one.waiting.is_empty();
        !is_circle || !at_ends.contains(&(one.fault.process, one.fault.site))
    });
    outcome
}

/// The executions that were requested, run once more.
fn traces<M: Machine + Describe>(machine: &mut M, ends: &Ends) -> Vec<Trace> {
    let run = |(number, state, schedule): &(u64, Option<usize>, Schedule)| {
        let timeline = trace(machine, schedule).expect("an execution that was explored can be run again");
        Trace { number: *number, state: *state, timeline }
    };
    ends.traces.iter().map(run).collect()
}

/// Who ran into the limits of an execution's length, and where.
fn limits<M: Describe>(outcome: &Outcome, machine: &M, bounds: &Bounds) -> Vec<String> {
    let busiest = outcome.busiest.map(|busiest| {
        let (name, place) = (machine.process_name(busiest.process), machine.place(busiest.site));
        busiest_text(&busiest, &name, &place, bounds)
    });
    let endless = outcome.endless.map(|(process, site)| {
        let (name, place) = (machine.process_name(process), machine.place(site));
        endless_text(&name, &place, bounds)
    });
    busiest.into_iter().chain(endless).collect()
}

/// The timeline of a schedule, if it shows the violation.
pub fn shows<M: Machine + Describe>(machine: &mut M, schedule: &Schedule, violation: &Violation) -> Option<Timeline> {
    record(machine, schedule, &violation.fault).ok().filter(|timeline| timeline.failure.is_some())
}
