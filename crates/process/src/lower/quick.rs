//! Finds the steps that are one plain instruction.

use crate::code::{Guard, Instruction, Quick, Stop};

/// Marks the stops before a single plain instruction that a resting place follows.
pub(super) fn mark(code: &mut [Instruction]) {
    for at in 0..code.len().saturating_sub(2) {
        let quick = quick(&code[at + 1], &code[at + 2]);
        if let Instruction::Stop(stop) = &mut code[at]
            && is_plain(stop)
        {
            stop.quick = quick;
        }
    }
}

fn is_plain(stop: &Stop) -> bool {
    !stop.internal && !stop.varies && matches!(stop.guard, Guard::Always | Guard::Lock)
}

fn quick(instruction: &Instruction, next: &Instruction) -> Quick {
    let plain = matches!(
        instruction,
        Instruction::ConstantToGlobal(..)
            | Instruction::AddToGlobal(..)
            | Instruction::LocalToGlobal { .. }
            | Instruction::GlobalToLocal { .. }
            | Instruction::Lock(_)
            | Instruction::Unlock(_)
    );
    match next {
        Instruction::Stop(stop) if plain && !stop.internal => Quick::ThenStop,
        Instruction::End { locks: false } if plain => Quick::ThenEnd,
        _ => Quick::No,
    }
}
