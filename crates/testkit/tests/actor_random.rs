//! Random ABS programs: every algorithm agrees with brute force, and the machine keeps its
//! contract.

use mazurka_testkit::Fuzzed;
use mazurka_testkit::actor::{ActorChecks, MethodFinder, check_actors, fuzz_actors, fuzz_methods};

/// The seeds to try: `ACTOR_SEEDS=FROM..TO`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let given = std::env::var("ACTOR_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..few)
}

#[test]
fn random_actor_programs() {
    let checks = ActorChecks::default();
    let (mut agreed, mut failing, mut executions) = (0, 0, 0);
    for seed in seeds(400) {
        match fuzz_actors(seed, &checks) {
            Ok(Fuzzed::Agreed(counts)) => {
                agreed += 1;
                failing += u64::from(counts.findings > 0);
                executions += counts.executions;
            }
            Ok(Fuzzed::TooLarge) => {}
            Err(failure) => panic!("{failure}"),
        }
    }
    println!("{agreed} programs agree, {failing} of them fail somewhere; {executions} executions");
    assert!(agreed > 0, "some program is small enough");
}

/// The two calls of `m1` in `m0` are never made both, and have the same name. So have the calls
/// that these make, and a schedule that names one of them means the one that is there.
#[test]
fn tasks_of_one_name() {
    let source = "module Names;
        interface O { Int m0(O p); Int m1(O p); Int m2(); }
        class C implements O {
          Int y = 0;
          Fut<Int> f = null;
          Int m0(O p) {
            if (y > 0) { this!m1(p); } else { f = p!m1(p); }
            return 0;
          }
          Int m1(O p) {
            Fut<Int> l = p!m2();
            y = l.get + 1;
            return 0;
          }
          Int m2() { return 0; }
        }
        {
          O o0 = new C();
          O o1 = new C();
          o0!m1(o0);
          o0!m0(o1);
          o0!m1(o1);
        }";
    let verdict = check_actors(source, &ActorChecks::default());
    assert!(verdict.is_ok_and(|counts| counts.is_some_and(|counts| counts.standstills > 0)));
}

/// Who waits for whom depends on which future the field holds: a shortened schedule shows the same
/// circle, not only the same tasks.
#[test]
fn shortened_circles() {
    let source = "module Shortened;
        interface O { Int m0(O p, Fut<Int> g); Int m1(Fut<Int> g); }
        class C implements O {
          Fut<Int> f = null;
          Int m0(O p, Fut<Int> g) { f = p!m1(g); return 0; }
          Int m1(Fut<Int> g) {
            if (f != null) { await f?; }
            if (g != null) { await g?; }
            return 0;
          }
        }
        {
          O o0 = new C();
          O o1 = new C();
          Fut<Int> r0 = o1!m1(null);
          o1!m0(o0, r0);
          o1!m0(o0, r0);
        }";
    let verdict = check_actors(source, &ActorChecks::default());
    assert!(verdict.is_ok_and(|counts| counts.is_some_and(|counts| counts.standstills > 0)));
}

/// Programs whose methods commute, with the constraints that a solver finds or proves. Z3 is needed
/// unless `MAZURKA_NEED_Z3` is 0.
#[test]
fn random_methods_with_constraints() {
    if !MethodFinder::has_solver() {
        assert!(std::env::var_os("MAZURKA_NEED_Z3").is_none_or(|need| need != "1"), "Z3 is missing");
        return;
    }
    let (checks, mut finder) = (ActorChecks::default(), MethodFinder::default());
    let (mut agreed, mut too_large) = (0, 0);
    for seed in seeds(150) {
        match fuzz_methods(seed, &checks, &mut finder) {
            Ok(Fuzzed::Agreed(_)) => agreed += 1,
            Ok(Fuzzed::TooLarge) => too_large += 1,
            Err(failure) => panic!("{failure}"),
        }
    }
    let (held, [proven, wrong, open]) = (finder.held, finder.declared);
    println!("{agreed} programs agree, {too_large} are too large; constraints held in {held} states");
    println!("of the declarations, {proven} are proven, {wrong} wrong, {open} open");
    assert!(agreed > 0 && held > 0 && proven > 0 && wrong > 0, "there is something to compare");
}
