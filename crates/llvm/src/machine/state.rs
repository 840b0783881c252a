//! All that changes in the course of an execution, and taking it back.

use mazurka_trace::{LocationId, ProcessId, ProcessSet, Value};
use rustc_hash::FxHashMap;

use crate::code::partition::Partition;
use crate::code::{Fixed, Image};

use super::digest::{self, Name};
use super::log::{Change, What};
use super::memory::{Memory, join, set_window};
use super::object::{Kind, LOOK, Life, NOBODY, Object, UNEVEN};
use super::thread::{Thread, Watch, state, word};

/// How many bytes the library has for its own global state.
const LIBRARY_BYTES: u32 = 4096;

/// Where the object of a slot comes from: the same in every execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// There from the beginning.
    Fixed,
    /// The so many-th block that a thread allocated.
    Heap(ProcessId, u32),
    /// What is at a position of a thread's stack, in some generation.
    Stack(ProcessId, u32, u32),
    /// A thread's copy of a global.
    ThreadLocal(ProcessId, u32),
    /// A thread's handle.
    Handle(ProcessId),
}

/// The name of a slot and where its bytes go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) origin: Origin,
    pub(crate) name: Name,
    /// Its storage, for the next object of this slot.
    base: u32,
    capacity: u32,
}

/// A way to divide objects into cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) partition: Partition,
    /// See [`Object::shift`].
    pub(crate) shift: u8,
}

/// The state of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<Thread>,
    /// The words of all threads.
    pub(crate) words: Vec<u64>,
    pub(crate) live: ProcessSet,
    pub(crate) urgent: ProcessSet,
    /// What was printed.
    pub(crate) output: Vec<u8>,
    /// By slot.
    pub(crate) slots: Vec<Slot>,
    /// The image's partitions, then coarse ones for large blocks.
    pub(crate) cells: Vec<Cells>,
    /// How many slots the program has from the beginning.
    pub(crate) fixed: usize,
    /// The slot of the library's own object.
    pub(crate) library: usize,
    /// The slot that each location belongs to.
    pub(crate) locations: Vec<u32>,
    /// The first location of each slot, by how many (the logarithm) it needs.
    ranges: FxHashMap<(u32, u32), u32>,
    /// The threads by their tags.
    pub(crate) tags: FxHashMap<u32, ProcessId>,
    /// Objects whose contents are still to be published.
    pending: Vec<usize>,
    /// Numbers and values of local words changed.
    old_locals: Vec<(u32, u64)>,
    /// Watches replaced.
    old_watches: Vec<Option<Watch>>,
    /// Threads created by the call that is being done.
    pub(crate) newborn: Vec<ProcessId>,
    /// Who keeps the call waiting that was tried last.
    pub(crate) holder: Option<ProcessId>,
    /// For each location, where the current event's access to it stands, if it has one.
    pub(crate) seats: Vec<u32>,
}

impl State {
    /// The globals of a program, and no thread.
    pub(crate) fn new(image: &Image) -> State {
        let mut this = State { memory: Memory::new(), fixed: image.fixed.len(), ..State::default() };
        for partition in &image.partitions {
            this.add_cells(partition.clone());
        }
        this.memory.objects.clear();
        for (slot, &fixed) in image.fixed.iter().enumerate() {
            let object = this.fixed_object(image, slot, fixed);
            this.memory.objects.push(object);
            let name = digest::fixed_name(slot);
            this.slots.push(Slot { origin: Origin::Fixed, name, base: object.base, capacity: object.size });
        }
        this.library = this.new_slot(Origin::Fixed, digest::fixed_name(usize::MAX));
        let cells = this.add_cells(Partition::uniform(8));
        let base = this.memory.room(LIBRARY_BYTES);
        let first = this.locations_for(this.library, this.cells[cells as usize].partition.cells(LIBRARY_BYTES));
        let object = Object {
            size: LIBRARY_BYTES,
            base,
            partition: cells,
            first,
            kind: Kind::Library,
            life: Life::Live,
            ..Object::NONE
        };
        this.memory.objects[this.library] = Object { access: object.open(), shift: 3, ..object };
        this
    }

