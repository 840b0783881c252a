//! Constants: a block of them may refer to each other in any order, so it is read in two passes.

use crate::ir::constant::Assembly;
use crate::ir::{
    BinaryOperator, BlockId, CastOperator, Constant, ConstantId, ConstantKind, FunctionId, Operand, Type, TypeId,
    UnaryOperator,
};

use super::attributes::skip_range;
use super::codes::{block, constant as code};
use super::error::{Result, error};
use super::globals::function_type;
use super::module::Decoder;
use super::operators::{self, Predicate};
use super::record::{Record, Records, signed, text};
use super::stream::{Item, Stream};

/// A constant as its record says it: its operands are numbers of values.
struct Raw {
    ty: TypeId,
    kind: RawKind,
    byte: usize,
}

enum RawKind {
    /// One without operands.
    Leaf(ConstantKind),
    /// A vector of equal numbers.
    Splat(TypeId, ConstantKind),
    /// One with operands: what it is, given them.
    Operands(Shape, Vec<u64>),
}

/// What is made of operands.
enum Shape {
    Aggregate,
    Unary(UnaryOperator),
    /// With the bits of its flags.
    Binary(BinaryOperator, u64),
    Cast(CastOperator),
    GetElementPtr(TypeId, crate::ir::PointerFlags),
    Select,
    Compare(Predicate),
    ExtractElement,
    InsertElement,
    ShuffleVector,
    DsoLocalEquivalent,
    NoCfi,
    PointerAuthentication,
}

/// Reads a block of constants: of the module, or of the function that is being read.
pub(super) fn read(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>) -> Result<()> {
    let mut scope = stream.enter(block::CONSTANTS)?;
    let mut records = Records::default();
    loop {
        match stream.next(&mut scope)? {
            Item::End => break,
            Item::Block(id) => stream.skip(id)?,
            Item::Record(code) => records.push(code, stream.operands(), stream.byte()),
        }
    }
    let mut raws = Vec::new();
    let mut ty = None;
    for record in records.iter("constants") {
        if record.code == code::SET_TYPE {
            ty = Some(record.get(0)?);
            continue;
        }
        let number = match ty {
            Some(number) => number,
            None => return record.error("a constant without a type"),
        };
        let ty = decoder.ty(&record, number)?;
        let kind = raw(decoder, &record, ty, number)?;
        if let RawKind::Leaf(ConstantKind::WideInteger(words)) = &kind {
            decoder.spend(words.len(), record.byte)?;
        }
        raws.push(Raw { ty, kind, byte: record.byte });
    }
    resolve(decoder, raws)
}

/// Gives the constants of a block their places in the module: operands first. Without recursion: a
/// constant is entered when it is first met, and placed when its operands are.
fn resolve(decoder: &mut Decoder<'_>, raws: Vec<Raw>) -> Result<()> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Entered,
        Done(ConstantId),
    }
    let first = decoder.values.len() as u64;
    let mut states = vec![State::New; raws.len()];
    let mut stack = Vec::new();
    for root in 0..raws.len() {
        stack.push(root);
        while let Some(&top) = stack.last() {
            let raw = &raws[top];
            match states[top] {
                State::Done(_) => {
                    stack.pop();
                }
                State::New => {
                    states[top] = State::Entered;
                    let RawKind::Operands(_, operands) = &raw.kind else { continue };
                    for &number in operands {
                        let Some(inner) = number.checked_sub(first) else { continue };
                        match usize::try_from(inner).ok().and_then(|inner| states.get(inner)) {
                            None => {
                                return error(
                                    raw.byte,
                                    format!("a constant needs the value {number}, which there is not"),
                                );
                            }
                            Some(State::Entered) => return error(raw.byte, "a constant contains itself"),
                            Some(State::New) => stack.push(inner as usize),
                            Some(State::Done(_)) => {}
                        }
                    }
                }
                State::Entered => {
                    let find = |number: u64| match number.checked_sub(first) {
                        None => decoder.constant(number),
                        Some(inner) => match states[inner as usize] {
                            State::Done(id) => Some(id),
                            _ => None,
                        },
                    };
                    let kind = match &raw.kind {
                        RawKind::Leaf(kind) => kind.clone(),
                        RawKind::Splat(element, kind) => {
                            let id = ConstantId(decoder.module.constants.len() as u32);
                            decoder.module.constants.push(Constant { ty: *element, kind: kind.clone() });
                            ConstantKind::Splat(id)
                        }
                        RawKind::Operands(shape, operands) => {
                            let Some(operands) = operands.iter().map(|&number| find(number)).collect() else {
                                return error(raw.byte, "an operand of a constant is not a constant");
                            };
                            build(shape, operands, raw.byte)?
                        }
                    };
                    if let ConstantKind::Cast(CastOperator::BitCast, inner) = kind
                        && decoder.module.constants[inner.index()].ty == raw.ty
                    {
                        // From one pointer type of an old file to another.
                        states[top] = State::Done(inner);
                        stack.pop();
                        continue;
                    }
                    let id = ConstantId(decoder.module.constants.len() as u32);
                    decoder.module.constants.push(Constant { ty: raw.ty, kind });
                    states[top] = State::Done(id);
                    stack.pop();
                }
            }
        }
    }
    for state in states {
        if let State::Done(id) = state {
            decoder.values.push(Operand::Constant(id));
        }
    }
    Ok(())
}

