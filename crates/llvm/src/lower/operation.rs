//! Arithmetic, conversions, comparisons and the parts of aggregates.

use crate::code::instruction::{
    Condition, Conversion, FloatBinary, FloatCondition, FloatUnary, Instruction, Partial, Wide,
};
use crate::ir::{
    self, BinaryOperator, CastOperator, InstructionKind, IntegerPredicate, Operand, Type, TypeId, UnaryOperator,
};

use super::arithmetic;
use super::body::{Body, Refusal};
use super::constant::float_condition;
use super::draft::Value;
use super::scalar::{Part, Scalar, wrap, zero_extend};

/// A number that fits the immediate operand of an instruction.
pub(super) fn small(value: Value) -> Option<i32> {
    match value {
        Value::Number(number) => i32::try_from(number as i64).ok(),
        _ => None,
    }
}

impl<'a> Body<'_, 'a> {
    /// An instruction that computes a value from values.
    pub(super) fn operation(&mut self, instruction: &'a ir::Instruction) -> Result<(), Refusal> {
        let values = match &instruction.kind {
            InstructionKind::Unary(UnaryOperator::FNeg, _, operand) => {
                let parts = self.parts(instruction.ty)?;
                let operands = self.scalars(*operand)?;
                parts
                    .iter()
                    .zip(operands)
                    .map(|(part, value)| self.float_unary(FloatUnary::Negate, part.scalar, value))
                    .collect()
            }
            InstructionKind::Binary { operator: BinaryOperator::Xor, left, right, .. }
                if self.postpone_negation(instruction, *left, *right) =>
            {
                return Ok(());
            }
            InstructionKind::Binary { operator, flags, left, right, .. } => {
                let checked = flags.no_signed_wrap && self.lowering.settings.overflow;
                self.binary(*operator, instruction.ty, *left, *right, checked)?
            }
            InstructionKind::Cast { operator, operand, .. } => self.cast(*operator, *operand, instruction)?,
            InstructionKind::ICmp { predicate, left, right, .. } => {
                if self.postpone(instruction, *predicate, *left, *right)? {
                    return Ok(());
                }
                self.compare(*predicate, *left, *right)?
            }
            InstructionKind::FCmp { predicate, left, right, .. } => {
                let parts = self.parts(self.type_of(*left))?;
                let (left, right) = (self.scalars(*left)?, self.scalars(*right)?);
                let condition = FloatCondition(float_condition(*predicate));
                let lanes = parts.iter().zip(left.into_iter().zip(right));
                lanes
                    .map(|(part, (a, b))| {
                        let (a, b, double) = (self.temp(a), self.temp(b), part.scalar == Scalar::F64);
                        self.emit_value(|dst| Instruction::FloatCompare { condition, double, dst, a, b })
                    })
                    .collect()
            }
            InstructionKind::Select { condition, yes, no, .. } => self.select(*condition, *yes, *no)?,
            InstructionKind::Freeze(operand) => self.scalars(*operand)?,
            InstructionKind::ExtractValue(aggregate, indices) => {
                let range = self.range(self.type_of(*aggregate), indices)?;
                self.scalars(*aggregate)?.get(range).ok_or("a part that the aggregate does not have")?.to_vec()
            }
            InstructionKind::InsertValue { aggregate, value, indices } => {
                let range = self.range(self.type_of(*aggregate), indices)?;
                let (mut values, part) = (self.scalars(*aggregate)?, self.scalars(*value)?);
                if range.end > values.len() {
                    return Err("a part that the aggregate does not have".into());
                }
                values.splice(range, part);
                values
            }
            InstructionKind::ExtractElement(vector, index) => self.extract_element(*vector, *index)?,
            InstructionKind::InsertElement { vector, value, index } => self.insert_element(*vector, *value, *index)?,
            InstructionKind::ShuffleVector { left, right, mask } => {
                let (mut lanes, right) = (self.scalars(*left)?, self.scalars(*right)?);
                lanes.extend(right);
                let lane =
                    |at: &Option<u32>| at.and_then(|at| lanes.get(at as usize).copied()).unwrap_or(Value::Undefined);
                mask.iter().map(lane).collect()
            }
            _ => return Err("an instruction that computes nothing".into()),
        };
        self.result(instruction, &values);
        Ok(())
    }

    /// A binary operator on all lanes.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        ty: TypeId,
        left: Operand,
        right: Operand,
        checked: bool,
    ) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(ty)?;
        let (left, right) = (self.scalars(left)?, self.scalars(right)?);
        let mut values = Vec::with_capacity(parts.len());
        let mut at = 0;
        while at < parts.len().min(left.len()).min(right.len()) {
            if parts[at].scalar == Scalar::Low {
                values.extend(self.wide_binary(operator, pair(&left, at)?, pair(&right, at)?)?);
                at += 2;
            } else {
                values.push(self.scalar_binary(operator, parts[at].scalar, left[at], right[at], checked)?);
                at += 1;
            }
        }
        Ok(values)
    }

    fn scalar_binary(
        &mut self,
        operator: BinaryOperator,
        scalar: Scalar,
        a: Value,
        b: Value,
        checked: bool,
    ) -> Result<Value, Refusal> {
        if let Some(op) = float_operator(operator) {
            let (a, b, double) = (self.temp(a), self.temp(b), scalar == Scalar::F64);
            return Ok(self.emit_value(|dst| Instruction::FloatBinary { op, double, dst, a, b }));
        }
        let bits = scalar.bits();
        if checked && let Some(op) = checked_operator(operator) {
            return Ok(self.partial(op, bits, a, b));
        }
        if let (Value::Number(a), Value::Number(b)) = (a, b)
            && let Some(known) = arithmetic::binary(operator, bits, a, b)
        {
            return Ok(Value::Number(known));
        }
        Ok(match operator {
            BinaryOperator::Add => self.add_integers(bits, a, b),
            BinaryOperator::Sub => self.subtract(bits, a, b),
            BinaryOperator::Mul => self.multiply(bits, a, b),
            BinaryOperator::And => self.bitwise(operator, a, b),
            BinaryOperator::Or => self.bitwise(operator, a, b),
            BinaryOperator::Xor => self.bitwise(operator, a, b),
            BinaryOperator::Shl | BinaryOperator::LShr | BinaryOperator::AShr => self.shift(operator, bits, a, b),
            BinaryOperator::UDiv => self.partial(Partial::Divide, bits, a, b),
            BinaryOperator::SDiv => self.partial(Partial::DivideSigned, bits, a, b),
            BinaryOperator::URem => self.partial(Partial::Remainder, bits, a, b),
            BinaryOperator::SRem => self.partial(Partial::RemainderSigned, bits, a, b),
            BinaryOperator::FAdd
            | BinaryOperator::FSub
            | BinaryOperator::FMul
            | BinaryOperator::FDiv
            | BinaryOperator::FRem => return Err("floating-point arithmetic on integers".into()),
        })
    }

    pub(super) fn partial(&mut self, op: Partial, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = (self.temp(a), self.temp(b));
        self.emit_value(|dst| Instruction::Partial { op, bits, dst, a, b })
    }

    /// The lowest bits of a result of 64 bits.
    pub(super) fn wrapped(&mut self, value: Value, bits: u8) -> Value {
        match value {
            Value::Number(number) => Value::Number(wrap(number, bits)),
            value if bits == 64 => value,
            value => {
                let src = self.temp(value);
                self.emit_value(|dst| Instruction::Wrap { dst, src, bits })
            }
        }
    }

    fn add_integers(&mut self, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let (a, small) = (self.temp(a), small(b));
        let sum = match (bits, small) {
            (32, Some(value)) => return self.emit_value(|dst| Instruction::Add32By { dst, a, value }),
            (_, Some(value)) => self.emit_value(|dst| Instruction::Add64By { dst, a, value }),
            (32, None) => {
                let b = self.temp(b);
                return self.emit_value(|dst| Instruction::Add32 { dst, a, b });
            }
            (_, None) => {
                let b = self.temp(b);
                self.emit_value(|dst| Instruction::Add64 { dst, a, b })
            }
        };
        self.wrapped(sum, bits)
    }

    pub(super) fn subtract(&mut self, bits: u8, a: Value, b: Value) -> Value {
        if let Some(value) = small(b).and_then(i32::checked_neg) {
            return self.add_integers(bits, a, Value::Number(i64::from(value) as u64));
        }
        let difference = match (bits, small(a)) {
            (32, Some(value)) => {
                let a = self.temp(b);
                return self.emit_value(|dst| Instruction::SubtractFrom32 { dst, a, value });
            }
            (_, Some(value)) => {
                let a = self.temp(b);
                self.emit_value(|dst| Instruction::SubtractFrom64 { dst, a, value })
            }
            (32, None) => {
                let (a, b) = (self.temp(a), self.temp(b));
                return self.emit_value(|dst| Instruction::Subtract32 { dst, a, b });
            }
            (_, None) => {
                let (a, b) = (self.temp(a), self.temp(b));
                self.emit_value(|dst| Instruction::Subtract64 { dst, a, b })
            }
        };
        self.wrapped(difference, bits)
    }

    fn multiply(&mut self, bits: u8, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let (a, small) = (self.temp(a), small(b));
        let product = match (bits, small) {
            (32, Some(value)) => return self.emit_value(|dst| Instruction::Multiply32By { dst, a, value }),
            (_, Some(value)) => self.emit_value(|dst| Instruction::Multiply64By { dst, a, value }),
            (32, None) => {
                let b = self.temp(b);
                return self.emit_value(|dst| Instruction::Multiply32 { dst, a, b });
            }
            (_, None) => {
                let b = self.temp(b);
                self.emit_value(|dst| Instruction::Multiply64 { dst, a, b })
            }
        };
        self.wrapped(product, bits)
    }

    /// `and`, `or`, `xor`: the same for all widths.
    pub(super) fn bitwise(&mut self, operator: BinaryOperator, a: Value, b: Value) -> Value {
        let (a, b) = if small(a).is_some() { (b, a) } else { (a, b) };
        let a = self.temp(a);
        if let Some(value) = small(b) {
            return self.emit_value(|dst| match operator {
                BinaryOperator::And => Instruction::AndBy { dst, a, value },
                BinaryOperator::Or => Instruction::OrBy { dst, a, value },
                _ => Instruction::XorBy { dst, a, value },
            });
        }
        let b = self.temp(b);
        self.emit_value(|dst| match operator {
            BinaryOperator::And => Instruction::And { dst, a, b },
            BinaryOperator::Or => Instruction::Or { dst, a, b },
            _ => Instruction::Xor { dst, a, b },
        })
    }

    pub(super) fn shift(&mut self, operator: BinaryOperator, bits: u8, a: Value, b: Value) -> Value {
        if let Value::Number(by) = b
            && by < u64::from(bits)
        {
            let (a, by) = (self.temp(a), by as u8);
            return self.emit_value(|dst| match operator {
                BinaryOperator::Shl => Instruction::ShiftLeftBy { dst, a, by, bits },
                BinaryOperator::LShr => Instruction::ShiftRightBy { dst, a, by, bits },
                _ => Instruction::ShiftRightSignedBy { dst, a, by },
            });
        }
        let op = match operator {
            BinaryOperator::Shl => Partial::ShiftLeft,
            BinaryOperator::LShr => Partial::ShiftRight,
            _ => Partial::ShiftRightSigned,
        };
        self.partial(op, bits, a, b)
    }

    fn wide_binary(&mut self, operator: BinaryOperator, a: [Value; 2], b: [Value; 2]) -> Result<[Value; 2], Refusal> {
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
        Ok(self.wide(op, a, b))
    }

    /// An operation on 128 bits.
    pub(super) fn wide(&mut self, op: Wide, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        let [a_low, a_high] = a.map(|value| self.temp(value));
        let [b_low, b_high] = b.map(|value| self.temp(value));
        let (low, high) = (self.draft.temp(), self.draft.temp());
        self.emit(Instruction::Wide { op, low, high, a_low, a_high, b_low, b_high });
        [Value::Temp(low), Value::Temp(high)]
    }

    pub(super) fn float_unary(&mut self, op: FloatUnary, scalar: Scalar, value: Value) -> Value {
        let (a, double) = (self.temp(value), scalar == Scalar::F64);
        self.emit_value(|dst| Instruction::FloatUnary { op, double, dst, a })
    }

    /// A comparison of integers or pointers, lane by lane.
    fn compare(&mut self, predicate: IntegerPredicate, left: Operand, right: Operand) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(self.type_of(left))?;
        let (left, right) = (self.scalars(left)?, self.scalars(right)?);
        let mut values = Vec::new();
        let mut at = 0;
        while at < parts.len().min(left.len()).min(right.len()) {
            if parts[at].scalar == Scalar::Low {
                values.push(self.wide_compare(predicate, pair(&left, at)?, pair(&right, at)?));
                at += 2;
            } else {
                values.push(self.scalar_compare(predicate, parts[at].scalar.bits(), left[at], right[at]));
                at += 1;
            }
        }
        Ok(values)
    }

    pub(super) fn scalar_compare(&mut self, predicate: IntegerPredicate, bits: u8, a: Value, b: Value) -> Value {
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return Value::Number(arithmetic::compare(predicate, bits, a, b).into());
        }
        let (condition, a, b) = as_condition(predicate, bits, a, b);
        let (condition, a, b) = immediate_last(condition, a, b);
        let a = self.temp(a);
        if let Some(value) = small(b) {
            return self.emit_value(|dst| Instruction::CompareWith { condition, dst, a, value });
        }
        let b = self.temp(b);
        self.emit_value(|dst| Instruction::Compare { condition, dst, a, b })
    }

    fn wide_compare(&mut self, predicate: IntegerPredicate, a: [Value; 2], b: [Value; 2]) -> Value {
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

    fn select(&mut self, condition: Operand, yes: Operand, no: Operand) -> Result<Vec<Value>, Refusal> {
        let conditions = self.scalars(condition)?;
        let (yes, no) = (self.scalars(yes)?, self.scalars(no)?);
        let lanes = yes.into_iter().zip(no).enumerate();
        let pick = |(lane, (yes, no)): (usize, (Value, Value))| {
            let condition = if conditions.len() == 1 { conditions[0] } else { *conditions.get(lane)? };
            Some(self.pick(condition, yes, no))
        };
        lanes.map(pick).collect::<Option<Vec<_>>>().ok_or_else(|| "a selection between vectors of another size".into())
    }

    /// One of two values.
    pub(super) fn pick(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        match condition {
            Value::Number(0) => no,
            Value::Number(_) => yes,
            _ if yes == no => yes,
            condition => {
                let (condition, yes, no) = (self.temp(condition), self.temp(yes), self.temp(no));
                self.emit_value(|dst| Instruction::Select { dst, condition, yes, no })
            }
        }
    }

    /// Where a part of an aggregate lies among its scalars.
    fn range(&mut self, ty: TypeId, indices: &[u32]) -> Result<std::ops::Range<usize>, Refusal> {
        let (mut ty, mut start) = (ty, 0);
        for &index in indices {
            let part = match self.module.ty(ty) {
                Type::Array(element, length) if u64::from(index) < *length => {
                    start += self.parts(*element)?.len() * index as usize;
                    *element
                }
                Type::Struct(structure) if (index as usize) < structure.fields.len() => {
                    for field in &structure.fields[..index as usize] {
                        start += self.parts(*field)?.len();
                    }
                    structure.fields[index as usize]
                }
                _ => return Err("a part that the aggregate does not have".into()),
            };
            ty = part;
        }
        Ok(start..start + self.parts(ty)?.len())
    }

    /// The lanes of a vector, each one scalar.
    fn lanes(&mut self, vector: Operand) -> Result<Vec<Value>, Refusal> {
        let lanes = self.scalars(vector)?;
        match self.module.ty(self.type_of(vector)) {
            Type::Vector { length, .. } if *length as usize == lanes.len() => Ok(lanes),
            _ => Err("a vector whose elements do not fit registers".into()),
        }
    }

    fn extract_element(&mut self, vector: Operand, index: Operand) -> Result<Vec<Value>, Refusal> {
        let (lanes, index) = (self.lanes(vector)?, self.scalar(index)?);
        if let Value::Number(index) = index {
            return Ok(vec![lanes.get(index as usize).copied().unwrap_or(Value::Undefined)]);
        }
        let mut found = Value::Undefined;
        for (at, lane) in lanes.into_iter().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            found = if at == 0 { lane } else { self.pick(here, lane, found) };
        }
        Ok(vec![found])
    }

    fn insert_element(&mut self, vector: Operand, value: Operand, index: Operand) -> Result<Vec<Value>, Refusal> {
        let mut lanes = self.lanes(vector)?;
        let (value, index) = (self.scalar(value)?, self.scalar(index)?);
        for (at, lane) in lanes.iter_mut().enumerate() {
            let here = self.scalar_compare(IntegerPredicate::Equal, 64, index, Value::Number(at as u64));
            *lane = self.pick(here, value, *lane);
        }
        Ok(lanes)
    }

    fn cast(
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
        let mut results = Vec::with_capacity(to.len());
        let (mut source, mut target) = (0, 0);
        while source < from.len().min(values.len()) && target < to.len() {
            let (from_wide, to_wide) = (from[source].scalar == Scalar::Low, to[target].scalar == Scalar::Low);
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
            CastOperator::SIToFP if from_bits == 1 => Err("a conversion of a signed bit to floating point".into()),
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

    /// A conversion from or to 128 bits.
    fn wide_cast(
        &mut self,
        operator: CastOperator,
        from: Scalar,
        to: Scalar,
        low: Value,
        high: Option<Value>,
    ) -> Result<Vec<Value>, Refusal> {
        let double = from == Scalar::F64 || to == Scalar::F64;
        match (operator, high) {
            (CastOperator::Trunc | CastOperator::PtrToInt, Some(_)) => Ok(vec![self.wrapped(low, to.bits())]),
            (CastOperator::IntToPtr, Some(_)) => Ok(vec![low]),
            (CastOperator::ZExt | CastOperator::PtrToInt | CastOperator::PtrToAddr, None) => {
                Ok(vec![self.zero_extended(low, from.bits()), Value::Number(0)])
            }
            (CastOperator::SExt, None) => {
                let low = if from.bits() == 1 { self.subtract(64, Value::Number(0), low) } else { low };
                let high = self.shift(BinaryOperator::AShr, 64, low, Value::Number(63));
                Ok(vec![low, high])
            }
            (CastOperator::UIToFP | CastOperator::SIToFP, Some(high)) => {
                let (low, high, signed) = (self.temp(low), self.temp(high), operator == CastOperator::SIToFP);
                Ok(vec![self.emit_value(|dst| Instruction::WideToFloat { signed, double, dst, low, high })])
            }
            (CastOperator::FPToUI | CastOperator::FPToSI, None) => {
                let (src, signed) = (self.temp(low), operator == CastOperator::FPToSI);
                let (low, high) = (self.draft.temp(), self.draft.temp());
                self.emit(Instruction::FloatToWide { signed, double, low, high, src });
                Ok(vec![Value::Temp(low), Value::Temp(high)])
            }
            _ => Err("a conversion of 128 bits of a rare kind".into()),
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

/// The two halves of 128 bits.
fn pair(values: &[Value], at: usize) -> Result<[Value; 2], Refusal> {
    match values.get(at..at + 2) {
        Some(&[low, high]) => Ok([low, high]),
        _ => Err("half of a value of 128 bits".into()),
    }
}

fn float_operator(operator: BinaryOperator) -> Option<FloatBinary> {
    match operator {
        BinaryOperator::FAdd => Some(FloatBinary::Add),
        BinaryOperator::FSub => Some(FloatBinary::Subtract),
        BinaryOperator::FMul => Some(FloatBinary::Multiply),
        BinaryOperator::FDiv => Some(FloatBinary::Divide),
        BinaryOperator::FRem => Some(FloatBinary::Remainder),
        _ => None,
    }
}

fn checked_operator(operator: BinaryOperator) -> Option<Partial> {
    match operator {
        BinaryOperator::Add => Some(Partial::AddSigned),
        BinaryOperator::Sub => Some(Partial::SubtractSigned),
        BinaryOperator::Mul => Some(Partial::MultiplySigned),
        _ => None,
    }
}

/// A predicate as a condition, with the operands exchanged where need be.
pub(super) fn as_condition(predicate: IntegerPredicate, bits: u8, a: Value, b: Value) -> (Condition, Value, Value) {
    use IntegerPredicate::*;
    match predicate {
        Equal => (Condition::Equal, a, b),
        NotEqual => (Condition::NotEqual, a, b),
        // Of one bit, signed, 1 is the smaller one.
        SignedGreater if bits == 1 => (Condition::Below, a, b),
        SignedGreaterEqual if bits == 1 => (Condition::NotBelow, b, a),
        SignedLess if bits == 1 => (Condition::Below, b, a),
        SignedLessEqual if bits == 1 => (Condition::NotBelow, a, b),
        UnsignedGreater => (Condition::Below, b, a),
        UnsignedGreaterEqual => (Condition::NotBelow, a, b),
        UnsignedLess => (Condition::Below, a, b),
        UnsignedLessEqual => (Condition::NotBelow, b, a),
        SignedGreater => (Condition::Less, b, a),
        SignedGreaterEqual => (Condition::NotLess, a, b),
        SignedLess => (Condition::Less, a, b),
        SignedLessEqual => (Condition::NotLess, b, a),
    }
}

/// The same condition with a number on the right, where there is a number and that can be said.
pub(super) fn immediate_last(condition: Condition, a: Value, b: Value) -> (Condition, Value, Value) {
    let Value::Number(number) = a else { return (condition, a, b) };
    let next = |limit: u64| (number != limit).then(|| Value::Number(number.wrapping_add(1)));
    match condition {
        Condition::Equal | Condition::NotEqual => (condition, b, a),
        // number < b is b >= number + 1
        Condition::Less => next(i64::MAX as u64).map_or((condition, a, b), |next| (Condition::NotLess, b, next)),
        Condition::NotLess => next(i64::MAX as u64).map_or((condition, a, b), |next| (Condition::Less, b, next)),
        Condition::Below => next(u64::MAX).map_or((condition, a, b), |next| (Condition::NotBelow, b, next)),
        Condition::NotBelow => next(u64::MAX).map_or((condition, a, b), |next| (Condition::Below, b, next)),
    }
}
