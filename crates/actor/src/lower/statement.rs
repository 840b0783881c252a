//! Statements.

use super::{Lowering, Try};
use crate::code::{Constant, Handler, Instruction, Pc, Slot};
use crate::hir::{ExprId, ExprKind, LocalId, Pattern, Statement, StatementKind};

impl<'p> Lowering<'p> {
    /// Code for a statement. The slots of its variables stay taken: the block around it gives them
    /// back.
    pub(super) fn statement(&mut self, statement: &'p Statement) {
        let place = std::mem::replace(&mut self.place, statement.span);
        match &statement.kind {
            StatementKind::Declare(local, value) => {
                let slot = self.take();
                self.expr(*value, slot);
                self.assign_slot(*local, slot);
            }
            StatementKind::Assign(local, value) => {
                let slot = self.slot_of(*local);
                self.expr(*value, slot);
            }
            StatementKind::Store(field, value) => {
                if !(self.entries && self.entry_store(*field, *value)) {
                    self.with(*value, |lowering, from| {
                        lowering.emit(Instruction::Store { field: *field, from });
                    });
                }
            }
            StatementKind::Return(value) => self.give_back(*value),
            StatementKind::Assert(condition) => self.with(*condition, |lowering, condition| {
                lowering.emit(Instruction::Assert { condition });
            }),
            StatementKind::Block(statements) => {
                let before = self.next;
                for statement in statements {
                    self.statement(statement);
                }
                self.next = before;
            }
            StatementKind::If(condition, then, otherwise) => self.branches(*condition, then, otherwise.as_deref()),
            StatementKind::While(condition, body) => self.repeat(*condition, body),
            StatementKind::Foreach(element, index, list, body) => self.foreach(*element, *index, *list, body),
            StatementKind::Switch(value, arms) => self.switch(*value, arms),
            StatementKind::Try { body, arms, finally } => self.attempt(body, arms, finally.as_deref()),
            StatementKind::Throw(value) => self.with(*value, |lowering, from| {
                lowering.emit(Instruction::Throw { from, again: false });
            }),
            StatementKind::Await(guard) => self.wait(*guard),
            StatementKind::Suspend => {
                let height = self.next;
                self.emit(Instruction::Suspend { height });
                self.emit(Instruction::Resume);
            }
            StatementKind::Evaluate(value) => {
                if !self.call_and_drop(*value) {
                    self.with(*value, |_, _| ());
                }
            }
        }
        self.place = place;
    }

    /// A value in a slot for the time of something.
    fn with(&mut self, value: ExprId, then: impl FnOnce(&mut Self, Slot)) {
        let before = self.next;
        let slot = self.somewhere(value);
        then(self, slot);
        self.next = before;
    }

    /// Leaves the method, through what is to be done in any case.
    fn give_back(&mut self, value: ExprId) {
        let before = self.next;
        let result = self.take();
        self.expr(value, result);
        self.leave_tries();
        self.emit(Instruction::Return { from: result });
        self.next = before;
    }

    /// The `finally` of all that is open, from the inside out. None of them covers its own.
    fn leave_tries(&mut self) {
        for depth in (0..self.tries.len()).rev() {
            let Some(finally) = self.tries[depth].finally else { continue };
            let inner = self.tries.split_off(depth);
            let from = self.here();
            let before = self.next;
            self.statement(finally);
            self.next = before;
            let to = self.here();
            self.tries.extend(inner);
            for open in &mut self.tries[depth..] {
                open.holes.push((from, to));
            }
        }
    }

    fn branches(&mut self, condition: ExprId, then: &'p Statement, otherwise: Option<&'p Statement>) {
        let before = self.next;
        let slot = self.somewhere(condition);
        let no = self.emit(Instruction::Unless { condition: slot, to: 0 });
        self.next = before;
        self.statement(then);
        self.next = before;
        let Some(otherwise) = otherwise else { return self.patch(no) };
        let end = self.emit(Instruction::Jump { to: 0 });
        self.patch(no);
        self.statement(otherwise);
        self.next = before;
        self.patch(end);
    }

    fn repeat(&mut self, condition: ExprId, body: &'p Statement) {
        let before = self.next;
        let start = self.here();
        let slot = self.somewhere(condition);
        let end = self.emit(Instruction::Unless { condition: slot, to: 0 });
        self.next = before;
        self.statement(body);
        self.next = before;
        self.emit(Instruction::Jump { to: start });
        self.patch(end);
    }

