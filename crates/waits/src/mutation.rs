//! Deliberate breakages of the analysis, to see that the tests notice.

mazurka_machine::mutations! {
    /// Who takes a lock as a writer is taken for a reader.
    WritersShare,
    /// There is one thread of each description.
    OneOfEach,
    /// Who tries a lock does not hold it.
    TriedIsNotHeld,
    /// A join ends whatever thread it may wait for.
    JoinedAnyway,
    /// Nobody waits in a join.
    JoinsDoNotWait,
    /// Who creates a thread and the thread never stand at the same time.
    CreatedLater,
    /// Locks with which threads end are forgotten.
    KeptForgotten,
    /// A thread can take again what it holds.
    TakenAgain,
    /// What is called does nothing.
    CallsSkipped,
}
