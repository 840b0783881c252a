//! Data races: two accesses that race, brought side by side.

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{Event, EventId, ProcessId};

use crate::findings::{data_race, scheduled};
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::plain::Plain;
use crate::search::Search;

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// Two events that race: finds out whether that is a data race, in the state in which both are
    /// about to run.
    #[inline]
    pub(crate) fn check_data_race(&mut self, first: EventId, second: EventId) {
        if self.execution.record(first).plain || self.execution.record(second).plain {
            self.check_plain_race(first, second);
        }
    }

    #[cold]
    fn check_plain_race(&mut self, first: EventId, second: EventId) -> bool {
        if self.execution.is_after_cut(first) || self.execution.is_after_cut(second) {
            return false;
        }
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

    /// A waiting event stands for a step that was there all the time, and could have used its
    /// locations without success at any moment since the event before it of its process: finds its
    /// data races with what others did to them meanwhile. Where it did not wait, each of these
    /// would be next to it in some execution. But in that state the step is disabled, so no such
    /// execution is explored: `x = 5; atomic_store(&x, 1)` beside `while (atomic_load(&x) != 1);`.
    #[cold]
    pub(crate) fn check_waiting(&mut self, waiting: EventId) {
        if mutation::on(Mutation::WaitingUnlooked) {
            return;
        }
        let total = self.order.is_total();
        for number in 0..self.execution.links_of(waiting).len() {
            let used = self.execution.links_of(waiting)[number];
            let mut head = used.before();
            loop {
                let mut read = if used.kind.is_read() { None } else { self.execution.use_at(head.read) };
                while let Some(link) = read {
                    self.check_while_waiting(EventId::new(link.event as usize), waiting);
                    read = self.execution.use_at(link.before().read);
                }
                let Some(write) = self.execution.use_at(head.write) else { break };
                let event = EventId::new(write.event as usize);
                // What comes before this one comes before it as well.
                if self.is_late() || (total && !self.execution.is_news(event, waiting)) {
                    break;
                }
                self.check_while_waiting(event, waiting);
                head = write.before();
            }
        }
    }

    fn check_while_waiting(&mut self, event: EventId, waiting: EventId) {
        if event < waiting && self.execution.is_news(event, waiting) {
            self.check_data_race(event, waiting);
        }
    }

    /// The newest event ended the execution: finds the data races of its process with those that
    /// were about to run beside it. Both may end the execution, so that the two are never events of
    /// the same one.
    #[cold]
    pub(crate) fn check_beside_end(&mut self) {
        let Some(last) = self.execution.last().filter(|last| last.footprint == Footprint::HALT) else {
            return;
        };
        let (ender, position) = (last.process, self.execution.len() - 1);
        if last.previous().is_some_and(|previous| self.execution.is_after_cut(previous)) {
            return;
        }
        self.seek(position);
        if self.cursor.pace.was_late() {
            return;
        }
        let mut others: Vec<ProcessId> = self.cursor.machine.live().iter().filter(|&other| other != ender).collect();
        others.retain(|&other| !self.execution.goes_on_after_cut(other));
        for other in others {
            let Some(fault) = data_race(self.cursor.machine, ender, other) else { continue };
            let Search { execution, cursor, session, .. } = self;
            session
                .findings
                .note_data_race(fault, || scheduled((0..position).map(EventId::new), execution, &cursor.names.choices));
            self.cursor.pace.stopped |= !self.options.all;
        }
    }

    /// Where only synchronisation is interference: finds the first data race of the execution,
    /// which has come to its end, if this is one to look at. It ends the exploration.
    #[cold]
    pub(crate) fn check_plain_accesses(&mut self) {
        let Some(mut plain) = self.cursor.plain.take() else { return };
        if plain.is_next_looked_at() {
            let mut found = self.check_unordered(&mut plain);
            if !found && !self.execution.has_halted() && !self.cursor.pace.was_late() {
                found = self.check_disabled_steps(&mut plain);
            }
            self.cursor.pace.stopped |= found || plain.is_insufficient;
        }
        self.cursor.plain = Some(plain);
    }

    /// Whether some of the accesses that nothing orders are a data race.
    fn check_unordered(&mut self, plain: &mut Plain) -> bool {
        let races = plain.races(&self.execution);
        let is_unordered = !races.is_empty();
        let found = races.into_iter().any(|(first, second)| self.check_plain_race(first, second));
        // A read and the end of what is read are no data race, but their order matters.
        plain.is_insufficient |= is_unordered && !found;
        found
    }

    /// The same for what those would have used who wait at the end of the execution, each as if it
    /// came next.
    fn check_disabled_steps(&mut self, plain: &mut Plain) -> bool {
        let mut disabled_steps: Vec<Event> = Vec::new();
        self.cursor.disabled_steps(&self.execution, None, &mut disabled_steps);
        disabled_steps.iter_mut().any(|event| {
            plain.set_aside(event);
            self.order.push_virtual(&mut self.cursor, &mut self.execution, event);
            plain.enter(EventId::new(self.execution.len() - 1));
            let found = self.check_unordered(plain);
            self.execution.pop();
            plain.truncate(self.execution.len());
            found
        })
    }

    /// Finds the data races between the processes that are about to run in the machine's current
    /// state, in every pair.
    #[cold]
    pub(crate) fn check_pending(&mut self) {
        let mut live: Vec<ProcessId> = self.cursor.machine.live().iter().collect();
        live.retain(|&process| !self.execution.goes_on_after_cut(process));
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
}
