//! The end of an exploration: what it counts as, and what went wrong in it.

use std::sync::atomic::Ordering;

use mazurka_machine::{Heard, Machine};
use mazurka_trace::{Ending, Limit};

use crate::execution::Leaf;
use crate::order::Order;
use crate::search::Search;

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// Counts an exploration that has come to its end, and looks at the state it ended in. The
    /// machine is there.
    pub(crate) fn finish(&mut self, leaf: Leaf) {
        self.order.end(leaf);
        self.tell_unordered();
        self.listener.end(&self.execution, leaf);
        let length = self.execution.visible() as u64;
        self.session.lengths += length;
        self.session.outcome.max_events = self.session.outcome.max_events.max(length);
        self.count(leaf);
        self.tell_monitor();
    }

    /// Steps were left unordered, for whoever wants to know.
    #[inline]
    pub(crate) fn tell_unordered(&mut self) {
        let Search { order, listener, .. } = self;
        order.tell_unordered(&mut |one, other| listener.leave_unordered(one, other));
    }

    /// What is known to whoever watches from another thread.
    #[inline]
    fn tell_monitor(&self) {
        let (monitor, outcome) = (self.cursor.pace.monitor, &self.session.outcome);
        monitor.executions.store(outcome.executions, Ordering::Relaxed);
        monitor.blocked.store(outcome.blocked, Ordering::Relaxed);
    }

    #[inline]
    fn count(&mut self, leaf: Leaf) {
        match leaf {
            Leaf::Blocked => {
                self.cursor.machine.hear(Heard::Cut);
                self.session.outcome.blocked += 1;
            }
            // A step was cut, and with it the execution.
            Leaf::Complete if self.execution.last().is_some_and(|last| last.ending == Ending::OutOfFuel) => {}
            Leaf::TooLong if self.pick.has_too_many_switches() => self.session.outcome.reached(Limit::Switches),
            Leaf::TooLong => {
                self.session.outcome.reached(Limit::Depth);
                if self.session.outcome.busiest.is_none() {
                    self.session.outcome.busiest = self.execution.busiest();
                }
            }
            Leaf::Complete if self.is_discarded() => {
                self.cursor.machine.hear(Heard::Complete);
                self.session.outcome.assume_blocked += 1;
                if self.cursor.plain.is_some() {
                    self.check_plain_accesses();
                }
                self.session.findings.count();
            }
            Leaf::Complete if !self.cursor.pace.may_count() => self.cursor.pace.stop(Limit::Executions),
            Leaf::Complete => {
                self.cursor.machine.hear(Heard::Complete);
                self.session.outcome.executions += 1;
                self.check_end();
                if self.cursor.plain.is_some() {
                    self.check_plain_accesses();
                }
                self.session.findings.count();
                self.cursor.pace.stopped |= !self.options.all && !self.session.findings.is_empty();
                let executions = self.session.outcome.executions;
                self.session.full = self.options.limits.executions.is_some_and(|most| executions >= most);
            }
        }
    }

    /// Whether an assumption failed in an execution that is at its end, or somebody still waits for
    /// one to hold.
    #[inline]
    pub(crate) fn is_discarded(&self) -> bool {
        let live = self.cursor.machine.live();
        let waits = || live.iter().any(|process| self.cursor.machine.assumes(process));
        self.execution.is_discarded() || (!live.is_empty() && !self.execution.has_halted() && waits())
    }

    /// A complete execution: is it a deadlock, and if not, does the program's last word hold?
    #[inline]
    fn check_end(&mut self) {
        if self.execution.has_halted() || self.execution.is_cut_short() {
            return;
        }
        if !self.cursor.machine.live().is_empty() {
            return self.session.findings.note_deadlock(
                self.cursor.machine,
                &self.execution,
                &self.cursor.names.choices,
            );
        }
        // The machine goes back when it is needed: see `seek`.
        if self.cursor.machine.conclude(&mut self.cursor.event) {
            self.order.conclude(&self.cursor.event.accesses);
            if !self.cursor.event.faults.is_empty() {
                self.session.findings.note(&self.cursor.event.faults, &self.execution, &self.cursor.names.choices);
            }
        }
    }

    /// The exploration ends in the middle of an execution: one that showed a violation counts all
    /// the same.
    pub(crate) fn abandon(&mut self) {
        if self.session.findings.is_uncounted() {
            self.session.outcome.max_events = self.session.outcome.max_events.max(self.execution.visible() as u64);
            self.session.outcome.executions += 1;
            self.session.findings.count();
        }
    }
}
