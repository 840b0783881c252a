//! Numbers as `printf` writes them.

/// Flags, width and precision of a conversion.
#[derive(Clone, Default, Debug)]
pub(super) struct Spec {
    /// Aligned to the left.
    pub(super) left: bool,
    /// A sign in any case.
    pub(super) plus: bool,
    /// A space where there is no sign.
    pub(super) space: bool,
    /// Prefixes of bases; a decimal point in any case.
    pub(super) alternative: bool,
    /// Filled with zeros.
    pub(super) zero: bool,
    /// The least number of characters.
    pub(super) width: usize,
    /// The number after the point.
    pub(super) precision: Option<usize>,
}

impl Spec {
    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, _, _) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            (false, false, false) => b"",
        }
    }
}

/// A text with what stands before it (sign, prefix of the base), padded with spaces.
pub(super) fn pad(spec: &Spec, before: &[u8], text: &[u8], out: &mut Vec<u8>) {
    fill(spec, before, text, false, out);
}

fn fill(spec: &Spec, before: &[u8], text: &[u8], zeros: bool, out: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(before.len() + text.len());
    if !spec.left && !zeros {
        out.resize(out.len() + missing, b' ');
    }
    out.extend_from_slice(before);
    if !spec.left && zeros {
        out.resize(out.len() + missing, b'0');
    }
    out.extend_from_slice(text);
    if spec.left {
        out.resize(out.len() + missing, b' ');
    }
}

/// Digits, at least as many as the precision says.
fn integer(spec: &Spec, before: &[u8], digits: &str, out: &mut Vec<u8>) {
    let digits = if digits == "0" && spec.precision == Some(0) { "" } else { digits };
    let least = spec.precision.unwrap_or(0);
    let mut text = vec![b'0'; least.saturating_sub(digits.len())];
    text.extend_from_slice(digits.as_bytes());
    fill(spec, before, &text, spec.zero && spec.precision.is_none(), out);
}

/// `%d`
pub(super) fn signed(spec: &Spec, value: i64, out: &mut Vec<u8>) {
    integer(spec, spec.sign(value < 0), &value.unsigned_abs().to_string(), out);
}

/// `%u`, `%x`, `%X`, `%o`
pub(super) fn unsigned(spec: &Spec, conversion: u8, value: u64, out: &mut Vec<u8>) {
    let prefixed = spec.alternative && value != 0;
    match conversion {
        b'x' => integer(spec, if prefixed { b"0x" } else { b"" }, &format!("{value:x}"), out),
        b'X' => integer(spec, if prefixed { b"0X" } else { b"" }, &format!("{value:X}"), out),
        // The prefix of octal numbers is a digit like any other, and not needed where there is one
        // anyway.
        b'o' => {
            let digits = format!("{value:o}");
            let short = spec.precision.unwrap_or(0) <= digits.len();
            match (spec.alternative, value) {
                (true, 0) => integer(
                    &Spec { precision: spec.precision.map(|least| least.max(1)), ..spec.clone() },
                    b"",
                    "0",
                    out,
                ),
                (true, _) if short => integer(spec, b"", &format!("0{digits}"), out),
                _ => integer(spec, b"", &digits, out),
            }
        }
        _ => integer(spec, b"", &value.to_string(), out),
    }
}

/// `%p`
pub(super) fn pointer(spec: &Spec, value: u64, out: &mut Vec<u8>) {
    if value == 0 {
        pad(spec, b"", b"(nil)", out);
    } else {
        integer(spec, b"0x", &format!("{value:x}"), out);
    }
}

/// A floating-point number as digits. All of it is about its magnitude.
pub(super) trait Digits {
    /// Whether there is a sign before it.
    fn is_negative(&self) -> bool;

    /// What it is where it is not finite.
    fn special(&self) -> Option<&'static str>;

    /// With so many digits behind the point, rounded to the nearest, ties to even.
    fn fixed(&self, precision: usize) -> String;

    /// One digit and so many behind the point, and the exponent.
    fn scientific(&self, precision: usize) -> (String, i32);

    /// In hexadecimal, without the prefix: what stands before the exponent (with a point in any
    /// case where `point`), and the exponent.
    fn hexadecimal(&self, precision: Option<usize>, point: bool) -> (String, i32);
}

