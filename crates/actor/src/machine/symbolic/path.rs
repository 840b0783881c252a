//! Paths that have come to their end: values for the inputs, and what comes of them.

use std::sync::Arc;

use mazurka_machine::Describe;
use mazurka_smt::look::{Look, complete, look};
use mazurka_smt::{Assignment, Value as Meaning};
use mazurka_trace::{FaultKind, ProcessId, SiteId, Value as Choice};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::input::constructors_of;
use super::{ActorMachine, Form};
use crate::code::Image;
use crate::hir::InputType;
use crate::machine::arithmetic::truth;
use crate::machine::heap::Boxed;
use crate::machine::show::{object_name, task_name};
use crate::machine::value::{Kind, Value};
use crate::situation::{Call, Datum, Situation, Thing};

/// Data that nobody looked at nests at most so deep.
const DEEPEST: u32 = 20;

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ended {
    /// All tasks have ended.
    Returns,
    /// A task ended with an exception that nobody caught.
    Exception,
    /// Tasks wait for each other, and an object is kept.
    Deadlock,
    /// Tasks wait for each other.
    AwaitCycle,
    /// Tasks wait for what nobody will make true.
    Stuck,
    /// The machine stopped.
    Halted,
}

/// What an execution came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// How it ended.
    pub ended: Ended,
    /// The tasks that have ended, each with its result, or its exception.
    pub results: Vec<(String, String)>,
    /// The objects with their fields, by name.
    pub objects: Vec<(String, Vec<(String, String)>)>,
    /// Who waits, and where.
    pub waiting: Vec<(String, String)>,
}

/// A path.
#[derive(Clone, Debug)]
pub struct Path {
    /// Values for all inputs. None where nobody knows any.
    pub situation: Option<Situation>,
    /// Who steps, each with the choices that the program makes itself.
    pub schedule: Vec<(String, Vec<Choice>)>,
    /// What comes of it with these values.
    pub summary: Summary,
    /// What was decided of the inputs.
    pub conditions: Vec<String>,
    /// Nobody could decide whether the conditions hold together.
    pub doubtful: bool,
}

/// Values for what was not decided.
#[derive(Default)]
struct Model {
    values: Assignment,
    unknowns: FxHashMap<u32, Value>,
    /// Objects that nobody has looked at: classes, and the values of their fields.
    added: Vec<(u32, Vec<Value>)>,
    /// A value is too large to be told.
    is_too_large: bool,
}

impl ActorMachine {
    /// An execution is complete: see `Run::hear`.
    pub(in crate::machine) fn enter_path(&mut self) {
        if self.symbolic.is_none() {
            return;
        }
        let conditions = self.conditions_in_words();
        let doubtful = self.inputs().doubtful;
        let mut model = self.model();
        let summary = self.summarise_with(model.as_mut().unwrap_or(&mut Model::default()));
        let situation = model.and_then(|mut model| {
            let situation = self.situation(&mut model);
            (!model.is_too_large).then_some(situation)
        });
        let path = Path { schedule: self.named_schedule(), summary, situation, conditions, doubtful };
        self.inputs().paths.push(path);
    }

    /// Values for which the conditions hold, small ones if that is found at once.
    fn model(&mut self) -> Option<Model> {
        let symbolic = self.inputs();
        let conditions = symbolic.conditions.clone();
        let values = match (look(&symbolic.arena, &conditions), &symbolic.model) {
            (Look::Sat(values), _) => values,
            (_, Some(known)) => (**known).clone(),
            _ => match symbolic.ask(&conditions) {
                Look::Sat(values) => values,
                _ => return None,
            },
        };
        let values = complete(&symbolic.arena, &conditions, &values);
        Some(Model { values, ..Model::default() })
    }

    fn named_schedule(&self) -> Vec<(String, Vec<Choice>)> {
        let Some(symbolic) = &self.symbolic else { return Vec::new() };
        let steps = (0..self.records.len() as u32).filter(|step| !symbolic.idle.contains(step));
        let choices = |step: u32| symbolic.randoms.iter().filter(move |(at, _)| *at == step).map(|&(_, value)| value);
        steps
            .map(|step| {
                let task = self.records[step as usize].task;
                (self.process_name(ProcessId::new(task as usize)), choices(step).collect())
            })
            .collect()
    }

