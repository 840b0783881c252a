//! What the library sees of the machine when it does a call.
//!
//! A thread comes to the call of a modelled function in invisible code, with nothing *granted*.
//! What is invisible is just done. What is visible says so before it changes anything
//! ([`Call::visible`], [`Call::visible_at`]): the thread then rests before the call, and when it is
//! stepped, the call is run again from its beginning, with the step granted. A call that takes
//! several steps gives [`Flow::Again`] and is run again with another [`Call::phase`].

use mazurka_trace::{AccessKind, Choice, Event, FaultKind, LocationId, ProcessId, Value};

use crate::code::{Image, Kind as OperandKind};
use crate::native::Family;

use super::event::{location_value, touch, touch_range};
use super::guard::Use;
use super::joins::own_site;
use super::memory::{MASKS, Memory, join, split, window};
use super::object::{Kind, Life, SHARED};
use super::state::State;
use super::step::MOST_ARGUMENTS;
use super::thread::{Frame, state, word};

/// The most bytes that an object can have.
const LARGEST: u64 = 1 << 31;

/// What a thread may do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grant {
    /// Invisible things.
    Nothing,
    /// A data choice too.
    Choice,
    /// A visible operation too.
    Step,
}

/// How a call goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// It is done, with this result (whatever it is, where there is none).
    Done(u64),
    /// It stays, and is run again with this phase.
    Again(u32),
    /// The thread ends with this result.
    EndThread(u64),
    /// The program ends. The machine sees to it that the thread rests before, where other threads
    /// may still run.
    EndProgram,
    /// An assumption failed.
    Discard,
}

/// Why a call is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// It is visible, and not granted.
    Rests,
    /// It has to wait. Nothing has been changed; the accesses named are those that decide.
    Blocked,
    /// It makes a data choice, which is not granted.
    Chooses,
    /// It fails.
    Fault(FaultKind, [Value; 2]),
}

/// The arguments of a call and the frame that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) thread: ProcessId,
    pub(super) frame: Frame,
    /// The first operand, and how many there are.
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) shape: u32,
}

/// A call of a modelled function. What it changes is undone when the step is taken back.
pub(crate) struct Call<'a> {
    pub(super) image: &'a Image,
    pub(super) state: &'a mut State,
    pub(super) event: &'a mut Event,
    pub(super) choices: &'a [Value],
    pub(super) place: Place,
    pub(super) grant: Grant,
}

/// The same, to look at only: to see whether a thread that rests before a call can be stepped.
#[derive(Clone, Copy)]
pub(crate) struct Peek<'a> {
    pub(super) image: &'a Image,
    pub(super) state: &'a State,
    pub(super) place: Place,
}

macro_rules! questions {
    () => {
        /// The calling thread.
        pub(crate) fn thread(&self) -> ProcessId {
            self.place.thread
        }

        /// How many arguments there are.
        pub(crate) fn count(&self) -> usize {
            self.place.count as usize
        }

        /// An argument; 0 where there are not so many.
        #[inline]
        pub(crate) fn argument(&self, number: usize) -> u64 {
            if number >= self.count() {
                return 0;
            }
            let operand = self.image.operands[self.place.first as usize + number];
            let register = self.place.frame.base as usize + operand.register.index();
            self.state.threads[self.place.thread.index()].registers[register]
        }

        /// 0, or what [`Flow::Again`] said last.
        pub(crate) fn phase(&self) -> u32 {
            self.place.frame.phase
        }

        /// The thread of a handle, if it has been started in this execution.
        pub(crate) fn by_handle(&self, handle: u64) -> Option<ProcessId> {
            self.state.by_handle(handle)
        }

        /// A thread's number, of 30 bits, not 0: the same in every execution. What a mutex keeps as
        /// its owner.
        pub(crate) fn tag(&self, thread: ProcessId) -> u32 {
            self.state.threads[thread.index()].tag
        }

        /// The thread of this number.
        pub(crate) fn by_tag(&self, tag: u32) -> Option<ProcessId> {
            self.state.tags.get(&tag).copied()
        }

        /// Whether a thread has ended.
        pub(crate) fn has_ended(&self, thread: ProcessId) -> bool {
            self.state.is(thread, state::ENDED)
        }

        /// Whether a thread is detached.
        pub(crate) fn is_detached(&self, thread: ProcessId) -> bool {
            self.state.is(thread, state::DETACHED)
        }

        /// Whether a thread has been joined.
        pub(crate) fn is_joined(&self, thread: ProcessId) -> bool {
            self.state.is_joined(thread)
        }

        /// How often each thread may be woken from a wait for a condition without a signal.
        pub(crate) fn spurious_wakeups(&self) -> u64 {
            u64::from(self.image.settings.spurious_wakeups)
        }

        /// Whether the calling thread, which waits with a time limit, would run out of time again
        /// in a loop, with nothing changed since.
        pub(crate) fn is_late_in_vain(&self) -> bool {
            self.state.is_late_in_vain(self.place.thread)
        }

        /// One of the four words of a thread that are the library's.
        pub(crate) fn word(&self, thread: ProcessId, number: usize) -> u64 {
            self.state.word(thread, word::LIBRARY + number)
        }
    };
}

