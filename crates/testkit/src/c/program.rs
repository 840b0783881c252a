//! A C program as a tree of statements that can be taken out one by one.

use std::fmt::{self, Write};

/// What every program begins with. Nothing else is included: headers take clang longer than the
/// programs.
const PRELUDE: &str = include_str!("prelude.h");

/// The same with headers, for people.
const HEADERS: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
";

/// The variables of every program; those that nobody uses do not become part of it. `$` stands for
/// the program's prefix.
const GLOBALS: &str = include_str!("globals.h");

/// The locals of every function; those whose address nobody takes live in registers.
const LOCALS: &str = "  int i = 0, j = 0, k = 0, *q = 0; long l = 0; struct $pair t = {0}; char text[8] = {0};
  pthread_t own1 = 0, own2 = 0, own3 = 0;\n";

/// A statement: text, perhaps around other statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CStatement {
    /// What stands before the inner statements, or all of it. `$` stands for the program's prefix.
    pub before: String,
    /// Inner statements.
    pub inner: Vec<CStatement>,
    /// What stands after them.
    pub after: String,
}

/// A function that a thread runs; the first one is `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CFunction {
    /// Its name, without the program's prefix.
    pub name: String,
    /// Its statements.
    pub body: Vec<CStatement>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CProgram {
    /// The functions of its threads, `main` first.
    pub functions: Vec<CFunction>,
}

impl CStatement {
    /// A statement without inner ones.
    pub fn new(text: impl Into<String>) -> Self {
        CStatement { before: text.into(), inner: Vec::new(), after: String::new() }
    }

    /// A statement around others.
    pub fn around(before: impl Into<String>, inner: Vec<CStatement>, after: impl Into<String>) -> Self {
        CStatement { before: before.into(), inner, after: after.into() }
    }

    /// Whether the text, or that of an inner statement, contains a word.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.before.contains(word)
            || self.after.contains(word)
            || self.inner.iter().any(|statement| statement.mentions(word))
    }

    fn print(&self, text: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(text, "{indent}{}", self.before);
        for statement in &self.inner {
            statement.print(text, depth + 1);
        }
        if !self.after.is_empty() {
            let _ = writeln!(text, "{indent}{}", self.after);
        }
    }
}

impl CProgram {
    /// The program's text with a prefix before the names of all that is not local, without what
    /// every program begins with.
    fn text(&self, prefix: &str) -> String {
        let mut text = GLOBALS.to_owned();
        for function in &self.functions[1..] {
            let _ = writeln!(text, "static void *${}(void *);", function.name);
        }
        for (number, function) in self.functions.iter().enumerate() {
            if number == 0 {
                text.push_str("int $main(void) {\n  void *arg = 0;\n");
            } else {
                let _ = writeln!(text, "static void *${}(void *arg) {{", function.name);
            }
            text.push_str(LOCALS);
            function.body.iter().for_each(|statement| statement.print(&mut text, 1));
            text.push_str("  return 0;\n}\n");
        }
        text.replace('$', prefix)
    }

    /// Several programs as one file. The function that the `n`th one begins with is `p{n}_main`.
    pub fn together<'a>(programs: impl IntoIterator<Item = &'a CProgram>) -> String {
        let mut text = PRELUDE.to_owned();
        for (number, program) in programs.into_iter().enumerate() {
            text.push_str(&program.text(&format!("p{number}_")));
        }
        text
    }

    /// All programs that are this one with one thing taken out, largest parts first.
    pub fn smaller(&self) -> Vec<CProgram> {
        let mut smaller = Vec::new();
        for number in 1..self.functions.len() {
            smaller.push(self.without_function(number));
        }
        let mut paths = Vec::new();
        for (number, function) in self.functions.iter().enumerate() {
            collect(&function.body, &mut vec![number], &mut paths);
        }
        paths.sort_by_key(Vec::len);
        for path in &paths {
            smaller.push(self.edited(path, |_| Vec::new()));
        }
        for path in &paths {
            if !self.at(path).inner.is_empty() {
                smaller.push(self.edited(path, |statement| statement.inner));
            }
        }
        smaller
    }

    /// The program without a function and all that mentions it.
    fn without_function(&self, number: usize) -> CProgram {
        let mut program = self.clone();
        let removed = program.functions.remove(number);
        let name = format!("${}", removed.name);
        program.functions.iter_mut().for_each(|function| drop_mentions(&mut function.body, &name));
        program
    }

    /// The statement at a path: the number of its function, then numbers of statements.
    fn at(&self, path: &[usize]) -> &CStatement {
        let mut block = &self.functions[path[0]].body;
        for &number in &path[1..path.len() - 1] {
            block = &block[number].inner;
        }
        &block[path[path.len() - 1]]
    }

    /// The program with other statements in the place of one.
    fn edited(&self, path: &[usize], edit: impl FnOnce(CStatement) -> Vec<CStatement>) -> CProgram {
        let mut program = self.clone();
        let mut block = &mut program.functions[path[0]].body;
        for &number in &path[1..path.len() - 1] {
            block = &mut block[number].inner;
        }
        let last = path[path.len() - 1];
        let statement = block[last].clone();
        block.splice(last..=last, edit(statement));
        program
    }
}

