//! Cases of a conjunction: which disjunct holds, which way a choice goes, which side of an
//! inequality.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

use super::linear::{self, Linear, Solved, Unknown};
use super::{Look, holds};
use crate::term::{Arena, Assignment, Op, Sort, Term, Value};

/// So many cases are looked at.
const MOST_CASES: usize = 256;

/// What is known in a case.
#[derive(Clone, Default)]
struct Case {
    /// What is still to be taken apart.
    open: Vec<(Term, bool)>,
    /// One of these, each a conjunction.
    either: Vec<Vec<Vec<(Term, bool)>>>,
    /// Choices within terms: the condition, the unknown of the choice, what it can be.
    choices: Vec<(Term, Unknown, Term, Term)>,
    /// How many unknowns there are.
    next: Unknown,
    /// Something of it is not for a look.
    is_open: bool,
    truths: FxHashMap<Term, bool>,
    /// All are at most 0.
    system: Vec<Linear>,
    /// None is 0.
    nonzero: Vec<Linear>,
    /// The unknowns of terms.
    unknowns: FxHashMap<Term, Unknown>,
}

/// Why a case was left.
enum Left {
    Impossible,
    /// Numbers are too large, or it is not for a look.
    Open,
}

pub(super) fn solve(arena: &Arena, conditions: &[Term]) -> Look {
    let first = Case { open: conditions.iter().map(|&term| (term, true)).collect(), ..Case::default() };
    let (mut left, mut seen, mut sure) = (vec![first], 0, true);
    while let Some(mut case) = left.pop() {
        seen += 1;
        if seen > MOST_CASES {
            return Look::Unknown;
        }
        match case.take_apart(arena) {
            Err(Left::Impossible) => continue,
            Err(Left::Open) => {
                sure = false;
                continue;
            }
            Ok(()) => {}
        }
        // A case without a solution of what is linear has none, whatever is still open.
        let solved = linear::solve(&case.system, &case.nonzero);
        if matches!(solved, Solved::None) {
            continue;
        }
        if let Some(ways) = case.either.pop() {
            left.extend(ways.into_iter().rev().map(|way| Case { open: way, ..case.clone() }));
            continue;
        }
        if let Some([yes, no]) = case.choose(arena) {
            left.extend([no, yes]);
            continue;
        }
        let Solved::Values(values) = solved else {
            sure &= case.split_nonzero(None, &mut left);
            continue;
        };
        let assignment = case.assignment(arena, &values);
        if holds(arena, conditions, &assignment) {
            return Look::Sat(assignment);
        }
        sure &= !case.is_open && case.split_nonzero(Some(&values), &mut left);
    }
    if sure { Look::Unsat } else { Look::Unknown }
}

