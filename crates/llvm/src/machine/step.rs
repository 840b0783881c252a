//! Taking a step, and taking it back.

use mazurka_trace::{Access, AccessKind, Ending, Event, Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use crate::library::misuse::Misuse;

use super::call::Grant;
use super::joins::own_site;
use super::pasts::{Past, Side};
use super::thread::{Rest, state, word};
use super::turn::{Exit, Fuse, Turn};
use super::{CMachine, Record, notes};

/// What a step is taken for.
pub(super) mod purpose {
    /// For itself.
    pub(in crate::machine) const STEP: u8 = 0;
    /// To see whether it blocks; then it is left half done and waits to be taken back.
    pub(in crate::machine) const TRIAL: u8 = 1;
}

/// The most arguments that a thread's first function takes.
pub(super) const MOST_ARGUMENTS: usize = 4;

impl Turn<'_> {
    /// Lets a new thread run up to its first visible operation. Where it fails before that, the
    /// failure is an event of its own: others can fail first. What does not end is left for an
    /// local step.
    pub(super) fn begin(&mut self, thread: ProcessId) {
        let log = self.state.memory.log.len();
        let function = self.state.word(thread, word::FUNCTION) as u32;
        let parameters = usize::from(self.image.functions[function as usize].parameters).min(MOST_ARGUMENTS);
        let mut arguments = [0; MOST_ARGUMENTS];
        arguments[..parameters].copy_from_slice(&self.state.threads[thread.index()].registers[..parameters]);
        let mut turn = Turn {
            image: self.image,
            state: self.state,
            copies: self.copies,
            event: self.event,
            choices: &[],
            thread,
            grant: Grant::Nothing,
            blocking: self.blocking,
            atomic: 0,
            saved: 0,
            fuel: self.fuel,
            mark: log,
            watching: false,
            reads: 0,
            trial: false,
            fuse: Fuse::No,
            waits: self.waits,
        };
        let exit = turn.settle_end();
        match exit {
            Exit::Rests(Rest::Local) => {
                self.state.at_local.insert(thread);
            }
            Exit::Rests(_) => {}
            Exit::Ended(_) => self.state.live.remove(thread),
            exit => {
                self.state.undo(log);
                let this = &mut self.state.threads[thread.index()];
                this.frames.clear();
                this.taints.clear();
                super::frames::enter(this, self.image, function, 0);
                this.registers[..parameters].copy_from_slice(&arguments[..parameters]);
                if !matches!(exit, Exit::Fault(..)) {
                    this.frames[0].rest = Rest::Local;
                    self.state.at_local.insert(thread);
                }
            }
        }
    }

    /// Runs; where the thread's function returns, the thread ends, if it may.
    #[inline(always)]
    pub(super) fn settle_end(&mut self) -> Exit {
        match self.go() {
            Exit::Ended(result) => match self.end_thread(result) {
                Ok(()) => Exit::Ended(result),
                Err(exit) => exit,
            },
            exit => exit,
        }
    }
}

impl CMachine {
    /// Steps a thread, and keeps account of what synchronisation orders.
    #[cold]
    pub(super) fn advance_in_order(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let log = self.state.memory.log.len() as u32;
        let Some(&frame) = self.state.threads[process.index()].frames.last() else { not_live() };
        let mut frame = frame;
        self.order_before(process, &frame);
        self.advance::<{ purpose::STEP }>(process, choices, event, false);
        // The account is part of the step.
        if let Some(record) = self.records.last_mut() {
            record.log = log;
        }
        if let Fuse::Did(pc) = self.fuse {
            frame.pc = pc;
            self.order_as_write();
        }
        self.order_after(process, &frame, event);
    }

    /// Steps a thread. False where it blocks, which is only for a trial to find out.
    pub(super) fn advance<const PURPOSE: u8>(
        &mut self,
        process: ProcessId,
        choices: &[Value],
        event: &mut Event,
        trial: bool,
    ) -> bool {
        let thread = &self.state.threads[process.index()];
        let Some(&frame) = thread.frames.last() else { not_live() };
        event.begin(process, self.site(process, &frame));
        let at_local = frame.rest == Rest::Local;
        event.is_local = at_local;
        let mark = self.state.memory.log.len();
        let notes = if at_local { notes::WAS_URGENT } else { 0 };
        let past = thread.past;
        self.records.push(Record { process, log: mark as u32, copies: self.copies.len() as u32, notes, past });
        let depth = thread.frames.len() - 1;
        self.copies.save_frame(thread, frame, depth);
        let watching = !thread.watches.is_empty();
        if at_local {
            self.state.at_local.remove(process);
        }
        self.state.threads[process.index()].past = Past::default();
        let mut turn = Turn {
            image: &self.image,
            saved: depth,
            watching,
            reads: self.trial_reads,
            fuse: self.fuse,
            state: &mut self.state,
            copies: &mut self.copies,
            event,
            choices,
            thread: process,
            grant: if at_local { Grant::Choice } else { Grant::Step },
            blocking: &self.blocking,
            atomic: 0,
            fuel: self.fuel,
            mark,
            trial,
            waits: &self.waits,
        };
        let reached = if frame.rest == Rest::Join { turn.reach_ends() } else { Ok(()) };
        let exit = match reached {
            Ok(()) => turn.settle_end(),
            Err(exit) => exit,
        };
        if turn.watching {
            turn.tick();
        }
        self.fuse = turn.fuse;
        event.can_block |= frame.rest == Rest::Assume;
        if !event.spawned.is_empty() {
            self.note(notes::STARTED);
            for &child in &event.spawned {
                self.started.note(self.records.len() - 1, child);
                self.begin_past(child);
            }
        }
        match exit {
            Exit::Rests(Rest::Local) => self.alarm(process),
            Exit::Rests(_) => {}
            Exit::Ended(_) => self.end(process),
            // Whether it can run is a question about one step, not about each of its choices.
            Exit::Blocked if !event.choices.is_empty() => {
                let fault = Exit::Fault(FaultKind::Misuse, Misuse::WaitsAfterChoice.detail());
                self.fail(process, fault, event);
            }
            Exit::Blocked => {
                assert!(PURPOSE == purpose::TRIAL, "a thread that is not enabled was stepped");
                return false;
            }
            exit => self.fail(process, exit, event),
        }
        if self.state.is(process, state::CAREFUL) {
            self.relax(process);
        }
        true
    }

