//! Constants: as values in registers, and as the bytes that variables begin with.
//!
//! Addresses are numbers here already, so that a constant expression is plain arithmetic.

use std::rc::Rc;

use crate::ir::{
    BinaryOperator, CastOperator, ConstantId, ConstantKind, FloatPredicate, GlobalId, Module, Type, TypeId,
};
use crate::link::Symbol;

use super::Lowering;
use super::arithmetic;
use super::draft::Value;
use super::scalar::{Part, Scalar, wrap, zero_extend};

/// A constant as a row of values, or why there is none.
pub(super) type Known = Result<Rc<[Value]>, Rc<str>>;

/// How many aliases of aliases are followed.
const LINKS: usize = 100;

impl<'a> Lowering<'a> {
    /// The value of a constant, part by part.
    pub(super) fn constant(&mut self, module: usize, id: ConstantId) -> Known {
        let program = self.program;
        let constants = &program.modules[module].constants;
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if self.constants[module][top.index()].is_some() {
                stack.pop();
                continue;
            }
            let missing = constants[top.index()].kind.operands().filter(|operand| {
                // Operands come first; what says otherwise is no constant.
                operand < &top && self.constants[module][operand.index()].is_none()
            });
            let before = stack.len();
            stack.extend(missing);
            if stack.len() == before {
                let value = self.fold(module, top);
                self.constants[module][top.index()] = Some(value);
                stack.pop();
            }
        }
        self.constants[module][id.index()].clone().unwrap_or_else(|| Err("a constant without value".into()))
    }

    fn known(&self, module: usize, id: ConstantId) -> Known {
        self.constants[module][id.index()].clone().unwrap_or_else(|| Err("a constant made of later ones".into()))
    }

    /// The value of a constant whose operands are known.
    fn fold(&mut self, at: usize, id: ConstantId) -> Known {
        let program = self.program;
        let module = &program.modules[at];
        let constant = module.constant(id);
        let one = |value: Value| Ok(Rc::from([value]));
        match &constant.kind {
            ConstantKind::Undef | ConstantKind::Poison => {
                let parts = self.parts(at, constant.ty)?;
                Ok(vec![Value::Undefined; parts.len()].into())
            }
            ConstantKind::Null => {
                let parts = self.parts(at, constant.ty)?;
                Ok(vec![Value::Number(0); parts.len()].into())
            }
            ConstantKind::Integer(value) => match self.parts(at, constant.ty)?[..] {
                [part] => one(Value::Number(wrap(*value, part.scalar.bits()))),
                [_, _] => Ok(Rc::from([Value::Number(*value), Value::Number(0)])),
                _ => Err("an integer that is none".into()),
            },
            ConstantKind::WideInteger(words) => {
                let parts = self.parts(at, constant.ty)?;
                let word = |(at, part): (usize, &super::scalar::Part)| {
                    let word = wrap(words.get(at).copied().unwrap_or(0), part.scalar.bits());
                    Value::Number(if part.scalar == Scalar::High(1) { word.wrapping_neg() } else { word })
                };
                Ok(parts.iter().enumerate().map(word).collect())
            }
            ConstantKind::Float(bits) => match self.parts(at, constant.ty)?[..] {
                [part] => one(Value::Number(wrap(*bits as u64, part.scalar.bits()))),
                [_, high] => {
                    let rest = wrap((*bits >> 64) as u64, high.scalar.bits());
                    Ok(Rc::from([Value::Number(*bits as u64), Value::Number(rest)]))
                }
                _ => Err("a floating-point number of another size".into()),
            },
            ConstantKind::Global(global) => one(self.global_address(at, *global)?),
            ConstantKind::Function(function) => one(self.function_address(at, *function)?),
            ConstantKind::Alias(alias) => {
                let symbol = program.alias(at, *alias);
                one(self.symbol_address(symbol, &module.aliases[alias.index()].name)?)
            }
            ConstantKind::Aggregate(list) => {
                let mut values = Vec::new();
                for part in list {
                    values.extend(self.known(at, *part)?.iter());
                }
                Ok(values.into())
            }
            ConstantKind::Data(bytes) => self.data(at, constant.ty, bytes),
            ConstantKind::Splat(element) => {
                let element = self.known(at, *element)?;
                let count = self.parts(at, constant.ty)?.len() / element.len().max(1);
                Ok(element.iter().copied().cycle().take(count * element.len()).collect())
            }
            ConstantKind::DsoLocalEquivalent(same) | ConstantKind::NoCfi(same) => self.known(at, *same),
            ConstantKind::Binary(operator, _, left, right) => {
                self.fold_binary(at, *operator, constant.ty, *left, *right)
            }
            ConstantKind::Cast(operator, operand) => self.fold_cast(at, *operator, constant.ty, *operand),
            ConstantKind::GetElementPtr { source, base, indices, .. } => {
                let mut offset = 0u64;
                let mut walk = GepWalk::new(*source);
                for index in indices {
                    let [Value::Number(index)] = self.known(at, *index)?[..] else {
                        return Err("an address constant with an index that is none".into());
                    };
                    offset = offset.wrapping_add(walk.step(module, index as i64)?);
                }
                match self.known(at, *base)?[..] {
                    [Value::Number(base)] => one(Value::Number(base.wrapping_add(offset))),
                    [Value::ThreadLocal(global, base)] => one(Value::ThreadLocal(global, base.wrapping_add(offset))),
                    _ => Err("an address constant without base".into()),
                }
            }
            ConstantKind::Select(condition, yes, no) => match self.known(at, *condition)?[..] {
                [Value::Number(0)] => self.known(at, *no),
                [Value::Number(_)] => self.known(at, *yes),
                _ => Err("a selection between constants".into()),
            },
            ConstantKind::ICmp(predicate, left, right) => {
                let bits = self.parts(at, module.constant(*left).ty)?.first().map_or(64, |part| part.scalar.bits());
                match (&self.known(at, *left)?[..], &self.known(at, *right)?[..]) {
                    ([Value::Number(left)], [Value::Number(right)]) => {
                        one(Value::Number(arithmetic::compare(*predicate, bits, *left, *right).into()))
                    }
                    _ => Err("a comparison of constants".into()),
                }
            }
            ConstantKind::BlockAddress(_, block) => one(Value::Number(label(block.index()))),
            ConstantKind::Assembly(_) => Err("inline assembly".into()),
            ConstantKind::FCmp(predicate, ..) => {
                Err(format!("a comparison of floating-point constants ({predicate:?})").into())
            }
            ConstantKind::Unary(..)
            | ConstantKind::ExtractElement(..)
            | ConstantKind::InsertElement(..)
            | ConstantKind::ShuffleVector(..)
            | ConstantKind::PointerAuthentication(_) => Err("a constant expression of a rare kind".into()),
        }
    }

    fn data(&mut self, at: usize, ty: TypeId, bytes: &[u8]) -> Known {
        let parts = self.parts(at, ty)?;
        let value = |part: &super::scalar::Part| {
            let (start, length) = (part.offset as usize, part.scalar.bytes() as usize);
            let mut word = [0; 8];
            let found = bytes.get(start..start + length)?;
            word[..length].copy_from_slice(found);
            Some(Value::Number(wrap(u64::from_le_bytes(word), part.scalar.bits())))
        };
        parts.iter().map(value).collect::<Option<Rc<[Value]>>>().ok_or_else(|| "data of another size".into())
    }

    fn fold_binary(
        &mut self,
        at: usize,
        operator: BinaryOperator,
        ty: TypeId,
        left: ConstantId,
        right: ConstantId,
    ) -> Known {
        let bits = match self.parts(at, ty)?[..] {
            [part] if !operator.is_float() => part.scalar.bits(),
            _ => return Err("arithmetic on constants that are no plain integers".into()),
        };
        let value = match (&self.known(at, left)?[..], &self.known(at, right)?[..]) {
            ([Value::Number(left)], [Value::Number(right)]) => arithmetic::binary(operator, bits, *left, *right),
            _ => None,
        };
        value.map(|value| Rc::from([Value::Number(value)])).ok_or_else(|| "arithmetic on constants".into())
    }

    fn fold_cast(&mut self, at: usize, operator: CastOperator, ty: TypeId, operand: ConstantId) -> Known {
        let from = self.parts(at, self.program.modules[at].constant(operand).ty)?;
        let (to, value) = (self.parts(at, ty)?, self.known(at, operand)?);
        let ([from], [to]) = (&from[..], &to[..]) else {
            return match operator {
                CastOperator::BitCast if from.len() == to.len() => Ok(value),
                CastOperator::BitCast => regroup(&from, &to, &value),
                _ => Err("a conversion of a constant".into()),
            };
        };
        let (from, to) = (from.scalar, to.scalar);
        match (operator, &value[..]) {
            (CastOperator::BitCast | CastOperator::AddrSpaceCast, _) if from.bits() == to.bits() => Ok(value),
            (CastOperator::IntToPtr | CastOperator::PtrToInt | CastOperator::PtrToAddr, _)
                if from.bits() == 64 && to.bits() == 64 =>
            {
                Ok(value)
            }
            (CastOperator::Trunc | CastOperator::PtrToInt | CastOperator::PtrToAddr, [Value::Number(number)]) => {
                Ok(Rc::from([Value::Number(wrap(*number, to.bits()))]))
            }
            (CastOperator::ZExt | CastOperator::IntToPtr, [Value::Number(number)]) => {
                Ok(Rc::from([Value::Number(zero_extend(*number, from.bits()))]))
            }
            (CastOperator::SExt, [Value::Number(number)]) => {
                let number = if from == Scalar::Integer(1) { number.wrapping_neg() } else { *number };
                Ok(Rc::from([Value::Number(wrap(number, to.bits()))]))
            }
            _ => Err("a conversion of a constant".into()),
        }
    }

    /// The address of a variable.
    fn global_address(&mut self, at: usize, id: GlobalId) -> Result<Value, Rc<str>> {
        let symbol = self.program.global(at, id);
        self.symbol_address(symbol, &self.program.modules[at].globals[id.index()].name)
    }

    /// The address of what a symbol means.
    pub(super) fn symbol_address(&mut self, symbol: Symbol, name: &str) -> Result<Value, Rc<str>> {
        match self.resolve(symbol)? {
            Symbol::Global(module, id) => Ok(self.objects.global(self.program, module, id)),
            Symbol::Function(module, id) => {
                let number = self.function_number(module, id);
                Ok(Value::Number(self.functions[number as usize].address))
            }
            Symbol::Native(_) | Symbol::Alias(..) => Err(format!("the address of `{name}`").into()),
            Symbol::Null => Ok(Value::Number(0)),
            // What C++ tells shared libraries apart by, and what describes classes to exceptions
            // and casts; there are none.
            Symbol::Unknown if name == "__dso_handle" || name.starts_with("_ZTVN10__cxxabiv1") => Ok(Value::Number(0)),
            Symbol::Unknown if self.settings.analysed => Ok(Value::Number(self.add_table(vec![0; 64]))),
            Symbol::Unknown => Err(format!("unknown external variable `{name}`").into()),
        }
    }

    /// Follows aliases.
    pub(super) fn resolve(&self, mut symbol: Symbol) -> Result<Symbol, Rc<str>> {
        let program = self.program;
        for _ in 0..LINKS {
            let Symbol::Alias(at, id) = symbol else { return Ok(symbol) };
            let alias = &program.modules[at].aliases[id.index()];
            if alias.kind == crate::ir::AliasKind::IFunc {
                return Err(format!("`{}`, a function that is chosen when the program is loaded", alias.name).into());
            }
            symbol = match program.modules[at].constant(alias.target).kind {
                ConstantKind::Function(function) => program.function(at, function),
                ConstantKind::Global(global) => program.global(at, global),
                ConstantKind::Alias(other) => program.alias(at, other),
                _ => return Err(format!("`{}`, an alias of an expression", alias.name).into()),
            };
        }
        Err("an alias of itself".into())
    }
}

