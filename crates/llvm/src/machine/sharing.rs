//! What is private and what is shared.
//!
//! Objects of the heap, of the stack and thread-locals are private to the thread that made them, until their address is written where
//! others can read it: then they, and all that can be reached from them, are shared for the rest of the execution. The handle of a
//! thread is in its creator's hands alone until the same happens to it.

use super::object::{Kind, Life, NOBODY};
use super::state::State;

impl State {
    /// What a word points to, if it points to something, and all that can be reached from there, is shared from now on.
    #[inline(always)]
    pub(crate) fn publish(&mut self, value: u64) {
        let slot = (value >> 32) as usize;
        if slot >= self.fixed && slot < self.memory.objects.len() && !self.memory.objects[slot].shared {
            self.publish_slot(slot);
        }
    }

    #[cold]
    fn publish_slot(&mut self, slot: usize) {
        self.pending.push(slot);
        while let Some(slot) = self.pending.pop() {
            let object = self.memory.objects[slot];
            if object.kind == Kind::Thread {
                self.memory.remember_object(slot);
                self.memory.objects[slot].shared = true;
                self.shares_handles = true;
                continue;
            }
            let can =
                matches!(object.kind, Kind::Heap(_) | Kind::Stack(_) | Kind::ThreadLocal(_)) && object.maker != NOBODY;
            if !can || object.shared || object.life == Life::Unborn {
                continue;
            }
            let cells = self.cells[object.partition as usize].partition.cells(object.size);
            let first = self.locations_for(slot, cells);
            self.memory.remember_object(slot);
            let object = &mut self.memory.objects[slot];
            object.first = first;
            object.shared = true;
            if object.life == Life::Live {
                object.access = object.open();
            }
            let (base, size) = (object.base as usize, object.size as usize);
            self.order_publication(slot);
            self.collect(base, size);
        }
    }

    /// What the words of a stretch of memory point to is still to be published.
    fn collect(&mut self, base: usize, size: usize) {
        for word in self.memory.bytes[base..base + size].chunks_exact(8) {
            let value = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            let slot = (value >> 32) as usize;
            if slot >= self.fixed && slot < self.memory.objects.len() && !self.memory.objects[slot].shared {
                self.pending.push(slot);
            }
        }
    }

    /// What a stretch of memory points to is shared from now on.
    pub(crate) fn publish_range(&mut self, base: usize, size: usize) {
        let skipped = base.next_multiple_of(8) - base;
        if size > skipped {
            self.collect(base + skipped, size - skipped);
            if let Some(slot) = self.pending.pop() {
                self.publish_slot(slot);
            }
        }
    }
}
