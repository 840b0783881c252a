//! Statements: where steps begin, and what each statement does.

use mazurka_trace::{SiteId, Value};

use crate::code::{Cells, Guard, Instruction, Stop, Subject};
use crate::hir::{Binary, Block, ExprId, ExprKind, MutexRef, Statement, StatementKind, Target};

use super::{Lowerer, varies};

/// How a statement outside of atomic blocks takes part in steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// Runs with the step before.
    Local,
    /// Local, with a data choice: a local step.
    Choice,
    /// A step.
    Visible,
}

/// Whether a block holds a `lock`.
pub(super) fn locks(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        StatementKind::Lock(_) => true,
        StatementKind::Atomic(_, block) | StatementKind::While(_, block) => locks(block),
        StatementKind::If(arms, otherwise) => arms.iter().any(|(_, _, block)| locks(block)) || locks(otherwise),
        _ => false,
    })
}

/// Whether a block holds a `lock` or an `await`.
fn can_block(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        StatementKind::Lock(_) | StatementKind::Await(_) => true,
        StatementKind::Atomic(_, block) | StatementKind::While(_, block) => can_block(block),
        StatementKind::If(arms, otherwise) => arms.iter().any(|(_, _, block)| can_block(block)) || can_block(otherwise),
        _ => false,
    })
}

impl<'a> Lowerer<'a> {
    /// The code of a process.
    ///
    /// Assignments of locals at its beginning run when the process is started; the local stop
    /// before them is for the case that they fail. Other local code at the beginning is a local
    /// step, so that its failures are some step's. Tells whether there are such assignments.
    pub(super) fn process_block(&mut self, block: &'a Block) -> bool {
        let head = block.iter().take_while(|statement| self.is_plain(statement)).count();
        if head > 0 {
            self.local_stop(block[0].span);
        }
        self.block(&block[..head]);
        if let Some(next) = block.get(head).filter(|next| self.first_class(next) == Class::Local) {
            self.local_stop(next.span);
        }
        self.block(&block[head..]);
        head > 0
    }

    /// Code within one step.
    pub(super) fn atomic_block(&mut self, block: &'a Block) {
        for statement in block {
            self.current = self.site(statement.span, Subject::Plain);
            self.in_atomic(statement);
        }
    }

    fn block(&mut self, block: &'a [Statement]) {
        for statement in block {
            self.current = self.site(statement.span, Subject::Plain);
            self.statement(statement);
        }
    }

    fn local_stop(&mut self, span: crate::hir::Span) {
        let site = self.site(span, Subject::Plain);
        self.stop(Stop { is_local: true, ..Stop::plain(site) });
    }

    /// An assignment to a local that makes no choice and reads no global.
    fn is_plain(&self, statement: &Statement) -> bool {
        matches!(statement.kind, StatementKind::Assign(Target::Local(_), value) if self.class_of(value) == Class::Local)
    }

    /// The class of what a statement does first.
    fn first_class(&self, statement: &Statement) -> Class {
        match &statement.kind {
            StatementKind::If(arms, _) => arms.first().map_or(Class::Local, |arm| self.class_of(arm.1)),
            StatementKind::While(condition, _) => self.class_of(*condition),
            _ => self.class(statement),
        }
    }

    fn class_of(&self, expr: ExprId) -> Class {
        let facts = self.facts[expr.index()];
        if facts.reads {
            Class::Visible
        } else if facts.chooses {
            Class::Choice
        } else {
            Class::Local
        }
    }

    /// The class of a whole statement, as part of an atomic block or on its own.
    fn class(&self, statement: &Statement) -> Class {
        let of_block = |block: &Block| block.iter().map(|s| self.class_within(s)).max().unwrap_or(Class::Local);
        match &statement.kind {
            StatementKind::Assign(Target::Local(_), value) => self.class_of(*value),
            StatementKind::Assign(..)
            | StatementKind::Lock(_)
            | StatementKind::Unlock(_)
            | StatementKind::Spawn(..) => Class::Visible,
            StatementKind::Atomic(_, block) => of_block(block),
            StatementKind::If(arms, otherwise) => {
                let arms = arms.iter().map(|(_, condition, block)| self.class_of(*condition).max(of_block(block)));
                arms.max().unwrap_or(Class::Local).max(of_block(otherwise))
            }
            StatementKind::While(condition, block) => self.class_of(*condition).max(of_block(block)),
            // Whether it can pass is then a matter of the choice, and the choice a part of the
            // step.
            StatementKind::Await(condition) if self.class_of(*condition) != Class::Local => Class::Visible,
            StatementKind::Await(_) => Class::Local,
            StatementKind::Assume(condition) | StatementKind::Assert(condition) => self.class_of(*condition),
        }
    }

    /// As `class`, for a statement in an atomic block: there, whatever may block needs a step.
    fn class_within(&self, statement: &Statement) -> Class {
        if matches!(statement.kind, StatementKind::Await(_)) { Class::Visible } else { self.class(statement) }
    }

