//! Functions, their blocks, and the variables that debug information ties to them.

use super::{
    AttributesId, ComdatId, ConstantId, Instruction, Linkage, LocalId, LocationId, MetadataId, TypeId, UnnamedAddress,
    Visibility,
};

/// A function, defined or declared.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol; empty for the rare one without.
    pub name: String,
    /// Its type: a [`Type::Function`](super::Type::Function).
    pub ty: TypeId,
    /// How many parameters it has: the first of `locals`, where it is defined.
    pub parameters: usize,
    /// Parameters, then the results of instructions in the order of the instructions. Empty for a
    /// declaration.
    pub locals: Vec<Local>,
    /// Its blocks, the entry first; empty for a declaration.
    pub blocks: Vec<Block>,
    /// Its attributes and those of its parameters and result.
    pub attributes: Option<AttributesId>,
    /// How the linker treats the symbol.
    pub linkage: Linkage,
    /// Who sees the symbol.
    pub visibility: Visibility,
    /// Whether its address may be shared with others of equal contents.
    pub unnamed_address: UnnamedAddress,
    /// The calling convention: 0 is C's.
    pub convention: u32,
    /// The alignment in bytes, where one is given.
    pub alignment: Option<u64>,
    /// The address space, 0 for nearly all.
    pub address_space: u32,
    /// The section that it must be in.
    pub section: Option<String>,
    /// The group that it belongs to.
    pub comdat: Option<ComdatId>,
    /// The routine that handles exceptions that pass through.
    pub personality: Option<ConstantId>,
    /// Data before the function.
    pub prefix: Option<ConstantId>,
    /// Data at the start of the function.
    pub prologue: Option<ConstantId>,
    /// Resolved within the same shared object.
    pub dso_local: bool,
    /// What the source calls it: a `DISubprogram` node.
    pub subprogram: Option<MetadataId>,
}

impl Function {
    /// Whether it has no body here.
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// A parameter, or the result of an instruction.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its type.
    pub ty: TypeId,
    /// Its name, if it was kept: that of the source for parameters and local variables (`x.addr`,
    /// `x`).
    pub name: Option<Box<str>>,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its name, if it was kept.
    pub name: Option<Box<str>>,
    /// Its instructions; the last one, and only it, is a terminator.
    pub instructions: Vec<Instruction>,
    /// What debug information says of variables, in the order of their places. Calls of
    /// `llvm.dbg.*` stand here too, and not among the instructions.
    pub records: Vec<DebugRecord>,
}

/// A statement of the debug information about a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugRecord {
    /// It stands before the instruction with this index in its block.
    pub before: u32,
    /// What it says.
    pub kind: DebugRecordKind,
    /// Where the variable is declared, with its scope.
    pub location: Option<LocationId>,
}

/// The statements about variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugRecordKind {
    /// The variable lives in memory at this address, from here on for its whole life.
    Declare {
        /// A `DILocalVariable`.
        variable: MetadataId,
        /// The address: a [`MetadataKind::Value`](super::MetadataKind::Value) for all but dead
        /// variables.
        address: MetadataId,
        /// A `DIExpression` to apply to it.
        expression: MetadataId,
    },
    /// The variable has this value, from here to the next record about it.
    Value {
        /// A `DILocalVariable`.
        variable: MetadataId,
        /// The value: a [`MetadataKind::Value`](super::MetadataKind::Value), or a list of arguments
        /// of the expression.
        value: MetadataId,
        /// A `DIExpression` to apply to it.
        expression: MetadataId,
    },
    /// The variable is assigned: both of the above.
    Assign {
        /// A `DILocalVariable`.
        variable: MetadataId,
        /// The value.
        value: MetadataId,
        /// A `DIExpression` to apply to the value.
        expression: MetadataId,
        /// Where it is stored.
        address: MetadataId,
        /// A `DIExpression` to apply to the address.
        address_expression: MetadataId,
    },
    /// Like `Declare`, but what is given is the value itself and not its address.
    DeclareValue {
        /// A `DILocalVariable`.
        variable: MetadataId,
        /// The value.
        value: MetadataId,
        /// A `DIExpression` to apply to it.
        expression: MetadataId,
    },
    /// A label of the source: a `DILabel`.
    Label(MetadataId),
}

impl Function {
    /// The name of a parameter or result, if it was kept.
    pub fn local_name(&self, local: LocalId) -> Option<&str> {
        self.locals[local.index()].name.as_deref()
    }
}
