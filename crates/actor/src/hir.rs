//! The checked program: names resolved, types known to fit. What lowering starts from.
//!
//! Expressions live in one arena, children before their parents. Statements nest at most as deep as
//! the parser allows.

use mazurka_source::Span;
use num_bigint::BigInt;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index, to address a table with.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index! {
    /// An expression.
    ExprId,
    /// A data type.
    DataId,
    /// A constructor of a data type.
    ConstructorId,
    /// A function.
    FunctionId,
    /// An interface.
    InterfaceId,
    /// A class.
    ClassId,
    /// A method of a class, or the main block.
    MethodId,
    /// A name of methods.
    Selector,
    /// A variable of a body.
    LocalId,
}

/// Operators with two operands that are both evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`, of numbers or strings.
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, exact.
    Divide,
    /// `%`
    Remainder,
}

/// Functions that are not written in ABS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// The integer next to a number, towards zero.
    Truncate,
    /// The upper part of a fraction.
    Numerator,
    /// The lower part of a fraction.
    Denominator,
    /// Any value as text.
    ToString,
    /// The length of a string.
    StringLength,
    /// A part of a string: from, length.
    Substring,
    /// Output, which nobody sees.
    Print,
    /// Any number from 0 up to, but not, a bound: a choice.
    Random,
}

impl Builtin {
    /// The function of the standard library with this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Some(match name {
            "truncate" => Builtin::Truncate,
            "numerator" => Builtin::Numerator,
            "denominator" => Builtin::Denominator,
            "toString" => Builtin::ToString,
            "strlen" => Builtin::StringLength,
            "substr" => Builtin::Substring,
            "println" => Builtin::Print,
            "random" => Builtin::Random,
            _ => return None,
        })
    }
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(BigInt),
    /// A string.
    String(String),
    /// A variable.
    Local(LocalId),
    /// A field of this object.
    Field(u32),
    /// This object.
    This,
    /// No object, no future.
    Null,
    /// A constructor applied.
    Construct(ConstructorId, Vec<ExprId>),
    /// A list of these elements.
    List(Vec<ExprId>),
    /// A call of a function.
    Call(FunctionId, Vec<ExprId>),
    /// A call of a function that a variable holds.
    CallLocal(LocalId, Vec<ExprId>),
    /// A function as a value, with the values of the variables that it uses.
    Closure(FunctionId, Vec<ExprId>),
    /// A call of a function that is not written in ABS.
    Builtin(Builtin, Vec<ExprId>),
    /// `!`
    Not(ExprId),
    /// `-`
    Negate(ExprId),
    /// `&&`: the second operand is evaluated if the first holds.
    And(ExprId, ExprId),
    /// `||`: the second operand is evaluated if the first does not hold.
    Or(ExprId, ExprId),
    /// Operators with two operands.
    Binary(Operator, ExprId, ExprId),
    /// Condition, then, else.
    If(ExprId, ExprId, ExprId),
    /// Variable, value, body.
    Let(LocalId, ExprId, ExprId),
    /// The value, and what to do for which pattern.
    Case(ExprId, Vec<(Pattern, ExprId)>),
    /// Whether an object has an interface.
    Implements(ExprId, InterfaceId),
    /// The object if it has an interface, and null otherwise.
    As(ExprId, InterfaceId),
    /// Whether a future has its value.
    Ready(ExprId),
    /// The value of a future.
    Get(ExprId),
    /// A new object.
    New {
        /// Its class.
        class: ClassId,
        /// In the group of this object.
        local: bool,
        /// The class's parameters.
        arguments: Vec<ExprId>,
    },
    /// A call that makes a task.
    Async {
        /// Whose method.
        receiver: ExprId,
        /// Which method.
        selector: Selector,
        /// Its parameters.
        arguments: Vec<ExprId>,
        /// The caller awaits the task and gets its result.
        awaited: bool,
    },
    /// A call that returns the result.
    Sync {
        /// Whose method.
        receiver: ExprId,
        /// Which method.
        selector: Selector,
        /// Its parameters.
        arguments: Vec<ExprId>,
    },
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Fits everything.
    Any,
    /// Fits everything, and is kept in a variable.
    Bind(LocalId),
    /// Fits what equals an expression.
    Equals(ExprId),
    /// Fits a constructor whose arguments fit.
    Construct(ConstructorId, Vec<Pattern>),
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A variable with its first value.
    Declare(LocalId, ExprId),
    /// A variable.
    Assign(LocalId, ExprId),
    /// A field.
    Store(u32, ExprId),
    /// Leaves the method.
    Return(ExprId),
    /// A failure where it does not hold.
    Assert(ExprId),
    /// Statements with variables of their own.
    Block(Vec<Statement>),
    /// A condition.
    If(ExprId, Box<Statement>, Option<Box<Statement>>),
    /// A loop.
    While(ExprId, Box<Statement>),
    /// Element, index, list, body.
    Foreach(LocalId, Option<LocalId>, ExprId, Box<Statement>),
    /// The value, and what to do for which pattern.
    Switch(ExprId, Vec<(Pattern, Statement)>),
    /// What to do where an exception is thrown, and in any case.
    Try {
        /// What may throw.
        body: Box<Statement>,
        /// What to do for which exception.
        arms: Vec<(Pattern, Statement)>,
        /// What to do in any case.
        finally: Option<Box<Statement>>,
    },
    /// An exception.
    Throw(ExprId),
    /// Waits until the guard holds.
    Await(ExprId),
    /// Lets others go on.
    Suspend,
    /// For its effect.
    Evaluate(ExprId),
}

