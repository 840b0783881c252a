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
