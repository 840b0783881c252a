//! Values of which only some things are known, as terms.
//!
//! Integers and truth values are what they are. Every other value is told by a number of its own,
//! its *identity*: equal values have equal identities, different ones different ones. The
//! identities of `null`, of this object and of constructors without arguments are fixed; all others
//! may be any number. What is computed from identities is a function about which nothing is known,
//! so whatever a solver proves holds for the values as well.
//!
//! Fractions are terms of integers, too, but nobody sees more of them than the function that gives
//! their identity. Sums of them are in one order, so sums that are the same are the same term. No
//! solver can conclude from them what holds for integers alone, since no comparison speaks of them.
//!
//! A map is two arrays: which keys are there, and what they lead to. That is all of it, since the
//! library's functions keep maps in order ([`keeps_maps_in_order`]).

use mazurka_smt::{Arena, Op, Sort, Term};

use crate::code::{Image, Instruction};
use crate::hir::{Kind, Plain};

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Int(Term),
    Bool(Term),
    Rat(Term),
    Map(Map),
    /// A constructor and its arguments.
    Data(u32, Vec<Value>),
    /// The future of a call that the left step (0) or the right one (1) has made, by its number.
    Future(usize, usize),
    /// By its identity.
    Other(Term),
}

/// A map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Map {
    /// 1 where there is such a key, 0 otherwise.
    pub(super) present: Term,
    /// What the key leads to; 0 where it is not there.
    pub(super) content: Term,
    pub(super) key: Plain,
    pub(super) value: Plain,
}

const NULL: i128 = 0;
const THIS: i128 = -1;
/// The identity of the first constructor without arguments; those of others are below.
const CONSTRUCTORS: i128 = -2;
/// The identity of the first constant of the program that is a text.
const TEXTS: i128 = -(1 << 40);
/// The identity of the first future of a call.
const FUTURES: i128 = -(1 << 50);

/// What an identity that is fixed stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fixed {
    Null,
    This,
    Constructor(u32),
    /// A constant of the program.
    Constant(u32),
    /// The future of a call that has not been made before.
    New,
}

/// What a fixed identity stands for.
pub(super) fn fixed(identity: i128) -> Option<Fixed> {
    match identity {
        NULL => Some(Fixed::Null),
        THIS => Some(Fixed::This),
        _ if identity <= FUTURES => Some(Fixed::New),
        _ if identity <= TEXTS => u32::try_from(TEXTS - identity).ok().map(Fixed::Constant),
        _ if identity <= CONSTRUCTORS => u32::try_from(CONSTRUCTORS - identity).ok().map(Fixed::Constructor),
        _ => None,
    }
}

pub(super) fn null(arena: &mut Arena) -> Value {
    Value::Other(arena.int(NULL))
}

pub(super) fn this(arena: &mut Arena) -> Value {
    Value::Other(arena.int(THIS))
}

/// A text of the program.
pub(super) fn text(arena: &mut Arena, constant: u32) -> Value {
    Value::Other(arena.int(TEXTS - i128::from(constant)))
}

/// Whether it is this object, and known to be.
pub(super) fn is_this(arena: &Arena, value: &Value) -> bool {
    matches!(value, Value::Other(identity) if arena.constant(*identity) == Some(THIS))
}

/// That an identity is that of `null`.
pub(super) fn is_null(arena: &mut Arena, identity: Term) -> Term {
    let null = arena.int(NULL);
    arena.equal(identity, null)
}

/// Functions about which nothing is known. Their names begin with a sign that no name of a program
/// has.
pub(super) fn apply(arena: &mut Arena, name: &str, arguments: &[Term], result: Sort) -> Term {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| arena.sort(argument)).collect();
    let function = arena.function(&format!("@{name}"), &sorts, result);
    arena.apply(function, arguments)
}

/// The operand of a function of this name, if a term is that.
fn inside(arena: &Arena, term: Term, name: &str) -> Option<Term> {
    match (arena.op(term), arena.operands(term)) {
        (Op::Apply(function), &[operand]) if arena.function_name(function).strip_prefix('@') == Some(name) => {
            Some(operand)
        }
        _ => None,
    }
}

/// A value of a kind that may be anything. What it is made of is called like this.
pub(super) fn anything(kind: Kind, mut variable: impl FnMut(&str, Sort) -> Term) -> Value {
    match kind {
        Kind::Int => Value::Int(variable("", Sort::Int)),
        Kind::Bool => Value::Bool(variable("", Sort::Bool)),
        Kind::Rat => Value::Rat(variable("", Sort::Int)),
        Kind::Other => Value::Other(variable("", Sort::Int)),
        Kind::Map(key, value) => {
            let (present, content) = (variable("'s keys", Sort::Array), variable("", Sort::Array));
            Value::Map(Map { present, content, key, value })
        }
    }
}

