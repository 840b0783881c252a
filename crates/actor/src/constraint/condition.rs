//! Conditions on an object and two tasks, as the machine evaluates them.

use mazurka_smt::synthesis::Literal;
use mazurka_smt::{Arena, Op, Term};

use super::commute::Commute;
use super::value::{Fixed, fixed};
use crate::code::{Image, Operation};

/// A conjunction as operations; nothing where it speaks of something that cannot be looked at.
pub(super) fn operations(arena: &Arena, both: &Commute, implicant: &[Term]) -> Option<Vec<Operation>> {
    let mut all = Vec::new();
    let mut ends = Vec::new();
    for (number, &literal) in implicant.iter().enumerate() {
        if number > 0 {
            ends.push(all.len());
            all.push(Operation::And(0));
        }
        evaluate(arena, both, literal, &mut all)?;
    }
    if implicant.is_empty() {
        all.push(Operation::Bool(true));
    }
    let end = all.len() as u32;
    for at in ends {
        all[at] = Operation::And(end);
    }
    Some(all)
}

/// So deep may terms of a condition nest.
const DEEPEST: usize = 64;

fn evaluate(arena: &Arena, both: &Commute, literal: Term, all: &mut Vec<Operation>) -> Option<()> {
    enum Work {
        Term(Term, bool, usize),
        Emit(Operation),
    }
    let mut work = vec![Work::Term(literal, false, 0)];
    while let Some(next) = work.pop() {
        let (term, is_identity, depth) = match next {
            Work::Emit(operation) => {
                all.push(operation);
                continue;
            }
            Work::Term(term, is_identity, depth) => (term, is_identity, depth + 1),
        };
        if depth > DEEPEST {
            return None;
        }
        let operands = arena.operands(term);
        let operation = match arena.op(term) {
            Op::Bool(value) => {
                all.push(Operation::Bool(value));
                continue;
            }
            Op::Int(number) => {
                all.push(if is_identity { identity(number)? } else { Operation::Int(number) });
                continue;
            }
            Op::Variable(_) => {
                let variable = both.variables.iter().find(|variable| variable.term == term)?;
                (variable.is_identity == is_identity).then_some(())?;
                all.push(Operation::Value(variable.source));
                continue;
            }
            Op::Not => Operation::Not,
            Op::Equal => Operation::Equal,
            Op::Less => Operation::Less,
            Op::LessEqual => Operation::LessEqual,
            Op::Add => Operation::Add,
            Op::Multiply => Operation::Multiply,
            Op::And
            | Op::Or
            | Op::Ite
            | Op::Apply(_)
            | Op::Divide
            | Op::Modulo
            | Op::Select
            | Op::Store
            | Op::Constant => return None,
        };
        let of_identities = operation == Operation::Equal && operands.iter().any(|&side| is_identity_of(both, side));
        // Chains of sums and products, one operator after each operand but the first.
        let is_chain = matches!(operation, Operation::Add | Operation::Multiply);
        let count = if is_chain { operands.len() - 1 } else { 1 };
        work.extend((0..count).map(|_| Work::Emit(operation)));
        work.extend(operands.iter().rev().map(|&operand| Work::Term(operand, of_identities, depth)));
    }
    Some(())
}

fn is_identity_of(both: &Commute, term: Term) -> bool {
    both.variables.iter().any(|variable| variable.term == term && variable.is_identity)
}

fn identity(number: i128) -> Option<Operation> {
    match fixed(number)? {
        Fixed::Null => Some(Operation::Null),
        Fixed::This => Some(Operation::This),
        Fixed::Constructor(constructor) => Some(Operation::Constructor(constructor)),
        Fixed::Constant(constant) => Some(Operation::Constant(constant)),
        Fixed::New => None,
    }
}

/// How a conjunction is written: `content > 0 && next != null`, `True`.
pub(super) fn text(image: &Image, arena: &Arena, both: &Commute, implicant: &[Term], width: usize) -> String {
    if implicant.is_empty() {
        return "true".to_owned();
    }
    let texts: Vec<String> = implicant.iter().map(|&literal| written(image, arena, both, literal, width)).collect();
    texts.join(" && ")
}

fn written(image: &Image, arena: &Arena, both: &Commute, literal: Term, width: usize) -> String {
    let (atom, sign) = match arena.op(literal) {
        Op::Not => (arena.operands(literal)[0], "!="),
        _ => (literal, "=="),
    };
    let sides = (arena.op(atom), arena.operands(atom));
    if let (Op::Equal, &[left, right]) = sides
        && let Some((variable, number)) = identity_and_constant(arena, both, left, right)
    {
        let name = arena.name(variable).unwrap_or_default();
        return format!("{name} {sign} {}", fixed_name(image, number));
    }
    Literal::of(arena, literal).text(arena, width)
}

fn identity_and_constant(arena: &Arena, both: &Commute, left: Term, right: Term) -> Option<(Term, i128)> {
    let of = |variable: Term, other: Term| {
        is_identity_of(both, variable).then(|| arena.constant(other)).flatten().map(|number| (variable, number))
    };
    of(left, right).or_else(|| of(right, left))
}

/// What a value with a fixed identity is called; others are numbered.
pub(super) fn fixed_name(image: &Image, number: i128) -> String {
    match fixed(number) {
        Some(Fixed::Null) => "null".to_owned(),
        Some(Fixed::This) => "this".to_owned(),
        Some(Fixed::Constructor(constructor)) => match image.constructors.get(constructor as usize) {
            Some(constructor) => constructor.name.clone(),
            None => format!("value #{number}"),
        },
        Some(Fixed::Constant(constant)) => format!("{:?}", image.constants.get(constant as usize)),
        Some(Fixed::New) => "a new future".to_owned(),
        None => format!("value #{number}"),
    }
}
