//! Conversions.

use crate::code::instruction::{Conversion, Instruction};
use crate::ir::{self, BinaryOperator, CastOperator, Operand};

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::{Part, Scalar, zero_extend};

impl Body<'_, '_> {
    pub(super) fn cast(
        &mut self,
        operator: CastOperator,
        operand: Operand,
        instruction: &ir::Instruction,
    ) -> Result<Vec<Value>, Refusal> {
        let (from, to) = (self.parts(self.type_of(operand))?, self.parts(instruction.ty)?);
        let values = self.scalars(operand)?;
        if operator == CastOperator::BitCast {
            return self.regroup(&from, &to, values);
        }
        if matches!(operator, CastOperator::PtrToInt | CastOperator::PtrToAddr)
            && instruction.result.is_some_and(|result| self.promotion.exposed[result.index()])
        {
            for &value in &values {
                let src = self.temp(value);
                self.emit(Instruction::Expose { src });
            }
        }
        if from.iter().chain(&*to).any(|part| part.scalar.soft().is_some()) {
            return self.soft_cast(operator, &from, &to, &values);
        }
        let mut results = Vec::with_capacity(to.len());
        let (mut source, mut target) = (0, 0);
        while source < from.len().min(values.len()) && target < to.len() {
            let [from_wide, to_wide] = [&from[source], &to[target]].map(|part| part.scalar.begins_pair());
            let high = if from_wide { values.get(source + 1).copied() } else { None };
            let (low, from_scalar) = (values[source], from[source].scalar);
            let made = if from_wide || to_wide {
                self.wide_cast(operator, from_scalar, to[target].scalar, low, high)?
            } else {
                vec![self.scalar_cast(operator, from_scalar, to[target].scalar, low)?]
            };
            results.extend(made);
            source += 1 + usize::from(from_wide);
            target += 1 + usize::from(to_wide);
        }
        Ok(results)
    }

    fn scalar_cast(
        &mut self,
        operator: CastOperator,
        from: Scalar,
        to: Scalar,
        value: Value,
    ) -> Result<Value, Refusal> {
        let (from_bits, bits) = (from.bits(), to.bits());
        // Of one bit, signed, 1 is -1.
        let value = match operator {
            CastOperator::SIToFP if from_bits == 1 => self.subtract(64, Value::Number(0), value),
            _ => value,
        };
        let convert = |body: &mut Self, op, bits| {
            let src = body.temp(value);
            Ok(body.emit_value(|dst| Instruction::Convert { op, bits, dst, src }))
        };
        match operator {
            CastOperator::Trunc => Ok(self.wrapped(value, bits)),
            CastOperator::ZExt => Ok(self.zero_extended(value, from_bits)),
            CastOperator::SExt if from_bits == 1 => Ok(self.subtract(64, Value::Number(0), value)),
            CastOperator::SExt | CastOperator::AddrSpaceCast | CastOperator::BitCast => Ok(value),
            CastOperator::PtrToInt | CastOperator::PtrToAddr => Ok(self.wrapped(value, bits)),
            CastOperator::IntToPtr => Ok(self.zero_extended(value, from_bits)),
            CastOperator::FPToUI if from == Scalar::F32 => convert(self, Conversion::F32ToUnsigned, bits),
            CastOperator::FPToUI => convert(self, Conversion::F64ToUnsigned, bits),
            CastOperator::FPToSI if from == Scalar::F32 => convert(self, Conversion::F32ToSigned, bits),
            CastOperator::FPToSI => convert(self, Conversion::F64ToSigned, bits),
            CastOperator::UIToFP if to == Scalar::F32 => convert(self, Conversion::UnsignedToF32, from_bits),
            CastOperator::UIToFP => convert(self, Conversion::UnsignedToF64, from_bits),
            CastOperator::SIToFP if to == Scalar::F32 => convert(self, Conversion::SignedToF32, from_bits),
            CastOperator::SIToFP => convert(self, Conversion::SignedToF64, from_bits),
            CastOperator::FPTrunc | CastOperator::FPExt if from == to => Ok(value),
            CastOperator::FPTrunc => convert(self, Conversion::F64ToF32, bits),
            CastOperator::FPExt => convert(self, Conversion::F32ToF64, bits),
        }
    }

    /// Zero-extended to 64 bits.
    pub(super) fn zero_extended(&mut self, value: Value, bits: u8) -> Value {
        match value {
            Value::Number(number) => Value::Number(zero_extend(number, bits)),
            value if bits == 1 || bits == 64 => value,
            value => {
                let src = self.temp(value);
                self.emit_value(|dst| Instruction::ZeroExtend { dst, src, bits })
            }
        }
    }

    /// The same bits in other parts: a vector as an integer, and so on.
    fn regroup(&mut self, from: &[Part], to: &[Part], values: Vec<Value>) -> Result<Vec<Value>, Refusal> {
        let bits = |parts: &[Part]| parts.iter().map(|part| part.scalar.bits()).collect::<Vec<u8>>();
        let (from, to) = (bits(from), bits(to));
        let total = |bits: &[u8]| bits.iter().map(|&bits| u32::from(bits)).sum::<u32>();
        if from == to {
            return Ok(values);
        }
        if total(&from) != total(&to) || values.len() != from.len() {
            return Err("a conversion between types of different sizes".into());
        }
        let mut results = Vec::with_capacity(to.len());
        let mut target_start = 0;
        for &width in &to {
            let target_end = target_start + u32::from(width);
            let mut gathered = Value::Number(0);
            let mut start = 0;
            for (&bits, &value) in from.iter().zip(&values) {
                let end = start + u32::from(bits);
                if start < target_end && target_start < end {
                    gathered = self.gather(gathered, value, bits, target_start as i64 - i64::from(start));
                }
                start = end;
            }
            results.push(self.wrapped(gathered, width));
            target_start = target_end;
        }
        Ok(results)
    }

    /// `gathered | zero(value, bits) >> by`, to the left where `by` is negative.
    fn gather(&mut self, gathered: Value, value: Value, bits: u8, by: i64) -> Value {
        let value = self.zero_extended(value, bits);
        let moved = match by {
            0 => value,
            1.. => self.shift(BinaryOperator::LShr, 64, value, Value::Number(by as u64)),
            _ => self.shift(BinaryOperator::Shl, 64, value, Value::Number(by.unsigned_abs())),
        };
        match gathered {
            Value::Number(0) => moved,
            gathered => self.bitwise(BinaryOperator::Or, gathered, moved),
        }
    }
}
