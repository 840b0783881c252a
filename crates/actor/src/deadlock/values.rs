//! Small sets of constants: what a word can hold, for all data.

use std::collections::BTreeSet;

use num_bigint::BigInt;

use crate::hir::{Known, Operator};

/// So many values are told apart; more are anything.
const MOST: usize = 8;

/// A constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Integer(BigInt),
    /// A constructor without arguments.
    Plain(u32),
}

/// What a word can hold: one of a few constants, or anything. The default is nothing at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    known: BTreeSet<Value>,
    any: bool,
}

impl Values {
    pub(super) fn any() -> Self {
        Values { known: BTreeSet::new(), any: true }
    }

    pub(super) fn integer(number: &BigInt) -> Self {
        Values { known: BTreeSet::from([Value::Integer(number.clone())]), any: false }
    }

    pub(super) fn plain(constructor: u32) -> Self {
        Values { known: BTreeSet::from([Value::Plain(constructor)]), any: false }
    }

    fn of(values: impl IntoIterator<Item = Value>) -> Self {
        let mut all = Values { known: values.into_iter().collect(), any: false };
        all.limit();
        all
    }

    fn limit(&mut self) {
        if self.any || self.known.len() > MOST {
            *self = Values::any();
        }
    }

    pub(super) fn join(&mut self, others: &Values) {
        self.any |= others.any;
        self.known.extend(others.known.iter().cloned());
        self.limit();
    }

    /// Whether it can be a constructor.
    pub(super) fn may_be(&self, constructor: u32) -> bool {
        self.any || self.known.contains(&Value::Plain(constructor))
    }

    /// Whether it can be something else.
    pub(super) fn may_differ_from(&self, constructor: u32) -> bool {
        self.any || self.known.iter().any(|value| *value != Value::Plain(constructor))
    }

    fn truth(known: &Known, holds: bool) -> Value {
        Value::Plain(if holds { known.yes.0 } else { known.no.0 })
    }

    pub(super) fn not(&self, known: &Known) -> Self {
        if self.any {
            return Values::any();
        }
        Values::of(self.known.iter().map(|value| Values::truth(known, *value != Value::Plain(known.yes.0))))
    }

    /// What an operator comes to.
    pub(super) fn binary(operator: Operator, left: &Values, right: &Values, known: &Known) -> Self {
        if left.any || right.any {
            return Values::any();
        }
        let pairs = left.known.iter().flat_map(|one| right.known.iter().map(move |other| (one, other)));
        let all: Option<Vec<Value>> = pairs.map(|(one, other)| value(operator, one, other, known)).collect();
        all.map_or_else(Values::any, Values::of)
    }
}

fn value(operator: Operator, one: &Value, other: &Value, known: &Known) -> Option<Value> {
    let truth = |holds| Some(Values::truth(known, holds));
    match operator {
        Operator::Equal => return truth(one == other),
        Operator::NotEqual => return truth(one != other),
        _ => {}
    }
    let (Value::Integer(one), Value::Integer(other)) = (one, other) else { return None };
    match operator {
        Operator::Less => truth(one < other),
        Operator::LessEqual => truth(one <= other),
        Operator::Greater => truth(one > other),
        Operator::GreaterEqual => truth(one >= other),
        Operator::Add => Some(Value::Integer(one + other)),
        Operator::Subtract => Some(Value::Integer(one - other)),
        Operator::Multiply => Some(Value::Integer(one * other)),
        Operator::Equal | Operator::NotEqual | Operator::Divide | Operator::Remainder => None,
    }
}
