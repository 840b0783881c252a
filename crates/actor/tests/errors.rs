//! What is wrong with a program is said, all at once, with its place and what was expected. Nothing
//! panics.

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Image, Options, Source, compile};
use mazurka_machine::Run;
use mazurka_trace::{Ending, Event};

/// The messages for a program, each with the line it is about.
fn errors(source: &str) -> Vec<String> {
    errors_with(source, &Options::default())
}

fn errors_with(source: &str, options: &Options) -> Vec<String> {
    match compile(&[Source { name: "p.abs", text: source }], options) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics
            .into_iter()
            .map(|diagnostic| {
                let before = diagnostic.span.map_or("", |span| &source[..span.start as usize]);
                let line = before.matches('\n').count() + 1;
                let help = diagnostic.help.map_or_else(String::new, |help| format!(" ({help})"));
                let label = match diagnostic.label.as_str() {
                    "" => String::new(),
                    label => format!(", {label}"),
                };
                format!("{line}: {}{label}{help}", diagnostic.message)
            })
            .collect(),
    }
}

#[track_caller]
fn refused(source: &str, expected: &[&str]) {
    assert_eq!(errors(source), expected);
}

#[test]
fn a_program_without_errors() {
    refused("module M; { Int n = 1; assert n == 1; }", &[]);
    refused("{ skip; }", &[]);
}

