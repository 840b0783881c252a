//! Putting terms in the place of others.

use rustc_hash::FxHashMap;

use super::{Arena, Op, Term};

/// What stands for what. It remembers what it has computed, so that terms which share parts cost
/// those parts once.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    known: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The one that changes nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Lets `new` stand for `old`. To be called before anything is computed with it.
    pub fn put(&mut self, old: Term, new: Term) {
        self.known.insert(old, new);
    }
}

impl Arena {
    /// The term with the substitution's terms in it, simplified anew. Costs the terms that are not
    /// known yet.
    pub fn substitute(&mut self, root: Term, substitution: &mut Substitution) -> Term {
        let known = &mut substitution.known;
        let mut stack = vec![root];
        let mut operands: Vec<Term> = Vec::new();
        while let Some(&term) = stack.last() {
            if known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.operands(term).iter().filter(|operand| !known.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            operands.clear();
            operands.extend(self.operands(term).iter().map(|operand| known[operand]));
            let new = if operands == self.operands(term) { term } else { self.rebuild(self.op(term), &operands) };
            known.insert(term, new);
        }
        known[&root]
    }

    /// A term from its parts, simplified.
    pub(super) fn rebuild(&mut self, op: Op, operands: &[Term]) -> Term {
        match (op, operands) {
            (Op::Bool(value), _) => self.truth(value),
            (Op::Int(value), _) => self.int(value),
            (Op::Variable(number), _) => self.variables[number as usize].1,
            (Op::Apply(function), _) => self.apply(function, operands),
            (Op::Not, &[term]) => self.not(term),
            (Op::And, _) => self.and(operands),
            (Op::Or, _) => self.or(operands),
            (Op::Ite, &[condition, yes, no]) => self.ite(condition, yes, no),
            (Op::Equal, &[left, right]) => self.equal(left, right),
            (Op::Less, &[left, right]) => self.less(left, right),
            (Op::LessEqual, &[left, right]) => self.less_equal(left, right),
            (Op::Add, _) => self.add(operands),
            (Op::Multiply, &[left, right]) => self.multiply(left, right),
            (Op::Divide, &[left, right]) => self.divide(left, right),
            (Op::Modulo, &[left, right]) => self.modulo(left, right),
            (Op::Select, &[array, index]) => self.select(array, index),
            (Op::Store, &[array, index, value]) => self.store(array, index, value),
            (Op::Constant, &[value]) => self.constant_array(value),
            _ => unreachable!("{op:?} with {} operands", operands.len()),
        }
    }
}
