//! What the instructions of the register code can do with their operands. Notation: see
//! [`instruction`](super::instruction).

/// How many bytes a store writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Width {
    /// One byte.
    W8,
    /// Two bytes.
    W16,
    /// Four bytes.
    W32,
    /// Eight bytes.
    W64,
}

impl Width {
    /// In bytes.
    #[inline]
    pub(crate) fn bytes(self) -> u32 {
        1 << self as u32
    }

    /// In bits.
    #[inline]
    pub(crate) fn bits(self) -> u8 {
        8 << self as u32
    }
}

/// How many bytes a load reads, and how they fill the register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LoadKind {
    /// One byte, sign-extended.
    I8,
    /// Two bytes, sign-extended.
    I16,
    /// Four bytes, sign-extended.
    I32,
    /// Eight bytes.
    W64,
    /// One byte, zero-extended.
    U8,
    /// Two bytes, zero-extended.
    U16,
    /// Four bytes, zero-extended.
    U32,
    /// One byte, of which the lowest bit is taken.
    Bool,
}

impl LoadKind {
    /// How many bytes are read.
    #[inline]
    pub(crate) fn width(self) -> Width {
        match self {
            LoadKind::I8 | LoadKind::U8 | LoadKind::Bool => Width::W8,
            LoadKind::I16 | LoadKind::U16 => Width::W16,
            LoadKind::I32 | LoadKind::U32 => Width::W32,
            LoadKind::W64 => Width::W64,
        }
    }

    /// The register's contents for bytes read as a little-endian number (zero above the width).
    #[inline]
    pub(crate) fn extend(self, bytes: u64) -> u64 {
        match self {
            LoadKind::I8 => bytes as i8 as u64,
            LoadKind::I16 => bytes as i16 as u64,
            LoadKind::I32 => bytes as i32 as u64,
            LoadKind::W64 | LoadKind::U8 | LoadKind::U16 | LoadKind::U32 => bytes,
            LoadKind::Bool => bytes & 1,
        }
    }
}

/// What else there is to say about an access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Flags(u8);

impl Flags {
    /// An atomic access, of whatever ordering.
    pub(crate) const ATOMIC: Flags = Flags(1);
    /// A volatile access.
    pub(crate) const VOLATILE: Flags = Flags(2);
    /// The load of an await loop: see `Loop::awaits`.
    pub(crate) const AWAIT: Flags = Flags(4);
    /// An atomic load that does not acquire, or an atomic store that does not release.
    pub(crate) const RELAXED: Flags = Flags(8);

    /// Both.
    #[inline]
    pub(crate) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether all of `other` is said.
    #[inline]
    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What an atomic read-modify-write, or a fence, synchronises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Order(u8);

impl Order {
    /// It comes after what the write released that it reads from.
    pub(crate) const ACQUIRES: Order = Order(1);
    /// What comes before it comes before whoever acquires what it writes.
    pub(crate) const RELEASES: Order = Order(2);
    /// A comparison that fails acquires.
    pub(crate) const FAILS_ACQUIRING: Order = Order(4);
    /// Nobody uses the value that it finds.
    pub(crate) const UNUSED: Order = Order(8);
    /// All that can be synchronised.
    pub(crate) const FULL: Order = Order(7);

    /// Both.
    pub(crate) fn with(self, other: Order) -> Order {
        Order(self.0 | other.0)
    }

    /// Whether all of `other` is said.
    #[inline]
    pub(crate) fn has(self, other: Order) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A comparison of two registers. The other four orders are these with the operands exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `i64(a) < i64(b)`
    Less,
    /// `i64(a) >= i64(b)`
    NotLess,
    /// `u64(a) < u64(b)`
    Below,
    /// `u64(a) >= u64(b)`
    NotBelow,
}

impl Condition {
    /// Whether it holds.
    #[inline]
    pub(crate) fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Condition::Equal => a == b,
            Condition::NotEqual => a != b,
            Condition::Less => (a as i64) < b as i64,
            Condition::NotLess => a as i64 >= b as i64,
            Condition::Below => a < b,
            Condition::NotBelow => a >= b,
        }
    }

    /// What holds where this does not.
    pub(crate) fn negated(self) -> Condition {
        match self {
            Condition::Equal => Condition::NotEqual,
            Condition::NotEqual => Condition::Equal,
            Condition::Less => Condition::NotLess,
            Condition::NotLess => Condition::Less,
            Condition::Below => Condition::NotBelow,
            Condition::NotBelow => Condition::Below,
        }
    }
}