#[test]
fn all_errors_at_once() {
    let source = "module M;
interface I { Int m(Int n); }
class C implements I {
  Int m(Int n) { return nn; }
  Unit k() { Strin s = \"\"; }
}
{
  I i = new D();
  i!mm(1);
  Bool b = 1 + True;
  Int n = i.m(True);
}
";
    refused(
        source,
        &[
            "4: there is no variable `nn`, expected a variable, a parameter or a field",
            "5: there is no type `Strin`, expected the name of a type (did you mean `String`?)",
            "8: there is no class `D`, expected the name of a class",
            "9: the interface `I` has no method `mm`, expected one of its methods",
            "10: this is of type `Bool`, expected a number",
            "11: this is of type `Bool`, expected `Int`",
        ],
    );
}

#[test]
fn the_parser_goes_on_after_an_error() {
    let source = "module M;
class C { Int x = ; Int y = 1 }
interface I { Unit m( ; Unit n(); }
{ Int a = 1 Int b = 2; skip }
";
    let found = errors(source);
    assert_eq!(found.len(), 5, "{found:#?}");
    assert!(found[0].starts_with("2: unexpected `;`, expected an expression"), "{found:#?}");
}

#[test]
fn hints_for_misspelt_names() {
    let source = "module M; { List<Int> l = appendrigt(Nil, 1); Int lenght = 1; assert length == 1; }";
    let found = errors(source);
    assert!(found[0].contains("did you mean `appendright`?"), "{found:#?}");
    assert!(found[1].contains("did you mean `lenght`?"), "{found:#?}");
}

#[test]
fn types_that_do_not_fit() {
    refused(
        "module M; { Int n = 1 / 2; }",
        &[
            "1: this is of type `Rat`, expected `Int` (`truncate(...)` makes an integer of it; `--dialect syco` does so by itself)",
        ],
    );
    refused("module M; { Fut<Int> f = null; Bool b = f.get; }", &["1: this is of type `Int`, expected `Bool`"]);
    refused("module M; { List<Int> l = list[1, \"a\"]; }", &["1: this is of type `String`, expected `Int`"]);
    refused(
        "module M; { Int n = case True { True => 1; 3 => 2; }; }",
        &["1: this pattern is of type `Int`, expected `Bool`"],
    );
    refused(
        "module M; { Int n; }",
        &["1: the variable `n` has no value, expected `= ...` after it, since a `Int` has no null"],
    );
}

#[test]
fn effects_in_the_wrong_place() {
    refused(
        "module M; interface I { Int m(); } def Int f(I i) = i.m(); { skip; }",
        &["1: a call of a method cannot stand in a function, expected an expression without such an effect"],
    );
    let found = errors("module M; class C { { await True; } } { skip; }");
    assert_eq!(
        found,
        ["1: `await` cannot stand while an object is made, expected an expression without such an effect"]
    );
    let found = errors("module M; { await random(2) == 1; }");
    assert_eq!(found, ["1: `random` cannot stand in a guard, expected an expression without such an effect"]);
}

#[test]
fn what_is_out_of_scope_is_refused_by_name() {
    let source = "module M;
delta D;
trait T = { }
[Scheduler: fifo(queue)] class C { Unit m() { die Exception; movecogto this; } }
{ Float x = 1.5; duration(1, 2); Time now = now(); [Cost: 3] skip; }
";
    let found = errors(source);
    for (line, what) in [
        (2, "`delta` (deltas)"),
        (3, "`trait` (traits)"),
        (4, "`Scheduler` (schedulers"),
        (4, "`die` (objects"),
        (4, "`movecogto` (moving"),
        (5, "Float"),
        (5, "`duration` (timed ABS)"),
        (5, "the type `Time`"),
        (5, "`now` (timed ABS)"),
    ] {
        let start = format!("{line}: ");
        assert!(found.iter().any(|text| text.starts_with(&start) && text.contains(what)), "{what}: {found:#?}");
    }
}

/// What other tools have in their libraries may be declared.
#[test]
fn names_of_other_libraries_are_free() {
    refused("module M; type Time = Int; def Time now() = 3; { Time t = now(); assert t == 3; }", &[]);
}

/// A word of the language as a name is one mistake, not one for each place after it.
#[test]
fn words_of_the_language_as_names() {
    let source = "module M;
interface I { Int data(Int n); }
class C implements I { Int data(Int n) { return n; } }
{ I i = new C(); Fut<Int> f = i!data(3); Int x = f.get; }
";
    let words = "unexpected `data`, expected the name of a";
    refused(
        source,
        &[
            &format!("2: {words} method (`data` is a word of the language)"),
            &format!("3: {words} field or a method (`data` is a word of the language)"),
            &format!("4: {words} method (`data` is a word of the language)"),
        ],
    );
}

#[test]
fn templates() {
    refused(
        "module M; { String s = `a $ b`; }",
        &["1: this `$` has no partner, expected another one after an expression, or `\\$`"],
    );
    refused("module M; { String s = `a $1 2$`; }", &["1: unexpected `2`, expected the end of the expression"]);
    refused(
        "module M; { String s = `a $x$`; }",
        &["1: there is no variable `x`, expected a variable, a parameter or a field"],
    );
    assert!(errors("module M; { String s = `a; }").iter().any(|error| error.contains("this template has no end")));
    assert!(!errors("module M; { String s = `$$`; }").is_empty());
}

/// What is wrong in a branch does not spoil what comes after it.
#[test]
fn mistakes_in_branches() {
    refused(
        "module M; class C { Int n = 0;
Unit m(Int x) { switch (x) { this => skip; 1 => { n = 2; } } n = 3; } Unit k() { n = y; } }
{ skip; }",
        &[
            "2: unexpected `this`, expected a pattern: a name, `_`, a number, a string or a constructor",
            "2: there is no variable `y`, expected a variable, a parameter or a field",
        ],
    );
}

#[test]
fn recover_blocks() {
    let found = errors(
        "module M; class C {
recover { DivisionByZeroException => return 3;
e => { suspend; x = 1; } }
Unit m(Int x) { } Unit n() { } }
{ skip; }",
    );
    for error in [
        "2: a `recover` block returns nothing, expected no `return` here",
        "3: `suspend` cannot stand in a `recover` block, expected an expression without such an effect",
        "3: there is no variable `x`, expected a variable, a parameter or a field",
    ] {
        assert_eq!(found.iter().filter(|text| *text == error).count(), 1, "{error}: {found:#?}");
    }
}

#[test]
fn a_module_that_imports_itself() {
    refused("module M; import * from M; { skip; }", &["1: the module `M` imports itself, expected another module"]);
    assert_eq!(errors("module M; import * from N; export *; module N; import * from M; { skip; }"), [""; 0]);
}

#[test]
fn interfaces_that_extend_themselves() {
    refused(
        "module M; interface A extends B { } interface B extends A { } interface C extends A { } { skip; }",
        &[
            "1: the interface `A` extends itself, expected other interfaces above it",
            "1: the interface `B` extends itself, expected other interfaces above it",
        ],
    );
}

