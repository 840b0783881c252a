//! Loops that wait.
//!
//! A loop iteration that changed nothing, and came back to the loop's head with the same registers,
//! will do the same again until one of the cells that it read holds something else. So the thread
//! waits at the head for that. What it read is remembered from one visit of the head to the next;
//! whether it changed something the log of changes tells.
//!
//! A loop that looks at several places in turn comes back to the same registers after several
//! iterations. So a visit of the head is also compared with an earlier one, the *anchor*, which is
//! given up for a newer one after 1, 2, 4, ... visits (Brent's algorithm). All iterations since
//! then count as one.
//!
//! An iteration that takes a lock and gives it back changes nothing either, unless somebody tries
//! to take the lock in the meantime and is *noticed* to have failed: without the iteration that one
//! would have succeeded. Every execution without such iterations that nobody noticed is one of the
//! loops as they are, and every other one has the same outcome as one of these. Threads that notice
//! each other can go round for ever; after a few rounds the execution is cut, and the verdict is
//! incomplete.
//!
//! A loop that gives back a lock that it holds at its head, and takes it again, does not wait at
//! the head: the others could not take the lock. It goes round a few times, and is cut. (Mostly the
//! head has been moved to where the lock is not held: see `lower::unpeel`.)
//!
//! A wait with a time limit, in a loop, is no place to wait at the loop's head: the mutex is held
//! there. After an iteration in which it ran out of time and nothing changed, it does not run out
//! of time again before something has changed that the iteration read. Where each iteration waits
//! up to another time, it is not the same again; after many of them in a row the execution is cut.

use mazurka_trace::AccessKind;

use crate::code::Waiting;
use crate::code::instruction::Register;
use crate::library::rwlock;
use crate::native::{Native, Shows};

use super::call::{Grant, Peek, Place};
use super::event::{location_value, touch};
use super::object::Life;
use super::state::State;
use super::thread::{Anchor, Hold, Rest, Thread, Watch, word};
use super::turn::{Exit, Turn};

use mazurka_trace::{LocationId, ProcessId, Value};

/// How a turn stood before a call.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// Nothing had been changed that was not taken note of.
    clean: bool,
    accesses: usize,
    choices: usize,
}

