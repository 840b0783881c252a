//! What is private and what is shared.
//!
//! Objects of the heap, of the stack and thread-locals are private to the thread that made them.
//! Once that thread writes their address where others can read it, they are shared for the rest of
//! the execution, with all objects of its own that can be reached from there. The handle of a
//! thread is in the hands of its creator and of the thread itself, until one of them does the same
//! with it.
//!
//! Only the maker publishes. Any eight bytes may look like an address, and nothing tells a number
//! from a pointer. If a number that one thread writes made another thread's object shared, then the
//! next steps of that other thread would depend on an event that they are not ordered with, and
//! engines would miss executions. A thread that has the address of another thread's object has it
//! from somebody who published it, so nothing is lost. A number that looks like an address of the
//! thread's own makes that object shared: this costs events, and depends on the thread's own past
//! alone.

use mazurka_trace::ProcessId;

use super::object::{Kind, Life};
use super::state::{Origin, State};
use super::thread::state;

impl State {
    /// A thread makes known what a word points to, if it points to something of its own: that, and
    /// all of its own that can be reached from there, is shared from now on.
    #[inline(always)]
    pub(crate) fn publish(&mut self, by: ProcessId, value: u64) {
        if self.publishes(value) {
            self.publish_slot(by, (value >> 32) as usize);
        }
    }

    /// Whether a word may point to something that is not shared.
    #[inline(always)]
    pub(super) fn publishes(&self, value: u64) -> bool {
        let slot = (value >> 32) as usize;
        slot >= self.fixed && self.memory.objects.get(slot).is_some_and(|object| !object.shared)
    }

    #[cold]
    fn publish_slot(&mut self, by: ProcessId, slot: usize) {
        self.pending.push(slot);
        while let Some(slot) = self.pending.pop() {
            let object = self.memory.objects[slot];
            if let Origin::Handle(thread) = self.slots[slot].origin {
                self.publish_handle(by, thread, slot);
                continue;
            }
            let can = matches!(object.kind, Kind::Heap(_) | Kind::Stack(_) | Kind::ThreadLocal(_))
                && object.maker as usize == by.index();
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

    fn publish_handle(&mut self, by: ProcessId, thread: ProcessId, slot: usize) {
        let there = self.is(thread, state::STARTED) && (by == thread || self.is_child(by, thread));
        if there && !self.memory.objects[slot].shared {
            self.memory.remember_object(slot);
            self.memory.objects[slot].shared = true;
            self.shares_handles = true;
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

    /// A thread makes known what a stretch of memory points to.
    pub(crate) fn publish_range(&mut self, by: ProcessId, base: usize, size: usize) {
        let skipped = base.next_multiple_of(8) - base;
        if size > skipped {
            self.collect(base + skipped, size - skipped);
            if let Some(slot) = self.pending.pop() {
                self.publish_slot(by, slot);
            }
        }
    }
}
