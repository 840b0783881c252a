//! Situations: contexts with values for all fields and arguments. A program can begin with one.
//!
//! The machine knows nothing of them: a situation is a main block of its own. It makes the objects,
//! whose fields are what the situation says, without running initialisers, and calls the tasks.

mod candidates;
mod free;
mod text;

pub use candidates::{Candidates, Untried};

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::code::{Body, BodyKind, ClassCode, Constant, FRAME, Image, Instruction, Pc, Slot};
use crate::hir::{InputType, Kind, Operator};

/// A value of a field or an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    /// An integer.
    Int(BigInt),
    /// A fraction that is no integer.
    Rat(BigRational),
    /// A truth value.
    Bool(bool),
    /// A text.
    String(String),
    /// A constructor, by its number, with its arguments.
    Data(u32, Vec<Datum>),
    /// No object. Also where nobody looks.
    Null,
    /// The object of this number.
    Object(usize),
    /// Not decided: the name of the input, and its type.
    Free(String, InputType),
}

impl Datum {
    /// Calls something with each object in it.
    pub(crate) fn each_object(&self, mut then: impl FnMut(usize)) {
        let mut left = vec![self];
        while let Some(value) = left.pop() {
            match value {
                Datum::Object(object) => then(*object),
                Datum::Data(_, arguments) => left.extend(arguments),
                _ => {}
            }
        }
    }
}

/// An object that is there at the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Its name.
    pub name: String,
    /// The number of its class.
    pub class: u32,
    /// The values of its fields.
    pub fields: Vec<Datum>,
}

/// A task that is there at the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The number of its object.
    pub object: usize,
    /// The number of its method's body.
    pub method: u32,
    /// Its arguments.
    pub arguments: Vec<Datum>,
}

/// A context with values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Situation {
    /// The objects.
    pub objects: Vec<Thing>,
    /// The tasks.
    pub tasks: Vec<Call>,
}

impl Image {
    /// The same program, begun with a situation instead of its main block.
    pub fn begun_with(&self, situation: &Situation) -> Image {
        self.begun(situation, false)
    }

    /// Likewise, and the results of the tasks are kept.
    pub fn begun_keeping(&self, situation: &Situation) -> Image {
        self.begun(situation, true)
    }

    fn begun(&self, situation: &Situation, keeps: bool) -> Image {
        let mut beginning = Beginning { image: self.clone(), height: 0, keeps };
        let classes: Vec<u32> = situation.objects.iter().map(|thing| beginning.class(thing.class)).collect();
        beginning.main(situation, &classes);
        beginning.image
    }
}

struct Beginning {
    image: Image,
    /// The words that the frame of the body at hand needs.
    height: Slot,
    /// Somebody wants the results of the tasks.
    keeps: bool,
}

impl Beginning {
    /// A class like another one whose objects are given all their fields when they are made.
    fn class(&mut self, class: u32) -> u32 {
        let code = self.image.classes[class as usize].clone();
        let (entry, fields) = (self.place(class), code.fields.len() as u32);
        let start = self.here();
        self.emit(Instruction::Begin, entry);
        for field in 0..fields {
            self.emit(Instruction::Store { field, from: FRAME + field }, entry);
        }
        self.emit(Instruction::ReturnThis, entry);
        self.height = FRAME + fields;
        let init = self.body(&code.name, start, BodyKind::Init, Some(class), fields);
        self.image.classes.push(ClassCode { init, ..code });
        self.image.classes.len() as u32 - 1
    }

    fn main(&mut self, situation: &Situation, classes: &[u32]) {
        let place = situation.objects.first().map_or(0, |thing| self.place(thing.class));
        let start = self.here();
        self.emit(Instruction::Begin, place);
        let first = FRAME + situation.objects.len() as Slot;
        self.height = first + FRAME;
        for (number, (thing, &class)) in situation.objects.iter().zip(classes).enumerate() {
            let (to, place) = (FRAME + number as Slot, self.place(thing.class));
            let known = |field: &Datum| if refers_beyond(field, number) { Datum::Null } else { field.clone() };
            let fields: Vec<Datum> = thing.fields.iter().map(known).collect();
            let count = self.values(&fields, first, place);
            self.emit(Instruction::New { to, class, local: false, first, count }, place);
        }
        // Objects that refer to others that are made after them, or to themselves.
        for (number, thing) in situation.objects.iter().enumerate() {
            if thing.fields.iter().any(|field| refers_beyond(field, number)) {
                let (object, place) = (FRAME + number as Slot, self.place(thing.class));
                let count = self.values(&thing.fields, first, place);
                self.emit(Instruction::Fill { object, first, count }, place);
            }
        }
        for call in &situation.tasks {
            let place = self.image.bodies[call.method as usize].entry;
            let count = self.values(&call.arguments, first, place);
            let class = &self.image.classes[situation.objects[call.object].class as usize];
            let selector = class.methods.iter().position(|&body| body == Some(call.method));
            let selector = selector.expect("the method is one of the object's class") as u32;
            let receiver = FRAME + call.object as Slot;
            self.emit(Instruction::Async { to: first, receiver, selector, first, count, is_kept: self.keeps }, place);
        }
        let unit = self.constant(Constant::Constructor(self.image.known.unit.0));
        self.emit(Instruction::Constant { to: first, constant: unit }, place);
        self.emit(Instruction::Return { from: first }, place);
        self.image.main = self.body("main", start, BodyKind::Method, None, 0);
    }

