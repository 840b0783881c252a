//! `mazurka constraints`.

mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use mazurka::constraints::{Proven, Prover, Verified, declarations, pairs, proofs, shortcomings};
use mazurka::{Dialect, Program, Refusal, Settings};
use mazurka_smt::Error;

use crate::actor::{dialects, of_program};
use crate::args::{Format, Output};
use crate::load::{self, Given, load};
use crate::solver::SolverArguments;
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
    #[arg(long, value_name = "abs|syco", value_parser = dialects(), hide_possible_values = true)]
    dialect: Option<Dialect>,

    /// The module of a program in ABS whose main block runs, where there are several
    #[arg(long, value_name = "MODULE")]
    main: Option<String>,

    #[command(flatten)]
    solver: SolverArguments,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Does what was requested.
pub(crate) fn run(arguments: &Constraints) -> Result<Status, Refusal> {
    let actor = of_program(arguments.dialect, arguments.main.clone());
    let defines = arguments.defines.clone();
    let settings = Settings { defines, max_instructions: u64::MAX, actor, ..Settings::default() };
    let given = Given { c: None, actor: actor_option(arguments), network: None };
    let mut loaded = load(&arguments.programs, &settings, given)?;
    if !matches!(loaded.program, Program::Process { .. } | Program::Actor { .. }) {
        return Err(Refusal::with_help(
            format!("`{}` is neither in the process notation nor in ABS", loaded.path),
            "constraints are those of `.mzk` and `.abs` programs",
        ));
    }
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::install(&stop);
    let mut prover = Prover::new(&arguments.solver.solving(false), &stop, None);
    let refuse = |error: Error| Refusal::new(error.to_string());
    let format = arguments.output.format;
    let (text, status) = if arguments.verify {
        let declarations = declarations(&loaded.program);
        let found = proofs(&loaded.program, &mut prover).map_err(refuse)?;
        (show::verified(&loaded, &declarations, &found, format, prover.time()), status(&found))
    } else {
        let (found, shortfall) = pairs(&loaded.program, &mut prover, arguments.all).map_err(refuse)?;
        loaded.notes.extend(shortcomings(&shortfall, &stop));
        loaded.notes.iter().for_each(|text| load::note(text));
        let status = if loaded.notes.is_empty() { Status::Verified } else { Status::Incomplete };
        (show::found(&loaded, &found, format, prover.time()), status)
    };
    terminal::print(&text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))?;
    Ok(status)
}

/// An option that was given and that only actors know.
fn actor_option(arguments: &Constraints) -> Option<&'static str> {
    arguments.dialect.map(|_| "--dialect").or(arguments.main.as_ref().map(|_| "--main"))
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

/// Whether a report is for programs.
fn is_json(format: Format) -> bool {
    matches!(format, Format::Json)
}
