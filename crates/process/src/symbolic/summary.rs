//! A loop as uninterpreted functions of what it uses.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Definition 7.
//!
//! For each variable that a loop may change there is a function of all variables that it uses, and
//! so for whether it waits, whether something fails, whether each assertion holds; all processes
//! that it creates are one call, of those variables. A loop does the same again where it finds the
//! same. What is said of a step with such functions in it is true of all functions, so also of
//! those that the loop stands for; that something does *not* hold is not known.

use mazurka_smt::{Sort, Term};
use mazurka_trace::FaultKind;

use crate::code::{Cells, Instruction};

use super::execute::Execution;
use super::path::Path;
use super::transition::AccessKind;
use super::{Spawn, Symbolic};

/// What a loop uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Summary {
    /// Where it goes on, after the loop.
    end: usize,
    /// The locals that it uses, and those that it may change.
    locals: [Vec<usize>; 2],
    /// The same of variables and arrays.
    objects: [Vec<usize>; 2],
    mutexes: Vec<usize>,
    /// Where it can wait, where assumptions and assertions stand, where it creates processes, where
    /// it chooses.
    waits: bool,
    assumes: bool,
    asserts: Vec<usize>,
    spawns: bool,
    chooses: bool,
}

const USED: usize = 0;
const CHANGED: usize = 1;

impl Summary {
    /// The loop that begins at an instruction, if one does and lies within a step.
    pub(super) fn of(program: &Symbolic<'_>, head: usize) -> Option<Summary> {
        let code = &program.image.code;
        let back = code.iter().rposition(|instruction| *instruction == Instruction::Loop(head as u32))?;
        let mut summary = Summary { end: back + 1, ..Summary::default() };
        for (pc, instruction) in code.iter().enumerate().take(back).skip(head) {
            summary.add(program, instruction, pc, head)?;
        }
        for list in summary.locals.iter_mut().chain(&mut summary.objects).chain([&mut summary.mutexes]) {
            list.sort_unstable();
            list.dedup();
        }
        Some(summary)
    }

    fn add(&mut self, program: &Symbolic<'_>, instruction: &Instruction, pc: usize, head: usize) -> Option<()> {
        let object = |slot: u32| program.locate(slot).0;
        let cells = |cells: Cells| object(cells.first);
        match *instruction {
            Instruction::Stop(_) | Instruction::End { .. } | Instruction::Nowhere => return None,
            Instruction::Jump(to)
            | Instruction::Loop(to)
            | Instruction::JumpIfFalse(to)
            | Instruction::JumpIfTrue(to) => {
                (head..=self.end).contains(&(to as usize)).then_some(())?;
            }
            Instruction::Constant(_)
            | Instruction::Push
            | Instruction::Binary(_)
            | Instruction::BinaryConstant(..)
            | Instruction::Negate
            | Instruction::Not => {}
            Instruction::Local(local)
            | Instruction::LocalBinaryConstant(_, local, _)
            | Instruction::BinaryLocal(_, local) => {
                self.local(local, USED);
            }
            Instruction::Global(slot)
            | Instruction::GlobalBinaryConstant(_, slot, _)
            | Instruction::BinaryGlobal(_, slot) => self.object(object(slot), USED),
            Instruction::Cell(array) => self.object(cells(array), USED),
            Instruction::CellLocal(array, local) => {
                self.object(cells(array), USED);
                self.local(local, USED);
            }
            Instruction::SetLocal(local) | Instruction::ConstantToLocal(local, _) => self.local(local, CHANGED),
            Instruction::SetGlobal(slot)
            | Instruction::ConstantToGlobal(slot, _)
            | Instruction::AddToGlobal(slot, _) => {
                self.object(object(slot), CHANGED);
            }
            Instruction::SetCell(array) => self.object(cells(array), CHANGED),
            Instruction::SetCellLocal(array, local) => {
                self.object(cells(array), CHANGED);
                self.local(local, USED);
            }
            Instruction::LocalToGlobal { global, local } => {
                self.object(object(global), CHANGED);
                self.local(local, USED);
            }
            Instruction::GlobalToLocal { local, global } => {
                self.object(object(global), USED);
                self.local(local, CHANGED);
            }
            Instruction::Lock(slot) | Instruction::Unlock(slot) => self.mutexes.push(object(slot)),
            Instruction::LockCell(array) | Instruction::UnlockCell(array) => self.mutexes.push(cells(array)),
            Instruction::Await => self.waits = true,
            Instruction::Assume => self.assumes = true,
            Instruction::Assert => self.asserts.push(pc),
            Instruction::Spawn { .. } => self.spawns = true,
            Instruction::Choose => self.chooses = true,
        }
        Some(())
    }

