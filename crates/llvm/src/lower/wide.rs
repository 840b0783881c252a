//! Integers of 65 to 128 bits: two registers, the whole sign-extended to 128 bits.

use crate::code::instruction::{Instruction, Number, Overflowing, Partial, Rare, Wide};
use crate::ir::{BinaryOperator, CastOperator, IntegerPredicate};

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::Scalar;

/// Both halves.
type Pair = [Value; 2];

impl Body<'_, '_> {
    /// An operator on integers of so many bits.
    pub(super) fn wide_binary(
        &mut self,
        operator: BinaryOperator,
        bits: u8,
        a: Pair,
        b: Pair,
    ) -> Result<Pair, Refusal> {
        let op = match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => {
                return Ok([self.bitwise(operator, a[0], b[0]), self.bitwise(operator, a[1], b[1])]);
            }
            BinaryOperator::Add => Wide::Add,
            BinaryOperator::Sub => Wide::Subtract,
            BinaryOperator::Mul => Wide::Multiply,
            BinaryOperator::UDiv => Wide::Divide,
            BinaryOperator::SDiv => Wide::DivideSigned,
            BinaryOperator::URem => Wide::Remainder,
            BinaryOperator::SRem => Wide::RemainderSigned,
            BinaryOperator::Shl => Wide::ShiftLeft,
            BinaryOperator::LShr => Wide::ShiftRight,
            BinaryOperator::AShr => Wide::ShiftRightSigned,
            _ => return Err("floating-point arithmetic on integers".into()),
        };
        if bits == 128 {
            return Ok(self.wide(op, a, b));
        }
        let a = match op {
            Wide::Divide | Wide::Remainder | Wide::ShiftRight => self.wide_zero_extended(bits, a),
            _ => a,
        };
        let b = match op {
            Wide::Divide | Wide::Remainder => self.wide_zero_extended(bits, b),
            Wide::ShiftLeft | Wide::ShiftRight | Wide::ShiftRightSigned => {
                // Too far is too far for 128 bits as well.
                let limit = [Value::Number(u64::from(bits)), Value::Number(0)];
                let fits = self.wide_compare(IntegerPredicate::UnsignedLess, b, limit);
                [self.pick(fits, b[0], Value::Number(128)), self.pick(fits, b[1], Value::Number(0))]
            }
            _ => b,
        };
        let result = self.wide(op, a, b);
        Ok(self.wide_wrapped(bits, result))
    }

    /// An operation on 128 bits.
    pub(super) fn wide(&mut self, op: Wide, a: Pair, b: Pair) -> Pair {
        let [a_low, a_high] = a.map(|value| self.temp(value));
        let [b_low, b_high] = b.map(|value| self.temp(value));
        let (low, high) = (self.draft.temp(), self.draft.temp());
        self.emit(Instruction::Wide { op, low, high, a_low, a_high, b_low, b_high });
        [Value::Temp(low), Value::Temp(high)]
    }

    /// The lowest bits, sign-extended.
    fn wide_wrapped(&mut self, bits: u8, value: Pair) -> Pair {
        let high = self.wrapped(value[1], bits - 64);
        [value[0], self.signed_rest(bits - 64, high)]
    }

    /// A single bit is kept as 0 or 1; that of the sign of a larger number as 0 or -1.
    pub(super) fn signed_rest(&mut self, rest: u8, high: Value) -> Value {
        if rest == 1 { self.subtract(64, Value::Number(0), high) } else { high }
    }

    /// The lowest bits, zero-extended.
    fn wide_zero_extended(&mut self, bits: u8, value: Pair) -> Pair {
        let high = match bits {
            65 => self.bitwise(BinaryOperator::And, value[1], Value::Number(1)),
            _ => self.zero_extended(value[1], bits - 64),
        };
        [value[0], high]
    }

    pub(super) fn wide_compare(&mut self, predicate: IntegerPredicate, a: [Value; 2], b: [Value; 2]) -> Value {
        use IntegerPredicate::*;
        if matches!(predicate, Equal | NotEqual) {
            let low = self.bitwise(BinaryOperator::Xor, a[0], b[0]);
            let high = self.bitwise(BinaryOperator::Xor, a[1], b[1]);
            let any = self.bitwise(BinaryOperator::Or, low, high);
            return self.scalar_compare(predicate, 64, any, Value::Number(0));
        }
        let op = match predicate {
            SignedLess | SignedGreater | SignedLessEqual | SignedGreaterEqual => Wide::LessSigned,
            _ => Wide::Less,
        };
        let swaps = matches!(predicate, SignedGreater | UnsignedGreater | SignedLessEqual | UnsignedLessEqual);
        let negates =
            matches!(predicate, SignedLessEqual | SignedGreaterEqual | UnsignedLessEqual | UnsignedGreaterEqual);
        let (a, b) = if swaps { (b, a) } else { (a, b) };
        let [less, _] = self.wide(op, a, b);
        if negates { self.bitwise(BinaryOperator::Xor, less, Value::Number(1)) } else { less }
    }

    /// Arithmetic that says whether it overflowed.
    pub(super) fn wide_overflowing(&mut self, op: Overflowing, bits: u8, a: Pair, b: Pair) -> (Pair, Value) {
        let (compute, overflows, signed) = match op {
            Overflowing::AddSigned => (Wide::Add, Wide::AddOverflowsSigned, true),
            Overflowing::Add => (Wide::Add, Wide::AddOverflows, false),
            Overflowing::SubtractSigned => (Wide::Subtract, Wide::SubtractOverflowsSigned, true),
            Overflowing::Subtract => (Wide::Subtract, Wide::SubtractOverflows, false),
            Overflowing::MultiplySigned => (Wide::Multiply, Wide::MultiplyOverflowsSigned, true),
            Overflowing::Multiply => (Wide::Multiply, Wide::MultiplyOverflows, false),
        };
        let extend = |body: &mut Self, value| if signed { value } else { body.wide_zero_extended(bits, value) };
        let (a, b) = (extend(self, a), extend(self, b));
        let exact = self.wide(compute, a, b);
        let [beyond, _] = self.wide(overflows, a, b);
        if bits == 128 {
            return (exact, beyond);
        }
        let result = self.wide_wrapped(bits, exact);
        let again = extend(self, result);
        let differs = self.wide_compare(IntegerPredicate::NotEqual, again, exact);
        (result, self.bitwise(BinaryOperator::Or, beyond, differs))
    }

    /// A rare operation, where there is one of so many bits.
    pub(super) fn wide_rare(&mut self, op: Rare, bits: u8, a: Pair, b: Pair) -> Option<Pair> {
        let mut choose = |predicate| {
            let first = self.wide_compare(predicate, a, b);
            Some([self.pick(first, a[0], b[0]), self.pick(first, a[1], b[1])])
        };
        let op = match op {
            Rare::MinSigned => return choose(IntegerPredicate::SignedLess),
            Rare::MaxSigned => return choose(IntegerPredicate::SignedGreater),
            Rare::Min => return choose(IntegerPredicate::UnsignedLess),
            Rare::Max => return choose(IntegerPredicate::UnsignedGreater),
            Rare::Absolute => {
                let zero = [Value::Number(0); 2];
                let negative = self.wide_compare(IntegerPredicate::SignedLess, a, zero);
                let negated = self.wide_binary(BinaryOperator::Sub, bits, zero, a).ok()?;
                return Some([self.pick(negative, negated[0], a[0]), self.pick(negative, negated[1], a[1])]);
            }
            Rare::CountOnes => Wide::CountOnes,
            Rare::LeadingZeros => Wide::LeadingZeros,
            Rare::TrailingZeros => Wide::TrailingZeros,
            Rare::SwapBytes => Wide::SwapBytes,
            Rare::ReverseBits => Wide::ReverseBits,
            _ => return None,
        };
        let spare = [Value::Number(u64::from(128 - bits)), Value::Number(0)];
        // What counts from above, or turns everything round, has the bits at the upper end.
        let a = match op {
            Wide::CountOnes => self.wide_zero_extended(bits, a),
            Wide::TrailingZeros => a,
            _ => self.wide(Wide::ShiftLeft, a, spare),
        };
        let result = match op {
            Wide::SwapBytes | Wide::ReverseBits => {
                // The other way round, they are at the lower end.
                let lower = self.wide(op, a, a);
                self.wide_wrapped(bits, lower)
            }
            _ => self.wide(op, a, a),
        };
        if matches!(op, Wide::CountOnes | Wide::SwapBytes | Wide::ReverseBits) {
            return Some(result);
        }
        let most = [Value::Number(u64::from(bits)), Value::Number(0)];
        let fewer = self.wide_compare(IntegerPredicate::UnsignedLess, result, most);
        Some([self.pick(fewer, result[0], most[0]), Value::Number(0)])
    }

    /// A fault where the result of signed arithmetic has more bits.
    pub(super) fn wide_checked(&mut self, op: Partial, bits: u8, a: Pair, b: Pair) {
        let op = match op {
            Partial::AddSigned => Overflowing::AddSigned,
            Partial::SubtractSigned => Overflowing::SubtractSigned,
            _ => Overflowing::MultiplySigned,
        };
        let (_, overflows) = self.wide_overflowing(op, bits, a, b);
        // Of two bits, signed, 1 is the largest number.
        self.partial(Partial::AddSigned, 2, overflows, Value::Number(1));
    }

    /// A conversion from or to such integers.
    pub(super) fn wide_cast(
        &mut self,
        operator: CastOperator,
        from: Scalar,
        to: Scalar,
        low: Value,
        high: Option<Value>,
    ) -> Result<Vec<Value>, Refusal> {
        let double = from == Scalar::F64 || to == Scalar::F64;
        let wide = |scalar| if let Scalar::Low(bits) = scalar { Some(bits) } else { None };
        match (operator, high, wide(to)) {
            (CastOperator::Trunc, Some(high), Some(bits)) => Ok(self.wide_wrapped(bits, [low, high]).to_vec()),
            (CastOperator::Trunc | CastOperator::PtrToInt, Some(_), None) => Ok(vec![self.wrapped(low, to.bits())]),
            (CastOperator::IntToPtr, Some(_), None) => Ok(vec![low]),
            (CastOperator::ZExt, Some(high), Some(_)) => {
                Ok(self.wide_zero_extended(wide(from).unwrap_or(128), [low, high]).to_vec())
            }
            (CastOperator::SExt, Some(high), Some(_)) => Ok(vec![low, high]),
            (CastOperator::ZExt | CastOperator::PtrToInt | CastOperator::PtrToAddr, None, _) => {
                Ok(vec![self.zero_extended(low, from.bits()), Value::Number(0)])
            }
            (CastOperator::SExt, None, _) => {
                let low = if from.bits() == 1 { self.subtract(64, Value::Number(0), low) } else { low };
                let high = self.shift(BinaryOperator::AShr, 64, low, Value::Number(63));
                Ok(vec![low, high])
            }
            (CastOperator::UIToFP | CastOperator::SIToFP, Some(high), None) => {
                let signed = operator == CastOperator::SIToFP;
                let bits = wide(from).unwrap_or(128);
                let [low, high] = if signed { [low, high] } else { self.wide_zero_extended(bits, [low, high]) };
                let (low, high) = (self.temp(low), self.temp(high));
                Ok(vec![self.emit_value(|dst| Instruction::WideToFloat { signed, double, dst, low, high })])
            }
            (CastOperator::FPToUI | CastOperator::FPToSI, None, Some(128)) => {
                let (src, signed) = (self.temp(low), operator == CastOperator::FPToSI);
                let (low, high) = (self.draft.temp(), self.draft.temp());
                self.emit(Instruction::FloatToWide { signed, double, low, high, src });
                Ok(vec![Value::Temp(low), Value::Temp(high)])
            }
            (CastOperator::FPToUI | CastOperator::FPToSI, None, Some(bits)) => {
                let from = Number::Float(from.format().ok_or("a conversion of what is no floating-point number")?);
                let signed = operator == CastOperator::FPToSI;
                let to = if signed { Number::Signed(bits) } else { Number::Unsigned(bits) };
                Ok(self.soft_convert(from, to, [low, low]).to_vec())
            }
            _ => Err("a conversion of 128 bits of a rare kind".into()),
        }
    }
}

/// The two halves of 128 bits.
pub(super) fn pair(values: &[Value], at: usize) -> Result<[Value; 2], Refusal> {
    match values.get(at..at + 2) {
        Some(&[low, high]) => Ok([low, high]),
        _ => Err("half of a value of 128 bits".into()),
    }
}
