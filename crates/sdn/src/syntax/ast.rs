//! A network as it is written.

use mazurka_source::Span;

/// A name and its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Negate,
    Not,
}

/// An expression. How deep it nests is limited by the parser.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
    pub(crate) depth: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Int(i64),
    Bool(bool),
    /// `any`: every value, in the header of a packet that is sent.
    Any,
    Name(String),
    Index(Box<Expression>, Box<Expression>),
    /// `p.src`, `hop.port`
    Field(Box<Expression>, Name),
    Call(Name, Vec<Expression>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    Conditional(Box<[Expression; 3]>),
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    Int,
    Bool,
    Host,
    Switch,
    /// `{ ssh, http }`
    Values(Vec<Name>),
    /// `0..15`
    Range(Expression, Expression),
    /// The type of a field of the header.
    OfField(Name),
    Map(Box<Type>, Box<Type>),
    Set(Box<Type>),
}

/// A declared group of hosts or switches: `h`, `h[P]`.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: Name,
    pub(crate) size: Option<Expression>,
    /// Of hosts: where they are, and at which port.
    pub(crate) at: Option<(Expression, Option<Expression>)>,
}

/// `for i in 0..P-1`
#[derive(Clone, Debug)]
pub(crate) struct Repeat {
    pub(crate) name: Name,
    pub(crate) first: Expression,
    pub(crate) last: Expression,
}

/// `link s1:1 - s2:1 for i in 0..3;`
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) ends: [(Expression, Expression); 2],
    pub(crate) repeat: Option<Repeat>,
    pub(crate) span: Span,
}

/// `topology fat_tree(4);`
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    pub(crate) name: Name,
    pub(crate) sizes: Vec<Expression>,
}

/// What a match says of fields; others are wildcards.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) fields: Vec<(Name, Expression)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Drop,
    Flood,
    Controller,
    Out(Vec<Expression>),
}

/// A rule of a table that is there at the beginning.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) priority: Expression,
    pub(crate) matches: Match,
    pub(crate) action: Action,
    pub(crate) span: Span,
}

/// What a loop goes over.
#[derive(Clone, Debug)]
pub(crate) enum Over {
    Path(Expression, Expression),
    Range(Expression, Expression),
    Switches,
    Hosts,
}

/// The switches that a barrier is for.
#[derive(Clone, Debug)]
pub(crate) enum Barrier {
    Path(Expression, Expression),
    Switch(Expression),
    /// All that this run of the handler has sent something to.
    All,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Local(Type, Name, Expression),
    Assign(Expression, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    For(Name, Over, Vec<Statement>),
    Install(Expression, Expression, Match, Action),
    Remove(Expression, Option<Expression>, Match),
    PacketOut(Expression, Name, Option<Action>),
    Barrier(bool, Barrier),
    Insert(Expression, Expression),
    Erase(Expression),
    Assert(Expression),
    Return,
}

/// A variable of the controller.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) of: Type,
    pub(crate) name: Name,
    pub(crate) value: Option<Expression>,
}

#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Switch, port, packet.
    PacketIn(Name, Name, Name),
    Start(Name),
}

#[derive(Clone, Debug)]
pub(crate) struct Handler {
    pub(crate) event: Event,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Controller {
    pub(crate) variables: Vec<Variable>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) span: Span,
}

/// `send h[i] { dst = r1 } times 2 for i in 0..3`
#[derive(Clone, Debug)]
pub(crate) struct Send {
    pub(crate) host: Expression,
    pub(crate) fields: Vec<(Name, Expression)>,
    pub(crate) times: Option<Expression>,
    pub(crate) repeat: Option<Repeat>,
    pub(crate) span: Span,
}

/// Which hosts a property is about.
#[derive(Clone, Debug)]
pub(crate) enum Who {
    Anybody,
    One(Expression),
    Group(Name),
}

#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) kind: PropertyKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum PropertyKind {
    NoLoop,
    NoRevisit,
    NoBlackhole,
    Delivered(Option<(Name, Expression)>),
    ConsistentTables,
    Balanced(Vec<Expression>),
    Hops(Expression),
    NeverDeliver(Name, Who, Option<Expression>),
    NeverForward(Name, Who, Option<Expression>),
    Waypoint(Expression),
}

/// All declarations of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) constants: Vec<(Name, Expression)>,
    pub(crate) header: Vec<(Name, Type)>,
    pub(crate) topologies: Vec<Topology>,
    pub(crate) switches: Vec<Group>,
    pub(crate) hosts: Vec<Group>,
    pub(crate) links: Vec<Link>,
    pub(crate) tables: Vec<(Expression, Vec<Rule>)>,
    /// `routes 1: dst;`: everywhere, rules of this priority that lead to each host, by a field.
    pub(crate) routes: Vec<(Expression, Name)>,
    pub(crate) misses_dropped: bool,
    pub(crate) overlaps_chosen: bool,
    pub(crate) controllers: Vec<Controller>,
    /// Sends; each list begins when all of the one before has come to its end.
    pub(crate) traffic: Vec<Vec<Vec<Send>>>,
    pub(crate) properties: Vec<Property>,
}
