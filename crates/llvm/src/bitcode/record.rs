//! A record, and how to take numbers from it.

use super::error::{Result, error};

/// A record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'r> {
    /// What kind of record.
    pub(super) code: u32,
    /// Its operands.
    pub(super) operands: &'r [u64],
    /// Where it ends in the file.
    pub(super) byte: usize,
    /// The name of the block that it stands in, for errors.
    pub(super) block: &'static str,
}

impl<'r> Record<'r> {
    /// An error about the record.
    pub(super) fn error<T>(&self, what: impl AsRef<str>) -> Result<T> {
        error(self.byte, format!("record {} of the {} block: {}", self.code, self.block, what.as_ref()))
    }

    /// How many operands there are.
    pub(super) fn len(&self) -> usize {
        self.operands.len()
    }

    /// An operand.
    pub(super) fn get(&self, index: usize) -> Result<u64> {
        match self.operands.get(index) {
            Some(&operand) => Ok(operand),
            None => self.error(format!("operand {index} is missing")),
        }
    }

    /// An operand that newer files have: 0 where it is missing.
    pub(super) fn optional(&self, index: usize) -> u64 {
        self.operands.get(index).copied().unwrap_or(0)
    }

    /// An operand of at most 32 bits.
    pub(super) fn small(&self, index: usize) -> Result<u32> {
        let operand = self.get(index)?;
        u32::try_from(operand).or_else(|_| self.error(format!("operand {index} is too large: {operand}")))
    }

    /// The operands from `first` on.
    pub(super) fn rest(&self, first: usize) -> &'r [u64] {
        self.operands.get(first..).unwrap_or(&[])
    }

    /// Operands as the letters of a text.
    pub(super) fn text(&self, first: usize) -> String {
        text(self.rest(first))
    }
}

/// Numbers as the bytes of a text. What is not UTF-8 is replaced.
pub(super) fn text(letters: &[u64]) -> String {
    let bytes: Vec<u8> = letters.iter().map(|&letter| letter as u8).collect();
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A number whose lowest bit is its sign.
pub(super) fn signed(value: u64) -> i64 {
    match value {
        1 => i64::MIN,
        value if value & 1 == 0 => (value >> 1) as i64,
        value => ((value >> 1) as i64).wrapping_neg(),
    }
}

/// An alignment in bytes, from its logarithm plus one; 0 says that there is none.
pub(super) fn alignment(encoded: u64) -> Option<Option<u64>> {
    match encoded {
        0 => Some(None),
        1..=33 => Some(Some(1 << (encoded - 1))),
        _ => None,
    }
}

/// Records that are kept to be read in a second pass.
#[derive(Debug, Default)]
pub(super) struct Records {
    operands: Vec<u64>,
    list: Vec<(u32, usize, usize)>,
}

impl Records {
    /// Keeps a record.
    pub(super) fn push(&mut self, code: u32, operands: &[u64], byte: usize) {
        self.operands.extend_from_slice(operands);
        self.list.push((code, self.operands.len(), byte));
    }

    /// The records in order.
    pub(super) fn iter(&self, block: &'static str) -> impl Iterator<Item = Record<'_>> {
        let mut start = 0;
        self.list.iter().map(move |&(code, end, byte)| {
            let operands = &self.operands[start..end];
            start = end;
            Record { code, operands, byte, block }
        })
    }
}
