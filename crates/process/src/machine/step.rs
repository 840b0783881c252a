//! Taking a step, and taking it back.

use mazurka_trace::{AccessKind, Ending, Event, Fault, FaultKind, ProcessId, Value};

use crate::code::{DISCARDED, Instruction, Quick, Stop};

use super::interpreter::{Activation, Exit, run};
use super::state::{burn, touch};
use super::{ProcessMachine, Record, notes};

/// So many processes a step spawns without further cost; each one more uses up as much fuel as so many instructions, since
/// a process takes memory for good.
const CHEAP_SPAWNS: usize = 1000;
const SPAWN_COST: u64 = 100;

/// Where a process rests.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) process: ProcessId,
    pub(super) frame: usize,
    pub(super) pc: usize,
    pub(super) stop: Stop,
}

impl ProcessMachine {
    /// See `Run::step`.
    #[inline]
    pub(super) fn take_step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        let at = self.at(process);
        if at.stop.quick == Quick::No || !self.quick_step(at, event) {
            self.advance::<false>(process, choices, event);
        }
    }

    /// Where a live process rests.
    #[inline(always)]
    pub(super) fn at(&self, process: ProcessId) -> At {
        let frame = self.frame(process);
        let pc = self.state.memory[frame] as usize;
        At { process, frame, pc, stop: self.stop(pc) }
    }

    /// Steps a process, the ordinary way. False where it blocks; on `TRIAL` the step is then half done and waits to be
    /// taken back.
    #[inline(never)]
    pub(super) fn advance<const TRIAL: bool>(
        &mut self,
        process: ProcessId,
        choices: &[Value],
        event: &mut Event,
    ) -> bool {
        let At { frame, pc, stop, .. } = self.at(process);
        event.begin(process, stop.site);
        event.internal = stop.internal;
        event.can_block = stop.can_block;
        event.locks = stop.locks;
        event.varies = stop.varies;
        let log = self.state.log.len() as u32;
        self.records.push(Record { process, frame: frame as u32, pc: pc as u32, log, notes: 0, slot: 0, old: 0 });
        if stop.internal {
            self.calm(process);
        }
        self.state.fuel = self.fuel;
        let mut from = pc + 1;
        loop {
            let Self { image, state, .. } = self;
            let activation = Activation { code: &image.code, places: &image.places, process, frame, choices };
            match run::<false>(activation, state, from, event) {
                Exit::Stopped(pc, internal) => {
                    self.state.memory[frame] = pc as Value;
                    if internal {
                        self.alarm(process);
                    }
                    return true;
                }
                Exit::Ended(pc, locks) => {
                    if locks && self.keeps_a_mutex(process, pc, event) {
                        return true;
                    }
                    self.state.memory[frame] = pc as Value;
                    self.end(process);
                    return true;
                }
                Exit::Spawns(pc) => {
                    if !self.spawn(process, pc, event) {
                        self.fail(process, Exit::OutOfFuel(pc), event);
                        return true;
                    }
                    from = pc + 1;
                }
                Exit::Blocked(_) => {
                    self.state.stack.clear();
                    if !TRIAL {
                        self.refuse(process, event);
                    }
                    return false;
                }
                other => {
                    self.fail(process, other, event);
                    return true;
                }
            }
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

    /// Starts a process. False where a step that spawns very many has no fuel left for it.
    #[cold]
    fn spawn(&mut self, process: ProcessId, pc: usize, event: &mut Event) -> bool {
        if event.spawned.len() >= CHEAP_SPAWNS && !burn(&mut self.state.fuel, SPAWN_COST) {
            return false;
        }
        let Instruction::Spawn { body } = self.image.code[pc] else { unreachable!("stands at a spawn") };
        let child = self.start_child(process, body as usize);
        self.started.push((self.records.len() as u32 - 1, child));
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
                let site = self.image.places[pc];
                event.faults.push(Fault { kind, process, site, detail });
                if event.internal {
                    self.cut_short(process, Ending::Fails, event);
                } else {
                    self.halt(process, Ending::Halts, event);
                }
            }
            Exit::OutOfFuel(_) => self.halt(process, Ending::OutOfFuel, event),
            Exit::Stopped(..) | Exit::Ended(..) | Exit::Spawns(_) | Exit::Passes | Exit::Blocked(_) => {
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

    /// The process stays where the step began; nothing is to be stepped any more.
    fn halt(&mut self, process: ProcessId, ending: Ending, event: &mut Event) {
        event.ending = ending;
        touch(&mut self.state.seats, event, 0, AccessKind::Halt, 0, 0);
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

    /// See `Run::conclude`. The finally block runs once, as a process of its own that is never live.
    pub(super) fn run_finally(&mut self, event: &mut Event) -> bool {
        let Some(finale) = self.finale else { return false };
        if !matches!(self.image.code[self.pc(finale)], Instruction::Stop(_)) {
            return false;
        }
        self.advance::<false>(finale, &[], event);
        self.note(notes::CONCLUSION);
        true
    }

    /// See `Machine::rewind`.
    #[inline]
    pub(super) fn take_back(&mut self, steps: usize) {
        if !self.quick_back(steps) {
            self.long_back(steps);
        }
    }

    #[inline(never)]
    fn long_back(&mut self, steps: usize) {
        let untracked = steps.max(self.tracker.synced());
        while self.records.len() > untracked {
            let Some(record) = self.records.pop() else { return };
            if record.notes & notes::QUICK != 0 {
                self.state.memory[record.slot as usize] = record.old;
            } else {
                self.state.undo(record.log as usize);
            }
            self.state.memory[record.frame as usize] = Value::from(record.pc);
            self.restore(record);
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
        if record.notes & notes::RARE != 0 {
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
