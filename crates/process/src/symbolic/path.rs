//! The paths through a step, and how two become one.

use mazurka_smt::{Arena, Sort, Term};

use super::State;

/// All executions of a step that have come to the same instruction.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// Which those are, as a condition over the state before the step.
    pub(super) when: Term,
    /// The accumulator.
    pub(super) value: Term,
    /// The operand stack.
    pub(super) stack: Vec<Term>,
    pub(super) state: State,
}

impl Path {
    /// The executions of this path for which a condition holds.
    pub(super) fn restrict(&mut self, arena: &mut Arena, condition: Term) {
        self.when = arena.and(&[self.when, condition]);
    }

    /// Those of this path, and those of the other. No execution is in both.
    pub(super) fn merge(&mut self, arena: &mut Arena, other: Path) {
        // Given that one of the two holds, what they have in common holds, and the rest of one
        // tells which.
        let (own, _) = arena.differing(self.when, other.when);
        let own = arena.and(&own);
        self.when = arena.or(&[self.when, other.when]);
        self.value = choose(arena, own, self.value, other.value);
        debug_assert_eq!(self.stack.len(), other.stack.len());
        for (mine, theirs) in self.stack.iter_mut().zip(other.stack) {
            *mine = choose(arena, own, *mine, theirs);
        }
        self.state.merge(arena, own, &other.state);
    }
}

impl State {
    /// This state where the condition holds, the other elsewhere.
    pub fn merge(&mut self, arena: &mut Arena, condition: Term, other: &State) {
        for (mine, &theirs) in self.objects.iter_mut().zip(&other.objects) {
            *mine = arena.ite(condition, *mine, theirs);
        }
        for (mine, &theirs) in self.locals.iter_mut().zip(&other.locals) {
            *mine = arena.ite(condition, *mine, theirs);
        }
        self.spawned = arena.ite(condition, self.spawned, other.spawned);
    }
}

/// One value or the other. Constants do not tell whether they are meant as integers or as truth
/// values.
fn choose(arena: &mut Arena, condition: Term, yes: Term, no: Term) -> Term {
    match (arena.sort(yes), arena.sort(no)) {
        (left, right) if left == right => arena.ite(condition, yes, no),
        (Sort::Bool, _) if arena.constant(no).is_some() => {
            let no = truth(arena, no);
            arena.ite(condition, yes, no)
        }
        (_, Sort::Bool) if arena.constant(yes).is_some() => {
            let yes = truth(arena, yes);
            arena.ite(condition, yes, no)
        }
        _ => {
            let (yes, no) = (number(arena, yes), number(arena, no));
            arena.ite(condition, yes, no)
        }
    }
}

/// A value as a truth value.
pub(super) fn truth(arena: &mut Arena, value: Term) -> Term {
    if arena.sort(value) == Sort::Bool {
        return value;
    }
    let zero = arena.int(0);
    arena.different(value, zero)
}

/// A value as an integer.
pub(super) fn number(arena: &mut Arena, value: Term) -> Term {
    if arena.sort(value) == Sort::Bool { arena.indicator(value) } else { value }
}

/// A value for something of this sort.
pub(super) fn fit(arena: &mut Arena, value: Term, sort: Sort) -> Term {
    match sort {
        Sort::Bool => truth(arena, value),
        Sort::Int | Sort::Array => number(arena, value),
    }
}
