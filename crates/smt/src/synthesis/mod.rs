//! Small readable conditions for a formula: prime implicants over its atoms.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Section 4: the models of the formula that says that two blocks commute, as a compact set of
//! constraints.
//!
//! # How
//! A model of the formula gives truth values to its atoms: the innermost ones first; with their
//! values put in, branches disappear and other atoms become plain, until the formula is true. These
//! literals together imply the formula. Each is left out if the others do without it, which makes
//! the conjunction a *prime implicant*. The next model is one of none of those found. When there is
//! no other, the implicants together are the formula: the set is *complete*. Implicants that imply
//! another are removed; the paper leaves that to hand work.
//!
//! # Cost
//! A question to the solver for each implicant and for each of its literals. Whatever the solver
//! does not know costs implicants, never soundness: only what is proven is given.

pub mod asking;
pub mod known;
mod linear;
mod multiset;
pub mod proof;

use std::collections::BTreeMap;
use std::time::Instant;

use crate::solver::{Answer, Error, Solver};
use crate::term::{Arena, Op, Sort, Substitution, Term, Value};

pub use linear::{Literal, Relation};
pub use multiset::matched;

/// So many implicants are looked for.
const MOST_IMPLICANTS: usize = 24;

/// So many literals an implicant may begin with.
const MOST_LITERALS: usize = 64;

/// Conditions for a formula.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cover {
    /// Conjunctions, each of which implies the formula; an empty one is `true`.
    pub implicants: Vec<Vec<Term>>,
    /// There are no other cases in which the formula holds.
    pub complete: bool,
    /// With more time, more might be found.
    pub unsettled: bool,
}

/// Finds conditions for a formula, among the cases in which the premise holds; no others are looked
/// for once a time has come.
///
/// # Errors
/// Where the solver dies or answers nonsense.
pub fn cover(
    solver: &mut Solver,
    arena: &mut Arena,
    premise: Term,
    formula: Term,
    until: Option<Instant>,
) -> Result<Cover, Error> {
    let mut cover = Cover::default();
    let not = arena.not(formula);
    let not = arena.and(&[premise, not]);
    if arena.is(not, false) {
        return Ok(Cover { implicants: vec![Vec::new()], complete: true, unsettled: false });
    }
    match solver.check_assuming(arena, &[not])? {
        Answer::Unsat => return Ok(Cover { implicants: vec![Vec::new()], complete: true, unsettled: false }),
        Answer::Sat => {}
        Answer::Unknown(_) => cover.unsettled = true,
    }
    let mut question = vec![premise, formula];
    let late = || until.is_some_and(|until| Instant::now() >= until);
    while cover.implicants.len() < MOST_IMPLICANTS {
        match solver.check_assuming(arena, &question)? {
            Answer::Unsat => {
                cover.complete = true;
                break;
            }
            Answer::Sat if !late() => {}
            Answer::Sat | Answer::Unknown(_) => {
                cover.unsettled = true;
                break;
            }
        }
        let Some(literals) = literals(solver, arena, formula)? else { break };
        let Some(implicant) = minimise(solver, arena, literals, not, &mut cover.unsettled, &late)? else { break };
        let conjunction = arena.and(&implicant);
        question.push(arena.not(conjunction));
        cover.implicants.push(implicant);
    }
    cover.unsettled |= late();
    remove_subsumed(solver, arena, premise, &mut cover.implicants)?;
    cover.implicants.sort_by_key(|implicant| (implicant.len(), implicant.clone()));
    Ok(cover)
}

/// The literals that make the formula true in the solver's current model.
fn literals(solver: &mut Solver, arena: &mut Arena, formula: Term) -> Result<Option<Vec<Term>>, Error> {
    let mut literals = Vec::new();
    let mut rest = formula;
    while !arena.is(rest, true) {
        let atoms: Vec<Term> = arena.below(&[rest]).into_iter().filter(|&term| is_plain_atom(arena, term)).collect();
        if atoms.is_empty() || literals.len() + atoms.len() > MOST_LITERALS {
            return Ok(None);
        }
        let values = solver.values(arena, &atoms)?;
        let mut substitution = Substitution::new();
        for (&atom, value) in atoms.iter().zip(&values) {
            let Value::Bool(value) = *value else { return Ok(None) };
            let truth = arena.truth(value);
            substitution.put(atom, truth);
            let literal = if value { atom } else { arena.not(atom) };
            literals.push(Literal::of(arena, literal).term(arena));
        }
        let next = arena.substitute(rest, &mut substitution);
        if next == rest || arena.is(next, false) {
            return Ok(None);
        }
        rest = next;
    }
    literals.sort_unstable();
    literals.dedup();
    literals.retain(|&literal| !arena.is(literal, true));
    Ok(Some(literals))
}

