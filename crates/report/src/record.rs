//! Running a schedule once more, step by step, and writing down what happens.

use std::collections::HashMap;
use std::fmt;

use mazurka_machine::{Describe, Machine, Place};
use mazurka_trace::{Ending, Event, Fault, FaultKind, ProcessId, Scheduled, SiteId, Value};

use crate::effects;
use crate::view::{DataRace, Failure, Step, Switch, Timeline, Turn, Waiter};

/// One step of a schedule that names its process, so that it can be kept in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedStep {
    /// The process's name.
    pub process: String,
    /// The values of its data choices.
    pub choices: Vec<Value>,
}

/// Where and why a schedule does not fit a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The step, counted from 1.
    pub step: usize,
    /// The process that was to take it.
    pub process: String,
    /// Why it cannot.
    pub reason: MisfitReason,
}

/// Why a process cannot take a step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MisfitReason {
    /// There is no process of this name, at least not yet.
    Unknown,
    /// It has ended, or has not been started.
    NotRunning,
    /// It waits.
    NotEnabled {
        /// Where it waits, as `file:line:col`.
        location: String,
        /// The statement there.
        statement: String,
    },
    /// The values it chooses are not those of the schedule.
    OtherChoices {
        /// The values of the schedule.
        expected: Vec<Value>,
        /// The values that were possible.
        found: Vec<Value>,
    },
    /// A failure ended the execution before this step.
    Halted {
        /// The failure.
        message: String,
    },
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misfit { step, process, reason } = self;
        write!(f, "step {step}: ")?;
        match reason {
            MisfitReason::Unknown => write!(f, "there is no process `{process}` at that point"),
            MisfitReason::NotRunning => write!(f, "process `{process}` is not running at that point"),
            MisfitReason::NotEnabled { location, statement } => {
                write!(f, "process `{process}` cannot move: it waits at {location} (`{statement}`)")
            }
            MisfitReason::OtherChoices { expected, found } => {
                write!(f, "process `{process}` was to choose {expected:?}, and could only choose {found:?}")
            }
            MisfitReason::Halted { message } => {
                write!(f, "process `{process}` cannot move: the execution has ended ({message})")
            }
        }
    }
}

/// A fault in the user's words.
pub fn failure_of<D: Describe>(machine: &D, fault: &Fault) -> Failure {
    Failure {
        kind: fault.kind,
        message: machine.fault_text(fault),
        process: machine.process_name(fault.process),
        place: machine.fault_place(fault),
    }
}

/// The source of what a live process is about to do.
fn standing<M: Machine + Describe>(machine: &M, process: ProcessId) -> Place {
    machine.standing(process).unwrap_or_else(|| machine.place(machine.pending(process)))
}

/// The failure that a schedule is to show.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// As the machine has it.
    Fault(&'a Fault),
    /// As it was told before.
    Failure(&'a Failure),
    /// Whatever fails.
    Any,
}

impl Wanted<'_> {
    /// Whether it can be a data race.
    fn is_race(self) -> bool {
        match self {
            Wanted::Fault(fault) => fault.kind == FaultKind::DataRace,
            Wanted::Failure(failure) => failure.kind == FaultKind::DataRace,
            Wanted::Any => true,
        }
    }

    /// Whether this is it: a fault, in the user's words.
    fn is(self, fault: &Fault, failure: &Failure) -> bool {
        match self {
            Wanted::Fault(wanted) => {
                (wanted.kind, wanted.process, wanted.site) == (fault.kind, fault.process, fault.site)
            }
            Wanted::Failure(wanted) => wanted.is_like(failure),
            Wanted::Any => true,
        }
    }
}

/// Runs a schedule from the initial state and writes down what happens, up to the `wanted` fault.
///
/// # Errors
/// Where the schedule does not fit the program.
pub fn record<M: Machine + Describe>(
    machine: &mut M,
    schedule: &[Scheduled],
    wanted: &Fault,
) -> Result<Timeline, Misfit> {
    let mut recorder = Recorder::new(machine, Wanted::Fault(wanted));
    for step in schedule {
        recorder.step(step.process, &step.choices)?;
    }
    Ok(recorder.finish())
}

