//! No input makes the front end panic, run out of stack or take long. The threads of tests have the
//! small stack that is wanted for this.

use std::fmt::Write;

use mazurka_process::{Diagnostic, compile};

const PROGRAM: &str = r#"
const N = 3; const FLAG = N > 2 && true;
int x = 0, y = -2; bool ready = false;
int a[N] = 0, b[3] = {1, N, 3};
mutex m, f[N];
process p { y = 1; x = 1; /* two steps */ }
process q[N](i) { a[i] = i; lock(f[i]); unlock(f[i]); }
process r {
  int t = 0, u;
  t = x + 1 * -2 % 3;
  atomic take { if (y >= 0) { y = x; } else if (x == 3) { x = x + 1; } else { y = a[a[t] - 1]; } }
  while (t < 3 && !(ready || FLAG)) { int t = 4; t = t + 1; }
  lock(m); unlock(m); await ready; assume t > 0; assert x < 3; // all of them
  spawn worker(t, ready ? 1 == 2 : false);
  int c = choose(0, t > 1 ? 2 : 3);
}
proc worker(int v, bool w) { atomic { if (v > 0) { spawn worker(v - 1, w); } x = x + v; } }
independent worker(v, w), worker(v2, w2) when v == v2 && w;
independent take, q(i) when i == 1;
finally { assert x <= 3; }
"#;

fn errors(source: &str) -> Vec<Diagnostic> {
    let errors = compile("test.mzk", source, &[]).err().unwrap_or_default();
    for diagnostic in &errors {
        assert!(!diagnostic.message.is_empty());
        let spans = diagnostic.notes.iter().map(|note| note.span).chain([diagnostic.span]);
        for span in spans.flatten() {
            assert!(
                source.get(span.start as usize..span.end as usize).is_some(),
                "{span:?} is no stretch of the source"
            );
        }
    }
    errors
}

/// The one message about a program.
fn message(source: &str) -> String {
    let errors = errors(source);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].message.clone()
}

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn the_program_is_valid() {
    assert_eq!(errors(PROGRAM), []);
}

