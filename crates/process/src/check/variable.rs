//! Global variables and mutexes: lengths and initial values.

use std::ops::Range;

use super::input::InitialInput;
use super::{Checker, type_name};
use crate::hir::{Global, GlobalId, Mutex, Span, Type};
use crate::syntax::ast::{Declarator, Expression, Initial, Item, NodeKind};
use mazurka_source::Diagnostic;
use mazurka_trace::Value;

/// How many cells all variables and mutexes of a program may have together.
const CELLS: usize = 16_777_216;

/// The length of an array whose length is wrong: it has been reported, and no index is out of its
/// bounds.
pub(super) const UNKNOWN_LENGTH: usize = usize::MAX;

impl<'s> Checker<'_, 's> {
    /// Checks the declarations of all variables and mutexes.
    pub(super) fn variables(&mut self) {
        let mut cells = 0;
        for item in &self.file.items {
            self.reported.clear();
            match item {
                Item::Globals(ty, declarators) => declarators.iter().for_each(|d| self.global(*ty, d, &mut cells)),
                Item::Mutexes(declarators) => declarators.iter().for_each(|d| self.mutex(d, &mut cells)),
                Item::Const(..) | Item::Body(_) | Item::Independent(_) => {}
            }
        }
    }

    fn global(&mut self, ty: Type, declarator: &Declarator<'s>, cells: &mut usize) {
        let length = self.array_length(declarator, cells);
        let initial = self.initial(ty, declarator, length);
        let name = declarator.name;
        self.program.globals.push(Global { name: name.text.to_string(), ty, length, initial, span: name.span });
    }

    fn mutex(&mut self, declarator: &Declarator<'s>, cells: &mut usize) {
        let length = self.array_length(declarator, cells);
        let name = declarator.name;
        self.program.mutexes.push(Mutex { name: name.text.to_string(), length, span: name.span });
        let poisoned = |value: &Initial| matches!(value, Initial::Value(value) if self.is_poison(*value));
        if declarator.initial.as_ref().is_some_and(|value| !poisoned(value)) {
            let label = "expected a name, with or without a length";
            self.sink.push(Diagnostic::new(declarator.span, "a mutex has no initial value", label));
        }
    }

    /// Whether it stands for what could not be read.
    fn is_poison(&self, expression: Expression) -> bool {
        matches!(self.file.nodes[expression.root.0 as usize].kind, NodeKind::Error)
    }

    /// The length of what is declared, counted into the cells of the program.
    fn array_length(&mut self, declarator: &Declarator<'s>, cells: &mut usize) -> Option<usize> {
        let Some(expression) = declarator.length else {
            *cells += 1;
            return None;
        };
        let length = self.length(expression, "the length of an array", "cells", CELLS, cells);
        Some(length.unwrap_or(UNKNOWN_LENGTH))
    }

    /// A constant (`what`) that says how many there are of some `things`; all of them together are
    /// at most `limit`.
    pub(super) fn length(
        &mut self,
        expression: Expression,
        what: &str,
        things: &str,
        limit: usize,
        total: &mut usize,
    ) -> Option<usize> {
        let value = self.constant_of(expression, Type::Int, what)?;
        let length = usize::try_from(value).ok().filter(|&length| length > 0);
        let fits = length.and_then(|length| total.checked_add(length)).filter(|&sum| sum <= limit);
        if let Some(sum) = fits {
            *total = sum;
            return length;
        }
        let span = self.file.nodes[expression.root.0 as usize].span;
        self.sink.push(match length {
            None => Diagnostic::new(span, format!("{what} is {value}"), "expected at least 1"),
            Some(_) => too_many(span, things, limit),
        });
        None
    }

    /// The initial values, one for each cell.
    fn initial(&mut self, ty: Type, declarator: &Declarator<'s>, length: Option<usize>) -> Vec<Value> {
        let cells = length.unwrap_or(1);
        let value = match &declarator.initial {
            None => 0,
            Some(Initial::Value(value)) => {
                let every = if cells == UNKNOWN_LENGTH { 0..0 } else { 0..cells };
                self.initial_value(ty, *value, length.map(|_| every))
            }
            Some(Initial::List(values, span)) => {
                let values = values.iter().enumerate();
                let values: Vec<Value> =
                    values.map(|(cell, value)| self.initial_value(ty, *value, Some(cell..cell + 1))).collect();
                if length.is_none() {
                    let message = format!("`{}` is not an array", declarator.name.text);
                    self.sink.push(Diagnostic::new(*span, message, format!("expected {}", type_name(ty))));
                } else if cells != values.len() && cells != UNKNOWN_LENGTH {
                    let message = format!("`{}` has {}", declarator.name.text, count(cells, "cell"));
                    let label = format!("expected {}, found {}", count(cells, "value"), values.len());
                    self.sink.push(Diagnostic::new(*span, message, label));
                }
                return values;
            }
        };
        if cells == UNKNOWN_LENGTH { Vec::new() } else { vec![value; cells] }
    }

    /// The initial value of a plain variable, or of these cells. That of an input is 0, or its
    /// smallest one, until it is chosen.
    fn initial_value(&mut self, ty: Type, value: Expression, cells: Option<Range<usize>>) -> Value {
        let Some(input) = self.initial_input(ty, value) else {
            return self.constant_of(value, ty, "the initial value").unwrap_or_default();
        };
        let global = GlobalId(self.program.globals.len() as u32);
        let cells: Vec<Option<usize>> = cells.map_or(vec![None], |cells| cells.map(Some).collect());
        self.initial_inputs.extend(cells.into_iter().map(|cell| InitialInput { global, cell, ty, input, last: false }));
        input.before()
    }
}

/// A number of things, for messages.
pub(super) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// The diagnostic for a declaration by which a program gets larger than it may be.
pub(super) fn too_many(span: Span, things: &str, limit: usize) -> Diagnostic {
    let message = format!("with this, the program has more than {limit} {things}");
    Diagnostic::new(span, message, format!("expected at most {limit} {things} in the whole program"))
}
