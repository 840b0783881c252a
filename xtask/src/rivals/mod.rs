//! `cargo xtask rivals`: GenMC and Nidhugg side by side with Mazurka.
//!
//! Each row of a [table](rows::ROWS) is a C program with constants. Mazurka explores it, and so do
//! the other tools that are installed, under sequential consistency, in turn. Compared are
//! executions, and processor time (user and system, of the tool and all that it starts) without
//! start-up, which is the time for a [trivial program](rows::TRIVIAL).
//!
//! Where the others are not installed, our side is printed with the ratios that somebody who had
//! them measured before: those of [`committed`].

mod committed;
mod compare;
mod process;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod tools;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::shell::{self, cargo, root};
use compare::{Comparison, Measured, Subject};
use rows::{ROWS, Row};
use tools::{Mazurka, Tool};

/// How often start-up is measured at least; the smallest time counts.
const STARTUPS: u32 = 3;

/// Which rows, and what to do with the results.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only rows whose program or constants contain this
    #[arg(long, value_name = "WORD")]
    filter: Option<String>,
    /// Runs of each row with each tool, in turn; the best counts, and our worst is shown too
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Seconds after which a run is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout: u64,
    /// How the results are printed
    #[arg(long, value_enum, default_value = "markdown")]
    format: Format,
    /// Append what was measured of the other tools to this file
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Format {
    /// Tables
    Markdown,
    /// A line for each row and tool, in the form of bench/rivals/rows.csv
    Csv,
}

pub(crate) fn run(arguments: &Arguments) -> shell::Result {
    shell::run(&mut cargo(&["build", "--profile", "dist", "--package", "mazurka-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let (others, missing) = tools::find_all(&|name| std::env::var_os(name));
    process::end_with_us();
    let mut session = Session {
        ours: Mazurka { program: target.join("dist/mazurka") },
        others,
        missing,
        root: root(),
        limit: Duration::from_secs(arguments.timeout),
        repeat: arguments.repeat,
    };
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.matches(arguments.filter.as_deref())).collect();
    let comparison = session.compare(&rows)?;
    print!("{}", session.report(&comparison, arguments.format)?);
    if let Some(file) = &arguments.keep {
        committed::keep(file, &comparison)?;
    }
    let failures = comparison.failures();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// One run of the command: who takes part, and under which limits.
struct Session {
    ours: Mazurka,
    others: Vec<Tool>,
    /// Tools that do not take part, with the reason.
    missing: Vec<(tools::Kind, String)>,
    /// Where the programs are.
    root: PathBuf,
    limit: Duration,
    repeat: u32,
}

impl Session {
    /// Measures start-up and all rows.
    fn compare(&mut self, rows: &[&Row]) -> shell::Result<Comparison> {
        let ours = self.startup_of(|session, row| session.run_ours(row))?;
        let startup = ours.ok_or("Mazurka does not verify the trivial program")?;
        let mut subjects = Vec::new();
        let others = std::mem::take(&mut self.others);
        for tool in others {
            match self.startup_of(|session, row| session.run_other(&tool, row))? {
                Some(startup) => {
                    subjects.push(Subject::new(&tool, startup));
                    self.others.push(tool);
                }
                // Who cannot do the trivial program would fail on every row.
                None => {
                    let reason = format!("{} fails on {}", tool.path.display(), rows::TRIVIAL.program);
                    self.missing.push((tool.kind, reason));
                }
            }
        }
        let mut comparison = Comparison { startup, subjects, rows: Vec::new() };
        for row in rows {
            let measured = self.measure(row)?;
            eprintln!("{} {}: {}", row.program, row.constants, measured.progress());
            comparison.rows.push(measured);
        }
        Ok(comparison)
    }

    /// The least time for the trivial program; `None` if a run of it fails.
    fn startup_of(&self, run: impl Fn(&Self, &Row) -> shell::Result<compare::Ending>) -> shell::Result<Option<f64>> {
        let mut least = f64::INFINITY;
        for _ in 0..self.repeat.max(STARTUPS) {
            match run(self, &rows::TRIVIAL)? {
                compare::Ending::Finished(counts) => least = least.min(counts.seconds),
                ending => {
                    eprintln!("{}: {}", rows::TRIVIAL.program, ending.words());
                    return Ok(None);
                }
            }
        }
        Ok(Some(least))
    }

    /// Runs one row with everybody, in turn. Who fails or reaches the time limit is not run again.
    fn measure(&self, row: &Row) -> shell::Result<Measured> {
        let mut measured = Measured::new(row, self.others.len());
        for _ in 0..self.repeat {
            if measured.ours.goes_on() {
                measured.ours.add(self.run_ours(row)?);
            }
            for (tool, runs) in self.others.iter().zip(&mut measured.others) {
                if runs.goes_on() {
                    runs.add(self.run_other(tool, row)?);
                }
            }
        }
        Ok(measured)
    }

    fn run_ours(&self, row: &Row) -> shell::Result<compare::Ending> {
        let mut command = self.ours.command(&self.path(row), row);
        Ok(self.ours.ending(&process::run(&mut command, self.limit)?))
    }

    fn run_other(&self, tool: &Tool, row: &Row) -> shell::Result<compare::Ending> {
        let mut command = tool.command(&self.path(row), row);
        Ok(tool.ending(&process::run(&mut command, self.limit)?))
    }

    fn path(&self, row: &Row) -> PathBuf {
        self.root.join(row.program)
    }

    /// What is printed.
    fn report(&self, comparison: &Comparison, format: Format) -> shell::Result<String> {
        if format == Format::Csv {
            return Ok(committed::csv(comparison));
        }
        let folder = self.root.join(committed::FOLDER);
        let (ratios, kept) = (committed::ratios(&folder)?, committed::rows(&folder)?);
        Ok(table::text(comparison, &self.missing, &ratios, &kept))
    }
}

/// The name of a file, without its folders.
fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}
