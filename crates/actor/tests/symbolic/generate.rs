//! Random programs with methods, and random situations for them.

use std::fmt::Write;

/// A small generator of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        random.below(2);
        random
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub(crate) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A program with two classes of three methods each. A method calls only later ones.
pub(crate) fn program(random: &mut Random) -> String {
    let mut text = "module Random;\n\
        data D = E | P(Int n) | N(D rest, Bool q);\n\
        interface I { Int m0(Int p, Bool q, I r); Int m1(Int p, D d, I r); Int m2(List<Int> l, Int p); }\n"
        .to_owned();
    for class in ["C", "K"] {
        let _ = writeln!(text, "class {class}(Int x, Bool b, I o, D e) implements I {{");
        for (number, parameters) in ["Int p, Bool q, I r", "Int p, D d, I r", "List<Int> l, Int p"].iter().enumerate() {
            let _ = writeln!(text, "  Int m{number}({parameters}) {{\n    Int t = 0;");
            let mut method = Method { random, number, futures: 0, nested: 0 };
            for _ in 0..1 + method.random.below(3) {
                method.statement(&mut text, 2);
            }
            let result = method.integer(1);
            let _ = writeln!(text, "    return {result};\n  }}");
        }
        text.push_str("}\n");
    }
    text
}

/// A method in the making.
struct Method<'r> {
    random: &'r mut Random,
    number: usize,
    futures: usize,
    nested: usize,
}

impl Method<'_> {
    fn integer(&mut self, depth: u64) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(4) {
                0 => (self.random.below(5) as i64 - 2).to_string().replace('-', "0 - "),
                1 => "x".to_owned(),
                2 => "t".to_owned(),
                _ => "p".to_owned(),
            };
        }
        let one = self.integer(depth - 1);
        let other = self.integer(depth - 1);
        match self.random.below(8) {
            0..=2 => format!("({one} + ({other}))"),
            3 | 4 => format!("({one} - ({other}))"),
            5 => format!("(2 * ({one}))"),
            6 => format!("truncate(({one}) / 2)"),
            _ => format!("(({one}) % 3)"),
        }
    }

    fn reference(&mut self) -> String {
        if self.number < 2 { self.random.one(&["r", "o", "r", "this"]).to_owned() } else { "o".to_owned() }
    }

    fn data(&mut self) -> String {
        match self.random.below(4) {
            0 if self.number == 1 => "d".to_owned(),
            1 => "E".to_owned(),
            2 => format!("P({})", self.integer(1)),
            _ => "e".to_owned(),
        }
    }

    fn condition(&mut self, depth: u64) -> String {
        if depth > 0 && self.random.below(3) == 0 {
            let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
            let operator = self.random.one(&["&&", "||"]);
            return format!("(({one}) {operator} ({other}))");
        }
        match self.random.below(9) {
            0 => "b".to_owned(),
            1 if self.number == 0 => "!q".to_owned(),
            2 => format!("{} == {}", self.reference(), self.random.one(&["null", "o", "this"])),
            3 => format!("{} == {}", self.data(), self.data()),
            _ => {
                let operator = self.random.one(&["<", "<=", "==", "!=", ">", ">="]);
                format!("{} {operator} {}", self.integer(1), self.integer(1))
            }
        }
    }

    fn statement(&mut self, text: &mut String, depth: u64) {
        let indent = "  ".repeat(2 + self.nested);
        match self.random.below(if depth == 0 { 5 } else { 11 }) {
            0 | 1 => {
                let value = self.integer(2);
                let _ = writeln!(text, "{indent}{} = {value};", self.random.one(&["t", "x"]));
            }
            2 => {
                let value = self.condition(0);
                let _ = writeln!(text, "{indent}b = {value};");
            }
            3 => {
                let value = self.data();
                let _ = writeln!(text, "{indent}e = {value};");
            }
            4 => {
                let value = self.reference();
                let _ = writeln!(text, "{indent}o = {value};");
            }
            5..=7 => {
                let condition = self.condition(1);
                let _ = writeln!(text, "{indent}if ({condition}) {{");
                self.inside(text, depth);
                let _ = writeln!(text, "{indent}}} else {{");
                self.inside(text, depth);
                let _ = writeln!(text, "{indent}}}");
            }
            8 => {
                let value = if self.number == 1 { "d" } else { "e" };
                let _ = writeln!(text, "{indent}switch ({value}) {{\n{indent}  E => t = t + 1;");
                let _ = writeln!(text, "{indent}  P(k) => t = t + k;\n{indent}  N(_, z) => b = z;\n{indent}}}");
            }
            9 if self.number < 2 => self.call(text, &indent),
            9 => {
                let _ = writeln!(text, "{indent}foreach (k in l) {{ t = t + k; }}");
            }
            _ => {
                let condition = self.condition(0);
                let word = self.random.one(&["assert", "await"]);
                let _ = writeln!(text, "{indent}{word} {condition};");
            }
        }
    }

    fn inside(&mut self, text: &mut String, depth: u64) {
        self.nested += 1;
        self.statement(text, depth - 1);
        self.nested -= 1;
    }

    fn call(&mut self, text: &mut String, indent: &str) {
        let future = format!("f{}", self.futures);
        self.futures += 1;
        let callee = self.number + 1 + self.random.below(2 - self.number as u64) as usize;
        let arguments = match callee {
            1 => format!("{}, {}, {}", self.integer(1), self.data(), self.reference()),
            _ => format!("list[{}], {}", self.integer(0), self.integer(1)),
        };
        let receiver = self.reference();
        let _ = writeln!(text, "{indent}Fut<Int> {future} = {receiver}!m{callee}({arguments});");
        match self.random.below(3) {
            0 => {
                let _ = writeln!(text, "{indent}await {future}?;\n{indent}t = {future}.get;");
            }
            1 => {
                let _ = writeln!(text, "{indent}t = {future}.get;");
            }
            _ => {}
        }
    }
}