/// As [`record()`], for a schedule that need not fail.
///
/// # Errors
/// Where the schedule does not fit the program.
pub fn trace<M: Machine + Describe>(machine: &mut M, schedule: &[Scheduled]) -> Result<Timeline, Misfit> {
    let mut recorder = Recorder::new(machine, Wanted::Any);
    for step in schedule {
        recorder.step(step.process, &step.choices)?;
    }
    Ok(recorder.finish())
}

/// As [`record()`], for a schedule whose processes are given by name.
///
/// # Errors
/// Where the schedule does not fit the program.
pub fn replay<M: Machine + Describe>(
    machine: &mut M,
    schedule: &[NamedStep],
    wanted: &Failure,
) -> Result<Timeline, Misfit> {
    let mut recorder = Recorder::new(machine, Wanted::Failure(wanted));
    let mut known: HashMap<&str, ProcessId> = HashMap::new();
    for step in schedule {
        let met = known.get(step.process.as_str()).copied().filter(|&met| recorder.machine.live().contains(met));
        let Some(process) = met.or_else(|| recorder.machine.find_process(&step.process)) else {
            return Err(recorder.misfit(&step.process, MisfitReason::Unknown));
        };
        known.insert(&step.process, process);
        recorder.step(process, &step.choices)?;
    }
    Ok(recorder.finish())
}

/// A run in progress.
struct Recorder<'a, M> {
    machine: &'a mut M,
    wanted: Wanted<'a>,
    timeline: Timeline,
    /// Who takes part: the steps' columns are numbers of processes until the end.
    members: Vec<ProcessId>,
    event: Event,
    /// The places looked up so far.
    places: HashMap<SiteId, Place>,
    /// Whose event was the last.
    previous: Option<ProcessId>,
    /// Steps requested so far.
    asked: usize,
    /// Events so far.
    events: usize,
    halted: bool,
    /// Some process came to an untimely end: how the execution ends says nothing.
    cut_short: bool,
}

impl<'a, M: Machine + Describe> Recorder<'a, M> {
    fn new(machine: &'a mut M, wanted: Wanted<'a>) -> Self {
        machine.restart();
        Self {
            machine,
            wanted,
            timeline: Timeline::default(),
            members: Vec::new(),
            event: Event::default(),
            places: HashMap::new(),
            previous: None,
            asked: 0,
            events: 0,
            halted: false,
            cut_short: false,
        }
    }

    fn misfit(&self, process: &str, reason: MisfitReason) -> Misfit {
        Misfit { step: self.asked + 1, process: process.to_owned(), reason }
    }

    fn step(&mut self, process: ProcessId, choices: &[Value]) -> Result<(), Misfit> {
        self.check(process)?;
        let switch = self.switch_to(process);
        let standing = self.machine.standing(process);
        self.machine.step(process, choices, &mut self.event);
        let taken: Vec<Value> = self.event.choices.iter().map(|choice| choice.value).collect();
        if !taken.starts_with(choices) {
            let reason = MisfitReason::OtherChoices { expected: choices.to_vec(), found: taken };
            return Err(self.misfit(&self.machine.process_name(process), reason));
        }
        self.asked += 1;
        let closing = self.take_circle();
        self.note(Some(process), switch, standing);
        if let Some(fault) = closing {
            self.note_circle(&fault);
        }
        Ok(())
    }

    /// Takes out of the newest event that it closed a circle of waits: that is told at the end.
    fn take_circle(&mut self) -> Option<Fault> {
        let Recorder { event, machine, .. } = self;
        let closes = |fault: &Fault| fault.kind.is_standstill() && !machine.circle(fault.process).is_empty();
        let at = event.faults.iter().position(closes)?;
        Some(event.faults.remove(at))
    }

