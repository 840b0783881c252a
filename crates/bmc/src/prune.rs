//! The values that a step really adds.
//!
//! A finite term is taken to have any value that one of its branches has, and what is computed from
//! two such terms has all combinations. Few of those occur. So of the values that a frame's
//! variables have and did not have in the frame before, it is asked which are possible at all, all
//! variables at once: where none is, that is a single question. The same is asked of the states of
//! processes that are new.

use mazurka_smt::{Arena, Sort, Term};

use crate::frame::{Frame, Resting};
use crate::rewrite::{Content, Workshop};

/// Which of these conditions can hold at all, in the executions so far, each by itself; it may say
/// so where it is not sure.
pub(crate) type Possible<'a> = dyn FnMut(&mut Arena, &[Term]) -> Vec<bool> + 'a;

/// More values than this are looked at.
const FEW_VALUES: usize = 4;

/// A term of the new frame with many values.
struct Suspect {
    term: Term,
    /// Its values, and which of the questions is about each; nothing for those that it had before.
    values: Vec<(i128, Option<usize>)>,
}

/// Restricts the terms of a new frame to the values that are possible. `before` is the frame that
/// it follows.
pub(crate) fn prune(shop: &mut Workshop, before: &Frame, frame: &mut Frame, possible: &mut Possible<'_>) {
    let (mut questions, mut suspects) = (Vec::new(), Vec::new());
    each_term(before, frame, &mut |old, new| {
        suspects.extend(suspect(shop, old, *new, &mut questions));
    });
    let values = questions.len();
    let is_new = |number: usize, resting: &Resting| before_that(before, number, resting).is_none();
    for (number, process) in frame.processes.iter().enumerate() {
        questions.extend(process.at.iter().filter(|resting| is_new(number, resting)).map(|resting| resting.at));
    }
    if questions.is_empty() {
        return;
    }
    let answers = possible(&mut shop.arena, &questions);
    let mut suspects = suspects.into_iter().peekable();
    each_term(before, frame, &mut |_, new| {
        let Some(suspect) = suspects.next_if(|suspect| suspect.term == *new) else { return };
        let left = suspect.values.iter().filter(|(_, question)| question.is_none_or(|question| answers[question]));
        let left: Vec<i128> = left.map(|&(value, _)| value).collect();
        if left.len() < suspect.values.len() {
            *new = shop.domains.restrict(&mut shop.arena, *new, &left);
        }
    });
    let mut answers = answers[values..].iter();
    for (number, process) in frame.processes.iter_mut().enumerate() {
        process.at.retain(|resting| !is_new(number, resting) || answers.next() == Some(&true));
    }
}

fn suspect(shop: &mut Workshop, old: Option<Term>, new: Term, questions: &mut Vec<Term>) -> Option<Suspect> {
    if old == Some(new) || shop.arena.sort(new) != Sort::Int {
        return None;
    }
    let values = shop.domains.values(&shop.arena, new).filter(|values| values.len() > FEW_VALUES)?;
    let known = old.and_then(|old| shop.domains.values(&shop.arena, old));
    let mut ask = |value: i128| {
        if known.as_ref().is_some_and(|known| known.contains(&value)) {
            return (value, None);
        }
        questions.push(shop.domains.is(&mut shop.arena, new, value));
        (value, Some(questions.len() - 1))
    };
    let values = values.iter().map(|&value| ask(value)).collect();
    Some(Suspect { term: new, values })
}

/// The same state of a process in the frame before.
fn before_that<'a>(before: &'a Frame, number: usize, resting: &Resting) -> Option<&'a Resting> {
    let old = &before.processes.get(number)?.at;
    old.binary_search_by(|old| old.state.cmp(&resting.state)).ok().map(|at| &old[at])
}

/// All terms of a frame, each with what it was before; always in the same order.
fn each_term(before: &Frame, frame: &mut Frame, visit: &mut dyn FnMut(Option<Term>, &mut Term)) {
    for (number, process) in frame.processes.iter_mut().enumerate() {
        for resting in &mut process.at {
            // Those that tell states apart have one value each.
            if resting.state.values.contains(&None) {
                let old = before_that(before, number, resting);
                let mut locals = resting.locals.to_vec();
                for (index, local) in locals.iter_mut().enumerate() {
                    visit(old.map(|old| old.locals[index]), local);
                }
                resting.locals = locals.into();
            }
        }
    }
    for (content, old) in frame.objects.iter_mut().zip(&before.objects) {
        match (content, old) {
            (Content::Term(term), Content::Term(old)) => visit(Some(*old), term),
            (Content::Cells(cells), Content::Cells(old)) => {
                // Most cells of most frames are what they were.
                if cells == old {
                    continue;
                }
                let mut new = cells.to_vec();
                new.iter_mut().zip(old.iter()).for_each(|(cell, &old)| visit(Some(old), cell));
                *cells = new.into();
            }
            _ => unreachable!("an array stays what it is"),
        }
    }
}
