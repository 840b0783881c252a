//! The functions named `llvm.*`.

use crate::code::instruction::{
    Conversion, FloatBinary, FloatUnary, Format, Instruction, Overflowing, Partial, Rare, Soft,
};
use crate::ir::{self, BinaryOperator, Call, CastOperator, Operand};
use crate::native::Native;

use super::body::{Body, Refusal};
use super::draft::Value;
use super::scalar::{Part, Scalar};
use super::wide::pair;

/// The name without the types it is for: `ctpop` of `ctpop.i32`.
fn stem(name: &str) -> &str {
    let is_type = |segment: &str| {
        let rest = segment.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let prefix = &segment[..segment.len() - rest.len()];
        matches!(prefix, "i" | "f" | "bf" | "p" | "v" | "nxv" | "ppcf" | "a")
            && rest.starts_with(|c: char| c.is_ascii_digit())
            || matches!(segment, "sl_" | "isVoid")
    };
    let mut end = 0;
    for segment in name.split('.') {
        if is_type(segment) {
            return name[..end].trim_end_matches('.');
        }
        end = (end + segment.len() + 1).min(name.len());
    }
    name
}

impl<'a> Body<'_, 'a> {
    /// A call of `llvm.` and this name.
    pub(super) fn intrinsic(
        &mut self,
        instruction: &'a ir::Instruction,
        call: &'a Call,
        name: &str,
    ) -> Result<(), Refusal> {
        let stem = stem(name);
        let arguments = &call.arguments[..];
        if let Some(op) = lane_operation(stem) {
            if op == Lane::RareUnary(Rare::Absolute) && self.lowering.settings.overflow {
                self.check_absolute(instruction, arguments)?;
            }
            let values = self.lanewise(instruction, op, arguments)?;
            self.result(instruction, &values);
            return Ok(());
        }
        if let Some(op) = overflowing(stem) {
            return self.overflowing(instruction, op, arguments);
        }
        match (stem, arguments) {
            ("memcpy" | "memcpy.inline", [to, from, length, ..]) => self.copy(*to, *from, *length, false),
            ("memmove", [to, from, length, ..]) => self.copy(*to, *from, *length, true),
            ("memset" | "memset.inline", [to, byte, length, ..]) => self.fill(*to, *byte, *length),
            ("lifetime.start" | "lifetime.end", [.., pointer]) => self.lifetime(stem == "lifetime.start", *pointer),
            (
                "expect"
                | "expect.with.probability"
                | "threadlocal.address"
                | "launder.invariant.group"
                | "strip.invariant.group"
                | "ptr.annotation"
                | "annotation"
                | "ssa.copy"
                | "arithmetic.fence",
                [same, ..],
            ) => {
                let values = self.scalars(*same)?;
                self.result(instruction, &values);
                Ok(())
            }
            (
                "assume"
                | "sideeffect"
                | "donothing"
                | "experimental.noalias.scope.decl"
                | "var.annotation"
                | "prefetch"
                | "invariant.start"
                | "invariant.end"
                | "pseudoprobe"
                | "va_end"
                | "x86.sse2.pause"
                | "x86.sse2.mfence"
                | "x86.sse2.lfence"
                | "x86.sse.sfence"
                | "aarch64.hint"
                | "fake.use",
                _,
            ) => {
                if instruction.result.is_some() {
                    self.result(instruction, &[Value::Undefined]);
                }
                Ok(())
            }
            ("canonicalize", [same]) => {
                let values = self.scalars(*same)?;
                self.result(instruction, &values);
                Ok(())
            }
            ("readcyclecounter" | "readsteadycounter", _) => {
                Err("the processor's counter of cycles, which no two executions agree on (`clock_gettime` is modelled)"
                    .into())
            }
            ("returnaddress" | "frameaddress" | "addressofreturnaddress" | "sponentry", _) => {
                // Nobody can do anything with them but compare them.
                self.result(instruction, &[Value::Number(0)]);
                Ok(())
            }
            ("ldexp", [number, by]) => {
                let (parts, number, by) = (self.parts(instruction.ty)?, self.scalars(*number)?, self.scalars(*by)?);
                let values = self.soft_scale(&parts, &number, &by)?;
                self.result(instruction, &values);
                Ok(())
            }
            ("frexp", [number]) => {
                let (parts, number) = (self.parts(self.type_of(*number))?, vec![self.scalars(*number)?]);
                let mut values = self.soft_lanes(Soft::Fraction, &parts, &number)?;
                let exponents = self.soft_lanes(Soft::Exponent, &parts, &number)?;
                values.extend(exponents.into_iter().step_by(1 + usize::from(parts[0].scalar.begins_pair())));
                self.result(instruction, &values);
                Ok(())
            }
            ("lround" | "llround" | "lrint" | "llrint", [number]) => {
                let (parts, to) = (self.parts(self.type_of(*number))?, self.parts(instruction.ty)?);
                let op = if stem.ends_with("rint") { Soft::RoundEven } else { Soft::Round };
                let number = vec![self.scalars(*number)?];
                let rounded = self.soft_lanes(op, &parts, &number)?;
                let values = self.soft_cast(CastOperator::FPToSI, &parts, &to, &rounded)?;
                self.result(instruction, &values);
                Ok(())
            }
            ("load.relative", [table, offset]) => {
                let value = self.load_relative(*table, *offset)?;
                self.result(instruction, &[value]);
                Ok(())
            }
            ("objectsize", [_, least, ..]) => {
                let least = self.scalar(*least)?;
                let known = if least == Value::Number(0) { u64::MAX } else { 0 };
                self.result(instruction, &[Value::Number(known)]);
                Ok(())
            }
            ("is.fpclass", [number, classes, ..]) => {
                let scalar = self.parts(self.type_of(*number))?.first().map(|part| part.scalar);
                let bits = match scalar {
                    Some(Scalar::F32) => 32,
                    Some(Scalar::F64) => 64,
                    Some(scalar) if scalar.soft().is_some() => {
                        let (values, classes) = (self.scalars(*number)?, self.scalar(*classes)?);
                        let number = [values[0], *values.get(1).unwrap_or(&values[0])];
                        let format = scalar.soft().unwrap_or(Format::Extended);
                        let [is, _] = self.soft(Soft::Class, format, number, [classes, classes]);
                        self.result(instruction, &[is]);
                        return Ok(());
                    }
                    _ => return Err("the class of a floating-point number of this type".into()),
                };
                let (number, classes) = (self.scalar(*number)?, self.scalar(*classes)?);
                let (a, b) = (self.temp(number), self.temp(classes));
                let is = self.emit_value(|dst| Instruction::Rare { op: Rare::FloatClass, bits, dst, a, b });
                self.result(instruction, &[is]);
                Ok(())
            }
            ("is.constant", _) => {
                self.result(instruction, &[Value::Number(0)]);
                Ok(())
            }
            ("allow.runtime.check" | "allow.ubsan.check", _) => {
                self.result(instruction, &[Value::Number(1)]);
                Ok(())
            }
            ("stacksave", _) => {
                let saved = self.emit_value(|dst| Instruction::StackSave { dst });
                self.result(instruction, &[saved]);
                Ok(())
            }
            ("stackrestore", [saved]) => {
                let src = self.scalar(*saved)?;
                let src = self.temp(src);
                self.emit(Instruction::StackRestore { src });
                Ok(())
            }
            ("va_start", [list]) => self.variable_start(*list),
            ("va_copy", [to, from]) => {
                let (to, from) = (self.scalar(*to)?, self.scalar(*from)?);
                let (to, from) = (self.temp(to), self.temp(from));
                self.emit(Instruction::CopyBytes { to, from, length: 24, overlap: false });
                Ok(())
            }
            ("trap" | "debugtrap" | "ubsantrap", _) => {
                self.emit(Instruction::Trap);
                Ok(())
            }
            ("ptrmask", [pointer, mask]) => {
                let (pointer, mask) = (self.scalar(*pointer)?, self.scalar(*mask)?);
                let masked = self.bitwise(BinaryOperator::And, pointer, mask);
                self.result(instruction, &[masked]);
                Ok(())
            }
            ("fptosi.sat" | "fptoui.sat", [value]) => {
                let values = self.saturating(instruction, *value, stem == "fptosi.sat")?;
                self.result(instruction, &values);
                Ok(())
            }
            _ => match stem.strip_prefix("vector.reduce.") {
                Some(operator) => self.reduce(instruction, operator, arguments),
                None => Err(format!("the intrinsic `llvm.{name}`").into()),
            },
        }
    }

    fn copy(&mut self, to: Operand, from: Operand, length: Operand, overlap: bool) -> Result<(), Refusal> {
        let (to, from, length) = (self.scalar(to)?, self.scalar(from)?, self.scalar(length)?);
        if length == Value::Number(0) {
            return Ok(());
        }
        let (to, from) = (self.temp(to), self.temp(from));
        match length {
            Value::Number(length) if u32::try_from(length).is_ok() => {
                self.emit(Instruction::CopyBytes { to, from, length: length as u32, overlap });
            }
            length => {
                let length = self.temp(length);
                self.emit(Instruction::Copy { to, from, length, overlap });
            }
        }
        Ok(())
    }

    fn fill(&mut self, to: Operand, byte: Operand, length: Operand) -> Result<(), Refusal> {
        let (to, byte, length) = (self.scalar(to)?, self.scalar(byte)?, self.scalar(length)?);
        if length == Value::Number(0) {
            return Ok(());
        }
        let (to, byte) = (self.temp(to), self.temp(byte));
        match length {
            Value::Number(length) if u32::try_from(length).is_ok() => {
                self.emit(Instruction::FillBytes { to, byte, length: length as u32 });
            }
            length => {
                let length = self.temp(length);
                self.emit(Instruction::Fill { to, byte, length });
            }
        }
        Ok(())
    }

    /// The life of a local begins or ends. A promoted one has no value when it begins.
    fn lifetime(&mut self, begins: bool, pointer: Operand) -> Result<(), Refusal> {
        if let Operand::Local(local) = pointer
            && let Some((root, _)) = self.promotion.roots[local.index()]
            && let Some(leaves) = self.promotion.leaves.get_mut(&root)
        {
            let draft = &mut self.draft;
            let temps: Vec<_> = leaves.iter_mut().map(|leaf| *leaf.temp.get_or_insert_with(|| draft.temp())).collect();
            if begins {
                temps.into_iter().for_each(|dst| self.emit(Instruction::Undefined { dst }));
            }
            return Ok(());
        }
        let base = self.scalar(pointer)?;
        if matches!(base, Value::Number(_) | Value::Undefined) {
            return Ok(());
        }
        let base = self.temp(base);
        self.emit(if begins { Instruction::LifeStart { base } } else { Instruction::LifeEnd { base } });
        Ok(())
    }

    /// The absolute value of the least integer is none, unless the intrinsic says that it is
    /// defined.
    fn check_absolute(&mut self, instruction: &ir::Instruction, arguments: &[Operand]) -> Result<(), Refusal> {
        let [value, fails] = arguments else { return Err("an intrinsic with other arguments".into()) };
        if self.scalar(*fails)? != Value::Number(1) {
            return Ok(());
        }
        let (parts, values) = (self.parts(instruction.ty)?, self.scalars(*value)?);
        for (part, value) in parts.iter().zip(values) {
            if !matches!(part.scalar, Scalar::Low(_) | Scalar::High(_)) {
                self.partial(Partial::SubtractSigned, part.scalar.bits(), Value::Number(0), value);
            }
        }
        Ok(())
    }

    fn overflowing(
        &mut self,
        instruction: &ir::Instruction,
        op: Overflowing,
        arguments: &[Operand],
    ) -> Result<(), Refusal> {
        let [left, right] = arguments else { return Err("an intrinsic with other arguments".into()) };
        let (parts, a, b) = (self.parts(self.type_of(*left))?, self.scalars(*left)?, self.scalars(*right)?);
        let values = match (&parts[..], &a[..], &b[..]) {
            ([part], [a], [b]) => {
                let (bits, a, b) = (part.scalar.bits(), self.temp(*a), self.temp(*b));
                let (dst, flag) = (self.draft.temp(), self.draft.temp());
                self.emit(Instruction::Overflowing { op, bits, dst, flag, a, b });
                vec![Value::Temp(dst), Value::Temp(flag)]
            }
            ([Part { scalar: Scalar::Low(bits), .. }, _], &[a_low, a_high], &[b_low, b_high]) => {
                let (result, flag) = self.wide_overflowing(op, *bits, [a_low, a_high], [b_low, b_high]);
                vec![result[0], result[1], flag]
            }
            _ => return Err("checked arithmetic on vectors".into()),
        };
        self.result(instruction, &values);
        Ok(())
    }

    /// An operation on each lane of its operands.
    fn lanewise(
        &mut self,
        instruction: &ir::Instruction,
        op: Lane,
        arguments: &[Operand],
    ) -> Result<Vec<Value>, Refusal> {
        let parts = self.parts(instruction.ty)?;
        let wanted = op.operands();
        let arguments = arguments.get(..wanted).ok_or("an intrinsic with other arguments")?;
        let mut operands = Vec::with_capacity(wanted);
        for argument in arguments {
            operands.push(self.scalars(*argument)?);
        }
        if let [Part { scalar: Scalar::Low(bits), .. }, _] = parts[..]
            && let Lane::Rare(op) | Lane::RareUnary(op) = op
        {
            let (a, b) = (pair(&operands[0], 0)?, pair(operands.last().unwrap_or(&operands[0]), 0)?);
            let result = self.wide_rare(op, bits, a, b).ok_or("this operation on more than 64 bits")?;
            return Ok(result.to_vec());
        }
        if parts.iter().any(|part| matches!(part.scalar, Scalar::Low(_))) {
            return Err("an intrinsic on 128 bits".into());
        }
        if let Some(native) = op.native(&parts) {
            return self.mathematics(native, &parts, &operands);
        }
        if matches!(op, Lane::Soft(_)) || parts.iter().any(|part| part.scalar.soft().is_some()) {
            if op == Lane::MultiplyThenAdd {
                let product = self.soft_lanes(Soft::Multiply, &parts, &operands[..2])?;
                return self.soft_lanes(Soft::Add, &parts, &[product, operands.remove(2)]);
            }
            if op == Lane::MultiplyAdd {
                return self.soft_multiply_add(&parts, &operands);
            }
            let op = op.soft().ok_or("this function of `long double` and the like")?;
            return self.soft_lanes(op, &parts, &operands);
        }
        let mut values = Vec::with_capacity(parts.len());
        for (lane, part) in parts.iter().enumerate() {
            // `powi` has one exponent for all lanes.
            let operand = |at: usize| operands[at].get(lane).or(operands[at].first()).copied();
            let of_lane: Option<Vec<Value>> = (0..wanted).map(operand).collect();
            let of_lane = of_lane.ok_or("an intrinsic on vectors of different sizes")?;
            values.push(self.lane(op, part.scalar, &of_lane));
        }
        Ok(values)
    }

    fn lane(&mut self, op: Lane, scalar: Scalar, operands: &[Value]) -> Value {
        let temps: Vec<_> = operands.iter().map(|&value| self.temp(value)).collect();
        let (bits, double) = (scalar.bits(), scalar == Scalar::F64);
        let (a, b, c) = (temps[0], *temps.get(1).unwrap_or(&temps[0]), *temps.get(2).unwrap_or(&temps[0]));
        let value = self.emit_value(|dst| match op {
            Lane::Rare(op) | Lane::RareUnary(op) => Instruction::Rare { op, bits, dst, a, b },
            Lane::Float(op) => Instruction::FloatBinary { op, double, dst, a, b },
            Lane::FloatUnary(op) => Instruction::FloatUnary { op, double, dst, a },
            Lane::MultiplyAdd => Instruction::FloatMultiplyAdd { double, dst, a, b, c },
            Lane::FunnelLeft => Instruction::FunnelLeft { bits, dst, high: a, low: b, by: c },
            Lane::FunnelRight => Instruction::FunnelRight { bits, dst, high: a, low: b, by: c },
            // (Numbers that are computed by software do not come here.)
            Lane::MultiplyThenAdd | Lane::Soft(_) | Lane::Native(..) => {
                Instruction::FloatBinary { op: FloatBinary::Multiply, double, dst, a, b }
            }
        });
        if op != Lane::MultiplyThenAdd {
            return value;
        }
        let a = self.temp(value);
        self.emit_value(|dst| Instruction::FloatBinary { op: FloatBinary::Add, double, dst, a, b: c })
    }

    fn saturating(
        &mut self,
        instruction: &ir::Instruction,
        value: Operand,
        signed: bool,
    ) -> Result<Vec<Value>, Refusal> {
        let (from, to) = (self.parts(self.type_of(value))?, self.parts(instruction.ty)?);
        let values = self.scalars(value)?;
        if from.iter().chain(&*to).any(|part| part.scalar.soft().is_some()) {
            let operator = if signed { CastOperator::FPToSI } else { CastOperator::FPToUI };
            return self.soft_cast(operator, &from, &to, &values);
        }
        if to.len() != values.len() {
            return Err("an intrinsic on 128 bits".into());
        }
        let lanes = from.iter().zip(to.iter()).zip(values);
        let convert = |((from, to), value): ((&Part, &Part), Value)| {
            let (src, bits) = (self.temp(value), to.scalar.bits());
            let op = match (from.scalar, signed) {
                (Scalar::F32, true) => Conversion::F32ToSigned,
                (Scalar::F32, false) => Conversion::F32ToUnsigned,
                (_, true) => Conversion::F64ToSigned,
                (_, false) => Conversion::F64ToUnsigned,
            };
            self.emit_value(|dst| Instruction::Convert { op, bits, dst, src })
        };
        Ok(lanes.map(convert).collect())
    }

    fn reduce(&mut self, instruction: &ir::Instruction, operator: &str, arguments: &[Operand]) -> Result<(), Refusal> {
        let [vector] = arguments else { return Err(format!("the intrinsic `llvm.vector.reduce.{operator}`").into()) };
        let lanes = self.scalars(*vector)?;
        let scalar = match self.parts(instruction.ty)?[..] {
            [part] => part.scalar,
            _ => return Err("an intrinsic on 128 bits".into()),
        };
        let mut lanes = lanes.into_iter();
        let mut result = lanes.next().unwrap_or(Value::Undefined);
        for lane in lanes {
            result = match operator {
                "and" => self.bitwise(BinaryOperator::And, result, lane),
                "or" => self.bitwise(BinaryOperator::Or, result, lane),
                "xor" => self.bitwise(BinaryOperator::Xor, result, lane),
                "add" => {
                    let negative = self.subtract(scalar.bits(), Value::Number(0), lane);
                    self.subtract(scalar.bits(), result, negative)
                }
                "mul" => self.multiply(scalar.bits(), result, lane),
                "smin" => self.lane(Lane::Rare(Rare::MinSigned), scalar, &[result, lane]),
                "smax" => self.lane(Lane::Rare(Rare::MaxSigned), scalar, &[result, lane]),
                "umin" => self.lane(Lane::Rare(Rare::Min), scalar, &[result, lane]),
                "umax" => self.lane(Lane::Rare(Rare::Max), scalar, &[result, lane]),
                "fmin" => self.lane(Lane::Float(FloatBinary::Min), scalar, &[result, lane]),
                "fmax" => self.lane(Lane::Float(FloatBinary::Max), scalar, &[result, lane]),
                _ => return Err(format!("the intrinsic `llvm.vector.reduce.{operator}`").into()),
            };
        }
        self.result(instruction, &[result]);
        Ok(())
    }
}

