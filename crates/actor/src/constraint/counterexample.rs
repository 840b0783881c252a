//! A state in which a declared constraint is wrong, in words.

use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::term::Value as Found;
use mazurka_smt::{Answer, Arena, Error, Solver, Sort, Term};

use super::commute::{Commute, Order};
use super::condition::fixed_name;
use super::execute::{Call, End};
use super::value::{self, Value};
use crate::code::{Image, Source};

/// So large are integers where smaller ones will do.
const SMALL: i128 = 9;

/// A state in which these hold together, where both orders lead to something else: the solver has
/// just found one.
pub(super) fn counterexample(
    image: &Image,
    solver: &mut Solver,
    arena: &mut Arena,
    both: &Commute,
    question: &[Term],
) -> Result<Verified, Error> {
    let variables = variables(arena, both);
    solver.declare(arena, &variables);
    let integers = both.variables.iter().filter(|variable| arena.sort(variable.term) == Sort::Int);
    let integers: Vec<Term> = integers.map(|variable| variable.term).collect();
    let small: Vec<Term> = integers.into_iter().map(|term| arena.within(-SMALL, term, SMALL)).collect();
    let with_small: Vec<Term> = question.iter().copied().chain(small).collect();
    if solver.check_assuming(arena, &with_small)? != Answer::Sat
        && solver.check_assuming(arena, question)? != Answer::Sat
    {
        // It has known one, and does not tell it.
        return Ok(Verified::Refuted { state: Vec::new(), results: Vec::new() });
    }
    let mut model = Model { image, solver };
    let mut state = Vec::new();
    for variable in &both.variables {
        let name = arena.name(variable.term).unwrap_or_default().to_owned();
        let value = if variable.is_identity { Value::Other(variable.term) } else { own(arena, variable.term) };
        if is_used(arena, both, variable.term) {
            state.push((told(variable.source, name), model.show(arena, &value)?));
        }
    }
    let mut taken = Vec::new();
    for paths in &both.orders {
        match model.taken(arena, paths)? {
            Some(order) => taken.push(order),
            None => return Ok(Verified::Refuted { state, results: Vec::new() }),
        }
    }
    let results = model.results(arena, taken[0], taken[1])?;
    Ok(Verified::Refuted { state, results })
}

/// All that may be anything.
fn variables(arena: &mut Arena, both: &Commute) -> Vec<Term> {
    let mut terms = vec![both.formula];
    for value in both.fields.iter().chain(both.parameters.iter().flatten()) {
        match value {
            Value::Map(map) => terms.extend([map.present, map.content]),
            other => terms.push(value::identity(arena, other)),
        }
    }
    terms.extend(both.variables.iter().map(|variable| variable.term));
    arena.variables_of(&terms)
}

fn own(arena: &Arena, term: Term) -> Value {
    if arena.sort(term) == Sort::Bool { Value::Bool(term) } else { Value::Int(term) }
}

fn told(source: Source, name: String) -> String {
    match source {
        Source::Field(_) | Source::Parameter(..) => name,
        Source::Kept(0) => "somebody has the first result".to_owned(),
        Source::Kept(_) => "somebody has the second result".to_owned(),
    }
}

/// Whether the formula speaks of a variable.
fn is_used(arena: &Arena, both: &Commute, variable: Term) -> bool {
    arena.below(&[both.formula]).contains(&variable)
}

struct Model<'a> {
    image: &'a Image,
    solver: &'a mut Solver,
}

