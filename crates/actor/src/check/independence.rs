//! Declarations that methods commute.
//!
//! A condition becomes a method of the class, which nobody calls. Its parameters are those of both
//! methods, under the names that the declaration gives them.

use mazurka_source::{Diagnostic, suggest};

use super::types::Type;
use super::{Checker, Where};
use crate::hir::{self, ClassId, ExprKind, LocalId, MethodId, Statement, StatementKind};
use crate::syntax::ast::{self, Independence, Name, Side};

impl<'a, 's> Checker<'a, 's> {
    /// All that a class and its methods declare.
    pub(super) fn check_independences(&mut self, class: &'a ast::Class<'s>, module: usize, id: ClassId) {
        for declared in &class.independences {
            self.check_independence(declared, &declared.sides, (module, id));
        }
        for method in &class.methods {
            let parameters = method.signature.parameters.iter().map(|parameter| parameter.name).collect();
            let own = Side { method: method.signature.name, parameters: Some(parameters) };
            for declared in &method.independences {
                let sides = [std::slice::from_ref(&own), &declared.sides[..]].concat();
                self.check_independence(declared, &sides, (module, id));
            }
        }
    }

    fn check_independence(
        &mut self,
        declared: &Independence<'s>,
        sides: &[Side<'s>],
        (module, class): (usize, ClassId),
    ) {
        self.begin(module, &[], Some(class), Where::Condition);
        let (mut methods, mut parameters, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        for side in sides {
            let Some((method, types)) = self.method_of(side.method, class) else { return };
            methods.push(method);
            kinds.extend(types.iter().map(|ty| (String::new(), self.kind(ty))));
            parameters.extend(self.bind_side(side, types));
        }
        let &[left, right] = &methods[..] else { return };
        let yes_no = self.yes_no();
        let condition = match declared.condition {
            Some(condition) => self.expect(condition, &yes_no),
            None => self.add(ExprKind::Construct(self.program.known.yes, Vec::new()), declared.span),
        };
        let body = vec![Statement { kind: StatementKind::Return(condition), span: declared.span }];
        let (span, name) = (declared.span, "indep".to_owned());
        let inputs = Vec::new();
        let condition = self.add_method(hir::Method {
            name,
            class: Some(class),
            parameters,
            kinds,
            inputs,
            body,
            recover: Vec::new(),
            span,
            end: span,
        });
        self.program.independences.push(hir::Independence { methods: [left, right], condition, span });
    }

    /// A method of a class, and the types of its parameters.
    fn method_of(&mut self, name: Name<'s>, class: ClassId) -> Option<(MethodId, Vec<Type>)> {
        let methods = &self.classes[class.index()].methods;
        match methods.iter().position(|method| method.name.text == name.text) {
            Some(number) => {
                let (_, method) = self.program.classes[class.index()].methods[number];
                Some((method, methods[number].parameters.clone()))
            }
            None => {
                let hint = suggest(name.text, methods.iter().map(|method| method.name.text));
                let message = format!("the class has no method `{}`", name.text);
                let problem = Diagnostic::new(name.span, message, "expected a method of this class");
                self.sink.push(problem.maybe_help(hint));
                None
            }
        }
    }

    /// The parameters of a method, under the names that a declaration gives them.
    fn bind_side(&mut self, side: &Side<'s>, types: Vec<Type>) -> Vec<LocalId> {
        let Some(names) = &side.parameters else {
            return types.into_iter().map(|ty| self.bind("", ty)).collect();
        };
        if names.len() != types.len() {
            let (wanted, found) = (types.len(), names.len());
            let message = format!("the method `{}` has {wanted} parameters, not {found}", side.method.text);
            self.error(side.method.span, message, "expected a name for each, or none and no brackets");
        }
        let named = types.into_iter().zip(names.iter().map(Some).chain(std::iter::repeat(None)));
        named
            .map(|(ty, name)| match name {
                Some(name) => self.bind_once(*name, ty),
                None => self.bind("", ty),
            })
            .collect()
    }
}
