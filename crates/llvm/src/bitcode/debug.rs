//! The places of instructions, and what debug information says of variables: as records, and as
//! calls of `llvm.dbg.*`, which become records.

use crate::ir::{
    CallTarget, DebugRecord, DebugRecordKind, InstructionKind, Location, LocationId, Metadata, MetadataId,
    MetadataKind, Operand,
};

use super::codes::function as code;
use super::error::Result;
use super::function::{Body, Last, Take};
use super::metadata::Numbers;
use super::record::Record;

/// The place of what was read last.
pub(super) fn location(body: &mut Body<'_, '_>, record: &Record<'_>) -> Result<()> {
    let numbers = Numbers::new(body.decoder, &body.metadata);
    let location = Location {
        line: record.small(0)?,
        column: record.small(1)?,
        scope: numbers.optional(record, record.get(2)?)?,
        inlined_at: numbers.optional(record, record.get(3)?)?,
        implicit: record.optional(4) != 0,
    };
    body.location = Some(intern(body, location));
    set(body, record)
}

/// What was read last has the same place as what was before it.
pub(super) fn same_location(body: &mut Body<'_, '_>, record: &Record<'_>) -> Result<()> {
    match body.location {
        Some(_) => set(body, record),
        None => record.error("the same place as before, where there was none"),
    }
}

fn set(body: &mut Body<'_, '_>, record: &Record<'_>) -> Result<()> {
    let location = body.location;
    let place = match body.last {
        Last::Nothing => None,
        Last::Instruction(block) => body.blocks[block.index()].instructions.last_mut().map(|last| &mut last.location),
        Last::Record(block) => body.blocks[block.index()].records.last_mut().map(|last| &mut last.location),
    };
    match place {
        Some(place) => {
            *place = location;
            Ok(())
        }
        None => record.error("a place without an instruction"),
    }
}

/// A place in the table of the module.
fn intern(body: &mut Body<'_, '_>, location: Location) -> LocationId {
    let locations = &mut body.decoder.module.locations;
    if locations.last() != Some(&location) {
        locations.push(location);
    }
    LocationId(locations.len() as u32 - 1)
}

/// A debug record. It stands in the file after the instruction that it belongs before.
pub(super) fn record(body: &mut Body<'_, '_>, record: &Record<'_>) -> Result<()> {
    let take = &mut Take { record, next: 0 };
    let location = match body.decoder.module.metadata[metadata(body, take)?.index()].kind {
        MetadataKind::Location(location) => Some(intern(body, location)),
        _ => None,
    };
    let kind = kind(body, take)?;
    let Last::Instruction(block) = body.last else { return record.error("a debug record without an instruction") };
    let block = &mut body.blocks[block.index()];
    let before = block.instructions.len() as u32 - 1;
    block.records.push(DebugRecord { before, kind, location });
    Ok(())
}

fn kind(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Result<DebugRecordKind> {
    let variable = metadata(body, take)?;
    if take.record.code == code::RECORD_LABEL {
        return Ok(DebugRecordKind::Label(variable));
    }
    let expression = metadata(body, take)?;
    if take.record.code == code::RECORD_VALUE_SIMPLE {
        let (operand, ty) = take.value_and_type(body)?;
        let value = MetadataId(body.decoder.module.metadata.len() as u32);
        let kind = MetadataKind::Value(ty, operand);
        body.decoder.module.metadata.push(Metadata { distinct: false, kind });
        return Ok(DebugRecordKind::Value { variable, value, expression });
    }
    let value = metadata(body, take)?;
    Ok(match take.record.code {
        code::RECORD_DECLARE => DebugRecordKind::Declare { variable, address: value, expression },
        code::RECORD_DECLARE_VALUE => DebugRecordKind::DeclareValue { variable, value, expression },
        code::RECORD_ASSIGN => {
            metadata(body, take)?;
            let address_expression = metadata(body, take)?;
            let address = metadata(body, take)?;
            DebugRecordKind::Assign { variable, value, expression, address, address_expression }
        }
        _ => DebugRecordKind::Value { variable, value, expression },
    })
}

fn metadata(body: &Body<'_, '_>, take: &mut Take<'_>) -> Result<MetadataId> {
    let number = take.number()?;
    Numbers::new(body.decoder, &body.metadata).get(take.record, number)
}

/// The debug record that a call of `llvm.dbg.*` stands for.
pub(super) fn from_call(body: &Body<'_, '_>, kind: &InstructionKind) -> Option<DebugRecord> {
    let InstructionKind::Call(call) = kind else { return None };
    let CallTarget::Function(function) = call.target else { return None };
    let name = body.decoder.module.functions[function.index()].name.strip_prefix("llvm.dbg.")?;
    let arguments = call.arguments.iter().map(|argument| match argument {
        Operand::Metadata(id) => Some(*id),
        _ => None,
    });
    let arguments: Vec<MetadataId> = arguments.collect::<Option<_>>()?;
    let kind = match (name, &arguments[..]) {
        ("declare", &[address, variable, expression]) => DebugRecordKind::Declare { variable, address, expression },
        ("value", &[value, variable, expression]) => DebugRecordKind::Value { variable, value, expression },
        ("assign", &[value, variable, expression, _, address, address_expression]) => {
            DebugRecordKind::Assign { variable, value, expression, address, address_expression }
        }
        ("label", &[label]) => DebugRecordKind::Label(label),
        _ => return None,
    };
    Some(DebugRecord { before: 0, kind, location: None })
}
