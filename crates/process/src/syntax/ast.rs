//! The program as it is written: names unresolved, nothing checked.
//!
//! A part that could not be read has been reported, and is left out or stands as
//! [`NodeKind::Error`], about which the checker is silent.

use crate::hir::{Binary, Span, Type, Unary};

/// A name, where it is declared or used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    /// The name.
    pub(crate) text: &'s str,
    /// Where it stands.
    pub(crate) span: Span,
}

/// A file.
#[derive(Debug, Default)]
pub(crate) struct File<'s> {
    /// The declarations, in order.
    pub(crate) items: Vec<Item<'s>>,
    /// The nodes of all expressions; see [`Expression`].
    pub(crate) nodes: Vec<Node<'s>>,
    /// The names of declarations that could not be read.
    pub(crate) lost: Vec<&'s str>,
}

/// A declaration.
#[derive(Debug)]
pub(crate) enum Item<'s> {
    /// `const N = 3;`, with the span of all of it.
    Const(Name<'s>, Expression, Span),
    /// `int x = 0, a[3];`
    Globals(Type, Vec<Declarator<'s>>),
    /// `mutex m, f[3];`
    Mutexes(Vec<Declarator<'s>>),
    /// `process`, `proc` and `finally`.
    Body(Body<'s>),
    /// `independent a, b when c;`
    Independent(Independent<'s>),
}

/// A declared variable or mutex.
#[derive(Debug)]
pub(crate) struct Declarator<'s> {
    /// Its name.
    pub(crate) name: Name<'s>,
    /// `[length]`
    pub(crate) length: Option<Expression>,
    /// `= value`
    pub(crate) initial: Option<Initial>,
    /// All of it.
    pub(crate) span: Span,
}

/// An initial value.
#[derive(Debug)]
pub(crate) enum Initial {
    /// `= value`
    Value(Expression),
    /// `= {value, value}`, with the span of the braces.
    List(Vec<Expression>, Span),
}

/// The code of a process, a proc or the finally block.
#[derive(Debug)]
pub(crate) struct Body<'s> {
    /// Its name; that of the finally block is its keyword.
    pub(crate) name: Name<'s>,
    /// What it is.
    pub(crate) kind: BodyKind<'s>,
    /// What it does.
    pub(crate) block: Block<'s>,
}

/// What a body is.
#[derive(Debug)]
pub(crate) enum BodyKind<'s> {
    /// `process p`
    Process,
    /// `process q[count](index)`
    ProcessArray(Expression, Name<'s>),
    /// `proc w(int v, bool b)`
    Proc(Vec<(Type, Name<'s>)>),
    /// `finally`
    Finally,
}

/// A declared independence.
#[derive(Debug)]
pub(crate) struct Independent<'s> {
    /// One side.
    pub(crate) left: Side<'s>,
    /// The other.
    pub(crate) right: Side<'s>,
    /// When.
    pub(crate) condition: Expression,
    /// The declaration.
    pub(crate) span: Span,
}

/// A side of a declared independence.
#[derive(Debug)]
pub(crate) struct Side<'s> {
    /// A process, a proc or a named atomic block.
    pub(crate) name: Name<'s>,
    /// `(v, w)`
    pub(crate) parameters: Vec<Name<'s>>,
}

/// Statements in order.
pub(crate) type Block<'s> = Vec<Statement<'s>>;

/// A statement; its span is as [`crate::hir::Statement`] has it.
#[derive(Debug)]
pub(crate) struct Statement<'s> {
    /// What it does.
    pub(crate) kind: StatementKind<'s>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// The statements.
#[derive(Debug)]
pub(crate) enum StatementKind<'s> {
    /// `int t = 0;`: each name of a list is a statement of its own.
    Declare(Type, Declarator<'s>),
    /// `x = 1;`
    Assign(Place<'s>, Expression),
    /// `atomic name { … }`
    Atomic(Option<Name<'s>>, Block<'s>),
    /// `if … else if … else`: a chain is one statement, however long.
    If(Vec<Arm<'s>>, Block<'s>),
    /// `while (…) { … }`
    While(Expression, Block<'s>),
    /// `lock(m);`
    Lock(Place<'s>),
    /// `unlock(m);`
    Unlock(Place<'s>),
    /// `await …;`
    Await(Expression),
    /// `assume …;`
    Assume(Expression),
    /// `assert …;`
    Assert(Expression),
    /// `spawn w(…);`
    Spawn(Name<'s>, Vec<Expression>),
}

/// `if (condition) { … }`
#[derive(Debug)]
pub(crate) struct Arm<'s> {
    /// The keyword and the condition.
    pub(crate) head: Span,
    /// The condition.
    pub(crate) condition: Expression,
    /// What it does.
    pub(crate) block: Block<'s>,
}

/// A variable or mutex, or a cell of an array of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'s> {
    /// Its name.
    pub(crate) name: Name<'s>,
    /// `[index]`
    pub(crate) index: Option<Expression>,
    /// Both.
    pub(crate) span: Span,
}

/// An expression: a stretch of [`File::nodes`]. The nodes of every operand stand together, operands
/// before their operator and in the order in which they are written, so the last node is the root,
/// and one loop over the stretch meets every operand before it is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression {
    /// The first node.
    pub(crate) start: u32,
    /// The root.
    pub(crate) root: NodeId,
}

/// A node of an expression: index into [`File::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

/// A node of an expression.
#[derive(Debug)]
pub(crate) struct Node<'s> {
    /// What it computes.
    pub(crate) kind: NodeKind<'s>,
    /// Where it stands, with the parentheses around it.
    pub(crate) span: Span,
}

/// The nodes of expressions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeKind<'s> {
    /// What could not be read, and has been reported.
    Error,
    /// `12`, `-12`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `x`
    Name(&'s str),
    /// `a[i]`
    Index(Name<'s>, NodeId),
    /// `-a`, `!a`
    Unary(Unary, NodeId),
    /// `a + b`
    Binary(Binary, NodeId, NodeId),
    /// `c ? a : b`
    Conditional(NodeId, NodeId, NodeId),
    /// `choose(low, high)`
    Choose(NodeId, NodeId),
    /// `any(low, high)`, `any`
    Any(NodeId, NodeId),
}
