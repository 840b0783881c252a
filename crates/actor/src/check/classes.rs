//! Classes, functions and the main block: what is in them.

use mazurka_source::Diagnostic;

use super::declare::Pending;
use super::types::Type;
use super::{Checker, MethodType, Where};
use crate::hir::{
    self, Builtin, ClassId, ExprKind, FunctionBody, LocalId, MethodId, Pattern, Statement, StatementKind,
};
use crate::options::Dialect;
use crate::syntax::ast::{self, Declaration, Name, Parameter};

impl<'a, 's> Checker<'a, 's> {
    /// The fields and methods of a class, and whether it has what its interfaces promise.
    pub(super) fn declare_class(&mut self, class: &'a ast::Class<'s>, id: ClassId) {
        let mut fields: Vec<(Name<'s>, Type)> = Vec::new();
        let all = class.parameters.iter().chain(class.fields.iter().map(|(field, _)| field));
        for Parameter { ty, name } in all {
            let ty = self.resolve(ty);
            if let Some((first, _)) = fields.iter().find(|(other, _)| other.text == name.text) {
                let message = format!("the field `{}` is declared twice", name.text);
                let problem = Diagnostic::new(name.span, message, "expected another name");
                self.sink.push(problem.note(first.span, "first declared here"));
            }
            fields.push((*name, ty));
        }
        let mut methods: Vec<MethodType<'s>> = Vec::new();
        for method in &class.methods {
            let ty = self.method_type(&method.signature);
            if let Some(first) = methods.iter().find(|other| other.name.text == ty.name.text) {
                let message = format!("the method `{}` is declared twice", ty.name.text);
                let problem = Diagnostic::new(ty.name.span, message, "expected another name");
                self.sink.push(problem.note(first.name.span, "first declared here"));
            }
            methods.push(ty);
        }
        let entry = &mut self.program.classes[id.index()];
        entry.fields = fields.iter().map(|(name, _)| name.text.to_owned()).collect();
        entry.maps = fields.iter().map(|(_, ty)| matches!(ty, Type::Data(data, _) if *data == self.base.map)).collect();
        entry.parameters = class.parameters.len();
        let kinds = fields.iter().map(|(_, ty)| self.kind(ty)).collect();
        self.program.classes[id.index()].kinds = kinds;
        let of_class = &mut self.classes[id.index()];
        of_class.parameters = fields[..class.parameters.len()].iter().map(|(_, ty)| ty.clone()).collect();
        (of_class.fields, of_class.methods) = (fields, methods);
    }

    /// Whether a class has the methods of its interfaces.
    fn check_promises(&mut self, class: &'a ast::Class<'s>, id: ClassId) {
        for interface in self.objects.classes[id.index()].clone() {
            for promised in self.interfaces[interface.index()].clone() {
                let (name, of) = (promised.name.text, self.program.interfaces[interface.index()].clone());
                let method = self.classes[id.index()].methods.iter().find(|method| method.name.text == name).cloned();
                let Some(method) = method else {
                    let message = format!("the class `{}` has no method `{name}`", class.name.text);
                    let problem = Diagnostic::new(class.name.span, message, format!("`{of}` promises it"));
                    self.sink.push(problem.note(promised.name.span, "promised here"));
                    continue;
                };
                self.check_promise(&method, &promised, &of);
            }
        }
    }

    fn check_promise(&mut self, method: &MethodType<'s>, promised: &MethodType<'s>, of: &str) {
        let objects = &self.objects;
        let fits = method.parameters.len() == promised.parameters.len()
            && self.variables.fits(objects, &method.result, &promised.result)
            && promised
                .parameters
                .iter()
                .zip(&method.parameters)
                .all(|(given, taken)| self.variables.fits(objects, given, taken));
        if !fits {
            let message = format!("the method `{}` is not what `{of}` promises", method.name.text);
            let label = format!("expected `{}`", self.show_signature(promised));
            let problem = Diagnostic::new(method.name.span, message, label);
            self.sink.push(problem.note(promised.name.span, "promised here"));
        }
    }

    pub(super) fn show_signature(&self, method: &MethodType<'s>) -> String {
        let parameters: Vec<String> = method.parameters.iter().map(|ty| self.show(ty)).collect();
        format!("{} {}({})", self.show(&method.result), method.name.text, parameters.join(", "))
    }

    /// All bodies.
    pub(super) fn check_bodies(&mut self, pending: &[Pending<'a, 's>]) {
        for one in pending {
            match one.declaration {
                Declaration::Function(function) => self.check_function(function, one.module, one.number),
                Declaration::Class(class) => self.check_class(class, one.module, ClassId(one.number)),
                _ => {}
            }
        }
    }

    fn check_function(&mut self, function: &'a ast::Function<'s>, module: usize, number: u32) {
        self.begin(module, &function.generics, None, Where::Function);
        let ty = &self.functions[number as usize];
        let (types, result) = (ty.parameters.clone(), ty.result.clone().unwrap_or(Type::Any));
        let mut parameters = Vec::new();
        for name in &function.functions {
            parameters.push(self.bind(name.text, Type::Any));
            if let Some(local) = self.locals.last_mut() {
                local.is_function = true;
            }
        }
        for (parameter, ty) in function.parameters.iter().zip(types) {
            parameters.push(self.bind_once(parameter.name, ty));
        }
        let body = match function.body {
            Some(body) => FunctionBody::Expression(self.expect(body, &result)),
            None => match Builtin::named(function.name.text).filter(|_| module == 0) {
                Some(builtin) => FunctionBody::Builtin(builtin),
                None => {
                    let message = format!("the function `{}` is built into other tools", function.name.text);
                    self.error(function.name.span, message, "expected a body: Mazurka has no such function");
                    FunctionBody::Missing
                }
            },
        };
        let kind = self.kind(&result);
        let entry = &mut self.program.functions[number as usize];
        (entry.parameters, entry.body, entry.kind) = (parameters, body, kind);
    }

    /// Gives functions without parameters other values.
    pub(super) fn define(&mut self, defines: &[(String, i64)]) {
        for (name, value) in defines {
            let is_it = |number: &usize| {
                let ty = &self.functions[*number];
                let function = &self.program.functions[*number];
                function.name == *name && function.parameters.is_empty() && ty.result == Some(Type::Int)
            };
            let Some(number) = (0..self.program.functions.len()).find(is_it) else {
                let help = format!("-D gives such a function another value: `def Int {name}() = 3;`");
                let message = format!("there is no function `{name}` without parameters that comes to an integer");
                self.sink.push(Diagnostic::general(message).help(help));
                continue;
            };
            let span = self.program.functions[number].span;
            let value = self.add(ExprKind::Int((*value).into()), span);
            self.program.functions[number].body = FunctionBody::Expression(value);
        }
    }

    /// A variable; an error if there is one of that name.
    pub(super) fn bind_once(&mut self, name: Name<'s>, ty: Type) -> LocalId {
        if self.local(name.text).is_some() {
            let message = format!("the variable `{}` is declared twice", name.text);
            self.error(name.span, message, "expected another name");
        }
        self.bind(name.text, ty)
    }

    fn check_class(&mut self, class: &'a ast::Class<'s>, module: usize, id: ClassId) {
        self.begin(module, &[], Some(id), Where::Init);
        self.check_promises(class, id);
        let inputs = self.classes[id.index()].fields.iter().map(|(_, ty)| self.input(ty)).collect();
        self.program.classes[id.index()].inputs = inputs;
        self.check_init(class, id);
        self.begin(module, &[], Some(id), Where::Recover);
        self.recover_arms(&class.recover);
        for (number, method) in class.methods.iter().enumerate() {
            self.begin(module, &[], Some(id), Where::Method);
            let ty = self.classes[id.index()].methods[number].clone();
            let parameters: Vec<LocalId> = method
                .signature
                .parameters
                .iter()
                .zip(&ty.parameters)
                .map(|(parameter, ty)| self.bind_once(parameter.name, ty.clone()))
                .collect();
            self.result = ty.result.clone();
            let body = self.method_body(&method.body);
            // What is wrong with it has been told.
            let recover = if self.sink.is_empty() { self.recover_arms(&class.recover) } else { Vec::new() };
            let selector = self.selector(ty.name.text);
            let names = method.signature.parameters.iter().map(|parameter| parameter.name.text.to_owned());
            let kinds = names.zip(ty.parameters.iter().map(|ty| self.kind(ty))).collect();
            let inputs = ty.parameters.iter().map(|ty| self.input(ty)).collect();
            let method_id = self.add_method(hir::Method {
                name: ty.name.text.to_owned(),
                class: Some(id),
                parameters,
                kinds,
                inputs,
                body,
                recover,
                span: ty.name.span,
                end: method.end,
            });
            let of_class = &mut self.program.classes[id.index()];
            of_class.methods.push((selector, method_id));
            let is_run = ty.name.text == "run" && ty.parameters.is_empty();
            if is_run && self.dialect == Dialect::Abs {
                of_class.run = Some(selector);
            }
        }
        self.check_independences(class, module, id);
    }

    /// What a class does before an exception ends a task. Each method has it with variables of its
    /// own; those of the method are not seen there.
    fn recover_arms(&mut self, arms: &'a [ast::Arm<'s, ast::Statement<'s>>]) -> Vec<(Pattern, Statement)> {
        self.locals.clear();
        let place = std::mem::replace(&mut self.place, Where::Recover);
        let exception = self.exception();
        let arms = self.arms(arms, &exception);
        self.place = place;
        arms
    }

    pub(super) fn add_method(&mut self, method: hir::Method) -> MethodId {
        self.program.methods.push(method);
        MethodId(self.program.methods.len() as u32 - 1)
    }

    /// What happens when an object is made: its parameters become fields, the other fields get
    /// their values, the init block runs.
    fn check_init(&mut self, class: &'a ast::Class<'s>, id: ClassId) {
        self.result = self.unit();
        let mut body = Vec::new();
        let mut parameters = Vec::new();
        for (number, parameter) in class.parameters.iter().enumerate() {
            let local = LocalId(self.next_local);
            self.next_local += 1;
            parameters.push(local);
            let value = self.add(ExprKind::Local(local), parameter.name.span);
            let kind = StatementKind::Store(number as u32, value);
            body.push(Statement { kind, span: parameter.name.span });
        }
        for (number, (field, value)) in class.fields.iter().enumerate() {
            let number = number + class.parameters.len();
            let ty = self.classes[id.index()].fields[number].1.clone();
            let value = match value {
                Some(value) => self.expect(*value, &ty),
                None => self.default_value(&ty, field.name, "field"),
            };
            body.push(Statement { kind: StatementKind::Store(number as u32, value), span: field.name.span });
        }
        body.extend(self.method_body(&class.init));
        let method = hir::Method {
            name: class.name.text.to_owned(),
            class: Some(id),
            parameters,
            kinds: Vec::new(),
            inputs: Vec::new(),
            body,
            recover: Vec::new(),
            span: class.name.span,
            end: class.name.span,
        };
        self.program.classes[id.index()].init = self.add_method(method);
    }

    /// The value of a variable or field without one: null where there is a null. Older programs
    /// leave out others, too.
    pub(super) fn default_value(&mut self, ty: &Type, name: Name<'s>, what: &str) -> hir::ExprId {
        match self.variables.shallow(ty) {
            Type::Interface(_) | Type::Future(_) | Type::Any => self.add(ExprKind::Null, name.span),
            Type::Int | Type::Rat if self.dialect == Dialect::Syco => self.add(ExprKind::Int(0.into()), name.span),
            other => {
                let message = format!("the {what} `{}` has no value", name.text);
                let label = format!("expected `= ...` after it, since a `{}` has no null", self.show(&other));
                self.error(name.span, message, label);
                self.add(ExprKind::Null, name.span)
            }
        }
    }

    pub(super) fn check_main(&mut self, module: usize) {
        let Some((block, end)) = &self.ast.modules[module].main else { return };
        self.begin(module, &[], None, Where::Method);
        self.result = self.unit();
        let body = self.method_body(block);
        let span = self.ast.modules[module].main_place;
        let name = "main".to_owned();
        let (parameters, kinds, inputs) = (Vec::new(), Vec::new(), Vec::new());
        let main = self.add_method(hir::Method {
            name,
            class: None,
            parameters,
            kinds,
            inputs,
            body,
            recover: Vec::new(),
            span,
            end: *end,
        });
        self.program.main = main;
    }
}
