//! The end of an exploration: what it counts as, and what went wrong in it.

use std::sync::atomic::Ordering;

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{Access, AccessKind, Ending, EventId, Limit, LocationId, ProcessId};

use super::{Leaf, Search};
use crate::findings::{data_race, scheduled};

impl<M: Machine> Search<'_, M> {
    /// Two events that race: finds out whether that is a data race, in the state in which both are about to run.
    #[inline]
    pub(crate) fn judge_race(&mut self, first: EventId, second: EventId) {
        if self.execution.record(first).plain || self.execution.record(second).plain {
            self.judge_plain_race(first, second);
        }
    }

    #[cold]
    fn judge_plain_race(&mut self, first: EventId, second: EventId) -> bool {
        let (one, other) = (*self.execution.record(first), *self.execution.record(second));
        self.cursor.replay_without(&self.execution, &[first], second, second.index());
        // On the way there, others can be about to run.
        let fault =
            if self.cursor.pace.was_late() { None } else { data_race(self.cursor.machine, one.process, other.process) };
        self.cursor.machine.rewind(first.index());
        let Some(fault) = fault else { return false };
        let Search { execution, cursor, session, .. } = self;
        session.findings.note_data_race(fault, || {
            let between = (first.index() + 1..second.index()).map(EventId::new);
            let stays = |event: &EventId| !execution.happens_before(first, *event);
            scheduled(
                (0..first.index()).map(EventId::new).chain(between.filter(stays)),
                execution,
                &cursor.names.choices,
            )
        });
        self.cursor.pace.stopped |= !self.options.all;
        true
    }

    /// The newest event ended the execution: finds the data races of its process with those that
    /// were about to run beside it. Both may end the execution, so that the two are never events of
    /// the same one.
    #[cold]
    pub(crate) fn judge_beside_end(&mut self) {
        let Some(last) = self.execution.last().filter(|last| last.footprint == Footprint::HALT) else {
            return;
        };
        let (ender, position) = (last.process, self.execution.len() - 1);
        self.seek(position);
        if self.cursor.pace.was_late() {
            return;
        }
        let others: Vec<ProcessId> = self.cursor.machine.live().iter().filter(|&other| other != ender).collect();
        for other in others {
            let Some(fault) = data_race(self.cursor.machine, ender, other) else { continue };
            let Search { execution, cursor, session, .. } = self;
            session
                .findings
                .note_data_race(fault, || scheduled((0..position).map(EventId::new), execution, &cursor.names.choices));
            self.cursor.pace.stopped |= !self.options.all;
        }
    }

    /// Where only synchronisation is interference: finds the first data race of the execution, which has come to its end, if this is one to look at. It ends the
    /// exploration.
    #[cold]
    fn judge_plain_accesses(&mut self) {
        let Some(mut plain) = self.cursor.plain.take() else { return };
        if plain.is_next_looked_at() {
            let races = plain.races(&self.execution);
            self.cursor.pace.stopped |= races.into_iter().any(|(first, second)| self.judge_plain_race(first, second));
        }
        self.cursor.plain = Some(plain);
    }

    /// Finds the data races between the processes that are about to run in the machine's current state, in every pair.
    #[cold]
    pub(crate) fn judge_pending(&mut self) {
        let live: Vec<ProcessId> = self.cursor.machine.live().iter().collect();
        for (at, &one) in live.iter().enumerate() {
            for &other in &live[..at] {
                if let Some(fault) = data_race(self.cursor.machine, one, other) {
                    let Search { execution, cursor, session, .. } = self;
                    session.findings.note_data_race(fault, || {
                        scheduled((0..execution.len()).map(EventId::new), execution, &cursor.names.choices)
                    });
                    self.cursor.pace.stopped |= !self.options.all;
                }
            }
        }
    }

    /// Counts an exploration that has come to its end, and looks at the state it ended in. The machine is there.
    pub(crate) fn finish(&mut self, leaf: Leaf) {
        if let Some(observed) = &mut self.cursor.observed {
            observed.finale.clear();
            if leaf != Leaf::Complete {
                // Who knows what would have been observed?
                let location = LocationId::new(0);
                observed.finale.push(Access { location, kind: AccessKind::Halt, before: 0, after: 0 });
            }
        }
        if let Some(remarks) = &mut self.remarks {
            remarks.end(&self.execution, leaf);
        }
        let length = self.execution.visible() as u64;
        self.session.lengths += length;
        self.session.outcome.max_events = self.session.outcome.max_events.max(length);
        self.count(leaf);
        self.tell_monitor();
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
            Leaf::Blocked => self.session.outcome.blocked += 1,
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
                self.cursor.machine.note_complete();
                self.session.outcome.assume_blocked += 1;
                if self.cursor.plain.is_some() {
                    self.judge_plain_accesses();
                }
                self.session.findings.count();
            }
            Leaf::Complete => {
                self.cursor.machine.note_complete();
                self.session.outcome.executions += 1;
                self.judge_end();
                if self.cursor.plain.is_some() {
                    self.judge_plain_accesses();
                }
                self.session.findings.count();
                self.cursor.pace.stopped |= !self.options.all && !self.session.findings.is_empty();
                let executions = self.session.outcome.executions;
                self.session.full = self.options.limits.executions.is_some_and(|most| executions >= most);
            }
        }
    }

    /// Whether an assumption failed in an execution that is at its end, or somebody still waits for one to hold.
    #[inline]
    pub(crate) fn is_discarded(&self) -> bool {
        let live = self.cursor.machine.live();
        let waits = || live.iter().any(|process| self.cursor.machine.assumes(process));
        self.execution.is_discarded() || (!live.is_empty() && !self.execution.has_halted() && waits())
    }

    /// A complete execution: is it a deadlock, and if not, does the program's last word hold?
    #[inline]
    fn judge_end(&mut self) {
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
            if let Some(observed) = &mut self.cursor.observed {
                observed.finale.extend_from_slice(&self.cursor.event.accesses);
            }
            if !self.cursor.event.faults.is_empty() {
                self.session.findings.note(&self.cursor.event.faults, &self.execution, &self.cursor.names.choices);
            }
        }
    }

    /// The exploration ends in the middle of an execution: one that showed a violation counts all the same.
    pub(crate) fn abandon(&mut self) {
        if self.session.findings.is_uncounted() {
            self.session.outcome.max_events = self.session.outcome.max_events.max(self.execution.visible() as u64);
            self.session.outcome.executions += 1;
            self.session.findings.count();
        }
    }
}
