//! The symbols of a module: global variables, functions, aliases and comdats.

use crate::ir::{
    Alias, AliasId, AliasKind, Comdat, ComdatId, Constant, ConstantId, ConstantKind, Function, FunctionId, Global,
    GlobalId, Linkage, Operand, ThreadLocal, Type, TypeId, UnnamedAddress, Visibility,
};

use super::codes::module as code;
use super::error::Result;
use super::module::{Decoder, Pending};
use super::record::{Record, alignment};

/// Reads a record of a global variable.
pub(super) fn global(decoder: &mut Decoder<'_>, record: &Record<'_>) -> Result<()> {
    let (name, record) = named(decoder, record)?;
    let flags = record.get(1)?;
    let mut ty = decoder.ty(&record, record.get(0)?)?;
    let mut address_space = (flags >> 2) as u32;
    if flags & 2 == 0 {
        // An old form: the type is that of the address.
        let Type::Pointer(space) = *decoder.kind(ty) else { return record.error("a global without a type") };
        let Some(pointee) = decoder.types.pointee(record.get(0)?) else {
            return record.error("a global without a type");
        };
        (ty, address_space) = (pointee, space);
    }
    let id = GlobalId(decoder.module.globals.len() as u32);
    if record.get(2)? != 0 {
        decoder.pending.push((Pending::Initial(id), record.get(2)? - 1));
    }
    let linkage = linkage(record.get(3)?);
    let global = Global {
        name,
        ty,
        initial: None,
        constant: flags & 1 != 0,
        linkage,
        visibility: visibility(record.optional(6)),
        thread_local: thread_local(record.optional(7)),
        unnamed_address: unnamed_address(record.optional(8)),
        alignment: aligned(&record, record.get(4)?)?,
        address_space,
        section: section(decoder, &record, record.get(5)?)?,
        comdat: comdat_of(decoder, &record, record.optional(11))?,
        externally_initialised: record.optional(9) != 0,
        dso_local: record.optional(13) != 0 || linkage.is_local(),
        debug: Vec::new(),
    };
    decoder.module.globals.push(global);
    address(decoder, &record, address_space, ConstantKind::Global(id))
}

/// Reads a record of a function.
pub(super) fn function(decoder: &mut Decoder<'_>, record: &Record<'_>) -> Result<()> {
    let (name, record) = named(decoder, record)?;
    let (ty, parameters) = function_type(decoder, &record, record.get(0)?)?;
    let id = FunctionId(decoder.module.functions.len() as u32);
    let later = [(14, Pending::Personality(id)), (13, Pending::Prefix(id)), (10, Pending::Prologue(id))];
    for (index, pending) in later {
        if record.optional(index) != 0 {
            decoder.pending.push((pending, record.optional(index) - 1));
        }
    }
    if record.get(2)? == 0 {
        decoder.bodies.push_back(id);
    }
    let address_space = record.optional(16) as u32;
    let linkage = linkage(record.get(3)?);
    let function = Function {
        name,
        ty,
        parameters,
        locals: Vec::new(),
        blocks: Vec::new(),
        attributes: decoder.attributes(&record, record.get(4)?)?,
        linkage,
        visibility: visibility(record.optional(7)),
        unnamed_address: unnamed_address(record.optional(9)),
        convention: record.small(1)?,
        alignment: aligned(&record, record.get(5)?)?,
        address_space,
        section: section(decoder, &record, record.get(6)?)?,
        comdat: comdat_of(decoder, &record, record.optional(12))?,
        personality: None,
        prefix: None,
        prologue: None,
        dso_local: record.optional(15) != 0 || linkage.is_local(),
        subprogram: None,
    };
    decoder.module.functions.push(function);
    address(decoder, &record, address_space, ConstantKind::Function(id))
}

/// Reads a record of an alias or ifunc.
pub(super) fn alias(decoder: &mut Decoder<'_>, record: &Record<'_>) -> Result<()> {
    let kind = if record.code == code::ALIAS { AliasKind::Alias } else { AliasKind::IFunc };
    let (name, record) = named(decoder, record)?;
    let id = AliasId(decoder.module.aliases.len() as u32);
    let linkage = linkage(record.get(3)?);
    let address_space = record.small(1)?;
    let is_alias = kind == AliasKind::Alias;
    decoder.pending.push((Pending::Target(id), record.get(2)?));
    let alias = Alias {
        name,
        kind,
        ty: decoder.ty(&record, record.get(0)?)?,
        target: ConstantId(0),
        linkage,
        visibility: visibility(record.optional(4)),
        thread_local: if is_alias { thread_local(record.optional(6)) } else { None },
        unnamed_address: if is_alias { unnamed_address(record.optional(7)) } else { UnnamedAddress::Significant },
        address_space,
        dso_local: (is_alias && record.optional(8) != 0) || linkage.is_local(),
    };
    decoder.module.aliases.push(alias);
    address(decoder, &record, address_space, ConstantKind::Alias(id))
}

