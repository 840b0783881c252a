//! Proving declared constraints.

use mazurka_smt::synthesis::proof::{Claim, Verified, exclude};
use mazurka_smt::{Arena, Error, Solver, Supply, Term};
use mazurka_trace::SiteId;

use super::commute::{Commute, commute, declared};
use super::counterexample::counterexample;
use super::execute::Symbolic;
use super::synthesis::conflict;
use crate::code::{Declaration, Image};

/// A declared constraint, with what came of its proof.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Which of the program's declarations.
    pub number: usize,
    /// Where the methods begin.
    pub sites: [SiteId; 2],
    /// What came of it.
    pub verified: Verified,
}

/// Tries to prove the declared constraints of a program. Nothing more is proven once somebody says
/// that it is late.
///
/// # Errors
/// Where there is no solver, or it dies or answers nonsense.
pub fn verify(image: &Image, supply: &mut Supply<'_>, is_late: &dyn Fn() -> bool) -> Result<Vec<Declared>, Error> {
    let symbolic = Symbolic::new(image);
    let mut found = Vec::new();
    for (number, declared) in image.declarations.iter().enumerate() {
        let sites = declared.bodies.map(|body| SiteId::new(image.bodies[body as usize].entry as usize));
        let verified = if !conflict(image, declared.bodies) {
            Verified::Proven
        } else if is_late() {
            Verified::Unknown("there was no time for it (--constraints-timeout)".to_owned())
        } else {
            of_declaration(&symbolic, supply, declared)?
        };
        found.push(Declared { number, sites, verified });
    }
    Ok(found)
}

fn of_declaration(
    symbolic: &Symbolic<'_>,
    supply: &mut Supply<'_>,
    declaration: &Declaration,
) -> Result<Verified, Error> {
    let mut arena = Arena::new();
    let both = commute(symbolic, &mut arena, declaration.bodies);
    let both = match both {
        Ok(both) => both,
        Err(unsupported) => return Ok(Verified::Unknown(unsupported.reason().to_owned())),
    };
    let condition = match declared(symbolic, &mut arena, &both, declaration.condition) {
        Ok(condition) => condition,
        Err(unsupported) => return Ok(Verified::Unknown(unsupported.reason().to_owned())),
    };
    supply.ask(|solver| prove(symbolic, solver, &mut arena, &both, condition))
}

fn prove(
    symbolic: &Symbolic<'_>,
    solver: &mut Solver,
    arena: &mut Arena,
    both: &Commute,
    condition: Term,
) -> Result<Verified, Error> {
    let question = [condition, arena.not(both.formula)];
    match exclude(solver, arena, &question)? {
        Claim::Holds => Ok(Verified::Proven),
        Claim::Unknown(why) => Ok(Verified::Unknown(why)),
        Claim::Fails => match both.cut {
            Some(reason) => Ok(Verified::Unknown(reason.to_owned())),
            None if both.waits => {
                Ok(Verified::Unknown("a task that waits may take the place of the other one".to_owned()))
            }
            None if !both.exact || has_functions(arena, condition) => {
                Ok(Verified::Unknown("nothing is known of what a function leads to".to_owned()))
            }
            None => counterexample(symbolic.image, solver, arena, both, &question),
        },
    }
}

fn has_functions(arena: &Arena, condition: Term) -> bool {
    arena.below(&[condition]).into_iter().any(|term| matches!(arena.op(term), mazurka_smt::Op::Apply(_)))
}
