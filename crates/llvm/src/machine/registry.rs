//! Numbers of threads, slots and locations that mean the same to every machine of a program.
//!
//! A machine numbers threads, slots and locations as it meets them, and keeps the numbers for its
//! life. Addresses are made of the numbers of slots, and a program can compare addresses, hash
//! them, or store numbers that look like some. So machines that explore one program together have
//! to agree on them, or a step is another one elsewhere.
//!
//! A machine and its clones share a registry: what was met, in the order in which one of them met
//! it first. A machine that meets something new takes over what the others have registered since,
//! in that order, so that its tables are as if it had met that itself. A machine that is made by
//! itself has a registry of its own.
//!
//! Cost: a lock for each thread, slot and range of locations that a machine meets, once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mazurka_trace::ProcessId;

use super::state::Origin;

/// What was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// The thread that another one creates as the so many-th, or the first one.
    Thread(Option<(ProcessId, u32)>),
    Slot(Origin),
    /// So many locations of a slot; for each class of sizes there is one range.
    Locations {
        slot: u32,
        class: u32,
        count: u32,
    },
}

/// What a machine and its clones have met.
#[derive(Clone, Debug, Default)]
pub(super) struct Registry {
    shared: Arc<Mutex<Vec<Entry>>>,
    /// So many of the entries are in the machine's own tables.
    known: usize,
}

impl Registry {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        // A machine that panics while it registers something has added it, or not.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers what was met, unless another machine has done that; what is to be taken over, in
    /// order: this is part of it.
    pub(super) fn register(&mut self, met: Entry) -> Vec<Entry> {
        let mut shared = self.lock();
        if !shared[self.known..].contains(&met) {
            shared.push(met);
        }
        let news = shared[self.known..].to_vec();
        drop(shared);
        self.known += news.len();
        news
    }

    /// All that was met, in order.
    pub(super) fn all(&self) -> Vec<Entry> {
        self.lock().clone()
    }

    /// Registers what machines have met that are not there any more, in order. What of it is new is
    /// to be taken over.
    pub(super) fn register_all(&mut self, met: impl Iterator<Item = Entry>) -> Vec<Entry> {
        let mut shared = self.lock();
        let known = shared.len();
        shared.extend(met.skip(known));
        let news = shared[self.known..].to_vec();
        drop(shared);
        self.known += news.len();
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Entry = Entry::Thread(None);

    fn block(nth: u32) -> Entry {
        Entry::Slot(Origin::Heap(ProcessId::new(0), nth))
    }

    /// Clones register everything once, and learn it in the same order.
    #[test]
    fn clones_agree() {
        let mut one = Registry::default();
        assert_eq!(one.register(FIRST), [FIRST]);
        let mut other = one.clone();
        assert_eq!(other.register(block(0)), [block(0)]);
        assert_eq!(other.register(block(1)), [block(1)]);
        assert_eq!(one.register(block(0)), [block(0), block(1)]);
        assert_eq!(one.register(block(2)), [block(2)]);
        assert_eq!(other.register(block(2)), [block(2)]);
        assert_eq!(Registry::default().register(FIRST), [FIRST]);
    }
}
