//! `mazurka check`.

use std::num::NonZeroUsize;
use std::sync::Arc;

use mazurka::{
    Algorithm, Barriers, CSettings, Checked, Checker, Limits, Loaded, MOST_DRAWN, Monitor, NetworkSettings, Program,
    Refusal, Saved, Settings, Verdict, Watcher,
};
use mazurka_report::{diagrams_html, diagrams_svg};

use crate::args::{Check, Format};
use crate::load::{self, Given, load};
use crate::status::Status;
use crate::terminal::{self, Terminal};
use crate::{diagnostics, human, interrupt, json, progress, trace_file};

/// Does what was asked.
pub(crate) fn run(arguments: &Check) -> Result<Status, Refusal> {
    if let Some(path) = &arguments.save_trace {
        trace_file::check_writable(path)?;
    }
    if let Some(path) = &arguments.checkpoint {
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
        actor: arguments.actor.settings(),
        network: arguments.network.settings(),
    };
    let given = Given {
        c: arguments.c.first_given(),
        actor: arguments.actor.first_given(&arguments.programs),
        network: arguments.network.first_given(),
    };
    let mut loaded = load(&arguments.programs, &settings, given)?;
    let drawn = [("--html", &arguments.html), ("--svg", &arguments.svg)].into_iter().find(|(_, file)| file.is_some());
    if let Some((option, _)) = drawn
        && !matches!(loaded.program, Program::Actor { .. } | Program::Network { .. })
    {
        let message = "draws sequence diagrams of actors (`.abs`) and networks (`.sdn`), and this program has none";
        return Err(Refusal::new(format!("{option} {message}")));
    }
    refuse_reductions(arguments)?;
    let monitor = Arc::new(Monitor::default());
    interrupt::install(&monitor.cancel);
    let mut display = progress::wanted(arguments.progress, arguments.output.format);
    let watcher = display.as_mut().map(|display| display as &mut dyn Watcher);
    let checker = checker(arguments, &mut loaded).monitor(&monitor).watcher(watcher).tells(&load::note);
    refuse_comparisons(arguments, checker.chosen())?;
    let mut checked = checker.run()?;
    if let Some(again) = with_exact_barriers(arguments, &settings, &loaded, &mut checked, &monitor)? {
        (loaded, checked) = again;
    }
    if !checked.shown.is_empty() {
        checked.notes.extend(mazurka::networks::advice(&loaded, &checked));
    }
    checked.notes.extend_from_slice(mazurka::networks::warnings(&loaded));
    checked.notes.extend(mazurka::networks::bound(&loaded, &checked));
    if let Err(refusal) = draw(arguments, &checked) {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    for (file, draw) in [(&arguments.html, diagrams_html as _), (&arguments.svg, diagrams_svg as _)] {
        let Some(path) = file else { continue };
        if let Err(refusal) = crate::actor::write_diagrams(path, draw, &loaded, &checked) {
            diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
        }
    }
    let saved = save(arguments, &loaded, &checked);
    print(arguments, &loaded, &checked, saved.as_ref().is_ok_and(|&saved| saved))?;
    if let Err(refusal) = saved {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    Ok(checked.verdict().into())
}

/// Barriers of one run of a handler allow more than OpenFlow does. So what fails with them is
/// explored again with barriers to the letter, unless one kind was requested.
fn with_exact_barriers(
    arguments: &Check,
    settings: &Settings,
    loaded: &Loaded,
    checked: &mut Checked,
    monitor: &Arc<Monitor>,
) -> Result<Option<(Loaded, Checked)>, Refusal> {
    let has_barriers = matches!(&loaded.program, Program::Network { image, .. } if image.network().has_barriers());
    if !has_barriers || arguments.network.barriers.is_some() || checked.verdict() != Verdict::Violation {
        return Ok(None);
    }
    let settings = Settings { network: NetworkSettings { barriers: Barriers::Exact }, ..settings.clone() };
    let mut exact = Loaded::from_files(&arguments.programs, &settings)?;
    let mut again = checker(arguments, &mut exact).monitor(monitor).run()?;
    let message = |checked: &Checked| {
        let failure = checked.shown.first().and_then(|timeline| timeline.failure.as_ref());
        failure.map_or_else(String::new, |failure| failure.message.clone())
    };
    let note = match again.verdict() {
        Verdict::Violation => "explored with barriers to the letter of OpenFlow (--barriers exact)".to_owned(),
        Verdict::Verified => format!(
            "explored with barriers to the letter of OpenFlow (--barriers exact): with barriers that order \
             only what the same run of a handler sends (--barriers scoped), this fails: {}",
            message(checked)
        ),
        Verdict::Incomplete => {
            let words = "with barriers to the letter of OpenFlow (--barriers exact) a limit was reached before \
                         anything failed";
            checked.notes.push(words.to_owned());
            return Ok(None);
        }
    };
    again.notes.push(note);
    Ok(Some((exact, again)))
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

/// The check that was requested.
fn checker<'a>(arguments: &Check, loaded: &'a mut Loaded) -> Checker<'a> {
    let mut checker = Checker::new(loaded)
        .all(arguments.all)
        .limits(limits(arguments))
        .solving(arguments.solver.solving(arguments.trust))
        .hunt((!arguments.no_hunt).then_some(arguments.hunt_seed))
        .shortens(!arguments.no_shorten)
        .lock_races_only(arguments.c.lock_races_only())
        .whole_check(arguments.whole_check)
        .draws(arguments.dot.is_some())
        .threads(threads(arguments.threads))
        .explains(arguments.explain && arguments.dot.is_none());
    if let Some(algorithm) = arguments.algorithm.named() {
        checker = checker.algorithm(algorithm);
    }
    if let Some(path) = &arguments.checkpoint {
        checker = checker.checkpoint(path.clone(), arguments.checkpoint_every);
    }
    if let Some(path) = &arguments.resume {
        checker = checker.resume(path.clone());
    }
    if let Some(seed) = arguments.seed {
        checker = checker.seed(seed);
    }
    if let Some(step) = arguments.skip_step {
        checker = checker.skip_step(step);
    }
    checker
}

/// How many threads are meant.
fn threads(threads: u16) -> NonZeroUsize {
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(usize::from(threads)).unwrap_or_else(processors)
}

fn limits(arguments: &Check) -> Limits {
    Limits {
        timeout: arguments.limits.timeout,
        executions: arguments.limits.max_executions,
        depth: usize::try_from(arguments.limits.max_depth).unwrap_or(usize::MAX),
        switches: arguments.limits.max_switches.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
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
fn save(arguments: &Check, loaded: &Loaded, checked: &Checked) -> Result<bool, Refusal> {
    let Some(path) = arguments.save_trace.as_ref().filter(|_| !checked.shown.is_empty()) else { return Ok(false) };
    Saved::of(loaded, checked).write(path)?;
    Ok(true)
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
