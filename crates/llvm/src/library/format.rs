//! Text by a format, as `printf` makes it.

use super::extended::Extended;
use super::misuse::Misuse;
use super::number::{self, Spec};

/// Where the values come from.
pub(super) trait Values {
    /// What goes wrong when one is requested.
    type Error: From<Misuse>;

    /// The next value, which is an integer or a pointer, as a register holds it.
    fn integer(&mut self) -> Result<u64, Self::Error>;

    /// The next value, which is a double.
    fn double(&mut self) -> Result<f64, Self::Error>;

    /// The next value, which is a `long double`.
    fn long_double(&mut self) -> Result<Extended, Self::Error>;

    /// The string at an address, at most so many bytes of it.
    fn string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Self::Error>;

    /// The string of wide characters at an address, as UTF-8, at most so many bytes of that.
    fn wide_string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Self::Error>;

    /// Writes bytes to an address.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// The length modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Byte,
    Short,
    Int,
    Long,
    /// `L`: of floating-point numbers, `long double`.
    Longest,
}

/// The wildest width or precision that is taken seriously.
const WIDEST: u64 = 1 << 20;

/// A format being read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// A number, or none where there are no digits.
    fn digits(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some(digit) = self.rest.first().filter(|byte| byte.is_ascii_digit()) {
            value = Some((value.unwrap_or(0) * 10 + u64::from(digit - b'0')).min(WIDEST));
            self.rest = &self.rest[1..];
        }
        value
    }

    fn length(&mut self) -> Length {
        if self.accept(b'h') {
            return if self.accept(b'h') { Length::Byte } else { Length::Short };
        }
        if self.accept(b'L') {
            return Length::Longest;
        }
        let mut long = false;
        while self.rest.first().is_some_and(|byte| b"lqjzt".contains(byte)) {
            self.rest = &self.rest[1..];
            long = true;
        }
        if long { Length::Long } else { Length::Int }
    }
}

/// The text of a format and its values.
pub(super) fn format<V: Values>(format: &[u8], values: &mut V) -> Result<Vec<u8>, V::Error> {
    let mut out = Vec::with_capacity(format.len() + 16);
    let mut reader = Reader { rest: format };
    while let Some(byte) = reader.next() {
        if byte == b'%' {
            convert(&mut reader, values, &mut out)?;
        } else {
            out.push(byte);
        }
    }
    Ok(out)
}

/// One conversion, after its `%`.
fn convert<V: Values>(reader: &mut Reader<'_>, values: &mut V, out: &mut Vec<u8>) -> Result<(), V::Error> {
    let mut spec = Spec::default();
    loop {
        match reader.rest.first() {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternative = true,
            Some(b'0') => spec.zero = true,
            // Digits in groups: there are none in the C locale.
            Some(b'\'') => {}
            _ => break,
        }
        reader.next();
    }
    if reader.accept(b'*') {
        let width = i64::from(values.integer()? as i32);
        spec.left |= width < 0;
        spec.width = width.unsigned_abs().min(WIDEST) as usize;
    } else {
        spec.width = reader.digits().unwrap_or(0) as usize;
    }
    if reader.accept(b'.') {
        let precision =
            if reader.accept(b'*') { i64::from(values.integer()? as i32) } else { reader.digits().unwrap_or(0) as i64 };
        // A negative one counts as none.
        spec.precision = usize::try_from(precision).ok().map(|precision| precision.min(WIDEST as usize));
    }
    let length = reader.length();
    let Some(conversion) = reader.next() else { return Err(Misuse::Format.into()) };
    match conversion {
        b'%' => out.push(b'%'),
        b'd' | b'i' => number::signed(&spec, sign_extended(values.integer()?, length), out),
        b'u' | b'x' | b'X' | b'o' => number::unsigned(&spec, conversion, zero_extended(values.integer()?, length), out),
        b'c' if length == Length::Long => {
            let wide = char::from_u32(values.integer()? as u32).ok_or(Misuse::WideCharacter)?;
            number::pad(&spec, &[], wide.encode_utf8(&mut [0; 4]).as_bytes(), out);
        }
        b'c' => number::pad(&spec, &[], &[values.integer()? as u8], out),
        b's' => {
            let text = match values.integer()? {
                0 => null_text(&spec),
                address if length == Length::Long => values.wide_string(address, spec.precision)?,
                address => values.string(address, spec.precision)?,
            };
            number::pad(&spec, &[], &text, out);
        }
        b'p' => number::pointer(&spec, values.integer()?, out),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            if length == Length::Longest {
                number::float(&spec, conversion, &values.long_double()?, out);
            } else {
                number::float(&spec, conversion, &values.double()?, out);
            }
        }
        b'n' => {
            let (address, count) = (values.integer()?, (out.len() as u64).to_le_bytes());
            let size = match length {
                Length::Byte => 1,
                Length::Short => 2,
                Length::Int => 4,
                Length::Long | Length::Longest => 8,
            };
            values.write(address, &count[..size])?;
        }
        _ => return Err(Misuse::Format.into()),
    }
    Ok(())
}

