//! Tables: for people, for documents, for spreadsheets.

use std::time::Duration;

use mazurka_report::{Line, Style, Text, counted, duration, grouped};

use super::child::Ending;
use super::json::{message, outcome};
use super::rating::Rating;
use super::suite::Executions;
use super::{Report, Run};

/// The columns of the table that is read by people.
const HEADER: [&str; 11] =
    ["program", "size", "algorithm", "executions", "blocked", "events", "time", "memory", "paper", "in", "ours is"];

/// The columns that hold names, and not numbers.
const NAMES: [usize; 4] = [0, 1, 2, 10];

/// The mark of a program that the paper does not print.
const ANOTHER: &str = "*";

/// What the mark means.
const NOTE: &str =
    "* The paper does not print this program: ours is one of the same kind, and figures compare loosely.";

/// Whether the paper has figures for the program, and does not print it.
fn is_another(run: &Run) -> bool {
    run.case.row.as_ref().is_some_and(|row| !row.is_exact)
}

/// For a terminal.
pub(crate) fn human(report: &Report) -> Text {
    let rows: Vec<[String; 11]> = report.runs.iter().map(|run| cells(report, run)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADER[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADER.len()).map(width).collect();
    let mut text = Text::default();
    text.push(
        Line::new().with(Style::Strong, &*report.suite.name).with(Style::Plain, format!(": {}", report.suite.paper)),
    );
    text.push(Line::new().with(Style::Dim, format!("The paper's times: {}.", report.suite.machine)));
    text.gap();
    text.push(line(&HEADER.map(str::to_owned), &widths, Style::Strong));
    let mut before: Option<&Run> = None;
    for (run, row) in report.runs.iter().zip(&rows) {
        if before.is_some_and(|before| before.case.program != run.case.program) {
            text.gap();
        }
        text.push(line(row, &widths, style(run)));
        before = Some(run);
    }
    text.gap();
    if report.runs.iter().any(is_another) {
        text.push(Line::new().with(Style::Dim, NOTE));
    }
    text.push(Line::new().with(Style::Plain, summary(report)));
    text
}

fn line(cells: &[String; 11], widths: &[usize], last: Style) -> Line {
    let mut line = Line::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let style = match last {
            Style::Strong => Style::Strong,
            _ if column + 1 == cells.len() => last,
            _ => Style::Plain,
        };
        let padded = if NAMES.contains(&column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        line.push(style, padded);
        line.push(Style::Plain, "  ");
    }
    line
}

fn style(run: &Run) -> Style {
    match (&run.ending, run.rating) {
        (Ending::Violation(_) | Ending::Failed(_), _) | (_, Some(Rating::Worse | Rating::TooFew)) => Style::Bad,
        (_, Some(Rating::Equal | Rating::Better)) => Style::Good,
        (_, None) => Style::Dim,
    }
}

/// For a document.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text =
        format!("`{}`: {}. The paper's times: {}.\n\n", report.suite.name, report.suite.paper, report.suite.machine);
    let alignment: Vec<&str> =
        (0..HEADER.len()).map(|column| if NAMES.contains(&column) { "---" } else { "---:" }).collect();
    text += &format!("| {} |\n| {} |\n", HEADER.join(" | "), alignment.join(" | "));
    for run in &report.runs {
        text += &format!("| {} |\n", cells(report, run).join(" | "));
    }
    if report.runs.iter().any(is_another) {
        text += &format!("\n{}\n", NOTE.replacen('*', "\\*", 1));
    }
    text + "\n" + &summary(report) + "\n"
}

/// A run, in words.
fn cells(report: &Report, run: &Run) -> [String; 11] {
    let [executions, blocked, events, time, memory] = match &run.ending {
        Ending::Finished(measured) => [
            grouped(measured.executions),
            grouped(measured.blocked),
            grouped(measured.events),
            seconds(measured.time_s),
            bytes(measured.peak_memory_bytes),
        ],
        Ending::Timeout => {
            let limit = format!("> {}", duration(report.arguments.timeout));
            [String::new(), String::new(), String::new(), limit, String::new()]
        }
        Ending::NotRun | Ending::Violation(_) | Ending::Failed(_) => Default::default(),
    };
    let rating = match (&run.ending, run.rating) {
        (_, Some(rating)) => rating.name().to_owned(),
        (Ending::NotRun, None) => "not run: a smaller one did not finish".to_owned(),
        (ending, None) => message(ending).map_or(String::new(), |message| format!("{}: {message}", outcome(ending))),
    };
    let (paper, paper_time) = paper(run);
    let case = &run.case;
    let program = case.program.clone() + if is_another(run) { ANOTHER } else { "" };
    let algorithm = run.algorithm.name().into_owned();
    [program, case.size(), algorithm, executions, blocked, events, time, memory, paper, paper_time, rating]
}