#[test]
fn changed_bytes() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..5_000 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for _ in 0..=random.below(6) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] = b"(){}[];,=<>!&|+-*/%?:0aN \n\""[random.below(27)],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[random.below(bytes.len())]),
            }
        }
        errors(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn changed_words() {
    let words: Vec<&str> = PROGRAM.split_inclusive([' ', '\n', '(', ')', ';']).collect();
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..5_000 {
        let mut changed = words.clone();
        for _ in 0..=random.below(4) {
            let (from, to) = (random.below(changed.len()), random.below(changed.len()));
            match random.below(3) {
                0 => changed.swap(from, to),
                1 => drop(changed.remove(from)),
                _ => changed.insert(to, changed[from]),
            }
        }
        errors(&changed.concat());
    }
}

#[test]
fn cut_off_anywhere() {
    for end in 0..PROGRAM.len() {
        errors(&PROGRAM[..end]);
        errors(&PROGRAM[end..]);
    }
}

fn nested(before: &str, open: &str, middle: &str, close: &str, after: &str, depth: usize) -> String {
    [before, &open.repeat(depth), middle, &close.repeat(depth), after].concat()
}

#[test]
fn deep_nesting_is_one_error() {
    let (before, after) = ("int x, a[3]; bool b; process p { ", " } process q { x = true; }");
    let deep = [
        ("x = ", "(", "1", ")", ";"),
        ("x = ", "(", "", "", ""),
        ("x = ", "1 + (2 * (", "1", "))", ";"),
        ("x = ", "-", "x", "", ";"),
        ("b = ", "!", "b", "", ";"),
        ("b = ", "!(-", "b", ")", ";"),
        ("x = ", "a[", "0", "]", ";"),
        ("x = ", "choose(", "0", ", 1)", ";"),
        ("x = ", "b ? ", "0", " : 1", ";"),
        ("", "if (b) { ", "x = 1;", " }", ""),
        ("", "if (b) { } else { ", "x = 1;", " }", ""),
        ("", "while (b) { ", "x = 1;", " }", ""),
        ("", "atomic { ", "x = 1;", " }", ""),
        ("", "atomic { ", "", "", ""),
    ];
    for (head, open, middle, close, tail) in deep {
        let program = |depth| nested(&format!("{before}{head}"), open, middle, close, &format!("{tail}{after}"), depth);
        assert_eq!(message(&program(10_000)), "this is nested more than 256 levels deep", "{head}{open}");
    }
    // Without braces every level is an error of its own.
    assert_eq!(errors(&nested(before, "if (b) ", "x = 1;", "", after, 10_000)).len(), 50);
    assert_eq!(errors(&nested(before, "while (b) ", "", "", after, 10_000)).len(), 50);
}

#[test]
fn nesting_up_to_the_limit() {
    let program = |depth| nested("int x; process p { x = ", "(", "1", ")", "; }", depth);
    assert_eq!(errors(&program(255)), []);
    assert_eq!(message(&program(256)), "this is nested more than 256 levels deep");
    let program = |depth| nested("bool b; process p { b = ", "!", "b", "", "; }", depth);
    assert_eq!(errors(&program(255)), []);
    assert_eq!(message(&program(256)), "this is nested more than 256 levels deep");
    let program = |depth| nested("process p { ", "atomic {", "", "}", " }", depth);
    assert_eq!(errors(&program(255)), []);
    assert_eq!(message(&program(256)), "this is nested more than 256 levels deep");
}

#[test]
fn braces_without_a_statement_are_one_error() {
    let program = nested("process p { ", "{", "", "}", "}", 10_000);
    assert_eq!(message(&program), "expected a statement, found `{`");
    assert!(!errors(&"{".repeat(10_000)).is_empty());
    assert!(!errors(&"}".repeat(10_000)).is_empty());
    assert!(!errors(&"process p {".repeat(10_000)).is_empty());
}

#[test]
fn a_million_terms() {
    let sum = |operator: &str| "x".to_string() + &format!(" {operator} x").repeat(999_999);
    let program = compile("", &format!("int x; process p {{ x = {}; }}", sum("+")), &[]).unwrap();
    assert_eq!(program.exprs.len(), 1_999_999);
    drop(program);
    assert_eq!(errors(&format!("int x; process p {{ x = {}; }}", sum("-"))), []);
    // Alternating levels, and constants.
    assert_eq!(errors(&format!("int x = {};process p {{ }}", "1 + 2 * 3 - ".repeat(300_000) + "1")), []);
}

#[test]
fn a_long_chain_of_conditions() {
    let chain = "x == 1 ? 2 : ".repeat(100_000) + "3";
    assert_eq!(errors(&format!("int x; process p {{ x = {chain}; }}")), []);
    let chain = "if (x == 1) { x = 2; } else ".repeat(100_000) + "{ }";
    assert_eq!(errors(&format!("int x; process p {{ {chain} }}")), []);
}

#[test]
fn a_long_program() {
    let mut source = String::new();
    for i in 0..50_000 {
        writeln!(source, "int x{i}; process p{i} {{ int t = x{i}; x{i} = t + 1; }}").unwrap();
    }
    assert_eq!(errors(&source), []);
}

#[test]
fn very_many_errors_are_counted() {
    let found = errors(&format!("int x; process p {{ {} }}", "x = true;\n".repeat(100_000)));
    assert_eq!(found.len(), 50);
    assert_eq!(found[49].notes[0].message, "99950 more errors are not shown");
    let found =
        errors(&format!("process p {{ {} }}", (0..50_000).map(|i| format!("y{i} = z{i};\n")).collect::<String>()));
    assert_eq!(found.len(), 50);
    let found = errors(&("int a[1]; process p { a[0] = 0".to_string() + &" + 1 / 0 + a[1]".repeat(100_000) + "; }"));
    assert_eq!(found.len(), 50);
}

#[test]
fn garbage() {
    assert_eq!(
        message(&"\0".repeat(100_000)),
        "the characters `\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0…` cannot stand in a program"
    );
    assert_eq!(message("\u{202E}\u{200B}"), "the characters `\\u{202e}\\u{200b}` cannot stand in a program");
    assert_eq!(errors(&"§ ".repeat(100_000)).len(), 50);
    assert!(message(&format!("int x = {}; process p {{ }}", "9".repeat(100_000))).len() < 80);
    assert!(!errors(&"a".repeat(1_000_000)).is_empty());
    assert!(!errors(&"/*".repeat(100_000)).is_empty());
}
