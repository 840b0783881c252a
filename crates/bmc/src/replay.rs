//! What the solver found, run on the machine.

use std::sync::Arc;

use mazurka_machine::{Machine, Run};
use mazurka_process::{Image, ProcessMachine};
use mazurka_smt::Term;
use mazurka_trace::{Ending, Event, Fault, FaultKind, ProcessId, Scheduled, SiteId, Value, Violation, Waiting};
use rustc_hash::FxHashMap;

use crate::frame::Instance;

/// A schedule as the solver has it. Silent steps are not in it.
pub(crate) type Found = Vec<Taken>;

/// A step that the solver takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    /// The number of the process.
    pub(crate) process: usize,
    /// Where it begins.
    pub(crate) site: SiteId,
    /// The values chosen.
    pub(crate) choices: Vec<Value>,
    /// The solver's variables for them.
    pub(crate) variables: Vec<Term>,
}

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

/// Runs a schedule that fails. The violation, as the machine shows it.
///
/// # Errors
/// What is different on the machine.
pub(crate) fn replay(image: &Arc<Image>, instances: &[Instance], found: &Found, end: End) -> Result<Violation, String> {
    if end == End::Step && found.is_empty() {
        return Err("there is no step".to_owned());
    }
    let mut run = Running::new(image, instances, found);
    while !run.left.is_empty() {
        run.step()?;
        if let Some(&fault) = run.event.faults.first() {
            if end == End::Step && run.left.is_empty() {
                return Ok(violation(fault, Vec::new(), run.schedule));
            }
            return Err(run.wrong(&format!("{:?} before the end", fault.kind)));
        }
    }
    if end == End::Step {
        return Err("the last step does not fail".to_owned());
    }
    run.be_silent();
    let Running { mut machine, mut event, schedule, .. } = run;
    let live: Vec<ProcessId> = machine.live().iter().collect();
    if end == End::Deadlock {
        if live.is_empty() || live.iter().any(|&process| machine.is_enabled(process)) {
            return Err("there is no deadlock".to_owned());
        }
        let waiting: Vec<Waiting> = live.iter().map(|&process| wait(&mut machine, process)).collect();
        let (process, site) = (waiting[0].process, waiting[0].site);
        let fault = Fault { kind: FaultKind::Deadlock, process, site, detail: [0; 2] };
        return Ok(violation(fault, waiting, schedule));
    }
    if !live.is_empty() || !machine.conclude(&mut event) {
        return Err("not all processes have ended".to_owned());
    }
    let fault = event.faults.first().copied().ok_or("the finally block does not fail")?;
    Ok(violation(fault, Vec::new(), schedule))
}

/// Runs a schedule to its end, whatever assertions fail on the way: the schedule as the machine has
/// it. Its last step `halts` the execution, or nobody can move after it.
///
/// # Errors
/// What is different on the machine.
pub(crate) fn run(
    image: &Arc<Image>,
    instances: &[Instance],
    found: &Found,
    halts: bool,
) -> Result<Vec<Scheduled>, String> {
    let mut run = Running::new(image, instances, found);
    while !run.left.is_empty() {
        run.step()?;
        let last = run.left.is_empty();
        if run.event.ending != if halts && last { Ending::Halts } else { Ending::Continues } {
            return Err(run.wrong(&format!("the step ends otherwise: {:?}", run.event.ending)));
        }
    }
    if !halts {
        run.be_silent();
        let Running { machine, .. } = &mut run;
        let live: Vec<ProcessId> = machine.live().iter().collect();
        if live.iter().any(|&process| machine.is_enabled(process)) {
            return Err(run.wrong("somebody can move"));
        }
    }
    Ok(run.schedule)
}

/// An execution on the machine, of processes as the solver numbers them.
struct Running<'a> {
    machine: ProcessMachine,
    instances: &'a [Instance],
    ids: FxHashMap<usize, ProcessId>,
    spawned: FxHashMap<usize, usize>,
    schedule: Vec<Scheduled>,
    /// What is still to be taken.
    left: &'a [Taken],
    event: Event,
}

impl<'a> Running<'a> {
    fn new(image: &Arc<Image>, instances: &'a [Instance], left: &'a [Taken]) -> Running<'a> {
        let initial = instances.iter().enumerate().filter(|(_, instance)| instance.parent.is_none());
        let ids = initial.enumerate().map(|(id, (number, _))| (number, ProcessId::new(id))).collect();
        Running {
            machine: ProcessMachine::new(Arc::clone(image)),
            instances,
            ids,
            spawned: FxHashMap::default(),
            schedule: Vec::new(),
            left,
            event: Event::default(),
        }
    }

    /// The next step, whatever comes of it.
    fn step(&mut self) -> Result<(), String> {
        self.be_silent();
        let Some((taken, left)) = self.left.split_first() else { return Err(self.wrong("there is no step left")) };
        self.left = left;
        let process = self.ids.get(&taken.process).copied();
        let process = process.ok_or_else(|| self.wrong(&format!("process {} was never started", taken.process)))?;
        if !self.machine.live().contains(process) || !self.machine.is_enabled(process) {
            return Err(self.wrong(&format!("process {} cannot be stepped", taken.process)));
        }
        self.machine.step(process, &taken.choices, &mut self.event);
        self.note(process);
        let number = taken.process;
        for &child in &self.event.spawned {
            let nth = self.spawned.entry(number).or_insert(0);
            let is_child = |instance: &Instance| instance.parent == Some((number, *nth));
            let same = self.instances.iter().enumerate().filter(|(_, instance)| is_child(instance));
            // Of several bodies that can be spawned there, it is one.
            let same = same.filter(|(_, instance)| self.machine.body(child) == instance.body);
            self.ids.extend(same.map(|(number, _)| (number, child)));
            *nth += 1;
        }
        Ok(())
    }

    /// Takes the silent steps that can be taken: local code without a choice, unless the solver
    /// takes that as a step.
    fn be_silent(&mut self) {
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        for process in live {
            while self.machine.live().contains(process) && self.machine.is_enabled(process) {
                let mut own = self.left.iter().filter(|taken| self.ids.get(&taken.process) == Some(&process));
                if own.next().is_some_and(|next| next.site == self.machine.pending(process)) {
                    break;
                }
                let before = self.machine.steps();
                self.machine.step(process, &[], &mut self.event);
                let Event { is_local, choices, faults, ending, .. } = &self.event;
                if !is_local || !choices.is_empty() || !faults.is_empty() || *ending != Ending::Continues {
                    self.machine.rewind(before);
                    break;
                }
                self.note(process);
            }
        }
    }

    /// A step has been taken.
    fn note(&mut self, process: ProcessId) {
        let choices = self.event.choices.iter().map(|choice| choice.value).collect();
        self.schedule.push(Scheduled { process, choices });
    }

    fn wrong(&self, what: &str) -> String {
        format!("after {} steps: {what}", self.schedule.len())
    }
}

fn violation(fault: Fault, waiting: Vec<Waiting>, schedule: Vec<Scheduled>) -> Violation {
    Violation { fault, waiting, schedule, executions: 1 }
}

fn wait(machine: &mut ProcessMachine, process: ProcessId) -> Waiting {
    let mut disabled_step = Event::default();
    machine.disabled_step(process, &mut disabled_step);
    let locations = disabled_step.accesses.iter().map(|access| access.location).collect();
    Waiting { process, site: machine.pending(process), locations, holder: machine.holder(process) }
}
