//! The view data: a failing execution in its user's words.

use mazurka_machine::Place;
use mazurka_trace::{FaultKind, Value};

/// A failing execution, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// The processes that take part (step, or wait at the end), in the order of their numbers: the columns.
    pub processes: Vec<String>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// For an execution that ends in a deadlock: who waits for what.
    pub waiting: Vec<Waiter>,
    /// The failure that the schedule was to show, if it did.
    pub failure: Option<Failure>,
}

impl Timeline {
    /// How often a process was left for another although it could have gone on.
    pub fn preemptions(&self) -> usize {
        self.steps.iter().filter(|step| step.switch == Switch::Preempted).count()
    }

    /// All that failed, in order; a deadlock last.
    pub fn failures(&self) -> impl Iterator<Item = Failure> + '_ {
        let deadlock = Failure::deadlock(&self.waiting);
        self.steps.iter().flat_map(|step| step.failures.iter().cloned()).chain(deadlock)
    }
}

/// One step of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Whose step: an index into [`Timeline::processes`]; `None` for what runs after every process has ended.
    pub column: Option<usize>,
    /// The name of whose step it is.
    pub process: String,
    /// Its number among the events of the execution, from 1. `None` where it is not an event: local code that makes a
    /// choice of data, and what runs after every process has ended.
    pub number: Option<usize>,
    /// Where it stands in the source.
    pub place: Place,
    /// What it read and wrote.
    pub effects: Vec<Effect>,
    /// The values of its data choices.
    pub choices: Vec<Value>,
    /// The names of the processes it created.
    pub spawned: Vec<String>,
    /// What failed in it.
    pub failures: Vec<Failure>,
    /// How the previous process came to stop.
    pub switch: Switch,
    /// An assumption failed in it: its process goes no further.
    pub discards: bool,
}

impl Step {
    /// Whether it is local code that makes a choice of data, and no event.
    pub fn is_local(&self) -> bool {
        self.column.is_some() && self.number.is_none()
    }

    /// `file:line:col`.
    pub fn location(&self) -> String {
        location(&self.place)
    }
}

/// Whether a step continues the process of the step before, and if not, why that one stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The same process goes on, or this is the first step.
    Stays,
    /// The process before has ended.
    Ended,
    /// The process before cannot go on now.
    Waits,
    /// The process before could have gone on.
    Preempted,
}

/// What a step did to one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read it.
    Reads {
        /// The location.
        name: String,
        /// What it held.
        value: String,
    },
    /// Wrote it.
    Writes {
        /// The location.
        name: String,
        /// What it held before.
        before: String,
        /// What it holds now.
        after: String,
        /// Whether the step read it before it wrote it.
        reads: bool,
    },
    /// Took a mutex.
    Locks {
        /// The mutex.
        name: String,
    },
    /// Gave a mutex back.
    Unlocks {
        /// The mutex.
        name: String,
    },
}

impl Effect {
    /// The name of the location.
    pub fn name(&self) -> &str {
        match self {
            Effect::Reads { name, .. }
            | Effect::Writes { name, .. }
            | Effect::Locks { name }
            | Effect::Unlocks { name } => name,
        }
    }

    /// Whether it leaves the location as it was.
    pub fn only_reads(&self) -> bool {
        matches!(self, Effect::Reads { .. })
    }
}

/// A process that cannot move at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// Its name.
    pub process: String,
    /// Where it stands.
    pub place: Place,
    /// What it waits for, as name and current value: a mutex and its holder, or what its condition reads.
    pub waits_for: Vec<(String, String)>,
    /// Who holds the mutex it waits for.
    pub holder: Option<String>,
}

impl Waiter {
    /// `file:line:col`.
    pub fn location(&self) -> String {
        location(&self.place)
    }
}

/// A failure: what, where, whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind.
    pub kind: FaultKind,
    /// In a sentence, without the place.
    pub message: String,
    /// Whose.
    pub process: String,
    /// Where.
    pub place: Place,
}

impl Failure {
    /// Whether it is the same failure: of the same kind, at the same place, of the same process. (The file may have been
    /// named otherwise, and the message may hold other numbers.)
    pub fn is_like(&self, other: &Failure) -> bool {
        let key = |failure: &Failure| (kind_name(failure.kind), failure.place.line, failure.place.column);
        key(self) == key(other) && self.process == other.process
    }

    /// `file:line:col`.
    pub fn location(&self) -> String {
        location(&self.place)
    }

    /// The deadlock in which these processes wait, if any does.
    pub fn deadlock(waiting: &[Waiter]) -> Option<Failure> {
        let first = waiting.first()?;
        Some(Failure {
            kind: FaultKind::Deadlock,
            message: crate::words::deadlock(waiting),
            process: first.process.clone(),
            place: first.place.clone(),
        })
    }
}

/// `file:line:col`.
pub(crate) fn location(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// The name of a kind of failure, for files and programs.
pub fn kind_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => "assertion",
        FaultKind::Deadlock => "deadlock",
        FaultKind::Lock => "lock",
        FaultKind::Bounds
        | FaultKind::NullPointer
        | FaultKind::UseAfterFree
        | FaultKind::DoubleFree
        | FaultKind::InvalidFree
        | FaultKind::InvalidPointer
        | FaultKind::Uninitialised
        | FaultKind::ReadOnly
        | FaultKind::Leak
        | FaultKind::StackOverflow => "memory",
        FaultKind::DivisionByZero | FaultKind::Overflow | FaultKind::Shift => "arithmetic",
        FaultKind::EmptyChoice => "choice",
        FaultKind::Abort => "abort",
        FaultKind::DataRace => "data-race",
        FaultKind::Livelock => "livelock",
        FaultKind::Misuse => "misuse",
        FaultKind::Unmodelled => "unmodelled",
    }
}
