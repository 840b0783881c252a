//! Metadata nodes: what each record of debug information says.

use crate::ir::metadata::{
    BasicType, CompileUnit, CompositeType, DerivedType, File, GlobalVariable, LexicalBlock, LocalVariable, Namespace,
    Subprogram, Subrange,
};
use crate::ir::{ConstantKind, Location, Metadata, MetadataId, MetadataKind, Operand};

use super::codes::metadata as code;
use super::error::Result;
use super::metadata::Numbers;
use super::module::Decoder;
use super::record::{Record, signed};

/// A record with the numbers that its references mean.
struct Node<'n> {
    decoder: &'n Decoder<'n>,
    numbers: &'n Numbers<'n>,
    record: &'n Record<'n>,
}

/// Reads a record that is a piece of metadata other than a string or a value.
pub(super) fn read(decoder: &Decoder<'_>, numbers: &Numbers<'_>, record: &Record<'_>) -> Result<Metadata> {
    let node = Node { decoder, numbers, record };
    let distinct = match record.code {
        code::NODE | code::ARGUMENT_LIST => false,
        code::DISTINCT_NODE | code::COMPILE_UNIT => true,
        _ => record.optional(0) & 1 != 0,
    };
    Ok(Metadata { distinct, kind: node.read()? })
}