    fn conditions_in_words(&self) -> Vec<String> {
        let Some(symbolic) = &self.symbolic else { return Vec::new() };
        let mut words: Vec<String> =
            symbolic.conditions.iter().map(|&condition| symbolic.arena.infix(condition, 200)).collect();
        for (unknown, input) in symbolic.unknowns.iter().enumerate() {
            if let Some(value) = symbolic.bound[unknown] {
                words.push(format!("{} = {}", input.name, self.head_in_words(value)));
            }
            for &other in &symbolic.differs[unknown] {
                if symbolic.bound[unknown].is_none() {
                    words.push(format!("{} != {}", input.name, self.head_in_words(other)));
                }
            }
        }
        words
    }

    /// A value, of data only the constructor.
    fn head_in_words(&self, value: Value) -> String {
        if let Some(Form::Unknown(unknown)) = self.form(value) {
            return self.symbolic.as_ref().map_or_else(String::new, |all| all.unknowns[unknown as usize].name.clone());
        }
        match self.heap.constructor(value).and_then(|number| self.image.constructors.get(number as usize)) {
            Some(constructor) if constructor.arguments > 0 => format!("{}(…)", constructor.name),
            _ => self.show(value),
        }
    }

    /// What the current state comes to.
    pub fn summarise(&mut self) -> Summary {
        self.summarise_with(&mut Model::default())
    }

    fn summarise_with(&mut self, model: &mut Model) -> Summary {
        let mut objects = Vec::new();
        for number in 0..self.registry.objects.len() {
            let object = self.registry.objects[number];
            let class = self.image.classes[object.class as usize].fields.clone();
            let mut fields = Vec::new();
            for (field, name) in class.into_iter().enumerate() {
                let value = self.cells.get(object.fields + field as u32);
                if value != Value::ABSENT {
                    fields.push((name, self.show_with(value, model)));
                }
            }
            if !fields.is_empty() {
                objects.push((object_name(&self.image, &self.registry, number as u32), fields));
            }
        }
        objects.sort();
        let results = self.results(model);
        Summary { ended: self.ended(), results, objects, waiting: self.who_waits() }
    }

    fn results(&mut self, model: &mut Model) -> Vec<(String, String)> {
        let tasks: Vec<u32> = std::iter::once(0).chain(self.started.iter()).collect();
        let mut results = Vec::new();
        for task in tasks {
            let value = self.cells.get(self.registry.tasks[task as usize].future);
            if value == Value::ABSENT || self.live.contains(ProcessId::new(task as usize)) {
                continue;
            }
            let failed = self.heap.constructor(value) == Some(self.failure_constructor());
            let text = match failed {
                true => format!("throws {}", self.show_with(self.heap.arguments(value)[0], model)),
                false => self.show_with(value, model),
            };
            results.push((task_name(&self.image, &self.registry, task), text));
        }
        results.sort();
        results
    }

    fn who_waits(&self) -> Vec<(String, String)> {
        let place = |process: ProcessId| {
            let place = self.place(SiteId::new(self.pc(process.index() as u32) as usize));
            format!("{}:{}:{}", place.file, place.line, place.column)
        };
        let mut waiting: Vec<_> =
            self.live.iter().map(|process| (self.process_name(process), place(process))).collect();
        waiting.sort();
        waiting
    }

    fn ended(&self) -> Ended {
        if self.symbolic.as_ref().is_some_and(|symbolic| symbolic.halted.is_some()) {
            return Ended::Halted;
        }
        if !self.live.is_empty() {
            return match self.kind_of_standstill() {
                FaultKind::Deadlock => Ended::Deadlock,
                FaultKind::AwaitCycle => Ended::AwaitCycle,
                _ => Ended::Stuck,
            };
        }
        if self.failed.iter().next().is_some() { Ended::Exception } else { Ended::Returns }
    }

    fn show_with(&mut self, value: Value, model: &mut Model) -> String {
        let value = self.filled(value, model);
        self.show(value)
    }

