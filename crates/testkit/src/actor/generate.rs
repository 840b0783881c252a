//! Random ABS programs: small, valid, and mostly about waiting for each other.
//!
//! A method calls only methods with higher numbers, so every execution ends. Futures are kept in
//! variables and fields and passed on; tasks await and get them, alone and in chains; guards wait
//! for fields; exceptions are thrown and caught; objects are made on the way, in groups of their
//! own and in that of their maker.

use super::program::{ActorClass, ActorProgram, Code, Shape};
use crate::random::Random;

/// What a random program aims at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    /// A bit of everything.
    Anything,
    /// Objects in a ring that call each other and wait for it.
    Circles,
}

/// The program of a seed.
pub fn generate_actors(seed: u64) -> ActorProgram {
    generate(seed, Aim::Anything)
}

/// A program that aims at circles of waits: objects in a ring, each call likely to be waited for,
/// futures in fields and handed on, loops, chains of awaits.
pub fn generate_circles(seed: u64) -> ActorProgram {
    generate(seed, Aim::Circles)
}

fn generate(seed: u64, aim: Aim) -> ActorProgram {
    let mut random = Random::new(seed);
    let methods = random.between(2, 3);
    let classes = random.between(1, 3);
    let rich = random.chance(40);
    let made: Vec<ActorClass> = (0..classes)
        .map(|_| {
            let bodies = (0..methods).map(|method| {
                let mut maker = Maker { random: &mut random, method, methods, classes, futures: 0, rich, aim };
                let statements = maker.size();
                maker.body(statements, 0)
            });
            ActorClass { declarations: Vec::new(), methods: bodies.collect() }
        })
        .collect();
    let main = match aim {
        Aim::Anything => main_block(&mut random, methods, classes),
        Aim::Circles => ring(&mut random, classes),
    };
    ActorProgram { shape: Shape::Futures, classes: made, main }
}

fn main_block(random: &mut Random, methods: usize, classes: usize) -> Vec<Code> {
    let objects = random.between(1, 3);
    let mut main = Vec::new();
    for object in 0..objects {
        let local = if random.chance(15) { "local " } else { "" };
        let peer = if object == 0 { "null".to_owned() } else { format!("o{}", random.below(object)) };
        let class = random.below(classes);
        main.push(Code::Line(format!("O o{object} = new {local}C{class}({peer});")));
    }
    let calls = random.between(1, 3);
    for call in 0..calls {
        let (object, peer, method) = (random.below(objects), random.below(objects), random.below(methods.min(2)));
        let future = match call {
            0 => "null".to_owned(),
            _ if random.chance(60) => format!("r{}", random.below(call)),
            _ => "null".to_owned(),
        };
        main.push(Code::Line(format!("Fut<Int> r{call} = o{object}!m{method}(o{peer}, {future});")));
    }
    if random.chance(15) {
        main.push(Code::Line("await r0?;".to_owned()));
    }
    main
}

/// A main block that makes a ring of objects, and starts something in each.
fn ring(random: &mut Random, classes: usize) -> Vec<Code> {
    let objects = random.between(2, 3);
    let mut main = Vec::new();
    let looping = random.chance(25);
    for object in 0..objects {
        let local = if random.chance(10) { "local " } else { "" };
        let peer = if object == 0 { "null".to_owned() } else { format!("o{}", object - 1) };
        let class = random.below(classes);
        main.push(Code::Line(format!("O o{object} = new {local}C{class}({peer});")));
    }
    if looping {
        let call = Code::Line("o0!m0(o1, null); k = k + 1;".to_owned());
        main.push(Code::Line("Int k = 0;".to_owned()));
        main.push(Code::Block("while (k < 2)".to_owned(), vec![call], Vec::new()));
    }
    for object in usize::from(looping)..objects {
        let (next, method) = ((object + 1) % objects, usize::from(random.chance(20)));
        let future = if object > usize::from(looping) && random.chance(40) {
            format!("r{}", object - 1)
        } else {
            "null".to_owned()
        };
        main.push(Code::Line(format!("Fut<Int> r{object} = o{object}!m{method}(o{next}, {future});")));
        if random.chance(8) {
            main.push(Code::Line(format!("await r{object}?;")));
        }
    }
    main
}

