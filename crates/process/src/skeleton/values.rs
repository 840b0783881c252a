//! What a number can be: a few values, or any.

use std::collections::BTreeSet;

use mazurka_trace::Value;

use crate::hir::Binary;
use crate::operator::apply;

/// So many values are told apart.
const MOST: usize = 16;

/// The values that a number can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// One of these.
    OneOf(BTreeSet<Value>),
    /// Any.
    Any,
}

impl Values {
    /// This value.
    pub(super) fn one(value: Value) -> Values {
        Values::OneOf(BTreeSet::from([value]))
    }

    /// One of these, unless they are too many.
    pub(super) fn of(values: impl IntoIterator<Item = Value>) -> Values {
        let few: BTreeSet<Value> = values.into_iter().take(MOST + 1).collect();
        if few.len() > MOST { Values::Any } else { Values::OneOf(few) }
    }

    /// Whether a value can be it.
    pub(super) fn admits(&self, value: Value) -> bool {
        match self {
            Values::OneOf(values) => values.contains(&value),
            Values::Any => true,
        }
    }

    /// Whether it can be another value than this.
    pub(super) fn admits_other(&self, value: Value) -> bool {
        match self {
            Values::OneOf(values) => values.iter().any(|&other| other != value),
            Values::Any => true,
        }
    }

    /// Adds what it can be besides; whether that is new.
    pub(super) fn join(&mut self, other: &Values) -> bool {
        let joined = match (&*self, other) {
            (Values::OneOf(mine), Values::OneOf(theirs)) => Values::of(mine.union(theirs).copied()),
            _ => Values::Any,
        };
        let is_new = joined != *self;
        *self = joined;
        is_new
    }

    /// What a function makes of it. Where that has no value, the program fails.
    pub(super) fn map(&self, function: impl Fn(Value) -> Option<Value>) -> Values {
        match self {
            Values::OneOf(values) => Values::of(values.iter().filter_map(|&value| function(value))),
            Values::Any => Values::Any,
        }
    }

    /// What an operator makes of two numbers.
    pub(super) fn combine(&self, operator: Binary, other: &Values) -> Values {
        let (Values::OneOf(left), Values::OneOf(right)) = (self, other) else { return Values::Any };
        let pairs = left.iter().flat_map(|&one| right.iter().map(move |&other| (one, other)));
        Values::of(pairs.filter_map(|(one, other)| apply(operator, one, other)))
    }
}