/// The paper's figure, and its time; where the run is held to another algorithm's figure, that one
/// is named.
fn paper(run: &Run) -> (String, String) {
    let words = |executions: Executions| match executions {
        Executions::Counted(executions) => grouped(executions),
        Executions::Timeout => "timeout".to_owned(),
    };
    let own = run.bar.own.and_then(|own| own.executions);
    let time = run.bar.own.and_then(|own| own.time).map_or(String::new(), seconds);
    let held_to = run.bar.held_to.as_ref().filter(|(_, executions)| Some(*executions) != own);
    let held_to = held_to.map(|(column, executions)| format!("{column}: {}", words(*executions)));
    let text = match (own.map(words), held_to) {
        (own, None) => own.unwrap_or_default(),
        (None, Some(held_to)) => held_to,
        (Some(own), Some(held_to)) => format!("{own} ({held_to})"),
    };
    (text, time)
}

fn seconds(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds).map_or_else(|_| seconds.to_string(), duration)
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0 => String::new(),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// How many runs are equal, better, worse.
fn summary(report: &Report) -> String {
    let count = |wanted: &dyn Fn(&Run) -> bool| report.runs.iter().filter(|run| wanted(run)).count() as u64;
    let mut parts = vec![counted(report.runs.len() as u64, "run")];
    for rating in [Rating::Equal, Rating::Better, Rating::Worse, Rating::TooFew] {
        parts.push(format!("{} {}", grouped(count(&|run| run.rating == Some(rating))), rating.name()));
    }
    for ending in ["timeout", "not run", "violation", "failed"] {
        parts.push(format!("{} {ending}", grouped(count(&|run| outcome(&run.ending) == ending))));
    }
    parts.retain(|part| !part.starts_with("0 "));
    if report.interrupted {
        parts.push("interrupted".to_owned());
    }
    parts.join(" · ")
}

/// The columns of the table for programs.
const FIELDS: &str = "program,parameters,algorithm,outcome,executions,blocked,events,max_events,time_s,peak_memory_bytes,\
                      paper_executions,paper_time_s,bar_algorithm,bar_executions,rating";

/// For a spreadsheet. What was not measured is empty.
pub(crate) fn csv(report: &Report) -> String {
    let mut text = FIELDS.to_owned() + "\n";
    for run in &report.runs {
        text += &fields(run).join(",");
        text.push('\n');
    }
    text
}

fn fields(run: &Run) -> Vec<String> {
    let words = |executions: Option<Executions>| match executions {
        Some(Executions::Counted(executions)) => executions.to_string(),
        Some(Executions::Timeout) => "timeout".to_owned(),
        None => String::new(),
    };
    let mut fields =
        vec![run.case.program.clone(), run.case.size(), run.algorithm.to_string(), outcome(&run.ending).to_owned()];
    match &run.ending {
        Ending::Finished(measured) => {
            let counts = [measured.executions, measured.blocked, measured.events, measured.max_events];
            fields.extend(counts.map(|count| count.to_string()));
            fields.extend([measured.time_s.to_string(), measured.peak_memory_bytes.to_string()]);
        }
        _ => fields.extend(std::iter::repeat_n(String::new(), 6)),
    }
    let own = run.bar.own.unwrap_or_default();
    let (column, bar) = run.bar.held_to.clone().map_or((String::new(), None), |(column, bar)| (column, Some(bar)));
    fields.extend([words(own.executions), own.time.map_or(String::new(), |time| time.to_string()), column, words(bar)]);
    fields.push(run.rating.map_or(String::new(), |rating| rating.name().to_owned()));
    fields
}
