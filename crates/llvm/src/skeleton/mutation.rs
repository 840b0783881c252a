//! Deliberate breakages of the skeletons of C programs, to see that the tests notice.

mazurka_machine::mutations! {
    /// Calls through pointers lead nowhere.
    PointersNotCalled,
    /// An index that is not known is 0.
    IndicesZero,
    /// All blocks that an instruction makes are one.
    OneBlock,
    /// A lock that is tried is always taken.
    TriesSucceed,
    /// Of the threads that a handle can mean, it is the first.
    FirstHandle,
    /// A lock is the first that an address can mean.
    FirstTarget,
}
