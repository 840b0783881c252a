//! What a machine is told of an exploration.

/// What happens in an exploration that drives a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// It begins, in the initial state: what was heard before does not count, unless it was set
    /// aside.
    Begun,
    /// The execution that led to the current state is complete, and counts.
    Complete,
    /// The execution that led to the current state was cut: it is explored elsewhere.
    Cut,
    /// Another exploration begins, and this one may go on later.
    SetAside,
    /// The exploration that was set aside goes on, from the initial state: what was heard since
    /// does not count.
    TakenUp,
}
