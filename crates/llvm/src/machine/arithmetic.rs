//! What the operators of the register code compute. Their definitions stand with them, in
//! [`crate::code::operator`].

use mazurka_trace::FaultKind;

use crate::code::operator::{Conversion, FloatBinary, FloatUnary, Modify, Overflowing, Partial, Rare, Wide, Width};

/// The lowest n bits, sign-extended; of one bit, that bit.
#[inline(always)]
pub(crate) fn wrap(x: u64, bits: u8) -> u64 {
    match bits {
        1 => x & 1,
        64.. => x,
        _ => {
            let spare = 64 - u32::from(bits);
            ((x << spare) as i64 >> spare) as u64
        }
    }
}

/// The lowest n bits, zero-extended.
#[inline(always)]
pub(crate) fn zero(x: u64, bits: u8) -> u64 {
    if bits >= 64 { x } else { x & ((1 << bits) - 1) }
}

/// The least and the largest signed number of n bits. An `i1` is taken as 0 and 1 in registers, and
/// as such here.
fn signed_range(bits: u8) -> (i128, i128) {
    if bits <= 1 { (0, 1) } else { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) }
}

/// Whether it is a division, which an undefined divisor decides about.
pub(crate) fn divides(op: Partial) -> bool {
    matches!(op, Partial::DivideSigned | Partial::Divide | Partial::RemainderSigned | Partial::Remainder)
}

/// Shifts, divisions, checked arithmetic.
#[inline]
pub(crate) fn partial(op: Partial, bits: u8, a: u64, b: u64) -> Result<u64, FaultKind> {
    let (x, y) = (a as i64, b as i64);
    let amount = || if b >= u64::from(bits) { Err(FaultKind::Shift) } else { Ok(b) };
    let exact = |exact: i128| {
        let (least, most) = signed_range(bits);
        if exact < least || exact > most { Err(FaultKind::Overflow) } else { Ok(exact as u64) }
    };
    match op {
        Partial::ShiftLeft => Ok(wrap(a << amount()?, bits)),
        Partial::ShiftRight => Ok(wrap(zero(a, bits) >> amount()?, bits)),
        Partial::ShiftRightSigned => Ok((x >> amount()?) as u64),
        Partial::DivideSigned | Partial::RemainderSigned => {
            if y == 0 {
                return Err(FaultKind::DivisionByZero);
            }
            if y == -1 && bits > 1 && i128::from(x) == signed_range(bits).0 {
                return Err(FaultKind::Overflow);
            }
            Ok(if op == Partial::DivideSigned { x / y } else { x % y } as u64)
        }
        Partial::Divide | Partial::Remainder => {
            let (x, y) = (zero(a, bits), zero(b, bits));
            if y == 0 {
                return Err(FaultKind::DivisionByZero);
            }
            Ok(wrap(if op == Partial::Divide { x / y } else { x % y }, bits))
        }
        Partial::AddSigned => exact(i128::from(x) + i128::from(y)),
        Partial::SubtractSigned => exact(i128::from(x) - i128::from(y)),
        Partial::MultiplySigned => exact(i128::from(x) * i128::from(y)),
    }
}

/// Rare total operations.
pub(crate) fn rare(op: Rare, bits: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (a as i64, b as i64);
    let nearest = |exact: i128| {
        let (least, most) = signed_range(bits);
        exact.clamp(least, most) as u64
    };
    let (u, v) = (zero(a, bits), zero(b, bits));
    let spare = 64 - u32::from(bits);
    match op {
        Rare::MinSigned => x.min(y) as u64,
        Rare::MaxSigned => x.max(y) as u64,
        Rare::Min => a.min(b),
        Rare::Max => a.max(b),
        Rare::AddSaturatingSigned => nearest(i128::from(x) + i128::from(y)),
        Rare::AddSaturating => wrap((u128::from(u) + u128::from(v)).min(u128::from(zero(u64::MAX, bits))) as u64, bits),
        Rare::SubtractSaturatingSigned => nearest(i128::from(x) - i128::from(y)),
        Rare::SubtractSaturating => wrap(u.saturating_sub(v), bits),
        Rare::Absolute => wrap(x.unsigned_abs(), bits),
        Rare::SwapBytes => wrap(u.swap_bytes() >> spare, bits),
        Rare::ReverseBits => wrap(u.reverse_bits() >> spare, bits),
        Rare::CountOnes => wrap(u64::from(u.count_ones()), bits),
        Rare::LeadingZeros => wrap(u64::from(u.leading_zeros() - spare), bits),
        Rare::TrailingZeros => wrap(u64::from(u.trailing_zeros().min(u32::from(bits))), bits),
        Rare::CompareSigned => x.cmp(&y) as i64 as u64,
        Rare::Compare => a.cmp(&b) as i64 as u64,
        Rare::FloatClass => b >> float_class(bits, u) & 1,
    }
}

