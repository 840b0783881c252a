//! The guarded independence relation of Section 2.2: when two steps of different processes are
//! independent, as a condition over the state in which both are pending.
//!
//! It is computed from what the steps use. Two steps are dependent where both use one location and
//! one of them changes it (rules 1 to 3: `a[i]` and `a[j]` are one where i = j; the notation has no
//! pointers, arrays stand for rule 3). Rule 4 weakens that for values: who reads a location is not
//! disturbed by who writes what is there already (4a), two writes of the same value commute (4b),
//! and a step that only decides where to go is not disturbed by what leaves its decision as it is
//! (4c).
//!
//! If all conditions of 4a and 4b hold at once, each step reads in both orders what it reads in the
//! state itself, so it takes the same path, uses the same locations and writes the same values; and
//! where both write, they write the same. So both orders end in the same state.

mod cases;

pub(crate) use cases::Cases;

use std::cell::RefCell;

use mazurka_process::symbolic::AccessKind;
use mazurka_smt::Term;

use crate::Reduction;
use crate::frame::{Access, Frame, Step};
use crate::guards::Guards;
use crate::rewrite::{Content, Workshop};
use crate::template::Template;

/// What dependence is looked at with.
pub(crate) struct Relation<'a> {
    pub(crate) reduction: Reduction,
    pub(crate) template: &'a Template<'a>,
    pub(crate) frame: &'a Frame,
    /// What is known of rule 4, value by value.
    pub(crate) cases: &'a RefCell<Cases>,
    /// What a solver finds besides the rules.
    pub(crate) guards: Option<&'a RefCell<Guards>>,
}

/// When two steps of different processes, both pending in the frame, are dependent. The first is
/// that of the lower process, where it matters. With rule 4, it may say anything where they are not
/// both taken, the second before the first.
pub(crate) fn dependent(shop: &mut Workshop, relation: &Relation<'_>, one: &Step, other: &Step) -> Term {
    match relation.reduction {
        Reduction::None => shop.arena.yes(),
        Reduction::Static => {
            let conflict = is_static_conflict(shop, one, other);
            shop.arena.truth(conflict)
        }
        Reduction::Monotonic if !one.choices.is_empty() => {
            let conflict = is_static_conflict(shop, one, other);
            shop.arena.truth(conflict)
        }
        Reduction::Simple | Reduction::Monotonic => by_location(shop, one, other),
        Reduction::Full => by_cases(shop, relation, one, other),
        Reduction::Synth => {
            let by_rules = by_cases(shop, relation, one, other);
            let Some(guards) = relation.guards.filter(|_| !shop.arena.is(by_rules, false)) else { return by_rules };
            let commute = guards.borrow_mut().commute(shop, (relation.template, relation.frame), one, other);
            let not = shop.arena.not(commute);
            shop.arena.and(&[by_rules, not])
        }
    }
}

/// Rules 1 to 4, value by value where that is shorter.
fn by_cases(shop: &mut Workshop, relation: &Relation<'_>, one: &Step, other: &Step) -> Term {
    let by_cases = relation.cases.borrow_mut().dependent(shop, relation, one, other);
    by_cases.unwrap_or_else(|| by_rules(shop, relation, one, other))
}

/// Rules 1 to 4.
pub(crate) fn by_rules(shop: &mut Workshop, relation: &Relation<'_>, one: &Step, other: &Step) -> Term {
    let (template, frame) = (relation.template, relation.frame);
    let by_value = by_value(shop, frame, one, other);
    if shop.arena.is(by_value, false) {
        return by_value;
    }
    let one_disturbed = disturbed(shop, template, frame, one, other);
    let other_disturbed = disturbed(shop, template, frame, other, one);
    shop.arena.and(&[by_value, one_disturbed, other_disturbed])
}

/// The pairs of uses that conflict.
pub(crate) fn conflicts<'a>(one: &'a Step, other: &'a Step) -> impl Iterator<Item = (&'a Access, &'a Access)> {
    let pairs = one.accesses.iter().flat_map(|a| other.accesses.iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| {
        a.object == b.object
            && match (a.kind, b.kind) {
                (AccessKind::Read, AccessKind::Read) => false,
                (AccessKind::Read | AccessKind::Write | AccessKind::Mutex, _) => true,
            }
    })
}

