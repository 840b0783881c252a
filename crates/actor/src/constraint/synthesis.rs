//! Finding constraints.

use std::time::{Duration, Instant};

use mazurka_smt::synthesis::asking::{Asking, Shortfall};
use mazurka_smt::synthesis::{Cover, cover};
use mazurka_smt::{Arena, Error, Solver, Supply};
use mazurka_trace::SiteId;

use super::commute::{Commute, commute};
use super::condition::{operations, text};
use super::execute::Symbolic;
use crate::code::{BodyKind, Image, Operation, used};

/// Conditions are written with about so many characters for each term.
const WIDTH: usize = 200;

/// So long it pays to look for the constraints of one pair of methods, besides the question that is
/// being asked then.
pub const TIME_FOR_PAIR: Duration = Duration::from_secs(2);

/// What was found out about two methods of a class.
#[derive(Clone, Debug)]
pub struct Synthesised {
    /// Where the methods begin.
    pub sites: [SiteId; 2],
    /// They use something in common that one of them changes.
    pub conflict: bool,
    /// The constraints, as they are written; none where nothing could be found out.
    pub texts: Option<Vec<String>>,
    /// Why nothing could be found out, or not all.
    pub reason: Option<&'static str>,
    /// The methods commute in no other state.
    pub necessary: bool,
    /// The constraints, for the machine.
    pub(crate) conditions: Vec<Vec<Operation>>,
}

/// What was found out about the methods of a program.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Every two methods of a class.
    pub pairs: Vec<Synthesised>,
    /// About which of them nothing was found out.
    pub shortfall: Shortfall,
}

/// Finds the constraints of every two methods of each class with a solver, for so long at most. It
/// is not asked any more once somebody says that it is late.
///
/// # Errors
/// Where no solver can be started, or they keep dying or answering nonsense.
pub fn synthesise(
    image: &Image,
    supply: &mut Supply<'_>,
    is_late: &dyn Fn() -> bool,
    time_for_pair: Duration,
) -> Result<Found, Error> {
    let symbolic = Symbolic::new(image);
    let mut asking = Asking::new(supply, is_late);
    let mut pairs = Vec::new();
    for [left, right] in methods(image) {
        pairs.push(of_pair(&symbolic, &mut asking, [left, right], time_for_pair)?);
    }
    Ok(Found { pairs, shortfall: asking.shortfall })
}

/// Every two methods of a class, each also with itself.
fn methods(image: &Image) -> Vec<[u32; 2]> {
    let is_condition = |body: u32| image.declarations.iter().any(|declared| declared.condition == body);
    let mut pairs = Vec::new();
    for class in 0..image.classes.len() as u32 {
        let own = |body: &u32| {
            let of = &image.bodies[*body as usize];
            of.class == Some(class) && of.kind == BodyKind::Method && !is_condition(*body)
        };
        let own: Vec<u32> = (0..image.bodies.len() as u32).filter(own).collect();
        for (at, &left) in own.iter().enumerate() {
            pairs.extend(own[at..].iter().map(|&right| [left, right]));
        }
    }
    pairs
}

/// Whether one of two methods may change what the other one uses.
pub(super) fn conflict(image: &Image, [left, right]: [u32; 2]) -> bool {
    let (left, right) = (used(image, left), used(image, right));
    let meets = |&(field, stored): &(u32, bool)| {
        right.iter().any(|&(other, also_stored)| field == other && (stored || also_stored))
    };
    left.iter().any(meets)
}

fn of_pair(
    symbolic: &Symbolic<'_>,
    asking: &mut Asking<'_, '_>,
    bodies: [u32; 2],
    time: Duration,
) -> Result<Synthesised, Error> {
    let image = symbolic.image;
    let sites = bodies.map(|body| SiteId::new(image.bodies[body as usize].entry as usize));
    let conflict = conflict(image, bodies);
    let unknown = Synthesised { sites, conflict, texts: None, reason: None, necessary: false, conditions: Vec::new() };
    if !conflict {
        return Ok(Synthesised { texts: Some(vec!["true".to_owned()]), necessary: true, ..unknown });
    }
    if !asking.has_time() {
        return Ok(unknown);
    }
    let mut arena = Arena::new();
    let both = match commute(symbolic, &mut arena, bodies) {
        Ok(both) => both,
        Err(unsupported) => return Ok(Synthesised { reason: Some(unsupported.reason()), ..unknown }),
    };
    if arena.is(both.formula, false) && both.cut.is_some() {
        return Ok(Synthesised { reason: both.cut, ..unknown });
    }
    let found = asking.ask(|solver| of_formula(image, solver, &mut arena, &both, (&unknown, time)))?;
    Ok(found.unwrap_or(unknown))
}

fn of_formula(
    image: &Image,
    solver: &mut Solver,
    arena: &mut Arena,
    both: &Commute,
    (unknown, time): (&Synthesised, Duration),
) -> Result<Synthesised, Error> {
    let until = Instant::now() + time;
    let premise = arena.yes();
    let Cover { implicants, complete, .. } = cover(solver, arena, premise, both.formula, Some(until))?;
    let (mut necessary, mut texts, mut conditions) = (complete && both.exact, Vec::new(), Vec::new());
    for implicant in &implicants {
        match operations(arena, both, implicant) {
            Some(condition) => {
                conditions.push(condition);
                texts.push(text(image, arena, both, implicant, WIDTH));
            }
            None => necessary = false,
        }
    }
    Ok(Synthesised { texts: Some(texts), reason: both.cut, necessary, conditions, ..unknown.clone() })
}