/// The address of a label is a number that only a jump to it needs; it is not null.
pub(super) fn label(block: usize) -> u64 {
    block as u64 + 1
}

/// The way of an address computation through the types.
pub(super) struct GepWalk {
    current: TypeId,
    first: bool,
}

impl GepWalk {
    /// From a pointer to this type.
    pub(super) fn new(source: TypeId) -> GepWalk {
        GepWalk { current: source, first: true }
    }

    /// How many bytes one step of the next index is; `None` where it selects a field of a
    /// structure.
    pub(super) fn scale(&self, module: &Module) -> Option<u64> {
        match module.ty(self.current) {
            _ if self.first => module.types.size(self.current),
            Type::Array(element, _) => module.types.size(*element),
            Type::Vector { element, .. } => module.types.size(*element),
            _ => None,
        }
    }

    /// Past an index that is not known.
    pub(super) fn skip(&mut self, module: &Module) {
        if !self.first {
            self.current = module.types.part(self.current, 0).unwrap_or(self.current);
        }
        self.first = false;
    }

    /// Past an index; how many bytes it adds.
    pub(super) fn step(&mut self, module: &Module, index: i64) -> Result<u64, Rc<str>> {
        if let Some(scale) = self.scale(module) {
            self.skip(module);
            return Ok((index as u64).wrapping_mul(scale));
        }
        let index = usize::try_from(zero_extend(index as u64, 32)).unwrap_or(usize::MAX);
        let offset = module.types.offsets(self.current).get(index).copied();
        let part = module.types.part(self.current, index as u64);
        match (offset, part) {
            (Some(offset), Some(part)) => {
                self.current = part;
                Ok(offset)
            }
            _ => Err("an address computed through a type without such a part".into()),
        }
    }
}