/// The identity of a value.
pub(super) fn identity(arena: &mut Arena, value: &Value) -> Term {
    match value {
        Value::Int(term) | Value::Rat(term) => {
            inside(arena, *term, "number of").unwrap_or_else(|| apply(arena, "number", &[*term], Sort::Int))
        }
        Value::Bool(term) => {
            inside(arena, *term, "truth of").unwrap_or_else(|| apply(arena, "truth", &[*term], Sort::Int))
        }
        Value::Map(map) => apply(arena, "map", &[map.present, map.content], Sort::Int),
        Value::Data(constructor, arguments) if arguments.is_empty() => {
            arena.int(CONSTRUCTORS - i128::from(*constructor))
        }
        Value::Data(constructor, arguments) => {
            let arguments: Vec<Term> = arguments.iter().map(|argument| identity(arena, argument)).collect();
            apply(arena, &format!("data {constructor}"), &arguments, Sort::Int)
        }
        Value::Future(side, number) => arena.int(FUTURES - ((*side as i128) << 32) - *number as i128),
        Value::Other(identity) => *identity,
    }
}

/// The truth value that something is, whose type says so.
pub(super) fn truth(arena: &mut Arena, value: &Value) -> Term {
    match value {
        Value::Bool(term) => *term,
        other => {
            let identity = identity(arena, other);
            inside(arena, identity, "truth").unwrap_or_else(|| apply(arena, "truth of", &[identity], Sort::Bool))
        }
    }
}

/// A number that something is, whose type says so; told as a fraction unless it is an integer.
fn number(arena: &mut Arena, value: &Value) -> Term {
    match value {
        Value::Int(term) | Value::Rat(term) => *term,
        other => {
            let identity = identity(arena, other);
            inside(arena, identity, "number").unwrap_or_else(|| apply(arena, "number of", &[identity], Sort::Int))
        }
    }
}

/// Two values are the same.
pub(super) fn equal(arena: &mut Arena, one: &Value, other: &Value) -> Term {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) | (Value::Bool(one), Value::Bool(other)) => arena.equal(*one, *other),
        (Value::Map(one), Value::Map(other)) => {
            let parts = [same_array(arena, one.present, other.present), same_array(arena, one.content, other.content)];
            arena.and(&parts)
        }
        (Value::Data(one, ones), Value::Data(other, others)) => {
            if one != other || ones.len() != others.len() {
                return arena.no();
            }
            let parts: Vec<Term> = ones.iter().zip(others).map(|(one, other)| equal(arena, one, other)).collect();
            arena.and(&parts)
        }
        (Value::Future(..), Value::Future(..)) => arena.truth(one == other),
        _ => {
            let (one, other) = (identity(arena, one), identity(arena, other));
            arena.equal(one, other)
        }
    }
}

/// Two arrays that were made of one by storing are the same where something was stored.
fn same_array(arena: &mut Arena, one: Term, other: Term) -> Term {
    let (Some((first, mut indices)), Some((second, others))) = (stores(arena, one), stores(arena, other)) else {
        return arena.equal(one, other);
    };
    if first != second {
        return arena.equal(one, other);
    }
    indices.extend(others);
    indices.sort_unstable();
    indices.dedup();
    let mut same = Vec::new();
    for index in indices {
        let (one, other) = (arena.select(one, index), arena.select(other, index));
        same.push(arena.equal(one, other));
    }
    arena.and(&same)
}

/// The array that others were made of, and where something was stored since.
fn stores(arena: &Arena, mut array: Term) -> Option<(Term, Vec<Term>)> {
    let mut indices = Vec::new();
    loop {
        match (arena.op(array), arena.operands(array)) {
            (Op::Store, &[inner, index, _]) => {
                indices.push(index);
                array = inner;
            }
            (Op::Variable(_), _) => return Some((array, indices)),
            _ => return None,
        }
    }
}

/// The first value is less than the second: all values are in one order.
pub(super) fn less(arena: &mut Arena, one: &Value, other: &Value) -> Term {
    if let (Value::Int(one), Value::Int(other)) = (one, other) {
        return arena.less(*one, *other);
    }
    let (one, other) = (identity(arena, one), identity(arena, other));
    if one == other {
        return arena.no();
    }
    apply(arena, "less", &[one, other], Sort::Bool)
}

