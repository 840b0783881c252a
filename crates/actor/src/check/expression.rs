//! Expressions: what they stand for, and of which type.

use mazurka_source::{Diagnostic, Span, suggest};
use num_bigint::BigInt;

use super::symbols::{Space, Symbol};
use super::types::{Type, instantiate};
use super::{Checker, Effects, Where};
use crate::hir::{Builtin, ExprId, ExprKind, Operator};
use crate::options::Dialect;
use crate::syntax::ast::{self, Binary, Name, Path, Unary};

impl<'s> Checker<'_, 's> {
    /// An expression whose type has to fit another.
    pub(super) fn expect(&mut self, id: ast::ExprId, wanted: &Type) -> ExprId {
        let (expr, found) = self.expr(id, Some(wanted));
        self.coerce(expr, &found, wanted, self.ast.expr(id).span)
    }

    /// Complains where a type does not fit. An exact quotient is cut off where the dialect wants
    /// that.
    pub(super) fn coerce(&mut self, expr: ExprId, found: &Type, wanted: &Type, span: Span) -> ExprId {
        if self.variables.fits(&self.objects, found, wanted) {
            return expr;
        }
        let (found, wanted) = (self.variables.shallow(found), self.variables.shallow(wanted));
        let is_quotient = found == Type::Rat && wanted == Type::Int;
        if is_quotient && self.dialect == Dialect::Syco {
            return self.add(ExprKind::Builtin(Builtin::Truncate, vec![expr]), span);
        }
        let message = format!("this is of type `{}`", self.show(&found));
        let mut problem = Diagnostic::new(span, message, format!("expected `{}`", self.show(&wanted)));
        if is_quotient {
            problem = problem.help("`truncate(...)` makes an integer of it; `--dialect syco` does so by itself");
        }
        self.sink.push(problem);
        expr
    }

    /// What an expression may do here.
    fn effects(&self) -> Effects {
        match self.place {
            Where::Function | Where::Guard | Where::Condition => Effects::None,
            Where::Init | Where::Recover => Effects::NoWaiting,
            Where::Method => Effects::All,
        }
    }

    /// Complains where an expression does what it may not do here.
    pub(super) fn allow(&mut self, needed: Effects, span: Span, what: &str) {
        let allowed = match self.effects() {
            Effects::All => true,
            Effects::NoWaiting => needed != Effects::All,
            Effects::None => false,
        };
        if !allowed {
            let place = match self.place {
                Where::Function => "in a function",
                Where::Guard => "in a guard",
                Where::Condition => "in the condition of `indep`",
                Where::Recover => "in a `recover` block",
                Where::Init | Where::Method => "while an object is made",
            };
            self.error(span, format!("{what} cannot stand {place}"), "expected an expression without such an effect");
        }
    }

    /// An expression and its type. `wanted` is what it should be, if that is known: it helps to
    /// find out the rest.
    pub(super) fn expr(&mut self, id: ast::ExprId, wanted: Option<&Type>) -> (ExprId, Type) {
        let ast::Expr { kind, span } = &self.ast.expr(id);
        let span = *span;
        match kind {
            ast::ExprKind::Int(digits) => {
                let number = digits.parse::<BigInt>().unwrap_or_default();
                (self.add(ExprKind::Int(number), span), Type::Int)
            }
            ast::ExprKind::String(text) => (self.add(ExprKind::String(text.clone()), span), Type::String),
            ast::ExprKind::Variable(name) => self.variable(*name),
            ast::ExprKind::This => self.this(span),
            ast::ExprKind::Field(name) => self.field(*name),
            ast::ExprKind::Null => (self.add(ExprKind::Null, span), Type::Null),
            ast::ExprKind::Construct(path, arguments) => self.construct(path, arguments, wanted, span),
            ast::ExprKind::Call(path, arguments) => self.call(path, arguments, wanted, span),
            ast::ExprKind::Sequence(path, items) => self.sequence(path, items, wanted, span),
            ast::ExprKind::Higher(path, functions, arguments) => self.higher(path, functions, arguments, wanted, span),
            ast::ExprKind::Unary(Unary::Not, operand) => {
                let wanted = self.yes_no();
                let operand = self.expect(*operand, &wanted);
                (self.add(ExprKind::Not(operand), span), wanted)
            }
            ast::ExprKind::Unary(Unary::Negate, operand) => {
                let (operand, ty) = self.number(*operand);
                (self.add(ExprKind::Negate(operand), span), ty)
            }
            ast::ExprKind::Binary(..) => self.operators(id),
            ast::ExprKind::If(condition, then, otherwise) => {
                let yes_no = self.yes_no();
                let condition = self.expect(*condition, &yes_no);
                let (then, ty) = self.expr(*then, wanted);
                let joined = wanted.cloned().unwrap_or(ty.clone());
                let (other, other_ty) = self.expr(*otherwise, Some(&joined));
                let ty = self.join(ty, other_ty, wanted, self.ast.expr(*otherwise).span);
                (self.add(ExprKind::If(condition, then, other), span), ty)
            }
            ast::ExprKind::Let(ty, name, value, body) => {
                let ty = self.resolve(ty);
                let value = self.expect(*value, &ty);
                let local = self.bind(name.text, ty);
                let (body, ty) = self.expr(*body, wanted);
                self.locals.pop();
                (self.add(ExprKind::Let(local, value, body), span), ty)
            }
            ast::ExprKind::Case(value, arms) => self.case(*value, arms, wanted, span),
            ast::ExprKind::Implements(object, ty) => self.implements(*object, ty, span, true),
            ast::ExprKind::As(object, ty) => self.implements(*object, ty, span, false),
            ast::ExprKind::Ready(future) => self.ready(*future, span),
            ast::ExprKind::Get(future) => self.get(*future, span),
            ast::ExprKind::New { local, class, arguments, cog } => self.creation(class, arguments, *local, *cog, span),
            ast::ExprKind::Async { receiver, method, arguments, awaited } => {
                self.async_call(*receiver, *method, arguments, *awaited, span)
            }
            ast::ExprKind::Sync { receiver, method, arguments } => self.sync_call(*receiver, *method, arguments, span),
        }
    }

    /// The type of two branches.
    pub(super) fn join(&mut self, one: Type, other: Type, wanted: Option<&Type>, span: Span) -> Type {
        if let Some(wanted) = wanted
            && self.variables.fits(&self.objects, &one, wanted)
            && self.variables.fits(&self.objects, &other, wanted)
        {
            return wanted.clone();
        }
        if self.variables.fits(&self.objects, &other, &one) {
            return if self.variables.shallow(&one) == Type::Null { other } else { one };
        }
        if !self.variables.fits(&self.objects, &one, &other) {
            let message = format!("this is of type `{}`", self.show(&other));
            self.error(span, message, format!("expected `{}`, as in the branch before", self.show(&one)));
        }
        other
    }

    fn variable(&mut self, name: Name<'s>) -> (ExprId, Type) {
        if let Some(local) = self.local(name.text) {
            let (id, ty) = (local.id, local.ty.clone());
            return (self.add(ExprKind::Local(id), name.span), ty);
        }
        if let Some((number, ty)) = self.find_field(name.text) {
            return (self.add(ExprKind::Field(number), name.span), ty);
        }
        self.unknown_variable(name);
        (self.add(ExprKind::Null, name.span), Type::Any)
    }

    pub(super) fn find_field(&self, name: &str) -> Option<(u32, Type)> {
        let fields = &self.classes[self.class?.index()].fields;
        let number = fields.iter().position(|(field, _)| field.text == name)?;
        Some((number as u32, fields[number].1.clone()))
    }

    pub(super) fn unknown_variable(&mut self, name: Name<'s>) {
        let fields = self.class.map(|class| &self.classes[class.index()].fields);
        let fields = fields.into_iter().flatten().map(|(field, _)| field.text);
        let hint = suggest(name.text, self.locals.iter().map(|local| local.name).chain(fields));
        let message = format!("there is no variable `{}`", name.text);
        let problem = Diagnostic::new(name.span, message, "expected a variable, a parameter or a field");
        self.sink.push(problem.maybe_help(hint));
    }

    fn this(&mut self, span: Span) -> (ExprId, Type) {
        let ty = match self.class {
            Some(class) => Type::Class(class),
            None => {
                self.error(span, "there is no `this` here", "expected to be in a class");
                Type::Any
            }
        };
        (self.add(ExprKind::This, span), ty)
    }

    fn field(&mut self, name: Name<'s>) -> (ExprId, Type) {
        match self.find_field(name.text) {
            Some((number, ty)) => (self.add(ExprKind::Field(number), name.span), ty),
            None => {
                self.unknown_field(name);
                (self.add(ExprKind::Null, name.span), Type::Any)
            }
        }
    }

    pub(super) fn unknown_field(&mut self, name: Name<'s>) {
        let fields = self.class.map(|class| &self.classes[class.index()].fields);
        let hint = suggest(name.text, fields.into_iter().flatten().map(|(field, _)| field.text));
        let problem = Diagnostic::new(name.span, format!("there is no field `{}`", name.text), "expected a field");
        self.sink.push(problem.maybe_help(hint));
    }

    fn construct(
        &mut self,
        path: &Path<'s>,
        arguments: &[ast::ExprId],
        wanted: Option<&Type>,
        span: Span,
    ) -> (ExprId, Type) {
        let Some(Symbol::Constructor(id)) = self.symbols.find(self.module, Space::Constructor, path) else {
            let problem = self.symbols.unknown(self.module, Space::Constructor, path);
            self.sink.push(problem);
            for argument in arguments {
                self.expr(*argument, None);
            }
            return (self.add(ExprKind::Null, span), Type::Any);
        };
        let fresh: Vec<Type> = (0..self.constructors[id.index()].generics).map(|_| self.variables.fresh()).collect();
        let constructor = &self.constructors[id.index()];
        let result = Type::Data(constructor.data, fresh.clone());
        let fields: Vec<Type> = constructor.fields.iter().map(|ty| instantiate(ty, &fresh)).collect();
        self.prefer(&result, wanted);
        let arguments = self.arguments(arguments, &fields, &format!("the constructor `{}`", path.name.text), span);
        (self.add(ExprKind::Construct(id, arguments), span), result)
    }

    /// Finds out type variables from what is wanted, where it is of use.
    pub(super) fn prefer(&mut self, result: &Type, wanted: Option<&Type>) {
        let Some(wanted) = wanted else { return };
        let wanted = self.variables.shallow(wanted);
        // A whole number may stand where a fraction is wanted, so that says nothing.
        if matches!(wanted, Type::Data(..) | Type::Future(_) | Type::Interface(_)) {
            self.variables.fits(&self.objects, &wanted, result);
        }
    }

    /// Arguments for parameters of these types.
    pub(super) fn arguments(
        &mut self,
        arguments: &[ast::ExprId],
        parameters: &[Type],
        of: &str,
        span: Span,
    ) -> Vec<ExprId> {
        if arguments.len() != parameters.len() {
            let message = format!("{of} is given {} arguments", arguments.len());
            self.error(span, message, format!("expected {}", parameters.len()));
        }
        let wanted = parameters.iter().map(Some).chain(std::iter::repeat(None));
        arguments
            .iter()
            .zip(wanted)
            .map(|(argument, wanted)| match wanted {
                Some(wanted) => self.expect(*argument, wanted),
                None => self.expr(*argument, None).0,
            })
            .collect()
    }

    fn number(&mut self, id: ast::ExprId) -> (ExprId, Type) {
        let (expr, ty) = self.expr(id, None);
        self.as_number(expr, &ty, self.ast.expr(id).span)
    }

    fn as_number(&mut self, expr: ExprId, ty: &Type, span: Span) -> (ExprId, Type) {
        match self.variables.shallow(ty) {
            found @ (Type::Int | Type::Rat | Type::Any) => (expr, found),
            found @ Type::Parameter(_) if self.module == 0 => (expr, found),
            Type::Variable(_) => (self.coerce(expr, ty, &Type::Int, span), Type::Int),
            other => {
                self.error(span, format!("this is of type `{}`", self.show(&other)), "expected a number");
                (expr, Type::Any)
            }
        }
    }

    /// A chain of operators that lean to the left, however long, without recursion.
    fn operators(&mut self, id: ast::ExprId) -> (ExprId, Type) {
        let mut chain = Vec::new();
        let mut first = id;
        while let ast::ExprKind::Binary(operator, left, right) = &self.ast.expr(first).kind {
            chain.push((*operator, *right, self.ast.expr(first).span));
            first = *left;
        }
        let mut left_span = self.ast.expr(first).span;
        let mut left = self.expr(first, None);
        while let Some((operator, right, span)) = chain.pop() {
            left = self.operator(operator, left, left_span, right, span);
            left_span = span;
        }
        left
    }

    fn operator(
        &mut self,
        operator: Binary,
        (left, left_ty): (ExprId, Type),
        left_span: Span,
        right: ast::ExprId,
        span: Span,
    ) -> (ExprId, Type) {
        let yes_no = self.yes_no();
        match operator {
            Binary::Or | Binary::And | Binary::Both => {
                let left = self.coerce(left, &left_ty, &yes_no, left_span);
                let right = self.expect(right, &yes_no);
                let kind = if operator == Binary::Or { ExprKind::Or(left, right) } else { ExprKind::And(left, right) };
                (self.add(kind, span), yes_no)
            }
            Binary::Equal | Binary::NotEqual => {
                let kind = if operator == Binary::Equal { Operator::Equal } else { Operator::NotEqual };
                self.comparison(kind, (left, left_ty), right, span)
            }
            Binary::Less => self.comparison(Operator::Less, (left, left_ty), right, span),
            Binary::LessEqual => self.comparison(Operator::LessEqual, (left, left_ty), right, span),
            Binary::Greater => self.comparison(Operator::Greater, (left, left_ty), right, span),
            Binary::GreaterEqual => self.comparison(Operator::GreaterEqual, (left, left_ty), right, span),
            Binary::Add if self.variables.shallow(&left_ty) == Type::String => {
                let (right, ty) = self.expr(right, None);
                let text = match self.variables.shallow(&ty) {
                    Type::String => right,
                    _ => self.add(ExprKind::Builtin(Builtin::ToString, vec![right]), span),
                };
                (self.add(ExprKind::Binary(Operator::Add, left, text), span), Type::String)
            }
            Binary::Add => self.arithmetic(Operator::Add, (left, left_ty), left_span, right, span),
            Binary::Subtract => self.arithmetic(Operator::Subtract, (left, left_ty), left_span, right, span),
            Binary::Multiply => self.arithmetic(Operator::Multiply, (left, left_ty), left_span, right, span),
            Binary::Divide => self.arithmetic(Operator::Divide, (left, left_ty), left_span, right, span),
            Binary::Remainder => self.arithmetic(Operator::Remainder, (left, left_ty), left_span, right, span),
        }
    }

    fn comparison(
        &mut self,
        operator: Operator,
        (left, left_ty): (ExprId, Type),
        right: ast::ExprId,
        span: Span,
    ) -> (ExprId, Type) {
        let right_span = self.ast.expr(right).span;
        let (right, right_ty) = self.expr(right, Some(&left_ty));
        if !self.variables.comparable(&self.objects, &left_ty, &right_ty) {
            let message = format!("a `{}` is never a `{}`", self.show(&right_ty), self.show(&left_ty));
            self.error(right_span, message, format!("expected `{}`", self.show(&left_ty)));
        }
        let ty = self.yes_no();
        (self.add(ExprKind::Binary(operator, left, right), span), ty)
    }

    fn arithmetic(
        &mut self,
        operator: Operator,
        (left, left_ty): (ExprId, Type),
        left_span: Span,
        right: ast::ExprId,
        span: Span,
    ) -> (ExprId, Type) {
        let (left, left_ty) = self.as_number(left, &left_ty, left_span);
        let is_text = operator == Operator::Add && left_ty == Type::Int;
        let (right_expr, right_ty) = self.expr(right, None);
        if is_text && self.variables.shallow(&right_ty) == Type::String {
            let text = self.add(ExprKind::Builtin(Builtin::ToString, vec![left]), span);
            return (self.add(ExprKind::Binary(operator, text, right_expr), span), Type::String);
        }
        let (right, right_ty) = self.as_number(right_expr, &right_ty, self.ast.expr(right).span);
        let ty = match (&left_ty, &right_ty) {
            (Type::Any, _) | (_, Type::Any) => Type::Any,
            (Type::Int, Type::Int) if operator == Operator::Divide => Type::Rat,
            (Type::Rat, _) | (_, Type::Rat) if operator != Operator::Remainder => Type::Rat,
            (Type::Parameter(_), _) => left_ty,
            (_, Type::Parameter(_)) => right_ty,
            _ => Type::Int,
        };
        (self.add(ExprKind::Binary(operator, left, right), span), ty)
    }
}
