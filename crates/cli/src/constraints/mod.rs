//! `mazurka constraints`, and what `check -a constrained` needs of it.

mod actor;
mod cache;
mod process;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use mazurka_smt::synthesis::asking::Shortfall;
use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::{Error, Settings as SolverSettings, Solver, Supply};
use show::{Found, Proven};

use crate::actor::{ActorSettings, Dialect};
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
  mazurka constraints buffer.abs             when each two methods of an object commute

A constraint is a condition under which both orders of two steps lead to the same state and
show the same failures, up to who created a process. It is about all states, whether the
program reaches them or not; the index of a process is within its array. A name with a number
behind it (`v1`) is the second step's. What is said of two steps:
  commute when …              in these states; there may be others
  … and in no other state     exactly in these (`necessary` in JSON)
  never commute               in no state
  nothing was found           the solver found no condition
  nothing is known            it was not asked: a step chooses, uses mutexes, creates many
                              processes, or there was no time (`constraints` null in JSON)
Of actors (.abs), steps are methods, each from its beginning to where it first stops; `kept` says
that somebody can have the first one's result, `kept1` the second one's. `not looked into` names
what was met on the way: where that happens, nothing is known. A program declares constraints with
`[indep(m(x), n(y), CONDITION)]` before a class, or `[indep(n(y), CONDITION)]` before a method.

In the process notation, integers are taken to be between -2^40 and 2^40 before the steps; `check`
does without constraints where they may become larger in some order of the steps. Loops that can go
round more than a few times, and products of variables, are functions about which nothing is known.
What is found and proven about two of its steps is kept (in the folder that MAZURKA_CACHE names, or
in mazurka of the user's cache), so that a second run needs no solver, and one of a changed program
asks about what has changed.

`check` uses what is found, and of what is declared only what is proven; `check --trust` uses
the rest, too, as where there is no solver. Declare constraints that the solver can prove but
does not find.

Exit status: 0; 3 if there was no time for all of it; with --verify 1 if a declaration is wrong,
3 if one could not be proven.";

/// The environment variable that names a solver.
const VARIABLE: &str = "MAZURKA_SOLVER";

/// `mazurka constraints`.
#[derive(Args, Debug)]
pub(crate) struct Constraints {
    /// The program (.mzk: process notation; .abs: actors), in one file, or several of ABS
    #[arg(value_name = "PROGRAM", required = true)]
    programs: Vec<PathBuf>,

    /// Give a `const`, or a function of ABS without parameters, another value; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    defines: Vec<String>,

    /// Prove the declared constraints, or show a state in which one is wrong
    #[arg(long)]
    verify: bool,

    /// Also show steps that have nothing in common
    #[arg(long)]
    all: bool,

    /// The dialect of a program in ABS [default: syco where it says `new cog`]
    #[arg(long, value_name = "abs|syco", hide_possible_values = true)]
    dialect: Option<Dialect>,

    /// The module of a program in ABS whose main block runs, where there are several
    #[arg(long, value_name = "MODULE")]
    main: Option<String>,

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

    /// For how many seconds constraints are looked for; of what comes later only what was found
    /// before is known
    #[arg(long, value_name = "S", value_parser = crate::args::seconds, default_value = "60")]
    constraints_timeout: Duration,
}

impl SolverArguments {
    /// The solver that was requested, or that the environment names, or Z3, once it is needed.
    /// Setting `stop` ends what it does.
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

/// Does what was requested.
pub(crate) fn run(arguments: &Constraints) -> Result<Status, Refusal> {
    let actor = ActorSettings::of_program(arguments.dialect, arguments.main.clone());
    let defines = arguments.defines.clone();
    let settings = Settings { defines, max_instructions: u64::MAX, actor, ..Settings::default() };
    let mut loaded = load(&arguments.programs, &settings)?;
    if !matches!(loaded.program, Program::Process { .. } | Program::Actor { .. }) {
        return Err(Refusal::with_help(
            format!("`{}` is neither in the process notation nor in ABS", loaded.path),
            "constraints are those of `.mzk` and `.abs` programs",
        ));
    }
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::install(&stop);
    let mut supply = arguments.solver.supply(&stop);
    let is_late = late(&stop, arguments.solver.constraints_timeout);
    let refuse = |error: Error| Refusal::new(error.to_string());
    let format = arguments.output.format;
    let (text, status) = if arguments.verify {
        let declarations = declarations(&loaded.program);
        let found = proofs(&loaded.program, &mut supply, &is_late).map_err(refuse)?;
        (show::verified(&loaded, &declarations, &found, format, supply.time()), status(&found))
    } else {
        let (found, shortfall) = pairs(&loaded.program, &mut supply, &is_late, arguments.all).map_err(refuse)?;
        let shortcomings = shortcomings(&shortfall, &stop);
        shortcomings.iter().for_each(|text| loaded.note(text));
        let status = if shortcomings.is_empty() { Status::Verified } else { Status::Incomplete };
        (show::found(&loaded, &found, format, supply.time()), status)
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))?;
    Ok(status)
}

/// The declarations of a program.
fn declarations(program: &Program) -> Vec<String> {
    match program {
        Program::Process { image, checked, .. } => process::declarations(image, checked),
        Program::Actor { image, .. } => actor::declarations(image),
        Program::C { .. } => Vec::new(),
    }
}

/// What comes of the proofs of a program's declarations.
fn proofs(program: &Program, supply: &mut Supply<'_>, is_late: &dyn Fn() -> bool) -> Result<Vec<Proven>, Error> {
    match program {
        Program::Process { image, checked, .. } => process::proofs(image, checked, supply, is_late),
        Program::Actor { image, .. } => actor::proofs(image, supply, is_late),
        Program::C { .. } => Ok(Vec::new()),
    }
}

/// What is found about every two steps, or about those that have something in common.
fn pairs(
    program: &Program,
    supply: &mut Supply<'_>,
    is_late: &dyn Fn() -> bool,
    all: bool,
) -> Result<(Vec<Found>, Shortfall), Error> {
    match program {
        Program::Process { image, .. } => process::pairs(image, supply, is_late, all),
        Program::Actor { image, .. } => actor::pairs(image, supply, is_late, all),
        Program::C { .. } => Ok((Vec::new(), Shortfall::default())),
    }
}

fn status(found: &[Proven]) -> Status {
    if found.iter().any(|proven| matches!(proven.verified, Verified::Refuted { .. })) {
        Status::Violation
    } else if found.iter().any(|proven| matches!(proven.verified, Verified::Unknown(_))) {
        Status::Incomplete
    } else {
        Status::Verified
    }
}

/// Whether somebody said stop, or so much time is over from now on.
fn late(stop: &AtomicBool, limit: Duration) -> impl Fn() -> bool + '_ {
    let begin = Instant::now();
    move || stop.load(Ordering::Relaxed) || begin.elapsed() >= limit
}

