//! Names and types: from the tree to the checked program. All errors are reported, each with what
//! was expected.

mod call;
mod classes;
mod declare;
mod expression;
mod independence;
mod pattern;
mod statement;
mod symbols;
mod types;

use mazurka_source::{Diagnostic, Sink, Span};
use rustc_hash::FxHashMap;

use crate::hir::{
    self, ClassId, ConstructorId, DataId, Expr, ExprId, ExprKind, FunctionId, Input, InputType, Kind, Known, LocalId,
    Plain, Selector, Shape,
};
use crate::options::Dialect;
use crate::options::Options;
use crate::syntax::ast::{self, Name, Path, TypeExpr};

use symbols::{Space, Symbol, Symbols};
use types::{Objects, Type, Variables};

/// A constructor's type.
struct ConstructorType {
    data: DataId,
    generics: usize,
    fields: Vec<Type>,
}

/// A function's type.
#[derive(Default)]
struct FunctionType {
    generics: usize,
    functions: usize,
    parameters: Vec<Type>,
    result: Option<Type>,
}

/// A method's type.
#[derive(Clone, Debug)]
struct MethodType<'s> {
    name: Name<'s>,
    parameters: Vec<Type>,
    result: Type,
}

/// A class's fields and methods.
#[derive(Default)]
struct ClassType<'s> {
    parameters: Vec<Type>,
    fields: Vec<(Name<'s>, Type)>,
    methods: Vec<MethodType<'s>>,
}

/// The data types that the language itself speaks of.
#[derive(Clone, Copy)]
struct Base {
    yes_no: DataId,
    unit: DataId,
    list: DataId,
    map: DataId,
    exception: DataId,
}

/// A variable that can be seen.
struct Local<'s> {
    name: &'s str,
    id: LocalId,
    ty: Type,
    /// It holds a function.
    is_function: bool,
}

/// What an expression may do where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effects {
    /// Nothing: it only computes.
    None,
    /// Everything but waiting.
    NoWaiting,
    All,
}

/// Why an expression may not do what it does.
#[derive(Clone, Copy)]
enum Where {
    Function,
    Guard,
    /// The condition under which methods commute.
    Condition,
    Init,
    Recover,
    Method,
}

/// Checks a program.
struct Checker<'a, 's> {
    ast: &'a ast::Program<'s>,
    sink: &'a mut Sink,
    dialect: Dialect,
    /// The program says `new cog` somewhere: then `new` alone makes an object of the same group.
    says_cog: bool,
    symbols: Symbols<'a, 's>,
    /// How many type parameters each data type has.
    datas: Vec<usize>,
    constructors: Vec<ConstructorType>,
    functions: Vec<FunctionType>,
    interfaces: Vec<Vec<MethodType<'s>>>,
    classes: Vec<ClassType<'s>>,
    objects: Objects,
    base: Base,
    selectors: FxHashMap<&'s str, Selector>,
    program: hir::Program,
    // Of the body that is being checked:
    module: usize,
    generics: Vec<Name<'s>>,
    class: Option<ClassId>,
    locals: Vec<Local<'s>>,
    next_local: u32,
    variables: Variables,
    result: Type,
    place: Where,
}

/// Checks a program whose first module is the standard library. The options name the module whose
/// main block runs.
pub(crate) fn check(
    ast: &ast::Program<'_>,
    dialect: Dialect,
    options: &Options,
    sink: &mut Sink,
) -> Option<hir::Program> {
    let symbols = Symbols::new(ast, sink);
    let main = declare::main_module(ast, options.main.as_deref(), sink)?;
    let mut checker = Checker::new(ast, dialect, symbols, sink);
    let pending = checker.declare_names();
    checker.find_base()?;
    checker.declare_types(&pending);
    checker.keep_types();
    for module in 1..ast.modules.len() {
        checker.symbols.check_imports(module, checker.sink);
    }
    checker.check_bodies(&pending);
    checker.define(&options.defines);
    // All main blocks are looked at, the one that runs last: it is the one that stays.
    for module in (1..ast.modules.len()).filter(|&module| module != main).chain([main]) {
        checker.check_main(module);
    }
    let Checker { program, sink, .. } = checker;
    sink.is_empty().then_some(program)
}

