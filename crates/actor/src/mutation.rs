//! Deliberate breakages of the machine, to see that the tests notice.
//!
//! Compiled in only with the feature `mutations`; otherwise asking for one is the constant `false`.

/// A deliberate breakage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Mutation {
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
    /// Rewinding forgets to take back what tasks keep.
    StackKept,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Mutation; 14] = [
        Mutation::PollUntold,
        Mutation::LockUntold,
        Mutation::LocalOwnLock,
        Mutation::KeepLock,
        Mutation::GuardOnce,
        Mutation::NameBySchedule,
        Mutation::StoreUntold,
        Mutation::LoadUntold,
        Mutation::WholeIsOneEntry,
        Mutation::NeverVaries,
        Mutation::NeverBlocks,
        Mutation::TasksUncompared,
        Mutation::NobodyTold,
        Mutation::StackKept,
    ];
}

#[cfg(feature = "mutations")]
mod switch {
    use super::Mutation;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    /// Switches a breakage on, for machines on this thread, or all off.
    pub fn set(mutation: Option<Mutation>) {
        ACTIVE.set(mutation);
    }

    pub(crate) fn on(mutation: Mutation) -> bool {
        ACTIVE.get() == Some(mutation)
    }
}

#[cfg(feature = "mutations")]
pub use switch::set;

#[cfg(feature = "mutations")]
pub(crate) use switch::on;

/// Whether a breakage is switched on.
#[cfg(not(feature = "mutations"))]
#[inline(always)]
pub(crate) const fn on(_: Mutation) -> bool {
    false
}
