//! The view data: a failing execution in its user's words.

use mazurka_machine::{Journey, Place, Rest};
use mazurka_trace::{FaultKind, Value};

use crate::words::grouped;

/// A failing execution, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// The processes that take part (step, or wait at the end), in the order of their numbers: the
    /// columns.
    pub processes: Vec<String>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// For an execution that ends in a deadlock or a livelock: who waits for what. For one that
    /// ends where a circle of waits closes: those on the circle.
    pub waiting: Vec<Waiter>,
    /// The execution ends where a circle of waits closes: others can still move.
    pub is_early: bool,
    /// For an execution that ends before two accesses that race: the data races there.
    pub races: Vec<DataRace>,
    /// For programs of objects: what each step did, as a sequence diagram shows it.
    pub turns: Vec<Turn>,
    /// For networks: the way of the packet that the failure is about.
    pub journey: Option<Journey>,
    /// For machines of messages: who overtakes whom, which was sent to the same place before.
    pub overtakings: Option<Vec<(String, String)>>,
    /// What the program printed.
    pub output: String,
    /// The failure that the schedule was to show, if it did.
    pub failure: Option<Failure>,
}

impl Timeline {
    /// How often a process was left for another although it could have gone on.
    pub fn preemptions(&self) -> usize {
        self.steps.iter().filter(|step| step.switch == Switch::Preempted).count()
    }

    /// All that failed, in order; a deadlock and data races last.
    pub fn failures(&self) -> impl Iterator<Item = Failure> + '_ {
        let standstill = Failure::standstill(&self.waiting);
        let races = self.races.iter().map(|race| race.failure.clone());
        self.steps.iter().flat_map(|step| step.failures.iter().cloned()).chain(standstill).chain(races)
    }
}

/// A step of an object's task, for a sequence diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The object.
    pub lane: String,
    /// The task.
    pub task: String,
    /// The line of the source that it began at.
    pub line: usize,
    /// The tasks that it called, each with its object.
    pub calls: Vec<(String, String)>,
    /// How it came to its end.
    pub rest: Rest,
}

/// One step of a timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Whose step: an index into [`Timeline::processes`]; `None` for what runs after every process
    /// has ended.
    pub column: Option<usize>,
    /// The name of whose step it is.
    pub process: String,
    /// Its number among the events of the execution, from 1. `None` where it is not an event: local
    /// code that makes a choice of data, and what runs after every process has ended.
    pub number: Option<usize>,
    /// Where it stands in the source.
    pub place: Place,
    /// What it read and wrote.
    pub effects: Vec<Effect>,
    /// The values of its data choices.
    pub choices: Vec<Value>,
    /// The names of the processes it created.
    pub spawned: Vec<String>,
    /// The names of the processes whose ends it waited for.
    pub joined: Vec<String>,
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

    /// Whether it chooses the inputs of the initial state: it is no event either, but writes where
    /// others read.
    pub fn chooses_inputs(&self) -> bool {
        self.is_local() && !self.effects.is_empty()
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
    /// What it waits for, as name and current value: a mutex and its holder, or what its condition
    /// reads.
    pub waits_for: Vec<(String, String)>,
    /// Who holds the mutex it waits for.
    pub holder: Option<String>,
    /// The object that it is a task of, for programs of such.
    pub lane: Option<String>,
    /// Why it cannot move, in the machine's words, where it has some.
    pub reason: Option<String>,
    /// What it is called that nobody can move, where the machine tells several kinds apart.
    pub kind: Option<FaultKind>,
    /// It does not stand still but goes round in a loop that only others could end.
    pub spins: bool,
}

impl Waiter {
    /// `file:line:col`.
    pub fn location(&self) -> String {
        location(&self.place)
    }
}

/// Two accesses to the same memory that can happen at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRace {
    /// The failure; its process and place are those of one of the two.
    pub failure: Failure,
    /// The two processes, each with the place of the access that it is about to do.
    pub sides: [(String, Place); 2],
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
    /// Whether it is the same failure: of the same kind, at the same place, of the same process.
    /// (The file may have been named otherwise, and the message may hold other numbers.)
    pub fn is_like(&self, other: &Failure) -> bool {
        let key = |failure: &Failure| (failure.kind, failure.place.line, failure.place.column);
        key(self) == key(other) && self.process == other.process
    }

    /// `file:line:col`.
    pub fn location(&self) -> String {
        location(&self.place)
    }

    /// The deadlock in which these processes wait, if any does; a livelock where one of them goes
    /// round in a loop.
    pub fn standstill(waiting: &[Waiter]) -> Option<Failure> {
        let first = waiting.first()?;
        let spins = waiting.iter().any(|waiter| waiter.spins);
        let kind = if spins { FaultKind::Livelock } else { FaultKind::Deadlock };
        Some(Failure {
            kind: first.kind.unwrap_or(kind),
            message: standstill(waiting),
            process: first.process.clone(),
            place: first.place.clone(),
        })
    }
}

