//! All schedules with few preemptions, depth first.
//!
//! A *preemption* is a switch away from a process that could have gone on. Most failures need very
//! few of them, so schedules are searched with 0 preemptions, then 1, then 2 and so on, remembering
//! the states that were seen with as few.
//!
//! # Paper
//! Musuvathi and Qadeer, *Iterative context bounding for systematic testing of multithreaded
//! programs*, PLDI 2007.
//!
//! # Guarantee
//! With a table of states that is large enough: within a bound, every state that a schedule with so
//! few preemptions leads to is seen, unless executions are cut.
//!
//! # Cost
//! A step of the machine and a digest of its state for each step of the search; nothing is
//! allocated in the steady state, but for steps that make data choices.

use mazurka_machine::Machine;
use mazurka_trace::{Ending, Event, ProcessId, Schedule, Scheduled, Value};

use super::seen::Seen;

/// In a row of states without a choice, one in so many is compared with those seen, for loops.
const COMPARED: usize = 16;

/// What a search looks for.
pub(crate) trait Wanted<M> {
    /// Whether a step shows it.
    fn is_step(&mut self, event: &Event) -> bool;

    /// Whether the state shows it that a step led to.
    fn is_state(&mut self, machine: &mut M, event: &Event) -> bool;

    /// Whether the state shows it, in which nobody can move.
    fn is_end(&mut self, machine: &mut M) -> bool;
}

/// What came of a step of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Nothing yet.
    GoesOn,
    /// The current schedule shows what was wanted.
    Found,
    /// There is nothing left within the bound.
    Done,
}

/// What is still to be tried in a state.
#[derive(Debug)]
struct Frame {
    /// Who ran last.
    running: Option<ProcessId>,
    /// Preemptions so far.
    spent: usize,
    /// Where the processes begin that are to be tried.
    todo: usize,
    /// The step tried last, where it has another variant: its process and choices.
    again: Option<(ProcessId, Vec<Value>)>,
}

/// The search with a bound on the preemptions.
#[derive(Debug)]
pub(crate) struct Bounded {
    bound: usize,
    /// How many steps an execution may have.
    depth: usize,
    /// Somebody could not preempt another because of the bound.
    is_bounded: bool,
    /// Some execution was cut.
    is_cut: bool,
    /// The search within the bound has begun.
    has_begun: bool,
    seen: Seen,
    path: Schedule,
    frames: Vec<Frame>,
    /// Who is to be tried in the states of the frames, last one first.
    todo: Vec<ProcessId>,
    executions: u64,
    event: Event,
}

impl Bounded {
    /// Begins without preemptions. Executions are cut after so many steps.
    pub(crate) fn new(depth: usize) -> Self {
        let (path, frames, todo) = Default::default();
        Self {
            bound: 0,
            depth,
            is_bounded: false,
            is_cut: false,
            has_begun: false,
            seen: Seen::new(),
            path,
            frames,
            todo,
            executions: 0,
            event: Event::default(),
        }
    }

    /// The current bound.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// The executions that came to their end, or to a state that was seen before.
    pub(crate) fn executions(&self) -> u64 {
        self.executions
    }

    /// The current execution.
    pub(crate) fn schedule(&self) -> Schedule {
        self.path.clone()
    }

    /// Whether some execution was cut, so that not all was seen.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Begins again with one preemption more. False where the bound keeps nobody from preempting:
    /// then that is of no use.
    pub(crate) fn raise_bound<M: Machine>(&mut self, machine: &mut M) -> bool {
        machine.restart();
        self.bound += 1;
        self.has_begun = false;
        self.seen.clear();
        std::mem::take(&mut self.is_bounded)
    }

    /// Brings a machine to where the search is.
    pub(crate) fn replay<M: Machine>(&mut self, machine: &mut M) {
        machine.restart();
        for step in &self.path {
            machine.step(step.process, &step.choices, &mut self.event);
        }
    }

