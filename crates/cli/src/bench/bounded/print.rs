//! Tables of bounded model checking: for people, documents, spreadsheets and programs.

use std::time::Duration;

use mazurka_report::{Line, Style, Text, counted, duration, grouped};
use serde::Serialize;

use super::super::suite::Executions;
use super::{Ending, Report, Run};

const COLUMNS: usize = 14;

const HEADER: [&str; COLUMNS] = [
    "program",
    "size",
    "steps",
    "--por",
    "time",
    "times none",
    "processor",
    "conflicts",
    "decisions",
    "terms",
    "memory",
    "paper",
    "times none",
    "conflicts",
];

/// The columns that hold names, and not numbers.
const NAMES: [usize; 3] = [0, 1, 3];

const NOTE: &str = "`times none`: how many times as fast as without reduction; `processor`: the solver's processor time; the last three \
                    columns are the paper's.";

pub(super) fn human(report: &Report) -> Text {
    let rows: Vec<[String; COLUMNS]> = report.runs.iter().map(|run| cells(report, run)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADER[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let line = |cells: &[String; COLUMNS], style: Style| {
        let mut line = Line::new();
        for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let padded = if NAMES.contains(&column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            line.push(style, padded);
            line.push(Style::Plain, "  ");
        }
        line
    };
    let mut text = Text::default();
    let suite = report.suite;
    text.push(Line::new().with(Style::Strong, &*suite.name).with(Style::Plain, format!(": {}", suite.paper)));
    text.push(Line::new().with(Style::Dim, format!("The paper's times: {}.", suite.machine)));
    text.gap();
    text.push(line(&HEADER.map(str::to_owned), Style::Strong));
    for (run, row) in report.runs.iter().zip(&rows) {
        text.push(line(row, if matches!(run.ending, Ending::Wrong(_)) { Style::Bad } else { Style::Plain }));
    }
    text.gap();
    text.push(Line::new().with(Style::Dim, NOTE));
    text.push(Line::new().with(Style::Plain, summary(report)));
    text
}

pub(super) fn markdown(report: &Report) -> String {
    let suite = report.suite;
    let mut text = format!("`{}`: {}. The paper's times: {}.\n\n", suite.name, suite.paper, suite.machine);
    let alignment: Vec<&str> =
        (0..COLUMNS).map(|column| if NAMES.contains(&column) { "---" } else { "---:" }).collect();
    text += &format!("| {} |\n| {} |\n", HEADER.join(" | "), alignment.join(" | "));
    for run in &report.runs {
        text += &format!("| {} |\n", cells(report, run).join(" | "));
    }
    text + "\n" + NOTE + "\n\n" + &summary(report) + "\n"
}

/// A run, in words.
fn cells(report: &Report, run: &Run) -> [String; COLUMNS] {
    let (time, at_least) = match &run.ending {
        Ending::Right(measured) => (seconds(measured.time_s), ""),
        Ending::Timeout(_) => (format!("> {}", duration(report.arguments.timeout)), "> "),
        Ending::NotRun => ("not run".to_owned(), ""),
        Ending::Wrong(what) => (what.clone(), ""),
    };
    let [processor, conflicts, decisions, terms, memory] = match run.ending.measured() {
        Some(measured) => [
            format!("{at_least}{}", seconds(measured.solver_processor_time_s)),
            format!("{at_least}{}", grouped(measured.conflicts)),
            format!("{at_least}{}", grouped(measured.decisions)),
            grouped(measured.terms),
            format!("{:.0} MB", measured.memory() as f64 / 1e6),
        ],
        None => [const { String::new() }; 5],
    };
    let speedup = report.speedup(run).map_or(String::new(), |(times, at_least)| ratio(times, at_least));
    let timeout = run.paper.executions == Some(Executions::Timeout);
    let paper = if timeout { "timeout".to_owned() } else { run.paper.time.map_or(String::new(), seconds) };
    let paper_speedup = match (run.paper_none.time, run.paper.time) {
        (Some(none), Some(own)) if own > 0.0 => ratio(none / own, false),
        _ => String::new(),
    };
    let paper_conflicts = run.paper.conflicts.map_or(String::new(), grouped);
    let (case, steps) = (&run.case, run.steps.to_string());
    let reduction = run.reduction.name().to_owned();
    [
        case.program.clone(),
        case.size(),
        steps,
        reduction,
        time,
        speedup,
        processor,
        conflicts,
        decisions,
        terms,
        memory,
        paper,
        paper_speedup,
        paper_conflicts,
    ]
}

fn ratio(times: f64, at_least: bool) -> String {
    let digits = usize::from(times < 10.0);
    format!("{}{times:.digits$}", if at_least { "> " } else { "" })
}

fn seconds(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds).map_or_else(|_| seconds.to_string(), duration)
}

fn summary(report: &Report) -> String {
    let count = |wanted: &dyn Fn(&Ending) -> bool| report.runs.iter().filter(|run| wanted(&run.ending)).count() as u64;
    let mut parts = vec![counted(report.runs.len() as u64, "run")];
    parts.push(format!("{} right", count(&|ending| matches!(ending, Ending::Right(_)))));
    parts.push(format!("{} wrong", count(&|ending| matches!(ending, Ending::Wrong(_)))));
    parts.push(format!("{} timeout", count(&|ending| matches!(ending, Ending::Timeout(_)))));
    parts.push(format!("{} not run", count(&|ending| *ending == Ending::NotRun)));
    parts.retain(|part| !part.starts_with("0 "));
    let most = report.runs.iter().filter_map(|run| run.ending.measured()).map(|measured| measured.memory());
    if let Some(most) = most.max() {
        parts.push(format!("at most {:.0} MB", most as f64 / 1e6));
    }
    if report.interrupted {
        parts.push("interrupted".to_owned());
    }
    parts.join(" · ")
}

/// One run, for programs. What was not measured is `null`, and empty in a spreadsheet; of a run
/// whose time was over, it is what it had used until then.
#[derive(Serialize)]
struct Entry<'a> {
    program: &'a str,
    parameters: String,
    steps: usize,
    violation: bool,
    por: &'static str,
    outcome: &'static str,
    message: Option<&'a str>,
    time_s: Option<f64>,
    solver_time_s: Option<f64>,
    solver_processor_time_s: Option<f64>,
    times_none: Option<f64>,
    conflicts: Option<u64>,
    decisions: Option<u64>,
    terms: Option<u64>,
    formula_bytes: Option<u64>,
    memory_bytes: Option<u64>,
    paper_timeout: bool,
    paper_time_s: Option<f64>,
    paper_conflicts: Option<u64>,
    paper_decisions: Option<u64>,
}

