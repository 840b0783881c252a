//! The value of a term.

use rustc_hash::FxHashMap;

use super::{Arena, Function, Op, Term};

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An array: what stands everywhere, and where something else stands.
    Array(i128, FxHashMap<i128, i128>),
}

impl Value {
    /// The truth value, of a term that has one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, of a term that is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }
}

/// What variables and functions stand for.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    variables: FxHashMap<Term, Value>,
    functions: FxHashMap<(Function, Vec<Option<i128>>), Value>,
}

impl Assignment {
    /// Nothing is known yet.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a variable its value.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.variables.insert(variable, value);
    }

    /// The value of a variable.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.variables.get(&variable)
    }

    /// Gives a function its value for these arguments, which are integers and truth values (0 and
    /// 1).
    pub fn set_function(&mut self, function: Function, arguments: &[i128], value: Value) {
        let arguments = arguments.iter().map(|&argument| Some(argument)).collect();
        self.functions.insert((function, arguments), value);
    }
}

impl Arena {
    /// The value of a term; nothing where it depends on something unknown, on a division by zero,
    /// or on a number beyond 128 bits. Costs the terms below it.
    pub fn evaluate(&self, root: Term, assignment: &Assignment) -> Option<Value> {
        self.evaluate_all(&[root], assignment).pop().flatten()
    }

    /// The values of several terms, which share the cost of what they share.
    pub fn evaluate_all(&self, roots: &[Term], assignment: &Assignment) -> Vec<Option<Value>> {
        let mut known: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for term in self.below(roots) {
            let value = self.evaluate_one(term, &known, assignment);
            known.insert(term, value);
        }
        roots.iter().map(|root| known[root].clone()).collect()
    }

    fn evaluate_one(
        &self,
        term: Term,
        known: &FxHashMap<Term, Option<Value>>,
        assignment: &Assignment,
    ) -> Option<Value> {
        let operands = self.operands(term);
        let at = |index: usize| known[&operands[index]].as_ref();
        let int = |index: usize| at(index).and_then(Value::as_int);
        let truth = |index: usize| at(index).and_then(Value::as_bool);
        match self.op(term) {
            Op::Bool(value) => Some(Value::Bool(value)),
            Op::Int(value) => Some(Value::Int(value)),
            Op::Variable(_) => assignment.get(term).cloned(),
            Op::Apply(function) => {
                let arguments = (0..operands.len()).map(|index| match at(index)? {
                    Value::Int(value) => Some(*value),
                    Value::Bool(value) => Some(i128::from(*value)),
                    Value::Array(..) => None,
                });
                assignment.functions.get(&(function, arguments.collect())).cloned()
            }
            Op::Not => truth(0).map(|value| Value::Bool(!value)),
            Op::And => junction((0..operands.len()).map(truth), true),
            Op::Or => junction((0..operands.len()).map(truth), false),
            Op::Ite => at(if truth(0)? { 1 } else { 2 }).cloned(),
            Op::Equal => Some(Value::Bool(same(at(0)?, at(1)?))),
            Op::Less => Some(Value::Bool(int(0)? < int(1)?)),
            Op::LessEqual => Some(Value::Bool(int(0)? <= int(1)?)),
            Op::Add => (0..operands.len()).try_fold(0i128, |sum, index| sum.checked_add(int(index)?)).map(Value::Int),
            Op::Multiply => int(0)?.checked_mul(int(1)?).map(Value::Int),
            Op::Divide => int(0)?.checked_div_euclid(int(1)?).map(Value::Int),
            Op::Modulo => int(0)?.checked_rem_euclid(int(1)?).map(Value::Int),
            Op::Select => {
                let (Value::Array(everywhere, cells), index) = (at(0)?, int(1)?) else { return None };
                Some(Value::Int(*cells.get(&index).unwrap_or(everywhere)))
            }
            Op::Store => {
                let (Value::Array(everywhere, cells), index, value) = (at(0)?, int(1)?, int(2)?) else { return None };
                let mut cells = cells.clone();
                cells.insert(index, value);
                Some(Value::Array(*everywhere, cells))
            }
            Op::Constant => Some(Value::Array(int(0)?, FxHashMap::default())),
        }
    }
}

/// A conjunction (`neutral` is true) or disjunction; one operand can decide it although others are
/// unknown.
fn junction(mut values: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<Value> {
    let mut unknown = false;
    let absorbed = values.any(|value| {
        unknown |= value.is_none();
        value == Some(!neutral)
    });
    match (absorbed, unknown) {
        (true, _) => Some(Value::Bool(!neutral)),
        (false, true) => None,
        (false, false) => Some(Value::Bool(neutral)),
    }
}

fn same(left: &Value, right: &Value) -> bool {
    let (Value::Array(one, cells), Value::Array(other, others)) = (left, right) else { return left == right };
    one == other
        && cells.iter().all(|(index, value)| others.get(index).unwrap_or(other) == value)
        && others.iter().all(|(index, value)| cells.get(index).unwrap_or(one) == value)
}
