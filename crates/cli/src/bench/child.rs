//! One run, in a process of its own: what it needs is its own, and so is the memory it is said to
//! have used.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mazurka::Refusal;
use mazurka_explore::Monitor;
use serde::Deserialize;

use super::args::Bench;
use super::plan::Case;
use super::suite::Suite;
use crate::algorithm::Wanted;
use crate::interrupt;

/// A process that is still there so long after its time limit is ended.
const GRACE: Duration = Duration::from_secs(20);

/// What a run that finished says of itself.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Measured {
    /// Complete executions.
    pub(crate) executions: u64,
    /// Explorations that were cut.
    pub(crate) blocked: u64,
    /// Events in all.
    pub(crate) events: u64,
    /// Events of the longest execution.
    pub(crate) max_events: u64,
    /// Seconds of exploration.
    pub(crate) time_s: f64,
    /// The largest amount of memory in use, in bytes.
    pub(crate) peak_memory_bytes: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ending {
    /// It explored everything.
    Finished(Measured),
    /// It reached the limit of time: nothing was measured.
    Timeout,
    /// It was not run, since a smaller size reached the limit.
    NotRun,
    /// The program fails, which it should not.
    Violation(String),
    /// The run broke down.
    Failed(String),
}

/// The status of a process, if it came to an end in time, and what it printed: on stdout, on
/// stderr.
pub(crate) type Printed = (Option<ExitStatus>, String, String);

/// Where runs take place: a folder with the programs, which is removed at the end.
pub(crate) struct Laboratory<'a> {
    folder: PathBuf,
    program: PathBuf,
    suite: &'a Suite,
    arguments: &'a Bench,
    monitor: Arc<Monitor>,
}

impl<'a> Laboratory<'a> {
    /// A fresh folder, in which Ctrl-C ends the run that goes on.
    pub(crate) fn new(suite: &'a Suite, arguments: &'a Bench) -> Result<Self, Refusal> {
        let program = std::env::current_exe()
            .map_err(|error| Refusal::new(format!("cannot find out where this program is: {error}")))?;
        let folder = std::env::temp_dir().join(format!("mazurka-bench-{}", std::process::id()));
        let monitor = Arc::new(Monitor::default());
        interrupt::install(&monitor.cancel);
        let laboratory = Self { folder, program, suite, arguments, monitor };
        std::fs::create_dir_all(&laboratory.folder).map_err(|error| laboratory.refused(&error))?;
        Ok(laboratory)
    }

    fn refused(&self, error: &io::Error) -> Refusal {
        Refusal::new(format!("cannot run programs in `{}`: {error}", self.folder.display()))
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.monitor.cancel.load(Ordering::Relaxed)
    }

    /// Runs one case.
    pub(crate) fn run(&self, case: &Case, algorithm: Wanted) -> Result<Ending, Refusal> {
        self.try_run(case, algorithm).map_err(|error| self.refused(&error))
    }

    fn try_run(&self, case: &Case, algorithm: Wanted) -> io::Result<Ending> {
        // The proof alone is compared with that of other tools.
        let mut arguments = vec!["-a".to_owned(), algorithm.name().into_owned(), "--no-hunt".to_owned()];
        if !matches!(self.arguments.kind.as_str(), "mzk" | "abs" | "sdn") {
            // The papers' tools do not look for data races, and context-sensitive algorithms
            // cannot.
            arguments.push("--no-data-races".to_owned());
        }
        let fails = case.row.as_ref().is_some_and(|row| row.fails);
        let stops = case.row.as_ref().is_some_and(|row| row.stops);
        if fails && !stops {
            arguments.push("--all".to_owned());
        }
        arguments.extend(case.row.iter().flat_map(|row| row.options.iter().cloned()));
        let (status, output, errors) = self.try_command("check", case, &arguments)?;
        Ok(ending(status, &output, &errors, fails))
    }

    /// Runs a command on a case's program: its status, if it came to an end in time, and what it
    /// printed.
    ///
    /// # Errors
    /// Where it cannot be run at all.
    pub(crate) fn command(&self, command: &str, case: &Case, arguments: &[String]) -> Result<Printed, Refusal> {
        self.try_command(command, case, arguments).map_err(|error| self.refused(&error))
    }

    /// Runs a command with just these words on a case's program.
    ///
    /// # Errors
    /// Where it cannot be run at all.
    pub(crate) fn words(&self, command: &str, case: &Case, words: &[String]) -> Result<Printed, Refusal> {
        let name = self.write(case).map_err(|error| self.refused(&error))?;
        let mut process = Command::new(&self.program);
        process.args([command, name]).args(words).args(&self.arguments.options);
        self.finish(process).map_err(|error| self.refused(&error))
    }