impl Turn<'_> {
    /// The head of a loop that may wait.
    pub(super) fn head(&mut self, repeat: u32, counter: Register) -> Result<(), Exit> {
        let depth = self.state.threads[self.thread.index()].frames.len() - 1;
        if self.trial && self.comes_back(depth, repeat) {
            return Err(Exit::Blocked);
        }
        let frame = self.frame();
        let at = frame.base as usize + counter.index();
        if let Some(most) = self.image.settings.unroll {
            let count = self.state.threads[self.thread.index()].registers[at];
            if count > u64::from(most) {
                return Err(Exit::OutOfFuel);
            }
        }
        if self.image.loops[repeat as usize].waiting != Waiting::Never && self.atomic == 0 {
            self.watch(depth, repeat)?;
        }
        let thread = &mut self.state.threads[self.thread.index()];
        if self.image.settings.unroll.is_some() {
            thread.registers[at] += 1;
        }
        let frame = &mut thread.frames[depth];
        frame.pc += 1;
        frame.rest = Rest::Ready;
        Ok(())
    }

    /// Compares with what the thread knew when it last came by.
    fn watch(&mut self, depth: usize, repeat: u32) -> Result<(), Exit> {
        self.tick();
        let thread = &self.state.threads[self.thread.index()];
        let [held, taken] = [word::LOCKS, word::TAKEN].map(|word| self.state.word(self.thread, word));
        let registers = hash_registers(thread, &self.image.loops[repeat as usize].carried, held);
        let clock = self.state.word(self.thread, word::CLOCK);
        let number = thread.watches.iter().position(|watch| watch.depth as usize == depth && watch.repeat == repeat);
        let known = number.map(|number| thread.watches[number]);
        let (noticed, timeouts) =
            (self.state.word(self.thread, word::NOTICED), self.state.word(self.thread, word::TIMEOUTS));
        let same = known.filter(|known| known.registers == registers && known.clock == clock);
        let late = same.filter(|known| timeouts != known.timeouts).map(|known| (timeouts, known.reads));
        if known.is_some_and(|known| known.registers == registers && known.timeouts != timeouts)
            && (timeouts & ROW) >> ROW.trailing_zeros() > MOST_TIMEOUTS
        {
            return Err(Exit::OutOfFuel);
        }
        let (mut rounds, mut passes) = (same.map_or(0, |known| known.rounds), false);
        if let Some(known) = same
            && thread.reads.len() > known.reads as usize
            && late.is_none()
            && !contradict(&thread.reads[known.reads as usize..])
        {
            if noticed == known.noticed && !thread.has_taken_since(known.taken) {
                if thread.frames[depth].rest != Rest::Spin || self.grant != Grant::Step {
                    return Err(self.rest(Rest::Spin));
                }
                self.pass(known);
                passes = true;
            } else {
                rounds += 1;
                if rounds > MOST_ROUNDS {
                    return Err(Exit::OutOfFuel);
                }
            }
        }
        let thread = &self.state.threads[self.thread.index()];
        let reads = thread.reads.len() as u32;
        let here = Anchor { registers, taken, clock, reads, noticed, timeouts, age: 0, span: 1 };
        let anchor = known.map_or(here, |known| known.anchor.next(here, passes));
        let watch = Watch {
            depth: depth as u32,
            repeat,
            registers,
            held,
            taken,
            clock,
            reads,
            noticed,
            timeouts,
            rounds,
            late,
            anchor,
        };
        let number = number.unwrap_or(thread.watches.len());
        let other = known.filter(|known| same.is_none() && !thread.has_taken_since(known.anchor.taken));
        let together = other.and_then(|known| known.anchor.is_met(here, &thread.reads));
        let reads = together.unwrap_or(reads);
        self.note(|turn| turn.state.set_watch(turn.thread, number, Watch { reads, ..watch }));
        self.watching = true;
        if together.is_some() { Err(self.rest(Rest::Spin)) } else { Ok(()) }
    }

    /// Goes round once more, since something that was read has changed.
    fn pass(&mut self, known: Watch) {
        self.event.can_block = true;
        let count = self.state.threads[self.thread.index()].reads.len();
        for at in known.reads as usize..count {
            let (location, _) = self.state.threads[self.thread.index()].reads[at];
            let value = location_value(self.state, location).unwrap_or(0);
            touch(self.state, self.event, location, AccessKind::Read, value);
        }
        self.grant = Grant::Nothing;
    }

    /// Whether a thread that stands before an access has neither read nor changed anything since
    /// the head of a loop.
    pub(super) fn may_wait(&self) -> bool {
        let thread = &self.state.threads[self.thread.index()];
        let clock = self.state.word(self.thread, word::CLOCK);
        let fresh = |watch: &Watch| watch.clock == clock && watch.reads as usize == thread.reads.len();
        self.watching && self.state.memory.log.len() == self.mark && thread.watches.iter().any(fresh)
    }

    /// Whether a thread that did one access is back at the head of a loop, in the state in which it
    /// left it before.
    fn comes_back(&self, depth: usize, repeat: u32) -> bool {
        let thread = &self.state.threads[self.thread.index()];
        let clock = self.state.word(self.thread, word::CLOCK);
        let watch = thread.watches.iter().find(|watch| watch.depth as usize == depth && watch.repeat == repeat);
        let unchanged = self.state.memory.log.len() == self.mark;
        watch.is_some_and(|watch| {
            let held = self.state.word(self.thread, word::LOCKS);
            let registers = hash_registers(thread, &self.image.loops[repeat as usize].carried, held);
            unchanged && watch.clock == clock && watch.reads as usize == self.reads && watch.registers == registers
        })
    }

    /// Where the account of a call begins.
    pub(super) fn before_call(&self) -> Before {
        Before {
            clean: self.state.memory.log.len() == self.mark,
            accesses: self.event.accesses.len(),
            choices: self.event.choices.len(),
        }
    }

    /// What a call has changed is no change.
    pub(super) fn pass_over(&mut self, before: Before) {
        if before.clean {
            self.mark = self.state.memory.log.len();
        }
    }

    /// Takes note of a wait that is over. One that ran out of time has changed nothing.
    fn watch_timed_wait(&mut self, result: u64, before: Before) {
        self.pass_over(before);
        let old = self.state.word(self.thread, word::TIMEOUTS);
        if result == 0 {
            self.note(|turn| turn.state.set_word(turn.thread, word::TIMEOUTS, old & !ROW));
            return self.count_as_change();
        }
        let path = path(&self.state.threads[self.thread.index()]) & PATH;
        let row = if old & PATH == path { (old & ROW).saturating_add(ROW & ROW.wrapping_neg()).min(ROW) } else { 0 };
        let new = path | row | (old.wrapping_add(1) & COUNTS);
        self.note(|turn| turn.state.set_word(turn.thread, word::TIMEOUTS, new));
    }

    /// Takes note of what a call of a modelled function did, where a loop may wait for it.
    pub(super) fn watch_call(&mut self, native: Native, rest: Rest, place: Place, (before, result): (Before, u64)) {
        if self.atomic > 0 {
            return;
        }
        self.event.can_block |= rest == Rest::Await && self.grant == Grant::Step;
        if let Some(takes) = self.waits.takes(native)
            && (result == 0 || !native.can_fail_to_synchronise())
        {
            // What it holds is part of where it stands.
            self.pass_over(before);
            let lock = Peek { image: self.image, state: self.state, place }.argument(0);
            let (held, mixed) = (self.state.word(self.thread, word::LOCKS), lock.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let held = if takes { held.wrapping_add(mixed) } else { held.wrapping_sub(mixed) };
            return self.note(|turn| {
                turn.state.set_word(turn.thread, word::LOCKS, held);
                turn.hold(lock, takes);
            });
        }
        if native.has_time_limit() {
            return self.watch_timed_wait(result, before);
        }
        let mut tried_to_write = false;
        if native.can_fail_to_synchronise() && result != 0 {
            // Who holds the lock is told that it was noticed.
            self.pass_over(before);
            tried_to_write = matches!(native, Native::RwLockTryWrite | Native::RwLockTimedWrite);
            if tried_to_write {
                self.watch_readers(place);
            }
        }
        if self.event.choices.len() > before.choices {
            return self.count_as_change();
        }
        // An attempt to take a lock that changed nothing: all of it is reading.
        let in_vain = self.trial && before.clean && self.state.memory.log.len() == self.mark;
        match tried_to_write {
            _ if in_vain => {}
            true => self.watch_values(before.accesses),
            false => self.watch_accesses(before.accesses),
        }
        if self.grant != Grant::Step && native.facts().shows == Shows::Always {
            // One that is alone, or has the lock itself, tries in vain.
            let lock = Peek { image: self.image, state: self.state, place }.argument(0);
            if let Some(object) = self.state.memory.object(lock).copied().filter(super::access::is_shared) {
                self.watch_unseen(&object, lock as u32, AccessKind::Read);
            }
        }
    }

    /// The thread has taken a lock, or given it back. Then it has been noticed by whoever tried to
    /// take it meanwhile.
    fn hold(&mut self, lock: u64, takes: bool) {
        let mut holds = self.state.threads[self.thread.index()].holds.clone();
        if takes {
            let number = self.state.word(self.thread, word::TAKEN) + 1;
            self.state.set_word(self.thread, word::TAKEN, number);
            holds.push(Hold { lock, number, noticed: 0 });
        } else if let Some(number) = holds.iter().rposition(|hold| hold.lock == lock) {
            let noticed = self.state.word(self.thread, word::NOTICED) + holds.remove(number).noticed;
            self.state.set_word(self.thread, word::NOTICED, noticed);
        }
        self.state.set_holds(self.thread, holds);
    }

    /// Remembers what was read by the accesses from a number on. What else was done there counts as
    /// a change, since others may notice.
    pub(super) fn watch_accesses(&mut self, from: usize) {
        for at in from..self.event.accesses.len() {
            let access = self.event.accesses[at];
            if access.kind == AccessKind::Read {
                self.note(|turn| turn.state.note_read(turn.thread, access.location, access.before));
            } else {
                self.count_as_change();
            }
        }
    }

    /// The same where a writer has tried a read-write lock without success. It is ordered like one
    /// that gets the lock, but leaves the lock as it was: so nobody misses what it did.
    fn watch_values(&mut self, from: usize) {
        for at in from..self.event.accesses.len() {
            let access = self.event.accesses[at];
            self.note(|turn| turn.state.note_read(turn.thread, access.location, access.before));
        }
    }

    /// A writer has tried a read-write lock without success: remembers those who read. What it
    /// waits for in a loop is that one of them gives the lock back. It is not how many there are:
    /// others can come and go, and are not ordered with one that waits. A trial, which stands for
    /// a disabled step, names them.
    fn watch_readers(&mut self, place: Place) {
        let Some(readers) = rwlock::readers(&Peek { image: self.image, state: self.state, place }) else {
            return self.count_as_change();
        };
        for reader in readers {
            let handle = self.state.threads[reader.index()].handle as usize;
            let location = LocationId::new(self.state.memory.objects[handle].first as usize);
            let value = location_value(self.state, location).unwrap_or(0);
            if self.trial {
                touch(self.state, self.event, location, AccessKind::Read, value);
            } else {
                self.note(|turn| turn.state.note_read(turn.thread, location, value));
            }
        }
    }

    fn count_as_change(&mut self) {
        let clock = self.state.word(self.thread, word::CLOCK);
        self.state.set_word(self.thread, word::CLOCK, clock + 1);
    }

    /// Takes note of changes.
    pub(super) fn tick(&mut self) {
        if self.state.memory.log.len() > self.mark {
            let clock = self.state.word(self.thread, word::CLOCK);
            self.state.set_word(self.thread, word::CLOCK, clock + 1);
            self.mark = self.state.memory.log.len();
        }
    }
}

