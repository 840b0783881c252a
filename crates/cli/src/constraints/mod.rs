//! `mazurka constraints`, and what `check -a constrained` needs of it.

mod cache;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cache::Cache;
use clap::Args;
use mazurka_process::hir;
use mazurka_process::{Declared, Found, Image, Synthesised, Verified, synthesise, verify};
use mazurka_smt::{Error, Settings as SolverSettings, Solver, Supply};

use crate::args::{Format, Output};
use crate::diagnostics::Refusal;
use crate::frontend::{Program, Settings};
use crate::load::{Loaded, load};
use crate::status::Status;
use crate::{interrupt, terminal};

pub(crate) const HELP: &str = "\
Examples:
  mazurka constraints counter.mzk            when each two steps commute
  mazurka constraints counter.mzk --verify   is what it declares with `independent` right?

A constraint is a condition under which both orders of two steps lead to the same state and
show the same failures, up to who created a process. Integers are taken to be between -2^40
and 2^40 before the steps; `check` does without constraints where they may become larger in
some order of the steps. Loops that can go round more than a few times, and products of
variables, are functions about which nothing is known. What is found about two steps is kept
(in the folder that MAZURKA_CACHE names, or in mazurka of the user's cache), so that a second
run needs no solver, and one of a changed program asks about what has changed.

Exit status: 0; 3 if there was no time for all of it; with --verify 1 if a declaration is wrong,
3 if one could not be proven.";

/// The environment variable that names a solver.
const VARIABLE: &str = "MAZURKA_SOLVER";

/// `mazurka constraints`.
#[derive(Args, Debug)]
pub(crate) struct Constraints {
    /// The program, in the process notation
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,

    /// Give a `const` of the program another value; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    defines: Vec<String>,

    /// Prove the declared constraints, or show a state in which one is wrong
    #[arg(long)]
    verify: bool,

    /// Also show steps that have nothing in common
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    solver: SolverArguments,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Which solver.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct SolverArguments {
    /// The solver, a program that reads SMT-LIB [default: the one that MAZURKA_SOLVER names, or z3]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// How many seconds the solver may take for one question about two steps [default: 0.5]
    #[arg(long, value_name = "S", value_parser = crate::args::seconds)]
    solver_timeout: Option<Duration>,

    /// For how many seconds constraints are looked for; of what comes later only what was found before is known
    #[arg(long, value_name = "S", value_parser = crate::args::seconds, default_value = "60")]
    constraints_timeout: Duration,
}

impl SolverArguments {
    /// The solver that was asked for, or that the environment names, or Z3, once it is needed. Setting `stop` ends what it does.
    fn supply(&self, stop: &Arc<AtomicBool>) -> Supply<'static> {
        let named = std::env::var(VARIABLE).ok().filter(|name| !name.trim().is_empty());
        let (program, named_by) = match (&self.solver, named) {
            (Some(asked), _) => (asked.clone(), "--solver"),
            (None, Some(named)) => (named, VARIABLE),
            (None, None) => (SolverSettings::default().program, ""),
        };
        let time_limit = Some(self.solver_timeout.unwrap_or(Duration::from_millis(500)));
        let stop = Some(Arc::clone(stop));
        let settings = SolverSettings { program, named_by: named_by.to_owned(), time_limit, stop };
        Supply::new(move || Solver::start(settings.clone()))
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Constraints) -> Result<Status, Refusal> {
    let settings = Settings { defines: arguments.defines.clone(), max_instructions: u64::MAX, ..Settings::default() };
    let loaded = load(std::slice::from_ref(&arguments.program), &settings)?;
    let Program::Process { image, checked, .. } = &loaded.program else {
        return Err(Refusal::with_help(
            format!("`{}` is not in the process notation", loaded.path),
            "constraints are those of `.mzk` programs",
        ));
    };
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::install(&stop);
    let mut supply = arguments.solver.supply(&stop);
    let (text, status) = if arguments.verify {
        let found =
            verify(checked, image, &mut Cache::new(), &mut supply).map_err(|error| Refusal::new(error.to_string()))?;
        (show::verified(&loaded, checked, image, &found, arguments.output.format, supply.time()), status(&found))
    } else {
        let limit = arguments.solver.constraints_timeout;
        let Found { pairs, unasked } =
            find(image, &mut supply, &stop, limit).map_err(|error| Refusal::new(error.to_string()))?;
        let shown: Vec<&Synthesised> = pairs.iter().filter(|pair| arguments.all || pair.conflict).collect();
        let status = if unasked > 0 { Status::Incomplete } else { Status::Verified };
        (show::found(&loaded, image, &shown, arguments.output.format, supply.time()), status)
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))?;
    Ok(status)
}

fn status(found: &[Declared]) -> Status {
    if found.iter().any(|declared| matches!(declared.verified, Verified::Refuted { .. })) {
        Status::Violation
    } else if found.iter().any(|declared| matches!(declared.verified, Verified::Unknown(_))) {
        Status::Incomplete
    } else {
        Status::Verified
    }
}

/// The constraints of a program, as they were found before or as a solver finds them. Where that was stopped or took too long, it is said.
fn find(image: &Image, supply: &mut Supply<'_>, stop: &AtomicBool, limit: Duration) -> Result<Found, Error> {
    let begin = Instant::now();
    let is_late = || stop.load(Ordering::Relaxed) || begin.elapsed() >= limit;
    let found = synthesise(image, &mut Cache::new(), supply, &is_late)?;
    if found.unasked > 0 {
        let why = if stop.load(Ordering::Relaxed) { "interrupted" } else { "the time for constraints is over" };
        let option = "--constraints-timeout gives more";
        note(&format!("{why}: {} pairs of steps were not looked at ({option})", found.unasked));
    }
    Ok(found)
}

/// Gives a program all that is known of when its steps commute: proves what it declares, and finds out more, within a time. Where there is no solver, or it does not do its work,
/// that is said, and what is known without it is used.
pub(crate) fn prepare(
    loaded: &mut Loaded,
    arguments: &SolverArguments,
    stop: &Arc<AtomicBool>,
    limit: Option<Duration>,
) -> Result<(), Refusal> {
    let Program::Process { image, checked, .. } = &mut loaded.program else { return Ok(()) };
    let mut supply = arguments.supply(stop);
    if !checked.independences.is_empty() {
        match verify(checked, image, &mut Cache::new(), &mut supply) {
            Ok(found) => judge(&loaded.path, checked, image, &found)?,
            Err(error) => note(&format!("declared constraints are believed without a proof: {error}")),
        }
    }
    let limit = limit.map_or(arguments.constraints_timeout, |limit| limit.min(arguments.constraints_timeout));
    match find(image, &mut supply, stop, limit) {
        Ok(found) => Arc::make_mut(image).constrain_by(&found.pairs),
        Err(error) => note(&format!("no constraints are looked for: {error}")),
    }
    loaded.solver_time = supply.time();
    Ok(())
}

/// Refuses a program that declares what is wrong; tells of what could not be proven.
fn judge(path: &str, program: &hir::Program, image: &Image, found: &[Declared]) -> Result<(), Refusal> {
    for declared in found {
        match &declared.verified {
            Verified::Proven => {}
            Verified::Refuted { .. } => {
                return Err(Refusal::with_help(
                    show::sentence(program, image, declared),
                    format!("`mazurka constraints {path} --verify` tells about all of them"),
                ));
            }
            Verified::Unknown(_) => note(&show::sentence(program, image, declared)),
        }
    }
    Ok(())
}

/// Tells that constraints were of no use.
pub(crate) fn tell_unused() {
    note("integers are too large for what is known of when steps commute; it was not used");
}

fn note(text: &str) {
    terminal::print_error(&format!("note: {text}\n"));
}

/// Whether a report is for programs.
fn is_json(format: Format) -> bool {
    matches!(format, Format::Json)
}
