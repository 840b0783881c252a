//! The container that bitcode is written in: blocks of records, compressed with abbreviations that
//! the file defines.
//!
//! The crate `llvm-bitcode` reads this container too, but trusts what it reads: numbers that are
//! too long, lengths that lie and long rows of definitions make it panic, take all memory or
//! overflow the stack. Here every length is checked against what is left of the file, each element
//! of a record takes at least one bit of it, and nothing recurses.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::error::{Result, error};

/// Abbreviations that files in use define have at most some 25 operands. The limit keeps what a few
/// bits expand to small.
const OPERANDS: u64 = 64;

/// The block whose records describe other blocks.
const BLOCK_INFO: u32 = 0;

/// One operand of an abbreviation.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Char6,
}

/// What a sequence of operands at the end of an abbreviation holds.
#[derive(Clone, Copy, Debug)]
enum Rest {
    None,
    Array(Encoding),
    Blob,
}

/// How the records of a kind are written.
#[derive(Debug)]
struct Abbreviation {
    operands: Vec<Encoding>,
    rest: Rest,
}

/// A block that is being read.
#[derive(Debug)]
pub(super) struct Scope {
    /// Which kind of block.
    id: u32,
    /// Bits of the number that each item begins with.
    width: u32,
    /// The bit after the block.
    end: usize,
    /// Abbreviations that the block defines itself.
    local: Vec<Rc<Abbreviation>>,
}

/// What comes next in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A block: its kind. It must be entered or skipped.
    Block(u32),
    /// A record: its code. Its operands are in [`Stream::operands`] and [`Stream::blob`] until the
    /// next item.
    Record(u32),
    /// The end of the block.
    End,
}

/// A file that is being read.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    bits: Bits<'a>,
    /// Where the bits begin in the file, in bytes.
    start: usize,
    info: FxHashMap<u32, Vec<Rc<Abbreviation>>>,
    operands: Vec<u64>,
    blob: &'a [u8],
}

impl<'a> Stream<'a> {
    /// A stream, and the scope of what is outside of all blocks. `start` is where in the file the
    /// bytes begin.
    pub(super) fn new(bytes: &'a [u8], start: usize) -> (Self, Scope) {
        let bits = Bits::new(bytes);
        let scope = Scope { id: u32::MAX, width: 2, end: bits.length(), local: Vec::new() };
        let stream = Stream { bits, start, info: FxHashMap::default(), operands: Vec::new(), blob: &[] };
        (stream, scope)
    }

    /// The operands of the record that was read last: numbers, and the elements of its array.
    pub(super) fn operands(&self) -> &[u64] {
        &self.operands
    }

