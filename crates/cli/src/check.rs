//! `mazurka check`.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mazurka_explore::{
    Algorithm, Capabilities, Limits, Monitor, Options, Plan, explain, explore, explore_hunting, shorten, unfold,
};
use mazurka_machine::{Describe, Ends, Machine, Place};
use mazurka_process::Diagnostic;
use mazurka_process::hir::Input;
use mazurka_report::{
    Bounds, NamedStep, Timeline, access_text, busiest_text, endless_text, grouped, record, trace, unfolding_dot,
};
use mazurka_trace::{Explanation, Limit, Outcome, ProcessId, Schedule, SiteId, Violation};

use crate::actor::ActorSettings;
use crate::args::{Check, Format};
use crate::diagnostics::{self, Refusal};
use crate::frontend::{CSettings, Program, Settings, Task};
use crate::load::{Loaded, load};
use crate::progress::{self, Watch};
use crate::status::Status;
use crate::terminal::{self, Terminal};
use crate::trace_file::{self, Saved};
use crate::{constraints, human, interrupt, json};

/// So long after the time limit, or after Ctrl-C, violations are still made easier to read.
const GRACE: Duration = Duration::from_millis(100);

/// What is said where `--lock-races-only` is not enough.
const INTERFERING: &str = "--lock-races-only was left out: accesses are not ordered that are no data race, but whose \
                           order matters (memory is freed while another thread may use it, for example)";

/// Unfoldings with more events are not drawn.
const MOST_DRAWN: usize = 2_000;

/// What a check found.
pub(crate) struct Checked {
    /// The outcome.
    pub(crate) outcome: Outcome,
    /// What ran, and why.
    pub(crate) plan: Plan,
    /// Its violations, in the same order, as they are shown.
    pub(crate) shown: Vec<Timeline>,
    /// What else there is to say of what was explored.
    pub(crate) notes: Vec<String>,
    /// The drawing of the unfolding, if one was requested; or how many events it would have had.
    drawing: Option<Result<String, u64>>,
    /// The states in which executions end, for actors.
    pub(crate) ends: Ends,
    /// For each of them, who steps in its first execution.
    pub(crate) schedules: Vec<Vec<String>>,
    /// The executions that were requested.
    pub(crate) traces: Vec<Trace>,
    /// What was left out, and why, if somebody asked.
    pub(crate) explanation: Option<Vec<Explanation<String, String, String>>>,
}

/// An execution that was requested.
pub(crate) struct Trace {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Which of the final states it ends in.
    pub(crate) state: Option<usize>,
    pub(crate) timeline: Timeline,
}

impl Trace {
    /// What it is, in a line.
    pub(crate) fn heading(&self) -> String {
        let state = self.state.map_or_else(String::new, |state| format!(": ends in state {}", state + 1));
        format!("execution {}{state}", self.number)
    }
}

