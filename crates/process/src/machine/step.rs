//! Taking a step, and taking it back.

use mazurka_trace::{Access, AccessKind, Ending, Event, Fault, FaultKind, LocationId, ProcessId, Value};

use crate::code::{DISCARDED, Instruction};

use super::interpreter::{Activation, Exit, resume, run, run_through};
use super::state::burn;
use super::{ProcessMachine, Record, not_live, notes};
use purpose::{CONCLUSION, TRIAL};

/// So many processes a step spawns without further cost; each one more uses up as much fuel as so
/// many instructions, since a process takes memory for ever.
const CHEAP_SPAWNS: usize = 1000;
const SPAWN_COST: u64 = 100;

/// What a step is taken for.
pub(super) mod purpose {
    /// For itself.
    pub(in crate::machine) const STEP: u8 = 0;
    /// To see whether it blocks; then it is left half done and waits to be taken back.
    pub(in crate::machine) const TRIAL: u8 = 1;
    /// It is the finally block, whose process is never live.
    pub(in crate::machine) const CONCLUSION: u8 = 2;
}

impl ProcessMachine {
    /// Steps a process. False where it blocks, which is only for a trial to find out.
    #[inline(never)]
    pub(super) fn advance<const PURPOSE: u8>(
        &mut self,
        process: ProcessId,
        choices: &[Value],
        event: &mut Event,
    ) -> bool {
        let frame = self.frame(process);
        let Self { image, state, .. } = self;
        let code = &image.code[..];
        let pc = state.memory[frame] as usize;
        let mut rest = code[pc..].iter();
        let Some(&Instruction::Stop(stop)) = rest.next() else { not_live() };
        event.begin(process, stop.site);
        event.is_local = stop.is_local;
        event.can_block = stop.can_block;
        event.locks = stop.locks;
        event.varies = stop.varies;
        let log = state.log.len() as u32;
        if stop.is_local {
            self.at_local.remove(process);
        }
        state.fuel = self.fuel;
        let activation = Activation { code, places: &image.places, process, frame, choices };
        let exit = run::<false>(activation, state, rest, 0, event);
        let mut notes = 0;
        if event.is_local {
            notes = notes::WAS_URGENT;
            // Local code uses nothing that others use; and the inputs of the initial state are
            // there before anybody can look.
            event.accesses.clear();
        }
        let mut record = Record { process, frame: frame as u32, pc: pc as u32, log, notes };
        match exit {
            Exit::Stopped(pc, false) => {
                state.memory[frame] = pc as Value;
                self.records.push(record);
                true
            }
            Exit::Ended(pc, false) => {
                state.memory[frame] = pc as Value;
                if PURPOSE != CONCLUSION {
                    self.live.remove(process);
                    record.notes |= notes::ENDED;
                }
                self.records.push(record);
                if event.is_local {
                    self.open(process, event);
                }
                true
            }
            exit => {
                self.records.push(record);
                self.go_on::<PURPOSE>(process, choices, exit, event)
            }
        }
    }

    /// Where it has chosen the inputs, all others are started.
    #[cold]
    fn open(&mut self, inputs: ProcessId, event: &mut Event) {
        if !self.image.bodies[self.body(inputs)].inputs {
            return;
        }
        for process in self.initial_others(inputs) {
            self.start(process);
            self.started.note(self.records.len() - 1, process);
            self.note(notes::STARTED);
            event.spawned.push(process);
        }
    }

    /// The rest of a step that is not over where the interpreter left it, or not over quite so
    /// plainly.
    #[cold]
    #[inline(never)]
    fn go_on<const PURPOSE: u8>(
        &mut self,
        process: ProcessId,
        choices: &[Value],
        mut exit: Exit,
        event: &mut Event,
    ) -> bool {
        let frame = self.frame(process);
        loop {
            exit = match exit {
                Exit::Stopped(pc, is_local) => {
                    self.state.memory[frame] = pc as Value;
                    if is_local {
                        self.alarm(process);
                    }
                    return true;
                }
                Exit::Ended(pc, locks) => {
                    if !locks || !self.keeps_a_mutex(process, pc as usize, event) {
                        self.state.memory[frame] = pc as Value;
                        self.end(process);
                    }
                    if event.is_local {
                        self.open(process, event);
                    }
                    return true;
                }
                Exit::Spawns(pc) if !self.spawn(process, pc as usize, event) => Exit::OutOfFuel(pc),
                Exit::Spawns(pc) => {
                    let (activation, state) = self.activation(process, choices);
                    run_through::<false>(activation, state, pc as usize + 1, event)
                }
                Exit::Pauses(pc) => {
                    let (activation, state) = self.activation(process, choices);
                    resume::<false>(activation, state, pc as usize, event)
                }
                Exit::Blocked(_) => {
                    self.state.stack.clear();
                    if PURPOSE != TRIAL {
                        self.refuse(process, event);
                    }
                    return false;
                }
                Exit::Discarded | Exit::Fault(_) | Exit::OutOfFuel(_) | Exit::Passes => {
                    self.fail(process, exit, event);
                    return true;
                }
            };
        }
    }

    /// A step that cannot be taken.
    #[cold]
    fn refuse(&mut self, process: ProcessId, event: &mut Event) {
        assert!(Some(process) == self.finale, "a process that is not enabled was stepped");
        let site = event.site;
        event.faults.push(Fault { kind: FaultKind::Deadlock, process, site, detail: [0; 2] });
        self.halt(process, Ending::Halts, event);
    }

    #[inline]
    fn note(&mut self, note: u32) {
        if let Some(record) = self.records.last_mut() {
            record.notes |= note;
        }
    }

