//! Which instructions ran, and which way branches went.

use std::collections::BTreeMap;

use mazurka_machine::Describe;
use mazurka_trace::ProcessId;
use rustc_hash::FxHashSet;

use super::ActorMachine;
use crate::code::{BodyKind, Image, Instruction, Pc};

/// A place of a program that an execution can come to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The instruction.
    pub pc: u32,
    /// For a branch: whether it jumps.
    pub jumps: Option<bool>,
}

/// What an execution came to.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The instructions that ran, and the ways of branches.
    pub met: FxHashSet<Target>,
    /// For each task, a digest of the instructions that it ran, in order.
    trails: BTreeMap<u32, u64>,
    /// The code of the program, without what was added to begin with a situation.
    length: usize,
    last: Option<Pc>,
}

impl ActorMachine {
    /// From now on, notes what runs of this program, which was begun with a situation.
    pub fn keep_coverage(&mut self, program: &Image) {
        self.coverage = Some(Box::new(Coverage { length: program.code.len(), ..Coverage::default() }));
        self.attends = true;
    }

    /// What has run since [`ActorMachine::keep_coverage`].
    pub fn take_coverage(&mut self) -> Coverage {
        self.coverage.take().map(|coverage| *coverage).unwrap_or_default()
    }

    /// For each task, by name, a digest of what it ran: executions with the same ones differ in
    /// values and in the order of tasks alone.
    pub fn trails(&self, coverage: &Coverage) -> Vec<(String, u64)> {
        let name = |task: u32| self.process_name(ProcessId::new(task as usize));
        coverage.trails.iter().map(|(&task, &trail)| (name(task), trail)).collect()
    }

    /// A step begins.
    pub(super) fn begin_coverage(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.last = None;
        }
    }

    /// A task is about to run an instruction.
    pub(super) fn cover(&mut self, task: u32, pc: Pc) {
        let Some(coverage) = &mut self.coverage else { return };
        if pc as usize >= coverage.length {
            return;
        }
        let trail = coverage.trails.entry(task).or_insert(0);
        *trail = (*trail ^ u64::from(pc)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        if let Some(last) = coverage.last
            && is_branch(self.image.code[last as usize])
        {
            coverage.met.insert(Target { pc: last, jumps: Some(pc != last + 1) });
        }
        coverage.met.insert(Target { pc, jumps: None });
        coverage.last = Some(pc);
    }
}

fn is_branch(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Unless { .. }
            | Instruction::When { .. }
            | Instruction::Unmatched { .. }
            | Instruction::Unequal { .. }
    )
}

impl Image {
    /// The branches of methods, and of functions that are not of the library, both ways of each; or
    /// their instructions.
    pub fn targets(&self, branches: bool) -> Vec<Target> {
        let is_own = |pc: &u32| !self.is_library(*pc) && self.body_at(*pc).kind != BodyKind::Init;
        let all = (0..self.code.len() as u32).filter(is_own);
        if branches {
            let both = |pc| [true, false].map(|jumps| Target { pc, jumps: Some(jumps) });
            return all.filter(|&pc| is_branch(self.code[pc as usize])).flat_map(both).collect();
        }
        let is_code = |pc: &u32| !matches!(self.code[*pc as usize], Instruction::NoMatch { exhaustive: true });
        all.filter(is_code).map(|pc| Target { pc, jumps: None }).collect()
    }

    /// Whether a target is one of the program itself, not of the library or of what makes objects.
    pub fn is_own(&self, target: &Target) -> bool {
        let is_given = |pc: u32| self.body_at(pc).class.is_some() || self.body_at(pc).kind == BodyKind::Function;
        !self.is_library(target.pc) && self.body_at(target.pc).kind != BodyKind::Init && is_given(target.pc)
    }

    /// The body that a target is in, and its name.
    pub fn body_of(&self, target: &Target) -> (u32, String) {
        let body = self.owners[target.pc as usize];
        (body, self.method_name(body))
    }

    /// Where a target stands: file, line and column, and the text.
    pub fn place_of_target(&self, target: &Target) -> mazurka_machine::Place {
        self.place_of(self.places[target.pc as usize])
    }
}