/// The ways in which two floats can stand to each other where a predicate holds: see
/// `FloatCondition`.
pub(super) fn float_condition(predicate: FloatPredicate) -> u8 {
    match predicate {
        FloatPredicate::False => 0,
        FloatPredicate::OrderedEqual => 1,
        FloatPredicate::OrderedGreater => 2,
        FloatPredicate::OrderedGreaterEqual => 3,
        FloatPredicate::OrderedLess => 4,
        FloatPredicate::OrderedLessEqual => 5,
        FloatPredicate::OrderedNotEqual => 6,
        FloatPredicate::Ordered => 7,
        FloatPredicate::Unordered => 8,
        FloatPredicate::UnorderedEqual => 9,
        FloatPredicate::UnorderedGreater => 10,
        FloatPredicate::UnorderedGreaterEqual => 11,
        FloatPredicate::UnorderedLess => 12,
        FloatPredicate::UnorderedLessEqual => 13,
        FloatPredicate::UnorderedNotEqual => 14,
        FloatPredicate::True => 15,
    }
}
/// The same bits in other parts: a vector of truth values as an integer, and so on. What is
/// undefined is zero.
fn regroup(from: &[Part], to: &[Part], values: &[Value]) -> Known {
    let total = |parts: &[Part]| parts.iter().map(|part| usize::from(part.scalar.bits())).sum::<usize>();
    if total(from) != total(to) || from.len() != values.len() {
        return Err("a conversion of a constant between types of different sizes".into());
    }
    let mut bits: Vec<bool> = Vec::with_capacity(total(from));
    for (part, value) in from.iter().zip(values) {
        let number = match value {
            Value::Number(number) => *number,
            Value::Undefined => 0,
            Value::Temp(_) | Value::ThreadLocal(..) => return Err("a conversion of a constant address".into()),
        };
        bits.extend((0..part.scalar.bits()).map(|bit| number >> bit & 1 == 1));
    }
    let mut bits = bits.into_iter();
    let gather = |part: &Part| {
        let width = part.scalar.bits();
        let number = (0..width).fold(0, |number, bit| number | u64::from(bits.next().unwrap_or(false)) << bit);
        Value::Number(if width == 1 { number } else { wrap(number, width) })
    };
    Ok(to.iter().map(gather).collect())
}
