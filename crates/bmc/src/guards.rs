//! Guards that a solver finds: when two steps commute, whatever they use.
//!
//! Rules 1 to 4 look at what steps use and which values they write. Here both orders of two steps
//! are compared as a whole, once for each two places of the program, and what [`cover`] gives
//! (conditions over the state in which both are pending) are further guards: `x = x + 1` and
//! `x = x + 2` commute always.
//!
//! The condition is that of the swap that a constraint relies on: the higher process's step can be
//! taken, and the lower one's after it; then the lower one's can be taken first, the higher one's
//! after it, and nothing differs in the end. Steps that choose data, spawn, or use mutexes are left
//! to the rules. What the solver does not find costs reduction, never soundness.

use std::time::Duration;

use mazurka_process::symbolic::{AccessKind, Fault, Next, Place, State, Symbolic, Transition};
use mazurka_smt::solver::Usage;
use mazurka_smt::synthesis::cover;
use mazurka_smt::{Arena, Settings, Solver, Sort, Term};
use mazurka_trace::{FaultKind, SiteId};
use rustc_hash::FxHashMap;

use crate::frame::{Frame, Step};
use crate::rewrite::{Content, Mapping, Workshop};
use crate::template::Template;

/// What a question may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The guards found so far, for steps from two places: of the lower process, and of the higher one.
pub(crate) struct Guards {
    solver: Solver,
    known: FxHashMap<(Place, Place), Option<Guard>>,
}

/// A condition, over variables that stand for the state and for what each process knows.
struct Guard {
    condition: Term,
    objects: Vec<Term>,
    locals: [Vec<Term>; 2],
}

impl Guards {
    /// None so far; they are found when they are first requested, by a solver of their own.
    pub(crate) fn new(settings: &Settings) -> Result<Guards, mazurka_smt::Error> {
        let solver = Solver::start(Settings { time_limit: Some(TIME_LIMIT), ..settings.clone() })?;
        Ok(Guards { solver, known: FxHashMap::default() })
    }

    /// What the solver has used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        self.solver.usage()
    }

    /// When steps commute, as far as is known.
    pub(crate) fn commute(
        &mut self,
        shop: &mut Workshop,
        (template, frame): (&Template<'_>, &Frame),
        lower: &Step,
        higher: &Step,
    ) -> Term {
        let places = (lower.place, higher.place);
        if !self.known.contains_key(&places) {
            let guard = self.find(shop, &template.symbolic, lower, higher);
            self.known.insert(places, guard);
        }
        let Some(guard) = &self.known[&places] else { return shop.arena.no() };
        let mut mapping = Mapping::default();
        for (&variable, content) in guard.objects.iter().zip(&frame.objects) {
            mapping.put(variable, content.clone());
        }
        for (variables, step) in guard.locals.iter().zip([lower, higher]) {
            for (&variable, &known) in variables.iter().zip(step.before.iter()) {
                mapping.put(variable, Content::Term(known));
            }
        }
        mapping.term(shop, guard.condition)
    }

    fn find(&mut self, shop: &mut Workshop, symbolic: &Symbolic<'_>, lower: &Step, higher: &Step) -> Option<Guard> {
        let arena = &mut shop.arena;
        let objects: Vec<Term> = symbolic.objects().iter().map(|object| arena.fresh("g", object.sort)).collect();
        let locals = [lower, higher].map(|step| {
            let locals = symbolic.bodies()[step.body].locals.iter();
            let sort = |ty| if ty == mazurka_process::hir::Type::Bool { Sort::Bool } else { Sort::Int };
            locals.map(|&(_, ty)| arena.fresh("l", sort(ty))).collect::<Vec<Term>>()
        });
        let step = |arena: &mut Arena, side: usize, objects: &[Term]| {
            let (zero, place) = (arena.int(0), [lower, higher][side].place);
            let state = State { objects: objects.to_vec(), locals: locals[side].clone(), spawned: zero };
            let transition = symbolic.step(arena, zero, place, &state, &mut |arena, _| arena.fresh("c", Sort::Int));
            is_plain(&transition).then_some(transition)
        };
        let (first, second) = (step(arena, 0, &objects)?, step(arena, 1, &objects)?);
        let then_second = step(arena, 1, &first.state.objects)?;
        let then_first = step(arena, 0, &second.state.objects)?;
        let taken = [passes(arena, &second), passes(arena, &then_first)];
        let premise = arena.and(&taken);
        let mut same = vec![passes(arena, &first), passes(arena, &then_second)];
        same.extend(same_end(arena, &first, &then_first));
        same.extend(same_end(arena, &second, &then_second));
        same.extend(same_objects(arena, symbolic, [&first, &then_second], [&second, &then_first]));
        let formula = arena.and(&same);
        let cover = cover(&mut self.solver, arena, premise, formula, None).ok()?;
        let implicants: Vec<Term> = cover.implicants.iter().map(|implicant| arena.and(implicant)).collect();
        let condition = arena.or(&implicants);
        (!arena.is(condition, false)).then_some(Guard { condition, objects, locals })
    }
}

fn is_plain(transition: &Transition) -> bool {
    transition.choices.is_empty()
        && transition.spawns.is_empty()
        && transition.cuts.is_empty()
        && transition.accesses.iter().all(|access| access.kind != AccessKind::Mutex)
}

fn passes(arena: &mut Arena, transition: &Transition) -> Term {
    let whens: Vec<Term> = transition.next.iter().map(|&(when, _)| when).collect();
    arena.or(&whens)
}

/// The process goes on at the same place, with the same values, and the same assertions fail.
fn same_end(arena: &mut Arena, one: &Transition, other: &Transition) -> Vec<Term> {
    let no = arena.no();
    let when = |transition: &Transition, next: Next| {
        transition.next.iter().find(|&&(_, known)| known == next).map_or(no, |&(when, _)| when)
    };
    let nexts = one.next.iter().chain(&other.next).map(|&(_, next)| (when(one, next), when(other, next)));
    let locals = one.state.locals.iter().copied().zip(other.state.locals.iter().copied());
    let fails = |transition: &Transition, site: SiteId| {
        let same = |fault: &&Fault| fault.kind == FaultKind::Assertion && fault.site == site;
        transition.faults.iter().find(same).map_or(no, |fault| fault.when)
    };
    let sites = one.faults.iter().chain(&other.faults).map(|fault| fault.site);
    let faults = sites.map(|site| (fails(one, site), fails(other, site)));
    let pairs: Vec<(Term, Term)> = nexts.chain(locals).chain(faults).collect();
    pairs.into_iter().map(|(left, right)| arena.equal(left, right)).collect()
}

/// Both orders leave the same; of arrays, in all cells that any of the steps uses.
fn same_objects(
    arena: &mut Arena,
    symbolic: &Symbolic<'_>,
    one: [&Transition; 2],
    other: [&Transition; 2],
) -> Vec<Term> {
    let mut same = Vec::new();
    for (number, object) in symbolic.objects().iter().enumerate() {
        let (left, right) = (one[1].state.objects[number], other[1].state.objects[number]);
        if left == right {
            continue;
        }
        if object.length.is_none() {
            same.push(arena.equal(left, right));
            continue;
        }
        let accesses = one.iter().chain(&other).flat_map(|transition| &transition.accesses);
        let indices: Vec<Term> =
            accesses.filter(|access| access.object == number).filter_map(|access| access.index).collect();
        for index in indices {
            let (left, right) = (arena.select(left, index), arena.select(right, index));
            same.push(arena.equal(left, right));
        }
    }
    same
}
