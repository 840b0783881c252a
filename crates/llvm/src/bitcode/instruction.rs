//! Instructions that compute: arithmetic, conversions, comparisons, parts of aggregates and
//! vectors.

use crate::ir::{
    ArithmeticFlags, BinaryOperator, ConstantKind, FastMath, InstructionKind, Operand, Type, TypeId, UnaryOperator,
};

use super::codes::function as code;
use super::constants::is_float;
use super::error::Result;
use super::function::{Body, Take};
use super::operators::{self, Predicate};

/// What a record of an instruction gives: the instruction and the type of its result.
pub(super) type Read = Result<(InstructionKind, TypeId)>;

/// An operator of one or two operands.
pub(super) fn arithmetic(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (left, ty) = take.value_and_type(body)?;
    if take.record.code == code::UNARY {
        return match take.number()? {
            0 => Ok((InstructionKind::Unary(UnaryOperator::FNeg, operators::fast_math(take.optional()), left), ty)),
            operator => take.record.error(format!("the unary operator {operator} is not known")),
        };
    }
    let right = take.value(body, ty)?;
    let operator = operators::binary(take.record, take.number()?, is_float(body.decoder, ty))?;
    let bits = take.optional();
    let (flags, fast) = arithmetic_flags(operator, bits);
    Ok((InstructionKind::Binary { operator, flags, fast, left, right }, ty))
}

fn arithmetic_flags(operator: BinaryOperator, bits: u64) -> (ArithmeticFlags, FastMath) {
    match operator.is_float() {
        true => (ArithmeticFlags::default(), operators::fast_math(bits)),
        false => (operators::binary_flags(operator, bits), FastMath::default()),
    }
}

/// A conversion.
pub(super) fn cast(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (operand, _) = take.value_and_type(body)?;
    let ty = take.ty(body)?;
    let operator = operators::cast(take.record, take.number()?)?;
    let (flags, fast) = operators::cast_flags(operator, take.optional());
    Ok((InstructionKind::Cast { operator, flags, fast, operand }, ty))
}

/// A comparison of integers or of floating-point numbers.
pub(super) fn compare(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (left, operands) = take.value_and_type(body)?;
    let right = take.value(body, operands)?;
    let predicate = operators::predicate(take.record, take.number()?)?;
    let bits = take.optional();
    let truth = body.decoder.find_type(take.record, Type::Integer(1))?;
    let ty = match *body.decoder.kind(operands) {
        Type::Vector { length, scalable, .. } => {
            body.decoder.find_type(take.record, Type::Vector { element: truth, length, scalable })?
        }
        _ => truth,
    };
    let kind = match predicate {
        Predicate::Integer(predicate) => InstructionKind::ICmp { predicate, same_sign: bits & 1 != 0, left, right },
        Predicate::Float(predicate) => {
            InstructionKind::FCmp { predicate, fast: operators::fast_math(bits), left, right }
        }
    };
    Ok((kind, ty))
}

/// `select`
pub(super) fn select(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (yes, ty) = take.value_and_type(body)?;
    let no = take.value(body, ty)?;
    let (condition, _) = take.value_and_type(body)?;
    let fast = operators::fast_math(take.optional());
    Ok((InstructionKind::Select { condition, yes, no, fast }, ty))
}

/// `freeze`
pub(super) fn freeze(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (operand, ty) = take.value_and_type(body)?;
    Ok((InstructionKind::Freeze(operand), ty))
}

/// `extractvalue`
pub(super) fn extract_value(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (aggregate, ty) = take.value_and_type(body)?;
    let (indices, part) = path(body, take, ty)?;
    Ok((InstructionKind::ExtractValue(aggregate, indices), part))
}

/// `insertvalue`
pub(super) fn insert_value(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (aggregate, ty) = take.value_and_type(body)?;
    let (value, _) = take.value_and_type(body)?;
    let (indices, _) = path(body, take, ty)?;
    Ok((InstructionKind::InsertValue { aggregate, value, indices }, ty))
}

