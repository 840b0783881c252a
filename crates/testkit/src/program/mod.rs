//! Small programs in the process notation, as trees: what the generator makes, the shrinker cuts
//! and the printer writes.
//!
//! The tree knows nothing of the front end's. Whether a program is valid, the front end says.

mod c;
mod edit;
mod print;

pub use edit::{edits, nth_edit};

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Global variables.
    pub globals: Vec<Global>,
    /// Mutexes.
    pub mutexes: Vec<Mutex>,
    /// Processes and procs.
    pub bodies: Vec<Body>,
    /// The `finally` block; empty for none.
    pub finally: Block,
}

/// The types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// `int`
    Int,
    /// `bool`
    Bool,
}

/// A global variable or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The type of it or of its cells.
    pub ty: Type,
    /// The number of cells, if it is an array.
    pub length: Option<usize>,
    /// The initial value, of each cell; booleans are 0 and 1.
    pub initial: i64,
}

/// A mutex or an array of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutex {
    /// Its name.
    pub name: String,
    /// How many, if it is an array.
    pub length: Option<usize>,
}

/// A process or proc.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// How it comes to run.
    pub kind: BodyKind,
    /// What it does.
    pub block: Block,
}

/// How a body comes to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// `process p`
    Process,
    /// `process p[n](i)`
    Array(usize),
    /// `proc w(int v, …)`
    Proc(Vec<String>),
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `int t = 0;`
    Local(Type, String, Expr),
    /// `x = 1;`, `a[1] = 1;`
    Assign(String, Option<Expr>, Expr),
    /// `atomic { … }`
    Atomic(Block),
    /// `if (…) { … } else { … }`
    If(Expr, Block, Block),
    /// `while (…) { … }`
    While(Expr, Block),
    /// `lock(m);`, `lock(m[1]);`
    Lock(String, Option<Expr>),
    /// `unlock(m);`
    Unlock(String, Option<Expr>),
    /// `await …;`
    Await(Expr),
    /// `assume …;`
    Assume(Expr),
    /// `assert …;`
    Assert(Expr),
    /// `spawn w(…);`
    Spawn(String, Vec<Expr>),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// A variable.
    Name(String),
    /// An array's cell.
    Cell(String, Box<Expr>),
    /// `!a`, `-a`
    Unary(&'static str, Box<Expr>),
    /// `a + b` and so on.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `choose(a, b)`
    Choose(Box<Expr>, Box<Expr>),
}

impl Statement {
    /// The blocks within it.
    pub fn blocks(&mut self) -> impl Iterator<Item = &mut Block> {
        let (first, second) = match self {
            Statement::Atomic(block) | Statement::While(_, block) => (Some(block), None),
            Statement::If(_, then, otherwise) => (Some(then), Some(otherwise)),
            Statement::Local(..)
            | Statement::Assign(..)
            | Statement::Lock(..)
            | Statement::Unlock(..)
            | Statement::Await(_)
            | Statement::Assume(_)
            | Statement::Assert(_)
            | Statement::Spawn(..) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

impl Expr {
    /// A variable.
    pub fn name(name: &str) -> Expr {
        Expr::Name(name.to_string())
    }

    /// `left operator right`
    pub fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `choose(low, high)`
    pub fn choose(low: Expr, high: Expr) -> Expr {
        Expr::Choose(Box::new(low), Box::new(high))
    }
}
