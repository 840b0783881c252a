//! When two steps are dependent, value by value.
//!
//! The rules of [`independence`] give a condition over whatever two steps use. But most pairs meet
//! in one or two locations of few values, and for each of these values they are plainly dependent,
//! or plainly not, or one of them is not taken at all: the higher process's step waits or fails, or
//! the lower one's does so after it. Then the condition is which values these are, and where steps
//! are not taken it may say what is shorter: a constraint speaks only of schedules that take both.
//! Mostly it vanishes. As terms of their own, conditions of rule 4 cost the solver more than they
//! save it.

use std::rc::Rc;

use mazurka_process::symbolic::Place;
use mazurka_smt::{Sort, Term};
use rustc_hash::FxHashMap;

use crate::frame::{Frame, Step};
use crate::independence::{self, Relation};
use crate::rewrite::{Content, Workshop};

/// Steps that meet in more locations are left to the rules.
const MOST_LOCATIONS: usize = 2;

/// More combinations of values are not looked at one by one.
const MOST_CASES: usize = 64;

/// What is known about pairs of steps, in whatever state.
#[derive(Default)]
pub(crate) struct Cases {
    /// A state of which nothing is known.
    anything: Option<Frame>,
    locations: FxHashMap<Pair, Option<Vec<Location>>>,
    cases: FxHashMap<(Pair, Vec<i128>), Case>,
}

/// Two steps: each by its process, its place and what the process knows there.
type Pair = [(usize, Place, Rc<[Term]>); 2];

/// An object, and an index in it.
type Location = (usize, Option<usize>);

/// What two steps are to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Independent,
    Dependent,
    /// They are not both taken, the first after the second.
    Apart,
    /// That depends on more.
    Open,
}

impl Cases {
    /// When two steps are dependent, if that is a matter of a few values. Where they are not taken
    /// one after the other, the second before the first, it may say anything.
    pub(crate) fn dependent(
        &mut self,
        shop: &mut Workshop,
        relation: &Relation<'_>,
        one: &Step,
        other: &Step,
    ) -> Option<Term> {
        if !is_plain(shop, one) || !is_plain(shop, other) {
            return None;
        }
        let pair = [one, other].map(|step| (step.process, step.place, Rc::clone(&step.before)));
        if !self.locations.contains_key(&pair) {
            let locations = self.meeting(shop, relation, one, other);
            self.locations.insert(pair.clone(), locations);
        }
        let locations = self.locations[&pair].clone()?;
        let mut combinations: Vec<(Vec<i128>, Vec<Term>)> = vec![Default::default()];
        for &location in &locations {
            let values = values(shop, relation.frame, location)?;
            if values.len() * combinations.len() > MOST_CASES {
                return None;
            }
            let with = |(known, conditions): &(Vec<i128>, Vec<Term>), (value, is): (i128, Term)| {
                ([&known[..], &[value]].concat(), [&conditions[..], &[is]].concat())
            };
            let more = combinations.iter().flat_map(|one| values.iter().map(move |&value| with(one, value)));
            combinations = more.collect();
        }
        let (mut independent, mut dependent) = (Vec::new(), Vec::new());
        for (known, conditions) in combinations {
            let key = (pair.clone(), known);
            if !self.cases.contains_key(&key) {
                let case = self.case(shop, relation, [one, other], &locations, &key.1);
                self.cases.insert(key.clone(), case);
            }
            let conditions = shop.arena.and(&conditions);
            match self.cases[&key] {
                Case::Independent => independent.push(conditions),
                Case::Dependent => dependent.push(conditions),
                Case::Apart => {}
                Case::Open => return None,
            }
        }
        if independent.len() < dependent.len() {
            let independent = shop.arena.or(&independent);
            return Some(shop.arena.not(independent));
        }
        Some(shop.arena.or(&dependent))
    }

    fn anything(&mut self, shop: &mut Workshop, frame: &Frame) -> Frame {
        let fresh = |shop: &mut Workshop, content: &Content| match content {
            Content::Term(term) => Content::Term(shop.arena.fresh("any", shop.arena.sort(*term))),
            Content::Cells(cells) => Content::Cells(cells.iter().map(|_| shop.arena.fresh("any", Sort::Int)).collect()),
        };
        let new = || Frame {
            objects: frame.objects.iter().map(|content| fresh(shop, content)).collect(),
            processes: Vec::new(),
        };
        self.anything.get_or_insert_with(new).clone()
    }

