//! Arrays of integers.

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