impl Thread {
    /// Whether it holds a lock that it did not hold, or has given back, when it had taken so many.
    fn has_taken_since(&self, taken: u64) -> bool {
        self.holds.iter().any(|hold| hold.number > taken)
    }
}

impl Anchor {
    /// Where a later visit finds everything as it was, and something has been read since: from
    /// where on in what the thread has read.
    fn is_met(self, here: Anchor, reads: &[(LocationId, Value)]) -> Option<u32> {
        let same = self.registers == here.registers && self.is_as_before(here);
        let since = &reads[self.reads as usize..];
        (same && !since.is_empty() && !contradict(since)).then_some(self.reads)
    }

    /// Whether nothing was changed, nor noticed.
    fn is_as_before(self, here: Anchor) -> bool {
        (self.clock, self.noticed, self.timeouts) == (here.clock, here.noticed, here.timeouts)
    }

    /// The anchor for the visits after this one. What was changed since cannot be met again; and
    /// what was read before a wait that is over is not what is found now.
    fn next(self, here: Anchor, passes: bool) -> Anchor {
        let age = self.age + 1;
        match self.is_as_before(here) {
            false => here,
            true if passes => Anchor { span: self.span, ..here },
            true if age < self.span => Anchor { age, ..self },
            true => Anchor { span: (2 * self.span).min(MOST_PLACES), ..here },
        }
    }
}

