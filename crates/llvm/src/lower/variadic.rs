//! Variable arguments, as the x86-64 calling convention of Linux has them.
//!
//! The compiler has expanded `va_arg` already: it looks into the area where a function saves the
//! registers of its arguments, then at what the caller put on the stack. Both areas are one object
//! here, made by the caller, as large as what it passes.

use crate::code::instruction::{Flags, Format, Instruction, Width};
use crate::code::partition::Partition;
use crate::ir::{Call, Operand, Type, TypeId};

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::{Part, Scalar};

/// Registers for integers: how many, and where they end in the area.
const INTEGERS: u64 = 6;
const INTEGERS_END: u64 = 8 * INTEGERS;
/// Registers for floating-point numbers.
const FLOATS: u64 = 8;
const FLOATS_END: u64 = INTEGERS_END + 16 * FLOATS;

/// How many registers are used up, and how many bytes of the stack.
#[derive(Clone, Copy, Default)]
struct Used {
    integers: u64,
    floats: u64,
    stack: u64,
}

impl Used {
    /// The place of the next argument in the area.
    fn place(&mut self, class: Class) -> u64 {
        match class {
            Class::Integer if self.integers < INTEGERS => {
                self.integers += 1;
                8 * (self.integers - 1)
            }
            Class::Float if self.floats < FLOATS => {
                self.floats += 1;
                INTEGERS_END + 16 * (self.floats - 1)
            }
            Class::Integer | Class::Float => self.push(8, 8),
            Class::Memory { size, alignment } => self.push(size, alignment),
        }
    }

    fn push(&mut self, size: u64, alignment: u64) -> u64 {
        let start = self.stack.next_multiple_of(alignment.max(8));
        self.stack = start + size.next_multiple_of(8);
        FLOATS_END + start
    }
}

/// How an argument is passed.
#[derive(Clone, Copy)]
enum Class {
    /// In a register for integers.
    Integer,
    /// In a register for floating-point numbers.
    Float,
    /// On the stack.
    Memory { size: u64, alignment: u64 },
}

impl Body<'_, '_> {
    /// How a value of a type is passed. (Clang has taken structures apart; half of what does not
    /// fit is never in a register.)
    fn class(&mut self, ty: TypeId) -> Result<Class, Refusal> {
        let size = self.module.types.size(ty).unwrap_or(8);
        let alignment = self.module.types.alignment(ty).unwrap_or(8);
        let parts = self.parts(ty)?;
        Ok(match (self.module.ty(ty), &parts[..]) {
            (Type::Vector { .. }, _) if size <= 16 => Class::Float,
            (_, [Part { scalar: Scalar::F32 | Scalar::F64 | Scalar::Small(_), .. }]) => Class::Float,
            (_, [Part { scalar: Scalar::FloatLow(Format::Quad), .. }, _]) => Class::Float,
            (_, [Part { scalar: Scalar::Integer(_) | Scalar::Pointer, .. }]) => Class::Integer,
            _ => Class::Memory { size, alignment },
        })
    }

    /// What the fixed parameters use up. Those that are passed as structures in memory use nothing
    /// that matters here.
    fn used(&mut self, parameters: impl Iterator<Item = (TypeId, bool)>) -> Result<Used, Refusal> {
        let mut used = Used::default();
        for (ty, by_value) in parameters {
            match self.class(ty)? {
                _ if by_value => {}
                Class::Memory { .. } if matches!(self.module.ty(ty), Type::Integer(_)) => used.integers += 2,
                class => {
                    used.place(class);
                }
            }
        }
        Ok(Used { integers: used.integers.min(INTEGERS), stack: 0, ..used })
    }

