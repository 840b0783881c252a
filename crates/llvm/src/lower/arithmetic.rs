//! Arithmetic on numbers that are known when the program is lowered. Numbers are as registers hold
//! them.

use crate::ir::{BinaryOperator, IntegerPredicate};

use super::scalar::{wrap, zero_extend};

/// The result of an operator on integers of at most 64 bits; none where it has none (division by
/// zero, shift out of range), or where it is better left to run time.
pub(super) fn binary(operator: BinaryOperator, bits: u8, a: u64, b: u64) -> Option<u64> {
    let unsigned = |value| zero_extend(value, bits);
    let (signed_a, signed_b) = (signed(a, bits), signed(b, bits));
    let shift = (unsigned(b) < u64::from(bits)).then_some(unsigned(b) as u32);
    let result = match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Sub => a.wrapping_sub(b),
        BinaryOperator::Mul => a.wrapping_mul(b),
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::UDiv => unsigned(a).checked_div(unsigned(b))?,
        BinaryOperator::URem => unsigned(a).checked_rem(unsigned(b))?,
        BinaryOperator::SDiv if is_least(signed_a, bits) && signed_b == -1 => return None,
        BinaryOperator::SDiv => signed_a.checked_div(signed_b)? as u64,
        BinaryOperator::SRem if is_least(signed_a, bits) && signed_b == -1 => return None,
        BinaryOperator::SRem => signed_a.checked_rem(signed_b)? as u64,
        BinaryOperator::Shl => a << shift?,
        BinaryOperator::LShr => unsigned(a) >> shift?,
        BinaryOperator::AShr => (signed_a >> shift?) as u64,
        BinaryOperator::FAdd
        | BinaryOperator::FSub
        | BinaryOperator::FMul
        | BinaryOperator::FDiv
        | BinaryOperator::FRem => return None,
    };
    Some(wrap(result, bits))
}

fn is_least(value: i64, bits: u8) -> bool {
    value == i64::MIN >> (64 - bits)
}

/// The number as a signed one; 1 bit counts as 0 or -1.
fn signed(value: u64, bits: u8) -> i64 {
    if bits == 1 { -((value & 1) as i64) } else { value as i64 }
}

/// Whether a comparison of integers or pointers holds. For 1 bit, 1 is less than 0 where signs
/// matter.
pub(super) fn compare(predicate: IntegerPredicate, bits: u8, a: u64, b: u64) -> bool {
    let (signed_a, signed_b) = (signed(a, bits), signed(b, bits));
    match predicate {
        IntegerPredicate::Equal => a == b,
        IntegerPredicate::NotEqual => a != b,
        IntegerPredicate::UnsignedGreater => a > b,
        IntegerPredicate::UnsignedGreaterEqual => a >= b,
        IntegerPredicate::UnsignedLess => a < b,
        IntegerPredicate::UnsignedLessEqual => a <= b,
        IntegerPredicate::SignedGreater => signed_a > signed_b,
        IntegerPredicate::SignedGreaterEqual => signed_a >= signed_b,
        IntegerPredicate::SignedLess => signed_a < signed_b,
        IntegerPredicate::SignedLessEqual => signed_a <= signed_b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators() {
        let of = |operator, bits, a: i64, b: i64| binary(operator, bits, a as u64, b as u64).map(|value| value as i64);
        assert_eq!(of(BinaryOperator::Add, 8, 127, 1), Some(-128));
        assert_eq!(of(BinaryOperator::UDiv, 8, -1, 2), Some(127));
        assert_eq!(of(BinaryOperator::SDiv, 8, -128, -1), None);
        assert_eq!(of(BinaryOperator::SDiv, 64, i64::MIN, -1), None);
        assert_eq!(of(BinaryOperator::SRem, 32, -7, 2), Some(-1));
        assert_eq!(of(BinaryOperator::UDiv, 32, 1, 0), None);
        assert_eq!(of(BinaryOperator::Shl, 32, 1, 31), Some(-(1 << 31)));
        assert_eq!(of(BinaryOperator::Shl, 32, 1, 32), None);
        assert_eq!(of(BinaryOperator::LShr, 32, -1, 28), Some(15));
        assert_eq!(of(BinaryOperator::AShr, 16, -4, 1), Some(-2));
        assert_eq!(of(BinaryOperator::Add, 1, 1, 1), Some(0));
    }

    #[test]
    fn one_bit_compares_as_signs_say() {
        assert!(compare(IntegerPredicate::SignedLess, 1, 1, 0));
        assert!(compare(IntegerPredicate::UnsignedLess, 1, 0, 1));
        assert!(compare(IntegerPredicate::UnsignedLess, 32, 1, u64::MAX));
    }
}
