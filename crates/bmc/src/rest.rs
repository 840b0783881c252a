//! Where a process rests after a step, and what it knows there.
//!
//! States of a process are told apart by the place and by the values of its variables, as far as
//! these are few: then indices and conditions of its steps are constants, and what a step does is
//! plain. A variable that has many values, or one that is not known, is a term over all states of
//! the place. A process that comes to have too many states has one for each place from then on.
//!
//! Local code that chooses nothing and cannot fail there is *silent*: it is run at once, and is no
//! step of the formula.

use std::collections::BTreeMap;
use std::rc::Rc;

use mazurka_process::symbolic::{Next, Place, Start};
use mazurka_smt::{Sort, Term};

use crate::frame::{Added, Frame, LocalState, Process, Resting};
use crate::rewrite::Workshop;
use crate::template::Template;

/// A variable with more values than this does not tell states apart when it is set.
const MOST_VALUES: usize = 4;

/// One move is split into no more states than this.
const MOST_BRANCHES: usize = 8;

/// A process has no more states than this.
const MOST_STATES: usize = 48;

/// Silent steps one after the other; more are taken one by one.
const MOST_SILENT: usize = 100;

/// The ways by which a process comes to where it rests.
pub(crate) struct Ways {
    /// The number of the process.
    number: usize,
    body: usize,
    rests: BTreeMap<LocalState, Vec<Way>>,
    ended: Vec<Term>,
    unstarted: Term,
    coarse: bool,
}

/// When it is taken, and what the process then knows.
type Way = (Term, Rc<[Term]>);

impl Ways {
    /// Those of a process that rests where it did, where `stays` holds.
    pub(crate) fn staying(shop: &mut Workshop, (number, body): (usize, usize), process: &Process, stays: Term) -> Ways {
        let mut rests = BTreeMap::new();
        for resting in &process.at {
            let remains = shop.arena.and(&[resting.at, stays]);
            rests.insert(resting.state.clone(), vec![(remains, Rc::clone(&resting.locals))]);
        }
        let (ended, unstarted, coarse) = (vec![process.ended], process.unstarted, process.coarse);
        Ways { number, body, rests, ended, unstarted, coarse }
    }

    /// It goes on where a condition holds.
    pub(crate) fn goes(
        &mut self,
        shop: &mut Workshop,
        template: &Template<'_>,
        condition: Term,
        next: Next,
        locals: &[Term],
    ) {
        let mut moves = vec![(condition, next, locals.to_vec())];
        let mut silent = 0;
        while let Some((condition, next, locals)) = moves.pop() {
            let place = match next {
                _ if shop.arena.is(condition, false) => continue,
                Next::Ends => {
                    self.ended.push(condition);
                    continue;
                }
                Next::Rests(place) => place,
            };
            for (condition, values, locals) in split(shop, condition, &locals, self.coarse) {
                let state = LocalState { place, values: values.into() };
                let resting = Resting { state, at: condition, locals: locals.into() };
                if silent < MOST_SILENT
                    && let Some(more) = self.silently(shop, template, &resting)
                {
                    silent += 1;
                    moves.extend(more);
                } else {
                    self.rests.entry(resting.state).or_default().push((condition, resting.locals));
                }
            }
        }
    }

    /// Where it goes from a place without anybody noticing, if it does.
    fn silently(
        &self,
        shop: &mut Workshop,
        template: &Template<'_>,
        resting: &Resting,
    ) -> Option<Vec<(Term, Next, Vec<Term>)>> {
        let transition = template.bodies[self.body].transition(resting.state.place);
        if !transition.is_local || !transition.choices.is_empty() {
            return None;
        }
        // Local code uses nothing but what the process knows.
        let nowhere = Frame { objects: Vec::new(), processes: Vec::new() };
        let step = nowhere.step(shop, template, (self.number, self.body), resting, &[]);
        let fails = step.faults.iter().any(|&(when, ..)| !shop.arena.is(when, false));
        if fails || !shop.arena.is(step.passes, true) {
            return None;
        }
        let goes =
            step.next.iter().map(|&(when, next)| (shop.arena.and(&[resting.at, when]), next, step.locals.clone()));
        Some(goes.collect())
    }

    /// It begins where a condition holds.
    pub(crate) fn starts(&mut self, shop: &mut Workshop, template: &Template<'_>, happens: Term, start: &Start) {
        let mut locals = start.locals.clone();
        locals.push(shop.arena.int(0));
        for &(when, next) in &start.next {
            let here = shop.arena.and(&[happens, when]);
            self.goes(shop, template, here, next, &locals);
        }
        let not = shop.arena.not(happens);
        self.unstarted = shop.arena.and(&[self.unstarted, not]);
    }

