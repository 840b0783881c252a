//! Finding constraints.

use std::time::{Duration, Instant};

use mazurka_smt::synthesis::asking::{Asking, Shortfall};
use mazurka_smt::synthesis::known::Known;
use mazurka_smt::synthesis::{Cover, cover};
use mazurka_smt::{Answer, Arena, Error, Solver, Sort, Supply, Term};
use mazurka_trace::SiteId;
use rustc_hash::FxHashMap;

use crate::code::Image;
use crate::hir::{self, Expr, ExprId, ExprKind, Span, Type};
use crate::symbolic::{Limits, Place, Symbolic};

use super::Constraint;
use super::commute::{Commute, Unsupported, commute};
use super::expression::expression;
use super::store::{self, Steps};

/// How far loops within a step are followed.
pub(super) const LIMITS: Limits = Limits { rounds: 6, instructions: 3_000 };

/// Implicants are written with about so many characters for each term.
pub(super) const WIDTH: usize = 200;

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

/// What was found out about the steps of a program.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Every two steps.
    pub pairs: Vec<Synthesised>,
    /// About which of them nothing was found out.
    pub shortfall: Shortfall,
}

/// So long is looked for the constraints of one pair of steps, besides the question that is being
/// asked then.
const TIME_FOR_PAIR: Duration = Duration::from_secs(2);

/// Finds the constraints of every two steps of a program: as they are `known`, or with a solver,
/// which is not asked any more once somebody says that it is late.
///
/// # Errors
/// Where a solver is needed and none can be started, or they keep dying or answering nonsense.
pub fn synthesise(
    image: &Image,
    known: &mut dyn Known,
    supply: &mut Supply<'_>,
    is_late: &dyn Fn() -> bool,
) -> Result<Found, Error> {
    let symbolic = Symbolic::new(image, LIMITS);
    let with_functions = symbolic.clone().with_functions();
    let steps = steps(&symbolic);
    let (arena, sorts) = (Arena::new(), FxHashMap::default());
    let asking = Asking::new(supply, is_late);
    let mut search = Synthesis { symbolic, with_functions, arena, sorts, asking };
    let mut pairs = Vec::new();
    for (at, &left) in steps.iter().enumerate() {
        for &right in &steps[at..] {
            pairs.push(search.find(known, [left, right])?);
        }
    }
    Ok(Found { pairs, shortfall: search.asking.shortfall })
}

/// The search for constraints.
struct Synthesis<'a, 's> {
    /// Steps with loops unrolled, and with functions for loops and what is not linear.
    symbolic: Symbolic<'a>,
    with_functions: Symbolic<'a>,
    arena: Arena,
    sorts: FxHashMap<String, Sort>,
    asking: Asking<'a, 's>,
}

impl Synthesis<'_, '_> {
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
        if !blocks.conflict() {
            return Ok(nothing_in_common(unknown));
        }
        let key = blocks.key();
        let kept = known.get(&key);
        if let Some(pair) = kept.and_then(|text| blocks.read(&text, unknown.clone())) {
            return Ok(pair);
        }
        if !self.asking.has_time() {
            return Ok(unknown);
        }
        let (pair, settled) = self.of_pair(steps, unknown)?;
        if settled && let Some(text) = blocks.write(&pair) {
            known.put(&key, &text);
        }
        Ok(pair)
    }

    /// Finds out. Also tells whether more time would be of no use.
    fn of_pair(&mut self, steps: [(usize, Place); 2], unknown: Synthesised) -> Result<(Synthesised, bool), Error> {
        let Synthesis { symbolic, with_functions, arena, sorts, .. } = self;
        let Ok(both) = both_orders(symbolic, with_functions, arena, sorts, steps, [&[], &[]]) else {
            return Ok((unknown, true));
        };
        if !both.conflict {
            return Ok((nothing_in_common(unknown), true));
        }
        let found = self.asking.ask(|solver| of_formula(solver, arena, &both, &unknown))?;
        Ok(found.unwrap_or((unknown, false)))
    }
}

/// The constraints of two steps, and whether more time would be of no use.
fn of_formula(
    solver: &mut Solver,
    arena: &mut Arena,
    both: &Commute,
    unknown: &Synthesised,
) -> Result<(Synthesised, bool), Error> {
    let until = Instant::now() + TIME_FOR_PAIR;
    let Cover { implicants, complete, mut unsettled } = cover(solver, arena, both.premise, both.formula, Some(until))?;
    let (mut necessary, mut texts, mut constraints) = (complete && both.exact, Vec::new(), Vec::new());
    for implicant in &implicants {
        let wildness = wildness(solver, arena, both, implicant)?;
        let wild = wildness != Answer::Unsat;
        unsettled |= matches!(wildness, Answer::Unknown(_));
        match expression(arena, both, implicant) {
            Some((exprs, condition)) => {
                let [left, right] = unknown.sites;
                constraints.push(Constraint { left, right, exprs, condition, wild });
                texts.push(mazurka_smt::synthesis::text(arena, implicant, WIDTH));
            }
            None => necessary = false,
        }
    }
    let found = Synthesised { conflict: true, texts: Some(texts), necessary, constraints, ..unknown.clone() };
    Ok((found, !unsettled))
}

/// Nothing has to be asked about two steps of which neither changes what the other one uses.
fn nothing_in_common(unknown: Synthesised) -> Synthesised {
    let exprs = vec![Expr { kind: ExprKind::Value(1), ty: Type::Bool, span: Span::default() }];
    let [left, right] = unknown.sites;
    let constraints = vec![Constraint { left, right, exprs, condition: ExprId(0), wild: false }];
    Synthesised { conflict: false, texts: Some(vec!["true".to_owned()]), necessary: true, constraints, ..unknown }
}

/// Both orders of two steps, with functions where they are needed, and these names for their
/// parameters.
pub(super) fn both_orders(
    symbolic: &Symbolic<'_>,
    with_functions: &Symbolic<'_>,
    arena: &mut Arena,
    sorts: &mut FxHashMap<String, Sort>,
    steps: [(usize, Place); 2],
    parameters: [&[String]; 2],
) -> Result<Commute, Unsupported> {
    let both = commute(symbolic, arena, sorts, steps, parameters)?;
    if both.exact { Ok(both) } else { commute(with_functions, arena, sorts, steps, parameters) }
}

/// Whether integers can change more in one order than in the other, where an implicant holds.
pub(super) fn wildness(
    solver: &mut Solver,
    arena: &mut Arena,
    both: &Commute,
    implicant: &[Term],
) -> Result<Answer, Error> {
    if arena.is(both.tame, true) {
        return Ok(Answer::Unsat);
    }
    let mut question = implicant.to_vec();
    question.extend([both.premise, arena.not(both.tame)]);
    solver.check_assuming(arena, &question)
}

/// All steps that can take part in a race, each with its body.
pub(super) fn steps(symbolic: &Symbolic<'_>) -> Vec<(usize, Place)> {
    let bodies = symbolic.bodies().iter().enumerate().filter(|(_, body)| body.kind != hir::BodyKind::Finally);
    let places = bodies.flat_map(|(number, body)| body.places.iter().map(move |&place| (number, place)));
    places.filter(|&(_, place)| !symbolic.is_local(place)).collect()
}