/// `%f`, `%e`, `%g`, `%a`, and the same in capitals
pub(super) fn float(spec: &Spec, conversion: u8, value: &impl Digits, out: &mut Vec<u8>) {
    let sign = spec.sign(value.is_negative());
    let capital = conversion.is_ascii_uppercase();
    if let Some(text) = value.special() {
        let text = if capital { text.to_ascii_uppercase() } else { text.to_owned() };
        return fill(spec, sign, text.as_bytes(), false, out);
    }
    let (prefix, text) = match conversion.to_ascii_lowercase() {
        b'f' => ("", fixed(value, spec.precision.unwrap_or(6), spec.alternative)),
        b'e' => ("", scientific(value, spec.precision.unwrap_or(6), spec.alternative)),
        b'g' => ("", general(value, spec.precision.unwrap_or(6), spec.alternative)),
        _ => {
            let (digits, exponent) = value.hexadecimal(spec.precision, spec.alternative);
            ("0x", format!("{digits}{}", exponent_text('p', exponent, 1)))
        }
    };
    let mut before = sign.to_vec();
    before.extend_from_slice(prefix.as_bytes());
    let (before, text) =
        if capital { (before.to_ascii_uppercase(), text.to_ascii_uppercase()) } else { (before, text) };
    fill(spec, &before, text.as_bytes(), spec.zero, out);
}

fn fixed(value: &impl Digits, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{}{dot}", value.fixed(precision))
}

fn exponent_text(letter: char, exponent: i32, digits: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{letter}{sign}{:0digits$}", exponent.unsigned_abs())
}

fn scientific(value: &impl Digits, precision: usize, point: bool) -> String {
    let (digits, exponent) = value.scientific(precision);
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{digits}{dot}{}", exponent_text('e', exponent, 2))
}

/// So many significant digits, in the shorter way.
fn general(value: &impl Digits, precision: usize, alternative: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = value.scientific(precision - 1);
    let in_range = exponent >= -4 && i64::from(exponent) < precision as i64;
    let mantissa = if in_range {
        fixed(value, (precision as i64 - 1 - i64::from(exponent)).max(0) as usize, alternative)
    } else {
        let dot = if alternative && precision == 1 { "." } else { "" };
        format!("{digits}{dot}")
    };
    let mantissa = if !alternative && mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        mantissa
    };
    if in_range { mantissa } else { format!("{mantissa}{}", exponent_text('e', exponent, 2)) }
}

const MANTISSA_BITS: u32 = 52;

/// Rust's own formatting is exact and rounds halves to even, as C's does.
impl Digits for f64 {
    fn is_negative(&self) -> bool {
        self.is_sign_negative()
    }

    fn special(&self) -> Option<&'static str> {
        match self {
            value if value.is_nan() => Some("nan"),
            value if value.is_infinite() => Some("inf"),
            _ => None,
        }
    }

    fn fixed(&self, precision: usize) -> String {
        format!("{:.precision$}", self.abs())
    }

    fn scientific(&self, precision: usize) -> (String, i32) {
        let text = format!("{:.precision$e}", self.abs());
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        (digits.to_owned(), exponent.parse().unwrap_or(0))
    }

    fn hexadecimal(&self, precision: Option<usize>, point: bool) -> (String, i32) {
        let bits = self.abs().to_bits();
        let (mut mantissa, biased) = (bits & ((1 << MANTISSA_BITS) - 1), (bits >> MANTISSA_BITS) as i32);
        let exponent = match (biased, mantissa) {
            (0, 0) => 0,
            (0, _) => -1022,
            _ => biased - 1023,
        };
        if biased != 0 {
            mantissa |= 1 << MANTISSA_BITS;
        }
        (hexadecimal(u128::from(mantissa), MANTISSA_BITS, precision, point), exponent)
    }
}

/// A mantissa with so many bits behind the point (a multiple of 4).
pub(super) fn hexadecimal(mantissa: u128, bits: u32, precision: Option<usize>, point: bool) -> String {
    let most = bits as usize / 4;
    let mantissa = match precision {
        Some(precision) if precision < most => round_to_even(mantissa, bits - 4 * precision as u32),
        _ => mantissa,
    };
    let (lead, rest) = (mantissa >> bits, mantissa & ((1 << bits) - 1));
    let mut digits = format!("{rest:0most$x}");
    match precision {
        Some(precision) => {
            digits.truncate(precision);
            digits.extend(std::iter::repeat_n('0', precision.saturating_sub(most)));
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if point || !digits.is_empty() { "." } else { "" };
    format!("{lead:x}{dot}{digits}")
}

/// The number with its lowest bits rounded away.
fn round_to_even(value: u128, bits: u32) -> u128 {
    let (rest, half) = (value & ((1 << bits) - 1), 1 << (bits - 1));
    let floor = value - rest;
    let up = rest > half || rest == half && floor >> bits & 1 == 1;
    if up { floor + (1 << bits) } else { floor }
}