/// A constant from its operands.
fn build(shape: &Shape, operands: Vec<ConstantId>, byte: usize) -> Result<ConstantKind> {
    use ConstantKind as Kind;
    Ok(match (shape, &operands[..]) {
        (Shape::Aggregate, _) => Kind::Aggregate(operands),
        (Shape::Unary(operator), &[one]) => Kind::Unary(*operator, one),
        (Shape::Binary(operator, flags), &[one, two]) => {
            Kind::Binary(*operator, operators::binary_flags(*operator, *flags), one, two)
        }
        (Shape::Cast(operator), &[one]) => Kind::Cast(*operator, one),
        (Shape::GetElementPtr(source, flags), [base, indices @ ..]) => {
            Kind::GetElementPtr { source: *source, base: *base, indices: indices.to_vec(), flags: *flags }
        }
        (Shape::Select, &[one, two, three]) => Kind::Select(one, two, three),
        (Shape::Compare(Predicate::Integer(predicate)), &[one, two]) => Kind::ICmp(*predicate, one, two),
        (Shape::Compare(Predicate::Float(predicate)), &[one, two]) => Kind::FCmp(*predicate, one, two),
        (Shape::ExtractElement, &[one, two]) => Kind::ExtractElement(one, two),
        (Shape::InsertElement, &[one, two, three]) => Kind::InsertElement(one, two, three),
        (Shape::ShuffleVector, &[one, two, three]) => Kind::ShuffleVector(one, two, three),
        (Shape::DsoLocalEquivalent, &[one]) => Kind::DsoLocalEquivalent(one),
        (Shape::NoCfi, &[one]) => Kind::NoCfi(one),
        (Shape::PointerAuthentication, &[one, two, three, four]) => {
            Kind::PointerAuthentication([one, two, three, four])
        }
        _ => return error(byte, "a constant with the wrong number of operands"),
    })
}