impl Case {
    /// Takes conditions apart, until what is left is linear, or a case of its own.
    fn take_apart(&mut self, arena: &Arena) -> Result<(), Left> {
        while let Some((term, wanted)) = self.open.pop() {
            let operands = arena.operands(term);
            match (arena.op(term), operands) {
                (Op::Bool(value), _) if value == wanted => {}
                (Op::Bool(_), _) => return Err(Left::Impossible),
                (Op::Not, &[inner]) => self.open.push((inner, !wanted)),
                (Op::And, _) if wanted => self.open.extend(operands.iter().map(|&one| (one, true))),
                (Op::Or, _) if !wanted => self.open.extend(operands.iter().map(|&one| (one, false))),
                (Op::And | Op::Or, _) => self.one_of(operands, wanted),
                (Op::Ite, &[condition, yes, no]) => {
                    let ways = [(true, yes), (false, no)];
                    self.either.push(ways.map(|(holds, part)| vec![(condition, holds), (part, wanted)]).to_vec());
                }
                (Op::Equal, &[one, other]) if arena.sort(one) == Sort::Bool => {
                    let ways = [true, false];
                    self.either.push(ways.map(|holds| vec![(one, holds), (other, holds == wanted)]).to_vec());
                }
                (Op::Equal, &[one, other]) if arena.sort(one) == Sort::Int => {
                    let difference = self.difference(arena, one, other)?;
                    if wanted {
                        self.at_most_zero(difference.clone(), 1)?;
                        self.at_most_zero(difference, -1)?;
                    } else if difference.parts.is_empty() {
                        if difference.constant == 0 {
                            return Err(Left::Impossible);
                        }
                    } else {
                        self.nonzero.push(difference);
                    }
                }
                (Op::Less | Op::LessEqual, &[one, other]) => {
                    let strict = (arena.op(term) == Op::Less) == wanted;
                    let (one, other) = if wanted { (one, other) } else { (other, one) };
                    let mut difference = self.difference(arena, one, other)?;
                    difference.constant = difference.constant.checked_add(i128::from(strict)).ok_or(Left::Open)?;
                    self.at_most_zero(difference, 1)?;
                }
                (Op::Variable(_), _) => {
                    if *self.truths.entry(term).or_insert(wanted) != wanted {
                        return Err(Left::Impossible);
                    }
                }
                _ => return Err(Left::Open),
            }
        }
        Ok(())
    }

    /// Some operand is as wanted: the first one is a case, or the first is not and the second is, …
    fn one_of(&mut self, operands: &[Term], wanted: bool) {
        let way = |at: usize| {
            let before = operands[..at].iter().map(|&one| (one, !wanted));
            before.chain([(operands[at], wanted)]).collect()
        };
        self.either.push((0..operands.len()).map(way).collect());
    }

    /// `factor * linear <= 0`
    fn at_most_zero(&mut self, linear: Linear, factor: i128) -> Result<(), Left> {
        let mut times = Linear::default();
        times.add(&linear, factor).ok_or(Left::Open)?;
        if times.parts.is_empty() {
            return if times.constant > 0 { Err(Left::Impossible) } else { Ok(()) };
        }
        self.system.push(times);
        Ok(())
    }

    /// `one - other`
    fn difference(&mut self, arena: &Arena, one: Term, other: Term) -> Result<Linear, Left> {
        let mut difference = self.linear(arena, one)?;
        let other = self.linear(arena, other)?;
        difference.add(&other, -1).ok_or(Left::Open)?;
        Ok(difference)
    }

    /// A term as a sum. What is not linear in it is an unknown.
    fn linear(&mut self, arena: &Arena, term: Term) -> Result<Linear, Left> {
        let mut sum = Linear::default();
        let mut left = vec![(term, 1i128)];
        while let Some((term, factor)) = left.pop() {
            let part = match (arena.op(term), arena.operands(term)) {
                (Op::Int(value), _) => Linear::constant(value),
                (Op::Add, operands) => {
                    left.extend(operands.iter().map(|&operand| (operand, factor)));
                    continue;
                }
                (Op::Multiply, &[one, other]) if arena.constant(one).is_some() => {
                    let constant = arena.constant(one).unwrap_or_default();
                    left.push((other, factor.checked_mul(constant).ok_or(Left::Open)?));
                    continue;
                }
                _ => Linear::unknown(self.unknown(arena, term)?),
            };
            sum.add(&part, factor).ok_or(Left::Open)?;
        }
        Ok(sum)
    }

