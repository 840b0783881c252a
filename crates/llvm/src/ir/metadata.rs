//! Metadata: debug information in the shape it is written in, with the fields that reports and
//! lowering ask for.

use super::{MetadataId, Operand, TypeId};

/// A piece of metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// Whether it is only equal to itself.
    pub distinct: bool,
    /// What it is.
    pub kind: MetadataKind,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The line; 0 for code that the compiler made up.
    pub line: u32,
    /// The column; 0 if not known.
    pub column: u32,
    /// The scope it stands in: a lexical block or a subprogram.
    pub scope: Option<MetadataId>,
    /// The `DILocation` of the call that it was inlined at.
    pub inlined_at: Option<MetadataId>,
    /// Not from the source, but placed there by the compiler.
    pub implicit: bool,
}

/// The kinds of metadata. A reference to other metadata is `None` where the file says `null`. Sizes
/// and offsets of types are in bits.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataKind {
    /// A string.
    String(String),
    /// A value with its type.
    Value(TypeId, Operand),
    /// A tuple: the general node.
    Node(Vec<Option<MetadataId>>),
    /// `DIArgList`: several values for one expression.
    ArgumentList(Vec<MetadataId>),
    /// `DILocation`
    Location(Location),
    /// `DIFile`
    File(File),
    /// `DICompileUnit`
    CompileUnit(CompileUnit),
    /// `DISubprogram`
    Subprogram(Box<Subprogram>),
    /// `DILexicalBlock`, and `DILexicalBlockFile` (without a column)
    LexicalBlock(LexicalBlock),
    /// `DINamespace`
    Namespace(Namespace),
    /// `DILocalVariable`
    LocalVariable(LocalVariable),
    /// `DIGlobalVariable`
    GlobalVariable(Box<GlobalVariable>),
    /// `DIGlobalVariableExpression`: a `DIGlobalVariable` and a `DIExpression`.
    GlobalVariableExpression {
        /// The variable.
        variable: Option<MetadataId>,
        /// How its value follows from the contents of the global.
        expression: Option<MetadataId>,
    },
    /// `DIExpression`: DWARF operators and their arguments.
    Expression(Vec<u64>),
    /// `DIBasicType`
    BasicType(BasicType),
    /// `DIDerivedType`: pointers, members, typedefs, qualifiers.
    DerivedType(Box<DerivedType>),
    /// `DICompositeType`: structures, unions, arrays, enumerations, classes.
    CompositeType(Box<CompositeType>),
    /// `DISubroutineType`: the result and the parameters, as a node.
    SubroutineType(Option<MetadataId>),
    /// `DISubrange`: the bounds of an array.
    Subrange(Subrange),
    /// `DIEnumerator`
    Enumerator {
        /// Its name.
        name: Option<MetadataId>,
        /// Its value, the lowest 64 bits.
        value: u64,
        /// Whether the value is unsigned.
        unsigned: bool,
    },
    /// `DILabel`
    Label {
        /// The scope.
        scope: Option<MetadataId>,
        /// Its name.
        name: Option<MetadataId>,
        /// The file.
        file: Option<MetadataId>,
        /// The line.
        line: u32,
    },
    /// Any other kind, which nothing here asks for: the code of its record in the bitcode format.
    Other(u32),
}

/// `DIFile`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// The name, relative to the directory or absolute.
    pub name: Option<MetadataId>,
    /// The directory.
    pub directory: Option<MetadataId>,
    /// The text itself, if it was embedded.
    pub source: Option<MetadataId>,
}

/// `DICompileUnit`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileUnit {
    /// The language: a `DW_LANG` number.
    pub language: u32,
    /// The main file.
    pub file: Option<MetadataId>,
    /// The compiler.
    pub producer: Option<MetadataId>,
    /// Whether it was optimised.
    pub optimised: bool,
    /// The global variables: a node of `DIGlobalVariableExpression`s.
    pub globals: Option<MetadataId>,
}

/// `DISubprogram`: a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subprogram {
    /// The scope around it: a file, namespace or class.
    pub scope: Option<MetadataId>,
    /// Its name in the source.
    pub name: Option<MetadataId>,
    /// Its symbol, where that differs.
    pub linkage_name: Option<MetadataId>,
    /// Its file.
    pub file: Option<MetadataId>,
    /// The line of its name.
    pub line: u32,
    /// The line of its opening brace.
    pub scope_line: u32,
    /// Its type: a `DISubroutineType`.
    pub ty: Option<MetadataId>,
    /// Whether it is a definition.
    pub definition: bool,
    /// The compile unit, for a definition.
    pub unit: Option<MetadataId>,
    /// Its declaration in a class.
    pub declaration: Option<MetadataId>,
}

/// `DILexicalBlock` and `DILexicalBlockFile`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexicalBlock {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Its file.
    pub file: Option<MetadataId>,
    /// The line it begins in.
    pub line: u32,
    /// The column it begins in.
    pub column: u32,
}

