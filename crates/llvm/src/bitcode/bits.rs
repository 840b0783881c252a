//! Reading bits from bytes.

use super::error::{Result, error};

/// A place in a stream of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Bits<'a> {
    /// The beginning of some bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Bits { bytes, position: 0 }
    }

    /// The number of the next bit.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The byte that holds the next bit.
    pub(super) fn byte(&self) -> usize {
        self.position / 8
    }

    /// The number of bits in all.
    pub(super) fn length(&self) -> usize {
        self.bytes.len() * 8
    }

    /// Goes to a bit.
    pub(super) fn seek(&mut self, position: usize) -> Result<()> {
        if position > self.length() {
            return self.too_short();
        }
        self.position = position;
        Ok(())
    }

    /// The next bits as a number, the first bit the lowest. At most 32 bits.
    pub(super) fn fixed(&mut self, width: u32) -> Result<u64> {
        match self.take(width) {
            Some(value) => Ok(value),
            None => self.too_short(),
        }
    }

    /// A number in chunks of `width` bits, the highest of which says that another chunk follows.
    #[inline(always)]
    pub(super) fn variable(&mut self, width: u32) -> Result<u64> {
        let more = 1 << (width - 1);
        match self.take(width) {
            Some(chunk) if chunk & more == 0 => Ok(chunk),
            Some(chunk) => self.more_chunks(width, chunk & (more - 1)),
            None => self.too_short(),
        }
    }

    /// The rest of a number that goes on after its first chunk.
    fn more_chunks(&mut self, width: u32, mut value: u64) -> Result<u64> {
        let more = 1 << (width - 1);
        let mut shift = width - 1;
        loop {
            let Some(chunk) = self.take(width) else { return self.too_short() };
            let part = chunk & (more - 1);
            if part != 0 {
                if shift >= 64 || part << shift >> shift != part {
                    return error(self.byte(), "a number has more than 64 bits");
                }
                value |= part << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            shift = shift.saturating_add(width - 1);
        }
    }

    /// The next bits, if there are as many.
    #[inline(always)]
    fn take(&mut self, width: u32) -> Option<u64> {
        debug_assert!(width <= 32);
        let first = self.position / 8;
        let word = match self.bytes.get(first..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.last_word(first, width)?,
        };
        let value = (word >> (self.position % 8)) & ((1 << width) - 1);
        self.position += width as usize;
        Some(value)
    }

    /// The bytes at the end, if so many bits are left.
    #[cold]
    fn last_word(&self, first: usize, width: u32) -> Option<u64> {
        if self.position + width as usize > self.length() {
            return None;
        }
        Some(self.bytes[first..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }

    #[cold]
    fn too_short<T>(&self) -> Result<T> {
        error(self.byte(), "the file ends too early")
    }

    /// Skips to the next multiple of 32 bits.
    pub(super) fn align(&mut self) -> Result<()> {
        self.seek(self.position.next_multiple_of(32))
    }

    /// So many bytes. The position must be at a byte.
    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let first = self.position / 8;
        match first.checked_add(count).and_then(|end| self.bytes.get(first..end)) {
            Some(found) => {
                self.position += count * 8;
                Ok(found)
            }
            None => self.too_short(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_and_variable_numbers() {
        let mut bits = Bits::new(&[0b1010_0101, 0xff, 0, 0]);
        assert_eq!(bits.fixed(3).unwrap(), 0b101);
        assert_eq!(bits.fixed(7).unwrap(), 0b11_10100);
        bits.align().unwrap();
        assert!(bits.fixed(1).is_err());
        // 0b1_0_1_0..., chunks of two bits: 1+more, 0+more, 1.
        let mut bits = Bits::new(&[0b01_10_11]);
        assert_eq!(bits.variable(2).unwrap(), 0b101);
    }

    #[test]
    fn a_number_of_more_than_64_bits_is_an_error() {
        let bytes = [0xff; 64];
        assert!(Bits::new(&bytes).variable(6).is_err());
        assert!(Bits::new(&bytes).variable(1).is_err());
        assert!(Bits::new(&bytes).variable(32).is_err());
        let mut most: Vec<u8> = vec![0xff; 9];
        most.push(1);
        assert_eq!(Bits::new(&most).variable(8).unwrap(), u64::MAX);
    }
}
