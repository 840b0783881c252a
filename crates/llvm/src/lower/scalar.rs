//! Types as rows of scalars: what fits a register, with its offset in memory.

use std::rc::Rc;

use crate::code::Kind;
use crate::code::instruction::{LoadKind, Width};
use crate::ir::{Module, Type, TypeId};

/// A value of more parts than this is kept in memory by every compiler.
const MOST_PARTS: usize = 1024;

/// What one register can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    /// An integer of 1 to 64 bits.
    Integer(u8),
    /// A pointer.
    Pointer,
    /// A `float`.
    F32,
    /// A `double`.
    F64,
    /// The lower half of 128 bits.
    Low,
    /// The upper half of 128 bits.
    High,
}

impl Scalar {
    /// How many bits it has.
    pub(super) fn bits(self) -> u8 {
        match self {
            Scalar::Integer(bits) => bits,
            Scalar::F32 => 32,
            Scalar::Pointer | Scalar::F64 | Scalar::Low | Scalar::High => 64,
        }
    }

    /// How many bytes of memory it takes.
    pub(super) fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// What it is as an operand of a call.
    pub(super) fn kind(self) -> Kind {
        match self {
            Scalar::Integer(bits) => Kind::Integer(bits.next_power_of_two().max(8)),
            Scalar::Pointer => Kind::Pointer,
            Scalar::F32 => Kind::F32,
            Scalar::F64 => Kind::F64,
            Scalar::Low => Kind::Low,
            Scalar::High => Kind::High,
        }
    }

    /// How it is stored, if that takes one access.
    pub(super) fn width(self) -> Option<Width> {
        match self.bits() {
            1 | 8 => Some(Width::W8),
            16 => Some(Width::W16),
            32 => Some(Width::W32),
            64 => Some(Width::W64),
            _ => None,
        }
    }

    /// How it is loaded, if that takes one access.
    pub(super) fn load(self) -> Option<LoadKind> {
        match self.bits() {
            1 => Some(LoadKind::Bool),
            8 => Some(LoadKind::I8),
            16 => Some(LoadKind::I16),
            32 => Some(LoadKind::I32),
            64 => Some(LoadKind::W64),
            _ => None,
        }
    }
}

/// The lowest bits of a number, as a register holds a value of so many bits.
#[inline]
pub(super) fn wrap(value: u64, bits: u8) -> u64 {
    match bits {
        1 => value & 1,
        64.. => value,
        bits => ((value << (64 - bits)) as i64 >> (64 - bits)) as u64,
    }
}

/// The lowest bits of a number, the others zero.
#[inline]
pub(super) fn zero_extend(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// A part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// What it is.
    pub(super) scalar: Scalar,
    /// Where it lies in memory, from the beginning of the value.
    pub(super) offset: u64,
}

/// A type as a row of scalars, or why it has none.
pub(super) type Parts = Result<Rc<[Part]>, Rc<str>>;

/// The types of a module as rows of scalars, found out when asked for.
#[derive(Debug)]
pub(super) struct Scalars {
    known: Vec<Option<Parts>>,
}

impl Scalars {
    /// Nothing is known yet.
    pub(super) fn new(module: &Module) -> Scalars {
        Scalars { known: vec![None; module.types.len()] }
    }

    /// The scalars of a type, in the order of their offsets.
    pub(super) fn of(&mut self, module: &Module, ty: TypeId) -> Parts {
        self.known[ty.index()].get_or_insert_with(|| flatten(module, ty)).clone()
    }
}

fn flatten(module: &Module, ty: TypeId) -> Parts {
    let mut found = Vec::new();
    // What is still to come, last first.
    let mut stack = vec![(ty, 0)];
    while let Some((ty, offset)) = stack.pop() {
        if found.len() + stack.len() > MOST_PARTS {
            return Err(format!("a value of more than {MOST_PARTS} parts in registers").into());
        }
        match module.ty(ty) {
            Type::Void => {}
            Type::Integer(bits @ 1..=64) => found.push(Part { scalar: Scalar::Integer(*bits as u8), offset }),
            Type::Integer(128) => found.extend([
                Part { scalar: Scalar::Low, offset },
                Part { scalar: Scalar::High, offset: offset.wrapping_add(8) },
            ]),
            Type::Pointer(0) => found.push(Part { scalar: Scalar::Pointer, offset }),
            Type::Float => found.push(Part { scalar: Scalar::F32, offset }),
            Type::Double => found.push(Part { scalar: Scalar::F64, offset }),
            Type::Array(element, length) => {
                let step = module.types.size(*element).unwrap_or(0);
                repeat(&mut stack, *element, *length, step, offset)?;
            }
            Type::Vector { element, length, scalable: false } => {
                let step = vector_step(module, *element)?;
                repeat(&mut stack, *element, u64::from(*length), step, offset)?;
            }
            Type::Struct(structure) if !structure.opaque => {
                let fields = structure.fields.iter().zip(module.types.offsets(ty));
                stack.extend(fields.rev().map(|(field, at)| (*field, at.wrapping_add(offset))));
            }
            other => return Err(unsupported(other).into()),
        }
    }
    Ok(found.into())
}

fn repeat(stack: &mut Vec<(TypeId, u64)>, element: TypeId, length: u64, step: u64, offset: u64) -> Result<(), Rc<str>> {
    if length > MOST_PARTS as u64 {
        return Err(format!("a value of more than {MOST_PARTS} parts in registers").into());
    }
    stack.extend((0..length).rev().map(|at| (element, at.wrapping_mul(step).wrapping_add(offset))));
    Ok(())
}

/// The elements of a vector lie side by side, bit by bit.
pub(super) fn vector_step(module: &Module, element: TypeId) -> Result<u64, Rc<str>> {
    match module.types.bits(element) {
        Some(bits) if bits % 8 == 0 => Ok(bits / 8),
        // In registers only; in memory they would be packed, which `Memory` refuses.
        Some(_) => Ok(0),
        None => Err("a vector of what has no size".into()),
    }
}

fn unsupported(ty: &Type) -> String {
    match ty {
        Type::Integer(bits) => format!("integers of {bits} bits"),
        Type::Half | Type::BFloat => "16-bit floating-point numbers".to_owned(),
        Type::X86Fp80 => "`long double` (80 bits)".to_owned(),
        Type::Fp128 | Type::PpcFp128 => "128-bit floating-point numbers".to_owned(),
        Type::Pointer(space) => format!("pointers into address space {space}"),
        Type::Vector { .. } => "vectors of a size that only the target knows".to_owned(),
        Type::Token => "tokens of the exception handling of Windows".to_owned(),
        Type::Struct(_) => "a structure that is only declared".to_owned(),
        other => format!("values of type {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_hold_numbers_sign_extended() {
        assert_eq!(wrap(0xff, 8), u64::MAX);
        assert_eq!(wrap(0x17f, 8), 0x7f);
        assert_eq!(wrap(3, 1), 1);
        assert_eq!(wrap(0x4_0000_0000, 35), (-0x4_0000_0000i64) as u64);
        assert_eq!(zero_extend(u64::MAX, 3), 7);
        assert_eq!(zero_extend(u64::MAX, 64), u64::MAX);
    }
}
