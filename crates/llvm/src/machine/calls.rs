//! Calls: through pointers, of modelled functions, and what ends a thread or the program; atomic
//! blocks.

use mazurka_trace::{FaultKind, Value};

use crate::code::instruction::{Instruction, Register};
use crate::library;
use crate::library::misuse::Misuse;
use crate::native::Native;

use super::call::{Call, Flow, Grant, Place, Stop};
use super::event::settle;
use super::frames::enter;
use super::object::{Kind, Life};
use super::thread::{Rest, state, word};
use super::turn::{Exit, Turn};

impl Turn<'_> {
    pub(super) fn return_many(&mut self, first: u32, count: u16) -> Result<(), Exit> {
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

    pub(super) fn call_indirect(
        &mut self,
        callee: Register,
        signature: u32,
        first: u32,
        count: u16,
    ) -> Result<(), Exit> {
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
            return Err(Exit::Fault(FaultKind::Misuse, Misuse::FunctionType.detail()));
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

    pub(super) fn atomic_begin(&mut self) -> Result<(), Exit> {
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

    pub(super) fn atomic_end(&mut self) -> Result<(), Exit> {
        if self.atomic == 0 {
            return Err(Exit::Fault(FaultKind::Misuse, Misuse::NoSection.detail()));
        }
        self.atomic -= 1;
        if self.atomic == 0 {
            if self.watching {
                self.watch_accesses(0);
            }
            settle(self.state, self.event);
        }
        self.spend();
        self.next();
        Ok(())
    }

    /// A call of a modelled function.
    pub(super) fn native(
        &mut self,
        native: Native,
        count: u16,
        dst: Register,
        first: u32,
        shape: u32,
    ) -> Result<(), Exit> {
        let frame = self.frame();
        if self.state.is(self.thread, state::CAREFUL) && native != Native::ThreadEnd {
            let operands = &self.image.operands[first as usize..][..usize::from(count)];
            let registers: Vec<Register> = operands.iter().map(|operand| operand.register).collect();
            self.decide(&registers)?;
        }
        let place = Place { thread: self.thread, frame, first, count: u32::from(count), shape };
        self.state.holder = None;
        let before = self.before_call();
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
                if self.watching {
                    self.watch_call(native, frame.rest, place, (before, value));
                }
                self.settle_call();
                self.frame_mut().phase = 0;
                self.set(dst, value, 0);
                self.next();
                Ok(())
            }
            Ok(Flow::Again(phase)) => {
                if self.watching && native.has_time_limit() {
                    self.pass_over(before);
                }
                self.settle_call();
                self.frame_mut().phase = phase;
                Ok(())
            }
            Ok(Flow::EndThread(value)) => self.exit_thread(value),
            Ok(Flow::EndProgram) => Err(self.end_program()),
            Ok(Flow::Discard) => Err(Exit::Discarded),
            Err(Stop::Rests) if self.waits.may_wait(frame.pc) && self.may_wait() => Err(self.rest(Rest::Await)),
            Err(Stop::Rests) => Err(self.rest(Rest::Native)),
            Err(Stop::Blocked) if self.grant != Grant::Step => Err(self.rest(Rest::Native)),
            Err(Stop::Blocked) => Err(Exit::Blocked),
            Err(Stop::Chooses) => Err(self.rest(Rest::Local)),
            Err(Stop::Fault(kind, detail)) => Err(Exit::Fault(kind, detail)),
        }
    }

    pub(super) fn settle_call(&mut self) {
        if self.grant != Grant::Nothing {
            settle(self.state, self.event);
        }
        self.spend();
    }

    /// The thread ends itself. First the library does what it has to do at the end of a thread.
    /// Then the call is run again, in its second phase. A destructor that ends the thread once more
    /// has a frame of its own, and the destructors that are left run from there.
    fn exit_thread(&mut self, result: u64) -> Result<(), Exit> {
        let Some(function) = self.library_finish().filter(|_| self.frame().phase == 0) else {
            return Err(Exit::Ended(result));
        };
        self.frame_mut().phase = 1;
        if self.finish_by(function, result) { Ok(()) } else { Err(Exit::Ended(result)) }
    }

    /// Calls what the library has to do when a thread's function returns, once. False where there
    /// is nothing to do.
    #[inline]
    pub(super) fn finish(&mut self, result: u64) -> bool {
        match self.library_finish() {
            Some(function) if !self.state.is(self.thread, state::FINISHING) => self.finish_by(function, result),
            _ => false,
        }
    }

    /// What the library has to do when the thread ends. Thread-local variables tell it, all of them
    /// zero at first: there is nothing to do for a thread that has not used any in this execution.
    /// So the answer depends on the thread's own past alone.
    #[inline]
    fn library_finish(&self) -> Option<u32> {
        let objects = &self.state.memory.objects;
        let used = |&(_, slot): &(u32, u32)| objects[slot as usize].life != Life::Unborn;
        self.image.thread_finish.filter(|_| self.state.threads[self.thread.index()].thread_locals.iter().any(used))
    }

    #[cold]
    fn finish_by(&mut self, function: u32, result: u64) -> bool {
        self.state.mark(self.thread, state::FINISHING);
        self.state.set_word(self.thread, word::RESULT, result);
        let stack = self.state.word(self.thread, word::STACK) as u32;
        enter(&mut self.state.threads[self.thread.index()], self.image, function, stack)
    }
}
