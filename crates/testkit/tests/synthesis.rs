//! Constraints found by a solver: the paper's, and random ones against the machine.

use mazurka_process::{Declared, Image, compile, synthesise, verify};
use mazurka_smt::synthesis::known::{Known, Nothing};
use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::{Error, Settings, Solver, Supply};
use mazurka_testkit::{Algorithm, Checks, Finder, Tried, check_synthesised, fuzz_synthesised, try_pair};

fn supply() -> Supply<'static> {
    let time_limit = Some(std::time::Duration::from_secs(5));
    Supply::new(move || Solver::start(Settings { time_limit, ..Settings::default() }))
}

/// The constraints of the steps of two bodies, sorted, and whether they are necessary.
fn constraints(source: &str, bodies: [&str; 2]) -> (Vec<String>, bool) {
    let program = compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    let found =
        synthesise(&image, &mut Nothing, &mut supply(), &|| false).expect("the tests need Z3: `apt install z3`");
    let pair = found.pairs.into_iter().find(|pair| pair.bodies == bodies).expect("there is such a pair");
    let mut texts = pair.texts.expect("something was found out");
    texts.sort();
    (texts, pair.necessary)
}

/// What comes of the proofs of what a program declares.
fn proofs(source: &str, known: &mut dyn Known, supply: &mut Supply<'_>) -> Result<Vec<Declared>, Error> {
    let program = compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    verify(&program, &image, known, supply, &|| false)
}

/// What comes of the first of them, with a solver.
fn proof(source: &str) -> Verified {
    proofs(source, &mut Nothing, &mut supply()).expect("the solver answers").remove(0).verified
}

const FIGURE_1: &str = "int z = -2, x = -2;
process p { x = x + 1; }
process q { atomic { if (z >= 0) { z = x; } } }
process r { atomic { x = x + 1; z = z + 1; } }";

#[test]
fn figure_1_has_the_constraints_of_the_paper() {
    let texts = |list: &[&str]| (list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), true);
    assert_eq!(constraints(FIGURE_1, ["q", "r"]), texts(&["z <= -2", "z == x", "z >= 0"]));
    assert_eq!(constraints(FIGURE_1, ["p", "r"]), texts(&["true"]));
    assert_eq!(constraints(FIGURE_1, ["p", "q"]), texts(&["z <= -1"]));
}

/// Section 4.2.
#[test]
fn fib_has_the_constraints_of_the_paper() {
    let source = "int nr = 1, r = 0;
        process main { spawn fib(3); }
        proc fib(int v) {
          atomic { if (v <= 1) { spawn res(v); } else { spawn fib(v - 1); spawn fib(v - 2); } }
        }
        proc res(int v) {
          atomic { if (nr > 0) { nr = 0; r = v; } else { spawn res(r + v); r = 0; nr = 1; } }
        }";
    let texts = |list: &[&str]| (list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), true);
    assert_eq!(constraints(source, ["res", "res"]), texts(&["nr >= 1", "v == v1"]));
    assert_eq!(constraints(source, ["fib", "fib"]), texts(&["true"]));
    assert_eq!(constraints(source, ["fib", "res"]), texts(&["true"]));
}

/// What a block declares for itself is gone at its end, so it does not matter what it held; also
/// after a loop that nobody can follow.
#[test]
fn variables_of_blocks_end_with_them() {
    let always = (vec!["true".to_owned()], true);
    let swap = "int x = 1, y = 2; process p[2](i) { atomic { int t = x; x = y; y = t; } }";
    assert_eq!(constraints(swap, ["p", "p"]), always);
    let nested = "int x = 1; process p[2](i) { atomic { if (x > 0) { int t = x; x = t; } } }";
    assert_eq!(constraints(nested, ["p", "p"]), always);
    let (texts, _) = constraints(
        "int x = 1, n = 9, k = 0;
        process p { atomic { int s = 0; while (s < n) { int t = k; s = s + 1 + t * 0; } x = x + 1; } }
        process q { atomic { x = x + 1; } }",
        ["p", "q"],
    );
    assert_eq!(texts, ["true"]);
    // A variable of the process is there as long as the process.
    let kept = "int x = 1; process p { int t = 0; t = x; x = 3 - t; } process q { x = 3 - x; }";
    assert_ne!(constraints(kept, ["p", "q"]), always);
}