    /// A value with values for all that is not decided in it. Values that hold inputs are as deep
    /// as the program builds them, so nothing recurses.
    fn filled(&mut self, value: Value, model: &mut Model) -> Value {
        if !self.is_open(value) {
            return value;
        }
        let mut known: FxHashMap<Value, Value> = FxHashMap::default();
        let mut open = vec![value];
        while let Some(&next) = open.last() {
            if known.contains_key(&next) {
                open.pop();
                continue;
            }
            let resolved = self.resolve(next);
            if self.heap.constructor(resolved).is_none() || !self.is_open(resolved) {
                let filled = self.fill_in(resolved, model);
                known.insert(next, filled);
                open.pop();
                continue;
            }
            let arguments: Vec<Value> = self.heap.arguments(resolved).to_vec();
            let missing: Vec<Value> = arguments.iter().copied().filter(|one| !known.contains_key(one)).collect();
            if missing.is_empty() {
                let arguments: Vec<Value> = arguments.iter().map(|one| known[one]).collect();
                let constructor = self.heap.constructor(resolved).unwrap_or_default();
                let filled = self.heap.construct(constructor, &arguments);
                known.insert(next, filled);
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        known[&value]
    }

    /// The value of a number, a truth value or an unknown that is not decided.
    fn fill_in(&mut self, value: Value, model: &mut Model) -> Value {
        match self.form(value) {
            None => value,
            Some(Form::Truth(term)) => {
                let arena = &self.inputs().arena;
                let values = complete(arena, &[term], &model.values);
                let holds = arena.evaluate(term, &values).as_ref().and_then(Meaning::as_bool);
                truth(&self.image, holds.unwrap_or(false))
            }
            Some(Form::Number(above, below)) => {
                let arena = &self.inputs().arena;
                let values = complete(arena, &[above, below], &model.values);
                let of = |term| arena.evaluate(term, &values).as_ref().and_then(Meaning::as_int);
                let (above, below) = (of(above), of(below));
                model.is_too_large |= above.is_none() || below.is_none();
                // A fraction of which nothing was decided has 0 below the line.
                let (above, below) = (above.unwrap_or(0), below.filter(|below| !below.is_zero()).unwrap_or(1));
                self.heap.rat(BigRational::new(BigInt::from(above), BigInt::from(below)))
            }
            Some(Form::Unknown(unknown)) => {
                if let Some(&known) = model.unknowns.get(&unknown) {
                    return known;
                }
                let value = self.value_of_unknown(unknown, model);
                model.unknowns.insert(unknown, value);
                value
            }
        }
    }

    fn value_of_unknown(&mut self, unknown: u32, model: &mut Model) -> Value {
        let ty = self.inputs().unknowns[unknown as usize].ty.clone();
        let differs: Vec<Value> = self.inputs().differs[unknown as usize].clone();
        match ty {
            InputType::String if differs.is_empty() => self.heap.string(String::new()),
            InputType::String => {
                let mut text = format!("s{unknown}");
                while self
                    .image
                    .constants
                    .iter()
                    .any(|known| matches!(known, crate::code::Constant::String(other) if *other == text))
                {
                    text.push('\'');
                }
                self.heap.string(text)
            }
            InputType::Object(interface) => {
                let taken: Vec<Value> = differs.into_iter().map(|value| self.known_value(value, model)).collect();
                let there = self.input_objects().into_iter().map(Value::object);
                let fits = there.filter(|object| self.fits(*object, interface));
                let first = std::iter::once(Value::NULL).chain(fits).find(|value| !taken.contains(value));
                first.unwrap_or_else(|| self.add_object(interface.0, model))
            }
            ty => self.smallest(&ty, 0),
        }
    }

    /// The value that something was given already.
    fn known_value(&self, value: Value, model: &Model) -> Value {
        let value = self.resolve(value);
        match self.form(value) {
            Some(Form::Unknown(unknown)) => model.unknowns.get(&unknown).copied().unwrap_or(value),
            _ => value,
        }
    }

    /// One more object, that nobody looks at.
    fn add_object(&mut self, interface: u32, model: &mut Model) -> Value {
        let classes = self.inputs().classes;
        let class = (0..classes).find(|&class| self.image.classes[class].interfaces.contains(&interface));
        let Some(class) = class else { return Value::NULL };
        let inputs = self.image.classes[class].inputs.clone();
        let fields = inputs.iter().map(|input| self.smallest(&input.ty, 0)).collect();
        let nth = (self.inputs().situation.objects.len() + self.inputs().made.len() + model.added.len()) as u32;
        let class = class as u32;
        model.added.push((class, fields));
        let number = match self.registry.find_object(0, nth, class, false) {
            Some(number) => number,
            None => self.new_object(0, nth, class, None),
        };
        Value::object(number)
    }

    /// The smallest value of a type.
    fn smallest(&mut self, ty: &InputType, depth: u32) -> Value {
        match ty {
            InputType::Int | InputType::Rat => Value::count(0),
            InputType::Bool => truth(&self.image, false),
            InputType::String => self.heap.string(String::new()),
            InputType::Data(data, types) if depth < DEEPEST => {
                let constructors = constructors_of(&self.image, *data);
                let image = Arc::clone(&self.image);
                let count = |one: &&u32| image.constructors[**one as usize].arguments;
                let of = |one: u32| image.constructors[one as usize].types.clone();
                let is_plain =
                    |one: &&u32| of(**one).iter().all(|ty| !matches!(ty, InputType::Data(inner, _) if inner == data));
                let chosen = constructors.iter().filter(is_plain).min_by_key(count).or(constructors.first());
                let Some(&chosen) = chosen else { return Value::NULL };
                let arguments: Vec<Value> =
                    of(chosen).iter().map(|ty| self.smallest(&ty.over(types), depth + 1)).collect();
                self.heap.construct(chosen, &arguments)
            }
            _ => Value::NULL,
        }
    }

    /// The situation with values for all inputs.
    fn situation(&mut self, model: &mut Model) -> Situation {
        let given = self.inputs().situation.clone();
        let mut situation = Situation::default();
        for thing in &given.objects {
            let fields = thing.fields.iter().map(|field| self.given(field, model)).collect();
            situation.objects.push(Thing { name: thing.name.clone(), class: thing.class, fields });
        }
        for (object, class) in self.inputs().made.clone() {
            let code = self.image.classes[class as usize].clone();
            let name = format!("{}{}", code.name.to_lowercase(), situation.objects.len() + 1);
            let name = fresh_name(name, &situation);
            let mut fields = Vec::new();
            for field in 0..code.fields.len() as u32 {
                let input = self.inputs().by_origin[&super::Origin::Field(object, field)];
                let value = self.filled(input, model);
                fields.push(self.datum(value));
            }
            situation.objects.push(Thing { name, class, fields });
        }
        for call in &given.tasks {
            let arguments = call.arguments.iter().map(|argument| self.given(argument, model)).collect();
            situation.tasks.push(Call { object: call.object, method: call.method, arguments });
        }
        for (class, fields) in std::mem::take(&mut model.added) {
            let name = self.image.classes[class as usize].name.to_lowercase();
            let name = fresh_name(format!("{name}{}", situation.objects.len() + 1), &situation);
            let fields = fields.into_iter().map(|value| self.datum(value)).collect();
            situation.objects.push(Thing { name, class, fields });
        }
        situation
    }

    fn given(&mut self, datum: &Datum, model: &mut Model) -> Datum {
        match datum {
            Datum::Free(name, _) => {
                let origin = super::Origin::Given(name.clone());
                let input = self.inputs().by_origin.get(&origin).copied().unwrap_or(Value::NULL);
                let value = self.filled(input, model);
                self.datum(value)
            }
            other => other.clone(),
        }
    }

    /// A value as one of a situation. Inputs nest no deeper than they are made up.
    fn datum(&self, value: Value) -> Datum {
        let known = self.image.known;
        match value.kind() {
            Kind::Int(number) => Datum::Int(number.into()),
            Kind::Boxed(number) => match self.heap.get_box(number) {
                Boxed::Int(number) => Datum::Int(number.clone()),
                Boxed::Rat(number) => Datum::Rat(number.clone()),
                Boxed::String(text) => Datum::String(text.clone()),
            },
            Kind::Plain(constructor) if constructor == known.yes.0 => Datum::Bool(true),
            Kind::Plain(constructor) if constructor == known.no.0 => Datum::Bool(false),
            Kind::Plain(_) | Kind::Node(_) => {
                let arguments = self.heap.arguments(value).iter().map(|&argument| self.datum(argument)).collect();
                Datum::Data(self.heap.constructor(value).unwrap_or_default(), arguments)
            }
            Kind::Object(object) => Datum::Object(self.registry.objects[object as usize].nth as usize),
            _ => Datum::Null,
        }
    }
}

fn fresh_name(mut name: String, situation: &Situation) -> String {
    while situation.objects.iter().any(|thing| thing.name == name) {
        name.push('_');
    }
    name
}

impl Image {
    /// The name of a class.
    pub fn class_name(&self, class: u32) -> &str {
        &self.classes[class as usize].name
    }

    /// The names of a method's parameters.
    pub fn parameters_of(&self, method: u32) -> Vec<String> {
        self.bodies[method as usize].kinds.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The names of a class's fields.
    pub fn fields_of(&self, class: u32) -> &[String] {
        &self.classes[class as usize].fields
    }
}