impl Checked {
    /// Each violation with how many executions show it.
    pub(crate) fn violations(&self) -> impl Iterator<Item = (&Violation, &Timeline)> {
        self.outcome.violations.iter().zip(&self.shown)
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Check) -> Result<Status, Refusal> {
    if let Some(path) = &arguments.save_trace {
        trace_file::check_writable(path)?;
    }
    let unfolds = arguments.algorithm.named().is_some_and(Algorithm::unfolds);
    if arguments.dot.is_some() && !unfolds {
        let help = "add `-a quasi:optimal`, or `-a quasi:K`";
        return Err(Refusal::with_help("--dot draws the unfolding, which this algorithm does not explore", help));
    }
    let asked = [("--lock-races-only", arguments.c.lock_races_only), ("--skip-step", arguments.skip_step.is_some())];
    if let Some((option, _)) = asked.into_iter().find(|&(_, given)| given && !unfolds) {
        let help = "add `-a quasi:optimal`, or `-a quasi:K`";
        return Err(Refusal::with_help(format!("{option} is for exploring the unfolding"), help));
    }
    if arguments.seed.is_some() && !arguments.algorithm.named().is_some_and(Algorithm::is_random) {
        return Err(Refusal::with_help(
            "--seed is for random executions",
            "add `-a random:N`; the hunt has --hunt-seed",
        ));
    }
    let settings = Settings {
        defines: arguments.defines.clone(),
        arguments: arguments.arguments.clone(),
        max_instructions: arguments.limits.max_instructions,
        c: CSettings::from(&arguments.c),
        actor: ActorSettings::from(&arguments.actor),
    };
    let mut loaded = load(&arguments.programs, &settings)?;
    refuse_large_inputs(&loaded)?;
    if arguments.html.is_some() && !matches!(loaded.program, Program::Actor { .. }) {
        return Err(Refusal::new("--html draws sequence diagrams of actors (`.abs`), and this program has none"));
    }
    refuse_reductions(arguments)?;
    let algorithm = arguments.algorithm_for(&loaded.program);
    refuse_comparisons(arguments, algorithm)?;
    let monitor = Arc::new(Monitor::default());
    interrupt::install(&monitor.cancel);
    if algorithm.uses_constraints() {
        let (trust, limit) = (arguments.trust, arguments.limits.timeout);
        constraints::prepare(&mut loaded, &arguments.solver, trust, &monitor.cancel, limit)?;
    }
    let options = options(arguments, algorithm);
    let watch = progress::wanted(arguments);
    let asked = match (arguments.dot.is_some(), arguments.explain) {
        (true, _) => Asked::Drawing,
        (false, true) => Asked::Explanation,
        (false, false) => Asked::Outcome,
    };
    let shortens = !arguments.no_shorten;
    let restricts = arguments.actor.restricts().is_some();
    let hunt = (!arguments.no_hunt && !restricts).then_some(arguments.hunt_seed);
    let bounds = bounds(arguments, &loaded.program);
    let exploration = Exploration { options: &options, monitor: &monitor, watch, shortens, hunt, asked, bounds };
    let mut checked = loaded.program.run(exploration);
    if restricts {
        checked.outcome.reached(Limit::Choices);
    }
    if checked.outcome.interfering {
        loaded.note(INTERFERING);
    }
    if checked.outcome.unconstrained {
        loaded.note(constraints::UNUSED);
    }
    if let Err(refusal) = draw(arguments, &checked) {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    let page = arguments.html.as_ref().map(|path| crate::actor::write_page(path, &loaded, &checked));
    if let Some(Err(refusal)) = page {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    let saved = save(arguments, &loaded, &settings, &checked);
    print(arguments, &loaded, &checked, saved.as_ref().is_ok_and(|&saved| saved))?;
    if let Err(refusal) = saved {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    Ok(checked.outcome.verdict().into())
}

/// Where not every choice is explored, who moves next depends on everybody: nothing can be reduced.
fn refuse_reductions(arguments: &Check) -> Result<(), Refusal> {
    match (arguments.actor.restricts(), arguments.algorithm.named()) {
        (Some(option), Some(algorithm)) if !algorithm.counts_interleavings() => Err(Refusal::with_help(
            format!("{option} leaves out schedules, and `{algorithm}` relies on all of them"),
            "leave out `-a`, or use `-a none`",
        )),
        _ => Ok(()),
    }
}

/// Where no states are compared, nothing can be asked about that.
fn refuse_comparisons(arguments: &Check, algorithm: Algorithm) -> Result<(), Refusal> {
    let asked = [
        (arguments.explain, "--explain tells what is left out because states are the same"),
        (arguments.whole_check, "--whole-check is about how states are compared"),
    ];
    let taken = if arguments.algorithm.named().is_some() { "" } else { ", which `auto` takes here," };
    match asked.into_iter().find(|&(given, _)| given && !algorithm.compares_states()) {
        None => Ok(()),
        Some((_, what)) => Err(Refusal::with_help(
            format!("{what}, and `{algorithm}`{taken} compares none"),
            "add `-a cs`, `-a optimal-cs`, `-a optimal-cs-observers` or one that uses constraints, such as `-a constrained`",
        )),
    }
}

/// So many values of an input are explored one by one.
const MOST_VALUES: u128 = 1_000;

/// So many initial states are explored one by one.
const MOST_STATES: u128 = 1_000_000;

/// Exploration runs every value of an input; for many of them there is a solver.
fn refuse_large_inputs(loaded: &Loaded) -> Result<(), Refusal> {
    let Program::Process { image, .. } = &loaded.program else { return Ok(()) };
    let problem = |input: &Input, message: String, label: String| Diagnostic {
        file: loaded.path.clone(),
        message,
        span: Some(input.span),
        label,
        help: Some(format!("`mazurka bmc {}` looks at all of them at once", loaded.path)),
        notes: Vec::new(),
    };
    let large = image.inputs().iter().filter(|input| input.values() > MOST_VALUES);
    let mut diagnostics: Vec<Diagnostic> = large
        .map(|input| {
            let message = format!("this input has {} values, and `check` runs every one", input.values());
            problem(input, message, format!("expected at most {MOST_VALUES} values"))
        })
        .collect();
    let states = image.initial_inputs().iter().fold(1, |states: u128, input| states.saturating_mul(input.values()));
    if let Some(first) = image.initial_inputs().first().filter(|_| diagnostics.is_empty() && states > MOST_STATES) {
        let states = u64::try_from(states).map_or_else(|_| "very many".to_owned(), grouped);
        let message = format!("the inputs make {states} initial states, and `check` explores every one");
        let label = format!("expected at most {} initial states", grouped(MOST_STATES as u64));
        diagnostics.push(problem(first, message, label));
    }
    if diagnostics.is_empty() {
        return Ok(());
    }
    Err(Refusal::Source { source: image.source().to_owned(), diagnostics })
}

fn options(arguments: &Check, algorithm: Algorithm) -> Options {
    let limits = Limits {
        timeout: arguments.limits.timeout,
        executions: arguments.limits.max_executions,
        depth: usize::try_from(arguments.limits.max_depth).unwrap_or(usize::MAX),
        switches: switches(arguments),
    };
    Options {
        algorithm,
        all: arguments.all,
        limits,
        skip_step: arguments.skip_step.unwrap_or(Options::default().skip_step),
        lock_races_only: arguments.c.lock_races_only(),
        whole_check: arguments.whole_check,
        seed: arguments.seed.unwrap_or(Options::default().seed),
        ..Options::default()
    }
}

fn switches(arguments: &Check) -> Option<usize> {
    arguments.limits.max_switches.map(|most| usize::try_from(most).unwrap_or(usize::MAX))
}

/// The limits, for the report.
pub(crate) fn bounds(arguments: &Check, program: &Program) -> Bounds {
    Bounds {
        timeout: arguments.limits.timeout,
        executions: arguments.limits.max_executions,
        depth: usize::try_from(arguments.limits.max_depth).unwrap_or(usize::MAX),
        switches: switches(arguments),
        instructions: arguments.limits.max_instructions,
        unroll: arguments.c.unroll,
        can_unroll: matches!(program, Program::C { .. }),
        data_race_share: arguments.c.lock_races_only().unwrap_or(100),
    }
}

/// Writes the drawing of the unfolding, if one was requested.
fn draw(arguments: &Check, checked: &Checked) -> Result<(), Refusal> {
    let (Some(path), Some(drawing)) = (&arguments.dot, &checked.drawing) else { return Ok(()) };
    match drawing {
        Ok(drawing) => std::fs::write(path, drawing)
            .map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display()))),
        Err(events) => Err(Refusal::with_help(
            format!("the unfolding has {events} events: nothing was drawn, since nobody could read it"),
            format!("a smaller program can be drawn; the limit is {MOST_DRAWN} events"),
        )),
    }
}

/// Writes the trace file, if one was requested and there is something to write; tells whether it
/// did.
fn save(arguments: &Check, loaded: &Loaded, settings: &Settings, checked: &Checked) -> Result<bool, Refusal> {
    let Some(path) = arguments.save_trace.as_ref().filter(|_| !checked.shown.is_empty()) else { return Ok(false) };
    let traces = checked.shown.iter().filter_map(|timeline| Some((timeline.failure.as_ref()?, schedule(timeline))));
    trace_file::write(path, &Saved::new(loaded, settings, traces))?;
    Ok(true)
}

/// A timeline's schedule.
pub(crate) fn schedule(timeline: &Timeline) -> Vec<NamedStep> {
    let steps = timeline.steps.iter().filter(|step| step.column.is_some());
    steps.map(|step| NamedStep { process: step.process.clone(), choices: step.choices.clone() }).collect()
}

fn print(arguments: &Check, loaded: &Loaded, checked: &Checked, saved: bool) -> Result<(), Refusal> {
    let text = match arguments.output.format {
        Format::Json => json::check(loaded, checked),
        Format::Human => {
            let terminal = Terminal::of_stdout(arguments.output.color);
            human::check(arguments, loaded, checked, saved, &terminal).paint(terminal.colour)
        }
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
}

/// The exploration itself, whatever the kind of program.
struct Exploration<'a> {
    options: &'a Options,
    monitor: &'a Monitor,
    watch: Option<Watch>,
    shortens: bool,
    /// The seed of the hunt, if there is one.
    hunt: Option<u64>,
    asked: Asked,
    bounds: Bounds,
}

/// What is asked of an exploration.
enum Asked {
    Outcome,
    /// Its outcome, and a drawing of the unfolding.
    Drawing,
    /// Its outcome, and what was left out.
    Explanation,
}

impl Task for Exploration<'_> {
    type Output = Checked;

    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Checked {
        let mut machine = make();
        let plan = Plan::new(self.options.algorithm, &Capabilities::of(&machine));
        let started = Instant::now();
        let (outcome, events, remarks) =
            progress::watched(self.watch, self.options, self.monitor, &make, || match self.asked {
                Asked::Outcome => {
                    let outcome = match self.hunt {
                        Some(seed) => explore_hunting(&mut machine, &make, seed, self.options, self.monitor),
                        None => explore(&mut machine, self.options, self.monitor),
                    };
                    (outcome, None, None)
                }
                Asked::Drawing => {
                    let (outcome, events) = unfold(&mut machine, self.options, self.monitor, MOST_DRAWN);
                    (outcome, Some(events), None)
                }
                Asked::Explanation => {
                    let (outcome, remarks) = explain(&mut machine, self.options, self.monitor);
                    (outcome, None, Some(remarks))
                }
            });
        let outcome = without_circles_at_ends(outcome);
        let ends = machine.take_ends();
        let drawing = events.map(|events| events.map(|events| unfolding_dot(&events, &machine)));
        let name = |remark: &Explanation| {
            let place = |site| {
                let Place { file, line, column, text } = machine.place(site);
                format!("`{text}` ({file}:{line}:{column})")
            };
            remark.named(|process| machine.process_name(process), |access| access_text(&machine, access), place)
        };
        let notes = [machine.remarks(), limits(&outcome, &machine, &self.bounds)].concat();
        let explanation = remarks.map(|remarks| remarks.iter().map(name).collect());
        let cancelled = || self.monitor.cancel.load(Ordering::Relaxed);
        // Ctrl-C that ended the exploration is no reason to show nothing that can be read.
        let known = cancelled();
        let limit = self.options.limits.timeout.map(|limit| started + limit);
        let until = if known { Some(Instant::now()) } else { limit }.map(|end| end + GRACE);
        let is_late = || (!known && cancelled()) || until.is_some_and(|until| Instant::now() >= until);
        let shown = outcome.violations.iter().map(|violation| self.show(&mut machine, violation, &is_late)).collect();
        let plan = plan.after(&outcome);
        let traces = traces(&mut machine, &ends);
        let names = |schedule: &Schedule| schedule.iter().map(|step| machine.process_name(step.process)).collect();
        let schedules = ends.states.iter().map(|state| names(&state.schedule)).collect();
        Checked { outcome, plan, shown, notes, drawing, explanation, ends, schedules, traces }
    }
}

impl Exploration<'_> {
    /// The violation's timeline, with as few preemptions as could be found.
    fn show<M: Machine + Describe>(
        &self,
        machine: &mut M,
        violation: &Violation,
        is_late: &dyn Fn() -> bool,
    ) -> Timeline {
        let shortened = self.shortens.then(|| shorten(machine, violation, is_late));
        shortened.and_then(|schedule| shows(machine, &schedule, violation)).unwrap_or_else(|| {
            shows(machine, &violation.schedule, violation).expect("a failing schedule fails again when it is run again")
        })
    }
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
pub(crate) fn shows<M: Machine + Describe>(
    machine: &mut M,
    schedule: &Schedule,
    violation: &Violation,
) -> Option<Timeline> {
    record(machine, schedule, &violation.fault).ok().filter(|timeline| timeline.failure.is_some())
}
