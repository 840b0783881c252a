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
        // The prefix of octal numbers is a digit like any other, and not needed where there is one anyway.
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

/// `%f`, `%e`, `%g`, `%a`, and the same in capitals
pub(super) fn double(spec: &Spec, conversion: u8, value: f64, out: &mut Vec<u8>) {
    let sign = spec.sign(value.is_sign_negative());
    let magnitude = value.abs();
    let capital = conversion.is_ascii_uppercase();
    if !magnitude.is_finite() {
        let text = if magnitude.is_nan() { "nan" } else { "inf" };
        let text = if capital { text.to_ascii_uppercase() } else { text.to_owned() };
        return fill(spec, sign, text.as_bytes(), false, out);
    }
    let (prefix, text) = match conversion.to_ascii_lowercase() {
        b'f' => ("", fixed(magnitude, spec.precision.unwrap_or(6), spec.alternative)),
        b'e' => ("", scientific(magnitude, spec.precision.unwrap_or(6), spec.alternative)),
        b'g' => ("", general(magnitude, spec.precision.unwrap_or(6), spec.alternative)),
        _ => ("0x", hexadecimal(magnitude, spec.precision, spec.alternative)),
    };
    let mut before = sign.to_vec();
    before.extend_from_slice(prefix.as_bytes());
    let (before, text) =
        if capital { (before.to_ascii_uppercase(), text.to_ascii_uppercase()) } else { (before, text) };
    fill(spec, &before, text.as_bytes(), spec.zero, out);
}

/// Rust's own formatting is exact and rounds halves to even, as C's does.
fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

/// Digits before the exponent, and the exponent.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

fn exponent_text(letter: char, exponent: i32, digits: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{letter}{sign}{:0digits$}", exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (digits, exponent) = parts(value, precision);
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{digits}{dot}{}", exponent_text('e', exponent, 2))
}

/// So many significant digits, in the shorter way.
fn general(value: f64, precision: usize, alternative: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = parts(value, precision - 1);
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

fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let (mut mantissa, biased) = (bits & ((1 << MANTISSA_BITS) - 1), (bits >> MANTISSA_BITS) as i32);
    let exponent = match (biased, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    if biased != 0 {
        mantissa |= 1 << MANTISSA_BITS;
    }
    if let Some(precision) = precision.filter(|&precision| precision < 13) {
        mantissa = round_to_even(mantissa, MANTISSA_BITS - 4 * precision as u32);
    }
    let (lead, rest) = (mantissa >> MANTISSA_BITS, mantissa & ((1 << MANTISSA_BITS) - 1));
    let mut digits = format!("{rest:013x}");
    match precision {
        Some(precision) => {
            digits.truncate(precision);
            digits.extend(std::iter::repeat_n('0', precision.saturating_sub(13)));
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if point || !digits.is_empty() { "." } else { "" };
    format!("{lead}{dot}{digits}{}", exponent_text('p', exponent, 1))
}

/// The number with its lowest bits rounded away.
fn round_to_even(value: u64, bits: u32) -> u64 {
    let (rest, half) = (value & ((1 << bits) - 1), 1 << (bits - 1));
    let floor = value - rest;
    let up = rest > half || rest == half && floor >> bits & 1 == 1;
    if up { floor + (1 << bits) } else { floor }
}
