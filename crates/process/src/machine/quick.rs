//! The short way through a step that is one plain instruction: one change, one access.
//!
//! It leaves out the interpreter, and its change is kept in the step's record instead of the log. No path through it
//! calls a function that returns, so that the compiler keeps everything in registers: about a third of the machine
//! instructions of the ordinary way.

use mazurka_trace::{Access, AccessKind, Event, LocationId, Value};

use crate::code::{FREE, Instruction, Quick};

use super::interpreter::HEADER;
use super::step::At;
use super::{ProcessMachine, Record, notes};

impl ProcessMachine {
    /// Takes a step that is marked as quick. False, and nothing done, where it has to go the ordinary way after all.
    #[inline(always)]
    pub(super) fn quick_step(&mut self, at: At, event: &mut Event) -> bool {
        if event.accesses.capacity() == 0 || self.records.len() == self.records.capacity() {
            return false;
        }
        let At { process, frame, pc, .. } = at;
        let Some(&instruction) = self.image.code.get(pc + 1) else { return false };
        let me = process.index() as Value;
        match instruction {
            Instruction::LocalToGlobal { global, local } => {
                let value = self.state.memory[frame + HEADER + local as usize];
                self.quick_write(at, global, value, AccessKind::Write, event)
            }
            Instruction::ConstantToGlobal(global, value) => {
                self.quick_write(at, global, value, AccessKind::Write, event)
            }
            Instruction::AddToGlobal(global, constant) => {
                let Some(sum) = self.state.memory[global as usize].checked_add(constant) else { return false };
                self.quick_write(at, global, sum, AccessKind::Update, event)
            }
            Instruction::GlobalToLocal { local, global } => self.quick_read(at, global, local, event),
            Instruction::Lock(mutex) => self.quick_mutex(at, mutex, FREE, me, event),
            Instruction::Unlock(mutex) => self.quick_mutex(at, mutex, me, FREE, event),
            _ => false,
        }
    }

    #[inline(always)]
    fn quick_write(&mut self, at: At, global: u32, value: Value, kind: AccessKind, event: &mut Event) -> bool {
        let old = self.state.memory[global as usize];
        record(at, global, kind, old, value, event);
        self.rest(at, global, old, value)
    }

    #[inline(always)]
    fn quick_read(&mut self, at: At, global: u32, local: u32, event: &mut Event) -> bool {
        let slot = at.frame + HEADER + local as usize;
        let value = self.state.memory[global as usize];
        let old = self.state.memory[slot];
        record(at, global, AccessKind::Read, value, value, event);
        self.rest(at, slot as u32, old, value)
    }

    #[inline(always)]
    fn quick_mutex(&mut self, at: At, mutex: u32, before: Value, after: Value, event: &mut Event) -> bool {
        if self.state.memory[mutex as usize] != before {
            return false;
        }
        let kind = if before == FREE { AccessKind::Acquire } else { AccessKind::Release };
        record(at, mutex, kind, before, after, event);
        event.can_block = at.stop.can_block;
        event.locks = at.stop.locks;
        self.rest(at, mutex, before, after)
    }

    /// Makes the one change, lets the process rest after its one instruction, and remembers both.
    #[inline(always)]
    fn rest(&mut self, at: At, slot: u32, old: Value, new: Value) -> bool {
        let At { process, frame, pc, stop } = at;
        self.state.memory[slot as usize] = new;
        self.state.memory[frame] = pc as Value + 2;
        let ends = stop.quick == Quick::ThenEnd;
        let notes = notes::QUICK | if ends { notes::ENDED } else { 0 };
        let (pc, frame, log) = (pc as u32, frame as u32, self.state.log.len() as u32);
        self.records.push(Record { process, frame, pc, log, notes, slot, old });
        if ends {
            self.live.remove(process);
        }
        true
    }

    /// Takes the last step back if it was a quick one. False, and nothing done, where it was not.
    #[inline(always)]
    pub(super) fn quick_back(&mut self, steps: usize) -> bool {
        let Some(&record) = self.records.last() else { return false };
        if self.records.len() != steps + 1 || self.tracker.synced() > steps || record.notes & notes::QUICK == 0 {
            return false;
        }
        self.records.truncate(steps);
        self.state.memory[record.slot as usize] = record.old;
        self.state.memory[record.frame as usize] = Value::from(record.pc);
        if record.notes & notes::ENDED != 0 {
            self.live.insert(record.process);
        }
        true
    }
}

#[inline(always)]
fn record(at: At, location: u32, kind: AccessKind, before: Value, after: Value, event: &mut Event) {
    event.begin(at.process, at.stop.site);
    event.accesses.push(Access { location: LocationId::new(location as usize), kind, before, after });
}
