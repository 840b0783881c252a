//! Types as rows of scalars: what fits a register, with its offset in memory.

use std::rc::Rc;

use crate::code::Kind;
use crate::code::instruction::{Format, LoadKind, Width};
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
    /// The lower 64 bits of an integer of so many, more than 64 and at most 128.
    Low(u8),
    /// The rest of it: so many bits.
    High(u8),
    /// A floating-point number of 16 bits.
    Small(Format),
    /// The lower 64 bits of a floating-point number of more than that.
    FloatLow(Format),
    /// The rest of it.
    FloatHigh(Format),
}

impl Scalar {
    /// How many bits it has.
    pub(super) fn bits(self) -> u8 {
        match self {
            Scalar::Integer(bits) => bits,
            Scalar::F32 => 32,
            Scalar::Pointer | Scalar::F64 | Scalar::Low(_) | Scalar::FloatLow(_) => 64,
            Scalar::High(rest) => rest,
            Scalar::Small(format) => format.bits(),
            Scalar::FloatHigh(format) => format.bits() - 64,
        }
    }

    /// Whether the next part is the rest of the same number.
    pub(super) fn begins_pair(self) -> bool {
        matches!(self, Scalar::Low(_) | Scalar::FloatLow(_))
    }

    /// The format of a floating-point number that is computed by software.
    pub(super) fn soft(self) -> Option<Format> {
        match self {
            Scalar::Small(format) | Scalar::FloatLow(format) | Scalar::FloatHigh(format) => Some(format),
            _ => None,
        }
    }

    /// The format of a floating-point number.
    pub(super) fn format(self) -> Option<Format> {
        match self {
            Scalar::F32 => Some(Format::Single),
            Scalar::F64 => Some(Format::Double),
            _ => self.soft(),
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
            Scalar::Low(_) => Kind::Low,
            Scalar::High(_) => Kind::High,
            Scalar::Small(_) => Kind::Half,
            Scalar::FloatLow(format) => Kind::FloatLow(format),
            Scalar::FloatHigh(format) => Kind::FloatHigh(format),
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

/// The types of a module as rows of scalars, found out when requested.
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
            Type::Integer(bits @ 65..=128) => found.extend([
                Part { scalar: Scalar::Low(*bits as u8), offset },
                Part { scalar: Scalar::High(*bits as u8 - 64), offset: offset.wrapping_add(8) },
            ]),
            Type::Pointer(0) => found.push(Part { scalar: Scalar::Pointer, offset }),
            Type::Float => found.push(Part { scalar: Scalar::F32, offset }),
            Type::Double => found.push(Part { scalar: Scalar::F64, offset }),
            Type::Half => found.push(Part { scalar: Scalar::Small(Format::Half), offset }),
            Type::BFloat => found.push(Part { scalar: Scalar::Small(Format::BFloat), offset }),
            Type::X86Fp80 => found.extend(float_pair(Format::Extended, offset)),
            Type::Fp128 => found.extend(float_pair(Format::Quad, offset)),
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

fn float_pair(format: Format, offset: u64) -> [Part; 2] {
    [
        Part { scalar: Scalar::FloatLow(format), offset },
        Part { scalar: Scalar::FloatHigh(format), offset: offset.wrapping_add(8) },
    ]
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
        Type::PpcFp128 => "`long double` of two doubles".to_owned(),
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
