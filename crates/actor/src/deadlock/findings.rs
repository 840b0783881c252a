//! What an exploration has found of the cycles of the analysis.

use mazurka_trace::Schedule;

use super::{Analysis, CycleKind, Found};
use crate::machine::ActorMachine;

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

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub struct Findings {
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
    /// So many states are looked at, if that is limited.
    pub most_states: Option<u64>,
    /// There are more states than allowed.
    pub is_full: bool,
}

impl Findings {
    /// Nothing was found yet.
    pub fn new(analysis: &Analysis, most_states: Option<u64>) -> Self {
        Findings { confirmed: vec![None; analysis.cycles.len()], most_states, ..Findings::default() }
    }

    /// Counts a state, if one more is allowed.
    pub(super) fn enter(&mut self) -> bool {
        self.is_full |= self.most_states.is_some_and(|most| self.states >= most);
        self.states += u64::from(!self.is_full);
        !self.is_full
    }

    /// Notes the circles that the newest step has closed. Tells whether there are any.
    pub(super) fn note(&mut self, analysis: &Analysis, machine: &mut ActorMachine) -> bool {
        let found = analysis.find_closed(machine);
        self.enter_circles(&found, machine);
        !found.is_empty()
    }

    /// Notes the circles of a state.
    pub(super) fn enter_circles(&mut self, found: &[Found], machine: &ActorMachine) {
        let states = self.states;
        for circle in found {
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
    }
}