    /// The locations in which two steps can meet; nothing where these are many, or not plain.
    fn meeting(
        &mut self,
        shop: &mut Workshop,
        relation: &Relation<'_>,
        one: &Step,
        other: &Step,
    ) -> Option<Vec<Location>> {
        let anything = self.anything(shop, relation.frame);
        let [one, other] = [one, other].map(|step| again(shop, relation, &anything, step));
        let mut locations: Vec<Location> = Vec::new();
        for (a, b) in independence::conflicts(&one, &other) {
            let meets = independence::meet(shop, a, b);
            if shop.arena.is(meets, false) {
                continue;
            }
            let index = match a.index {
                None => None,
                Some(index) => Some(usize::try_from(shop.arena.constant(index)?).ok()?),
            };
            if !locations.contains(&(a.object, index)) {
                locations.push((a.object, index));
            }
        }
        (locations.len() <= MOST_LOCATIONS).then_some(locations)
    }

    /// What two steps are to each other where these locations have these values, whatever else
    /// there is.
    fn case(
        &mut self,
        shop: &mut Workshop,
        relation: &Relation<'_>,
        steps: [&Step; 2],
        locations: &[Location],
        values: &[i128],
    ) -> Case {
        let mut frame = self.anything(shop, relation.frame);
        for (&location, &value) in locations.iter().zip(values) {
            set(shop, &mut frame, location, value);
        }
        let [one, other] = steps.map(|step| again(shop, relation, &frame, step));
        let after = independence::after(&frame, &other);
        let later = again(shop, relation, &after, steps[0]);
        if shop.arena.is(other.passes, false) || shop.arena.is(later.passes, false) {
            return Case::Apart;
        }
        let relation = Relation { frame: &frame, ..*relation };
        let dependent = independence::by_rules(shop, &relation, &one, &other);
        if shop.arena.is(dependent, false) {
            Case::Independent
        } else if shop.arena.is(dependent, true) {
            Case::Dependent
        } else {
            Case::Open
        }
    }
}

/// What its process knows is constant, and it chooses nothing.
fn is_plain(shop: &Workshop, step: &Step) -> bool {
    let constant =
        |&term: &Term| shop.arena.constant(term).is_some() || shop.arena.is(term, false) || shop.arena.is(term, true);
    step.choices.is_empty() && step.before.iter().all(constant)
}

/// The same step in another state.
fn again(shop: &mut Workshop, relation: &Relation<'_>, frame: &Frame, step: &Step) -> Step {
    frame.step(shop, relation.template, (step.process, step.body), &step.resting(), &[])
}

/// What a location holds.
fn content(frame: &Frame, (object, index): Location) -> Option<Term> {
    match (&frame.objects[object], index) {
        (Content::Term(term), None) => Some(*term),
        (Content::Cells(cells), Some(index)) => cells.get(index).copied(),
        _ => None,
    }
}

/// The values that a location can have, if they are few, and when it has each.
fn values(shop: &mut Workshop, frame: &Frame, location: Location) -> Option<Vec<(i128, Term)>> {
    let term = content(frame, location)?;
    if shop.arena.sort(term) == Sort::Bool {
        let not = shop.arena.not(term);
        let both = [(0, not), (1, term)];
        return Some(both.into_iter().filter(|&(_, is)| !shop.arena.is(is, false)).collect());
    }
    let values = shop.domains.values(&shop.arena, term)?;
    Some(values.iter().map(|&value| (value, shop.domains.is(&mut shop.arena, term, value))).collect())
}

fn set(shop: &mut Workshop, frame: &mut Frame, (object, index): Location, value: i128) {
    match (&mut frame.objects[object], index) {
        (Content::Cells(cells), Some(index)) => {
            let mut new = cells.to_vec();
            new[index] = shop.arena.int(value);
            *cells = new.into();
        }
        (Content::Term(term), _) => {
            let is_truth = shop.arena.sort(*term) == Sort::Bool;
            *term = if is_truth { shop.arena.truth(value != 0) } else { shop.arena.int(value) };
        }
        (Content::Cells(_), None) => unreachable!("a cell is used by its index"),
    }
}
