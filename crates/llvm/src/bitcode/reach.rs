//! Which bodies a file's wanted symbols need.
//!
//! A symbol needs what it is made of: a function the symbols that its instructions name, a variable
//! those of its initial value, an alias its target. What debug information names is not needed:
//! nothing runs it.

use crate::ir::{CallTarget, ConstantId, ConstantKind, FunctionId, Module, Operand};

use super::error::Result;
use super::module::Decoder;
use super::stream::Stream;

/// Says of a name whether it is wanted.
pub(super) type Wanted<'w> = &'w dyn Fn(&str) -> bool;

/// What is needed, and has not been looked at.
#[derive(Default)]
struct Reach {
    /// For each constant, whether it is needed.
    constants: Vec<bool>,
    /// The needed constants whose parts were not looked at.
    left: Vec<ConstantId>,
    /// For each function, whether it is needed.
    functions: Vec<bool>,
    /// The needed functions whose bodies were not looked at.
    bodies: Vec<FunctionId>,
}

/// Reads the bodies that the wanted symbols need.
pub(super) fn read_bodies(stream: &mut Stream<'_>, decoder: &mut Decoder<'_>, wanted: Wanted<'_>) -> Result<()> {
    let mut reach = Reach::default();
    reach.begin(&decoder.module, wanted);
    loop {
        if let Some(id) = reach.left.pop() {
            reach.constant(&decoder.module, id);
        } else if let Some(id) = reach.bodies.pop() {
            decoder.postponed_body(stream, id)?;
            reach.body(&decoder.module, id);
        } else {
            return Ok(());
        }
    }
}

impl Reach {
    fn begin(&mut self, module: &Module, wanted: Wanted<'_>) {
        self.functions = vec![false; module.functions.len()];
        for (index, _) in module.functions.iter().enumerate().filter(|(_, function)| wanted(&function.name)) {
            self.need_function(FunctionId(index as u32));
        }
        for global in module.globals.iter().filter(|global| wanted(&global.name)) {
            self.need_all(global.initial);
        }
        for alias in module.aliases.iter().filter(|alias| wanted(&alias.name)) {
            self.need(alias.target);
        }
    }

    fn need(&mut self, id: ConstantId) {
        if self.constants.len() <= id.index() {
            self.constants.resize(id.index() + 1, false);
        }
        if !std::mem::replace(&mut self.constants[id.index()], true) {
            self.left.push(id);
        }
    }

    fn need_all(&mut self, ids: impl IntoIterator<Item = ConstantId>) {
        ids.into_iter().for_each(|id| self.need(id));
    }

    fn need_function(&mut self, id: FunctionId) {
        if !std::mem::replace(&mut self.functions[id.index()], true) {
            self.bodies.push(id);
        }
    }

    /// What a constant is made of is needed.
    fn constant(&mut self, module: &Module, id: ConstantId) {
        let kind = &module.constant(id).kind;
        match *kind {
            ConstantKind::Function(function) | ConstantKind::BlockAddress(function, _) => self.need_function(function),
            ConstantKind::Global(global) => self.need_all(module.globals[global.index()].initial),
            ConstantKind::Alias(alias) => self.need(module.aliases[alias.index()].target),
            _ => self.need_all(kind.operands()),
        }
    }

    /// What a function names is needed.
    fn body(&mut self, module: &Module, id: FunctionId) {
        let function = &module.functions[id.index()];
        self.need_all([function.personality, function.prefix, function.prologue].into_iter().flatten());
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(CallTarget::Function(callee)) = instruction.kind.call().map(|call| call.target) {
                self.need_function(callee);
            }
            instruction.kind.operands(&mut |operand| {
                if let Operand::Constant(id) = operand {
                    self.need(id);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{decode, decode_reached};
    use super::*;

    const LIBRARY: &[u8] = include_bytes!("../../runtime/runtime.bc");

    /// The functions that the bodies of a module name, with or without a body of their own.
    fn named(module: &Module) -> Vec<FunctionId> {
        let mut found = Vec::new();
        let mut constants: Vec<ConstantId> = Vec::new();
        for instruction in
            module.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions)
        {
            if let Some(CallTarget::Function(callee)) = instruction.kind.call().map(|call| call.target) {
                found.push(callee);
            }
            instruction.kind.operands(&mut |operand| {
                if let Operand::Constant(id) = operand {
                    constants.push(id);
                }
            });
        }
        while let Some(id) = constants.pop() {
            match &module.constant(id).kind {
                ConstantKind::Function(function) => found.push(*function),
                kind => constants.extend(kind.operands()),
            }
        }
        found
    }

    fn instructions(module: &Module, index: usize) -> Vec<String> {
        let blocks = module.functions[index].blocks.iter();
        blocks
            .flat_map(|block| &block.instructions)
            .map(|one| format!("{:?}", std::mem::discriminant(&one.kind)))
            .collect()
    }

    #[test]
    fn what_is_wanted_comes_with_all_that_it_names() {
        let whole = decode(LIBRARY).unwrap();
        for wanted in ["qsort", "strtol", "pthread_key_create", "__cxa_thread_atexit", "exit", "scalbnl"] {
            let part = decode_reached(LIBRARY, &|name| name == wanted).unwrap();
            let bodies =
                |module: &Module| module.functions.iter().filter(|function| !function.is_declaration()).count();
            assert!((1..bodies(&whole) / 2).contains(&bodies(&part)), "{wanted}: {} bodies", bodies(&part));
            let index = part.functions.iter().position(|function| function.name == wanted).unwrap();
            assert!(!part.functions[index].is_declaration(), "{wanted}");
            for function in named(&part) {
                let (there, here) = (&whole.functions[function.index()], &part.functions[function.index()]);
                assert_eq!(there.is_declaration(), here.is_declaration(), "{wanted}: {}", here.name);
            }
            for index in (0..part.functions.len()).filter(|&index| !part.functions[index].is_declaration()) {
                assert_eq!(instructions(&whole, index), instructions(&part, index), "{wanted}");
            }
        }
    }

    #[test]
    fn what_nobody_wants_is_left_out() {
        let module = decode_reached(LIBRARY, &|_| false).unwrap();
        assert!(module.functions.iter().all(|function| function.is_declaration()));
    }

    #[test]
    fn what_everybody_wants_is_the_whole() {
        let (whole, part) = (decode(LIBRARY).unwrap(), decode_reached(LIBRARY, &|_| true).unwrap());
        // A static function that nothing names would not be there; clang leaves those out.
        for (there, here) in whole.functions.iter().zip(&part.functions) {
            assert_eq!(there.is_declaration(), here.is_declaration(), "{}", there.name);
        }
    }

    #[test]
    fn a_damaged_file_is_refused_or_read() {
        for at in (0..LIBRARY.len()).step_by(997) {
            let mut bytes = LIBRARY.to_vec();
            bytes[at] ^= 0x55;
            let _ = decode_reached(&bytes, &|name| name == "qsort");
        }
        for length in (0..LIBRARY.len()).step_by(9973) {
            assert!(decode_reached(&LIBRARY[..length], &|_| true).is_err());
        }
    }
}
