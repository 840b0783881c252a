//! Whether a process can be stepped, and what it waits for.
//!
//! A lock is looked at, a condition is evaluated, an atomic block that may block is run and taken
//! back. No data choice stands before a place that may block.

use mazurka_trace::{Access, AccessKind, Event, ProcessId};

use crate::code::{FREE, Guard, Instruction};

use super::ProcessMachine;
use super::interpreter::{Exit, run_through};
use super::step::purpose::TRIAL;

impl ProcessMachine {
    /// See `Run::is_enabled`.
    #[inline(always)]
    pub(super) fn enabled(&mut self, process: ProcessId) -> bool {
        let pc = self.pc(process);
        let guard = self.stop(pc).guard;
        guard == Guard::Always || self.can_pass(process, pc, guard)
    }

    #[inline(never)]
    fn can_pass(&mut self, process: ProcessId, pc: usize, guard: Guard) -> bool {
        match guard {
            Guard::Always => true,
            Guard::Never => false,
            Guard::Lock => match self.image.code[pc + 1] {
                Instruction::Lock(slot) => self.state.memory[slot as usize] == FREE,
                other => unreachable!("{other:?} is no lock"),
            },
            Guard::Condition => self.probe(process, pc),
            Guard::Trial => self.try_out(process, |_| {}),
        }
    }

    /// Evaluates a condition up to its `await` or `lock`. A fault on the way is for the step to
    /// report.
    fn probe(&mut self, process: ProcessId, pc: usize) -> bool {
        let mut unused = Event::default();
        let (activation, state) = self.activation(process, &[]);
        let exit = run_through::<true>(activation, state, pc + 1, &mut unused);
        self.state.stack.clear();
        !matches!(exit, Exit::Blocked(_))
    }

    /// Whether the step passes; `blocked` is told of the disabled step if it does not.
    fn try_out(&mut self, process: ProcessId, blocked: impl FnOnce(&Event)) -> bool {
        let mut event = std::mem::take(&mut self.scratch);
        let steps = self.records.len();
        let passes = self.advance::<TRIAL>(process, &[], &mut event);
        self.take_back(steps);
        if !passes {
            blocked(&event);
        }
        self.scratch = event;
        passes
    }

    /// See `Run::disabled_step`.
    pub(super) fn wait_for(&mut self, process: ProcessId, event: &mut Event) {
        let pc = self.pc(process);
        let stop = self.stop(pc);
        event.begin(process, stop.site);
        event.can_block = stop.can_block;
        event.locks = stop.locks;
        event.varies = stop.varies;
        match stop.guard {
            Guard::Always | Guard::Never => {}
            Guard::Lock | Guard::Condition => self.read_condition(process, pc, event),
            Guard::Trial => {
                self.try_out(process, |disabled_step| {
                    for access in &disabled_step.accesses {
                        observe(access, &mut event.accesses);
                    }
                });
            }
        }
    }

    /// Records what is read up to an `await` or `lock` that does not pass; nothing is changed on
    /// the way.
    fn read_condition(&mut self, process: ProcessId, pc: usize, event: &mut Event) {
        let mark = self.state.log.len();
        let (activation, state) = self.activation(process, &[]);
        run_through::<false>(activation, state, pc + 1, event);
        // Nothing to undo, unless the process can be stepped and should not have been asked.
        self.state.undo(mark);
        self.state.stack.clear();
    }

    /// See `Run::holder`.
    pub(super) fn holder_of_wanted(&mut self, process: ProcessId) -> Option<ProcessId> {
        if self.stop(self.pc(process)).guard == Guard::Never || self.try_out(process, |_| {}) {
            return None;
        }
        let owner = self.state.memory[self.state.wanted?.index()];
        (owner != FREE).then(|| ProcessId::new(owner as usize))
    }
}

/// Adds what a disabled step learned from a location; what it did there has been taken back.
fn observe(access: &Access, observed: &mut Vec<Access>) {
    let kind = match access.kind {
        AccessKind::Read | AccessKind::Update => AccessKind::Read,
        AccessKind::Acquire | AccessKind::Cycle => AccessKind::Acquire,
        AccessKind::Write | AccessKind::Release | AccessKind::Halt => return,
    };
    if observed.iter().all(|other| other.location != access.location) {
        observed.push(Access { kind, after: access.before, ..*access });
    }
}