    /// The newest step closed a circle of waits: if that is what is looked for, tells who is on it.
    fn note_circle(&mut self, fault: &Fault) {
        let circle = self.machine.circle(fault.process);
        let others: Vec<ProcessId> = self.machine.live().iter().filter(|one| !circle.contains(one)).collect();
        let waiting: Vec<Waiter> =
            circle.iter().map(|&one| Waiter { kind: Some(fault.kind), ..self.waiter(one) }).collect();
        let message = crate::view::standstill(&waiting);
        let failure = Failure { message, ..failure_of(self.machine, fault) };
        let is_looked_for = !matches!(self.wanted, Wanted::Any) && self.wanted.is(fault, &failure);
        if !is_looked_for || self.timeline.failure.is_some() {
            return;
        }
        self.timeline.failure = Some(failure);
        self.timeline.waiting = waiting;
        self.timeline.is_early = others.into_iter().any(|other| self.machine.is_enabled(other));
        self.members.extend(circle);
    }

    /// Whether the process can take a step now.
    fn check(&mut self, process: ProcessId) -> Result<(), Misfit> {
        let reason = if self.halted {
            let message = self.timeline.failures().last().map_or_else(String::new, |failure| failure.message);
            MisfitReason::Halted { message }
        } else if !self.machine.live().contains(process) {
            MisfitReason::NotRunning
        } else if !self.machine.is_enabled(process) {
            let place = standing(self.machine, process);
            MisfitReason::NotEnabled { location: crate::view::location(&place), statement: place.text }
        } else {
            return Ok(());
        };
        Err(self.misfit(&self.machine.process_name(process), reason))
    }

    /// How the process of the last event came to stop, if `next` goes on now.
    fn switch_to(&mut self, next: ProcessId) -> Switch {
        match self.previous {
            Some(previous) if previous != next => self.stopped(previous),
            _ => Switch::Stays,
        }
    }

    fn stopped(&mut self, previous: ProcessId) -> Switch {
        if !self.machine.live().contains(previous) {
            Switch::Ended
        } else if self.machine.is_enabled(previous) {
            Switch::Preempted
        } else {
            Switch::Waits
        }
    }

    /// Writes down the step that was just taken.
    fn note(&mut self, process: Option<ProcessId>, switch: Switch, standing: Option<Place>) {
        let machine = &*self.machine;
        let event = &self.event;
        let failures: Vec<Failure> = event.faults.iter().map(|fault| failure_of(machine, fault)).collect();
        let wanted = event.faults.iter().zip(&failures).find(|(fault, failure)| self.wanted.is(fault, failure));
        if let (Some((_, failure)), None) = (wanted, &self.timeline.failure) {
            self.timeline.failure = Some(failure.clone());
        }
        if let (Some((fault, _)), None) = (wanted, &self.timeline.journey) {
            self.timeline.journey = machine.journey(fault);
        }
        let counts = !event.is_local && process.is_some();
        self.events += usize::from(counts);
        let step = Step {
            column: process.map(ProcessId::index),
            process: machine.process_name(event.process),
            number: counts.then_some(self.events),
            place: match failures.first() {
                // Local code that runs up to a failure has no other place.
                Some(failure) if event.is_local => failure.place.clone(),
                _ => standing.unwrap_or_else(|| {
                    self.places.entry(event.site).or_insert_with(|| machine.place(event.site)).clone()
                }),
            },
            // What a join does to the handle says nothing more than that it joins.
            effects: match (event.joined.as_slice(), event.accesses.as_slice()) {
                ([_], [_]) => Vec::new(),
                (_, accesses) => effects::of_event(machine, accesses),
            },
            choices: event.choices.iter().map(|choice| choice.value).collect(),
            // Where the inputs are chosen, everybody else begins, as in any program.
            spawned: match event.is_local {
                true => Vec::new(),
                false => event.spawned.iter().map(|&spawned| machine.process_name(spawned)).collect(),
            },
            joined: event.joined.iter().map(|&joined| machine.process_name(joined)).collect(),
            failures,
            // A choice of data commutes with everything: going there is not a switch.
            switch: if event.is_local { Switch::Stays } else { switch },
            discards: event.ending == Ending::Discards,
        };
        let lane = process.and_then(|process| machine.lane(process));
        if let (Some(process), Some(lane)) = (process, lane) {
            let call = |&spawned: &ProcessId| Some((machine.lane(spawned)?, machine.process_name(spawned)));
            self.timeline.turns.push(Turn {
                lane,
                task: machine.process_name(process),
                line: step.place.line,
                calls: event.spawned.iter().filter_map(call).collect(),
                rest: machine.rest(process),
            });
        }
        self.members.extend(process);
        if !event.is_local {
            self.previous = process;
        }
        self.halted = matches!(event.ending, Ending::Halts | Ending::OutOfFuel);
        self.cut_short |= event.ending.cuts_short();
        self.timeline.steps.push(step);
    }

