//! Suites of bounded model checking: `mazurka bmc` with every reduction, beside the paper's
//! figures.
//!
//! What is compared is how many times as fast a reduction is as none, in one run: ours and the
//! paper's. Times themselves are those of different machines and solvers.

mod print;

use mazurka::Refusal;
use mazurka_bmc::Reduction;
use serde::Deserialize;

use super::args::{Bench, Format};
use super::child::{Laboratory, Printed};
use super::plan::{self, Case};
use super::progress::Progress;
use super::suite::{Figure, Suite};
use crate::args::Colour;
use crate::status::Status;
use crate::terminal::Terminal;

/// What a run that came to an end says of itself.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
struct Measured {
    steps: u64,
    conflicts: u64,
    decisions: u64,
    terms: u64,
    formula_bytes: u64,
    time_s: f64,
    solver_time_s: f64,
    solver_processor_time_s: f64,
    peak_memory_bytes: u64,
    solver_memory_bytes: u64,
}

impl Measured {
    /// Of both processes.
    fn memory(&self) -> u64 {
        self.peak_memory_bytes + self.solver_memory_bytes
    }
}

impl Ending {
    /// What was measured, of runs that did not come to an end as well.
    fn measured(&self) -> Option<&Measured> {
        match self {
            Ending::Right(measured) | Ending::Timeout(Some(measured)) => Some(measured),
            Ending::Timeout(None) | Ending::Wrong(_) | Ending::NotRun => None,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
enum Ending {
    /// It found what there is.
    Right(Measured),
    /// It did not, which would be a mistake of ours.
    Wrong(String),
    /// The time was over; what it had used and counted until then, as far as it says so.
    Timeout(Option<Measured>),
    /// It was not run, since a smaller size took too long.
    NotRun,
}

/// A run, with what the paper says.
struct Run {
    case: Case,
    steps: usize,
    fails: bool,
    reduction: Reduction,
    ending: Ending,
    paper: Figure,
    paper_none: Figure,
}

/// Everything that was run.
struct Report<'a> {
    suite: &'a Suite,
    arguments: &'a Bench,
    runs: Vec<Run>,
    interrupted: bool,
}

/// Does what was asked.
pub(super) fn run(suite: &Suite, arguments: &Bench) -> Result<Status, Refusal> {
    if !arguments.algorithms.is_empty() || !arguments.sizes.is_empty() {
        let help = "it has reductions (--por) and the rows of its table (--filter)";
        return Err(Refusal::with_help(format!("suite `{}` has no algorithms and no other sizes", suite.name), help));
    }
    let report = measure(suite, arguments)?;
    super::print(&match arguments.format {
        Format::Human => print::human(&report).paint(Terminal::of_stdout(Colour::Auto).colour),
        Format::Markdown => print::markdown(&report),
        Format::Csv => print::csv(&report),
        Format::Json => print::json(&report),
    })?;
    Ok(report.status())
}

fn measure<'a>(suite: &'a Suite, arguments: &'a Bench) -> Result<Report<'a>, Refusal> {
    let asked: Vec<Reduction> = arguments.por.iter().map(|&por| por.into()).collect();
    let measured = Reduction::ALL.into_iter().filter(|reduction| suite.is_measured(reduction.name()));
    let reductions = if asked.is_empty() { measured.collect() } else { asked };
    let cases = plan::cases(suite, arguments)?;
    let laboratory = Laboratory::new(suite, arguments)?;
    let mut progress = Progress::new(cases.len() * reductions.len());
    let mut runs: Vec<Run> = Vec::new();
    for case in cases {
        let row = case.row.clone().expect("only rows of the table are planned");
        for &reduction in &reductions {
            progress.show(&case, reduction);
            let (steps, fails) = (row.steps, row.fails);
            let ending = if runs.iter().any(|run| run.makes_hopeless(&case, steps, fails, reduction)) {
                Ending::NotRun
            } else {
                let options = ["--por", reduction.name(), "--steps", &steps.to_string()].map(str::to_owned);
                ending(&laboratory.command("bmc", &case, &options)?, fails)
            };
            if laboratory.is_interrupted() {
                return Ok(Report { suite, arguments, runs, interrupted: true });
            }
            let figure = |name: &str| row.figures.get(name).copied().unwrap_or_default();
            let (paper, paper_none) = (figure(reduction.name()), figure(Reduction::None.name()));
            runs.push(Run { case: case.clone(), steps, fails, reduction, ending, paper, paper_none });
        }
    }
    Ok(Report { suite, arguments, runs, interrupted: false })
}

impl Run {
    /// Whether it did not come to an end, and so a deeper one of the same kind will not either.
    fn makes_hopeless(&self, case: &Case, steps: usize, fails: bool, reduction: Reduction) -> bool {
        matches!(self.ending, Ending::Timeout(_) | Ending::NotRun)
            && (self.reduction, self.fails, &self.case.program) == (reduction, fails, &case.program)
            && self.steps <= steps
    }
}

impl Report<'_> {
    /// How many times as fast a run is as the one without reduction: at least so many, where that
    /// one did not come to an end.
    fn speedup(&self, run: &Run) -> Option<(f64, bool)> {
        let Ending::Right(ours) = &run.ending else { return None };
        let same = |other: &&Run| {
            other.reduction == Reduction::None && (other.case.title(), other.steps) == (run.case.title(), run.steps)
        };
        match &self.runs.iter().find(same)?.ending {
            Ending::Right(none) => Some((none.time_s / ours.time_s, false)),
            Ending::Timeout(_) => Some((self.arguments.timeout.as_secs_f64() / ours.time_s, true)),
            Ending::NotRun | Ending::Wrong(_) => None,
        }
    }

    /// 1 if something wrong was found, 3 if a run did not finish, 0 otherwise.
    fn status(&self) -> Status {
        if self.runs.iter().any(|run| matches!(run.ending, Ending::Wrong(_))) {
            Status::Violation
        } else if self.interrupted || self.runs.iter().any(|run| !matches!(run.ending, Ending::Right(_))) {
            Status::Incomplete
        } else {
            Status::Verified
        }
    }
}

/// What is read of a report.
#[derive(Deserialize)]
struct Said {
    verdict: String,
    #[serde(flatten)]
    measured: Measured,
    limits: Vec<String>,
}

/// What came of a process.
fn ending((status, output, errors): &Printed, fails: bool) -> Ending {
    let Some(status) = status else { return Ending::Timeout(None) };
    let Ok(said) = serde_json::from_str::<Said>(output) else {
        let said = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        return Ending::Wrong(format!("{said} ({status})"));
    };
    let limits = said.limits.join(", ");
    match (said.verdict.as_str(), limits.as_str(), fails) {
        ("violation", _, true) | ("verified", _, false) | ("incomplete", "steps", false) => {
            Ending::Right(said.measured)
        }
        ("incomplete", "timeout", _) => Ending::Timeout(Some(said.measured)),
        (verdict, "", _) => Ending::Wrong(verdict.to_owned()),
        (verdict, limits, _) => Ending::Wrong(format!("{verdict}: {limits}")),
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn endings_are_told_apart() {
        let ended = |verdict: &str, limits: &str, fails: bool| {
            let output = format!(
                "{{\"verdict\":\"{verdict}\",\"steps\":5,\"conflicts\":1,\"decisions\":2,\"terms\":3,\"formula_bytes\":4,\"time_s\":0.5,\
                 \"solver_time_s\":0.4,\"solver_processor_time_s\":0.3,\"peak_memory_bytes\":7,\"solver_memory_bytes\":8,\"limits\":[{limits}]}}"
            );
            ending(&(Some(ExitStatus::default()), output, String::new()), fails)
        };
        assert!(matches!(ended("violation", "", true), Ending::Right(measured) if measured.memory() == 15));
        assert!(matches!(ended("incomplete", "\"steps\"", false), Ending::Right(_)));
        assert!(matches!(ended("verified", "", false), Ending::Right(_)));
        assert!(matches!(ended("incomplete", "\"timeout\"", true), Ending::Timeout(Some(_))));
        assert_eq!(ended("violation", "", false), Ending::Wrong("violation".to_owned()));
        assert_eq!(ended("incomplete", "\"steps\"", true), Ending::Wrong("incomplete: steps".to_owned()));
        assert_eq!(ending(&(None, String::new(), String::new()), true), Ending::Timeout(None));
        let printed = (Some(ExitStatus::default()), String::new(), "error: no solver".to_owned());
        assert!(matches!(ending(&printed, true), Ending::Wrong(error) if error.starts_with("error: no solver")));
    }
}
