//! A quick look at a conjunction: most conditions of programs are bounds, differences and truth
//! values, and need no solver.
//!
//! # Method
//! The conjunction is taken apart; disjunctions, choices within terms and inequalities (`!=`) are
//! cases. A case is a system of linear inequalities over integers. Variables are eliminated one
//! after the other (Fourier and Motzkin, with bounds rounded to integers), and get their values in
//! the opposite order, each the one next to zero. What is not linear is a variable of its own.
//!
//! # Guarantee
//! [`Look::Sat`] comes with values for which every condition was evaluated. [`Look::Unsat`] is said
//! where the system of every case has no solution, whatever the terms that are not linear come to.
//! All else is [`Look::Unknown`]: the limits below, and gaps between integers.
//!
//! # Tests
//! `tests.rs`: against brute force over random conjunctions.

mod cases;
mod linear;
#[cfg(test)]
mod tests;

use crate::term::{Arena, Assignment, Op, Sort, Term, Value};

/// What a look comes to.
#[derive(Clone, Debug)]
pub enum Look {
    /// They hold together with these values; variables that are not among them can be anything.
    Sat(Assignment),
    /// They never hold together.
    Unsat,
    /// It takes more than a look.
    Unknown,
}

/// The values that are tried for variables where the conditions are not linear.
const TRIED: [i128; 7] = [0, 1, -1, 2, -2, 3, -3];

/// So many combinations of them are tried.
const MOST_TRIED: usize = 2_401;

/// Looks at a conjunction.
pub fn look(arena: &Arena, conditions: &[Term]) -> Look {
    match cases::solve(arena, conditions) {
        Look::Unknown => try_out(arena, conditions).map_or(Look::Unknown, Look::Sat),
        found => found,
    }
}

/// Whether all conditions hold with these values. Variables without one are 0, or false.
pub fn holds(arena: &Arena, conditions: &[Term], values: &Assignment) -> bool {
    let all = complete(arena, conditions, values);
    let found = arena.evaluate_all(conditions, &all);
    found.iter().all(|value| value.as_ref().and_then(Value::as_bool) == Some(true))
}

/// The values, with 0 and false for variables of these terms that have none.
pub fn complete(arena: &Arena, terms: &[Term], values: &Assignment) -> Assignment {
    let mut all = values.clone();
    for variable in arena.variables_of(terms) {
        if all.get(variable).is_none() {
            match arena.sort(variable) {
                Sort::Bool => all.set(variable, Value::Bool(false)),
                Sort::Int | Sort::Array => all.set(variable, Value::Int(0)),
            }
        }
    }
    all
}

/// Small values, one combination after the other.
fn try_out(arena: &Arena, conditions: &[Term]) -> Option<Assignment> {
    let variables = arena.variables_of(conditions);
    let choices = |variable: &Term| if arena.sort(*variable) == Sort::Bool { 2 } else { TRIED.len() };
    let total = variables.iter().try_fold(1usize, |all, variable| all.checked_mul(choices(variable)))?;
    if total > MOST_TRIED || arena.below(conditions).iter().any(|&term| matches!(arena.op(term), Op::Apply(_))) {
        return None;
    }
    (0..total).find_map(|mut number| {
        let mut values = Assignment::new();
        for variable in &variables {
            let chosen = number % choices(variable);
            number /= choices(variable);
            let is_truth = arena.sort(*variable) == Sort::Bool;
            values.set(*variable, if is_truth { Value::Bool(chosen == 1) } else { Value::Int(TRIED[chosen]) });
        }
        holds(arena, conditions, &values).then_some(values)
    })
}
