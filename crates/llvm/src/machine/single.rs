//! Instructions that take more than the loop can do, one at a time.

use mazurka_trace::{Access, AccessKind, FaultKind, LocationId, ProcessId, SiteId, Value};

use crate::code::instruction::{Instruction, Register};
use crate::code::operator::{Flags, LoadKind, Modify, Width};
use crate::library;

use super::arithmetic::{modify, wrap};
use super::call::{Call, Flow, Grant, Place, Stop};
use super::event::touch_range;
use super::frames::{be_careful, enter};
use super::interpreter::{Exit, Turn, run};
use super::memory::{MASKS, join, split, window};
use super::object::{Kind, Life, Object};
use super::thread::{Frame, Rest, state, word};
use crate::native::Native;

/// The most bytes that a stack object can have.
const LARGEST_LOCAL: u64 = 1 << 26;

/// The most stack objects that a thread can have.
const MOST_LOCALS: u64 = 1 << 17;

impl Turn<'_> {
    /// Runs until the thread rests, ends or fails.
    #[inline(always)]
    pub(crate) fn go(&mut self) -> Exit {
        let mut careful = self.state.is(self.thread, state::CAREFUL);
        if let Instruction::Native { native, count, dst, first, shape } = self.image.code[self.frame().pc as usize]
            && let Err(exit) = self.native(native, count, dst, first, shape)
        {
            return exit;
        }
        loop {
            let exit = if careful { run::<true>(self) } else { run::<false>(self) };
            match exit {
                Exit::Pauses => {
                    if let Err(exit) = self.single() {
                        return exit;
                    }
                    careful = careful || self.state.is(self.thread, state::CAREFUL);
                }
                Exit::Careful => {
                    self.take_care();
                    careful = true;
                }
                Exit::Returned(result) => {
                    if !self.finish(result) {
                        return Exit::Ended(result);
                    }
                }
                exit => return exit,
            }
        }
    }

    /// Calls what the library has to do when a thread ends, once. False where there is nothing to do.
    fn finish(&mut self, result: u64) -> bool {
        let Some(function) = self.image.thread_finish else { return false };
        if self.state.is(self.thread, state::FINISHING) {
            return false;
        }
        self.state.mark(self.thread, state::FINISHING);
        self.state.set_word(self.thread, word::RESULT, result);
        let stack = self.state.word(self.thread, word::STACK) as u32;
        enter(&mut self.state.threads[self.thread.index()], self.image, function, stack)
    }

    /// From now on the thread's registers may be undefined.
    fn take_care(&mut self) {
        if !self.state.is(self.thread, state::CAREFUL) {
            be_careful(&mut self.state.threads[self.thread.index()]);
            self.state.mark(self.thread, state::CAREFUL);
        }
    }

    #[inline]
    pub(crate) fn frame(&self) -> Frame {
        *self.state.threads[self.thread.index()].frames.last().expect("a thread that runs has a frame")
    }

    #[inline]
    fn frame_mut(&mut self) -> &mut Frame {
        self.state.threads[self.thread.index()].frames.last_mut().expect("a thread that runs has a frame")
    }

    fn get(&self, register: Register) -> u64 {
        let thread = &self.state.threads[self.thread.index()];
        thread.registers[self.frame().base as usize + register.index()]
    }

    fn taint(&self, register: Register) -> u64 {
        let thread = &self.state.threads[self.thread.index()];
        thread.taints.get(self.frame().base as usize + register.index()).copied().unwrap_or(0)
    }

    fn set(&mut self, register: Register, value: u64, taint: u64) {
        if taint != 0 {
            self.take_care();
        }
        let at = self.frame().base as usize + register.index();
        let thread = &mut self.state.threads[self.thread.index()];
        thread.registers[at] = value;
        if let Some(old) = thread.taints.get_mut(at) {
            *old = taint;
        }
    }

    /// What decides must be defined.
    fn decide(&self, registers: &[Register]) -> Result<(), Exit> {
        match registers.iter().any(|&register| self.taint(register) != 0) {
            true => Err(Exit::Fault(FaultKind::Uninitialised, [0; 2])),
            false => Ok(()),
        }
    }

    fn next(&mut self) {
        self.frame_mut().pc += 1;
    }

    pub(crate) fn rest(&mut self, rest: Rest) -> Exit {
        self.frame_mut().rest = rest;
        Exit::Rests(rest)
    }

    /// The visible operation has been done.
    fn spend(&mut self) {
        if self.atomic == 0 {
            self.grant = Grant::Nothing;
        }
    }

    /// Does the instruction that the thread stands at.
    fn single(&mut self) -> Result<(), Exit> {
        let pc = self.frame().pc as usize;
        match self.image.code[pc] {
            Instruction::Load { dst, base, offset, kind, flags } => {
                self.load(dst, self.get(base).wrapping_add(offset as u64), kind, flags)
            }
            Instruction::LoadAt { dst, address, kind, flags } => self.load(dst, address, kind, flags),
            Instruction::Store { src, base, offset, width, flags } => {
                let (value, taint) = (self.get(src), self.taint(src));
                self.store(value, taint, self.get(base).wrapping_add(offset as u64), width, flags)
            }
            Instruction::StoreAt { src, address, width, flags } => {
                let (value, taint) = (self.get(src), self.taint(src));
                self.store(value, taint, address, width, flags)
            }
            Instruction::StoreValue { value, base, offset, width, flags } => {
                self.store(value as u64, 0, self.get(base).wrapping_add(offset as u64), width, flags)
            }
            Instruction::StoreValueAt { value, address, width, flags } => {
                self.store(value as u64, 0, address, width, flags)
            }
            Instruction::Modify { op, width, dst, base, src, offset } => {
                self.decide(&[base])?;
                self.modify(op, width, dst, src, self.get(base).wrapping_add(offset as u64))
            }
            Instruction::ModifyAt { op, width, dst, src, address } => self.modify(op, width, dst, src, address),
            Instruction::CompareExchange { width, dst, success, base, expected, new, offset } => {
                self.decide(&[base])?;
                let address = self.get(base).wrapping_add(offset as u64);
                self.compare_exchange(width, [dst, success, expected, new], address)
            }
            Instruction::Copy { to, from, length, overlap } => {
                self.decide(&[to, from, length])?;
                self.copy(self.get(to), self.get(from), self.get(length), overlap)
            }
            Instruction::CopyBytes { to, from, length, overlap } => {
                self.decide(&[to, from])?;
                self.copy(self.get(to), self.get(from), u64::from(length), overlap)
            }
            Instruction::Fill { to, byte, length } => {
                self.decide(&[to, length])?;
                self.fill(self.get(to), byte, self.get(length))
            }
            Instruction::FillBytes { to, byte, length } => {
                self.decide(&[to])?;
                self.fill(self.get(to), byte, u64::from(length))
            }
            Instruction::ThreadLocal { dst, global } => {
                let address = self.state.thread_local(self.image, self.thread, global);
                self.set(dst, address, 0);
                self.next();
                Ok(())
            }
            Instruction::Expose { src } => {
                self.state.publish(self.get(src));
                self.next();
                Ok(())
            }
            Instruction::Alloca { dst, local } => self.alloca(dst, local, 1),
            Instruction::AllocaMany { dst, local, count } => {
                self.decide(&[count])?;
                self.alloca(dst, local, self.get(count))
            }
            Instruction::LifeStart { base } => self.life_start(self.get(base)),
            Instruction::LifeEnd { base } => self.life_end(self.get(base)),
            Instruction::StackSave { dst } => {
                let count = self.state.word(self.thread, word::STACK) - u64::from(self.frame().stack);
                self.set(dst, count, 0);
                self.next();
                Ok(())
            }
            Instruction::StackRestore { src } => {
                let most = self.state.word(self.thread, word::STACK);
                let length = u64::from(self.frame().stack).saturating_add(self.get(src)).min(most);
                self.leave_scope(length)?;
                self.next();
                Ok(())
            }
            // The objects of the frame go first; then the loop does the rest.
            Instruction::Return | Instruction::ReturnValue { .. } => self.leave_scope(u64::from(self.frame().stack)),
            Instruction::ReturnMany { first, count } => self.return_many(first, count),
            Instruction::Head { repeat, counter } => self.head(repeat, counter),
            Instruction::CallIndirect { callee, signature, first, count, .. } => {
                self.call_indirect(callee, signature, first, count)
            }
            Instruction::Native { native, count, dst, first, shape } => self.native(native, count, dst, first, shape),
            Instruction::AtomicBegin => self.atomic_begin(),
            Instruction::AtomicEnd => self.atomic_end(),
            other => unreachable!("{other:?} is done by the loop"),
        }
    }

    // ---- Memory

    /// Rests where the object at an address is shared and the step is not granted; then says where the bytes are.
    fn reach(&mut self, address: u64, size: u32, write: bool) -> Result<(usize, Object), Exit> {
        let (slot, offset) = split(address);
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        let shared = is_shared(&object);
        if shared && self.grant != Grant::Step {
            return Err(self.rest(Rest::Ready));
        }
        let me = self.thread.index() as u32;
        let fits = u64::from(offset) + u64::from(size) <= u64::from(object.size);
        let open = object.life == Life::Live && (shared || object.access == me) && fits;
        if !open && let Some((kind, detail)) = self.state.memory.examine(address, size, write, me) {
            return Err(Exit::Fault(kind, detail));
        }
        Ok(((object.base + offset) as usize, object))
    }

    /// The same for an access that may be one that waits.
    fn reach_waiting(&mut self, address: u64, size: u32, write: bool) -> Result<(usize, Object), Exit> {
        let reached = self.reach(address, size, write).map_err(|exit| match exit {
            Exit::Rests(_) if self.awaits.contains(&self.frame().pc) && self.may_wait() => self.rest(Rest::Await),
            exit => exit,
        })?;
        self.event.can_block |= is_shared(&reached.1) && self.frame().rest == Rest::Await && self.atomic == 0;
        Ok(reached)
    }

    /// Names the cells of an access, if others can notice it; a read is remembered where a loop may wait for it.
    fn name(&mut self, object: &Object, address: u64, size: u32, kind: AccessKind) {
        if !is_shared(object) {
            return;
        }
        let (slot, offset) = split(address);
        let from = self.event.accesses.len();
        touch_range(self.state, self.event, slot, offset, size, kind);
        if self.watching && matches!(kind, AccessKind::Read | AccessKind::Update) && self.atomic == 0 {
            for at in from..self.event.accesses.len() {
                let access = self.event.accesses[at];
                self.note(|turn| turn.state.note_read(turn.thread, access.location, access.before));
            }
        }
    }

    /// Keeps an account that does not count as a change.
    pub(crate) fn note(&mut self, note: impl FnOnce(&mut Self)) {
        let clean = self.state.memory.log.len() == self.mark;
        note(self);
        if clean {
            self.mark = self.state.memory.log.len();
        }
    }

    /// The values after the step, of an event that may have more than one access.
    fn settle(&mut self, object: &Object) {
        if is_shared(object) {
            super::event::settle(self.state, self.event);
            self.spend();
        }
    }

    fn load(&mut self, dst: Register, address: u64, kind: LoadKind, flags: Flags) -> Result<(), Exit> {
        let width = kind.width() as usize;
        let (at, object) = self.reach_waiting(address, 1 << width, false)?;
        self.name(&object, address, 1 << width, AccessKind::Read);
        let value = window(&self.state.memory.bytes, at) & MASKS[width];
        let taint = if object.undefined > 0 { self.state.memory.taint(at, MASKS[width]) } else { 0 };
        if is_shared(&object) {
            self.event.plain = !flags.has(Flags::ATOMIC) && self.atomic == 0;
            self.spend();
        }
        self.set(dst, kind.extend(value), if taint == 0 { 0 } else { kind.extend(taint) });
        self.next();
        Ok(())
    }

    fn store(&mut self, value: u64, taint: u64, address: u64, width: Width, flags: Flags) -> Result<(), Exit> {
        let (at, object) = self.reach(address, width.bytes(), true)?;
        self.name(&object, address, width.bytes(), AccessKind::Write);
        if is_shared(&object) {
            // Others may have written in between: to write again is to change something, even if it is the same.
            self.state.memory.remember(at);
        }
        self.put(&object, address, at, width, value, taint);
        if is_shared(&object) {
            self.event.plain = !flags.has(Flags::ATOMIC) && self.atomic == 0;
        }
        self.settle(&object);
        self.next();
        Ok(())
    }

    /// Writes a value, which is published where others can read it.
    fn put(&mut self, object: &Object, address: u64, at: usize, width: Width, value: u64, taint: u64) {
        let slot = split(address).0;
        self.state.memory.put(slot, at, width as usize, value);
        let mask = MASKS[width as usize];
        if taint & mask != 0 {
            self.state.memory.define(slot, at, mask, taint);
        }
        if width == Width::W64 && is_shared(object) {
            self.state.publish(value);
        }
    }

    fn modify(&mut self, op: Modify, width: Width, dst: Register, src: Register, address: u64) -> Result<(), Exit> {
        let (at, object) = self.reach_waiting(address, width.bytes(), true)?;
        self.name(&object, address, width.bytes(), AccessKind::Update);
        let mask = MASKS[width as usize];
        let old = wrap(window(&self.state.memory.bytes, at), width.bits());
        let taint = wrap(self.state.memory.taint(at, mask), width.bits());
        let (value, both) = (modify(op, width, old, self.get(src)), self.taint(src) | taint);
        self.put(&object, address, at, width, value, if both == 0 { 0 } else { u64::MAX });
        self.settle(&object);
        self.set(dst, old, taint);
        self.next();
        Ok(())
    }

    fn compare_exchange(&mut self, width: Width, registers: [Register; 4], address: u64) -> Result<(), Exit> {
        let [dst, success, expected, new] = registers;
        let (at, object) = self.reach_waiting(address, width.bytes(), true)?;
        let mask = MASKS[width as usize];
        let old = wrap(window(&self.state.memory.bytes, at), width.bits());
        if self.state.memory.taint(at, mask) | self.taint(expected) & mask != 0 {
            return Err(Exit::Fault(FaultKind::Uninitialised, [address as Value, Value::from(width.bytes())]));
        }
        let equal = (old ^ self.get(expected)) & mask == 0;
        if is_shared(&object) {
            self.event.varies = true;
        }
        if equal {
            self.name(&object, address, width.bytes(), AccessKind::Update);
            let (value, taint) = (self.get(new), self.taint(new));
            self.put(&object, address, at, width, value, taint);
        } else {
            self.name(&object, address, width.bytes(), AccessKind::Read);
        }
        self.settle(&object);
        self.set(dst, old, 0);
        self.set(success, u64::from(equal), 0);
        self.next();
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, length: u64, overlap: bool) -> Result<(), Exit> {
        if length == 0 {
            self.next();
            return Ok(());
        }
        let size = u32::try_from(length).map_err(|_| Exit::Fault(FaultKind::Bounds, [to as Value, length as Value]))?;
        let (from_at, source) = self.reach(from, size, false)?;
        let (to_at, target) = self.reach(to, size, true)?;
        let same = (to >> 32) == (from >> 32) && to != from;
        if !overlap && same && to_at.abs_diff(from_at) < length as usize {
            return Err(Exit::Fault(FaultKind::Misuse, [to as Value, from as Value]));
        }
        self.name(&source, from, size, AccessKind::Read);
        self.name(&target, to, size, AccessKind::Write);
        if is_shared(&target) {
            self.state.publish_range(from_at, length as usize);
        }
        self.state.memory.copy((split(to).0, to_at), (split(from).0, from_at), length as usize);
        self.finish_range(&source, &target);
        Ok(())
    }

    fn fill(&mut self, to: u64, byte: Register, length: u64) -> Result<(), Exit> {
        if length == 0 {
            self.next();
            return Ok(());
        }
        let size = u32::try_from(length).map_err(|_| Exit::Fault(FaultKind::Bounds, [to as Value, length as Value]))?;
        let (at, object) = self.reach(to, size, true)?;
        self.name(&object, to, size, AccessKind::Write);
        self.state.memory.fill(split(to).0, at, length as usize, self.get(byte) as u8);
        if self.taint(byte) & 0xff != 0 {
            self.state.memory.shade(split(to).0, at, length as usize, true);
        }
        self.finish_range(&object, &object);
        Ok(())
    }

    fn finish_range(&mut self, one: &Object, other: &Object) {
        if is_shared(one) || is_shared(other) {
            super::event::settle(self.state, self.event);
            self.event.plain = self.atomic == 0;
            self.spend();
        }
        self.next();
    }

    // ---- The stack

    fn alloca(&mut self, dst: Register, local: u32, count: u64) -> Result<(), Exit> {
        let bytes = u64::from(self.image.locals[local as usize].size).saturating_mul(count);
        if bytes > LARGEST_LOCAL || self.state.word(self.thread, word::STACK) >= MOST_LOCALS {
            return Err(Exit::Fault(FaultKind::StackOverflow, [bytes as Value, 0]));
        }
        let address = self.state.push_stack(self.image, self.thread, local, bytes as u32);
        self.set(dst, address, 0);
        self.next();
        Ok(())
    }

    fn life_start(&mut self, address: u64) -> Result<(), Exit> {
        let slot = split(address).0;
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        if matches!(object.kind, Kind::Stack(_)) {
            if object.shared && self.grant != Grant::Step {
                return Err(self.rest(Rest::Ready));
            }
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Write);
            self.state.renew(slot);
            self.settle(&object);
        }
        self.next();
        Ok(())
    }

    fn life_end(&mut self, address: u64) -> Result<(), Exit> {
        let slot = split(address).0;
        let object = self.state.memory.objects.get(slot).copied().unwrap_or(Object::NONE);
        if matches!(object.kind, Kind::Stack(_)) && object.life == Life::Live {
            if object.shared && self.grant != Grant::Step {
                return Err(self.rest(Rest::Ready));
            }
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Write);
            self.state.end_life(slot);
            self.settle(&object);
        }
        self.next();
        Ok(())
    }

    /// The thread's stack objects from `length` on go. Others notice where they could reach one.
    fn leave_scope(&mut self, length: u64) -> Result<(), Exit> {
        let thread = &self.state.threads[self.thread.index()];
        let positions = length as usize..self.state.word(self.thread, word::STACK) as usize;
        let slot = |position: usize| {
            let position = &thread.stack[position];
            position.slots[position.generation] as usize
        };
        let objects = &self.state.memory.objects;
        if positions.clone().map(slot).any(|slot| objects[slot].shared) {
            let shared: Vec<usize> = positions.map(slot).filter(|&slot| objects[slot].shared).collect();
            self.end_shared(&shared)?;
        }
        self.state.pop_stack(self.thread, length);
        Ok(())
    }

    /// Names shared objects whose life is about to end.
    fn end_shared(&mut self, slots: &[usize]) -> Result<(), Exit> {
        if slots.is_empty() {
            return Ok(());
        }
        if self.grant != Grant::Step {
            return Err(self.rest(Rest::Ready));
        }
        for &slot in slots {
            let object = self.state.memory.objects[slot];
            self.name(&object, join(slot, 0), object.size.max(1), AccessKind::Write);
        }
        self.spend();
        Ok(())
    }

    // ---- Calls

    fn return_many(&mut self, first: u32, count: u16) -> Result<(), Exit> {
        let frame = self.frame();
        if self.state.word(self.thread, word::STACK) > u64::from(frame.stack) {
            return self.leave_scope(u64::from(frame.stack));
        }
        let operands = &self.image.operands[first as usize..][..usize::from(count)];
        let results: Vec<(u64, u64)> =
            operands.iter().map(|operand| (self.get(operand.register), self.taint(operand.register))).collect();
        let thread = &mut self.state.threads[self.thread.index()];
        let depth = thread.frames.len() - 1;
        if depth == 0 {
            return Err(Exit::Returned(results.first().map_or(0, |result| result.0)));
        }
        thread.frames.pop();
        if depth - 1 < self.saved {
            self.copies.save(thread);
            self.saved = depth - 1;
        }
        let caller = self.frame();
        let (Instruction::Call { first, count, .. } | Instruction::CallIndirect { first, count, .. }) =
            self.image.code[caller.pc as usize]
        else {
            unreachable!("only calls have frames on top")
        };
        for (number, (value, taint)) in results.into_iter().enumerate() {
            let register = self.image.operands[first as usize + usize::from(count) + number].register;
            self.set(register, value, taint);
        }
        self.next();
        Ok(())
    }

    fn call_indirect(&mut self, callee: Register, signature: u32, first: u32, count: u16) -> Result<(), Exit> {
        self.decide(&[callee])?;
        let address = self.get(callee);
        let detail = [address as Value, 0];
        let kind = self.state.memory.object(address).map_or(Kind::Null, |object| object.kind);
        let Kind::Function(function) = kind else {
            let kind = if address == 0 { FaultKind::NullPointer } else { FaultKind::InvalidPointer };
            return Err(Exit::Fault(kind, detail));
        };
        if address as u32 != 0 {
            return Err(Exit::Fault(FaultKind::InvalidPointer, detail));
        }
        let called = &self.image.functions[function as usize];
        if !called.signature.accepts(&self.image.signatures[signature as usize], usize::from(count)) {
            return Err(Exit::Fault(FaultKind::Misuse, detail));
        }
        if self.fuel == 0 {
            return Err(Exit::OutOfFuel);
        }
        self.fuel -= 1;
        let operands = &self.image.operands[first as usize..][..usize::from(called.parameters.min(count))];
        let arguments: Vec<(u64, u64)> =
            operands.iter().map(|operand| (self.get(operand.register), self.taint(operand.register))).collect();
        let stack = self.state.word(self.thread, word::STACK) as u32;
        let thread = &mut self.state.threads[self.thread.index()];
        if !enter(thread, self.image, function, stack) {
            return Err(Exit::Fault(FaultKind::StackOverflow, [thread.frames.len() as Value, 0]));
        }
        let base = self.frame().base as usize;
        let thread = &mut self.state.threads[self.thread.index()];
        for (number, (value, taint)) in arguments.into_iter().enumerate() {
            thread.registers[base + number] = value;
            if let Some(old) = thread.taints.get_mut(base + number) {
                *old = taint;
            }
        }
        Ok(())
    }

    fn atomic_begin(&mut self) -> Result<(), Exit> {
        if self.atomic == 0 {
            let blocks = self.blocking.get(self.frame().function as usize).copied().unwrap_or(true);
            if self.grant != Grant::Step {
                return Err(self.rest(if blocks { Rest::Atomic } else { Rest::Ready }));
            }
            self.event.varies = true;
            self.event.can_block = blocks;
        }
        self.atomic += 1;
        self.next();
        Ok(())
    }

    fn atomic_end(&mut self) -> Result<(), Exit> {
        if self.atomic == 0 {
            return Err(Exit::Fault(FaultKind::Misuse, [0; 2]));
        }
        self.atomic -= 1;
        if self.atomic == 0 {
            super::event::settle(self.state, self.event);
        }
        self.spend();
        self.next();
        Ok(())
    }

    /// A call of a modelled function.
    fn native(&mut self, native: Native, count: u16, dst: Register, first: u32, shape: u32) -> Result<(), Exit> {
        let frame = self.frame();
        if native == Native::ThreadJoin && self.join(&frame, dst, first) {
            return Ok(());
        }
        if self.state.is(self.thread, state::CAREFUL) && native != Native::ThreadEnd {
            let operands = &self.image.operands[first as usize..][..usize::from(count)];
            let registers: Vec<Register> = operands.iter().map(|operand| operand.register).collect();
            self.decide(&registers)?;
        }
        let site = SiteId::new(self.image.places[frame.pc as usize] as usize);
        let place = Place { thread: self.thread, frame, first, count: u32::from(count), shape, site };
        self.state.holder = None;
        let mut call = Call {
            image: self.image,
            state: self.state,
            event: self.event,
            choices: self.choices,
            place,
            grant: self.grant,
        };
        let answer = library::call(&mut call, native);
        while let Some(thread) = self.state.newborn.pop() {
            self.begin(thread);
        }
        match answer {
            Ok(Flow::Done(value)) => {
                self.settle_call();
                self.frame_mut().phase = 0;
                self.set(dst, value, 0);
                self.next();
                Ok(())
            }
            Ok(Flow::Again(phase)) => {
                self.settle_call();
                self.frame_mut().phase = phase;
                Ok(())
            }
            Ok(Flow::EndThread(value)) => Err(Exit::Ended(value)),
            Ok(Flow::EndProgram) => Err(self.end_program()),
            Ok(Flow::Discard) => Err(Exit::Discarded),
            Err(Stop::Rests) => Err(self.rest(Rest::Native)),
            Err(Stop::Blocked) if self.grant != Grant::Step => Err(self.rest(Rest::Native)),
            Err(Stop::Blocked) => Err(Exit::Blocked),
            Err(Stop::Chooses) => Err(self.rest(Rest::Urgent)),
            Err(Stop::Fault(kind, detail)) => Err(Exit::Fault(kind, detail)),
        }
    }

    /// The most common call, without a detour: joins a thread that has ended, whose result nobody wants. False, and nothing done,
    /// where there is more to it; then the library does it.
    #[inline]
    fn join(&mut self, frame: &Frame, dst: Register, first: u32) -> bool {
        let registers = &mut self.state.threads[self.thread.index()].registers[frame.base as usize..];
        let operand = |number: usize| self.image.operands[first as usize + number].register.index();
        let (handle, result) = (registers[operand(0)], registers[operand(1)]);
        let Some(thread) = self.state.by_handle(handle) else { return false };
        let states = self.state.word(thread, word::STATE);
        let plain = states == state::STARTED | state::ENDED && result == 0 && thread != self.thread;
        if !plain || self.grant != Grant::Step || self.atomic != 0 || self.state.is(self.thread, state::CAREFUL) {
            return false;
        }
        let handle = self.state.threads[thread.index()].handle as usize;
        let location = LocationId::new(self.state.memory.objects[handle].first as usize);
        self.event.accesses.push(Access { location, kind: AccessKind::Update, before: 0, after: 0 });
        self.state.set_word(thread, word::STATE, states | state::JOINED);
        self.state.joins(self.thread, thread);
        self.event.joined = Some(thread);
        self.grant = Grant::Nothing;
        let caller = &mut self.state.threads[self.thread.index()];
        caller.registers[frame.base as usize + dst.index()] = 0;
        if let Some(top) = caller.frames.last_mut() {
            top.pc += 1;
        }
        true
    }

    fn settle_call(&mut self) {
        if self.grant != Grant::Nothing {
            super::event::settle(self.state, self.event);
        }
        self.spend();
    }

    /// The program ends. Where no other thread can be running, that is the end of the last thread; otherwise others notice.
    fn end_program(&mut self) -> Exit {
        let main = self.thread == ProcessId::new(0);
        if main && self.state.word(self.thread, word::BALANCE) == 0 {
            return Exit::Ended(0);
        }
        if self.grant != Grant::Step {
            return self.rest(Rest::Ready);
        }
        Exit::Halted
    }

    /// The thread ends, if others would not notice or the step is granted.
    #[inline]
    pub(crate) fn end_thread(&mut self, result: u64) -> Result<(), Exit> {
        if !self.state.threads[self.thread.index()].thread_locals.is_empty() {
            self.end_thread_locals()?;
        }
        if self.state.word(self.thread, word::STACK) > 0 {
            self.leave_scope(0)?;
        }
        if result != 0 {
            self.state.publish(result);
            self.state.set_word(self.thread, word::RESULT, result);
        }
        self.state.mark(self.thread, state::ENDED);
        Ok(())
    }

    #[cold]
    fn end_thread_locals(&mut self) -> Result<(), Exit> {
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

/// Whether others can reach an object, or could while it lived.
fn is_shared(object: &Object) -> bool {
    object.shared || matches!(object.kind, Kind::Global(_) | Kind::Library)
}