    /// What may be changed counts as used, too: it need not be changed.
    fn local(&mut self, local: u32, how: usize) {
        self.locals[how].push(local as usize);
        self.locals[USED].push(local as usize);
    }

    fn object(&mut self, object: usize, how: usize) {
        self.objects[how].push(object);
        self.objects[USED].push(object);
    }
}

impl Execution<'_> {
    /// Takes a path past a loop. Gives where it goes on.
    pub(super) fn pass(&mut self, head: usize, summary: &Summary, path: &mut Path) -> usize {
        for &mutex in &summary.mutexes {
            self.access(path, mutex, None, AccessKind::Mutex);
        }
        if summary.chooses || !path.stack.is_empty() {
            self.cut(path, head);
            let no = self.arena.no();
            path.restrict(self.arena, no);
            return summary.end;
        }
        let used = summary.locals[USED].iter().map(|&local| path.state.locals[local]);
        let used: Vec<Term> =
            used.chain(summary.objects[USED].iter().map(|&object| path.state.objects[object])).collect();
        for &object in &summary.objects[USED] {
            self.access(path, object, None, AccessKind::Read);
        }
        for &object in &summary.objects[CHANGED] {
            self.access(path, object, None, AccessKind::Write);
        }
        if summary.waits {
            let passes = self.unknown(head, "passes", &used, Sort::Bool);
            self.wait_for(path, passes);
        }
        if summary.assumes {
            let holds = self.unknown(head, "goes on", &used, Sort::Bool);
            self.assume(path, holds);
        }
        let fails = self.unknown(head, "fails", &used, Sort::Bool);
        self.fail(path, fails, FaultKind::Overflow, head);
        for &assert in &summary.asserts {
            let holds = self.unknown(assert, "asserts", &used, Sort::Bool);
            self.claim(path, holds, assert);
        }
        if summary.spawns {
            // No body has this number.
            let body = self.program.bodies().len() + head;
            self.call(Spawn { when: path.when, body, nth: path.state.spawned, arguments: used.clone() });
            let spawned = self.unknown(head, "spawned", &used, Sort::Int);
            path.state.spawned = self.arena.add(&[path.state.spawned, spawned]);
        }
        for &local in &summary.locals[CHANGED] {
            let sort = self.arena.sort(path.state.locals[local]);
            path.state.locals[local] = self.unknown(head, &format!("local {local}"), &used, sort);
        }
        for &object in &summary.objects[CHANGED] {
            let sort = self.arena.sort(path.state.objects[object]);
            path.state.objects[object] = self.unknown(head, &format!("object {object}"), &used, sort);
        }
        summary.end
    }

    /// Something that a loop leads to, as a function of what it uses.
    fn unknown(&mut self, at: usize, what: &str, used: &[Term], sort: Sort) -> Term {
        let sorts: Vec<Sort> = used.iter().map(|&term| self.arena.sort(term)).collect();
        let function = self.arena.function(&format!("loop {at}: {what}"), &sorts, sort);
        self.arena.apply(function, used)
    }

    /// Two operands of an operation that is not linear, as a function of them.
    pub(super) fn nonlinear(&mut self, name: &str, left: Term, right: Term) -> Term {
        let function = self.arena.function(name, &[Sort::Int; 2], Sort::Int);
        self.arena.apply(function, &[left, right])
    }
}
