//! What a solver has been told: declarations and definitions, each once, forgotten with the level
//! they were made in.

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

use super::clause::{gate, opposite};
use crate::term::{Arena, Function, Op, Sort, Term, symbol};

/// What has been told, level by level.
#[derive(Default, Debug)]
pub(super) struct Script {
    /// How a term that has a name is referred to.
    names: FxHashMap<Term, String>,
    functions: FxHashSet<Function>,
    /// What was named since each push.
    levels: Vec<Level>,
    /// Names given so far; never given again.
    count: u64,
}

#[derive(Default, Debug)]
struct Level {
    names: Vec<Term>,
    functions: Vec<Function>,
}

impl Script {
    pub(super) fn push(&mut self) {
        self.levels.push(Level::default());
    }

    /// False where nothing was pushed.
    pub(super) fn pop(&mut self) -> bool {
        let Some(level) = self.levels.pop() else { return false };
        for term in level.names {
            self.names.remove(&term);
        }
        for function in level.functions {
            self.functions.remove(&function);
        }
        true
    }

    /// The commands that assert a term: where it is a disjunction that has no name yet, a clause
    /// without one.
    pub(super) fn assertion(&mut self, arena: &Arena, term: Term) -> String {
        let mut clause = Vec::new();
        // With whether it is the term that holds, or its negation.
        let (mut stack, mut seen) = (vec![(term, true)], FxHashSet::default());
        while let Some((part, holds)) = stack.pop() {
            if !seen.insert((part, holds)) {
                continue;
            }
            match (arena.op(part), holds) {
                (Op::Not, _) => stack.push((arena.operands(part)[0], !holds)),
                (Op::Or, true) | (Op::And, false) if !self.names.contains_key(&part) => {
                    stack.extend(arena.operands(part).iter().rev().map(|&operand| (operand, holds)));
                }
                _ => clause.push((part, holds)),
            }
        }
        let parts: Vec<Term> = clause.iter().map(|&(part, _)| part).collect();
        let mut text = self.definitions(arena, &parts);
        let name = |&(part, holds): &(Term, bool)| {
            if holds { self.names[&part].clone() } else { opposite(&self.names[&part]) }
        };
        assert_clause(&clause.iter().map(name).collect::<Vec<String>>(), &mut text);
        text
    }

    /// Commands, and a literal for each term.
    pub(super) fn literals(&mut self, arena: &Arena, terms: &[Term]) -> (String, Vec<String>) {
        let text = self.definitions(arena, terms);
        (text, terms.iter().map(|term| self.names[term].clone()).collect())
    }

    /// Terms, written so that they need no further definition: what has a name by it, the rest in
    /// full.
    pub(super) fn references(&self, arena: &Arena, terms: &[Term]) -> Vec<String> {
        let name = |term: Term| self.names.get(&term).cloned();
        terms.iter().map(|&term| name(term).unwrap_or_else(|| arena.smtlib(term, name))).collect()
    }

    /// Commands that define whatever of these terms has not been defined; afterwards each has a
    /// name.
    pub(super) fn definitions(&mut self, arena: &Arena, roots: &[Term]) -> String {
        let mut text = String::new();
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(&term) = stack.last() {
            if self.names.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(arena.operands(term).iter().filter(|operand| !self.names.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                self.define(arena, term, &mut text);
            }
        }
        text
    }

    fn define(&mut self, arena: &Arena, term: Term, text: &mut String) {
        let sort = arena.sort(term).smtlib();
        let name = match arena.op(term) {
            Op::Bool(_) | Op::Int(_) => arena.smtlib(term, |_| None),
            Op::Variable(_) => {
                let name = arena.smtlib(term, |_| None);
                writeln!(text, "(declare-const {name} {sort})").expect("a string takes it");
                name
            }
            Op::Not => format!("(not {})", self.names[&arena.operands(term)[0]]),
            op => {
                if let Op::Apply(function) = op {
                    self.declare(arena, function, text);
                }
                self.count += 1;
                let name = format!(".t{}", self.count);
                self.name(arena, term, &name, text);
                name
            }
        };
        self.names.insert(term, name);
        if let Some(level) = self.levels.last_mut() {
            level.names.push(term);
        }
    }

    /// Gives a name to a term whose operands have theirs.
    fn name(&self, arena: &Arena, term: Term, name: &str, text: &mut String) {
        let (op, sort) = (arena.op(term), arena.sort(term));
        let operands = arena.operands(term);
        if sort == Sort::Bool && operands.iter().all(|&operand| arena.sort(operand) == Sort::Bool) {
            let literals: Vec<String> = operands.iter().map(|operand| self.names[operand].clone()).collect();
            if let Some(clauses) = gate(op, name, &literals) {
                writeln!(text, "(declare-const {name} Bool)").expect("a string takes it");
                clauses.iter().for_each(|clause| assert_clause(clause, text));
                return;
            }
        }
        let (definition, sort_name) = (arena.smtlib(term, |operand| self.names.get(&operand).cloned()), sort.smtlib());
        // Z3 looks through definitions again and again, so a formula of many levels is told as
        // equations.
        let told = if sort == Sort::Bool || op == Op::Ite {
            writeln!(text, "(declare-const {name} {sort_name})\n(assert (= {name} {definition}))")
        } else {
            writeln!(text, "(define-fun {name} () {sort_name} {definition})")
        };
        told.expect("a string takes it");
    }

    fn declare(&mut self, arena: &Arena, function: Function, text: &mut String) {
        if !self.functions.insert(function) {
            return;
        }
        let (arguments, result) = arena.signature(function);
        let arguments: Vec<&str> = arguments.iter().map(|sort| sort.smtlib()).collect();
        let name = symbol(arena.function_name(function));
        writeln!(text, "(declare-fun {name} ({}) {})", arguments.join(" "), result.smtlib())
            .expect("a string takes it");
        if let Some(level) = self.levels.last_mut() {
            level.functions.push(function);
        }
    }
}

fn assert_clause(literals: &[String], text: &mut String) {
    let told = match literals {
        [literal] => writeln!(text, "(assert {literal})"),
        _ => writeln!(text, "(assert (or {}))", literals.join(" ")),
    };
    told.expect("a string takes it");
}
