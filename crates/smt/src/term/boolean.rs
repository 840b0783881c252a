//! Truth values, equality and choice.

use smallvec::SmallVec;

use super::{Arena, Op, Operands, Sort, Term};

/// An operand of the same kind with more operands than this is not dissolved, so that building a
/// long conjunction one by one does not cost its square.
const DISSOLVED: usize = 16;

impl Arena {
    /// True.
    pub fn yes(&mut self) -> Term {
        self.truth(true)
    }

    /// False.
    pub fn no(&mut self) -> Term {
        self.truth(false)
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        self.intern(Op::Bool(value), &[], Sort::Bool)
    }

    /// Whether a term is this truth value, as it is written.
    pub fn is(&self, term: Term, value: bool) -> bool {
        self.op(term) == Op::Bool(value)
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        self.expect(term, Sort::Bool);
        match (self.op(term), self.operands(term)) {
            (Op::Bool(value), _) => self.truth(!value),
            (Op::Not, &[inner]) => inner,
            (Op::Less, &[left, right]) => self.less_equal(right, left),
            (Op::LessEqual, &[left, right]) => self.less(right, left),
            _ => self.intern(Op::Not, &[term], Sort::Bool),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        self.junction(Op::And, true, terms)
    }

    /// Disjunction.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        if let &[left, right] = terms
            && let Some(common) = self.same_but_for_one(left, right)
        {
            return common;
        }
        self.junction(Op::Or, false, terms)
    }

    /// `first → second`
    pub fn implies(&mut self, first: Term, second: Term) -> Term {
        let not = self.not(first);
        self.or(&[not, second])
    }

    /// `and` and `or`: without neutral operands, repetitions and nesting, in the order of numbers.
    fn junction(&mut self, op: Op, neutral: bool, terms: &[Term]) -> Term {
        let mut operands: SmallVec<[Term; 8]> = SmallVec::new();
        for &term in terms {
            self.expect(term, Sort::Bool);
            if self.op(term) == op && self.operands(term).len() <= DISSOLVED {
                operands.extend_from_slice(self.operands(term));
            } else {
                operands.push(term);
            }
        }
        operands.sort_unstable();
        operands.dedup();
        operands.retain(|&mut term| !self.is(term, neutral));
        let absorbed = operands.iter().any(|&term| self.is(term, !neutral));
        if absorbed || self.has_complements(&operands) {
            return self.truth(!neutral);
        }
        match operands[..] {
            [] => self.truth(neutral),
            [only] => only,
            _ => self.intern(op, &operands, Sort::Bool),
        }
    }

    /// Whether a term stands beside its own negation.
    fn has_complements(&self, sorted: &[Term]) -> bool {
        sorted.iter().any(|&term| self.complement(term).is_some_and(|other| sorted.binary_search(&other).is_ok()))
    }

    /// The negation of a term, if it is known already.
    fn complement(&self, term: Term) -> Option<Term> {
        let operands = self.operands(term);
        let (op, operands): (Op, Operands) = match self.op(term) {
            Op::Not => return Some(operands[0]),
            Op::Less => (Op::LessEqual, SmallVec::from_slice(&[operands[1], operands[0]])),
            Op::LessEqual => (Op::Less, SmallVec::from_slice(&[operands[1], operands[0]])),
            _ => (Op::Not, SmallVec::from_slice(&[term])),
        };
        self.numbers.get(&super::Node { op, operands }).copied()
    }

    /// `(a ∧ c) ∨ (a ∧ ¬c)` is `a`.
    fn same_but_for_one(&mut self, left: Term, right: Term) -> Option<Term> {
        let (own, other) = self.differing(left, right);
        match (&own[..], &other[..]) {
            (&[one], &[two]) if self.complement(one) == Some(two) => {
                let common: Vec<Term> = self.conjuncts(&left).iter().copied().filter(|&term| term != one).collect();
                Some(self.and(&common))
            }
            _ => None,
        }
    }

    /// The operands of a conjunction; any other term is a conjunction of one.
    pub fn conjuncts<'a>(&'a self, term: &'a Term) -> &'a [Term] {
        if self.op(*term) == Op::And { self.operands(*term) } else { std::slice::from_ref(term) }
    }