/// What glibc prints for a null pointer where a string is requested.
fn null_text(spec: &Spec) -> Vec<u8> {
    if spec.precision.is_some_and(|precision| precision < 6) { Vec::new() } else { b"(null)".to_vec() }
}

fn sign_extended(value: u64, length: Length) -> i64 {
    match length {
        Length::Byte => i64::from(value as i8),
        Length::Short => i64::from(value as i16),
        Length::Int => i64::from(value as i32),
        Length::Long | Length::Longest => value as i64,
    }
}

fn zero_extended(value: u64, length: Length) -> u64 {
    match length {
        Length::Byte => u64::from(value as u8),
        Length::Short => u64::from(value as u16),
        Length::Int => u64::from(value as u32),
        Length::Long | Length::Longest => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Value {
        Integer(i64),
        Double(f64),
        Text(&'static str),
        Long(u64, u16),
    }
    use Value::{Double, Integer, Long, Text};

    struct List(std::vec::IntoIter<Value>, &'static str);

    impl From<Misuse> for String {
        fn from(misuse: Misuse) -> String {
            format!("{misuse:?}")
        }
    }

    impl Values for List {
        type Error = String;

        fn integer(&mut self) -> Result<u64, String> {
            match self.0.next() {
                Some(Integer(value)) => Ok(value as u64),
                Some(Text(text)) => {
                    self.1 = text;
                    Ok(1)
                }
                _ => Err("no integer".into()),
            }
        }

        fn double(&mut self) -> Result<f64, String> {
            if let Some(Double(value)) = self.0.next() { Ok(value) } else { Err("no double".into()) }
        }

        fn long_double(&mut self) -> Result<Extended, String> {
            if let Some(Long(low, high)) = self.0.next() { Ok(Extended { low, high }) } else { Err("no double".into()) }
        }

        fn string(&mut self, _: u64, most: Option<usize>) -> Result<Vec<u8>, String> {
            Ok(self.1.bytes().take(most.unwrap_or(usize::MAX)).collect())
        }

        fn wide_string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, String> {
            Ok([b"wide ", &self.string(address, most)?[..]].concat())
        }

        fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
            Err(format!("{bytes:?} to {address}"))
        }
    }

    fn check(text: &str, values: Vec<Value>, expected: &str) {
        let result = format(text.as_bytes(), &mut List(values.into_iter(), ""));
        assert_eq!(result.map(|bytes| String::from_utf8(bytes).expect("text")), Ok(expected.to_owned()), "{text}");
    }

    #[test]
    fn integers() {
        check("%d|%i|%u", vec![Integer(-5), Integer(7), Integer(-1)], "-5|7|4294967295");
        check("%5d|%-5d|%05d|%+d|% d", [42; 5].map(Integer).into(), "   42|42   |00042|+42| 42");
        check("%.3d|%6.3d|%-6.3d|%06.3d", [5; 4].map(Integer).into(), "005|   005|005   |   005");
        check("%x|%X|%#x|%#o|%o", [255; 5].map(Integer).into(), "ff|FF|0xff|0377|377");
        check("%#x|%.0d|%#o", [0; 3].map(Integer).into(), "0||0");
        check(
            "%hhd|%hd|%ld|%lu",
            vec![Integer(300), Integer(70000), Integer(-1), Integer(-1)],
            "44|4464|-1|18446744073709551615",
        );
        check("%zu %jd %lld %td", [3; 4].map(Integer).into(), "3 3 3 3");
        check(
            "%*d|%-*d|%.*d",
            vec![Integer(4), Integer(1), Integer(4), Integer(1), Integer(2), Integer(1)],
            "   1|1   |01",
        );
        check("%#010x|%#-8x|", vec![Integer(171), Integer(171)], "0x000000ab|0xab    |");
    }

    #[test]
    fn characters_and_strings() {
        check("%c%c|%3c|%-3c|", "abcd".bytes().map(|byte| Integer(byte.into())).collect(), "ab|  c|d  |");
        check("%s|%5s|%-5s|%.2s|%%", vec![Text("abc"), Text("abc"), Text("abc"), Text("abc")], "abc|  abc|abc  |ab|%");
        check("%s|%p", vec![Integer(0), Integer(0)], "(null)|(nil)");
        check("%ls|%lc|%4lc", vec![Text("abc"), Integer(0xe4), Integer(0x20ac)], "wide abc|\u{e4}| \u{20ac}");
    }

    #[test]
    fn doubles() {
        check("%f|%.2f|%.0f|%8.3f|%-8.1f|", [3.125; 5].map(Double).into(), "3.125000|3.12|3|   3.125|3.1     |");
        check("%e|%.1E|%g|%G", [12345.678; 4].map(Double).into(), "1.234568e+04|1.2E+04|12345.7|12345.7");
        check(
            "%g|%g|%g|%g",
            vec![Double(0.0001), Double(1e-5), Double(1e6), Double(100000.0)],
            "0.0001|1e-05|1e+06|100000",
        );
        check(
            "%#g|%.3g|%+.1f|%08.2f",
            vec![Double(1.0), Double(2.5), Double(2.0), Double(-1.5)],
            "1.00000|2.5|+2.0|-0001.50",
        );
        check(
            "%f|%F|%5e|%g",
            vec![Double(f64::INFINITY), Double(f64::NAN), Double(f64::NEG_INFINITY), Double(0.0)],
            "inf|NAN| -inf|0",
        );
        check(
            "%a|%a|%.1a|%A",
            vec![Double(1.0), Double(0.5), Double(1.999), Double(10.5)],
            "0x1p+0|0x1p-1|0x2.0p+0|0X1.5P+3",
        );
    }

    #[test]
    fn long_doubles() {
        let third = || Long(0xaaaa_aaaa_aaaa_aaab, 0x3ffd);
        check(
            "%Lf|%.20Lf|%.3Le|%Lg",
            [third(), third(), third(), third()].into(),
            "0.333333|0.33333333333333333334|3.333e-01|0.333333",
        );
        let (tenth, one, minus) =
            (Long(0xcccc_cccc_cccc_cccd, 0x3ffb), Long(1 << 63, 0x3fff), Long(0xc800 << 48, 0xc002));
        check("%La|%.0Lf|%La|%.1La", vec![tenth, one, minus, third()], "0xc.ccccccccccccccdp-7|1|-0xc.8p+0|0xa.bp-5");
        check("%Lf|%LF|%+Le", vec![Long(1 << 63, 0x7fff), Long(3 << 62, 0x7fff), Long(0, 0)], "inf|NAN|+0.000000e+00");
        // The largest and the smallest there are.
        check("%.9Le|%.9Le", vec![Long(u64::MAX, 0x7ffe), Long(1, 0)], "1.189731495e+4932|3.645199532e-4951");
        check(
            "%.0Lf|%.0Lf|%.1Lf",
            vec![Long(1 << 63, 0x3ffe), Long(3 << 62, 0x3fff), Long(0xfff0 << 48, 0x4002)],
            "0|2|16.0",
        );
    }

    #[test]
    fn counts_are_written() {
        let written = |text: &str| {
            let values = vec![Integer(5), Integer(9)];
            format(text.as_bytes(), &mut List(values.into_iter(), "")).expect_err("writes")
        };
        assert_eq!(written("abc%d%n"), "[4, 0, 0, 0] to 9");
        assert_eq!(written("%d%hhn"), "[1] to 9");
        assert_eq!(written("%5d%ln"), "[5, 0, 0, 0, 0, 0, 0, 0] to 9");
    }

    #[test]
    fn what_is_wrong() {
        let failure = |text: &str| format(text.as_bytes(), &mut List(vec![].into_iter(), "")).expect_err("a failure");
        assert_eq!(failure("%"), "Format");
        assert_eq!(failure("%y"), "Format");
        assert_eq!(failure("%n"), "no integer");
        assert_eq!(failure("%d"), "no integer");
    }
}
