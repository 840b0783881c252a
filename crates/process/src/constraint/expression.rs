//! Implicants as expressions of the notation, for the machine.

use mazurka_smt::{Arena, Op, Sort, Term};
use mazurka_trace::Value;

use crate::hir::{Binary, Expr, ExprId, ExprKind, GlobalId, LocalId, Span, Type, Unary};
use crate::symbolic::{PRODUCT, QUOTIENT, REMAINDER};

use super::commute::Commute;

/// An implicant as an expression of the notation; nothing where it has none.
pub(super) fn expression(arena: &Arena, both: &Commute, implicant: &[Term]) -> Option<(Vec<Expr>, ExprId)> {
    let mut builder = Builder { exprs: Vec::new() };
    let mut known: Vec<Option<ExprId>> = vec![None; arena.len()];
    // Children have smaller numbers than their parents.
    for term in arena.below(implicant) {
        known[term.index()] = builder.term(arena, both, term, &known);
    }
    let mut root = builder.push(ExprKind::Value(1), Type::Bool);
    for (number, literal) in implicant.iter().enumerate() {
        let literal = known[literal.index()]?;
        root =
            if number == 0 { literal } else { builder.push(ExprKind::Binary(Binary::And, root, literal), Type::Bool) };
    }
    Some((builder.exprs, root))
}

struct Builder {
    exprs: Vec<Expr>,
}

impl Builder {
    fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.exprs.push(Expr { kind, ty, span: Span::default() });
        ExprId(self.exprs.len() as u32 - 1)
    }

    fn term(&mut self, arena: &Arena, both: &Commute, term: Term, known: &[Option<ExprId>]) -> Option<ExprId> {
        let operands = arena.operands(term);
        let operand = |at: usize| known[operands[at].index()];
        let comparison = |operator| Some(ExprKind::Binary(operator, operand(0)?, operand(1)?));
        let kind: Option<ExprKind> = match arena.op(term) {
            Op::Bool(value) => Some(ExprKind::Value(Value::from(value))),
            Op::Int(value) => Some(ExprKind::Value(Value::try_from(value).ok()?)),
            Op::Variable(_) => variable(both, term),
            Op::Not => Some(ExprKind::Unary(Unary::Not, operand(0)?)),
            Op::Equal => comparison(Binary::Equal),
            Op::Less => comparison(Binary::Less),
            Op::LessEqual => comparison(Binary::LessEqual),
            Op::Add => return self.chain(Binary::Add, operands, known),
            Op::Multiply => return self.chain(Binary::Multiply, operands, known),
            Op::Select => {
                let array = both.objects.iter().position(|&object| object == operands[0])?;
                Some(ExprKind::Cell(GlobalId(array as u32), operand(1)?))
            }
            Op::Apply(function) => match arena.function_name(function) {
                PRODUCT => comparison(Binary::Multiply),
                QUOTIENT => comparison(Binary::Divide),
                REMAINDER => comparison(Binary::Remainder),
                _ => None,
            },
            Op::And | Op::Or | Op::Ite | Op::Divide | Op::Modulo | Op::Store | Op::Constant => None,
        };
        let ty = if arena.sort(term) == Sort::Bool { Type::Bool } else { Type::Int };
        kind.map(|kind| self.push(kind, ty))
    }

    fn chain(&mut self, operator: Binary, operands: &[Term], known: &[Option<ExprId>]) -> Option<ExprId> {
        let mut result = known[operands[0].index()]?;
        for operand in &operands[1..] {
            let operand = known[operand.index()]?;
            result = self.push(ExprKind::Binary(operator, result, operand), Type::Int);
        }
        Some(result)
    }
}

/// What a variable of the formula stands for. Arrays stand for nothing alone.
fn variable(both: &Commute, term: Term) -> Option<ExprKind> {
    if let Some(object) = both.objects.iter().position(|&object| object == term) {
        return Some(ExprKind::Global(GlobalId(object as u32)));
    }
    let locals = both.locals.iter().flatten().position(|&local| local == term);
    locals.map(|local| ExprKind::Local(LocalId(local as u32)))
}