    fn end(&mut self, process: ProcessId) {
        if Some(process) != self.finale {
            self.live.remove(process);
            self.note(notes::ENDED);
        }
    }

    #[cold]
    fn alarm(&mut self, process: ProcessId) {
        self.at_local.insert(process);
        self.note(notes::IS_URGENT);
    }

    /// Starts a process. False where a step that spawns very many has no fuel left for it.
    #[cold]
    fn spawn(&mut self, process: ProcessId, pc: usize, event: &mut Event) -> bool {
        if event.spawned.len() >= CHEAP_SPAWNS && !burn(&mut self.state.fuel, SPAWN_COST) {
            return false;
        }
        let Instruction::Spawn { body } = self.image.code[pc] else { unreachable!("stands at a spawn") };
        let child = self.start_child(process, body as usize);
        self.started.note(self.records.len() - 1, child);
        self.note(notes::STARTED);
        event.spawned.push(child);
        true
    }

    /// An exit that is neither of the ordinary ones.
    #[cold]
    fn fail(&mut self, process: ProcessId, exit: Exit, event: &mut Event) {
        self.state.stack.clear();
        match exit {
            Exit::Discarded => self.cut_short(process, Ending::Discards, event),
            Exit::Fault(pc) => {
                let (kind, detail) = self.state.trouble;
                let site = self.image.places[pc as usize];
                event.faults.push(Fault { kind, process, site, detail });
                self.end_by_fault(process, event);
            }
            Exit::OutOfFuel(_) => self.halt(process, Ending::OutOfFuel, event),
            Exit::Stopped(..)
            | Exit::Ended(..)
            | Exit::Spawns(_)
            | Exit::Pauses(_)
            | Exit::Passes
            | Exit::Blocked(_) => {
                unreachable!("handled before")
            }
        }
    }

    #[cold]
    fn cut_short(&mut self, process: ProcessId, ending: Ending, event: &mut Event) {
        let frame = self.frame(process);
        self.state.memory[frame] = DISCARDED as Value;
        event.ending = ending;
        self.end(process);
    }

    /// A fault ends the execution; in a local step, it ends the process.
    fn end_by_fault(&mut self, process: ProcessId, event: &mut Event) {
        if event.is_local {
            self.cut_short(process, Ending::Fails, event);
        } else {
            self.halt(process, Ending::Halts, event);
        }
    }

    /// The process stays where the step began; nothing is to be stepped any more.
    fn halt(&mut self, process: ProcessId, ending: Ending, event: &mut Event) {
        event.ending = ending;
        // Beside what else it accessed there.
        let location = LocationId::new(0);
        event.accesses.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
        if self.records.last().is_some_and(|record| record.notes & notes::WAS_URGENT != 0) {
            self.alarm(process);
        }
    }

    /// Where the process holds a mutex at its end, that is a fault. Costs a look at every mutex.
    fn keeps_a_mutex(&mut self, process: ProcessId, end: usize, event: &mut Event) -> bool {
        let owner = process.index() as Value;
        let mutexes = &self.state.memory[self.image.mutexes..self.image.locations()];
        let Some(kept) = mutexes.iter().position(|&holder| holder == owner) else { return false };
        let detail = [(self.image.mutexes + kept) as Value, owner];
        let site = self.image.places[end];
        event.faults.push(Fault { kind: FaultKind::Lock, process, site, detail });
        self.end_by_fault(process, event);
        true
    }

    /// See `Run::conclude`. The finally block runs once, as a process of its own that is never
    /// live.
    pub(super) fn run_finally(&mut self, event: &mut Event) -> bool {
        let Some(finale) = self.finale else { return false };
        if !matches!(self.image.code[self.pc(finale)], Instruction::Stop(_)) {
            return false;
        }
        self.advance::<CONCLUSION>(finale, &[], event);
        true
    }

    /// See `Machine::rewind`. Mostly it is one ordinary step.
    #[inline]
    pub(super) fn take_back(&mut self, steps: usize) {
        if let [.., record] = self.records[..]
            && self.records.len() == steps + 1
            && record.notes & notes::RARE == 0
        {
            self.records.truncate(steps);
            self.state.undo(record.log as usize);
            self.state.memory[record.frame as usize] = Value::from(record.pc);
            if record.notes & notes::ENDED != 0 {
                self.live.insert(record.process);
            }
        } else {
            self.take_back_any(steps);
        }
    }

    #[inline(never)]
    fn take_back_any(&mut self, steps: usize) {
        while self.records.len() > steps {
            let Some(record) = self.records.pop() else { return };
            self.state.undo(record.log as usize);
            self.state.memory[record.frame as usize] = Value::from(record.pc);
            self.restore(record);
        }
    }

    /// Undoes what a step did to the sets. The record has been popped.
    #[inline]
    fn restore(&mut self, record: Record) {
        if record.notes & notes::ENDED != 0 {
            self.live.insert(record.process);
        }
        if record.notes & notes::RARE != 0 {
            self.restore_rarely(record);
        }
    }

    #[cold]
    fn restore_rarely(&mut self, record: Record) {
        if record.notes & notes::IS_URGENT != 0 {
            self.at_local.remove(record.process);
        }
        if record.notes & notes::WAS_URGENT != 0 {
            self.at_local.insert(record.process);
        }
        while let Some(child) = self.started.take_back(self.records.len()) {
            debug_assert!(record.notes & notes::STARTED != 0);
            self.live.remove(child);
            self.at_local.remove(child);
        }
    }
}
