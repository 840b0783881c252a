//! All that changes in the course of an execution, and taking it back.

use mazurka_trace::{Access, AccessKind, Event, LocationId, ProcessId, ProcessSet, Value};
use rustc_hash::FxHashMap;

use crate::code::partition::Partition;
use crate::code::{Fixed, Image};
use crate::native::Native;

use super::bare::Bare;
use super::cells::Cells;
use super::digest::{self, Name};
use super::event::cell_value;
use super::guard::Use;
use super::joins::Join;
use super::log::{Change, What};
use super::memory::{Memory, set_window};
use super::object::{Kind, LOOK, Life, Object};
use super::parts::Parts;
use super::pasts::Past;
use super::registry::{Entry, Registry};
use super::synchronisation::Synchronisation;
use super::thread::{Hold, Thread, Watch, state, word};
use super::trial::Barriers;

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
    pub(super) base: u32,
    pub(super) capacity: u32,
}

/// The state of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<Thread>,
    /// The words of all threads.
    pub(crate) words: Vec<u64>,
    pub(crate) live: ProcessSet,
    pub(crate) at_local: ProcessSet,
    /// What was printed.
    pub(crate) output: Vec<u8>,
    /// By slot.
    pub(crate) slots: Vec<Slot>,
    /// The image's partitions, then coarse ones for large blocks.
    pub(crate) cells: Vec<Cells>,
    /// How many slots the program has from the beginning.
    pub(crate) fixed: usize,
    /// The slot that each location belongs to.
    pub(crate) locations: Vec<u32>,
    /// The first location of each slot, by how many (the logarithm) it needs.
    ranges: FxHashMap<(u32, u32), u32>,
    /// The threads by their tags.
    pub(crate) tags: FxHashMap<u32, ProcessId>,
    /// Objects whose contents are still to be published.
    pub(super) pending: Vec<usize>,
    /// Watches replaced.
    old_watches: Vec<Option<Watch>>,
    old_holds: Vec<Vec<Hold>>,
    /// Threads created by the call that is being done.
    pub(crate) newborn: Vec<ProcessId>,
    /// A thread's handle has come into other hands than its creator's, in this execution or in one
    /// before.
    pub(super) shares_handles: bool,
    /// Some thread has been detached, or has come to an untimely end, in this execution or in one
    /// before.
    pub(super) loses_ends: bool,
    /// Who has come to barriers, in this execution or in one before.
    pub(super) barriers: Barriers,
    /// Where the storage of each slot begins, in order.
    pub(super) owners: Vec<(u32, u32)>,
    /// The digest when it was last requested.
    pub(super) parts: Parts,
    /// What was noticed of waits in no loop.
    pub(crate) bare: Bare,
    /// Who keeps the call waiting that was tried last.
    pub(crate) holder: Option<ProcessId>,
    /// All who keep it waiting; only while somebody asks.
    pub(crate) keepers: Option<Vec<ProcessId>>,
    /// The shared memory that a call uses by plain accesses; only while somebody asks.
    pub(super) plain_uses: Option<Vec<Use>>,
    /// For each location, where the current event's access to it stands, if it has one.
    pub(crate) seats: Vec<u32>,
    /// See `Settings::shortcuts`.
    pub(super) shortcuts: bool,
    /// Whether creators go past joins: see [`joins`](super::joins).
    pub(super) goes_past_joins: bool,
    /// It counts what a thread reads that is alone.
    pub(crate) observes: bool,
    /// For each location, where its read stands among those of the current event that were not
    /// seen, if it has one.
    unseen_seats: Vec<u32>,
    /// What synchronisation orders, where that is less than what is ordered.
    pub(super) order: Option<Box<Synchronisation>>,
    registry: Registry,
}

impl State {
    /// The globals of a program, and no thread.
    pub(crate) fn new(image: &Image) -> State {
        let mut this = State { memory: Memory::new(), fixed: image.fixed.len(), ..State::default() };
        this.order = image.is_weak().then(Box::default);
        this.shortcuts = image.settings.shortcuts;
        this.goes_past_joins = image.settings.shortcuts && !image.calls(Native::ThreadSelf);
        for partition in &image.partitions {
            this.add_cells(partition.clone());
        }
        // The location that events name which concern all locations.
        this.locations_for(this.fixed, 1);
        this.memory.objects.clear();
        for (slot, &fixed) in image.fixed.iter().enumerate() {
            let object = this.fixed_object(image, slot, fixed);
            this.memory.objects.push(object);
            let name = digest::fixed_name(slot);
            this.slots.push(Slot { origin: Origin::Fixed, name, base: object.base, capacity: object.size });
        }
        this.add_slot(Origin::Fixed, digest::fixed_name(usize::MAX));
        let kind = Kind::Library;
        this.memory.objects[this.fixed] = Object { access: LOOK, kind, life: Life::Live, ..Object::NONE };
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
        self.owners.push((base, slot as u32));
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
        self.cells.push(Cells::new(partition));
        self.cells.len() as u32 - 1
    }

