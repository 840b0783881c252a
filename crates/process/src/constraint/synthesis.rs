//! Finding constraints, and proving declared ones.

use std::time::Duration;

use mazurka_smt::synthesis::{Cover, cover};
use mazurka_smt::{Answer, Arena, Error, Op, Solver, Sort, Term};
use mazurka_trace::{SiteId, Value};
use rustc_hash::FxHashMap;

use crate::code::Image;
use crate::hir::{self, Binary, Expr, ExprId, ExprKind, GlobalId, LocalId, Program, Span, Type, Unary};
use crate::symbolic::{Limits, Place, Symbolic};

use super::Constraint;
use super::commute::{Commute, commute};

/// How far loops within a step are followed.
const LIMITS: Limits = Limits { rounds: 6, instructions: 3_000 };

/// Implicants are written with about so many characters for each term.
const WIDTH: usize = 200;

/// What was found out about the steps from two sites.
#[derive(Clone, Debug)]
pub struct Synthesised {
    /// The sites.
    pub sites: [SiteId; 2],
    /// The bodies they are in: their names.
    pub bodies: [String; 2],
    /// The steps use something in common that one of them changes.
    pub conflict: bool,
    /// The constraints, as they are written. None where nothing could be found out.
    pub texts: Option<Vec<String>>,
    /// The steps commute in no other state.
    pub necessary: bool,
    /// The constraints, for the machine.
    pub constraints: Vec<Constraint>,
}

/// So many pairs of steps may cost a solver its life.
const MOST_FAILURES: usize = 4;

/// Finds the constraints of every two steps of a program, with solvers that `start` starts: another one where one had to be ended. Also tells how long they took.
///
/// # Errors
/// Where no solver can be started, or they keep dying or answering nonsense.
pub fn synthesise(
    image: &Image,
    mut start: impl FnMut() -> Result<Solver, Error>,
) -> Result<(Vec<Synthesised>, Duration), Error> {
    let symbolic = Symbolic::new(image, LIMITS);
    let steps = steps(&symbolic);
    let (mut arena, mut sorts) = (Arena::new(), FxHashMap::default());
    let (mut solver, mut failures, mut time) = (start()?, 0, Duration::ZERO);
    let mut found = Vec::new();
    for (at, &left) in steps.iter().enumerate() {
        for &right in &steps[at..] {
            let mut pair = of_pair(&symbolic, &mut solver, &mut arena, &mut sorts, [left, right]);
            if pair.is_err() {
                // It may have been ended because of the pair before.
                time += solver.time();
                solver = start()?;
                pair = of_pair(&symbolic, &mut solver, &mut arena, &mut sorts, [left, right]);
            }
            match pair {
                Ok(pair) => found.push(pair),
                Err(error) if failures == MOST_FAILURES => return Err(error),
                Err(_) => {
                    failures += 1;
                    time += solver.time();
                    solver = start()?;
                    found.push(unknown(&symbolic, [left, right]));
                }
            }
        }
    }
    Ok((found, time + solver.time()))
}

/// A pair of steps about which nothing is known.
fn unknown(symbolic: &Symbolic<'_>, steps: [(usize, Place); 2]) -> Synthesised {
    Synthesised {
        sites: steps.map(|(_, place)| symbolic.site(place)),
        bodies: steps.map(|(body, _)| symbolic.bodies()[body].name.clone()),
        conflict: true,
        texts: None,
        necessary: false,
        constraints: Vec::new(),
    }
}

/// All steps that can take part in a race, each with its body.
fn steps(symbolic: &Symbolic<'_>) -> Vec<(usize, Place)> {
    let bodies = symbolic.bodies().iter().enumerate().filter(|(_, body)| body.kind != hir::BodyKind::Finally);
    let places = bodies.flat_map(|(number, body)| body.places.iter().map(move |&place| (number, place)));
    places.filter(|&(_, place)| !symbolic.is_internal(place)).collect()
}

