//! The end of an exploration: what it counts as, and what went wrong in it.

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
        self.replay_without(&[first], second, second.index());
        // On the way there, others can be about to run.
        let fault = if self.late { None } else { data_race(self.machine, one.process, other.process) };
        self.machine.rewind(first.index());
        let Some(fault) = fault else { return false };
        let Search { execution, choices, findings, .. } = self;
        findings.note_data_race(fault, || {
            let between = (first.index() + 1..second.index()).map(EventId::new);
            let stays = |event: &EventId| !execution.happens_before(first, *event);
            scheduled((0..first.index()).map(EventId::new).chain(between.filter(stays)), execution, choices)
        });
        self.stopped |= !self.options.all;
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
        if self.late {
            return;
        }
        let others: Vec<ProcessId> = self.machine.live().iter().filter(|&other| other != ender).collect();
        for other in others {
            let Some(fault) = data_race(self.machine, ender, other) else { continue };
            let Search { execution, choices, findings, .. } = self;
            findings.note_data_race(fault, || scheduled((0..position).map(EventId::new), execution, choices));
            self.stopped |= !self.options.all;
        }
    }

    /// Where only synchronisation is interference: finds the first data race of the execution, which has come to its end, if this is one to look at. It ends the
    /// exploration.
    #[cold]
    fn judge_plain_accesses(&mut self) {
        let Some(mut plain) = self.plain.take() else { return };
        if plain.is_next_looked_at() {
            let races = plain.races(&self.execution);
            self.stopped |= races.into_iter().any(|(first, second)| self.judge_plain_race(first, second));
        }
        self.plain = Some(plain);
    }

    /// Finds the data races between the processes that are about to run in the machine's current state, in every pair.
    #[cold]
    pub(crate) fn judge_pending(&mut self) {
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        for (at, &one) in live.iter().enumerate() {
            for &other in &live[..at] {
                if let Some(fault) = data_race(self.machine, one, other) {
                    let Search { execution, choices, findings, .. } = self;
                    findings.note_data_race(fault, || {
                        scheduled((0..execution.len()).map(EventId::new), execution, choices)
                    });
                    self.stopped |= !self.options.all;
                }
            }
        }
    }

    /// Counts an exploration that has come to its end, and looks at the state it ended in. The machine is there.
    pub(crate) fn finish(&mut self, leaf: Leaf) {
        if let Some(observed) = &mut self.observed {
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
        self.lengths += length;
        self.outcome.max_events = self.outcome.max_events.max(length);
        match leaf {
            Leaf::Blocked => self.outcome.blocked += 1,
            // A step was cut, and with it the execution.
            Leaf::Complete if self.execution.last().is_some_and(|last| last.ending == Ending::OutOfFuel) => {}
            Leaf::TooLong if self.has_too_many_switches() => self.outcome.reached(Limit::Switches),
            Leaf::TooLong => {
                self.outcome.reached(Limit::Depth);
                if self.outcome.busiest.is_none() {
                    self.outcome.busiest = self.execution.busiest();
                }
            }
            Leaf::Complete if self.is_discarded() => {
                self.machine.note_complete();
                self.outcome.assume_blocked += 1;
                if self.plain.is_some() {
                    self.judge_plain_accesses();
                }
                self.findings.count();
            }
            Leaf::Complete => {
                self.machine.note_complete();
                self.outcome.executions += 1;
                self.judge_end();
                if self.plain.is_some() {
                    self.judge_plain_accesses();
                }
                self.findings.count();
                self.stopped |= !self.options.all && !self.findings.is_empty();
                self.full = self.options.limits.executions.is_some_and(|most| self.outcome.executions >= most);
            }
        }
    }

    /// Whether an assumption failed in an execution that is at its end, or somebody still waits for one to hold.
    #[inline]
    pub(crate) fn is_discarded(&self) -> bool {
        let live = self.machine.live();
        let waits = || live.iter().any(|process| self.machine.assumes(process));
        self.execution.is_discarded() || (!live.is_empty() && !self.has_halted() && waits())
    }

    /// A complete execution: is it a deadlock, and if not, does the program's last word hold?
    #[inline]
    fn judge_end(&mut self) {
        if self.has_halted() || self.execution.is_cut_short() {
            return;
        }
        if !self.machine.live().is_empty() {
            return self.findings.note_deadlock(self.machine, &self.execution, &self.choices);
        }
        // The machine goes back when it is needed: see `seek`.
        if self.machine.conclude(&mut self.event) {
            if let Some(observed) = &mut self.observed {
                observed.finale.extend_from_slice(&self.event.accesses);
            }
            if !self.event.faults.is_empty() {
                self.findings.note(&self.event.faults, &self.execution, &self.choices);
            }
        }
    }

    /// The exploration ends in the middle of an execution: one that showed a violation counts all the same.
    pub(crate) fn abandon(&mut self) {
        if self.findings.is_uncounted() {
            self.outcome.max_events = self.outcome.max_events.max(self.execution.visible() as u64);
            self.outcome.executions += 1;
            self.findings.count();
        }
    }
}
