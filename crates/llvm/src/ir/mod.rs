//! A module of LLVM IR as plain data: what the decoder gives and the lowering takes.
//!
//! Everything lives in tables of the [`Module`] and is named by typed indices; nothing here points
//! to anything else, so no pass has to recurse. What the decoder promises of a module that it
//! returns:
//!
//! - every index is within its table;
//! - the operands of a constant come before it in [`Module::constants`], so a single pass in order
//!   meets children first;
//! - no type contains itself by value, and [`Types`] knows the size of all that have one;
//! - every block of a function has instructions, and exactly its last one is a terminator;
//! - phi nodes come first in their blocks.
//!
//! Whether definitions dominate uses, and whether operands have the types that an instruction needs
//! beyond what decoding it has to know, is not checked. Metadata may be cyclic; the questions in
//! [`debug`] come to an end on any metadata.

pub mod attribute;
pub mod constant;
pub mod debug;
pub mod function;
pub mod global;
pub mod id;
pub mod instruction;
pub mod layout;
pub mod metadata;
mod operands;
pub mod operator;
pub mod types;

pub use attribute::{Attribute, AttributeGroup, AttributeKind, AttributeList, AttributeTarget};
pub use constant::{Constant, ConstantKind};
pub use function::{Block, DebugRecord, DebugRecordKind, Function, Local};
pub use global::{Alias, AliasKind, Comdat, Global, Linkage, ThreadLocal, UnnamedAddress, Visibility};
pub use id::*;
pub use instruction::{Bundle, Call, CallTarget, Clause, Instruction, InstructionKind, Invoke, Operand, TailCall};
pub use layout::DataLayout;
pub use metadata::{Location, Metadata, MetadataKind};
pub use operator::*;
pub use types::{StructType, Type, Types};

/// A module: the contents of one bitcode file.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Who wrote it, such as `LLVM19.1.7`.
    pub producer: String,
    /// The name of the source file that it was compiled from.
    pub source_file: String,
    /// The target, such as `x86_64-pc-linux-gnu`.
    pub target: String,
    /// Sizes and alignments of the target.
    pub data_layout: DataLayout,
    /// Assembly outside of all functions; empty for nearly every program.
    pub assembly: String,
    /// The types.
    pub types: Types,
    /// The constants of the module and of all its functions, operands before those that use them.
    pub constants: Vec<Constant>,
    /// Global variables, defined and declared.
    pub globals: Vec<Global>,
    /// Functions, defined and declared.
    pub functions: Vec<Function>,
    /// Aliases and ifuncs.
    pub aliases: Vec<Alias>,
    /// Groups of symbols that the linker takes or leaves together.
    pub comdats: Vec<Comdat>,
    /// The attribute lists that functions and calls name.
    pub attributes: Vec<AttributeList>,
    /// The metadata of the module and of all its functions.
    pub metadata: Vec<Metadata>,
    /// Named metadata, such as `llvm.module.flags` and `llvm.dbg.cu`.
    pub named_metadata: Vec<(String, Vec<MetadataId>)>,
    /// The places that instructions come from; equal neighbours share one.
    pub locations: Vec<Location>,
    /// The names of synchronisation scopes: `singlethread`, the empty name for the whole system,
    /// and those of the target.
    pub sync_scopes: Vec<String>,
    /// The names of operand bundle tags.
    pub bundle_tags: Vec<String>,
}

impl Module {
    /// The constant with an id.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.index()]
    }

    /// The type with an id.
    pub fn ty(&self, id: TypeId) -> &Type {
        self.types.get(id)
    }

    /// The type of an operand of an instruction of `function`.
    pub fn type_of(&self, function: &Function, operand: Operand) -> TypeId {
        match operand {
            Operand::Local(local) => function.locals[local.index()].ty,
            Operand::Constant(constant) => self.constant(constant).ty,
            Operand::Metadata(_) => self.types.metadata(),
        }
    }

    /// The value of a module flag, such as `Debug Info Version`.
    pub fn flag(&self, name: &str) -> Option<MetadataId> {
        let (_, flags) = self.named_metadata.iter().find(|(list, _)| list == "llvm.module.flags")?;
        flags.iter().find_map(|flag| match &self.metadata[flag.index()].kind {
            MetadataKind::Node(parts) => match parts[..] {
                [_, Some(key), Some(value)] if self.string(key) == Some(name) => Some(value),
                _ => None,
            },
            _ => None,
        })
    }
}
