//! What is known of registers along a path: whether a lock that was tried has been taken.

use crate::code::Image;
use crate::code::instruction::{Condition, Instruction, Register};

/// So many registers are followed.
const MOST: usize = 4;

/// What is known of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Fact {
    Is(i64),
    NotZero,
}

/// What is known of the registers of a frame.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(super) struct Facts(Vec<(u16, Fact)>);

impl Facts {
    pub(super) fn get(&self, register: Register) -> Option<Fact> {
        self.0.iter().find(|known| known.0 == register.0).map(|known| known.1)
    }

    pub(super) fn set(&mut self, register: Register, fact: Option<Fact>) {
        self.0.retain(|known| known.0 != register.0);
        if let Some(fact) = fact
            && self.0.len() < MOST
        {
            self.0.push((register.0, fact));
            self.0.sort_unstable();
        }
    }

    /// After an instruction that is no call.
    pub(super) fn pass(&mut self, instruction: Instruction) {
        use Instruction as I;
        if self.0.is_empty() {
            return;
        }
        let new = match instruction {
            I::Move { dst, src } => Some((dst, self.get(src))),
            I::Wrap { dst, src, bits: 32.. } => Some((dst, self.get(src))),
            I::ZeroExtend { dst, src, .. } => Some((dst, self.get(src).filter(|fact| matches!(fact, Fact::Is(0 | 1))))),
            I::CompareWith { condition, dst, a, value } => {
                Some((dst, self.holds(condition, a, value.into()).map(|holds| Fact::Is(holds.into()))))
            }
            I::XorBy { dst, a, value: 1 } => {
                let negated = match self.get(a) {
                    Some(Fact::Is(known @ (0 | 1))) => Some(Fact::Is(1 - known)),
                    _ => None,
                };
                Some((dst, negated))
            }
            _ => None,
        };
        match new {
            Some((dst, fact)) => self.set(dst, fact),
            None => self.forget(instruction),
        }
    }

    /// What an instruction writes is not known any more.
    pub(super) fn forget(&mut self, instruction: Instruction) {
        let mut written = Vec::new();
        instruction.map(&mut |register| register, &mut |register| {
            written.push(register);
            register
        });
        written.into_iter().for_each(|register| self.set(register, None));
    }

    /// Nothing is known any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether a condition holds, if that is known.
    fn holds(&self, condition: Condition, a: Register, value: i64) -> Option<bool> {
        match (self.get(a)?, condition) {
            (Fact::Is(known), _) => Some(condition.holds(known as u64, value as u64)),
            (Fact::NotZero, Condition::Equal) if value == 0 => Some(false),
            (Fact::NotZero, Condition::NotEqual) if value == 0 => Some(true),
            _ => None,
        }
    }

    /// Where a branch leads, if that is known.
    pub(super) fn branch(&self, image: &Image, pc: u32) -> Option<u32> {
        use Instruction as I;
        let (holds, target) = match image.code[pc as usize] {
            I::JumpIfEqualTo { a, value, target } => (self.holds(Condition::Equal, a, value.into())?, target),
            I::JumpIfNotEqualTo { a, value, target } => (self.holds(Condition::NotEqual, a, value.into())?, target),
            I::Switch { src, table } => match self.get(src)? {
                Fact::Is(value) => return Some(image.switches[table as usize].target(value as u64)),
                Fact::NotZero => return None,
            },
            _ => return None,
        };
        Some(if holds { target } else { pc + 1 })
    }
}
