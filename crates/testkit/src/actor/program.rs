//! A random ABS program: text with enough structure to make it smaller.

use std::fmt;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// As it is written.
    Line(String),
    /// What stands before a block, the block, and the blocks after it, each with what stands before
    /// it.
    Block(String, Vec<Code>, Vec<(String, Vec<Code>)>),
}

/// What methods take, and what objects have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An object and a future; integers, a future and a map.
    Futures,
    /// An object and an integer; integers, a truth value and a map.
    Integers,
}

impl Shape {
    fn parameters(self) -> &'static str {
        match self {
            Shape::Futures => "O p, Fut<Int> g",
            Shape::Integers => "O p, Int v",
        }
    }

    fn fields(self) -> &'static str {
        match self {
            Shape::Futures => "  Int x = 0;\n  Int y = 0;\n  Fut<Int> f = null;\n  Map<Int, Int> t = EmptyMap;",
            Shape::Integers => "  Int x = 0;\n  Int y = 0;\n  Bool b = False;\n  Map<Int, Int> t = EmptyMap;",
        }
    }
}

/// A class: all of them implement the same interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActorClass {
    /// Declarations of when its methods commute, each before the method of this number.
    pub declarations: Vec<(usize, String)>,
    /// Its methods, in the order of their numbers.
    pub methods: Vec<Vec<Code>>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActorProgram {
    /// What methods take.
    pub shape: Shape,
    /// Its classes.
    pub classes: Vec<ActorClass>,
    /// The main block.
    pub main: Vec<Code>,
}

impl fmt::Display for ActorProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let methods = self.classes.iter().map(|class| class.methods.len()).max().unwrap_or(0);
        writeln!(f, "module Random;\nexception Oops;\ninterface O {{")?;
        for method in 0..methods {
            writeln!(f, "  Int m{method}({});", self.shape.parameters())?;
        }
        writeln!(f, "}}")?;
        for (number, class) in self.classes.iter().enumerate() {
            writeln!(f, "class C{number}(O peer) implements O {{")?;
            writeln!(f, "{}", self.shape.fields())?;
            for (method, body) in class.methods.iter().enumerate() {
                for (_, declaration) in class.declarations.iter().filter(|(before, _)| *before == method) {
                    writeln!(f, "  {declaration}")?;
                }
                writeln!(f, "  Int m{method}({}) {{", self.shape.parameters())?;
                print(f, body, 2)?;
                writeln!(f, "    return x;\n  }}")?;
            }
            writeln!(f, "}}")?;
        }
        writeln!(f, "{{")?;
        print(f, &self.main, 1)?;
        writeln!(f, "}}")
    }
}

fn print(f: &mut fmt::Formatter<'_>, body: &[Code], depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    for code in body {
        match code {
            Code::Line(line) => writeln!(f, "{indent}{line}")?,
            Code::Block(head, inner, others) => {
                writeln!(f, "{indent}{head} {{")?;
                print(f, inner, depth + 1)?;
                for (head, inner) in others {
                    writeln!(f, "{indent}}} {head} {{")?;
                    print(f, inner, depth + 1)?;
                }
                writeln!(f, "{indent}}}")?;
            }
        }
    }
    Ok(())
}

impl ActorProgram {
    /// Programs with one thing less. Some of them lack a declaration, and are refused.
    pub fn smaller(&self) -> Vec<ActorProgram> {
        let mut all = Vec::new();
        for (class, of) in self.classes.iter().enumerate() {
            for number in 0..of.declarations.len() {
                let mut program = self.clone();
                program.classes[class].declarations.remove(number);
                all.push(program);
            }
            for (method, body) in of.methods.iter().enumerate() {
                for less in without_one(body) {
                    let mut program = self.clone();
                    program.classes[class].methods[method] = less;
                    all.push(program);
                }
            }
        }
        all.extend(without_one(&self.main).into_iter().map(|main| ActorProgram { main, ..self.clone() }));
        all
    }
}

/// The bodies without one statement, or with one replaced by a block of it.
fn without_one(body: &[Code]) -> Vec<Vec<Code>> {
    let mut all = Vec::new();
    for at in 0..body.len() {
        let mut less = body.to_vec();
        let removed = less.remove(at);
        all.push(less.clone());
        let Code::Block(head, inner, others) = removed else { continue };
        for block in [&inner].into_iter().chain(others.iter().map(|(_, block)| block)) {
            let mut less = less.clone();
            less.splice(at..at, block.iter().cloned());
            all.push(less);
        }
        for inner in without_one(&inner) {
            let mut less = less.clone();
            less.insert(at, Code::Block(head.clone(), inner, others.clone()));
            all.push(less);
        }
    }
    all
}