/// Whether a conflict cannot be excluded without looking at values; indices that are constants are
/// no values.
fn is_static_conflict(shop: &Workshop, one: &Step, other: &Step) -> bool {
    conflicts(one, other).any(|(a, b)| match (a.index, b.index) {
        (Some(i), Some(j)) => {
            let (i, j) = (shop.arena.constant(i), shop.arena.constant(j));
            i.is_none() || j.is_none() || i == j
        }
        _ => true,
    })
}

/// When two conflicting uses happen, at one location.
pub(crate) fn meet(shop: &mut Workshop, a: &Access, b: &Access) -> Term {
    let same = match (a.index, b.index) {
        (Some(i), Some(j)) => shop.equal(i, j),
        _ => shop.arena.yes(),
    };
    shop.arena.and(&[a.when, b.when, same])
}

/// Rules 1 to 3.
fn by_location(shop: &mut Workshop, one: &Step, other: &Step) -> Term {
    let meetings: Vec<Term> = conflicts(one, other).map(|(a, b)| meet(shop, a, b)).collect();
    shop.arena.or(&meetings)
}

/// Rules 1 to 3 with 4a and 4b.
fn by_value(shop: &mut Workshop, frame: &Frame, one: &Step, other: &Step) -> Term {
    let mut clashes = Vec::new();
    for (a, b) in conflicts(one, other) {
        let meets = meet(shop, a, b);
        if shop.arena.is(meets, false) {
            continue;
        }
        let harmless = match (a.kind, b.kind) {
            (AccessKind::Read, AccessKind::Write) => same_content(shop, frame, None, Some(other), a),
            (AccessKind::Write, AccessKind::Read) => same_content(shop, frame, None, Some(one), b),
            (AccessKind::Write, AccessKind::Write) => same_content(shop, frame, Some(one), Some(other), a),
            _ => shop.arena.no(),
        };
        let harmful = shop.arena.not(harmless);
        clashes.push(shop.arena.and(&[meets, harmful]));
    }
    shop.arena.or(&clashes)
}

/// Whether a location holds the same after one step as after the other (or before any).
fn same_content(shop: &mut Workshop, frame: &Frame, one: Option<&Step>, other: Option<&Step>, at: &Access) -> Term {
    let content = |shop: &mut Workshop, step: Option<&Step>| {
        let after = step.and_then(|step| step.objects.iter().find(|(object, _)| *object == at.object));
        let whole = after.map_or(&frame.objects[at.object], |(_, content)| content);
        match (whole, at.index) {
            (Content::Term(term), None) => *term,
            (whole, Some(index)) => shop.read(whole, index),
            (Content::Cells(_), None) => unreachable!("a cell is used by its index"),
        }
    };
    let (left, right) = (content(shop, one), content(shop, other));
    shop.equal(left, right)
}

/// What a step leaves of the variables.
pub(crate) fn after(frame: &Frame, step: &Step) -> Frame {
    let mut objects = frame.objects.clone();
    for (index, content) in &step.objects {
        objects[*index] = content.clone();
    }
    Frame { objects, processes: Vec::new() }
}

/// Rule 4c: whether a step that changes nothing but its own process would end up otherwise after
/// the other step. Where it changes more, there or after the other step, it is taken to be
/// disturbed: a step that writes nothing here may write something there.
fn disturbed(shop: &mut Workshop, template: &Template<'_>, frame: &Frame, step: &Step, by: &Step) -> Term {
    let writes = |access: &&Access| access.kind != AccessKind::Read;
    let only_reads = step.accesses.iter().find(writes).is_none();
    if !only_reads || !step.spawns.is_empty() || !step.choices.is_empty() || by.objects.is_empty() {
        return shop.arena.yes();
    }
    let later = after(frame, by).step(shop, template, (step.process, step.body), &step.resting(), &[]);
    let mut differences = vec![(step.blocked, later.blocked)];
    differences.extend(step.next.iter().zip(&later.next).map(|(a, b)| (a.0, b.0)));
    differences.extend(step.faults.iter().zip(&later.faults).map(|(a, b)| (a.0, b.0)));
    differences.extend(step.cuts.iter().zip(&later.cuts).map(|(a, b)| (a.0, b.0)));
    differences.extend(step.locals.iter().copied().zip(later.locals.iter().copied()));
    let mut disturbances: Vec<Term> = later.accesses.iter().filter(writes).map(|access| access.when).collect();
    for (before, after) in differences {
        let same = shop.equal(before, after);
        disturbances.push(shop.arena.not(same));
    }
    shop.arena.or(&disturbances)
}