/// The class of a floating-point number: the number of its bit in a [`Rare::FloatClass`].
fn float_class(bits: u8, number: u64) -> u32 {
    let fraction_bits = if bits == 64 { 52 } else { 23 };
    let fraction = number & ((1 << fraction_bits) - 1);
    let largest = (1 << (u32::from(bits) - 1 - fraction_bits)) - 1;
    let exponent = number >> fraction_bits & largest;
    if exponent == largest && fraction != 0 {
        return (fraction >> (fraction_bits - 1)) as u32;
    }
    let size = match exponent {
        0 if fraction == 0 => 0,
        0 => 1,
        exponent if exponent < largest => 2,
        _ => 3,
    };
    let negative = number >> (bits - 1) & 1 == 1;
    if negative { 5 - size } else { 6 + size }
}

/// Arithmetic that says whether it overflowed.
pub(crate) fn overflowing(op: Overflowing, bits: u8, a: u64, b: u64) -> (u64, bool) {
    let (x, y) = (i128::from(a as i64), i128::from(b as i64));
    let (u, v) = (i128::from(zero(a, bits)), i128::from(zero(b, bits)));
    let signed = |exact: i128| {
        let (least, most) = signed_range(bits);
        (wrap(exact as u64, bits), exact < least || exact > most)
    };
    let unsigned = |exact: i128| (wrap(exact as u64, bits), exact < 0 || exact > i128::from(zero(u64::MAX, bits)));
    match op {
        Overflowing::AddSigned => signed(x + y),
        Overflowing::SubtractSigned => signed(x - y),
        Overflowing::MultiplySigned => signed(x * y),
        Overflowing::Add => unsigned(u + v),
        Overflowing::Subtract => unsigned(u - v),
        Overflowing::Multiply => {
            let exact = (u as u128) * (v as u128);
            (wrap(exact as u64, bits), exact > u128::from(zero(u64::MAX, bits)))
        }
    }
}

/// The upper (`left`) or lower n of 2n bits, shifted.
pub(crate) fn funnel(left: bool, bits: u8, high: u64, low: u64, by: u64) -> u64 {
    let n = u32::from(bits);
    let both = u128::from(zero(high, bits)) << n | u128::from(zero(low, bits));
    let by = (zero(by, bits) % u64::from(bits)) as u32;
    let result = if left { both << by >> n } else { both >> by };
    wrap(result as u64, bits)
}

