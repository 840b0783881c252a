//! Floating-point numbers of formats that the host's processor does not compute with; by the port
//! of LLVM's own implementation.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round};

use crate::code::operator::FloatCondition;
use crate::code::soft::{Format, Number, Soft};

use super::arithmetic::{wrap, zero};

/// A number in one register or two.
pub(crate) type Pair = [u64; 2];

/// Does something with the type of a format.
macro_rules! with_format {
    ($format:expr, $type:ident => $body:expr) => {
        match $format {
            Format::Half => {
                type $type = Half;
                $body
            }
            Format::BFloat => {
                type $type = BFloat;
                $body
            }
            Format::Single => {
                type $type = Single;
                $body
            }
            Format::Double => {
                type $type = Double;
                $body
            }
            Format::Extended => {
                type $type = X87DoubleExtended;
                $body
            }
            Format::Quad => {
                type $type = Quad;
                $body
            }
        }
    };
}

/// The bits of a number of so many bits in registers.
fn gather(bits: u8, [low, high]: Pair) -> u128 {
    match bits {
        0..=64 => u128::from(zero(low, bits)),
        _ => u128::from(low) | u128::from(zero(high, bits - 64)) << 64,
    }
}

/// Registers for a number of so many bits.
fn spread(bits: u8, value: u128) -> Pair {
    match bits {
        0..=64 => [wrap(value as u64, bits), 0],
        _ => [value as u64, wrap((value >> 64) as u64, bits - 64)],
    }
}

/// An operation.
pub(crate) fn operate(op: Soft, format: Format, a: Pair, b: Pair) -> Pair {
    let bits = format.bits();
    if op == Soft::Class {
        let class = with_format!(format, F => class(F::from_bits(gather(bits, a))));
        return [b[0] >> class & 1, 0];
    }
    if op == Soft::Exponent {
        return [with_format!(format, F => exponent(F::from_bits(gather(bits, a)))), 0];
    }
    if op == Soft::Scale {
        let by = b[0] as i32;
        return spread(bits, with_format!(format, F => F::from_bits(gather(bits, a)).scalbn(by).to_bits()));
    }
    let (a, b) = (gather(bits, a), gather(bits, b));
    // Signs are exchanged without looking at the rest.
    let sign = 1 << (bits - 1);
    let value = match op {
        Soft::Negate => a ^ sign,
        Soft::Absolute => a & !sign,
        Soft::CopySign => a & !sign | b & sign,
        _ => with_format!(format, F => compute(op, F::from_bits(a), F::from_bits(b)).to_bits()),
    };
    spread(bits, value)
}

/// Product and sum, rounded once.
pub(crate) fn multiply_add(format: Format, a: Pair, b: Pair, c: Pair) -> Pair {
    let bits = format.bits();
    let [a, b, c] = [a, b, c].map(|number| gather(bits, number));
    let value = with_format!(format, F => F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits());
    spread(bits, value)
}

fn compute<F: Float + FloatConvert<Double>>(op: Soft, a: F, b: F) -> F
where
    Double: FloatConvert<F>,
{
    let rounded = |round| a.round_to_integral(round).value;
    match op {
        Soft::Add => (a + b).value,
        Soft::Subtract => (a - b).value,
        Soft::Multiply => (a * b).value,
        Soft::Divide => (a / b).value,
        Soft::Remainder => a.c_fmod(b).value,
        Soft::Min => a.min(b),
        Soft::Max => a.max(b),
        Soft::Minimum => a.minimum(b),
        Soft::Maximum => a.maximum(b),
        Soft::SquareRoot => square_root(a),
        Soft::Floor => rounded(Round::TowardNegative),
        Soft::Ceil => rounded(Round::TowardPositive),
        Soft::Truncate => rounded(Round::TowardZero),
        Soft::Round => rounded(Round::NearestTiesToAway),
        Soft::RoundEven => rounded(Round::NearestTiesToEven),
        Soft::Fraction if a.is_finite_non_zero() => a.frexp(&mut 0),
        Soft::Fraction | Soft::Exponent | Soft::Scale => a,
        Soft::CopySign | Soft::Negate | Soft::Absolute | Soft::Class => a,
    }
}

/// As `frexp` gives it, in a register.
fn exponent<F: Float>(number: F) -> u64 {
    let mut exponent = 0;
    if number.is_finite_non_zero() {
        number.frexp(&mut exponent);
    }
    i64::from(exponent) as u64
}

