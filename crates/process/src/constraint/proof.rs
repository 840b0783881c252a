//! Proving declared constraints.

use mazurka_smt::solver::Reason;
use mazurka_smt::{Answer, Arena, Error, Solver, Supply, Term};
use mazurka_trace::SiteId;
use rustc_hash::FxHashMap;

use crate::code::Image;
use crate::hir::{self, Binary, ExprId, ExprKind, Program, Type, Unary};
use crate::symbolic::Symbolic;

use super::commute::Commute;
use super::counterexample::counterexample;
use super::store::{Known, PROVEN, Steps};
use super::synthesis::{LIMITS, both_orders, is_tame, steps};

/// What came of the proof of a declared constraint for two sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// It is right in every state.
    Proven,
    /// It is wrong: a state in which it holds, each variable with its value, and what is different afterwards, or on the way: what it is with left then right, and with right then left.
    Refuted {
        /// The state.
        state: Vec<(String, String)>,
        /// What differs.
        results: Vec<(String, String, String)>,
    },
    /// Nobody knows.
    Unknown(String),
}

/// A declared constraint for two steps, in either order if it has no parameters, with what came of its proof.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Which of the program's declarations.
    pub number: usize,
    /// The sites of the steps that the proof is about.
    pub sites: [SiteId; 2],
    /// What came of it.
    pub verified: Verified,
}

/// Tries to prove the declared constraints of a program, for every two steps they speak of, unless it is `known` that they are right.
///
/// # Errors
/// Where there is no solver, or it dies or answers nonsense.
pub fn verify(
    program: &Program,
    image: &Image,
    known: &mut dyn Known,
    supply: &mut Supply<'_>,
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
                if blocks.conflict() && known.get(&key).as_deref() != Some(PROVEN) {
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
    match solver.check_assuming(arena, &question)? {
        Answer::Unsat if is_tame(solver, arena, both, &[condition])? => Ok(Verified::Proven),
        Answer::Unsat => {
            Ok(Verified::Unknown("between the steps, values may be larger than those that are seen".to_owned()))
        }
        Answer::Unknown(Reason::Said(why)) => Ok(Verified::Unknown(format!("the solver does not know: {why}"))),
        Answer::Unknown(Reason::TimeLimit) => {
            Ok(Verified::Unknown("the solver needs more time (--solver-timeout)".to_owned()))
        }
        Answer::Unknown(Reason::Stopped) => Ok(Verified::Unknown("interrupted".to_owned())),
        Answer::Sat if !both.exact => {
            Ok(Verified::Unknown("nothing is known of what a loop or a product leads to".to_owned()))
        }
        Answer::Sat => counterexample(symbolic, arena, solver, both, &question),
    }
}

/// A declared condition as a term.
fn condition(program: &Program, arena: &mut Arena, both: &Commute, declared: &hir::Independence) -> Option<Term> {
    let split = declared.left.parameters.len();
    let mut terms: Vec<Option<Term>> = vec![None; declared.condition.index() + 1];
    // Children stand before their parents; those of other expressions in between do no harm.
    for at in 0..=declared.condition.index() {
        let term = |id: ExprId| terms[id.index()];
        let boolean = program.exprs[at].ty == Type::Bool;
        let made = match program.exprs[at].kind {
            ExprKind::Value(value) if boolean => Some(arena.truth(value != 0)),
            ExprKind::Value(value) => Some(arena.int(value)),
            ExprKind::Local(local) => match local.index().checked_sub(split) {
                None => both.locals[0].get(local.index()).copied(),
                Some(local) => both.locals[1].get(local).copied(),
            },
            ExprKind::Global(global) => Some(both.objects[global.index()]),
            ExprKind::Cell(global, index) => term(index).map(|index| {
                let cell = arena.select(both.objects[global.index()], index);
                if boolean {
                    let zero = arena.int(0);
                    arena.different(cell, zero)
                } else {
                    cell
                }
            }),
            ExprKind::Unary(Unary::Not, operand) => term(operand).map(|operand| arena.not(operand)),
            ExprKind::Unary(Unary::Negate, operand) => term(operand).map(|operand| arena.negate(operand)),
            ExprKind::Binary(operator, left, right) => match (term(left), term(right)) {
                (Some(left), Some(right)) => Some(binary(arena, operator, left, right)),
                _ => None,
            },
            ExprKind::Conditional(when, yes, no) => match (term(when), term(yes), term(no)) {
                (Some(when), Some(yes), Some(no)) => Some(arena.ite(when, yes, no)),
                _ => None,
            },
            ExprKind::Choose(..) => None,
        };
        terms[at] = made;
    }
    terms[declared.condition.index()]
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
