//! What the analysis of deadlocks says of programs whose cycles are known.

use std::sync::Arc;

use mazurka_actor::deadlock::{Analysis, CycleKind, Settings};
use mazurka_actor::{Image, Options, Source, compile};

fn image(text: &str) -> Arc<Image> {
    let source = Source { name: "program.abs", text };
    Arc::new(compile(&[source], &Options::default()).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// Cycles with a location, and of awaits alone, before any is discharged; and how many are left.
fn count(text: &str, sensitivity: usize) -> (usize, usize, usize) {
    let analysis = Analysis::of(&image(text), &Settings { sensitivity, parallel: true });
    for cycle in &analysis.cycles {
        println!("cycle {:?}", cycle.discharged);
        for step in analysis.steps(cycle) {
            println!("   {} -> {}", step.text, step.to);
        }
    }
    let of = |kind: CycleKind| analysis.cycles.iter().filter(|cycle| cycle.kind == kind).count();
    let left = analysis.cycles.iter().filter(|cycle| cycle.discharged.is_none()).count();
    (of(CycleKind::Deadlock), of(CycleKind::AwaitCycle), left)
}

macro_rules! suite {
    ($($name:ident, $file:literal, $cycles:expr, $left:expr;)*) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("../../../bench/suites/ifm16/", $file, ".abs"));
            for sensitivity in 0..3 {
                assert_eq!(count(text, sensitivity), ($cycles, 0, $left), "sensitivity {sensitivity}");
            }
        }
    )*};
}

suite! {
    sleeping_barber, "sleeping-barber", 1, 1;
    factorial, "factorial", 3, 3;
    free_factorial, "free-factorial", 1, 1;
    pairing, "pairing", 2, 2;
    free_pairing, "free-pairing", 2, 2;
    unfold_loop, "unfold-loop", 1, 1;
    free_unfold_loop, "free-unfold-loop", 1, 1;
    making_water, "making-water", 2, 2;
    hungry_birds, "hungry-birds", 3, 3;
}