    /// Leaves values where the frame of a call will be.
    fn values(&mut self, values: &[Datum], first: Slot, place: Pc) -> u32 {
        for (number, value) in values.iter().enumerate() {
            self.value(value, first + FRAME + number as Slot, place);
        }
        values.len() as u32
    }

    /// Leaves a value in a slot. Those above it are free. Values nest no deeper than they are read,
    /// or made up.
    fn value(&mut self, value: &Datum, to: Slot, place: Pc) {
        self.height = self.height.max(to + 1);
        let known = self.image.known;
        let constant = match value {
            Datum::Int(number) => Constant::Int(number.clone()),
            Datum::Rat(number) => return self.fraction(number, to, place),
            Datum::Bool(true) => Constant::Constructor(known.yes.0),
            Datum::Bool(false) => Constant::Constructor(known.no.0),
            Datum::String(text) => Constant::String(text.clone()),
            Datum::Data(constructor, arguments) if arguments.is_empty() => Constant::Constructor(*constructor),
            Datum::Data(constructor, arguments) => {
                let first = to + 1;
                for (argument, slot) in arguments.iter().zip(first..) {
                    self.value(argument, slot, place);
                }
                let (constructor, count) = (*constructor, arguments.len() as u32);
                self.emit(Instruction::Construct { to, constructor, first, count }, place);
                return;
            }
            Datum::Null => {
                self.emit(Instruction::Null { to }, place);
                return;
            }
            Datum::Object(object) => {
                self.emit(Instruction::Copy { to, from: FRAME + *object as Slot }, place);
                return;
            }
            Datum::Free(name, ty) => {
                self.image.inputs.push((name.clone(), ty.clone()));
                Constant::Input(self.image.inputs.len() as u32 - 1)
            }
        };
        let constant = self.constant(constant);
        self.emit(Instruction::Constant { to, constant }, place);
    }

    fn fraction(&mut self, number: &BigRational, to: Slot, place: Pc) {
        self.value(&Datum::Int(number.numer().clone()), to, place);
        self.value(&Datum::Int(number.denom().clone()), to + 1, place);
        self.emit(Instruction::Binary { operator: Operator::Divide, to, left: to, right: to + 1 }, place);
    }

    fn constant(&mut self, constant: Constant) -> u32 {
        let constants = &mut self.image.constants;
        constants.iter().position(|known| *known == constant).unwrap_or_else(|| {
            constants.push(constant);
            constants.len() - 1
        }) as u32
    }

    fn here(&self) -> Pc {
        self.image.code.len() as Pc
    }

    /// Where a class stands in the source: an instruction of it.
    fn place(&self, class: u32) -> Pc {
        self.image.bodies[self.image.classes[class as usize].init as usize].entry
    }

    fn emit(&mut self, instruction: Instruction, place: Pc) {
        let span = self.image.places[place as usize];
        self.image.code.push(instruction);
        self.image.places.push(span);
        self.image.owners.push(self.image.bodies.len() as u32);
    }

    fn body(&mut self, name: &str, entry: Pc, kind: BodyKind, class: Option<u32>, parameters: u32) -> u32 {
        self.image.bodies.push(Body {
            name: name.to_owned(),
            entry,
            parameters,
            size: self.height + FRAME,
            kind,
            handlers: Vec::new(),
            class,
            straight: false,
            kinds: Vec::new(),
            inputs: Vec::new(),
            result: Kind::Other,
        });
        self.image.bodies.len() as u32 - 1
    }
}

/// Whether a field of the object of this number refers to one that is not made before it.
fn refers_beyond(field: &Datum, number: usize) -> bool {
    let mut found = false;
    field.each_object(|object| found |= object >= number);
    found
}
