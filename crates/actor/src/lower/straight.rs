//! Which methods use the same whatever they read.

use crate::code::{FRAME, Instruction, Slot};
use crate::hir::{Builtin, Operator};

/// Whether a step of this code, from its beginning, uses the same locations, starts the same tasks
/// and ends in the same place whatever it reads: it has no branches, cannot fail, does not wait,
/// and calls only itself or its parameters.
pub(super) fn is_straight(code: &[Instruction], parameters: u32) -> bool {
    let mut own: Vec<Slot> = (FRAME..FRAME + parameters).collect();
    for instruction in code {
        match *instruction {
            Instruction::This { to } => own.push(to),
            Instruction::Begin
            | Instruction::Constant { .. }
            | Instruction::Null { .. }
            | Instruction::Copy { .. }
            | Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::Construct { .. }
            | Instruction::List { .. }
            | Instruction::Not { .. }
            | Instruction::Negate { .. }
            | Instruction::Return { .. } => {}
            Instruction::Builtin { builtin, .. } => match builtin {
                Builtin::Print | Builtin::ToString | Builtin::Truncate | Builtin::StringLength => {}
                Builtin::Numerator | Builtin::Denominator => {}
                Builtin::Substring | Builtin::Random => return false,
            },
            Instruction::Binary { operator: Operator::Divide | Operator::Remainder, .. } => return false,
            Instruction::Binary { .. } => {}
            Instruction::Async { receiver, .. } if own.contains(&receiver) => {}
            _ => return false,
        }
        if let Some(to) = target(instruction)
            && !matches!(instruction, Instruction::This { .. })
        {
            own.retain(|&slot| slot != to);
        }
    }
    true
}

/// The slot that an instruction of straight code writes.
fn target(instruction: &Instruction) -> Option<Slot> {
    match *instruction {
        Instruction::Constant { to, .. }
        | Instruction::Null { to }
        | Instruction::Copy { to, .. }
        | Instruction::Load { to, .. }
        | Instruction::Construct { to, .. }
        | Instruction::List { to, .. }
        | Instruction::Not { to, .. }
        | Instruction::Negate { to, .. }
        | Instruction::Binary { to, .. }
        | Instruction::Builtin { to, .. }
        | Instruction::Async { to, .. } => Some(to),
        _ => None,
    }
}