fn entry<'a>(report: &Report, run: &'a Run) -> Entry<'a> {
    let (outcome, message, measured) = match &run.ending {
        Ending::Right(measured) => ("right", None, Some(measured)),
        Ending::Wrong(what) => ("wrong", Some(what.as_str()), None),
        Ending::Timeout(measured) => ("timeout", None, measured.as_ref()),
        Ending::NotRun => ("not run", None, None),
    };
    Entry {
        program: &run.case.program,
        parameters: run.case.size(),
        steps: run.steps,
        violation: run.fails,
        por: run.reduction.name(),
        outcome,
        message,
        time_s: measured.map(|measured| measured.time_s),
        solver_time_s: measured.map(|measured| measured.solver_time_s),
        solver_processor_time_s: measured.map(|measured| measured.solver_processor_time_s),
        times_none: report.speedup(run).filter(|&(_, at_least)| !at_least).map(|(times, _)| times),
        conflicts: measured.map(|measured| measured.conflicts),
        decisions: measured.map(|measured| measured.decisions),
        terms: measured.map(|measured| measured.terms),
        formula_bytes: measured.map(|measured| measured.formula_bytes),
        memory_bytes: measured.map(|measured| measured.memory()),
        paper_timeout: run.paper.executions == Some(Executions::Timeout),
        paper_time_s: run.paper.time,
        paper_conflicts: run.paper.conflicts,
        paper_decisions: run.paper.decisions,
    }
}

pub(super) fn json(report: &Report) -> String {
    let runs: Vec<Entry<'_>> = report.runs.iter().map(|run| entry(report, run)).collect();
    crate::bench::json::of_runs(report.suite, report.arguments, report.interrupted, runs)
}

pub(super) fn csv(report: &Report) -> String {
    let mut text =
        "program,parameters,steps,violation,por,outcome,time_s,solver_time_s,solver_processor_time_s,times_none,conflicts,decisions,terms,\
                    formula_bytes,memory_bytes,paper_time_s,paper_conflicts,paper_decisions\n"
            .to_owned();
    for run in &report.runs {
        let entry = entry(report, run);
        let number = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        let real = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let paper = if entry.paper_timeout { "timeout".to_owned() } else { real(entry.paper_time_s) };
        let fields = [
            entry.program.to_owned(),
            entry.parameters,
            entry.steps.to_string(),
            if entry.violation { "yes" } else { "no" }.to_owned(),
            entry.por.to_owned(),
            entry.outcome.to_owned(),
            real(entry.time_s),
            real(entry.solver_time_s),
            real(entry.solver_processor_time_s),
            real(entry.times_none),
            number(entry.conflicts),
            number(entry.decisions),
            number(entry.terms),
            number(entry.formula_bytes),
            number(entry.memory_bytes),
            paper,
            number(entry.paper_conflicts),
            number(entry.paper_decisions),
        ];
        text += &(fields.join(",") + "\n");
    }
    text
}
