//! Measurements that are committed, in `bench/rivals/`.
//!
//! - `ratios.csv`: over many rows, by tool and version.
//! - `rows.csv`: row by row. `--keep` appends to a file of this form.
//!
//! Fields hold no commas and no quotes.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use super::compare::{Comparison, Ending, Measured, Runs};
use crate::bench::report::{processor, today};
use crate::shell::{self, Result};

/// The folder, from the root of the repository.
pub(super) const FOLDER: &str = "bench/rivals";

const RATIOS_HEADER: &str = "tool,version,measure,rows,mean,smallest,largest,mean of our worse run,note";

const ROWS_HEADER: &str = "tool,version,program,constants,algorithm,outcome,executions,blocked,seconds,\
                           our executions,our blocked,our seconds,our worst seconds,date,machine";

/// What a tool takes in the place of our time, over many rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ratios {
    pub(super) tool: String,
    pub(super) version: String,
    /// What was compared.
    pub(super) measure: String,
    pub(super) rows: String,
    pub(super) mean: String,
    pub(super) smallest: String,
    pub(super) largest: String,
    pub(super) mean_of_worse: String,
    pub(super) note: String,
}

/// One row of another tool. Seconds are without start-up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) tool: String,
    pub(super) version: String,
    pub(super) program: String,
    pub(super) constants: String,
    pub(super) algorithm: String,
    pub(super) executions: Option<u64>,
    pub(super) seconds: Option<f64>,
    pub(super) our_seconds: Option<f64>,
    pub(super) date: String,
}

/// The committed ratios.
pub(super) fn ratios(folder: &Path) -> Result<Vec<Ratios>> {
    let read = |fields: [&str; 9]| {
        let [tool, version, measure, rows, mean, smallest, largest, mean_of_worse, note] = fields.map(String::from);
        Ok(Ratios { tool, version, measure, rows, mean, smallest, largest, mean_of_worse, note })
    };
    lines(&folder.join("ratios.csv"), RATIOS_HEADER, read)
}

/// The committed rows.
pub(super) fn rows(folder: &Path) -> Result<Vec<Kept>> {
    lines(&folder.join("rows.csv"), ROWS_HEADER, |fields: [&str; 15]| {
        let text = |index: usize| fields[index].to_owned();
        Ok(Kept {
            tool: text(0),
            version: text(1),
            program: text(2),
            constants: text(3),
            algorithm: text(4),
            executions: number(fields[6])?,
            seconds: number(fields[8])?,
            our_seconds: number(fields[11])?,
            date: text(13),
        })
    })
}

fn number<T: std::str::FromStr>(field: &str) -> Result<Option<T>> {
    if field.is_empty() {
        return Ok(None);
    }
    field.parse().map(Some).map_err(|_| format!("`{field}` is no number"))
}

/// The lines of a table with so many columns, comments left out.
fn lines<T, const COLUMNS: usize>(
    file: &Path,
    header: &str,
    read: impl Fn([&str; COLUMNS]) -> Result<T>,
) -> Result<Vec<T>> {
    let text = shell::read(file)?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    if lines.next().map(|(_, line)| line) != Some(header) {
        return Err(format!("{}: the first line is not `{header}`", file.display()));
    }
    let parse = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let count = fields.len();
        let fields = fields.try_into().map_err(|_| format!("{count} fields, not {COLUMNS}"));
        fields.and_then(&read).map_err(|error| format!("{}:{}: {error}", file.display(), number + 1))
    };
    lines.map(parse).collect()
}

/// All that was measured, in the form of `rows.csv`; our own runs are lines of the tool `mazurka`.
pub(super) fn csv(comparison: &Comparison) -> String {
    let mut text = format!("{ROWS_HEADER}\n");
    let version = commit();
    for row in &comparison.rows {
        let seconds = comparison.our_seconds(row).map(|(best, _)| best);
        text += &line(comparison, row, ("mazurka", &version), &row.ours, seconds);
        text += &others(comparison, row);
    }
    text
}

/// Appends what was measured of the others to a file, which is made where it is missing.
pub(super) fn keep(file: &Path, comparison: &Comparison) -> Result {
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let is_new = !file.exists();
    let mut lines: String = comparison.rows.iter().map(|row| others(comparison, row)).collect();
    if is_new {
        lines.insert_str(0, &format!("{ROWS_HEADER}\n"));
    }
    let mut target = std::fs::OpenOptions::new().append(true).create(true).open(file).map_err(failed)?;
    target.write_all(lines.as_bytes()).map_err(failed)
}

fn others(comparison: &Comparison, row: &Measured) -> String {
    let mut text = String::new();
    for (index, subject) in comparison.subjects.iter().enumerate() {
        let tool = (subject.kind.name(), subject.version.as_str());
        text += &line(comparison, row, tool, &row.others[index], comparison.their_seconds(row, index));
    }
    text
}

fn line(
    comparison: &Comparison,
    row: &Measured,
    (tool, version): (&str, &str),
    runs: &Runs,
    seconds: Option<f64>,
) -> String {
    let outcome = match runs.ending() {
        Some(Ending::Finished(_)) => "finished",
        Some(Ending::Timeout) => "timeout",
        Some(Ending::Violation(_)) => "violation",
        Some(Ending::Failed(_)) | None => "failed",
    };
    let count = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let time = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    let (theirs, ours, our_seconds) = (runs.counts(), row.ours.counts(), comparison.our_seconds(row));
    let fields = [
        tool.to_owned(),
        version.to_owned(),
        row.row.program.to_owned(),
        row.row.constants.to_owned(),
        row.row.algorithm.to_owned(),
        outcome.to_owned(),
        count(theirs.map(|counts| counts.executions)),
        count(theirs.map(|counts| counts.blocked)),
        time(seconds),
        count(ours.map(|counts| counts.executions)),
        count(ours.map(|counts| counts.blocked)),
        time(our_seconds.map(|(best, _)| best)),
        time(our_seconds.map(|(_, worst)| worst)),
        today(),
        processor().replace(',', ""),
    ];
    let mut text = String::new();
    let _ = writeln!(text, "{}", fields.join(","));
    text
}

/// The commit that was measured, or `unknown`.
pub(super) fn commit() -> String {
    let mut git = std::process::Command::new("git");
    let output = git.args(["describe", "--always", "--dirty"]).current_dir(shell::root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if text.is_empty() { "unknown".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_committed_can_be_read() {
        let folder = shell::root().join(FOLDER);
        let ratios = ratios(&folder).unwrap();
        assert!(ratios.iter().any(|ratio| ratio.tool == "GenMC" && ratio.version == "0.11" && ratio.mean == "11.5"));
        assert!(ratios.iter().any(|ratio| ratio.tool == "Nidhugg" && ratio.mean == "74"));
        rows(&folder).unwrap();
    }
}
