//! What is declared, and who sees it.

use mazurka_source::{Diagnostic, Sink, Span, suggest};
use rustc_hash::FxHashMap;

use crate::hir::{ClassId, ConstructorId, DataId, FunctionId, InterfaceId};
use crate::syntax::ast::{self, Declaration, Name, Path, TypeExpr};

/// The kinds of names. A class and a type may share one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Space {
    Type,
    Class,
    Constructor,
    Function,
    /// Functions that take functions.
    Higher,
}

impl Space {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Space::Type => "type",
            Space::Class => "class",
            Space::Constructor => "constructor",
            Space::Function => "function",
            Space::Higher => "function that takes functions",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol<'a, 's> {
    Data(DataId),
    Interface(InterfaceId),
    Synonym(&'a TypeExpr<'s>),
    Class(ClassId),
    Constructor(ConstructorId),
    Function(FunctionId),
}

/// What a module declares.
#[derive(Default)]
struct Scope<'a, 's> {
    declared: FxHashMap<(Space, &'s str), (Symbol<'a, 's>, Span)>,
}

/// All names of a program. The standard library is module 0.
pub(crate) struct Symbols<'a, 's> {
    ast: &'a ast::Program<'s>,
    scopes: Vec<Scope<'a, 's>>,
    modules: FxHashMap<&'s str, usize>,
}

impl<'a, 's> Symbols<'a, 's> {
    pub(crate) fn new(ast: &'a ast::Program<'s>, sink: &mut Sink) -> Self {
        let mut modules = FxHashMap::default();
        for (number, module) in ast.modules.iter().enumerate() {
            if let Some(first) = modules.insert(module.name.text, number) {
                let message = format!("the module `{}` is declared twice", module.name.text);
                let problem = Diagnostic::new(module.name.span, message, "expected another name");
                sink.push(problem.note(ast.modules[first].name.span, "the first one is here"));
            }
        }
        let scopes = ast.modules.iter().map(|_| Scope::default()).collect();
        Symbols { ast, scopes, modules }
    }

    /// Enters a declaration; says so if there is one of that name.
    pub(crate) fn declare(
        &mut self,
        module: usize,
        space: Space,
        name: Name<'s>,
        symbol: Symbol<'a, 's>,
        sink: &mut Sink,
    ) {
        let declared = &mut self.scopes[module].declared;
        if let Some((_, first)) = declared.get(&(space, name.text)) {
            let message = format!("the {} `{}` is declared twice", space.word(), name.text);
            sink.push(Diagnostic::new(name.span, message, "expected another name").note(*first, "first declared here"));
            return;
        }
        declared.insert((space, name.text), (symbol, name.span));
    }

    fn declared(&self, module: usize, space: Space, name: &str) -> Option<Symbol<'a, 's>> {
        self.scopes[module].declared.get(&(space, name)).map(|(symbol, _)| *symbol)
    }

    /// What a name stands for in a module.
    pub(crate) fn find(&self, module: usize, space: Space, path: &Path<'_>) -> Option<Symbol<'a, 's>> {
        let name = path.name.text;
        if let Some(qualifier) = path.module {
            return self.declared(*self.modules.get(qualifier)?, space, name);
        }
        let own = self.declared(module, space, name);
        own.or_else(|| self.imported(module, space, name)).or_else(|| self.declared(0, space, name))
    }

    fn imported(&self, module: usize, space: Space, name: &str) -> Option<Symbol<'a, 's>> {
        self.ast.modules[module].imports.iter().find_map(|import| {
            let from = import.from?;
            let names_it = |names: &Vec<Path<'_>>| names.iter().any(|path| path.name.text == name);
            let other = *self.modules.get(from.text)?;
            let wanted = import.names.as_ref().is_none_or(names_it) && self.exports(other, name);
            wanted.then(|| self.declared(other, space, name)).flatten()
        })
    }

    /// Whether a module lets others see a name.
    fn exports(&self, module: usize, name: &str) -> bool {
        self.ast.modules[module].exports.iter().any(|export| match &export.names {
            None => true,
            Some(names) => names.iter().any(|path| path.name.text == name),
        })
    }

    /// Says what is wrong with the imports of a module.
    pub(crate) fn check_imports(&self, module: usize, sink: &mut Sink) {
        for import in &self.ast.modules[module].imports {
            let Some(from) = import.from else { continue };
            let Some(&other) = self.modules.get(from.text) else {
                let hint = suggest(from.text, self.modules.keys().copied());
                let problem = Diagnostic::new(from.span, format!("there is no module `{}`", from.text), "expected one");
                sink.push(problem.maybe_help(hint));
                continue;
            };
            if other == module {
                let message = format!("the module `{}` imports itself", from.text);
                sink.push(Diagnostic::new(from.span, message, "expected another module"));
                continue;
            }
            for path in import.names.iter().flatten() {
                self.check_import(other, from.text, path.name, sink);
            }
        }
    }

    fn check_import(&self, other: usize, from: &str, name: Name<'_>, sink: &mut Sink) {
        let declared = &self.scopes[other].declared;
        if !declared.keys().any(|(_, declared)| *declared == name.text) {
            let message = format!("the module `{from}` declares no `{}`", name.text);
            let hint = suggest(name.text, declared.keys().map(|(_, name)| *name));
            sink.push(Diagnostic::new(name.span, message, "expected a name that it declares").maybe_help(hint));
        } else if !self.exports(other, name.text) {
            let message = format!("the module `{from}` does not export `{}`", name.text);
            let help = format!("add `export {};` to `{from}`", name.text);
            sink.push(Diagnostic::new(name.span, message, "expected a name that it exports").help(help));
        }
    }

    /// The diagnostic for a name that stands for nothing.
    pub(crate) fn unknown(&self, module: usize, space: Space, path: &Path<'_>) -> Diagnostic {
        let name = path.name;
        if let Some(qualifier) = path.module.filter(|qualifier| !self.modules.contains_key(qualifier)) {
            let hint = suggest(qualifier, self.modules.keys().copied());
            let problem = Diagnostic::new(name.span, format!("there is no module `{qualifier}`"), "expected one");
            return problem.maybe_help(hint);
        }
        let message = format!("there is no {} `{}`", space.word(), name.text);
        let here = self.scopes[module].declared.keys().chain(self.scopes[0].declared.keys());
        let here = here.filter(|(other, _)| *other == space).map(|(_, name)| *name);
        let base = if space == Space::Type { &["Int", "Rat", "String", "Fut"][..] } else { &[] };
        let hint = suggest(name.text, here.chain(base.iter().copied()));
        let elsewhere = self.scopes.iter().zip(&self.ast.modules);
        let elsewhere = elsewhere.filter(|(scope, _)| scope.declared.contains_key(&(space, name.text)));
        let import = elsewhere.map(|(_, module)| format!("`import {} from {};`?", name.text, module.name.text)).next();
        let label = format!("expected the name of a {}", space.word());
        Diagnostic::new(name.span, message, label).maybe_help(import.or(hint))
    }
}

/// The name of a declaration.
pub(crate) fn name_of<'s>(declaration: &Declaration<'s>) -> Name<'s> {
    match declaration {
        Declaration::Data { name, .. } | Declaration::Synonym { name, .. } | Declaration::Interface { name, .. } => {
            *name
        }
        Declaration::Exception(constructor) => constructor.name,
        Declaration::Function(function) => function.name,
        Declaration::Class(class) => class.name,
    }
}
