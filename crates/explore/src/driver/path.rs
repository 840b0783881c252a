//! The current path: taking a step, taking it back, beginning again.

use mazurka_machine::Machine;
use mazurka_trace::{Ending, EventId, FaultKind, Limit, Outcome, ProcessId};

use crate::choices::Script;
use crate::execution::{Execution, Record};
use crate::findings::Findings;
use crate::names::Variant;
use crate::order::Order;
use crate::plain::Plain;
use crate::search::{Search, Session};

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// Runs the next step of the current execution.
    #[inline(always)]
    pub(crate) fn advance(&mut self, process: ProcessId, script: Script) {
        if self.session.full {
            return self.cursor.pace.stop(Limit::Executions);
        }
        self.seek(self.execution.len());
        self.cursor.try_step(process, script);
        if self.cursor.pace.was_late() {
            return;
        }
        let Variant { choice, footprint, .. } = self.cursor.variant();
        self.order.push(&mut self.cursor, &mut self.execution, choice, footprint);
        if let Some(plain) = &mut self.cursor.plain {
            plain.enter(EventId::new(self.execution.len() - 1));
        }
        self.cursor.pace.depth = self.execution.visible();
        self.pick.enter(&self.cursor.event);
        if !self.cursor.event.faults.is_empty() || self.cursor.event.ending == Ending::OutOfFuel {
            self.check_event();
        }
    }

    /// Something went wrong in the newest event.
    #[cold]
    fn check_event(&mut self) {
        if self.cursor.pace.was_late() {
            return;
        }
        if self.execution.is_cut_short() {
            self.order.settle_so_far(&mut self.cursor, &mut self.execution);
            if self.is_late() || (!self.order.is_total() && self.order.found_out(&self.cursor).is_some()) {
                return;
            }
        }
        let Search { execution, session, cursor, order, .. } = self;
        let event = &cursor.event;
        let newest = EventId::new(execution.len() - 1);
        if !event.faults.is_empty() && !execution.is_after_cut(newest) {
            let by_conflict = order.is_known_at_once() && order.is_total();
            if !by_conflict && execution.is_cut_short() {
                // An assumption that failed before in the execution, and does not happen before
                // this, is left out.
                session.findings.note_past(&event.faults, execution, &cursor.names.choices);
            } else {
                session.findings.note(&event.faults, execution, &cursor.names.choices);
            }
            // Where accesses are set aside, what follows from a data race is not explored in both
            // orders.
            let races = event.faults.iter().any(|fault| fault.kind == FaultKind::DataRace);
            cursor.pace.stopped |= !self.options.all || (races && cursor.plain.is_some());
        }
        if event.ending == Ending::OutOfFuel {
            session.outcome.reached(Limit::Fuel);
            if session.outcome.endless.is_none() {
                let process = event.process;
                let is_live = cursor.machine.live().contains(process);
                let site = if is_live { cursor.machine.pending(process) } else { event.site };
                session.outcome.endless = Some((process, site));
            }
        }
    }

    /// Takes the newest event back. The machine follows when it is needed.
    #[inline(always)]
    pub(crate) fn retreat(&mut self) -> Record {
        let record = self.execution.pop();
        self.pick.leave();
        if let Some(plain) = &mut self.cursor.plain {
            plain.truncate(self.execution.len());
        }
        self.session.findings.forget_from(self.execution.len());
        record
    }

    /// Forgets what was explored, but not what was learned about who waits for what.
    pub(crate) fn begin_again(&mut self) {
        self.cursor.begin_again();
        self.order.begin_again();
        self.execution = Execution::new();
        self.pick.begin_again();
        self.session = Session { lengths: self.session.lengths, ..Session::new(self.options) };
        self.listener.begin_again();
    }

    /// Another exploration has come to an end: this is what came of it. Not to be gone on with.
    pub(crate) fn adopt(&mut self, outcome: Outcome) {
        self.session.findings = Findings::default();
        self.session.outcome = outcome;
    }

    /// Ends the exploration.
    pub(crate) fn conclude(self) -> Outcome {
        let Search { cursor, session: Session { mut outcome, findings, .. }, .. } = self;
        if cursor.plain.as_ref().is_some_and(Plain::has_passed_over) {
            outcome.reached(Limit::DataRaces);
        }
        outcome.violations.extend(findings.into_violations());
        cursor.pace.conclude(&mut outcome);
        cursor.machine.restart();
        outcome
    }
}
