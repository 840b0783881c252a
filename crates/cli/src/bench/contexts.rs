//! Suites of contexts: `mazurka contexts --deadlock`, beside the paper's figures.
//!
//! What is compared is how many contexts there are for the cycles, and how many of them have a
//! deadlock. Where the paper's tool ran out of time, `expected` has the number that it would have
//! found.

use std::time::Instant;

use mazurka::Refusal;
use mazurka_report::{duration, grouped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::args::{Bench, Format};
use super::child::Laboratory;
use super::plan::{self, Case};
use super::progress::Progress;
use super::suite::{Executions, Row, Suite};
use crate::status::Status;

const COLUMNS: usize = 11;

const HEADER: [&str; COLUMNS] = [
    "program",
    "size",
    "all",
    "for cycles",
    "deadlock",
    "free",
    "time",
    "paper: all",
    "for cycles",
    "deadlock",
    "time",
];

/// What a run says of itself.
#[derive(Clone, Debug, Deserialize)]
struct Said {
    cycles: Vec<SaidCycle>,
    count: Option<String>,
    count_of_all: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct SaidCycle {
    results: Option<SaidResults>,
}

#[derive(Clone, Debug, Deserialize)]
struct SaidResults {
    deadlock: u64,
    free: u64,
}

/// A run, with what the paper says.
#[derive(Serialize)]
struct Run {
    program: String,
    size: String,
    all: String,
    generated: String,
    deadlocks: u64,
    free: u64,
    time_s: f64,
    /// Whether the numbers are those that are expected.
    right: bool,
    #[serde(skip)]
    row: Row,
    /// What went wrong, if there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Does what was asked.
pub(super) fn run(suite: &Suite, arguments: &Bench) -> Result<Status, Refusal> {
    if !arguments.algorithms.is_empty() || !arguments.sizes.is_empty() || !arguments.por.is_empty() {
        let help = "it has the rows of its table (--filter)";
        let message = format!("suite `{}` has no algorithms, reductions or other sizes", suite.name);
        return Err(Refusal::with_help(message, help));
    }
    let cases = plan::cases(suite, arguments)?;
    let laboratory = Laboratory::new(suite, arguments)?;
    let mut progress = Progress::new(cases.len());
    let mut runs = Vec::new();
    for case in cases {
        progress.show(&case, "contexts");
        let most = case.parameters.first().map_or(1, |(_, value)| *value).to_string();
        let words = ["--deadlock", "--max", &most, "--format", "json"].map(str::to_owned);
        let started = Instant::now();
        let (_, output, errors) = laboratory.words("contexts", &case, &words)?;
        if laboratory.is_interrupted() {
            return Ok(Status::Incomplete);
        }
        runs.push(judge(case, &output, &errors, started.elapsed()));
    }
    super::print(&match arguments.format {
        Format::Human => table(suite, &runs, "  ", false),
        Format::Markdown => table(suite, &runs, " | ", true),
        Format::Csv => csv(&runs),
        Format::Json => crate::json::text(&runs),
    })?;
    let is_right = runs.iter().all(|run| run.right);
    Ok(if is_right { Status::Verified } else { Status::Violation })
}

fn judge(case: Case, output: &str, errors: &str, time: Duration) -> Run {
    let size = case.size();
    let row = case.row.expect("only rows of the table are planned");
    let mut run = Run {
        program: case.program,
        size,
        all: String::new(),
        generated: String::new(),
        deadlocks: 0,
        free: 0,
        time_s: time.as_secs_f64(),
        right: false,
        row,
        error: None,
    };
    match serde_json::from_str::<Said>(output) {
        Err(_) => run.error = Some(errors.lines().next().unwrap_or("no answer").to_owned()),
        Ok(said) => {
            run.all = said.count_of_all.unwrap_or_default();
            run.generated = said.count.unwrap_or_default();
            let results = || said.cycles.iter().filter_map(|cycle| cycle.results.as_ref());
            run.deadlocks = results().map(|results| results.deadlock).sum();
            run.free = results().map(|results| results.free).sum();
            let is = |name: &str, found: &str| match run.row.figures.get(name).and_then(|figure| figure.executions) {
                Some(Executions::Counted(count)) => count.to_string() == found,
                _ => true,
            };
            let known = run.deadlocks + run.free;
            run.right = is("syst", &run.all)
                && is("generated", &run.generated)
                && is("expected", &run.deadlocks.to_string())
                && known.to_string() == run.generated;
        }
    }
    run
}

fn cells(run: &Run) -> [String; COLUMNS] {
    let figure = |name: &str| match run.row.figures.get(name).and_then(|figure| figure.executions) {
        Some(Executions::Counted(count)) => grouped(count),
        Some(Executions::Timeout) => "timeout".to_owned(),
        None => String::new(),
    };
    let number = |text: &str| text.parse().map_or_else(|_| text.to_owned(), grouped);
    let time = run.row.figures.get("deadlocks").and_then(|figure| figure.time);
    [
        run.program.clone(),
        run.size.clone(),
        run.error.clone().unwrap_or_else(|| number(&run.all)),
        number(&run.generated),
        grouped(run.deadlocks),
        grouped(run.free),
        duration(Duration::from_secs_f64(run.time_s)),
        figure("syst"),
        figure("generated"),
        figure("deadlocks"),
        time.map_or(String::new(), |time| duration(Duration::from_secs_f64(time))),
    ]
}

fn summary(runs: &[Run]) -> String {
    let time: f64 = runs.iter().map(|run| run.time_s).sum();
    let right = runs.iter().filter(|run| run.right).count();
    format!("{right} of {} right, in {} together\n", runs.len(), duration(Duration::from_secs_f64(time)))
}

fn table(suite: &Suite, runs: &[Run], between: &str, is_markdown: bool) -> String {
    let rows: Vec<[String; COLUMNS]> = runs.iter().map(cells).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADER[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let line = |cells: &[String; COLUMNS]| {
        let padded = cells.iter().zip(&widths).enumerate();
        let padded = padded.map(|(column, (cell, &width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = padded.collect::<Vec<String>>().join(between);
        if is_markdown { format!("| {line} |\n") } else { format!("{}\n", line.trim_end()) }
    };
    let mut text = format!("{}: {}. The paper's times: {}.\n\n", suite.name, suite.paper, suite.machine);
    text += &line(&HEADER.map(str::to_owned));
    if is_markdown {
        let rule = |column: usize| if column < 2 { "---" } else { "---:" };
        text += &format!("| {} |\n", (0..COLUMNS).map(rule).collect::<Vec<&str>>().join(" | "));
    }
    rows.iter().for_each(|row| text += &line(row));
    text + "\n" + &summary(runs)
}

fn csv(runs: &[Run]) -> String {
    let mut text = HEADER.join(",") + "\n";
    for run in runs {
        text += &(cells(run).map(|cell| cell.replace(',', "")).join(",") + "\n");
    }
    text
}