    /// A thread none of whose registers is undefined any more need not be careful any longer.
    #[cold]
    fn relax(&mut self, process: ProcessId) {
        let thread = &self.state.threads[process.index()];
        let used = thread.frames.last().map_or(0, |frame| (frame.base + frame.size) as usize);
        if thread.taints[..used].iter().all(|&taint| taint == 0) {
            let old = self.state.word(process, word::STATE);
            self.state.set_word(process, word::STATE, old & !state::CAREFUL);
        }
    }

    #[inline]
    fn note(&mut self, note: u32) {
        if let Some(record) = self.records.last_mut() {
            record.notes |= note;
        }
    }

    #[inline]
    pub(super) fn end(&mut self, process: ProcessId) {
        self.state.live.remove(process);
        self.note(notes::ENDED);
    }

    #[cold]
    fn alarm(&mut self, process: ProcessId) {
        self.state.at_local.insert(process);
        self.note(notes::IS_URGENT);
    }

    /// An exit that is neither a rest nor a thread's end.
    #[cold]
    fn fail(&mut self, process: ProcessId, exit: Exit, event: &mut Event) {
        match exit {
            Exit::Discarded => {
                event.ending = Ending::Discards;
                self.state.loses_ends = true;
                self.end(process);
            }
            Exit::Fault(kind, detail) => self.fault(process, kind, detail, event),
            Exit::Halted => self.halt(process, Ending::Halts, event),
            Exit::OutOfFuel => self.halt(process, Ending::OutOfFuel, event),
            Exit::Rests(_) | Exit::Pauses | Exit::Careful | Exit::Returned(_) | Exit::Ended(_) | Exit::Blocked => {
                unreachable!("handled before")
            }
        }
    }

    /// Where a thread stands: in the innermost frame of the user's own code, if there is one.
    fn fault_site(&self, process: ProcessId) -> SiteId {
        let frames = &self.state.threads[process.index()].frames;
        let join = frames.last().filter(|frame| frame.rest == Rest::Join).and_then(|_| self.state.join_site(process));
        join.unwrap_or_else(|| own_site(&self.image, frames))
    }

    /// A fault ends the execution; in a local step, it ends the thread.
    fn fault(&mut self, process: ProcessId, kind: FaultKind, detail: [Value; 2], event: &mut Event) {
        let site = self.fault_site(process);
        event.faults.push(Fault { kind, process, site, detail });
        if event.is_local {
            event.ending = Ending::Fails;
            self.state.loses_ends = true;
            self.end(process);
        } else {
            self.halt(process, Ending::Halts, event);
        }
    }

    /// Nothing is to be stepped any more.
    fn halt(&mut self, process: ProcessId, ending: Ending, event: &mut Event) {
        event.ending = ending;
        // The first location is no part of the program's memory.
        let location = LocationId::new(0);
        event.accesses.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
        if self.records.last().is_some_and(|record| record.notes & notes::WAS_URGENT != 0) {
            self.alarm(process);
        }
    }

    /// See `Machine::rewind`.
    #[inline]
    pub(super) fn take_back(&mut self, steps: usize) {
        self.forget_steps(steps);
        while self.records.len() > steps {
            let Some(record) = self.records.pop() else { return };
            self.state.undo(record.log as usize);
            let thread = &mut self.state.threads[record.process.index()];
            thread.past = record.past;
            if record.notes & notes::KNOWN != 0 {
                self.pasts.put(record.copies, Side::Before, &mut thread.frames, &mut thread.registers);
            } else {
                self.copies.restore(thread, record.copies as usize);
            }
            if record.notes & notes::ENDED != 0 {
                self.state.live.insert(record.process);
            }
            if record.notes & notes::RARE != 0 {
                self.restore(record);
            }
        }
    }

    #[cold]
    fn restore(&mut self, record: Record) {
        if record.notes & notes::IS_URGENT != 0 {
            self.state.at_local.remove(record.process);
        }
        if record.notes & notes::WAS_URGENT != 0 {
            self.state.at_local.insert(record.process);
        }
        while let Some(child) = self.started.take_back(self.records.len()) {
            self.state.live.remove(child);
            self.state.at_local.remove(child);
            self.state.threads[child.index()].frames.clear();
        }
    }
}

#[cold]
fn not_live() -> ! {
    panic!("a thread that is not live was asked to step")
}
