//! What every engine stands on: the machine, the current execution, and what was found so far.

use mazurka_machine::Machine;
use mazurka_trace::{Outcome, ProcessId};

use crate::cursor::{Cursor, Known};
use crate::execution::Execution;
use crate::findings::Findings;
use crate::listener::Listener;
use crate::names::Variant;
use crate::options::{Monitor, Options};
use crate::order::{AnyOrder, ByConflict, Order, Planned, Restart};
use crate::pace::Pace;
use crate::pick::Pick;
use crate::plain::Plain;
use crate::plan::{Capabilities, Plan};

/// What was found so far.
#[derive(Default)]
pub(crate) struct Session {
    pub(crate) outcome: Outcome,
    pub(crate) findings: Findings,
    /// As many executions as allowed have been explored: the next step is one too many.
    pub(crate) full: bool,
    /// The lengths of all explorations together.
    pub(crate) lengths: u64,
    /// The exploration was stopped to begin again.
    pub(crate) stopped_for: Option<Restart>,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Self {
        Self { full: options.limits.executions == Some(0), ..Self::default() }
    }
}

/// The state of an exploration.
pub(crate) struct Search<'a, M, O = ByConflict> {
    pub(crate) plan: Plan,
    pub(crate) options: &'a Options,
    pub(crate) cursor: Cursor<'a, M>,
    pub(crate) execution: Execution,
    pub(crate) session: Session,
    pub(crate) pick: Pick,
    /// Which events are ordered.
    pub(crate) order: O,
    /// Who is told what happens.
    pub(crate) listener: Box<dyn Listener + 'a>,
}

impl<'a, M: Machine> Search<'a, M> {
    /// A new one by the options' plan for this machine, in the order by conflict.
    pub(crate) fn by_conflict(machine: &'a mut M, options: &'a Options, monitor: &'a Monitor) -> Self {
        let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
        Self::new(machine, plan, options, Pace::new(monitor, options.limits.timeout))
    }
}

impl<'a, M: Machine, O: Order<M> + Planned> Search<'a, M, O> {
    /// A new one.
    pub(crate) fn new(machine: &'a mut M, plan: Plan, options: &'a Options, pace: Pace<'a>) -> Self {
        let known = Known::new(plan.parts().observers, options.all);
        let plain = options.lock_races_only.map(Plain::new);
        Self {
            plan,
            options,
            cursor: Cursor::new(machine, pace, known, plain),
            execution: Execution::new(),
            session: Session::new(options),
            pick: Pick::new(options),
            order: O::by(plan.parts()),
            listener: Box::new(()),
        }
    }
}

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// Another exploration with the same machine, begun at the same time, while this one pauses.
    pub(crate) fn another(&mut self, plan: Plan) -> Search<'_, M, AnyOrder<M>> {
        Search::new(self.cursor.machine, plan, self.options, self.cursor.pace.of_another())
    }

    /// Whether something was found out that makes what was explored worthless; or it is late. Then
    /// the exploration is stopped.
    pub(crate) fn stops_to_begin_again(&mut self) -> bool {
        if self.cursor.pace.was_late() {
            return true;
        }
        let restart = self.order.found_out(&self.cursor);
        self.session.stopped_for = restart.or(self.session.stopped_for);
        self.cursor.pace.stopped |= restart.is_some();
        restart.is_some()
    }

    /// Why everything has to be explored again, now that the exploration is over. Not if it was
    /// stopped for another reason.
    pub(crate) fn restart(&mut self) -> Option<Restart> {
        match self.order.found_out(&self.cursor) {
            Some(Restart::Observers) if self.cursor.pace.stopped => self.session.stopped_for,
            None => self.is_to_interfere().then_some(Restart::Interfering),
            restart => restart,
        }
    }

    /// Whether setting accesses aside is not enough for this program.
    fn is_to_interfere(&mut self) -> bool {
        let insufficient = self.cursor.plain.as_ref().is_some_and(|plain| plain.is_insufficient);
        let settled = !self.options.all && !self.session.findings.is_empty();
        insufficient && !settled && !self.cursor.is_late()
    }

    /// What was done so far: events executed, and executions looked at for races, which costs about
    /// twice as much for each event.
    #[inline]
    pub(crate) fn work(&self) -> u64 {
        self.cursor.pace.events + 2 * self.session.lengths
    }

    /// Brings the machine to the state before position `position` of the current execution.
    #[inline(always)]
    pub(crate) fn seek(&mut self, position: usize) {
        self.cursor.seek(&self.execution, position);
    }

    /// Whether the exploration has to end at once: see [`Pace::is_late`].
    #[inline(always)]
    pub(crate) fn is_late(&mut self) -> bool {
        self.cursor.is_late()
    }

    /// Whether the execution has as many events as allowed, so that no step may be added to it.
    #[inline]
    pub(crate) fn is_too_long(&self) -> bool {
        self.execution.visible() >= self.options.limits.depth || self.pick.has_too_many_switches()
    }

    /// Picks who goes first in the current state, among those enabled and allowed: see
    /// [`Pick::pick`].
    #[inline(always)]
    pub(crate) fn pick(&mut self, allowed: impl FnMut(ProcessId) -> bool) -> (Option<ProcessId>, bool) {
        self.pick.pick(self.cursor.machine, &self.execution, allowed)
    }

    /// The steps that could be taken at a node, but for those of one process, if any.
    #[cold]
    pub(crate) fn everybody_at(&mut self, node: usize, but: Option<ProcessId>) -> Vec<(ProcessId, Variant)> {
        self.seek(node);
        let live: Vec<ProcessId> = self.cursor.machine.live().iter().collect();
        let (mut steps, mut variants) = (Vec::new(), Vec::new());
        for process in live.into_iter().filter(|&process| Some(process) != but) {
            self.cursor.variants(process, &mut variants);
            steps.extend(variants.iter().map(|&variant| (process, variant)));
        }
        steps
    }

    /// The newest event ended the execution: the steps of others that could have been taken in its
    /// place.
    pub(crate) fn instead_of_end(&mut self) -> Vec<(ProcessId, Variant)> {
        let ender = self.execution.last().map(|last| last.process);
        self.everybody_at(self.execution.len() - 1, ender)
    }
}
