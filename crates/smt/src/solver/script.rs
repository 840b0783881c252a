//! What a solver has been told: declarations and definitions, each once, forgotten with the level they were made in.

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

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

    /// The commands that assert a term.
    pub(super) fn assertion(&mut self, arena: &Arena, term: Term) -> String {
        let mut text = self.definitions(arena, &[term]);
        writeln!(text, "(assert {})", self.names[&term]).expect("a string takes it");
        text
    }

    /// Commands, and a literal for each term.
    pub(super) fn literals(&mut self, arena: &Arena, terms: &[Term]) -> (String, Vec<String>) {
        let text = self.definitions(arena, terms);
        (text, terms.iter().map(|term| self.names[term].clone()).collect())
    }

    /// Terms, written so that they need no further definition: what has a name by it, the rest in full.
    pub(super) fn references(&self, arena: &Arena, terms: &[Term]) -> Vec<String> {
        let name = |term: Term| self.names.get(&term).cloned();
        terms.iter().map(|&term| name(term).unwrap_or_else(|| arena.smtlib(term, name))).collect()
    }

    /// Commands that define whatever of these terms has not been defined; afterwards each has a name.
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
                let definition = arena.smtlib(term, |operand| self.names.get(&operand).cloned());
                // Z3 looks through definitions again and again, so a formula of many levels is told as equations.
                let told = if arena.sort(term) == Sort::Bool || op == Op::Ite {
                    writeln!(text, "(declare-const {name} {sort})\n(assert (= {name} {definition}))")
                } else {
                    writeln!(text, "(define-fun {name} () {sort} {definition})")
                };
                told.expect("a string takes it");
                name
            }
        };
        self.names.insert(term, name);
        if let Some(level) = self.levels.last_mut() {
            level.names.push(term);
        }
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
