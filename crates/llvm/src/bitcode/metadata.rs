//! Blocks of metadata: numbering, strings, attachments, and the kinds of attachments.
//!
//! Metadata may refer to what comes later, so a block is read in two passes: the first gives every
//! piece its number.

use crate::ir::{ConstantKind, Metadata, MetadataId, MetadataKind, Operand};

use super::bits::Bits;
use super::codes::{block, metadata as code};
use super::error::{Result, error};
use super::module::Decoder;
use super::nodes;
use super::record::{Record, Records};
use super::stream::{Item, Stream};

/// The numbers of metadata: first those outside of functions, then those of the function that is
/// being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'a> {
    module: usize,
    local: &'a [MetadataId],
}

impl<'a> Numbers<'a> {
    /// The numbers within a function; `local` is its own metadata.
    pub(super) fn new(decoder: &Decoder<'_>, local: &'a [MetadataId]) -> Self {
        Numbers { module: decoder.metadata, local }
    }

    /// The metadata with a number.
    pub(super) fn find(&self, number: u64) -> Option<MetadataId> {
        let number = usize::try_from(number).ok()?;
        match number.checked_sub(self.module) {
            None => Some(MetadataId(number as u32)),
            Some(index) => self.local.get(index).copied(),
        }
    }

    /// The metadata with a number.
    pub(super) fn get(&self, record: &Record<'_>, number: u64) -> Result<MetadataId> {
        match self.find(number) {
            Some(id) => Ok(id),
            None => record.error(format!("metadata {number} is not there")),
        }
    }

    /// The metadata with a number, which is given plus one: 0 is `null`.
    pub(super) fn optional(&self, record: &Record<'_>, number: u64) -> Result<Option<MetadataId>> {
        match number {
            0 => Ok(None),
            number => self.get(record, number - 1).map(Some),
        }
    }
}

/// Reads the metadata outside of functions.
pub(super) fn read_module(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>) -> Result<()> {
    if decoder.metadata != decoder.module.metadata.len() {
        return error(stream.byte(), "metadata of the module after metadata of functions");
    }
    let numbered = number(stream, decoder)?;
    decoder.metadata = decoder.module.metadata.len();
    fill(decoder, &numbered, &[], None)?;
    let mut name = None;
    for record in numbered.records.iter("metadata") {
        match record.code {
            code::NAME => name = Some(record.text(0)),
            code::NAMED_NODE => {
                let nodes = record.operands.iter().map(|&number| match decoder.module_metadata(number) {
                    Some(id) => Ok(id),
                    None => record.error(format!("metadata {number} is not there")),
                });
                let nodes = nodes.collect::<Result<_>>()?;
                decoder.module.named_metadata.push((name.take().unwrap_or_default(), nodes));
            }
            code::GLOBAL_ATTACHMENT => global_attachment(decoder, &record)?,
            _ => {}
        }
    }
    Ok(())
}

/// Reads the metadata of a function. `local` is what it has so far; `forward` is what the numbers
/// of instructions' results begin with.
pub(super) fn read_function(
    stream: &mut Stream<'_>,
    decoder: &mut Decoder<'_>,
    local: &mut Vec<MetadataId>,
    forward: usize,
) -> Result<()> {
    let first = decoder.module.metadata.len();
    let numbered = number(stream, decoder)?;
    local.extend((first..decoder.module.metadata.len()).map(|index| MetadataId(index as u32)));
    fill(decoder, &numbered, local, Some(forward))
}

/// The records of a block after the first pass.
#[derive(Default)]
struct Numbered {
    records: Records,
    /// For each record the place of the piece that it is, if it is one.
    places: Vec<Option<MetadataId>>,
}

impl Numbered {
    /// The records that are pieces of metadata, with their places.
    fn pieces(&self) -> impl Iterator<Item = (MetadataId, Record<'_>)> {
        self.places.iter().zip(self.records.iter("metadata")).filter_map(|(place, record)| Some(((*place)?, record)))
    }
}

/// The first pass over a block: gives each piece of metadata its place, and keeps the records.
/// Strings are complete then.
fn number(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>) -> Result<Numbered> {
    let mut scope = stream.enter(block::METADATA)?;
    let mut numbered = Numbered::default();
    let list = &mut decoder.module.metadata;
    let push = |list: &mut Vec<Metadata>, kind| list.push(Metadata { distinct: false, kind });
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(numbered),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "metadata" };
                match code {
                    code::STRINGS => strings(list, &record, stream.blob())?,
                    code::STRING_OLD => push(list, MetadataKind::String(record.text(0))),
                    code::KIND | code::INDEX_OFFSET | code::INDEX => {}
                    code::NAME | code::NAMED_NODE | code::GLOBAL_ATTACHMENT => {
                        numbered.records.push(code, record.operands, record.byte);
                        numbered.places.push(None);
                    }
                    code if takes_a_number(code) => {
                        numbered.places.push(Some(MetadataId(list.len() as u32)));
                        numbered.records.push(code, record.operands, record.byte);
                        push(list, MetadataKind::Other(code));
                    }
                    code => return record.error(format!("the metadata code {code} is not known")),
                }
            }
        }
    }
}