/// Operations on 128 bits.
pub(crate) fn wide(op: Wide, a: u128, b: u128) -> Result<u128, FaultKind> {
    let (x, y) = (a as i128, b as i128);
    let amount = || if b >= 128 { Err(FaultKind::Shift) } else { Ok(b as u32) };
    let divisor = || if b == 0 { Err(FaultKind::DivisionByZero) } else { Ok(()) };
    match op {
        Wide::Add => Ok(a.wrapping_add(b)),
        Wide::Subtract => Ok(a.wrapping_sub(b)),
        Wide::Multiply => Ok(a.wrapping_mul(b)),
        Wide::DivideSigned => divisor().and(x.checked_div(y).map(|z| z as u128).ok_or(FaultKind::Overflow)),
        Wide::RemainderSigned => divisor().and(x.checked_rem(y).map(|z| z as u128).ok_or(FaultKind::Overflow)),
        Wide::Divide => a.checked_div(b).ok_or(FaultKind::DivisionByZero),
        Wide::Remainder => a.checked_rem(b).ok_or(FaultKind::DivisionByZero),
        Wide::ShiftLeft => Ok(a << amount()?),
        Wide::ShiftRight => Ok(a >> amount()?),
        Wide::ShiftRightSigned => Ok((x >> amount()?) as u128),
        Wide::LessSigned => Ok(u128::from(x < y)),
        Wide::Less => Ok(u128::from(a < b)),
        Wide::AddOverflowsSigned => Ok(u128::from(x.checked_add(y).is_none())),
        Wide::AddOverflows => Ok(u128::from(a.checked_add(b).is_none())),
        Wide::SubtractOverflowsSigned => Ok(u128::from(x.checked_sub(y).is_none())),
        Wide::SubtractOverflows => Ok(u128::from(a.checked_sub(b).is_none())),
        Wide::MultiplyOverflowsSigned => Ok(u128::from(x.checked_mul(y).is_none())),
        Wide::MultiplyOverflows => Ok(u128::from(a.checked_mul(b).is_none())),
        Wide::CountOnes => Ok(a.count_ones().into()),
        Wide::LeadingZeros => Ok(a.leading_zeros().into()),
        Wide::TrailingZeros => Ok(a.trailing_zeros().into()),
        Wide::SwapBytes => Ok(a.swap_bytes()),
        Wide::ReverseBits => Ok(a.reverse_bits()),
    }
}

/// An `f32` in a register.
#[inline]
fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// A register for an `f32`.
#[inline]
fn keep(value: f32) -> u64 {
    value.to_bits() as i32 as u64
}

/// A float in a register, as an `f64`.
#[inline]
pub(crate) fn float(double: bool, bits: u64) -> f64 {
    if double { f64::from_bits(bits) } else { f64::from(single(bits)) }
}

/// A register for a float.
#[inline]
fn keep_float(double: bool, value: f64) -> u64 {
    if double { value.to_bits() } else { keep(value as f32) }
}

/// Operations on two floats.
pub(crate) fn float_binary(op: FloatBinary, double: bool, a: u64, b: u64) -> u64 {
    macro_rules! compute {
        ($x:expr, $y:expr) => {{
            let (x, y) = ($x, $y);
            match op {
                FloatBinary::Add => x + y,
                FloatBinary::Subtract => x - y,
                FloatBinary::Multiply => x * y,
                FloatBinary::Divide => x / y,
                FloatBinary::Remainder => x % y,
                FloatBinary::Min => x.min(y),
                FloatBinary::Max => x.max(y),
                FloatBinary::CopySign => x.copysign(y),
                FloatBinary::Power => x.powf(y),
                FloatBinary::PowerInteger => x.powi(b as i32),
            }
        }};
    }
    if double { compute!(f64::from_bits(a), f64::from_bits(b)).to_bits() } else { keep(compute!(single(a), single(b))) }
}

/// Operations on one float.
pub(crate) fn float_unary(op: FloatUnary, double: bool, a: u64) -> u64 {
    macro_rules! compute {
        ($x:expr) => {{
            let x = $x;
            match op {
                FloatUnary::Negate => -x,
                FloatUnary::Absolute => x.abs(),
                FloatUnary::SquareRoot => x.sqrt(),
                FloatUnary::Floor => x.floor(),
                FloatUnary::Ceil => x.ceil(),
                FloatUnary::Truncate => x.trunc(),
                FloatUnary::Round => x.round(),
                FloatUnary::RoundEven => x.round_ties_even(),
                FloatUnary::Sine => x.sin(),
                FloatUnary::Cosine => x.cos(),
                FloatUnary::Exponential => x.exp(),
                FloatUnary::Exponential2 => x.exp2(),
                FloatUnary::Logarithm => x.ln(),
                FloatUnary::Logarithm2 => x.log2(),
                FloatUnary::Logarithm10 => x.log10(),
            }
        }};
    }
    if double { compute!(f64::from_bits(a)).to_bits() } else { keep(compute!(single(a))) }
}

