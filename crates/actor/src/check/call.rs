//! Calls of functions and methods, new objects, futures.

use mazurka_source::{Diagnostic, Span, suggest};

use super::symbols::{Space, Symbol};
use super::types::{Type, instantiate};
use super::{Checker, Effects, MethodType, Where};
use crate::hir::{self, Builtin, ExprId, ExprKind, FunctionBody, FunctionId, LocalId};
use crate::syntax::ast::{self, FunctionArgument, Name, Path, TypeExpr};

impl<'s> Checker<'_, 's> {
    pub(super) fn call(
        &mut self,
        path: &Path<'s>,
        arguments: &[ast::ExprId],
        wanted: Option<&Type>,
        span: Span,
    ) -> (ExprId, Type) {
        let local = if path.module.is_none() { self.local(path.name.text) } else { None };
        if let Some(function) = local.filter(|local| local.is_function).map(|local| local.id) {
            let arguments = arguments.iter().map(|argument| self.expr(*argument, None).0).collect();
            return (self.add(ExprKind::CallLocal(function, arguments), span), Type::Any);
        }
        let Some(id) = self.find_function(Space::Function, path) else {
            return self.no_function(path, Space::Function, arguments, span);
        };
        let (parameters, result) = self.function_type(id);
        self.prefer(&result, wanted);
        let of = format!("the function `{}`", path.name.text);
        let arguments = self.arguments(arguments, &parameters, &of, span);
        self.refuse_choice(id, span);
        let kind = match self.builtin(id) {
            Some(builtin) => ExprKind::Builtin(builtin, arguments),
            None => ExprKind::Call(id, arguments),
        };
        (self.add(kind, span), result)
    }

    fn builtin(&self, id: FunctionId) -> Option<Builtin> {
        match self.program.functions[id.index()].body {
            FunctionBody::Builtin(builtin) => Some(builtin),
            _ => None,
        }
    }

    /// A choice can stand only where a step is taken.
    fn refuse_choice(&mut self, id: FunctionId, span: Span) {
        if self.builtin(id) == Some(Builtin::Random) {
            self.allow(Effects::NoWaiting, span, "`random`");
        }
    }

    /// The types of a function's parameters and of its result, with fresh variables for its type
    /// parameters.
    fn function_type(&mut self, id: FunctionId) -> (Vec<Type>, Type) {
        let fresh: Vec<Type> = (0..self.functions[id.index()].generics).map(|_| self.variables.fresh()).collect();
        let function = &self.functions[id.index()];
        let parameters = function.parameters.iter().map(|ty| instantiate(ty, &fresh)).collect();
        (parameters, function.result.as_ref().map_or(Type::Any, |ty| instantiate(ty, &fresh)))
    }

    fn no_function(&mut self, path: &Path<'s>, space: Space, arguments: &[ast::ExprId], span: Span) -> (ExprId, Type) {
        let mut problem = self.symbols.unknown(self.module, space, path);
        if let Some((_, what)) = OUTSIDE.iter().find(|(name, _)| *name == path.name.text) {
            let message = format!("`{}` ({what}) cannot be checked", path.name.text);
            problem = Diagnostic::new(path.name.span, message, "this is outside of what Mazurka reads of ABS");
        }
        let method = self.class.is_some_and(|class| {
            self.classes[class.index()].methods.iter().any(|method| method.name.text == path.name.text)
        });
        if method {
            problem = problem.help(format!("a method is called on an object: `this.{}(...)`", path.name.text));
        } else if self.find_function(other_space(space), path).is_some() {
            problem = problem.help(match space {
                Space::Higher => format!("`{}` takes no functions", path.name.text),
                _ => format!("`{}` takes functions first: `{}(f)(...)`", path.name.text, path.name.text),
            });
        }
        self.sink.push(problem);
        for argument in arguments {
            self.expr(*argument, None);
        }
        (self.add(ExprKind::Null, span), Type::Any)
    }

    /// `f[a, b, c]`: a function of a list.
    pub(super) fn sequence(
        &mut self,
        path: &Path<'s>,
        items: &[ast::ExprId],
        wanted: Option<&Type>,
        span: Span,
    ) -> (ExprId, Type) {
        let Some(id) = self.find_function(Space::Function, path) else {
            return self.no_function(path, Space::Function, items, span);
        };
        let (parameters, result) = self.function_type(id);
        self.prefer(&result, wanted);
        let element = match parameters.first().map(|ty| self.variables.shallow(ty)) {
            Some(Type::Data(data, arguments)) if parameters.len() == 1 && data == self.base.list => {
                arguments.into_iter().next().unwrap_or(Type::Any)
            }
            _ => {
                let message = format!("the function `{}` does not take one list", path.name.text);
                self.error(path.name.span, message, "expected a function of one list, such as `list`");
                Type::Any
            }
        };
        let items = items.iter().map(|item| self.expect(*item, &element)).collect();
        let list = self.add(ExprKind::List(items), span);
        (self.add(ExprKind::Call(id, vec![list]), span), result)
    }

    /// `f(g, (T x) => e)(a, b)`.
    pub(super) fn higher(
        &mut self,
        path: &Path<'s>,
        functions: &[FunctionArgument<'s>],
        arguments: &[ast::ExprId],
        wanted: Option<&Type>,
        span: Span,
    ) -> (ExprId, Type) {
        let Some(id) = self.find_function(Space::Higher, path) else {
            return self.no_function(path, Space::Higher, arguments, span);
        };
        let (parameters, result) = self.function_type(id);
        self.prefer(&result, wanted);
        let expected = self.functions[id.index()].functions;
        if functions.len() != expected {
            let message = format!("`{}` is given {} functions", path.name.text, functions.len());
            self.error(span, message, format!("expected {expected}"));
        }
        let mut values: Vec<ExprId> = functions.iter().map(|function| self.function_value(function, span)).collect();
        let of = format!("the function `{}`", path.name.text);
        values.extend(self.arguments(arguments, &parameters, &of, span));
        (self.add(ExprKind::Call(id, values), span), result)
    }

    fn function_value(&mut self, function: &FunctionArgument<'s>, span: Span) -> ExprId {
        match function {
            FunctionArgument::Named(path) => {
                let local = self.local(path.name.text).filter(|local| local.is_function).map(|local| local.id);
                if let Some(id) = local {
                    return self.add(ExprKind::Local(id), path.name.span);
                }
                match self.find_function(Space::Function, path) {
                    Some(id) => {
                        self.refuse_choice(id, path.name.span);
                        self.add(ExprKind::Closure(id, Vec::new()), path.name.span)
                    }
                    None => self.no_function(path, Space::Function, &[], span).0,
                }
            }
            FunctionArgument::Lambda { parameters, body } => self.lambda(parameters, *body, span),
        }
    }

    /// A function without a name: one with all variables that can be seen as parameters before its
    /// own.
    fn lambda(&mut self, parameters: &[ast::Parameter<'s>], body: ast::ExprId, span: Span) -> ExprId {
        let captured: Vec<(LocalId, &'s str, Type, bool)> =
            self.locals.iter().map(|local| (local.id, local.name, local.ty.clone(), local.is_function)).collect();
        let values: Vec<ExprId> = captured.iter().map(|(id, ..)| self.add(ExprKind::Local(*id), span)).collect();
        let (outer_next, outer_place) = (self.next_local, self.place);
        let outer = std::mem::take(&mut self.locals);
        self.next_local = 0;
        self.place = Where::Function;
        let mut ids = Vec::new();
        for (_, name, ty, is_function) in captured {
            ids.push(self.bind(name, ty));
            if let Some(local) = self.locals.last_mut() {
                local.is_function = is_function;
            }
        }
        let class = self.class.take();
        for parameter in parameters {
            let ty = self.resolve(&parameter.ty);
            ids.push(self.bind(parameter.name.text, ty));
        }
        let (body, _) = self.expr(body, None);
        (self.locals, self.next_local, self.place, self.class) = (outer, outer_next, outer_place, class);
        self.functions.push(super::FunctionType::default());
        let body = FunctionBody::Expression(body);
        self.program.functions.push(hir::Function {
            name: "a function".to_owned(),
            parameters: ids,
            body,
            kind: hir::Kind::Other,
            span,
        });
        let id = FunctionId(self.program.functions.len() as u32 - 1);
        self.add(ExprKind::Closure(id, values), span)
    }

    pub(super) fn implements(
        &mut self,
        object: ast::ExprId,
        ty: &TypeExpr<'s>,
        span: Span,
        test: bool,
    ) -> (ExprId, Type) {
        let (object, _) = self.expr(object, None);
        let interface = match self.resolve(ty) {
            Type::Interface(interface) => interface,
            Type::Any => return (object, Type::Any),
            other => {
                self.error(ty.span, format!("`{}` is no interface", self.show(&other)), "expected an interface");
                return (object, Type::Any);
            }
        };
        if test {
            let ty = self.yes_no();
            return (self.add(ExprKind::Implements(object, interface), span), ty);
        }
        (self.add(ExprKind::As(object, interface), span), Type::Interface(interface))
    }

    /// `e?` in a guard: a future that has its value, or, as the papers write it, a Boolean.
    pub(super) fn ready(&mut self, operand: ast::ExprId, span: Span) -> (ExprId, Type) {
        if !matches!(self.place, Where::Guard) {
            self.error(span, "`?` can stand only in an `await`", "expected a value");
        }
        let (expr, ty) = self.expr(operand, None);
        let yes_no = self.yes_no();
        match self.variables.shallow(&ty) {
            Type::Data(data, _) if data == self.base.yes_no => (expr, yes_no),
            Type::Future(_) | Type::Any | Type::Null => (self.add(ExprKind::Ready(expr), span), yes_no),
            other => {
                let message = format!("this is of type `{}`", self.show(&other));
                self.error(self.ast.expr(operand).span, message, "expected a future");
                (expr, yes_no)
            }
        }
    }

    pub(super) fn get(&mut self, future: ast::ExprId, span: Span) -> (ExprId, Type) {
        self.allow(Effects::All, span, "`.get`");
        let (expr, ty) = self.expr(future, None);
        let result = match self.variables.shallow(&ty) {
            Type::Future(inner) => *inner,
            Type::Any | Type::Null => Type::Any,
            other => {
                let message = format!("this is of type `{}`", self.show(&other));
                self.error(self.ast.expr(future).span, message, "expected a future");
                Type::Any
            }
        };
        (self.add(ExprKind::Get(expr), span), result)
    }

    pub(super) fn creation(
        &mut self,
        class: &Path<'s>,
        arguments: &[ast::ExprId],
        local: bool,
        cog: bool,
        span: Span,
    ) -> (ExprId, Type) {
        self.allow(Effects::NoWaiting, span, "`new`");
        let Some(Symbol::Class(id)) = self.symbols.find(self.module, Space::Class, class) else {
            let problem = self.symbols.unknown(self.module, Space::Class, class);
            self.sink.push(problem);
            return (self.add(ExprKind::Null, span), Type::Any);
        };
        let parameters = self.classes[id.index()].parameters.clone();
        let of = format!("the class `{}`", class.name.text);
        let arguments = self.arguments(arguments, &parameters, &of, span);
        let local = local || (self.says_cog && !cog);
        (self.add(ExprKind::New { class: id, local, arguments }, span), Type::Class(id))
    }

    /// The method that a call means, as far as it is known.
    fn method(&mut self, receiver: &Type, name: Name<'s>, span: Span) -> Option<MethodType<'s>> {
        let (candidates, whose) = match self.variables.shallow(receiver) {
            Type::Interface(interface) => {
                let above = &self.objects.above[interface.index()];
                let methods = above.iter().flat_map(|id| self.interfaces[id.index()].iter()).cloned();
                let whose = format!("interface `{}`", self.program.interfaces[interface.index()]);
                (methods.collect::<Vec<_>>(), whose)
            }
            Type::Class(class) => {
                let whose = format!("class `{}`", self.program.classes[class.index()].name);
                (self.classes[class.index()].methods.clone(), whose)
            }
            Type::Any | Type::Null => return None,
            other => {
                let message = format!("this is of type `{}`", self.show(&other));
                self.error(span, message, "expected an object");
                return None;
            }
        };
        let found = candidates.iter().find(|method| method.name.text == name.text).cloned();
        if found.is_none() {
            let message = format!("the {whose} has no method `{}`", name.text);
            let hint = suggest(name.text, candidates.iter().map(|method| method.name.text));
            self.sink.push(Diagnostic::new(name.span, message, "expected one of its methods").maybe_help(hint));
        }
        found
    }

    /// Receiver, arguments and result of a call of a method.
    fn method_call(
        &mut self,
        receiver: ast::ExprId,
        name: Name<'s>,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> (ExprId, Vec<ExprId>, Type) {
        let (object, ty) = self.expr(receiver, None);
        let method = self.method(&ty, name, self.ast.expr(receiver).span);
        let (arguments, result) = match method {
            Some(method) => {
                let of = format!("the method `{}`", name.text);
                (self.arguments(arguments, &method.parameters, &of, span), method.result)
            }
            None => (arguments.iter().map(|argument| self.expr(*argument, None).0).collect(), Type::Any),
        };
        (object, arguments, result)
    }

    pub(super) fn async_call(
        &mut self,
        receiver: ast::ExprId,
        name: Name<'s>,
        arguments: &[ast::ExprId],
        awaited: bool,
        span: Span,
    ) -> (ExprId, Type) {
        let needed = if awaited { Effects::All } else { Effects::NoWaiting };
        self.allow(needed, span, if awaited { "`await`" } else { "a call of a method" });
        let (receiver, arguments, result) = self.method_call(receiver, name, arguments, span);
        let selector = self.selector(name.text);
        let ty = if awaited { result } else { Type::Future(Box::new(result)) };
        (self.add(ExprKind::Async { receiver, selector, arguments, awaited }, span), ty)
    }

    pub(super) fn sync_call(
        &mut self,
        receiver: ast::ExprId,
        name: Name<'s>,
        arguments: &[ast::ExprId],
        span: Span,
    ) -> (ExprId, Type) {
        self.allow(Effects::NoWaiting, span, "a call of a method");
        let (receiver, arguments, result) = self.method_call(receiver, name, arguments, span);
        let selector = self.selector(name.text);
        (self.add(ExprKind::Sync { receiver, selector, arguments }, span), result)
    }
}

/// Functions of other tools' libraries, with what they belong to.
const OUTSIDE: &[(&str, &str)] = &[
    ("duration", "timed ABS"),
    ("deadline", "timed ABS"),
    ("timeDifference", "timed ABS"),
    ("now", "timed ABS"),
    ("currentms", "timed ABS"),
    ("lowlevelDeadline", "timed ABS"),
    ("original", "traits and deltas"),
    ("thisDC", "deployment components"),
    ("print", "printing without `println`"),
    ("readln", "input"),
    ("float", "Float"),
    ("sqrt", "Float"),
    ("log", "Float"),
    ("exp", "Float"),
];

fn other_space(space: Space) -> Space {
    if space == Space::Higher { Space::Function } else { Space::Higher }
}