fn of_pair(
    symbolic: &Symbolic<'_>,
    solver: &mut Solver,
    arena: &mut Arena,
    sorts: &mut FxHashMap<String, Sort>,
    steps: [(usize, Place); 2],
) -> Result<Synthesised, Error> {
    let (bodies, places) = (steps.map(|(body, _)| body), steps.map(|(_, place)| place));
    let mut found = unknown(symbolic, steps);
    // The two steps of one process are never side by side.
    let single = |body: usize| symbolic.bodies()[body].kind == hir::BodyKind::Process;
    if bodies[0] == bodies[1] && single(bodies[0]) {
        found.conflict = false;
        return Ok(found);
    }
    let Some(both) = commute(symbolic, arena, sorts, bodies, places) else { return Ok(found) };
    found.conflict = both.conflict;
    let Cover { implicants, complete } = cover(solver, arena, both.premise, both.formula)?;
    found.necessary = complete && both.exact;
    let mut texts = Vec::new();
    for implicant in &implicants {
        match expression(arena, &both, implicant) {
            Some((exprs, condition)) => {
                let [left, right] = found.sites;
                found.constraints.push(Constraint { left, right, exprs, condition });
                texts.push(mazurka_smt::synthesis::text(arena, implicant, WIDTH));
            }
            None => found.necessary = false,
        }
    }
    found.texts = Some(texts);
    Ok(found)
}

/// An implicant as an expression of the notation; nothing where it has none.
fn expression(arena: &Arena, both: &Commute, implicant: &[Term]) -> Option<(Vec<Expr>, ExprId)> {
    let mut builder = Builder { exprs: Vec::new() };
    let mut known: Vec<Option<ExprId>> = vec![None; arena.len()];
    // Children have smaller numbers than their parents.
    for term in arena.below(implicant) {
        known[term.index()] = builder.term(arena, both, term, &known);
    }
    let mut root = builder.push(ExprKind::Value(1), Type::Bool);
    for (number, literal) in implicant.iter().enumerate() {
        let literal = known[literal.index()]?;
        root =
            if number == 0 { literal } else { builder.push(ExprKind::Binary(Binary::And, root, literal), Type::Bool) };
    }
    Some((builder.exprs, root))
}

struct Builder {
    exprs: Vec<Expr>,
}

impl Builder {
    fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.exprs.push(Expr { kind, ty, span: Span::default() });
        ExprId(self.exprs.len() as u32 - 1)
    }

    fn term(&mut self, arena: &Arena, both: &Commute, term: Term, known: &[Option<ExprId>]) -> Option<ExprId> {
        let operands = arena.operands(term);
        let operand = |at: usize| known[operands[at].index()];
        let comparison = |operator| Some(ExprKind::Binary(operator, operand(0)?, operand(1)?));
        let kind: Option<ExprKind> = match arena.op(term) {
            Op::Bool(value) => Some(ExprKind::Value(Value::from(value))),
            Op::Int(value) => Some(ExprKind::Value(Value::try_from(value).ok()?)),
            Op::Variable(_) => variable(both, term),
            Op::Not => Some(ExprKind::Unary(Unary::Not, operand(0)?)),
            Op::Equal => comparison(Binary::Equal),
            Op::Less => comparison(Binary::Less),
            Op::LessEqual => comparison(Binary::LessEqual),
            Op::Add => return self.chain(Binary::Add, operands, known),
            Op::Multiply => return self.chain(Binary::Multiply, operands, known),
            Op::Select => {
                let array = both.objects.iter().position(|&object| object == operands[0])?;
                Some(ExprKind::Cell(GlobalId(array as u32), operand(1)?))
            }
            Op::And | Op::Or | Op::Ite | Op::Apply(_) | Op::Divide | Op::Modulo | Op::Store | Op::Constant => None,
        };
        let ty = if arena.sort(term) == Sort::Bool { Type::Bool } else { Type::Int };
        kind.map(|kind| self.push(kind, ty))
    }

    fn chain(&mut self, operator: Binary, operands: &[Term], known: &[Option<ExprId>]) -> Option<ExprId> {
        let mut result = known[operands[0].index()]?;
        for operand in &operands[1..] {
            let operand = known[operand.index()]?;
            result = self.push(ExprKind::Binary(operator, result, operand), Type::Int);
        }
        Some(result)
    }
}

/// What a variable of the formula stands for. Arrays stand for nothing alone.
fn variable(both: &Commute, term: Term) -> Option<ExprKind> {
    if let Some(object) = both.objects.iter().position(|&object| object == term) {
        return Some(ExprKind::Global(GlobalId(object as u32)));
    }
    let locals = both.locals.iter().flatten().position(|&local| local == term);
    locals.map(|local| ExprKind::Local(LocalId(local as u32)))
}