/// `a * b + c`, rounded once.
pub(crate) fn multiply_add(double: bool, a: u64, b: u64, c: u64) -> u64 {
    if double {
        f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()
    } else {
        keep(single(a).mul_add(single(b), single(c)))
    }
}

/// Conversions between numbers.
pub(crate) fn convert(op: Conversion, bits: u8, a: u64) -> u64 {
    let signed = |value: f64| {
        let (least, most) = signed_range(bits);
        if bits <= 1 { u64::from(value != 0.0) } else { (value as i128).clamp(least, most) as u64 }
    };
    let unsigned = |value: f64| wrap((value as u64).min(zero(u64::MAX, bits)), bits);
    match op {
        Conversion::SignedToF32 => keep(a as i64 as f32),
        Conversion::SignedToF64 => (a as i64 as f64).to_bits(),
        Conversion::UnsignedToF32 => keep(zero(a, bits) as f32),
        Conversion::UnsignedToF64 => (zero(a, bits) as f64).to_bits(),
        Conversion::F32ToSigned => signed(f64::from(single(a))),
        Conversion::F64ToSigned => signed(f64::from_bits(a)),
        Conversion::F32ToUnsigned => unsigned(f64::from(single(a))),
        Conversion::F64ToUnsigned => unsigned(f64::from_bits(a)),
        Conversion::F32ToF64 => f64::from(single(a)).to_bits(),
        Conversion::F64ToF32 => keep(f64::from_bits(a) as f32),
    }
}

/// A number of 128 bits to a float.
pub(crate) fn wide_to_float(signed: bool, double: bool, value: u128) -> u64 {
    match (signed, double) {
        (true, true) => (value as i128 as f64).to_bits(),
        (true, false) => keep(value as i128 as f32),
        (false, true) => (value as f64).to_bits(),
        (false, false) => keep(value as f32),
    }
}

/// A float to a number of 128 bits.
pub(crate) fn float_to_wide(signed: bool, double: bool, bits: u64) -> u128 {
    let value = float(double, bits);
    if signed { value as i128 as u128 } else { value as u128 }
}