    /// The unknown of a term. What is known of choices and of divisions by constants comes with it.
    fn unknown(&mut self, arena: &Arena, term: Term) -> Result<Unknown, Left> {
        if let Some(&known) = self.unknowns.get(&term) {
            return Ok(known);
        }
        let number = self.next;
        self.next += 1;
        self.unknowns.insert(term, number);
        match (arena.op(term), arena.operands(term)) {
            (Op::Ite, &[condition, yes, no]) => self.choices.push((condition, number, yes, no)),
            (Op::Divide | Op::Modulo, &[whole, by]) if arena.constant(by).is_some_and(|by| by != 0) => {
                let by = arena.constant(by).unwrap_or(1);
                // whole = by * quotient + rest, 0 <= rest < |by|
                let other = self.next;
                self.next += 1;
                let is_quotient = arena.op(term) == Op::Divide;
                let (quotient, rest) = if is_quotient { (number, other) } else { (other, number) };
                let mut whole = self.linear(arena, whole)?;
                whole.add(&Linear::unknown(quotient), -by).ok_or(Left::Open)?;
                let rest = Linear::unknown(rest);
                whole.add(&rest, -1).ok_or(Left::Open)?;
                self.at_most_zero(whole.clone(), 1)?;
                self.at_most_zero(whole, -1)?;
                self.at_most_zero(rest.clone(), -1)?;
                let mut most = rest;
                most.constant = 1 - by.checked_abs().ok_or(Left::Open)?;
                self.at_most_zero(most, 1)?;
            }
            _ => {}
        }
        Ok(number)
    }

    /// The two cases of a choice within a term.
    fn choose(&mut self, arena: &Arena) -> Option<[Case; 2]> {
        let (condition, number, yes, no) = self.choices.pop()?;
        Some([(true, yes), (false, no)].map(|(wanted, value)| {
            let mut next = self.clone();
            next.open.push((condition, wanted));
            let equal = next.linear(arena, value).ok().and_then(|mut value| {
                value.add(&Linear::unknown(number), -1)?;
                Some(value)
            });
            match equal {
                Some(equal) if next.at_most_zero(equal.clone(), 1).is_ok() => {
                    if next.at_most_zero(equal, -1).is_err() {
                        next.is_open = true;
                    }
                }
                _ => next.is_open = true,
            }
            next
        }))
    }

    /// Values for the variables of the conditions.
    fn assignment(&self, arena: &Arena, values: &BTreeMap<Unknown, i128>) -> Assignment {
        let mut assignment = Assignment::new();
        for (&term, &wanted) in &self.truths {
            assignment.set(term, Value::Bool(wanted));
        }
        for (&term, unknown) in &self.unknowns {
            if matches!(arena.op(term), Op::Variable(_)) {
                let value = values.get(unknown).copied();
                assignment.set(term, Value::Int(value.unwrap_or(self.free_value(*unknown, values))));
            }
        }
        assignment
    }

    /// A value of an unknown that is in no inequality: next to zero, and nothing becomes zero that
    /// is not to be.
    fn free_value(&self, unknown: Unknown, values: &BTreeMap<Unknown, i128>) -> i128 {
        let concerned: Vec<&Linear> = self.nonzero.iter().filter(|one| one.parts.contains_key(&unknown)).collect();
        let mut with = values.clone();
        let fits = |value: &i128| {
            with.insert(unknown, *value);
            concerned.iter().all(|one| one.value(&with) != Some(0))
        };
        (0..=concerned.len() as i128).flat_map(|step| [step, -step]).find(fits).unwrap_or(0)
    }

    /// The cases below and above zero of something that is not to be zero: of one that these values
    /// make zero, or of any. Whether there is one.
    fn split_nonzero(&self, values: Option<&BTreeMap<Unknown, i128>>, left: &mut Vec<Case>) -> bool {
        let is_zero = |one: &Linear| values.is_none_or(|values| one.value(values).is_none_or(|value| value == 0));
        let Some(at) = self.nonzero.iter().position(is_zero) else { return false };
        for factor in [1, -1] {
            let mut next = self.clone();
            let mut one = next.nonzero.swap_remove(at);
            // Below zero, or above: `factor * one + 1 <= 0`.
            let mut times = Linear::constant(1);
            if times.add(&one, factor).is_none() || next.at_most_zero(std::mem::take(&mut one), 0).is_err() {
                return false;
            }
            next.system.push(times);
            left.push(next);
        }
        true
    }
}
