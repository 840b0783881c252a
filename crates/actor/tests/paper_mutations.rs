//! Deliberate breakages of the paper's guide: each one finds less than there is.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, Findings, Goal, PaperGuide, Settings};
use mazurka_actor::mutation::{self, Mutation};
use mazurka_actor::{ActorMachine, Image, Options, Source, compile};
use mazurka_explore::{Monitor, Options as Exploration, Reduction, explore_guided};

fn image(text: &str) -> Arc<Image> {
    let source = Source { name: "program.abs", text };
    Arc::new(compile(&[source], &Options::default()).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// How many deadlocks are found for each cycle.
fn matches(text: &str, goal: Goal, is_late: bool) -> Vec<u64> {
    let image = image(text);
    let analysis = Analysis::of(&image, &Settings::default());
    let mut findings = Findings::new(&analysis, None);
    let options = Exploration { all: true, ..Exploration::default() };
    let searched = (0..analysis.cycles.len()).map(|cycle| {
        let mut guide = PaperGuide::new(&analysis, cycle, goal, is_late, &mut findings);
        let mut machine = ActorMachine::new(Arc::clone(&image));
        explore_guided(&mut machine, &mut guide, Reduction::None, &options, &Monitor::default());
        guide.searched.matches
    });
    searched.collect()
}

/// Two pairs that have nothing to do with each other.
const TWO_PAIRS: &str = "module Pairs;
interface A { Unit ask(A other); Unit answer(); }
class A implements A { Unit ask(A other) { Fut<Unit> f = other!answer(); f.get; } Unit answer() { } }
class B implements A { Unit ask(A other) { Fut<Unit> f = other!answer(); f.get; } Unit answer() { } }
{ A a = new A(); A b = new A(); A c = new B(); A d = new B(); a!ask(b); b!ask(a); c!ask(d); d!ask(c); }
";

/// What closes the circle is called between two stops.
const CALLED_BETWEEN: &str = "module Between;
interface A { Unit begin(A other, A third); Unit ask(A other); Unit answer(); }
class A implements A {
  Unit begin(A other, A third) {
    Fut<Unit> first = third!answer();
    first.get;
    other!ask(this);
    Fut<Unit> second = other!answer();
    second.get;
  }
  Unit ask(A other) { Fut<Unit> f = other!answer(); f.get; }
  Unit answer() { }
}
{ A a = new A(); A b = new A(); A c = new A(); a!begin(b, c); }
";

#[test]
fn every_breakage_finds_less() {
    let ring = include_str!("../../../bench/suites/ifm16/factorial.abs");
    for (mutation, text, goal, is_late) in [
        (Mutation::SharedRoundTheCycle, ring, Goal::All, false),
        (Mutation::AnyDeadlockIsEnough, TWO_PAIRS, Goal::Cycle, false),
        (Mutation::FromTheNextStop, CALLED_BETWEEN, Goal::All, false),
    ] {
        let whole = matches(text, goal, is_late);
        mutation::set(Some(mutation));
        let broken = matches(text, goal, is_late);
        mutation::set(None);
        println!("{mutation:?}: {whole:?}, broken {broken:?}");
        assert!(whole.iter().zip(&broken).any(|(whole, broken)| broken < whole), "nobody notices {mutation:?}");
    }
}
