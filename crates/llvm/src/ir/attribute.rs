//! Attributes of functions, their parameters and results, and of calls.

use std::sync::Arc;

use super::TypeId;

/// The attributes of a function or of a call: groups, which lists share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeList {
    /// The groups, in the order of the file.
    pub groups: Vec<Arc<AttributeGroup>>,
}

/// Attributes of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeGroup {
    /// What they are attributes of.
    pub target: AttributeTarget,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// What has attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeTarget {
    /// The function as a whole.
    Function,
    /// The result.
    Result,
    /// A parameter, by its number from 0.
    Parameter(u32),
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// One that is there or not.
    Flag(AttributeKind),
    /// One with a number: an alignment, a number of bytes.
    Number(AttributeKind, u64),
    /// One with a type: `byval(%struct.s)`.
    Type(AttributeKind, Option<TypeId>),
    /// One of the target: a key, and a value that may be empty.
    Text(String, String),
    /// One with ranges of constants, whose bounds are not kept.
    Range(AttributeKind),
}

/// Which attribute. Those that nothing here asks for are numbers of the bitcode format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeKind {
    /// `align N`
    Align,
    /// `byval(T)`: the callee gets its own copy of what the pointer points to.
    ByValue,
    /// `sret(T)`: the result is written through this pointer.
    StructureResult,
    /// `inalloca(T)`: the argument lies in a specially made `alloca`.
    InAlloca,
    /// `preallocated(T)`
    Preallocated,
    /// `byref(T)`
    ByReference,
    /// `nest`: the static chain of a nested function.
    Nest,
    /// `zeroext`
    ZeroExtend,
    /// `signext`
    SignExtend,
    /// `noreturn`
    NoReturn,
    /// `nounwind`
    NoUnwind,
    /// `returns_twice`: `setjmp`.
    ReturnsTwice,
    /// `noundef`: passing an undefined value is undefined behaviour.
    NoUndef,
    /// `nonnull`
    NonNull,
    /// `elementtype(T)`
    ElementType,
    /// Any other.
    Other(u32),
}

impl AttributeList {
    /// The attributes of a function, result or parameter.
    pub fn of(&self, target: AttributeTarget) -> impl Iterator<Item = &Attribute> {
        self.groups.iter().filter(move |group| group.target == target).flat_map(|group| &group.attributes)
    }

    /// The type of `byval(T)` on a parameter.
    pub fn by_value(&self, parameter: usize) -> Option<TypeId> {
        self.parameter_type(parameter, AttributeKind::ByValue)
    }

    /// The type of `sret(T)` on a parameter.
    pub fn structure_result(&self, parameter: usize) -> Option<TypeId> {
        self.parameter_type(parameter, AttributeKind::StructureResult)
    }

    /// The alignment in bytes that is promised of a parameter.
    pub fn alignment(&self, parameter: usize) -> Option<u64> {
        self.parameter(parameter).find_map(|attribute| match attribute {
            Attribute::Number(AttributeKind::Align, alignment) => Some(*alignment),
            _ => None,
        })
    }

    /// The type of an attribute of a parameter that has one.
    pub fn parameter_type(&self, parameter: usize, kind: AttributeKind) -> Option<TypeId> {
        self.parameter(parameter).find_map(|attribute| match attribute {
            Attribute::Type(found, ty) if *found == kind => *ty,
            _ => None,
        })
    }

    /// Whether a parameter has an attribute, with or without a value.
    pub fn parameter_has(&self, parameter: usize, kind: AttributeKind) -> bool {
        self.parameter(parameter).any(|attribute| attribute.is(kind))
    }

    /// Whether the function as a whole has an attribute.
    pub fn function_has(&self, kind: AttributeKind) -> bool {
        self.of(AttributeTarget::Function).any(|attribute| attribute.is(kind))
    }

    fn parameter(&self, parameter: usize) -> impl Iterator<Item = &Attribute> {
        self.of(AttributeTarget::Parameter(parameter as u32))
    }
}

impl Attribute {
    /// Whether it is of a kind.
    pub fn is(&self, kind: AttributeKind) -> bool {
        match self {
            Attribute::Flag(found)
            | Attribute::Number(found, _)
            | Attribute::Type(found, _)
            | Attribute::Range(found) => *found == kind,
            Attribute::Text(..) => false,
        }
    }
}