fn collect(block: &[CStatement], path: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
    for (number, statement) in block.iter().enumerate() {
        path.push(number);
        paths.push(path.clone());
        collect(&statement.inner, path, paths);
        path.pop();
    }
}

fn drop_mentions(block: &mut Vec<CStatement>, word: &str) {
    let itself = |statement: &CStatement| statement.before.contains(word) || statement.after.contains(word);
    block.retain(|statement| !itself(statement));
    for statement in block.iter_mut().filter(|statement| statement.mentions(word)) {
        drop_mentions(&mut statement.inner, word);
    }
}

impl fmt::Display for CProgram {
    /// The program by itself, as it can be given to `mazurka check`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text("");
        // Most of the globals are of no use here.
        let body = &text[GLOBALS.replace('$', "").len()..];
        let globals = &text[..text.len() - body.len()];
        let mut wanted = body.to_owned();
        for function in globals.lines().filter(|line| is_function(line)) {
            if declared(function).is_some_and(|name| names(body, name)) {
                wanted.push_str(function);
            }
        }
        let used = |line: &&str| !line.starts_with("static ") || declared(line).is_none_or(|name| names(&wanted, name));
        f.write_str(HEADERS)?;
        for line in globals.lines().filter(used) {
            let line = line.replace("{.data = {.kind = 1}}", "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP");
            writeln!(f, "{}", line.replace("{.data = {.kind = 2}}", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"))?;
        }
        f.write_str(body)
    }
}

/// The name that a line of the globals declares.
fn declared(line: &str) -> Option<&str> {
    let end =
        line.find([';', '=', '[', '(']).filter(|_| !line.contains('{') || line.contains('=') || is_function(line))?;
    line[..end].trim_end().rsplit([' ', '*']).next()
}

/// Whether a line of the globals is a whole function.
fn is_function(line: &str) -> bool {
    line.starts_with("static ") && line.contains(") {")
}

/// Whether a word occurs in a text.
fn names(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> CProgram {
        let create = CStatement::new("pthread_create(&$h[1], 0, $f1, 0);");
        let branch = CStatement::around("if (i) {", vec![create, CStatement::new("$x = 1;")], "}");
        let main = CFunction { name: "main".into(), body: vec![branch] };
        let other = CFunction { name: "f1".into(), body: vec![CStatement::new("$y = 2;")] };
        CProgram { functions: vec![main, other] }
    }

    #[test]
    fn what_a_function_is_named_by_goes_with_it() {
        let without = program().without_function(1);
        assert_eq!(without.functions.len(), 1);
        assert_eq!(without.functions[0].body[0].inner, [CStatement::new("$x = 1;")]);
    }

    #[test]
    fn every_statement_can_be_taken_out_or_unwrapped() {
        let smaller = program().smaller();
        // The function; four statements; the branch around two.
        assert_eq!(smaller.len(), 1 + 4 + 1);
        assert!(smaller.iter().all(|small| *small != program()));
        assert_eq!(smaller[5].functions[0].body.len(), 2);
    }

    #[test]
    fn a_program_by_itself_has_what_it_uses() {
        let text = program().to_string();
        assert!(text.contains("static int x") && !text.contains("static pthread_spinlock_t"), "{text}");
        assert!(text.contains("int main(void)") && !text.contains('$'), "{text}");
    }
}
