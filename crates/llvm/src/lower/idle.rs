//! Calls that do nothing but take time: `sched_yield()`, `usleep(d)`, `nanosleep(&t, NULL)`.
//!
//! They are not made, so that a loop with one in it can be seen to wait. Nobody needs what they are
//! given: a delay that is computed for them alone is [faint](super::faint), and a local whose
//! address only they are given can live in registers ([`promote`](super::promote)).

use crate::ir::{self, Call, CallTarget, ConstantId, ConstantKind, InstructionKind, Operand};
use crate::link::Symbol;

use super::Lowering;

/// What a call gives that does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Idle {
    Nothing,
    Zero,
    /// A constant of this module.
    Constant(usize, ConstantId),
}

impl Lowering<'_> {
    /// What a call in this module gives, if it does nothing.
    pub(super) fn idle_call(&self, at: usize, call: &Call) -> Option<Idle> {
        let CallTarget::Function(callee) = call.target else { return None };
        let symbol = self.resolve(self.program.function(at, callee)).ok()?;
        let Symbol::Function(module, id) = symbol else { return None };
        let function = &self.program.modules[module].functions[id.index()];
        if module >= self.own && sleeps(function, |number| self.is_null(at, call, number)) {
            return Some(Idle::Zero);
        }
        idle_result(function).map(|value| value.map_or(Idle::Nothing, |value| Idle::Constant(module, value)))
    }

    fn is_null(&self, at: usize, call: &Call, number: usize) -> bool {
        let Some(&Operand::Constant(id)) = call.arguments.get(number) else { return false };
        matches!(self.program.modules[at].constant(id).kind, ConstantKind::Null)
    }
}

/// Whether a function of the library sleeps, and nobody wants to know how much time is left.
fn sleeps(function: &ir::Function, is_null: impl Fn(usize) -> bool) -> bool {
    match &*function.name {
        "usleep" | "sleep" => true,
        "nanosleep" => is_null(1),
        "clock_nanosleep" => is_null(3),
        _ => false,
    }
}

/// For a function that does nothing but give a constant: the constant, if any.
fn idle_result(function: &ir::Function) -> Option<Option<ConstantId>> {
    let [block] = &function.blocks[..] else { return None };
    let own = |pointer: &Operand| matches!(pointer, Operand::Local(local) if local.index() >= function.parameters);
    let mut result = None;
    for instruction in &block.instructions {
        match &instruction.kind {
            InstructionKind::Alloca { count: Operand::Constant(_), .. } => {}
            InstructionKind::Store { value: Operand::Local(value), pointer, .. }
                if value.index() < function.parameters && own(pointer) => {}
            InstructionKind::Return(None) => result = Some(None),
            InstructionKind::Return(Some(Operand::Constant(value))) => result = Some(Some(*value)),
            _ => return None,
        }
    }
    result
}