    /// `condition ? yes : no`
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        self.expect(condition, Sort::Bool);
        let sort = self.sort(yes);
        self.expect(no, sort);
        if yes == no {
            return yes;
        }
        match (self.op(condition), self.operands(condition)) {
            (Op::Bool(value), _) => return if value { yes } else { no },
            (Op::Not, &[positive]) => return self.ite(positive, no, yes),
            _ => {}
        }
        let yes = self.branch(condition, yes, 1);
        let no = self.branch(condition, no, 2);
        if yes == no {
            return yes;
        }
        if sort == Sort::Bool
            && let Some(simple) = self.bool_ite(condition, yes, no)
        {
            return simple;
        }
        self.intern(Op::Ite, &[condition, yes, no], sort)
    }

    /// A branch of a choice under `condition` that is itself a choice under the same condition.
    fn branch(&self, condition: Term, term: Term, at: usize) -> Term {
        match (self.op(term), self.operands(term)) {
            (Op::Ite, operands) if operands[0] == condition => operands[at],
            _ => term,
        }
    }

    fn bool_ite(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        match (self.op(yes), self.op(no)) {
            (Op::Bool(true), _) => Some(self.or(&[condition, no])),
            (_, Op::Bool(false)) => Some(self.and(&[condition, yes])),
            (Op::Bool(false), _) => {
                let not = self.not(condition);
                Some(self.and(&[not, no]))
            }
            (_, Op::Bool(true)) => {
                let not = self.not(condition);
                Some(self.or(&[not, yes]))
            }
            _ if yes == condition => Some(self.or(&[condition, no])),
            _ if no == condition => Some(self.and(&[condition, yes])),
            _ => None,
        }
    }

    /// Equality, of any sort.
    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        let sort = self.sort(left);
        self.expect(right, sort);
        if left == right {
            return self.yes();
        }
        let (left, right) = (left.min(right), left.max(right));
        match sort {
            Sort::Bool => self.equal_bools(left, right),
            Sort::Int => self.equal_ints(left, right),
            Sort::Array => self.intern(Op::Equal, &[left, right], Sort::Bool),
        }
    }

    /// Inequality, of any sort.
    pub fn different(&mut self, left: Term, right: Term) -> Term {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    fn equal_bools(&mut self, left: Term, right: Term) -> Term {
        match (self.op(left), self.op(right)) {
            (Op::Bool(true), _) => right,
            (_, Op::Bool(true)) => left,
            (Op::Bool(false), _) => self.not(right),
            (_, Op::Bool(false)) => self.not(left),
            _ if self.complement(left) == Some(right) => self.no(),
            _ => self.intern(Op::Equal, &[left, right], Sort::Bool),
        }
    }

    fn equal_ints(&mut self, left: Term, right: Term) -> Term {
        let (term, constant) = match (self.op(left), self.op(right)) {
            (_, Op::Int(constant)) => (left, Some(constant)),
            (Op::Int(constant), _) => (right, Some(constant)),
            _ => (left, None),
        };
        if let Some(constant) = constant {
            return self.equals_constant(term, constant);
        }
        match self.constant_difference(left, right) {
            Some(difference) => self.truth(difference == 0),
            None => self.intern(Op::Equal, &[left, right], Sort::Bool),
        }
    }

    /// Equality with a constant goes into choices between constants, one after the other.
    fn equals_constant(&mut self, mut term: Term, constant: i128) -> Term {
        // What stands around the innermost term: a condition, and what it gives where it holds (or
        // does not).
        let mut around: Vec<(Term, bool, bool)> = Vec::new();
        loop {
            let (op, operands) = (self.op(term), self.operands(term));
            let (Op::Ite, &[condition, yes, no]) = (op, operands) else { break };
            match (self.op(yes), self.op(no)) {
                (Op::Int(value), _) => {
                    around.push((condition, true, value == constant));
                    term = no;
                }
                (_, Op::Int(value)) => {
                    around.push((condition, false, value == constant));
                    term = yes;
                }
                _ => break,
            }
        }
        let mut result = match self.op(term) {
            Op::Int(value) => self.truth(value == constant),
            _ => self.sum_equals(term, constant),
        };
        while let Some((condition, positive, holds)) = around.pop() {
            let holds = self.truth(holds);
            result = if positive { self.ite(condition, holds, result) } else { self.ite(condition, result, holds) };
        }
        result
    }

    /// Equality of something that is no constant with one; constants of a sum are brought to one
    /// side.
    fn sum_equals(&mut self, term: Term, constant: i128) -> Term {
        if let (Op::Add, &[inner, own]) = (self.op(term), self.operands(term))
            && let Op::Int(own) = self.op(own)
            && let Some(rest) = constant.checked_sub(own)
        {
            let rest = self.int(rest);
            let (left, right) = (inner.min(rest), inner.max(rest));
            return self.intern(Op::Equal, &[left, right], Sort::Bool);
        }
        let constant = self.int(constant);
        let (left, right) = (term.min(constant), term.max(constant));
        self.intern(Op::Equal, &[left, right], Sort::Bool)
    }

    /// What the first conjunction has and the second does not, and the other way round.
    pub fn differing(&self, left: Term, right: Term) -> (Vec<Term>, Vec<Term>) {
        let (own, other) = (self.conjuncts(&left), self.conjuncts(&right));
        let without = |terms: &[Term], others: &[Term]| {
            terms.iter().copied().filter(|term| others.binary_search(term).is_err()).collect()
        };
        (without(own, other), without(other, own))
    }
}
