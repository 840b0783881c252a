//! The tools: where they are, how they are called, and what their output says.
//!
//! # GenMC
//! Prints, to stdout or (before 0.6) to stderr, `Number of complete executions explored: N` and,
//! where there are such, `Number of blocked executions seen: N`. A failure is
//! `Verification unsuccessful` (`Error detected` in older versions), with exit status 42.
//!
//! # Nidhugg
//! `nidhuggc` compiles and calls `nidhugg`, which prints `Trace count: N`, and for blocked ones
//! either `(also N sleepset blocked)` on that line (before 0.3) or a line each for those that an
//! `assume`, an awaited value or a sleep set blocked: `Sleepset-blocked trace count: N`. A failure
//! is `Error detected`.
//!
//! What the checked program prints may stand on the same line: counts are searched anywhere.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::compare::{Counts, Ending};
use super::process::{self, Ran};
use super::rows::Row;

/// Another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    GenMc,
    Nidhugg,
}

/// The tools that we know.
const KINDS: [Kind; 2] = [Kind::GenMc, Kind::Nidhugg];

/// Since which version (major, minor) a tool takes which flags for sequential consistency; the
/// first entry that fits counts. An unknown version takes those of the newest.
///
/// - GenMC estimates the number of executions before it begins since 0.10: switched off, since it
///   costs time. Whatever it does by default to save executions stays on.
/// - Nidhugg is run with its optimal algorithm; 0.2 does not have it and uses source sets.
const FLAGS: &[(Kind, (u32, u32), &[&str])] = &[
    (Kind::GenMc, (0, 10), &["--sc", "--disable-estimation"]),
    (Kind::GenMc, (0, 0), &["-sc"]),
    (Kind::Nidhugg, (0, 3), &["-sc", "-optimal"]),
    (Kind::Nidhugg, (0, 0), &["-sc"]),
];

/// How long a tool may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

impl Kind {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::GenMc => "GenMC",
            Self::Nidhugg => "Nidhugg",
        }
    }

    /// The program that is called.
    fn program(self) -> &'static str {
        match self {
            Self::GenMc => "genmc",
            Self::Nidhugg => "nidhuggc",
        }
    }

    /// The environment variable that names it.
    fn variable(self) -> &'static str {
        match self {
            Self::GenMc => "GENMC",
            Self::Nidhugg => "NIDHUGG",
        }
    }
}

/// A tool that is installed.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) kind: Kind,
    pub(super) path: PathBuf,
    /// As the tool says it, or `unknown`.
    pub(super) version: String,
    pub(super) flags: &'static [&'static str],
}

/// The tools that are there, and why the others are not, by the variables of an environment.
pub(super) fn find_all(variable: &dyn Fn(&str) -> Option<OsString>) -> (Vec<Tool>, Vec<(Kind, String)>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for kind in KINDS {
        match Tool::find(kind, variable) {
            Ok(tool) => found.push(tool),
            Err(reason) => missing.push((kind, reason)),
        }
    }
    (found, missing)
}

impl Tool {
    fn find(kind: Kind, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, String> {
        let path = match variable(kind.variable()) {
            Some(path) => named(kind, PathBuf::from(path))?,
            None => on_path(kind.program(), variable("PATH").as_ref()).ok_or_else(|| {
                format!("`{}` is not on the PATH, and {} does not name it", kind.program(), kind.variable())
            })?,
        };
        let ran = process::run(Command::new(&path).arg("--version"), VERSION_LIMIT)?;
        let version = version(kind, &ran.text());
        let flags = flags(kind, version.as_deref());
        Ok(Self { kind, path, version: version.unwrap_or_else(|| "unknown".into()), flags })
    }

    /// The command for a row.
    pub(super) fn command(&self, file: &Path, row: &Row) -> Command {
        let mut command = Command::new(&self.path);
        let definitions = row.constants.split_whitespace().map(|constant| format!("-D{constant}"));
        match self.kind {
            // genmc [OPTIONS] -- [COMPILER OPTIONS] FILE
            Kind::GenMc => command.args(self.flags).arg("--").args(definitions).arg(file),
            // nidhuggc [COMPILER OPTIONS] -- [NIDHUGG OPTIONS] FILE
            Kind::Nidhugg => command.args(definitions).arg("--").args(self.flags).arg(file),
        };
        command
    }

    /// What came of a run.
    pub(super) fn ending(&self, ran: &Ran) -> Ending {
        if ran.status.is_none() {
            return Ending::Timeout;
        }
        let text = ran.text();
        if ["Error detected", "Verification unsucces", "Error:"].iter().any(|words| text.contains(words)) {
            return Ending::Violation(ran.last_words());
        }
        let counts = match self.kind {
            Kind::GenMc => genmc_counts(&text),
            Kind::Nidhugg => nidhugg_counts(&text),
        };
        match counts {
            Some((executions, blocked)) if ran.status.is_some_and(|status| status.success()) => {
                Ending::Finished(Counts { executions, blocked, seconds: ran.seconds })
            }
            _ => Ending::Failed(ran.last_words()),
        }
    }
}

/// The program that a variable names. Of Nidhugg the driver is needed, which stands beside it.
fn named(kind: Kind, path: PathBuf) -> Result<PathBuf, String> {
    let is_interpreter = kind == Kind::Nidhugg && path.file_name().is_some_and(|name| name == "nidhugg");
    let path = if is_interpreter { path.with_file_name(kind.program()) } else { path };
    // A tool runs in another folder than we do.
    path.canonicalize().map_err(|error| format!("{}={}: {error}", kind.variable(), path.display()))
}

fn on_path(program: &str, path: Option<&OsString>) -> Option<PathBuf> {
    std::env::split_paths(path?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The version in the answer to `--version`: the first number after the tool's name.
fn version(kind: Kind, text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let after = &lower[lower.find(&kind.name().to_lowercase())?..];
    let digits = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).to_owned();
    after.split_whitespace().map(digits).find(|word| parts(word).is_some())
}

/// Major and minor version.
fn parts(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|part| part.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

fn flags(kind: Kind, version: Option<&str>) -> &'static [&'static str] {
    let version = version.and_then(parts).unwrap_or((u32::MAX, 0));
    let fits = |(of, since, _): &&(Kind, (u32, u32), &[&str])| *of == kind && *since <= version;
    FLAGS.iter().find(fits).map_or(&[], |(_, _, flags)| flags)
}

/// Complete and blocked executions in GenMC's output.
fn genmc_counts(text: &str) -> Option<(u64, u64)> {
    let complete = numbers_after(text, "Number of complete executions explored: ").last()?;
    let blocked = numbers_after(text, "Number of blocked executions seen: ").last().unwrap_or(0);
    Some((complete, blocked))
}

/// Complete and blocked executions in Nidhugg's output.
fn nidhugg_counts(text: &str) -> Option<(u64, u64)> {
    let complete = numbers_after(text, "Trace count: ").last()?;
    let in_brackets = text.split(" sleepset blocked)").next().filter(|before| before.len() < text.len());
    let in_brackets = in_brackets.and_then(|before| numbers_after(before, "(also ").last()).unwrap_or(0);
    let in_lines: u64 = numbers_after(text, "-blocked trace count: ").sum();
    Some((complete, in_brackets + in_lines))
}

/// The numbers that follow some words.
fn numbers_after<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = u64> + 'a {
    text.split(words).skip(1).filter_map(|after| {
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        after[..end].parse().ok()
    })
}

/// Our own program.
pub(super) struct Mazurka {
    pub(super) program: PathBuf,
}

impl Mazurka {
    /// The command for a row. The proof alone is compared: no hunt beside it.
    pub(super) fn command(&self, file: &Path, row: &Row) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("check").arg(file).args(["-a", row.algorithm, "--no-hunt", "--format", "json"]);
        for constant in row.constants.split_whitespace() {
            command.args(["-D", constant]);
        }
        command
    }

