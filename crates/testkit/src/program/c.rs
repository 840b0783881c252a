//! Writing a program in C, so that it has the same executions as in the notation.
//!
//! A statement of the notation is one step, whatever it uses; in C it stands in an atomic section.
//! What has no counterpart is replaced beforehand, for both: see [`Program::without_what_c_lacks`].

use std::fmt::Write;

use super::{Block, Body, BodyKind, Expr, Program, Statement, Type};

impl Program {
    /// The program without waiting for conditions, assumptions, assertions (they end a C program),
    /// data choices, divisions, loops, and mutexes other than around the first statement of each
    /// body.
    pub fn without_what_c_lacks(&self) -> Program {
        let mut program = self.clone();
        program.finally.clear();
        let mutex = program.mutexes.first().map(|mutex| (mutex.name.clone(), mutex.length.map(|_| Expr::Int(0))));
        let globals: Vec<String> = program.globals.iter().map(|global| global.name.clone()).collect();
        let mut fresh = 0;
        for body in &mut program.bodies {
            let mut block = simplify(&body.block, &globals, false, &mut fresh);
            let declares = matches!(block.first(), None | Some(Statement::Local(..)));
            if let (Some((name, index)), false) = (&mutex, declares) {
                block.insert(0, Statement::Lock(name.clone(), index.clone()));
                block.insert(2, Statement::Unlock(name.clone(), index.clone()));
            }
            body.block = block;
        }
        program
    }

    /// The program in C, if it is one that [`Program::without_what_c_lacks`] gives and its procs
    /// take one argument at most.
    pub fn to_c(&self) -> Option<String> {
        let mut text = String::from("#include <pthread.h>\n#include <stdbool.h>\n");
        text.push_str("void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n");
        for global in &self.globals {
            let ty = c_type(global.ty);
            match global.length {
                None => writeln!(text, "{ty} {} = {};", global.name, global.initial).ok()?,
                Some(length) => {
                    let values = vec![global.initial.to_string(); length].join(", ");
                    writeln!(text, "{ty} {}[{length}] = {{{values}}};", global.name).ok()?;
                }
            }
        }
        for mutex in &self.mutexes {
            match mutex.length {
                None => writeln!(text, "pthread_mutex_t {} = PTHREAD_MUTEX_INITIALIZER;", mutex.name).ok()?,
                Some(length) => writeln!(text, "pthread_mutex_t {}[{length}];", mutex.name).ok()?,
            }
        }
        for body in &self.bodies {
            writeln!(text, "void *{}(void *);", body.name).ok()?;
        }
        let printer = Printer { globals: self.globals.iter().map(|global| &global.name[..]).collect() };
        for body in &self.bodies {
            printer.body(&mut text, body)?;
        }
        // All of them are there from the beginning: none can fail before another one was created.
        text.push_str("int main(void) {\n  pthread_t thread;\n  __VERIFIER_atomic_begin();\n");
        for body in &self.bodies {
            let count = match &body.kind {
                BodyKind::Process => 1,
                BodyKind::Array(count) => *count,
                BodyKind::Proc(_) => 0,
            };
            for number in 0..count {
                writeln!(text, "  pthread_create(&thread, 0, {}, (void *){number}L);", body.name).ok()?;
            }
        }
        text.push_str("  __VERIFIER_atomic_end();\n  pthread_exit(0);\n}\n");
        Some(text)
    }
}

fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::Int => "long",
        Type::Bool => "bool",
    }
}

fn simplify(block: &Block, globals: &[String], atomic: bool, fresh: &mut usize) -> Block {
    let expression = |e: &Expr| simplify_expression(e);
    let mut simple = Vec::new();
    for statement in block {
        let statement = match statement {
            Statement::Local(ty, name, value) => Statement::Local(*ty, name.clone(), expression(value)),
            Statement::Assign(name, index, value) => {
                Statement::Assign(name.clone(), index.as_ref().map(expression), expression(value))
            }
            Statement::Atomic(block) => Statement::Atomic(simplify(block, globals, true, fresh)),
            Statement::If(condition, then, otherwise) => Statement::If(
                expression(condition),
                simplify(then, globals, atomic, fresh),
                simplify(otherwise, globals, atomic, fresh),
            ),
            Statement::While(condition, block) => {
                Statement::If(expression(condition), simplify(block, globals, atomic, fresh), Vec::new())
            }
            Statement::Await(condition) | Statement::Assume(condition) | Statement::Assert(condition) => {
                *fresh += 1;
                Statement::Local(Type::Bool, format!("u{fresh}"), expression(condition))
            }
            Statement::Spawn(name, arguments) if !atomic => {
                let plain = |e: &Expr| if mentions(e, globals) { Expr::Int(1) } else { expression(e) };
                Statement::Spawn(name.clone(), arguments.iter().map(plain).collect())
            }
            Statement::Spawn(..) | Statement::Lock(..) | Statement::Unlock(..) => continue,
        };
        simple.push(statement);
    }
    simple
}

