//! What an expression touches, found bottom-up over the arena: no recursion, and linear in the
//! expression.

use crate::hir::{Binary, Expr, ExprId, ExprKind, LocalId};

/// What evaluating an expression does besides giving a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// Reads a global variable.
    pub(super) reads: bool,
    /// Makes a data choice.
    pub(super) chooses: bool,
    /// Its value can depend on a global variable.
    pub(super) tainted: bool,
    /// Which locations it reads, or which choices it offers, can depend on the values of global
    /// variables.
    pub(super) varies: bool,
}

impl Facts {
    fn touches(self) -> bool {
        self.reads || self.chooses
    }

    fn and(self, other: Facts) -> Facts {
        Facts {
            reads: self.reads || other.reads,
            chooses: self.chooses || other.chooses,
            tainted: self.tainted || other.tainted,
            varies: self.varies || other.varies,
        }
    }

    fn read() -> Facts {
        Facts { reads: true, tainted: true, ..Facts::default() }
    }

    /// With `other` evaluated only where `self` says so.
    fn guards(self, other: Facts) -> Facts {
        let both = self.and(other);
        Facts { varies: both.varies || (self.tainted && other.touches()), ..both }
    }
}

/// The facts of one expression, given those of its children. `tainted` tells of a local whether its
/// value was read from a global in the same step.
fn facts_of(expr: &Expr, known: &[Facts], tainted: impl Fn(LocalId) -> bool) -> Facts {
    let at = |id: ExprId| known[id.index()];
    match expr.kind {
        ExprKind::Value(_) => Facts::default(),
        ExprKind::Local(local) => Facts { tainted: tainted(local), ..Facts::default() },
        ExprKind::Global(_) => Facts::read(),
        ExprKind::Cell(_, index) => {
            let index = at(index);
            Facts { varies: index.varies || index.tainted, ..index.and(Facts::read()) }
        }
        ExprKind::Unary(_, operand) => at(operand),
        ExprKind::Binary(Binary::And | Binary::Or, left, right) => at(left).guards(at(right)),
        ExprKind::Binary(_, left, right) => at(left).and(at(right)),
        ExprKind::Conditional(condition, yes, no) => at(condition).guards(at(yes).and(at(no))),
        ExprKind::Choose(low, high) => {
            let bounds = at(low).and(at(high));
            Facts { chooses: true, varies: bounds.varies || bounds.tainted, ..bounds }
        }
    }
}

/// The facts of all expressions of the program, for steps that have not assigned to a local yet.
pub(super) fn of_program(exprs: &[Expr]) -> Vec<Facts> {
    let mut known: Vec<Facts> = Vec::with_capacity(exprs.len());
    for expr in exprs {
        let facts = facts_of(expr, &known, |_| false);
        known.push(facts);
    }
    known
}

/// The facts of one expression in a step that has put values of globals into the locals in
/// `tainted`. `known` and `order` are scratch; `known` is as long as the arena.
pub(super) fn with_taint(
    exprs: &[Expr],
    root: ExprId,
    tainted: &[bool],
    known: &mut [Facts],
    order: &mut Vec<ExprId>,
) -> Facts {
    order.clear();
    order.push(root);
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        children(&exprs[id.index()], |child| order.push(child));
        next += 1;
    }
    // Children stand before their parents in the arena.
    order.sort_unstable();
    for &id in order.iter() {
        known[id.index()] = facts_of(&exprs[id.index()], known, |local| tainted[local.index()]);
    }
    known[root.index()]
}

fn children(expr: &Expr, mut visit: impl FnMut(ExprId)) {
    match expr.kind {
        ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Global(_) => {}
        ExprKind::Cell(_, operand) | ExprKind::Unary(_, operand) => visit(operand),
        ExprKind::Binary(_, left, right) | ExprKind::Choose(left, right) => {
            visit(left);
            visit(right);
        }
        ExprKind::Conditional(condition, yes, no) => {
            visit(condition);
            visit(yes);
            visit(no);
        }
    }
}