    fn fixed_object(&mut self, image: &Image, slot: usize, fixed: Fixed) -> Object {
        let index = match fixed {
            Fixed::Null => return Object::NONE,
            Fixed::Function(function) => {
                return Object { kind: Kind::Function(function), life: Life::Live, ..Object::NONE };
            }
            Fixed::Global(index) => index,
        };
        let global = &image.globals[index as usize];
        if global.thread_local {
            return Object { kind: Kind::ThreadLocal(index), ..Object::NONE };
        }
        let base = self.memory.room(global.size);
        let length = global.initial.len().min(global.size as usize);
        self.memory.bytes[base as usize..][..length].copy_from_slice(&global.initial[..length]);
        let kind = if global.constant { Kind::Constant(index) } else { Kind::Global(index) };
        let partition = self.cells_for(global.partition, global.size);
        let cells = &self.cells[partition as usize];
        let (count, shift) = (cells.partition.cells(global.size), cells.shift);
        let first = if global.constant { 0 } else { self.locations_for(slot, count) };
        let object =
            Object { base, size: global.size, first, partition, kind, life: Life::Live, shift, ..Object::NONE };
        Object { access: object.open(), ..object }
    }

    fn add_cells(&mut self, partition: Partition) -> u32 {
        let period = partition.period();
        let even = period.is_power_of_two() && partition.cells(period) == 1;
        let shift = if even { period.ilog2() as u8 } else { UNEVEN };
        self.cells.push(Cells { partition, shift });
        self.cells.len() as u32 - 1
    }

    /// A partition that is coarse enough for an object of so many bytes.
    fn cells_for(&mut self, partition: u32, size: u32) -> u32 {
        let wanted = &self.cells[partition as usize].partition;
        if wanted.cells(size) <= crate::code::partition::MOST_CELLS {
            return partition;
        }
        let coarse = wanted.clone().coarse_enough(u64::from(size));
        match self.cells.iter().position(|cells| cells.partition == coarse) {
            Some(known) => known as u32,
            None => self.add_cells(coarse),
        }
    }

    /// The first of so many locations for an object of a slot; the same ones each time.
    fn locations_for(&mut self, slot: usize, cells: u32) -> u32 {
        let class = cells.next_power_of_two().ilog2();
        if let Some(&first) = self.ranges.get(&(slot as u32, class)) {
            return first;
        }
        let first = self.locations.len();
        // Globals never change their size.
        let count = if slot < self.fixed { cells as usize } else { 1 << class };
        self.locations.resize(first + count, slot as u32);
        self.seats.resize(first + count, 0);
        self.ranges.insert((slot as u32, class), first as u32);
        first as u32
    }

    /// A slot that is given out for the machine's life.
    pub(crate) fn new_slot(&mut self, origin: Origin, name: Name) -> usize {
        self.memory.objects.push(Object::NONE);
        self.slots.push(Slot { origin, name, base: 0, capacity: 0 });
        self.slots.len() - 1
    }

    // ---- Words of threads

    /// A word of a thread.
    #[inline(always)]
    pub(crate) fn word(&self, thread: ProcessId, word: usize) -> u64 {
        self.words[thread.index() * word::COUNT + word]
    }

    /// Sets a word of a thread.
    #[inline(always)]
    pub(crate) fn set_word(&mut self, thread: ProcessId, word: usize, value: u64) {
        let at = thread.index() * word::COUNT + word;
        let old = std::mem::replace(&mut self.words[at], value);
        self.memory.log.push(Change { at: at as u32, what: What::Word, old });
    }

    /// Whether a thread is in this state, one of [`state`].
    #[inline]
    pub(crate) fn is(&self, thread: ProcessId, state: u64) -> bool {
        self.word(thread, word::STATE) & state != 0
    }

    /// Puts a thread into a state, one of [`state`].
    pub(crate) fn mark(&mut self, thread: ProcessId, state: u64) {
        let old = self.word(thread, word::STATE);
        self.set_word(thread, word::STATE, old | state);
    }

    /// A local word of a thread; 0 if it was never set.
    pub(crate) fn local(&self, thread: ProcessId, number: usize) -> u64 {
        self.threads[thread.index()].locals.get(number).copied().unwrap_or(0)
    }