impl Node<'_> {
    fn read(&self) -> Result<MetadataKind> {
        let record = self.record;
        Ok(match record.code {
            code::NODE | code::DISTINCT_NODE => MetadataKind::Node(
                record.operands.iter().map(|&number| self.numbers.optional(record, number)).collect::<Result<_>>()?,
            ),
            code::ARGUMENT_LIST => MetadataKind::ArgumentList(
                record.operands.iter().map(|&number| self.numbers.get(record, number)).collect::<Result<_>>()?,
            ),
            code::LOCATION => MetadataKind::Location(Location {
                line: record.small(1)?,
                column: record.small(2)?,
                scope: Some(self.numbers.get(record, record.get(3)?)?),
                inlined_at: self.reference(4)?,
                implicit: record.optional(5) != 0,
            }),
            code::SUBRANGE => MetadataKind::Subrange(self.subrange()?),
            code::ENUMERATOR => self.enumerator()?,
            code::BASIC_TYPE => MetadataKind::BasicType(BasicType {
                tag: record.small(1)?,
                name: self.reference(2)?,
                size: self.size(3, record.get(0)? & 2 != 0)?,
                encoding: record.small(5)?,
            }),
            code::FILE => MetadataKind::File(File {
                name: self.reference(1)?,
                directory: self.reference(2)?,
                source: self.reference_or_none(5)?,
            }),
            code::DERIVED_TYPE => MetadataKind::DerivedType(Box::new(self.derived_type()?)),
            code::COMPOSITE_TYPE => MetadataKind::CompositeType(Box::new(self.composite_type()?)),
            code::SUBROUTINE_TYPE => MetadataKind::SubroutineType(self.reference(2)?),
            code::COMPILE_UNIT => MetadataKind::CompileUnit(CompileUnit {
                language: (record.get(1)? & 0xffff_ffff) as u32,
                file: self.reference(2)?,
                producer: self.reference(3)?,
                optimised: record.get(4)? != 0,
                globals: self.reference(12)?,
            }),
            code::SUBPROGRAM => MetadataKind::Subprogram(Box::new(self.subprogram()?)),
            code::LEXICAL_BLOCK => MetadataKind::LexicalBlock(LexicalBlock {
                scope: self.reference(1)?,
                file: self.reference(2)?,
                line: record.small(3)?,
                column: record.small(4)?,
            }),
            code::LEXICAL_BLOCK_FILE => MetadataKind::LexicalBlock(LexicalBlock {
                scope: self.reference(1)?,
                file: self.reference(2)?,
                line: 0,
                column: 0,
            }),
            code::NAMESPACE => {
                // Older files have a file before the name and a line after it.
                let name = if record.len() == 3 { 2 } else { 3 };
                MetadataKind::Namespace(Namespace { scope: self.reference(1)?, name: self.reference(name)? })
            }
            code::GLOBAL_VARIABLE => MetadataKind::GlobalVariable(Box::new(GlobalVariable {
                scope: self.reference(1)?,
                name: self.reference(2)?,
                linkage_name: self.reference(3)?,
                file: self.reference(4)?,
                line: record.small(5)?,
                ty: self.reference(6)?,
                local: record.get(7)? != 0,
                definition: record.get(8)? != 0,
            })),
            code::LOCAL_VARIABLE => MetadataKind::LocalVariable(self.local_variable()?),
            code::EXPRESSION => MetadataKind::Expression(record.rest(1).to_vec()),
            code::GLOBAL_VARIABLE_EXPRESSION => {
                MetadataKind::GlobalVariableExpression { variable: self.reference(1)?, expression: self.reference(2)? }
            }
            code::LABEL => MetadataKind::Label {
                scope: self.reference(1)?,
                name: self.reference(2)?,
                file: self.reference(3)?,
                line: record.small(4)?,
            },
            code => MetadataKind::Other(code),
        })
    }

    /// A reference: a number plus one, 0 for `null`.
    fn reference(&self, index: usize) -> Result<Option<MetadataId>> {
        self.numbers.optional(self.record, self.record.get(index)?)
    }

    /// A reference that older files do not have.
    fn reference_or_none(&self, index: usize) -> Result<Option<MetadataId>> {
        self.numbers.optional(self.record, self.record.optional(index))
    }

    /// A size or offset: a number, or since LLVM 21 a reference to one. Sizes that the program
    /// computes are 0.
    fn size(&self, index: usize, reference: bool) -> Result<u64> {
        if !reference {
            return self.record.get(index);
        }
        let Some(id) = self.reference(index)? else { return Ok(0) };
        let MetadataKind::Value(_, Operand::Constant(constant)) = self.decoder.module.metadata[id.index()].kind else {
            return Ok(0);
        };
        match self.decoder.module.constants[constant.index()].kind {
            ConstantKind::Integer(size) => Ok(size),
            _ => Ok(0),
        }
    }

    fn subrange(&self) -> Result<Subrange> {
        let record = self.record;
        let constant = |value: i64| Subrange { count: None, constant_count: Some(value), lower: None, upper: None };
        match record.get(0)? >> 1 {
            0 => Ok(constant(record.get(1)? as i64)),
            1 => Ok(Subrange { count: self.reference(1)?, constant_count: None, lower: None, upper: None }),
            2 => Ok(Subrange {
                count: self.reference(1)?,
                constant_count: None,
                lower: self.reference(2)?,
                upper: self.reference(3)?,
            }),
            version => record.error(format!("bounds of an array in the unknown form {version}")),
        }
    }

    fn enumerator(&self) -> Result<MetadataKind> {
        let record = self.record;
        let wide = record.get(0)? & 4 != 0;
        Ok(MetadataKind::Enumerator {
            name: self.reference(2)?,
            value: signed(record.get(if wide { 3 } else { 1 })?) as u64,
            unsigned: record.get(0)? & 2 != 0,
        })
    }

    fn derived_type(&self) -> Result<DerivedType> {
        let record = self.record;
        let reference = record.get(0)? & 2 != 0;
        Ok(DerivedType {
            tag: record.small(1)?,
            name: self.reference(2)?,
            file: self.reference(3)?,
            line: record.small(4)?,
            scope: self.reference(5)?,
            base: self.reference(6)?,
            size: self.size(7, reference)?,
            offset: self.size(9, reference)?,
            flags: record.get(10)?,
            extra: self.reference(11)?,
        })
    }

    fn composite_type(&self) -> Result<CompositeType> {
        let record = self.record;
        Ok(CompositeType {
            tag: record.small(1)?,
            name: self.reference(2)?,
            file: self.reference(3)?,
            line: record.small(4)?,
            scope: self.reference(5)?,
            base: self.reference(6)?,
            size: self.size(7, record.get(0)? & 4 != 0)?,
            flags: record.get(10)?,
            elements: self.reference(11)?,
            identifier: self.reference(15)?,
        })
    }

    fn subprogram(&self) -> Result<Subprogram> {
        let record = self.record;
        let (has_flags, has_unit) = (record.get(0)? & 4 != 0, record.get(0)? & 2 != 0);
        if !has_flags || !has_unit {
            return record.error("a function of debug information in a form older than LLVM 8");
        }
        Ok(Subprogram {
            scope: self.reference(1)?,
            name: self.reference(2)?,
            linkage_name: self.reference(3)?,
            file: self.reference(4)?,
            line: record.small(5)?,
            ty: self.reference(6)?,
            scope_line: record.small(7)?,
            definition: record.get(9)? & 8 != 0,
            unit: self.reference(12)?,
            declaration: self.reference(14)?,
        })
    }

    fn local_variable(&self) -> Result<LocalVariable> {
        let record = self.record;
        let has_alignment = record.get(0)? & 2 != 0;
        // Before LLVM 4 there was a tag in front.
        let skip = usize::from(!has_alignment && record.len() > 8);
        Ok(LocalVariable {
            scope: self.reference(1 + skip)?,
            name: self.reference(2 + skip)?,
            file: self.reference(3 + skip)?,
            line: record.small(4 + skip)?,
            ty: self.reference(5 + skip)?,
            argument: record.small(6 + skip)?,
            alignment: if has_alignment { record.small(8)? } else { 0 },
        })
    }
}
