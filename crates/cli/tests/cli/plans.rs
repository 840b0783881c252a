//! What really runs is said, for every algorithm and every kind of program.

use mazurka_explore::Algorithm;

use crate::c::clang;
use crate::constraints::run;
use crate::sandbox::Sandbox;

/// A kind of program: its file, further options, and what each algorithm amounts to.
struct Kind {
    program: &'static str,
    options: &'static [&'static str],
    taken: fn(&str) -> &str,
}

/// Nothing is known about when steps commute.
fn unconstrained(asked: &str) -> &str {
    match asked {
        "constrained" => "source",
        "optimal-constrained" => "optimal-cs",
        "optimal-constrained-observers" => "optimal-cs-observers",
        other => other,
    }
}

/// No execution may be left out for its state.
fn racy(asked: &str) -> &str {
    match asked {
        "cs" | "constrained" => "source",
        "optimal-cs" | "optimal-constrained" => "optimal",
        "optimal-cs-observers" | "optimal-constrained-observers" => "observers",
        other => other,
    }
}

const KINDS: [Kind; 5] = [
    Kind { program: "plain.mzk", options: &["--solver", "none"], taken: unconstrained },
    Kind { program: "declared.mzk", options: &["--solver", "none", "--trust"], taken: |asked| asked },
    Kind { program: "program.c", options: &[], taken: racy },
    Kind { program: "program.c", options: &["--no-data-races"], taken: unconstrained },
    Kind { program: "program.abs", options: &[], taken: unconstrained },
];

const C: &str = "#include <pthread.h>
static void *worker(void *unused) { return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
";

#[test]
fn every_pair_says_what_it_runs() {
    let sandbox = Sandbox::new("plans");
    sandbox.write("plain.mzk", "int x = 0;\nprocess p[2](i) { x = i; }\n");
    sandbox.write("declared.mzk", "int x = 0;\nprocess p[2](i) { x = x + i; }\nindependent p, p when true;\n");
    sandbox.write("program.c", C);
    sandbox.write("program.abs", "module M;\n\n{ Int x = 1; }\n");
    let names = Algorithm::ALL.iter().map(|algorithm| algorithm.name().into_owned());
    let names: Vec<String> = names.chain(["quasi:1".to_owned(), "random:3".to_owned()]).collect();
    let kinds = KINDS.iter().filter(|kind| kind.program != "program.c" || clang());
    for (kind, asked) in kinds.flat_map(|kind| names.iter().map(move |asked| (kind, asked))) {
        let taken = (kind.taken)(asked);
        let arguments = [&["check", kind.program, "-a", asked], kind.options].concat();
        let ran = run(&sandbox, "", &[&arguments[..], &["--format", "json"]].concat());
        let report = ran.json();
        // Random executions prove nothing.
        let status = if asked.starts_with("random") { 3 } else { 0 };
        assert_eq!((ran.status, report["algorithm"].as_str()), (Some(status), Some(&asked[..])), "{ran:?}");
        let expected = (taken != asked).then_some(taken);
        assert_eq!(report["explored_as"].as_str(), expected, "{ran:?}");
        assert_eq!(report["explored_as_reason"].is_string(), expected.is_some(), "{ran:?}");
        let ran = run(&sandbox, "", &[&arguments[..], &["--color", "never"]].concat());
        let said = if taken == asked { format!("({asked}; ") } else { format!("({asked}, as {taken}: ") };
        assert!(ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ").contains(&said), "{said} in {ran:?}");
    }
}
