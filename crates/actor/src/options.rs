//! What a front end is told besides the program.

/// Which rules programs were written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Today's ABS: a method `run` is started with each object, `/` is exact.
    #[default]
    Abs,
    /// The language of SYCO and its time: nobody starts `run`, `n / 2` is cut off where an integer
    /// is wanted, numbers begin with 0.
    Syco,
}

/// Which object moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObjectChoice {
    /// Every one that can.
    #[default]
    All,
    /// One after the other, in a circle.
    RoundRobin,
}

/// Which task of an object moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TaskChoice {
    /// Every one that can.
    #[default]
    All,
    /// Of those that can, the one that was called, or has stopped, first.
    Fifo,
    /// The last one.
    Lifo,
}

/// When two steps of one group are taken to depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dependence {
    /// Always.
    Object,
    /// If one writes a field that the other uses.
    #[default]
    Field,
    /// As by field, with the entries of a map told apart.
    Entry,
}

/// What to make of a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The dialect; none: as the program tells.
    pub dialect: Option<Dialect>,
    /// When steps depend on each other.
    pub dependence: Dependence,
    /// The module whose main block runs, where there are several.
    pub main: Option<String>,
    /// A call that the program begins with, instead of a main block: `C.m(3, true)`, or
    /// `C(1, 2).m(3, true)` for a class with parameters.
    pub call: Option<String>,
    /// A method, as `m` or `C.m`: a call of it is a failure.
    pub property: Option<String>,
    /// Methods are looked at, not a program: nothing begins, and no main block is needed.
    pub methods: bool,
    /// Other values for functions of the program that have no parameters and come to an integer:
    /// `def Int n() = 3;`.
    pub defines: Vec<(String, i64)>,
}
