//! Explores an ABS program, and counts; for measurements without a command line around it.
//!
//! `explore_actors FILE [ALGORITHM] [object|field|entry] [--all]`

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Dependence, Options, Source, compile};
use mazurka_explore::{Algorithm, Monitor, Options as Exploration, explore};
use mazurka_machine::Describe;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let (mut algorithms, mut options, mut all) = (Vec::new(), Options::default(), false);
    for argument in arguments {
        match argument.as_str() {
            "--all" => all = true,
            "object" => options.dependence = Dependence::Object,
            "field" => options.dependence = Dependence::Field,
            "entry" => options.dependence = Dependence::Entry,
            "every" => algorithms.extend(Algorithm::ALL),
            name => algorithms.push(name.parse().expect("an algorithm")),
        }
    }
    let text = std::fs::read_to_string(&file).expect("a file that can be read");
    let image = match compile(&[Source { name: &file, text: &text }], &options) {
        Ok(image) => Arc::new(image),
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem:?}");
            }
            std::process::exit(2);
        }
    };
    for algorithm in algorithms {
        let mut machine = ActorMachine::new(Arc::clone(&image));
        let outcome = explore(&mut machine, &Exploration { algorithm, all, ..Default::default() }, &Monitor::default());
        let (executions, blocked, events) = (outcome.executions, outcome.blocked, outcome.events);
        println!(
            "{algorithm}: {:?}, {executions} executions, {blocked} blocked, {events} events, {:?}, limits {:?}",
            outcome.verdict(),
            outcome.time,
            outcome.limits
        );
        for violation in &outcome.violations {
            let (text, place) = (machine.fault_text(&violation.fault), machine.fault_place(&violation.fault));
            println!("  {text} at {}:{} in {} executions", place.file, place.line, violation.executions);
        }
    }
}
