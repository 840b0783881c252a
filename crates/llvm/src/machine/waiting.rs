//! Loops that wait.
//!
//! A loop iteration that changed nothing, and came back to the loop's head with the same registers, will do the same again
//! until one of the cells that it read holds something else. So the thread waits at the head for that. What it read is
//! remembered from one visit of the head to the next; whether it changed something the log of changes tells.

use mazurka_trace::AccessKind;

use crate::code::Waiting;
use crate::code::instruction::Register;

use super::call::Grant;
use super::event::{location_value, touch};
use super::state::State;
use super::thread::{Rest, Thread, Watch, word};
use super::turn::{Exit, Turn};

use mazurka_trace::{LocationId, ProcessId, Value};

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
        let registers = hash_registers(thread, &self.image.loops[repeat as usize].carried);
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
            let registers = hash_registers(thread, &self.image.loops[repeat as usize].carried);
            unchanged && watch.clock == clock && watch.reads as usize == self.reads && watch.registers == registers
        })
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

/// A hash of the registers that matter: those that the loop carries, and all of the frames below.
pub(super) fn hash_registers(thread: &Thread, carried: &[Register]) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let Some((top, below)) = thread.frames.split_last() else { return 0 };
    let mut hash = below.iter().fold(0, |hash, frame| mix(hash, u64::from(frame.pc)));
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

/// Whether something that a spinning thread has read has changed.
pub(super) fn can_spin(state: &State, image: &crate::code::Image, thread: ProcessId) -> bool {
    let reads = spin_reads(state, image, thread);
    reads.iter().any(|&(location, value)| location_value(state, location).is_some_and(|now| now != value))
}
