//! Declarations: who is there, and of which type. Bodies come later.

use mazurka_source::{Diagnostic, Sink, suggest};

use super::symbols::{Space, Symbol, name_of};
use super::types::Type;
use super::{Base, Checker, ClassType, ConstructorType, FunctionType, MethodType, Where};
use crate::hir::{self, ClassId, ConstructorId, DataId, FunctionBody, FunctionId, InterfaceId, Known, MethodId};
use crate::syntax::ast::{self, Constructor, Declaration, Name, Path, Signature};

/// Where a named argument stands: in which constructors, and at which place.
type Projections = Vec<(ConstructorId, usize)>;

/// A declaration whose types are still to be looked at.
pub(super) struct Pending<'a, 's> {
    pub(super) module: usize,
    pub(super) declaration: &'a Declaration<'s>,
    /// The number of what it declares; of its first constructor, for data.
    pub(super) number: u32,
    /// For data: its number.
    data: DataId,
}

/// The module whose main block runs.
pub(super) fn main_module(ast: &ast::Program<'_>, wanted: Option<&str>, sink: &mut Sink) -> Option<usize> {
    let mains: Vec<usize> = (1..ast.modules.len()).filter(|&module| ast.modules[module].main.is_some()).collect();
    let names = || mains.iter().map(|&module| ast.modules[module].name.text);
    if let Some(wanted) = wanted {
        let found = mains.iter().copied().find(|&module| ast.modules[module].name.text == wanted);
        if found.is_none() {
            let problem = Diagnostic::general(format!("there is no module `{wanted}` with a main block"));
            sink.push(problem.maybe_help(suggest(wanted, names())));
        }
        return found;
    }
    match mains[..] {
        [one] => Some(one),
        [] => {
            if sink.is_empty() {
                let help = "a program begins with statements in braces at the end of a module: `{ ... }`";
                sink.push(Diagnostic::general("there is no main block").help(help));
            }
            None
        }
        [first, second, ..] => {
            let message = format!("{} modules have a main block", mains.len());
            let help = format!("say which one runs: `--main {}`", ast.modules[first].name.text);
            let problem = Diagnostic::new(ast.modules[second].main_place, message, "this is one of them");
            sink.push(problem.note(ast.modules[first].main_place, "and this").help(help));
            None
        }
    }
}

impl<'a, 's> Checker<'a, 's> {
    /// Gives everything that is declared a number.
    pub(super) fn declare_names(&mut self) -> Vec<Pending<'a, 's>> {
        let mut pending = Vec::new();
        // The type of all exceptions is declared in the standard library, before the first of them.
        let mut exception = DataId(0);
        for (module, declarations) in self.ast.modules.iter().enumerate() {
            for declaration in &declarations.declarations {
                let (number, data) = self.declare_name(module, declaration, exception);
                if matches!(declaration, Declaration::Data { name, .. } if module == 0 && name.text == "Exception") {
                    exception = data;
                }
                pending.push(Pending { module, declaration, number, data });
            }
        }
        self.base.exception = exception;
        pending
    }

    fn declare_name(&mut self, module: usize, declaration: &'a Declaration<'s>, exception: DataId) -> (u32, DataId) {
        let name = name_of(declaration);
        let mut data = exception;
        let (space, symbol, number) = match declaration {
            Declaration::Data { generics, constructors, .. } => {
                data = DataId(self.datas.len() as u32);
                self.datas.push(generics.len());
                self.program.datas.push(name.text.to_owned());
                let first = self.program.constructors.len() as u32;
                for constructor in constructors {
                    self.declare_constructor(module, constructor, data);
                }
                (Space::Type, Symbol::Data(data), first)
            }
            Declaration::Exception(constructor) => {
                return (self.declare_constructor(module, constructor, exception).0, exception);
            }
            Declaration::Synonym { ty, .. } => (Space::Type, Symbol::Synonym(ty), 0),
            Declaration::Function(function) => {
                let id = self.add_function(name);
                let space = if function.functions.is_empty() { Space::Function } else { Space::Higher };
                (space, Symbol::Function(id), id.0)
            }
            Declaration::Interface { .. } => {
                let id = InterfaceId(self.interfaces.len() as u32);
                self.interfaces.push(Vec::new());
                self.program.interfaces.push(name.text.to_owned());
                (Space::Type, Symbol::Interface(id), id.0)
            }
            Declaration::Class(_) => {
                let id = ClassId(self.classes.len() as u32);
                self.classes.push(ClassType::default());
                self.add_class(name);
                (Space::Class, Symbol::Class(id), id.0)
            }
        };
        self.symbols.declare(module, space, name, symbol, self.sink);
        (number, data)
    }