/// `DINamespace`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Its name; none for the anonymous one.
    pub name: Option<MetadataId>,
}

/// `DILocalVariable`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// The scope it is declared in.
    pub scope: Option<MetadataId>,
    /// Its name.
    pub name: Option<MetadataId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// Which parameter it is, from 1; 0 for a variable that is none.
    pub argument: u32,
    /// Its alignment in bits; 0 if none is requested.
    pub alignment: u32,
}

/// `DIGlobalVariable`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalVariable {
    /// The scope it is declared in: the file, a namespace, or a function for a `static` local.
    pub scope: Option<MetadataId>,
    /// Its name.
    pub name: Option<MetadataId>,
    /// Its symbol, where that differs.
    pub linkage_name: Option<MetadataId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// Not visible outside of the file.
    pub local: bool,
    /// Whether it is a definition.
    pub definition: bool,
}

/// `DIBasicType`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicType {
    /// The DWARF tag.
    pub tag: u32,
    /// Its name: `unsigned int`.
    pub name: Option<MetadataId>,
    /// Its size in bits.
    pub size: u64,
    /// What the bits mean: a `DW_ATE` number (2 boolean, 4 float, 5 signed, 6 signed char, 7
    /// unsigned, 8 unsigned char, 16 UTF).
    pub encoding: u32,
}

/// `DIDerivedType`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedType {
    /// The DWARF tag: see [`tag`].
    pub tag: u32,
    /// Its name, if it has one.
    pub name: Option<MetadataId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The scope: for a member its structure.
    pub scope: Option<MetadataId>,
    /// The type it derives from; `None` is `void`.
    pub base: Option<MetadataId>,
    /// Its size in bits.
    pub size: u64,
    /// For a member, its offset in bits.
    pub offset: u64,
    /// Flags: see [`flag`].
    pub flags: u64,
    /// For a bit field, the offset in bits of the storage unit that it lies in: a
    /// [`MetadataKind::Value`].
    pub extra: Option<MetadataId>,
}

/// `DICompositeType`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompositeType {
    /// The DWARF tag: see [`tag`].
    pub tag: u32,
    /// Its name, if it has one.
    pub name: Option<MetadataId>,
    /// The file.
    pub file: Option<MetadataId>,
    /// The line.
    pub line: u32,
    /// The scope it is declared in.
    pub scope: Option<MetadataId>,
    /// The type of the elements of an array, or that an enumeration is made of.
    pub base: Option<MetadataId>,
    /// Its size in bits.
    pub size: u64,
    /// Members, bounds or enumerators, as a node.
    pub elements: Option<MetadataId>,
    /// Flags: see [`flag`].
    pub flags: u64,
    /// Names it across modules (C++).
    pub identifier: Option<MetadataId>,
}

/// `DISubrange`: each bound is a constant [`MetadataKind::Value`], a variable, an expression, or
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subrange {
    /// How many elements.
    pub count: Option<MetadataId>,
    /// How many elements, where the file has the number itself; -1 for an array without bounds.
    pub constant_count: Option<i64>,
    /// The lowest index.
    pub lower: Option<MetadataId>,
    /// The highest index.
    pub upper: Option<MetadataId>,
}

/// The DWARF tags of types.
pub mod tag {
    /// An array.
    pub const ARRAY: u32 = 0x01;
    /// A C++ class.
    pub const CLASS: u32 = 0x02;
    /// An enumeration.
    pub const ENUMERATION: u32 = 0x04;
    /// A member of a structure, class or union.
    pub const MEMBER: u32 = 0x0d;
    /// A pointer.
    pub const POINTER: u32 = 0x0f;
    /// A C++ reference.
    pub const REFERENCE: u32 = 0x10;
    /// A structure.
    pub const STRUCTURE: u32 = 0x13;
    /// A `typedef`.
    pub const TYPEDEF: u32 = 0x16;
    /// A union.
    pub const UNION: u32 = 0x17;
    /// A base class.
    pub const INHERITANCE: u32 = 0x1c;
    /// `const`
    pub const CONST: u32 = 0x26;
    /// `volatile`
    pub const VOLATILE: u32 = 0x35;
    /// `restrict`
    pub const RESTRICT: u32 = 0x37;
    /// A C++ reference to a temporary.
    pub const RVALUE_REFERENCE: u32 = 0x42;
    /// `_Atomic`
    pub const ATOMIC: u32 = 0x47;
}

/// The flags of types and members.
pub mod flag {
    /// Only declared.
    pub const FORWARD_DECLARATION: u64 = 1 << 2;
    /// Made up by the compiler.
    pub const ARTIFICIAL: u64 = 1 << 6;
    /// A vector type.
    pub const VECTOR: u64 = 1 << 11;
    /// A static member.
    pub const STATIC_MEMBER: u64 = 1 << 12;
    /// A bit field.
    pub const BIT_FIELD: u64 = 1 << 19;
}
