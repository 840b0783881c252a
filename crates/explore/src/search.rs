//! What every engine stands on: the machine, the current execution, and what was found so far.

mod ends;

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{Ending, EventId, FaultKind, Limit, Outcome, ProcessId};

use crate::choices::Script;
use crate::cursor::{Cursor, Observed};
use crate::execution::{Execution, Race, Record};
use crate::findings::Findings;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Constraints;
use crate::pace::Pace;
use crate::pick::Pick;
use crate::plain::Plain;
use crate::plan::{Capabilities, Engine, Plan};
use crate::remarks::Remarks;
use crate::{Monitor, Options};

/// Why an exploration does not go on from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// Nobody can move, or a fault ended the execution.
    Complete,
    /// Somebody can move, but everything from here on was explored elsewhere.
    Blocked,
    /// The execution is longer than allowed.
    TooLong,
}

/// What was found so far.
#[derive(Default)]
pub(crate) struct Session {
    pub(crate) outcome: Outcome,
    pub(crate) findings: Findings,
    /// As many executions as allowed have been explored: the next step is one too many.
    full: bool,
    /// The lengths of all explorations together.
    lengths: u64,
}

impl Session {
    fn new(options: &Options) -> Self {
        Self { full: options.limits.executions == Some(0), ..Self::default() }
    }
}

/// The state of an exploration.
pub(crate) struct Search<'a, M> {
    pub(crate) plan: Plan,
    pub(crate) options: &'a Options,
    pub(crate) cursor: Cursor<'a, M>,
    pub(crate) execution: Execution,
    pub(crate) session: Session,
    pub(crate) pick: Pick,
    pub(crate) constraints: Constraints,
    /// What is left out and why, where somebody wants to know.
    pub(crate) remarks: Option<Remarks>,
}

impl<'a, M: Machine> Search<'a, M> {
    /// By the plan for this machine.
    pub(crate) fn planned(machine: &'a mut M, options: &'a Options, monitor: &'a Monitor) -> Self {
        let plan = Plan::new(options.algorithm, &Capabilities::of(machine));
        Self::new(machine, plan, options, Pace::new(monitor, options.limits.timeout))
    }

    fn new(machine: &'a mut M, plan: Plan, options: &'a Options, pace: Pace<'a>) -> Self {
        let parts = plan.parts();
        let observed = parts.observers.then(|| Observed::new(options.all));
        let plain = options.lock_races_only.map(Plain::new);
        Self {
            plan,
            options,
            cursor: Cursor::new(machine, pace, observed, plain),
            execution: Execution::new(),
            session: Session::new(options),
            pick: Pick::new(options),
            constraints: Constraints::new(parts.constraints),
            remarks: None,
        }
    }

    /// Another exploration with the same machine, begun at the same time, while this one pauses.
    pub(crate) fn another(&mut self, plan: Plan) -> Search<'_, M> {
        Search::new(self.cursor.machine, plan, self.options, self.cursor.pace.of_another())
    }

    /// Another exploration has come to an end: this is what came of it. Not to be gone on with.
    pub(crate) fn adopt(&mut self, outcome: Outcome) {
        self.session.findings = Findings::default();
        self.session.outcome = outcome;
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

    /// Forgets what was explored, but not what was learned about who waits for what.
    pub(crate) fn begin_again(&mut self) {
        self.cursor.begin_again();
        self.execution = Execution::new();
        self.pick.begin_again();
        self.session = Session { lengths: self.session.lengths, ..Session::new(self.options) };
        self.remarks = self.remarks.take().map(|_| Remarks::default());
    }

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
        let Variant { label, footprint, .. } = self.cursor.variant();
        self.push(label, footprint);
        if let Some(plain) = &mut self.cursor.plain {
            plain.enter(EventId::new(self.execution.len() - 1));
        }
        self.cursor.pace.depth = self.execution.visible();
        self.pick.enter(&self.cursor.event);
        if !self.cursor.event.faults.is_empty() || self.cursor.event.ending == Ending::OutOfFuel {
            self.judge_event();
        }
    }

    /// Something went wrong in the newest event.
    #[cold]
    fn judge_event(&mut self) {
        if self.cursor.pace.was_late() {
            return;
        }
        if self.orders_at_end() && self.execution.is_cut_short() {
            self.order_so_far();
            if self.is_late() || (!self.orders_all_conflicts() && self.cursor.has_learned()) {
                return;
            }
        }
        let Search { execution, session, cursor, .. } = self;
        let event = &cursor.event;
        if !event.faults.is_empty() && !execution.is_after_cut() {
            let by_conflict = cursor.observed.is_none() && !self.constraints.are_used;
            if !by_conflict && execution.is_cut_short() {
                // An assumption that failed before in the execution, and does not happen before this, is left out.
                session.findings.note_past(&event.faults, execution, &cursor.names.choices);
            } else {
                session.findings.note(&event.faults, execution, &cursor.names.choices);
            }
            // Where accesses are set aside, what follows from a data race is not explored in both orders.
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

    /// Whether the second event of a race could do something else if it ran before the first. Where
    /// the exploration goes on after a failure, that includes failing: then it ends the execution.
    #[inline]
    pub(crate) fn could_differ(&self, race: &Race) -> bool {
        let record = self.execution.record(race.second);
        let varies = record.varies || (self.options.all && race.first.is_some());
        let reads = || race.first.is_none_or(|first| self.execution.reads_from(first, race.second));
        // What it uses there stands in a wakeup tree. Others that it is not ordered with, because of the first event, could change that.
        let reads = || !self.orders_all_conflicts() && self.plan.parts().engine == Engine::WakeupTrees || reads();
        let differs = record.footprint == Footprint::HALT || (varies && reads());
        differs && !mutation::on(Mutation::NeverPeek)
    }

    /// Whether the execution has as many events as allowed, so that no step may be added to it.
    #[inline]
    pub(crate) fn is_too_long(&self) -> bool {
        self.execution.visible() >= self.options.limits.depth || self.pick.has_too_many_switches()
    }

    /// Picks who goes first in the current state, among those enabled and allowed: see [`Pick::pick`].
    #[inline(always)]
    pub(crate) fn pick(&mut self, allowed: impl FnMut(ProcessId) -> bool) -> (Option<ProcessId>, bool) {
        self.pick.pick(self.cursor.machine, &self.execution, allowed)
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
