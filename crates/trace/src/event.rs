//! Events, the choices made in them, and schedules.

use crate::{Access, Fault, ProcessId, SiteId, Value};

/// One nondeterministic choice of data that a step made, with the range it was made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Choice {
    /// The value taken.
    pub value: Value,
    /// The smallest value that could have been taken.
    pub low: Value,
    /// The largest value that could have been taken.
    pub high: Value,
}

/// How things stand after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// The execution goes on.
    #[default]
    Continues,
    /// An assumption failed: the process runs no further and the execution will be discarded. The
    /// other processes can still be stepped, so that their races with what was assumed are seen.
    Discards,
    /// A fault in a local step: the process runs no further. The other processes can still be
    /// stepped, so that nothing that commutes with the fault is missed, but how the execution ends
    /// says nothing any more.
    Fails,
    /// A fault ended the execution: nothing may be stepped any more.
    Halts,
    /// The step ran into the machine's limit of instructions per step and is not complete; as
    /// `Halts` otherwise.
    OutOfFuel,
}

/// What one step did: all that a relation, an algorithm or a report may know about it.
///
/// The machine fills the same buffer again and again, so that in the steady state no step
/// allocates.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Who stepped.
    pub process: ProcessId,
    /// Where in the code the visible operation stands.
    pub site: SiteId,
    /// The locations used, each once, in the order of their first use.
    pub accesses: Vec<Access>,
    /// What a process that was alone read besides, each location once, where the machine was told
    /// that reads count (`Run::observe`).
    pub unseen: Vec<Access>,
    /// The data choices made, in order.
    pub choices: Vec<Choice>,
    /// The processes created, in order.
    pub spawned: Vec<ProcessId>,
    /// The processes that had ended, and whose ends this step waited for: all their events come
    /// before this one, by cause.
    pub joined: Vec<ProcessId>,
    /// Failed assertions (the step goes on after them), then at most one fault that ended the
    /// execution.
    pub faults: Vec<Fault>,
    /// How things stand afterwards.
    pub ending: Ending,
    /// The step was one of local code only, run on its own because it makes a data choice: it
    /// commutes with every step of other processes and does not count as an event.
    pub is_local: bool,
    /// Steps from this site can be disabled: whether it could run depended on what it read.
    pub can_block: bool,
    /// The step takes one mutex and does nothing else: it can run whenever that mutex is free.
    pub locks: bool,
    /// Steps from this site can use other locations, or make other choices, when they read other
    /// values.
    pub varies: bool,
    /// The step is one access to memory that is not meant for communication: unordered with a
    /// conflicting one, it can be a data race. See `Run::data_race`.
    pub plain: bool,
}

impl Ending {
    /// Whether the process came to an untimely end, so that what happens after the event does not
    /// count.
    #[inline]
    pub fn cuts_short(self) -> bool {
        matches!(self, Ending::Discards | Ending::Fails)
    }
}

impl Event {
    /// Makes the buffer ready for the next step.
    #[inline]
    pub fn begin(&mut self, process: ProcessId, site: SiteId) {
        self.process = process;
        self.site = site;
        self.accesses.clear();
        self.unseen.clear();
        self.choices.clear();
        self.spawned.clear();
        self.joined.clear();
        self.faults.clear();
        self.ending = Ending::Continues;
        self.is_local = false;
        self.can_block = false;
        self.locks = false;
        self.varies = false;
        self.plain = false;
    }

    /// Takes what was read by a process that was alone for reads like any others. What it read may
    /// decide what it reads next.
    pub fn show_unseen(&mut self) {
        for read in self.unseen.drain(..) {
            self.varies = true;
            match self.accesses.iter_mut().find(|access| access.location == read.location) {
                Some(access) => access.kind = access.kind.then(read.kind),
                None => self.accesses.push(read),
            }
        }
    }
}

/// One step of a schedule: who runs, and the values of the data choices it makes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scheduled {
    /// Who runs.
    pub process: ProcessId,
    /// The values chosen, in order; choices beyond them take the lowest value.
    pub choices: Vec<Value>,
}

/// An execution as it is given to a machine. The same schedule gives the same events.
pub type Schedule = Vec<Scheduled>;
