//! The report for programs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::child::{Ending, Measured};
use super::rating::Rating;
use super::suite::{Executions, Figure, Suite};
use super::{Bench, Report, Run};

/// The object of `bench`.
#[derive(Serialize)]
struct Object<'a, E> {
    tool: &'static str,
    version: &'static str,
    suite: &'a str,
    paper: &'a str,
    paper_machine: &'a str,
    kind: &'a str,
    timeout_s: f64,
    options: &'a [String],
    interrupted: bool,
    runs: Vec<E>,
}

/// One run. What was not measured is `null`.
#[derive(Serialize)]
struct Entry<'a> {
    program: &'a str,
    parameters: BTreeMap<&'a str, i64>,
    /// Whether the program is the paper's, as far as its figures tell; `null` for a size that the
    /// paper does not have.
    same_program: Option<bool>,
    algorithm: Cow<'static, str>,
    outcome: &'static str,
    message: Option<&'a str>,
    executions: Option<u64>,
    blocked: Option<u64>,
    events: Option<u64>,
    max_events: Option<u64>,
    time_s: Option<f64>,
    peak_memory_bytes: Option<u64>,
    /// What the paper says about this algorithm.
    paper: Option<Paper>,
    /// What the run is held to.
    bar: Option<Bar<'a>>,
    rating: Option<&'static str>,
}

#[derive(Serialize)]
struct Paper {
    executions: Option<u64>,
    time_s: Option<f64>,
    timeout: bool,
}

#[derive(Serialize)]
struct Bar<'a> {
    /// The column of the paper's table.
    algorithm: &'a str,
    executions: Option<u64>,
    timeout: bool,
    exact: bool,
}

/// The object, with a line feed at its end.
pub(crate) fn text(report: &Report) -> String {
    of_runs(report.suite, report.arguments, report.interrupted, report.runs.iter().map(entry).collect())
}

/// The object of `bench` with these runs.
pub(super) fn of_runs(suite: &Suite, arguments: &Bench, interrupted: bool, runs: Vec<impl Serialize>) -> String {
    crate::json::text(&Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        suite: &suite.name,
        paper: &suite.paper,
        paper_machine: &suite.machine,
        kind: &arguments.kind,
        timeout_s: arguments.timeout.as_secs_f64(),
        options: &arguments.options,
        interrupted,
        runs,
    })
}

fn entry(run: &Run) -> Entry<'_> {
    let measured = match &run.ending {
        Ending::Finished(measured) => Some(measured),
        _ => None,
    };
    let number = |field: fn(&Measured) -> u64| measured.map(field);
    Entry {
        program: &run.case.program,
        parameters: run.case.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
        same_program: run.case.row.as_ref().map(|row| row.is_exact),
        algorithm: run.algorithm.name(),
        outcome: outcome(&run.ending),
        message: message(&run.ending),
        executions: number(|measured| measured.executions),
        blocked: number(|measured| measured.blocked),
        events: number(|measured| measured.events),
        max_events: number(|measured| measured.max_events),
        time_s: measured.map(|measured| measured.time_s),
        peak_memory_bytes: number(|measured| measured.peak_memory_bytes),
        paper: run.bar.own.map(paper),
        bar: run.bar.held_to.as_ref().map(|(column, executions)| Bar {
            algorithm: column,
            executions: counted(Some(*executions)),
            timeout: *executions == Executions::Timeout,
            exact: run.bar.is_exact,
        }),
        rating: run.rating.map(Rating::name),
    }
}

/// How a run ended, in a word.
pub(super) fn outcome(ending: &Ending) -> &'static str {
    match ending {
        Ending::Finished(_) => "finished",
        Ending::Timeout => "timeout",
        Ending::NotRun => "not run",
        Ending::Violation(_) => "violation",
        Ending::Failed(_) => "failed",
    }
}

/// What there is to be said about it.
pub(super) fn message(ending: &Ending) -> Option<&str> {
    match ending {
        Ending::Finished(_) | Ending::Timeout | Ending::NotRun => None,
        Ending::Violation(message) | Ending::Failed(message) => Some(message),
    }
}

fn paper(figure: Figure) -> Paper {
    Paper {
        executions: counted(figure.executions),
        time_s: figure.time,
        timeout: figure.executions == Some(Executions::Timeout),
    }
}

fn counted(executions: Option<Executions>) -> Option<u64> {
    match executions {
        Some(Executions::Counted(executions)) => Some(executions),
        Some(Executions::Timeout) | None => None,
    }
}
