//! Inputs: making them up, and choosing what they are.

use mazurka_smt::Sort;
use mazurka_trace::Event;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{ActorMachine, Form, Origin, Undo, Unknown};
use crate::code::Image;
use crate::hir::{DataId, InputType, InterfaceId};
use crate::machine::interpreter::{Cpu, Exit};
use crate::machine::registry::NOBODY;
use crate::machine::value::{Kind, Value};
use crate::mutation::{self, Mutation};

impl ActorMachine {
    /// An input: always the same one for the same origin.
    pub(super) fn input(&mut self, origin: Origin, name: String, ty: InputType, depth: u32) -> Value {
        if let Some(&known) = self.inputs().by_origin.get(&origin) {
            self.assume_about(known);
            return known;
        }
        let symbolic = self.inputs();
        let mut name = name;
        while !symbolic.names.insert(name.clone()) {
            name.push('_');
        }
        let value = match ty {
            InputType::Int => {
                let (above, below) = (symbolic.arena.variable(&name, Sort::Int), symbolic.arena.int(1));
                symbolic.value(Form::Number(above, below))
            }
            InputType::Rat => {
                let above = symbolic.arena.variable(&name, Sort::Int);
                let below = symbolic.arena.variable(&format!("{name} (below the line)"), Sort::Int);
                symbolic.value(Form::Number(above, below))
            }
            InputType::Bool => {
                let term = symbolic.arena.variable(&name, Sort::Bool);
                symbolic.value(Form::Truth(term))
            }
            ty => {
                symbolic.unknowns.push(Unknown { name, ty, depth });
                symbolic.bound.push(None);
                symbolic.differs.push(Vec::new());
                symbolic.value(Form::Unknown(symbolic.unknowns.len() as u32 - 1))
            }
        };
        symbolic.by_origin.insert(origin, value);
        self.assume_about(value);
        value
    }

    /// What is below the line of a fraction is above zero.
    fn assume_about(&mut self, value: Value) {
        let Some(Form::Number(_, below)) = self.form(value) else { return };
        let symbolic = self.inputs();
        let one = symbolic.arena.int(1);
        let positive = symbolic.arena.less_equal(one, below);
        if !symbolic.arena.is(positive, true) && !symbolic.conditions.contains(&positive) {
            symbolic.assume(positive);
            let model = match symbolic.model.take() {
                Some(model) => {
                    let mut model = (*model).clone();
                    if !mazurka_smt::look::holds(&symbolic.arena, &[positive], &model) {
                        model.set(below, mazurka_smt::Value::Int(1));
                    }
                    Some(std::sync::Arc::new(model))
                }
                None => None,
            };
            // The old model says nothing of this variable, so it holds without it as well.
            symbolic.model = model;
        }
    }

    /// A number, as a value: decided where it can only be one.
    pub(super) fn number_value(&mut self, above: mazurka_smt::Term, below: mazurka_smt::Term) -> Value {
        let symbolic = self.inputs();
        match (symbolic.arena.constant(above), symbolic.arena.constant(below)) {
            (Some(above), Some(below)) if below != 0 => {
                self.heap.rat(BigRational::new(BigInt::from(above), BigInt::from(below)))
            }
            _ => symbolic.value(Form::Number(above, below)),
        }
    }

    /// Data whose constructor is decided.
    pub(super) fn decide_data(&mut self, cpu: &Cpu<'_>, value: Value, event: &mut Event) -> Result<Value, Exit> {
        let value = self.look_up(value, event);
        let Some(Form::Unknown(unknown)) = self.form(value) else { return Ok(value) };
        let Unknown { ty, depth, .. } = self.inputs().unknowns[unknown as usize].clone();
        let InputType::Data(data, types) = ty else { return Err(self.cut(cpu, unsupported(&ty))) };
        let mut constructors = constructors_of(&self.image, data);
        let deepest = self.inputs().bounds.data_depth;
        if depth >= deepest {
            let all = constructors.len();
            constructors.retain(|&one| self.image.constructors[one as usize].arguments == 0);
            if constructors.is_empty() {
                return Err(self.cut(cpu, "data-depth"));
            }
            if constructors.len() < all && !cpu.is_trial {
                self.inputs().reach("data-depth");
            }
        }
        if constructors.is_empty() {
            return Err(self.cut(cpu, "data without constructors as an input"));
        }
        let chosen = self.fork(cpu, constructors.len() as i64, event)?;
        let chosen = if mutation::on(Mutation::FirstConstructor) { 0 } else { chosen };
        let constructor = constructors[chosen as usize];
        let arguments = self.image.constructors[constructor as usize].types.clone();
        let name = self.inputs().unknowns[unknown as usize].name.clone();
        let parts: Vec<Value> = arguments
            .iter()
            .enumerate()
            .map(|(number, ty)| {
                let origin = Origin::Part(unknown, constructor, number as u32);
                let part = format!("{name}.{}{number}", self.image.constructors[constructor as usize].name);
                self.input(origin, part, ty.over(&types), depth + 1)
            })
            .collect();
        let made = self.heap.construct(constructor, &parts);
        self.inputs().bind(unknown, made);
        Ok(made)
    }

