//! Programs as they are written.
//!
//! Expressions live in an arena, so that a chain of ten thousand operators costs nobody's stack;
//! statements, patterns and types nest at most as deep as the parser allows.

use mazurka_source::Span;

/// An expression's number in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExprId(pub(crate) u32);

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    pub(crate) text: &'s str,
    pub(crate) span: Span,
}

/// A name that may be preceded by a module's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'s> {
    /// `A.B` of `A.B.name`.
    pub(crate) module: Option<&'s str>,
    pub(crate) name: Name<'s>,
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpr<'s> {
    pub(crate) path: Path<'s>,
    pub(crate) arguments: Vec<TypeExpr<'s>>,
    pub(crate) span: Span,
}

/// `T x`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'s> {
    pub(crate) ty: TypeExpr<'s>,
    pub(crate) name: Name<'s>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(crate) struct Expr<'s> {
    pub(crate) kind: ExprKind<'s>,
    pub(crate) span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Not,
    Negate,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Or,
    And,
    /// `&` of guards.
    Both,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What is handed to a function that takes functions.
#[derive(Clone, Debug)]
pub(crate) enum FunctionArgument<'s> {
    Named(Path<'s>),
    Lambda { parameters: Vec<Parameter<'s>>, body: ExprId },
}

/// A branch of a case.
#[derive(Clone, Debug)]
pub(crate) struct Arm<'s, T> {
    pub(crate) pattern: Pattern<'s>,
    pub(crate) body: T,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind<'s> {
    Int(&'s str),
    String(String),
    Variable(Name<'s>),
    This,
    Field(Name<'s>),
    Null,
    Construct(Path<'s>, Vec<ExprId>),
    Call(Path<'s>, Vec<ExprId>),
    /// `f[a, b, c]`.
    Sequence(Path<'s>, Vec<ExprId>),
    Higher(Path<'s>, Vec<FunctionArgument<'s>>, Vec<ExprId>),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Let(TypeExpr<'s>, Name<'s>, ExprId, ExprId),
    Case(ExprId, Vec<Arm<'s, ExprId>>),
    Implements(ExprId, TypeExpr<'s>),
    As(ExprId, TypeExpr<'s>),
    /// `f?` in a guard.
    Ready(ExprId),
    Get(ExprId),
    New {
        local: bool,
        cog: bool,
        class: Path<'s>,
        arguments: Vec<ExprId>,
    },
    Async {
        receiver: ExprId,
        method: Name<'s>,
        arguments: Vec<ExprId>,
        awaited: bool,
    },
    Sync {
        receiver: ExprId,
        method: Name<'s>,
        arguments: Vec<ExprId>,
    },
}

/// A pattern and its place.
#[derive(Clone, Debug)]
pub(crate) struct Pattern<'s> {
    pub(crate) kind: PatternKind<'s>,
    pub(crate) span: Span,
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
pub(crate) enum PatternKind<'s> {
    Any,
    Int { negative: bool, digits: &'s str },
    String(String),
    Variable(Name<'s>),
    Construct(Path<'s>, Vec<Pattern<'s>>),
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub(crate) struct Statement<'s> {
    pub(crate) kind: StatementKind<'s>,
    pub(crate) span: Span,
}

/// Statements in braces.
pub(crate) type Block<'s> = Vec<Statement<'s>>;

/// The kinds of statements.
#[derive(Clone, Debug)]
pub(crate) enum StatementKind<'s> {
    Declare(TypeExpr<'s>, Name<'s>, Option<ExprId>),
    Assign { field: bool, name: Name<'s>, value: ExprId },
    Skip,
    Return(ExprId),
    Assert(ExprId),
    Block(Block<'s>),
    If(ExprId, Box<Statement<'s>>, Option<Box<Statement<'s>>>),
    While(ExprId, Box<Statement<'s>>),
    Foreach(Name<'s>, Option<Name<'s>>, ExprId, Box<Statement<'s>>),
    Switch(ExprId, Vec<Arm<'s, Statement<'s>>>),
    Try { body: Box<Statement<'s>>, arms: Vec<Arm<'s, Statement<'s>>>, finally: Option<Box<Statement<'s>>> },
    Throw(ExprId),
    Await(ExprId),
    Suspend,
    Expression(ExprId),
}

/// A constructor's declaration, or an exception's.
#[derive(Clone, Debug)]
pub(crate) struct Constructor<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) fields: Vec<(TypeExpr<'s>, Option<Name<'s>>)>,
}

/// A function's declaration.
#[derive(Clone, Debug)]
pub(crate) struct Function<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) generics: Vec<Name<'s>>,
    pub(crate) functions: Vec<Name<'s>>,
    pub(crate) parameters: Vec<Parameter<'s>>,
    pub(crate) result: TypeExpr<'s>,
    /// `None`: it is built in.
    pub(crate) body: Option<ExprId>,
}

/// A method's head.
#[derive(Clone, Debug)]
pub(crate) struct Signature<'s> {
    pub(crate) result: TypeExpr<'s>,
    pub(crate) name: Name<'s>,
    pub(crate) parameters: Vec<Parameter<'s>>,
}

/// `m(x, y)` in a declaration of independence: a method, with names for its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Side<'s> {
    pub(crate) method: Name<'s>,
    /// `None`: its parameters have no names.
    pub(crate) parameters: Option<Vec<Name<'s>>>,
}

/// `[indep(m(x), n(y), condition)]` before a class, `[indep(n(y), condition)]` before a method.
#[derive(Clone, Debug)]
pub(crate) struct Independence<'s> {
    /// The methods; before a method, the other one.
    pub(crate) sides: Vec<Side<'s>>,
    /// `None`: always.
    pub(crate) condition: Option<ExprId>,
    pub(crate) span: Span,
}

/// A method's declaration.
#[derive(Clone, Debug)]
pub(crate) struct Method<'s> {
    pub(crate) independences: Vec<Independence<'s>>,
    pub(crate) signature: Signature<'s>,
    pub(crate) body: Block<'s>,
    /// The closing brace.
    pub(crate) end: Span,
}

/// A class's declaration.
#[derive(Clone, Debug)]
pub(crate) struct Class<'s> {
    pub(crate) independences: Vec<Independence<'s>>,
    pub(crate) name: Name<'s>,
    pub(crate) parameters: Vec<Parameter<'s>>,
    pub(crate) implements: Vec<Path<'s>>,
    pub(crate) fields: Vec<(Parameter<'s>, Option<ExprId>)>,
    pub(crate) init: Block<'s>,
    /// What is done after an exception that ends a task, by exception.
    pub(crate) recover: Vec<Arm<'s, Statement<'s>>>,
    pub(crate) methods: Vec<Method<'s>>,
}

/// The kinds of declarations.
#[derive(Clone, Debug)]
pub(crate) enum Declaration<'s> {
    Data { name: Name<'s>, generics: Vec<Name<'s>>, constructors: Vec<Constructor<'s>> },
    Synonym { name: Name<'s>, ty: TypeExpr<'s> },
    Exception(Constructor<'s>),
    Function(Function<'s>),
    Interface { name: Name<'s>, extends: Vec<Path<'s>>, methods: Vec<Signature<'s>> },
    Class(Class<'s>),
}

/// `import`: which names, from where.
#[derive(Clone, Debug)]
pub(crate) struct Import<'s> {
    /// `None`: all.
    pub(crate) names: Option<Vec<Path<'s>>>,
    pub(crate) from: Option<Name<'s>>,
}

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) exports: Vec<Import<'s>>,
    pub(crate) imports: Vec<Import<'s>>,
    pub(crate) declarations: Vec<Declaration<'s>>,
    /// The main block, and its closing brace.
    pub(crate) main: Option<(Block<'s>, Span)>,
    pub(crate) main_place: Span,
}

/// All that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program<'s> {
    pub(crate) modules: Vec<Module<'s>>,
    pub(crate) exprs: Vec<Expr<'s>>,
}

impl<'s> Program<'s> {
    pub(crate) fn expr(&self, id: ExprId) -> &Expr<'s> {
        &self.exprs[id.0 as usize]
    }
}
