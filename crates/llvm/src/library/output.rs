//! Output: what is printed belongs to the step that prints it. Nobody else notices, so two threads
//! that print commute, and the order of their lines is that of the execution at hand.

use mazurka_trace::AccessKind;

use crate::code::Kind;
use crate::code::soft::Format;
use crate::machine::call::{Call, Flow, Stop};

use super::extended::Extended;
use super::format::{Values, format};
use super::misuse::Misuse;

impl From<Misuse> for Stop {
    fn from(misuse: Misuse) -> Stop {
        misuse.fault()
    }
}

/// The bytes of a wide character.
const WIDE: u32 = 4;

/// The string at an address, at most so many bytes of it; those beyond are not looked at.
fn string(call: &mut Call<'_>, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
    let Some(most) = most else { return call.read_string(address) };
    let mut length = 0;
    while length < most as u64 && call.peek(address + length, 1)? != 0 {
        length += 1;
    }
    let counted = if length < most as u64 { length + 1 } else { length };
    if call.is_shared(address) {
        call.visible()?;
        call.varies();
    }
    let mut bytes = call.read_bytes(address, counted)?;
    bytes.truncate(length as usize);
    Ok(bytes)
}

/// The string of wide characters at an address, as UTF-8, at most so many bytes of that.
fn wide_string(call: &mut Call<'_>, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
    let (mut text, mut end) = (String::new(), address);
    while most.is_none_or(|most| text.len() < most) {
        let unit = call.peek(end, WIDE)? as u32;
        end += u64::from(WIDE);
        if unit == 0 {
            break;
        }
        let character = char::from_u32(unit).ok_or(Misuse::WideCharacter)?;
        if most.is_some_and(|most| text.len() + character.len_utf8() > most) {
            break;
        }
        text.push(character);
    }
    if call.is_shared(address) {
        call.visible()?;
        call.varies();
    }
    call.read_bytes(address, end - address)?;
    Ok(text.into_bytes())
}

/// The values of a call, from an argument on.
struct Arguments<'a, 'b> {
    call: &'a mut Call<'b>,
    next: usize,
}

impl Arguments<'_, '_> {
    fn next(&mut self, double: bool) -> Result<u64, Stop> {
        let number = self.next;
        self.next += 1;
        match self.call.kind(number) {
            None => Err(Misuse::FormatValues.fault()),
            Some(Kind::F64 | Kind::F32) if !double => Err(Misuse::FormatKind.fault()),
            Some(Kind::Half | Kind::FloatLow(_) | Kind::FloatHigh(_)) => Err(Misuse::FormatKind.fault()),
            Some(Kind::Integer(_) | Kind::Pointer | Kind::Low | Kind::High) if double => {
                Err(Misuse::FormatKind.fault())
            }
            Some(_) => Ok(self.call.argument(number)),
        }
    }
}

impl Values for Arguments<'_, '_> {
    type Error = Stop;

    fn integer(&mut self) -> Result<u64, Stop> {
        self.next(false)
    }

    fn double(&mut self) -> Result<f64, Stop> {
        self.next(true).map(f64::from_bits)
    }

    fn long_double(&mut self) -> Result<Extended, Stop> {
        let number = self.next;
        self.next += 2;
        match self.call.kind(number) {
            None => Err(Misuse::FormatValues.fault()),
            Some(Kind::FloatLow(Format::Extended)) => {
                let (low, high) = (self.call.argument(number), self.call.argument(number + 1));
                Ok(Extended { low, high: high as u16 })
            }
            Some(_) => Err(Misuse::FormatKind.fault()),
        }
    }

    fn string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        string(self.call, address, most)
    }

    fn wide_string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        wide_string(self.call, address, most)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.call.write_bytes(address, bytes)
    }
}

/// The values of a `va_list` (x86-64: two offsets into the register save area, the overflow area,
/// the register save area). The list itself is left as it is: what it is after such a call, C does
/// not say.
struct Listed<'a, 'b> {
    call: &'a mut Call<'b>,
    integers: u64,
    doubles: u64,
    overflow: u64,
    saved: u64,
}

/// Where integers and doubles end in the register save area.
const INTEGERS_END: u64 = 48;
const DOUBLES_END: u64 = 176;

