//! Literals over linear sums, in one form: `z + 1 >= 0` and `-1 <= z` are the same.

use std::collections::BTreeMap;

use crate::term::{Arena, Op, Sort, Term};

use super::Sum;

/// How a sum relates to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is zero.
    Equal,
    /// It is not zero.
    NotEqual,
    /// It is zero or less.
    AtMost,
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// A sum of terms, each with a coefficient, and a constant, that relates to zero.
    Linear(Vec<(Term, i128)>, i128, Relation),
    /// Anything else.
    Other(Term),
}

impl Literal {
    /// Reads an atom or its negation.
    pub fn of(arena: &Arena, literal: Term) -> Literal {
        let (atom, positive) = match arena.op(literal) {
            Op::Not => (arena.operands(literal)[0], false),
            _ => (literal, true),
        };
        linear(arena, atom, positive).unwrap_or(Literal::Other(literal))
    }

    /// The literal as a term.
    pub fn term(&self, arena: &mut Arena) -> Term {
        match self {
            Literal::Other(term) => *term,
            Literal::Linear(sum, constant, relation) => {
                let (left, right, relation) = self.sides(sum, *constant, *relation);
                let (left, right) = (total(arena, &left.0, left.1), total(arena, &right.0, right.1));
                match relation {
                    Sign::Equal => arena.equal(left, right),
                    Sign::NotEqual => arena.different(left, right),
                    Sign::AtMost => arena.less_equal(left, right),
                    Sign::AtLeast => arena.less_equal(right, left),
                }
            }
        }
    }

    /// How it is written.
    pub fn text(&self, arena: &Arena, limit: usize) -> String {
        match self {
            Literal::Other(term) => arena.infix(*term, limit),
            Literal::Linear(sum, constant, relation) => {
                let (left, right, sign) = self.sides(sum, *constant, *relation);
                let sign = match sign {
                    Sign::Equal => "==",
                    Sign::NotEqual => "!=",
                    Sign::AtMost => "<=",
                    Sign::AtLeast => ">=",
                };
                format!("{} {sign} {}", written(arena, &left, limit), written(arena, &right, limit))
            }
        }
    }

    /// What stands on the left, what on the right, and between them. The first term stands on the
    /// left, and is not negative.
    fn sides(&self, sum: &[(Term, i128)], constant: i128, relation: Relation) -> (Side, Side, Sign) {
        let turned = sum.first().is_some_and(|&(_, factor)| factor < 0);
        let factor = if turned { -1 } else { 1 };
        let (mut left, mut right) = ((Vec::new(), 0), (Vec::new(), -constant * factor));
        for &(term, times) in sum {
            let times = times * factor;
            if times > 0 { left.0.push((term, times)) } else { right.0.push((term, -times)) }
        }
        if right.1 < 0 && !right.0.is_empty() {
            left.1 = -right.1;
            right.1 = 0;
        }
        let sign = match (relation, turned) {
            (Relation::Equal, _) => Sign::Equal,
            (Relation::NotEqual, _) => Sign::NotEqual,
            (Relation::AtMost, false) => Sign::AtMost,
            (Relation::AtMost, true) => Sign::AtLeast,
        };
        (left, right, sign)
    }
}

type Side = (Vec<(Term, i128)>, i128);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
}

fn total(arena: &mut Arena, terms: &[(Term, i128)], constant: i128) -> Term {
    let mut parts: Vec<Term> = Vec::new();
    for &(term, times) in terms {
        let times = arena.int(times);
        parts.push(arena.multiply(times, term));
    }
    if constant != 0 || parts.is_empty() {
        parts.push(arena.int(constant));
    }
    match parts[..] {
        [only] => only,
        _ => arena.add(&parts),
    }
}

fn written(arena: &Arena, side: &Side, limit: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    for &(term, times) in &side.0 {
        let text = arena.infix(term, limit);
        parts.push(if times == 1 { text } else { format!("{times} * {text}") });
    }
    let mut text = parts.join(" + ");
    match (text.is_empty(), side.1) {
        (true, constant) => text = constant.to_string(),
        (false, 0) => {}
        (false, constant) if constant > 0 => text += &format!(" + {constant}"),
        (false, constant) => text += &format!(" - {}", -constant),
    }
    text
}

/// An atom about integers as a sum that relates to zero.
fn linear(arena: &Arena, atom: Term, positive: bool) -> Option<Literal> {
    let &[left, right] = arena.operands(atom) else { return None };
    if arena.sort(left) != Sort::Int {
        return None;
    }
    let mut sum: Sum = (BTreeMap::new(), 0);
    let (first, second, relation, strict) = match (arena.op(atom), positive) {
        (Op::Equal, true) => (left, right, Relation::Equal, 0),
        (Op::Equal, false) => (left, right, Relation::NotEqual, 0),
        (Op::LessEqual, true) => (left, right, Relation::AtMost, 0),
        (Op::Less, true) => (left, right, Relation::AtMost, 1),
        (Op::LessEqual, false) => (right, left, Relation::AtMost, 1),
        (Op::Less, false) => (right, left, Relation::AtMost, 0),
        _ => return None,
    };
    add(arena, &mut sum, first, 1)?;
    add(arena, &mut sum, second, -1)?;
    sum.1 = sum.1.checked_add(strict)?;
    sum.0.retain(|_, times| *times != 0);
    Some(Literal::Linear(sum.0.into_iter().collect(), sum.1, relation))
}

/// Adds a term, so many times.
fn add(arena: &Arena, sum: &mut Sum, term: Term, times: i128) -> Option<()> {
    let mut work = vec![(term, times)];
    while let Some((term, times)) = work.pop() {
        let operands = arena.operands(term);
        match arena.op(term) {
            Op::Int(value) => sum.1 = sum.1.checked_add(value.checked_mul(times)?)?,
            Op::Add => work.extend(operands.iter().map(|&operand| (operand, times))),
            Op::Multiply if operands.len() == 2 && arena.constant(operands[0]).is_some() => {
                work.push((operands[1], arena.constant(operands[0])?.checked_mul(times)?));
            }
            _ => {
                let known = sum.0.entry(term).or_default();
                *known = known.checked_add(times)?;
            }
        }
    }
    Some(())
}