impl<'a, 's> Checker<'a, 's> {
    fn new(ast: &'a ast::Program<'s>, dialect: Dialect, symbols: Symbols<'a, 's>, sink: &'a mut Sink) -> Self {
        let (none, nobody) = (DataId(0), ConstructorId(0));
        let known = Known {
            yes: nobody,
            no: nobody,
            unit: nobody,
            nil: nobody,
            cons: nobody,
            division: nobody,
            assertion: nobody,
            no_match: nobody,
            null: nobody,
            range: nobody,
        };
        Checker {
            ast,
            sink,
            dialect,
            says_cog: dialect == Dialect::Syco && ast.exprs.iter().any(is_cog),
            symbols,
            datas: Vec::new(),
            constructors: Vec::new(),
            functions: Vec::new(),
            interfaces: Vec::new(),
            classes: Vec::new(),
            objects: Objects::default(),
            base: Base { yes_no: none, unit: none, list: none, map: none, exception: none },
            selectors: FxHashMap::default(),
            program: hir::Program {
                exprs: Vec::new(),
                datas: Vec::new(),
                constructors: Vec::new(),
                functions: Vec::new(),
                interfaces: Vec::new(),
                classes: Vec::new(),
                methods: Vec::new(),
                selectors: Vec::new(),
                independences: Vec::new(),
                main: hir::MethodId(0),
                known,
            },
            module: 0,
            generics: Vec::new(),
            class: None,
            locals: Vec::new(),
            next_local: 0,
            variables: Variables::default(),
            result: Type::Any,
            place: Where::Function,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.sink.push(Diagnostic::new(span, message, label));
    }

    fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, span });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn yes_no(&self) -> Type {
        Type::Data(self.base.yes_no, Vec::new())
    }

    fn unit(&self) -> Type {
        Type::Data(self.base.unit, Vec::new())
    }

    fn exception(&self) -> Type {
        Type::Data(self.base.exception, Vec::new())
    }

    /// Begins a body in a module.
    fn begin(&mut self, module: usize, generics: &[Name<'s>], class: Option<ClassId>, place: Where) {
        self.module = module;
        self.generics = generics.to_vec();
        self.class = class;
        self.locals.clear();
        self.next_local = 0;
        self.variables.clear();
        self.place = place;
    }

    /// A variable that can be seen from now on.
    fn bind(&mut self, name: &'s str, ty: Type) -> LocalId {
        let id = LocalId(self.next_local);
        self.next_local += 1;
        self.locals.push(Local { name, id, ty, is_function: false });
        id
    }

    fn local(&self, name: &str) -> Option<&Local<'s>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn selector(&mut self, name: &'s str) -> Selector {
        let selectors = &mut self.program.selectors;
        *self.selectors.entry(name).or_insert_with(|| {
            selectors.push(name.to_owned());
            Selector(selectors.len() as u32 - 1)
        })
    }

    fn find_function(&self, space: Space, path: &Path<'_>) -> Option<FunctionId> {
        match self.symbols.find(self.module, space, path) {
            Some(Symbol::Function(id)) => Some(id),
            _ => None,
        }
    }

    /// What is known of the values of a type.
    fn kind(&self, ty: &Type) -> Kind {
        match self.variables.shallow(ty) {
            Type::Int => Kind::Int,
            Type::Rat => Kind::Rat,
            Type::Data(data, _) if data == self.base.yes_no => Kind::Bool,
            Type::Data(data, arguments) if data == self.base.map => {
                let plain = |ty: &Type| match self.kind(ty) {
                    Kind::Int => Plain::Int,
                    Kind::Bool => Plain::Bool,
                    Kind::Rat | Kind::Map(..) | Kind::Other => Plain::Other,
                };
                match &arguments[..] {
                    [key, value] => Kind::Map(plain(key), plain(value)),
                    _ => Kind::Other,
                }
            }
            _ => Kind::Other,
        }
    }

    /// Keeps the types of constructors' arguments, for whoever makes up values.
    fn keep_types(&mut self) {
        for number in 0..self.constructors.len() {
            let types = self.constructors[number].fields.iter().map(|ty| self.input_type(ty)).collect();
            self.program.constructors[number].types = types;
        }
    }

    /// The type of an input. Types nest as deep as the source does.
    fn input_type(&self, ty: &Type) -> InputType {
        match self.variables.shallow(ty) {
            Type::Int => InputType::Int,
            Type::Rat => InputType::Rat,
            Type::String => InputType::String,
            Type::Interface(interface) => InputType::Object(interface),
            Type::Data(data, _) if data == self.base.yes_no => InputType::Bool,
            Type::Data(data, arguments) => {
                InputType::Data(data, arguments.iter().map(|argument| self.input_type(argument)).collect())
            }
            Type::Future(_) => InputType::Future,
            Type::Parameter(number) => InputType::Parameter(number),
            Type::Any | Type::Null | Type::Class(_) | Type::Variable(_) => InputType::Unknown,
        }
    }

    /// What a field or a parameter of a type can hold.
    fn input(&self, ty: &Type) -> Input {
        let ty = self.variables.deep(ty, 0);
        let shape = match ty {
            Type::Int => Shape::Int,
            Type::Rat => Shape::Rat,
            Type::String => Shape::String,
            Type::Interface(interface) => Shape::Object(interface),
            Type::Data(data, _) if data == self.base.yes_no => Shape::Bool,
            _ => Shape::Other,
        };
        let (references, has_future) = (Vec::new(), false);
        let mut input = Input { shape, ty: self.input_type(&ty), references, has_future };
        // Data can hold what its constructors hold; each kind of data is looked into once.
        let (mut left, mut known) = (vec![ty], Vec::new());
        while let Some(ty) = left.pop() {
            match ty {
                Type::Interface(interface) => input.references.push(interface),
                Type::Future(inner) => {
                    input.has_future = true;
                    left.push(*inner);
                }
                Type::Data(data, arguments) => {
                    left.extend(arguments);
                    if !known.contains(&data) {
                        known.push(data);
                        let own = self.constructors.iter().filter(|constructor| constructor.data == data);
                        left.extend(own.flat_map(|constructor| constructor.fields.iter().cloned()));
                    }
                }
                _ => {}
            }
        }
        input.references.sort_unstable();
        input.references.dedup();
        input
    }

    /// The type that is written somewhere.
    fn resolve(&mut self, ty: &TypeExpr<'s>) -> Type {
        self.resolve_within(ty, 0)
    }

    fn resolve_within(&mut self, ty: &TypeExpr<'s>, synonyms: usize) -> Type {
        let (path, span) = (&ty.path, ty.path.name.span);
        if path.module.is_none() {
            let parameter = self.generics.iter().position(|generic| generic.text == path.name.text);
            if let Some(number) = parameter {
                return Type::Parameter(number as u32);
            }
        }
        let arguments: Vec<Type> = ty.arguments.iter().map(|ty| self.resolve_within(ty, synonyms)).collect();
        if let Some(found) = self.base_type(path.name.text, &arguments, ty.span) {
            return found;
        }
        match self.symbols.find(self.module, Space::Type, path) {
            Some(Symbol::Data(data)) => {
                self.expect_arguments(span, path.name.text, self.datas[data.index()], arguments.len());
                let wanted = self.datas[data.index()];
                let padded = arguments.into_iter().chain(std::iter::repeat(Type::Any)).take(wanted);
                Type::Data(data, padded.collect())
            }
            Some(Symbol::Interface(interface)) => {
                self.expect_arguments(span, path.name.text, 0, arguments.len());
                Type::Interface(interface)
            }
            Some(Symbol::Synonym(_)) if synonyms > 50 => {
                self.error(span, format!("the type `{}` is a synonym of itself", path.name.text), "expected a type");
                Type::Any
            }
            Some(Symbol::Synonym(other)) => self.resolve_within(other, synonyms + 1),
            _ if matches!(path.name.text, "Float" | "Time" | "Duration" | "DC" | "DeploymentComponent") => {
                let message = format!("the type `{}` cannot be checked", path.name.text);
                self.error(span, message, "this is outside of what Mazurka reads of ABS");
                Type::Any
            }
            _ => {
                let problem = self.symbols.unknown(self.module, Space::Type, path);
                let is_class = self.symbols.find(self.module, Space::Class, path).is_some();
                let help = "a class is no type: declare an interface, and let the class implement it";
                self.sink.push(if is_class { problem.help(help) } else { problem });
                Type::Any
            }
        }
    }

    /// The types that are not declared in ABS.
    fn base_type(&mut self, name: &str, arguments: &[Type], span: Span) -> Option<Type> {
        let (ty, wanted) = match name {
            "Int" => (Type::Int, 0),
            "Rat" => (Type::Rat, 0),
            "String" => (Type::String, 0),
            "Fut" => (Type::Future(Box::new(arguments.first().cloned().unwrap_or(Type::Any))), 1),
            _ => return None,
        };
        self.expect_arguments(span, name, wanted, arguments.len());
        Some(ty)
    }

    fn expect_arguments(&mut self, span: Span, name: &str, wanted: usize, found: usize) {
        if wanted != found {
            let message = format!("the type `{name}` has {found} arguments here");
            self.error(span, message, format!("expected {wanted}"));
        }
    }

    /// A type as a user writes it.
    fn show(&self, ty: &Type) -> String {
        match self.variables.deep(ty, 0) {
            Type::Any | Type::Variable(_) => "_".to_owned(),
            Type::Int => "Int".to_owned(),
            Type::Rat => "Rat".to_owned(),
            Type::String => "String".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Interface(id) => self.program.interfaces[id.index()].clone(),
            Type::Class(id) => self.program.classes[id.index()].name.clone(),
            Type::Future(inner) => format!("Fut<{}>", self.show(&inner)),
            Type::Parameter(number) => self.generics.get(number as usize).map_or("_", |name| name.text).to_owned(),
            Type::Data(data, arguments) => {
                let name = self.program.datas[data.index()].clone();
                if arguments.is_empty() {
                    return name;
                }
                let arguments: Vec<String> = arguments.iter().map(|ty| self.show(ty)).collect();
                format!("{name}<{}>", arguments.join(", "))
            }
        }
    }
}

/// Whether it is a `new cog`.
fn is_cog(expr: &ast::Expr<'_>) -> bool {
    matches!(expr.kind, ast::ExprKind::New { cog: true, .. })
}

/// The dialect that a program is written in, where it leaves no doubt: only older programs say `new
/// cog`.
pub(crate) fn recognise(ast: &ast::Program<'_>) -> Dialect {
    if ast.exprs.iter().any(is_cog) { Dialect::Syco } else { Dialect::Abs }
}
