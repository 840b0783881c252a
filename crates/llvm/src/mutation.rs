//! Deliberate breakages of the machine, to see that the tests notice.

mazurka_machine::mutations! {
    /// Additions commute although their threads use what they find.
    UsedAdditionsCommute,
    /// Who reads or writes a counter does not name its shares.
    SharesUntold,
    /// Additions that acquire commute where what orders need not synchronise.
    AcquiringAdditionsCommute,
    /// The program can end although others can move: nobody else is run first.
    ExitAtOnce,
    /// What was assumed of the program, and turned out wrong, is assumed for ever.
    NeverReconsider,
    /// A thread that waits for an assumption to hold is taken for one that is deadlocked.
    AssumptionsDeadlock,
    /// What a thread reads that is alone is told nobody.
    AloneUnseen,
    /// A step that was taken before is taken for known, whatever it reads.
    ReadsForgotten,
    /// A writer that tries a read-write lock without success names the readers that it finds.
    TriesNameReaders,
}