#[test]
fn mains() {
    refused(
        "",
        &["1: there is no main block (a program begins with statements in braces at the end of a module: `{ ... }`)"],
    );
    let two = "module A; { skip; } module B; { skip; }";
    assert!(errors(two)[0].contains("2 modules have a main block"), "{:?}", errors(two));
    let chosen = Options { main: Some("B".to_owned()), ..Options::default() };
    assert_eq!(errors_with(two, &chosen), [""; 0]);
    let wrong = Options { main: Some("C".to_owned()), ..Options::default() };
    assert!(errors_with(two, &wrong)[0].contains("there is no module `C` with a main block"));
    assert!(errors("module A; { skip; } { skip; }")[0].contains("this module has two main blocks"));
}

#[test]
fn modules() {
    let source = "module A; export f; def Int f() = 1; def Int g() = 2;
module B; import f, g from A; import * from B; import h from C; { Int n = f(); }";
    let found = errors(source);
    assert_eq!(
        found,
        [
            "2: the module `A` does not export `g`, expected a name that it exports (add `export g;` to `A`)",
            "2: the module `B` imports itself, expected another module",
            "2: there is no module `C`, expected one",
        ]
    );
    assert!(errors("module A; module A; { skip; }")[0].contains("declared twice"));
}

#[test]
fn broken_promises() {
    let found = errors(
        "module M; interface I { Int m(); Int n(); } class C implements I { Bool m() { return True; } } { skip; }",
    );
    assert_eq!(
        found,
        [
            "1: the class `C` has no method `n`, `I` promises it",
            "1: the method `m` is not what `I` promises, expected `Int m()`",
        ]
    );
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 10_000;
    for (open, close) in [("(", ")"), ("!", ""), ("list[", "]"), ("when True then ", " else 1"), ("Just(", ")")] {
        let source = format!("module M; {{ Int n = {}1{}; }}", open.repeat(deep), close.repeat(deep));
        assert!(!errors(&source).is_empty(), "{open}");
    }
    let blocks = format!("module M; {{ {} skip; {} }}", "{".repeat(deep), "}".repeat(deep));
    assert!(errors(&blocks).iter().any(|text| text.contains("nested more than")));
    let types = format!("module M; {{ {}Int{} n = Nil; }}", "List<".repeat(deep), ">".repeat(deep));
    assert!(!errors(&types).is_empty());
    let branches = format!("module M; {{ {} skip; }}", "if (True) skip; else ".repeat(deep));
    assert!(!errors(&branches).is_empty());
    let patterns = format!("module M; {{ switch (1) {{ {}x{} => skip; }} }}", "Just(".repeat(deep), ")".repeat(deep));
    assert!(!errors(&patterns).is_empty());
    let synonyms = "module M; type A = B; type B = A; { skip; }";
    assert!(errors(synonyms)[0].contains("synonym of itself"));
}

#[test]
fn long_is_not_deep() {
    let chain = format!("module M; {{ Int n = 0{}; assert n == 10000; }}", " + 1".repeat(10_000));
    assert_eq!(errors(&chain), [""; 0]);
    let list = format!("module M; {{ List<Int> l = list[0{}]; }}", ", 1".repeat(100_000));
    assert_eq!(errors(&list), [""; 0]);
    let conditions = format!("module M; {{ Bool b = True{}; }}", " && True".repeat(10_000));
    assert_eq!(errors(&conditions), [""; 0]);
    let statements = format!("module M; {{ {} }}", "skip;".repeat(100_000));
    assert_eq!(errors(&statements), [""; 0]);
}

#[test]
fn unfinished_texts() {
    for text in ["/*", "\"abc", "module", "module M", "module M; class", "module M; {", "[", "{ [", "\u{0}", "\u{FEFF}"]
    {
        assert!(!errors(text).is_empty(), "{text:?}");
    }
}

/// Runs one execution of a program, a few steps of it.
fn dive(image: Image) {
    let mut machine = ActorMachine::new(Arc::new(image));
    machine.set_fuel(10_000);
    let mut event = Event::default();
    for _ in 0..50 {
        let live: Vec<_> = machine.live().iter().collect();
        let Some(process) = live.into_iter().find(|&process| machine.is_enabled(process)) else { break };
        machine.step(process, &[], &mut event);
        if event.ending != Ending::Continues {
            break;
        }
    }
    machine.restart();
}

