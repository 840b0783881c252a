//! The checked program: names resolved, types known, constants folded in. What lowering, and later
//! the symbolic parts, start from.
//!
//! Expressions live in one arena, children before their parents, so that no pass has to recurse
//! over a user's expression; blocks nest at most as deep as the parser allows.

use mazurka_trace::Value;

pub use mazurka_source::Span;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index, to address a table with.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// A global variable or array: index into [`Program::globals`].
    GlobalId
}
index! {
    /// A mutex or array of mutexes: index into [`Program::mutexes`].
    MutexId
}
index! {
    /// A process, proc or the finally block: index into [`Program::bodies`].
    BodyId
}
index! {
    /// A local variable or parameter: index into [`Body::locals`] of the body it stands in.
    LocalId
}
index! {
    /// An expression: index into [`Program::exprs`].
    ExprId
}

/// The two types of values. A boolean is the value 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Type {
    /// A mathematical integer within 64 bits.
    Int,
    /// A truth value.
    Bool,
}

/// A checked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The global variables, in the order of their declaration.
    pub globals: Vec<Global>,
    /// The mutexes.
    pub mutexes: Vec<Mutex>,
    /// Processes, procs and, if there is one, the finally block.
    pub bodies: Vec<Body>,
    /// All expressions, children before parents.
    pub exprs: Vec<Expr>,
    /// The declared independence constraints.
    pub independences: Vec<Independence>,
    /// The inputs: each is a [`ExprKind::Choose`] whose values a solver is meant to find.
    pub inputs: Vec<Input>,
    /// Those of the initial state, one for each variable or cell, and of the finally block.
    pub initial_inputs: Vec<Input>,
}

/// `any(low, high)`, or `any`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// The smallest value.
    pub low: Value,
    /// The largest value.
    pub high: Value,
    /// Where it stands.
    pub span: Span,
}

impl Input {
    /// How many values it has.
    pub fn values(self) -> u128 {
        self.high.abs_diff(self.low) as u128 + 1
    }

    /// What stands in a variable until the input is chosen.
    pub(crate) fn before(self) -> Value {
        if self.low <= 0 && 0 <= self.high { 0 } else { self.low }
    }
}

/// A global variable, or an array of them.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The type of a cell.
    pub ty: Type,
    /// The number of cells; `None` for a plain variable.
    pub length: Option<usize>,
    /// The initial values, one for each cell.
    pub initial: Vec<Value>,
    /// The declared name.
    pub span: Span,
}

/// A mutex, or an array of them.
#[derive(Clone, Debug)]
pub struct Mutex {
    /// Its name.
    pub name: String,
    /// The number of mutexes; `None` for a single one.
    pub length: Option<usize>,
    /// The declared name.
    pub span: Span,
}

/// How a body comes to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// `process p`: started at the beginning, once.
    Process,
    /// `process q[N](i)`: started at the beginning, so many times; its first local is the index.
    ProcessArray(usize),
    /// `proc w(…)`: spawned; its first locals are its parameters.
    Proc,
    /// `finally`: runs once every process has ended.
    Finally,
}

/// The code of a process, a proc or the finally block.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name (`finally` for the finally block).
    pub name: String,
    /// How it comes to run.
    pub kind: BodyKind,
    /// How many of the locals are parameters (the index of a process array counts as one).
    pub parameters: usize,
    /// Parameters and local variables, each declaration one.
    pub locals: Vec<Local>,
    /// What it does.
    pub block: Block,
    /// The declared name.
    pub span: Span,
    /// It chooses the inputs of the initial state, in one step that is taken before all others.
    pub inputs: bool,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The declared name.
    pub span: Span,
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement with its place. The span covers the statement; for `if` and `while` the keyword and
/// the condition; for `atomic` the keyword and the name.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements. A declaration of a local is an assignment (of 0 or false where it has no initial
/// value).
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `target = value;`
    Assign(Target, ExprId),
    /// `atomic name { … }`
    Atomic(Option<String>, Block),
    /// `if … else if … else`: the conditions (each with the span of its arm's head) and blocks in
    /// order, then the `else` block.
    If(Vec<(Span, ExprId, Block)>, Block),
    /// `while (…) { … }`
    While(ExprId, Block),
    /// `lock(m);`
    Lock(MutexRef),
    /// `unlock(m);`
    Unlock(MutexRef),
    /// `await …;`
    Await(ExprId),
    /// `assume …;`
    Assume(ExprId),
    /// `assert …;`
    Assert(ExprId),
    /// `spawn w(…);`
    Spawn(BodyId, Vec<ExprId>),
}

/// What an assignment assigns to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A local variable.
    Local(LocalId),
    /// A global variable.
    Global(GlobalId),
    /// A cell of a global array.
    Cell(GlobalId, ExprId),
}

/// A mutex as a statement names it.
#[derive(Clone, Copy, Debug)]
pub struct MutexRef {
    /// Which.
    pub mutex: MutexId,
    /// The index, for an array of mutexes.
    pub index: Option<ExprId>,
}

/// An expression with its type and place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The expressions. Constants are folded to [`ExprKind::Value`] where they are named; `&&`, `||`
/// and `? :` evaluate only what they need, left to right.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, or a named constant. Booleans are 0 and 1.
    Value(Value),
    /// A local variable.
    Local(LocalId),
    /// A global variable.
    Global(GlobalId),
    /// A cell of a global array.
    Cell(GlobalId, ExprId),
    /// `-a`, `!a`
    Unary(Unary, ExprId),
    /// `a + b` and so on.
    Binary(Binary, ExprId, ExprId),
    /// `c ? a : b`
    Conditional(ExprId, ExprId, ExprId),
    /// `choose(low, high)`, `any(low, high)`
    Choose(ExprId, ExprId),
}

/// The operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Unary {
    /// `-a`
    Negate,
    /// `!a`
    Not,
}

/// The operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, towards zero
    Divide,
    /// `a % b`, with the sign of `a`
    Remainder,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a && b`
    And,
    /// `a || b`
    Or,
}

/// `independent left, right when condition;`
#[derive(Clone, Debug)]
pub struct Independence {
    /// One side.
    pub left: Side,
    /// The other side.
    pub right: Side,
    /// When. [`ExprKind::Local`] counts through the parameters of the left side, then those of the
    /// right side.
    pub condition: ExprId,
    /// The declaration.
    pub span: Span,
}

/// One side of a declared independence.
#[derive(Clone, Debug)]
pub struct Side {
    /// Whose steps.
    pub steps: Steps,
    /// The names it gives to the parameters (empty, or one for each).
    pub parameters: Vec<String>,
}

/// The steps that a side of a declared independence stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All steps of a process or proc.
    Body(BodyId),
    /// A named atomic block, of the body it stands in.
    Atomic(BodyId, String),
}
