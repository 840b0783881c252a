//! The situations of a context that are tried out, one after the other.
//!
//! Arguments and fields that refer to objects can be each object of the context of a class that
//! fits, another object that has no tasks, or (fields only) null. Integers are a few small ones,
//! and the constants of the program. Fields that no method reads have no choice. The simplest
//! choices come first. This finds; it proves nothing.

use num_traits::ToPrimitive;

use super::{Call, Datum, Situation, Thing};
use crate::code::{BodyKind, Constant, Image, Instruction};
use crate::hir::{Input, Shape};

/// Why a context cannot be tried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untried {
    /// The field or parameter whose values are not known.
    pub what: String,
}

/// Where a value is to be chosen.
#[derive(Clone, Copy, Debug)]
enum Place {
    Argument(usize, usize),
    Field(usize, usize),
}

/// The situations of a context.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// All objects, those of the context first, with no choice made.
    situation: Situation,
    /// How many of the objects are the context's.
    own: usize,
    places: Vec<(Place, Vec<Datum>)>,
    /// Which value is chosen at each place.
    chosen: Vec<usize>,
    is_over: bool,
}

impl Candidates {
    /// Those of a context: for each location its class and the methods of its tasks.
    ///
    /// # Errors
    /// A field that is read, or a parameter, of a type whose values are not tried out.
    pub fn of(image: &Image, locations: &[(u32, Vec<u32>)]) -> Result<Candidates, Untried> {
        let mut situation = Situation::default();
        let classes = (0..image.classes.len() as u32).map(|class| (class, None));
        let objects = locations.iter().map(|(class, methods)| (*class, Some(methods))).chain(classes);
        for (class, methods) in objects {
            let number = 1 + situation.objects.iter().filter(|thing| thing.class == class).count();
            let code = &image.classes[class as usize];
            let name = format!("{}{number}", code.name.to_lowercase());
            let fields = vec![Datum::Null; code.fields.len()];
            let object = situation.objects.len();
            situation.objects.push(Thing { name, class, fields });
            situation.tasks.extend(methods.into_iter().flatten().map(|&method| {
                let arguments = vec![Datum::Null; image.bodies[method as usize].parameters as usize];
                Call { object, method, arguments }
            }));
        }
        let mut candidates =
            Candidates { situation, own: locations.len(), places: Vec::new(), chosen: Vec::new(), is_over: false };
        candidates.find_places(image)?;
        candidates.chosen = vec![0; candidates.places.len()];
        Ok(candidates)
    }

    fn find_places(&mut self, image: &Image) -> Result<(), Untried> {
        let integers = integers(image);
        for (number, call) in self.situation.tasks.iter().enumerate() {
            let body = &image.bodies[call.method as usize];
            for (parameter, input) in body.inputs.iter().enumerate() {
                let what = || format!("{} of {}", body.kinds[parameter].0, image.method_name(call.method));
                let values = self.values(image, &integers, input, false).ok_or_else(|| Untried { what: what() })?;
                self.places.push((Place::Argument(number, parameter), values));
            }
        }
        let mut fields = Vec::new();
        for (number, thing) in self.situation.objects.iter().enumerate() {
            let class = &image.classes[thing.class as usize];
            for (field, input) in class.inputs.iter().enumerate() {
                if !is_read(image, thing.class, field as u32) {
                    continue;
                }
                match self.values(image, &integers, input, true) {
                    Some(values) => fields.push((Place::Field(number, field), values)),
                    None if number < self.own => {
                        return Err(Untried { what: format!("{} of {}", class.fields[field], class.name) });
                    }
                    // Nothing refers to such an object.
                    None => {}
                }
            }
        }
        self.places.extend(fields);
        Ok(())
    }

    /// The values that are tried out for an input, the simplest first.
    fn values(&self, image: &Image, integers: &[i64], input: &Input, is_field: bool) -> Option<Vec<Datum>> {
        Some(match input.shape {
            Shape::Int | Shape::Rat => integers.iter().map(|&number| Datum::Int(number.into())).collect(),
            Shape::Bool => vec![Datum::Bool(false), Datum::Bool(true)],
            Shape::Object(interface) => {
                let objects = self.situation.objects.iter().enumerate();
                let fits = objects.filter(|(number, thing)| {
                    let class = &image.classes[thing.class as usize];
                    class.interfaces.contains(&interface.0) && (*number < self.own || is_simple(image, thing.class))
                });
                let null = is_field.then_some(Datum::Null);
                null.into_iter().chain(fits.map(|(number, _)| Datum::Object(number))).collect()
            }
            Shape::String | Shape::Other => return None,
        })
    }

    /// Goes to the next choice; whether there is one.
    fn advance(&mut self) -> bool {
        for (chosen, (_, values)) in self.chosen.iter_mut().zip(&self.places) {
            if *chosen + 1 < values.len() {
                *chosen += 1;
                return true;
            }
            *chosen = 0;
        }
        false
    }

