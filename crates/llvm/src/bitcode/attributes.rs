//! Attributes: groups of them, and lists of groups.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ir::{Attribute, AttributeGroup, AttributeKind, AttributeList, AttributeTarget, TypeId};

use super::codes::block;
use super::error::Result;
use super::record::{Record, text};
use super::stream::{Item, Stream};

/// Groups of attributes by their numbers.
pub(super) type Groups = FxHashMap<u64, Arc<AttributeGroup>>;

/// Reads the block of attribute groups.
pub(super) fn read_groups(stream: &mut Stream<'_>, groups: &mut Groups) -> Result<()> {
    const GROUP: u32 = 3;
    let mut scope = stream.enter(block::ATTRIBUTE_GROUPS)?;
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(()),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record =
                    Record { code, operands: stream.operands(), byte: stream.byte(), block: "attribute group" };
                if code == GROUP {
                    let group = AttributeGroup { target: target(record.small(1)?), attributes: group(&record)? };
                    groups.insert(record.get(0)?, Arc::new(group));
                }
            }
        }
    }
}

/// Reads the block of attribute lists.
pub(super) fn read(stream: &mut Stream<'_>, groups: &Groups, lists: &mut Vec<AttributeList>) -> Result<()> {
    const LIST: u32 = 2;
    let mut scope = stream.enter(block::ATTRIBUTES)?;
    loop {
        match stream.next(&mut scope)? {
            Item::End => return Ok(()),
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "attribute" };
                if code == LIST {
                    lists.push(list(&record, groups)?);
                }
            }
        }
    }
}

fn list(record: &Record<'_>, groups: &Groups) -> Result<AttributeList> {
    let group = |number| match groups.get(number) {
        Some(group) => Ok(Arc::clone(group)),
        None => record.error(format!("attribute group {number} is not there")),
    };
    Ok(AttributeList { groups: record.operands.iter().map(group).collect::<Result<_>>()? })
}

fn target(index: u32) -> AttributeTarget {
    match index {
        0 => AttributeTarget::Result,
        u32::MAX => AttributeTarget::Function,
        index => AttributeTarget::Parameter(index - 1),
    }
}

/// The attributes of a group: each begins with its form.
fn group(record: &Record<'_>) -> Result<Vec<Attribute>> {
    let mut attributes = Vec::new();
    let mut next = 2;
    while next < record.len() {
        let form = record.get(next)?;
        next += 1;
        let kind = |index| record.small(index).map(attribute_kind);
        attributes.push(match form {
            0 => {
                next += 1;
                Attribute::Flag(kind(next - 1)?)
            }
            1 => {
                next += 2;
                Attribute::Number(kind(next - 2)?, record.get(next - 1)?)
            }
            3 | 4 => {
                let key = terminated(record, &mut next);
                let value = if form == 4 { terminated(record, &mut next) } else { String::new() };
                Attribute::Text(key, value)
            }
            5 => {
                next += 1;
                Attribute::Type(kind(next - 1)?, None)
            }
            6 => {
                next += 2;
                Attribute::Type(kind(next - 2)?, Some(TypeId(record.small(next - 1)?)))
            }
            7 => {
                let kind = kind(next)?;
                let bits = record.get(next + 1)?;
                next += 2;
                skip_range(record, bits, &mut next)?;
                Attribute::Range(kind)
            }
            8 => {
                let kind = kind(next)?;
                let (count, bits) = (record.get(next + 1)?, record.get(next + 2)?);
                next += 3;
                for _ in 0..count {
                    skip_range(record, bits, &mut next)?;
                }
                Attribute::Range(kind)
            }
            form => return record.error(format!("an attribute of the form {form}")),
        });
    }
    Ok(attributes)
}

/// A text that ends with a zero.
fn terminated(record: &Record<'_>, next: &mut usize) -> String {
    let letters = record.rest(*next);
    let length = letters.iter().position(|&letter| letter == 0).unwrap_or(letters.len());
    *next += length + 1;
    text(&letters[..length])
}

/// Skips a range of constants: two numbers, or as many words as the bounds have, where they are
/// wide.
pub(super) fn skip_range(record: &Record<'_>, bits: u64, next: &mut usize) -> Result<()> {
    if bits <= 64 {
        record.get(*next + 1)?;
        *next += 2;
        return Ok(());
    }
    let words = record.get(*next)?;
    let words = (words & 0xffff_ffff) as usize + (words >> 32) as usize;
    if words > record.len() {
        return record.error("a range is longer than its record");
    }
    *next += 1 + words;
    Ok(())
}

fn attribute_kind(number: u32) -> AttributeKind {
    match number {
        1 => AttributeKind::Align,
        3 => AttributeKind::ByValue,
        8 => AttributeKind::Nest,
        17 => AttributeKind::NoReturn,
        18 => AttributeKind::NoUnwind,
        23 => AttributeKind::ReturnsTwice,
        24 => AttributeKind::SignExtend,
        29 => AttributeKind::StructureResult,
        34 => AttributeKind::ZeroExtend,
        38 => AttributeKind::InAlloca,
        39 => AttributeKind::NonNull,
        65 => AttributeKind::Preallocated,
        68 => AttributeKind::NoUndef,
        69 => AttributeKind::ByReference,
        77 => AttributeKind::ElementType,
        number => AttributeKind::Other(number),
    }
}