/// Whether a term is an atom with no branches in it.
fn is_plain_atom(arena: &Arena, term: Term) -> bool {
    let atom = match arena.op(term) {
        Op::Less | Op::LessEqual => true,
        Op::Equal => arena.sort(arena.operands(term)[0]) != Sort::Bool,
        Op::Variable(_) | Op::Apply(_) => arena.sort(term) == Sort::Bool,
        _ => false,
    };
    atom && arena.below(&[term]).iter().all(|&part| arena.op(part) != Op::Ite)
}

/// Leaves out literals as long as the others still exclude the negation of the formula:
/// inequalities before equations. Those that are left when it is late stay.
fn minimise(
    solver: &mut Solver,
    arena: &mut Arena,
    mut literals: Vec<Term>,
    negation: Term,
    unsettled: &mut bool,
    late: &dyn Fn() -> bool,
) -> Result<Option<Vec<Term>>, Error> {
    let mut implied = |solver: &mut Solver, arena: &Arena, literals: &[Term]| -> Result<bool, Error> {
        let question: Vec<Term> = literals.iter().copied().chain([negation]).collect();
        let answer = solver.check_assuming(arena, &question)?;
        *unsettled |= matches!(answer, Answer::Unknown(_));
        Ok(answer == Answer::Unsat)
    };
    if !implied(solver, arena, &literals)? {
        return Ok(None);
    }
    literals.sort_by_key(|&literal| (rank(arena, literal), literal));
    let mut at = 0;
    while at < literals.len() && !late() {
        let mut fewer = literals.clone();
        fewer.remove(at);
        if implied(solver, arena, &fewer)? {
            literals = fewer;
        } else {
            at += 1;
        }
    }
    Ok(Some(literals))
}

/// Who is left out first: what is about functions and about the limits of integers, then
/// disequations, then inequalities, then the rest.
fn rank(arena: &Arena, literal: Term) -> u8 {
    let far = |term: &Term| arena.constant(*term).is_some_and(|value| value.unsigned_abs() >= 1 << 62);
    match arena.op(literal) {
        _ if arena.below(&[literal]).iter().any(|term| far(term) || matches!(arena.op(*term), Op::Apply(_))) => 0,
        Op::Not => 1,
        Op::Less | Op::LessEqual => 2,
        _ => 3,
    }
}

/// Removes implicants that imply another one.
fn remove_subsumed(
    solver: &mut Solver,
    arena: &mut Arena,
    premise: Term,
    implicants: &mut Vec<Vec<Term>>,
) -> Result<(), Error> {
    let mut at = 0;
    while at < implicants.len() {
        let mut subsumed = false;
        for other in 0..implicants.len() {
            if other == at || subsumed {
                continue;
            }
            let conjunction = arena.and(&implicants[other]);
            let mut question = implicants[at].clone();
            question.extend([premise, arena.not(conjunction)]);
            subsumed = solver.check_assuming(arena, &question)? == Answer::Unsat;
        }
        if subsumed {
            implicants.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(())
}

/// How an implicant is written: `z <= -2`, `0 < i && i == j`, `true`.
pub fn text(arena: &Arena, implicant: &[Term], limit: usize) -> String {
    if implicant.is_empty() {
        return "true".to_owned();
    }
    let texts: Vec<String> = implicant.iter().map(|&literal| Literal::of(arena, literal).text(arena, limit)).collect();
    texts.join(" && ")
}

/// A sum of terms with coefficients, and a constant.
type Sum = (BTreeMap<Term, i128>, i128);