/// The index of a process is within its array, and another one's is another.
#[test]
fn processes_of_an_array_have_different_indices() {
    let (texts, necessary) = constraints("int a[3]; process p[3](i) { a[i] = a[i] * 2 + 1; }", ["p", "p"]);
    assert_eq!((texts, necessary), (vec!["true".to_owned()], true));
    let (texts, _) =
        constraints("int a[4]; process p[3](i) { a[i] = i; } process q[2](k) { a[k + 2] = k; }", ["p", "q"]);
    assert_eq!(texts, ["i != k + 2"]);
    let (texts, _) =
        constraints("int a[4]; process p[2](i) { a[i] = i; } process q[2](k) { a[k + 2] = k; }", ["p", "q"]);
    assert_eq!(texts, ["true"]);
}

/// Once it is late nobody is asked, and what is known without a solver is known.
#[test]
fn late_pairs_are_not_asked_about() {
    let source = "int x = 0, y = 0; process p { x = x + 1; } process q { x = x + 1; } process r { y = 1; }";
    let program = compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    let mut nobody = Supply::new(|| panic!("nobody is asked"));
    let found = synthesise(&image, &mut Nothing, &mut nobody, &|| true).expect("nothing is asked for");
    assert_eq!(found.shortfall.unasked, 1);
    let known: Vec<bool> =
        found.pairs.iter().filter(|pair| pair.bodies[0] != pair.bodies[1]).map(|pair| pair.texts.is_some()).collect();
    assert_eq!(known, [false, true, true], "{:?}", found.pairs);
}

#[test]
fn declared_constraints_are_proven_or_refuted() {
    let check = |condition: &str| proof(&format!("{FIGURE_1}\nindependent q, r when {condition};"));
    assert_eq!(check("z >= 0 && x > 3"), Verified::Proven);
    assert_eq!(check("z < -1 || z == x"), Verified::Proven);
    let Verified::Refuted { state, results } = check("z >= -1") else { panic!("it is wrong") };
    assert!(state.contains(&("z".to_owned(), "-1".to_owned())), "{state:?}");
    assert!(results.iter().any(|(name, one, other)| name == "z" && one != other), "{results:?}");
}

/// Whatever differs is told: variables, cells, what processes know, who waits or fails, what is
/// created.
#[test]
fn counterexamples_tell_what_differs() {
    let different = |source: &str| {
        let found = proof(&format!("{source}\nindependent p, q when true;"));
        let Verified::Refuted { mut results, .. } = found else { panic!("{source} is wrong") };
        assert!(results.iter().all(|(_, one, other)| one != other), "{results:?}");
        results.remove(0)
    };
    let [first, second] = ["the first step", "the second step"];
    assert_eq!(different("int x; process p { x = 1; } process q { x = 2; }"), ("x".into(), "2".into(), "1".into()));
    assert_eq!(
        different("int a[2]; process p { a[0] = 1; } process q { a[0] = 2; }"),
        ("a[0]".into(), "2".into(), "1".into())
    );
    assert_eq!(different("int x; process p { x = x + 1; } process q { int t; atomic { t = x; } }").0, "t");
    let waits = different("int x; process p { await x == 0; } process q { x = 1; }");
    assert_eq!((waits.0.as_str(), waits.2.as_str()), (first, "has to wait"));
    let fails = different("int x; process p { assert x == 0; } process q { x = 1; }");
    assert_eq!((fails.0.as_str(), fails.1.as_str()), (first, "goes well"));
    assert_eq!(fails.2, "fails (an assertion): `assert x == 0`");
    let goes = different("int x; process p { x = 1; } process q { if (x == 0) { x = 2; } x = 3; }");
    assert_eq!((goes.0.as_str(), goes.1.as_str()), (second, "is followed by `x = 3`"));
    let creates = "int x; proc w(int v) { x = v; } process p { x = 1; } process q { spawn w(x + 1); }";
    let (name, one, other) = different(creates);
    assert_eq!((name.as_str(), one.as_str()), ("created", "w(2)"));
    assert_ne!(other, one);
}

/// What the steps use and no formula speaks of can be requested, also after another pair.
#[test]
fn truth_values_of_counterexamples_are_known() {
    let source = "bool b = true; int x = 0, y = 1;
        process p { atomic { if (b) { y = y + 1; } } x = x + 5; }
        process q { y = 2 * y; x = 2 * x; }
        independent p, q when true;";
    let program = compile("test.mzk", source, &[]).expect("it compiles");
    let image = Image::new(&program, "test.mzk", source);
    let found = verify(&program, &image, &mut Nothing, &mut supply(), &|| false).expect("the solver answers");
    let wrong = |declared: &&mazurka_process::Declared| matches!(&declared.verified, Verified::Refuted { state, results } if !state.is_empty() && !results.is_empty());
    assert_eq!((found.len(), found.iter().filter(wrong).count()), (4, 2), "{found:?}");
}