    /// A partition that is coarse enough for an object of so many bytes.
    pub(super) fn cells_for(&mut self, partition: u32, size: u32) -> u32 {
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
    pub(super) fn locations_for(&mut self, slot: usize, cells: u32) -> u32 {
        let class = cells.next_power_of_two().ilog2();
        if let Some(&first) = self.ranges.get(&(slot as u32, class)) {
            return first;
        }
        // Globals never change their size.
        let count = if slot < self.fixed { cells } else { 1 << class };
        self.register(Entry::Locations { slot: slot as u32, class, count });
        self.ranges[&(slot as u32, class)]
    }

    /// One more location of a slot.
    pub(super) fn add_location(&mut self, slot: u32) -> LocationId {
        self.locations.push(slot);
        self.seats.push(0);
        LocationId::new(self.locations.len() - 1)
    }

    /// What the machine meets for the first time gets its number, for the machine's life. So does
    /// what others have met since: see [`registry`](super::registry).
    #[cold]
    pub(super) fn register(&mut self, met: Entry) {
        let news = self.registry.register(met);
        self.meet_all(news);
    }

    /// The same for all that other machines have met, which are not there any more.
    pub(super) fn register_all(&mut self, met: impl Iterator<Item = Entry>) {
        let news = self.registry.register_all(met);
        self.meet_all(news);
    }

    fn meet_all(&mut self, news: Vec<Entry>) {
        for entry in news {
            match entry {
                Entry::Thread(creator) => self.add_thread(creator),
                Entry::Slot(origin) => self.add_slot_of(origin),
                Entry::Locations { slot, class, count } => self.add_locations(slot, class, count),
            }
        }
    }

    /// All that this machine and its clones have met.
    pub(super) fn registered(&self) -> Vec<Entry> {
        self.registry.all()
    }

    fn add_locations(&mut self, slot: u32, class: u32, count: u32) {
        let first = self.locations.len();
        self.locations.resize(first + count as usize, slot);
        self.seats.resize(first + count as usize, 0);
        self.ranges.insert((slot, class), first as u32);
    }

    fn add_slot(&mut self, origin: Origin, name: Name) -> usize {
        self.memory.objects.push(Object::NONE);
        self.slots.push(Slot { origin, name, base: 0, capacity: 0 });
        self.slots.len() - 1
    }

    /// A slot of a thread that has been met.
    fn add_slot_of(&mut self, origin: Origin) {
        let of_thread = |thread: ProcessId| self.threads[thread.index()].name;
        match origin {
            Origin::Fixed | Origin::Handle(_) => unreachable!("there from its thread's beginning"),
            Origin::Heap(thread, nth) => {
                let slot = self.add_slot(origin, digest::heap_name(of_thread(thread), u64::from(nth)));
                self.threads[thread.index()].heap.push(slot as u32);
            }
            Origin::Stack(thread, position, generation) => {
                let name = digest::stack_name(of_thread(thread), u64::from(position), u64::from(generation));
                let slot = self.add_slot(origin, name);
                let stack = &mut self.threads[thread.index()].stack;
                if stack.len() <= position as usize {
                    stack.resize_with(position as usize + 1, Default::default);
                }
                stack[position as usize].slots.push(slot as u32);
            }
            Origin::ThreadLocal(thread, index) => {
                let slot = self.add_slot(origin, digest::thread_local_name(of_thread(thread), index));
                self.threads[thread.index()].thread_locals.push((index, slot as u32));
            }
        }
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

    /// Whether a thread is the only one, by cause: it is the first, and every thread that was
    /// created has been joined. Then nobody can notice what it does.
    #[inline]
    pub(crate) fn is_alone(&self, thread: ProcessId) -> bool {
        thread.index() == 0 && self.words[word::BALANCE] == 0
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

    /// Changes what is known of the locks that a thread holds. They are few.
    pub(crate) fn set_holds(&mut self, thread: ProcessId, holds: Vec<Hold>) {
        self.old_holds.push(std::mem::replace(&mut self.threads[thread.index()].holds, holds));
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Holds, old: 0 });
    }

    /// Remembers what a thread has read.
    pub(crate) fn note_read(&mut self, thread: ProcessId, location: LocationId, value: Value) {
        let reads = &mut self.threads[thread.index()].reads;
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Reads, old: reads.len() as u64 });
        reads.push((location, value));
    }

    /// A thread goes past a join.
    pub(crate) fn push_join(&mut self, thread: ProcessId, join: Join) {
        let joins = &mut self.threads[thread.index()].joins;
        self.memory.log.push(Change { at: thread.index() as u32, what: What::Joins, old: joins.len() as u64 });
        joins.push(join);
    }

    // ---- Threads

    /// The thread that `creator` creates as the so many-th; numbered when it is first met.
    pub(crate) fn meet(&mut self, creator: Option<(ProcessId, u32)>) -> ProcessId {
        if let Some((creator, nth)) = creator
            && let Some(&known) = self.threads[creator.index()].children.get(nth as usize)
        {
            return known;
        }
        self.register(Entry::Thread(creator));
        match creator {
            None => ProcessId::new(0),
            Some((creator, nth)) => self.threads[creator.index()].children[nth as usize],
        }
    }

    fn add_thread(&mut self, creator: Option<(ProcessId, u32)>) {
        let thread = ProcessId::new(self.threads.len());
        let name = digest::thread_name(creator.map(|(creator, nth)| (self.threads[creator.index()].name, nth)));
        let mut tag = digest::tag(name);
        while tag == 0 || self.tags.contains_key(&tag) {
            tag = tag.wrapping_add(1) & 0x3fff_ffff;
        }
        self.tags.insert(tag, thread);
        let handle = self.add_slot(Origin::Handle(thread), digest::handle_name(name));
        let first = self.locations.len() as u32;
        self.add_locations(handle as u32, 0, 1);
        self.memory.objects[handle] = Object { first, kind: Kind::Thread, life: Life::Live, ..Object::NONE };
        self.threads.push(Thread {
            frames: Vec::new(),
            registers: Vec::new(),
            taints: Vec::new(),
            watches: Vec::new(),
            holds: Vec::new(),
            reads: Vec::new(),
            joins: Vec::new(),
            past: Past::default(),
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
    }

    /// A thread has waited for another one's end, and knows of all that this one knew of.
    #[inline]
    pub(crate) fn joins(&mut self, one: ProcessId, other: ProcessId) {
        let known = self.word(one, word::BALANCE).wrapping_add(self.word(other, word::BALANCE));
        // Only its creator has counted it.
        self.set_word(one, word::BALANCE, known.wrapping_sub(u64::from(self.is_child(one, other))));
    }

    /// Whether one thread created another one.
    #[inline]
    pub(crate) fn is_child(&self, creator: ProcessId, thread: ProcessId) -> bool {
        self.threads[thread.index()].origin.is_some_and(|origin| origin.0 == creator)
    }

    /// The value of a thread's handle, in this slot: which read-write locks it holds as a reader.
    pub(super) fn handle_value(&self, slot: usize) -> Value {
        match self.slots[slot].origin {
            Origin::Handle(thread) => self.word(thread, word::READING) as Value,
            _ => 0,
        }
    }

    /// The thread of a handle, if it has been started in this execution.
    #[inline]
    pub(crate) fn by_handle(&self, handle: u64) -> Option<ProcessId> {
        match self.slots.get((handle >> 32) as usize)?.origin {
            Origin::Handle(thread) if handle as u32 == 0 && self.is(thread, state::STARTED) => Some(thread),
            _ => None,
        }
    }

    /// A thread that is alone reads cells of a shared object. That is no event of its own: see
    /// `Run::observe`.
    #[cold]
    pub(crate) fn observe_unseen(&mut self, event: &mut Event, slot: usize, offset: u32, size: u32) {
        let object = self.memory.objects[slot];
        let cells = &self.cells[object.partition as usize];
        let (first, last) = (cells.cell(offset), cells.cell(offset + (size.max(1) - 1)));
        self.unseen_seats.resize(self.locations.len(), 0);
        for cell in first..=last {
            let location = LocationId::new((object.first + cell) as usize);
            let seat = self.unseen_seats[location.index()] as usize;
            if event.unseen.get(seat).is_none_or(|read| read.location != location) {
                let value = cell_value(self, &object, cell);
                self.unseen_seats[location.index()] = event.unseen.len() as u32;
                event.unseen.push(Access { location, kind: AccessKind::Read, before: value, after: value });
            }
        }
    }

    // ---- Going back

    /// Takes the current state for the initial one.
    pub(crate) fn forget(&mut self) {
        self.memory.log.clear();
        self.memory.pool.clear();
        self.memory.old_objects.clear();
        self.old_watches.clear();
        self.old_holds.clear();
    }

    /// Takes back all changes but the first `length`.
    #[inline(always)]
    pub(crate) fn undo(&mut self, length: usize) {
        if self.parts.forgets_changes(length) {
            self.forget_changes(length);
        }
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
            What::Watch => match self.old_watches.pop().expect("what was remembered") {
                Some(watch) => self.threads[at].watches[change.old as usize] = watch,
                None => self.threads[at].watches.truncate(change.old as usize),
            },
            What::Holds => self.threads[at].holds = self.old_holds.pop().expect("what was remembered"),
            What::Reads => self.threads[at].reads.truncate(change.old as usize),
            What::Joins => self.threads[at].joins.truncate(change.old as usize),
            What::Clock => {
                if let Some(order) = &mut self.order {
                    order.restore(change);
                }
            }
            _ => self.memory.undo_rare(change),
        }
    }
}