    /// Writes a case's program; the name of its file.
    fn write(&self, case: &Case) -> io::Result<&str> {
        let found = self.suite.program(&case.program, &self.arguments.kind);
        let (name, source) = found.expect("only programs that are there are planned");
        std::fs::write(self.folder.join(name), source)?;
        Ok(name)
    }

    fn try_command(&self, command: &str, case: &Case, arguments: &[String]) -> io::Result<Printed> {
        let name = self.write(case)?;
        let timeout = self.arguments.timeout.as_secs_f64().to_string();
        let mut process = Command::new(&self.program);
        process.args([command, name, "--timeout", &timeout, "--format", "json"]).args(arguments);
        for (name, value) in &case.parameters {
            process.arg("-D").arg(format!("{name}={value}"));
        }
        process.args(&self.arguments.options);
        self.finish(process)
    }

    /// Runs a process in the folder, to its end or to that of its time.
    fn finish(&self, mut process: Command) -> io::Result<Printed> {
        let (output, errors) = (self.folder.join("stdout"), self.folder.join("stderr"));
        process.current_dir(&self.folder).stdin(Stdio::null());
        process.stdout(File::create(&output)?).stderr(File::create(&errors)?);
        let status = self.wait(process.spawn()?)?;
        Ok((status, std::fs::read_to_string(output)?, std::fs::read_to_string(errors)?))
    }

    /// Waits until a process ends, and ends it when its time is over; then there is no status.
    fn wait(&self, mut child: Child) -> io::Result<Option<ExitStatus>> {
        let (started, limit) = (Instant::now(), self.arguments.timeout.saturating_add(GRACE));
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if started.elapsed() > limit || self.is_interrupted() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

impl Drop for Laboratory<'_> {
    fn drop(&mut self) {
        // What is left behind is a few small files in the system's folder for such.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    #[serde(flatten)]
    measured: Measured,
    violations: Vec<Violation>,
    limits: Vec<String>,
}

/// What is read of a violation.
#[derive(Deserialize)]
struct Violation {
    message: String,
}

/// What came of a process; `fails` says whether a violation was to be found.
fn ending(status: Option<ExitStatus>, output: &str, errors: &str, fails: bool) -> Ending {
    let Some(status) = status else { return Ending::Timeout };
    let Ok(report) = serde_json::from_str::<Report>(output) else {
        let said = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        return Ending::Failed(format!("{said} ({status})"));
    };
    match report.verdict.as_str() {
        "verified" if fails => Ending::Failed("no violation was found".to_owned()),
        "verified" => Ending::Finished(report.measured),
        "violation" if fails && report.limits.is_empty() => Ending::Finished(report.measured),
        "violation" if fails => Ending::Timeout,
        "violation" => {
            let message = report.violations.first().map_or("", |violation| &violation.message);
            Ending::Violation(message.to_owned())
        }
        _ if report.limits.iter().all(|limit| limit == "timeout") => Ending::Timeout,
        _ => Ending::Failed(format!("reached {}", report.limits.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdict: &str, limits: &str) -> String {
        format!(
            "{{\"tool\":\"mazurka\",\"verdict\":\"{verdict}\",\"executions\":6,\"blocked\":1,\"events\":20,\"max_events\":5,\
             \"time_s\":0.5,\"peak_memory_bytes\":1024,\"violations\":[],\"limits\":[{limits}]}}"
        )
    }

    #[test]
    fn endings_are_told_apart() {
        let ended = |text: &str, errors: &str| ending(Some(ExitStatus::default()), text, errors, false);
        let failing = |text: &str| ending(Some(ExitStatus::default()), text, "", true);
        let measured =
            Measured { executions: 6, blocked: 1, events: 20, max_events: 5, time_s: 0.5, peak_memory_bytes: 1024 };
        assert_eq!(ended(&report("verified", ""), ""), Ending::Finished(measured));
        assert_eq!(ended(&report("incomplete", "\"timeout\""), ""), Ending::Timeout);
        assert!(matches!(ended(&report("incomplete", "\"max-depth\""), ""), Ending::Failed(_)));
        assert!(matches!(ended(&report("violation", ""), ""), Ending::Violation(_)));
        assert!(matches!(ended("", "\nerror: no\n"), Ending::Failed(error) if error.starts_with("error: no (")));
        assert_eq!(ending(None, "", "", false), Ending::Timeout);
        assert!(matches!(failing(&report("violation", "")), Ending::Finished(_)));
        assert_eq!(failing(&report("violation", "\"timeout\"")), Ending::Timeout);
        assert!(matches!(failing(&report("verified", "")), Ending::Failed(_)));
    }
}