    /// Sets a local word of a thread.
    pub(crate) fn set_local(&mut self, thread: ProcessId, number: usize, value: u64) {
        if number as u64 >= self.word(thread, word::LOCALS) {
            self.set_word(thread, word::LOCALS, number as u64 + 1);
        }
        let locals = &mut self.threads[thread.index()].locals;
        if number >= locals.len() {
            locals.resize(number + 1, 0);
        }
        self.old_locals.push((number as u32, locals[number]));
        locals[number] = value;
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Local, old: 0 });
    }

    /// Prints.
    pub(crate) fn print(&mut self, text: &[u8]) {
        self.memory.log.push(Change { at: 0, what: What::Output, old: self.output.len() as u64 });
        self.output.extend_from_slice(text);
    }

    /// Remembers what a thread knows at the head of a loop.
    pub(crate) fn set_watch(&mut self, thread: ProcessId, number: usize, watch: Watch) {
        let watches = &mut self.threads[thread.index()].watches;
        let old = watches.get(number).copied();
        match old {
            Some(_) => watches[number] = watch,
            None => watches.push(watch),
        }
        self.old_watches.push(old);
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Watch, old: number as u64 });
    }

    /// Remembers what a thread has read.
    pub(crate) fn note_read(&mut self, thread: ProcessId, location: LocationId, value: Value) {
        let reads = &mut self.threads[thread.index()].reads;
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Reads, old: reads.len() as u64 });
        reads.push((location, value));
    }

    // ---- Births and deaths

    /// Storage for an object of a slot.
    fn storage(&mut self, slot: usize, size: u32) -> u32 {
        if self.slots[slot].capacity < size || self.slots[slot].capacity == 0 {
            let capacity = size.max(8).checked_next_power_of_two().unwrap_or(size);
            let base = self.memory.room(capacity);
            (self.slots[slot].base, self.slots[slot].capacity) = (base, capacity);
        }
        self.slots[slot].base
    }

    /// Lets an object of a slot begin to live, private to a thread. Its bytes are zero, and defined only if `zeroed`.
    fn give_birth(&mut self, slot: usize, thread: ProcessId, size: u32, partition: u32, kind: Kind, zeroed: bool) {
        let base = self.storage(slot, size) as usize;
        let before = self.memory.objects[slot];
        self.memory.remember_object(slot);
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
        };
        let length = size as usize;
        if before.life != Life::Unborn && before.base as usize == base {
            // Who goes back meets the object that was here.
            self.memory.keep_many(base, length.max(before.size as usize));
        }
        self.memory.bytes[base..base + length].fill(0);
        self.memory.shadow[base..base + length].fill(if zeroed { 0 } else { u8::MAX });
    }

    /// A new block of the heap.
    pub(crate) fn allocate(
        &mut self,
        image: &Image,
        thread: ProcessId,
        size: u32,
        (shape, site): (u32, u32),
        zeroed: bool,
    ) -> u64 {
        let nth = self.word(thread, word::HEAP);
        self.set_word(thread, word::HEAP, nth + 1);
        let slot = match self.threads[thread.index()].heap.get(nth as usize) {
            Some(&slot) => slot as usize,
            None => {
                let name = digest::heap_name(self.threads[thread.index()].name, nth);
                let slot = self.new_slot(Origin::Heap(thread, nth as u32), name);
                self.threads[thread.index()].heap.push(slot as u32);
                slot
            }
        };
        let partition = image.shapes[shape as usize].partition;
        self.give_birth(slot, thread, size, partition, Kind::Heap(shape), zeroed);
        self.memory.objects[slot].site = site;
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
                let name = digest::stack_name(this.name, position as u64, generation as u64);
                let slot = self.new_slot(Origin::Stack(thread, position as u32, generation as u32), name);
                self.threads[thread.index()].stack[position].slots.push(slot as u32);
                slot
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
        let this = &self.threads[thread.index()];
        let slot = match this.thread_locals.iter().find(|known| known.0 == index) {
            Some(&(_, slot)) => slot as usize,
            None => {
                let slot =
                    self.new_slot(Origin::ThreadLocal(thread, index), digest::thread_local_name(this.name, index));
                self.threads[thread.index()].thread_locals.push((index, slot as u32));
                slot
            }
        };
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
        self.memory.remember_object(slot);
        let object = &mut self.memory.objects[slot];
        object.life = Life::Dead;
        object.access = LOOK;
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

    // ---- Sharing

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

    // ---- Threads

    /// The thread that `creator` creates as the so many-th; numbered when it is first met.
    pub(crate) fn meet(&mut self, creator: Option<(ProcessId, u32)>) -> ProcessId {
        if let Some((creator, nth)) = creator
            && let Some(&known) = self.threads[creator.index()].children.get(nth as usize)
        {
            return known;
        }
        let thread = ProcessId::new(self.threads.len());
        let name = digest::thread_name(creator.map(|(creator, nth)| (self.threads[creator.index()].name, nth)));
        let mut tag = digest::tag(name);
        while tag == 0 || self.tags.contains_key(&tag) {
            tag = tag.wrapping_add(1) & 0x3fff_ffff;
        }
        self.tags.insert(tag, thread);
        let handle = self.new_slot(Origin::Handle(thread), digest::handle_name(name));
        let first = self.locations_for(handle, 1);
        self.memory.objects[handle] =
            Object { first, kind: Kind::Thread, life: Life::Live, shared: true, ..Object::NONE };
        self.threads.push(Thread {
            frames: Vec::new(),
            registers: Vec::new(),
            taints: Vec::new(),
            locals: Vec::new(),
            watches: Vec::new(),
            reads: Vec::new(),
            origin: creator,
            function: 0,
            arguments: Vec::new(),
            name,
            tag,
            handle: handle as u32,
            children: Vec::new(),
            heap: Vec::new(),
            stack: Vec::new(),
            thread_locals: Vec::new(),
        });
        self.words.resize(self.words.len() + word::COUNT, 0);
        if let Some((creator, _)) = creator {
            self.threads[creator.index()].children.push(thread);
        }
        thread
    }

    /// A thread has waited for another one's end, and knows of all that this one knew of.
    #[inline]
    pub(crate) fn joins(&mut self, one: ProcessId, other: ProcessId) {
        let known = self.word(one, word::BALANCE).wrapping_add(self.word(other, word::BALANCE));
        self.set_word(one, word::BALANCE, known.wrapping_sub(1));
    }

    /// The thread of a handle, if it has been started in this execution.
    #[inline]
    pub(crate) fn by_handle(&self, handle: u64) -> Option<ProcessId> {
        match self.slots.get((handle >> 32) as usize)?.origin {
            Origin::Handle(thread) if handle as u32 == 0 && self.is(thread, state::STARTED) => Some(thread),
            _ => None,
        }
    }

    // ---- Going back

    /// Takes the current state for the initial one.
    pub(crate) fn forget(&mut self) {
        self.memory.log.clear();
        self.memory.pool.clear();
        self.memory.old_objects.clear();
        self.old_locals.clear();
        self.old_watches.clear();
    }

    /// Takes back all changes but the first `length`.
    #[inline(always)]
    pub(crate) fn undo(&mut self, length: usize) {
        while self.memory.log.len() > length {
            let Some(change) = self.memory.log.pop() else { return };
            match change.what {
                What::Bytes => set_window(&mut self.memory.bytes, change.at as usize, change.old),
                What::Word => self.words[change.at as usize] = change.old,
                _ => self.undo_rare(change),
            }
        }
    }

    #[cold]
    fn undo_rare(&mut self, change: Change) {
        let at = change.at as usize;
        match change.what {
            What::Generation => self.threads[at].stack[change.old as usize].generation -= 1,
            What::Output => self.output.truncate(change.old as usize),
            What::Local => {
                let (number, old) = self.old_locals.pop().expect("what was remembered");
                self.threads[at].locals[number as usize] = old;
            }
            What::Watch => match self.old_watches.pop().expect("what was remembered") {
                Some(watch) => self.threads[at].watches[change.old as usize] = watch,
                None => self.threads[at].watches.truncate(change.old as usize),
            },
            What::Reads => self.threads[at].reads.truncate(change.old as usize),
            _ => self.memory.undo_rare(change),
        }
    }
}
