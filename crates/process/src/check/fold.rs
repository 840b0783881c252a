//! What operators compute, for expressions whose operands are constants.

use crate::hir::{Binary, Unary};
use mazurka_trace::Value;

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
    let value = match operator {
        Binary::Divide | Binary::Remainder if right == 0 => return Err(Failure::DivisionByZero),
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        Binary::Remainder => left.checked_rem(right),
        Binary::Equal => Some(Value::from(left == right)),
        Binary::NotEqual => Some(Value::from(left != right)),
        Binary::Less => Some(Value::from(left < right)),
        Binary::LessEqual => Some(Value::from(left <= right)),
        Binary::Greater => Some(Value::from(left > right)),
        Binary::GreaterEqual => Some(Value::from(left >= right)),
        Binary::And => Some(Value::from(left != 0 && right != 0)),
        Binary::Or => Some(Value::from(left != 0 || right != 0)),
    };
    value.ok_or(Failure::Overflow)
}

/// How an operator is written.
pub(super) fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::And => "&&",
        Binary::Or => "||",
    }
}
