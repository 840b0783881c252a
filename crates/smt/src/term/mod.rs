//! Terms: hash-consed, typed, simplified as they are built.
//!
//! An [`Arena`] holds every term once, children before parents, so two terms are equal (as they are
//! written) where their numbers are. All walks go over the arena with an explicit stack or in the
//! order of numbers: a formula of a million levels is big, never a stack overflow. Constructors
//! simplify what is cheap to see (constants, neutral and absorbing operands, complements, sums
//! brought into one normal form, reads over writes); they never change the meaning.
//!
//! Integers are mathematical. Constants, and what [`Arena::evaluate`] computes, live within 128
//! bits: an operation on constants beyond that is left as it is, and evaluation says that it has no
//! value.

mod arithmetic;
mod array;
mod boolean;
mod evaluate;
mod infix;
mod smtlib;
mod substitute;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use evaluate::{Assignment, Value};
pub(crate) use smtlib::symbol;
pub use substitute::Substitution;

/// The sorts of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Arrays of integers, indexed by all integers.
    Array,
}

/// A term: a number that means something together with its [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The number, to address a table with. Children have smaller numbers than their parents.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An uninterpreted function: see [`Arena::function`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(u32);

impl Function {
    /// The number, to address a table with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is, besides its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A variable; its number is one among the arena's variables.
    Variable(u32),
    /// An uninterpreted function of its operands.
    Apply(Function),
    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// `first ? second : third`, of any sort.
    Ite,
    /// Equality of two terms of the same sort.
    Equal,
    /// `first < second`
    Less,
    /// `first <= second`
    LessEqual,
    /// Sum of two or more; a constant stands last.
    Add,
    /// Product of two or more; a constant stands first.
    Multiply,
    /// Quotient as SMT-LIB has it: the remainder is never negative. By zero, it is unknown.
    Divide,
    /// Remainder as SMT-LIB has it: never negative. By zero, it is unknown.
    Modulo,
    /// `array[index]`
    Select,
    /// `array` with `value` at `index`: operands in this order array, index, value.
    Store,
    /// The array that holds its operand everywhere.
    Constant,
}

type Operands = SmallVec<[Term; 3]>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    op: Op,
    operands: Operands,
}

#[derive(Clone, Debug)]
struct Signature {
    name: String,
    arguments: Vec<Sort>,
    result: Sort,
}

/// All terms.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    numbers: FxHashMap<Node, Term>,
    variables: Vec<(String, Term)>,
    by_name: FxHashMap<String, Term>,
    functions: Vec<Signature>,
}

impl Arena {
    /// An arena without terms.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// How many terms there are. Their numbers are smaller than this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a term is.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// The operands of a term.
    pub fn operands(&self, term: Term) -> &[Term] {
        &self.nodes[term.index()].operands
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The variable of this name; declared with this sort where there is none.
    ///
    /// # Panics
    /// If it was declared with another sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&known) = self.by_name.get(name) {
            assert!(self.sort(known) == sort, "variable `{name}` has another sort");
            return known;
        }
        let number = self.variables.len() as u32;
        let term = self.intern(Op::Variable(number), &[], sort);
        self.variables.push((name.to_owned(), term));
        self.by_name.insert(name.to_owned(), term);
        term
    }

    /// A variable that is none of those before, with a name that begins like this.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        let mut name = format!("{prefix}!{}", self.variables.len());
        while self.by_name.contains_key(&name) {
            name.push('!');
        }
        self.variable(&name, sort)
    }

    /// The name of a variable; nothing for another term.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Variable(number) => Some(&self.variables[number as usize].0),
            _ => None,
        }
    }

    /// The uninterpreted function of this name and signature; declared where there is none.
    ///
    /// # Panics
    /// If it was declared with another signature.
    pub fn function(&mut self, name: &str, arguments: &[Sort], result: Sort) -> Function {
        if let Some(known) = self.functions.iter().position(|function| function.name == name) {
            let signature = &self.functions[known];
            assert!(signature.arguments == arguments && signature.result == result, "`{name}` has another signature");
            return Function(known as u32);
        }
        self.functions.push(Signature { name: name.to_owned(), arguments: arguments.to_vec(), result });
        Function(self.functions.len() as u32 - 1)
    }

    /// The name of a function.
    pub fn function_name(&self, function: Function) -> &str {
        &self.functions[function.index()].name
    }

    /// The sorts of a function's arguments, and of its result.
    pub fn signature(&self, function: Function) -> (&[Sort], Sort) {
        let signature = &self.functions[function.index()];
        (&signature.arguments, signature.result)
    }

    /// A function applied.
    ///
    /// # Panics
    /// If the arguments do not fit the signature.
    pub fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let (wanted, result) = self.signature(function);
        let fits = wanted.len() == arguments.len() && wanted.iter().zip(arguments).all(|(&s, &t)| s == self.sort(t));
        assert!(fits, "arguments that do not fit the signature of `{}`", self.function_name(function));
        self.intern(Op::Apply(function), arguments, result)
    }

    /// The terms below these, each once and children before parents, they themselves included.
    /// Costs as many as there are, and a sort.
    pub fn below(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found: Vec<Term> = Vec::new();
        found.extend(roots.iter().filter(|&&root| seen.insert(root)));
        let mut next = 0;
        while let Some(&term) = found.get(next) {
            found.extend(self.operands(term).iter().filter(|&&operand| seen.insert(operand)));
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// The variables in these terms, in the order of their numbers.
    pub fn variables_of(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = self.below(roots);
        found.retain(|&term| matches!(self.op(term), Op::Variable(_)));
        found
    }

    /// The term, made if there is none yet. Says nothing about sorts or simplicity.
    fn intern(&mut self, op: Op, operands: &[Term], sort: Sort) -> Term {
        let node = Node { op, operands: operands.into() };
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.numbers.insert(node, term);
        term
    }

    fn expect(&self, term: Term, sort: Sort) {
        debug_assert!(self.sort(term) == sort, "a term of another sort: {:?}", self.op(term));
    }
}