/// What was not looked into, and why.
fn shortcomings(found: &Shortfall, stop: &AtomicBool) -> Vec<String> {
    let pairs =
        |count: usize| if count == 1 { "1 pair of steps".to_owned() } else { format!("{count} pairs of steps") };
    let mut texts = Vec::new();
    if found.unasked > 0 {
        let why = if stop.load(Ordering::Relaxed) { "interrupted" } else { "the time for constraints is over" };
        let missing = pairs(found.unasked);
        texts.push(format!("{why}, without a look at {missing} (--constraints-timeout gives more)"));
    }
    if let Some(trouble) = &found.trouble {
        texts.push(format!("nothing is known about {}: {trouble}", pairs(found.failures)));
    }
    texts
}

/// Gives a program all that is known of when its steps commute: proves what it declares, and finds
/// out more, within a time. Where there is no solver, or it does not do its work, that is said, and
/// nothing is used that is not proven, unless the user wants it to be trusted.
pub(crate) fn prepare(
    loaded: &mut Loaded,
    arguments: &SolverArguments,
    trust: bool,
    stop: &Arc<AtomicBool>,
    limit: Option<Duration>,
) -> Result<(), Refusal> {
    let mut supply = arguments.supply(stop);
    let mut notes = Vec::new();
    let limit = limit.map_or(arguments.constraints_timeout, |limit| limit.min(arguments.constraints_timeout));
    let is_late = late(stop, limit);
    if loaded.program.declares_constraints() {
        match proofs(&loaded.program, &mut supply, &is_late) {
            Ok(found) => {
                refuse_wrong(&loaded.path, &found)?;
                notes.extend(show::unproven(&loaded.path, &found, trust));
                use_declared(&mut loaded.program, if trust { Used::All } else { Used::These(&found) });
            }
            Err(error) if trust => {
                notes.push(format!("declared constraints are believed without a proof: {error}"));
                use_declared(&mut loaded.program, Used::All);
            }
            Err(error) => {
                notes.push(format!(
                    "declared constraints are not used, since they could not be proven (--trust uses them): {error}"
                ));
                use_declared(&mut loaded.program, Used::These(&[]));
            }
        }
    }
    match use_found(&mut loaded.program, &mut supply, &is_late) {
        Ok(shortfall) => notes.extend(shortcomings(&shortfall, stop)),
        Err(error) => notes.push(format!("no constraints are looked for: {error}")),
    }
    loaded.solver_time = supply.time();
    notes.iter().for_each(|text| loaded.note(text));
    Ok(())
}

/// Which declarations are used.
#[derive(Clone, Copy)]
enum Used<'a> {
    /// All of them.
    All,
    /// Those of these that are proven.
    These(&'a [Proven]),
}

/// Gives a program its declared constraints.
fn use_declared(program: &mut Program, used: Used<'_>) {
    match program {
        Program::Process { image, checked, .. } => process::use_declared(Arc::make_mut(image), checked, used),
        Program::Actor { image, .. } => actor::use_declared(Arc::make_mut(image), used),
        Program::C { .. } => {}
    }
}

/// Gives a program the constraints that are found.
fn use_found(program: &mut Program, supply: &mut Supply<'_>, is_late: &dyn Fn() -> bool) -> Result<Shortfall, Error> {
    match program {
        Program::Process { image, .. } => process::use_found(Arc::make_mut(image), supply, is_late),
        Program::Actor { image, .. } => actor::use_found(Arc::make_mut(image), supply, is_late),
        Program::C { .. } => Ok(Shortfall::default()),
    }
}

/// Refuses a program that declares what is wrong.
fn refuse_wrong(path: &str, found: &[Proven]) -> Result<(), Refusal> {
    match found.iter().find(|proven| matches!(proven.verified, Verified::Refuted { .. })) {
        None => Ok(()),
        Some(wrong) => Err(Refusal::with_help(
            show::sentence(wrong),
            format!("`mazurka constraints {path} --verify` tells about all of them"),
        )),
    }
}

/// What is said where constraints were of no use.
pub(crate) const UNUSED: &str = "integers are too large for what is known of when steps commute; it was not used";

/// Whether a report is for programs.
fn is_json(format: Format) -> bool {
    matches!(format, Format::Json)
}
