//! The process behind a solver, and the clock that watches it.
//!
//! Two threads stand between: one writes, so that a process which does not read cannot hold us up;
//! one reads, so that waiting for an answer can be given up. Both end when the process does.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::expression::{Expression, Reader};
use super::{Error, Settings, Usage};

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The time is over, and the process ended.
    Time,
    /// Somebody said stop, and the process was ended.
    Stopped,
    /// It died, with these last words.
    Died(String),
    /// It was ended before.
    Gone,
    /// It does not answer what was asked; it was ended.
    Confused(String),
}

/// A running process.
#[derive(Debug)]
pub(super) struct Child {
    process: std::process::Child,
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    errors: Receiver<String>,
    alive: bool,
    marks: u64,
    sent: usize,
    /// As it was last looked at.
    usage: Usage,
}

/// What the reading thread hands over.
#[derive(Debug)]
enum Output {
    Answer(Expression),
    Garbage(String),
}

/// How often somebody is asked whether to stop.
const LOOK: Duration = Duration::from_millis(20);

/// How long last words are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Child {
    pub(super) fn start(settings: &Settings) -> Result<Child, Error> {
        let mut words = settings.program.split_whitespace();
        let program = words.next().unwrap_or_default();
        let mut command = Command::new(program);
        command.args(words).args(own_arguments(&settings.program));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|_| Error::missing(program, &settings.named_by))?;
        let (Some(mut stdin), Some(stdout), Some(mut stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err(Error::Silent { program: settings.program.clone() });
        };
        let (input, lines) = channel::<String>();
        thread::spawn(move || {
            // A process that does not listen any more is noticed by its answers.
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (answers, output) = channel();
        thread::spawn(move || listen(stdout, &answers));
        let (words, errors) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                text.extend_from_slice(&buffer[..count.min(4096usize.saturating_sub(text.len()))]);
            }
            // Nobody may be interested.
            let _ = words.send(String::from_utf8_lossy(&text).trim().to_owned());
        });
        Ok(Child {
            process,
            input: Some(input),
            output,
            errors,
            alive: true,
            marks: 0,
            sent: 0,
            usage: Usage::default(),
        })
    }

    /// Lets the process read this.
    pub(super) fn send(&mut self, text: &str) {
        self.sent += text.len();
        if let Some(input) = self.input.as_ref().filter(|_| !text.is_empty()) {
            // The writing thread ends only with the process.
            let _ = input.send(text.to_owned());
        }
    }

    /// How many bytes it was given to read.
    pub(super) fn sent(&self) -> usize {
        self.sent
    }

    /// A word that it has not been told before.
    pub(super) fn mark(&mut self) -> String {
        self.marks += 1;
        format!("mark-{}", self.marks)
    }

    /// The next answer. Where it does not come in time, the process is ended.
    pub(super) fn reply(&mut self, until: Option<Instant>, stop: Option<&AtomicBool>) -> Result<Expression, Failure> {
        if !self.alive {
            return Err(Failure::Gone);
        }
        loop {
            let now = Instant::now();
            let left = until.map(|until| until.saturating_duration_since(now));
            match self.output.recv_timeout(left.map_or(LOOK, |left| left.min(LOOK))) {
                Ok(Output::Answer(answer)) => return Ok(answer),
                Ok(Output::Garbage(text)) => return Err(self.confused(text)),
                Err(RecvTimeoutError::Disconnected) => {
                    self.end();
                    let words = self.errors.recv_timeout(LAST_WORDS).unwrap_or_default();
                    // Ctrl-C reaches the solver, too, which may die of it before we are told.
                    if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                        return Err(Failure::Stopped);
                    }
                    return Err(Failure::Died(words));
                }
                Err(RecvTimeoutError::Timeout) if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) => {
                    self.end();
                    return Err(Failure::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    self.end();
                    return Err(Failure::Time);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends a process that answers what was not asked: nobody knows what its next answers belong
    /// to.
    pub(super) fn confused(&mut self, got: String) -> Failure {
        self.end();
        Failure::Confused(got)
    }

    pub(super) fn error(&mut self, failure: Failure) -> Error {
        match failure {
            Failure::Died(last) => Error::Died { last },
            Failure::Confused(got) => Error::nonsense("an answer", &got),
            Failure::Gone | Failure::Time | Failure::Stopped => Error::Gone,
        }
    }

    /// What it has used so far, or had when it was ended.
    pub(super) fn usage(&mut self) -> Usage {
        if self.alive {
            self.usage.raise(Usage::of(self.process.id()));
        }
        self.usage
    }

    fn end(&mut self) {
        self.usage();
        self.alive = false;
        self.input = None;
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// What makes known solvers read from us.
fn own_arguments(program: &str) -> &'static [&'static str] {
    let mut words = program.split_whitespace();
    let name = words.next().and_then(|program| program.rsplit('/').next()).unwrap_or_default();
    if words.next().is_some() {
        return &[];
    }
    if name.starts_with("z3") {
        &["-in", "-smt2"]
    } else if name.starts_with("cvc5") || name.starts_with("cvc4") {
        &["--incremental", "--lang=smt2"]
    } else if name.starts_with("yices") {
        &["--incremental"]
    } else {
        &[]
    }
}

fn listen(mut stdout: impl Read, answers: &Sender<Output>) {
    let mut reader = Reader::default();
    let mut buffer = [0; 1 << 14];
    while let Ok(count @ 1..) = stdout.read(&mut buffer) {
        // What is requested is ASCII, names apart.
        for c in String::from_utf8_lossy(&buffer[..count]).chars() {
            let output = match reader.read(c) {
                Ok(None) => continue,
                Ok(Some(answer)) => Output::Answer(answer),
                Err(text) => Output::Garbage(text),
            };
            if answers.send(output).is_err() {
                return;
            }
        }
    }
}
