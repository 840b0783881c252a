//! Checking: names, types, arities and limits, all of them in one run; what comes out is the
//! program of [`crate::hir`].
//!
//! An error does not end the check. What it leaves unknown (a name, a type, a value) is poisoned:
//! nothing more is said about what depends on it.

mod body;
mod choices;
mod constant;
mod expression;
mod fold;
mod independence;
mod input;
mod locals;
mod names;
mod statement;
#[cfg(test)]
mod tests;
mod variable;

use rustc_hash::{FxHashMap, FxHashSet};

use self::constant::Constant;
use self::expression::Scratch;
use self::input::InitialInput;
use self::locals::Locals;
use self::names::Names;
use crate::hir::{self, BodyId, Span, Type};
use crate::syntax::ast::{self, Item};
use mazurka_source::{Diagnostic, Sink};

/// Reads and checks a program of the process notation.
///
/// `file` is only named in diagnostics. `overrides` give constants a value other than the one in
/// the source.
///
/// # Errors
///
/// All that is wrong with the program, in the order of the source; of very many errors the first
/// few.
pub fn compile(file: &str, source: &str, overrides: &[(String, i64)]) -> Result<hir::Program, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let program = crate::syntax::parse(source, &mut sink).map(|file| Checker::new(&file, &mut sink).run(overrides));
    match program {
        Some(program) if sink.is_empty() => Ok(program),
        _ => Err(sink.finish(file)),
    }
}

/// The check of one file.
struct Checker<'a, 's> {
    file: &'a ast::File<'s>,
    sink: &'a mut Sink,
    /// The program as far as it is checked.
    program: hir::Program,
    /// What the names of declarations mean.
    names: Names<'s>,
    /// The constants, in the order of their declaration.
    constants: Vec<Constant>,
    /// The named atomic blocks met so far: the body each stands in, and its name's place.
    atomics: FxHashMap<&'s str, (BodyId, Span)>,
    /// The local variables of the body that is being checked.
    locals: Locals<'s>,
    /// The unknown names that were reported in this body: once is enough.
    reported: FxHashSet<&'s str>,
    /// In how many blocks it stands that a constant condition cuts off. There, an index or a
    /// division that would fail is no error: it is how a program guards itself against the values
    /// that its constants may be given.
    dead: usize,
    /// In how many loops it stands.
    loops: usize,
    /// The inputs of the initial state.
    initial_inputs: Vec<InitialInput>,
    scratch: Scratch,
}

impl<'a, 's> Checker<'a, 's> {
    fn new(file: &'a ast::File<'s>, sink: &'a mut Sink) -> Self {
        Checker {
            file,
            sink,
            program: hir::Program::default(),
            names: Names::default(),
            constants: Vec::new(),
            atomics: FxHashMap::default(),
            locals: Locals::default(),
            reported: FxHashSet::default(),
            dead: 0,
            loops: 0,
            initial_inputs: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Checks all declarations. The order of the steps is what lets a body use what is declared
    /// below it.
    fn run(mut self, overrides: &[(String, i64)]) -> hir::Program {
        let file = self.file;
        self.collect_names();
        self.constants(overrides);
        self.variables();
        self.signatures();
        self.bodies();
        for item in &file.items {
            if let Item::Independent(independent) = item {
                self.independence(independent);
            }
        }
        self.need_a_process();
        self.inputs();
        choices::forbid_before_waiting(&self.program, self.sink);
        self.program
    }

    /// The bodies as they are written, in the order of [`hir::Program::bodies`].
    fn written_bodies(&self) -> impl Iterator<Item = &'a ast::Body<'s>> + use<'a, 's> {
        self.file.items.iter().filter_map(|item| match item {
            Item::Body(body) => Some(body),
            Item::Const(..) | Item::Globals(..) | Item::Mutexes(..) | Item::Independent(..) => None,
        })
    }

    /// An empty program does nothing, and "verified" would be said of it. Not reported beside other
    /// errors: the process may be what could not be read.
    fn need_a_process(&mut self) {
        let started = |body: &hir::Body| !matches!(body.kind, hir::BodyKind::Proc | hir::BodyKind::Finally);
        if self.sink.is_empty() && !self.program.bodies.iter().any(started) {
            let problem = Diagnostic::general("a program needs at least one `process`");
            self.sink.push(problem.help("for example: `process p { x = 1; }`"));
        }
    }
}

/// A type with its article, for messages.
fn a_type(ty: Type) -> &'static str {
    match ty {
        Type::Int => "an int",
        Type::Bool => "a bool",
    }
}

/// A type, for messages.
fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Int => "int",
        Type::Bool => "bool",
    }
}
