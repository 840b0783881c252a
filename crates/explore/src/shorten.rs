//! A failing schedule that a person can follow: as few preemptions as possible, and no step that does not matter.
//!
//! A *preemption* is a switch away from a process that could have gone on. Most failures need very few of them, so the
//! schedules are searched with 0 preemptions, then 1, then 2 and so on (Musuvathi and Qadeer, *Iterative context bounding*, PLDI
//! 2007), remembering the states that were seen with as few. The search has a budget of steps; where it ends first,
//! the schedule is what was found before.

use mazurka_machine::{Digest, Machine};
use mazurka_trace::{Event, Fault, FaultKind, ProcessId, Schedule, Scheduled, SiteId, Value, Violation};
use rustc_hash::FxHashSet;

/// How many steps the search may take in all.
const BUDGET: u64 = 400_000;

/// The number of steps between two looks at whether it is late.
const STRIDE: u64 = 16;

/// A schedule that shows the same violation with as few preemptions as could be found within a budget, or until it is late; the given schedule
/// where nothing better was found. Leaves the machine in its initial state.
pub fn shorten<M: Machine>(machine: &mut M, violation: &Violation, is_late: &dyn Fn() -> bool) -> Schedule {
    let mut shortest = violation.schedule.clone();
    if is_late() {
        return shortest;
    }
    let mut budget = BUDGET;
    let most = preemptions(machine, &shortest);
    for bound in 0..=most {
        let found = Shortener::new(machine, violation, bound, &mut budget).run(is_late);
        if let Some(found) = found {
            shortest = found;
            break;
        }
        if budget == 0 {
            break;
        }
    }
    let shortest = without_needless_steps(machine, violation, shortest, is_late);
    machine.restart();
    shortest
}

/// The number of preemptions in a schedule.
pub fn preemptions<M: Machine>(machine: &mut M, schedule: &Schedule) -> usize {
    machine.restart();
    let (mut count, mut event) = (0, Event::default());
    let mut running: Option<ProcessId> = None;
    for step in schedule {
        count += usize::from(running.is_some_and(|last| last != step.process && can_go_on(machine, last)));
        machine.step(step.process, &step.choices, &mut event);
        running = Some(step.process);
    }
    machine.restart();
    count
}

fn can_go_on<M: Machine>(machine: &mut M, process: ProcessId) -> bool {
    machine.live().contains(process) && machine.is_enabled(process)
}

/// Whether a step showed the violation.
fn shows(faults: &[Fault], violation: &Violation) -> bool {
    let wanted = &violation.fault;
    faults.iter().any(|f| (f.kind, f.site, f.process) == (wanted.kind, wanted.site, wanted.process))
}

/// Whether the machine's state shows the violation, if it is a data race.
fn races<M: Machine>(machine: &mut M, violation: &Violation) -> bool {
    if violation.fault.kind != FaultKind::DataRace {
        return false;
    }
    let (one, live) = (violation.fault.process, machine.live().iter().collect::<Vec<_>>());
    let is_it = |other| machine.data_race(one, other).is_some_and(|fault| fault == violation.fault);
    live.contains(&one) && live.into_iter().filter(|&other| other != one).any(is_it)
}

/// Whether the machine's state, in which nobody can move, shows the violation.
fn end_shows<M: Machine>(machine: &mut M, violation: &Violation) -> bool {
    if violation.fault.kind.is_standstill() {
        let waiting: Vec<(ProcessId, SiteId)> = machine.live().iter().map(|p| (p, machine.pending(p))).collect();
        return waiting.iter().copied().eq(violation.waiting.iter().map(|w| (w.process, w.site)));
    }
    let (steps, mut event) = (machine.steps(), Event::default());
    if !machine.live().is_empty() || !machine.conclude(&mut event) {
        return false;
    }
    let shown = shows(&event.faults, violation);
    machine.rewind(steps);
    shown
}

/// What is still to be tried in a state.
struct Frame {
    /// Who ran last.
    running: Option<ProcessId>,
    /// Preemptions so far.
    spent: usize,
    /// Who is to be tried, last one first.
    todo: Vec<ProcessId>,
    /// The step tried last, where it has another variant: its process and choices.
    again: Option<(ProcessId, Vec<Value>)>,
}

/// The search with a bound on the preemptions.
struct Shortener<'a, M> {
    machine: &'a mut M,
    violation: &'a Violation,
    bound: usize,
    budget: &'a mut u64,
    seen: FxHashSet<(Digest, Option<ProcessId>, usize)>,
    path: Schedule,
    frames: Vec<Frame>,
    event: Event,
}

impl<'a, M: Machine> Shortener<'a, M> {
    fn new(machine: &'a mut M, violation: &'a Violation, bound: usize, budget: &'a mut u64) -> Self {
        machine.restart();
        let (seen, path, frames) = Default::default();
        Self { machine, violation, bound, budget, seen, path, frames, event: Event::default() }
    }

    fn run(mut self, is_late: &dyn Fn() -> bool) -> Option<Schedule> {
        if self.enter(None, 0) {
            return Some(self.path);
        }
        while let Some(frame) = self.frames.last_mut() {
            let (process, choices) = match frame.again.take() {
                Some(again) => again,
                None => match frame.todo.pop() {
                    Some(process) => (process, Vec::new()),
                    None => {
                        self.frames.pop();
                        self.path.pop();
                        continue;
                    }
                },
            };
            if *self.budget == 0 {
                return None;
            }
            *self.budget -= 1;
            if self.budget.is_multiple_of(STRIDE) && is_late() {
                *self.budget = 0;
                return None;
            }
            if self.take(process, &choices) {
                return Some(self.path);
            }
        }
        None
    }

