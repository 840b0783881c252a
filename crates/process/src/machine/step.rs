//! Taking a step, and taking it back.

use mazurka_trace::{AccessKind, Ending, Event, Fault, FaultKind, ProcessId, Value};

use crate::code::{DISCARDED, Instruction};

use super::interpreter::{Activation, Exit, run};
use super::{ProcessMachine, Record, notes};

impl ProcessMachine {
    /// See `Run::step`. A choice that leaves the step blocked, where another would not, discards the execution.
    #[inline]
    pub(super) fn take_step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        if !self.advance(process, choices, event) {
            assert!(!event.choices.is_empty(), "a process that is not enabled was stepped");
            self.discard(process, event);
        }
    }

    /// Steps a process; false where it blocks, and then the step is half done and waits to be taken back.
    #[inline]
    pub(super) fn advance(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) -> bool {
        let pc = self.pc(process);
        let stop = self.stop(pc);
        event.begin(process, stop.site);
        event.internal = stop.internal;
        event.can_block = stop.can_block;
        event.varies = stop.varies;
        let log = self.state.log.len() as u32;
        self.records.push(Record { process, pc: pc as u32, log, notes: 0 });
        if stop.internal {
            self.calm(process);
        }
        self.state.fuel = self.fuel;
        self.run_on(process, pc + 1, choices, event)
    }

    /// Runs to the next stop, or to the end. False where it blocks.
    #[inline]
    fn run_on(&mut self, process: ProcessId, from: usize, choices: &[Value], event: &mut Event) -> bool {
        let mut from = from;
        let frame = self.frame(process);
        loop {
            let Self { image, state, .. } = self;
            let activation = Activation { code: &image.code, places: &image.places, process, frame, choices };
            match run::<false>(activation, state, from, event) {
                Exit::Stopped(pc) => {
                    self.state.memory[frame] = pc as Value;
                    if self.stop(pc).internal {
                        self.alarm(process);
                    }
                    return true;
                }
                Exit::Ended(pc) => {
                    if self.image.code[pc] == (Instruction::End { locks: true })
                        && self.keeps_a_mutex(process, pc, event)
                    {
                        return true;
                    }
                    self.state.memory[frame] = pc as Value;
                    self.end(process);
                    return true;
                }
                Exit::Spawns(pc) => {
                    self.spawn(process, pc, event);
                    from = pc + 1;
                }
                Exit::Blocked(_) => {
                    self.state.stack.clear();
                    return false;
                }
                other => {
                    self.fail(process, other, event);
                    return true;
                }
            }
        }
    }

    #[inline]
    fn note(&mut self, note: u32) {
        if let Some(record) = self.records.last_mut() {
            record.notes |= note;
        }
    }

    #[inline]
    fn end(&mut self, process: ProcessId) {
        self.live.remove(process);
        self.note(notes::ENDED);
    }

    #[cold]
    fn calm(&mut self, process: ProcessId) {
        self.urgent.remove(process);
        self.note(notes::WAS_URGENT);
    }

    #[cold]
    fn alarm(&mut self, process: ProcessId) {
        self.urgent.insert(process);
        self.note(notes::IS_URGENT);
    }

    #[cold]
    fn spawn(&mut self, process: ProcessId, pc: usize, event: &mut Event) {
        let Instruction::Spawn { body } = self.image.code[pc] else { unreachable!("stands at a spawn") };
        let child = self.start_child(process, body as usize);
        self.started.push((self.records.len() as u32 - 1, child));
        self.note(notes::STARTED);
        event.spawned.push(child);
    }

    /// An exit that is neither of the ordinary ones.
    #[cold]
    fn fail(&mut self, process: ProcessId, exit: Exit, event: &mut Event) {
        self.state.stack.clear();
        match exit {
            Exit::Discarded => self.discard(process, event),
            Exit::Fault(pc) => {
                let (kind, detail) = self.state.trouble;
                let site = self.image.places[pc];
                event.faults.push(Fault { kind, process, site, detail });
                self.halt(process, Ending::Halts, event);
            }
            Exit::OutOfFuel(_) => self.halt(process, Ending::OutOfFuel, event),
            Exit::Stopped(_) | Exit::Ended(_) | Exit::Spawns(_) | Exit::Passes | Exit::Blocked(_) => {
                unreachable!("handled before")
            }
        }
    }

    #[cold]
    fn discard(&mut self, process: ProcessId, event: &mut Event) {
        let frame = self.frame(process);
        self.state.memory[frame] = DISCARDED as Value;
        event.ending = Ending::Discards;
        self.end(process);
    }

    /// The process stays where the step began; nothing is to be stepped any more.
    fn halt(&mut self, process: ProcessId, ending: Ending, event: &mut Event) {
        event.ending = ending;
        self.state.touch(event, 0, AccessKind::Halt, 0, 0);
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
        self.halt(process, Ending::Halts, event);
        true
    }

    /// See `Run::conclude`. The finally block runs as a process of its own that is never live.
    pub(super) fn run_finally(&mut self, event: &mut Event) -> bool {
        let Some(finale) = self.finale else { return false };
        let entry = self.image.bodies[self.processes[finale.index()].body].entry;
        event.begin(finale, self.image.places[entry]);
        let (pc, log) = (self.pc(finale) as u32, self.state.log.len() as u32);
        self.records.push(Record { process: finale, pc, log, notes: notes::CONCLUSION });
        self.state.fuel = self.fuel;
        if !self.run_on(finale, entry, &[], event) {
            // Nobody is left to let it pass.
            let site = event.site;
            event.faults.push(Fault { kind: FaultKind::Deadlock, process: finale, site, detail: [0; 2] });
            self.halt(finale, Ending::Halts, event);
        }
        true
    }

    /// See `Machine::rewind`.
    #[inline]
    pub(super) fn take_back(&mut self, steps: usize) {
        let untracked = steps.max(self.tracker.synced());
        while self.records.len() > untracked {
            let Some(record) = self.records.pop() else { return };
            self.state.undo(record.log as usize);
            let frame = self.frame(record.process);
            self.state.memory[frame] = Value::from(record.pc);
            if record.notes != 0 {
                self.restore(record);
            }
        }
        if self.records.len() > steps {
            self.take_back_tracked(steps);
        }
    }

    /// Undoes what a step did to the sets. The record has been popped.
    #[inline]
    pub(super) fn restore(&mut self, record: Record) {
        if record.notes & notes::ENDED != 0 {
            self.live.insert(record.process);
        }
        if record.notes & !notes::ENDED != 0 {
            self.restore_rarely(record);
        }
    }

    #[cold]
    fn restore_rarely(&mut self, record: Record) {
        if record.notes & notes::IS_URGENT != 0 {
            self.urgent.remove(record.process);
        }
        if record.notes & notes::WAS_URGENT != 0 {
            self.urgent.insert(record.process);
        }
        if record.notes & notes::CONCLUSION != 0 {
            self.live.remove(record.process);
        }
        while let Some(&(step, child)) = self.started.last().filter(|started| started.0 as usize == self.records.len())
        {
            debug_assert!(record.notes & notes::STARTED != 0 && step as usize == self.records.len());
            self.started.pop();
            self.live.remove(child);
            self.urgent.remove(child);
        }
    }
}
