//! Calls that have no meaning: what is wrong with them, in words.
//!
//! A fault of kind `Misuse` says what is wrong with the first number of its detail: the number of a
//! [`Misuse`], or the address of a text in the program's constants (an address is never as small as
//! these numbers).

use mazurka_trace::{FaultKind, Value};

use crate::machine::call::Stop;

macro_rules! misuses {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What can be wrong with a call.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Misuse {
            $($(#[$doc])* $name,)*
        }

        const TEXTS: &[&str] = &[$($text,)*];
    };
}

misuses! {
    /// No thread has this handle.
    NoThread = "no thread has this handle",
    /// Joined or detached before.
    NotJoinable = "this thread was joined or detached before",
    /// The function given to a new thread is none.
    NoThreadFunction = "a thread cannot begin with this: it is no function of one argument",
    /// Neither initialised nor of a known kind.
    NoMutex = "this mutex was never initialised, or was destroyed",
    /// Initialised again while somebody holds it.
    InitialisedWhileHeld = "a lock that is held is initialised again",
    /// Destroyed while somebody holds it.
    DestroyedWhileHeld = "a lock that is held is destroyed",
    /// Given back by somebody else.
    NotHeld = "a lock is given back by a thread that does not hold it",
    /// The mutex of a wait is not held.
    WaitWithoutMutex = "a thread waits for a condition with a mutex that it does not hold",
    /// Destroyed before.
    NoCondition = "this condition variable was destroyed",
    /// Destroyed with threads waiting.
    ConditionInUse = "a condition variable is destroyed while threads wait for it",
    /// Destroyed before.
    NoRwLock = "this read-write lock was destroyed",
    /// Destroyed before.
    NoSpinLock = "this spin lock was destroyed",
    /// Never initialised or destroyed before.
    NoBarrier = "this barrier was never initialised, or was destroyed",
    /// Destroyed with threads waiting.
    BarrierInUse = "a barrier is destroyed while threads wait at it",
    /// Destroyed before.
    NoSemaphore = "this semaphore was destroyed",
    /// Alignment that is no power of two.
    Alignment = "an alignment must be a power of two",
    /// A format that is not understood.
    Format = "this format has a conversion that does not exist or is not modelled",
    /// Fewer values than the format asks for.
    FormatValues = "this format asks for more values than are given",
    /// A value of another kind than the format asks for.
    FormatKind = "this format asks for a value of another type than is given",
    /// Copied onto itself.
    Overlap = "the bytes that are copied and those that they are copied to overlap",
    /// Called as a function of another type.
    FunctionType = "a function is called as one of another type",
    /// No atomic section to end.
    NoSection = "an atomic section is ended that was not begun",
    /// One that could only be left with another choice.
    WaitsAfterChoice = "an atomic section has to wait for something after it has made a choice",
    /// What cannot be reached is.
    Unreachable = "code is reached that the compiler takes to be out of reach (the end of a function that promises a value, `__builtin_unreachable`)",
    /// A number that stands for no character.
    WideCharacter = "a wide character that does not exist",
}

impl Misuse {
    /// The fault.
    pub(crate) fn fault(self) -> Stop {
        Stop::Fault(FaultKind::Misuse, self.detail())
    }

    /// The detail of the fault.
    pub(crate) fn detail(self) -> [Value; 2] {
        [self as Value, 0]
    }

    /// The fault of a lock, of kind `Lock`: its detail is the lock's address, and what is wrong
    /// together with the tag of the thread that holds it (0 where nobody does). See
    /// [`lock_detail`].
    pub(crate) fn lock(self, address: u64, owner: u64) -> Stop {
        Stop::Fault(FaultKind::Lock, [address as Value, (self as Value) << 32 | (owner & 0xffff_ffff) as Value])
    }
}

/// What the detail of a fault of kind `Lock` says: the lock's address, what is wrong, the tag of
/// the thread that holds it.
pub(crate) fn lock_detail(detail: [Value; 2]) -> (u64, &'static str, u32) {
    (detail[0] as u64, text(detail[1] >> 32).unwrap_or("a lock is misused"), detail[1] as u32)
}

/// What is wrong, by the first number of the detail, if that is the number of one of the library's
/// texts.
pub(crate) fn text(detail: Value) -> Option<&'static str> {
    TEXTS.get(usize::try_from(detail).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_by_number() {
        assert_eq!(text(Misuse::NoThread as Value), Some("no thread has this handle"));
        assert_eq!(text(Misuse::WideCharacter as Value), Some("a wide character that does not exist"));
        assert_eq!((text(1 << 33), text(-1)), (None, None));
        let Stop::Fault(FaultKind::Lock, detail) = Misuse::NotHeld.lock(5 << 32, 7) else { panic!("a fault") };
        assert_eq!(lock_detail(detail), (5 << 32, "a lock is given back by a thread that does not hold it", 7));
    }
}