    /// What came of a run. Explorations that an `assume` ended are blocked, as for the others.
    pub(super) fn ending(&self, ran: &Ran) -> Ending {
        if ran.status.is_none() {
            return Ending::Timeout;
        }
        let Ok(report) = serde_json::from_str::<Value>(&ran.output) else {
            return Ending::Failed(ran.last_words());
        };
        let number = |field: &str| report.get(field).and_then(Value::as_u64);
        match (report.get("verdict").and_then(Value::as_str), number("executions"), number("blocked")) {
            (Some("verified"), Some(executions), Some(blocked)) => {
                let blocked = blocked + number("assume_blocked").unwrap_or(0);
                Ending::Finished(Counts { executions, blocked, seconds: ran.seconds })
            }
            (Some("violation"), ..) => Ending::Violation("violation".into()),
            (verdict, ..) => Ending::Failed(verdict.unwrap_or("no verdict").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_genmc() {
        let text = "*** Compilation complete.\n*** Verification complete.\nNo errors were detected.\n\
                    Number of complete executions explored: 6\nNumber of blocked executions seen: 10\n\
                    Total wall-clock time: 0.03s\n";
        assert_eq!(genmc_counts(text), Some((6, 10)));
        assert_eq!(genmc_counts("Number of complete executions explored: 2 (1 duplicates)\n"), Some((2, 0)));
        assert_eq!(genmc_counts("Total wall-clock time: 0.03s\n"), None);
    }

    #[test]
    fn counts_of_nidhugg() {
        let old = "i 3\nwTrace count: 10 (also 56 sleepset blocked)\nNo errors were detected.\n";
        assert_eq!(nidhugg_counts(old), Some((10, 56)));
        let new = "Trace count: 24\nAwait-blocked trace count: 1\nAssume-blocked trace count: 2\n\
                   Sleepset-blocked trace count: 4\nNo errors were detected.\nTotal wall-clock time: 0.01 s\n";
        assert_eq!(nidhugg_counts(new), Some((24, 7)));
        assert_eq!(nidhugg_counts("Trace count: 24\n"), Some((24, 0)));
        assert_eq!(nidhugg_counts(""), None);
    }

    #[test]
    fn versions_and_flags() {
        let genmc = "GenMC v0.10.3 (LLVM 16.0.6)\nCopyright (C) 2024 MPI-SWS. All rights reserved.\n";
        assert_eq!(version(Kind::GenMc, genmc).as_deref(), Some("0.10.3"));
        let nidhugg = "Nidhugg 0.2 (7166349, Release, with LLVM-4.0.1:RelWithDebInfo)\n";
        assert_eq!(version(Kind::Nidhugg, nidhugg).as_deref(), Some("0.2"));
        assert_eq!(version(Kind::GenMc, "LLVM version 14.0.0\n"), None);
        assert_eq!(flags(Kind::GenMc, Some("0.9")), ["-sc"]);
        assert_eq!(flags(Kind::GenMc, Some("0.11.1")), ["--sc", "--disable-estimation"]);
        assert_eq!(flags(Kind::GenMc, None), ["--sc", "--disable-estimation"]);
        assert_eq!(flags(Kind::Nidhugg, Some("0.2")), ["-sc"]);
        assert_eq!(flags(Kind::Nidhugg, Some("0.4")), ["-sc", "-optimal"]);
    }
}
