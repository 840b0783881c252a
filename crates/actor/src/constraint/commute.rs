//! When two methods of an object commute, as a formula: both orders, for all states at once.
//!
//! # Paper
//! Albert, Gómez-Zamalloa, Isabel, Rubio, *Constrained dynamic partial order reduction*, CAV 2018,
//! Definitions 5 and 6, as in the process notation.
//!
//! # Deviations
//! 1. Besides fields, what each step ends with has to be the same: its result, if anybody can have
//!    it, or where it waits and what it keeps.
//! 2. Calls whose futures nobody has are a multiset, whoever makes them. A call whose future is
//!    kept has to be made by the same step, as the same of its calls, in both orders.
//! 3. Functions that call themselves, and all data but integers, truth values and maps, are told by
//!    functions about which nothing is known (Section 4.3): see [`super::value`].
//! 4. Integers have no bounds, so nothing is assumed of their size.

use mazurka_smt::synthesis::matched;
use mazurka_smt::{Arena, Op, Term};

use super::execute::{Call, End, Path, State, Symbolic, TooManyPaths};
use super::value::{self, Value};
use crate::code::Source;
use crate::hir::Kind;
use crate::mutation::{self, Mutation};

/// So many calls are matched in every way.
const MOST_CALLS: usize = 4;

/// So many pairs of paths are compared.
const MOST_COMPARED: usize = 4_096;

/// A variable of the formula that a condition may speak of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) term: Term,
    pub(super) source: Source,
    /// It stands for the value itself, or for its identity.
    pub(super) is_identity: bool,
}

/// Two methods in a state in which everything is a variable.
#[derive(Clone, Debug)]
pub(super) struct Commute {
    /// They commute.
    pub(super) formula: Term,
    /// Why some path is cut.
    pub(super) cut: Option<&'static str>,
    /// Some step ends where the task waits.
    pub(super) waits: bool,
    /// Whether the formula says all there is to say, so that they do not commute in any other
    /// state.
    pub(super) exact: bool,
    pub(super) variables: Vec<Variable>,
    /// The fields, and the parameters of both.
    pub(super) fields: Vec<Value>,
    pub(super) parameters: [Vec<Value>; 2],
    /// The paths of left then right, and of right then left: each with how the left step ends and
    /// how the right one does.
    pub(super) orders: [Vec<Order>; 2],
}

/// A path through both steps.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) condition: Term,
    pub(super) state: State,
    pub(super) ends: [End; 2],
}

/// Why there is no formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unsupported {
    Paths,
    Calls,
}

impl Unsupported {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Unsupported::Paths => "there are too many ways through the methods",
            Unsupported::Calls => "the methods make too many calls to be compared",
        }
    }
}

impl From<TooManyPaths> for Unsupported {
    fn from(_: TooManyPaths) -> Unsupported {
        Unsupported::Paths
    }
}

/// Names for variables: those of the program, with a number where a name is taken.
#[derive(Default)]
struct Names {
    taken: Vec<String>,
}

impl Names {
    fn unique(&mut self, name: &str) -> String {
        let (mut unique, mut number) = (name.to_owned(), 1);
        while self.taken.contains(&unique) {
            unique = format!("{name}{number}");
            number += 1;
        }
        self.taken.push(unique.clone());
        unique
    }
}

