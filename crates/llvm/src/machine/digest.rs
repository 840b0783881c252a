//! Names and the digest of the state.

use mazurka_machine::Digest;

const FIXED: u64 = 1;
const THREAD: u64 = 2;
const HEAP: u64 = 3;
const STACK: u64 = 4;
const THREAD_LOCAL: u64 = 5;
const HANDLE: u64 = 6;

/// The name of a slot that is there from the beginning.
pub(crate) fn fixed_name(slot: usize) -> Digest {
    Digest::default().name(FIXED).name(slot as u64)
}

/// The name of a thread: the first one, or the so many-th that another one created.
pub(crate) fn thread_name(creator: Option<(Digest, u32)>) -> Digest {
    match creator {
        None => Digest::default().name(THREAD),
        Some((creator, nth)) => creator.name(THREAD).name(u64::from(nth)),
    }
}

/// A number for a thread of this name.
pub(crate) fn tag(name: Digest) -> u32 {
    let mut probe = 0u32;
    for bit in 0..30 {
        // A digest can be compared and named, nothing else.
        let one = name.name(bit) > name.name(bit + 64);
        probe |= u32::from(one) << bit;
    }
    probe
}

/// The name of a heap block.
pub(crate) fn heap_name(thread: Digest, nth: u64) -> Digest {
    thread.name(HEAP).name(nth)
}

/// The name of a stack object.
pub(crate) fn stack_name(thread: Digest, position: u64, generation: u64) -> Digest {
    thread.name(STACK).name(position).name(generation)
}

/// The name of a thread's copy of a global.
pub(crate) fn thread_local_name(thread: Digest, global: u32) -> Digest {
    thread.name(THREAD_LOCAL).name(u64::from(global))
}

/// The name of a thread's handle.
pub(crate) fn handle_name(thread: Digest) -> Digest {
    thread.name(HANDLE)
}