/// The indices of a part of an aggregate, and the type of the part.
fn path(body: &Body<'_, '_>, take: &mut Take<'_>, aggregate: TypeId) -> Result<(Vec<u32>, TypeId)> {
    let mut indices = Vec::new();
    let mut ty = aggregate;
    while take.more() {
        let index = take.number()?;
        let part = match body.decoder.kind(ty) {
            Type::Array(element, length) if index < *length => Some(*element),
            Type::Struct(structure) => {
                usize::try_from(index).ok().and_then(|index| structure.fields.get(index)).copied()
            }
            _ => None,
        };
        match (part, u32::try_from(index)) {
            (Some(part), Ok(index)) => {
                ty = part;
                indices.push(index);
            }
            _ => return take.record.error(format!("there is no part {index} in the aggregate")),
        }
    }
    match indices.is_empty() {
        false => Ok((indices, ty)),
        true => take.record.error("a part of an aggregate without its place"),
    }
}

/// `extractelement`
pub(super) fn extract_element(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (vector, ty) = take.value_and_type(body)?;
    let (index, _) = take.value_and_type(body)?;
    match *body.decoder.kind(ty) {
        Type::Vector { element, .. } => Ok((InstructionKind::ExtractElement(vector, index), element)),
        _ => take.record.error("an element of something that is not a vector"),
    }
}

/// `insertelement`
pub(super) fn insert_element(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (vector, ty) = take.value_and_type(body)?;
    let Type::Vector { element, .. } = *body.decoder.kind(ty) else {
        return take.record.error("an element of something that is not a vector");
    };
    let value = take.value(body, element)?;
    let (index, _) = take.value_and_type(body)?;
    Ok((InstructionKind::InsertElement { vector, value, index }, ty))
}

/// `shufflevector`
pub(super) fn shuffle(body: &mut Body<'_, '_>, take: &mut Take<'_>) -> Read {
    let (left, ty) = take.value_and_type(body)?;
    let right = take.value(body, ty)?;
    let (mask, mask_ty) = take.value_and_type(body)?;
    let (Type::Vector { element, scalable, .. }, Type::Vector { length, .. }) =
        (body.decoder.kind(ty), body.decoder.kind(mask_ty))
    else {
        return take.record.error("a shuffle of something that is not a vector");
    };
    let wanted = Type::Vector { element: *element, length: *length, scalable: *scalable };
    let length = *length;
    let mask = shuffle_mask(body, take, mask, length)?;
    let ty = body.decoder.find_type(take.record, wanted)?;
    Ok((InstructionKind::ShuffleVector { left, right, mask }, ty))
}

/// The elements that a constant vector of numbers names.
fn shuffle_mask(body: &mut Body<'_, '_>, take: &Take<'_>, mask: Operand, length: u32) -> Result<Vec<Option<u32>>> {
    body.decoder.spend(length as usize, take.record.byte)?;
    let constants = &body.decoder.module.constants;
    let Operand::Constant(id) = mask else { return take.record.error("a shuffle by something that is not constant") };
    let length = length as usize;
    Ok(match &constants[id.index()].kind {
        ConstantKind::Null => vec![Some(0); length],
        ConstantKind::Undef | ConstantKind::Poison => vec![None; length],
        ConstantKind::Data(bytes) => bytes
            .chunks_exact(4)
            .map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
            .map(|index| Some(index).filter(|&index| index != u32::MAX))
            .collect(),
        ConstantKind::Aggregate(elements) => elements
            .iter()
            .map(|element| match constants[element.index()].kind {
                ConstantKind::Integer(index) => Some(index as u32),
                _ => None,
            })
            .collect(),
        ConstantKind::Splat(element) => match constants[element.index()].kind {
            ConstantKind::Integer(index) => vec![Some(index as u32); length],
            _ => vec![None; length],
        },
        _ => return take.record.error("a shuffle by a constant that is not a list of numbers"),
    })
}
