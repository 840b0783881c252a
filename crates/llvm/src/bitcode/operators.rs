//! Operators, predicates, flags and orderings by their numbers.

use crate::ir::{
    ArithmeticFlags, AtomicOperator, BinaryOperator, CastOperator, FastMath, FloatPredicate, IntegerPredicate,
    Ordering, PointerFlags,
};

use super::error::Result;
use super::record::Record;

/// A binary operator; several numbers mean different operators for integers and floating-point
/// numbers.
pub(super) fn binary(record: &Record<'_>, number: u64, float: bool) -> Result<BinaryOperator> {
    use BinaryOperator::*;
    Ok(match (number, float) {
        (0, false) => Add,
        (0, true) => FAdd,
        (1, false) => Sub,
        (1, true) => FSub,
        (2, false) => Mul,
        (2, true) => FMul,
        (3, false) => UDiv,
        (4, false) => SDiv,
        (4, true) => FDiv,
        (5, false) => URem,
        (6, false) => SRem,
        (6, true) => FRem,
        (7, false) => Shl,
        (8, false) => LShr,
        (9, false) => AShr,
        (10, false) => And,
        (11, false) => Or,
        (12, false) => Xor,
        _ => return record.error(format!("the binary operator {number} is not known")),
    })
}

/// The flags of a binary operator on integers.
pub(super) fn binary_flags(operator: BinaryOperator, bits: u64) -> ArithmeticFlags {
    use BinaryOperator::*;
    let mut flags = ArithmeticFlags::default();
    match operator {
        Add | Sub | Mul | Shl => {
            flags.no_unsigned_wrap = bits & 1 != 0;
            flags.no_signed_wrap = bits & 2 != 0;
        }
        UDiv | SDiv | LShr | AShr => flags.exact = bits & 1 != 0,
        Or => flags.disjoint = bits & 1 != 0,
        FAdd | FSub | FMul | FDiv | FRem | URem | SRem | And | Xor => {}
    }
    flags
}

/// A conversion.
pub(super) fn cast(record: &Record<'_>, number: u64) -> Result<CastOperator> {
    use CastOperator::*;
    Ok(match number {
        0 => Trunc,
        1 => ZExt,
        2 => SExt,
        3 => FPToUI,
        4 => FPToSI,
        5 => UIToFP,
        6 => SIToFP,
        7 => FPTrunc,
        8 => FPExt,
        9 => PtrToInt,
        10 => IntToPtr,
        11 => BitCast,
        12 => AddrSpaceCast,
        13 => PtrToAddr,
        _ => return record.error(format!("the cast {number} is not known")),
    })
}

/// The flags of a conversion: of integers, and of floating-point numbers.
pub(super) fn cast_flags(operator: CastOperator, bits: u64) -> (ArithmeticFlags, FastMath) {
    use CastOperator::*;
    let mut flags = ArithmeticFlags::default();
    match operator {
        Trunc => {
            flags.no_unsigned_wrap = bits & 1 != 0;
            flags.no_signed_wrap = bits & 2 != 0;
        }
        ZExt | UIToFP => flags.non_negative = bits & 1 != 0,
        FPTrunc | FPExt => return (flags, fast_math(bits)),
        SExt | FPToUI | FPToSI | SIToFP | PtrToInt | IntToPtr | BitCast | AddrSpaceCast | PtrToAddr => {}
    }
    (flags, FastMath::default())
}

/// Liberties of floating-point operations.
pub(super) fn fast_math(bits: u64) -> FastMath {
    if bits & 1 != 0 {
        return FastMath::ALL;
    }
    FastMath {
        reassociate: bits & 1 << 7 != 0,
        no_nans: bits & 1 << 1 != 0,
        no_infinities: bits & 1 << 2 != 0,
        no_signed_zeros: bits & 1 << 3 != 0,
        allow_reciprocal: bits & 1 << 4 != 0,
        allow_contract: bits & 1 << 5 != 0,
        approximate_functions: bits & 1 << 6 != 0,
    }
}

/// The flags of `getelementptr`.
pub(super) fn pointer_flags(bits: u64) -> PointerFlags {
    PointerFlags { inbounds: bits & 1 != 0, no_unsigned_signed_wrap: bits & 3 != 0, no_unsigned_wrap: bits & 4 != 0 }
}

/// A comparison.
pub(super) enum Predicate {
    Float(FloatPredicate),
    Integer(IntegerPredicate),
}

/// A comparison by its number.
pub(super) fn predicate(record: &Record<'_>, number: u64) -> Result<Predicate> {
    use FloatPredicate::*;
    use IntegerPredicate as I;
    const FLOATS: [FloatPredicate; 16] = [
        False,
        OrderedEqual,
        OrderedGreater,
        OrderedGreaterEqual,
        OrderedLess,
        OrderedLessEqual,
        OrderedNotEqual,
        Ordered,
        Unordered,
        UnorderedEqual,
        UnorderedGreater,
        UnorderedGreaterEqual,
        UnorderedLess,
        UnorderedLessEqual,
        UnorderedNotEqual,
        True,
    ];
    const INTEGERS: [IntegerPredicate; 10] = [
        I::Equal,
        I::NotEqual,
        I::UnsignedGreater,
        I::UnsignedGreaterEqual,
        I::UnsignedLess,
        I::UnsignedLessEqual,
        I::SignedGreater,
        I::SignedGreaterEqual,
        I::SignedLess,
        I::SignedLessEqual,
    ];
    match number {
        0..16 => Ok(Predicate::Float(FLOATS[number as usize])),
        32..42 => Ok(Predicate::Integer(INTEGERS[number as usize - 32])),
        _ => record.error(format!("the comparison {number} is not known")),
    }
}

/// An ordering; `None` for an access that is not atomic.
pub(super) fn ordering(record: &Record<'_>, number: u64) -> Result<Option<Ordering>> {
    Ok(match number {
        0 => None,
        1 => Some(Ordering::Unordered),
        2 => Some(Ordering::Monotonic),
        3 => Some(Ordering::Acquire),
        4 => Some(Ordering::Release),
        5 => Some(Ordering::AcquireRelease),
        6 => Some(Ordering::SequentiallyConsistent),
        _ => return record.error(format!("the ordering {number} is not known")),
    })
}

/// What `atomicrmw` does.
pub(super) fn atomic(record: &Record<'_>, number: u64) -> Result<AtomicOperator> {
    use AtomicOperator::*;
    const ALL: [AtomicOperator; 21] = [
        Exchange, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin, FAdd, FSub, FMax, FMin, UIncWrap, UDecWrap,
        USubCond, USubSat, FMaximum, FMinimum,
    ];
    match usize::try_from(number).ok().and_then(|number| ALL.get(number)) {
        Some(&operator) => Ok(operator),
        None => record.error(format!("the atomic operation {number} is not known")),
    }
}
