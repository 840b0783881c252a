//! What decides whether a call has to wait: the same questions, asked by the call itself or from
//! outside.

use mazurka_trace::ProcessId;

use crate::machine::call::{Call, Peek};

/// A call, to look at.
pub(super) trait View {
    /// An argument; 0 where there are not so many.
    fn argument(&self, number: usize) -> u64;
    /// How far the call has come.
    fn phase(&self) -> u32;
    /// Who calls.
    fn me(&self) -> ProcessId;
    /// The number of `size` bytes (1, 2, 4 or 8) at an address; none where nothing can be read.
    fn look(&self, address: u64, size: u32) -> Option<u64>;
    /// One of the library's words of a thread.
    fn word(&self, thread: ProcessId, number: usize) -> u64;
    /// How often each thread may be woken from a wait for a condition without a signal.
    fn spurious_wakeups(&self) -> u64;
    /// The caller's tag: what a lock keeps as its owner.
    fn my_tag(&self) -> u64;
    /// The thread of a handle.
    fn by_handle(&self, handle: u64) -> Option<ProcessId>;
    /// Whether a thread can be joined, by somebody, at some time.
    fn is_joinable(&self, thread: ProcessId) -> bool;
    /// Whether the caller, which waits with a time limit, would run out of time again in a loop,
    /// with nothing changed since.
    fn is_late_in_vain(&self) -> bool;
    /// Whether a thread has ended.
    fn has_ended(&self, thread: ProcessId) -> bool;
}

macro_rules! view {
    ($type:ident, $look:expr) => {
        impl View for $type<'_> {
            #[inline]
            fn argument(&self, number: usize) -> u64 {
                $type::argument(self, number)
            }
            #[inline]
            fn phase(&self) -> u32 {
                $type::phase(self)
            }
            #[inline]
            fn me(&self) -> ProcessId {
                $type::thread(self)
            }
            #[inline]
            fn look(&self, address: u64, size: u32) -> Option<u64> {
                $look(self, address, size)
            }
            #[inline]
            fn word(&self, thread: ProcessId, number: usize) -> u64 {
                $type::word(self, thread, number)
            }
            fn spurious_wakeups(&self) -> u64 {
                $type::spurious_wakeups(self)
            }
            #[inline]
            fn my_tag(&self) -> u64 {
                u64::from($type::tag(self, $type::thread(self)))
            }
            fn by_handle(&self, handle: u64) -> Option<ProcessId> {
                $type::by_handle(self, handle)
            }
            fn is_joinable(&self, thread: ProcessId) -> bool {
                !$type::is_detached(self, thread) && !$type::is_joined(self, thread) && thread != $type::thread(self)
            }
            fn is_late_in_vain(&self) -> bool {
                $type::is_late_in_vain(self)
            }
            #[inline]
            fn has_ended(&self, thread: ProcessId) -> bool {
                $type::has_ended(self, thread)
            }
        }
    };
}

view!(Peek, |peek: &Peek<'_>, address, size| peek.peek(address, size));
view!(Call, |call: &Call<'_>, address, size| call.peek(address, size).ok());