    /// Puts the variable arguments of a call, those after the first `fixed` ones, into memory: the
    /// address of the area.
    pub(super) fn variable_area(&mut self, call: &Call, fixed: usize) -> Result<Value, Refusal> {
        let attributes = call.attributes.map(|id| &self.module.attributes[id.index()]);
        let by_value = |index: usize| attributes.and_then(|list| list.by_value(index));
        let (fixed, variable) = call.arguments.split_at(fixed.min(call.arguments.len()));
        if variable.is_empty() {
            return Ok(Value::Number(0));
        }
        let types: Vec<TypeId> = fixed.iter().map(|&argument| self.type_of(argument)).collect();
        let mut used = self.used(types.into_iter().enumerate().map(|(index, ty)| (ty, by_value(index).is_some())))?;
        let mut places = Vec::with_capacity(variable.len());
        let mut size = 0;
        for (index, &argument) in variable.iter().enumerate() {
            let structure = by_value(fixed.len() + index);
            let ty = structure.unwrap_or_else(|| self.type_of(argument));
            let bytes = self.module.types.size(ty).ok_or("a variable argument of a type without size")?;
            let class = match structure {
                Some(_) => Class::Memory { size: bytes, alignment: self.module.types.alignment(ty).unwrap_or(8) },
                None => self.class(ty)?,
            };
            let place = used.place(class);
            size = size.max(place + bytes.next_multiple_of(8));
            places.push((argument, structure.map(|_| bytes), place));
        }
        let size = u32::try_from(size).map_err(|_| "variable arguments that are too large")?;
        let local = self.add_local(String::new(), size, 16, Partition::uniform(8), None);
        let area = self.emit_value(|dst| Instruction::Alloca { dst, local });
        for (argument, structure, place) in places {
            match structure {
                Some(bytes) => self.pass_structure(argument, bytes, area, place)?,
                None => self.pass_value(argument, area, place)?,
            }
        }
        Ok(area)
    }

    fn pass_structure(&mut self, pointer: Operand, bytes: u64, area: Value, place: u64) -> Result<(), Refusal> {
        let from = self.scalar(pointer)?;
        let to = self.add(area, place);
        let (from, to) = (self.temp(from), self.temp(to));
        let length = u32::try_from(bytes).map_err(|_| "variable arguments that are too large")?;
        if length > 0 {
            self.emit(Instruction::CopyBytes { to, from, length, overlap: false });
        }
        Ok(())
    }

    fn pass_value(&mut self, argument: Operand, area: Value, place: u64) -> Result<(), Refusal> {
        let (parts, values) = (self.parts(self.type_of(argument))?, self.scalars(argument)?);
        if let ([part], &[value]) = (&parts[..], &values[..])
            && !matches!(part.scalar, Scalar::F32 | Scalar::Small(_))
        {
            // Callers widen what is smaller than a register.
            self.store_at(Width::W64, value, area, place, Flags::default());
            return Ok(());
        }
        for (part, value) in parts.iter().zip(values) {
            self.store_scalar(part.scalar, value, area, place + part.offset, Flags::default());
        }
        Ok(())
    }

    /// `va_start`: where the next argument of each class lies.
    pub(super) fn variable_start(&mut self, list: Operand) -> Result<(), Refusal> {
        let area = self.variable_arguments.ok_or("variable arguments in a function that takes none")?;
        let function = self.function;
        let attributes = function.attributes.map(|id| &self.module.attributes[id.index()]);
        let parameters: Vec<(TypeId, bool)> = match self.module.ty(function.ty) {
            Type::Function { parameters, .. } => {
                let by_value = |index| attributes.and_then(|list| list.by_value(index)).is_some();
                parameters.iter().enumerate().map(|(index, &ty)| (ty, by_value(index))).collect()
            }
            _ => Vec::new(),
        };
        let used = self.used(parameters.into_iter())?;
        let (base, offset) = self.address(list)?;
        let overflow = self.add(Value::Temp(area), FLOATS_END);
        let mut put =
            |at: u64, width, value| self.store_at(width, value, base, offset.wrapping_add(at), Flags::default());
        put(0, Width::W32, Value::Number(8 * used.integers));
        put(4, Width::W32, Value::Number(INTEGERS_END + 16 * used.floats));
        put(8, Width::W64, overflow);
        put(16, Width::W64, Value::Temp(area));
        Ok(())
    }
}