/// A sum, a difference or a product, of numbers or texts.
pub(super) fn arithmetic(arena: &mut Arena, operator: Arithmetic, one: &Value, other: &Value) -> Value {
    let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Rat(_));
    if operator == Arithmetic::Add && !is_number(one) && !is_number(other) {
        let (one, other) = (identity(arena, one), identity(arena, other));
        return Value::Other(apply(arena, "sum or text", &[one, other], Sort::Int));
    }
    let are_integers = matches!((one, other), (Value::Int(_), Value::Int(_)));
    let (one, other) = (number(arena, one), number(arena, other));
    let result = match operator {
        Arithmetic::Add => arena.add(&[one, other]),
        Arithmetic::Subtract => arena.subtract(one, other),
        Arithmetic::Multiply if arena.constant(one).is_some() || arena.constant(other).is_some() => {
            arena.multiply(one, other)
        }
        // Neither a solver nor anybody else looks into products.
        Arithmetic::Multiply => apply(arena, " * ", &[one.min(other), one.max(other)], Sort::Int),
        Arithmetic::Divide => apply(arena, "quotient", &[one, other], Sort::Int),
    };
    if are_integers && operator != Arithmetic::Divide { Value::Int(result) } else { Value::Rat(result) }
}

/// Operators of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// By something that is not zero.
    Divide,
}

/// The opposite of a number.
pub(super) fn negate(arena: &mut Arena, value: &Value) -> Value {
    let is_integer = matches!(value, Value::Int(_));
    let number = number(arena, value);
    let result = arena.negate(number);
    if is_integer { Value::Int(result) } else { Value::Rat(result) }
}

/// The integer next to a number, or another integer that a function finds in a value.
pub(super) fn integer_of(arena: &mut Arena, name: &str, value: &Value) -> Value {
    let identity = identity(arena, value);
    Value::Int(apply(arena, name, &[identity], Sort::Int))
}

/// How a key, or what it leads to, is kept in an array.
fn encoded(arena: &mut Arena, plain: Plain, value: &Value) -> Term {
    match (plain, value) {
        (Plain::Int, Value::Int(term)) => *term,
        (Plain::Int, other) => {
            let identity = identity(arena, other);
            inside(arena, identity, "number").unwrap_or_else(|| apply(arena, "integer of", &[identity], Sort::Int))
        }
        (Plain::Bool, value) => {
            let truth = truth(arena, value);
            arena.indicator(truth)
        }
        (Plain::Other, value) => identity(arena, value),
    }
}

fn decoded(arena: &mut Arena, plain: Plain, cell: Term) -> Value {
    match plain {
        Plain::Int => Value::Int(cell),
        Plain::Bool => {
            let one = arena.int(1);
            Value::Bool(arena.equal(cell, one))
        }
        Plain::Other => Value::Other(cell),
    }
}

impl Map {
    /// Whether a key is there, and what it leads to.
    pub(super) fn look_up(self, arena: &mut Arena, key: &Value) -> (Term, Value) {
        let key = encoded(arena, self.key, key);
        let (present, content, one) = (arena.select(self.present, key), arena.select(self.content, key), arena.int(1));
        let found = decoded(arena, self.value, content);
        (arena.equal(present, one), found)
    }

    /// The keys that something was stored under.
    pub(super) fn stored(self, arena: &Arena) -> Vec<Term> {
        stores(arena, self.content).map_or_else(Vec::new, |(_, keys)| keys)
    }

    /// Whether a key is there, as it is kept in the arrays, and what is kept under it.
    pub(super) fn entry(self, arena: &mut Arena, key: Term) -> (Term, Term) {
        let (present, content, one) = (arena.select(self.present, key), arena.select(self.content, key), arena.int(1));
        (arena.equal(present, one), content)
    }

    /// The map with another entry, or without it.
    pub(super) fn change(self, arena: &mut Arena, key: &Value, value: Option<&Value>) -> Map {
        let key = encoded(arena, self.key, key);
        let content = match value {
            Some(value) => encoded(arena, self.value, value),
            None => arena.int(0),
        };
        let is_there = arena.int(i128::from(value.is_some()));
        let present = arena.store(self.present, key, is_there);
        Map { present, content: arena.store(self.content, key, content), ..self }
    }
}

/// Whether all maps of a program are made by functions of the library, which keep them in order:
/// then a map is no more than what its keys lead to.
pub(super) fn keeps_maps_in_order(image: &Image) -> bool {
    let made = image.constructors.iter().position(|constructor| constructor.name == "InsertAssoc");
    let makes = |(pc, instruction): (usize, &Instruction)| match *instruction {
        Instruction::Construct { constructor, .. } => {
            Some(constructor as usize) == made && !image.is_library(pc as u32)
        }
        _ => false,
    };
    !image.code.iter().enumerate().any(makes)
}
