//! The constraints of a program, as the machine uses them: for two methods the compiled
//! conditions.

use rustc_hash::FxHashMap;

use super::Pc;

/// A condition under which two methods commute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// As operations on a stack.
    Operations(Vec<Operation>),
    /// As a method of the object, whose parameters are those of both.
    Method(u32),
}

/// What is known about two methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    /// The conditions under which they commute, each with whether the methods stand in it the other
    /// way round.
    pub(crate) conditions: Vec<(u32, bool)>,
    /// One of them is `true`.
    pub(crate) always: bool,
    /// There are no other states in which they commute.
    pub(crate) necessary: bool,
}

/// All constraints of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) conditions: Vec<Condition>,
    /// By where the methods begin.
    pub(crate) pairs: FxHashMap<(Pc, Pc), Pair>,
}

impl Constraints {
    pub(crate) fn add(&mut self, (left, right): (Pc, Pc), condition: Condition) {
        let always = matches!(&condition, Condition::Operations(all) if all[..] == [Operation::Bool(true)]);
        let number = self.conditions.len() as u32;
        self.conditions.push(condition);
        for (sites, swapped) in [((left, right), false), ((right, left), true)] {
            let pair = self.pairs.entry(sites).or_default();
            pair.always |= always;
            pair.conditions.push((number, swapped));
        }
    }
}

/// One operation on a stack of numbers, truth values and words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// What a field, a parameter or a task has.
    Value(Source),
    /// No object.
    Null,
    /// The object.
    This,
    /// A constructor without arguments.
    Constructor(u32),
    /// A constant of the program.
    Constant(u32),
    Not,
    Equal,
    Less,
    LessEqual,
    Add,
    Multiply,
    /// If the topmost value is false, it stays and the rest is left out; otherwise it goes.
    And(u32),
}

/// What a condition can speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A field of the object.
    Field(u32),
    /// A parameter of the left method (0) or of the right one (1).
    Parameter(usize, u32),
    /// Whether somebody can have the result of the left task (0) or of the right one (1).
    Kept(usize),
}
