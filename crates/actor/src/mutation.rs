//! Deliberate breakages of the machine, to see that the tests notice.

mazurka_machine::mutations! {
    /// Looking whether a future has its value is not told: only steps of one group depend on each
    /// other.
    PollUntold,
    /// A task that begins or goes on does not tell that it looks at the lock of its group.
    LockUntold,
    /// An object of its maker's group has a lock of its own.
    LocalOwnLock,
    /// A task that ends after a `get` keeps the lock.
    KeepLock,
    /// A guard that did not hold is not evaluated again.
    GuardOnce,
    /// The name of a task depends on how many steps came before.
    NameBySchedule,
    /// What is stored into fields is not told.
    StoreUntold,
    /// What is loaded from fields is not told.
    LoadUntold,
    /// Whoever uses a whole map depends only on one of its entries.
    WholeIsOneEntry,
    /// A step does the same whatever it reads.
    NeverVaries,
    /// Every step can run at any time.
    NeverBlocks,
    /// States are told apart by what is shared alone.
    TasksUncompared,
    /// Who gets an exception does not count as somebody who was told of it.
    NobodyTold,
    /// A step that closes a circle of waits does not tell so.
    CircleUntold,
    /// Rewinding forgets to take back what tasks keep.
    StackKept,
    /// The analysis of deadlocks: a field holds what was stored into it last.
    FieldReplaced,
    /// The analysis of deadlocks: what was called on this object never begins before the caller
    /// ends.
    PendingForEver,
    /// The analysis of deadlocks: a task hangs in front of its location only before it begins.
    EntryOnly,
    /// The analysis of deadlocks: a `get` makes the location wait, not the task.
    GetWithoutTask,
    /// The analysis of deadlocks: no circle of waits is recognised.
    NothingConfirmed,
    /// Constraints between methods: which calls they make does not count.
    CallsUncompared,
    /// Constraints between methods: nobody else changes what a condition is about.
    OthersWriteNothing,
    /// Constraints between methods: a condition holds wherever it is asked about.
    ConditionIgnored,
    /// Nobody is thought to interfere with a task, whatever others can still use.
    NobodyInterferes,
    /// Guided exploration: a location is explored alone although others look at its futures.
    PolledFromOutside,
    /// The paper's guide: what is left of a task begins with its next stop.
    FromTheNextStop,
    /// The paper's guide: a deadlock of another cycle ends the search.
    AnyDeadlockIsEnough,
    /// The paper's guide: a circle goes round its cycle only once.
    SharedRoundTheCycle,
    /// Symbolic execution: that a condition does not hold is not kept.
    ConditionForgotten,
    /// Symbolic execution: two unknown references are never the same.
    NoAliases,
    /// Symbolic execution: a reference that was compared with another one can still be that one.
    DifferenceForgotten,
    /// Symbolic execution: data has its first constructor.
    FirstConstructor,
    /// Symbolic execution: what was decided is not taken back.
    DecisionsKept,
}