/// What is known of the values of a plain type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Plain {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Anything else.
    Other,
}

/// What is known of the values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Fractions.
    Rat,
    /// Maps: their keys, and what these lead to.
    Map(Plain, Plain),
    /// Anything else.
    Other,
}

/// What a field or a parameter can hold, if it is an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Of what shape.
    pub shape: Shape,
    /// Of what type.
    pub ty: InputType,
    /// The interfaces of the objects that are somewhere in it.
    pub references: Vec<InterfaceId>,
    /// A future is somewhere in it.
    pub has_future: bool,
}

/// The shapes of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// Fractions.
    Rat,
    /// Text.
    String,
    /// An object.
    Object(InterfaceId),
    /// Data, or a future.
    Other,
}

/// The types of inputs, as far as values are made up for them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InputType {
    /// Integers.
    Int,
    /// Fractions.
    Rat,
    /// Truth values.
    Bool,
    /// Text.
    String,
    /// Objects of an interface.
    Object(InterfaceId),
    /// Data, with the types that it is declared over.
    Data(DataId, Vec<InputType>),
    /// Futures.
    Future,
    /// A type that data is declared over.
    Parameter(u32),
    /// Anything else.
    Unknown,
}

impl InputType {
    /// The type with types put in for those that its data is declared over.
    pub fn over(&self, types: &[InputType]) -> InputType {
        match self {
            InputType::Parameter(number) => types.get(*number as usize).cloned().unwrap_or(InputType::Unknown),
            InputType::Data(data, inner) => InputType::Data(*data, inner.iter().map(|ty| ty.over(types)).collect()),
            other => other.clone(),
        }
    }
}

/// A declaration that two methods of an object commute.
#[derive(Clone, Copy, Debug)]
pub struct Independence {
    /// The methods.
    pub methods: [MethodId; 2],
    /// A method of their class that tells whether they do. Its parameters are theirs.
    pub condition: MethodId,
    /// The declaration.
    pub span: Span,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// How many arguments it has.
    pub arguments: usize,
    /// The functions that project to its arguments.
    pub fields: Vec<Option<String>>,
    /// The types of its arguments.
    pub types: Vec<InputType>,
    /// Whose it is.
    pub data: DataId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<LocalId>,
    /// What it comes to.
    pub body: FunctionBody,
    /// Of what kind that is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// It is written in ABS.
    Expression(ExprId),
    /// It is built in.
    Builtin(Builtin),
    /// The argument of a constructor at this position.
    Project(Vec<(ConstructorId, usize)>),
    /// It was wrong, and has been reported.
    Missing,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// The names of its fields, parameters first.
    pub fields: Vec<String>,
    /// Whether a field holds a map.
    pub maps: Vec<bool>,
    /// The kinds of its fields.
    pub kinds: Vec<Kind>,
    /// What its fields can hold.
    pub inputs: Vec<Input>,
    /// How many of the fields are parameters.
    pub parameters: usize,
    /// Its interfaces, inherited ones included.
    pub interfaces: Vec<InterfaceId>,
    /// Its methods.
    pub methods: Vec<(Selector, MethodId)>,
    /// The method that sets the fields and runs the init block.
    pub init: MethodId,
    /// It has a method `run` that is started with each object.
    pub run: Option<Selector>,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Whose it is; none for the main block.
    pub class: Option<ClassId>,
    /// Its parameters.
    pub parameters: Vec<LocalId>,
    /// Their names and kinds.
    pub kinds: Vec<(String, Kind)>,
    /// What they can hold.
    pub inputs: Vec<Input>,
    /// What it does.
    pub body: Vec<Statement>,
    /// What its task does before an exception ends it, by exception.
    pub recover: Vec<(Pattern, Statement)>,
    /// Its name in the source.
    pub span: Span,
    /// Its closing brace.
    pub end: Span,
}

/// What the machine has to know by name.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// `True`
    pub yes: ConstructorId,
    /// `False`
    pub no: ConstructorId,
    /// `Unit`
    pub unit: ConstructorId,
    /// `Nil`
    pub nil: ConstructorId,
    /// `Cons`
    pub cons: ConstructorId,
    /// `DivisionByZeroException`
    pub division: ConstructorId,
    /// `AssertionFailException`
    pub assertion: ConstructorId,
    /// `PatternMatchFailException`
    pub no_match: ConstructorId,
    /// `NullPointerException`
    pub null: ConstructorId,
    /// `OutOfRangeException`
    pub range: ConstructorId,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All expressions.
    pub exprs: Vec<Expr>,
    /// The names of data types.
    pub datas: Vec<String>,
    /// All constructors, exceptions included.
    pub constructors: Vec<Constructor>,
    /// All functions.
    pub functions: Vec<Function>,
    /// The names of interfaces.
    pub interfaces: Vec<String>,
    /// All classes.
    pub classes: Vec<Class>,
    /// All methods.
    pub methods: Vec<Method>,
    /// The names of methods.
    pub selectors: Vec<String>,
    /// Which methods commute, as the program declares it.
    pub independences: Vec<Independence>,
    /// The main block.
    pub main: MethodId,
    /// What the machine has to know by name.
    pub known: Known,
}