/// The formula for two methods of a class.
pub(super) fn commute(symbolic: &Symbolic<'_>, arena: &mut Arena, bodies: [u32; 2]) -> Result<Commute, Unsupported> {
    let image = symbolic.image;
    let class = image.bodies[bodies[0] as usize].class.unwrap_or_default();
    let of_class = &image.classes[class as usize];
    let (mut names, mut variables) = (Names::default(), Vec::new());
    let mut make = |arena: &mut Arena, name: &str, kind: Kind, source: Source| {
        let unique = names.unique(name);
        let made = value::anything(kind, |part, sort| arena.variable(&format!("{unique}{part}"), sort));
        let (term, is_identity) = match made {
            Value::Int(term) | Value::Bool(term) => (term, false),
            Value::Other(term) => (term, true),
            Value::Rat(_) | Value::Map(_) | Value::Data(..) | Value::Future(..) => return made,
        };
        variables.push(Variable { term, source, is_identity });
        made
    };
    let fields: Vec<Value> = (of_class.fields.iter().zip(&of_class.kinds).enumerate())
        .map(|(number, (name, &kind))| make(arena, name, kind, Source::Field(number as u32)))
        .collect();
    let parameters = [0, 1].map(|side| {
        let kinds = &image.bodies[bodies[side] as usize].kinds;
        (kinds.iter().enumerate())
            .map(|(number, (name, kind))| make(arena, name, *kind, Source::Parameter(side, number as u32)))
            .collect::<Vec<Value>>()
    });
    let kept = [0, 1].map(|side| make(arena, "kept", Kind::Bool, Source::Kept(side)));
    let kept = kept.map(|kept| value::truth(arena, &kept));
    let mut cuts = Vec::new();
    let mut orders: [Vec<Order>; 2] = Default::default();
    for (number, sides) in [[0, 1], [1, 0]].into_iter().enumerate() {
        orders[number] = in_order(symbolic, arena, (bodies, sides), &parameters, &fields, &mut cuts)?;
    }
    if orders[0].len() * orders[1].len() > MOST_COMPARED {
        return Err(Unsupported::Paths);
    }
    let mut required = Vec::new();
    for (condition, _) in &cuts {
        required.push(arena.not(*condition));
    }
    for one in &orders[0] {
        for other in &orders[1] {
            let both = arena.and(&[one.condition, other.condition]);
            if !arena.is(both, false) {
                let same = same(arena, one, other, kept)?;
                required.push(arena.implies(both, same));
            }
        }
    }
    let formula = arena.and(&required);
    // Conditions are to speak of entries, not of what was stored in them before.
    let formula = arena.expand_reads(formula);
    let cut = cuts.first().map(|(_, reason)| *reason);
    // Where tasks wait whose futures nobody has, each may take the place of the other.
    let is_stop = |order: &Order| order.ends.iter().any(|end| matches!(end, End::Stopped { .. }));
    let waits = orders.iter().flatten().any(is_stop);
    let exact = cut.is_none() && is_interpreted(arena, formula) && !waits;
    Ok(Commute { formula, cut, waits, exact, variables, fields, parameters, orders })
}

