//! Loops that wait.
//!
//! A loop iteration that changed nothing, and came back to the loop's head with the same registers, will do the same again
//! until one of the cells that it read holds something else. So the thread waits at the head for that. What it read is
//! remembered from one visit of the head to the next; whether it changed something the log of changes tells.

use mazurka_trace::AccessKind;

use crate::code::Waiting;
use crate::code::instruction::Register;
use crate::native::{Native, Shows};

use super::call::{Grant, Peek, Place};
use super::event::{location_value, touch};
use super::object::Life;
use super::state::State;
use super::thread::{Rest, Thread, Watch, word};
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
        if self.trial {
            return Err(if self.comes_back(depth, repeat) { Exit::Blocked } else { Exit::OutOfFuel });
        }
        let frame = self.frame();
        let at = frame.base as usize + counter.index();
        if let Some(most) = self.image.settings.unroll {
            let count = self.state.threads[self.thread.index()].registers[at];
            if count >= u64::from(most) {
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
        let held = self.state.word(self.thread, word::LOCKS);
        let registers = hash_registers(thread, &self.image.loops[repeat as usize].carried, held);
        let clock = self.state.word(self.thread, word::CLOCK);
        let number = thread.watches.iter().position(|watch| watch.depth as usize == depth && watch.repeat == repeat);
        let known = number.map(|number| thread.watches[number]);
        let same = known.filter(|known| known.registers == registers && known.clock == clock);
        if let Some(known) = same
            && thread.reads.len() > known.reads as usize
        {
            if thread.frames[depth].rest != Rest::Spin || self.grant != Grant::Step {
                return Err(self.rest(Rest::Spin));
            }
            self.pass(known);
        }
        let reads = self.state.threads[self.thread.index()].reads.len() as u32;
        let watch = Watch { depth: depth as u32, repeat, registers, clock, reads };
        let number = number.unwrap_or(self.state.threads[self.thread.index()].watches.len());
        self.note(|turn| turn.state.set_watch(turn.thread, number, watch));
        self.watching = true;
        Ok(())
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

    /// Whether a thread that stands before an access has neither read nor changed anything since the head of a loop.
    pub(super) fn may_wait(&self) -> bool {
        let thread = &self.state.threads[self.thread.index()];
        let clock = self.state.word(self.thread, word::CLOCK);
        let fresh = |watch: &Watch| watch.clock == clock && watch.reads as usize == thread.reads.len();
        self.watching && self.state.memory.log.len() == self.mark && thread.watches.iter().any(fresh)
    }

    /// Whether a thread that did one access is back at the head of a loop, in the state in which it left it before.
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

    /// Takes note of what a call of a modelled function did, where a loop may wait for it.
    pub(super) fn watch_call(&mut self, native: Native, rest: Rest, place: Place, before: Before) {
        if self.atomic > 0 {
            return;
        }
        self.event.can_block |= rest == Rest::Await && self.grant == Grant::Step;
        if self.waits.goes_unnoticed(native) {
            // What it holds is part of where it stands.
            if before.clean {
                self.mark = self.state.memory.log.len();
            }
            let lock = Peek { image: self.image, state: self.state, place }.argument(0);
            let held = self.state.word(self.thread, word::LOCKS) ^ lock.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            return self.note(|turn| turn.state.set_word(turn.thread, word::LOCKS, held));
        }
        if self.event.choices.len() > before.choices {
            return self.count_as_change();
        }
        // An attempt to take a lock that changed nothing: all of it is reading.
        let in_vain = self.trial && before.clean && self.state.memory.log.len() == self.mark;
        if !in_vain {
            self.watch_accesses(before.accesses);
        }
        if self.grant != Grant::Step && native.facts().shows == Shows::Always {
            // One that is alone, or has the lock itself, tries in vain.
            let lock = Peek { image: self.image, state: self.state, place }.argument(0);
            if let Some(object) = self.state.memory.object(lock).copied().filter(super::access::is_shared) {
                self.watch_unseen(&object, lock as u32, AccessKind::Read);
            }
        }
    }

    /// Remembers what was read by the accesses from a number on. What else was done there counts as a change, since others may notice.
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

/// A hash of the registers that matter: those that the loop carries, and all of the frames below; and of a word besides.
fn hash_registers(thread: &Thread, carried: &[Register], word: u64) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let Some((top, below)) = thread.frames.split_last() else { return 0 };
    let mut hash = below.iter().fold(word, |hash, frame| mix(hash, u64::from(frame.pc)));
    hash = thread.registers[..top.base as usize].iter().fold(hash, |hash, &word| mix(hash, word));
    carried.iter().fold(hash, |hash, register| mix(hash, thread.registers[top.base as usize + register.index()]))
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
    let reads = spin_reads(state, image, thread);
    reads.iter().any(|&(location, value)| {
        let slot = state.locations.get(location.index()).copied().unwrap_or(0) as usize;
        state.memory.objects[slot].life == Life::Dead || location_value(state, location).is_some_and(|now| now != value)
    })
}