    /// The process, in the frame that these ways lead to. `name` is for variables of the formula.
    pub(crate) fn process(mut self, shop: &mut Workshop, name: &str, added: &mut Added) -> Process {
        if self.rests.len() > MOST_STATES && !self.coarse {
            self.coarsen();
        }
        let mut at = Vec::with_capacity(self.rests.len());
        for (number, (state, ways)) in self.rests.into_iter().enumerate() {
            let conditions: Vec<Term> = ways.iter().map(|&(condition, _)| condition).collect();
            let here = shop.arena.or(&conditions);
            if !shop.arena.is(here, false) {
                let locals = known(shop, &format!("{name}.{number}"), &ways, added);
                at.push(Resting { state, at: here, locals });
            }
        }
        let ended = shop.arena.or(&self.ended);
        Process { at, unstarted: self.unstarted, ended, coarse: self.coarse }
    }

    /// One state for each place.
    fn coarsen(&mut self) {
        self.coarse = true;
        let mut places: BTreeMap<Place, Vec<Way>> = BTreeMap::new();
        for (state, ways) in std::mem::take(&mut self.rests) {
            places.entry(state.place).or_default().extend(ways);
        }
        for (place, ways) in places {
            let values = vec![None; ways[0].1.len()].into();
            self.rests.insert(LocalState { place, values }, ways);
        }
    }
}

/// The states that a move leads to: when, the values that tell it apart, and what is known there.
fn split(
    shop: &mut Workshop,
    condition: Term,
    locals: &[Term],
    coarse: bool,
) -> Vec<(Term, Vec<Option<i128>>, Vec<Term>)> {
    let mut branches = vec![(condition, Vec::new(), Vec::new())];
    for &local in locals {
        let values = if coarse { None } else { few_values(shop, local) };
        let Some(values) = values.filter(|values| values.len() * branches.len() <= MOST_BRANCHES) else {
            for (_, values, locals) in &mut branches {
                values.push(None);
                locals.push(local);
            }
            continue;
        };
        let mut more = Vec::with_capacity(branches.len() * values.len());
        for (condition, known, locals) in branches {
            for &(value, constant, is) in &values {
                let condition = shop.arena.and(&[condition, is]);
                if !shop.arena.is(condition, false) {
                    let (mut known, mut locals) = (known.clone(), locals.clone());
                    known.push(Some(value));
                    locals.push(constant);
                    more.push((condition, known, locals));
                }
            }
        }
        branches = more;
    }
    branches
}

/// The values of a variable, if they are few: each as a number, as a term, and when it has it.
fn few_values(shop: &mut Workshop, local: Term) -> Option<Vec<(i128, Term, Term)>> {
    if shop.arena.sort(local) == Sort::Bool {
        let (no, yes, not) = (shop.arena.no(), shop.arena.yes(), shop.arena.not(local));
        return Some(vec![(0, no, not), (1, yes, local)]);
    }
    let values = shop.domains.values(&shop.arena, local).filter(|values| values.len() <= MOST_VALUES)?;
    let each = values.iter().map(|&value| {
        let is = shop.domains.is(&mut shop.arena, local, value);
        (value, shop.arena.int(value), is)
    });
    Some(each.collect())
}

/// What is known where several ways lead to.
fn known(shop: &mut Workshop, name: &str, ways: &[Way], added: &mut Added) -> Rc<[Term]> {
    let [(_, first), others @ ..] = ways else { unreachable!("a state is one that something leads to") };
    if others.iter().all(|(_, locals)| locals == first) {
        return Rc::clone(first);
    }
    let local = |index: usize| {
        let values: Vec<(Term, Term)> = ways.iter().map(|(condition, locals)| (*condition, locals[index])).collect();
        either(shop, &format!("{name}.{index}"), &values, added)
    };
    (0..first.len()).map(local).collect()
}

/// The value whose condition holds; one does.
fn either(shop: &mut Workshop, name: &str, values: &[(Term, Term)], added: &mut Added) -> Term {
    let arena = &mut shop.arena;
    let [others @ .., (_, last)] = values else { unreachable!("there is a value") };
    let mut either = *last;
    for &(condition, value) in others {
        either = arena.ite(condition, value, either);
    }
    if arena.sort(either) == Sort::Bool
        || values.iter().all(|(_, value)| value == last)
        || shop.domains.values(arena, either).is_some()
    {
        return either;
    }
    let variable = arena.variable(name, Sort::Int);
    for &(condition, value) in values {
        let same = arena.equal(variable, value);
        added.assertions.push(arena.implies(condition, same));
    }
    variable
}
