//! Looks for circles of waits in the states of an exploration: which cycles of the analysis happen?

use mazurka_machine::{Foresight, Machine, Outlook};
use mazurka_trace::Schedule;

use super::{Analysis, CycleKind};
use crate::machine::ActorMachine;

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
    most_states: Option<u64>,
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
    pub fn new(analysis: &'a Analysis, goal: Goal, most_states: Option<u64>) -> Self {
        let confirmed = vec![None; analysis.cycles.len()];
        let (states, pruned, deadlocks) = (0, 0, 0);
        Guide {
            analysis,
            goal,
            most_states,
            confirmed,
            unforeseen: Vec::new(),
            states,
            pruned,
            deadlocks,
            is_full: false,
        }
    }

    /// Notes the circles that the newest step has closed. Tells whether there are any.
    fn note(&mut self, machine: &ActorMachine) -> bool {
        let found = if machine.has_just_stopped() { self.analysis.find(machine) } else { Vec::new() };
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

impl Foresight<ActorMachine> for Guide<'_> {
    fn look(&mut self, machine: &mut ActorMachine) -> Outlook {
        if machine.steps() == 0 {
            return Outlook::Open;
        }
        if self.most_states.is_some_and(|most| self.states >= most) {
            self.is_full = true;
            return Outlook::Settled;
        }
        self.states += 1;
        self.note(machine);
        if self.is_settled() { Outlook::Settled } else { Outlook::Open }
    }
}
