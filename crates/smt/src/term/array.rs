//! Arrays of integers.

use rustc_hash::FxHashMap;

use super::{Arena, Op, Sort, Term};

/// So many writes are looked through for the one that a read sees.
const WRITES: usize = 64;

impl Arena {
    /// The array that holds `value` everywhere.
    pub fn constant_array(&mut self, value: Term) -> Term {
        self.expect(value, Sort::Int);
        self.intern(Op::Constant, &[value], Sort::Array)
    }

    /// `array[index]`
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.expect(array, Sort::Array);
        self.expect(index, Sort::Int);
        let mut array = array;
        for _ in 0..WRITES {
            match (self.op(array), self.operands(array)) {
                (Op::Constant, &[value]) => return value,
                (Op::Store, &[inner, written, value]) => match self.constant_difference(written, index) {
                    Some(0) => return value,
                    Some(_) => array = inner,
                    None => break,
                },
                _ => break,
            }
        }
        self.intern(Op::Select, &[array, index], Sort::Int)
    }

    /// The term with reads of arrays that were written, or chosen, as branches over what was
    /// written where: the only reads are of arrays that are variables or functions. Costs, for each
    /// read, the writes before it.
    pub fn expand_reads(&mut self, root: Term) -> Term {
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        for term in self.below(&[root]) {
            let operands: Vec<Term> = self.operands(term).iter().map(|operand| known[operand]).collect();
            let new = match (self.op(term), &operands[..]) {
                (Op::Select, &[array, index]) => self.read_through(array, index),
                (_, operands) if operands == self.operands(term) => term,
                (op, operands) => self.rebuild(op, operands),
            };
            known.insert(term, new);
        }
        known[&root]
    }

    fn read_through(&mut self, array: Term, index: Term) -> Term {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut arrays, mut next) = (vec![array], 0);
        while let Some(&array) = arrays.get(next) {
            next += 1;
            let inner = match self.op(array) {
                Op::Store => &self.operands(array)[..1],
                Op::Ite => &self.operands(array)[1..],
                _ => &[],
            };
            for &inner in inner {
                if !arrays.contains(&inner) {
                    arrays.push(inner);
                }
            }
        }
        // Those that others are made of have smaller numbers.
        arrays.sort_unstable();
        for array in arrays {
            let value = match (self.op(array), self.operands(array)) {
                (Op::Store, &[inner, written, value]) => {
                    let here = self.equal(written, index);
                    self.ite(here, value, values[&inner])
                }
                (Op::Ite, &[condition, yes, no]) => self.ite(condition, values[&yes], values[&no]),
                _ => self.select(array, index),
            };
            values.insert(array, value);
        }
        values[&array]
    }

    /// `array` with `value` at `index`.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        self.expect(array, Sort::Array);
        self.expect(index, Sort::Int);
        self.expect(value, Sort::Int);
        match (self.op(array), self.operands(array)) {
            // Overwritten at once.
            (Op::Store, &[inner, written, _]) if written == index => self.store(inner, index, value),
            (Op::Constant, &[everywhere]) if everywhere == value => array,
            _ if (self.op(value), self.operands(value)) == (Op::Select, &[array, index]) => array,
            _ => self.intern(Op::Store, &[array, index, value], Sort::Array),
        }
    }
}
