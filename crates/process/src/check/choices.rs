//! Choices of data in steps that wait.
//!
//! A step can be taken when it does not have to wait. If it made a choice first, that would depend
//! on the value chosen, and a process would be enabled with some values and not with others. Such a
//! step has no clear meaning, so it is an error.

use crate::hir::{Block, ExprId, ExprKind, Program, Statement, StatementKind, Target};
use mazurka_source::{Diagnostic, Sink};

/// Reports every `await` and `lock` whose step may have made a choice before.
pub(super) fn forbid_before_waiting(program: &Program, sink: &mut Sink) {
    let mut choices = Choices { chooses: choosing(program), sink };
    for body in &program.bodies {
        choices.outside(&body.block);
    }
}

/// Which expressions make a choice. Children stand before their parents.
fn choosing(program: &Program) -> Vec<bool> {
    let mut chooses: Vec<bool> = Vec::with_capacity(program.exprs.len());
    for expr in &program.exprs {
        let of = |child: ExprId| chooses[child.index()];
        let chosen = match expr.kind {
            ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Global(_) => false,
            ExprKind::Cell(_, child) | ExprKind::Unary(_, child) => of(child),
            ExprKind::Binary(_, left, right) => of(left) || of(right),
            ExprKind::Conditional(condition, yes, no) => of(condition) || of(yes) || of(no),
            ExprKind::Choose(..) => true,
        };
        chooses.push(chosen);
    }
    chooses
}

struct Choices<'a> {
    chooses: Vec<bool>,
    sink: &'a mut Sink,
}

impl Choices<'_> {
    /// Statements outside of atomic blocks: each is a step of its own.
    fn outside(&mut self, block: &Block) {
        for statement in block {
            match &statement.kind {
                StatementKind::Atomic(_, block) => {
                    self.inside(block, false);
                }
                StatementKind::If(arms, otherwise) => {
                    arms.iter().for_each(|(_, _, block)| self.outside(block));
                    self.outside(otherwise);
                }
                StatementKind::While(_, block) => self.outside(block),
                _ => {
                    self.single(statement, false);
                }
            }
        }
    }

    /// Statements of one step, `chosen` before them; tells whether a choice may have been made
    /// after them.
    fn inside(&mut self, block: &Block, mut chosen: bool) -> bool {
        for statement in block {
            chosen = match &statement.kind {
                StatementKind::Atomic(_, block) => self.inside(block, chosen),
                StatementKind::If(arms, otherwise) => {
                    let mut before = chosen;
                    let mut after = false;
                    for (_, condition, block) in arms {
                        before |= self.chooses[condition.index()];
                        after |= self.inside(block, before);
                    }
                    after | self.inside(otherwise, before)
                }
                StatementKind::While(condition, block) => {
                    // A choice in one round stands before the next.
                    let before = chosen || self.chooses[condition.index()] || self.makes_a_choice(block);
                    self.inside(block, before)
                }
                _ => self.single(statement, chosen),
            };
        }
        chosen
    }

    fn single(&mut self, statement: &Statement, chosen: bool) -> bool {
        let chooses = chosen || self.chooses_itself(statement);
        let word = match statement.kind {
            StatementKind::Await(_) => "await",
            StatementKind::Lock(_) => "lock",
            _ => return chooses,
        };
        if chooses {
            let message = format!("`{word}` comes after `choose` or `any` in the same step");
            let problem = Diagnostic::new(statement.span, message, "expected no choice before it in this step");
            self.sink.push(problem.help("choose before the step, into a local variable"));
        }
        chooses
    }

    fn makes_a_choice(&self, block: &Block) -> bool {
        block.iter().any(|statement| match &statement.kind {
            StatementKind::Atomic(_, block) => self.makes_a_choice(block),
            StatementKind::If(arms, otherwise) => {
                arms.iter().any(|(_, condition, block)| self.chooses[condition.index()] || self.makes_a_choice(block))
                    || self.makes_a_choice(otherwise)
            }
            StatementKind::While(condition, block) => self.chooses[condition.index()] || self.makes_a_choice(block),
            _ => self.chooses_itself(statement),
        })
    }

    fn chooses_itself(&self, statement: &Statement) -> bool {
        let of = |expr: &ExprId| self.chooses[expr.index()];
        match &statement.kind {
            StatementKind::Assign(Target::Cell(_, index), value) => of(index) || of(value),
            StatementKind::Assign(_, value) => of(value),
            StatementKind::Lock(mutex) | StatementKind::Unlock(mutex) => mutex.index.as_ref().is_some_and(of),
            StatementKind::Await(e) | StatementKind::Assume(e) | StatementKind::Assert(e) => of(e),
            StatementKind::Spawn(_, arguments) => arguments.iter().any(of),
            StatementKind::Atomic(..) | StatementKind::If(..) | StatementKind::While(..) => false,
        }
    }
}
