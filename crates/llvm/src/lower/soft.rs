//! Floating-point numbers of formats that are computed by software: `long double` and others.

use crate::code::Kind;
use crate::code::instruction::{FloatCondition, Format, Instruction, Number, Soft};
use crate::ir::{BinaryOperator, CastOperator};
use crate::native::Native;

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::{Part, Scalar};

/// A number in one register or two.
type Pair = [Value; 2];

impl Body<'_, '_> {
    /// An operation on each number of rows of one or two operands.
    pub(super) fn soft_lanes(
        &mut self,
        op: Soft,
        parts: &[Part],
        operands: &[Vec<Value>],
    ) -> Result<Vec<Value>, Refusal> {
        let mut values = Vec::with_capacity(parts.len());
        for (at, scalar) in numbers(parts) {
            let format = scalar.format().ok_or("floating-point arithmetic on integers")?;
            let a = number(operands.first(), at, scalar)?;
            let b = match operands.get(1) {
                Some(_) => number(operands.get(1), at, scalar)?,
                None => a,
            };
            let result = self.soft(op, format, a, b);
            values.extend(&result[..1 + usize::from(scalar.begins_pair())]);
        }
        Ok(values)
    }

    /// Product and sum of each number, rounded once.
    pub(super) fn soft_multiply_add(&mut self, parts: &[Part], operands: &[Vec<Value>]) -> Result<Vec<Value>, Refusal> {
        let mut values = Vec::with_capacity(parts.len());
        for (at, scalar) in numbers(parts) {
            let format = scalar.format().ok_or("floating-point arithmetic on integers")?;
            let mut numbers = Vec::with_capacity(6);
            for operand in operands {
                numbers.extend(number(Some(operand), at, scalar)?);
            }
            for half in 0..1 + u64::from(scalar.begins_pair()) {
                let all =
                    [Value::Number(half), Value::Number(format as u64)].into_iter().chain(numbers.iter().copied());
                let arguments: Vec<_> = all.map(|value| (self.temp(value), Kind::Integer(64))).collect();
                let (first, count) = (self.draft.operands.len() as u32, arguments.len() as u16);
                self.draft.operands.extend(arguments);
                let native = Native::SoftMultiplyAdd;
                values.push(self.emit_value(|dst| Instruction::Native { native, count, dst, first, shape: 0 }));
            }
        }
        Ok(values)
    }

    /// An operation.
    pub(super) fn soft(&mut self, op: Soft, format: Format, a: Pair, b: Pair) -> Pair {
        let [a_low, a_high] = a.map(|value| self.temp(value));
        let [b_low, b_high] = b.map(|value| self.temp(value));
        let (low, high) = (self.draft.temp(), self.draft.temp());
        self.emit(Instruction::Soft { op, format, low, high, a_low, a_high, b_low, b_high });
        [Value::Temp(low), Value::Temp(high)]
    }

    /// Each number times a power of two.
    pub(super) fn soft_scale(&mut self, parts: &[Part], values: &[Value], by: &[Value]) -> Result<Vec<Value>, Refusal> {
        let mut results = Vec::with_capacity(parts.len());
        for (lane, (at, scalar)) in numbers(parts).enumerate() {
            let format = scalar.format().ok_or("floating-point arithmetic on integers")?;
            let by = *by.get(lane).or(by.first()).ok_or("an intrinsic with other arguments")?;
            let a = number(Some(values), at, scalar)?;
            let result = self.soft(Soft::Scale, format, a, [by, by]);
            results.extend(&result[..1 + usize::from(scalar.begins_pair())]);
        }
        Ok(results)
    }

    /// A function of doubles, of each number: what it gives is as exact as a double is.
    pub(super) fn mathematics(
        &mut self,
        native: Native,
        parts: &[Part],
        operands: &[Vec<Value>],
    ) -> Result<Vec<Value>, Refusal> {
        let double = Number::Float(Format::Double);
        let mut results = Vec::with_capacity(parts.len());
        for (at, scalar) in numbers(parts) {
            let own = Number::Float(scalar.format().ok_or("floating-point arithmetic on integers")?);
            let mut arguments = Vec::with_capacity(operands.len());
            for operand in operands {
                let value = number(Some(operand), at, scalar)?;
                let [wide, _] = self.soft_convert(own, double, value);
                arguments.push((self.temp(wide), Kind::F64));
            }
            let (first, count) = (self.draft.operands.len() as u32, arguments.len() as u16);
            self.draft.operands.extend(arguments);
            let value = self.emit_value(|dst| Instruction::Native { native, count, dst, first, shape: 0 });
            let result = self.soft_convert(double, own, [value, value]);
            results.extend(&result[..1 + usize::from(scalar.begins_pair())]);
        }
        Ok(results)
    }

