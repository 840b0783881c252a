//! Why a declared constraint is wrong: a state, and what each order of the two steps comes to from
//! there.

use mazurka_smt::{Answer, Arena, Error, Op, Solver, Sort, Term, Value};
use mazurka_trace::{FaultKind, SiteId};

use crate::symbolic::{Next, Symbolic, Transition};

use super::commute::{Commute, stored};
use super::synthesis::WIDTH;
use mazurka_smt::synthesis::proof::Verified;

/// So large are integers where smaller ones will do.
const SMALL: i128 = 9;

/// A state in which these hold together, and with them the negation of what says that the steps
/// commute: the solver has just found one.
pub(super) fn counterexample(
    symbolic: &Symbolic<'_>,
    arena: &mut Arena,
    solver: &mut Solver,
    both: &Commute,
    question: &[Term],
) -> Result<Verified, Error> {
    let used = used(both, question[0]);
    let variables = arena.variables_of(&used);
    solver.declare(arena, &variables);
    let selects = arena.below(&used).into_iter().filter(|&term| arena.op(term) == Op::Select);
    let cells: Vec<Term> = selects.filter(|&term| both.objects.contains(&arena.operands(term)[0])).collect();
    let integers = variables.iter().chain(&cells).copied().filter(|&term| arena.sort(term) == Sort::Int);
    let integers: Vec<Term> = integers.collect();
    let small: Vec<Term> = integers.iter().map(|&term| arena.within(-SMALL, term, SMALL)).collect();
    let with_small: Vec<Term> = question.iter().copied().chain(small).collect();
    if solver.check_assuming(arena, &with_small)? != Answer::Sat
        && solver.check_assuming(arena, question)? != Answer::Sat
    {
        // It has known one, and does not tell it.
        return Ok(UNTOLD);
    }
    let mut model = Model { symbolic, arena, solver };
    let state = model.state(&variables, &cells)?;
    let mut results = Vec::new();
    for (side, name) in ["the first step", "the second step"].into_iter().enumerate() {
        let ends = [model.end(&both.orders[0][side])?, model.end(&both.orders[1][side])?];
        push_different(&mut results, name.to_owned(), in_words(ends));
    }
    // What variables hold matters only where all goes well.
    if results.is_empty() {
        model.variables(both, &mut results)?;
        let created = [model.created(&both.orders[0])?, model.created(&both.orders[1])?];
        push_different(&mut results, "created".to_owned(), created);
    }
    Ok(Verified::Refuted { state, results })
}

/// It is wrong, and there is nothing more to be said.
pub(super) const UNTOLD: Verified = Verified::Refuted { state: Vec::new(), results: Vec::new() };

/// All that the steps do, and what the constraint says, as terms.
fn used(both: &Commute, condition: Term) -> Vec<Term> {
    let mut terms = vec![condition, both.formula];
    for step in both.orders.iter().flatten() {
        terms.extend([step.blocked, step.discarded]);
        terms.extend(step.faults.iter().map(|fault| fault.when));
        terms.extend(step.next.iter().map(|&(when, _)| when));
        terms.extend(step.spawns.iter().flat_map(|spawn| spawn.arguments.iter().copied().chain([spawn.when])));
        let unchanged =
            |term: &Term| both.objects.contains(term) || both.locals.iter().flatten().any(|own| own == term);
        terms.extend(step.state.objects.iter().chain(&step.state.locals).copied().filter(|term| !unchanged(term)));
    }
    terms
}

/// What becomes of a step.
#[derive(PartialEq, Eq)]
enum End {
    /// It goes well, and leads here.
    Well(String),
    /// It does not.
    Ill(String),
}

/// What becomes of a step in two orders: where it leads matters only if it goes well in both.
fn in_words([one, other]: [End; 2]) -> [String; 2] {
    let ill = [&one, &other].into_iter().any(|end| matches!(end, End::Ill(_)));
    [one, other].map(|end| match end {
        End::Well(_) if ill => "goes well".to_owned(),
        End::Well(text) | End::Ill(text) => text,
    })
}

type Results = Vec<(String, String, String)>;

fn push_different(results: &mut Results, name: String, [one, other]: [String; 2]) {
    if one != other {
        results.push((name, one, other));
    }
}

/// What the solver has found.
struct Model<'a> {
    symbolic: &'a Symbolic<'a>,
    arena: &'a mut Arena,
    solver: &'a mut Solver,
}