/// What a record says. `number` is the number of its type, as old files need it.
fn raw(decoder: &Decoder<'_>, record: &Record<'_>, ty: TypeId, number: u64) -> Result<RawKind> {
    use RawKind::{Leaf, Operands};
    let operand = |index| record.get(index);
    let leaf = match record.code {
        code::NULL => zero(decoder.kind(ty)),
        code::UNDEF => ConstantKind::Undef,
        code::POISON => ConstantKind::Poison,
        code::INTEGER | code::WIDE_INTEGER | code::FLOAT => return number_constant(decoder, record, ty),
        code::AGGREGATE => return Ok(Operands(Shape::Aggregate, record.operands.to_vec())),
        code::STRING => ConstantKind::Data(record.operands.iter().map(|&byte| byte as u8).collect()),
        code::C_STRING => {
            ConstantKind::Data(record.operands.iter().map(|&byte| byte as u8).chain(std::iter::once(0)).collect())
        }
        code::DATA => ConstantKind::Data(data(decoder, record, ty)?),
        code::BINARY => {
            let operator = operators::binary(record, operand(0)?, is_float(decoder, ty))?;
            return Ok(Operands(Shape::Binary(operator, record.optional(3)), vec![operand(1)?, operand(2)?]));
        }
        code::UNARY => match operand(0)? {
            0 => return Ok(Operands(Shape::Unary(UnaryOperator::FNeg), vec![operand(1)?])),
            operator => return record.error(format!("the unary operator {operator} is not known")),
        },
        code::CAST => {
            let operator = operators::cast(record, operand(0)?)?;
            return Ok(Operands(Shape::Cast(operator), vec![operand(2)?]));
        }
        code::GEP | code::GEP_INRANGE | code::GEP_OLD | code::GEP_INBOUNDS_OLD | code::GEP_INRANGE_OLD => {
            return get_element_ptr(decoder, record);
        }
        code::SELECT => return Ok(Operands(Shape::Select, vec![operand(0)?, operand(1)?, operand(2)?])),
        code::EXTRACT_ELEMENT => {
            let index = if record.len() == 4 { operand(3)? } else { operand(2)? };
            return Ok(Operands(Shape::ExtractElement, vec![operand(1)?, index]));
        }
        code::INSERT_ELEMENT => {
            let index = if record.len() == 4 { operand(3)? } else { operand(2)? };
            return Ok(Operands(Shape::InsertElement, vec![operand(0)?, operand(1)?, index]));
        }
        code::SHUFFLE => return Ok(Operands(Shape::ShuffleVector, vec![operand(0)?, operand(1)?, operand(2)?])),
        code::SHUFFLE_TYPED => {
            return Ok(Operands(Shape::ShuffleVector, vec![operand(1)?, operand(2)?, operand(3)?]));
        }
        code::COMPARE => {
            let predicate = operators::predicate(record, operand(3)?)?;
            return Ok(Operands(Shape::Compare(predicate), vec![operand(1)?, operand(2)?]));
        }
        code::BLOCK_ADDRESS => {
            ConstantKind::BlockAddress(function(decoder, record, operand(1)?)?, BlockId(record.small(2)?))
        }
        code::DSO_LOCAL_EQUIVALENT => return Ok(Operands(Shape::DsoLocalEquivalent, vec![operand(1)?])),
        code::NO_CFI => return Ok(Operands(Shape::NoCfi, vec![operand(1)?])),
        code::POINTER_AUTHENTICATION => {
            return Ok(Operands(
                Shape::PointerAuthentication,
                vec![operand(0)?, operand(1)?, operand(2)?, operand(3)?],
            ));
        }
        code::ASSEMBLY => assembly(record, function_type(decoder, record, operand(0)?)?.0, 1)?,
        code::ASSEMBLY_OLD2 | code::ASSEMBLY_OLD3 => assembly(record, function_type(decoder, record, number)?.0, 0)?,
        code => return record.error(format!("the constant code {code} is not known")),
    };
    Ok(Leaf(leaf))
}

/// Zero of a type.
fn zero(ty: &Type) -> ConstantKind {
    match ty {
        Type::Integer(bits) if *bits <= 64 => ConstantKind::Integer(0),
        Type::Integer(bits) => ConstantKind::WideInteger(vec![0; bits.div_ceil(64) as usize].into()),
        Type::Half | Type::BFloat | Type::Float | Type::Double | Type::X86Fp80 | Type::Fp128 | Type::PpcFp128 => {
            ConstantKind::Float(0)
        }
        _ => ConstantKind::Null,
    }
}

/// An integer or floating-point number, or a vector of equal ones.
fn number_constant(decoder: &Decoder<'_>, record: &Record<'_>, ty: TypeId) -> Result<RawKind> {
    let (element, splat) = match decoder.kind(ty) {
        Type::Vector { element, .. } => (*element, true),
        _ => (ty, false),
    };
    let kind = match (record.code, decoder.kind(element)) {
        (code::INTEGER, Type::Integer(bits)) => integer(&[signed(record.get(0)?) as u64], *bits, true),
        (code::WIDE_INTEGER, Type::Integer(bits)) => {
            let words: Vec<u64> = record.operands.iter().map(|&word| signed(word) as u64).collect();
            integer(&words, *bits, false)
        }
        (code::FLOAT, Type::X86Fp80) => {
            let (high, low) = (u128::from(record.get(0)?), u128::from(record.get(1)?));
            ConstantKind::Float(high << 16 | low & 0xffff)
        }
        (code::FLOAT, Type::Fp128 | Type::PpcFp128) => {
            let (low, high) = (u128::from(record.get(0)?), u128::from(record.get(1)?));
            ConstantKind::Float(high << 64 | low)
        }
        (code::FLOAT, Type::Half | Type::BFloat) => ConstantKind::Float(u128::from(record.get(0)? & 0xffff)),
        (code::FLOAT, Type::Float) => ConstantKind::Float(u128::from(record.get(0)? & 0xffff_ffff)),
        (code::FLOAT, Type::Double) => ConstantKind::Float(u128::from(record.get(0)?)),
        _ => return record.error("a number whose type is not that of a number"),
    };
    Ok(if splat { RawKind::Splat(element, kind) } else { RawKind::Leaf(kind) })
}