    fn foreach(&mut self, element: LocalId, index: Option<LocalId>, list: ExprId, body: &'p Statement) {
        let before = self.next;
        let rest = self.take();
        self.expr(list, rest);
        let (count, one) = (self.take(), self.take());
        self.load(Constant::Int(0.into()), count);
        self.load(Constant::Int(1.into()), one);
        let start = self.here();
        let cons = self.program.known.cons.0;
        let end = self.emit(Instruction::Unmatched { value: rest, constructor: cons, to: 0 });
        let inside = self.next;
        let to = self.declare(element);
        self.emit(Instruction::Project { to, value: rest, index: 0 });
        self.emit(Instruction::Project { to: rest, value: rest, index: 1 });
        if let Some(index) = index {
            let to = self.declare(index);
            self.emit(Instruction::Copy { to, from: count });
        }
        self.statement(body);
        self.next = inside;
        let operator = crate::hir::Operator::Add;
        self.emit(Instruction::Binary { operator, to: count, left: count, right: one });
        self.emit(Instruction::Jump { to: start });
        self.patch(end);
        self.next = before;
    }

    fn switch(&mut self, value: ExprId, arms: &'p [(Pattern, Statement)]) {
        let before = self.next;
        let value = self.somewhere(value);
        let ends = self.arms(value, arms);
        let exhaustive = self.is_exhaustive(arms.iter().map(|(pattern, _)| pattern));
        self.emit(Instruction::NoMatch { exhaustive });
        for end in ends {
            self.patch(end);
        }
        self.next = before;
    }

    /// The branches; each ends with a jump. After them comes what is to be done where none fits.
    fn arms(&mut self, value: Slot, arms: &'p [(Pattern, Statement)]) -> Vec<Pc> {
        let mut ends = Vec::new();
        for (pattern, body) in arms {
            let above = self.next;
            let misses = self.matching(pattern, value);
            self.statement(body);
            ends.push(self.emit(Instruction::Jump { to: 0 }));
            for miss in misses {
                self.patch(miss);
            }
            self.next = above;
        }
        ends
    }

    fn attempt(&mut self, body: &'p Statement, arms: &'p [(Pattern, Statement)], finally: Option<&'p Statement>) {
        let before = self.next;
        let slot = self.place_for_exception();
        // Around all: what is to be done in any case. Inside: what is caught.
        self.tries.push(Try { from: self.here(), holes: Vec::new(), finally });
        self.tries.push(Try { from: self.here(), holes: Vec::new(), finally: None });
        self.statement(body);
        let mut ends = vec![self.emit(Instruction::Jump { to: 0 })];
        self.close_try(slot);
        ends.extend(self.arms(slot, arms));
        self.emit(Instruction::Throw { from: slot, again: true });
        for end in ends {
            self.patch(end);
        }
        match finally {
            None => {
                self.tries.pop();
            }
            Some(finally) => {
                let end = self.emit(Instruction::Jump { to: 0 });
                self.close_try(slot);
                self.in_any_case(finally);
                self.emit(Instruction::Throw { from: slot, again: true });
                self.patch(end);
                self.clear_exception(slot);
                self.in_any_case(finally);
            }
        }
        self.next = before;
    }

    /// Slots for what is caught, and for where it was thrown. Where the body waits, they are part
    /// of what is kept.
    pub(super) fn place_for_exception(&mut self) -> Slot {
        let slot = self.take();
        self.take();
        self.clear_exception(slot);
        slot
    }

    fn clear_exception(&mut self, slot: Slot) {
        self.emit(Instruction::Null { to: slot });
        self.emit(Instruction::Null { to: slot + 1 });
    }

    /// What the task does before an exception ends it. The exception goes on after that.
    pub(super) fn recover(&mut self, entry: Pc, slot: Slot, arms: &'p [(Pattern, Statement)]) {
        let target = self.here();
        self.handlers.push(Handler { from: entry, to: target, slot, target, outermost: true });
        if let Some((_, first)) = arms.first() {
            self.place = first.span;
        }
        for end in self.arms(slot, arms) {
            self.patch(end);
        }
        self.emit(Instruction::Throw { from: slot, again: true });
    }

    fn in_any_case(&mut self, finally: &'p Statement) {
        let before = self.next;
        self.statement(finally);
        self.next = before;
    }

    /// The innermost `try` covers what was emitted since it was opened; it goes on with the next
    /// instruction.
    fn close_try(&mut self, slot: Slot) {
        let Some(Try { from, holes, .. }) = self.tries.pop() else { return };
        let target = self.here();
        let mut start = from;
        for (from, to) in holes {
            self.handlers.push(Handler { from: start, to: from, slot, target, outermost: false });
            start = to;
        }
        self.handlers.push(Handler { from: start, to: target, slot, target, outermost: false });
    }

    fn wait(&mut self, guard: ExprId) {
        let before = self.next;
        if let ExprKind::Ready(future) = self.kind_of(guard)
            && let ExprKind::Local(local) = self.kind_of(*future)
        {
            let (future, height) = (self.slot_of(*local), self.next);
            self.emit(Instruction::AwaitFuture { future, height });
            return;
        }
        let guard_at = self.emit(Instruction::Guard { height: before });
        let condition = self.take();
        self.expr(guard, condition);
        self.emit(Instruction::EndGuard { guard: guard_at, condition });
        self.next = before;
    }
}
