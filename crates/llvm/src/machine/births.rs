//! Objects that come and go: blocks of the heap, stack objects, thread-locals.

use mazurka_trace::ProcessId;

use crate::code::Image;
use crate::native::Family;

use super::log::{Change, What};
use super::memory::join;
use super::object::{Kind, LOOK, Life, Object};
use super::registry::Entry;
use super::state::{Origin, State};
use super::thread::word;

impl State {
    /// Storage for an object of a slot.
    fn storage(&mut self, slot: usize, size: u32) -> u32 {
        if self.slots[slot].capacity < size || self.slots[slot].capacity == 0 {
            let capacity = size.max(8).checked_next_power_of_two().unwrap_or(size);
            let base = self.memory.room(capacity);
            self.owners.push((base, slot as u32));
            (self.slots[slot].base, self.slots[slot].capacity) = (base, capacity);
        }
        self.slots[slot].base
    }

    /// Lets an object of a slot begin to live, private to a thread (unless there are no shortcuts).
    /// Its bytes are zero, and defined only if `zeroed`.
    fn give_birth(&mut self, slot: usize, thread: ProcessId, size: u32, partition: u32, kind: Kind, zeroed: bool) {
        let base = self.storage(slot, size) as usize;
        let before = self.memory.objects[slot];
        self.memory.remember_object(slot);
        self.order_making(slot, thread);
        let partition = self.cells_for(partition, size);
        let object = &mut self.memory.objects[slot];
        *object = Object {
            access: thread.index() as u32,
            base: base as u32,
            size,
            undefined: if zeroed { 0 } else { size },
            first: 0,
            partition,
            maker: thread.index() as u32,
            site: 0,
            kind,
            life: Life::Live,
            shift: self.cells[partition as usize].shift,
            shared: false,
            family: Family::Malloc,
        };
        let length = size as usize;
        if before.life != Life::Unborn && before.base as usize == base {
            // Who goes back meets the object that was here.
            self.memory.keep_many(base, length.max(before.size as usize));
        }
        self.memory.bytes[base..base + length].fill(0);
        self.memory.shadow[base..base + length].fill(if zeroed { 0 } else { u8::MAX });
        if !self.shortcuts {
            self.publish(thread, join(slot, 0));
        }
    }

    /// A new block of the heap.
    pub(crate) fn allocate(
        &mut self,
        image: &Image,
        thread: ProcessId,
        size: u32,
        (shape, site): (u32, u32),
        family: Family,
        zeroed: bool,
    ) -> u64 {
        let nth = self.word(thread, word::HEAP);
        self.set_word(thread, word::HEAP, nth + 1);
        let slot = match self.threads[thread.index()].heap.get(nth as usize) {
            Some(&slot) => slot as usize,
            None => {
                self.register(Entry::Slot(Origin::Heap(thread, nth as u32)));
                self.threads[thread.index()].heap[nth as usize] as usize
            }
        };
        let partition = image.shapes[shape as usize].partition;
        self.give_birth(slot, thread, size, partition, Kind::Heap(shape), zeroed);
        self.memory.objects[slot].site = site;
        self.memory.objects[slot].family = family;
        join(slot, 0)
    }

    /// A new object on a thread's stack.
    pub(crate) fn push_stack(&mut self, image: &Image, thread: ProcessId, local: u32, size: u32) -> u64 {
        let position = self.word(thread, word::STACK) as usize;
        self.set_word(thread, word::STACK, position as u64 + 1);
        let this = &mut self.threads[thread.index()];
        if position >= this.stack.len() {
            this.stack.resize_with(position + 1, Default::default);
        }
        let generation = this.stack[position].generation;
        let slot = match this.stack[position].slots.get(generation) {
            Some(&slot) => slot as usize,
            None => {
                self.register(Entry::Slot(Origin::Stack(thread, position as u32, generation as u32)));
                self.threads[thread.index()].stack[position].slots[generation] as usize
            }
        };
        let partition = image.locals[local as usize].partition;
        self.give_birth(slot, thread, size, partition, Kind::Stack(local), false);
        join(slot, 0)
    }

    /// The objects of a thread's stack from `length` on go.
    pub(crate) fn pop_stack(&mut self, thread: ProcessId, length: u64) {
        let positions = self.word(thread, word::STACK);
        for position in (length..positions).rev() {
            let entry = &self.threads[thread.index()].stack[position as usize];
            let (generation, slot) = (entry.generation, entry.slots[entry.generation] as usize);
            let shared = self.memory.objects[slot].shared;
            self.end_life(slot);
            if shared {
                self.memory.log.push(Change { at: thread.index() as u32, what: What::Generation, old: position });
                self.threads[thread.index()].stack[position as usize].generation = generation + 1;
            }
        }
        self.set_word(thread, word::STACK, length);
    }

    /// The address of a thread's copy of a thread-local global.
    pub(crate) fn thread_local(&mut self, image: &Image, thread: ProcessId, index: u32) -> u64 {
        let known = |this: &Self| {
            let mut known = this.threads[thread.index()].thread_locals.iter();
            known.find(|known| known.0 == index).map(|&(_, slot)| slot as usize)
        };
        let slot = known(self).unwrap_or_else(|| {
            self.register(Entry::Slot(Origin::ThreadLocal(thread, index)));
            known(self).expect("what was registered is known")
        });
        if self.memory.objects[slot].life == Life::Unborn {
            let global = &image.globals[index as usize];
            self.give_birth(slot, thread, global.size, global.partition, Kind::ThreadLocal(index), true);
            let (base, length) =
                (self.memory.objects[slot].base as usize, global.initial.len().min(global.size as usize));
            self.memory.bytes[base..base + length].copy_from_slice(&global.initial[..length]);
        }
        join(slot, 0)
    }

    /// Ends the life of an object; what was in it stays where it is, out of reach.
    pub(crate) fn end_life(&mut self, slot: usize) {
        let object = &mut self.memory.objects[slot];
        if object.life != Life::Live {
            return;
        }
        self.memory.log.push(Change { at: slot as u32, what: What::Life, old: u64::from(object.access) });
        object.life = Life::Dead;
        object.access = LOOK;
    }

    /// Lets a stack object whose life ended live again, as it was.
    pub(crate) fn revive(&mut self, slot: usize) {
        if self.memory.objects[slot].life == Life::Dead {
            self.memory.remember_object(slot);
            let object = &mut self.memory.objects[slot];
            object.life = Life::Live;
            object.access = object.open();
        }
    }

    /// Lets a stack object whose life ended live again, with undefined contents.
    pub(crate) fn renew(&mut self, slot: usize) {
        self.memory.remember_object(slot);
        let object = &mut self.memory.objects[slot];
        object.life = Life::Live;
        object.access = object.open();
        let (base, size) = (object.base as usize, object.size as usize);
        self.memory.fill(slot, base, size, 0);
        self.memory.shade(slot, base, size, true);
    }
}