/// What came of the proof of a declared constraint for two sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// It is right in every state.
    Proven,
    /// It is wrong: a state in which it holds, each variable with its value, and what variables differ afterwards: their values after left then right, and after right then left.
    Refuted {
        /// The state.
        state: Vec<(String, String)>,
        /// What differs.
        results: Vec<(String, String, String)>,
    },
    /// Nobody knows.
    Unknown(String),
}

/// A declared constraint with what came of its proof.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Which of the program's declarations.
    pub number: usize,
    /// The sites of the steps that the proof is about.
    pub sites: [SiteId; 2],
    /// What came of it.
    pub verified: Verified,
}

/// Tries to prove the declared constraints of a program, for every two steps they speak of.
///
/// # Errors
/// Where the solver dies or answers nonsense.
pub fn verify(program: &Program, image: &Image, solver: &mut Solver) -> Result<Vec<Declared>, Error> {
    let symbolic = Symbolic::new(image, LIMITS);
    let steps = steps(&symbolic);
    let (mut arena, mut sorts) = (Arena::new(), FxHashMap::default());
    let mut found = Vec::new();
    for (number, declared) in program.independences.iter().enumerate() {
        let of = |side: &hir::Side| {
            let sites = image.steps(&side.steps);
            let own = steps.iter().filter(|(_, place)| sites.contains(&symbolic.site(*place)));
            own.copied().collect::<Vec<_>>()
        };
        for &left in &of(&declared.left) {
            for &right in &of(&declared.right) {
                let single = symbolic.bodies()[left.0].kind == hir::BodyKind::Process;
                if left.0 == right.0 && single {
                    continue;
                }
                let verified = prove(program, &symbolic, solver, (&mut arena, &mut sorts), declared, [left, right])?;
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
    (arena, sorts): (&mut Arena, &mut FxHashMap<String, Sort>),
    declared: &hir::Independence,
    steps: [(usize, Place); 2],
) -> Result<Verified, Error> {
    let (bodies, places) = (steps.map(|(body, _)| body), steps.map(|(_, place)| place));
    let Some(both) = commute(symbolic, arena, sorts, bodies, places) else {
        return Ok(Verified::Unknown("the steps choose, use mutexes or create too many processes".to_owned()));
    };
    let Some(condition) = condition(program, arena, &both, declared) else {
        return Ok(Verified::Unknown("the condition cannot be given to a solver".to_owned()));
    };
    let not = arena.not(both.formula);
    match solver.check_assuming(arena, &[condition, both.premise, not])? {
        Answer::Unsat => Ok(Verified::Proven),
        Answer::Unknown(reason) => Ok(Verified::Unknown(format!("the solver does not know: {reason:?}"))),
        Answer::Sat if !both.exact => Ok(Verified::Unknown("a loop goes round too often to be followed".to_owned())),
        Answer::Sat => refuted(arena, solver, &both),
    }
}

/// The state that the solver found, and what comes of it.
fn refuted(arena: &Arena, solver: &mut Solver, both: &Commute) -> Result<Verified, Error> {
    let plain = |term: &Term| arena.sort(*term) != Sort::Array;
    let used = arena.variables_of(&[both.formula]);
    let variables: Vec<Term> = used.into_iter().filter(plain).collect();
    let selects = arena.below(&[both.formula]).into_iter().filter(|&term| arena.op(term) == Op::Select);
    let cells: Vec<Term> = selects.filter(|&term| both.objects.contains(&arena.operands(term)[0])).collect();
    let shown: Vec<Term> = variables.into_iter().chain(cells).collect();
    let values = solver.values(arena, &shown)?;
    let state = shown.iter().zip(values).map(|(&term, value)| (arena.infix(term, WIDTH), written(&value)));
    let state: Vec<_> = state.collect();
    let mut results = Vec::new();
    for (&object, &[one, other]) in both.objects.iter().zip(&both.results).filter(|(object, _)| plain(object)) {
        let values = solver.values(arena, &[one, other])?;
        if values[0] != values[1] {
            results.push((arena.infix(object, WIDTH), written(&values[0]), written(&values[1])));
        }
    }
    Ok(Verified::Refuted { state, results })
}

fn written(value: &mazurka_smt::Value) -> String {
    match value {
        mazurka_smt::Value::Bool(value) => value.to_string(),
        mazurka_smt::Value::Int(value) => value.to_string(),
        other => format!("{other:?}"),
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