/// Reads a record of a comdat.
pub(super) fn comdat(decoder: &mut Decoder<'_>, record: &Record<'_>) -> Result<()> {
    let (name, record) = named(decoder, record)?;
    decoder.module.comdats.push(Comdat { name, selection: record.get(0)? });
    Ok(())
}

/// The type of a function with a number, and how many parameters it has.
pub(super) fn function_type(decoder: &Decoder<'_>, record: &Record<'_>, number: u64) -> Result<(TypeId, usize)> {
    let id = decoder.types.pointee(number).map_or_else(|| decoder.ty(record, number), Ok)?;
    match decoder.kind(id) {
        Type::Function { parameters, .. } => Ok((id, parameters.len())),
        _ => record.error("a function whose type is not that of a function"),
    }
}

/// Adds the constant that is the address of a symbol.
fn address(decoder: &mut Decoder<'_>, record: &Record<'_>, space: u32, kind: ConstantKind) -> Result<()> {
    let ty = decoder.find_type(record, Type::Pointer(space))?;
    let id = ConstantId(decoder.module.constants.len() as u32);
    decoder.module.constants.push(Constant { ty, kind });
    decoder.values.push(Operand::Constant(id));
    Ok(())
}

/// The name of a symbol, which its record begins with, and the rest of the record.
fn named<'r>(decoder: &mut Decoder<'_>, record: &Record<'r>) -> Result<(String, Record<'r>)> {
    let (offset, size) = (record.get(0)?, record.get(1)?);
    let end = offset.checked_add(size).and_then(|end| usize::try_from(end).ok());
    let Some(name) = end.and_then(|end| decoder.strings.get(offset as usize..end)) else {
        return record.error("the name of a symbol is not in the string table");
    };
    decoder.spend(name.len(), record.byte)?;
    match std::str::from_utf8(name) {
        Ok(name) => Ok((name.to_string(), Record { operands: record.rest(2), ..*record })),
        Err(_) => record.error("the name of a symbol is not UTF-8"),
    }
}

fn aligned(record: &Record<'_>, encoded: u64) -> Result<Option<u64>> {
    alignment(encoded).map_or_else(|| record.error("an alignment is too large"), Ok)
}

fn section(decoder: &mut Decoder<'_>, record: &Record<'_>, number: u64) -> Result<Option<String>> {
    match number {
        0 => Ok(None),
        number => match usize::try_from(number - 1).ok().and_then(|index| decoder.sections.get(index)) {
            Some(section) => {
                let section = section.clone();
                decoder.spend(section.len(), record.byte)?;
                Ok(Some(section))
            }
            None => record.error("the section of a symbol is not there"),
        },
    }
}

fn comdat_of(decoder: &Decoder<'_>, record: &Record<'_>, number: u64) -> Result<Option<ComdatId>> {
    match number {
        0 => Ok(None),
        number if number <= decoder.module.comdats.len() as u64 => Ok(Some(ComdatId(number as u32 - 1))),
        _ => record.error("the comdat of a symbol is not there"),
    }
}

/// Linkage by its number. Several old numbers mean the same; what is not known is external.
fn linkage(number: u64) -> Linkage {
    match number {
        1 | 16 => Linkage::WeakAny,
        2 => Linkage::Appending,
        3 => Linkage::Internal,
        4 | 18 => Linkage::LinkOnceAny,
        7 => Linkage::ExternalWeak,
        8 => Linkage::Common,
        9 | 13 | 14 => Linkage::Private,
        10 | 17 => Linkage::WeakOdr,
        11 | 15 | 19 => Linkage::LinkOnceOdr,
        12 => Linkage::AvailableExternally,
        _ => Linkage::External,
    }
}

fn visibility(number: u64) -> Visibility {
    match number {
        1 => Visibility::Hidden,
        2 => Visibility::Protected,
        _ => Visibility::Default,
    }
}

fn thread_local(number: u64) -> Option<ThreadLocal> {
    match number {
        0 => None,
        2 => Some(ThreadLocal::LocalDynamic),
        3 => Some(ThreadLocal::InitialExec),
        4 => Some(ThreadLocal::LocalExec),
        _ => Some(ThreadLocal::GeneralDynamic),
    }
}

fn unnamed_address(number: u64) -> UnnamedAddress {
    match number {
        1 => UnnamedAddress::Global,
        2 => UnnamedAddress::Local,
        _ => UnnamedAddress::Significant,
    }
}