/// Shifts and divisions of up to 64 bits: what can fail. `n` is the width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Partial {
    /// `wrap(a << b, n)`. Fault `Shift` where `u64(b) >= n` (a negative amount is a large one); so
    /// for the other shifts.
    ShiftLeft,
    /// `wrap(zero(a, n) >> b, n)`
    ShiftRight,
    /// `i64(a) >> b`
    ShiftRightSigned,
    /// `i64(a) / i64(b)`. Fault `DivisionByZero` where b is 0; `Overflow` where a is the least
    /// number of n bits and b is -1.
    DivideSigned,
    /// `wrap(zero(a, n) / zero(b, n), n)`. Fault `DivisionByZero` where b is 0.
    Divide,
    /// `i64(a) % i64(b)`. Faults as for the division.
    RemainderSigned,
    /// `wrap(zero(a, n) % zero(b, n), n)`. Fault `DivisionByZero` where b is 0.
    Remainder,
    /// `i64(a) + i64(b)`, computed with as many bits as it takes. Fault `Overflow` where the sum is
    /// not one of n bits, signed.
    AddSigned,
    /// `i64(a) - i64(b)`, in the same way.
    SubtractSigned,
    /// `i64(a) * i64(b)`, in the same way.
    MultiplySigned,
}

/// Total operations of up to 64 bits that are rare. `n` is the width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Rare {
    /// The smaller of `i64(a)` and `i64(b)`.
    MinSigned,
    /// The larger of `i64(a)` and `i64(b)`.
    MaxSigned,
    /// The smaller of `a` and `b` as unsigned numbers of 64 bits (sign extension keeps their
    /// order).
    Min,
    /// The larger of them.
    Max,
    /// `i64(a) + i64(b)`, or the nearest number of n bits, signed.
    AddSaturatingSigned,
    /// `zero(a, n) + zero(b, n)`, or the largest number of n bits, unsigned; then wrapped.
    AddSaturating,
    /// `i64(a) - i64(b)`, or the nearest number of n bits, signed.
    SubtractSaturatingSigned,
    /// `zero(a, n) - zero(b, n)`, or 0; then wrapped.
    SubtractSaturating,
    /// `wrap(|a|, n)`; `b` is not used.
    Absolute,
    /// The bytes of `zero(a, n)` the other way round, wrapped; `b` is not used.
    SwapBytes,
    /// The bits of `zero(a, n)` the other way round, wrapped; `b` is not used.
    ReverseBits,
    /// How many bits of `zero(a, n)` are 1; wrapped (an `i1` counts 0 or 1); `b` is not used.
    CountOnes,
    /// How many of the n bits are 0 before the first 1 from above (n if there is none), wrapped;
    /// `b` is not used.
    LeadingZeros,
    /// The same from below; `b` is not used.
    TrailingZeros,
    /// -1, 0 or 1 as `i64(a)` is less than, equal to, greater than `i64(b)`.
    CompareSigned,
    /// The same of `u64(a)` and `u64(b)`.
    Compare,
    /// Whether the floating-point number of n bits in `a` is of one of the classes in the set `b`:
    /// from bit 0 on signalling and quiet NaN, then negative infinity, normal, subnormal and zero,
    /// then the same positive, the other way round.
    FloatClass,
}

/// Arithmetic that says whether it overflowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Overflowing {
    /// `a + b`, signed.
    AddSigned,
    /// `a + b`, unsigned.
    Add,
    /// `a - b`, signed.
    SubtractSigned,
    /// `a - b`, unsigned.
    Subtract,
    /// `a * b`, signed.
    MultiplySigned,
    /// `a * b`, unsigned.
    Multiply,
}

/// Operations on 128 bits. Shift amounts are `b` as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Wide {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Subtract,
    /// Product, wrapping.
    Multiply,
    /// Signed quotient; faults as for [`Partial::DivideSigned`].
    DivideSigned,
    /// Unsigned quotient.
    Divide,
    /// Signed remainder.
    RemainderSigned,
    /// Unsigned remainder.
    Remainder,
    /// Fault `Shift` where b is 128 or more; so for the others.
    ShiftLeft,
    /// Filled with zeros.
    ShiftRight,
    /// Filled with the sign.
    ShiftRightSigned,
    /// Low half: 1 if `a < b`, signed, else 0; high half 0.
    LessSigned,
    /// The same, unsigned.
    Less,
    /// Low half: 1 if the sum is no signed number of 128 bits, else 0; high half 0. So for the
    /// others.
    AddOverflowsSigned,
    /// The sum, unsigned.
    AddOverflows,
    /// The difference, signed.
    SubtractOverflowsSigned,
    /// The difference, unsigned.
    SubtractOverflows,
    /// The product, signed.
    MultiplyOverflowsSigned,
    /// The product, unsigned.
    MultiplyOverflows,
    /// How many bits of `a` are 1; `b` is not used, so for the others.
    CountOnes,
    /// How many are 0 before the first 1 from above; 128 if there is none.
    LeadingZeros,
    /// The same from below.
    TrailingZeros,
    /// The bytes the other way round.
    SwapBytes,
    /// The bits the other way round.
    ReverseBits,
}