impl Model<'_> {
    /// The path that is taken.
    fn taken<'p>(&mut self, arena: &mut Arena, paths: &'p [Order]) -> Result<Option<&'p Order>, Error> {
        for path in paths {
            let condition = arena.expand_reads(path.condition);
            if self.solver.values(arena, &[condition])?.first() == Some(&Found::Bool(true)) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// What differs after both orders.
    fn results(
        &mut self,
        arena: &mut Arena,
        one: &Order,
        other: &Order,
    ) -> Result<Vec<(String, String, String)>, Error> {
        let mut results = Vec::new();
        let class = self.image.classes.iter().find(|class| class.fields.len() == one.state.fields.len());
        let names = class.map(|class| class.fields.clone()).unwrap_or_default();
        for (name, (one, other)) in names.into_iter().zip(one.state.fields.iter().zip(&other.state.fields)) {
            let texts = [self.show(arena, one)?, self.show(arena, other)?];
            push(&mut results, name, texts);
        }
        for (side, name) in ["the first task", "the second task"].into_iter().enumerate() {
            let texts = [self.show_end(arena, &one.ends[side])?, self.show_end(arena, &other.ends[side])?];
            push(&mut results, name.to_owned(), texts);
        }
        let calls = [self.show_calls(arena, &one.state.calls)?, self.show_calls(arena, &other.state.calls)?];
        push(&mut results, "called".to_owned(), calls);
        Ok(results)
    }

    fn show(&mut self, arena: &mut Arena, value: &Value) -> Result<String, Error> {
        let term = match value {
            Value::Int(term) | Value::Bool(term) | Value::Other(term) => *term,
            Value::Data(constructor, arguments) => {
                let mut texts = Vec::new();
                for argument in arguments {
                    texts.push(self.show(arena, argument)?);
                }
                let name = self.image.constructors[*constructor as usize].name.clone();
                return Ok(if texts.is_empty() { name } else { format!("{name}({})", texts.join(", ")) });
            }
            Value::Future(side, number) => {
                let whose = if *side == 0 { "first" } else { "second" };
                return Ok(format!("the future of call {} of the {whose}", number + 1));
            }
            Value::Map(map) => return self.show_map(arena, map),
            Value::Rat(_) => return Ok("a fraction".to_owned()),
        };
        let term = arena.expand_reads(term);
        let found = self.solver.values(arena, &[term])?;
        Ok(match (found.first(), value) {
            (Some(Found::Bool(truth)), _) => if *truth { "True" } else { "False" }.to_owned(),
            (Some(Found::Int(number)), Value::Other(_)) => fixed_name(self.image, *number),
            (Some(Found::Int(number)), _) => number.to_string(),
            _ => "something".to_owned(),
        })
    }

    /// The entries of a map that are told of.
    fn show_map(&mut self, arena: &mut Arena, map: &value::Map) -> Result<String, Error> {
        let mut entries = Vec::new();
        for key in map.stored(arena) {
            let (present, content) = map.entry(arena, key);
            let texts = [Value::Int(key), Value::Int(content)];
            let [key, content] = [self.show(arena, &texts[0])?, self.show(arena, &texts[1])?];
            let there = self.show(arena, &Value::Bool(present))? == "True";
            entries.push(if there { format!("{key}: {content}") } else { format!("no {key}") });
        }
        entries.sort();
        entries.dedup();
        Ok(format!("[{}]", entries.join(", ")))
    }

    fn show_end(&mut self, arena: &mut Arena, end: &End) -> Result<String, Error> {
        Ok(match end {
            End::Returned(value) => format!("returns {}", self.show(arena, value)?),
            End::Stopped { pc, kept, .. } => {
                let line = self.image.place_of(self.image.places[*pc as usize]).line;
                let mut texts = Vec::new();
                for value in &kept[crate::code::FRAME as usize..] {
                    texts.push(self.show(arena, value)?);
                }
                format!("waits at line {line} with {}", texts.join(", "))
            }
            End::Cut(reason) => (*reason).to_owned(),
        })
    }

    fn show_calls(&mut self, arena: &mut Arena, calls: &[Call]) -> Result<String, Error> {
        let mut texts = Vec::new();
        for call in calls {
            let mut arguments = Vec::new();
            for argument in &call.arguments {
                arguments.push(self.show(arena, argument)?);
            }
            let receiver = self.show(arena, &call.receiver)?;
            let method = self.image.selectors[call.selector as usize].as_str();
            texts.push(format!("{receiver}!{method}({})", arguments.join(", ")));
        }
        texts.sort();
        Ok(if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") })
    }
}

fn push(results: &mut Vec<(String, String, String)>, name: String, [one, other]: [String; 2]) {
    if one != other {
        results.push((name, one, other));
    }
}
