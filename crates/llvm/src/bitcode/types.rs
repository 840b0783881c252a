//! The table of types.

use crate::ir::{StructType, Type, TypeId};

use super::error::Result;
use super::record::Record;
use super::stream::{Item, Stream};

/// The widest integers that LLVM has.
const INTEGER_BITS: u32 = 1 << 23;

/// The table as it is read. Pointers of one address space are one type, whatever they point to: the
/// first of them stands for all.
#[derive(Debug, Default)]
pub(super) struct TypeTable {
    /// The types.
    pub(super) types: Vec<Type>,
    /// For each type the one that stands for it.
    canonical: Vec<TypeId>,
    /// For pointers of old files, what they point to.
    pointees: Vec<Option<TypeId>>,
}

impl TypeTable {
    /// The type with a number, if there is one.
    pub(super) fn find(&self, number: u64) -> Option<TypeId> {
        self.canonical.get(usize::try_from(number).ok()?).copied()
    }

    /// What a pointer type of an old file points to.
    pub(super) fn pointee(&self, number: u64) -> Option<TypeId> {
        self.pointees.get(usize::try_from(number).ok()?).copied().flatten()
    }
}

/// Reads the block of types.
pub(super) fn read(stream: &mut Stream<'_>) -> Result<TypeTable> {
    let mut scope = stream.enter(super::codes::block::TYPES)?;
    let mut table = TypeTable::default();
    let mut name = None;
    loop {
        match stream.next(&mut scope)? {
            Item::End => break,
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => {
                let record = Record { code, operands: stream.operands(), byte: stream.byte(), block: "type" };
                table.record(&record, &mut name)?;
            }
        }
    }
    table.finish(stream.byte())?;
    Ok(table)
}

impl TypeTable {
    fn record(&mut self, record: &Record<'_>, name: &mut Option<String>) -> Result<()> {
        use super::codes::types::*;
        let id = |index| record.small(index).map(TypeId);
        let ids =
            |first| (first..record.len()).map(|index| record.small(index).map(TypeId)).collect::<Result<Vec<TypeId>>>();
        let mut pointee = None;
        let ty = match record.code {
            COUNT => return Ok(()),
            STRUCT_NAME => {
                *name = Some(record.text(0));
                return Ok(());
            }
            VOID => Type::Void,
            FLOAT => Type::Float,
            DOUBLE => Type::Double,
            LABEL => Type::Label,
            OPAQUE => Type::Struct(StructType { name: name.take(), opaque: true, ..Default::default() }),
            INTEGER => match record.small(0)? {
                bits @ 1..=INTEGER_BITS => Type::Integer(bits),
                bits => return record.error(format!("an integer of {bits} bits")),
            },
            TYPED_POINTER => {
                pointee = Some(id(0)?);
                Type::Pointer(record.optional(1) as u32)
            }
            HALF => Type::Half,
            ARRAY => Type::Array(id(1)?, record.get(0)?),
            VECTOR => {
                let length = record.small(0)?;
                Type::Vector { element: id(1)?, length, scalable: record.optional(2) != 0 }
            }
            X86_FP80 => Type::X86Fp80,
            FP128 => Type::Fp128,
            PPC_FP128 => Type::PpcFp128,
            METADATA => Type::Metadata,
            X86_MMX => Type::X86Mmx,
            STRUCT_LITERAL => {
                Type::Struct(StructType { name: None, packed: record.get(0)? != 0, opaque: false, fields: ids(1)? })
            }
            STRUCT_NAMED => Type::Struct(StructType {
                name: name.take(),
                packed: record.get(0)? != 0,
                opaque: false,
                fields: ids(1)?,
            }),
            FUNCTION => Type::Function { variadic: record.get(0)? != 0, result: id(1)?, parameters: ids(2)? },
            TOKEN => Type::Token,
            BFLOAT => Type::BFloat,
            X86_AMX => Type::X86Amx,
            POINTER => Type::Pointer(record.small(0)?),
            TARGET => Type::Target(name.take().unwrap_or_default()),
            code => return record.error(format!("the type code {code} is not known")),
        };
        self.types.push(ty);
        self.pointees.push(pointee);
        Ok(())
    }

    /// Checks that all types named are there, and lets one pointer type stand for all of its
    /// address space.
    fn finish(&mut self, byte: usize) -> Result<()> {
        let mut pointers: Vec<(u32, TypeId)> = Vec::new();
        for (index, ty) in self.types.iter().enumerate() {
            let id = TypeId(index as u32);
            let canonical = match ty {
                Type::Pointer(space) => match pointers.iter().find(|entry| entry.0 == *space) {
                    Some(&(_, first)) => first,
                    None => {
                        // Few address spaces are in use; a file with very many makes this slow, not
                        // wrong.
                        if pointers.len() < 1_000 {
                            pointers.push((*space, id));
                        }
                        id
                    }
                },
                _ => id,
            };
            self.canonical.push(canonical);
        }
        let canonical = &self.canonical;
        let fix = |id: &mut TypeId| match canonical.get(id.index()) {
            Some(&fixed) => {
                *id = fixed;
                Ok(())
            }
            None => super::error::error(byte, format!("type {} is not in the table of types", id.0)),
        };
        for ty in &mut self.types {
            match ty {
                Type::Array(element, _) | Type::Vector { element, .. } => fix(element)?,
                Type::Struct(structure) => structure.fields.iter_mut().try_for_each(fix)?,
                Type::Function { result, parameters, .. } => {
                    fix(result)?;
                    parameters.iter_mut().try_for_each(fix)?;
                }
                _ => {}
            }
        }
        self.pointees.iter_mut().flatten().try_for_each(fix)
    }
}
