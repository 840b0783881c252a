//! When two steps commute, as a formula: both orders, for all states at once.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, CAV 2018, Definitions 5 and 6: the blocks composed in
//! both orders, and equality of what they lead to; created processes as multisets of calls.
//!
//! # Deviations
//! 1. Not only global variables count: the processes' own variables, and where they go on, have to
//!    be the same, too.
//! 2. Multisets of calls are compared semantically, with every way to match their elements, not by
//!    their text; calls that are the same term (sums are in one order) match at once. With more
//!    than [`MOST_CALLS`] calls left over there is no formula.
//! 3. Loops that go round a few times at most, as far as [`Limits`](crate::symbolic::Limits) says,
//!    are unrolled. Where others are in a step, or products and quotients that are not linear, all
//!    loops and those operations are uninterpreted functions (Definition 7).
//! 4. Integers in the state are taken to be *moderate*, between -2^40 and 2^40: near the ends of
//!    their range an operation may overflow in one order only, and `x = x + 1` would not commute
//!    with itself. The exploration sees to it that they are, in all orders that it leaves out:
//!    [`Commute::tame`]. Overflow that such integers lead to counts like any other failure.
//! 5. The index of a process is within its array, and two processes of one array have different
//!    ones: that is part of the premise.
//! 6. That a step fails (or an assumption of it) is part of the formula where one order goes well
//!    and the other one does not; whoever uses a constraint has seen one order go well.

use mazurka_smt::synthesis::matched;
use mazurka_smt::{Arena, Op, Sort, Term};
use mazurka_trace::FaultKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::BodyKind;
use crate::symbolic::{AccessKind, Next, Place, Spawn, State, Symbolic, Transition};

/// Integers up to here are far from where they end.
const MODERATE: i128 = mazurka_machine::MODERATE as i128;

/// So many calls are matched in every way.
const MOST_CALLS: usize = 4;

/// Two steps in a state in which everything is a variable.
#[derive(Clone, Debug)]
pub(super) struct Commute {
    /// Both can be taken, one order goes well, and no integer is large.
    pub(super) premise: Term,
    /// They commute, where the premise holds.
    pub(super) formula: Term,
    /// Whether the formula says all there is to say, so that they do not commute in any other
    /// state.
    pub(super) exact: bool,
    /// The variables that stand for the global ones.
    pub(super) objects: Vec<Term>,
    /// The variables that stand for the locals of the left and of the right process.
    pub(super) locals: [Vec<Term>; 2],
    /// The steps use something in common that one of them changes.
    pub(super) conflict: bool,
    /// Variables change as much, up and down in all, in one order as in the other. Then they do not
    /// become larger in any order of an execution than what they were and all their changes
    /// together, so that who has seen one order of it knows that they stay moderate in all.
    pub(super) tame: Term,
    /// For reports: what the left and the right step do, in the order left then right, and in the
    /// other one.
    pub(super) orders: [[Transition; 2]; 2],
}

/// Why there is no formula for two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsupported {
    Choices,
    Mutexes,
    ManyCalls,
}

impl Unsupported {
    /// In words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Unsupported::Choices => "a step that chooses is not looked into",
            Unsupported::Mutexes => "a step that uses mutexes is not looked into",
            Unsupported::ManyCalls => "the steps create too many processes to be looked into",
        }
    }
}

