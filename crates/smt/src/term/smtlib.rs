//! Terms as SMT-LIB writes them.

use std::fmt::Write;

use super::{Arena, Op, Sort, Term};

impl Sort {
    /// As SMT-LIB writes it.
    pub fn smtlib(self) -> &'static str {
        match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Array => "(Array Int Int)",
        }
    }
}

/// A name as a symbol, quoted where it must be. Two names never give one symbol.
pub(crate) fn symbol(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_!.@$%&*+-/<=>?^~".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins && name.chars().all(plain) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    let mut quoted = String::from("|");
    for c in name.chars() {
        match c {
            '|' | '\\' | '#' => write!(quoted, "#{:x}#", u32::from(c)).expect("a string takes it"),
            c => quoted.push(c),
        }
    }
    quoted.push('|');
    quoted
}

/// What must be quoted although it looks plain, or is the name of something that SMT-LIB defines.
const RESERVED: &[&str] = &[
    "true", "false", "not", "and", "or", "xor", "ite", "distinct", "div", "mod", "abs", "select", "store", "let",
    "forall", "exists", "as", "par", "match", "assert", "Int", "Bool", "Array", "const", "_", "is", "rem", "if",
    "implies",
];

impl Arena {
    /// The term as SMT-LIB writes it, where `name` may give a name to write in the place of an
    /// operand. Without such names it is as long as the term seen as a tree.
    pub fn smtlib(&self, root: Term, name: impl Fn(Term) -> Option<String>) -> String {
        enum Part {
            Term(Term),
            Close,
        }
        let mut text = String::new();
        let mut parts = vec![Part::Term(root)];
        while let Some(part) = parts.pop() {
            let Part::Term(term) = part else {
                text.push(')');
                continue;
            };
            if !text.is_empty() && !text.ends_with('(') {
                text.push(' ');
            }
            if term != root
                && let Some(name) = name(term)
            {
                text += &name;
                continue;
            }
            match self.head(term) {
                Head::Whole(whole) => text += &whole,
                Head::Open(open) => {
                    text.push('(');
                    text += &open;
                    parts.push(Part::Close);
                    parts.extend(self.operands(term).iter().rev().map(|&operand| Part::Term(operand)));
                }
            }
        }
        text
    }

    fn head(&self, term: Term) -> Head {
        let open = |text: &str| Head::Open(text.to_owned());
        match self.op(term) {
            Op::Bool(value) => Head::Whole(value.to_string()),
            Op::Int(value) if value < 0 => Head::Whole(format!("(- {})", value.unsigned_abs())),
            Op::Int(value) => Head::Whole(value.to_string()),
            Op::Variable(number) => Head::Whole(symbol(&self.variables[number as usize].0)),
            Op::Apply(function) if self.operands(term).is_empty() => Head::Whole(symbol(self.function_name(function))),
            Op::Apply(function) => Head::Open(symbol(self.function_name(function))),
            Op::Not => open("not"),
            Op::And => open("and"),
            Op::Or => open("or"),
            Op::Ite => open("ite"),
            Op::Equal => open("="),
            Op::Less => open("<"),
            Op::LessEqual => open("<="),
            Op::Add => open("+"),
            Op::Multiply => open("*"),
            Op::Divide => open("div"),
            Op::Modulo => open("mod"),
            Op::Select => open("select"),
            Op::Store => open("store"),
            Op::Constant => open("(as const (Array Int Int))"),
        }
    }
}

/// How a term begins.
enum Head {
    Whole(String),
    /// An operator, with a bracket to be closed after the operands.
    Open(String),
}
