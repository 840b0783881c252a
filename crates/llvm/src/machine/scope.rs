//! Stack objects, and what goes when a scope, a function or a thread is left.

use mazurka_trace::{AccessKind, FaultKind, ProcessId, Value};

use crate::code::instruction::Register;

use super::memory::{join, split};
use super::object::{Kind, Life, Object};
use super::state::State;
use super::thread::{Rest, state, word};
use super::turn::{Exit, Turn};

/// The most bytes that a stack object can have.
const LARGEST_LOCAL: u64 = 1 << 26;

/// The most stack objects that a thread can have.
const MOST_LOCALS: u64 = 1 << 17;

impl State {
    /// A thread has ended with a result.
    #[inline]
    pub(super) fn note_end(&mut self, thread: ProcessId, result: u64) {
        if result != 0 {
            self.publish(thread, result);
            self.set_word(thread, word::RESULT, result);
        }
        self.mark(thread, state::ENDED);
    }
}

impl Turn<'_> {
    pub(super) fn alloca(&mut self, dst: Register, local: u32, count: u64) -> Result<(), Exit> {
        let bytes = u64::from(self.image.locals[local as usize].size).saturating_mul(count);
        if bytes > LARGEST_LOCAL || self.state.word(self.thread, word::STACK) >= MOST_LOCALS {
            return Err(Exit::Fault(FaultKind::StackOverflow, [bytes as Value, 0]));
        }
        let address = self.state.push_stack(self.image, self.thread, local, bytes as u32);
        self.set(dst, address, 0);
        self.next();
        Ok(())
    }

    pub(super) fn life_start(&mut self, address: u64) -> Result<(), Exit> {
        let slot = split(address).0;
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        if matches!(object.kind, Kind::Stack(_)) {
            if !object.shared {
                self.begin_scope(slot, &object);
                self.next();
                return Ok(());
            }
            if !self.may_be_seen() {
                return Err(self.rest(Rest::Ready));
            }
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Update);
            self.state.renew(slot);
            self.settle(&object);
        }
        self.next();
        Ok(())
    }

    /// The scope of a private object begins. Where loops may wait, what it held stays: a loop that
    /// enters and leaves a scope in each iteration, and writes the same there, changes nothing.
    fn begin_scope(&mut self, slot: usize, object: &Object) {
        let is_new = object.life == Life::Live && object.undefined == object.size;
        if self.watching {
            self.note(|turn| turn.state.revive(slot));
        } else if !is_new {
            self.state.renew(slot);
        }
    }

    pub(super) fn life_end(&mut self, address: u64) -> Result<(), Exit> {
        let slot = split(address).0;
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        if matches!(object.kind, Kind::Stack(_)) && object.life == Life::Live {
            if !object.shared {
                self.note(|turn| turn.state.end_life(slot));
                self.next();
                return Ok(());
            }
            if !self.may_be_seen() {
                return Err(self.rest(Rest::Ready));
            }
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Update);
            self.state.end_life(slot);
            self.settle(&object);
        }
        self.next();
        Ok(())
    }

    /// The thread's stack objects from `length` on go. Others notice where they could reach one.
    pub(super) fn leave_scope(&mut self, length: u64) -> Result<(), Exit> {
        let thread = &self.state.threads[self.thread.index()];
        let positions = length as usize..self.state.word(self.thread, word::STACK) as usize;
        let slot = |position: usize| {
            let position = &thread.stack[position];
            position.slots[position.generation] as usize
        };
        let objects = &self.state.memory.objects;
        let is_noticed = |slot: &usize| objects[*slot].shared && objects[*slot].life == Life::Live;
        if positions.clone().map(slot).any(|slot| is_noticed(&slot)) {
            let shared: Vec<usize> = positions.map(slot).filter(is_noticed).collect();
            self.end_shared(&shared)?;
        }
        self.state.pop_stack(self.thread, length);
        Ok(())
    }

    /// Names shared objects whose life is about to end.
    pub(super) fn end_shared(&mut self, slots: &[usize]) -> Result<(), Exit> {
        if slots.is_empty() {
            return Ok(());
        }
        if !self.may_be_seen() {
            return Err(self.rest(Rest::Ready));
        }
        for &slot in slots {
            let object = self.state.memory.objects[slot];
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Update);
        }
        self.spend();
        Ok(())
    }

    /// The thread ends, if others would not notice or the step is granted.
    #[inline]
    pub(crate) fn end_thread(&mut self, result: u64) -> Result<(), Exit> {
        if !self.state.threads[self.thread.index()].thread_locals.is_empty() {
            self.end_thread_locals()?;
        }
        // Nobody asks what becomes of the objects of the last one, unless it counts what they point
        // to.
        if self.state.word(self.thread, word::STACK) > 0
            && (!self.state.is_alone(self.thread) || self.image.settings.leaks)
        {
            self.leave_scope(0)?;
        }
        self.state.note_end(self.thread, result);
        Ok(())
    }

    #[cold]
    pub(super) fn end_thread_locals(&mut self) -> Result<(), Exit> {
        let objects = &self.state.memory.objects;
        let own = self.state.threads[self.thread.index()].thread_locals.iter().map(|&(_, slot)| slot as usize);
        let own: Vec<usize> = own.filter(|&slot| objects[slot].life == Life::Live).collect();
        let shared: Vec<usize> = own.iter().copied().filter(|&slot| objects[slot].shared).collect();
        self.end_shared(&shared)?;
        for slot in own {
            self.state.end_life(slot);
        }
        Ok(())
    }
}