/// The formula for two steps.
///
/// Variables of the arena have the names of those of the program, or those that are given to
/// parameters, with a number where a name is taken; `sorts` remembers them from one pair to the
/// next.
pub(super) fn commute(
    symbolic: &Symbolic<'_>,
    arena: &mut Arena,
    sorts: &mut FxHashMap<String, Sort>,
    steps: [(usize, Place); 2],
    parameters: [&[String]; 2],
) -> Result<Commute, Unsupported> {
    let mut names: Vec<String> = Vec::new();
    let mut variable = |arena: &mut Arena, name: &str, sort: Sort| {
        let mut unique = name.to_owned();
        let mut number = 1;
        while names.contains(&unique) || sorts.get(&unique).is_some_and(|&other| other != sort) {
            unique = format!("{name}{number}");
            number += 1;
        }
        names.push(unique.clone());
        sorts.insert(unique.clone(), sort);
        arena.variable(&unique, sort)
    };
    let objects: Vec<Term> =
        symbolic.objects().iter().map(|object| variable(arena, &object.name, object.sort)).collect();
    let bodies = steps.map(|(body, _)| &symbolic.bodies()[body]);
    let locals = [0, 1].map(|side: usize| {
        let given = parameters[side].iter().map(Some).chain(std::iter::repeat(None));
        let named = bodies[side].locals.iter().zip(given).map(|((name, ty), given)| (given.unwrap_or(name), *ty));
        named.map(|(name, ty)| variable(arena, name, crate::symbolic::sort_of(ty))).collect::<Vec<Term>>()
    });
    let zero = arena.int(0);
    let mut chooses = false;
    let mut step = |arena: &mut Arena, side: usize, objects: &[Term]| {
        let state = State { objects: objects.to_vec(), locals: locals[side].clone(), spawned: zero };
        let transition =
            symbolic.step(arena, zero, steps[side].1, &state, &mut |arena, _| arena.fresh("choice", Sort::Int));
        chooses |= !transition.choices.is_empty();
        transition
    };
    let left = step(arena, 0, &objects);
    let right = step(arena, 1, &objects);
    let right_after = step(arena, 1, &left.state.objects);
    let left_after = step(arena, 0, &right.state.objects);
    let all = [&left, &right, &left_after, &right_after];
    let mutexes = |t: &&Transition| t.accesses.iter().any(|access| access.kind == AccessKind::Mutex);
    if chooses {
        return Err(Unsupported::Choices);
    }
    if all.iter().any(mutexes) {
        return Err(Unsupported::Mutexes);
    }
    let conflict = conflict(&left, &right) || conflict(&left_after, &right_after);
    let results: Vec<[Term; 2]> =
        right_after.state.objects.iter().zip(&left_after.state.objects).map(|(&one, &other)| [one, other]).collect();

    let mut equal = Vec::new();
    for &[one, other] in &results {
        equal.push(same_value(arena, one, other));
    }
    for (before, after) in [(&left, &left_after), (&right, &right_after)] {
        for (&one, &other) in before.state.locals.iter().zip(&after.state.locals) {
            equal.push(arena.equal(one, other));
        }
        equal.push(same_next(arena, before, after));
        equal.push(same_assertions(arena, before, after));
    }
    let forward: Vec<Spawn> = left.spawns.iter().chain(&right_after.spawns).cloned().collect();
    let back: Vec<Spawn> = right.spawns.iter().chain(&left_after.spawns).cloned().collect();
    equal.push(same_calls(arena, forward, back).ok_or(Unsupported::ManyCalls)?);

    let well = all.map(|transition| goes_well(arena, transition));
    let [left_well, right_well, left_after_well, right_after_well] = well;
    let (forward, back) = (arena.and(&[left_well, right_after_well]), arena.and(&[right_well, left_after_well]));
    let seen = arena.or(&[forward, back]);
    let enabled = [arena.not(left.blocked), arena.not(right.blocked)];
    let cuts: Vec<Term> = all.iter().flat_map(|transition| transition.cuts.iter().map(|cut| cut.when)).collect();
    let cut = arena.or(&cuts);
    let requirement: Vec<Term> = equal.into_iter().chain(well).chain([arena.not(cut)]).collect();
    let (formula, premise) = (arena.and(&requirement), arena.and(&[enabled[0], enabled[1], seen]));
    let tame = tame(arena, &objects, &left, &right, &results);
    // Conditions are to speak of cells, not of what was stored in them before.
    let [premise, formula, tame] = [premise, formula, tame].map(|term| arena.expand_reads(term));
    let moderate = moderate(arena, &objects, &locals, &[premise, formula, tame]);
    let indices = indices(arena, bodies.map(|body| body.kind), &locals, steps[0].0 == steps[1].0);
    let premise = arena.and(&[premise, moderate, indices]);
    let exact = arena.is(cut, false) && is_interpreted(arena, &[premise, formula]);
    let orders = [[left, right_after], [left_after, right]];
    Ok(Commute { premise, formula, exact, objects, locals, conflict, tame, orders })
}

/// Whether there is nothing but what a solver knows about: linear arithmetic, truth values, arrays.
fn is_interpreted(arena: &Arena, terms: &[Term]) -> bool {
    let constant = |term: &Term| arena.constant(*term).is_some();
    arena.below(terms).into_iter().all(|term| match (arena.op(term), arena.operands(term)) {
        (Op::Apply(_), _) => false,
        (Op::Multiply, factors) => factors.iter().filter(|factor| !constant(factor)).count() < 2,
        (Op::Divide | Op::Modulo, [_, divisor]) => constant(divisor),
        _ => true,
    })
}

