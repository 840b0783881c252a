//! The whole state in words, to compare states exactly.

use mazurka_trace::{LocationId, ProcessId};

use mazurka_machine::Describe;

use crate::code::UNSTARTED;

use super::ProcessMachine;
use super::interpreter::HEADER;

impl ProcessMachine {
    /// The state, readable: a line for each location and for each process that was started, sorted.
    /// Equal for equal states, also of different machines of one program. Costs the whole state;
    /// for tests.
    pub fn snapshot(&self) -> Vec<String> {
        let mut lines: Vec<String> = (0..self.image.locations()).map(|slot| self.location_line(slot)).collect();
        let started = (0..self.processes.len()).map(ProcessId::new).filter(|&process| self.pc(process) != UNSTARTED);
        let mut processes: Vec<String> = started.map(|process| self.process_line(process)).collect();
        processes.sort();
        lines.append(&mut processes);
        lines
    }

    /// Whether two machines of one program are in the same state, whatever they went through.
    pub fn state_eq(&self, other: &Self) -> bool {
        self.snapshot() == other.snapshot()
    }

    fn location_line(&self, slot: usize) -> String {
        let location = LocationId::new(slot);
        format!("{} = {}", self.image.location_name(location), self.value_text(location, self.state.memory[slot]))
    }

    fn process_line(&self, process: ProcessId) -> String {
        let frame = self.frame(process);
        let (pc, spawned) = (self.state.memory[frame], self.state.memory[frame + 1]);
        let live = if self.live.contains(process) { "live" } else { "ended" };
        let mut line = format!("{}: {live} at {pc}, spawned {spawned}", self.name(process));
        let names = &self.image.bodies[self.processes[process.index()].body].locals;
        for (local, name) in names.iter().enumerate() {
            line += &format!(", {name} = {}", self.state.memory[frame + HEADER + local]);
        }
        line
    }
}
