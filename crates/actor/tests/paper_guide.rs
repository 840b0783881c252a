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

#[test]
fn probe() {
    let suite = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/suites/ifm16");
    for name in ["sleeping-barber", "factorial", "free-factorial", "pairing", "free-pairing", "free-unfold-loop", "unfold-loop", "hungry-birds"] {
        let text = std::fs::read_to_string(suite.join(format!("{name}.abs"))).unwrap();
        for goal in [Goal::Cycle, Goal::All] {
            for late in [false, true] {
                if (name == "unfold-loop" || name == "pairing" || (name == "hungry-birds" && late)) && goal == Goal::All { continue }
                let start = std::time::Instant::now();
                let (searched, confirmed) = search(&text, goal, late);
                println!("{name} {goal:?} late={late}: confirmed {confirmed} {:?}", start.elapsed());
                for s in searched { println!("   {s:?}"); }
            }
        }
    }
}
