//! Constants: `const` declarations, what the command line gives them, and the expressions that must
//! be constant.

use rustc_hash::FxHashMap;

use super::expression::Context;
use super::names::Meaning;
use super::{Checker, a_type, type_name};
use crate::hir::Type;
use crate::syntax::ast::{Expression, Item, Name};
use mazurka_source::Diagnostic;
use mazurka_trace::Value;

/// A declared constant.
pub(super) struct Constant {
    /// Its type and value; `None` if it is poisoned.
    value: Option<(Type, Value)>,
    /// Where its declaration ends: from there on it may be used.
    end: u32,
}

impl<'s> Checker<'_, 's> {
    /// Evaluates the constants in order; a given value takes the place of the one in the source,
    /// the last if several are given.
    pub(super) fn constants(&mut self, overrides: &[(String, i64)]) {
        let given: FxHashMap<&str, i64> = overrides.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        self.check_overrides(overrides);
        for item in &self.file.items {
            if let Item::Const(name, expression, span) = item {
                self.reported.clear();
                let value = self.constant(*expression);
                let value = match (value, given.get(name.text)) {
                    (Some((ty, _)), Some(&given)) => self.overridden(name, ty, given),
                    (value, None) | (value @ None, Some(_)) => value,
                };
                self.constants.push(Constant { value, end: span.end });
            }
        }
    }

    /// A given value is a number; for a bool, 1 means true and 0 false.
    fn overridden(&mut self, name: &Name<'s>, ty: Type, given: i64) -> Option<(Type, Value)> {
        if ty == Type::Int || matches!(given, 0 | 1) {
            return Some((ty, given));
        }
        let message = format!("`{}` is given the number {given}, but it is {}", name.text, a_type(ty));
        let help = "give it `true` or `false`";
        let mut problem = Diagnostic::general(message).help(help).note(name.span, "it is declared here");
        problem.label = format!("expected {}", type_name(ty));
        self.sink.push(problem);
        None
    }

    fn check_overrides(&mut self, overrides: &[(String, i64)]) {
        let is_constant = |meaning| matches!(meaning, Meaning::Constant(_));
        for (name, value) in overrides {
            let help = match self.names.get(name) {
                Some((meaning, _)) if is_constant(meaning) => continue,
                None if self.names.is_poisoned(name) => continue,
                Some((meaning, _)) => Some(format!("`{name}` is {}", meaning.describe())),
                None => self.suggestion(name, is_constant),
            };
            let message = format!("`{name}` is given the value {value}, but there is no constant of that name");
            self.sink.push(Diagnostic::general(message).maybe_help(help));
        }
    }

    /// The value of a constant where it is used.
    pub(super) fn constant_value(&mut self, index: usize, name: Name<'s>) -> Option<(Type, Value)> {
        match self.constants.get(index) {
            Some(constant) if constant.end <= name.span.start => constant.value,
            Some(_) | None => {
                if self.reported.insert(name.text) {
                    let message = format!("the constant `{}` is used before its declaration", name.text);
                    let problem = Diagnostic::new(name.span, message, "expected a constant declared above");
                    let declared = self.names.get(name.text).map(|(_, span)| span);
                    self.sink.push(problem.note(declared.unwrap_or(name.span), "it is declared here"));
                }
                None
            }
        }
    }

    /// The type and value of an expression that must be constant; `None` if something is wrong with
    /// it, which has been reported.
    fn constant(&mut self, expression: Expression) -> Option<(Type, Value)> {
        let before = self.program.exprs.len();
        let fact = self.expression(expression, Context::Constant).fact;
        // Nothing runs it: the program does not need it.
        self.program.exprs.truncate(before);
        fact.ty.zip(fact.constant)
    }

    /// The value of an expression that must be a constant of a type.
    pub(super) fn constant_of(&mut self, expression: Expression, ty: Type, what: &str) -> Option<Value> {
        let (found, value) = self.constant(expression)?;
        let span = self.file.nodes[expression.root.0 as usize].span;
        if found == ty {
            return Some(value);
        }
        let message = format!("{what} is {}", a_type(found));
        self.sink.push(Diagnostic::new(span, message, format!("expected {}", type_name(ty))));
        None
    }
}
