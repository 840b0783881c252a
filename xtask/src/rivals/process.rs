//! One run of a tool: what it printed, and the processor time that it took.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::shell::{self, Result};

/// The group of processes that is running, or 0.
static RUNNING: AtomicI32 = AtomicI32::new(0);

/// What came of a run.
#[derive(Debug)]
pub(super) struct Ran {
    /// How it ended; `None` if the time limit ended it.
    pub(super) status: Option<ExitStatus>,
    pub(super) output: String,
    pub(super) errors: String,
    /// Processor time, user and system, of the tool and of all processes that it waited for.
    pub(super) seconds: f64,
}

impl Ran {
    /// All that was printed.
    pub(super) fn text(&self) -> String {
        format!("{}\n{}", self.output, self.errors)
    }

    /// The end of a run that did not do what it should: its last words, and its status.
    pub(super) fn last_words(&self) -> String {
        let text = self.text();
        let said = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing printed");
        let said: String = said.chars().take(120).collect();
        match self.status {
            Some(status) if status.signal().is_some() => format!("{said} (signal {})", status.signal().unwrap_or(0)),
            Some(status) => format!("{said} (status {})", status.code().unwrap_or(0)),
            None => format!("{said} (ended by the time limit)"),
        }
    }
}

/// Runs a tool to its end, or to the time limit, in a folder of its own.
///
/// The tool is a group of processes of its own: drivers start compilers and interpreters, and the
/// time limit ends all of them.
pub(super) fn run(command: &mut Command, limit: Duration) -> Result<Ran> {
    let scratch = Scratch::new()?;
    let failed = |error: std::io::Error| format!("`{}` cannot be run: {error}", shell::text(command));
    let (output, errors) = (scratch.0.join("stdout"), scratch.0.join("stderr"));
    let files = File::create(&output).and_then(|output| Ok((output, File::create(&errors)?)));
    let (stdout, stderr) = files.map_err(failed)?;
    let before = children_seconds()?;
    command.current_dir(&scratch.0).stdin(Stdio::null()).stdout(stdout).stderr(stderr).process_group(0);
    let child = command.spawn().map_err(|error| format!("`{}` cannot be run: {error}", shell::text(command)))?;
    let status = wait(child, limit).map_err(|error| format!("`{}`: {error}", shell::text(command)))?;
    let seconds = children_seconds()? - before;
    let read = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    Ok(Ran { status, output: read(&output), errors: read(&errors), seconds })
}

/// Sees to it that Ctrl-C ends the tool that is running too: its group does not get the signal.
pub(super) fn end_with_us() {
    let handler = || {
        end(RUNNING.load(Ordering::SeqCst));
        std::process::exit(130);
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        eprintln!("Ctrl-C will not end the tool that is running: {error}");
    }
}

fn wait(mut child: Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let group = i32::try_from(child.id()).unwrap_or(0);
    RUNNING.store(group, Ordering::SeqCst);
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            end(group);
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    RUNNING.store(0, Ordering::SeqCst);
    Ok(status)
}

/// Ends a group of processes; it may have ended by itself in the meantime.
fn end(group: i32) {
    if group > 0 {
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Processor time of all children that were waited for.
fn children_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| format!("no processor time: {error}"))?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// A folder in which a tool may leave what it likes; removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mazurka-rivals-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind is a few small files in the system's folder for such.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