/// What an atomic read-modify-write stores; `old` is sign-extended.
pub(crate) fn modify(op: Modify, width: Width, old: u64, src: u64) -> u64 {
    let bits = width.bits();
    let (u, v) = (zero(old, bits), zero(src, bits));
    let (x, y) = (old as i64, wrap(src, bits) as i64);
    let double = width == Width::W64;
    match op {
        Modify::Exchange => src,
        Modify::Add => old.wrapping_add(src),
        Modify::Subtract => old.wrapping_sub(src),
        Modify::And => old & src,
        Modify::Nand => !(old & src),
        Modify::Or => old | src,
        Modify::Xor => old ^ src,
        Modify::MaxSigned => x.max(y) as u64,
        Modify::MinSigned => x.min(y) as u64,
        Modify::Max => u.max(v),
        Modify::Min => u.min(v),
        Modify::IncrementWrap => {
            if u >= v {
                0
            } else {
                u + 1
            }
        }
        Modify::DecrementWrap => {
            if u == 0 || u > v {
                v
            } else {
                u - 1
            }
        }
        Modify::SubtractCondition => u.checked_sub(v).unwrap_or(u),
        Modify::SubtractSaturating => u.saturating_sub(v),
        Modify::FloatAdd => keep_float(double, float(double, old) + float(double, src)),
        Modify::FloatSubtract => keep_float(double, float(double, old) - float(double, src)),
        Modify::FloatMax => keep_float(double, float(double, old).max(float(double, src))),
        Modify::FloatMin => keep_float(double, float(double, old).min(float(double, src))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_floating_point_numbers() {
        let classes64 =
            [f64::NEG_INFINITY, -1.0, -f64::MIN_POSITIVE / 2.0, -0.0, 0.0, f64::MIN_POSITIVE / 2.0, 1.0, f64::INFINITY];
        let classes32 =
            [f32::NEG_INFINITY, -1.0, -f32::MIN_POSITIVE / 2.0, -0.0, 0.0, f32::MIN_POSITIVE / 2.0, 1.0, f32::INFINITY];
        for (at, (double, single)) in classes64.into_iter().zip(classes32).enumerate() {
            for class in 0..10 {
                let expected = u64::from(class == at + 2);
                assert_eq!(rare(Rare::FloatClass, 64, double.to_bits(), 1 << class), expected);
                assert_eq!(rare(Rare::FloatClass, 32, u64::from(single.to_bits()), 1 << class), expected);
            }
        }
        let (quiet, signalling) = (0x7ff8_0000_0000_0000, 0xfff0_0000_0000_0001);
        assert_eq!([quiet, signalling].map(|number| rare(Rare::FloatClass, 64, number, 2)), [1, 0]);
        assert_eq!([quiet, signalling].map(|number| rare(Rare::FloatClass, 64, number, 1)), [0, 1]);
    }

    #[test]
    fn widths() {
        assert_eq!(wrap(0x80, 8), (-128i64) as u64);
        assert_eq!(wrap(3, 1), 1);
        assert_eq!(zero(u64::MAX, 32), 0xffff_ffff);
        assert_eq!(funnel(true, 32, 0x1234_5678, 0x9abc_def0, 8), wrap(0x3456_789a, 32));
        assert_eq!(funnel(false, 8, 1, 0, 1), wrap(0x80, 8));
        assert_eq!(rare(Rare::LeadingZeros, 32, 1, 0), 31);
        assert_eq!(rare(Rare::TrailingZeros, 16, 0, 0), 16);
        assert_eq!(rare(Rare::SwapBytes, 16, 0x1234, 0), 0x3412);
        assert_eq!(rare(Rare::AddSaturating, 8, 200, 100), u64::MAX);
    }

    #[test]
    fn what_fails() {
        assert_eq!(partial(Partial::DivideSigned, 32, i32::MIN as u64, u64::MAX), Err(FaultKind::Overflow));
        assert_eq!(partial(Partial::DivideSigned, 32, 7u64.wrapping_neg(), 2), Ok(3u64.wrapping_neg()));
        assert_eq!(partial(Partial::Divide, 32, u64::MAX, 2), Ok(0x7fff_ffff));
        assert_eq!(partial(Partial::ShiftLeft, 32, 1, 32), Err(FaultKind::Shift));
        assert_eq!(partial(Partial::ShiftLeft, 32, 1, 31), Ok(i32::MIN as u64));
        assert_eq!(partial(Partial::AddSigned, 32, i32::MAX as u64, 1), Err(FaultKind::Overflow));
        assert_eq!(overflowing(Overflowing::Multiply, 64, u64::MAX, 2), (u64::MAX - 1, true));
        assert_eq!(overflowing(Overflowing::Subtract, 32, 1, 2), (u64::MAX, true));
        assert_eq!(wide(Wide::DivideSigned, i128::MIN as u128, u128::MAX), Err(FaultKind::Overflow));
    }

    #[test]
    fn floats() {
        let f32s = |x: f32| x.to_bits() as i32 as u64;
        assert_eq!(float_binary(FloatBinary::Add, false, f32s(0.1), f32s(0.2)), f32s(0.1f32 + 0.2));
        assert_eq!(convert(Conversion::F64ToSigned, 32, 1e20f64.to_bits()), i32::MAX as u64);
        assert_eq!(convert(Conversion::F64ToSigned, 8, (-3.9f64).to_bits()), 3u64.wrapping_neg());
        assert_eq!(convert(Conversion::F64ToUnsigned, 32, 4e9f64.to_bits()), 4_000_000_000u32 as i32 as u64);
        assert_eq!(modify(Modify::FloatAdd, Width::W32, f32s(1.0), f32s(0.5)), f32s(1.5));
        assert_eq!(modify(Modify::Max, Width::W8, u64::MAX, 1), 255);
    }
}
