//! The peephole constraints of Section 3.2: of two neighbouring steps that are independent, that of
//! the lower process comes first.
//!
//! For steps t1 of process i and t2 of process j, i < j, both pending in a frame and independent
//! there, it is not t2 that is taken from this frame and t1 from the next.
//!
//! A local step is never the first of the two: who takes it is not free. A lower step that makes
//! data choices is looked at with those that it makes when it is taken, from the next frame.

use mazurka_smt::Term;

use crate::Encoding;
use crate::frame::Step;
use crate::independence::{Relation, dependent};
use crate::rewrite::Workshop;
use crate::template::Template;
use crate::unroll::Depth;

/// The constraints between the step from a frame and the next one.
pub(crate) fn constraints(
    shop: &mut Workshop,
    relation: &Relation<'_>,
    encoding: Encoding,
    depth: &Depth,
    next: &Depth,
) -> Vec<Term> {
    let count = depth.frame.processes.len();
    let of = |steps: &'_ [Step]| -> Vec<Vec<Step>> {
        (0..count).map(|process| steps.iter().filter(|step| step.process == process).cloned().collect()).collect()
    };
    let steps = of(&depth.steps);
    let later = of(&chosen_later(shop, relation.template, depth, next));
    let mut constraints = Vec::new();
    for (j, second) in steps.iter().enumerate() {
        for (i, first) in later[..j].iter().enumerate() {
            let both = shop.arena.and(&[depth.selected[j], next.selected[i]]);
            if shop.arena.is(both, false) {
                continue;
            }
            let mut dependence = |one: &Step, other: &Step| {
                if other.at_local {
                    return shop.arena.yes();
                }
                dependent(shop, relation, one, other)
            };
            let row = |one: &Step| second.iter().map(|other| dependence(one, other)).collect();
            let dependences: Vec<Vec<Term>> = first.iter().map(row).collect();
            let waits = shop.arena.is(depth.frame.processes[i].unstarted, false);
            let pair = Pair { first, second, dependences, both, waits };
            pair.constraints(shop, encoding, &mut constraints);
        }
    }
    constraints.retain(|&constraint| !shop.arena.is(constraint, true));
    constraints
}

/// The steps pending in a frame, with the data choices that they make if they are taken one step
/// later.
fn chosen_later(shop: &mut Workshop, template: &Template<'_>, depth: &Depth, next: &Depth) -> Vec<Step> {
    let later = depth.steps.iter().map(|step| {
        if step.choices.is_empty() {
            return step.clone();
        }
        depth.frame.step(shop, template, (step.process, step.body), &step.resting(), &next.inputs)
    });
    later.collect()
}

/// Two processes, the lower one first.
struct Pair<'a> {
    first: &'a [Step],
    second: &'a [Step],
    /// When the steps are dependent: a row for each step of the first.
    dependences: Vec<Vec<Term>>,
    /// The second is selected, then the first.
    both: Term,
    /// The first is there already when the second is selected, and so rests where it is selected
    /// from.
    waits: bool,
}

impl Pair<'_> {
    fn constraints(&self, shop: &mut Workshop, encoding: Encoding, constraints: &mut Vec<Term>) {
        let rows: Vec<usize> = (0..self.first.len()).collect();
        let columns: Vec<usize> = (0..self.second.len()).collect();
        match encoding {
            Encoding::Pairs => self.pairs(shop, &rows, &columns, constraints),
            Encoding::Merged => self.merged(shop, &rows, &columns, constraints),
            Encoding::Dependent | Encoding::Both => {
                let is_free =
                    |shop: &Workshop, row: usize, column: usize| shop.arena.is(self.dependences[row][column], false);
                let (free, bound): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|&&row| columns.iter().all(|&column| is_free(shop, row, column)));
                let (others_free, others): (Vec<usize>, Vec<usize>) =
                    columns.iter().partition(|&&column| rows.iter().all(|&row| is_free(shop, row, column)));
                self.all_independent(shop, &free, &columns, constraints);
                self.all_independent(shop, &bound, &others_free, constraints);
                if encoding == Encoding::Both {
                    self.merged(shop, &bound, &others, constraints);
                } else {
                    self.pairs(shop, &bound, &others, constraints);
                }
            }
        }
    }

    /// Steps that are all independent of all of the others.
    fn all_independent(&self, shop: &mut Workshop, rows: &[usize], columns: &[usize], constraints: &mut Vec<Term>) {
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let here = any(shop, self.first, rows, self.waits);
        let there = any(shop, self.second, columns, true);
        self.forbid(shop, &[here, there], constraints);
    }

    /// One constraint for a step and all steps of the other process, where their conditions are
    /// one.
    fn merged(&self, shop: &mut Workshop, rows: &[usize], columns: &[usize], constraints: &mut Vec<Term>) {
        for &row in rows {
            let mut groups: Vec<(Term, Vec<usize>)> = Vec::new();
            for &column in columns {
                let dependence = self.dependences[row][column];
                match groups.iter_mut().find(|(known, _)| *known == dependence) {
                    Some((_, group)) => group.push(column),
                    None => groups.push((dependence, vec![column])),
                }
            }
            for (dependence, group) in groups {
                let there = any(shop, self.second, &group, true);
                let independent = shop.arena.not(dependence);
                self.forbid(shop, &[self.first[row].at, there, independent], constraints);
            }
        }
    }

    fn pairs(&self, shop: &mut Workshop, rows: &[usize], columns: &[usize], constraints: &mut Vec<Term>) {
        for &row in rows {
            for &column in columns {
                let independent = shop.arena.not(self.dependences[row][column]);
                self.forbid(shop, &[self.first[row].at, self.second[column].at, independent], constraints);
            }
        }
    }

    fn forbid(&self, shop: &mut Workshop, conditions: &[Term], constraints: &mut Vec<Term>) {
        let mut all = conditions.to_vec();
        all.push(self.both);
        let all = shop.arena.and(&all);
        constraints.push(shop.arena.not(all));
    }
}

/// Whether a process rests at one of these places. One that `must` rest somewhere does so if it
/// rests at none of the others: a constraint that says it like this is a clause of its own, and
/// needs no name for the places in it.
fn any(shop: &mut Workshop, steps: &[Step], which: &[usize], must: bool) -> Term {
    let at = |index: usize| steps[index].at;
    if !must {
        let here: Vec<Term> = which.iter().map(|&index| at(index)).collect();
        return shop.arena.or(&here);
    }
    let others: Vec<Term> = (0..steps.len()).filter(|index| !which.contains(index)).map(at).collect();
    let elsewhere = shop.arena.or(&others);
    shop.arena.not(elsewhere)
}