/// An operation on one lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Rare(Rare),
    RareUnary(Rare),
    Float(FloatBinary),
    FloatUnary(FloatUnary),
    /// Of any format, by software.
    Soft(Soft),
    /// A function of so many doubles.
    Native(Native, u8),
    /// Rounded once.
    MultiplyAdd,
    /// Rounded twice, as machines without a fused operation do.
    MultiplyThenAdd,
    FunnelLeft,
    FunnelRight,
}

impl Lane {
    fn operands(self) -> usize {
        match self {
            Lane::RareUnary(_) | Lane::FloatUnary(_) => 1,
            Lane::Rare(_) | Lane::Float(_) | Lane::Soft(_) => 2,
            Lane::Native(_, operands) => operands.into(),
            Lane::MultiplyAdd | Lane::MultiplyThenAdd | Lane::FunnelLeft | Lane::FunnelRight => 3,
        }
    }

    /// The function of doubles that computes it, where no instruction does.
    fn native(self, parts: &[Part]) -> Option<Native> {
        let soft = || parts.iter().any(|part| part.scalar.soft().is_some());
        Some(match self {
            Lane::Native(native, _) => native,
            Lane::FloatUnary(FloatUnary::Sine) if soft() => Native::Sin,
            Lane::FloatUnary(FloatUnary::Cosine) if soft() => Native::Cos,
            Lane::FloatUnary(FloatUnary::Exponential) if soft() => Native::Exp,
            Lane::FloatUnary(FloatUnary::Exponential2) if soft() => Native::Exp2,
            Lane::FloatUnary(FloatUnary::Logarithm) if soft() => Native::Log,
            Lane::FloatUnary(FloatUnary::Logarithm2) if soft() => Native::Log2,
            Lane::FloatUnary(FloatUnary::Logarithm10) if soft() => Native::Log10,
            Lane::Float(FloatBinary::Power) if soft() => Native::Pow,
            _ => return None,
        })
    }

