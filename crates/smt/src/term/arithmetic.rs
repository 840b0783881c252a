//! Integers. A sum is kept in one normal form: each summand once, with its coefficient, in the
//! order of numbers; the constant last.

use super::{Arena, Op, Sort, Term};

impl Arena {
    /// An integer.
    pub fn int(&mut self, value: impl Into<i128>) -> Term {
        self.intern(Op::Int(value.into()), &[], Sort::Int)
    }

    /// The integer that a term is, as it is written.
    pub fn constant(&self, term: Term) -> Option<i128> {
        match self.op(term) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    /// 1 where it holds, 0 where it does not.
    pub fn indicator(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.int(1), self.int(0));
        self.ite(condition, one, zero)
    }

    /// Sum.
    pub fn add(&mut self, terms: &[Term]) -> Term {
        let mut sum = Sum::default();
        let fits = terms.iter().all(|&term| {
            self.expect(term, Sort::Int);
            sum.add(self, term, 1)
        });
        if fits { self.sum(sum) } else { self.intern(Op::Add, terms, Sort::Int) }
    }

    /// `left - right`
    pub fn subtract(&mut self, left: Term, right: Term) -> Term {
        let negative = self.negate(right);
        self.add(&[left, negative])
    }

    /// `-term`
    pub fn negate(&mut self, term: Term) -> Term {
        let minus = self.int(-1);
        self.multiply(minus, term)
    }

    /// Product.
    pub fn multiply(&mut self, left: Term, right: Term) -> Term {
        self.expect(left, Sort::Int);
        self.expect(right, Sort::Int);
        match (self.constant(left), self.constant(right)) {
            (Some(factor), _) => self.scale(factor, right),
            (_, Some(factor)) => self.scale(factor, left),
            _ => self.intern(Op::Multiply, &[left.min(right), left.max(right)], Sort::Int),
        }
    }

    fn scale(&mut self, factor: i128, term: Term) -> Term {
        let mut sum = Sum::default();
        if sum.add(self, term, factor) {
            return self.sum(sum);
        }
        let factor = self.int(factor);
        self.intern(Op::Multiply, &[factor, term], Sort::Int)
    }

    /// The quotient whose remainder is not negative, as SMT-LIB has it.
    pub fn divide(&mut self, left: Term, right: Term) -> Term {
        match (self.constant(left), self.constant(right)) {
            (_, Some(1)) => left,
            (Some(a), Some(b)) if b != 0 && a.checked_div_euclid(b).is_some() => self.int(a.div_euclid(b)),
            _ => self.intern(Op::Divide, &[left, right], Sort::Int),
        }
    }

    /// The remainder that is not negative, as SMT-LIB has it.
    pub fn modulo(&mut self, left: Term, right: Term) -> Term {
        match (self.constant(left), self.constant(right)) {
            (_, Some(1)) => self.int(0),
            (Some(a), Some(b)) if b != 0 && a.checked_rem_euclid(b).is_some() => self.int(a.rem_euclid(b)),
            _ => self.intern(Op::Modulo, &[left, right], Sort::Int),
        }
    }

    /// The quotient rounded towards zero, as C and the process notation have it.
    pub fn divide_to_zero(&mut self, left: Term, right: Term) -> Term {
        if let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Some(quotient) = a.checked_div(b)
        {
            return self.int(quotient);
        }
        // For a dividend that is not negative the two agree; otherwise it is that of the opposite,
        // negated.
        let (zero, opposite) = (self.int(0), self.negate(left));
        let (plain, turned) = (self.divide(left, right), self.divide(opposite, right));
        let turned = self.negate(turned);
        let positive = self.less_equal(zero, left);
        self.ite(positive, plain, turned)
    }

    /// The remainder that goes with [`Arena::divide_to_zero`]: it has the sign of `left`.
    pub fn remainder_to_zero(&mut self, left: Term, right: Term) -> Term {
        if let (Some(a), Some(b)) = (self.constant(left), self.constant(right))
            && let Some(remainder) = a.checked_rem(b)
        {
            return self.int(remainder);
        }
        let (zero, opposite) = (self.int(0), self.negate(left));
        let (plain, turned) = (self.modulo(left, right), self.modulo(opposite, right));
        let turned = self.negate(turned);
        let positive = self.less_equal(zero, left);
        self.ite(positive, plain, turned)
    }

