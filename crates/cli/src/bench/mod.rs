//! `mazurka bench`: the programs of a paper, run again, beside the paper's figures.
//!
//! A [`suite`] is data: programs, and a table of what the paper counted. [`plan`] picks what to
//! run, [`child`] runs each of it in a process of its own, so that its memory is its own,
//! [`rating`] compares, [`table`] and [`json`] print. Suites of bounded model checking have a table
//! of their own: [`bounded`].

mod args;
mod bounded;
mod child;
mod contexts;
mod deadlocks;
mod json;
mod plan;
mod progress;
mod rating;
mod suite;
mod table;

pub(crate) use args::Bench;

use mazurka_explore::Algorithm;

use crate::algorithm::Wanted;
use crate::args::Colour;
use crate::status::Status;
use crate::terminal::{self, Terminal};

use args::Format;
use child::{Ending, Laboratory};
use mazurka::Refusal;
use plan::Case;
use progress::Progress;
use rating::{Bar, Rating};
use suite::Suite;

/// A run, with what the paper says.
pub(crate) struct Run {
    /// What was run.
    case: Case,
    /// How.
    algorithm: Wanted,
    /// What came of it.
    ending: Ending,
    /// What the paper says.
    bar: Bar,
    /// How the two compare.
    rating: Option<Rating>,
}

/// Everything that was run.
pub(crate) struct Report<'a> {
    /// The suite.
    suite: &'a Suite,
    /// What was asked.
    arguments: &'a Bench,
    /// The runs, in the order of the suite.
    runs: Vec<Run>,
    /// Whether Ctrl-C left some out.
    interrupted: bool,
}

/// Does what was asked.
pub(crate) fn run(arguments: &Bench) -> Result<Status, Refusal> {
    let Some(name) = &arguments.suite else {
        print(&list()?)?;
        return Ok(Status::Verified);
    };
    let suite = Suite::named(name)?;
    if suite.is_bounded {
        return bounded::run(&suite, arguments);
    }
    if suite.is_of_deadlocks {
        return deadlocks::run(&suite, arguments);
    }
    if suite.is_of_contexts {
        return contexts::run(&suite, arguments);
    }
    if !arguments.por.is_empty() {
        let help = "it has algorithms (-a); reductions are for suites of bounded model checking";
        return Err(Refusal::with_help(format!("suite `{name}` has no reductions"), help));
    }
    let algorithms = algorithms(arguments, &suite);
    let cases = plan::cases(&suite, arguments)?;
    let report = measure(&suite, arguments, &algorithms, cases)?;
    print(&match arguments.format {
        Format::Human => {
            let colour = Terminal::of_stdout(Colour::Auto).colour;
            table::human(&report).paint(colour)
        }
        Format::Markdown => table::markdown(&report),
        Format::Csv => table::csv(&report),
        Format::Json => json::text(&report),
    })?;
    Ok(report.status())
}

/// The algorithms that were requested, or all that the paper has figures for.
fn algorithms(arguments: &Bench, suite: &Suite) -> Vec<Wanted> {
    if arguments.algorithms.is_empty() {
        let measured = suite.measured();
        let with_parameter = measured.iter().filter_map(|name| name.parse().ok());
        let with_parameter = with_parameter.filter(|algorithm: &Algorithm| algorithm.has_parameter());
        let others = Algorithm::ALL.into_iter().filter(|algorithm| suite.is_measured(&algorithm.name()));
        others.chain(with_parameter).map(Wanted::Named).collect()
    } else {
        arguments.algorithms.clone()
    }
}

/// Runs all cases, each under all algorithms.
fn measure<'a>(
    suite: &'a Suite,
    arguments: &'a Bench,
    algorithms: &[Wanted],
    cases: Vec<Case>,
) -> Result<Report<'a>, Refusal> {
    let laboratory = Laboratory::new(suite, arguments)?;
    let mut progress = Progress::new(cases.len() * algorithms.len());
    let mut runs: Vec<Run> = Vec::new();
    for case in cases {
        for &algorithm in algorithms {
            if arguments.algorithms.is_empty() && !case.has_figures_of(suite, algorithm) {
                continue;
            }
            progress.show(&case, algorithm);
            let hopeless = runs.iter().any(|run| run.algorithm == algorithm && run.makes_hopeless(&case));
            let ending = if hopeless { Ending::NotRun } else { laboratory.run(&case, algorithm)? };
            if laboratory.is_interrupted() {
                return Ok(Report { suite, arguments, runs, interrupted: true });
            }
            let bar = Bar::new(suite, &case, algorithm);
            let rating = bar.rate(&ending);
            runs.push(Run { case: case.clone(), algorithm, ending, bar, rating });
        }
    }
    Ok(Report { suite, arguments, runs, interrupted: false })
}

impl Run {
    /// Whether it did not finish, and so a case that is at least as large will not either.
    fn makes_hopeless(&self, other: &Case) -> bool {
        matches!(self.ending, Ending::Timeout | Ending::NotRun) && other.is_at_least(&self.case)
    }
}

impl Report<'_> {
    /// 1 if a figure is missed or a program fails, 3 if something did not finish, 0 otherwise.
    fn status(&self) -> Status {
        let missed = |run: &Run| {
            matches!(run.ending, Ending::Violation(_) | Ending::Failed(_))
                || matches!(run.rating, Some(Rating::Worse | Rating::TooFew))
        };
        let unfinished = |run: &Run| matches!(run.ending, Ending::Timeout | Ending::NotRun);
        if self.runs.iter().any(missed) {
            Status::Violation
        } else if self.interrupted || self.runs.iter().any(unfinished) {
            Status::Incomplete
        } else {
            Status::Verified
        }
    }
}

/// The suites there are.
fn list() -> Result<String, Refusal> {
    let mut text = String::from("Suites:\n");
    for suite in Suite::all()? {
        let (programs, rows) = (suite.programs().len(), suite.rows.len());
        text += &format!("  {:<11} {} ({programs} programs, {rows} rows)\n", suite.name, suite.title);
        text += &format!("  {:<11} {}\n", "", suite.paper);
    }
    Ok(text + "\nRun one with `mazurka bench --suite NAME`; `mazurka bench --help` tells the rest.\n")
}

fn print(text: &str) -> Result<(), Refusal> {
    terminal::print(text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
}
