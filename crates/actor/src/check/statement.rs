//! Statements.

use mazurka_source::Span;

use super::types::Type;
use super::{Checker, Effects, Where};
use crate::hir::{Pattern, Statement, StatementKind};
use crate::syntax::ast::{self, Arm, Name};

impl<'s> Checker<'_, 's> {
    /// The statements of a method, an init block or the main block.
    pub(super) fn method_body(&mut self, block: &[ast::Statement<'s>]) -> Vec<Statement> {
        let seen = self.locals.len();
        let statements = self.statements(block);
        self.locals.truncate(seen);
        statements
    }

    fn statements(&mut self, block: &[ast::Statement<'s>]) -> Vec<Statement> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    /// A statement whose variables nobody sees afterwards.
    fn scoped(&mut self, statement: &ast::Statement<'s>) -> Statement {
        let seen = self.locals.len();
        let statement = self.statement(statement);
        self.locals.truncate(seen);
        let span = statement.span;
        Statement { kind: StatementKind::Block(vec![statement]), span }
    }

    fn condition(&mut self, id: ast::ExprId) -> crate::hir::ExprId {
        let yes_no = self.yes_no();
        self.expect(id, &yes_no)
    }

    fn statement(&mut self, statement: &ast::Statement<'s>) -> Statement {
        let span = statement.span;
        let kind = match &statement.kind {
            ast::StatementKind::Declare(ty, name, value) => {
                let ty = self.resolve(ty);
                let value = match value {
                    Some(value) => self.expect(*value, &ty),
                    None => self.default_value(&ty, *name, "variable"),
                };
                StatementKind::Declare(self.bind_once(*name, ty), value)
            }
            ast::StatementKind::Assign { field, name, value } => self.assignment(*field, *name, *value),
            ast::StatementKind::Skip => StatementKind::Block(Vec::new()),
            ast::StatementKind::Return(value) => {
                let result = self.result.clone();
                let what = match self.place {
                    Where::Init => Some("an init block"),
                    Where::Recover => Some("a `recover` block"),
                    _ => None,
                };
                if let Some(what) = what {
                    self.error(span, format!("{what} returns nothing"), "expected no `return` here");
                }
                StatementKind::Return(self.expect(*value, &result))
            }
            ast::StatementKind::Assert(condition) => StatementKind::Assert(self.condition(*condition)),
            ast::StatementKind::Block(block) => {
                let seen = self.locals.len();
                let statements = self.statements(block);
                self.locals.truncate(seen);
                StatementKind::Block(statements)
            }
            ast::StatementKind::If(condition, then, otherwise) => {
                let condition = self.condition(*condition);
                let then = Box::new(self.scoped(then));
                let otherwise = otherwise.as_ref().map(|statement| Box::new(self.scoped(statement)));
                StatementKind::If(condition, then, otherwise)
            }
            ast::StatementKind::While(condition, body) => {
                StatementKind::While(self.condition(*condition), Box::new(self.scoped(body)))
            }
            ast::StatementKind::Foreach(element, index, list, body) => self.foreach(*element, *index, *list, body),
            ast::StatementKind::Switch(value, arms) => {
                let (value, ty) = self.expr(*value, None);
                StatementKind::Switch(value, self.arms(arms, &ty))
            }
            ast::StatementKind::Try { body, arms, finally } => {
                let body = Box::new(self.scoped(body));
                let exception = self.exception();
                let arms = self.arms(arms, &exception);
                let finally = finally.as_ref().map(|statement| Box::new(self.scoped(statement)));
                StatementKind::Try { body, arms, finally }
            }
            ast::StatementKind::Throw(value) => {
                let exception = self.exception();
                StatementKind::Throw(self.expect(*value, &exception))
            }
            ast::StatementKind::Await(guard) => self.await_guard(*guard, span),
            ast::StatementKind::Suspend => {
                self.allow(Effects::All, span, "`suspend`");
                StatementKind::Suspend
            }
            ast::StatementKind::Expression(value) => StatementKind::Evaluate(self.expr(*value, None).0),
        };
        Statement { kind, span }
    }

    fn await_guard(&mut self, guard: ast::ExprId, span: Span) -> StatementKind {
        self.allow(Effects::All, span, "`await`");
        let place = std::mem::replace(&mut self.place, Where::Guard);
        let guard = self.condition(guard);
        self.place = place;
        StatementKind::Await(guard)
    }

    fn assignment(&mut self, field: bool, name: Name<'s>, value: ast::ExprId) -> StatementKind {
        if !field && let Some(local) = self.local(name.text) {
            let (id, ty) = (local.id, local.ty.clone());
            return StatementKind::Assign(id, self.expect(value, &ty));
        }
        if let Some((number, ty)) = self.find_field(name.text) {
            return StatementKind::Store(number, self.expect(value, &ty));
        }
        if field {
            self.unknown_field(name);
        } else {
            self.unknown_variable(name);
        }
        StatementKind::Evaluate(self.expr(value, None).0)
    }

    fn foreach(
        &mut self,
        element: Name<'s>,
        index: Option<Name<'s>>,
        list: ast::ExprId,
        body: &ast::Statement<'s>,
    ) -> StatementKind {
        let span = self.ast.expr(list).span;
        let (list, ty) = self.expr(list, None);
        let inner = self.variables.fresh();
        let wanted = Type::Data(self.base.list, vec![inner.clone()]);
        let list = self.coerce(list, &ty, &wanted, span);
        let seen = self.locals.len();
        let element = self.bind_once(element, inner);
        let index = index.map(|index| self.bind_once(index, Type::Int));
        let body = Box::new(self.scoped(body));
        self.locals.truncate(seen);
        StatementKind::Foreach(element, index, list, body)
    }

    pub(super) fn arms(&mut self, arms: &[Arm<'s, ast::Statement<'s>>], ty: &Type) -> Vec<(Pattern, Statement)> {
        arms.iter()
            .map(|arm| {
                let seen = self.locals.len();
                let pattern = self.pattern(&arm.pattern, ty);
                let body = self.scoped(&arm.body);
                self.locals.truncate(seen);
                (pattern, body)
            })
            .collect()
    }
}
