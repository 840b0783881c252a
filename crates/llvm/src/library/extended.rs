//! `long double` as `printf` writes it: all its digits are computed, exactly, and then rounded.

use super::number::{Digits, hexadecimal};

/// A `long double` of x86: the mantissa with its leading bit; sign and exponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extended {
    /// The mantissa: bit 63 is that of ones.
    pub(super) low: u64,
    /// The sign, and the exponent plus 16383.
    pub(super) high: u16,
}

/// The largest power of ten in a limb of a large number.
const LIMB: u64 = 1_000_000_000;
const LIMB_DIGITS: usize = 9;

impl Extended {
    fn biased(self) -> i32 {
        i32::from(self.high & 0x7fff)
    }

    /// The exponent of the lowest bit of the mantissa.
    fn lowest(self) -> i32 {
        self.biased().max(1) - 16383 - 63
    }

    /// All digits, and how many of them stand behind the point.
    fn digits(self) -> (Vec<u8>, usize) {
        let lowest = self.lowest();
        let mut limbs = vec![self.low % LIMB, self.low / LIMB % LIMB, self.low / LIMB / LIMB];
        let mut multiply = |factor: u64| {
            let mut carry = 0;
            for limb in &mut limbs {
                let product = *limb * factor + carry;
                (*limb, carry) = (product % LIMB, product / LIMB);
            }
            if carry > 0 {
                limbs.push(carry);
            }
        };
        // m * 2^-k is m * 5^k / 10^k.
        let (base, step, count) = if lowest < 0 { (5u64, 12, -lowest) } else { (2, 29, lowest) };
        (0..count / step).for_each(|_| multiply(base.pow(step as u32)));
        multiply(base.pow((count % step) as u32));
        let mut text: Vec<u8> =
            limbs.iter().rev().flat_map(|limb| format!("{limb:0LIMB_DIGITS$}").into_bytes()).collect();
        let zeros = text.iter().take_while(|&&digit| digit == b'0').count();
        text.drain(..zeros);
        (text, if lowest < 0 { count as usize } else { 0 })
    }
}

/// The first so many digits, rounded to the nearest, ties to even; whether that made one digit
/// more.
fn round(digits: &mut Vec<u8>, keep: usize) -> bool {
    if keep >= digits.len() {
        return false;
    }
    let rest = digits.split_off(keep);
    let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
    let beyond_half = rest[0] > b'5' || rest[0] == b'5' && (odd || rest[1..].iter().any(|&digit| digit != b'0'));
    if !beyond_half {
        return false;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
    true
}

fn text(digits: &[u8], whole: usize, precision: usize) -> String {
    let mut text: String = digits[..whole].iter().map(|&digit| char::from(digit)).collect();
    if precision > 0 {
        text.push('.');
        text.extend(digits[whole..].iter().map(|&digit| char::from(digit)));
    }
    text
}

impl Digits for Extended {
    fn is_negative(&self) -> bool {
        self.high >> 15 == 1
    }

    fn special(&self) -> Option<&'static str> {
        match (self.biased(), self.low << 1) {
            (0x7fff, 0) => Some("inf"),
            (0x7fff, _) => Some("nan"),
            _ => None,
        }
    }

    fn fixed(&self, precision: usize) -> String {
        let (mut digits, behind) = self.digits();
        // At least one digit before the point.
        let missing = (behind + 1).saturating_sub(digits.len());
        digits.splice(..0, std::iter::repeat_n(b'0', missing));
        let mut whole = digits.len() - behind;
        whole += usize::from(round(&mut digits, whole + precision));
        digits.resize(whole + precision, b'0');
        text(&digits, whole, precision)
    }

    fn scientific(&self, precision: usize) -> (String, i32) {
        let (mut digits, behind) = self.digits();
        if digits.is_empty() {
            digits.push(b'0');
            digits.resize(1 + precision, b'0');
            return (text(&digits, 1, precision), 0);
        }
        let exponent = digits.len() as i32 - 1 - behind as i32;
        let carried = round(&mut digits, 1 + precision);
        digits.resize(1 + precision, b'0');
        (text(&digits, 1, precision), exponent + i32::from(carried))
    }

    /// The first digit holds four bits.
    fn hexadecimal(&self, precision: Option<usize>, point: bool) -> (String, i32) {
        let mut exponent = if self.low == 0 { 0 } else { self.lowest() + 60 };
        let mut digits = hexadecimal(u128::from(self.low), 60, precision, point);
        // Where rounding made 16 of it, that is 1 with an exponent larger by 4.
        if let Some(rest) = digits.strip_prefix("10") {
            digits = format!("1{rest}");
            exponent += 4;
        }
        (digits, exponent)
    }
}
