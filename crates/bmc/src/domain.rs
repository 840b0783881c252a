//! Terms with few values, as truth values.
//!
//! Most variables of a protocol hold one of a handful of values. A term that can only be one of a
//! few constants (constants, and choices between such terms) is *finite*: what is computed from
//! finite terms is tabulated, value by value, and a comparison of them becomes a formula of
//! conditions alone. So the solver sees arithmetic only where values are many or unknown.

use std::rc::Rc;

use mazurka_smt::term::Substitution;
use mazurka_smt::{Arena, Op, Sort, Term};
use rustc_hash::FxHashMap;

/// More values than this are many.
const MOST_VALUES: usize = 128;

/// A table has no more entries than this.
const MOST_ENTRIES: usize = 256;

/// What is known about the values of terms.
#[derive(Default, Debug)]
pub(crate) struct Domains {
    values: FxHashMap<Term, Option<Rc<[i128]>>>,
    cases: FxHashMap<(Term, i128), Term>,
}

impl Domains {
    /// The values that an integer term can have, in order; nothing where they are many. Costs the
    /// new terms below it.
    pub(crate) fn values(&mut self, arena: &Arena, root: Term) -> Option<Rc<[i128]>> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let found = match (arena.op(term), arena.operands(term)) {
                (Op::Int(value), _) => Some(Rc::from([value])),
                (Op::Ite, &[_, yes, no]) => {
                    let before = stack.len();
                    stack.extend([yes, no].into_iter().filter(|branch| !self.values.contains_key(branch)));
                    if stack.len() > before {
                        continue;
                    }
                    union(self.values[&yes].as_deref(), self.values[&no].as_deref())
                }
                _ => None,
            };
            self.values.insert(term, found);
            stack.pop();
        }
        self.values[&root].clone()
    }

    /// A finite term of which it is known that it has one of these values.
    pub(crate) fn restrict(&mut self, arena: &mut Arena, term: Term, values: &[i128]) -> Term {
        let Some((&last, others)) = values.split_last() else { return term };
        let mut result = arena.int(last);
        for &value in others {
            let (is, constant) = (self.is(arena, term, value), arena.int(value));
            result = arena.ite(is, constant, result);
        }
        result
    }

    /// Whether a finite term has this value.
    pub(crate) fn is(&mut self, arena: &mut Arena, root: Term, value: i128) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.cases.contains_key(&(term, value)) {
                stack.pop();
                continue;
            }
            let known = self.values(arena, term);
            let result = match (known.as_deref(), arena.op(term)) {
                (Some(values), _) if values.binary_search(&value).is_err() => arena.no(),
                (Some([_]), _) => arena.yes(),
                (Some(_), Op::Ite) => {
                    let &[condition, yes, no] = arena.operands(term) else { unreachable!("a choice has three parts") };
                    let before = stack.len();
                    stack.extend([yes, no].into_iter().filter(|branch| !self.cases.contains_key(&(*branch, value))));
                    if stack.len() > before {
                        continue;
                    }
                    arena.ite(condition, self.cases[&(yes, value)], self.cases[&(no, value)])
                }
                _ => {
                    let constant = arena.int(value);
                    arena.equal(term, constant)
                }
            };
            self.cases.insert((term, value), result);
            stack.pop();
        }
        self.cases[&(root, value)]
    }

    /// Equality of two integers or truth values. For finite terms it costs the values that they
    /// share.
    pub(crate) fn equal(&mut self, arena: &mut Arena, left: Term, right: Term) -> Term {
        if left == right {
            return arena.yes();
        }
        if arena.sort(left) != Sort::Int {
            return arena.equal(left, right);
        }
        // Before the arena looks at them: it would go into choices only as far as they are between
        // constants.
        let (Some(own), Some(others)) = (self.values(arena, left), self.values(arena, right)) else {
            let term = arena.equal(left, right);
            return self.tabulated(arena, term);
        };
        let mut cases = Vec::new();
        for &value in own.iter().filter(|value| others.binary_search(value).is_ok()) {
            let (one, other) = (self.is(arena, left, value), self.is(arena, right, value));
            cases.push(arena.and(&[one, other]));
        }
        arena.or(&cases)
    }

    /// A term over integers; where its operands are finite, tabulated.
    pub(crate) fn tabulated(&mut self, arena: &mut Arena, term: Term) -> Term {
        if !matches!(
            arena.op(term),
            Op::Equal | Op::Less | Op::LessEqual | Op::Add | Op::Multiply | Op::Divide | Op::Modulo
        ) {
            return term;
        }
        if let (Op::Equal, &[left, right]) = (arena.op(term), arena.operands(term))
            && arena.sort(left) == Sort::Int
            && self.values(arena, left).is_some()
            && self.values(arena, right).is_some()
        {
            return self.equal(arena, left, right);
        }
        // `c * x` within a sum counts as `x`.
        let mut inputs: Vec<Term> = Vec::new();
        for &operand in arena.operands(term) {
            match (arena.op(operand), arena.operands(operand)) {
                (Op::Int(_), _) => {}
                (Op::Add | Op::Multiply, parts) => inputs.extend(parts.iter().flat_map(|&part| {
                    if arena.op(part) == Op::Multiply { arena.operands(part).to_vec() } else { vec![part] }
                })),
                _ => inputs.push(operand),
            }
        }
        inputs.retain(|&input| arena.constant(input).is_none());
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.iter().any(|&input| arena.sort(input) != Sort::Int) {
            return term;
        }
        let mut entries = 1;
        let mut domains = Vec::new();
        for &input in &inputs {
            let Some(values) = self.values(arena, input) else { return term };
            entries *= values.len();
            if entries > MOST_ENTRIES {
                return term;
            }
            domains.push(values);
        }
        self.table(arena, term, &inputs, &domains)
    }

    fn table(&mut self, arena: &mut Arena, term: Term, inputs: &[Term], domains: &[Rc<[i128]>]) -> Term {
        // Conditions for each result, in the order in which they come up.
        let mut results: Vec<(Term, Vec<Term>)> = Vec::new();
        let mut row = vec![0; inputs.len()];
        loop {
            let mut substitution = Substitution::new();
            let mut conditions = Vec::with_capacity(inputs.len());
            for ((&input, domain), &at) in inputs.iter().zip(domains).zip(&row) {
                let constant = arena.int(domain[at]);
                substitution.put(input, constant);
                conditions.push(self.is(arena, input, domain[at]));
            }
            let result = arena.substitute(term, &mut substitution);
            let condition = arena.and(&conditions);
            match results.iter_mut().find(|(known, _)| *known == result) {
                Some((_, conditions)) => conditions.push(condition),
                None => results.push((result, vec![condition])),
            }
            if !count_up(&mut row, domains) {
                break;
            }
        }
        let mut results = results.into_iter().rev();
        // One of the rows holds, so the last needs no condition.
        let Some((mut whole, _)) = results.next() else { return term };
        for (result, conditions) in results {
            let condition = arena.or(&conditions);
            whole = arena.ite(condition, result, whole);
        }
        whole
    }
}

