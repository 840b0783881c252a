//! Patterns and cases.

use super::Lowering;
use crate::code::{Instruction, Pc, Slot};
use crate::hir::{ExprId, Pattern};

impl Lowering<'_> {
    pub(super) fn case(&mut self, value: ExprId, arms: &[(Pattern, ExprId)], to: Slot) {
        let before = self.next;
        let value = self.somewhere(value);
        let mut ends = Vec::new();
        for (pattern, body) in arms {
            let above = self.next;
            let misses = self.matching(pattern, value);
            self.expr(*body, to);
            ends.push(self.emit(Instruction::Jump { to: 0 }));
            for miss in misses {
                self.patch(miss);
            }
            self.next = above;
        }
        self.emit(Instruction::NoMatch);
        for end in ends {
            self.patch(end);
        }
        self.next = before;
    }

    /// Code that goes on where a value fits a pattern; the jumps that are taken where it does not.
    /// What it binds stays.
    pub(super) fn matching(&mut self, pattern: &Pattern, value: Slot) -> Vec<Pc> {
        let mut misses = Vec::new();
        self.match_one(pattern, value, &mut misses);
        misses
    }

    fn match_one(&mut self, pattern: &Pattern, value: Slot, misses: &mut Vec<Pc>) {
        match pattern {
            Pattern::Any => {}
            Pattern::Bind(local) => {
                // Its own slot: the value's may be a variable that changes later.
                let to = self.declare(*local);
                self.emit(Instruction::Copy { to, from: value });
            }
            Pattern::Equals(expr) => {
                let above = self.next;
                let right = self.somewhere(*expr);
                misses.push(self.emit(Instruction::Unequal { left: value, right, to: 0 }));
                self.next = above;
            }
            Pattern::Construct(constructor, inner) => {
                misses.push(self.emit(Instruction::Unmatched { value, constructor: constructor.0, to: 0 }));
                for (index, pattern) in inner.iter().enumerate() {
                    match pattern {
                        Pattern::Any => {}
                        Pattern::Bind(local) => {
                            let to = self.declare(*local);
                            self.emit(Instruction::Project { to, value, index: index as u32 });
                        }
                        Pattern::Equals(_) | Pattern::Construct(..) => {
                            let to = self.take();
                            self.emit(Instruction::Project { to, value, index: index as u32 });
                            self.match_one(pattern, to, misses);
                        }
                    }
                }
            }
        }
    }
}