/// Newton's method from the root that the host computes, then put right: `y` is the nearest number
/// to the root of `x` where `y * before(y) < x <= y * after(y)` (Tuckerman), and a product and sum
/// that is rounded once has the right sign.
fn square_root<F: Float + FloatConvert<Double>>(x: F) -> F
where
    Double: FloatConvert<F>,
{
    if x.is_nan() || x.is_zero() || x.is_pos_infinity() {
        return x;
    }
    if x.is_negative() {
        return F::NAN;
    }
    // Between 1 and 4, with an even exponent taken out.
    let exponent = x.ilogb() & !1;
    let x = x.scalbn(-exponent);
    let mut lost = false;
    let near: Double = x.convert(&mut lost).value;
    let root = Double::from_bits(u128::from(f64::from_bits(near.to_bits() as u64).sqrt().to_bits()));
    let mut y: F = root.convert(&mut lost).value;
    for _ in 0..2 {
        y = (y + (x / y).value).value.scalbn(-1);
    }
    for _ in 0..4 {
        let (before, after) = (y.next_down().value, y.next_up().value);
        if !y.mul_add(before, -x).value.is_negative() {
            y = before;
        } else if y.mul_add(after, -x).value.is_negative() {
            y = after;
        } else {
            break;
        }
    }
    y.scalbn(exponent / 2)
}

/// The class of a number: the number of its bit in a `Rare::FloatClass`.
fn class<F: Float>(number: F) -> u32 {
    let size = match number.category() {
        Category::NaN => return u32::from(!number.is_signaling()),
        Category::Zero => 0,
        Category::Normal if number.is_denormal() => 1,
        Category::Normal => 2,
        Category::Infinity => 3,
    };
    if number.is_negative() { 5 - size } else { 6 + size }
}

/// A comparison.
pub(crate) fn compare(condition: FloatCondition, format: Format, a: Pair, b: Pair) -> bool {
    let (a, b) = (gather(format.bits(), a), gather(format.bits(), b));
    let order = with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b)));
    condition.includes(order)
}

/// A conversion.
pub(crate) fn convert(from: Number, to: Number, value: Pair) -> Pair {
    match (from, to) {
        (Number::Signed(bits), Number::Float(to)) => {
            let value = if bits <= 64 { i128::from(value[0] as i64) } else { gather(128, value) as i128 };
            spread(to.bits(), with_format!(to, F => F::from_i128(value).value.to_bits()))
        }
        (Number::Unsigned(bits), Number::Float(to)) => {
            let value = gather(bits, value);
            spread(to.bits(), with_format!(to, F => F::from_u128(value).value.to_bits()))
        }
        (Number::Float(from), Number::Signed(bits)) => {
            let value = gather(from.bits(), value);
            let number = with_format!(from, F => F::from_bits(value).to_i128(usize::from(bits)).value);
            spread(bits, number as u128)
        }
        (Number::Float(from), Number::Unsigned(bits)) => {
            let value = gather(from.bits(), value);
            spread(bits, with_format!(from, F => F::from_bits(value).to_u128(usize::from(bits)).value))
        }
        (Number::Float(from), Number::Float(to)) => {
            let value = gather(from.bits(), value);
            spread(to.bits(), with_format!(from, F => convert_float(F::from_bits(value), to)))
        }
        (Number::Signed(_) | Number::Unsigned(_), Number::Signed(_) | Number::Unsigned(_)) => value,
    }
}

fn convert_float<F>(value: F, to: Format) -> u128
where
    F: FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    with_format!(to, T => {
        let mut lost = false;
        let converted: T = value.convert(&mut lost).value;
        converted.to_bits()
    })
}