/// The classes and methods of a context: one object, or two.
pub(crate) fn context(random: &mut Random) -> Vec<(&'static str, Vec<usize>)> {
    let mut objects = vec![("C", vec![random.below(3) as usize])];
    match random.below(3) {
        0 => objects.push((["C", "K"][random.below(2) as usize], vec![random.below(3) as usize])),
        1 => objects[0].1.push(random.below(3) as usize),
        _ => {}
    }
    objects
}

/// Random values for a context, with two further objects of each class.
pub(crate) fn situation(random: &mut Random, context: &[(&'static str, Vec<usize>)]) -> String {
    let further = [("C", Vec::new()), ("K", Vec::new()), ("C", Vec::new())];
    let objects: Vec<&(&str, Vec<usize>)> = context.iter().chain(&further).collect();
    let names: Vec<String> = (0..objects.len()).map(|number| format!("o{number}")).collect();
    let integer = |random: &mut Random| (random.below(9) as i64 - 4).to_string();
    let truth = |random: &mut Random| random.one(&["true", "false"]).to_owned();
    let reference = |random: &mut Random| match random.below(names.len() as u64 + 1) as usize {
        0 => "null".to_owned(),
        number => names[number - 1].clone(),
    };
    let mut statements = Vec::new();
    for ((class, _), name) in objects.iter().zip(&names) {
        let (x, b, o, e) = (integer(random), truth(random), reference(random), data(random, 2));
        statements.push(format!("{name} = {class}({x}, {b}, {o}, {e})"));
    }
    for ((_, methods), name) in objects.iter().zip(&names) {
        for method in methods {
            let arguments = match method {
                0 => format!("{}, {}, {}", integer(random), truth(random), reference(random)),
                1 => format!("{}, {}, {}", integer(random), data(random, 2), reference(random)),
                _ => {
                    let items: Vec<String> = (0..random.below(3)).map(|_| integer(random)).collect();
                    format!("list[{}], {}", items.join(", "), integer(random))
                }
            };
            statements.push(format!("{name}.m{method}({arguments})"));
        }
    }
    statements.join("; ")
}

fn data(random: &mut Random, depth: u64) -> String {
    match random.below(if depth == 0 { 2 } else { 3 }) {
        0 => "E".to_owned(),
        1 => format!("P({})", random.below(5) as i64 - 2),
        _ => format!("N({}, {})", data(random, depth - 1), random.one(&["true", "false"])),
    }
}