    /// `left < right`
    pub fn less(&mut self, left: Term, right: Term) -> Term {
        self.expect(left, Sort::Int);
        self.expect(right, Sort::Int);
        match self.constant_difference(left, right) {
            Some(difference) => self.truth(difference < 0),
            None => self.intern(Op::Less, &[left, right], Sort::Bool),
        }
    }

    /// `left <= right`
    pub fn less_equal(&mut self, left: Term, right: Term) -> Term {
        self.expect(left, Sort::Int);
        self.expect(right, Sort::Int);
        match self.constant_difference(left, right) {
            Some(difference) => self.truth(difference <= 0),
            None => self.intern(Op::LessEqual, &[left, right], Sort::Bool),
        }
    }

    /// `low <= term <= high`
    pub fn within(&mut self, low: i128, term: Term, high: i128) -> Term {
        let (low, high) = (self.int(low), self.int(high));
        let (above, below) = (self.less_equal(low, term), self.less_equal(term, high));
        self.and(&[above, below])
    }

    /// `left - right` where that is a constant whatever the variables are.
    pub(super) fn constant_difference(&self, left: Term, right: Term) -> Option<i128> {
        let mut sum = Sum::default();
        let fits = sum.add(self, left, 1) && sum.add(self, right, -1);
        (fits && sum.summands.is_empty()).then_some(sum.constant)
    }

    fn sum(&mut self, sum: Sum) -> Term {
        let mut operands = Vec::with_capacity(sum.summands.len() + 1);
        for (term, coefficient) in sum.summands {
            operands.push(self.product(coefficient, term));
        }
        if sum.constant != 0 || operands.is_empty() {
            operands.push(self.int(sum.constant));
        }
        match operands[..] {
            [only] => only,
            _ => self.intern(Op::Add, &operands, Sort::Int),
        }
    }

    fn product(&mut self, coefficient: i128, term: Term) -> Term {
        if coefficient == 1 {
            return term;
        }
        let coefficient = self.int(coefficient);
        self.intern(Op::Multiply, &[coefficient, term], Sort::Int)
    }
}

/// A sum being collected.
#[derive(Default)]
struct Sum {
    /// In the order of numbers, coefficients other than 0.
    summands: Vec<(Term, i128)>,
    constant: i128,
}

impl Sum {
    /// Adds `factor * term`; sums and multiples are dissolved, one level each since they are in
    /// normal form. False where a number leaves 128 bits.
    fn add(&mut self, arena: &Arena, term: Term, factor: i128) -> bool {
        if arena.op(term) == Op::Add {
            arena.operands(term).iter().all(|&summand| self.add_multiple(arena, summand, factor))
        } else {
            self.add_multiple(arena, term, factor)
        }
    }

    fn add_multiple(&mut self, arena: &Arena, term: Term, factor: i128) -> bool {
        if let (Op::Multiply, &[first, second]) = (arena.op(term), arena.operands(term))
            && let Some(own) = arena.constant(first)
        {
            return own.checked_mul(factor).is_some_and(|factor| self.add_atom(arena, second, factor));
        }
        self.add_atom(arena, term, factor)
    }

    fn add_atom(&mut self, arena: &Arena, term: Term, factor: i128) -> bool {
        if let Some(value) = arena.constant(term) {
            let sum = value.checked_mul(factor).and_then(|product| self.constant.checked_add(product));
            self.constant = sum.unwrap_or_default();
            return sum.is_some();
        }
        match self.summands.binary_search_by_key(&term, |summand| summand.0) {
            Ok(at) => {
                let Some(sum) = self.summands[at].1.checked_add(factor) else { return false };
                self.summands[at].1 = sum;
                if sum == 0 {
                    self.summands.remove(at);
                }
            }
            Err(at) if factor != 0 => self.summands.insert(at, (term, factor)),
            Err(_) => {}
        }
        true
    }
}