/// Whether a location was read twice, with different values. Then something has changed since the
/// iteration began, by the thread's own past: there is nothing to wait for at the head.
fn contradict(reads: &[(LocationId, Value)]) -> bool {
    let differs = |&(location, value): &(LocationId, Value)| {
        reads.iter().any(|&(other, another)| other == location && another != value)
    };
    reads.len() > 1 && reads.iter().any(differs)
}

/// A hash of the registers that matter: those that the loop carries, and all of the frames below;
/// and of a word besides.
fn hash_registers(thread: &Thread, carried: &[Register], word: u64) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let Some((top, below)) = thread.frames.split_last() else { return 0 };
    let mut hash = below.iter().fold(word, |hash, frame| mix(hash, u64::from(frame.pc)));
    hash = thread.registers[..top.base as usize].iter().fold(hash, |hash, &word| mix(hash, word));
    carried.iter().fold(hash, |hash, register| mix(hash, thread.registers[top.base as usize + register.index()]))
}

/// Iterations that change nothing and are noticed, before the execution is cut.
const MOST_ROUNDS: u32 = 2;

/// The most iterations that count as one.
const MOST_PLACES: u32 = 64;

/// Waits in a row that run out of time at the same place, in a loop that waits each time up to
/// another one, before the execution is cut.
const MOST_TIMEOUTS: u64 = 64;