    /// The situation that is chosen. None if it stands for another one, or cannot be made.
    fn current(&self) -> Option<Situation> {
        if self.places.iter().any(|(_, values)| values.is_empty()) {
            return None;
        }
        let mut situation = self.situation.clone();
        for ((place, values), &chosen) in self.places.iter().zip(&self.chosen) {
            match *place {
                Place::Argument(task, parameter) => situation.tasks[task].arguments[parameter] = values[chosen].clone(),
                Place::Field(object, field) => situation.objects[object].fields[field] = values[chosen].clone(),
            }
        }
        let used = self.used(&situation);
        let is_idle = |place: &Place| matches!(*place, Place::Field(object, _) if !used[object]);
        let differs = self.places.iter().zip(&self.chosen).any(|((place, _), &chosen)| chosen > 0 && is_idle(place));
        if differs { None } else { in_order(&situation, &used) }
    }

    /// The objects of the context, and those that can be reached from them.
    fn used(&self, situation: &Situation) -> Vec<bool> {
        let mut used: Vec<bool> = (0..situation.objects.len()).map(|object| object < self.own).collect();
        let arguments = situation.tasks.iter().flat_map(|call| &call.arguments);
        let mut left: Vec<usize> = (0..self.own).chain(arguments.filter_map(object_of)).collect();
        while let Some(object) = left.pop() {
            used[object] = true;
            let fields = situation.objects[object].fields.iter().filter_map(object_of);
            left.extend(fields.filter(|&other| !used[other]));
        }
        used
    }
}

impl Iterator for Candidates {
    type Item = Situation;

    fn next(&mut self) -> Option<Situation> {
        while !self.is_over {
            let found = self.current();
            self.is_over = !self.advance();
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

fn object_of(value: &Datum) -> Option<usize> {
    match *value {
        Datum::Object(object) => Some(object),
        _ => None,
    }
}

/// The situation with the objects that are used, each after those that its fields refer to. None if
/// there is no such order.
fn in_order(situation: &Situation, used: &[bool]) -> Option<Situation> {
    let mut numbers: Vec<Option<usize>> = vec![None; used.len()];
    let mut ordered = Situation::default();
    loop {
        let is_ready = |thing: &Thing| thing.fields.iter().filter_map(object_of).all(|other| numbers[other].is_some());
        let next = (0..used.len())
            .find(|&object| used[object] && numbers[object].is_none() && is_ready(&situation.objects[object]));
        let Some(next) = next else { break };
        numbers[next] = Some(ordered.objects.len());
        let mut thing = situation.objects[next].clone();
        thing.fields.iter_mut().for_each(|field| renumber(field, &numbers));
        ordered.objects.push(thing);
    }
    if ordered.objects.len() < used.iter().filter(|&&used| used).count() {
        return None;
    }
    for call in &situation.tasks {
        let mut call = call.clone();
        call.object = numbers[call.object]?;
        call.arguments.iter_mut().for_each(|argument| renumber(argument, &numbers));
        ordered.tasks.push(call);
    }
    Some(ordered)
}

fn renumber(value: &mut Datum, numbers: &[Option<usize>]) {
    if let Datum::Object(object) = value {
        *object = numbers[*object].unwrap_or_default();
    }
}

/// Small integers, and those of the program.
fn integers(image: &Image) -> Vec<i64> {
    let mut integers = vec![0, 1, -1];
    for (pc, instruction) in image.code.iter().enumerate() {
        let Instruction::Constant { constant, .. } = instruction else { continue };
        if image.is_library(pc as u32) {
            continue;
        }
        if let Constant::Int(number) = &image.constants[*constant as usize] {
            let near = number.to_i64().filter(|number| number.unsigned_abs() < 1 << 40);
            for number in near.into_iter().flat_map(|number| [number, number + 1, number - 1]) {
                if !integers.contains(&number) {
                    integers.push(number);
                }
            }
        }
    }
    integers
}

/// Whether values of all fields of a class that are read are tried out.
fn is_simple(image: &Image, class: u32) -> bool {
    let inputs = image.classes[class as usize].inputs.iter().enumerate();
    let known = |input: &Input| !matches!(input.shape, Shape::String | Shape::Other);
    inputs.into_iter().all(|(field, input)| known(input) || !is_read(image, class, field as u32))
}

/// Whether a method reads a field.
fn is_read(image: &Image, class: u32, field: u32) -> bool {
    image.code.iter().enumerate().any(|(pc, instruction)| {
        let reads = match *instruction {
            Instruction::Load { field: read, .. } | Instruction::Entry { field: read, .. } => read == field,
            _ => false,
        };
        let body = image.body_at(pc as u32);
        reads && body.class == Some(class) && body.kind == BodyKind::Method
    })
}
