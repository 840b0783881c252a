//! `mazurka constraints`, and what `check -a constrained` needs of it.

mod cache;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cache::Cache;
use clap::Args;
use mazurka_process::hir;
use mazurka_process::{Declared, Image, Synthesised, Verified, synthesise, verify};
use mazurka_smt::{Error, Settings as SolverSettings, Solver};

use crate::args::{Format, Output};
use crate::diagnostics::Refusal;
use crate::frontend::{Program, Settings};
use crate::load::{Loaded, load};
use crate::status::Status;
use crate::terminal;

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

Exit status: 0; with --verify 1 if a declaration is wrong, 3 if one could not be proven.";

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
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct SolverArguments {
    /// The solver, a program that reads SMT-LIB [default: the one that MAZURKA_SOLVER names, or z3]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// How many seconds the solver may take for one question about two steps [default: 0.5]
    #[arg(long, value_name = "S", value_parser = crate::args::seconds)]
    solver_timeout: Option<Duration>,
}

impl SolverArguments {
    /// Starts the solver that was asked for, or that the environment names, or Z3.
    fn start(&self) -> Result<Solver, Error> {
        let named = std::env::var(VARIABLE).ok().filter(|name| !name.trim().is_empty());
        let (program, named_by) = match (&self.solver, named) {
            (Some(asked), _) => (asked.clone(), "--solver"),
            (None, Some(named)) => (named, VARIABLE),
            (None, None) => (SolverSettings::default().program, ""),
        };
        let time_limit = Some(self.solver_timeout.unwrap_or(Duration::from_millis(500)));
        Solver::start(SolverSettings { program, named_by: named_by.to_owned(), time_limit, stop: None })
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
    let (text, status) = if arguments.verify {
        let mut solver = arguments.solver.start().map_err(|error| Refusal::new(error.to_string()))?;
        let found = verify(checked, image, &mut solver).map_err(|error| Refusal::new(error.to_string()))?;
        (show::verified(&loaded, checked, image, &found, arguments.output.format, solver.time()), status(&found))
    } else {
        let (found, time) = find(image, &arguments.solver).map_err(|error| Refusal::new(error.to_string()))?;
        let shown: Vec<&Synthesised> = found.iter().filter(|pair| arguments.all || pair.conflict).collect();
        (show::found(&loaded, image, &shown, arguments.output.format, time), Status::Verified)
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

/// The constraints of a program, as they were found before or as a solver finds them; and how long it took.
fn find(image: &Image, arguments: &SolverArguments) -> Result<(Vec<Synthesised>, Duration), Error> {
    synthesise(image, &mut Cache::new(), || arguments.start())
}

/// Gives a program all that is known of when its steps commute: proves what it declares, and finds out more. Where there is no solver, or it does not do its work,
/// that is said, and what is known without it is used.
pub(crate) fn prepare(loaded: &mut Loaded, arguments: &SolverArguments) -> Result<(), Refusal> {
    let Program::Process { image, checked, .. } = &mut loaded.program else { return Ok(()) };
    let mut time = Duration::ZERO;
    if !checked.independences.is_empty() {
        let proven = arguments.start().and_then(|mut solver| {
            let found = verify(checked, image, &mut solver)?;
            time += solver.time();
            Ok(found)
        });
        match proven {
            Ok(found) => judge(&loaded.path, checked, image, &found)?,
            Err(error) => note(&format!("declared constraints are believed without a proof: {error}")),
        }
    }
    match find(image, arguments) {
        Ok((found, spent)) => {
            time += spent;
            *image = Arc::new(with(image, &found));
        }
        Err(error) => note(&format!("no constraints are looked for: {error}")),
    }
    loaded.solver_time = time;
    Ok(())
}

/// The program with the constraints that matter.
fn with(image: &Image, found: &[Synthesised]) -> Image {
    let mut image = image.clone();
    let useful = || found.iter().filter(|pair| pair.conflict && pair.texts.is_some());
    let constraints: Vec<_> = useful().flat_map(|pair| pair.constraints.iter().cloned()).collect();
    let necessary: Vec<_> = useful().filter(|pair| pair.necessary).map(|pair| (pair.sites[0], pair.sites[1])).collect();
    image.constrain(&constraints, &necessary);
    image
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