/// The bits of [`word::TIMEOUTS`]: how many waits have run out of time, how many more than one of
/// them in a row at the same place, and where the last one stood.
const COUNTS: u64 = 0xffff;
const ROW: u64 = 0xff_0000;
const PATH: u64 = !(COUNTS | ROW);

/// Where a thread stands, with all its frames.
fn path(thread: &Thread) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    thread.frames.iter().fold(thread.frames.len() as u64, |hash, frame| mix(hash, u64::from(frame.pc)))
}

impl State {
    /// What a thread that waits with a time limit has read in an iteration in which the same wait
    /// ran out of time and nothing changed.
    pub(crate) fn late_reads(&self, thread: ProcessId) -> Option<&[(LocationId, Value)]> {
        let this = &self.threads[thread.index()];
        let (clock, here) = (self.word(thread, word::CLOCK), path(this) & PATH);
        let is_late = |watch: &&Watch| watch.clock == clock && watch.late.is_some_and(|(path, _)| path & PATH == here);
        let watch = this.watches.iter().find(is_late)?;
        Some(&this.reads[watch.late?.1 as usize..watch.reads as usize])
    }

    /// Whether a thread that waits with a time limit would run out of time again, with nothing
    /// changed since.
    pub(crate) fn is_late_in_vain(&self, thread: ProcessId) -> bool {
        self.late_reads(thread).is_some_and(|reads| !has_changed(self, reads))
    }
}

/// What a thread that spins has read in its last iteration.
pub(super) fn spin_reads<'a>(
    state: &'a State,
    image: &crate::code::Image,
    thread: ProcessId,
) -> &'a [(LocationId, Value)] {
    let this = &state.threads[thread.index()];
    let depth = this.frames.len().saturating_sub(1);
    let repeat = match this.frames.last().map(|frame| image.code[frame.pc as usize]) {
        Some(crate::code::instruction::Instruction::Head { repeat, .. }) => repeat,
        _ => return &[],
    };
    let watch = this.watches.iter().find(|watch| watch.depth as usize == depth && watch.repeat == repeat);
    watch.map_or(&[], |watch| &this.reads[watch.reads as usize..])
}

/// Whether something that a spinning thread has read has changed, or is gone.
pub(super) fn can_spin(state: &State, image: &crate::code::Image, thread: ProcessId) -> bool {
    has_changed(state, spin_reads(state, image, thread))
}

fn has_changed(state: &State, reads: &[(LocationId, Value)]) -> bool {
    reads.iter().any(|&(location, value)| {
        let slot = state.locations.get(location.index()).copied().unwrap_or(0) as usize;
        state.memory.objects[slot].life == Life::Dead || location_value(state, location).is_some_and(|now| now != value)
    })
}
