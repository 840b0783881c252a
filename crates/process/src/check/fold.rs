//! What operators compute, for expressions whose operands are constants.

use mazurka_trace::{FaultKind, Value};

use crate::hir::{Binary, Unary};
use crate::operator;

/// Why an expression of constants has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The result does not fit into 64 bits.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// An index, and the length of the array it is not in.
    OutOfBounds(Value, usize),
}

/// The value of an operator with one operand.
pub(super) fn unary(operator: Unary, operand: Value) -> Result<Value, Failure> {
    match operator {
        Unary::Negate => operand.checked_neg().ok_or(Failure::Overflow),
        Unary::Not => Ok(Value::from(operand == 0)),
    }
}

/// The value of an operator with two operands.
pub(super) fn binary(operator: Binary, left: Value, right: Value) -> Result<Value, Failure> {
    operator::apply(operator, left, right).ok_or_else(|| match operator::failure(operator, right) {
        FaultKind::DivisionByZero => Failure::DivisionByZero,
        _ => Failure::Overflow,
    })
}
