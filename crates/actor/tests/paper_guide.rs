//! The paper's guide against the paper's figures: how many states the search for each cycle looks
//! at, and how many it prunes.

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, Findings, Goal, PaperGuide, Searched, Settings};
use mazurka_actor::{ActorMachine, Image, Options, Source, compile};
use mazurka_explore::{Monitor, Options as Exploration, Reduction, explore_guided};

fn image(text: &str) -> Arc<Image> {
    let source = Source { name: "program.abs", text };
    Arc::new(compile(&[source], &Options::default()).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// What the search for each cycle comes to, and how many cycles are confirmed.
fn search(text: &str, goal: Goal, is_late: bool) -> (Vec<Searched>, usize) {
    let image = image(text);
    let analysis = Analysis::of(&image, &Settings::default());
    let mut findings = Findings::new(&analysis, None);
    let options = Exploration { all: true, ..Exploration::default() };
    let searched = (0..analysis.cycles.len()).map(|cycle| {
        let mut guide = PaperGuide::new(&analysis, cycle, goal, is_late, &mut findings);
        let mut machine = ActorMachine::new(Arc::clone(&image));
        explore_guided(&mut machine, &mut guide, Reduction::None, &options, &Monitor::default());
        guide.searched
    });
    let searched = searched.collect();
    assert!(findings.unforeseen.is_empty(), "{:?}", findings.unforeseen);
    (searched, findings.confirmed.iter().flatten().count())
}

macro_rules! suite {
    ($($name:ident, $file:literal, $goal:expr, $late:literal:
       $([$states:literal states, $pruned:literal pruned, $deadlocks:literal deadlocks, $matches:literal matches])*;)*) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("../../../bench/suites/ifm16/", $file, ".abs"));
            let expected = [$(Searched { states: $states, pruned: $pruned, deadlocks: $deadlocks, matches: $matches }),*];
            assert_eq!(search(text, $goal, $late).0, expected);
        }
    )*};
}

// States without pruned ones, as in the paper's table. Its text counts both for the barber: 19.
suite! {
    sleeping_barber, "sleeping-barber", Goal::All, false: [16 states, 3 pruned, 6 deadlocks, 6 matches];
    sleeping_barber_late, "sleeping-barber", Goal::All, true: [19 states, 3 pruned, 6 deadlocks, 6 matches];
    first_of_sleeping_barber, "sleeping-barber", Goal::Cycle, false: [4 states, 0 pruned, 1 deadlocks, 1 matches];
    factorial, "factorial", Goal::All, false:
        [928 states, 550 pruned, 24 deadlocks, 24 matches]
        [0 states, 1 pruned, 0 deadlocks, 0 matches]
        [10350 states, 5362 pruned, 24 deadlocks, 24 matches];
    first_of_factorial, "factorial", Goal::Cycle, false:
        [5 states, 0 pruned, 1 deadlocks, 1 matches]
        [0 states, 1 pruned, 0 deadlocks, 0 matches]
        [5 states, 0 pruned, 1 deadlocks, 1 matches];
    free_factorial, "free-factorial", Goal::All, false: [10512 states, 3591 pruned, 0 deadlocks, 0 matches];
    free_pairing, "free-pairing", Goal::Cycle, false:
        [4342 states, 2184 pruned, 0 deadlocks, 0 matches]
        [4342 states, 2184 pruned, 0 deadlocks, 0 matches];
    free_unfold_loop, "free-unfold-loop", Goal::Cycle, false: [236 states, 328 pruned, 0 deadlocks, 0 matches];
    first_of_unfold_loop, "unfold-loop", Goal::Cycle, false: [4 states, 0 pruned, 1 deadlocks, 1 matches];
    hungry_birds, "hungry-birds", Goal::All, false:
        [34231 states, 16800 pruned, 1890 deadlocks, 1890 matches]
        [34231 states, 16800 pruned, 1890 deadlocks, 1890 matches]
        [34231 states, 16800 pruned, 1890 deadlocks, 1890 matches];
    first_of_hungry_birds, "hungry-birds", Goal::Cycle, false:
        [15 states, 0 pruned, 1 deadlocks, 1 matches]
        [15 states, 0 pruned, 1 deadlocks, 1 matches]
        [15 states, 0 pruned, 1 deadlocks, 1 matches];
}

/// The paper counts two deadlocks. A `get` of the exchange and one of a node meet the constraints
/// of
/// the first cycle, but they belong to the circle of the second.
#[test]
fn pairing_has_two_matches_and_one_circle() {
    let text = include_str!("../../../bench/suites/ifm16/pairing.abs");
    let (searched, confirmed) = search(text, Goal::Cycle, false);
    let each = Searched { states: 6, pruned: 0, deadlocks: 1, matches: 1 };
    assert_eq!((searched, confirmed), (vec![each; 2], 1));
}

/// Two triples that have nothing to do with each other. In each the server keeps itself for the
/// clerk, whose result needs the store, which keeps itself for the server.
const TWO_TRIPLES: &str = "module Triples;
interface Server { Unit serve(Clerk clerk, Store store); Unit ping(); }
interface Clerk { Unit check(Store store); }
interface Store { Unit sync(Server server); Unit count(); }
class Server implements Server {
  Unit serve(Clerk clerk, Store store) { Fut<Unit> checked = clerk!check(store); checked.get; }
  Unit ping() { }
}
class Clerk implements Clerk {
  Unit check(Store store) { Fut<Unit> counted = store!count(); await counted?; }
}
class Store implements Store {
  Unit sync(Server server) { Fut<Unit> pinged = server!ping(); pinged.get; }
  Unit count() { }
}
{
  Server s = new Server(); Store t = new Store(); Clerk c = new Clerk();
  Server u = new Server(); Store v = new Store(); Clerk d = new Clerk();
  s!serve(c, t); t!sync(s); u!serve(d, v); v!sync(u);
}
";

/// A deadlock of one triple ends the execution, which may have gone on to one of the other, unless
/// only the end counts. The paper's figure for a program of this shape is from such a run: 6300 in
/// all.
#[test]
fn two_triples() {
    let (searched, confirmed) = search(TWO_TRIPLES, Goal::All, true);
    assert_eq!(searched.iter().map(|one| one.matches).collect::<Vec<_>>(), [3150, 3150]);
    assert_eq!(confirmed, 2);
    let (searched, _) = search(TWO_TRIPLES, Goal::All, false);
    let counts: Vec<(u64, u64)> = searched.iter().map(|one| (one.deadlocks, one.matches)).collect();
    assert_eq!(counts, [(2823, 2748); 2]);
}