    /// A statement of a process, outside of atomic blocks.
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::If(arms, otherwise) if self.class(statement) != Class::Local => {
                self.branches(arms, otherwise, false);
            }
            StatementKind::While(condition, block) if self.class(statement) != Class::Local => {
                self.repeat(*condition, block, false);
            }
            StatementKind::Await(condition) if self.class(statement) == Class::Local => self.local_await(*condition),
            _ => {
                let (class, first) = (self.class(statement), self.declared);
                if class != Class::Local {
                    let stop = self.stop_of(statement, class);
                    if let StatementKind::Atomic(Some(name), _) = &statement.kind {
                        self.atomics.push((name.clone(), stop.site));
                    }
                    self.stop(stop);
                }
                self.in_atomic(statement);
                if !matches!(statement.kind, StatementKind::Assign(..)) {
                    self.forget(first);
                }
            }
        }
    }

    /// The variables that were declared from this one on are gone: whatever they held, it makes no
    /// difference any more. Within a step that is seen to once, at its end.
    fn forget(&mut self, first: u32) {
        for local in first..self.declared {
            self.emit(Instruction::ConstantToLocal(local, 0));
        }
    }

    fn stop_of(&mut self, statement: &'a Statement, class: Class) -> Stop {
        let can_block = match &statement.kind {
            StatementKind::Lock(_) | StatementKind::Await(_) => true,
            StatementKind::Atomic(_, block) => can_block(block),
            _ => false,
        };
        let guard = if can_block { self.guard(statement) } else { Guard::Always };
        let varies = self.varies(statement);
        let locks = matches!(statement.kind, StatementKind::Lock(_)) && !varies;
        Stop { guard, is_local: class == Class::Choice, can_block, locks, varies, ..Stop::plain(self.current) }
    }

    fn guard(&self, statement: &Statement) -> Guard {
        match &statement.kind {
            StatementKind::Lock(mutex) => match mutex.index {
                Some(index) if self.constant_cell(self.mutexes[mutex.mutex.index()], index).is_none() => {
                    Guard::Condition
                }
                _ => Guard::Lock,
            },
            StatementKind::Await(_) => Guard::Condition,
            _ => Guard::Trial,
        }
    }

    fn varies(&mut self, statement: &'a Statement) -> bool {
        let of = |expr: ExprId| self.facts[expr.index()].varies;
        let index = |expr: ExprId| of(expr) || self.facts[expr.index()].tainted;
        match &statement.kind {
            StatementKind::Assign(Target::Cell(_, at), value) => index(*at) || of(*value),
            StatementKind::Assign(_, value) => of(*value),
            StatementKind::Lock(mutex) | StatementKind::Unlock(mutex) => mutex.index.is_some_and(index),
            StatementKind::Await(e) | StatementKind::Assume(e) | StatementKind::Assert(e) => of(*e),
            StatementKind::Spawn(_, arguments) => arguments.iter().any(|&argument| of(argument)),
            StatementKind::Atomic(_, block) => {
                varies::atomic_varies(self.program, self.locals, block, &mut self.scratch)
            }
            StatementKind::If(..) | StatementKind::While(..) => unreachable!("stops at its conditions"),
        }
    }

    /// The stop before a condition of `if` or `while`, where it needs one.
    fn condition_stop(&mut self, condition: ExprId) {
        let class = self.class_of(condition);
        if class != Class::Local {
            let varies = self.facts[condition.index()].varies;
            let is_local = class == Class::Choice;
            self.stop(Stop { is_local, varies, ..Stop::plain(self.current) });
        }
    }

    fn nested(&mut self, block: &'a Block, atomic: bool) {
        if atomic {
            self.atomic_block(block);
        } else {
            let first = self.declared;
            self.block(block);
            self.forget(first);
        }
    }

    fn branches(&mut self, arms: &'a [(crate::hir::Span, ExprId, Block)], otherwise: &'a Block, atomic: bool) {
        let mut ends = Vec::new();
        for (at, (span, condition, block)) in arms.iter().enumerate() {
            self.current = self.site(*span, Subject::Plain);
            if !atomic {
                self.condition_stop(*condition);
            }
            self.evaluate(*condition);
            let skip = self.emit(Instruction::JumpIfFalse(0));
            self.nested(block, atomic);
            if at + 1 < arms.len() || !otherwise.is_empty() {
                ends.push(self.emit(Instruction::Jump(0)));
            }
            self.land(skip);
        }
        self.nested(otherwise, atomic);
        for end in ends {
            self.land(end);
        }
    }

    fn repeat(&mut self, condition: ExprId, block: &'a Block, atomic: bool) {
        let own = self.current;
        let head = self.code.len();
        if !atomic {
            self.condition_stop(condition);
        }
        self.evaluate(condition);
        let leave = self.emit(Instruction::JumpIfFalse(0));
        self.nested(block, atomic);
        self.emit_at(Instruction::Loop(head as u32), own);
        self.land(leave);
    }

    /// Nobody else can make it true: it passes, or the process waits for ever.
    fn local_await(&mut self, condition: ExprId) {
        self.evaluate(condition);
        let pass = self.emit(Instruction::JumpIfTrue(0));
        self.stop(Stop { guard: Guard::Never, can_block: true, ..Stop::plain(self.current) });
        self.land(pass);
    }

    /// What a statement does, within a step.
    fn in_atomic(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Assign(target, value) => self.assign(*target, *value),
            StatementKind::Atomic(_, block) => self.atomic_block(block),
            StatementKind::If(arms, otherwise) => self.branches(arms, otherwise, true),
            StatementKind::While(condition, block) => self.repeat(*condition, block, true),
            StatementKind::Lock(mutex) => self.mutex(*mutex, Instruction::Lock, Instruction::LockCell),
            StatementKind::Unlock(mutex) => self.mutex(*mutex, Instruction::Unlock, Instruction::UnlockCell),
            StatementKind::Await(condition) => self.check(*condition, Instruction::Await),
            StatementKind::Assume(condition) => self.check(*condition, Instruction::Assume),
            StatementKind::Assert(condition) => {
                let subject = Subject::Assertion(self.program.exprs[condition.index()].span);
                self.sites[self.current.index()].subject = subject;
                self.check(*condition, Instruction::Assert);
            }
            StatementKind::Spawn(body, arguments) => {
                for &argument in arguments {
                    self.evaluate(argument);
                    self.emit(Instruction::Push);
                }
                self.emit(Instruction::Spawn { body: body.0 });
            }
        }
    }

    fn check(&mut self, condition: ExprId, instruction: Instruction) {
        self.evaluate(condition);
        self.emit(instruction);
    }

    fn assign(&mut self, target: Target, value: ExprId) {
        if let Target::Local(local) = target {
            // The first assignment is the declaration.
            self.declared = self.declared.max(local.0 + 1);
        }
        let kind = &self.program.exprs[value.index()].kind;
        match (target, kind) {
            (Target::Local(local), ExprKind::Value(value)) => {
                self.emit(Instruction::ConstantToLocal(local.0, *value));
            }
            (Target::Local(local), ExprKind::Global(global)) => {
                let global = self.variables[global.index()].first;
                self.emit(Instruction::GlobalToLocal { local: local.0, global });
            }
            (Target::Local(local), _) => {
                self.evaluate(value);
                self.emit(Instruction::SetLocal(local.0));
            }
            (Target::Global(global), _) => self.assign_global(self.variables[global.index()].first, value),
            (Target::Cell(global, index), _) => self.assign_cell(global.0, index, value),
        }
    }

    fn assign_global(&mut self, global: u32, value: ExprId) {
        if let Some(constant) = self.own_sum(global, value) {
            let site = self.operator_site(Binary::Add, value);
            self.emit_at(Instruction::AddToGlobal(global, constant), site);
            return;
        }
        match self.program.exprs[value.index()].kind {
            ExprKind::Value(value) => {
                self.emit(Instruction::ConstantToGlobal(global, value));
            }
            ExprKind::Local(local) => {
                self.emit(Instruction::LocalToGlobal { global, local: local.0 });
            }
            _ => {
                self.evaluate(value);
                self.emit(Instruction::SetGlobal(global));
            }
        }
    }

    /// The constant in `global + constant`, for this global.
    fn own_sum(&self, global: u32, sum: ExprId) -> Option<Value> {
        let kind = |expr: ExprId| &self.program.exprs[expr.index()].kind;
        let ExprKind::Binary(Binary::Add, left, right) = kind(sum) else { return None };
        match (kind(*left), kind(*right)) {
            (ExprKind::Global(read), ExprKind::Value(constant)) => {
                (self.variables[read.index()].first == global).then_some(*constant)
            }
            _ => None,
        }
    }

    fn assign_cell(&mut self, global: u32, index: ExprId, value: ExprId) {
        let cells = self.variables[global as usize];
        if let Some(slot) = self.constant_cell(cells, index) {
            self.assign_global(slot, value);
        } else if let ExprKind::Local(local) = self.program.exprs[index.index()].kind {
            self.evaluate(value);
            let site = self.cell_site(global);
            self.emit_at(Instruction::SetCellLocal(cells, local.0), site);
        } else {
            self.evaluate(index);
            self.emit(Instruction::Push);
            self.evaluate(value);
            let site = self.cell_site(global);
            self.emit_at(Instruction::SetCell(cells), site);
        }
    }

    /// The current statement, as one that uses a cell of this object.
    fn cell_site(&mut self, object: u32) -> SiteId {
        let span = self.sites[self.current.index()].span;
        self.site(span, Subject::Array(object))
    }

    fn mutex(&mut self, mutex: MutexRef, one: fn(u32) -> Instruction, cell: fn(Cells) -> Instruction) {
        let cells = self.mutexes[mutex.mutex.index()];
        let Some(index) = mutex.index else {
            self.emit(one(cells.first));
            return;
        };
        if let Some(slot) = self.constant_cell(cells, index) {
            self.emit(one(slot));
        } else {
            self.evaluate(index);
            let site = self.cell_site(self.program.globals.len() as u32 + mutex.mutex.0);
            self.emit_at(cell(cells), site);
        }
    }
}
