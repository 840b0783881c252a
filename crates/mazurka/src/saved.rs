//! Files that keep failing schedules.

use std::path::Path;

use mazurka_machine::Place;
use mazurka_report::{Failure, NamedStep, fault_kind, fault_name};
use serde::{Deserialize, Serialize};

use crate::checked::{Checked, schedule};
use crate::files;
use crate::load::Loaded;
use crate::refusal::Refusal;
use crate::settings::Settings;

/// What tells our files from others.
const FORMAT: &str = "mazurka-trace";

/// The version of the format that is written, and the newest that is read.
const VERSION: u64 = 2;

/// A file that keeps the schedules of a check's violations.
#[derive(Serialize, Deserialize, Debug)]
pub struct Saved {
    format: String,
    version: u64,
    /// The paths of the program's files at the time.
    pub program: String,
    /// What the front end was told.
    pub settings: Settings,
    /// A digest of the program's sources at the time.
    pub source_hash: String,
    /// The violations.
    pub violations: Vec<SavedViolation>,
}

/// A violation with its schedule.
#[derive(Serialize, Deserialize, Debug)]
pub struct SavedViolation {
    kind: String,
    message: String,
    process: String,
    file: String,
    line: usize,
    column: usize,
    statement: String,
    schedule: Vec<SavedStep>,
}

#[derive(Serialize, Deserialize, Debug)]
struct SavedStep {
    process: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    choices: Vec<i64>,
}

impl Saved {
    /// The violations that a check found, each with its schedule.
    pub fn of(loaded: &Loaded, checked: &Checked) -> Self {
        let shown = checked.shown.iter();
        Self::new(loaded, shown.filter_map(|timeline| Some((timeline.failure.as_ref()?, schedule(timeline)))))
    }

    /// Violations of a program, each with its schedule.
    pub fn new<'a>(loaded: &Loaded, violations: impl Iterator<Item = (&'a Failure, Vec<NamedStep>)>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: loaded.path.clone(),
            settings: loaded.settings.clone(),
            source_hash: loaded.source_hash.clone(),
            violations: violations.map(|(failure, schedule)| SavedViolation::new(failure, schedule)).collect(),
        }
    }

    /// Whether the program is still the same.
    pub fn is_of(&self, loaded: &Loaded) -> bool {
        self.source_hash == loaded.source_hash
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) -> Result<(), Refusal> {
        let text = serde_json::to_string_pretty(self).expect("a trace has only strings for keys") + "\n";
        std::fs::write(path, text)
            .map_err(|error| Refusal::new(format!("cannot write the trace to `{}`: {error}", path.display())))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Saved, Refusal> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Err(Refusal::new(format!("`{name}` is a directory, not a trace")));
        }
        let text = files::read(path, &name)?;
        parse(&text).map_err(|reason| {
            let help = "traces are written by `mazurka check PROGRAM --save-trace FILE`";
            Refusal::with_help(format!("`{name}` is not a trace that can be run: {reason}"), help)
        })
    }
}

impl SavedViolation {
    fn new(failure: &Failure, schedule: Vec<NamedStep>) -> Self {
        Self {
            kind: fault_name(failure.kind).to_owned(),
            message: failure.message.clone(),
            process: failure.process.clone(),
            file: failure.place.file.clone(),
            line: failure.place.line,
            column: failure.place.column,
            statement: failure.place.text.clone(),
            schedule: schedule
                .into_iter()
                .map(|step| SavedStep { process: step.process, choices: step.choices })
                .collect(),
        }
    }

    /// The schedule.
    pub fn schedule(&self) -> Vec<NamedStep> {
        let named = |step: &SavedStep| NamedStep { process: step.process.clone(), choices: step.choices.clone() };
        self.schedule.iter().map(named).collect()
    }

    /// The failure that the schedule shows; none if its kind is not known.
    pub fn failure(&self) -> Option<Failure> {
        let kind = fault_kind(&self.kind)?;
        let place =
            Place { file: self.file.clone(), line: self.line, column: self.column, text: self.statement.clone() };
        Some(Failure { kind, message: self.message.clone(), process: self.process.clone(), place })
    }
}

fn parse(text: &str) -> Result<Saved, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON ({error})"))?;
    if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
        return Err(format!("its `format` is not \"{FORMAT}\""));
    }
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => return Err(format!("it has version {other} of the format, and this is version {VERSION}")),
        None => return Err("it has no `version`".to_owned()),
    }
    let saved: Saved = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if saved.violations.is_empty() {
        return Err("it holds no violation".to_owned());
    }
    match saved.violations.iter().find(|violation| violation.failure().is_none()) {
        Some(unknown) => Err(format!("it knows a kind of violation that we do not: `{}`", unknown.kind)),
        None => Ok(saved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_are_refused_with_the_reason() {
        let reason = |text: &str| parse(text).expect_err("it is refused");
        assert!(reason("x").contains("not JSON"));
        assert!(reason("[]").contains("`format`"));
        assert!(reason("{\"format\": \"mazurka-trace\"}").contains("no `version`"));
        assert!(reason("{\"format\": \"mazurka-trace\", \"version\": 99}").contains("version 99"));
        assert!(reason("{\"format\": \"mazurka-trace\", \"version\": 2}").contains("missing field `program`"));
        let empty = r#"{"format": "mazurka-trace", "version": 2, "program": "", "source_hash": "",
                        "settings": {"defines": [], "arguments": [], "c": {"includes": [], "flags": [],
                        "data_races": true, "leaks": false, "overflow": false, "unroll": null, "nondet": null}},
                        "violations": []}"#;
        assert!(reason(empty).contains("no violation"));
    }
}
