//! From terms over the template's variables to terms over a frame's.
//!
//! Arrays vanish on the way: a small one is a row of cells, and what is read at an index is a
//! choice between the cells that the index can mean. A large array stays an array.

use std::rc::Rc;

use mazurka_smt::term::Substitution;
use mazurka_smt::{Arena, Op, Sort, Term};
use rustc_hash::FxHashMap;

use crate::domain::Domains;

/// Arrays longer than this stay arrays.
pub(crate) const MOST_CELLS: usize = 256;

/// What stands for a term in a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// A term.
    Term(Term),
    /// The cells of an array.
    Cells(Rc<[Term]>),
}

impl Content {
    /// The term; for what is no row of cells.
    pub(crate) fn term(&self) -> Term {
        match self {
            Content::Term(term) => *term,
            Content::Cells(_) => unreachable!("a row of cells is no term"),
        }
    }
}

/// Terms and what is known about them: where all formulas are made.
#[derive(Default)]
pub(crate) struct Workshop {
    pub(crate) arena: Arena,
    pub(crate) domains: Domains,
}

impl Workshop {
    /// What is read at an index. Outside of the array anything may come of it.
    pub(crate) fn read(&mut self, array: &Content, index: Term) -> Term {
        let cells = match array {
            Content::Term(array) => return self.arena.select(*array, index),
            Content::Cells(cells) => cells,
        };
        let places = self.places(index, cells.len());
        let mut places = places.into_iter().rev();
        let Some(last) = places.next() else { return self.arena.int(0) };
        let mut result = cells[last];
        for place in places {
            let here = self.domains.is(&mut self.arena, index, place as i128);
            result = self.arena.ite(here, cells[place], result);
        }
        result
    }

    /// The array with a value at an index.
    fn write(&mut self, array: &Content, index: Term, value: Term) -> Content {
        let cells = match array {
            Content::Term(array) => return Content::Term(self.arena.store(*array, index, value)),
            Content::Cells(cells) => cells,
        };
        let mut cells = cells.to_vec();
        for place in self.places(index, cells.len()) {
            let here = self.domains.is(&mut self.arena, index, place as i128);
            cells[place] = self.arena.ite(here, value, cells[place]);
        }
        Content::Cells(cells.into())
    }

    /// The cells that an index can mean.
    fn places(&mut self, index: Term, length: usize) -> Vec<usize> {
        match self.domains.values(&self.arena, index) {
            Some(values) => values.iter().filter_map(|&v| usize::try_from(v).ok().filter(|&v| v < length)).collect(),
            None => (0..length).collect(),
        }
    }

    /// One or the other.
    pub(crate) fn choose(&mut self, condition: Term, yes: &Content, no: &Content) -> Content {
        match (yes, no) {
            (Content::Cells(one), Content::Cells(other)) => {
                let pairs = one.iter().zip(other.iter());
                Content::Cells(pairs.map(|(&yes, &no)| self.arena.ite(condition, yes, no)).collect())
            }
            (yes, no) => Content::Term(self.arena.ite(condition, yes.term(), no.term())),
        }
    }

    pub(crate) fn equal(&mut self, left: Term, right: Term) -> Term {
        self.domains.equal(&mut self.arena, left, right)
    }
}

/// What stands for the template's variables, and all that was computed with it.
#[derive(Clone, Default)]
pub(crate) struct Mapping {
    known: FxHashMap<Term, Content>,
}

impl Mapping {
    pub(crate) fn put(&mut self, variable: Term, content: Content) {
        self.known.insert(variable, content);
    }

    /// What stands for a term. Costs the terms below it that are new.
    pub(crate) fn content(&mut self, shop: &mut Workshop, root: Term) -> Content {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(shop.arena.operands(term).iter().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let content = self.compute(shop, term);
            self.known.insert(term, content);
        }
        self.known[&root].clone()
    }

    /// What stands for a term that is no row of cells.
    pub(crate) fn term(&mut self, shop: &mut Workshop, term: Term) -> Term {
        self.content(shop, term).term()
    }

    fn compute(&self, shop: &mut Workshop, term: Term) -> Content {
        let at = |operand: Term| &self.known[&operand];
        let operands = shop.arena.operands(term).to_vec();
        match (shop.arena.op(term), &operands[..]) {
            (Op::Select, &[array, index]) => Content::Term(shop.read(at(array), at(index).term())),
            (Op::Store, &[array, index, value]) => shop.write(at(array), at(index).term(), at(value).term()),
            (Op::Equal, &[left, right]) if shop.arena.sort(left) == Sort::Int => {
                Content::Term(shop.equal(at(left).term(), at(right).term()))
            }
            (Op::Ite, &[condition, yes, no]) => shop.choose(at(condition).term(), at(yes), at(no)),
            // Nothing stands for it: it may be anything.
            (Op::Variable(_), _) => Content::Term(term),
            _ => {
                let mut substitution = Substitution::new();
                for &operand in &operands {
                    substitution.put(operand, at(operand).term());
                }
                let new = shop.arena.substitute(term, &mut substitution);
                debug_assert!(shop.arena.sort(new) != Sort::Array);
                Content::Term(shop.domains.tabulated(&mut shop.arena, new))
            }
        }
    }
}
