//! The steps of a program over variables of no particular frame.

use mazurka_process::hir::Type;
use mazurka_process::symbolic::{Place, State, Symbolic, Transition};
use mazurka_smt::{Arena, Sort, Term};

/// The steps of all bodies.
pub(crate) struct Template<'a> {
    pub(crate) symbolic: Symbolic<'a>,
    /// Stands for the number of the process.
    pub(crate) me: Term,
    /// Stand for the objects.
    pub(crate) objects: Vec<Term>,
    pub(crate) bodies: Vec<BodyTemplate>,
    /// Stand for the data choices of a step, in order.
    pub(crate) choices: Vec<Term>,
}

/// The steps of one body.
pub(crate) struct BodyTemplate {
    /// Stand for its variables.
    pub(crate) locals: Vec<Term>,
    /// Stands for the number of processes it has spawned.
    pub(crate) spawned: Term,
    /// The step from each place, in the order of places.
    pub(crate) transitions: Vec<(Place, Transition)>,
}

impl BodyTemplate {
    /// The step from a place.
    pub(crate) fn transition(&self, place: Place) -> &Transition {
        let at = self.transitions.binary_search_by_key(&place, |&(place, _)| place);
        &self.transitions[at.expect("it is a place of this body")].1
    }
}

impl<'a> Template<'a> {
    pub(crate) fn new(arena: &mut Arena, symbolic: Symbolic<'a>) -> Template<'a> {
        let me = arena.variable("me", Sort::Int);
        let objects: Vec<Term> =
            symbolic.objects().iter().map(|object| arena.variable(&format!("{}'", object.name), object.sort)).collect();
        let mut choices = Vec::new();
        let mut bodies = Vec::new();
        for (number, body) in symbolic.bodies().iter().enumerate() {
            let locals = body.locals.iter().enumerate().map(|(at, (name, ty))| {
                let sort = if *ty == Type::Bool { Sort::Bool } else { Sort::Int };
                arena.variable(&format!("{name}'{number}.{at}"), sort)
            });
            let locals: Vec<Term> = locals.collect();
            let spawned = arena.variable("spawned'", Sort::Int);
            let state = State { objects: objects.clone(), locals: locals.clone(), spawned };
            let mut transitions = Vec::new();
            for &place in &body.places {
                let mut choice = |arena: &mut Arena, nth: usize| {
                    while choices.len() <= nth {
                        choices.push(arena.variable(&format!("choice'{}", choices.len()), Sort::Int));
                    }
                    choices[nth]
                };
                transitions.push((place, symbolic.step(arena, me, place, &state, &mut choice)));
            }
            bodies.push(BodyTemplate { locals, spawned, transitions });
        }
        Template { symbolic, me, objects, bodies, choices }
    }
}
