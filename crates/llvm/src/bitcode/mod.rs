//! Reading bitcode of LLVM 14 to 22, without LLVM.
//!
//! A file is a stream of blocks and records (`stream`). The string table is looked up first,
//! because it names everything; then the blocks of the module are read in order. Numbers of values,
//! types and metadata are turned into the typed indices of [`crate::ir`] as they are read, so
//! whatever the decoder returns is closed: nothing names what is not there.
//!
//! Any bytes give a module or a [`DecodeError`]: no panic, no recursion, and time and memory in
//! proportion to the file.

mod attributes;
mod bits;
mod call;
mod check;
mod codes;
mod constants;
mod control;
mod debug;
mod error;
mod function;
mod globals;
mod instruction;
mod memory;
mod metadata;
mod module;
mod nodes;
mod operators;
mod reach;
mod record;
mod stream;
mod types;

pub use error::DecodeError;

use crate::ir::Module;

use codes::block;
use error::{Result, error};
use record::Record;
use stream::{Item, Stream};

/// What every bitcode file begins with.
const MAGIC: [u8; 4] = *b"BC\xC0\xDE";

/// What a file begins with that has a header around the bitcode.
const WRAPPER_MAGIC: [u8; 4] = [0xDE, 0xC0, 0x17, 0x0B];

/// The largest file that is read, in bytes: every index of what it holds then fits into 32 bits.
const LARGEST: usize = 1 << 29;

/// Reads a bitcode file.
pub fn decode(bytes: &[u8]) -> Result<Module> {
    read(bytes, None)
}

/// Reads a bitcode file of which only the symbols with certain names are needed, with all that they
/// refer to. Other functions look like declarations. Their bodies are skipped unread, so what is
/// wrong in them is no error.
pub fn decode_reached(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Result<Module> {
    read(bytes, Some(wanted))
}

fn read(bytes: &[u8], wanted: Option<reach::Wanted<'_>>) -> Result<Module> {
    let (start, bytes) = unwrapped(bytes)?;
    if bytes.len() > LARGEST {
        return error(0, "files of more than 512 MB are not supported");
    }
    let strings = strings(bytes, start)?;
    let (mut stream, mut scope) = Stream::new(bytes, start);
    let mut producer = String::new();
    loop {
        match stream.next(&mut scope)? {
            Item::Block(block::IDENTIFICATION) => producer = identification(&mut stream)?,
            Item::Block(block::MODULE) => {
                let mut module = module::read(&mut stream, strings, wanted)?;
                module.producer = producer;
                return Ok(module);
            }
            Item::Block(id) => stream.skip(id)?,
            Item::Record(_) => return error(stream.byte(), "a record outside of all blocks"),
            Item::End => return error(stream.byte(), "there is no module in the file"),
        }
    }
}

/// The bitcode in a file, and where it begins.
fn unwrapped(bytes: &[u8]) -> Result<(usize, &[u8])> {
    let word = |index: usize| {
        let word = bytes.get(index * 4..index * 4 + 4)?;
        word.try_into().ok().map(u32::from_le_bytes)
    };
    let (offset, length) = if bytes.starts_with(&WRAPPER_MAGIC) {
        match (word(2), word(3)) {
            (Some(offset), Some(length)) => (offset as usize, length as usize),
            _ => return error(0, "the header around the bitcode is not complete"),
        }
    } else {
        (0, bytes.len())
    };
    let Some(inner) = offset.checked_add(length).and_then(|end| bytes.get(offset..end)) else {
        return error(0, "the header around the bitcode does not fit the file");
    };
    match inner.strip_prefix(&MAGIC) {
        Some(inner) => Ok((offset + MAGIC.len(), inner)),
        None => error(offset, "this is not an LLVM bitcode file"),
    }
}

/// The string table: the first after the module.
fn strings(bytes: &[u8], start: usize) -> Result<&[u8]> {
    const BLOB: u32 = 1;
    let (mut stream, mut scope) = Stream::new(bytes, start);
    let mut seen = false;
    loop {
        match stream.next(&mut scope)? {
            Item::Block(block::STRINGS) if seen => {
                let mut scope = stream.enter(block::STRINGS)?;
                loop {
                    match stream.next(&mut scope)? {
                        Item::Record(BLOB) => return Ok(stream.blob()),
                        Item::Record(_) => {}
                        Item::Block(id) => stream.skip(id)?,
                        Item::End => return error(stream.byte(), "the string table is empty"),
                    }
                }
            }
            Item::Block(id) => {
                seen |= id == block::MODULE;
                stream.skip(id)?;
            }
            Item::Record(_) => return error(stream.byte(), "a record outside of all blocks"),
            Item::End => return Ok(&[]),
        }
    }
}

/// Reads who wrote the file, and whether it is of a generation that can be read.
fn identification(stream: &mut Stream<'_>) -> Result<String> {
    const NAME: u32 = 1;
    const EPOCH: u32 = 2;
    let mut scope = stream.enter(block::IDENTIFICATION)?;
    let mut producer = String::new();
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(producer),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "identification" };
                match code {
                    NAME => producer = record.text(0),
                    EPOCH if record.get(0)? != 0 => {
                        return record.error(format!("bitcode of generation {} is not supported", record.get(0)?));
                    }
                    _ => {}
                }
            }
        }
    }
}
