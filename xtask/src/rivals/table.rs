//! The results, for people to read and to commit.

use std::fmt::Write;

use super::committed::{Kept, Ratios, commit};
use super::compare::{Comparison, Ending, LARGE, Measured, Runs};
use super::file_name;
use super::tools::Kind;
use crate::bench::report::{processor, today};

/// All of it.
pub(super) fn text(comparison: &Comparison, missing: &[(Kind, String)], ratios: &[Ratios], kept: &[Kept]) -> String {
    let mut text = format!("{}, {}, commit {}.\n\n", today(), processor(), commit());
    text += "Executions are complete ones, and (after +) blocked ones. Times are processor time without start-up,\n";
    text += "the best of the runs.\n\n";
    let columns: Vec<Column> = columns(comparison, missing, kept);
    text += &table(comparison, &columns, kept);
    text += &startup(comparison);
    text += &summaries(comparison);
    text += &committed(missing, ratios, kept);
    text
}

/// Where the figures of another tool come from.
enum Column {
    /// Measured now, the subject with this number.
    Now(usize),
    /// Measured before.
    Kept(Kind),
}

impl Column {
    fn name(&self, comparison: &Comparison) -> String {
        match self {
            Self::Now(index) => comparison.subjects[*index].kind.name().to_owned(),
            Self::Kept(kind) => format!("{} then", kind.name()),
        }
    }

    /// Executions, seconds and ratio.
    fn cells(&self, comparison: &Comparison, row: &Measured, kept: &[Kept]) -> [String; 3] {
        match self {
            Self::Now(index) => {
                let seconds = comparison.their_seconds(row, *index);
                let ratio = comparison.ratio(row, *index).map(|ratio| ratio.best);
                [executions(&row.others[*index]), number(seconds, 3), number(ratio, 1)]
            }
            Self::Kept(kind) => {
                let same = |kept: &&Kept| {
                    kept.tool == kind.name()
                        && (&*kept.program, &*kept.constants, &*kept.algorithm)
                            == (row.row.program, row.row.constants, row.row.algorithm)
                };
                // The last one that was kept is the newest.
                let Some(kept) = kept.iter().rfind(same) else { return Default::default() };
                let ratio = kept.seconds.zip(kept.our_seconds).map(|(theirs, ours)| theirs / ours.max(1e-3));
                let executions = kept.executions.map_or(String::new(), |count| count.to_string());
                [executions, number(kept.seconds, 3), number(ratio, 1)]
            }
        }
    }
}

fn columns(comparison: &Comparison, missing: &[(Kind, String)], kept: &[Kept]) -> Vec<Column> {
    let now = (0..comparison.subjects.len()).map(Column::Now);
    let is_kept = |kind: &Kind| kept.iter().any(|kept| kept.tool == kind.name());
    let before = missing.iter().map(|(kind, _)| *kind).filter(is_kept).map(Column::Kept);
    now.chain(before).collect()
}

fn table(comparison: &Comparison, columns: &[Column], kept: &[Kept]) -> String {
    let mut header: Vec<String> =
        ["program", "constants", "algorithm", "executions", "s", "worst s"].map(String::from).into();
    for column in columns {
        let name = column.name(comparison);
        header.extend([format!("{name}: executions"), format!("{name}: s"), "times ours".into()]);
    }
    header.push("marks".into());
    let mut lines = vec![header];
    for row in &comparison.rows {
        let ours = comparison.our_seconds(row);
        let mut cells = vec![
            file_name(row.row.program).to_owned(),
            row.row.constants.to_owned(),
            row.row.algorithm.to_owned(),
            executions(&row.ours),
            number(ours.map(|(best, _)| best), 3),
            number(ours.map(|(_, worst)| worst), 3),
        ];
        columns.iter().for_each(|column| cells.extend(column.cells(comparison, row, kept)));
        cells.push(comparison.marks(row).iter().map(|mark| format!("**{mark}**")).collect::<Vec<_>>().join(", "));
        lines.push(cells);
    }
    aligned(&lines)
}

/// Markdown that can be read as it is. The first three columns and the last are words.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines[0].len();
    let is_words = |column: usize| column < 3 || column + 1 == columns;
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0).max(4);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, cells) in lines.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let width = widths[column];
            let _ =
                if is_words(column) { write!(text, "| {cell:<width$} ") } else { write!(text, "| {cell:>width$} ") };
        }
        text += "|\n";
        if number == 0 {
            let rule = |column: usize| {
                let dashes = "-".repeat(widths[column] - 1);
                if is_words(column) { format!("| {dashes}- ") } else { format!("| {dashes}: ") }
            };
            text += &(0..columns).map(rule).collect::<String>();
            text += "|\n";
        }
    }
    text + "\n"
}

fn executions(runs: &Runs) -> String {
    match runs.ending() {
        Some(Ending::Finished(counts)) if counts.blocked == 0 => counts.executions.to_string(),
        Some(Ending::Finished(counts)) => format!("{} + {}", counts.executions, counts.blocked),
        Some(ending) => ending.words().replace('|', "/"),
        None => String::new(),
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.digits$}"))
}

fn startup(comparison: &Comparison) -> String {
    let mut text = format!("Start-up, clang included: Mazurka {:.3} s", comparison.startup);
    for subject in &comparison.subjects {
        let _ = write!(text, ", {} {:.3} s", subject.kind.name(), subject.startup);
    }
    text + ".\n"
}

fn summaries(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (index, subject) in comparison.subjects.iter().enumerate() {
        let name = format!("{} {} (`{}`)", subject.kind.name(), subject.version, subject.flags);
        let Some(summary) = comparison.summary(index) else {
            let _ = writeln!(text, "{name}: finished no row of {LARGE} executions and more.");
            continue;
        };
        let (mean, rows) = (summary.mean, summary.rows);
        let _ = writeln!(
            text,
            "{name} takes {:.1} times as long ({:.1} to {:.1}), by the worst of our runs {:.1} times;\n\
             start-up included {:.1} times. Geometric means of {rows} rows, those of {LARGE} executions and more.",
            mean.best, summary.smallest, summary.largest, mean.worst, mean.whole
        );
    }
    text
}

fn committed(missing: &[(Kind, String)], ratios: &[Ratios], kept: &[Kept]) -> String {
    let mut text = String::new();
    for (kind, reason) in missing {
        let _ = writeln!(text, "\n{} was not run: {reason}. What was measured before:\n", kind.name());
        for ratio in ratios.iter().filter(|ratio| ratio.tool == kind.name()) {
            let mut range = Vec::new();
            if !ratio.smallest.is_empty() {
                range.push(format!("{} to {}", ratio.smallest, ratio.largest));
            }
            if !ratio.mean_of_worse.is_empty() {
                range.push(format!("{} by the worse of our runs", ratio.mean_of_worse));
            }
            let range = if range.is_empty() { String::new() } else { format!(" ({})", range.join("; ")) };
            let version = if ratio.version.is_empty() { "(version not noted)" } else { &ratio.version };
            let rows = if ratio.rows.is_empty() { String::new() } else { format!(" {} rows;", ratio.rows) };
            let _ = writeln!(
                text,
                "- {} {version} took {} times as long{range}: {};{rows} {}.",
                ratio.tool, ratio.mean, ratio.measure, ratio.note
            );
        }
        let mut of_this = kept.iter().filter(|kept| kept.tool == kind.name());
        match of_this.next_back() {
            Some(last) => {
                let _ = writeln!(text, "- Rows: version {}, {}.", last.version, last.date);
            }
            None => text += "- No figures by row are committed.\n",
        }
    }
    text
}