/// All paths of two steps, one after the other. What is cut is added to `cuts`.
fn in_order(
    symbolic: &Symbolic<'_>,
    arena: &mut Arena,
    (bodies, [first, second]): ([u32; 2], [usize; 2]),
    parameters: &[Vec<Value>; 2],
    fields: &[Value],
    cuts: &mut Vec<(Term, &'static str)>,
) -> Result<Vec<Order>, Unsupported> {
    let mut all = Vec::new();
    let start = State::new(fields.to_vec());
    for Path { state, end } in symbolic.run(arena, (first, bodies[first]), &parameters[first], start)? {
        if let End::Cut(reason) = end {
            cuts.push((arena.and(&state.conditions), reason));
            continue;
        }
        for path in symbolic.run(arena, (second, bodies[second]), &parameters[second], state)? {
            let condition = arena.and(&path.state.conditions);
            if let End::Cut(reason) = path.end {
                cuts.push((condition, reason));
                continue;
            }
            let ends = if first == 0 { [end.clone(), path.end] } else { [path.end, end.clone()] };
            all.push(Order { condition, state: path.state, ends });
        }
    }
    Ok(all)
}

/// Whether there is nothing but what a solver knows about: linear arithmetic, truth values, arrays.
fn is_interpreted(arena: &Arena, formula: Term) -> bool {
    arena.below(&[formula]).into_iter().all(|term| !matches!(arena.op(term), Op::Apply(_)))
}

/// Two paths lead to the same.
fn same(arena: &mut Arena, one: &Order, other: &Order, kept: [Term; 2]) -> Result<Term, Unsupported> {
    let mut all = Vec::new();
    for (field, twin) in one.state.fields.iter().zip(&other.state.fields) {
        all.push(value::equal(arena, field, twin));
    }
    for (side, &kept) in kept.iter().enumerate() {
        all.push(same_end(arena, &one.ends[side], &other.ends[side], kept));
    }
    if !mutation::on(Mutation::CallsUncompared) {
        all.push(same_calls(arena, one, other)?);
    }
    Ok(arena.and(&all))
}

fn same_end(arena: &mut Arena, one: &End, other: &End, is_kept: Term) -> Term {
    match (one, other) {
        (End::Returned(one), End::Returned(other)) => {
            let same = value::equal(arena, one, other);
            arena.implies(is_kept, same)
        }
        (End::Stopped { pc, frames, kept }, End::Stopped { pc: other_pc, frames: others, kept: twins })
            if (pc, frames, kept.len()) == (other_pc, others, twins.len()) =>
        {
            let mut all = Vec::new();
            for (one, other) in kept.iter().zip(twins) {
                all.push(value::equal(arena, one, other));
            }
            arena.and(&all)
        }
        _ => arena.no(),
    }
}

/// The same calls. Those that nobody has the future of may be made by the one or the other step.
fn same_calls(arena: &mut Arena, one: &Order, other: &Order) -> Result<Term, Unsupported> {
    let mut all = Vec::new();
    for side in 0..2 {
        let [ones, others] = [one, other].map(|order| of_side(order, side));
        // Who waits remembers how many calls it has made: what it calls later is named by that.
        let waits = matches!(one.ends[side], End::Stopped { .. });
        if waits && ones.len() != others.len() {
            return Ok(arena.no());
        }
        for number in 0..ones.len().max(others.len()) {
            let kept = |calls: &[&Call]| calls.get(number).is_some_and(|call| call.is_kept);
            match (kept(&ones), kept(&others)) {
                (false, false) => {}
                (true, true) => all.push(same_call(arena, ones[number], others[number])),
                _ => return Ok(arena.no()),
            }
        }
    }
    let free = |order: &Order| order.state.calls.iter().filter(|call| !call.is_kept).cloned().collect::<Vec<Call>>();
    all.push(same_multiset(arena, free(one), free(other))?);
    Ok(arena.and(&all))
}

fn of_side(order: &Order, side: usize) -> Vec<&Call> {
    order.state.calls.iter().filter(|call| call.side == side).collect()
}

fn same_multiset(arena: &mut Arena, mut ones: Vec<Call>, mut others: Vec<Call>) -> Result<Term, Unsupported> {
    if ones.len() != others.len() {
        return Ok(arena.no());
    }
    // What is the same as it is written need not be matched with anything else.
    ones.retain(|call| {
        let alike = |other: &Call| {
            (&call.receiver, call.selector, &call.arguments) == (&other.receiver, other.selector, &other.arguments)
        };
        match others.iter().position(alike) {
            Some(at) => {
                others.remove(at);
                false
            }
            None => true,
        }
    });
    if ones.len() > MOST_CALLS {
        return Err(Unsupported::Calls);
    }
    Ok(matched(arena, ones.len(), |arena, one, other| same_call(arena, &ones[one], &others[other])))
}

fn same_call(arena: &mut Arena, one: &Call, other: &Call) -> Term {
    if one.selector != other.selector || one.arguments.len() != other.arguments.len() {
        return arena.no();
    }
    let mut all = vec![value::equal(arena, &one.receiver, &other.receiver)];
    for (argument, twin) in one.arguments.iter().zip(&other.arguments) {
        all.push(value::equal(arena, argument, twin));
    }
    arena.and(&all)
}

/// When the condition of a declaration holds: that it has a value, and which.
pub(super) fn declared(
    symbolic: &Symbolic<'_>,
    arena: &mut Arena,
    both: &Commute,
    condition: u32,
) -> Result<Term, Unsupported> {
    let parameters = both.parameters.concat();
    let mut ways = Vec::new();
    for path in symbolic.run(arena, (0, condition), &parameters, State::new(both.fields.clone()))? {
        if let End::Returned(result) = &path.end {
            let truth = value::truth(arena, result);
            let mut all = path.state.conditions;
            all.push(truth);
            ways.push(arena.and(&all));
        }
    }
    let holds = arena.or(&ways);
    Ok(arena.expand_reads(holds))
}
