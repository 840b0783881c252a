//! What is known of registers along a path: whether a lock that was tried has been taken.

use crate::code::instruction::{Condition, Instruction, Register};
use crate::code::{Image, Switch};

use super::flow::successors;

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

    /// After an instruction that is no call. Constants are followed only where that is wanted.
    pub(super) fn pass(&mut self, instruction: Instruction, follows_constants: bool) {
        use Instruction as I;
        if self.0.is_empty() && !follows_constants {
            return;
        }
        let new = match instruction {
            I::Constant { dst, value } if follows_constants => Some((dst, Some(Fact::Is(value as i64)))),
            I::Move { dst, src } => Some((dst, self.get(src))),
            I::Wrap { dst, src, bits: 32 } => Some((dst, self.get(src).map(short))),
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

    /// Where a branch can lead.
    pub(super) fn branches(&self, image: &Image, pc: u32) -> Vec<u32> {
        use Instruction as I;
        let known = match image.code[pc as usize] {
            I::JumpIfEqualTo { a, value, target } => {
                self.holds(Condition::Equal, a, value.into()).map(|holds| (holds, target))
            }
            I::JumpIfNotEqualTo { a, value, target } => {
                self.holds(Condition::NotEqual, a, value.into()).map(|holds| (holds, target))
            }
            I::Switch { src, table } => {
                let table = &image.switches[table as usize];
                match self.get(src) {
                    Some(Fact::Is(value)) => return vec![table.target(value as u64)],
                    Some(Fact::NotZero) => return without_zero(table),
                    None => None,
                }
            }
            _ => None,
        };
        match known {
            Some((true, target)) => vec![target],
            Some((false, _)) => vec![pc + 1],
            None => successors(image, pc),
        }
    }
}

/// The lowest 32 bits. What is only known not to be 0 is what a lock returned, which is short.
fn short(fact: Fact) -> Fact {
    match fact {
        Fact::Is(value) => Fact::Is(i64::from(value as i32)),
        Fact::NotZero => Fact::NotZero,
    }
}

/// Where a table leads with anything but 0.
fn without_zero(table: &Switch) -> Vec<u32> {
    let dense = table.dense.iter().zip(table.low..).filter(|&(_, value)| value != 0).map(|(&target, _)| target);
    let sparse = table.sparse.iter().filter(|entry| entry.0 != 0).map(|entry| entry.1);
    let mut targets: Vec<u32> = dense.chain(sparse).chain([table.otherwise]).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
