//! Instructions that take more than the loop can do, one at a time: which they are, and what they
//! have in common.

use mazurka_trace::FaultKind;

use crate::code::instruction::{Instruction, Order, Register};

use super::call::Grant;
use super::frames::be_careful;
use super::interpreter::run;
use super::thread::{Frame, Rest, state, word};
use super::turn::{Exit, Turn};

impl Turn<'_> {
    /// Runs until the thread rests, ends or fails.
    #[inline(always)]
    pub(crate) fn go(&mut self) -> Exit {
        let mut careful = self.state.is(self.thread, state::CAREFUL);
        let frame = self.frame();
        if frame.rest != Rest::Ready
            && let Instruction::Native { native, count, dst, first, shape } = self.image.code[frame.pc as usize]
            && !self.lock_at_once(native, dst, first, frame)
            && let Err(exit) = self.native(native, count, dst, first, shape)
        {
            return exit;
        }
        loop {
            let exit = if careful { run::<true>(self) } else { run::<false>(self) };
            match exit {
                Exit::Pauses => {
                    if let Err(exit) = self.single() {
                        return if exit == Exit::Rests(Rest::Native) { self.rest_before_call() } else { exit };
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
                Exit::Rests(Rest::Native) => return self.rest_before_call(),
                exit => return exit,
            }
        }
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
    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.state.threads[self.thread.index()].frames.last_mut().expect("a thread that runs has a frame")
    }

    pub(super) fn get(&self, register: Register) -> u64 {
        let thread = &self.state.threads[self.thread.index()];
        thread.registers[self.frame().base as usize + register.index()]
    }

    pub(super) fn taint(&self, register: Register) -> u64 {
        let thread = &self.state.threads[self.thread.index()];
        thread.taints.get(self.frame().base as usize + register.index()).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, register: Register, value: u64, taint: u64) {
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
    pub(super) fn decide(&self, registers: &[Register]) -> Result<(), Exit> {
        match registers.iter().any(|&register| self.taint(register) != 0) {
            true => Err(Exit::Fault(FaultKind::Uninitialised, [0; 2])),
            false => Ok(()),
        }
    }

    pub(super) fn next(&mut self) {
        self.frame_mut().pc += 1;
    }

    pub(crate) fn rest(&mut self, rest: Rest) -> Exit {
        self.frame_mut().rest = rest;
        Exit::Rests(rest)
    }

    /// The visible operation has been done.
    pub(super) fn spend(&mut self) {
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
            Instruction::Modify { op, width, order, dst, base, src, offset } => {
                self.decide(&[base])?;
                self.modify(op, width, wanted(dst, order), src, self.get(base).wrapping_add(offset as u64))
            }
            Instruction::ModifyAt { op, width, order, dst, src, address } => {
                self.modify(op, width, wanted(dst, order), src, address)
            }
            Instruction::CompareExchange { width, dst, success, base, expected, new, offset, .. } => {
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
                self.state.publish(self.thread, self.get(src));
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
            Instruction::Fence { order } => {
                if let Some(known) = &mut self.state.order {
                    known.note_fence(self.thread, order);
                }
                self.next();
                Ok(())
            }
            Instruction::AtomicBegin => self.atomic_begin(),
            Instruction::AtomicEnd => self.atomic_end(),
            other => unreachable!("{other:?} is done by the loop"),
        }
    }
}

/// The register for the value that a read-modify-write finds, if somebody uses it. Otherwise a
/// thread's state would depend on a value that does not matter.
fn wanted(dst: Register, order: Order) -> Option<Register> {
    (!order.has(Order::UNUSED)).then_some(dst)
}