    /// The same of a number that is computed by software, where there is one.
    fn soft(self) -> Option<Soft> {
        Some(match self {
            Lane::Soft(op) => op,
            Lane::Float(FloatBinary::CopySign) => Soft::CopySign,
            Lane::Float(FloatBinary::Min) => Soft::Min,
            Lane::Float(FloatBinary::Max) => Soft::Max,
            Lane::FloatUnary(FloatUnary::Absolute) => Soft::Absolute,
            Lane::FloatUnary(FloatUnary::SquareRoot) => Soft::SquareRoot,
            Lane::FloatUnary(FloatUnary::Floor) => Soft::Floor,
            Lane::FloatUnary(FloatUnary::Ceil) => Soft::Ceil,
            Lane::FloatUnary(FloatUnary::Truncate) => Soft::Truncate,
            Lane::FloatUnary(FloatUnary::Round) => Soft::Round,
            Lane::FloatUnary(FloatUnary::RoundEven) => Soft::RoundEven,
            _ => return None,
        })
    }
}

fn lane_operation(stem: &str) -> Option<Lane> {
    Some(match stem {
        "bswap" => Lane::RareUnary(Rare::SwapBytes),
        "bitreverse" => Lane::RareUnary(Rare::ReverseBits),
        "ctpop" => Lane::RareUnary(Rare::CountOnes),
        "ctlz" => Lane::RareUnary(Rare::LeadingZeros),
        "cttz" => Lane::RareUnary(Rare::TrailingZeros),
        "abs" => Lane::RareUnary(Rare::Absolute),
        "smin" => Lane::Rare(Rare::MinSigned),
        "smax" => Lane::Rare(Rare::MaxSigned),
        "umin" => Lane::Rare(Rare::Min),
        "umax" => Lane::Rare(Rare::Max),
        "sadd.sat" => Lane::Rare(Rare::AddSaturatingSigned),
        "uadd.sat" => Lane::Rare(Rare::AddSaturating),
        "ssub.sat" => Lane::Rare(Rare::SubtractSaturatingSigned),
        "usub.sat" => Lane::Rare(Rare::SubtractSaturating),
        "scmp" => Lane::Rare(Rare::CompareSigned),
        "ucmp" => Lane::Rare(Rare::Compare),
        "fshl" => Lane::FunnelLeft,
        "fshr" => Lane::FunnelRight,
        "fma" => Lane::MultiplyAdd,
        "fmuladd" => Lane::MultiplyThenAdd,
        "copysign" => Lane::Float(FloatBinary::CopySign),
        "minnum" | "minimumnum" => Lane::Float(FloatBinary::Min),
        "maxnum" | "maximumnum" => Lane::Float(FloatBinary::Max),
        "minimum" => Lane::Soft(Soft::Minimum),
        "maximum" => Lane::Soft(Soft::Maximum),
        "pow" => Lane::Float(FloatBinary::Power),
        "powi" => Lane::Float(FloatBinary::PowerInteger),
        "fabs" => Lane::FloatUnary(FloatUnary::Absolute),
        "sqrt" => Lane::FloatUnary(FloatUnary::SquareRoot),
        "floor" => Lane::FloatUnary(FloatUnary::Floor),
        "ceil" => Lane::FloatUnary(FloatUnary::Ceil),
        "trunc" => Lane::FloatUnary(FloatUnary::Truncate),
        "round" => Lane::FloatUnary(FloatUnary::Round),
        "rint" | "nearbyint" | "roundeven" => Lane::FloatUnary(FloatUnary::RoundEven),
        "sin" => Lane::FloatUnary(FloatUnary::Sine),
        "cos" => Lane::FloatUnary(FloatUnary::Cosine),
        "exp" => Lane::FloatUnary(FloatUnary::Exponential),
        "exp2" => Lane::FloatUnary(FloatUnary::Exponential2),
        "log" => Lane::FloatUnary(FloatUnary::Logarithm),
        "log2" => Lane::FloatUnary(FloatUnary::Logarithm2),
        "log10" => Lane::FloatUnary(FloatUnary::Logarithm10),
        "tan" => Lane::Native(Native::Tan, 1),
        "asin" => Lane::Native(Native::Asin, 1),
        "acos" => Lane::Native(Native::Acos, 1),
        "atan" => Lane::Native(Native::Atan, 1),
        "sinh" => Lane::Native(Native::Sinh, 1),
        "cosh" => Lane::Native(Native::Cosh, 1),
        "tanh" => Lane::Native(Native::Tanh, 1),
        "atan2" => Lane::Native(Native::Atan2, 2),
        _ => return None,
    })
}

fn overflowing(stem: &str) -> Option<Overflowing> {
    Some(match stem {
        "sadd.with.overflow" => Overflowing::AddSigned,
        "uadd.with.overflow" => Overflowing::Add,
        "ssub.with.overflow" => Overflowing::SubtractSigned,
        "usub.with.overflow" => Overflowing::Subtract,
        "smul.with.overflow" => Overflowing::MultiplySigned,
        "umul.with.overflow" => Overflowing::Multiply,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems() {
        let pairs = [
            ("memcpy.p0.p0.i64", "memcpy"),
            ("memcpy.inline.p0i8.p0i8.i64", "memcpy.inline"),
            ("lifetime.start.p0", "lifetime.start"),
            ("ctpop.i32", "ctpop"),
            ("sadd.with.overflow.i32", "sadd.with.overflow"),
            ("vector.reduce.add.v4i32", "vector.reduce.add"),
            ("x86.sse2.pause", "x86.sse2.pause"),
            ("trap", "trap"),
            ("fabs.f64", "fabs"),
            ("fptosi.sat.i32.f64", "fptosi.sat"),
            ("va_start.p0", "va_start"),
        ];
        for (name, expected) in pairs {
            assert_eq!(stem(name), expected);
        }
    }
}
