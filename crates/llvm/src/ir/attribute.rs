//! Attributes of functions, their parameters and results, and of calls.

use super::TypeId;

/// The attributes of a function or of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeList {
    /// Those of the function as a whole.
    pub function: Vec<Attribute>,
    /// Those of the result.
    pub result: Vec<Attribute>,
    /// Those of the parameters, by number; may be shorter than the list of parameters.
    pub parameters: Vec<Vec<Attribute>>,
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
    /// The type of `byval(T)` on a parameter.
    pub fn by_value(&self, parameter: usize) -> Option<TypeId> {
        self.parameter_type(parameter, AttributeKind::ByValue)
    }

    /// The type of `sret(T)` on a parameter.
    pub fn structure_result(&self, parameter: usize) -> Option<TypeId> {
        self.parameter_type(parameter, AttributeKind::StructureResult)
    }

    /// The alignment that is promised of a parameter.
    pub fn alignment(&self, parameter: usize) -> Option<u64> {
        self.parameters.get(parameter)?.iter().find_map(|attribute| match attribute {
            Attribute::Number(AttributeKind::Align, alignment) => Some(*alignment),
            _ => None,
        })
    }

    /// The type of an attribute of a parameter that has one.
    pub fn parameter_type(&self, parameter: usize, kind: AttributeKind) -> Option<TypeId> {
        self.parameters.get(parameter)?.iter().find_map(|attribute| match attribute {
            Attribute::Type(found, ty) if *found == kind => *ty,
            _ => None,
        })
    }

    /// Whether a parameter has an attribute, with or without a value.
    pub fn parameter_has(&self, parameter: usize, kind: AttributeKind) -> bool {
        self.parameters.get(parameter).is_some_and(|list| list.iter().any(|attribute| attribute.is(kind)))
    }

    /// Whether the function as a whole has an attribute.
    pub fn function_has(&self, kind: AttributeKind) -> bool {
        self.function.iter().any(|attribute| attribute.is(kind))
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