/// The next row; false after the last.
fn count_up(row: &mut [usize], domains: &[Rc<[i128]>]) -> bool {
    for (at, domain) in row.iter_mut().zip(domains) {
        *at += 1;
        if *at < domain.len() {
            return true;
        }
        *at = 0;
    }
    false
}

fn union(left: Option<&[i128]>, right: Option<&[i128]>) -> Option<Rc<[i128]>> {
    let mut all: Vec<i128> = left?.iter().chain(right?).copied().collect();
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST_VALUES).then(|| all.into())
}

#[cfg(test)]
mod tests {
    use mazurka_smt::term::{Assignment, Value};

    use super::*;

    #[test]
    fn sums_of_finite_terms_are_finite() {
        let (mut arena, mut domains) = (Arena::new(), Domains::default());
        let (a, b) = (arena.variable("a", Sort::Bool), arena.variable("b", Sort::Bool));
        let [one, two, five] = [1, 2, 5].map(|value| arena.int(value));
        let (x, y) = (arena.ite(a, one, two), arena.ite(b, two, five));
        let sum = arena.add(&[x, y]);
        let sum = domains.tabulated(&mut arena, sum);
        assert_eq!(domains.values(&arena, sum).as_deref(), Some(&[3, 4, 6, 7][..]));
        let seven = domains.is(&mut arena, sum, 7);
        let equal = domains.equal(&mut arena, x, y);
        for (is_a, is_b) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut assignment = Assignment::new();
            assignment.set(a, Value::Bool(is_a));
            assignment.set(b, Value::Bool(is_b));
            assert_eq!(arena.evaluate(seven, &assignment), Some(Value::Bool(!is_a && !is_b)));
            assert_eq!(arena.evaluate(equal, &assignment), Some(Value::Bool(!is_a && is_b)));
        }
        let less = arena.less(x, y);
        let less = domains.tabulated(&mut arena, less);
        assert!(!matches!(arena.op(less), Op::Less), "no arithmetic is left");
    }

    #[test]
    fn unknown_values_stay_arithmetic() {
        let (mut arena, mut domains) = (Arena::new(), Domains::default());
        let (x, three) = (arena.variable("x", Sort::Int), arena.int(3));
        let sum = arena.add(&[x, three]);
        assert_eq!(domains.tabulated(&mut arena, sum), sum);
        assert_eq!(domains.values(&arena, sum), None);
        let is = domains.is(&mut arena, x, 3);
        assert_eq!(is, arena.equal(x, three));
    }
}
