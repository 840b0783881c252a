//! Which instructions ran, and which way branches went.

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
    last: Option<Pc>,
}

impl ActorMachine {
    /// From now on, notes what runs.
    pub fn keep_coverage(&mut self) {
        self.coverage = Some(Box::default());
        self.attends = true;
    }

    /// What has run since [`ActorMachine::keep_coverage`].
    pub fn take_coverage(&mut self) -> Coverage {
        self.coverage.as_mut().map(|coverage| std::mem::take(&mut **coverage)).unwrap_or_default()
    }

    /// A step begins.
    pub(super) fn begin_coverage(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.last = None;
        }
    }

    /// An instruction is about to run.
    pub(super) fn cover(&mut self, pc: Pc) {
        let Some(coverage) = &mut self.coverage else { return };
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

    /// Whether a target is one of this program, and not of a main block that was added.
    pub fn has(&self, target: &Target) -> bool {
        (target.pc as usize) < self.code.len()
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