/// See [`Commute::tame`].
fn tame(arena: &mut Arena, objects: &[Term], left: &Transition, right: &Transition, results: &[[Term; 2]]) -> Term {
    let mut same = Vec::new();
    for (at, &before) in objects.iter().enumerate() {
        let (one, other) = (left.state.objects[at], right.state.objects[at]);
        // Where only one of them changes it, it changes by the same.
        if one == before || other == before || arena.sort(before) == Sort::Bool {
            continue;
        }
        let ways = [[before, one, results[at][0]], [before, other, results[at][1]]];
        if arena.sort(before) == Sort::Int {
            let [one, other] = ways.map(|way| variation(arena, way));
            same.push(arena.equal(one, other));
            continue;
        }
        if !is_stored(arena, &results[at]) {
            same.push(arena.no());
        }
        for index in stored(arena, &results[at]) {
            let cells = ways.map(|way| way.map(|array| arena.select(array, index)));
            let [one, other] = cells.map(|way| variation(arena, way));
            same.push(arena.equal(one, other));
        }
    }
    arena.and(&same)
}

/// How much a variable changes in two steps.
fn variation(arena: &mut Arena, way: [Term; 3]) -> Term {
    let mut changes = Vec::new();
    for step in [[way[0], way[1]], [way[1], way[2]]] {
        let (up, down, zero) = (arena.subtract(step[1], step[0]), arena.subtract(step[0], step[1]), arena.int(0));
        let rises = arena.less_equal(zero, up);
        changes.push(arena.ite(rises, up, down));
    }
    arena.add(&changes)
}

/// What is known of the indices of processes: they are within their arrays, and no two processes of
/// one have the same.
fn indices(arena: &mut Arena, kinds: [BodyKind; 2], locals: &[Vec<Term>; 2], same_body: bool) -> Term {
    let mut known = Vec::new();
    for (kind, own) in kinds.into_iter().zip(locals) {
        if let BodyKind::ProcessArray(count) = kind {
            known.push(arena.within(0, own[0], count as i128 - 1));
        }
    }
    if same_body && matches!(kinds[0], BodyKind::ProcessArray(_)) {
        known.push(arena.different(locals[0][0], locals[1][0]));
    }
    arena.and(&known)
}

/// All integers that the steps find are far from where they end.
fn moderate(arena: &mut Arena, objects: &[Term], locals: &[Vec<Term>; 2], terms: &[Term]) -> Term {
    let variables = objects.iter().chain(locals.iter().flatten()).copied();
    let mut integers: Vec<Term> = variables.filter(|&term| arena.sort(term) == Sort::Int).collect();
    let cells = arena.below(terms).into_iter().filter(|&term| arena.op(term) == Op::Select);
    integers.extend(cells.filter(|&term| objects.contains(&arena.operands(term)[0])));
    let mut within = Vec::new();
    for term in integers {
        within.push(arena.within(-MODERATE, term, MODERATE));
    }
    arena.and(&within)
}

/// Whether one step changes what the other uses.
fn conflict(left: &Transition, right: &Transition) -> bool {
    left.accesses.iter().any(|one| {
        let other = |other: &crate::symbolic::Access| {
            one.object == other.object && (one.kind == AccessKind::Write || other.kind == AccessKind::Write)
        };
        right.accesses.iter().any(other)
    })
}

/// The step is taken, and no failure or assumption ends it.
fn goes_well(arena: &mut Arena, transition: &Transition) -> Term {
    let ends = |fault: &&crate::symbolic::Fault| fault.kind != FaultKind::Assertion;
    let mut bad: Vec<Term> = transition.faults.iter().filter(ends).map(|fault| fault.when).collect();
    bad.extend([transition.blocked, transition.discarded]);
    let bad = arena.or(&bad);
    arena.not(bad)
}

/// Two values are the same; two arrays, wherever something was stored in them.
fn same_value(arena: &mut Arena, one: Term, other: Term) -> Term {
    if one == other || arena.sort(one) != Sort::Array {
        return arena.equal(one, other);
    }
    if !is_stored(arena, &[one, other]) {
        return arena.equal(one, other);
    }
    let mut equal = Vec::new();
    for index in stored(arena, &[one, other]) {
        let (one, other) = (arena.select(one, index), arena.select(other, index));
        equal.push(arena.equal(one, other));
    }
    arena.and(&equal)
}