    fn add_function(&mut self, name: Name<'s>) -> FunctionId {
        self.functions.push(FunctionType::default());
        self.program.functions.push(hir::Function {
            name: name.text.to_owned(),
            parameters: Vec::new(),
            body: FunctionBody::Missing,
            kind: hir::Kind::Other,
            span: name.span,
        });
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn add_class(&mut self, name: Name<'s>) {
        self.program.classes.push(hir::Class {
            name: name.text.to_owned(),
            fields: Vec::new(),
            maps: Vec::new(),
            kinds: Vec::new(),
            inputs: Vec::new(),
            parameters: 0,
            interfaces: Vec::new(),
            methods: Vec::new(),
            init: MethodId(0),
            run: None,
        });
    }

    fn declare_constructor(&mut self, module: usize, constructor: &Constructor<'s>, data: DataId) -> ConstructorId {
        let id = ConstructorId(self.program.constructors.len() as u32);
        self.constructors.push(ConstructorType { data, generics: 0, fields: Vec::new() });
        self.program.constructors.push(hir::Constructor {
            name: constructor.name.text.to_owned(),
            arguments: constructor.fields.len(),
            fields: constructor.fields.iter().map(|(_, name)| Some((*name)?.text.to_owned())).collect(),
            types: Vec::new(),
            data,
        });
        self.symbols.declare(module, Space::Constructor, constructor.name, Symbol::Constructor(id), self.sink);
        id
    }

    /// The names of the standard library that the language itself speaks of.
    pub(super) fn find_base(&mut self) -> Option<()> {
        let data = |name: &str| Some(DataId(self.program.datas.iter().position(|data| data == name)? as u32));
        let exception = self.base.exception;
        let (yes_no, unit) = (data("Bool")?, data("Unit")?);
        self.base = Base { yes_no, unit, list: data("List")?, map: data("Map")?, exception };
        let constructors = &self.program.constructors;
        let named = |name: &str| {
            Some(ConstructorId(constructors.iter().position(|constructor| constructor.name == name)? as u32))
        };
        self.program.known = Known {
            yes: named("True")?,
            no: named("False")?,
            unit: named("Unit")?,
            nil: named("Nil")?,
            cons: named("Cons")?,
            division: named("DivisionByZeroException")?,
            assertion: named("AssertionFailException")?,
            no_match: named("PatternMatchFailException")?,
            null: named("NullPointerException")?,
            range: named("OutOfRangeException")?,
        };
        Some(())
    }

    /// The types of all that is declared.
    pub(super) fn declare_types(&mut self, pending: &[Pending<'a, 's>]) {
        self.declare_inheritance(pending);
        for one in pending {
            self.begin(one.module, &[], None, Where::Function);
            match one.declaration {
                Declaration::Data { generics, constructors, .. } => {
                    self.generics.clone_from(generics);
                    self.declare_data(one, constructors);
                }
                Declaration::Exception(constructor) => {
                    self.constructors[one.number as usize].fields =
                        constructor.fields.iter().map(|(ty, _)| self.resolve(ty)).collect();
                }
                Declaration::Synonym { ty, .. } => {
                    self.resolve(ty);
                }
                Declaration::Function(function) => self.declare_function(function, one.number),
                Declaration::Interface { methods, .. } => {
                    let methods = methods.iter().map(|signature| self.method_type(signature)).collect();
                    self.interfaces[one.number as usize] = methods;
                }
                Declaration::Class(class) => self.declare_class(class, ClassId(one.number)),
            }
        }
    }

    fn declare_data(&mut self, one: &Pending<'a, 's>, constructors: &'a [Constructor<'s>]) {
        let mut selectors: Vec<(Name<'s>, Type, Projections)> = Vec::new();
        for (number, constructor) in constructors.iter().enumerate() {
            let id = ConstructorId(one.number + number as u32);
            let fields: Vec<Type> = constructor.fields.iter().map(|(ty, _)| self.resolve(ty)).collect();
            for (position, (ty, (_, name))) in fields.iter().zip(&constructor.fields).enumerate() {
                let Some(name) = name else { continue };
                match selectors.iter_mut().find(|(other, ..)| other.text == name.text) {
                    Some((_, _, projections)) => projections.push((id, position)),
                    None => selectors.push((*name, ty.clone(), vec![(id, position)])),
                }
            }
            let generics = self.generics.len();
            self.constructors[id.index()] = ConstructorType { data: one.data, generics, fields };
        }
        for (name, result, projections) in selectors {
            let id = self.add_function(name);
            let generics = self.generics.len();
            let parameter = Type::Data(one.data, (0..generics as u32).map(Type::Parameter).collect());
            let parameters = vec![parameter];
            self.functions[id.index()] = FunctionType { generics, functions: 0, parameters, result: Some(result) };
            let kind = self.functions[id.index()].result.as_ref().map_or(hir::Kind::Other, |ty| self.kind(ty));
            let function = &mut self.program.functions[id.index()];
            function.kind = kind;
            (function.parameters, function.body) = (vec![hir::LocalId(0)], FunctionBody::Project(projections));
            self.symbols.declare(one.module, Space::Function, name, Symbol::Function(id), self.sink);
        }
    }

    fn declare_function(&mut self, function: &'a ast::Function<'s>, number: u32) {
        self.generics.clone_from(&function.generics);
        let parameters = function.parameters.iter().map(|parameter| self.resolve(&parameter.ty)).collect();
        let result = Some(self.resolve(&function.result));
        let (generics, functions) = (function.generics.len(), function.functions.len());
        self.functions[number as usize] = FunctionType { generics, functions, parameters, result };
    }

    pub(super) fn method_type(&mut self, signature: &Signature<'s>) -> MethodType<'s> {
        MethodType {
            name: signature.name,
            parameters: signature.parameters.iter().map(|parameter| self.resolve(&parameter.ty)).collect(),
            result: self.resolve(&signature.result),
        }
    }

    /// Which interfaces extend and implement which.
    fn declare_inheritance(&mut self, pending: &[Pending<'a, 's>]) {
        let mut direct: Vec<Vec<InterfaceId>> = vec![Vec::new(); self.interfaces.len()];
        let mut implemented: Vec<Vec<InterfaceId>> = vec![Vec::new(); self.classes.len()];
        for one in pending {
            self.module = one.module;
            match one.declaration {
                Declaration::Interface { extends, .. } => {
                    direct[one.number as usize] = self.interfaces_named(extends);
                }
                Declaration::Class(class) => {
                    implemented[one.number as usize] = self.interfaces_named(&class.implements);
                }
                _ => {}
            }
        }
        let closure = |start: &[InterfaceId]| {
            let mut all: Vec<InterfaceId> = start.to_vec();
            let mut at = 0;
            while at < all.len() {
                let next: Vec<InterfaceId> = direct[all[at].index()].clone();
                all.extend(next.into_iter().filter(|id| !all.contains(id)).collect::<Vec<_>>());
                at += 1;
            }
            all
        };
        for one in pending {
            let Declaration::Interface { name, .. } = one.declaration else { continue };
            let itself = InterfaceId(one.number);
            if closure(&direct[itself.index()]).contains(&itself) {
                let message = format!("the interface `{}` extends itself", name.text);
                self.sink.push(Diagnostic::new(name.span, message, "expected other interfaces above it"));
            }
        }
        self.objects.above = (0..direct.len()).map(|id| closure(&[InterfaceId(id as u32)])).collect();
        self.objects.classes = implemented.iter().map(|start| closure(start)).collect();
        for (class, interfaces) in self.program.classes.iter_mut().zip(&self.objects.classes) {
            class.interfaces.clone_from(interfaces);
        }
    }

    fn interfaces_named(&mut self, paths: &[Path<'s>]) -> Vec<InterfaceId> {
        let mut found: Vec<InterfaceId> = Vec::new();
        for path in paths {
            match self.symbols.find(self.module, Space::Type, path) {
                Some(Symbol::Interface(id)) if found.contains(&id) => {}
                Some(Symbol::Interface(id)) => found.push(id),
                _ => {
                    let problem = self.symbols.unknown(self.module, Space::Type, path);
                    let message = format!("there is no interface `{}`", path.name.text);
                    self.sink.push(Diagnostic { message, label: "expected an interface".to_owned(), ..problem });
                }
            }
        }
        found
    }
}