/// Where a condition has no value it does not hold, and says nothing.
#[test]
fn conditions_without_a_value_do_not_hold() {
    let verified = |condition: &str| {
        proof(&format!(
            "int x = 0, y = 1, a[2] = 0;
            process p {{ atomic {{ if (y == 0 || y < 0) {{ x = 5; }} else {{ x = 6; }} }} }}
            process q {{ x = 6; }}
            independent p, q when {condition};"
        ))
    };
    assert_eq!(verified("y > 0 && 8 / y >= 0"), Verified::Proven);
    assert_eq!(verified("a[y] == a[y] && y != 0"), Verified::Proven);
    assert_eq!(verified("y >= 0 && 8 / y >= 0"), Verified::Proven);
    assert!(matches!(verified("y == 0 || 8 / y >= 0"), Verified::Refuted { .. }));
    assert!(matches!(verified("a[y] == a[y]"), Verified::Refuted { .. }), "`y` can be 0");
    assert_eq!(verified("y == 0 ? a[y - 1] == 0 : a[y] == 0"), Verified::Proven);
}

/// What was proven once needs no solver, unless something else is declared.
#[test]
fn proofs_are_kept() {
    let mut known = std::collections::HashMap::new();
    let mut proven = |condition: &str, supply: &mut Supply<'_>| {
        let found = proofs(&format!("{FIGURE_1}\nindependent q, r when {condition};"), &mut known, supply);
        found.is_ok_and(|found| found[0].verified == Verified::Proven)
    };
    let mut nobody = Supply::new(|| Solver::start(Settings { program: "nonesuch".to_owned(), ..Settings::default() }));
    assert!(!proven("z >= 0", &mut nobody), "nothing is known");
    assert!(proven("z >= 0", &mut supply()));
    assert!(proven("z >= 0", &mut nobody), "it is known");
    assert!(!proven("z >= -1", &mut nobody) && !proven("x >= 0", &mut nobody) && !proven("z <= 0", &mut nobody));
}

/// A number from the environment, for longer runs.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What is found for random programs is right in every state that they reach: where a constraint
/// holds, both orders lead to the same state, and where it is necessary and does not hold, they do
/// not. And exploration with it finds what brute force finds. `cargo xtask fuzz --synthesis` for as
/// long as you like.
#[test]
fn random_programs_have_right_constraints() {
    let budget = mazurka_audit::Budget { executions: 1_000, steps: 50_000, depth: 1_000 };
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), budget, ..Checks::default() };
    let mut finder = Finder::default();
    let first = number("SYNTHESIS_SEED", 0);
    for seed in first..first + number("SYNTHESIS_PROGRAMS", 60) {
        if let Err(failure) = fuzz_synthesised(seed, &checks, &mut finder) {
            panic!("{failure}");
        }
    }
    assert!(finder.pairs() > 100, "{} pairs", finder.pairs());
}

/// Seed 32009645: what is pending, and turns out to be redundant, must not ask a step to run that
/// has to wait.
#[test]
fn nobody_runs_who_has_to_wait() {
    let source = "int x = 1, y = 0;
        process p0 { y = 2; }
        process p1 { int t0 = x; }
        process p2 { await ((y != 2) || (x == 1)); }
        process p3 { x = 0; }";
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), ..Checks::default() };
    let checked = check_synthesised(source, &checks, &mut Finder::default());
    assert!(matches!(checked, Ok(Some(_))), "{checked:?}");
}

/// Seed 3200195: where integers are immoderate nothing is said, so nothing is wrong. There `x` is
/// already what is written.
#[test]
fn immoderate_integers_contradict_nothing() {
    let source = "int x = 9223372036854775807;
        process p { int t0 = 0; x = t0 + 9223372036854775807; }
        process q { int t0 = x; }";
    let checks = Checks { algorithms: Algorithm::CONSTRAINED.to_vec(), ..Checks::default() };
    let checked = check_synthesised(source, &checks, &mut Finder::default());
    assert!(matches!(checked, Ok(Some(_))), "{checked:?}");
}

/// Random pairs of steps in random states, whether a program reaches them or not.
#[test]
fn random_pairs_have_right_constraints() {
    let (first, pairs) = (number("PAIRS_SEED", 0), number("PAIRS", 60));
    let (mut finder, mut tried) = (Finder::default(), Tried::default());
    let mut seed = first;
    while (tried.pairs as u64) < pairs {
        if let Err(wrong) = try_pair(seed, 40, &mut finder, &mut tried) {
            panic!("{wrong}");
        }
        seed += 1;
    }
    println!("seeds {first} to {seed}: {tried:?}");
    assert!(tried.conditional * 5 > tried.pairs && tried.necessary * 5 > tried.pairs, "{tried:?}");
    assert!(tried.held > 0 && tried.refuted > 0, "{tried:?}");
}
