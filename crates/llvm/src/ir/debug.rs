//! Questions that lowering and reports ask of the debug information.
//!
//! Chains of scopes and types are followed for a bounded number of links, so every question has an
//! answer on metadata that is cyclic or nonsense too.

use super::metadata::{CompositeType, DerivedType, flag, tag};
use super::{ConstantKind, Function, Global, Location, LocationId, MetadataId, MetadataKind, Module, Operand};

/// How many links of a chain of scopes or types are followed. Programs have a handful.
const LINKS: usize = 1_000;

/// A variable of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// The file it is declared in.
    pub file: Option<&'a str>,
    /// The line it is declared in.
    pub line: u32,
    /// Its type, to ask further.
    pub ty: Option<MetadataId>,
}

/// A member of a structure or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name; `None` for an anonymous structure or union, and for a base class.
    pub name: Option<&'a str>,
    /// Its offset in bits.
    pub offset: u64,
    /// Its size in bits.
    pub size: u64,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// Whether it is a bit field.
    pub bit_field: bool,
}

/// What a type of the source is, without its qualifiers and typedefs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape<'a> {
    /// `void`
    Void,
    /// A number or truth value: its size in bits and its `DW_ATE` encoding.
    Basic(u64, u32),
    /// A pointer or reference to a type; `None` is `void`.
    Pointer(Option<MetadataId>),
    /// A structure, class or union.
    Record(Vec<Member<'a>>),
    /// An array of elements, with the number of elements of each dimension, `None` where that is
    /// not known.
    Array(Option<MetadataId>, Vec<Option<u64>>),
    /// An enumeration: its size in bits, and the names of values.
    Enumeration(u64, Vec<(u64, &'a str)>),
    /// Anything else: functions, pointers to members, types only declared.
    Other,
}

impl Module {
    /// The kind of a piece of metadata.
    pub fn metadata_kind(&self, id: MetadataId) -> &MetadataKind {
        &self.metadata[id.index()].kind
    }

    /// The text of a string.
    pub fn string(&self, id: MetadataId) -> Option<&str> {
        match self.metadata_kind(id) {
            MetadataKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The place with an id.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// The `DISubprogram` that a place stands in: after inlining, the one that the source has it
    /// in.
    pub fn subprogram_of(&self, location: &Location) -> Option<MetadataId> {
        self.scopes(location.scope?).find(|&scope| matches!(self.metadata_kind(scope), MetadataKind::Subprogram(_)))
    }

    /// The name of the function of the source that a place stands in.
    pub fn function_of(&self, location: &Location) -> Option<&str> {
        match self.metadata_kind(self.subprogram_of(location)?) {
            MetadataKind::Subprogram(subprogram) => self.text(subprogram.name),
            _ => None,
        }
    }

    /// The file that a place stands in.
    pub fn file_of(&self, location: &Location) -> Option<&str> {
        self.file_name(self.scope_file(location.scope?)?)
    }

    /// The directory that the name of the file of a place is relative to.
    pub fn directory_of(&self, location: &Location) -> Option<&str> {
        match self.metadata_kind(self.scope_file(location.scope?)?) {
            MetadataKind::File(file) => self.text(file.directory),
            _ => None,
        }
    }

    /// The place of the call that a place was inlined at.
    pub fn inlined_at(&self, location: &Location) -> Option<&Location> {
        match self.metadata_kind(location.inlined_at?) {
            MetadataKind::Location(location) => Some(location),
            _ => None,
        }
    }

    /// The name of a function in the source, for a function with debug information.
    pub fn source_name(&self, function: &Function) -> Option<&str> {
        match self.metadata_kind(function.subprogram?) {
            MetadataKind::Subprogram(subprogram) => self.text(subprogram.name),
            _ => None,
        }
    }

    /// What the source calls a global variable.
    pub fn global_variable(&self, global: &Global) -> Option<Variable<'_>> {
        global.debug.iter().find_map(|&id| {
            let MetadataKind::GlobalVariableExpression { variable: Some(variable), .. } = *self.metadata_kind(id)
            else {
                return None;
            };
            let MetadataKind::GlobalVariable(variable) = self.metadata_kind(variable) else { return None };
            Some(Variable {
                name: self.text(variable.name)?,
                file: variable.file.and_then(|file| self.file_name(file)),
                line: variable.line,
                ty: variable.ty,
            })
        })
    }

    /// The local variable that a `DILocalVariable` describes.
    pub fn local_variable(&self, id: MetadataId) -> Option<Variable<'_>> {
        let MetadataKind::LocalVariable(variable) = self.metadata_kind(id) else { return None };
        Some(Variable {
            name: self.text(variable.name)?,
            file: variable.file.and_then(|file| self.file_name(file)),
            line: variable.line,
            ty: variable.ty,
        })
    }

    /// The value that a piece of metadata wraps.
    pub fn wrapped(&self, id: MetadataId) -> Option<Operand> {
        match self.metadata_kind(id) {
            MetadataKind::Value(_, operand) => Some(*operand),
            _ => None,
        }
    }

    /// The name of a type: that of the outermost typedef, structure or number; `None` for types
    /// without one.
    pub fn type_name(&self, ty: MetadataId) -> Option<&str> {
        match self.metadata_kind(ty) {
            MetadataKind::BasicType(basic) => self.text(basic.name),
            MetadataKind::DerivedType(derived) => self.text(derived.name),
            MetadataKind::CompositeType(composite) => self.text(composite.name),
            _ => None,
        }
    }

    /// A type without its qualifiers and typedefs; `None` is `void`.
    pub fn stripped(&self, ty: Option<MetadataId>) -> Option<MetadataId> {
        let mut ty = ty?;
        for _ in 0..LINKS {
            match self.metadata_kind(ty) {
                MetadataKind::DerivedType(derived) if is_qualifier(derived.tag) => ty = derived.base?,
                _ => break,
            }
        }
        Some(ty)
    }

    /// What a type is; `None` is `void`.
    pub fn shape(&self, ty: Option<MetadataId>) -> Shape<'_> {
        let Some(ty) = self.stripped(ty) else { return Shape::Void };
        match self.metadata_kind(ty) {
            MetadataKind::BasicType(basic) => Shape::Basic(basic.size, basic.encoding),
            MetadataKind::DerivedType(derived) if is_pointer(derived.tag) => Shape::Pointer(derived.base),
            MetadataKind::CompositeType(composite) => self.composite_shape(composite),
            _ => Shape::Other,
        }
    }

    fn composite_shape(&self, composite: &CompositeType) -> Shape<'_> {
        if composite.flags & flag::FORWARD_DECLARATION != 0 {
            return Shape::Other;
        }
        let elements = || self.node(composite.elements).iter().flatten().map(|&id| self.metadata_kind(id));
        match composite.tag {
            tag::STRUCTURE | tag::CLASS | tag::UNION => Shape::Record(
                elements()
                    .filter_map(|element| match element {
                        MetadataKind::DerivedType(derived) => self.member(derived),
                        _ => None,
                    })
                    .collect(),
            ),
            tag::ARRAY => Shape::Array(
                composite.base,
                elements()
                    .filter_map(|element| match element {
                        MetadataKind::Subrange(range) => Some(match range.constant_count {
                            Some(count) => u64::try_from(count).ok(),
                            None => range.count.and_then(|count| self.integer(count)),
                        }),
                        _ => None,
                    })
                    .collect(),
            ),
            tag::ENUMERATION => Shape::Enumeration(
                composite.size,
                elements()
                    .filter_map(|element| match element {
                        MetadataKind::Enumerator { name, value, .. } => Some((*value, self.text(*name)?)),
                        _ => None,
                    })
                    .collect(),
            ),
            _ => Shape::Other,
        }
    }

    fn member(&self, derived: &DerivedType) -> Option<Member<'_>> {
        if !matches!(derived.tag, tag::MEMBER | tag::INHERITANCE) || derived.flags & flag::STATIC_MEMBER != 0 {
            return None;
        }
        Some(Member {
            name: self.text(derived.name).filter(|name| !name.is_empty()),
            offset: derived.offset,
            size: match derived.size {
                0 => self.type_bits(derived.base),
                size => size,
            },
            ty: derived.base,
            bit_field: derived.flags & flag::BIT_FIELD != 0,
        })
    }

    /// The size of a type in bits; 0 where it is not known.
    pub fn type_bits(&self, ty: Option<MetadataId>) -> u64 {
        match self.stripped(ty).map(|ty| self.metadata_kind(ty)) {
            Some(MetadataKind::BasicType(basic)) => basic.size,
            Some(MetadataKind::DerivedType(derived)) => derived.size,
            Some(MetadataKind::CompositeType(composite)) => composite.size,
            _ => 0,
        }
    }

    /// The parts of a node; none for `null` and for other metadata.
    pub fn node(&self, id: Option<MetadataId>) -> &[Option<MetadataId>] {
        match id.map(|id| self.metadata_kind(id)) {
            Some(MetadataKind::Node(parts)) => parts,
            _ => &[],
        }
    }

    /// The integer constant that a piece of metadata wraps.
    pub fn integer(&self, id: MetadataId) -> Option<u64> {
        let Operand::Constant(constant) = self.wrapped(id)? else { return None };
        match self.constant(constant).kind {
            ConstantKind::Integer(value) => Some(value),
            _ => None,
        }
    }

    fn text(&self, id: Option<MetadataId>) -> Option<&str> {
        self.string(id?)
    }

    fn file_name(&self, file: MetadataId) -> Option<&str> {
        match self.metadata_kind(file) {
            MetadataKind::File(file) => self.text(file.name),
            _ => None,
        }
    }

    /// The file of a scope: its own, or that of the nearest scope around it that has one.
    fn scope_file(&self, scope: MetadataId) -> Option<MetadataId> {
        self.scopes(scope).find_map(|scope| match self.metadata_kind(scope) {
            MetadataKind::Subprogram(subprogram) => subprogram.file,
            MetadataKind::LexicalBlock(block) => block.file,
            MetadataKind::CompileUnit(unit) => unit.file,
            MetadataKind::CompositeType(composite) => composite.file,
            MetadataKind::File(_) => Some(scope),
            _ => None,
        })
    }

    /// A scope and those around it, from the inside.
    fn scopes(&self, scope: MetadataId) -> impl Iterator<Item = MetadataId> + '_ {
        std::iter::successors(Some(scope), |&scope| match self.metadata_kind(scope) {
            MetadataKind::Subprogram(subprogram) => subprogram.scope,
            MetadataKind::LexicalBlock(block) => block.scope,
            MetadataKind::Namespace(namespace) => namespace.scope,
            MetadataKind::CompositeType(composite) => composite.scope,
            _ => None,
        })
        .take(LINKS)
    }
}

fn is_qualifier(found: u32) -> bool {
    matches!(found, tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC)
}

fn is_pointer(found: u32) -> bool {
    matches!(found, tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE)
}