/// Whether a record other than of strings is a piece of metadata.
fn takes_a_number(code: u32) -> bool {
    matches!(
        code,
        code::VALUE
            | code::NODE
            | code::DISTINCT_NODE
            | code::LOCATION
            | code::GENERIC..=code::MACRO_FILE
            | code::GLOBAL_VARIABLE_EXPRESSION
            | code::LABEL
            | code::STRING_TYPE
            | code::COMMON_BLOCK..=code::FIXED_POINT_TYPE
    )
}

/// Strings: how many, where the letters begin in the bytes, and the bytes: lengths, then letters.
fn strings(list: &mut Vec<Metadata>, record: &Record<'_>, blob: &[u8]) -> Result<()> {
    let (count, offset) = (record.get(0)?, record.get(1)?);
    let Some((lengths, mut letters)) = usize::try_from(offset).ok().and_then(|offset| blob.split_at_checked(offset))
    else {
        return record.error("the strings do not fit into their bytes");
    };
    let mut lengths = Bits::new(lengths);
    for _ in 0..count {
        let Ok(length) = lengths.variable(6) else { return record.error("the lengths of strings are missing") };
        let split = usize::try_from(length).ok().and_then(|length| letters.split_at_checked(length));
        let Some((string, rest)) = split else { return record.error("a string is longer than its bytes") };
        letters = rest;
        let kind = MetadataKind::String(String::from_utf8_lossy(string).into_owned());
        list.push(Metadata { distinct: false, kind });
    }
    Ok(())
}

/// The second pass over a block: fills in what each piece says. Values first, because sizes of
/// types name them.
fn fill(decoder: &mut Decoder<'_>, numbered: &Numbered, local: &[MetadataId], forward: Option<usize>) -> Result<()> {
    for (place, record) in numbered.pieces().filter(|(_, record)| record.code == code::VALUE) {
        let ty = decoder.ty(&record, record.get(0)?)?;
        let operand = value(decoder, &record, forward)?;
        decoder.module.metadata[place.index()].kind = MetadataKind::Value(ty, operand);
    }
    for (place, record) in numbered.pieces().filter(|(_, record)| record.code != code::VALUE) {
        let node = nodes::read(decoder, &Numbers::new(decoder, local), &record)?;
        decoder.module.metadata[place.index()] = node;
    }
    Ok(())
}

/// The value that a record wraps. In a function it may be the result of an instruction that comes
/// later.
fn value(decoder: &Decoder<'_>, record: &Record<'_>, forward: Option<usize>) -> Result<Operand> {
    let number = record.small(1)? as usize;
    match (decoder.values.get(number), forward) {
        (Some(&operand), _) => Ok(operand),
        (None, Some(forward)) => Ok(Operand::Local(crate::ir::LocalId((number - forward) as u32))),
        (None, None) => record.error(format!("value {number} is not there")),
    }
}

/// Ties debug information to a global variable or to a declared function.
fn global_attachment(decoder: &mut Decoder<'_>, record: &Record<'_>) -> Result<()> {
    let Some(id) = decoder.constant(record.get(0)?) else {
        return record.error("metadata of a value that is not there");
    };
    for pair in record.rest(1).chunks_exact(2).filter(|pair| pair[0] == decoder.debug_kind) {
        let Some(node) = decoder.module_metadata(pair[1]) else {
            return record.error(format!("metadata {} is not there", pair[1]));
        };
        match decoder.module.constants[id.index()].kind {
            ConstantKind::Global(global) => decoder.module.globals[global.index()].debug.push(node),
            ConstantKind::Function(function) => decoder.module.functions[function.index()].subprogram = Some(node),
            _ => return record.error("metadata of something that is neither a variable nor a function"),
        }
    }
    Ok(())
}

/// Reads the attachments of a function and of its instructions, and gives the `!dbg` of the
/// function.
pub(super) fn read_attachments(
    stream: &mut Stream<'_>,
    decoder: &Decoder<'_>,
    local: &[MetadataId],
) -> Result<Option<MetadataId>> {
    let mut scope = stream.enter(block::METADATA_ATTACHMENT)?;
    let mut subprogram = None;
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(subprogram),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "attachment" };
                // An odd number of operands: of an instruction, which those after it are attached
                // to.
                if code != code::ATTACHMENT || !record.len().is_multiple_of(2) {
                    continue;
                }
                for pair in record.operands.chunks_exact(2).filter(|pair| pair[0] == decoder.debug_kind) {
                    subprogram = Some(Numbers::new(decoder, local).get(&record, pair[1])?);
                }
            }
        }
    }
}

/// Reads the names of the kinds of attachments.
pub(super) fn read_kinds(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>) -> Result<()> {
    let mut scope = stream.enter(block::METADATA_KINDS)?;
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(()),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "metadata kind" };
                if code == code::KIND && record.text(1) == "dbg" {
                    decoder.debug_kind = record.get(0)?;
                }
            }
        }
    }
}