/// An integer of so many bits from words, the lowest first, with or without its sign.
fn integer(words: &[u64], bits: u32, sign: bool) -> ConstantKind {
    let fill = if sign && words.last().is_some_and(|word| word >> 63 != 0) { u64::MAX } else { 0 };
    let count = bits.div_ceil(64) as usize;
    let mask = u64::MAX >> (count as u32 * 64 - bits);
    if count == 1 {
        return ConstantKind::Integer(words.first().copied().unwrap_or(0) & mask);
    }
    let mut all: Vec<u64> = words.iter().copied().chain(std::iter::repeat(fill)).take(count).collect();
    all[count - 1] &= mask;
    ConstantKind::WideInteger(all.into())
}

/// The bytes of an array or vector of numbers.
fn data(decoder: &Decoder<'_>, record: &Record<'_>, ty: TypeId) -> Result<Vec<u8>> {
    let element = match decoder.kind(ty) {
        Type::Array(element, _) | Type::Vector { element, .. } => decoder.kind(*element),
        _ => return record.error("data that is neither an array nor a vector"),
    };
    let size = match element {
        Type::Integer(bits @ (8 | 16 | 32 | 64)) => *bits as usize / 8,
        Type::Half | Type::BFloat => 2,
        Type::Float => 4,
        Type::Double => 8,
        _ => return record.error("data whose elements are not numbers of 1, 2, 4 or 8 bytes"),
    };
    Ok(record.operands.iter().flat_map(|element| element.to_le_bytes().into_iter().take(size)).collect())
}

/// Address arithmetic in its several forms: the type of what is pointed to, flags, and then pairs
/// of types and values.
fn get_element_ptr(decoder: &Decoder<'_>, record: &Record<'_>) -> Result<RawKind> {
    let mut next = 0;
    let mut source = None;
    let mut flags = 0;
    let new = matches!(record.code, code::GEP | code::GEP_INRANGE | code::GEP_INRANGE_OLD);
    if new || record.len() % 2 == 1 {
        source = Some(decoder.ty(record, record.get(0)?)?);
        next = 1;
    }
    match record.code {
        code::GEP | code::GEP_INRANGE => {
            flags = record.get(1)?;
            next = 2;
            if record.code == code::GEP_INRANGE {
                let bits = record.get(2)?;
                next = 3;
                skip_range(record, bits, &mut next)?;
            }
        }
        code::GEP_INRANGE_OLD => {
            flags = record.get(1)? & 1;
            next = 2;
        }
        code::GEP_INBOUNDS_OLD => flags = 1,
        _ => {}
    }
    let pairs = record.rest(next).chunks_exact(2);
    let source = match (source, record.rest(next).first()) {
        (Some(source), Some(_)) => source,
        (None, Some(&pointer)) => match decoder.types.pointee(pointer) {
            Some(pointee) => pointee,
            None => return record.error("address arithmetic without a type"),
        },
        (_, None) => return record.error("address arithmetic without operands"),
    };
    let shape = Shape::GetElementPtr(source, operators::pointer_flags(flags));
    Ok(RawKind::Operands(shape, pairs.map(|pair| pair[1]).collect()))
}

/// The function that is the value with a number.
fn function(decoder: &Decoder<'_>, record: &Record<'_>, number: u64) -> Result<FunctionId> {
    match decoder.constant(number).map(|id| &decoder.module.constants[id.index()].kind) {
        Some(ConstantKind::Function(id)) => Ok(*id),
        _ => record.error("the address of a block of something that is not a function"),
    }
}

/// Inline assembly: flags, and two texts with their lengths.
fn assembly(record: &Record<'_>, ty: TypeId, first: usize) -> Result<ConstantKind> {
    let flags = record.get(first)?;
    let mut rest = record.rest(first + 1);
    let mut part = || {
        let (&length, after) = rest.split_first()?;
        let length = usize::try_from(length).ok().filter(|&length| length <= after.len())?;
        let (letters, after) = after.split_at(length);
        rest = after;
        Some(text(letters))
    };
    let (Some(text), Some(constraints)) = (part(), part()) else {
        return record.error("inline assembly is not complete");
    };
    Ok(ConstantKind::Assembly(Box::new(Assembly {
        ty,
        text,
        constraints,
        side_effects: flags & 1 != 0,
        align_stack: flags & 2 != 0,
        intel: flags & 4 != 0,
        unwinds: flags & 8 != 0,
    })))
}

/// Whether a type is a floating-point number, or a vector of them.
pub(super) fn is_float(decoder: &Decoder<'_>, ty: TypeId) -> bool {
    let scalar = match decoder.kind(ty) {
        Type::Vector { element, .. } => decoder.kind(*element),
        ty => ty,
    };
    matches!(
        scalar,
        Type::Half | Type::BFloat | Type::Float | Type::Double | Type::X86Fp80 | Type::Fp128 | Type::PpcFp128
    )
}
