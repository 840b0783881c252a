//! Proving declared constraints.

use mazurka_smt::synthesis::known::{Known, PROVEN};
use mazurka_smt::synthesis::proof::{Claim, Verified, exclude};
use mazurka_smt::{Answer, Arena, Error, Solver, Supply, Term};
use mazurka_trace::SiteId;
use rustc_hash::FxHashMap;

use crate::code::Image;
use crate::hir::{self, Binary, ExprId, ExprKind, Program, Type, Unary};
use crate::symbolic::Symbolic;

use super::commute::Commute;
use super::counterexample::{UNTOLD, counterexample};
use super::store::Steps;
use super::synthesis::{LIMITS, both_orders, steps, wildness};

/// A declared constraint for two steps, in either order if it has no parameters, with what came of
/// its proof.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Which of the program's declarations.
    pub number: usize,
    /// The sites of the steps that the proof is about.
    pub sites: [SiteId; 2],
    /// What came of it.
    pub verified: Verified,
}

/// Tries to prove the declared constraints of a program, for every two steps they speak of, unless
/// it is `known` that they are right. Nothing more is proven once somebody says that it is late.
///
/// # Errors
/// Where there is no solver, or it dies or answers nonsense.
pub fn verify(
    program: &Program,
    image: &Image,
    known: &mut dyn Known,
    supply: &mut Supply<'_>,
    is_late: &dyn Fn() -> bool,
) -> Result<Vec<Declared>, Error> {
    let symbolic = Symbolic::new(image, LIMITS);
    let with_functions = symbolic.clone().with_functions();
    let steps = steps(&symbolic);
    let (mut arena, mut sorts) = (Arena::new(), FxHashMap::default());
    let mut found = Vec::new();
    for (number, declared) in program.independences.iter().enumerate() {
        let of = |side: &hir::Side| {
            let sites = image.steps(&side.steps);
            let own = steps.iter().filter(|(_, place)| sites.contains(&symbolic.site(*place)));
            own.copied().collect::<Vec<_>>()
        };
        // Without parameters, a constraint is the same the other way round.
        let alike = declared.left.steps == declared.right.steps && declared.left.parameters.is_empty();
        for (at, &left) in of(&declared.left).iter().enumerate() {
            for &right in &of(&declared.right)[if alike { at } else { 0 }..] {
                let single = symbolic.bodies()[left.0].kind == hir::BodyKind::Process;
                if left.0 == right.0 && single {
                    continue;
                }
                let blocks = Steps::new(image, [left, right]);
                let key = blocks.key_of_proof(program, declared);
                let mut verified = Verified::Proven;
                let open = blocks.conflict() && known.get(&key).as_deref() != Some(PROVEN);
                if open && is_late() {
                    verified = Verified::Unknown("there was no time for it (--constraints-timeout)".to_owned());
                } else if open {
                    let parameters = [&declared.left.parameters[..], &declared.right.parameters[..]];
                    let both =
                        both_orders(&symbolic, &with_functions, &mut arena, &mut sorts, [left, right], parameters);
                    verified = match both {
                        Err(unsupported) => Verified::Unknown(unsupported.reason().to_owned()),
                        Ok(both) => {
                            supply.ask(|solver| prove(program, &symbolic, solver, &mut arena, declared, &both))?
                        }
                    };
                    if verified == Verified::Proven {
                        known.put(&key, PROVEN);
                    }
                }
                let sites = [left, right].map(|(_, place)| symbolic.site(place));
                found.push(Declared { number, sites, verified });
            }
        }
    }
    Ok(found)
}

fn prove(
    program: &Program,
    symbolic: &Symbolic<'_>,
    solver: &mut Solver,
    arena: &mut Arena,
    declared: &hir::Independence,
    both: &Commute,
) -> Result<Verified, Error> {
    let Some(condition) = condition(program, arena, both, declared) else {
        return Ok(Verified::Unknown("the condition cannot be given to a solver".to_owned()));
    };
    let question = [condition, both.premise, arena.not(both.formula)];
    match exclude(solver, arena, &question)? {
        Claim::Holds if wildness(solver, arena, both, &[condition])? == Answer::Unsat => Ok(Verified::Proven),
        Claim::Holds => {
            Ok(Verified::Unknown("between the steps, values may be larger than those that are seen".to_owned()))
        }
        Claim::Unknown(why) => Ok(Verified::Unknown(why)),
        Claim::Fails if !both.exact => {
            Ok(Verified::Unknown("nothing is known of what a loop or a product leads to".to_owned()))
        }
        // Whatever the solver does next, it is wrong.
        Claim::Fails => Ok(counterexample(symbolic, arena, solver, both, &question).unwrap_or(UNTOLD)),
    }
}