impl<'a, 'b> Listed<'a, 'b> {
    fn new(call: &'a mut Call<'b>, list: u64) -> Result<Self, Stop> {
        let bytes = call.read_bytes(list, 24)?;
        let word = |at: usize, size: usize| {
            bytes[at..at + size].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        let (integers, doubles, overflow, saved) = (word(0, 4), word(4, 4), word(8, 8), word(16, 8));
        Ok(Listed { call, integers, doubles, overflow, saved })
    }

    fn word(&mut self, address: u64) -> Result<u64, Stop> {
        self.call.use_range(address, 8, AccessKind::Read)?;
        self.call.peek(address, 8)
    }

    fn next_word(&mut self) -> Result<u64, Stop> {
        let address = self.overflow;
        self.overflow += 8;
        self.word(address)
    }
}

impl Values for Listed<'_, '_> {
    type Error = Stop;

    fn integer(&mut self) -> Result<u64, Stop> {
        if self.integers >= INTEGERS_END {
            return self.next_word();
        }
        self.integers += 8;
        self.word(self.saved + self.integers - 8)
    }

    fn double(&mut self) -> Result<f64, Stop> {
        if self.doubles >= DOUBLES_END {
            return self.next_word().map(f64::from_bits);
        }
        self.doubles += 16;
        self.word(self.saved + self.doubles - 16).map(f64::from_bits)
    }

    /// Always in the overflow area, at a multiple of 16.
    fn long_double(&mut self) -> Result<Extended, Stop> {
        self.overflow = self.overflow.next_multiple_of(16);
        let (low, high) = (self.next_word()?, self.next_word()?);
        Ok(Extended { low, high: high as u16 })
    }

    fn string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        string(self.call, address, most)
    }

    fn wide_string(&mut self, address: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        wide_string(self.call, address, most)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        self.call.write_bytes(address, bytes)
    }
}

/// The text of a call whose format is the argument `at`, its values the ones after it.
fn text(call: &mut Call<'_>, at: usize) -> Result<Vec<u8>, Stop> {
    let template = call.read_string(call.argument(at))?;
    format(&template, &mut Arguments { call, next: at + 1 })
}

/// The text of a call whose format is the argument `at`, the list of its values the one after it.
fn listed_text(call: &mut Call<'_>, at: usize) -> Result<Vec<u8>, Stop> {
    let template = call.read_string(call.argument(at))?;
    let list = call.argument(at + 1);
    format(&template, &mut Listed::new(call, list)?)
}

/// `printf` (format at 0), `fprintf` (at 1)
pub(super) fn print_formatted(call: &mut Call<'_>, at: usize) -> Result<Flow, Stop> {
    let text = text(call, at)?;
    Ok(say(call, &text))
}

/// `vprintf`, `vfprintf`
pub(super) fn print_listed(call: &mut Call<'_>, at: usize) -> Result<Flow, Stop> {
    let text = listed_text(call, at)?;
    Ok(say(call, &text))
}

fn say(call: &mut Call<'_>, text: &[u8]) -> Flow {
    call.print(text);
    Flow::Done(text.len() as u64)
}

/// `snprintf` (with a limit), `sprintf`
pub(super) fn write_formatted(call: &mut Call<'_>, limit: Option<u64>, at: usize) -> Result<Flow, Stop> {
    let text = text(call, at)?;
    write(call, limit, text)
}

/// `vsnprintf`, `vsprintf`
pub(super) fn write_listed(call: &mut Call<'_>, limit: Option<u64>, at: usize) -> Result<Flow, Stop> {
    let text = listed_text(call, at)?;
    write(call, limit, text)
}

/// Writes a text and its end, or as much as there is room for, to the first argument.
fn write(call: &mut Call<'_>, limit: Option<u64>, mut text: Vec<u8>) -> Result<Flow, Stop> {
    let length = text.len() as u64;
    if limit == Some(0) {
        return Ok(Flow::Done(length));
    }
    if let Some(limit) = limit {
        text.truncate(usize::try_from(limit - 1).unwrap_or(usize::MAX));
    }
    text.push(0);
    call.write_bytes(call.argument(0), &text)?;
    Ok(Flow::Done(length))
}

/// Prints bytes: so many, or a string.
pub(super) fn print(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let (address, length) = (call.argument(0), call.argument(1));
    let bytes = if length == u64::MAX { call.read_string(address)? } else { call.read_bytes(address, length)? };
    call.print(&bytes);
    Ok(Flow::Done(0))
}

/// `putchar`
pub(super) fn put(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let byte = call.argument(0) as u8;
    call.print(&[byte]);
    Ok(Flow::Done(u64::from(byte)))
}
