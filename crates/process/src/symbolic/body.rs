//! The program as those see it who ask for its steps.

use mazurka_smt::Sort;
use mazurka_trace::{LocationId, SiteId, Value};

use crate::code::{Image, Instruction, ObjectKind, Stop};
use crate::hir::{BodyKind, Type};

use super::Limits;
use super::summary::Summary;

/// Where a process can rest: the beginning of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(pub(super) usize);

impl Place {
    /// A number of its own, among all places of the program.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A global variable, a mutex, or an array of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// The sort of the term that stands for it.
    pub sort: Sort,
    /// The number of cells, of an array.
    pub length: Option<usize>,
    /// It is one of mutexes.
    pub mutex: bool,
    /// The type of a variable or cell; of a mutex, `Int`.
    pub ty: Type,
    /// The initial values, one for each cell.
    pub initial: Vec<Value>,
    /// The location of the first cell.
    pub first: LocationId,
}

/// A process, a proc or the finally block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// How it comes to run.
    pub kind: BodyKind,
    /// How many of its variables are parameters.
    pub parameters: usize,
    /// Its variables: names and types.
    pub locals: Vec<(String, Type)>,
    /// Where its processes can rest, in the order of the source.
    pub places: Vec<Place>,
    /// It chooses the inputs of the initial state, before anything else happens.
    pub inputs: bool,
}

/// A program whose steps can be requested.
#[derive(Clone, Debug)]
pub struct Symbolic<'a> {
    pub(super) image: &'a Image,
    pub(super) limits: Limits,
    objects: Vec<Object>,
    bodies: Vec<Body>,
    /// Loops, and what is not linear, are uninterpreted functions.
    pub(super) is_abstract: bool,
}

impl<'a> Symbolic<'a> {
    /// The steps of this program, followed so far.
    pub fn new(image: &'a Image, limits: Limits) -> Symbolic<'a> {
        let objects = image.objects.iter().map(|object| describe(image, object)).collect();
        let ends = image.bodies.iter().skip(1).map(|body| body.entry).chain([image.code.len()]);
        let bodies = image.bodies.iter().zip(ends).map(|(body, end)| Body {
            name: body.name.clone(),
            kind: body.kind,
            inputs: body.inputs,
            parameters: body.parameters,
            locals: body.locals.iter().cloned().zip(body.types.iter().copied()).collect(),
            places: (body.entry..end).filter(|&pc| matches!(image.code[pc], Instruction::Stop(_))).map(Place).collect(),
        });
        Symbolic { image, limits, objects, bodies: bodies.collect(), is_abstract: false }
    }

    /// The same with loops within a step, and products and quotients that are not linear, as
    /// uninterpreted functions: see [`summary`](super::summary).
    pub(crate) fn with_functions(self) -> Symbolic<'a> {
        Symbolic { is_abstract: true, ..self }
    }

    /// The loop that begins at an instruction, if it is to be a function.
    pub(super) fn summary(&self, pc: usize) -> Option<Summary> {
        if self.is_abstract { Summary::of(self, pc) } else { None }
    }

    /// The program.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The global variables, then the mutexes.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The processes, procs and the finally block.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The first statement of the step from a place.
    pub fn site(&self, place: Place) -> SiteId {
        self.stop(place).site
    }

    /// Whether the step from a place is one of local code only, which is to be taken as soon as it
    /// can be.
    pub fn is_local(&self, place: Place) -> bool {
        self.stop(place).is_local
    }

    pub(super) fn stop(&self, place: Place) -> Stop {
        match self.image.code[place.0] {
            Instruction::Stop(stop) => stop,
            other => unreachable!("{other:?} is no place to rest"),
        }
    }

    /// The object and, in an array, the index of a location.
    pub(super) fn locate(&self, slot: u32) -> (usize, Option<usize>) {
        let after = self.image.objects.partition_point(|object| object.first <= slot as usize);
        let object = &self.image.objects[after - 1];
        (after - 1, object.length.map(|_| slot as usize - object.first))
    }
}

fn describe(image: &Image, object: &crate::code::Object) -> Object {
    let cells = object.first..object.first + object.length.unwrap_or(1);
    let (ty, mutex) = match object.kind {
        ObjectKind::Variable(ty) => (ty, false),
        ObjectKind::Mutex => (Type::Int, true),
    };
    let sort = if object.length.is_some() { Sort::Array } else { sort(ty) };
    Object {
        name: object.name.clone(),
        sort,
        length: object.length,
        mutex,
        ty,
        initial: image.initial[cells].to_vec(),
        first: LocationId::new(object.first),
    }
}

/// The sort of variables of a type.
pub(crate) fn sort(ty: Type) -> Sort {
    match ty {
        Type::Int => Sort::Int,
        Type::Bool => Sort::Bool,
    }
}