    /// The bytes of the record that was read last, if it has some.
    pub(super) fn blob(&self) -> &'a [u8] {
        self.blob
    }

    /// The number of bytes in all.
    pub(super) fn size(&self) -> usize {
        self.bits.length() / 8
    }

    /// The byte of the file that comes next.
    pub(super) fn byte(&self) -> usize {
        self.start + self.bits.byte()
    }

    /// The bit that comes next, for [`Stream::seek`].
    pub(super) fn position(&self) -> usize {
        self.bits.position()
    }

    /// Goes back to a bit.
    pub(super) fn seek(&mut self, position: usize) -> Result<()> {
        self.bits.seek(position)
    }

    /// The next item of a block. Definitions of abbreviations are taken in on the way.
    pub(super) fn next(&mut self, scope: &mut Scope) -> Result<Item> {
        loop {
            if scope.id == u32::MAX && self.bits.position() + 32 > scope.end {
                return Ok(Item::End);
            }
            if self.bits.position() >= scope.end {
                return error(self.byte(), "a block does not end where it should");
            }
            match self.bits.fixed(scope.width)? {
                0 if scope.id == u32::MAX => return error(self.byte(), "the end of a block outside of all blocks"),
                0 => {
                    self.bits.align()?;
                    if self.bits.position() != scope.end {
                        return error(self.byte(), "a block does not have the length that it says");
                    }
                    return Ok(Item::End);
                }
                1 => {
                    let id = self.bits.variable(8)?;
                    let Ok(id) = u32::try_from(id) else { return error(self.byte(), "a block has no valid kind") };
                    if id != BLOCK_INFO {
                        return Ok(Item::Block(id));
                    }
                    self.block_info()?;
                }
                2 => {
                    let abbreviation = self.abbreviation()?;
                    scope.local.push(abbreviation);
                }
                3 => return self.plain_record().map(Item::Record),
                id => {
                    let abbreviation = self.find(scope, id as usize - 4)?;
                    return self.record(&abbreviation).map(Item::Record);
                }
            }
        }
    }

    /// The scope of the block that [`Stream::next`] has come to.
    pub(super) fn enter(&mut self, id: u32) -> Result<Scope> {
        let width = self.bits.variable(4)?;
        self.bits.align()?;
        let words = self.bits.fixed(32)? as usize;
        let end = self.bits.position() + words * 32;
        if end > self.bits.length() {
            return error(self.byte(), "a block is longer than the file");
        }
        if !(2..=32).contains(&width) {
            return error(self.byte(), format!("abbreviation numbers of {width} bits"));
        }
        Ok(Scope { id, width: width as u32, end, local: Vec::new() })
    }

    /// Skips the block that [`Stream::next`] has come to.
    pub(super) fn skip(&mut self, id: u32) -> Result<()> {
        let scope = self.enter(id)?;
        self.bits.seek(scope.end)
    }

    fn find(&self, scope: &Scope, index: usize) -> Result<Rc<Abbreviation>> {
        let info = self.info.get(&scope.id).map_or(&[][..], Vec::as_slice);
        match info.get(index).or_else(|| scope.local.get(index.wrapping_sub(info.len()))) {
            Some(abbreviation) => Ok(Rc::clone(abbreviation)),
            None => error(self.byte(), "a record uses an abbreviation that is not defined"),
        }
    }

    fn plain_record(&mut self) -> Result<u32> {
        self.operands.clear();
        self.blob = &[];
        let code = self.bits.variable(6)?;
        let count = self.bits.variable(6)?;
        self.room(count, 6)?;
        let (bits, operands) = (&mut self.bits, &mut self.operands);
        for _ in 0..count {
            operands.push(bits.variable(6)?);
        }
        self.code(code)
    }

    fn record(&mut self, abbreviation: &Abbreviation) -> Result<u32> {
        self.operands.clear();
        self.blob = &[];
        let code = self.operand(abbreviation.operands[0])?;
        for &encoding in &abbreviation.operands[1..] {
            let operand = self.operand(encoding)?;
            self.operands.push(operand);
        }
        match abbreviation.rest {
            Rest::None => {}
            Rest::Array(encoding) => {
                let count = self.bits.variable(6)?;
                self.room(count, 1)?;
                for _ in 0..count {
                    let element = self.operand(encoding)?;
                    self.operands.push(element);
                }
            }
            Rest::Blob => {
                let count = self.bits.variable(6)?;
                self.bits.align()?;
                self.room(count, 8)?;
                self.blob = self.bits.bytes(count as usize)?;
                self.bits.align()?;
            }
        }
        self.code(code)
    }

    /// Refuses a number of elements that what is left of the file cannot hold.
    fn room(&mut self, count: u64, bits: usize) -> Result<()> {
        let left = (self.bits.length() - self.bits.position()) / bits;
        if usize::try_from(count).is_ok_and(|count| count <= left) {
            return Ok(());
        }
        error(self.byte(), "a record is longer than the file")
    }

    fn code(&self, code: u64) -> Result<u32> {
        u32::try_from(code).or_else(|_| error(self.byte(), "a record has no valid code"))
    }

    fn operand(&mut self, encoding: Encoding) -> Result<u64> {
        match encoding {
            Encoding::Literal(value) => Ok(value),
            Encoding::Fixed(width) => self.bits.fixed(width),
            Encoding::Variable(width) => self.bits.variable(width),
            Encoding::Char6 => {
                const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                Ok(u64::from(LETTERS[self.bits.fixed(6)? as usize]))
            }
        }
    }

    fn abbreviation(&mut self) -> Result<Rc<Abbreviation>> {
        let count = self.bits.variable(5)?;
        if count == 0 || count > OPERANDS {
            return error(self.byte(), format!("an abbreviation of {count} operands"));
        }
        let mut operands = Vec::with_capacity(count as usize);
        let mut rest = Rest::None;
        let mut left = count;
        while left > 0 {
            left -= 1;
            if self.bits.fixed(1)? == 1 {
                operands.push(Encoding::Literal(self.bits.variable(8)?));
                continue;
            }
            match self.bits.fixed(3)? {
                3 if left == 1 => {
                    left = 0;
                    rest = Rest::Array(self.element()?);
                }
                5 if left == 0 => rest = Rest::Blob,
                kind => operands.push(self.encoding(kind)?),
            }
        }
        match operands.is_empty() {
            false => Ok(Rc::new(Abbreviation { operands, rest })),
            true => error(self.byte(), "an abbreviation without a code"),
        }
    }

    /// The encoding of the elements of an array: each takes at least one bit.
    fn element(&mut self) -> Result<Encoding> {
        if self.bits.fixed(1)? == 0 {
            let kind = self.bits.fixed(3)?;
            let encoding = self.encoding(kind)?;
            if !matches!(encoding, Encoding::Literal(_)) {
                return Ok(encoding);
            }
        }
        error(self.byte(), "an array whose elements take no bits")
    }

    fn encoding(&mut self, kind: u64) -> Result<Encoding> {
        match kind {
            1 | 2 => match self.bits.variable(5)? {
                0 => Ok(Encoding::Literal(0)),
                width @ 1..=32 if kind == 1 => Ok(Encoding::Fixed(width as u32)),
                width @ 1..=32 => Ok(Encoding::Variable(width as u32)),
                width => error(self.byte(), format!("an operand of {width} bits")),
            },
            4 => Ok(Encoding::Char6),
            kind => error(self.byte(), format!("an operand with the encoding {kind}")),
        }
    }

    /// Reads the block that defines abbreviations for other blocks.
    fn block_info(&mut self) -> Result<()> {
        const SET_BLOCK: u32 = 1;
        let scope = self.enter(BLOCK_INFO)?;
        let mut current = None;
        loop {
            if self.bits.position() >= scope.end {
                return error(self.byte(), "a block does not end where it should");
            }
            match self.bits.fixed(scope.width)? {
                0 => {
                    self.bits.align()?;
                    return Ok(());
                }
                2 => {
                    let abbreviation = self.abbreviation()?;
                    let Some(block) = current else {
                        return error(self.byte(), "an abbreviation for no block");
                    };
                    self.info.entry(block).or_default().push(abbreviation);
                }
                3 => {
                    if self.plain_record()? == SET_BLOCK {
                        current = self.operands.first().and_then(|&id| u32::try_from(id).ok());
                    }
                }
                _ => return error(self.byte(), "something else than a definition among definitions of abbreviations"),
            }
        }
    }
}
