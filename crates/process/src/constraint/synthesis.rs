//! Finding constraints, and proving declared ones.

use std::time::{Duration, Instant};

use mazurka_smt::synthesis::{Cover, cover};
use mazurka_smt::{Answer, Arena, Error, Op, Solver, Sort, Term};
use mazurka_trace::{SiteId, Value};
use rustc_hash::FxHashMap;

use crate::code::Image;
use crate::hir::{self, Binary, Expr, ExprId, ExprKind, GlobalId, LocalId, Program, Span, Type, Unary};
use crate::symbolic::{Limits, PRODUCT, Place, QUOTIENT, REMAINDER, Symbolic};

use super::Constraint;
use super::commute::{Commute, commute};
use super::store::{self, Known, Steps};

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

/// So long is looked for the constraints of one pair of steps, besides the question that is being asked then.
const TIME_FOR_PAIR: Duration = Duration::from_secs(2);

/// Finds the constraints of every two steps of a program: as they are `known`, or with solvers that `start` starts: another one where one had to be ended. Also tells how long
/// they took.
///
/// # Errors
/// Where a solver is needed and none can be started, or they keep dying or answering nonsense.
pub fn synthesise(
    image: &Image,
    known: &mut dyn Known,
    start: impl FnMut() -> Result<Solver, Error>,
) -> Result<(Vec<Synthesised>, Duration), Error> {
    let mut search = Synthesis::new(image, start);
    let steps = steps(&search.symbolic);
    let mut found = Vec::new();
    for (at, &left) in steps.iter().enumerate() {
        for &right in &steps[at..] {
            found.push(search.find(known, [left, right])?);
        }
    }
    Ok((found, search.time()))
}

/// The search for constraints.
struct Synthesis<'a, S> {
    /// Steps with loops unrolled, and with functions for loops and what is not linear.
    symbolic: Symbolic<'a>,
    with_functions: Symbolic<'a>,
    arena: Arena,
    sorts: FxHashMap<String, Sort>,
    start: S,
    /// Once it is needed.
    solver: Option<Solver>,
    failures: usize,
    /// What solvers took that are no more.
    spent: Duration,
}

impl<'a, S: FnMut() -> Result<Solver, Error>> Synthesis<'a, S> {
    fn new(image: &'a Image, start: S) -> Self {
        let symbolic = Symbolic::new(image, LIMITS);
        let with_functions = symbolic.clone().with_functions();
        let (arena, sorts) = (Arena::new(), FxHashMap::default());
        Synthesis { symbolic, with_functions, arena, sorts, start, solver: None, failures: 0, spent: Duration::ZERO }
    }

    fn time(&self) -> Duration {
        self.spent + self.solver.as_ref().map_or(Duration::ZERO, Solver::time)
    }

    /// What is known, or can be found out, about two steps.
    fn find(&mut self, known: &mut dyn Known, steps: [(usize, Place); 2]) -> Result<Synthesised, Error> {
        let bodies = steps.map(|(body, _)| &self.symbolic.bodies()[body]);
        let sites = steps.map(|(_, place)| self.symbolic.site(place));
        let mut unknown = store::unknown(sites, bodies.map(|body| body.name.clone()));
        // The two steps of one process are never side by side.
        if steps[0].0 == steps[1].0 && bodies[0].kind == hir::BodyKind::Process {
            unknown.conflict = false;
            return Ok(unknown);
        }
        let blocks = Steps::new(self.symbolic.image(), steps);
        let key = blocks.key();
        let kept = known.get(&key);
        if let Some(pair) = kept.and_then(|text| blocks.read(&text, unknown.clone())) {
            return Ok(pair);
        }
        let (pair, settled) = self.ask(steps, unknown)?;
        if settled && let Some(text) = blocks.write(&pair) {
            known.put(&key, &text);
        }
        Ok(pair)
    }

    /// Finds out, with a new solver where one dies. Also tells whether more time would be of no use.
    fn ask(&mut self, steps: [(usize, Place); 2], unknown: Synthesised) -> Result<(Synthesised, bool), Error> {
        let mut error = match self.of_pair(steps, unknown.clone()) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        // It may have been ended because of the pair before.
        if self.end_solver() {
            error = match self.of_pair(steps, unknown.clone()) {
                Ok(found) => return Ok(found),
                Err(error) => error,
            };
        }
        self.failures += 1;
        if !self.end_solver() || self.failures > MOST_FAILURES {
            return Err(error);
        }
        Ok((unknown, false))
    }

    /// Lets go of the solver; false where there was none.
    fn end_solver(&mut self) -> bool {
        let solver = self.solver.take();
        self.spent += solver.as_ref().map_or(Duration::ZERO, Solver::time);
        solver.is_some()
    }

