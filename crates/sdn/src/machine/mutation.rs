//! Deliberate breakages of the machine, to see that the tests notice.

mazurka_machine::mutations! {
    /// Whether a rule fits a packet does not depend on where it comes in.
    PortIgnored,
    /// Installations of the same rule commute whatever the rule does.
    ActionsIgnored,
    /// A barrier orders what comes after it, but not the first message.
    BarrierLate,
    /// Where barriers concern everybody, who sends one does not tell.
    BarrierUntold,
    /// What a property looks at is not told.
    PropertyUntold,
    /// A packet that no rule fits when it leaves the buffer is as good as delivered.
    MissDelivered,
    /// Removing rules is not told to whoever looks for one.
    RemovalUntold,
    /// All packets that wait at a switch share one buffer.
    BufferShared,
    /// A packet goes round in a loop whenever it comes to the same port again, whatever the rule.
    LoopByPort,
    /// Where rules are removed, whoever looks for contradictions does not tell what it looks at.
    ContradictionLate,
    /// What has become of packets is no part of a state.
    OutcomesUncompared,
    /// What was not foreseen is not told.
    UnforeseenUntold,
    /// Rewinding forgets what has become of packets.
    OutcomesKept,
}