fn simplify_expression(e: &Expr) -> Expr {
    let boxed = |e: &Expr| Box::new(simplify_expression(e));
    match e {
        Expr::Int(_) | Expr::Bool(_) | Expr::Name(_) => e.clone(),
        Expr::Cell(name, index) => Expr::Cell(name.clone(), boxed(index)),
        Expr::Unary(operator, operand) => Expr::Unary(operator, boxed(operand)),
        Expr::Binary("/" | "%", left, right) => Expr::Binary("+", boxed(left), boxed(right)),
        Expr::Binary(operator, left, right) => Expr::Binary(operator, boxed(left), boxed(right)),
        Expr::Conditional(condition, then, otherwise) => {
            Expr::Conditional(boxed(condition), boxed(then), boxed(otherwise))
        }
        Expr::Choose(low, _) => simplify_expression(low),
    }
}

/// Whether an expression reads a global variable.
fn mentions<S: AsRef<str>>(e: &Expr, globals: &[S]) -> bool {
    match e {
        Expr::Int(_) | Expr::Bool(_) => false,
        Expr::Name(name) => globals.iter().any(|global| global.as_ref() == name),
        Expr::Cell(..) => true,
        Expr::Unary(_, operand) => mentions(operand, globals),
        Expr::Binary(_, left, right) | Expr::Choose(left, right) => mentions(left, globals) || mentions(right, globals),
        Expr::Conditional(condition, then, otherwise) => {
            mentions(condition, globals) || mentions(then, globals) || mentions(otherwise, globals)
        }
    }
}

struct Printer<'a> {
    globals: Vec<&'a str>,
}

impl Printer<'_> {
    fn body(&self, text: &mut String, body: &Body) -> Option<()> {
        writeln!(text, "void *{}(void *argument) {{", body.name).ok()?;
        let parameter = match &body.kind {
            BodyKind::Process => None,
            BodyKind::Array(_) => Some("i"),
            BodyKind::Proc(parameters) if parameters.len() <= 1 => parameters.first().map(String::as_str),
            BodyKind::Proc(_) => return None,
        };
        if let Some(parameter) = parameter {
            writeln!(text, "  long {parameter} = (long)argument;").ok()?;
        }
        self.block(text, &body.block, false)?;
        text.push_str("  return 0;\n}\n");
        Some(())
    }

    fn block(&self, text: &mut String, block: &Block, atomic: bool) -> Option<()> {
        block.iter().try_for_each(|statement| self.statement(text, statement, atomic))
    }

    /// Writes something that may use global variables, as one step.
    fn step(&self, text: &mut String, line: &str, visible: bool) {
        if visible {
            text.push_str("  __VERIFIER_atomic_begin();\n");
        }
        text.push_str(line);
        if visible {
            text.push_str("  __VERIFIER_atomic_end();\n");
        }
    }

    fn statement(&self, text: &mut String, statement: &Statement, atomic: bool) -> Option<()> {
        let shared = |e: &Expr| !atomic && mentions(e, &self.globals);
        match statement {
            Statement::Local(ty, name, value) => {
                writeln!(text, "  {} {name};", c_type(*ty)).ok()?;
                self.step(text, &format!("  {name} = {value};\n"), shared(value));
            }
            Statement::Assign(name, index, value) => {
                let place = index.as_ref().map_or(name.clone(), |index| format!("{name}[{index}]"));
                let visible = !atomic && (index.is_some() || self.globals.contains(&&name[..]) || shared(value));
                self.step(text, &format!("  {place} = {value};\n"), visible);
            }
            Statement::Atomic(block) => {
                let mut inner = String::new();
                self.block(&mut inner, block, true)?;
                self.step(text, &format!("  {{\n{inner}  }}\n"), !atomic);
            }
            Statement::If(condition, then, otherwise) => {
                text.push_str("  { bool condition;\n");
                self.step(text, &format!("  condition = {condition};\n"), shared(condition));
                text.push_str("  if (condition) {\n");
                self.block(text, then, atomic)?;
                text.push_str("  } else {\n");
                self.block(text, otherwise, atomic)?;
                text.push_str("  } }\n");
            }
            Statement::Lock(name, index) | Statement::Unlock(name, index) => {
                let verb = if matches!(statement, Statement::Lock(..)) { "lock" } else { "unlock" };
                let place = index.as_ref().map_or(name.clone(), |index| format!("{name}[{index}]"));
                writeln!(text, "  pthread_mutex_{verb}(&{place});").ok()?;
            }
            Statement::Spawn(name, arguments) if arguments.len() <= 1 => {
                let argument = arguments.first().map_or("0".to_owned(), Expr::to_string);
                writeln!(
                    text,
                    "  {{ pthread_t thread; pthread_create(&thread, 0, {name}, (void *)(long){argument}); }}"
                )
                .ok()?;
            }
            Statement::Spawn(..)
            | Statement::While(..)
            | Statement::Await(_)
            | Statement::Assume(_)
            | Statement::Assert(_) => return None,
        }
        Some(())
    }
}