impl Peek<'_> {
    questions!();

    /// The number of `size` bytes (1, 2, 4 or 8) at an address; none where there are none.
    #[inline]
    pub(crate) fn peek(&self, address: u64, size: u32) -> Option<u64> {
        let thread = self.place.thread.index() as u32;
        let at = check(&self.state.memory, address, size, false, thread).ok()?;
        Some(window(&self.state.memory.bytes, at) & MASKS[size.ilog2() as usize])
    }
}

impl Call<'_> {
    questions!();

    /// What an argument is.
    pub(crate) fn kind(&self, number: usize) -> Option<OperandKind> {
        let at = self.place.first as usize + number;
        (number < self.count()).then(|| self.image.operands[at].kind)
    }

    /// A thread's handle (`pthread_t`).
    pub(crate) fn handle(&self, thread: ProcessId) -> u64 {
        join(self.state.threads[thread.index()].handle as usize, 0)
    }

    /// What a thread ended with.
    pub(crate) fn result(&self, thread: ProcessId) -> u64 {
        self.state.word(thread, word::RESULT)
    }

    /// The program.
    pub(crate) fn image(&self) -> &Image {
        self.image
    }

    // ---- Steps

    /// Passes where the call may do something visible; to be asked before anything is changed.
    #[inline]
    pub(crate) fn visible(&self) -> Result<(), Stop> {
        if self.grant == Grant::Step || self.state.is_alone(self.place.thread) { Ok(()) } else { Err(Stop::Rests) }
    }

    /// Whether the step has made a choice of data, and there are further values.
    pub(crate) fn may_choose_otherwise(&self) -> bool {
        self.event.choices.iter().any(|choice| choice.value < choice.high)
    }

    /// Passes where the step is granted, for what is an event even of a thread that is alone.
    #[inline]
    pub(crate) fn granted(&self) -> Result<(), Stop> {
        if self.grant == Grant::Step { Ok(()) } else { Err(Stop::Rests) }
    }

    /// Whether what the call does is part of an event.
    #[inline]
    fn is_event(&self) -> bool {
        self.grant == Grant::Step
    }

    /// The same for what is visible only where the object at this address is shared.
    pub(crate) fn visible_at(&self, address: u64) -> Result<(), Stop> {
        if self.is_shared(address) { self.visible() } else { Ok(()) }
    }

    /// Whether others can reach the object at this address.
    #[inline]
    pub(crate) fn is_shared(&self, address: u64) -> bool {
        self.state.memory.object(address).is_some_and(|object| object.access == SHARED || object.shared)
    }

    /// Names the cell at an address as used by this step. Nobody notices what is private.
    #[inline]
    pub(crate) fn touch(&mut self, address: u64, kind: AccessKind) -> Result<(), Stop> {
        self.check(address, 1, false)?;
        self.name(address, 1, kind);
        Ok(())
    }

    /// Names the cells of a stretch of memory, where others can notice; what one reads that is
    /// alone is kept apart.
    #[inline]
    fn name(&mut self, address: u64, size: u32, kind: AccessKind) {
        if !self.is_shared(address) {
            return;
        }
        let (slot, offset) = split(address);
        if self.is_event() {
            touch_range(self.state, self.event, slot, offset, size, kind);
        } else if self.state.observes && kind.observes() {
            self.state.observe_unseen(self.event, slot, offset, size);
        }
    }

    /// Names a thread's handle as used by this step.
    pub(crate) fn touch_thread(&mut self, thread: ProcessId, kind: AccessKind) {
        let handle = self.state.threads[thread.index()].handle as usize;
        let location = LocationId::new(self.state.memory.objects[handle].first as usize);
        if self.is_event() {
            let value = self.state.handle_value(handle);
            touch(self.state, self.event, location, kind, value);
        }
    }

    /// The calling thread takes a read-write lock as a reader, or gives it back.
    pub(crate) fn holds_to_read(&mut self, lock: u64, takes: bool) {
        let (me, mixed) = (self.place.thread, lock.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let held = self.state.word(me, word::READING);
        let held = if takes { held.wrapping_add(mixed) } else { held.wrapping_sub(mixed) };
        self.state.set_word(me, word::READING, held);
    }

    /// Names a thread's handle as used by this step, where others than its creator can have it.
    pub(crate) fn touch_handle(&mut self, thread: ProcessId, kind: AccessKind) {
        if self.state.handle_location(thread).is_some() {
            self.touch_thread(thread, kind);
        }
    }

    /// The step can have to wait; `locks` where it takes one mutex and does nothing else.
    #[inline]
    pub(crate) fn can_block(&mut self, locks: bool) {
        if self.is_event() {
            self.event.can_block = true;
            self.event.locks = locks;
        }
    }

    /// The step can use other locations, in other ways, or make other choices, when it reads other
    /// values.
    pub(crate) fn varies(&mut self) {
        if self.is_event() {
            self.event.varies = true;
        }
    }

    /// The call found out something that did not let it go on as wanted: what it read does not
    /// order anything.
    pub(crate) fn tries_in_vain(&mut self) {
        if let Some(order) = &mut self.state.order {
            order.note_failure();
        }
    }

    /// The call has found out that this thread holds the lock, and fails. A loop of that thread, in
    /// which it does nothing else, is more than waiting: if it is the loop that takes the lock. Who
    /// holds it all the time is not noticed to go round. Who holds it counts, and what it has
    /// counted is its own only when it gives the lock back: that comes after this call.
    pub(crate) fn notice(&mut self, thread: ProcessId) {
        let lock = self.argument(0);
        let holds = &self.state.threads[thread.index()].holds;
        if let Some(number) = holds.iter().rposition(|hold| hold.lock == lock) {
            let mut holds = holds.clone();
            holds[number].noticed += 1;
            self.state.set_holds(thread, holds);
        }
    }

    /// Where the wait ran out of time before, in a loop, with nothing changed: names what it
    /// depends on now. Whether that is so.
    pub(crate) fn touch_late_reads(&mut self) -> bool {
        let Some(reads) = self.state.late_reads(self.place.thread) else { return false };
        let locations: Vec<LocationId> = reads.iter().map(|read| read.0).collect();
        if self.is_event() {
            for location in locations {
                let value = location_value(self.state, location).unwrap_or(0);
                touch(self.state, self.event, location, AccessKind::Read, value);
            }
        }
        true
    }

    /// Who keeps the call waiting.
    pub(crate) fn holder(&mut self, thread: ProcessId) {
        self.state.holder = Some(thread);
        self.keeper(thread);
    }

    /// Who keeps the call from being granted.
    pub(crate) fn keeper(&mut self, thread: ProcessId) {
        if let Some(keepers) = &mut self.state.keepers {
            keepers.push(thread);
        }
    }

    /// A data choice.
    pub(crate) fn choose(&mut self, low: Value, high: Value) -> Result<Value, Stop> {
        if low > high {
            return Err(Stop::Fault(FaultKind::EmptyChoice, [low, high]));
        }
        if self.grant == Grant::Nothing {
            return Err(Stop::Chooses);
        }
        let given = self.choices.get(self.event.choices.len()).copied();
        let value = given.filter(|given| (low..=high).contains(given)).unwrap_or(low);
        self.event.choices.push(Choice { value, low, high });
        Ok(value)
    }

    /// Whether it is nothing to anybody in which order threads come to a barrier for so many. The
    /// caller comes.
    pub(crate) fn arrivals_commute(&mut self, barrier: u64, total: u64) -> bool {
        let tag = self.tag(self.place.thread);
        let commute = total > 1 && self.state.order.is_none();
        commute && self.state.barriers.arrives(barrier, tag, total)
    }

    // ---- Memory

    /// Where the bytes at an address are kept, if they can be used.
    #[inline]
    fn check(&self, address: u64, size: u32, write: bool) -> Result<usize, Stop> {
        check(&self.state.memory, address, size, write, self.place.thread.index() as u32)
    }

    /// The number of `size` bytes (1, 2, 4 or 8) at an address. Not an event: [`Call::touch`] says
    /// what is used.
    #[inline]
    pub(crate) fn peek(&self, address: u64, size: u32) -> Result<u64, Stop> {
        let at = self.check(address, size, false)?;
        Ok(window(&self.state.memory.bytes, at) & MASKS[size.ilog2() as usize])
    }

    /// Whether all of these bytes are defined.
    #[inline]
    pub(crate) fn is_defined(&self, address: u64, size: u32) -> Result<bool, Stop> {
        let at = self.check(address, size, false)?;
        let defined = self.state.memory.objects[split(address).0].undefined == 0;
        Ok(defined || self.state.memory.undefined_in(at, size as usize) == 0)
    }

    /// Sets the `size` bytes (1, 2, 4 or 8) at an address. Not an event.
    #[inline]
    pub(crate) fn poke(&mut self, address: u64, size: u32, value: u64) -> Result<(), Stop> {
        let at = self.check(address, size, true)?;
        let slot = split(address).0;
        self.state.memory.put(slot, at, size.ilog2() as usize, value);
        if size == 8 && self.state.memory.objects[slot].access == SHARED {
            self.state.publish(self.place.thread, value);
        }
        Ok(())
    }

    /// Names all the cells of a stretch of memory as used by this step, if it is shared; where its
    /// bytes are.
    pub(crate) fn use_range(&mut self, address: u64, length: u64, kind: AccessKind) -> Result<usize, Stop> {
        self.visible_at(address)?;
        let size =
            u32::try_from(length).map_err(|_| Stop::Fault(FaultKind::Bounds, [address as Value, length as Value]))?;
        let at = self.check(address, size, !kind.is_read())?;
        if size > 0 {
            self.name(address, size, kind);
            if self.is_event() && self.is_shared(address) {
                self.event.plain = true;
                if let Some(uses) = &mut self.state.plain_uses {
                    uses.push(Use { address, length, writes: !kind.is_read(), atomic: false });
                }
            }
        }
        Ok(at)
    }

    /// Bytes; visible where they are shared.
    pub(crate) fn read_bytes(&mut self, address: u64, length: u64) -> Result<Vec<u8>, Stop> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let at = self.use_range(address, length, AccessKind::Read)?;
        if self.state.memory.undefined_in(at, length as usize) > 0 {
            return Err(Stop::Fault(FaultKind::Uninitialised, [address as Value, length as Value]));
        }
        Ok(self.state.memory.bytes[at..at + length as usize].to_vec())
    }

    /// The bytes before the next zero byte; visible where they are shared.
    pub(crate) fn read_string(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        self.visible_at(address)?;
        let at = self.check(address, 1, false)?;
        let (slot, offset) = split(address);
        let rest = (self.state.memory.objects[slot].size - offset) as usize;
        let length = self.state.memory.bytes[at..at + rest].iter().position(|&byte| byte == 0);
        let Some(length) = length else {
            return Err(Stop::Fault(FaultKind::Bounds, [address as Value, rest as Value + 1]));
        };
        if self.is_shared(address) {
            self.varies();
        }
        let mut bytes = self.read_bytes(address, length as u64 + 1)?;
        bytes.pop();
        Ok(bytes)
    }

    /// Writes bytes; visible where they are shared.
    pub(crate) fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        let at = self.use_range(address, bytes.len() as u64, AccessKind::Write)?;
        self.state.memory.put_many(split(address).0, at, bytes);
        Ok(())
    }

    // ---- The heap

    /// A new block; its bytes are zero, or undefined. None where it would be too large.
    pub(crate) fn allocate(&mut self, size: u64, family: Family, zeroed: bool) -> Option<u64> {
        let size = u32::try_from(size).ok().filter(|&size| u64::from(size) <= LARGEST)?;
        // A block that the library makes was requested by the user's own code.
        let site = own_site(self.image, &self.state.threads[self.place.thread.index()].frames);
        let about = (self.place.shape, site.index() as u32);
        Some(self.state.allocate(self.image, self.place.thread, size, about, family, zeroed))
    }

    /// Gives a block of a family back; null is fine. Visible where it is shared.
    pub(crate) fn free(&mut self, address: u64, family: Family) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        self.visible_at(address)?;
        self.block_size(address, FaultKind::DoubleFree)?;
        let slot = split(address).0;
        let object = self.state.memory.objects[slot];
        if object.family != family {
            // See `Words::memory_fault`.
            return Err(Stop::Fault(FaultKind::InvalidFree, [address as Value, 1 + family as Value]));
        }
        if object.shared {
            if self.is_event() {
                touch_range(self.state, self.event, slot, 0, object.size.max(1), AccessKind::Update);
            }
        } else if object.maker as usize != self.place.thread.index() {
            return Err(Stop::Fault(FaultKind::Unmodelled, [address as Value, 1]));
        }
        self.state.end_life(slot);
        Ok(())
    }

    /// The size of the live block that begins at an address; `dead` is the fault where it was given
    /// back before.
    pub(crate) fn block_size(&self, address: u64, dead: FaultKind) -> Result<u64, Stop> {
        let fault = |kind| Err(Stop::Fault(kind, [address as Value, 0]));
        let Some(object) = self.state.memory.object(address) else { return fault(FaultKind::InvalidFree) };
        match (object.kind, object.life) {
            (Kind::Heap(_), Life::Live) if address as u32 == 0 => Ok(u64::from(object.size)),
            (Kind::Heap(_), Life::Dead) => fault(dead),
            _ => fault(FaultKind::InvalidFree),
        }
    }

    /// What this word points to, and all that can be reached from there, is shared from now on.
    #[inline]
    pub(crate) fn publish(&mut self, value: u64) {
        self.state.publish(self.place.thread, value);
    }

    // ---- Threads

    /// Creates a thread that runs the function at this address with these arguments. For a granted
    /// call. None where it is not the address of a function that takes as many.
    pub(crate) fn spawn(&mut self, function: u64, arguments: &[u64]) -> Option<ProcessId> {
        let Kind::Function(index) = self.state.memory.object(function)?.kind else { return None };
        if function as u32 != 0
            || arguments.len() > MOST_ARGUMENTS
            || usize::from(self.image.functions[index as usize].parameters) != arguments.len()
        {
            return None;
        }
        let me = self.place.thread;
        let nth = self.state.word(me, word::SPAWNS);
        self.state.set_word(me, word::SPAWNS, nth + 1);
        self.state.set_word(me, word::BALANCE, self.state.word(me, word::BALANCE).wrapping_add(1));
        for &argument in arguments {
            self.state.publish(me, argument);
        }
        let thread = self.state.meet(Some((me, nth as u32)));
        self.state.begin_thread(self.image, thread, index, arguments);
        self.state.newborn.push(thread);
        self.event.spawned.push(thread);
        self.state.order_birth(me, thread);
        Some(thread)
    }

    /// Nobody will join this thread.
    pub(crate) fn detach(&mut self, thread: ProcessId) {
        self.state.loses_ends = true;
        self.state.mark(thread, state::DETACHED);
    }

    /// The calling thread has waited for the end of this thread.
    pub(crate) fn join(&mut self, thread: ProcessId) {
        let own = self.state.is_child(self.place.thread, thread);
        self.state.mark(thread, if own { state::JOINED | state::CLAIMED } else { state::JOINED });
        self.state.joins(self.place.thread, thread);
        self.event.joined.push(thread);
    }

    /// The threads that have been started in this execution, in an order that does not depend on
    /// the interleaving.
    pub(crate) fn threads(&self) -> Vec<ProcessId> {
        let all = (0..self.state.threads.len()).map(ProcessId::new);
        let mut started: Vec<ProcessId> = all.filter(|&thread| self.state.is(thread, state::STARTED)).collect();
        started.sort_unstable_by_key(|&thread| self.tag(thread));
        started
    }

    /// Sets one of the four words of a thread that are the library's.
    pub(crate) fn set_word(&mut self, thread: ProcessId, number: usize, value: u64) {
        debug_assert!(word::LIBRARY + number < word::COUNT);
        self.state.set_word(thread, word::LIBRARY + number, value);
    }

    /// Writes to standard output.
    pub(crate) fn print(&mut self, text: &[u8]) {
        self.state.print(text);
    }
}

/// Where the bytes at an address are kept, if a thread can use them.
#[inline]
fn check(memory: &Memory, address: u64, size: u32, write: bool, thread: u32) -> Result<usize, Stop> {
    let (slot, offset) = split(address);
    if let Some(object) = memory.objects.get(slot)
        && (object.access == SHARED || object.access == thread)
        && u64::from(offset) + u64::from(size) <= u64::from(object.size)
    {
        return Ok((object.base + offset) as usize);
    }
    match memory.examine(address, size, write, thread) {
        Some((kind, detail)) => Err(Stop::Fault(kind, detail)),
        None => Ok((memory.objects[slot].base + offset) as usize),
    }
}