/// A declared condition as a term: that it has a value, and holds. It has none where an index is
/// out of bounds or something is divided by zero.
fn condition(program: &Program, arena: &mut Arena, both: &Commute, declared: &hir::Independence) -> Option<Term> {
    let split = declared.left.parameters.len();
    // With when they have a value.
    let mut terms: Vec<Option<(Term, Term)>> = vec![None; declared.condition.index() + 1];
    // Children stand before their parents; those of other expressions in between do no harm.
    for at in 0..=declared.condition.index() {
        let term = |id: ExprId| terms[id.index()];
        let (boolean, yes) = (program.exprs[at].ty == Type::Bool, arena.yes());
        let plain = |term: Term| (term, yes);
        let made = match program.exprs[at].kind {
            ExprKind::Value(value) if boolean => Some(plain(arena.truth(value != 0))),
            ExprKind::Value(value) => Some(plain(arena.int(value))),
            ExprKind::Local(local) => match local.index().checked_sub(split) {
                None => both.locals[0].get(local.index()).copied().map(plain),
                Some(local) => both.locals[1].get(local).copied().map(plain),
            },
            ExprKind::Global(global) => Some(plain(both.objects[global.index()])),
            ExprKind::Cell(global, index) => term(index).map(|(index, has_value)| {
                let length = program.globals[global.index()].length.unwrap_or(1) as i128;
                let inside = arena.within(0, index, length - 1);
                let cell = arena.select(both.objects[global.index()], index);
                let zero = arena.int(0);
                let cell = if boolean { arena.different(cell, zero) } else { cell };
                (cell, arena.and(&[has_value, inside]))
            }),
            ExprKind::Unary(Unary::Not, operand) => term(operand).map(|(operand, when)| (arena.not(operand), when)),
            ExprKind::Unary(Unary::Negate, operand) => {
                term(operand).map(|(operand, when)| (arena.negate(operand), when))
            }
            ExprKind::Binary(operator, left, right) => match (term(left), term(right)) {
                (Some(left), Some(right)) => {
                    let when = has_value(arena, operator, left, right);
                    Some((binary(arena, operator, left.0, right.0), when))
                }
                _ => None,
            },
            ExprKind::Conditional(when, yes, no) => match (term(when), term(yes), term(no)) {
                (Some((condition, when)), Some((yes, first)), Some((no, second))) => {
                    let branch = arena.ite(condition, first, second);
                    Some((arena.ite(condition, yes, no), arena.and(&[when, branch])))
                }
                _ => None,
            },
            ExprKind::Choose(..) => None,
        };
        terms[at] = made;
    }
    let (holds, has_value) = terms[declared.condition.index()]?;
    Some(arena.and(&[has_value, holds]))
}

/// When an operator has a value, whose operands have theirs where that is said; the second one need
/// not be looked at.
fn has_value(arena: &mut Arena, operator: Binary, left: (Term, Term), right: (Term, Term)) -> Term {
    match operator {
        Binary::And | Binary::Or => {
            let decided = if operator == Binary::And { arena.not(left.0) } else { left.0 };
            let rest = arena.or(&[decided, right.1]);
            arena.and(&[left.1, rest])
        }
        Binary::Divide | Binary::Remainder => {
            let zero = arena.int(0);
            let divides = arena.different(right.0, zero);
            arena.and(&[left.1, right.1, divides])
        }
        _ => arena.and(&[left.1, right.1]),
    }
}

fn binary(arena: &mut Arena, operator: Binary, left: Term, right: Term) -> Term {
    match operator {
        Binary::Add => arena.add(&[left, right]),
        Binary::Subtract => arena.subtract(left, right),
        Binary::Multiply => arena.multiply(left, right),
        Binary::Divide => arena.divide_to_zero(left, right),
        Binary::Remainder => arena.remainder_to_zero(left, right),
        Binary::Equal => arena.equal(left, right),
        Binary::NotEqual => arena.different(left, right),
        Binary::Less => arena.less(left, right),
        Binary::LessEqual => arena.less_equal(left, right),
        Binary::Greater => arena.less(right, left),
        Binary::GreaterEqual => arena.less_equal(right, left),
        Binary::And => arena.and(&[left, right]),
        Binary::Or => arena.or(&[left, right]),
    }
}
