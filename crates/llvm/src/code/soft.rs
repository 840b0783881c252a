//! Floating-point numbers that the host's processor does not compute with: `long double`,
//! `_Float16`, `__bf16`, `__float128`.
//!
//! One of more than 64 bits takes two registers, `low` and `high`; one of 16 bits takes one, and
//! the other is not looked at.

/// How a floating-point number is made of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Format {
    /// `_Float16`.
    Half,
    /// `__bf16`: the upper half of a `float`.
    BFloat,
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// `long double` of x86: 64 bits, and 16 of exponent and sign.
    Extended,
    /// `__float128`.
    Quad,
}

impl Format {
    /// By its number.
    pub(crate) fn numbered(number: u64) -> Option<Format> {
        use Format::{BFloat, Double, Extended, Half, Quad, Single};
        [Half, BFloat, Single, Double, Extended, Quad].get(usize::try_from(number).ok()?).copied()
    }

    /// How many bits it has.
    pub(crate) fn bits(self) -> u8 {
        match self {
            Format::Half | Format::BFloat => 16,
            Format::Single => 32,
            Format::Double => 64,
            Format::Extended => 80,
            Format::Quad => 128,
        }
    }
}

/// What a register or two hold, where a conversion needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Number {
    /// An integer of so many bits.
    Signed(u8),
    /// One without sign.
    Unsigned(u8),
    /// A floating-point number.
    Float(Format),
}

/// Operations on one or two numbers of a format, rounded to the nearest, ties to even. As the C
/// functions are defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Soft {
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
    /// The smaller, NaN where one is.
    Minimum,
    /// The larger, NaN where one is.
    Maximum,
    /// `a` with the sign of `b`.
    CopySign,
    /// Sign exchanged (also of a zero or a NaN). `b` is not used; so for the others of one operand.
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
    /// `a` times 2 to the power of the integer `i32(b)`.
    Scale,
    /// What is left of `a` when the largest power of 2 is taken out, at least one half and less
    /// than 1. (`a` where there is none.)
    Fraction,
    /// The exponent of that power, as an integer. (0 where there is none.)
    Exponent,
    /// 1 if `a` is of one of the classes in the set `b`, else 0: see `Rare::FloatClass`.
    Class,
}
