//! What a program's independence constraints say.

/// What is known, without looking at any state, about when the steps of two sites commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constrained {
    /// Nothing.
    Unknown,
    /// There are constraints: it depends on the state. See
    /// [`Constraints::independence`](crate::Constraints::independence).
    Sometimes,
    /// In every state in which both are enabled.
    Always,
}

/// What the constraints say about the next steps of two processes in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Independence {
    /// No constraint holds, and nothing follows from that.
    Unknown,
    /// No constraint holds, and there are no other states in which the steps commute: they do not.
    Refuted,
    /// Some constraint holds: if both steps are enabled, both orders lead to the same state and
    /// show the same failures (up to who created a process). Other processes can change that.
    Holds,
    /// Some constraint holds, and goes on to hold whatever the other processes do.
    Uniform,
}

/// What is known about when steps commute is known of states in which no integer is larger than
/// this, nor smaller than its opposite: near the ends of their range, an operation may overflow in
/// one order of steps only.
pub const MODERATE: u64 = 1 << 40;
