//! Random ABS programs: every algorithm agrees with brute force, and the machine keeps its
//! contract.

use mazurka_testkit::Fuzzed;
use mazurka_testkit::actor::{ActorChecks, MethodFinder, fuzz_actors, fuzz_methods};

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