    /// What happens after the last step of the schedule: the program's conclusion, a deadlock, or a
    /// data race that is about to happen.
    fn finish(mut self) -> Timeline {
        if self.timeline.failure.is_none() && !self.halted && !self.cut_short {
            if self.machine.live().is_empty() {
                if self.machine.conclude(&mut self.event) {
                    let switch = if self.previous.is_some() { Switch::Ended } else { Switch::Stays };
                    self.note(None, switch, None);
                }
            } else {
                self.note_standstill();
                self.note_races();
            }
        }
        self.timeline.output = self.machine.output();
        self.settle_columns();
        self.timeline
    }

    fn note_standstill(&mut self) {
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        if live.iter().any(|&process| self.machine.is_enabled(process)) {
            return;
        }
        for &process in &live {
            let waiter = self.waiter(process);
            self.timeline.waiting.push(waiter);
        }
        if let (Some(failure), Some(&first)) = (Failure::standstill(&self.timeline.waiting), live.first()) {
            let (kind, site) = (failure.kind, self.machine.pending(first));
            let fault = Fault { kind, process: first, site, detail: [0; 2] };
            self.timeline.failure = Some(failure).filter(|failure| self.wanted.is(&fault, failure));
        }
        self.members.extend(live);
    }

    /// The data races between what the processes are about to do, if such a race is looked for.
    fn note_races(&mut self) {
        if !self.wanted.is_race() {
            return;
        }
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        for &one in &live {
            for &other in live.iter().filter(|&&other| other != one) {
                let Some(fault) = self.machine.data_race(one, other) else { continue };
                let failure = failure_of(self.machine, &fault);
                if self.wanted.is(&fault, &failure) && self.timeline.races.is_empty() {
                    let side = |process| (self.machine.process_name(process), standing(self.machine, process));
                    self.timeline.failure = Some(failure.clone());
                    self.timeline.races.push(DataRace { failure, sides: [side(one), side(other)] });
                    self.members.extend([one, other]);
                }
            }
        }
    }

    fn waiter(&mut self, process: ProcessId) -> Waiter {
        self.machine.disabled_step(process, &mut self.event);
        let holder = self.machine.holder(process);
        let spins = self.machine.spins(process);
        let kind = self.machine.standstill();
        let machine = &*self.machine;
        let mut waits_for: Vec<(String, String)> = Vec::new();
        for access in &self.event.accesses {
            let wanted = (machine.location_name(access.location), machine.value_text(access.location, access.before));
            if !waits_for.contains(&wanted) {
                waits_for.push(wanted);
            }
        }
        Waiter {
            process: machine.process_name(process),
            waits_for,
            holder: holder.map(|holder| machine.process_name(holder)),
            lane: machine.lane(process),
            reason: machine.waiting_text(process),
            kind,
            place: standing(machine, process),
            spins,
        }
    }

    /// Turns process numbers into columns, now that it is known who takes part. Inputs stand first,
    /// as they are chosen first.
    fn settle_columns(&mut self) {
        let inputs = self.timeline.steps.first().filter(|step| step.chooses_inputs()).and_then(|step| step.column);
        let order = |member: ProcessId| (Some(member.index()) != inputs, member);
        self.members.sort_unstable_by_key(|&member| order(member));
        self.members.dedup();
        for step in &mut self.timeline.steps {
            step.column = step.column.map(|process| {
                let found = self.members.binary_search_by_key(&order(ProcessId::new(process)), |&member| order(member));
                found.expect("whoever steps takes part")
            });
        }
        self.timeline.processes = self.members.iter().map(|&member| self.machine.process_name(member)).collect();
    }
}
