//! Constraints between methods that a solver finds, and declarations that it proves or refutes.

use std::time::Duration;

use mazurka_actor::{Image, Options, Source, compile, synthesise, verify};
use mazurka_smt::synthesis::proof::Verified;
use mazurka_smt::{Settings, Solver, Supply};
use mazurka_testkit::actor::MethodFinder;

fn supply() -> Supply<'static> {
    let time_limit = Some(Duration::from_secs(20));
    Supply::new(move || Solver::start(Settings { time_limit, ..Settings::default() }))
}

/// A class with these members; `sink` is another object.
fn image(members: &str) -> Image {
    let source = format!(
        "module M;
        interface Sink {{ Unit take(Int v); Int ask(Int v); }}
        interface C {{ }}
        class C(Sink sink) implements C {{ Int x = 0; Int y = 0; Bool b = False; Map<Int, Int> t = EmptyMap;
        List<Int> l = Nil; {members} }}
        {{ skip; }}"
    );
    compile(&[Source { name: "test.abs", text: &source }], &Options::default()).expect("it compiles")
}

/// The conditions under which the methods `m` and `n` commute (`m` with itself if there is no `n`),
/// sorted; and whether there are no others.
fn found(members: &str) -> (Vec<String>, bool) {
    let image = image(members);
    let found = synthesise(&image, &mut supply(), &|| false, Duration::from_secs(100));
    let found = found.expect("the tests need Z3: `apt install z3`");
    let wanted = if members.contains(" n(") { ["C.m", "C.n"] } else { ["C.m", "C.m"] };
    let is_it = |pair: &&mazurka_actor::Synthesised| pair.sites.map(|site| image.method(site).text) == wanted;
    let pair = found.pairs.iter().find(is_it).expect("there is such a pair");
    let mut texts = pair.texts.clone().unwrap_or_else(|| vec!["unknown".to_owned()]);
    texts.sort();
    (texts, pair.necessary)
}

#[track_caller]
fn commute(members: &str, texts: &[&str], necessary: bool) {
    if MethodFinder::has_solver() {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(found(members), (texts, necessary), "{members}");
    }
}

#[test]
fn integers_and_branches() {
    commute("Unit m(Int v) { x = x + v; }", &["true"], true);
    commute("Unit m(Int v) { x = v; }", &["v == v1"], true);
    commute("Unit m(Int v) { x = x + v; } Unit n(Int v) { x = v; }", &["v == 0"], true);
    commute("Unit m(Int v) { if (b) { x = v; } }", &["!b", "v == v1"], true);
    commute("Unit m(Int v) { x = max(x, v); }", &["true"], true);
    commute("Unit m() { b = !b; } Unit n() { b = True; }", &[], true);
    commute("Unit m(Rat r) { x = truncate(r); y = y + 1; } Unit n() { y = y + 2; }", &["true"], true);
}

#[test]
fn results_count_where_somebody_has_them() {
    commute("Int m() { x = x + 1; return x; }", &["!kept && !kept1"], true);
    commute("Int m(Int v) { x = x + 1; return v; }", &["true"], true);
}

#[test]
fn calls_are_a_multiset() {
    // The same calls, by others.
    commute("Unit m(Int v) { this!k(max(x, v)); x = min(x, v); } Unit k(Int v) { }", &["true"], true);
    // Who comes first calls with 0.
    commute("Unit m(Int v) { this!k(x * 10 + v); x = x + 1; } Unit k(Int v) { }", &["v == v1"], true);
    // A call whose future is kept is its caller's.
    let kept = "Unit m(Int v) { Fut<Int> f = this!k(x); x = x + 1; } Int k(Int v) { return v; }";
    commute(kept, &[], true);
    commute("Unit m(Int v) { sink!take(v); x = x + 1; }", &["sink != null"], false);
}

#[test]
fn maps_are_arrays() {
    commute("Unit m(Int k, Int v) { t = put(t, k, v); }", &["k != k1", "v == v1"], true);
    commute("Unit m(Int k) { t = removeKey(t, k); }", &["true"], true);
    commute("Unit m(Int k) { t = put(t, k, 1); } Unit n(Int j) { t = removeKey(t, j); }", &["k != j"], true);
}

#[test]
fn waiting() {
    commute("Unit m() { x = x + 1; suspend; y = y + 1; }", &["true"], false);
    commute("Unit m() { x = x + 1; await b; y = y + 1; }", &["true"], false);
    commute("Unit m(Int v) { x = x + 1; Int z = await sink!ask(v); y = z; }", &["sink != null"], false);
    // What is kept while it waits counts.
    commute("Unit m() { x = x + 1; Int z = x; suspend; y = z; }", &[], false);
}

#[test]
fn what_is_not_looked_into() {
    commute("Unit m() { x = x + 1; C c = new C(sink); }", &["unknown"], false);
    commute("Unit m() { x = x + 1; throw DivisionByZeroException; }", &["unknown"], false);
    commute("Unit m() { x = random(2); }", &["unknown"], false);
    commute("Unit m() { x = sink.ask(x); }", &["unknown"], false);
    // Only where it happens.
    commute("Unit m() { if (b) { C c = new C(sink); } x = x + 1; }", &["!b"], false);
    commute("Unit m(Int v) { assert x < v; x = x + 1; }", &["x + 2 <= v1 && x + 2 <= v"], false);
}

#[test]
fn declarations() {
    if !MethodFinder::has_solver() {
        return;
    }
    let verified =
        |members: &str| verify(&image(members), &mut supply(), &|| false).expect("it answers").remove(0).verified;
    assert_eq!(verified("[indep(m(w), v == w)] Unit m(Int v) { x = v; }"), Verified::Proven);
    assert_eq!(verified("[indep(m, !b)] Unit m(Int v) { if (b) { x = v; } }"), Verified::Proven);
    let looks = "[indep(m(j), lookupDefault(t, k, 0) > 1 && k == j)]
        Unit m(Int k) { if (lookupDefault(t, k, 0) > 0) { t = put(t, k, lookupDefault(t, k, 0) - 1); } }";
    assert_eq!(verified(looks), Verified::Proven);
    let Verified::Refuted { state, results } = verified("[indep(m(w), v > w)] Unit m(Int v) { x = v; }") else {
        panic!("it is wrong");
    };
    assert!(!state.is_empty(), "{results:?}");
    assert!(matches!(&results[..], [(name, one, other)] if name == "x" && one != other), "{results:?}");
    let Verified::Refuted { results, .. } = verified("[indep(m)] Unit m(Int v) { this!m(x); x = x + v; }") else {
        panic!("it is wrong");
    };
    assert!(results.iter().any(|(name, ..)| name == "called"), "{results:?}");
    let open = verified("[indep(m(j), l == j)] Unit m(List<Int> k) { l = concatenate(l, k); }");
    assert!(matches!(open, Verified::Unknown(_)), "{open:?}");
}
