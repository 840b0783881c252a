//! Random C programs compute in the machine what they compute when clang compiles them for this
//! machine.
//!
//! `MAZURKA_RANDOM_PROGRAMS=1000` runs more of them than usual, `MAZURKA_RANDOM_SEED` begins
//! elsewhere.

use std::fmt::Write;

use crate::common::{bitcodes, compilers, in_machine, natively};

/// Functions of a program.
const FUNCTIONS: usize = 25;

const TYPES: [&str; 9] =
    ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// A program as it is written. Nothing in it is undefined, but for overflow of signed numbers,
/// which wraps without optimisation.
struct Writer {
    random: Random,
    text: String,
    /// The number of the function being written.
    function: usize,
    depth: usize,
    loops: usize,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer { random: Random(seed), text: String::new(), function: 0, depth: 0, loops: 0 };
        writer.text.push_str(PRELUDE);
        for function in 0..FUNCTIONS {
            writer.function = function;
            writer.function();
        }
        writer.text.push_str("int main(void) {\n");
        for function in 0..FUNCTIONS {
            let _ = writeln!(writer.text, "  mix(f{function}({function}, -3 * {function}, 77ul << {function}));");
            let _ = writeln!(writer.text, "  printf(\"{function} %016lx\\n\", hash);");
        }
        writer.text.push_str("  return 0;\n}\n");
        writer.text
    }

    fn function(&mut self) {
        let result = TYPES[self.random.below(8)];
        let _ = writeln!(self.text, "static {result} f{}(int p, short q, unsigned long r) {{", self.function);
        for local in 0..6 {
            let ty = self.random.pick(&TYPES);
            let value = self.literal();
            let _ = writeln!(self.text, "  {ty} v{local} = ({ty}){value};");
        }
        self.text
            .push_str("  int a[8] = {1, -2, 3, -4, 5, -6, 7, -8};\n  struct s t = g, *u = &t;\n  long *x = &g.l;\n");
        if self.random.one_in(2) {
            self.text.push_str("  int *y = a + 2;\n  short *z = &q;\n");
        } else {
            self.text.push_str("  int *y = &p;\n  short *z = &g.s;\n");
        }
        for _ in 0..4 + self.random.below(8) {
            self.statement();
        }
        let value = self.expression(3);
        let _ = writeln!(
            self.text,
            "  mix(v0), mix(v1), mix(v2), mix(v3), mix(v4), mix(v5), mix(p), mix(q), mix(r), mix_struct(&t);"
        );
        let _ = writeln!(self.text, "  for (int i = 0; i < 8; i++) mix(a[i]);\n  return ({result}){value};\n}}");
    }

    fn literal(&mut self) -> String {
        match self.random.below(6) {
            0 => self.random.pick(&["0", "1", "-1", "127", "-128", "255", "32767", "65536", "2147483647"]).to_owned(),
            1 => self.random.pick(&["0x80000000u", "0xfffffffful", "0x8000000000000000ul", "-2147483648l"]).to_owned(),
            2 => self.random.pick(&["'a'", "3.75", "0x7fffffffffffffffl", "-5ll"]).to_owned(),
            _ => format!("{}", self.random.below(200) as i64 - 100),
        }
    }

    fn place(&mut self) -> String {
        match self.random.below(14) {
            0..=5 => format!("v{}", self.random.below(6)),
            6 => self.random.pick(&["p", "q", "r"]).to_owned(),
            7 => {
                let index = self.expression(1);
                format!("a[(unsigned)({index}) % 8]")
            }
            8 => self.random.pick(&["t.b1", "t.b2", "t.b3", "u->b2", "g.b1"]).to_owned(),
            9 => self.random.pick(&["t.c", "t.s", "t.l", "t.m[1]", "u->m[2]", "u->l"]).to_owned(),
            10 => self.random.pick(&["g.c", "g.s", "g.l", "g.m[0]", "*x"]).to_owned(),
            11 => self.random.pick(&["t.n.x", "g.n.y", "u->n.y"]).to_owned(),
            12 => self.random.pick(&["*y", "*z", "*(a + 3)", "(&t)->n.x"]).to_owned(),
            _ => {
                let index = self.expression(1);
                format!("table[({index}) & 3][1]")
            }
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(6) {
            return if self.random.one_in(3) { self.literal_integer() } else { self.place() };
        }
        let a = self.expression(depth - 1);
        match self.random.below(16) {
            0 => format!("(long)-({a})"),
            1 => format!("(unsigned)~(unsigned)({a})"),
            2 => format!("!({a})"),
            3 => {
                let ty = self.random.pick(&TYPES);
                format!("({ty})({a})")
            }
            4 => {
                let (b, c) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("(({a}) ? ({b}) : ({c}))")
            }
            5 => {
                let b = self.expression(depth - 1);
                let operator = self.random.pick(&["&&", "||"]);
                format!("(({a}) {operator} ({b}))")
            }
            6 => {
                let b = self.expression(depth - 1);
                let operator = self.random.pick(&["divide", "modulo", "divide_unsigned", "modulo_unsigned"]);
                format!("{operator}({a}, {b})")
            }
            7 => {
                let (ty, by) = (self.random.pick(&["int", "unsigned"]), self.expression(depth - 1));
                let operator = self.random.pick(&["<<", ">>"]);
                format!("(({ty})({a}) {operator} (({by}) & 31))")
            }
            8 => {
                let (ty, by) = (self.random.pick(&["long", "unsigned long"]), self.expression(depth - 1));
                let operator = self.random.pick(&["<<", ">>"]);
                format!("(({ty})({a}) {operator} (({by}) & 63))")
            }
            9 => {
                let b = self.expression(depth - 1);
                let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("(({a}) {operator} ({b}))")
            }
            10 if self.function >= 5 && self.depth == 0 => {
                let (function, b) = (self.random.below(5), self.expression(depth - 1));
                format!("f{function}((int)({a}), (short)({b}), {})", self.random.below(1000))
            }
            11 => format!("(long)to_double({a})"),
            12 => {
                let b = self.expression(depth - 1);
                format!("(functions[({b}) & 3]((long)({a}), 3l))")
            }
            _ => {
                let b = self.expression(depth - 1);
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("(({a}) {operator} ({b}))")
            }
        }
    }

    fn literal_integer(&mut self) -> String {
        let literal = self.literal();
        if literal.contains('.') || literal.contains('e') { "9".to_owned() } else { format!("({literal})") }
    }

    fn statement(&mut self) {
        let indent = "  ".repeat(self.depth + 1);
        match self.random.below(12) {
            0..=4 => {
                let (place, value) = (self.place(), self.expression(3));
                let operator = self.random.pick(&["=", "=", "=", "+=", "-=", "*=", "^=", "|=", "&="]);
                let _ = writeln!(self.text, "{indent}{place} {operator} {value};");
            }
            5 => {
                let place = self.place();
                let _ = match self.random.below(4) {
                    0 => writeln!(self.text, "{indent}({place})++;"),
                    1 => writeln!(self.text, "{indent}--{place};"),
                    2 => writeln!(self.text, "{indent}mix((unsigned long)({place})++);"),
                    _ => writeln!(self.text, "{indent}mix((unsigned long)--{place});"),
                };
            }
            6 | 7 if self.depth < 3 => {
                let condition = self.expression(3);
                let _ = writeln!(self.text, "{indent}if ({condition}) {{");
                self.block();
                if self.random.one_in(2) {
                    let _ = writeln!(self.text, "{indent}}} else {{");
                    self.block();
                }
                let _ = writeln!(self.text, "{indent}}}");
            }
            8 if self.depth < 2 => {
                self.loops += 1;
                let (counter, limit) = (self.loops, 1 + self.random.below(5));
                if self.random.one_in(2) {
                    let _ =
                        writeln!(self.text, "{indent}for (int i{counter} = 0; i{counter} < {limit}; i{counter}++) {{");
                } else {
                    let _ = writeln!(self.text, "{indent}for (unsigned i{counter} = {limit}; i{counter}-- > 0;) {{");
                }
                self.block();
                if self.random.one_in(3) {
                    let condition = self.expression(2);
                    let word = self.random.pick(&["break", "continue"]);
                    let _ = writeln!(self.text, "{indent}  if ({condition}) {word};");
                    self.depth += 1;
                    self.statement();
                    self.depth -= 1;
                }
                let _ = writeln!(self.text, "{indent}}}");
            }
            9 if self.depth < 2 => {
                let value = self.expression(2);
                let _ = writeln!(self.text, "{indent}switch (({value}) & 7) {{");
                for case in 0..3 + self.random.below(4) {
                    let _ = writeln!(self.text, "{indent}case {}:", (case * 3) % 8);
                    self.block();
                    if !self.random.one_in(3) {
                        let _ = writeln!(self.text, "{indent}  break;");
                    }
                }
                let _ = writeln!(self.text, "{indent}default:");
                self.block();
                let _ = writeln!(self.text, "{indent}}}");
            }
            10 => {
                let copy = self.random.pick(&[
                    "t = g;",
                    "g = t;",
                    "t = *u;",
                    "g.n = t.n;",
                    "u->n = pair((int)v1);",
                    "t = changed(g);",
                ]);
                let _ = writeln!(self.text, "{indent}{copy}");
            }
            _ => {
                let value = self.expression(3);
                let _ = writeln!(self.text, "{indent}mix((unsigned long)({value}));");
            }
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }
}

const PRELUDE: &str = r"#include <stdio.h>
static unsigned long hash = 0xcbf29ce484222325u;
static void mix(unsigned long value) { hash = (hash ^ value) * 0x100000001b3u + 1; }
struct two { int x; unsigned char y; };
struct s { unsigned b1 : 5; int b2 : 11; unsigned long b3 : 33; char c; short s; long l; int m[3]; struct two n; };
static struct s g = {1, 2, 3, 4, 5, 6, {7, 8, 9}, {10, 11}};
static int table[4][2] = {{1, 2}, {-3, 4}, {5, -6}, {7, 8}};
static void mix_struct(const struct s *s) {
  mix(s->b1), mix(s->b2), mix(s->b3), mix(s->c), mix(s->s), mix(s->l), mix(s->m[0]), mix(s->m[1]), mix(s->m[2]), mix(s->n.x), mix(s->n.y);
}
static struct two pair(int x) { return (struct two){x, (unsigned char)(x >> 3)}; }
static struct s changed(struct s s) { s.l++; s.n.y ^= 5; return s; }
static long divide(long a, long b) { return b == 0 || b == -1 ? a : a / b; }
static long modulo(long a, long b) { return b == 0 || b == -1 ? a : a % b; }
static unsigned divide_unsigned(unsigned a, unsigned b) { return b == 0 ? a : a / b; }
static unsigned long modulo_unsigned(unsigned long a, unsigned long b) { return b == 0 ? a : a % b; }
static double to_double(long a) { double d = (int)a; return d * 1.5 - (float)(short)a; }
static long plus(long a, long b) { return a + b; }
static long minus(long a, long b) { return a - b; }
static long times(long a, long b) { return a * b; }
static long either(long a, long b) { return a | b; }
static long (*const functions[])(long, long) = {plus, minus, times, either};
";

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_programs() {
    let Some((compiler, clang)) = compilers() else {
        eprintln!("there is no clang: nothing is compared");
        return;
    };
    let first = setting("MAZURKA_RANDOM_SEED", 1);
    for seed in first..first + setting("MAZURKA_RANDOM_PROGRAMS", 4) {
        let source = std::env::temp_dir().join(format!("mazurka-random-{}-{seed}.c", std::process::id()));
        std::fs::write(&source, Writer::program(seed)).expect("a file can be written");
        let expected = natively(&compiler, &source);
        for bytes in bitcodes(&clang, &compiler, &source, &["-O2"]) {
            let found = in_machine(&bytes);
            for (expected, found) in expected.lines().zip(found.lines()) {
                assert_eq!(found, expected, "seed {seed}, {}", source.display());
            }
            assert_eq!(found, expected, "seed {seed}, {}", source.display());
        }
        std::fs::remove_file(&source).expect("the file can be removed");
    }
}
