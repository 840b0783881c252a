//! What is to know of a program's functions before their calls are followed.

use crate::code::{BodyKind, Image, Instruction};
use crate::hir::{Builtin, Operator};

/// What becomes of a call of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Treatment {
    /// It is followed.
    Followed,
    /// It calls itself and always has a value: nothing is known but that equal arguments lead to
    /// equal values.
    Opaque,
    /// It calls itself and may fail: who calls it is not looked into.
    Avoided,
    /// One of the library that looks at one entry of a map, or changes it.
    Entry(EntryFunction),
}

/// Functions of the library about one entry of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryFunction {
    Put,
    Remove,
    LookUp,
    LookUpDefault,
    LookUpUnsafe,
}

impl EntryFunction {
    fn named(name: &str) -> Option<EntryFunction> {
        Some(match name {
            "put" => EntryFunction::Put,
            "removeKey" => EntryFunction::Remove,
            "lookup" | "lookupMaybe" => EntryFunction::LookUp,
            "lookupDefault" => EntryFunction::LookUpDefault,
            "lookupUnsafe" => EntryFunction::LookUpUnsafe,
            _ => return None,
        })
    }
}

/// What becomes of calls of each body; of methods' it does not matter.
pub(super) fn treatments(image: &Image) -> Vec<Treatment> {
    let callees: Vec<Vec<usize>> = (0..image.bodies.len()).map(|body| callees(image, body)).collect();
    let reached: Vec<Vec<bool>> = (0..callees.len()).map(|body| reached(&callees, body)).collect();
    let fails: Vec<bool> = (0..callees.len()).map(|body| fails(image, body)).collect();
    let maps = super::value::keeps_maps_in_order(image);
    let treatment = |body: usize| {
        let of = &image.bodies[body];
        let entry = EntryFunction::named(&of.name).filter(|_| maps && image.is_library(of.entry));
        match entry {
            _ if of.kind != BodyKind::Function => Treatment::Avoided,
            Some(entry) => Treatment::Entry(entry),
            None if !reached[body][body] => Treatment::Followed,
            None if fails[body] || (0..fails.len()).any(|other| reached[body][other] && fails[other]) => {
                Treatment::Avoided
            }
            None => Treatment::Opaque,
        }
    };
    (0..callees.len()).map(treatment).collect()
}

/// The code of a body: up to where the next one begins.
fn code(image: &Image, body: usize) -> &[Instruction] {
    let start = image.bodies[body].entry as usize;
    let length = image.owners[start..].iter().take_while(|&&owner| owner as usize == body).count();
    &image.code[start..start + length]
}

fn callees(image: &Image, body: usize) -> Vec<usize> {
    let called = code(image, body).iter().filter_map(|instruction| match *instruction {
        Instruction::Call { function, .. } | Instruction::Closure { function, .. } => Some(function as usize),
        _ => None,
    });
    called.collect()
}

/// The bodies that are called from one, directly or by way of others.
fn reached(callees: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; callees.len()];
    let mut todo = callees[from].clone();
    while let Some(body) = todo.pop() {
        if !std::mem::replace(&mut reached[body], true) {
            todo.extend(&callees[body]);
        }
    }
    reached
}

/// Whether a body itself may have no value, or another one each time.
fn fails(image: &Image, body: usize) -> bool {
    code(image, body).iter().any(|instruction| match *instruction {
        Instruction::NoMatch { exhaustive } => !exhaustive,
        Instruction::Binary { operator, .. } => matches!(operator, Operator::Divide | Operator::Remainder),
        Instruction::Builtin { builtin, .. } => matches!(builtin, Builtin::Substring | Builtin::Random),
        Instruction::CallLocal { .. } | Instruction::Throw { .. } | Instruction::Assert { .. } => true,
        _ => false,
    })
}