    /// One step of the search. The machine is where the last one left it.
    pub(crate) fn step<M: Machine>(&mut self, machine: &mut M, wanted: &mut impl Wanted<M>) -> Progress {
        if !self.has_begun {
            self.has_begun = true;
            self.event = Event::default();
            return if self.enter(machine, wanted, None, 0) { Progress::Found } else { Progress::GoesOn };
        }
        loop {
            let Some(frame) = self.frames.last_mut() else { return Progress::Done };
            let (process, choices) = if let Some(again) = frame.again.take() {
                again
            } else if self.todo.len() > frame.todo {
                (self.todo.pop().expect("there is one"), Vec::new())
            } else {
                self.frames.pop();
                self.path.pop();
                continue;
            };
            return if self.take(machine, wanted, process, &choices) { Progress::Found } else { Progress::GoesOn };
        }
    }

    /// Takes a step from the newest frame's state. Tells whether that shows what is wanted.
    fn take<M: Machine>(
        &mut self,
        machine: &mut M,
        wanted: &mut impl Wanted<M>,
        process: ProcessId,
        choices: &[Value],
    ) -> bool {
        let depth = self.frames.len() - 1;
        machine.rewind(depth);
        let running = self.frames[depth].running;
        let at_local = machine.at_local().is_some();
        let preempts = !at_local && running.is_some_and(|last| last != process && can_go_on(machine, last));
        machine.step(process, choices, &mut self.event);
        let frame = &mut self.frames[depth];
        frame.again = next_variant(&self.event).map(|choices| (process, choices));
        let spent = frame.spent + usize::from(preempts);
        let choices = self.event.choices.iter().map(|choice| choice.value).collect();
        self.path.push(Scheduled { process, choices });
        if wanted.is_step(&self.event) {
            return true;
        }
        // Local steps are no switch.
        let running = if at_local { running } else { Some(process) };
        if self.enter(machine, wanted, running, spent) {
            return true;
        }
        if self.frames.len() == depth + 1 {
            self.executions += 1;
            self.path.pop();
        }
        false
    }

    /// Looks at the machine's state; makes a frame for it where there is something to try. Tells
    /// whether it shows what is wanted.
    fn enter<M: Machine>(
        &mut self,
        machine: &mut M,
        wanted: &mut impl Wanted<M>,
        running: Option<ProcessId>,
        spent: usize,
    ) -> bool {
        let todo = self.todo.len();
        self.is_cut |= self.event.ending == Ending::OutOfFuel || self.frames.len() > self.depth;
        if self.event.ending != Ending::Continues || self.frames.len() > self.depth {
            return false;
        }
        if wanted.is_state(machine, &self.event) {
            return true;
        }
        if let Some(at_local) = machine.at_local() {
            self.todo.push(at_local);
            self.frames.push(Frame { running, spent, todo, again: None });
            return false;
        }
        let goes_on = running.filter(|&last| can_go_on(machine, last));
        // Going on is free and tried first; everybody else costs a preemption.
        if goes_on.is_none() || spent < self.bound {
            self.add_enabled(machine, goes_on);
        } else if !self.is_bounded {
            self.add_enabled(machine, goes_on);
            self.is_bounded = self.todo.len() > todo;
            self.todo.truncate(todo);
        }
        self.todo[todo..].reverse();
        self.todo.extend(goes_on);
        if self.todo.len() == todo {
            return wanted.is_end(machine);
        }
        // Where there is no choice, the next state where there is one is soon enough to compare.
        let is_forced = self.todo.len() == todo + 1 && !self.frames.len().is_multiple_of(COMPARED);
        if !is_forced && !self.seen.insert(machine.digest(), running, spent) {
            self.todo.truncate(todo);
            return false;
        }
        self.frames.push(Frame { running, spent, todo, again: None });
        false
    }

    /// Those who can move, but for one of them.
    fn add_enabled<M: Machine>(&mut self, machine: &mut M, except: Option<ProcessId>) {
        let mut from = 0;
        while let Some(process) = machine.live().next_from(from) {
            from = process.index() + 1;
            if Some(process) != except && machine.is_enabled(process) {
                self.todo.push(process);
            }
        }
    }
}

/// Whether a process can be stepped.
pub(crate) fn can_go_on<M: Machine>(machine: &mut M, process: ProcessId) -> bool {
    machine.live().contains(process) && machine.is_enabled(process)
}

/// The choices of the next variant of a step, where there is one.
fn next_variant(event: &Event) -> Option<Vec<Value>> {
    let raised = event.choices.iter().rposition(|choice| choice.value < choice.high)?;
    let mut values: Vec<Value> = event.choices[..=raised].iter().map(|choice| choice.value).collect();
    values[raised] += 1;
    Some(values)
}