/// Operations on two floats. `fmod`, `minnum` ... as the C functions are defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// `fmod`.
    Remainder,
    /// `fmin`: the smaller, or the one that is a number.
    Min,
    /// `fmax`.
    Max,
    /// `a` with the sign of `b`.
    CopySign,
    /// `pow(a, b)`.
    Power,
    /// `pow(a, i32(b))`, where `b` is an integer.
    PowerInteger,
}

/// Operations on one float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FloatUnary {
    /// Sign exchanged (also of a zero or a NaN).
    Negate,
    /// Sign removed.
    Absolute,
    /// Square root.
    SquareRoot,
    /// Downwards to an integer.
    Floor,
    /// Upwards to an integer.
    Ceil,
    /// Towards zero to an integer.
    Truncate,
    /// To the nearest integer, ties away from zero.
    Round,
    /// To the nearest integer, ties to even.
    RoundEven,
    /// `sin`.
    Sine,
    /// `cos`.
    Cosine,
    /// `exp`.
    Exponential,
    /// `exp2`.
    Exponential2,
    /// `log`.
    Logarithm,
    /// `log2`.
    Logarithm2,
    /// `log10`.
    Logarithm10,
}

/// When a comparison of floats holds, as a set of the four ways in which two floats can stand to
/// each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FloatCondition(pub(crate) u8);

impl FloatCondition {
    /// They are equal.
    pub(crate) const EQUAL: u8 = 1;
    /// The left one is greater.
    pub(crate) const GREATER: u8 = 2;
    /// The left one is less.
    pub(crate) const LESS: u8 = 4;
    /// One is no number.
    pub(crate) const UNORDERED: u8 = 8;

    /// Whether it holds.
    #[inline]
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        self.includes(a.partial_cmp(&b))
    }

    /// Whether it holds where two numbers stand to each other so.
    #[inline]
    pub(crate) fn includes(self, order: Option<std::cmp::Ordering>) -> bool {
        let way = match order {
            Some(std::cmp::Ordering::Equal) => Self::EQUAL,
            Some(std::cmp::Ordering::Greater) => Self::GREATER,
            Some(std::cmp::Ordering::Less) => Self::LESS,
            None => Self::UNORDERED,
        };
        self.0 & way != 0
    }
}

/// Conversions between numbers. `n` is the width of the integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Conversion {
    /// `i64(src)` to the nearest `f32`.
    SignedToF32,
    /// `i64(src)` to the nearest `f64`.
    SignedToF64,
    /// `zero(src, n)` to the nearest `f32`.
    UnsignedToF32,
    /// `zero(src, n)` to the nearest `f64`.
    UnsignedToF64,
    /// Towards zero to a signed integer of n bits; the nearest one where there is none, 0 for NaN.
    F32ToSigned,
    /// The same.
    F64ToSigned,
    /// Towards zero to an unsigned integer of n bits (then wrapped); the nearest one where there is
    /// none, 0 for NaN.
    F32ToUnsigned,
    /// The same.
    F64ToUnsigned,
    /// Exact.
    F32ToF64,
    /// To the nearest.
    F64ToF32,
}

/// What an atomic read-modify-write stores, of the old value (`old`) and the operand (`src`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Modify {
    /// `src`
    Exchange,
    /// `old + src`
    Add,
    /// `old - src`
    Subtract,
    /// `old & src`
    And,
    /// `!(old & src)`
    Nand,
    /// `old | src`
    Or,
    /// `old ^ src`
    Xor,
    /// The larger, signed.
    MaxSigned,
    /// The smaller, signed.
    MinSigned,
    /// The larger, unsigned.
    Max,
    /// The smaller, unsigned.
    Min,
    /// `old >= src ? 0 : old + 1`, unsigned.
    IncrementWrap,
    /// `old == 0 || old > src ? src : old - 1`, unsigned.
    DecrementWrap,
    /// `old - src` where that is not negative, else `old`; unsigned.
    SubtractCondition,
    /// `old - src` where that is not negative, else 0; unsigned.
    SubtractSaturating,
    /// Sum of floats of the width (4 or 8 bytes).
    FloatAdd,
    /// Difference of floats.
    FloatSubtract,
    /// `fmax`.
    FloatMax,
    /// `fmin`.
    FloatMin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!([Width::W8, Width::W16, Width::W32, Width::W64].map(Width::bytes), [1, 2, 4, 8]);
        assert_eq!(LoadKind::I8.extend(0x80), 0xffff_ffff_ffff_ff80);
        assert_eq!(LoadKind::U8.extend(0x80), 0x80);
        assert_eq!(LoadKind::Bool.extend(0x80), 0);
    }

    #[test]
    fn sign_extension_keeps_unsigned_order() {
        for (a, b) in [(1u32, 2), (0x8000_0000, 1), (u32::MAX, 0x8000_0000), (0x7fff_ffff, 0x8000_0000)] {
            let extend = |x: u32| LoadKind::I32.extend(u64::from(x));
            assert_eq!(Condition::Below.holds(extend(a), extend(b)), a < b);
        }
    }
}