/// How many of those who wait a sentence names at most.
const NAMED_WAITERS: usize = 4;

/// A deadlock, or a livelock, in a sentence.
pub(crate) fn standstill(waiting: &[Waiter]) -> String {
    let name = |waiter: &Waiter| waiter.process.clone();
    let mut names: Vec<String> = if waiting.len() > NAMED_WAITERS {
        waiting.iter().take(NAMED_WAITERS - 1).map(name).collect()
    } else {
        waiting.iter().map(name).collect()
    };
    if names.len() < waiting.len() {
        names.push(format!("{} others", grouped((waiting.len() - names.len()) as u64)));
    }
    let kind = standstill_name(waiting);
    match names.as_slice() {
        [] => kind.to_owned(),
        [one] => format!("{kind}: {one} cannot move"),
        [first @ .., last] => format!("{kind}: {} and {last} cannot move", first.join(", ")),
    }
}

/// What it is called that nobody gets any further.
pub(crate) fn standstill_name(waiting: &[Waiter]) -> &'static str {
    if let Some(kind) = waiting.first().and_then(|waiter| waiter.kind) {
        return fault_name(kind);
    }
    if waiting.iter().any(|waiter| waiter.spins) { "livelock" } else { "deadlock" }
}

/// `file:line:col`.
pub(crate) fn location(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// The kinds of failure, each with the name of its family and its own. What is not in the list does
/// not compile.
macro_rules! kinds {
    ($($kind:ident $family:literal $name:literal),+ $(,)?) => {
        /// The name of the family that a kind of failure belongs to, for programs that read
        /// reports.
        pub fn kind_name(kind: FaultKind) -> &'static str {
            match kind {
                $(FaultKind::$kind => $family,)+
            }
        }

        /// The name of a kind of failure.
        pub fn fault_name(kind: FaultKind) -> &'static str {
            match kind {
                $(FaultKind::$kind => $name,)+
            }
        }

        /// The kind of failure with this name.
        pub fn fault_kind(name: &str) -> Option<FaultKind> {
            match name {
                $($name => Some(FaultKind::$kind),)+
                _ => None,
            }
        }
    };
}

kinds! {
    Assertion "assertion" "assertion",
    Deadlock "deadlock" "deadlock",
    Lock "lock" "lock",
    Bounds "memory" "out-of-bounds",
    DivisionByZero "arithmetic" "division-by-zero",
    Overflow "arithmetic" "overflow",
    EmptyChoice "choice" "empty-choice",
    Abort "abort" "abort",
    ExitStatus "exit-status" "exit-status",
    DataRace "data-race" "data-race",
    NullPointer "memory" "null-pointer",
    UseAfterFree "memory" "use-after-free",
    DoubleFree "memory" "double-free",
    InvalidFree "memory" "invalid-free",
    InvalidPointer "memory" "invalid-pointer",
    Uninitialised "memory" "uninitialised",
    ReadOnly "memory" "read-only",
    Leak "memory" "leak",
    StackOverflow "memory" "stack-overflow",
    Shift "arithmetic" "shift",
    Livelock "livelock" "livelock",
    Misuse "misuse" "misuse",
    Unmodelled "unmodelled" "unmodelled",
    Exception "exception" "exception",
    AwaitCycle "await-cycle" "await-cycle",
    Stuck "stuck" "stuck",
    Loop "loop" "loop",
    Blackhole "blackhole" "blackhole",
    Policy "policy" "policy",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        for kind in [FaultKind::Assertion, FaultKind::Bounds, FaultKind::UseAfterFree, FaultKind::Unmodelled] {
            assert_eq!(fault_kind(fault_name(kind)), Some(kind));
        }
        assert_eq!(kind_name(FaultKind::DoubleFree), "memory");
        assert_eq!(fault_kind("memory"), None);
    }

    #[test]
    fn a_deadlock_names_a_few() {
        let waiter = |process: usize| Waiter {
            process: format!("p[{process}]"),
            place: crate::samples::place(1, "lock(m)"),
            waits_for: Vec::new(),
            holder: None,
            lane: None,
            reason: None,
            kind: None,
            spins: process == 10,
        };
        let words = |count| standstill(&(0..count).map(waiter).collect::<Vec<_>>());
        assert_eq!(words(1), "deadlock: p[0] cannot move");
        assert_eq!(words(3), "deadlock: p[0], p[1] and p[2] cannot move");
        assert_eq!(words(9), "deadlock: p[0], p[1], p[2] and 6 others cannot move");
        assert_eq!(words(11), "livelock: p[0], p[1], p[2] and 8 others cannot move");
    }
}
