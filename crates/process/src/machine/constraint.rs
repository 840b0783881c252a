//! What the program's constraints say about two processes in the current state.

use mazurka_machine::{Constrained, Independence};
use mazurka_trace::{ProcessId, SiteId, Value};

use super::ProcessMachine;
use super::interpreter::HEADER;

/// Memory for evaluating conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    stack: Vec<Value>,
    reads: Vec<u32>,
}

impl Evaluation {
    /// The slots that decided about the condition evaluated last.
    pub(super) fn reads(&self) -> &[u32] {
        &self.reads
    }
}

impl ProcessMachine {
    pub(super) fn constrained_sites(&self, one: SiteId, other: SiteId) -> Constrained {
        match self.image.constraints.pair(one, other) {
            None => Constrained::Unknown,
            Some(pair) if pair.always => Constrained::Always,
            Some(_) => Constrained::Sometimes,
        }
    }

    /// See `Run::independence`. Costs the conditions of the two sites, and for each that holds a
    /// look at every live process.
    pub(super) fn independence_of(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        let image = self.image.clone();
        let sites = (image.places[self.pc(one)], image.places[self.pc(other)]);
        let Some(pair) = image.constraints.pair(sites.0, sites.1) else { return Independence::Unknown };
        self.evaluation.reads.clear();
        if pair.always {
            return Independence::Uniform;
        }
        let mut evaluation = std::mem::take(&mut self.evaluation);
        let mut found = if pair.necessary { Independence::Refuted } else { Independence::Unknown };
        for known in &pair.conditions {
            let (left, right) = if known.swapped { (other, one) } else { (one, other) };
            let condition = &image.constraints.conditions[known.condition as usize];
            evaluation.reads.clear();
            let (left, right) = (self.locals(left), self.locals(right));
            let Evaluation { stack, reads } = &mut evaluation;
            if !condition.holds(&self.state.memory, left, right, stack, reads) {
                continue;
            }
            found = Independence::Holds;
            if !known.wild && !self.written_by_others(one, other, reads) {
                found = Independence::Uniform;
                break;
            }
        }
        self.evaluation = evaluation;
        found
    }

    pub(super) fn locals(&self, process: ProcessId) -> &[Value] {
        let first = self.frame(process) + HEADER;
        let count = self.image.bodies[self.processes[process.index()].body].locals.len();
        &self.state.memory[first..first + count]
    }

    /// Whether a third process may still write one of these slots.
    pub(super) fn written_by_others(&self, one: ProcessId, other: ProcessId, slots: &[u32]) -> bool {
        if slots.is_empty() {
            return false;
        }
        let writes = &self.image.constraints.writes;
        self.live.iter().filter(|&process| process != one && process != other).any(|process| {
            let (pc, locals) = (self.pc(process), self.locals(process));
            slots.iter().any(|&slot| writes.contains(pc, locals, slot))
        })
    }
}
