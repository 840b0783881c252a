//! Who runs: numbers, frames and names of processes.
//!
//! A process is known by who spawned it and as which of its spawns (and by its body, since another
//! execution may spawn something else there). It is numbered, and given its frame, the first time
//! it is met, and keeps both.

use mazurka_machine::Digest;
use mazurka_trace::{Event, ProcessId, Value};

use crate::code::Instruction;
use crate::hir::BodyKind;

use super::ProcessMachine;
use super::interpreter::{Exit, HEADER, run_through};

/// A process that the machine has met.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) body: usize,
    pub(super) origin: Origin,
    /// The first process met as each of its spawns.
    children: Vec<Option<ProcessId>>,
    /// Another one, met as the same spawn of the same process, with another body.
    alternative: Option<ProcessId>,
    /// The digest of its name.
    pub(super) digest: Digest,
}

/// Where a process comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Started at the beginning; for an array of processes, its index.
    Initial(Option<usize>),
    /// Spawned, as this of its parent's spawns, counted from 0.
    Spawned(ProcessId, usize),
}

impl ProcessMachine {
    /// Numbers and starts the initial processes, then numbers the finally block. Where the initial
    /// state has inputs, only the process that chooses them is started, and its step starts the
    /// others.
    pub(super) fn start_initial(&mut self) {
        let mut finale = None;
        let has_inputs = self.image.bodies.iter().any(|body| body.inputs);
        for body in 0..self.image.bodies.len() {
            match self.image.bodies[body].kind {
                BodyKind::Process => {
                    let process = self.meet(body, Origin::Initial(None));
                    if !has_inputs || self.image.bodies[body].inputs {
                        self.start(process);
                    }
                }
                BodyKind::ProcessArray(count) => {
                    for index in 0..count {
                        let process = self.meet(body, Origin::Initial(Some(index)));
                        let frame = self.frame(process);
                        if self.image.bodies[body].parameters > 0 {
                            self.state.memory[frame + HEADER] = index as Value;
                        }
                        if !has_inputs {
                            self.start(process);
                        }
                    }
                }
                BodyKind::Proc => {}
                BodyKind::Finally => finale = Some(body),
            }
        }
        if let Some(body) = finale {
            // It stands ready from the beginning, and is never live.
            let process = self.meet(body, Origin::Initial(None));
            let frame = self.frame(process);
            self.state.memory[frame] = self.image.bodies[body].entry as Value;
            self.finale = Some(process);
        }
        self.state.log.clear();
    }

    /// Starts a process of this body, spawned by `parent`; its arguments are the topmost of the
    /// stack.
    pub(super) fn start_child(&mut self, parent: ProcessId, body: usize) -> ProcessId {
        let counter = self.frame(parent) + 1;
        let nth = self.state.memory[counter] as usize;
        let child = self.find_child(parent, nth, body);
        self.state.write(counter, nth as Value + 1);
        let first = self.frame(child) + HEADER;
        for parameter in (0..self.image.bodies[body].parameters).rev() {
            let argument = self.state.stack.pop().expect("the arguments were pushed");
            self.state.write(first + parameter, argument);
        }
        self.start(child);
        child
    }

    /// The processes that are started at the beginning, when this one has chosen the inputs.
    pub(super) fn initial_others(&self, inputs: ProcessId) -> Vec<ProcessId> {
        let processes = self.processes.iter().enumerate().map(|(number, process)| (ProcessId::new(number), process));
        let initial = processes.filter(|&(id, process)| {
            matches!(process.origin, Origin::Initial(_)) && id != inputs && Some(id) != self.finale
        });
        initial.map(|(id, _)| id).collect()
    }

    /// Lets a process, whose parameters are set, rest at its first stop.
    pub(super) fn start(&mut self, process: ProcessId) {
        let pc = self.first_stop(process);
        let frame = self.frame(process);
        self.state.write(frame, pc as Value);
        if let Instruction::Stop(stop) = self.image.code[pc] {
            self.live.insert(process);
            if stop.is_local {
                self.at_local.insert(process);
            }
        }
    }

    /// Runs the assignments that a body begins with. If one fails, they are left for a local
    /// step.
    fn first_stop(&mut self, process: ProcessId) -> usize {
        let body = &self.image.bodies[self.processes[process.index()].body];
        let entry = body.entry;
        if !body.eager {
            return entry;
        }
        let mark = self.state.log.len();
        let (activation, state) = self.activation(process, &[]);
        match run_through::<false>(activation, state, entry + 1, &mut Event::default()) {
            Exit::Stopped(pc, _) | Exit::Ended(pc, _) => pc as usize,
            _ => {
                self.state.stack.clear();
                self.state.undo(mark);
                entry
            }
        }
    }

    fn find_child(&mut self, parent: ProcessId, nth: usize, body: usize) -> ProcessId {
        let mut next = self.processes[parent.index()].children.get(nth).copied().flatten();
        while let Some(child) = next {
            let process = &self.processes[child.index()];
            if process.body == body {
                return child;
            }
            next = process.alternative;
        }
        let child = self.meet(body, Origin::Spawned(parent, nth));
        let children = &mut self.processes[parent.index()].children;
        if children.len() <= nth {
            children.resize(nth + 1, None);
        }
        let other = children[nth].replace(child);
        self.processes[child.index()].alternative = other;
        child
    }

    /// Numbers a new process and makes room for its frame.
    fn meet(&mut self, body: usize, origin: Origin) -> ProcessId {
        let process = ProcessId::new(self.processes.len());
        let digest = match origin {
            Origin::Initial(index) => super::digest::initial_name(body, index.unwrap_or(0)),
            Origin::Spawned(parent, nth) => super::digest::child_name(self.processes[parent.index()].digest, nth, body),
        };
        let size = HEADER + self.image.bodies[body].locals.len();
        self.frames.push(u32::try_from(self.state.memory.len()).expect("memory within 2^32 cells"));
        self.state.memory.resize(self.state.memory.len() + size, 0);
        self.slots.name_frame(digest, size);
        self.processes.push(Process { body, origin, children: Vec::new(), alternative: None, digest });
        process
    }

    /// The name of a process: `p`, `q[2]`, `worker@p.1.2`. Costs its depth in the tree of spawns.
    pub(super) fn name(&self, process: ProcessId) -> String {
        let own = &self.image.bodies[self.processes[process.index()].body].name;
        let mut path = Vec::new();
        let mut at = process;
        let index = loop {
            match self.processes[at.index()].origin {
                Origin::Initial(index) => break index,
                Origin::Spawned(parent, nth) => {
                    path.push(nth + 1);
                    at = parent;
                }
            }
        };
        let mut name = self.image.bodies[self.processes[at.index()].body].name.clone();
        if let Some(index) = index {
            name += &format!("[{index}]");
        }
        if path.is_empty() {
            return name;
        }
        let path: String = path.iter().rev().map(|nth| format!(".{nth}")).collect();
        format!("{own}@{name}{path}")
    }
}
