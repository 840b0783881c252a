//! Operators and functions that are not written in ABS.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::heap::{Boxed, Heap};
use super::value::{Kind, Value};
use crate::code::Image;
use crate::hir::{Builtin, Operator};

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// A division by zero.
    Division,
    /// A part of a string that is not there.
    Range,
    /// A number or a string that is larger than allowed.
    Size,
    /// Operands of the wrong types. The checker lets that pass only where types are not known.
    Types,
}

/// The bits of the largest integer: that of a million decimal digits.
const LARGEST: u64 = 3_500_000;

/// The bits of the largest fraction, both parts together. Bringing it to lowest terms takes time
/// that grows with the square.
const LARGEST_FRACTION: u64 = 50_000;

/// The bytes of the longest string.
pub(crate) const LONGEST: usize = 1 << 24;

/// A truth value.
pub(crate) fn truth(image: &Image, holds: bool) -> Value {
    let constructor = if holds { image.known.yes } else { image.known.no };
    Value::plain(constructor.0)
}

/// The value of an operator with two operands.
pub(crate) fn binary(
    image: &Image,
    heap: &mut Heap,
    operator: Operator,
    left: Value,
    right: Value,
) -> Result<Value, Trouble> {
    match operator {
        Operator::Equal => return Ok(truth(image, left == right)),
        Operator::NotEqual => return Ok(truth(image, left != right)),
        Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
            let rank = |constructor: u32| image.ranks[constructor as usize] as usize;
            let order = heap.compare(left, right, rank);
            let holds = match operator {
                Operator::Less => order == Ordering::Less,
                Operator::LessEqual => order != Ordering::Greater,
                Operator::Greater => order == Ordering::Greater,
                _ => order != Ordering::Less,
            };
            return Ok(truth(image, holds));
        }
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {}
    }
    if let (Kind::Int(left), Kind::Int(right)) = (left.kind(), right.kind())
        && let Some(value) = small(operator, left, right)
    {
        return Ok(value);
    }
    if let (Operator::Add, Some(one), Some(other)) = (operator, heap.text(left), heap.text(right)) {
        if one.len() + other.len() > LONGEST {
            return Err(Trouble::Size);
        }
        let text = format!("{one}{other}");
        return Ok(heap.string(text));
    }
    let (Some(left), Some(right)) = (heap.number(left), heap.number(right)) else { return Err(Trouble::Types) };
    large(heap, operator, &left, &right)
}

/// The result where operands and result are small.
fn small(operator: Operator, left: i64, right: i64) -> Option<Value> {
    let result = match operator {
        Operator::Add => left.checked_add(right)?,
        Operator::Subtract => left.checked_sub(right)?,
        Operator::Multiply => left.checked_mul(right)?,
        Operator::Divide if right != 0 && left % right == 0 => left / right,
        Operator::Remainder if right != 0 => left.checked_rem(right)?,
        _ => return None,
    };
    Value::int(result)
}

/// The result of two integers, where it is one. Nothing is brought to lowest terms for that.
fn integer(operator: Operator, left: &BigInt, right: &BigInt) -> Result<Option<BigInt>, Trouble> {
    Ok(match operator {
        Operator::Add => Some(left + right),
        Operator::Subtract => Some(left - right),
        Operator::Multiply => Some(left * right),
        Operator::Divide | Operator::Remainder if right.is_zero() => return Err(Trouble::Division),
        Operator::Divide => (left % right).is_zero().then(|| left / right),
        _ => Some(left % right),
    })
}

fn large(heap: &mut Heap, operator: Operator, left: &BigRational, right: &BigRational) -> Result<Value, Trouble> {
    let bits = |number: &BigRational| number.numer().bits() + number.denom().bits();
    if bits(left) + bits(right) > LARGEST {
        return Err(Trouble::Size);
    }
    if left.is_integer()
        && right.is_integer()
        && let Some(result) = integer(operator, left.numer(), right.numer())?
    {
        return Ok(heap.int(result));
    }
    if bits(left) + bits(right) > LARGEST_FRACTION {
        return Err(Trouble::Size);
    }
    let result = match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide | Operator::Remainder if right.is_zero() => return Err(Trouble::Division),
        Operator::Divide => left / right,
        _ => left % right,
    };
    Ok(heap.rat(result))
}

/// The opposite of a number.
pub(crate) fn negate(heap: &mut Heap, value: Value) -> Result<Value, Trouble> {
    let number = heap.number(value).ok_or(Trouble::Types)?;
    Ok(heap.rat(-number))
}

/// The value of a function that is not written in ABS. Choices are made elsewhere.
pub(crate) fn builtin(
    heap: &mut Heap,
    builtin: Builtin,
    arguments: [Value; 3],
    spell: impl Fn(&Heap, Value) -> Option<String>,
    unit: Value,
) -> Result<Value, Trouble> {
    let number = |heap: &Heap| heap.number(arguments[0]).ok_or(Trouble::Types);
    match builtin {
        Builtin::Truncate => {
            let integer = number(heap)?.to_integer();
            Ok(heap.int(integer))
        }
        Builtin::Numerator => {
            let integer = number(heap)?.numer().clone();
            Ok(heap.int(integer))
        }
        Builtin::Denominator => {
            let integer = number(heap)?.denom().clone();
            Ok(heap.int(integer))
        }
        Builtin::ToString => {
            heap.tell(arguments[0]);
            let text = spell(heap, arguments[0]).ok_or(Trouble::Size)?;
            Ok(heap.string(text))
        }
        Builtin::StringLength => {
            let length = heap.text(arguments[0]).ok_or(Trouble::Types)?.chars().count();
            Ok(heap.int(length.into()))
        }
        Builtin::Substring => substring(heap, arguments),
        Builtin::Print | Builtin::Random => Ok(unit),
    }
}

fn substring(heap: &mut Heap, arguments: [Value; 3]) -> Result<Value, Trouble> {
    let text = heap.text(arguments[0]).ok_or(Trouble::Types)?;
    let place = |value: Value| match value.kind() {
        Kind::Int(number) => usize::try_from(number).map_err(|_| Trouble::Range),
        _ => Err(Trouble::Range),
    };
    let (from, count) = (place(arguments[1])?, place(arguments[2])?);
    let characters: Vec<char> = text.chars().collect();
    let end = from.checked_add(count).filter(|&end| end <= characters.len()).ok_or(Trouble::Range)?;
    let part: String = characters[from..end].iter().collect();
    Ok(heap.string(part))
}

/// The number of alternatives of a choice below a bound.
pub(crate) fn alternatives(heap: &Heap, bound: Value) -> Option<i64> {
    match bound.kind() {
        Kind::Int(number) => Some(number),
        Kind::Boxed(number) => match heap.get_box(number) {
            Boxed::Int(number) => Some(if number.is_positive() { i64::MAX } else { -1 }),
            Boxed::Rat(_) | Boxed::String(_) => None,
        },
        _ => None,
    }
}