    /// A comparison, number by number.
    pub(super) fn soft_compare(
        &mut self,
        condition: FloatCondition,
        parts: &[Part],
        left: &[Value],
        right: &[Value],
    ) -> Result<Vec<Value>, Refusal> {
        let mut values = Vec::new();
        for (at, scalar) in numbers(parts) {
            let format = scalar.format().ok_or("a comparison of floating-point numbers that are none")?;
            let (a, b) = (number(Some(left), at, scalar)?, number(Some(right), at, scalar)?);
            let [a_low, a_high] = a.map(|value| self.temp(value));
            let [b_low, b_high] = b.map(|value| self.temp(value));
            let compare = |dst| Instruction::SoftCompare { condition, format, dst, a_low, a_high, b_low, b_high };
            values.push(self.emit_value(compare));
        }
        Ok(values)
    }

    /// A conversion from or to such numbers.
    pub(super) fn soft_cast(
        &mut self,
        operator: CastOperator,
        from: &[Part],
        to: &[Part],
        values: &[Value],
    ) -> Result<Vec<Value>, Refusal> {
        let mut results = Vec::with_capacity(to.len());
        for ((at, source), (_, target)) in numbers(from).zip(numbers(to)) {
            let value = number(Some(values), at, source)?;
            let (from, to) = match operator {
                CastOperator::FPTrunc | CastOperator::FPExt => {
                    (source.format().map(Number::Float), target.format().map(Number::Float))
                }
                CastOperator::FPToSI => (source.format().map(Number::Float), Some(Number::Signed(bits(target)))),
                CastOperator::FPToUI => (source.format().map(Number::Float), Some(Number::Unsigned(bits(target)))),
                CastOperator::SIToFP => (Some(Number::Signed(bits(source))), target.format().map(Number::Float)),
                CastOperator::UIToFP => (Some(Number::Unsigned(bits(source))), target.format().map(Number::Float)),
                _ => (None, None),
            };
            let (Some(from), Some(to)) = (from, to) else {
                return Err("a conversion of floating-point numbers of a rare kind".into());
            };
            // Of one bit, signed, 1 is -1.
            let value = match from {
                Number::Signed(1) => [self.subtract(64, Value::Number(0), value[0]), value[1]],
                _ => value,
            };
            let result = self.soft_convert(from, to, value);
            results.extend(&result[..1 + usize::from(target.begins_pair())]);
        }
        Ok(results)
    }

    /// A conversion.
    pub(super) fn soft_convert(&mut self, from: Number, to: Number, value: Pair) -> Pair {
        let [a_low, a_high] = value.map(|value| self.temp(value));
        let (low, high) = (self.draft.temp(), self.draft.temp());
        self.emit(Instruction::SoftConvert { from, to, low, high, a_low, a_high });
        [Value::Temp(low), Value::Temp(high)]
    }
}

/// The numbers of a row of parts: where each begins.
fn numbers(parts: &[Part]) -> impl Iterator<Item = (usize, Scalar)> {
    let rest = |scalar: Scalar| matches!(scalar, Scalar::High(_) | Scalar::FloatHigh(_));
    parts.iter().enumerate().filter(move |(_, part)| !rest(part.scalar)).map(|(at, part)| (at, part.scalar))
}

/// The number that begins at a part.
fn number<V: AsRef<[Value]> + ?Sized>(values: Option<&V>, at: usize, scalar: Scalar) -> Result<Pair, Refusal> {
    let values = values.map_or(&[][..], AsRef::as_ref);
    let low = *values.get(at).ok_or("half of a value of 128 bits")?;
    match scalar.begins_pair() {
        true => Ok([low, *values.get(at + 1).ok_or("half of a value of 128 bits")?]),
        false => Ok([low, low]),
    }
}

/// The bits of an integer.
fn bits(scalar: Scalar) -> u8 {
    if let Scalar::Low(bits) = scalar { bits } else { scalar.bits() }
}

/// An operator on floating-point numbers.
pub(super) fn soft_operator(operator: BinaryOperator) -> Option<Soft> {
    match operator {
        BinaryOperator::FAdd => Some(Soft::Add),
        BinaryOperator::FSub => Some(Soft::Subtract),
        BinaryOperator::FMul => Some(Soft::Multiply),
        BinaryOperator::FDiv => Some(Soft::Divide),
        BinaryOperator::FRem => Some(Soft::Remainder),
        _ => None,
    }
}
