//! What every engine stands on: the machine, the current execution, and what was found so far.

use mazurka_machine::{MODERATE, Machine};
use mazurka_trace::{LocationId, Outcome, ProcessId};

use crate::cursor::{Cursor, Observed};
use crate::execution::Execution;
use crate::explain::Explanations;
use crate::findings::Findings;
use crate::options::{Monitor, Options};
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
}

impl Session {
    pub(crate) fn new(options: &Options) -> Self {
        Self { full: options.limits.executions == Some(0), ..Self::default() }
    }
}

/// What an exploration knows of the program's constraints.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    /// They are taken into account: see [`crate::order`].
    pub(crate) are_used: bool,
    pub(crate) size: Size,
    /// The locations that the last answer rests on.
    pub(crate) decisive: Vec<LocationId>,
}

/// How large integers could become.
///
/// Constraints are right where integers are moderate, in the state in which two steps commute. Such
/// states are also those of executions that are left out. There, each variable changes as much in
/// all as in the one that is explored: that is part of what is known of steps that commute. So it
/// is never larger than what it was in the beginning and all its changes, of which there is at most
/// one for each event, and none of more than twice the largest integer. What processes have of
/// their own is the same.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Size {
    pub(crate) largest: u64,
    pub(crate) events: usize,
}

impl Size {
    /// Whether integers could be too large for constraints in some order of the events.
    pub(crate) fn is_immoderate(self) -> bool {
        u128::from(self.largest) * (2 * self.events as u128 + 1) > u128::from(MODERATE)
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
    pub(crate) explanations: Option<Explanations>,
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
            constraints: Constraints { are_used: parts.constraints, ..Constraints::default() },
            explanations: None,
        }
    }

    /// Another exploration with the same machine, begun at the same time, while this one pauses.
    pub(crate) fn another(&mut self, plan: Plan) -> Search<'_, M> {
        Search::new(self.cursor.machine, plan, self.options, self.cursor.pace.of_another())
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
}
