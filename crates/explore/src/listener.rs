//! Whoever listens to an exploration.

use mazurka_trace::{Access, Check, EventId, ProcessId, SiteId};

use crate::execution::{Execution, Leaf};

/// A race that was compared.
pub(crate) struct Compared<'a> {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    pub(crate) observed: bool,
    /// What ran between the two and is needed for the second.
    pub(crate) before: &'a [EventId],
    /// In the order that was explored, that comes after the first.
    pub(crate) begins: bool,
    pub(crate) same: bool,
    pub(crate) check: Check,
    pub(crate) used: &'a [Vec<(ProcessId, Vec<Access>)>; 2],
}

/// Hears what happens in an exploration. It is told, and decides nothing.
pub(crate) trait Listener {
    /// Whether anybody is there: what takes work to tell is told only then.
    fn is_there(&self) -> bool {
        true
    }

    /// Everything begins again.
    fn begin_again(&mut self);

    /// An exploration has come to its end.
    fn end(&mut self, execution: &Execution, leaf: Leaf);

    /// Steps from two sites are left unordered.
    fn leave_unordered(&mut self, one: SiteId, other: SiteId);

    /// Both orders of a race were compared. Gives the comparison's number; one that was made before
    /// has it already.
    fn compare(&mut self, execution: &Execution, race: &Compared<'_>) -> usize;

    /// The exploration that has just come to its end was cut because of these comparisons; or, if
    /// there are none, because these sleep, each since so many events.
    fn explain_cut(&mut self, because: Vec<usize>, asleep: &mut dyn FnMut() -> Vec<(ProcessId, usize)>);
}

/// Nobody.
impl Listener for () {
    fn is_there(&self) -> bool {
        false
    }

    fn begin_again(&mut self) {}

    fn end(&mut self, _: &Execution, _: Leaf) {}

    fn leave_unordered(&mut self, _: SiteId, _: SiteId) {}

    fn compare(&mut self, _: &Execution, _: &Compared<'_>) -> usize {
        0
    }

    fn explain_cut(&mut self, _: Vec<usize>, _: &mut dyn FnMut() -> Vec<(ProcessId, usize)>) {}
}