    fn of_pair(&mut self, steps: [(usize, Place); 2], mut found: Synthesised) -> Result<(Synthesised, bool), Error> {
        let Some(both) = self.commute(steps) else { return Ok((found, true)) };
        let Synthesis { arena, solver, .. } = self;
        found.conflict = both.conflict;
        if !both.conflict {
            // Nothing has to be asked for.
            let exprs = vec![Expr { kind: ExprKind::Value(1), ty: Type::Bool, span: Span::default() }];
            let [left, right] = found.sites;
            found.constraints.push(Constraint { left, right, exprs, condition: ExprId(0), wild: false });
            (found.texts, found.necessary) = (Some(vec!["true".to_owned()]), true);
            return Ok((found, true));
        }
        let solver = match solver {
            Some(solver) => solver,
            None => solver.insert((self.start)()?),
        };
        let until = Instant::now() + TIME_FOR_PAIR;
        let Cover { implicants, complete, unsettled } = cover(solver, arena, both.premise, both.formula, Some(until))?;
        found.necessary = complete && both.exact;
        let mut texts = Vec::new();
        for implicant in &implicants {
            let wild = !is_tame(solver, arena, &both, implicant)?;
            match expression(arena, &both, implicant) {
                Some((exprs, condition)) => {
                    let [left, right] = found.sites;
                    found.constraints.push(Constraint { left, right, exprs, condition, wild });
                    texts.push(mazurka_smt::synthesis::text(arena, implicant, WIDTH));
                }
                None => found.necessary = false,
            }
        }
        found.texts = Some(texts);
        Ok((found, !unsettled))
    }

    /// Both orders of two steps, with functions where they are needed.
    fn commute(&mut self, steps: [(usize, Place); 2]) -> Option<Commute> {
        let (bodies, places) = (steps.map(|(body, _)| body), steps.map(|(_, place)| place));
        both_orders(&self.symbolic, &self.with_functions, &mut self.arena, &mut self.sorts, bodies, places)
    }
}

/// Both orders of two steps, with functions where they are needed.
fn both_orders(
    symbolic: &Symbolic<'_>,
    with_functions: &Symbolic<'_>,
    arena: &mut Arena,
    sorts: &mut FxHashMap<String, Sort>,
    bodies: [usize; 2],
    places: [Place; 2],
) -> Option<Commute> {
    let both = commute(symbolic, arena, sorts, bodies, places)?;
    if both.exact { Some(both) } else { commute(with_functions, arena, sorts, bodies, places) }
}

/// Whether integers change as much in one order as in the other, where an implicant holds.
fn is_tame(solver: &mut Solver, arena: &mut Arena, both: &Commute, implicant: &[Term]) -> Result<bool, Error> {
    if arena.is(both.tame, true) {
        return Ok(true);
    }
    let mut question = implicant.to_vec();
    question.extend([both.premise, arena.not(both.tame)]);
    Ok(solver.check_assuming(arena, &question)? == Answer::Unsat)
}

/// All steps that can take part in a race, each with its body.
fn steps(symbolic: &Symbolic<'_>) -> Vec<(usize, Place)> {
    let bodies = symbolic.bodies().iter().enumerate().filter(|(_, body)| body.kind != hir::BodyKind::Finally);
    let places = bodies.flat_map(|(number, body)| body.places.iter().map(move |&place| (number, place)));
    places.filter(|&(_, place)| !symbolic.is_internal(place)).collect()
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
            Op::Apply(function) => match arena.function_name(function) {
                PRODUCT => comparison(Binary::Multiply),
                QUOTIENT => comparison(Binary::Divide),
                REMAINDER => comparison(Binary::Remainder),
                _ => None,
            },
            Op::And | Op::Or | Op::Ite | Op::Divide | Op::Modulo | Op::Store | Op::Constant => None,
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
        for &left in &of(&declared.left) {
            for &right in &of(&declared.right) {
                let single = symbolic.bodies()[left.0].kind == hir::BodyKind::Process;
                if left.0 == right.0 && single {
                    continue;
                }
                let (bodies, places) = ([left.0, right.0], [left.1, right.1]);
                let both = both_orders(&symbolic, &with_functions, &mut arena, &mut sorts, bodies, places);
                let verified = prove(program, solver, &mut arena, declared, both)?;
                let sites = [left, right].map(|(_, place)| symbolic.site(place));
                found.push(Declared { number, sites, verified });
            }
        }
    }
    Ok(found)
}

fn prove(
    program: &Program,
    solver: &mut Solver,
    arena: &mut Arena,
    declared: &hir::Independence,
    both: Option<Commute>,
) -> Result<Verified, Error> {
    let Some(both) = both else {
        return Ok(Verified::Unknown("the steps choose, use mutexes or create too many processes".to_owned()));
    };
    let Some(condition) = condition(program, arena, &both, declared) else {
        return Ok(Verified::Unknown("the condition cannot be given to a solver".to_owned()));
    };
    let not = arena.not(both.formula);
    match solver.check_assuming(arena, &[condition, both.premise, not])? {
        Answer::Unsat if is_tame(solver, arena, &both, &[condition])? => Ok(Verified::Proven),
        Answer::Unsat => {
            Ok(Verified::Unknown("between the steps, values may be larger than those that are seen".to_owned()))
        }
        Answer::Unknown(reason) => Ok(Verified::Unknown(format!("the solver does not know: {reason:?}"))),
        Answer::Sat if !both.exact => {
            Ok(Verified::Unknown("nobody knows what a loop or a product leads to".to_owned()))
        }
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
