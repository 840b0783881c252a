//! Deliberate breakages, to see that the tests notice.
//!
//! Compiled in only with the feature `mutations`; otherwise asking for one is the constant `false`.
//! Each one is a mistake that an implementation of these algorithms could well make. A test
//! switches them on one by one and asks the random programs and the corpus to disagree with brute
//! force.

/// A deliberate breakage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Mutation {
    /// A sleeping process is not woken by a dependent event.
    SleepThroughDependence,
    /// What has been explored is not put to sleep.
    NeverSleep,
    /// A write races only with the newest of the reads before it.
    OneReaderPerWrite,
    /// Two acquisitions of a mutex do not race.
    LockWithoutRace,
    /// A process that waits at the end races with nobody.
    ForgetDisabledSteps,
    /// Waiting events have no races.
    WaitsWithoutRaces,
    /// Only the latest rival of a waiting event is looked at.
    OnlyLatestRival,
    /// A process's creation does not come before its events.
    SpawnWithoutOrder,
    /// An event that ends the execution is dependent only on what it accesses.
    HaltIndependent,
    /// What could have run instead of an event that ended the execution is not tried.
    HaltWithoutAlternatives,
    /// Only the first variant of a data choice is explored.
    FirstChoiceOnly,
    /// Source sets: any process in the backtrack set is taken to reverse the race.
    AnyBacktrackWillDo,
    /// The wakeup sequence holds only what happens before the second event of the race.
    WakeupOnlyPast,
    /// The last event of a wakeup sequence is left out.
    WakeupWithoutRace,
    /// Anything that is not in a sequence counts as its weak initial.
    StrangersAreInitials,
    /// Initials are not looked for in the wakeup tree: every sequence is a new branch.
    NeverShareBranches,
    /// An event of a sequence counts as initial although others come before it.
    EveryoneIsInitial,
    /// What an event does in another context is taken to be what it did in this one.
    NeverPeek,
    /// A don't-do sequence is not dropped when one of its steps becomes dependent.
    DontDoForever,
    /// States are not compared: every race commutes.
    EverythingCommutes,
    /// States are compared only after all that lies between the two steps of a race has run too.
    WholeCheckAlone,
    /// Where a step uses something else before the first event of its race, all that it is then in
    /// conflict with is taken to be needed.
    RivalsNeeded,
    /// What is run redundantly is not looked at for its races.
    RedundantWithoutRaces,
    /// What is explored or forbidden covers what merely commutes with it.
    ForbiddenCovers,
    /// A constraint that holds is taken to hold uniformly.
    UniformityUnchecked,
    /// A constraint is evaluated in a state in which more has run than the second event needs.
    ConstraintInWrongState,
    /// Steps that commute are left unordered although they do something else in the other order.
    FootprintsUnchecked,
    /// Steps that commute uniformly are left unordered although the reason for that can be undone.
    PastUnchecked,
    /// Steps that commute uniformly go on to sleep although the reason for that can be undone.
    SleepersPastUnchecked,
    /// A race is reversed together with what conflicts with its second event, and is not ordered
    /// with it.
    UncertainOrder,
    /// An event counts as explored as a whole although a race of it was reversed in its shortest
    /// form.
    ShortThoughWhole,
    /// What is to be explored, and then turns out to be redundant, is not requested in another
    /// order.
    PendingRedundant,
    /// An alternative can contain what is disabled.
    AlternativesOfDisabled,
    /// An alternative conflicts with the event that was disabled last, whatever else is disabled.
    PartialAlternatives,
    /// The events in conflict with the configuration, and with what is disabled, are dropped.
    PruneConflicts,
    /// Rivals are taken to fit together whatever they do.
    AnythingFits,
    /// A step whose accesses vary can come instead of the event that it raced with alone.
    VaryingStepsOnce,
    /// An alternative goes on with what it is in conflict with.
    GoOnRegardless,
    /// The reads before a write are no part of its history.
    NamesWithoutReads,
    /// Nobody looks for reads that conflict with a write.
    ReadsWithoutConflict,
    /// A step that had to come later, to be observed, is taken to cover what it could not.
    NobodyObserves,
    /// The observer in a sequence does not order what it observes.
    ObserverForgotten,
    /// What was explored counts for what commutes with it although something was left out of its
    /// node.
    ExploredThoughLeftOut,
    /// What comes before the second of two steps that commute is taken to commute with the first.
    AnceOfCommuting,
    /// Who waits where only forbidden steps are left races with nobody.
    RedundantWithoutDisabledSteps,
    /// Two steps that constraints say commute are taken to use the same in both orders.
    ConstraintHidesUses,
    /// A forbidden step stays so although it does not commute with what ran.
    ForbiddenForever,
    /// A don't-do sequence that ends with two writes outlives one that the first of them is the
    /// cause of.
    WriterOvertakes,
    /// After an event that is redundant, nobody would have observed anything.
    NobodyAfterCut,
    /// What a step reads only in another order is not observed by it.
    NobodyVaries,
    /// What somebody waits for is not observed by the waiting.
    NobodyWaits,
    /// A branch of a wakeup tree goes on to count as commuting when its step turns out to fail.
    FailingBranchCommutes,
    /// A sequence is requested as a whole although it would be cut before its end.
    WholeThoughRedundant,
    /// What constraints leave unordered, or look at, is not observed because of that.
    NobodyLeavesUnordered,
    /// Whoever reads anything that the second event of a race wrote observes the race.
    AnyReaderObserves,
    /// A write of some of the locations that a don't-do sequence ends with does it no harm.
    UnlikeWriteOvertakes,
    /// A step is inevitable whatever others can do with what it needs and others do not.
    OvertakenRacesLost,
    /// With several workers, whatever begins with a branch that somebody has is taken to be
    /// covered.
    NoWalkDown,
    /// A sequence does not stop at a cone, but is walked down what was given away of it.
    WalkThroughCones,
    /// What sleeps above a cone is whatever was known at that time, not the elders alone.
    EldersByTime,
    /// Sequences are inserted into the trie although others have been inserted since.
    InsertUnseen,
    /// A race whose first event lies above a subtree is not reversed.
    RequestsForgotten,
    /// Data races of steps that waited are looked for with their neighbours only.
    WaitingUnlooked,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Mutation; 63] = [
        Mutation::SleepThroughDependence,
        Mutation::NeverSleep,
        Mutation::OneReaderPerWrite,
        Mutation::LockWithoutRace,
        Mutation::ForgetDisabledSteps,
        Mutation::WaitsWithoutRaces,
        Mutation::OnlyLatestRival,
        Mutation::SpawnWithoutOrder,
        Mutation::HaltIndependent,
        Mutation::HaltWithoutAlternatives,
        Mutation::FirstChoiceOnly,
        Mutation::AnyBacktrackWillDo,
        Mutation::WakeupOnlyPast,
        Mutation::WakeupWithoutRace,
        Mutation::StrangersAreInitials,
        Mutation::NeverShareBranches,
        Mutation::EveryoneIsInitial,
        Mutation::NeverPeek,
        Mutation::DontDoForever,
        Mutation::EverythingCommutes,
        Mutation::WholeCheckAlone,
        Mutation::RivalsNeeded,
        Mutation::RedundantWithoutRaces,
        Mutation::ForbiddenCovers,
        Mutation::UniformityUnchecked,
        Mutation::ConstraintInWrongState,
        Mutation::FootprintsUnchecked,
        Mutation::PastUnchecked,
        Mutation::SleepersPastUnchecked,
        Mutation::UncertainOrder,
        Mutation::ShortThoughWhole,
        Mutation::PendingRedundant,
        Mutation::AlternativesOfDisabled,
        Mutation::PartialAlternatives,
        Mutation::PruneConflicts,
        Mutation::AnythingFits,
        Mutation::VaryingStepsOnce,
        Mutation::GoOnRegardless,
        Mutation::NamesWithoutReads,
        Mutation::ReadsWithoutConflict,
        Mutation::NobodyObserves,
        Mutation::ObserverForgotten,
        Mutation::ExploredThoughLeftOut,
        Mutation::AnceOfCommuting,
        Mutation::RedundantWithoutDisabledSteps,
        Mutation::ConstraintHidesUses,
        Mutation::ForbiddenForever,
        Mutation::WriterOvertakes,
        Mutation::NobodyAfterCut,
        Mutation::NobodyVaries,
        Mutation::NobodyWaits,
        Mutation::FailingBranchCommutes,
        Mutation::WholeThoughRedundant,
        Mutation::NobodyLeavesUnordered,
        Mutation::AnyReaderObserves,
        Mutation::UnlikeWriteOvertakes,
        Mutation::OvertakenRacesLost,
        Mutation::NoWalkDown,
        Mutation::WalkThroughCones,
        Mutation::EldersByTime,
        Mutation::InsertUnseen,
        Mutation::RequestsForgotten,
        Mutation::WaitingUnlooked,
    ];
}

#[cfg(feature = "mutations")]
mod switch {
    use super::Mutation;
    use std::cell::Cell;

    thread_local! {
        static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    /// Switches a breakage on, for explorations on this thread, or all off.
    pub fn set(mutation: Option<Mutation>) {
        ACTIVE.set(mutation);
    }

    pub(crate) fn on(mutation: Mutation) -> bool {
        ACTIVE.get() == Some(mutation)
    }

    /// What switches the breakage that is on here on for another thread.
    pub(crate) fn inheritance() -> impl Fn() + Clone + Send {
        let active = ACTIVE.get();
        move || set(active)
    }
}

#[cfg(feature = "mutations")]
pub use switch::set;

#[cfg(feature = "mutations")]
pub(crate) use switch::{inheritance, on};

/// What switches a breakage on for another thread.
#[cfg(not(feature = "mutations"))]
pub(crate) fn inheritance() -> impl Fn() + Clone + Send {
    || ()
}

/// Whether a breakage is switched on.
#[cfg(not(feature = "mutations"))]
#[inline(always)]
pub(crate) const fn on(_: Mutation) -> bool {
    false
}
