//! What the solver found, run on the machine.

use std::sync::Arc;

use mazurka_machine::Run;
use mazurka_process::{Image, ProcessMachine};
use mazurka_trace::{Event, Fault, FaultKind, ProcessId, Scheduled, Value, Violation, Waiting};
use rustc_hash::FxHashMap;

use crate::frame::Instance;

/// A schedule as the solver has it: numbers of instances, and the values chosen.
pub(crate) type Found = Vec<(usize, Vec<Value>)>;

/// How an execution fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Its last step does.
    Step,
    /// Nobody can move.
    Deadlock,
    /// The finally block does.
    Finally,
}

/// Runs a schedule. The violation, as the machine shows it.
///
/// # Errors
/// What is different on the machine.
pub(crate) fn replay(image: &Arc<Image>, instances: &[Instance], found: &Found, end: End) -> Result<Violation, String> {
    let mut machine = ProcessMachine::new(Arc::clone(image));
    let mut ids: FxHashMap<usize, ProcessId> = FxHashMap::default();
    let initial = instances.iter().enumerate().filter(|(_, instance)| instance.parent.is_none());
    ids.extend(initial.enumerate().map(|(id, (number, _))| (number, ProcessId::new(id))));
    let mut spawned: FxHashMap<usize, usize> = FxHashMap::default();
    let mut schedule = Vec::new();
    let mut event = Event::default();
    for (at, (number, choices)) in found.iter().enumerate() {
        let process = *ids.get(number).ok_or_else(|| format!("step {at}: process {number} was never started"))?;
        if !machine.live().contains(process) || !machine.is_enabled(process) {
            return Err(format!("step {at}: process {number} cannot be stepped"));
        }
        machine.step(process, choices, &mut event);
        schedule.push(Scheduled { process, choices: event.choices.iter().map(|choice| choice.value).collect() });
        for &child in &event.spawned {
            let nth = spawned.entry(*number).or_insert(0);
            let is_child = |instance: &Instance| instance.parent == Some((*number, *nth));
            let same = instances.iter().enumerate().filter(|(_, instance)| is_child(instance));
            // Of several bodies that can be spawned there, the one that was is told by what it can do next.
            ids.extend(same.filter(|(_, i)| machine.body(child) == i.body).map(|(number, _)| (number, child)));
            *nth += 1;
        }
        let last = at + 1 == found.len() && end == End::Step;
        match (event.faults.first(), last) {
            (Some(&fault), true) => return Ok(violation(fault, Vec::new(), schedule)),
            (None, true) => return Err(format!("step {at}: nothing fails")),
            (Some(fault), false) => return Err(format!("step {at}: {:?} before the end", fault.kind)),
            (None, false) => {}
        }
    }
    let live: Vec<ProcessId> = machine.live().iter().collect();
    match end {
        End::Step => Err("there is no step".to_owned()),
        End::Deadlock => {
            if live.is_empty() || live.iter().any(|&process| machine.is_enabled(process)) {
                return Err("there is no deadlock".to_owned());
            }
            let waiting: Vec<Waiting> = live.iter().map(|&process| wait(&mut machine, process)).collect();
            let fault =
                Fault { kind: FaultKind::Deadlock, process: waiting[0].process, site: waiting[0].site, detail: [0; 2] };
            Ok(violation(fault, waiting, schedule))
        }
        End::Finally => {
            if !live.is_empty() || !machine.conclude(&mut event) {
                return Err("not all processes have ended".to_owned());
            }
            let fault = event.faults.first().copied().ok_or("the finally block does not fail")?;
            Ok(violation(fault, Vec::new(), schedule))
        }
    }
}

fn violation(fault: Fault, waiting: Vec<Waiting>, schedule: Vec<Scheduled>) -> Violation {
    Violation { fault, waiting, schedule, executions: 1 }
}

fn wait(machine: &mut ProcessMachine, process: ProcessId) -> Waiting {
    let mut attempt = Event::default();
    machine.attempt(process, &mut attempt);
    let locations = attempt.accesses.iter().map(|access| access.location).collect();
    Waiting { process, site: machine.pending(process), locations, holder: machine.holder(process) }
}
