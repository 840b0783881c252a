//! What an instruction takes.

use super::{CallTarget, Clause, InstructionKind, Operand};

impl InstructionKind {
    /// Visits the operands. The function that a call names directly is not among them; nor are the
    /// integers of a `switch`.
    pub fn operands(&self, visit: &mut dyn FnMut(Operand)) {
        use InstructionKind::*;
        match self {
            Unary(_, _, one)
            | Cast { operand: one, .. }
            | Freeze(one)
            | Load { pointer: one, .. }
            | ExtractValue(one, _)
            | VaArg(one)
            | Resume(one)
            | CatchReturn { pad: one, .. }
            | CleanupReturn { pad: one, .. }
            | CatchSwitch { parent: one, .. }
            | ConditionalBranch { condition: one, .. }
            | Switch { value: one, .. }
            | IndirectBranch(one, _)
            | Alloca { count: one, .. } => visit(*one),
            Binary { left, right, .. }
            | ICmp { left, right, .. }
            | FCmp { left, right, .. }
            | ExtractElement(left, right)
            | ShuffleVector { left, right, .. }
            | Store { value: left, pointer: right, .. }
            | AtomicRmw { pointer: left, value: right, .. }
            | InsertValue { aggregate: left, value: right, .. } => {
                visit(*left);
                visit(*right);
            }
            Select { condition: one, yes: two, no: three, .. }
            | CompareExchange { pointer: one, expected: two, new: three, .. }
            | InsertElement { vector: one, value: two, index: three } => {
                visit(*one);
                visit(*two);
                visit(*three);
            }
            GetElementPtr { base, indices, .. } => {
                visit(*base);
                indices.iter().for_each(|index| visit(*index));
            }
            Phi(_, incoming) => incoming.iter().for_each(|(operand, _)| visit(*operand)),
            Call(_) | Invoke(_) | CallBranch { .. } => {
                if let Some(call) = self.call() {
                    if let CallTarget::Pointer(callee) = call.target {
                        visit(callee);
                    }
                    call.arguments.iter().for_each(|argument| visit(*argument));
                    call.bundles.iter().flat_map(|bundle| &bundle.operands).for_each(|operand| visit(*operand));
                }
            }
            FuncletPad { parent, arguments, .. } => {
                visit(*parent);
                arguments.iter().for_each(|argument| visit(*argument));
            }
            Return(value) => value.iter().for_each(|value| visit(*value)),
            LandingPad { clauses, .. } => {
                clauses.iter().for_each(|(Clause::Catch(operand) | Clause::Filter(operand))| visit(*operand))
            }
            Fence(_) | Branch(_) | Unreachable => {}
        }
    }
}
