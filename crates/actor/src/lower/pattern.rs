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
        let exhaustive = self.is_exhaustive(arms.iter().map(|(pattern, _)| pattern));
        self.emit(Instruction::NoMatch { exhaustive });
        for end in ends {
            self.patch(end);
        }
        self.next = before;
    }

    /// Whether some pattern fits, whatever the value: one fits everything, or there is one for each
    /// constructor that fits all its arguments.
    pub(super) fn is_exhaustive<'a>(&self, patterns: impl Iterator<Item = &'a Pattern>) -> bool {
        let mut covered: Vec<u32> = Vec::new();
        for pattern in patterns {
            if self.fits_all(pattern) {
                return true;
            }
            match pattern {
                Pattern::Construct(constructor, inner) if inner.iter().all(|inner| self.fits_all(inner)) => {
                    covered.push(constructor.0);
                }
                _ => {}
            }
        }
        let Some(&first) = covered.first() else { return false };
        self.siblings(first).is_some_and(|mut siblings| siblings.all(|sibling| covered.contains(&sibling)))
    }

    /// Whether a pattern fits everything.
    fn fits_all(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Any | Pattern::Bind(_) => true,
            Pattern::Equals(_) => false,
            Pattern::Construct(constructor, inner) => {
                let is_only = self.siblings(constructor.0).is_some_and(|siblings| siblings.count() == 1);
                is_only && inner.iter().all(|inner| self.fits_all(inner))
            }
        }
    }

    /// The constructors of the data type that this one belongs to; none for exceptions, of which
    /// there can always be others.
    pub(super) fn siblings(&self, constructor: u32) -> Option<impl Iterator<Item = u32>> {
        let constructors = &self.program.constructors;
        let of = |constructor: u32| constructors[constructor as usize].data;
        let is_exception = of(constructor) == of(self.program.known.division.0);
        let same = move |other: &u32| of(*other) == of(constructor);
        (!is_exception).then(|| (0..constructors.len() as u32).filter(same))
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
