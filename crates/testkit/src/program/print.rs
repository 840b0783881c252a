//! Writing a program in the notation.

use std::fmt::{self, Display, Formatter, Write};

use super::{Block, Body, BodyKind, Expr, Global, Mutex, Program, Statement, Type};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.globals.iter().try_for_each(|global| writeln!(f, "{global}"))?;
        self.mutexes.iter().try_for_each(|mutex| writeln!(f, "{mutex}"))?;
        self.bodies.iter().try_for_each(|body| write!(f, "{body}"))?;
        if !self.finally.is_empty() {
            f.write_str("finally {\n")?;
            write_block(f, &self.finally, 1)?;
            f.write_str("}\n")?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Int => "int",
            Type::Bool => "bool",
        })
    }
}

impl Display for Global {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.name)?;
        if let Some(length) = self.length {
            write!(f, "[{length}]")?;
        }
        match self.ty {
            Type::Int => write!(f, " = {};", self.initial),
            Type::Bool => write!(f, " = {};", self.initial != 0),
        }
    }
}

impl Display for Mutex {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.length {
            Some(length) => write!(f, "mutex {}[{length}];", self.name),
            None => write!(f, "mutex {};", self.name),
        }
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            BodyKind::Process => write!(f, "process {}", self.name)?,
            BodyKind::Array(count) => write!(f, "process {}[{count}](i)", self.name)?,
            BodyKind::Proc(parameters) => {
                let parameters: Vec<_> = parameters.iter().map(|name| format!("int {name}")).collect();
                write!(f, "proc {}({})", self.name, parameters.join(", "))?;
            }
        }
        f.write_str(" {\n")?;
        write_block(f, &self.block, 1)?;
        f.write_str("}\n")
    }
}

fn write_block(f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
    block.iter().try_for_each(|statement| write_statement(f, statement, depth))
}

fn write_statement(f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    for _ in 0..depth {
        f.write_str("  ")?;
    }
    match statement {
        Statement::Local(ty, name, value) => writeln!(f, "{ty} {name} = {value};"),
        Statement::Assign(name, index, value) => writeln!(f, "{} = {value};", Indexed(name, index.as_ref())),
        Statement::Atomic(block) => write_nested(f, "atomic", block, depth),
        Statement::If(condition, then, otherwise) => {
            write!(f, "if ({condition}) {{")?;
            write_rest(f, then, depth)?;
            if !otherwise.is_empty() {
                f.write_str(" else {")?;
                write_rest(f, otherwise, depth)?;
            }
            f.write_char('\n')
        }
        Statement::While(condition, block) => write_nested(f, &format!("while ({condition})"), block, depth),
        Statement::Lock(name, index) => writeln!(f, "lock({});", Indexed(name, index.as_ref())),
        Statement::Unlock(name, index) => writeln!(f, "unlock({});", Indexed(name, index.as_ref())),
        Statement::Await(condition) => writeln!(f, "await {condition};"),
        Statement::Assume(condition) => writeln!(f, "assume {condition};"),
        Statement::Assert(condition) => writeln!(f, "assert {condition};"),
        Statement::Spawn(name, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(Expr::to_string).collect();
            writeln!(f, "spawn {name}({});", arguments.join(", "))
        }
    }
}

fn write_nested(f: &mut Formatter<'_>, head: &str, block: &Block, depth: usize) -> fmt::Result {
    write!(f, "{head} {{")?;
    write_rest(f, block, depth)?;
    f.write_char('\n')
}

/// What follows an opening brace, up to the closing one.
fn write_rest(f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    write_block(f, block, depth + 1)?;
    for _ in 0..depth {
        f.write_str("  ")?;
    }
    f.write_char('}')
}

struct Indexed<'a>(&'a str, Option<&'a Expr>);

impl Display for Indexed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(index) => write!(f, "{}[{index}]", self.0),
            None => f.write_str(self.0),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Int(value) if *value < 0 => write!(f, "({value})"),
            Expr::Int(value) => write!(f, "{value}"),
            Expr::Bool(value) => write!(f, "{value}"),
            Expr::Name(name) => f.write_str(name),
            Expr::Cell(name, index) => write!(f, "{name}[{index}]"),
            Expr::Unary(operator, operand) => write!(f, "{operator}({operand})"),
            Expr::Binary(operator, left, right) => write!(f, "({left} {operator} {right})"),
            Expr::Conditional(condition, then, otherwise) => write!(f, "({condition} ? {then} : {otherwise})"),
            Expr::Choose(low, high) => write!(f, "choose({low}, {high})"),
        }
    }
}
