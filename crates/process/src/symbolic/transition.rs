//! What a step is, as a formula.

use mazurka_smt::Term;
use mazurka_trace::{FaultKind, SiteId};

use super::Place;

/// A state as one process sees it: a term for each thing it can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The global variables, arrays and mutexes, in the order of
    /// [`Symbolic::objects`](super::Symbolic::objects).
    pub objects: Vec<Term>,
    /// The process's own variables, parameters first.
    pub locals: Vec<Term>,
    /// How many processes it has spawned so far.
    pub spawned: Term,
}

/// A step, from one place. Conditions (`when`) are over the state before. At most one of these
/// holds of a state: it is [`blocked`](Self::blocked), [`discarded`](Self::discarded), one of the
/// [`faults`](Self::faults) that end the step, one of the [`cuts`](Self::cuts), one of the
/// [`next`](Self::next); and with choices within their ranges, exactly one. A failed assertion does
/// not end the step: it holds beside them, but not where the step is blocked.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What the step is, for reports.
    pub site: SiteId,
    /// The step is one of local code only.
    pub is_local: bool,
    /// The step cannot be taken.
    pub blocked: Term,
    /// An assumption fails: the execution does not count.
    pub discarded: Term,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// Where loops were cut.
    pub cuts: Vec<Cut>,
    /// Where the process rests afterwards.
    pub next: Vec<(Term, Next)>,
    /// The state afterwards; of interest where `next` holds.
    pub state: State,
    /// The data choices, in the order they are made.
    pub choices: Vec<Choice>,
    /// The processes spawned, in order.
    pub spawns: Vec<Spawn>,
    /// The locations used, in order; one can occur several times.
    pub accesses: Vec<Access>,
}

/// A failure of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// When.
    pub when: Term,
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub site: SiteId,
}

/// A loop that needs more rounds than were followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// When.
    pub when: Term,
    /// Where.
    pub site: SiteId,
}

/// Where a process is after a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Next {
    /// It rests here.
    Rests(Place),
    /// It has ended.
    Ends,
}

/// A data choice of a step. The step says that the value is within the range: elsewhere, no case of
/// it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// When it is made.
    pub when: Term,
    /// The variable that stands for the value chosen.
    pub value: Term,
    /// The smallest value.
    pub low: Term,
    /// The largest value.
    pub high: Term,
}

/// A process that a step starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawn {
    /// When.
    pub when: Term,
    /// Which body: index into [`Symbolic::bodies`](super::Symbolic::bodies).
    pub body: usize,
    /// As which of its parent's spawns, counted from 0.
    pub nth: Term,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

/// How a location is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Read.
    Read,
    /// Written.
    Write,
    /// A mutex taken or given back.
    Mutex,
}

/// A location used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// When.
    pub when: Term,
    /// Which variable, array or mutex: index into [`Symbolic::objects`](super::Symbolic::objects).
    pub object: usize,
    /// The index, in an array.
    pub index: Option<Term>,
    /// How.
    pub kind: AccessKind,
}

/// A process that begins: assignments of locals at the beginning of its body are done when it is
/// started.
#[derive(Clone, Debug)]
pub struct Start {
    /// Where it rests first; exactly one condition holds.
    pub next: Vec<(Term, Next)>,
    /// Its variables there.
    pub locals: Vec<Term>,
}
