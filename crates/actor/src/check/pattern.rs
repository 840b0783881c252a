//! Patterns and cases.

use mazurka_source::Span;
use num_bigint::BigInt;

use super::Checker;
use super::symbols::{Space, Symbol};
use super::types::{Type, instantiate};
use crate::hir::{ExprId, ExprKind, Pattern};
use crate::syntax::ast::{self, Arm, PatternKind};

impl<'s> Checker<'_, 's> {
    pub(super) fn case(
        &mut self,
        value: ast::ExprId,
        arms: &[Arm<'s, ast::ExprId>],
        wanted: Option<&Type>,
        span: Span,
    ) -> (ExprId, Type) {
        let (value, value_ty) = self.expr(value, None);
        let mut result: Option<Type> = wanted.cloned();
        let mut checked = Vec::new();
        for arm in arms {
            let seen = self.locals.len();
            let pattern = self.pattern(&arm.pattern, &value_ty);
            let (body, ty) = self.expr(arm.body, result.as_ref());
            self.locals.truncate(seen);
            let span = self.ast.expr(arm.body).span;
            let (body, ty) = match &result {
                None => (body, ty),
                Some(before) => {
                    let before = before.clone();
                    (body, self.join(before.clone(), ty, wanted.map(|_| &before), span))
                }
            };
            checked.push((pattern, body));
            result = Some(ty);
        }
        if arms.is_empty() {
            self.error(span, "this case has no branches", "expected `pattern => value;`");
        }
        (self.add(ExprKind::Case(value, checked), span), result.unwrap_or(Type::Any))
    }

    /// A pattern for values of a type. Variables that it binds are seen from now on; a name that is
    /// bound already compares.
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern<'s>, ty: &Type) -> Pattern {
        let span = pattern.span;
        match &pattern.kind {
            PatternKind::Any => Pattern::Any,
            PatternKind::Int { negative, digits } => {
                let number = digits.parse::<BigInt>().unwrap_or_default();
                let value = self.add(ExprKind::Int(if *negative { -number } else { number }), span);
                self.fit_pattern(&Type::Int, ty, span);
                Pattern::Equals(value)
            }
            PatternKind::String(text) => {
                let value = self.add(ExprKind::String(text.clone()), span);
                self.fit_pattern(&Type::String, ty, span);
                Pattern::Equals(value)
            }
            PatternKind::Variable(name) => {
                let bound = match self.local(name.text) {
                    Some(local) => Some((ExprKind::Local(local.id), local.ty.clone())),
                    None => self.find_field(name.text).map(|(number, ty)| (ExprKind::Field(number), ty)),
                };
                match bound {
                    Some((kind, bound)) => {
                        self.fit_pattern(&bound, ty, span);
                        Pattern::Equals(self.add(kind, span))
                    }
                    None => Pattern::Bind(self.bind(name.text, ty.clone())),
                }
            }
            PatternKind::Construct(path, inner) => {
                let Some(Symbol::Constructor(id)) = self.symbols.find(self.module, Space::Constructor, path) else {
                    let problem = self.symbols.unknown(self.module, Space::Constructor, path);
                    self.sink.push(problem);
                    return Pattern::Any;
                };
                let generics = self.constructors[id.index()].generics;
                let fresh: Vec<Type> = (0..generics).map(|_| self.variables.fresh()).collect();
                let constructor = &self.constructors[id.index()];
                let data = Type::Data(constructor.data, fresh.clone());
                let fields: Vec<Type> = constructor.fields.iter().map(|ty| instantiate(ty, &fresh)).collect();
                // What is matched says more about the type than the pattern does.
                if !self.variables.fits(&self.objects, ty, &data) {
                    self.fit_pattern(&data, ty, span);
                }
                if inner.len() != fields.len() {
                    let message = format!("the pattern `{}` has {} arguments", path.name.text, inner.len());
                    self.error(span, message, format!("expected {}", fields.len()));
                    return Pattern::Any;
                }
                Pattern::Construct(id, inner.iter().zip(&fields).map(|(p, ty)| self.pattern(p, ty)).collect())
            }
        }
    }

    fn fit_pattern(&mut self, pattern: &Type, value: &Type, span: Span) {
        if !self.variables.comparable(&self.objects, pattern, value) {
            let message = format!("this pattern is of type `{}`", self.show(pattern));
            self.error(span, message, format!("expected `{}`", self.show(value)));
        }
    }
}
