//! Calls, new objects, futures.

use super::Lowering;
use crate::code::{FRAME, Instruction, Slot};
use crate::hir::{ExprId, ExprKind};

impl Lowering<'_> {
    /// A call for its effect alone: nobody has the future.
    pub(super) fn call_and_drop(&mut self, id: ExprId) -> bool {
        let ExprKind::Async { receiver, selector, arguments, awaited: false } = self.kind_of(id) else { return false };
        let before = self.next;
        let receiver = self.somewhere(*receiver);
        let (first, count) = self.frame(arguments);
        let is_kept = false;
        self.emit(Instruction::Async { to: first, receiver, selector: selector.0, first, count, is_kept });
        self.next = before;
        true
    }

    pub(super) fn call(&mut self, id: ExprId, to: Slot) {
        let before = self.next;
        match self.kind_of(id) {
            ExprKind::Call(function, arguments) => {
                if self.entries && self.entry_call(function.index(), arguments, to) {
                    return;
                }
                let (first, _) = self.frame(arguments);
                self.emit(Instruction::Call { to, function: function.0, first });
            }
            ExprKind::CallLocal(local, arguments) => {
                let closure = self.slot_of(*local);
                let (first, count) = self.frame(arguments);
                self.emit(Instruction::CallLocal { to, closure, first, count });
            }
            ExprKind::New { class, local, arguments } => {
                let (first, count) = self.frame(arguments);
                self.emit(Instruction::New { to, class: class.0, local: *local, first, count });
            }
            ExprKind::Async { receiver, selector, arguments, awaited } => {
                if *awaited {
                    self.clear_target(to);
                }
                let receiver = self.somewhere(*receiver);
                let (first, count) = self.frame(arguments);
                let future = if *awaited { before } else { to };
                let (selector, is_kept) = (selector.0, true);
                self.emit(Instruction::Async { to: future, receiver, selector, first, count, is_kept });
                if *awaited {
                    self.next = before;
                    let future = self.take();
                    let height = self.next;
                    self.emit(Instruction::AwaitFuture { future, height });
                    self.emit(Instruction::Get { to, future, height });
                }
            }
            ExprKind::Sync { receiver, selector, arguments } => {
                self.clear_target(to);
                let receiver = self.somewhere(*receiver);
                let (first, count) = self.frame(arguments);
                self.emit(Instruction::Sync { to, receiver, selector: selector.0, first, count });
                self.emit(Instruction::Get { to, future: first, height: first + 1 });
            }
            ExprKind::Get(future) => {
                self.clear_target(to);
                let future = self.somewhere(*future);
                let height = self.next;
                self.emit(Instruction::Get { to, future, height });
            }
            _ => unreachable!("only calls come here"),
        }
        self.next = before;
    }

    /// Where a task waits before a value comes, what is left in the slot from before is part of
    /// what it keeps: two states would differ in something that nobody uses. A variable keeps its
    /// value: there may be none to come.
    fn clear_target(&mut self, to: Slot) {
        if !self.slots.contains(&Some(to)) {
            self.emit(Instruction::Null { to });
        }
    }

    /// Code that leaves arguments where the frame of a call will be.
    pub(super) fn frame(&mut self, arguments: &[ExprId]) -> (Slot, u32) {
        let first = self.next;
        for _ in 0..FRAME {
            self.take();
        }
        self.in_a_row(arguments);
        (first, arguments.len() as u32)
    }
}
