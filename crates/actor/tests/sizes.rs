//! Numbers and texts that grow without end: the step ends like one of too many instructions.

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Options, Source, compile};
use mazurka_explore::{Algorithm, Monitor, Options as Exploration, explore};
use mazurka_trace::{Limit, Verdict};

/// Whether some step of a program is cut for its size.
fn is_cut(text: &str) -> bool {
    let image = compile(&[Source { name: "test.abs", text }], &Options::default()).expect("it compiles");
    let mut machine = ActorMachine::new(Arc::new(image));
    let options = Exploration { algorithm: Algorithm::Optimal, ..Exploration::default() };
    let outcome = explore(&mut machine, &options, &Monitor::default());
    assert_ne!(outcome.verdict(), Verdict::Violation);
    outcome.limits.contains(&Limit::Fuel)
}

#[test]
fn numbers() {
    assert!(is_cut("module M; { Int x = 3; while (True) { x = x * x; } }"));
    assert!(is_cut("module M; { Rat x = 1 / 3; while (True) { x = x * x + 1 / 7; } }"));
    assert!(!is_cut("module M; { Int x = 3; Int i = 0; while (i < 10) { x = x * x; i = i + 1; } assert x > 0; }"));
}

#[test]
fn texts() {
    assert!(is_cut("module M; { String s = \"ab\"; while (True) { s = s + s; } }"));
    let twice =
        "module M; data P = Z | P(P one, P other); { P p = Z; Int i = 0; while (i < N) { p = P(p, p); i = i + 1; }
        assert strlen(toString(p)) > 1000; }";
    assert!(is_cut(&twice.replace('N', "60")));
    assert!(!is_cut(&twice.replace('N', "10")));
}
