//! Suites of deadlocks: `mazurka deadlocks`, beside the paper's figures.
//!
//! What is compared is whether there is a deadlock. States are printed beside the paper's, whose
//! tool reduces nothing and searches for each cycle on its own.

use mazurka::Refusal;
use mazurka_report::{Line, Style, Text, duration, grouped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use super::args::{Bench, Format};
use super::child::{Laboratory, Printed};
use super::plan::{self, Case};
use super::progress::Progress;
use super::suite::{Executions, Figure, Row, Suite};
use crate::args::Colour;
use crate::status::Status;
use crate::terminal::Terminal;

const COLUMNS: usize = 12;

const HEADER: [&str; COLUMNS] = [
    "program",
    "size",
    "answer",
    "cycles",
    "confirmed",
    "states",
    "pruned",
    "time",
    "paper: cycles",
    "states",
    "time",
    "unguided",
];

/// The columns that hold words, and not numbers.
const NAMES: [usize; 3] = [0, 1, 2];

/// What a run says of itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Said {
    verdict: String,
    cycles: Vec<SaidCycle>,
    states: u64,
    pruned: u64,
    time_s: f64,
    analysis_time_s: f64,
    limits_hit: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct SaidCycle {
    status: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
enum Ending {
    /// With the right answer.
    Right(Said),
    /// With another one, which would be a mistake of ours, or with none.
    Wrong(String),
    /// Without one, for lack of time.
    Unknown(Said),
}

struct Run {
    case: Case,
    ending: Ending,
    row: Row,
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
    let mut interrupted = false;
    for case in cases {
        progress.show(&case, "deadlocks");
        let row = case.row.clone().expect("only rows of the table are planned");
        let printed = laboratory.command("deadlocks", &case, &[])?;
        if laboratory.is_interrupted() {
            interrupted = true;
            break;
        }
        runs.push(Run { ending: ending(&printed, row.fails), case, row });
    }
    super::print(&match arguments.format {
        Format::Human => human(suite, &runs).paint(Terminal::of_stdout(Colour::Auto).colour),
        Format::Markdown => markdown(suite, &runs),
        Format::Csv => csv(&runs),
        Format::Json => json(suite, &runs),
    })?;
    Ok(status(&runs, interrupted))
}

fn status(runs: &[Run], interrupted: bool) -> Status {
    if runs.iter().any(|run| matches!(run.ending, Ending::Wrong(_))) {
        Status::Violation
    } else if interrupted || runs.iter().any(|run| matches!(run.ending, Ending::Unknown(_))) {
        Status::Incomplete
    } else {
        Status::Verified
    }
}

/// What came of a process.
fn ending((status, output, errors): &Printed, fails: bool) -> Ending {
    let Ok(said) = serde_json::from_str::<Said>(output) else {
        let said = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        return Ending::Wrong(format!(
            "{said} ({})",
            status.map_or("no status".to_owned(), |status| status.to_string())
        ));
    };
    match (said.verdict.as_str(), fails) {
        ("deadlock", true) | ("free", false) => Ending::Right(said),
        ("unknown", _) => Ending::Unknown(said),
        _ => Ending::Wrong(said.verdict),
    }
}

fn cells(run: &Run) -> [String; COLUMNS] {
    let figure = |name: &str| run.row.figures.get(name).copied().unwrap_or_default();
    let counted = |figure: Figure| match figure.executions {
        Some(Executions::Counted(count)) => grouped(count),
        Some(Executions::Timeout) => "timeout".to_owned(),
        None => String::new(),
    };
    let seconds = |time: f64| duration(Duration::from_secs_f64(time));
    let (paper, none) = (figure("guided"), figure("none"));
    let [answer, cycles, confirmed, states, pruned, time] = match &run.ending {
        Ending::Wrong(what) => {
            [what.clone(), String::new(), String::new(), String::new(), String::new(), String::new()]
        }
        Ending::Right(said) | Ending::Unknown(said) => {
            let confirmed = said.cycles.iter().filter(|cycle| cycle.status == "confirmed").count();
            [
                said.verdict.clone(),
                said.cycles.len().to_string(),
                confirmed.to_string(),
                grouped(said.states),
                grouped(said.pruned),
                seconds(said.time_s + said.analysis_time_s),
            ]
        }
    };
    [
        run.case.program.clone(),
        run.case.size(),
        answer,
        cycles,
        confirmed,
        states,
        pruned,
        time,
        counted(figure("cycles")),
        counted(paper),
        paper.time.map_or(String::new(), seconds),
        counted(none),
    ]
}

/// The time of all runs together.
fn summary(runs: &[Run]) -> String {
    let time: f64 = runs
        .iter()
        .map(|run| match &run.ending {
            Ending::Right(said) | Ending::Unknown(said) => said.time_s + said.analysis_time_s,
            Ending::Wrong(_) => 0.0,
        })
        .sum();
    let right = runs.iter().filter(|run| matches!(run.ending, Ending::Right(_))).count();
    format!("{right} of {} decided and right, in {} together", runs.len(), duration(Duration::from_secs_f64(time)))
}

fn human(suite: &Suite, runs: &[Run]) -> Text {
    let rows: Vec<[String; COLUMNS]> = runs.iter().map(cells).collect();
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
    text.push(Line::new().with(Style::Strong, &*suite.name).with(Style::Plain, format!(": {}", suite.paper)));
    text.push(Line::new().with(Style::Dim, format!("The paper's times: {}.", suite.machine)));
    text.gap();
    text.push(line(&HEADER.map(str::to_owned), Style::Strong));
    for (run, row) in runs.iter().zip(&rows) {
        text.push(line(row, if matches!(run.ending, Ending::Wrong(_)) { Style::Bad } else { Style::Plain }));
    }
    text.gap();
    text.push(Line::new().with(Style::Plain, summary(runs)));
    text
}

fn markdown(suite: &Suite, runs: &[Run]) -> String {
    let mut text = format!("`{}`: {}. The paper's times: {}.\n\n", suite.name, suite.paper, suite.machine);
    let alignment: Vec<&str> =
        (0..COLUMNS).map(|column| if NAMES.contains(&column) { "---" } else { "---:" }).collect();
    text += &format!("| {} |\n| {} |\n", HEADER.join(" | "), alignment.join(" | "));
    for run in runs {
        text += &format!("| {} |\n", cells(run).join(" | "));
    }
    text + "\n" + &summary(runs) + "\n"
}

fn csv(runs: &[Run]) -> String {
    let mut text = HEADER.join(",") + "\n";
    for run in runs {
        let plain = cells(run).map(|cell| cell.replace(',', ""));
        text += &(plain.join(",") + "\n");
    }
    text
}

#[derive(Serialize)]
struct Object<'a> {
    suite: &'a str,
    runs: Vec<RunObject>,
}

#[derive(Serialize)]
struct RunObject {
    program: String,
    size: String,
    verdict: String,
    cycles: usize,
    confirmed: usize,
    states: u64,
    pruned: u64,
    time_s: f64,
    analysis_time_s: f64,
    limits_hit: Vec<String>,
}

fn json(suite: &Suite, runs: &[Run]) -> String {
    let object = |run: &Run| {
        let (program, size) = (run.case.program.clone(), run.case.size());
        match &run.ending {
            Ending::Right(said) | Ending::Unknown(said) => RunObject {
                program,
                size,
                verdict: said.verdict.clone(),
                cycles: said.cycles.len(),
                confirmed: said.cycles.iter().filter(|cycle| cycle.status == "confirmed").count(),
                states: said.states,
                pruned: said.pruned,
                time_s: said.time_s,
                analysis_time_s: said.analysis_time_s,
                limits_hit: said.limits_hit.clone(),
            },
            Ending::Wrong(what) => RunObject {
                program,
                size,
                verdict: what.clone(),
                cycles: 0,
                confirmed: 0,
                states: 0,
                pruned: 0,
                time_s: 0.0,
                analysis_time_s: 0.0,
                limits_hit: Vec::new(),
            },
        }
    };
    crate::json::text(&Object { suite: &suite.name, runs: runs.iter().map(object).collect() })
}