impl Model<'_> {
    fn values(&mut self, terms: &[Term]) -> Result<Vec<String>, Error> {
        let values = self.solver.values(self.arena, terms)?;
        Ok(values.iter().map(written).collect())
    }

    fn holds(&mut self, term: Term) -> Result<bool, Error> {
        Ok(self.solver.values(self.arena, &[term])? == [Value::Bool(true)])
    }

    /// Variables and cells, with what they hold before the steps.
    fn state(&mut self, variables: &[Term], cells: &[Term]) -> Result<Vec<(String, String)>, Error> {
        let mut state = Vec::new();
        for &variable in
            variables.iter().filter(|&&variable| self.arena.sort(variable) != Sort::Array).collect::<Vec<_>>()
        {
            let value = self.values(&[variable])?.remove(0);
            state.push((self.arena.infix(variable, WIDTH), value));
        }
        for &cell in cells {
            let (array, index) = (self.arena.operands(cell)[0], self.arena.operands(cell)[1]);
            let (index, value) = (self.values(&[index])?.remove(0), self.values(&[cell])?.remove(0));
            let entry = (format!("{}[{index}]", self.arena.infix(array, WIDTH)), value);
            if !state.contains(&entry) {
                state.push(entry);
            }
        }
        Ok(state)
    }

    fn text(&self, site: SiteId) -> &str {
        let image = self.symbolic.image();
        image.text(image.sites[site.index()].span)
    }

    /// What becomes of a step.
    fn end(&mut self, step: &Transition) -> Result<End, Error> {
        if self.holds(step.blocked)? {
            return Ok(End::Ill("has to wait".to_owned()));
        }
        for fault in &step.faults {
            if self.holds(fault.when)? {
                return Ok(End::Ill(format!("fails ({}): `{}`", failure(fault.kind), self.text(fault.site))));
            }
        }
        if self.holds(step.discarded)? {
            return Ok(End::Ill("assumes what is not so".to_owned()));
        }
        for &(when, next) in &step.next {
            if self.holds(when)? {
                return Ok(End::Well(match next {
                    Next::Ends => "ends its process".to_owned(),
                    Next::Rests(place) => format!("is followed by `{}`", self.text(self.symbolic.site(place))),
                }));
            }
        }
        Ok(End::Ill("goes round in a loop".to_owned()))
    }

    /// Variables, cells and locals that hold something else after one order than after the other.
    fn variables(&mut self, both: &Commute, results: &mut Results) -> Result<(), Error> {
        let last = [&both.orders[0][1], &both.orders[1][0]];
        for (at, &object) in both.objects.iter().enumerate() {
            let after = last.map(|step| step.state.objects[at]);
            if self.arena.sort(object) != Sort::Array {
                self.compare(object, after, results)?;
                continue;
            }
            if after[0] == after[1] {
                continue;
            }
            for index in stored(self.arena, &after) {
                let number = self.solver.values(self.arena, &[index])?;
                let [Value::Int(number)] = number[..] else { continue };
                let index = self.arena.int(number);
                let (cell, after) =
                    (self.arena.select(object, index), after.map(|array| self.arena.select(array, index)));
                self.compare(cell, after, results)?;
            }
        }
        for side in 0..2 {
            for (at, &local) in both.locals[side].iter().enumerate() {
                let after = [0, 1].map(|order| both.orders[order][side].state.locals[at]);
                self.compare(local, after, results)?;
            }
        }
        Ok(())
    }

    fn compare(&mut self, what: Term, after: [Term; 2], results: &mut Results) -> Result<(), Error> {
        // What nobody changes, the solver need not know.
        if after[0] == after[1] {
            return Ok(());
        }
        let values = self.values(&after)?;
        let [one, other] = &values[..] else { return Ok(()) };
        let name = self.arena.infix(what, WIDTH);
        if !results.iter().any(|(known, ..)| *known == name) {
            push_different(results, name, [one.clone(), other.clone()]);
        }
        Ok(())
    }

    /// The processes that two steps create.
    fn created(&mut self, steps: &[Transition; 2]) -> Result<String, Error> {
        let mut calls = Vec::new();
        for spawn in steps.iter().flat_map(|step| &step.spawns) {
            if self.holds(spawn.when)? {
                let (name, arguments) = (&self.symbolic.bodies()[spawn.body].name, self.values(&spawn.arguments)?);
                calls.push(format!("{name}({})", arguments.join(", ")));
            }
        }
        calls.sort_unstable();
        Ok(if calls.is_empty() { "nothing".to_owned() } else { calls.join(", ") })
    }
}

/// A failure, in a few words.
fn failure(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => "an assertion",
        FaultKind::Bounds => "an index out of bounds",
        FaultKind::DivisionByZero => "a division by zero",
        FaultKind::Overflow => "an overflow",
        FaultKind::EmptyChoice => "an empty choice",
        FaultKind::Lock => "misuse of a mutex",
        _ => "a failure",
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}