    /// The object that a reference is, which is called.
    pub(super) fn decide_object(&mut self, cpu: &Cpu<'_>, value: Value, event: &mut Event) -> Result<Value, Exit> {
        let value = self.look_up(value, event);
        let Some(Form::Unknown(unknown)) = self.form(value) else { return Ok(value) };
        let ty = self.inputs().unknowns[unknown as usize].ty.clone();
        let InputType::Object(interface) = ty else { return Err(self.cut(cpu, unsupported(&ty))) };
        let (mut candidates, fresh) = self.candidates(unknown, interface, cpu);
        let is_null = |machine: &mut Self, value: Value| machine.inputs().differs[unknown as usize].contains(&value);
        if self.inputs().bounds.null && !is_null(self, Value::NULL) {
            candidates.push(Value::NULL);
        }
        let ways = candidates.len() + fresh.len();
        if ways == 0 {
            return Err(self.cut(cpu, "no object for a reference"));
        }
        let chosen = self.fork(cpu, ways as i64, event)? as usize;
        let object = match candidates.get(chosen) {
            Some(&object) => object,
            None if cpu.is_trial => return Err(Exit::Guard(true)),
            None => self.make_input(fresh[chosen - candidates.len()]),
        };
        self.inputs().bind(unknown, object);
        Ok(object)
    }

    /// The input objects that a reference can be, and the classes of new ones.
    fn candidates(&mut self, unknown: u32, interface: InterfaceId, cpu: &Cpu<'_>) -> (Vec<Value>, Vec<u32>) {
        let differs: Vec<Value> = self.inputs().differs[unknown as usize].clone();
        let differs: Vec<Value> = differs.into_iter().map(|value| self.resolve(value)).collect();
        let there: Vec<Value> = self.input_objects().into_iter().map(Value::object).collect();
        let fits = |object: &Value| self.fits(*object, interface) && !differs.contains(object);
        let there: Vec<Value> = there.into_iter().filter(fits).collect();
        let image = std::sync::Arc::clone(&self.image);
        let symbolic = self.inputs();
        let implements = |class: &u32| image.classes[*class as usize].interfaces.contains(&interface.0);
        let all: Vec<u32> = (0..symbolic.classes as u32).filter(implements).collect();
        let few = |class: &u32| {
            let made = symbolic.made.iter().filter(|(_, of)| of == class).count();
            made < symbolic.bounds.input_objects as usize
        };
        let fresh: Vec<u32> = all.iter().copied().filter(few).collect();
        if fresh.len() < all.len() && !cpu.is_trial {
            symbolic.reach("input-objects");
        }
        (there, fresh)
    }

    /// The input objects: those of the situation, and those that were made up since.
    pub(super) fn input_objects(&self) -> Vec<u32> {
        let Some(symbolic) = &self.symbolic else { return Vec::new() };
        let given = (0..symbolic.situation.objects.len() as u32).filter_map(|nth| {
            let class = symbolic.classes as u32 + nth;
            self.registry.find_object(0, nth, class, false)
        });
        given.chain(symbolic.made.iter().map(|&(object, _)| object)).collect()
    }

    /// Whether an object is one of an interface.
    pub(super) fn fits(&self, object: Value, interface: InterfaceId) -> bool {
        let Kind::Object(object) = object.kind() else { return false };
        let class = self.registry.objects[object as usize].class;
        self.image.classes[class as usize].interfaces.contains(&interface.0)
    }

    /// A new input object, whose fields are inputs.
    fn make_input(&mut self, class: u32) -> Value {
        let nth = (self.inputs().situation.objects.len() + self.inputs().made.len()) as u32;
        let object = match self.registry.find_object(0, nth, class, false) {
            Some(object) => object,
            None => self.new_object(0, nth, class, None),
        };
        if self.makers.len() <= object as usize {
            self.makers.resize(object as usize + 1, (0, NOBODY));
        }
        self.makers[object as usize] = (self.image.bodies[self.image.main as usize].entry, NOBODY);
        let symbolic = self.inputs();
        symbolic.made.push((object, class));
        symbolic.log.push(Undo::Object);
        let first = self.registry.objects[object as usize].fields;
        let code = self.image.classes[class as usize].clone();
        for (field, (name, input)) in code.fields.iter().zip(&code.inputs).enumerate() {
            let name = format!("{}{}.{name}", code.name.to_lowercase(), nth + 1);
            let origin = Origin::Field(object, field as u32);
            let value = self.input(origin, name, input.ty.clone(), 0);
            self.cells.set(first + field as u32, value);
        }
        Value::object(object)
    }
}

/// The constructors of a data type.
pub(super) fn constructors_of(image: &Image, data: DataId) -> Vec<u32> {
    (0..image.constructors.len() as u32).filter(|&one| image.constructors[one as usize].data == data).collect()
}

/// What cannot be decided, in words.
pub(super) fn unsupported(ty: &InputType) -> &'static str {
    match ty {
        InputType::Future => "a future as an input",
        InputType::String => "a function of an unknown text",
        InputType::Object(_) => "an object as a value",
        _ => "an input of an unknown type",
    }
}