/// The nearest `long double` to a decimal number.
pub(crate) fn parse_extended(text: &str) -> Option<u128> {
    X87DoubleExtended::from_str_r(text, Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Format = Format::Extended;

    fn of(number: f64) -> Pair {
        convert(Number::Float(Format::Double), Number::Float(X), [number.to_bits(), 0])
    }

    fn back(number: Pair) -> f64 {
        f64::from_bits(convert(Number::Float(X), Number::Float(Format::Double), number)[0])
    }

    #[test]
    fn arithmetic_of_long_double() {
        let cases = [
            (Soft::Add, 1.5, 2.25, 3.75),
            (Soft::Subtract, 1.0, 3.0, -2.0),
            (Soft::Multiply, -3.0, 0.5, -1.5),
            (Soft::Divide, 1.0, 4.0, 0.25),
            (Soft::Remainder, -7.0, 3.0, -1.0),
            (Soft::Min, f64::NAN, 3.0, 3.0),
            (Soft::CopySign, 3.0, -0.0, -3.0),
            (Soft::Floor, -1.5, 0.0, -2.0),
            (Soft::Ceil, -1.5, 0.0, -1.0),
            (Soft::Round, 2.5, 0.0, 3.0),
            (Soft::RoundEven, 2.5, 0.0, 2.0),
            (Soft::Negate, 2.5, 0.0, -2.5),
            (Soft::Fraction, 2.5, 0.0, 0.625),
            (Soft::Fraction, f64::INFINITY, 0.0, f64::INFINITY),
        ];
        for (op, a, b, expected) in cases {
            assert_eq!(back(operate(op, X, of(a), of(b))), expected, "{op:?}");
        }
        assert!(back(operate(Soft::Minimum, X, of(f64::NAN), of(1.0))).is_nan());
        assert_eq!(operate(Soft::Exponent, X, of(0.2), of(0.0))[0] as i64, -2);
        assert_eq!(back(operate(Soft::Scale, X, of(-3.0), [(-1i64) as u64, 0])), -1.5);
        // 2^63 + 1 needs all 64 bits of the mantissa.
        let large = convert(Number::Unsigned(64), Number::Float(X), [1 << 63 | 1, 0]);
        assert_eq!(large, [1 << 63 | 1, 0x403e]);
        assert_eq!(convert(Number::Float(X), Number::Unsigned(64), large)[0], 1 << 63 | 1);
        assert_eq!(convert(Number::Float(X), Number::Signed(64), large)[0], i64::MAX as u64);
        assert_eq!(convert(Number::Float(X), Number::Signed(32), of(-3.9))[0] as i64, -3);
        assert_eq!(convert(Number::Signed(128), Number::Float(X), [u64::MAX - 4, u64::MAX]), of(-5.0));
    }

    /// Exactly: the root of a number of 64 bits has a square that differs from it by less than the
    /// next one's does.
    #[test]
    fn square_roots_are_the_nearest() {
        for number in [2u64, 3, 5, 10, u64::MAX, 1 << 63, 0xdead_beef_0123_4567, 152_399_025] {
            let x = convert(Number::Unsigned(64), Number::Float(X), [number, 0]);
            let root = operate(Soft::SquareRoot, X, x, [0, 0]);
            // The mantissa, of the number whose square has 127 or 128 bits.
            let exponent = i32::from(root[1] as u16) - 16383;
            let wide = u128::from(number) << (2 * (63 - exponent));
            let floor = wide.isqrt();
            let expected = if wide - floor * floor > floor { floor + 1 } else { floor };
            assert_eq!(u128::from(root[0]), expected, "{number}");
        }
        assert!(back(operate(Soft::SquareRoot, X, of(-1.0), of(0.0))).is_nan());
        assert_eq!(back(operate(Soft::SquareRoot, X, of(f64::INFINITY), of(0.0))), f64::INFINITY);
    }

    #[test]
    fn small_formats() {
        let half =
            |number: f64| convert(Number::Float(Format::Double), Number::Float(Format::Half), [number.to_bits(), 0]);
        assert_eq!(half(1.0)[0], 0x3c00);
        assert_eq!(half(-2.0)[0], 0xc000u16 as i16 as u64);
        assert_eq!(operate(Soft::Add, Format::Half, half(1.5), half(-2.5)), half(-1.0));
        assert_eq!(half(1e6)[0], 0x7c00);
        let brain =
            convert(Number::Float(Format::Single), Number::Float(Format::BFloat), [u64::from(1.5f32.to_bits()), 0]);
        assert_eq!(brain[0], 0x3fc0);
    }

    #[test]
    fn classes_and_comparisons() {
        let classes = [f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN].map(|number| {
            (0..10).filter(|class| operate(Soft::Class, X, of(number), [1 << class, 0])[0] == 1).collect::<Vec<_>>()
        });
        assert_eq!(classes, [[2], [3], [5], [6], [8], [9], [1]]);
        let less = FloatCondition(FloatCondition::LESS);
        assert!(compare(less, X, of(1.0), of(2.0)) && !compare(less, X, of(f64::NAN), of(2.0)));
        assert!(compare(FloatCondition(FloatCondition::UNORDERED), X, of(f64::NAN), of(2.0)));
    }

    #[test]
    fn parsing() {
        assert_eq!(parse_extended("0.1"), Some(0x3ffb_cccc_cccc_cccc_cccd));
        assert_eq!(parse_extended("1e4000").map(|bits| bits >> 64), Some(16383 + 13287));
    }
}
