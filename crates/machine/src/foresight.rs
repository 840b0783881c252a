//! What is known of what may still come of a state.

use mazurka_trace::ProcessId;

/// What to do with a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// Something that is looked for may still come of it, whoever steps next.
    Open,
    /// Likewise, and these are tried first, in this order.
    Ordered(Vec<ProcessId>),
    /// Likewise, and it is enough that these step next: whatever the others do first is independent
    /// of all that these can do before.
    First(Vec<ProcessId>),
    /// Nothing that is looked for can come of it.
    Hopeless,
    /// Nothing more is looked for.
    Settled,
}

/// Somebody who looks for something in the states of a machine, and knows where it cannot be.
pub trait Foresight<M> {
    /// Looks at a state that was reached for the first time on the current path.
    fn look(&mut self, machine: &mut M) -> Outlook;
}
