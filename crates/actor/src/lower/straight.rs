//! Which methods use the same whatever they read.

use super::Lowering;
use crate::code::{FRAME, Instruction, Slot};
use crate::hir::{Builtin, Operator};

/// Functions of the library that always have a value, although they call themselves: they walk
/// along a map.
const WALKERS: &[&str] = &["put", "removeKey", "lookup", "lookupMaybe", "lookupDefault"];

impl Lowering<'_> {
    /// Whether a function that was lowered before has a value whatever its arguments are: nothing
    /// in it can fail, and it does not call itself, or is known to end.
    pub(super) fn is_total(&self, function: u32) -> bool {
        self.is_total_within(function, &mut Vec::new())
    }

    fn is_total_within(&self, function: u32, callers: &mut Vec<u32>) -> bool {
        let Some(body) = self.bodies.get(function as usize) else { return false };
        if self.is_library(function) && WALKERS.contains(&body.name.as_str()) {
            return true;
        }
        if callers.contains(&function) {
            return false;
        }
        callers.push(function);
        let start = body.entry as usize;
        let length = self.owners[start..].iter().take_while(|&&owner| owner == function).count();
        let total = self.code[start..start + length].iter().all(|instruction| match *instruction {
            Instruction::NoMatch { exhaustive } => exhaustive,
            Instruction::Binary { operator, .. } => !matches!(operator, Operator::Divide | Operator::Remainder),
            Instruction::Builtin { builtin, .. } => !matches!(builtin, Builtin::Substring | Builtin::Random),
            Instruction::Call { function, .. } => self.is_total_within(function, callers),
            Instruction::Closure { .. } | Instruction::CallLocal { .. } => false,
            _ => true,
        });
        callers.pop();
        total
    }

    /// Whether a function is one of the library: those come first, and no other function has the
    /// name of one before it.
    fn is_library(&self, function: u32) -> bool {
        let name = &self.program.functions[function as usize].name;
        self.program.functions.iter().position(|other| other.name == *name) == Some(function as usize)
    }
}

/// Whether a step of this code, from its beginning, uses the same locations, starts the same tasks
/// and ends in the same place whatever it reads: it has no branches, cannot fail, does not wait,
/// and calls only itself or its parameters, or functions that always have a value.
pub(super) fn is_straight(code: &[Instruction], parameters: u32, is_total: impl Fn(u32) -> bool) -> bool {
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
            Instruction::Call { function, .. } if is_total(function) => {}
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
        | Instruction::Call { to, .. }
        | Instruction::Async { to, .. } => Some(to),
        _ => None,
    }
}