/// Makes one method.
struct Maker<'a> {
    random: &'a mut Random,
    method: usize,
    methods: usize,
    classes: usize,
    /// Variables that hold futures: all that were declared before in this method, outside of
    /// blocks.
    futures: usize,
    /// More than calls and waiting.
    rich: bool,
    aim: Aim,
}

impl Maker<'_> {
    /// How many statements a method has: the later ones are called more often.
    fn size(&mut self) -> usize {
        if self.method + 1 == self.methods { self.random.between(0, 2) } else { self.random.between(1, 4) }
    }

    fn body(&mut self, statements: usize, depth: usize) -> Vec<Code> {
        let futures = self.futures;
        let body = (0..statements).flat_map(|_| self.statement(depth)).collect();
        if depth > 0 {
            self.futures = futures;
        }
        body
    }

    fn statement(&mut self, depth: usize) -> Vec<Code> {
        let calls = if self.method + 1 < self.methods { 1 } else { 0 };
        let (plain, rich) = (usize::from(depth < 2), usize::from(self.rich));
        if self.aim == Aim::Circles && self.random.chance(70) {
            return self.make_wait(calls > 0, depth);
        }
        let kind = self.random.weighted(&[
            (3, "field"),
            (6 * calls, "call"),
            (3 * calls, "keep"),
            (3 * calls, "tell"),
            (5, "wait"),
            (3, "passed"),
            (2 * plain, "if"),
            (2, "guard"),
            (1, "suspend"),
            (calls, "sync"),
            (calls, "awaited"),
            (rich * plain, "try"),
            (rich, "throw"),
            (rich, "assert"),
            (rich * calls, "new"),
            (rich, "map"),
            (rich, "random"),
        ]);
        self.make(kind, depth)
    }

    /// Something that waits, or makes others wait.
    fn make_wait(&mut self, calls: bool, depth: usize) -> Vec<Code> {
        let calls = usize::from(calls);
        let kind = self.random.weighted(&[
            (6 * calls, "call and wait"),
            (2 * calls, "keep"),
            (2 * calls, "keep and wait"),
            (calls, "awaited"),
            (calls, "sync"),
            (2, "wait"),
            (2, "passed"),
            (usize::from(depth < 1) * calls, "loop"),
        ]);
        match kind {
            "call and wait" => {
                let call = self.call("!");
                self.futures += 1;
                let future = format!("l{}", self.futures - 1);
                let wait = self.wait(&future);
                vec![Code::Line(format!("Fut<Int> {future} = {call};")), Code::Line(wait)]
            }
            "keep and wait" => {
                let (call, wait) = (self.call("!"), *self.random.pick(&["await f?;", "await this.f?;", "x = f.get;"]));
                vec![Code::Line(format!("f = {call};")), Code::Line(wait.to_owned())]
            }
            "loop" => {
                let round = Code::Line("k = k + 1;".to_owned());
                let body = [self.body(1, depth + 1), vec![round]].concat();
                let inner =
                    vec![Code::Line("Int k = 0;".to_owned()), Code::Block("while (k < 2)".to_owned(), body, vec![])];
                vec![Code::Block(String::new(), inner, Vec::new())]
            }
            other => self.make(other, depth),
        }
    }

    fn make(&mut self, kind: &str, depth: usize) -> Vec<Code> {
        let line = |text: String| vec![Code::Line(text)];
        match kind {
            "field" => line(self.assignment()),
            "call" => {
                let call = self.call("!");
                self.futures += 1;
                line(format!("Fut<Int> l{} = {call};", self.futures - 1))
            }
            "tell" => line(format!("{};", self.call("!"))),
            "keep" => line(format!("f = {};", self.call("!"))),
            "wait" if self.futures > 0 => {
                let future = format!("l{}", self.random.below(self.futures));
                line(self.wait(&future))
            }
            "wait" | "passed" => {
                let future = *self.random.pick(&["g", "g", "f"]);
                let wait = self.wait(future);
                vec![Code::Block(format!("if ({future} != null)"), vec![Code::Line(wait)], Vec::new())]
            }
            "if" => {
                let condition = self.condition();
                let (first, second) = (self.random.between(1, 2), self.random.below(2));
                let then = self.body(first, depth + 1);
                let other = if second == 0 { Vec::new() } else { vec![("else".to_owned(), self.body(1, depth + 1))] };
                vec![Code::Block(format!("if ({condition})"), then, other)]
            }
            "guard" => line(format!("await {};", self.guard())),
            "suspend" => line("suspend;".to_owned()),
            "sync" => line(format!("x = {};", self.call("."))),
            "awaited" => line(format!("y = await {};", self.call("!"))),
            "try" => {
                let body = self.body(2, depth + 1);
                let catch = self.body(1, depth + 1);
                vec![Code::Block("try".to_owned(), body, vec![("catch _ =>".to_owned(), catch)])]
            }
            "throw" => {
                let condition = self.condition();
                let throw = *self.random.pick(&["throw Oops;", "x = truncate(1 / y);"]);
                vec![Code::Block(format!("if ({condition})"), vec![Code::Line(throw.to_owned())], Vec::new())]
            }
            "assert" => line(format!("assert {};", self.condition())),
            "new" => {
                let local = if self.random.chance(50) { "local " } else { "" };
                let (class, method) = (self.random.below(self.classes), self.later());
                let code = format!("O n = new {local}C{class}(this); n!m{method}(this, f);");
                vec![Code::Block(String::new(), vec![Code::Line(code)], Vec::new())]
            }
            "map" => line(self.table()),
            _ => line("x = random(2);".to_owned()),
        }
    }

    fn assignment(&mut self) -> String {
        let number = self.random.below(3);
        match self.random.below(4) {
            0 => format!("x = {number};"),
            1 => format!("y = {number};"),
            2 => "x = x + 1;".to_owned(),
            _ => "y = x + 1;".to_owned(),
        }
    }

    fn table(&mut self) -> String {
        let (key, value) = (self.random.below(3), self.random.below(3));
        match self.random.below(4) {
            0 => format!("x = lookupDefault(t, {key}, 2);"),
            1 => format!("t = removeKey(t, {key});"),
            _ => format!("t = put(t, {key}, {value});"),
        }
    }

    fn condition(&mut self) -> String {
        let field = *self.random.pick(&["x", "y"]);
        let test = *self.random.pick(&["==", "!=", ">"]);
        format!("{field} {test} {}", self.random.below(2))
    }

    fn guard(&mut self) -> String {
        let condition = self.condition();
        match self.random.below(4) {
            0 if self.futures > 0 => format!("l{}? & {condition}", self.random.below(self.futures)),
            1 => format!("x != 1 && {condition}"),
            _ => condition,
        }
    }

    fn later(&mut self) -> usize {
        self.random.between(self.method + 1, self.methods - 1)
    }

    fn call(&mut self, how: &str) -> String {
        let receiver = *self.random.pick(&["this", "this", "p", "p", "peer"]);
        let argument = *self.random.pick(&["this", "p"]);
        let future = match self.random.below(3) {
            0 if self.futures > 0 => format!("l{}", self.random.below(self.futures)),
            1 => "f".to_owned(),
            _ => "g".to_owned(),
        };
        // Some objects have no peer.
        let receiver = if receiver == "peer" && self.random.chance(80) { "p" } else { receiver };
        format!("{receiver}{how}m{}({argument}, {future})", self.later())
    }

    fn wait(&mut self, future: &str) -> String {
        match self.random.below(5) {
            0 | 1 => format!("await {future}?;"),
            2 => format!("x = {future}.get;"),
            3 => format!("y = {future}.get + 1;"),
            _ => format!("await {future}?; x = 1;"),
        }
    }
}
