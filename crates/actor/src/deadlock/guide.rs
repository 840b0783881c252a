//! Looks for circles of waits in the states of an exploration: which cycles of the analysis happen?

use std::collections::BTreeSet;

use mazurka_machine::{Foresight, Machine, Outlook, Run};
use mazurka_trace::{ProcessId, Schedule};

use super::{Analysis, CycleKind};
use crate::machine::{ActorMachine, Rooted, Signature};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// A schedule for each cycle.
    #[default]
    Cycle,
    /// Any circle of waits.
    First,
    /// All of them.
    All,
}

/// How states are pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guidance {
    /// By the analysis, started from the state.
    #[default]
    Rooted,
    /// Not at all.
    None,
}

/// A circle of waits that was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// What it is.
    pub kind: CycleKind,
    /// Each wait, in a line.
    pub lines: Vec<String>,
    /// The schedule that leads to the state in which it closes.
    pub schedule: Schedule,
    /// After so many states.
    pub states: u64,
}

/// Somebody who looks for circles of waits.
pub struct Guide<'a> {
    analysis: &'a Analysis,
    goal: Goal,
    guidance: Guidance,
    most_states: Option<u64>,
    /// The waits of each cycle, as far as they can be told apart in a state.
    signatures: Vec<Vec<Signature>>,
    leaders: Vec<bool>,
    /// For each cycle of the analysis, the first circle that has all of its edges.
    pub confirmed: Vec<Option<Witness>>,
    /// Circles that have no cycle. If the analysis knows all cycles, it is wrong.
    pub unforeseen: Vec<Witness>,
    /// States that were looked at, without that before main.
    pub states: u64,
    /// States from which no circle can close any more, so that nothing was explored from there.
    pub pruned: u64,
    /// States in which a circle closed.
    pub deadlocks: u64,
    /// There are more states than allowed.
    pub is_full: bool,
}

impl<'a> Guide<'a> {
    /// One that looks at so many states, if that is limited.
    pub fn new(analysis: &'a Analysis, goal: Goal, guidance: Guidance, most_states: Option<u64>) -> Self {
        let confirmed = vec![None; analysis.cycles.len()];
        let signatures = analysis.signatures();
        let leaders = analysis.leaders();
        let (states, pruned, deadlocks) = (0, 0, 0);
        Guide {
            analysis,
            goal,
            guidance,
            most_states,
            signatures,
            leaders,
            confirmed,
            unforeseen: Vec::new(),
            states,
            pruned,
            deadlocks,
            is_full: false,
        }
    }

    /// Notes the circles that the newest step has closed. Tells whether there are any.
    fn note(&mut self, machine: &mut ActorMachine) -> bool {
        let closes = machine.has_just_stopped() || machine.is_still();
        let found = if closes { self.analysis.find(machine) } else { Vec::new() };
        let states = self.states;
        for circle in &found {
            let witness =
                || Witness { kind: circle.kind, lines: circle.lines.clone(), schedule: machine.schedule(), states };
            for &cycle in &circle.cycles {
                self.confirmed[cycle].get_or_insert_with(witness);
            }
            if !circle.is_foreseen || circle.cycles.is_empty() {
                let witness = witness();
                if self.unforeseen.iter().all(|known| known.lines != witness.lines) {
                    self.unforeseen.push(witness);
                }
            }
        }
        self.deadlocks += u64::from(!found.is_empty());
        !found.is_empty()
    }

    fn is_settled(&self) -> bool {
        let mut open = self.analysis.cycles.iter().zip(&self.confirmed).filter(|(cycle, _)| cycle.discharged.is_none());
        match self.goal {
            Goal::First => self.deadlocks > 0,
            Goal::Cycle => !self.analysis.more && open.all(|(_, confirmed)| confirmed.is_some()),
            Goal::All => false,
        }
    }
}

impl Guide<'_> {
    /// Whether a cycle that is looked for can still close, if these waits can make a circle.
    fn is_open(&self, circles: &[BTreeSet<Signature>]) -> bool {
        if self.analysis.more {
            return !circles.is_empty();
        }
        let is_wanted = |number: usize| {
            let is_new = self.goal != Goal::Cycle || self.confirmed[number].is_none();
            is_new && self.analysis.cycles[number].discharged.is_none()
        };
        let can_close = |number: usize| {
            let of = &self.signatures[number];
            circles.iter().any(|circle| of.iter().all(|signature| circle.contains(signature)))
        };
        (0..self.signatures.len()).any(|number| is_wanted(number) && can_close(number))
    }

    /// What can come of a state, by the analysis of it.
    fn foresee(&mut self, machine: &mut ActorMachine) -> Outlook {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let enabled = live.into_iter().filter(|&process| machine.is_enabled(process));
        let enabled: Vec<u32> = enabled.map(|process| process.index() as u32).collect();
        let ahead = Rooted::of(machine, &self.leaders).ahead(&enabled);
        if !self.is_open(&ahead.circles) {
            self.pruned += 1;
            return Outlook::Hopeless;
        }
        match ahead.alone {
            Some(tasks) => Outlook::First(tasks.into_iter().map(|task| ProcessId::new(task as usize)).collect()),
            None => Outlook::Open,
        }
    }
}

impl Foresight<ActorMachine> for Guide<'_> {
    fn look(&mut self, machine: &mut ActorMachine) -> Outlook {
        if machine.steps() > 0 {
            if self.most_states.is_some_and(|most| self.states >= most) {
                self.is_full = true;
                return Outlook::Settled;
            }
            self.states += 1;
            self.note(machine);
            if self.is_settled() {
                return Outlook::Settled;
            }
        }
        match self.guidance {
            Guidance::Rooted => self.foresee(machine),
            Guidance::None => Outlook::Open,
        }
    }
}
