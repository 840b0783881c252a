//! Simplifications of a program, numbered, so that a shrinker can try one after the other.

use super::{Block, Body, BodyKind, Expr, Program, Statement};

/// How many simplifications a program offers.
pub fn edits(program: &Program) -> usize {
    let mut counting = Edit { left: usize::MAX };
    counting.program(&mut program.clone());
    usize::MAX - counting.left
}

/// The program after its simplification number `n`, the coarse ones first; every one makes it
/// simpler, so that simplifying comes to an end. The result need not be valid.
pub fn nth_edit(program: &Program, n: usize) -> Option<Program> {
    let mut copy = program.clone();
    Edit { left: n }.program(&mut copy).then_some(copy)
}

/// Walks over a program and makes the simplification that `left` counts down to. The methods tell
/// whether it was made.
struct Edit {
    left: usize,
}

impl Edit {
    /// Whether the next simplification is the one to make.
    fn now(&mut self) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        false
    }

    /// Removes an element, or edits one.
    fn remove_one<T>(&mut self, list: &mut Vec<T>) -> bool {
        let found = (0..list.len()).find(|_| self.now());
        found.map(|at| list.remove(at)).is_some()
    }

    fn program(&mut self, program: &mut Program) -> bool {
        self.remove_one(&mut program.bodies)
            || self.blocks(program, Edit::shorten)
            || self.blocks(program, Edit::unwrap)
            || self.remove_one(&mut program.globals)
            || self.remove_one(&mut program.mutexes)
            || program.bodies.iter_mut().any(|body| self.head(body))
            || self.blocks(program, Edit::expressions)
            || program.globals.iter_mut().any(|global| {
                global.initial != 0 && self.now() && {
                    global.initial = 0;
                    true
                }
            })
    }

    fn blocks(&mut self, program: &mut Program, edit: fn(&mut Edit, &mut Block) -> bool) -> bool {
        program.bodies.iter_mut().any(|body| edit(self, &mut body.block)) || edit(self, &mut program.finally)
    }

    fn head(&mut self, body: &mut Body) -> bool {
        match &mut body.kind {
            BodyKind::Array(count) if *count > 1 && self.now() => {
                *count -= 1;
                true
            }
            BodyKind::Array(_) if self.now() => {
                body.kind = BodyKind::Process;
                true
            }
            BodyKind::Process | BodyKind::Array(_) | BodyKind::Proc(_) => false,
        }
    }

    /// Removes a statement, at any depth.
    fn shorten(&mut self, block: &mut Block) -> bool {
        self.remove_one(block) || block.iter_mut().any(|statement| statement.blocks().any(|block| self.shorten(block)))
    }

    /// Replaces a statement by what it holds, at any depth.
    fn unwrap(&mut self, block: &mut Block) -> bool {
        for at in 0..block.len() {
            for part in 0..block[at].blocks().count() {
                if self.now() {
                    let content = std::mem::take(block[at].blocks().nth(part).expect("it was counted"));
                    block.splice(at..=at, content);
                    return true;
                }
            }
        }
        block.iter_mut().any(|statement| statement.blocks().any(|block| self.unwrap(block)))
    }

    /// Replaces an expression by a part of it or by a constant.
    fn expressions(&mut self, block: &mut Block) -> bool {
        block.iter_mut().any(|statement| {
            own_expressions(statement).into_iter().any(|expr| self.expression(expr))
                || statement.blocks().any(|block| self.expressions(block))
        })
    }

    fn expression(&mut self, expr: &mut Expr) -> bool {
        for simpler in simpler(expr) {
            if self.now() {
                *expr = simpler;
                return true;
            }
        }
        operands(expr).into_iter().any(|operand| self.expression(operand))
    }
}

/// The expressions of a statement itself.
fn own_expressions(statement: &mut Statement) -> Vec<&mut Expr> {
    match statement {
        Statement::Local(_, _, value) => vec![value],
        Statement::Assign(_, index, value) => index.iter_mut().chain([value]).collect(),
        Statement::Atomic(_) => vec![],
        Statement::If(condition, ..) | Statement::While(condition, _) => vec![condition],
        Statement::Lock(_, index) | Statement::Unlock(_, index) => index.iter_mut().collect(),
        Statement::Await(condition) | Statement::Assume(condition) | Statement::Assert(condition) => vec![condition],
        Statement::Spawn(_, arguments) => arguments.iter_mut().collect(),
    }
}

fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Int(_) | Expr::Bool(_) | Expr::Name(_) => vec![],
        Expr::Cell(_, operand) | Expr::Unary(_, operand) => vec![operand],
        Expr::Binary(_, left, right) | Expr::Choose(left, right) => vec![left, right],
        Expr::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
    }
}

/// What could stand in an expression's place. An integer where a boolean is needed is not valid and
/// does no harm.
fn simpler(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Int(0) | Expr::Bool(false) => vec![],
        Expr::Int(1) => vec![Expr::Int(0)],
        Expr::Bool(true) => vec![Expr::Bool(false)],
        Expr::Int(_) => vec![Expr::Int(0), Expr::Int(1)],
        Expr::Name(_)
        | Expr::Cell(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Conditional(..)
        | Expr::Choose(..) => {
            let mut simpler: Vec<_> = operands(&mut expr.clone()).into_iter().map(|operand| operand.clone()).collect();
            simpler.extend([Expr::Int(0), Expr::Int(1), Expr::Bool(true), Expr::Bool(false)]);
            simpler
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Program {
        let assign = |value| Statement::Assign("x".into(), None, value);
        let block = vec![
            Statement::If(Expr::Bool(true), vec![assign(Expr::Int(3))], vec![]),
            Statement::Atomic(vec![assign(Expr::binary("+", Expr::name("x"), Expr::Int(1)))]),
        ];
        let body = Body { name: "p".into(), kind: BodyKind::Array(2), block };
        Program { bodies: vec![body], ..Program::default() }
    }

    #[test]
    fn every_number_is_an_edit_and_no_more() {
        let program = example();
        let count = edits(&program);
        for n in 0..count {
            assert_ne!(nth_edit(&program, n).expect("there is such an edit"), program);
        }
        assert_eq!(nth_edit(&program, count), None);
    }

    #[test]
    fn editing_comes_to_an_end() {
        let mut program = example();
        let mut rounds = 0;
        while let Some(simpler) = edits(&program).checked_sub(1).and_then(|last| nth_edit(&program, last)) {
            program = simpler;
            rounds += 1;
            assert!(rounds < 100);
        }
        assert_eq!(program, Program::default());
    }
}
