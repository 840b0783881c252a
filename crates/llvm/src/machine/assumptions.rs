//! Assumptions about what was just read.
//!
//! `__VERIFIER_assume(load(&x) == 1)`: where the assumption would fail right after an atomic
//! access, the thread waits before the access until it would not, instead of doing it and being
//! discarded. Such a step is *disabled*; whether it is, a trial tells. Only an access that leaves
//! memory as it was waits: what a read-modify-write left would be there for others.
//!
//! **What is left out.** Executions in which the step is done and the assumption fails. They are
//! discarded anyway, and a fault in them counts only if it does not happen after the failed
//! assumption. Nobody notices the step. Without it, such an execution is still one of the program,
//! with the thread a little slower, and it has the same faults that count. At its end the thread
//! still waits: then the execution is discarded (`Run::assumes`), and is no deadlock. Deadlocks of
//! others beside it were discarded before as well. Accesses that are not atomic are left as they
//! are, since what races with them is a failure whatever is assumed afterwards.
//!
//! What enables the step is what it reads, which the disabled step names. Which accesses these are
//! is a matter of the code alone.

use mazurka_trace::{Access, Ending, Event, ProcessId};
use rustc_hash::FxHashSet;

use crate::code::Image;
use crate::code::instruction::Instruction;
use crate::code::operator::Flags;
use crate::native::Native;

use super::CMachine;
use super::step::purpose::TRIAL;
use super::thread::Rest;
use super::waits::next;

/// So many instructions after an access are looked at.
const MOST_INSTRUCTIONS: usize = 100;

/// The atomic accesses after which an assumption comes before any other call.
pub(super) fn accesses_before_assumptions(image: &Image) -> FxHashSet<u32> {
    if !image.calls(Native::Assume) {
        return FxHashSet::default();
    }
    let atomic = |pc: &usize| match image.code[*pc] {
        Instruction::Load { flags, .. } | Instruction::LoadAt { flags, .. } => flags.has(Flags::ATOMIC),
        Instruction::Modify { .. } | Instruction::ModifyAt { .. } | Instruction::CompareExchange { .. } => true,
        _ => false,
    };
    let accesses = (0..image.code.len()).filter(atomic).filter(|&pc| leads_to_assumption(image, pc));
    accesses.map(|pc| pc as u32).collect()
}

fn leads_to_assumption(image: &Image, access: usize) -> bool {
    let (mut seen, mut todo) = (FxHashSet::default(), Vec::new());
    next(image, access, |to| todo.push(to));
    while let Some(pc) = todo.pop() {
        if seen.len() > MOST_INSTRUCTIONS || !seen.insert(pc) {
            continue;
        }
        match image.code[pc] {
            Instruction::Native { native: Native::Assume, .. } => return true,
            Instruction::Native { .. }
            | Instruction::Call { .. }
            | Instruction::CallIndirect { .. }
            | Instruction::AtomicBegin => {}
            _ => next(image, pc, |to| todo.push(to)),
        }
    }
    false
}

impl CMachine {
    /// Whether a thread before such an access can be stepped without failing the assumption;
    /// `failed` is told of the disabled step where it cannot.
    pub(super) fn can_assume(&mut self, process: ProcessId, failed: impl FnOnce(&Event)) -> bool {
        let mut event = std::mem::take(&mut self.scratch);
        let (steps, loses_ends) = (self.records.len(), self.state.loses_ends);
        self.advance::<TRIAL>(process, &[], &mut event, false);
        // What a choice of data leads to, the explorer finds out.
        let discards = event.ending == Ending::Discards || self.is_at_failed_assumption(process);
        let changes = |access: &Access| !access.kind.is_read() && access.before != access.after;
        let fails = discards && event.choices.is_empty() && !event.accesses.iter().any(changes);
        self.take_back(steps);
        self.state.loses_ends = loses_ends;
        if fails {
            failed(&event);
        }
        self.scratch = event;
        !fails
    }

    /// Whether a thread rests before an assumption: that is an event only where it fails.
    fn is_at_failed_assumption(&self, process: ProcessId) -> bool {
        self.state.threads[process.index()].frames.last().is_some_and(|frame| {
            let assumes =
                matches!(self.image.code[frame.pc as usize], Instruction::Native { native: Native::Assume, .. });
            assumes && frame.rest == Rest::Native
        })
    }

    /// See `Run::assumes`.
    pub(super) fn is_before_assumption(&self, process: ProcessId) -> bool {
        self.state.threads[process.index()].frames.last().is_some_and(|frame| frame.rest == Rest::Assume)
    }
}
