//! Random ABS programs whose methods commute, always or under conditions.
//!
//! Methods take an object and an integer, and use integers, a truth value and a map. They add,
//! compare, branch, look up and put, call others (also in other objects), and sometimes wait. A
//! method calls only methods with higher numbers, so every execution ends. Some programs declare
//! when methods commute, rightly or not.

use super::program::{ActorClass, ActorProgram, Code, Shape};
use crate::random::Random;

/// The program of a seed.
pub fn generate_commuting(seed: u64) -> ActorProgram {
    let mut random = Random::new(seed ^ 0xc0_77e5);
    let methods = random.between(2, 3);
    let classes = random.between(1, 2);
    let made = (0..classes).map(|_| {
        let bodies = (0..methods).map(|method| {
            let mut maker = Maker { random: &mut random, method, methods, futures: 0 };
            let statements = maker.random.between(1, 3);
            maker.body(statements, 0)
        });
        let bodies: Vec<Vec<Code>> = bodies.collect();
        ActorClass { declarations: declarations(&mut random, methods), methods: bodies }
    });
    let made: Vec<ActorClass> = made.collect();
    let main = main_block(&mut random, methods, classes);
    ActorProgram { shape: Shape::Integers, classes: made, main }
}

/// Declarations of when methods commute. The other method's parameters are `q` and `w`.
fn declarations(random: &mut Random, methods: usize) -> Vec<(usize, String)> {
    let mut declared = Vec::new();
    for method in 0..methods {
        if random.chance(35) {
            let other = random.below(methods);
            let condition = *random.pick(&[
                "v == w",
                "v != w",
                "x > v && x > w",
                "x == 0",
                "b",
                "y + v >= w",
                "lookupDefault(t, v, 0) == lookupDefault(t, w, 0)",
                "p == q && v == w",
                "True",
            ]);
            declared.push((method, format!("[indep(m{other}(q, w), {condition})]")));
        }
    }
    declared
}

fn main_block(random: &mut Random, methods: usize, classes: usize) -> Vec<Code> {
    let objects = random.between(1, 2);
    let mut main = Vec::new();
    for object in 0..objects {
        let peer = if object == 0 { "null".to_owned() } else { format!("o{}", random.below(object)) };
        let local = if random.chance(15) { "local " } else { "" };
        let class = random.below(classes);
        main.push(Code::Line(format!("O o{object} = new {local}C{class}({peer});")));
    }
    for call in 0..random.between(2, 4) {
        // Mostly of the first object, so that methods meet.
        let object = if random.chance(75) { 0 } else { random.below(objects) };
        let (peer, method, value) = (random.below(objects), random.below(methods), random.below(3));
        let kept = if random.chance(25) { format!("Fut<Int> r{call} = ") } else { String::new() };
        main.push(Code::Line(format!("{kept}o{object}!m{method}(o{peer}, {value});")));
    }
    main
}

/// Makes one method.
struct Maker<'a> {
    random: &'a mut Random,
    method: usize,
    methods: usize,
    futures: usize,
}

impl Maker<'_> {
    fn body(&mut self, statements: usize, depth: usize) -> Vec<Code> {
        (0..statements).flat_map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Vec<Code> {
        let calls = usize::from(self.method + 1 < self.methods);
        let top = usize::from(depth == 0);
        let kind = self.random.weighted(&[
            (8, "assign"),
            (3 * usize::from(depth < 2), "if"),
            (3, "map"),
            (5 * calls, "call"),
            (calls, "self"),
            (calls * top, "keep"),
            (top, "guard"),
            (top, "suspend"),
            (1, "assert"),
            (1, "divide"),
            (calls * top, "new"),
            (1, "loop"),
            (1, "return"),
        ]);
        let line = |text: String| vec![Code::Line(text)];
        match kind {
            "assign" => line(self.assignment()),
            "if" => {
                let (condition, count) = (self.condition(), self.random.between(1, 2));
                let then = self.body(count, depth + 1);
                let other = match self.random.below(2) {
                    0 => Vec::new(),
                    _ => vec![("else".to_owned(), self.body(1, depth + 1))],
                };
                vec![Code::Block(format!("if ({condition})"), then, other)]
            }
            "map" => line(self.table()),
            "call" => line(self.call()),
            "self" => {
                let (later, value) = (self.later(), self.value());
                line(format!("y = this.m{later}(p, {value});"))
            }
            "keep" => {
                self.futures += 1;
                let (future, later, value) = (self.futures, self.later(), self.value());
                let wait = *self.random.pick(&["", "await f?; ", "x = f.get; "]);
                let wait = wait.replace("f?", &format!("f{future}?")).replace("f.get", &format!("f{future}.get"));
                line(format!("Fut<Int> f{future} = this!m{later}(p, {value}); {wait}"))
            }
            "guard" => line(format!("await {};", self.condition())),
            "suspend" => line("suspend;".to_owned()),
            "assert" => line(format!("assert {};", self.condition())),
            "divide" => line("y = truncate(6 / v);".to_owned()),
            "new" => {
                let (later, value) = (self.later(), self.value());
                let code = Code::Line(format!("O n = new C0(this); n!m{later}(this, {value});"));
                vec![Code::Block(String::new(), vec![code], Vec::new())]
            }
            "loop" => {
                let round = Code::Line("x = x + 1; k = k + 1;".to_owned());
                let bound = *self.random.pick(&["2", "v"]);
                let inner = vec![
                    Code::Line("Int k = 0;".to_owned()),
                    Code::Block(format!("while (k < {bound})"), vec![round], Vec::new()),
                ];
                vec![Code::Block(String::new(), inner, Vec::new())]
            }
            _ => {
                let (condition, value) = (self.condition(), self.value());
                vec![Code::Block(format!("if ({condition})"), vec![Code::Line(format!("return {value};"))], Vec::new())]
            }
        }
    }

    fn assignment(&mut self) -> String {
        let value = self.value();
        match self.random.below(9) {
            0 | 1 => format!("x = x + {value};"),
            2 => format!("y = y + {value};"),
            3 => format!("x = {value};"),
            4 => format!("y = {value};"),
            5 => format!("x = max(x, {value});"),
            6 => "b = True;".to_owned(),
            7 => format!("b = {};", self.condition()),
            _ => "x = x - y;".to_owned(),
        }
    }

    fn table(&mut self) -> String {
        let (key, value) = (self.value(), self.value());
        match self.random.below(4) {
            0 | 1 => format!("t = put(t, {key}, {value});"),
            2 => format!("t = removeKey(t, {key});"),
            _ => format!("y = lookupDefault(t, {key}, {value});"),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(8) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => "x".to_owned(),
            3 => "y".to_owned(),
            4 => "v + 1".to_owned(),
            5 => "2 * v".to_owned(),
            _ => "v".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(6) {
            0 => "b".to_owned(),
            1 => "!b".to_owned(),
            2 => "peer == null".to_owned(),
            _ => {
                let test = *self.random.pick(&["==", "!=", ">", "<="]);
                let (left, right) = (*self.random.pick(&["x", "y", "v"]), self.value());
                format!("{left} {test} {right}")
            }
        }
    }

    fn later(&mut self) -> usize {
        self.random.between(self.method + 1, self.methods - 1)
    }

    fn call(&mut self) -> String {
        let (later, value) = (self.later(), self.value());
        match self.random.below(4) {
            0 | 1 => format!("p!m{later}(this, {value});"),
            2 => format!("this!m{later}(p, {value});"),
            _ => format!("if (peer != null) {{ peer!m{later}(p, {value}); }}"),
        }
    }
}