/// Programs with characters and tokens taken out, doubled and swapped: errors or not, never a
/// panic.
#[test]
fn mutated_programs() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let mut texts = Vec::new();
    for folder in ["verified/abs", "violation/abs"] {
        for entry in std::fs::read_dir(format!("{corpus}/{folder}")).expect("the corpus is there") {
            texts.push(std::fs::read_to_string(entry.expect("an entry").path()).expect("a program"));
        }
    }
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below.max(1)
    };
    let rounds = std::env::var("ACTOR_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    for _ in 0..rounds {
        let text: Vec<char> = texts[random(texts.len())].chars().collect();
        let mut mutant = text.clone();
        for _ in 0..=random(4) {
            let at = random(mutant.len());
            let pieces =
                ["{", "}", "(", ")", ";", "=", "!", "?", ".", "await ", "Int ", "new ", "<", ">", "\"", "x", "0"];
            match random(4) {
                0 => drop(mutant.splice(at..(at + random(12)).min(mutant.len()), [])),
                1 => drop(mutant.splice(at..at, pieces[random(pieces.len())].chars())),
                2 => {
                    let from = random(text.len());
                    let part: Vec<char> = text[from..(from + random(40)).min(text.len())].to_vec();
                    mutant.splice(at..at, part);
                }
                _ => mutant.truncate(at),
            }
        }
        let source: String = mutant.into_iter().collect();
        if let Ok(image) = compile(&[Source { name: "p.abs", text: &source }], &Options::default()) {
            dive(image);
        }
    }
}

#[test]
fn declarations_of_independence() {
    let class = |annotations: &str, method: &str| {
        format!(
            "module M;
interface I {{ Unit m(Int v); Unit n(Int v, Bool b); }}
{annotations}
class C implements I {{
  Int x = 0;
  {method}
  Unit m(Int v) {{ x = x + v; }}
  Unit n(Int v, Bool b) {{ x = v; }}
}}
{{ skip; }}
"
        )
    };
    refused(&class("[indep(m(v), n(w, b), v == w && x > 0)] [indep(m, n)]", "[indep(m(w), v == w)]"), &[]);
    refused(
        &class("[indep(m(v), k(w), v == w)]", "[indep(nn(w, b))]"),
        &[
            "3: the class has no method `k`, expected a method of this class",
            "6: the class has no method `nn`, expected a method of this class",
        ],
    );
    refused(
        &class("[indep(m(v), n(w), v == w)]", "[indep(m(v), True)]"),
        &[
            "3: the method `n` has 2 parameters, not 1, expected a name for each, or none and no brackets",
            "6: the variable `v` is declared twice, expected another name",
        ],
    );
    refused(
        &class("[indep(m(v), n(w, b), v + w)]", "[indep(m(w), z == w)]"),
        &[
            "3: this is of type `Int`, expected `Bool`",
            "6: there is no variable `z`, expected a variable, a parameter or a field",
        ],
    );
    refused(
        &class("[indep(m(v), m(w), random(2) == v)]", "[indep(m(w), new C() == null)]"),
        &[
            "3: `random` cannot stand in the condition of `indep`, expected an expression without such an effect",
            "6: `new` cannot stand in the condition of `indep`, expected an expression without such an effect",
        ],
    );
    refused(&class("[indep(m(v))]", ""), &["3: unexpected `)`, expected `,`"]);
    refused(&class("[indep()]", ""), &["3: unexpected `)`, expected the name of a method"]);
}

#[test]
fn independence_stands_before_classes_and_methods() {
    let misplaced = "`indep` declares when methods commute, expected it before a class or a method";
    let at = |line: usize| format!("{line}: {misplaced}");
    let source = "module M;
[indep(m, n)]
def Int f() = 1;
class C {
  [indep(m)]
  Int x = 0;
  Unit m() { [indep(m)] x = 1; }
}
[indep(m, n)]
{ skip; }
";
    assert_eq!(errors(source), [at(2), at(5), at(7), at(9)]);
}
