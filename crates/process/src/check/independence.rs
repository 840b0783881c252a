//! Declared independence.

use super::Checker;
use super::expression::Context;
use super::locals::PARAMETER;
use super::names::Meaning;
use super::variable::count;
use crate::hir::{self, BodyId, Steps, Type};
use crate::syntax::ast::{Independent, Side};
use mazurka_source::{Diagnostic, suggest};

impl<'s> Checker<'_, 's> {
    /// Checks a declaration. The parameters that the sides name are the locals of the condition.
    pub(super) fn independence(&mut self, independent: &Independent<'s>) {
        self.reported.clear();
        self.locals.reset();
        let left = self.side(&independent.left);
        let right = self.side(&independent.right);
        let condition = self.expression(independent.condition, Context::Independence);
        self.require_type(condition.fact, condition.span, Type::Bool, "the condition of `independent`");
        self.locals.take();
        if let (Some(left), Some(right)) = (left, right) {
            let (condition, span) = (condition.expr, independent.span);
            self.program.independences.push(hir::Independence { left, right, condition, span });
        }
    }

    fn side(&mut self, side: &Side<'s>) -> Option<hir::Side> {
        let steps = self.steps(side);
        let declared = steps.as_ref().and_then(|(_, body)| self.declare_parameters(*body, side));
        if declared.is_none() {
            // Their types are not known: say nothing about them.
            self.reported.extend(side.parameters.iter().map(|name| name.text));
        }
        declared?;
        let parameters = side.parameters.iter().map(|name| name.text.to_string()).collect();
        Some(hir::Side { steps: steps?.0, parameters })
    }

    /// Whose steps a side means, and the body whose parameters it may name.
    fn steps(&mut self, side: &Side<'s>) -> Option<(Steps, BodyId)> {
        let name = side.name;
        let meaning = self.names.get(name.text).map(|(meaning, _)| meaning);
        if let Some(Meaning::Body(body, _)) = meaning {
            return Some((Steps::Body(body), body));
        }
        if let Some(&(body, _)) = self.atomics.get(name.text) {
            return Some((Steps::Atomic(body, name.text.to_string()), body));
        }
        if self.names.is_poisoned(name.text) {
            return None;
        }
        let (message, help) = match meaning {
            Some(meaning) => (format!("`{}` is {}", name.text, meaning.describe()), None),
            None => {
                let is_body = |meaning| matches!(meaning, Meaning::Body(..));
                let help = self.suggestion(name.text, is_body);
                let atomic = || suggest(name.text, self.atomics.keys().copied());
                (format!("unknown name `{}`", name.text), help.or_else(atomic))
            }
        };
        let label = "expected the name of a process, a proc or an atomic block";
        self.sink.push(Diagnostic::new(name.span, message, label).maybe_help(help));
        None
    }

    /// Declares the parameters that a side names: none, or all that the body has.
    fn declare_parameters(&mut self, body: BodyId, side: &Side<'s>) -> Option<()> {
        let body = &self.program.bodies[body.index()];
        let types: Vec<Type> = body.locals[..body.parameters].iter().map(|local| local.ty).collect();
        if !side.parameters.is_empty() && side.parameters.len() != types.len() {
            let message = format!("`{}` has {}", body.name, count(types.len(), "parameter"));
            let optional = if types.is_empty() { "" } else { " or none" };
            let label = format!("expected {}{optional}, found {}", count(types.len(), "name"), side.parameters.len());
            let declared = body.span;
            let problem = Diagnostic::new(side.name.span, message, label);
            self.sink.push(problem.note(declared, "it is declared here"));
            return None;
        }
        for (name, ty) in side.parameters.iter().zip(types) {
            self.declare_local(*name, ty, PARAMETER);
        }
        Some(())
    }
}
