//! Circles of waits: what a step tells early must be what the end shows.

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Image};
use mazurka_machine::{Describe, Run};
use mazurka_trace::{Event, FaultKind, ProcessId};

use crate::check::{Culprit, Disagreement};
use crate::random::Random;

/// Random executions of a program.
const WALKS: u64 = 6;

/// Steps of each at most.
const STEPS: usize = 400;

/// Runs random executions. Whoever is on a circle that a step tells of must be there at the end;
/// and an end with a circle must have been told, if `all_told`.
pub(super) fn check_circles(image: &Arc<Image>, all_told: bool) -> Result<(), Disagreement> {
    for seed in 0..WALKS {
        let (told, mut machine) = walk(image, &mut Random::new(seed));
        let wrong = |what: String| Err(Disagreement::new(Culprit::Machine, format!("random walk {seed}: {what}")));
        if let Some(gone) = told.iter().find(|&&task| !machine.live().contains(task)) {
            return wrong(format!("{} was on a circle of waits, and has ended", machine.process_name(*gone)));
        }
        let live: Vec<ProcessId> = machine.live().iter().collect();
        if live.is_empty() || live.iter().any(|&process| machine.is_enabled(process)) {
            continue;
        }
        match machine.standstill() {
            Some(FaultKind::Deadlock | FaultKind::AwaitCycle) if told.is_empty() && all_told => {
                return wrong("the end shows a circle of waits, and no step told of it".to_owned());
            }
            Some(FaultKind::Stuck) if !told.is_empty() => {
                return wrong("a step told of a circle of waits, and the end shows none".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Runs one; who was on a circle that a step told of, and the machine at the end.
fn walk(image: &Arc<Image>, random: &mut Random) -> (Vec<ProcessId>, ActorMachine) {
    let mut machine = ActorMachine::new(Arc::clone(image));
    machine.tell_circles();
    let (mut told, mut event) = (Vec::new(), Event::default());
    for _ in 0..STEPS {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let enabled: Vec<ProcessId> = live.into_iter().filter(|&process| machine.is_enabled(process)).collect();
        if enabled.is_empty() {
            break;
        }
        machine.step(*random.pick(&enabled), &[], &mut event);
        for fault in event.faults.iter().filter(|fault| fault.kind.is_standstill()) {
            told.extend(machine.circle(fault.process));
        }
    }
    (told, machine)
}
