//! `mazurka bmc`.

mod args;
mod human;
mod json;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka::{Loaded, Program, Refusal, Saved, Settings, schedule, shows};
use mazurka_bmc::{Error, Options, Report};
use mazurka_explore::shorten;
use mazurka_process::{Image, ProcessMachine};
use mazurka_report::Timeline;
use mazurka_smt::Settings as SolverSettings;

pub(crate) use args::{Bmc, HELP, Por};

use crate::args::Format;
use crate::diagnostics;
use crate::interrupt;
use crate::load::{Given, load};
use crate::solver::SOLVER;
use crate::status::Status;
use crate::terminal::{self, Terminal};
use crate::trace_file;

/// What a step of a schedule that was found may run.
const MAX_INSTRUCTIONS: u64 = 1_000_000_000;

/// What was found, ready to be shown.
pub(crate) struct Checked {
    report: Report,
    /// The violation, as it is shown.
    shown: Option<Timeline>,
    image: Arc<Image>,
}

/// Does what was asked.
pub(crate) fn run(arguments: &Bmc) -> Result<Status, Refusal> {
    if let Some(path) = &arguments.save_trace {
        trace_file::check_writable(path)?;
    }
    let settings =
        Settings { defines: arguments.defines.clone(), max_instructions: MAX_INSTRUCTIONS, ..Settings::default() };
    let loaded = load(std::slice::from_ref(&arguments.program), &settings, Given::default())?;
    let Program::Process { image, .. } = &loaded.program else {
        return Err(Refusal::with_help(
            format!("`{}` is not in the process notation", loaded.path),
            "bounded model checking is for `.mzk` programs; `mazurka check` explores this one",
        ));
    };
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::install(&stop);
    let checked = match mazurka_bmc::check(image, &options(arguments), &solver(arguments, stop)) {
        Ok(report) => {
            let shown = report.violation.as_ref().map(|_| show(arguments, image, &report));
            Checked { report, shown, image: Arc::clone(image) }
        }
        Err(Error::Solver(error)) => return Err(Refusal::new(error.to_string())),
        // Ours, not the user's: the hook says what to report.
        Err(error @ Error::Mismatch(_)) => panic!("{error}"),
    };
    let saved = save(arguments, &loaded, &checked);
    print(arguments, &loaded, &checked)?;
    if let Err(refusal) = saved {
        diagnostics::print(&refusal, &Terminal::of_stderr(arguments.output.color));
    }
    Ok(checked.report.verdict().into())
}

fn options(arguments: &Bmc) -> Options {
    Options {
        steps: arguments.steps,
        reduction: arguments.por.into(),
        encoding: arguments.encoding.into(),
        rounds: arguments.unroll,
        processes: arguments.max_processes,
        timeout: arguments.timeout,
    }
}

/// The solver that was requested, or that the environment names, or Z3.
fn solver(arguments: &Bmc, stop: Arc<AtomicBool>) -> SolverSettings {
    let named = std::env::var(SOLVER).ok().filter(|name| !name.trim().is_empty());
    let (program, named_by) = match (&arguments.solver, named) {
        (Some(asked), _) => (asked.clone(), "--solver"),
        (None, Some(named)) => (named, SOLVER),
        (None, None) => (SolverSettings::default().program, ""),
    };
    SolverSettings { program, named_by: named_by.to_owned(), stop: Some(stop), ..SolverSettings::default() }
}

/// The violation's timeline, with as few preemptions as could be found.
fn show(arguments: &Bmc, image: &Arc<Image>, report: &Report) -> Timeline {
    let violation = report.violation.as_ref().expect("there is one");
    let mut machine = ProcessMachine::new(Arc::clone(image));
    machine.set_fuel(MAX_INSTRUCTIONS);
    let shortened = (!arguments.no_shorten).then(|| shorten(&mut machine, violation, &|| false));
    shortened
        .and_then(|schedule| shows(&mut machine, &schedule, violation))
        .unwrap_or_else(|| shows(&mut machine, &violation.schedule, violation).expect("it was run before, and failed"))
}

fn save(arguments: &Bmc, loaded: &Loaded, checked: &Checked) -> Result<(), Refusal> {
    let (Some(path), Some(timeline)) = (&arguments.save_trace, &checked.shown) else { return Ok(()) };
    let traces = timeline.failure.iter().map(|failure| (failure, schedule(timeline)));
    Saved::new(loaded, traces).write(path)
}

fn print(arguments: &Bmc, loaded: &Loaded, checked: &Checked) -> Result<(), Refusal> {
    let text = match arguments.output.format {
        Format::Json => json::text(arguments, loaded, checked),
        Format::Human => {
            let terminal = Terminal::of_stdout(arguments.output.color);
            human::text(arguments, loaded, checked, &terminal).paint(terminal.colour)
        }
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
}