    /// Takes a step from the newest frame's state. Tells whether the violation shows.
    fn take(&mut self, process: ProcessId, choices: &[Value]) -> bool {
        let depth = self.frames.len() - 1;
        self.machine.rewind(depth);
        let running = self.frames[depth].running;
        let preempts = running.is_some_and(|last| last != process && can_go_on(self.machine, last));
        let urgent = self.machine.urgent().is_some();
        self.machine.step(process, choices, &mut self.event);
        let frame = &mut self.frames[depth];
        frame.again = next_variant(&self.event).map(|choices| (process, choices));
        let spent = frame.spent + usize::from(preempts && !urgent);
        let choices = self.event.choices.iter().map(|choice| choice.value).collect();
        self.path.push(Scheduled { process, choices });
        if shows(&self.event.faults, self.violation) {
            return true;
        }
        // Internal steps are no switch.
        let running = if urgent { running } else { Some(process) };
        if self.enter(running, spent) {
            return true;
        }
        if self.frames.len() == depth + 1 {
            self.path.pop();
        }
        false
    }

    /// Looks at the machine's state; makes a frame for it where there is something to try. Tells whether the violation shows.
    fn enter(&mut self, running: Option<ProcessId>, spent: usize) -> bool {
        if self.event.ending != mazurka_trace::Ending::Continues {
            return false;
        }
        if let Some(urgent) = self.machine.urgent() {
            self.frames.push(Frame { running, spent, todo: vec![urgent], again: None });
            return false;
        }
        if races(self.machine, self.violation) {
            return true;
        }
        let live: Vec<ProcessId> = self.machine.live().iter().collect();
        let mut todo: Vec<ProcessId> = live.into_iter().filter(|&p| self.machine.is_enabled(p)).collect();
        if todo.is_empty() {
            return end_shows(self.machine, self.violation);
        }
        if !self.seen.insert((self.machine.digest(), running, spent)) {
            return false;
        }
        todo.reverse();
        if let Some(last) = running.filter(|last| todo.contains(last)) {
            // Going on is free and tried first; everybody else costs a preemption.
            if spent >= self.bound {
                todo.clear();
            }
            todo.retain(|&process| process != last);
            todo.push(last);
        }
        self.frames.push(Frame { running, spent, todo, again: None });
        false
    }
}

/// The choices of the next variant of a step, where there is one.
fn next_variant(event: &Event) -> Option<Vec<Value>> {
    let raised = event.choices.iter().rposition(|choice| choice.value < choice.high)?;
    let mut values: Vec<Value> = event.choices[..=raised].iter().map(|choice| choice.value).collect();
    values[raised] += 1;
    Some(values)
}

/// The longest schedule that is tried to be made shorter; each try runs all of it.
const SHORTENED: usize = 2_000;

/// Leaves out whole processes, and last steps of processes, that the violation does not need.
fn without_needless_steps<M: Machine>(
    machine: &mut M,
    violation: &Violation,
    schedule: Schedule,
    is_late: &dyn Fn() -> bool,
) -> Schedule {
    if schedule.len() > SHORTENED || is_late() {
        return schedule;
    }
    let fewest = preemptions(machine, &schedule);
    let mut shortest = schedule;
    let mut processes: Vec<ProcessId> = shortest.iter().map(|step| step.process).collect();
    processes.sort_unstable();
    processes.dedup();
    for process in processes {
        let steps = shortest.iter().filter(|step| step.process == process).count();
        // From none of its steps to all but the last.
        for keep in 0..steps.min(64) {
            if is_late() {
                return shortest;
            }
            let mut kept = 0;
            let stays = |step: &&Scheduled| {
                kept += usize::from(step.process == process);
                step.process != process || kept <= keep
            };
            let shorter: Schedule = shortest.iter().filter(stays).cloned().collect();
            if shows_at_end(machine, violation, &shorter) && preemptions(machine, &shorter) <= fewest {
                shortest = shorter;
                break;
            }
        }
    }
    shortest
}

/// Whether the schedule can be run and its last step, or the state after it, shows the violation.
fn shows_at_end<M: Machine>(machine: &mut M, violation: &Violation, schedule: &Schedule) -> bool {
    machine.restart();
    let mut event = Event::default();
    for (at, step) in schedule.iter().enumerate() {
        let fits = machine.urgent().is_none_or(|urgent| urgent == step.process) && can_go_on(machine, step.process);
        if !fits {
            return false;
        }
        machine.step(step.process, &step.choices, &mut event);
        if !event.choices.iter().map(|choice| choice.value).eq(step.choices.iter().copied()) {
            return false;
        }
        if shows(&event.faults, violation) {
            return at + 1 == schedule.len();
        }
        if event.ending != mazurka_trace::Ending::Continues {
            return false;
        }
    }
    if races(machine, violation) {
        return true;
    }
    let live: Vec<ProcessId> = machine.live().iter().collect();
    live.into_iter().all(|process| !machine.is_enabled(process)) && end_shows(machine, violation)
}
