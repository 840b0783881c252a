//! What operators compute, noticing when a result does not fit, and how they are written. Constants
//! and running programs share it.

use mazurka_trace::{FaultKind, Value};

use crate::hir::Binary;

/// The value of an operator, or nothing where it has none: see [`failure`].
#[inline(always)]
pub(crate) fn apply(operator: Binary, left: Value, right: Value) -> Option<Value> {
    match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => left.checked_div(right),
        // The remainder always fits, where there is one: of the smallest integer by -1 it is 0.
        Binary::Remainder => (right != 0).then(|| left.wrapping_rem(right)),
        Binary::Equal => Some(Value::from(left == right)),
        Binary::NotEqual => Some(Value::from(left != right)),
        Binary::Less => Some(Value::from(left < right)),
        Binary::LessEqual => Some(Value::from(left <= right)),
        Binary::Greater => Some(Value::from(left > right)),
        Binary::GreaterEqual => Some(Value::from(left >= right)),
        Binary::And => Some(left & right),
        Binary::Or => Some(left | right),
    }
}

/// Why an operator has no value.
pub(crate) fn failure(operator: Binary, right: Value) -> FaultKind {
    match operator {
        Binary::Divide | Binary::Remainder if right == 0 => FaultKind::DivisionByZero,
        _ => FaultKind::Overflow,
    }
}

/// How an operator is written.
pub(crate) fn sign(operator: Binary) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_fit_or_there_are_none() {
        assert_eq!(apply(Binary::Add, i64::MAX, 1), None);
        assert_eq!(apply(Binary::Divide, i64::MIN, -1), None);
        assert_eq!(apply(Binary::Remainder, i64::MIN, -1), Some(0));
        assert_eq!(apply(Binary::Remainder, -7, 2), Some(-1));
        assert_eq!(apply(Binary::Divide, -7, 2), Some(-3));
        assert_eq!(apply(Binary::Remainder, 1, 0), None);
        assert_eq!(failure(Binary::Remainder, 0), FaultKind::DivisionByZero);
        assert_eq!(failure(Binary::Divide, -1), FaultKind::Overflow);
    }
}
