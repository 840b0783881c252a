//! Names and places for people.

use crate::{Ends, Journey};
use mazurka_trace::{Fault, LocationId, ProcessId, SiteId, Value};

/// A stretch of source text. Lines and columns count from 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// Line of the first character.
    pub line: usize,
    /// Column of the first character.
    pub column: usize,
    /// The statement or expression, on one line, white space folded.
    pub text: String,
}

/// How a step of a task came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// The task has ended.
    Returned,
    /// An exception ended the task: which.
    Failed(String),
    /// It waits, and lets others of its object go on: for what.
    Awaits(String),
    /// It waits, and keeps its object: for what.
    Blocks(String),
    /// It lets others go on.
    Suspended,
}

/// What a step of a machine of messages is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// Something new comes in from outside.
    Packet,
    /// A message is processed.
    Message,
    /// Something else.
    Other,
}

/// What a report needs to speak of a program in its user's words.
pub trait Describe {
    /// The process's name, the same in every execution: `p`, `q[2]`, `worker@p.1` (the first that
    /// `p` spawned).
    fn process_name(&self, process: ProcessId) -> String;

    /// A name by who created the process and as which of its creations alone: the same in every
    /// state. By default, its name.
    fn process_key(&self, process: ProcessId) -> String {
        self.process_name(process)
    }

    /// The process of this name or key, if the machine has met it.
    fn find_process(&self, name: &str) -> Option<ProcessId>;

    /// The location's name: `x`, `a[2]`, `m`.
    fn location_name(&self, location: LocationId) -> String;

    /// A value of this location: `3`, `true`; for a mutex its holder's name or `free`.
    fn value_text(&self, location: LocationId, value: Value) -> String;

    /// Whether the accesses of events tell all changes of a location's value. Where several
    /// locations stand for parts of one, they do not.
    fn tells_value(&self, _location: LocationId) -> bool {
        true
    }

    /// What a location holds after a step, in the state that the step left: the value, or that the
    /// location is no more.
    fn left_text(&self, location: LocationId, value: Value) -> String {
        self.value_text(location, value)
    }

    /// The source of a site.
    fn place(&self, site: SiteId) -> Place;

    /// The source of what a live process is about to do, where that is not the source of its
    /// pending site: the user's own call, for a process that stands in a library.
    fn standing(&self, _process: ProcessId) -> Option<Place> {
        None
    }

    /// The object that a process is a task of, for programs of such: a column of a sequence
    /// diagram.
    fn lane(&self, _process: ProcessId) -> Option<String> {
        None
    }

    /// For machines of messages, whose processes take one step each: what that step is.
    fn arrival(&self, _process: ProcessId) -> Option<Arrival> {
        None
    }

    /// How the last step of a task came to its end, in the state that it left.
    fn rest(&self, _process: ProcessId) -> Rest {
        Rest::Returned
    }

    /// Why a live process cannot move, to follow where it waits: `for the result of worker#1`. None
    /// where it is enough to name what it reads and who holds that.
    fn waiting_text(&self, _process: ProcessId) -> Option<String> {
        None
    }

    /// Who waits for whom in a circle that goes through a live process, in that order; the last one
    /// waits for the first. Nobody where there is no such circle, or where the machine tells of
    /// standstills only.
    fn circle(&self, _process: ProcessId) -> Vec<ProcessId> {
        Vec::new()
    }

    /// The source of a failure, in the state that it left.
    fn fault_place(&self, fault: &Fault) -> Place {
        self.place(fault.site)
    }

    /// The failure in a sentence, without its place: `assertion failed: x < 2`.
    fn fault_text(&self, fault: &Fault) -> String;

    /// For networks: the way of the packet that a failure is about, in the state that it left.
    fn journey(&self, _fault: &Fault) -> Option<Journey> {
        None
    }

    /// What was noticed in all executions so far that is no failure, in sentences.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The states in which the executions so far have ended, where the machine keeps account of
    /// them. It does so no longer.
    fn take_ends(&mut self) -> Ends {
        Ends::default()
    }

    /// What the program has printed so far in the current execution; empty where programs do not
    /// print.
    fn output(&self) -> String {
        String::new()
    }
}
