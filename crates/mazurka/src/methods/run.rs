//! Running a test on the concrete machine.

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Coverage, Ended, Image, Path, Situation, Summary};
use mazurka_machine::{Describe, Run};
use mazurka_trace::{Ending, Event, Value};

/// What a test came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What came of it.
    pub summary: Summary,
    /// What it covered.
    pub coverage: Coverage,
}

/// A path that the concrete machine does not go.
#[derive(Debug)]
pub enum Mismatch {
    /// It goes, and comes to something else.
    Otherwise(Box<Path>, Box<Summary>),
    /// It does not go, for this reason.
    Stops(Box<Path>, String),
}

impl Mismatch {
    /// What is wrong, in words.
    pub fn text(&self, image: &Image) -> String {
        let begin = |path: &Path| path.situation.as_ref().map_or_else(String::new, |situation| situation.text(image));
        match self {
            Mismatch::Otherwise(path, summary) => {
                format!("{}: expected {:?}, and it came to {summary:?}", begin(path), path.summary)
            }
            Mismatch::Stops(path, why) => format!("{}: {why}", begin(path)),
        }
    }
}

/// Runs a schedule from a situation.
///
/// # Errors
/// Where a step is not possible.
pub fn run(image: &Image, situation: &Situation, schedule: &[(String, Vec<Value>)], fuel: u64) -> Result<Ran, String> {
    let mut machine = ActorMachine::new(Arc::new(image.begun_keeping(situation)));
    machine.set_fuel(fuel);
    machine.keep_coverage(image);
    let mut event = Event::default();
    let mut halted = false;
    for (number, (name, choices)) in schedule.iter().enumerate() {
        let at = |what: &str| format!("step {} of {name}: {what}", number + 1);
        let Some(process) = machine.find_process(name).filter(|&process| machine.live().contains(process)) else {
            return Err(at("there is no such task"));
        };
        if halted || !machine.is_enabled(process) {
            return Err(at("it cannot step"));
        }
        machine.step(process, choices, &mut event);
        let taken: Vec<Value> = event.choices.iter().map(|choice| choice.value).collect();
        if taken != *choices {
            return Err(at("it chooses otherwise"));
        }
        if event.ending == Ending::OutOfFuel {
            return Err(at("it runs for too long"));
        }
        halted = event.ending == Ending::Halts;
    }
    let live: Vec<_> = if halted { Vec::new() } else { machine.live().iter().collect() };
    let mut able: Vec<String> = Vec::new();
    for process in live {
        if machine.is_enabled(process) {
            able.push(machine.process_name(process));
        }
    }
    if !able.is_empty() {
        return Err(format!("{} can still step", able.join(", ")));
    }
    let coverage = machine.take_coverage();
    let mut summary = machine.summarise();
    if halted {
        summary.ended = Ended::Halted;
    }
    Ok(Ran { summary, coverage })
}

/// Whether a run came to what a path says. The run may have more objects: those that an input
/// refers to, and that nobody has looked at.
pub(super) fn agree(path: &Summary, ran: &Summary) -> bool {
    let is_there = |object: &(String, Vec<(String, String)>)| ran.objects.contains(object);
    path.ended == ran.ended
        && path.results == ran.results
        && path.waiting == ran.waiting
        && path.objects.iter().all(is_there)
}