/// Where something was stored in arrays.
pub(super) fn stored(arena: &Arena, arrays: &[Term]) -> Vec<Term> {
    let stores = arena.below(arrays).into_iter().filter(|&term| arena.op(term) == Op::Store);
    let mut indices: Vec<Term> = stores.map(|term| arena.operands(term)[1]).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// Whether arrays are what somebody has stored in one and the same: no functions.
fn is_stored(arena: &Arena, arrays: &[Term]) -> bool {
    let (mut below, mut seen) = (arrays.to_vec(), FxHashSet::default());
    let mut bases = FxHashSet::default();
    while let Some(array) = below.pop() {
        if !seen.insert(array) {
            continue;
        }
        match (arena.op(array), arena.operands(array)) {
            (Op::Store, operands) => below.push(operands[0]),
            (Op::Ite, operands) => below.extend_from_slice(&operands[1..]),
            (Op::Variable(_), _) => _ = bases.insert(array),
            _ => return false,
        }
    }
    bases.len() == 1
}

/// Both go on at the same place.
fn same_next(arena: &mut Arena, one: &Transition, other: &Transition) -> Term {
    let mut all: Vec<Next> = one.next.iter().chain(&other.next).map(|(_, next)| *next).collect();
    all.sort_unstable();
    all.dedup();
    let mut equal = Vec::new();
    for wanted in all {
        let sides = [one, other].map(|transition| {
            let when: Vec<Term> =
                transition.next.iter().filter(|(_, next)| *next == wanted).map(|(when, _)| *when).collect();
            arena.or(&when)
        });
        equal.push(arena.equal(sides[0], sides[1]));
    }
    arena.and(&equal)
}

/// The same assertions fail.
fn same_assertions(arena: &mut Arena, one: &Transition, other: &Transition) -> Term {
    let of = |transition: &Transition| {
        let faults = transition.faults.iter().filter(|fault| fault.kind == FaultKind::Assertion);
        faults.map(|fault| (fault.site, fault.when)).collect::<Vec<_>>()
    };
    let (one, other) = (of(one), of(other));
    let mut sites: Vec<_> = one.iter().chain(&other).map(|(site, _)| *site).collect();
    sites.sort_unstable();
    sites.dedup();
    let mut equal = Vec::new();
    for site in sites {
        let sides = [&one, &other].map(|faults| {
            let when: Vec<Term> = faults.iter().filter(|(known, _)| *known == site).map(|(_, when)| *when).collect();
            arena.or(&when)
        });
        equal.push(arena.equal(sides[0], sides[1]));
    }
    arena.and(&equal)
}

/// The same calls, whoever makes them and in whatever order. Nothing where there are too many to
/// tell.
fn same_calls(arena: &mut Arena, mut one: Vec<Spawn>, mut other: Vec<Spawn>) -> Option<Term> {
    one.retain(|call| !arena.is(call.when, false));
    other.retain(|call| !arena.is(call.when, false));
    let same =
        |one: &Spawn, other: &Spawn| (one.when, one.body, &one.arguments) == (other.when, other.body, &other.arguments);
    one.retain(|call| match other.iter().position(|known| same(call, known)) {
        Some(at) => {
            other.remove(at);
            false
        }
        None => true,
    });
    let count = one.len().max(other.len());
    if count > MOST_CALLS {
        return None;
    }
    let no = arena.no();
    let absent = Spawn { when: no, body: usize::MAX, nth: no, arguments: Vec::new() };
    one.resize(count, absent.clone());
    other.resize(count, absent);
    Some(matched(arena, count, |arena, one_at, other_at| same_call(arena, &one[one_at], &other[other_at])))
}

/// One call is made if, and as, the other one is.
fn same_call(arena: &mut Arena, call: &Spawn, twin: &Spawn) -> Term {
    if call.body != twin.body {
        let neither = [arena.not(call.when), arena.not(twin.when)];
        return arena.and(&neither);
    }
    let mut arguments = Vec::new();
    for (&argument, &same) in call.arguments.iter().zip(&twin.arguments) {
        arguments.push(arena.equal(argument, same));
    }
    let equal = arena.and(&arguments);
    let together = [arena.equal(call.when, twin.when), arena.implies(call.when, equal)];
    arena.and(&together)
}
