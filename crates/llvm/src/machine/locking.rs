//! Mutexes that are taken while they are free, or given back by their holder: most events of most
//! programs. What [`library`](crate::library) does for them in general is done here at once, with
//! the same event and the same change of memory. Whatever else there is to see to (a mutex that is
//! held, undefined, private or not one at all, loops that may wait, undefined registers) is left to
//! the general way.

use mazurka_trace::{AccessKind, LocationId, Value};

use crate::code::instruction::{Instruction, Register};
use crate::library::mutex::{ADAPTIVE, COUNT, KIND, KNOWN};
use crate::native::Native;

use super::call::Grant;
use super::event::touch;
use super::memory::{MASKS, split, window};
use super::object::SHARED;
use super::state::State;
use super::thread::{Frame, Rest, state};
use super::turn::{Exit, Turn};

/// The width of a mutex's owner: the logarithm of its bytes.
const OWNER: usize = 2;

impl Turn<'_> {
    /// Takes a mutex or gives it back, where that is simple. False where nothing was done.
    #[inline]
    pub(super) fn lock_at_once(&mut self, native: Native, dst: Register, first: u32, frame: Frame) -> bool {
        let takes = native == Native::MutexLock;
        if !(takes || native == Native::MutexUnlock)
            || frame.rest != Rest::Native
            || self.grant != Grant::Step
            || self.watching
            || self.state.is(self.thread, state::CAREFUL)
        {
            return false;
        }
        let operand = self.image.operands[first as usize].register.index();
        let address = self.state.threads[self.thread.index()].registers[frame.base as usize + operand];
        let (slot, offset) = split(address);
        let Some((at, location)) = self.state.simple_mutex(slot, offset) else { return false };
        let me = u64::from(self.state.threads[self.thread.index()].tag);
        let owner = window(&self.state.memory.bytes, at) & MASKS[OWNER];
        let (free, held) = (0, me);
        let (expected, new, kind) =
            if takes { (free, held, AccessKind::Acquire) } else { (held, free, AccessKind::Release) };
        if owner != expected || !takes && self.state.mutex_word(at, COUNT) != 0 {
            return false;
        }
        self.state.holder = None;
        (self.event.can_block, self.event.locks) = (takes, takes);
        touch(self.state, self.event, location, kind, owner as Value);
        if let Some(access) = self.event.accesses.last_mut() {
            access.after = new as Value;
        }
        self.state.memory.put(slot, at, OWNER, new);
        self.grant = Grant::Nothing;
        let thread = &mut self.state.threads[self.thread.index()];
        thread.registers[frame.base as usize + dst.index()] = 0;
        self.next();
        true
    }

    /// The thread rests before a call. Where that is a join, it may go past it.
    #[inline]
    pub(super) fn rest_before_call(&mut self) -> Exit {
        match self.image.code[self.frame().pc as usize] {
            Instruction::Native { native: Native::ThreadJoin, .. } => self.go_past_joins(),
            _ => Exit::Rests(Rest::Native),
        }
    }
}

impl State {
    /// Where the bytes of the mutex are of an address, and the location of its owner; if it
    /// is a shared one, and its owner is a cell of its own.
    #[inline]
    pub(super) fn simple_mutex(&self, slot: usize, offset: u32) -> Option<(usize, LocationId)> {
        let object = self.memory.objects.get(slot)?;
        let fits = u64::from(offset) + u64::from(KNOWN) <= u64::from(object.size);
        if object.access != SHARED || !fits || object.undefined > 0 {
            return None;
        }
        let at = (object.base + offset) as usize;
        let cells = &self.cells[object.partition as usize];
        let cell = cells.cell(offset);
        let own_cell = cells.range(cell, object.size) == (offset..offset + (1 << OWNER));
        (own_cell && self.is_simple_mutex(at)).then(|| (at, LocationId::new((object.first + cell) as usize)))
    }

    /// Whether the bytes at `at` are a mutex of a kind that there is, and that is still there.
    #[inline]
    pub(super) fn is_simple_mutex(&self, at: usize) -> bool {
        self.mutex_word(at, KIND) <= ADAPTIVE
    }

    #[inline]
    pub(super) fn mutex_word(&self, at: usize, offset: u64) -> u64 {
        window(&self.memory.bytes, at + offset as usize) & MASKS[2]
    }
}
