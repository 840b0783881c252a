//! Expressions.

use super::Lowering;
use crate::code::{Constant, Instruction, Slot};
use crate::hir::{ExprId, ExprKind, Operator};

/// One operator of a chain that leans to the left.
enum Link {
    And(ExprId),
    Or(ExprId),
    Binary(Operator, ExprId),
}

impl<'p> Lowering<'p> {
    /// Code that leaves the value of an expression in a slot.
    pub(super) fn expr(&mut self, id: ExprId, to: Slot) {
        let place = std::mem::replace(&mut self.place, self.program.exprs[id.index()].span);
        self.expr_inside(id, to);
        self.place = place;
    }

    fn expr_inside(&mut self, id: ExprId, to: Slot) {
        match self.kind_of(id) {
            ExprKind::Int(number) => self.load(Constant::Int(number.clone()), to),
            ExprKind::String(text) => self.load(Constant::String(text.clone()), to),
            ExprKind::Local(local) => {
                let from = self.slot_of(*local);
                if from != to {
                    self.emit(Instruction::Copy { to, from });
                }
            }
            ExprKind::Field(field) => {
                self.emit(Instruction::Load { to, field: *field });
            }
            ExprKind::This => {
                self.emit(Instruction::This { to });
            }
            ExprKind::Null => {
                self.emit(Instruction::Null { to });
            }
            ExprKind::Construct(constructor, arguments) if arguments.is_empty() => {
                self.load(Constant::Constructor(constructor.0), to);
            }
            ExprKind::Construct(..) | ExprKind::List(_) | ExprKind::Closure(..) | ExprKind::Builtin(..) => {
                self.applied(id, to);
            }
            ExprKind::Call(..)
            | ExprKind::CallLocal(..)
            | ExprKind::New { .. }
            | ExprKind::Async { .. }
            | ExprKind::Sync { .. }
            | ExprKind::Get(_) => self.call(id, to),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Binary(..) => self.chain(id, to),
            ExprKind::If(condition, then, otherwise) => self.conditional(*condition, *then, *otherwise, to),
            ExprKind::Let(local, value, body) => {
                let before = self.next;
                // The value is not to see the variable.
                let slot = self.take();
                self.expr(*value, slot);
                self.assign_slot(*local, slot);
                self.expr(*body, to);
                self.next = before;
            }
            ExprKind::Case(value, arms) => self.case(*value, arms, to),
            ExprKind::Not(_)
            | ExprKind::Negate(_)
            | ExprKind::Implements(..)
            | ExprKind::As(..)
            | ExprKind::Ready(_) => self.unary(id, to),
        }
    }

    /// Something made of values that stand beside each other.
    fn applied(&mut self, id: ExprId, to: Slot) {
        match self.kind_of(id) {
            ExprKind::Construct(constructor, arguments) => {
                let (first, count) = self.in_a_row(arguments);
                self.emit(Instruction::Construct { to, constructor: constructor.0, first, count });
                self.next = first;
            }
            ExprKind::List(items) => {
                let (first, count) = self.in_a_row(items);
                self.emit(Instruction::List { to, first, count });
                self.next = first;
            }
            ExprKind::Closure(function, values) => {
                let (first, count) = self.in_a_row(values);
                self.emit(Instruction::Closure { to, function: function.0, first, count });
                self.next = first;
            }
            ExprKind::Builtin(builtin, arguments) => {
                let (first, _) = self.in_a_row(arguments);
                self.emit(Instruction::Builtin { to, builtin: *builtin, first });
                self.next = first;
            }
            _ => unreachable!("only what has arguments comes here"),
        }
    }

    /// Something made of one value.
    fn unary(&mut self, id: ExprId, to: Slot) {
        match self.kind_of(id) {
            ExprKind::Not(operand) => {
                self.expr(*operand, to);
                self.emit(Instruction::Not { to, from: to });
            }
            ExprKind::Negate(operand) => {
                self.expr(*operand, to);
                self.emit(Instruction::Negate { to, from: to });
            }
            ExprKind::Implements(object, interface) => {
                self.expr(*object, to);
                self.emit(Instruction::Implements { to, object: to, interface: interface.0 });
            }
            ExprKind::As(object, interface) => {
                self.expr(*object, to);
                self.emit(Instruction::As { to, object: to, interface: interface.0 });
            }
            ExprKind::Ready(future) => {
                self.expr(*future, to);
                self.emit(Instruction::Ready { to, future: to });
            }
            _ => unreachable!("only what has one operand comes here"),
        }
    }

    pub(super) fn load(&mut self, constant: Constant, to: Slot) {
        let constant = self.constant(constant);
        self.emit(Instruction::Constant { to, constant });
    }

    /// Code that leaves values in new slots beside each other; the caller gives the slots back.
    pub(super) fn in_a_row(&mut self, values: &[ExprId]) -> (Slot, u32) {
        let first = self.next;
        for &value in values {
            let slot = self.take();
            self.expr(value, slot);
        }
        (first, values.len() as u32)
    }

    /// The slot of a value: a variable's own, or a new one.
    pub(super) fn somewhere(&mut self, id: ExprId) -> Slot {
        if let ExprKind::Local(local) = self.kind_of(id) {
            return self.slot_of(*local);
        }
        let slot = self.take();
        self.expr(id, slot);
        slot
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, to: Slot) {
        let before = self.next;
        let slot = self.somewhere(condition);
        let no = self.emit(Instruction::Unless { condition: slot, to: 0 });
        self.next = before;
        self.expr(then, to);
        let end = self.emit(Instruction::Jump { to: 0 });
        self.patch(no);
        self.expr(otherwise, to);
        self.patch(end);
    }

    /// A chain of operators that leans to the left, however long, without recursion.
    fn chain(&mut self, id: ExprId, to: Slot) {
        let mut links = Vec::new();
        let mut first = id;
        loop {
            let span = self.program.exprs[first.index()].span;
            let (left, link) = match self.kind_of(first) {
                ExprKind::And(left, right) => (*left, Link::And(*right)),
                ExprKind::Or(left, right) => (*left, Link::Or(*right)),
                ExprKind::Binary(operator, left, right) => (*left, Link::Binary(*operator, *right)),
                _ => break,
            };
            links.push((link, span));
            first = left;
        }
        // The target may be a variable that an operand reads.
        let before = self.next;
        let own = self.take();
        self.expr(first, own);
        while let Some((link, span)) = links.pop() {
            match link {
                Link::And(right) => {
                    let end = self.emit(Instruction::Unless { condition: own, to: 0 });
                    self.expr(right, own);
                    self.patch(end);
                }
                Link::Or(right) => {
                    let end = self.emit(Instruction::When { condition: own, to: 0 });
                    self.expr(right, own);
                    self.patch(end);
                }
                Link::Binary(operator, right) => {
                    let above = self.next;
                    let right = self.somewhere(right);
                    self.place = span;
                    self.emit(Instruction::Binary { operator, to: own, left: own, right });
                    self.next = above;
                }
            }
        }
        self.emit(Instruction::Copy { to, from: own });
        self.next = before;
    }
}
