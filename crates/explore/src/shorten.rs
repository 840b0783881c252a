//! A failing schedule that a person can follow: as few preemptions as possible, and no step that
//! does not matter.
//!
//! A *preemption* is a switch away from a process that could have gone on. Most failures need very
//! few of them, so the schedules are searched with 0 preemptions, then 1, then 2 and so on
//! (Musuvathi and Qadeer, *Iterative context bounding*, PLDI 2007), remembering the states that
//! were seen with as few. The search has a budget of steps; where it ends first, the schedule is
//! what was found before.

use mazurka_machine::Machine;
use mazurka_trace::{Event, ProcessId, Schedule, Scheduled, Violation};

use crate::hunt::bounded::{Bounded, Progress, Wanted, can_go_on};
use crate::hunt::shows::{end_shows, races, shows, shows_at_end};

/// How many steps the search may take in all. Where there are many processes, a step counts for
/// several.
const BUDGET: u64 = 400_000;

/// So many live processes make a step count for one more: each is asked whether it can go on.
const CROWD: u64 = 16;

/// The number of steps between two looks at whether it is late.
const STRIDE: u64 = 16;

/// A schedule that shows the same violation with as few preemptions as could be found within a
/// budget, or until it is late; the given schedule where nothing better was found. Leaves the
/// machine in its initial state.
pub fn shorten<M: Machine>(machine: &mut M, violation: &Violation, is_late: &dyn Fn() -> bool) -> Schedule {
    if is_late() {
        return violation.schedule.clone();
    }
    let most = preemptions(machine, &violation.schedule);
    let found = search(machine, violation, most + 1, is_late);
    let shortest = found.unwrap_or_else(|| violation.schedule.clone());
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

/// A search for one violation.
struct Again<'a>(&'a Violation);

impl<M: Machine> Wanted<M> for Again<'_> {
    fn is_step(&mut self, event: &Event) -> bool {
        shows(&event.faults, self.0)
    }

    fn is_state(&mut self, machine: &mut M, _: &Event) -> bool {
        machine.at_local().is_none() && races(machine, self.0)
    }

    fn is_end(&mut self, machine: &mut M) -> bool {
        end_shows(machine, self.0)
    }
}

/// A schedule that shows the violation with as few preemptions as possible, but fewer than `end`,
/// if there is one within the budget and it is not late.
fn search<M: Machine>(
    machine: &mut M,
    violation: &Violation,
    end: usize,
    is_late: &dyn Fn() -> bool,
) -> Option<Schedule> {
    machine.restart();
    let (mut bounded, mut wanted) = (Bounded::new(usize::MAX), Again(violation));
    let (mut taken, mut spent) = (0u64, 0u64);
    while spent < BUDGET {
        if taken.is_multiple_of(STRIDE) && is_late() {
            return None;
        }
        taken += 1;
        spent += 1 + machine.live().len() as u64 / CROWD;
        match bounded.step(machine, &mut wanted) {
            Progress::GoesOn => {}
            Progress::Found => return Some(bounded.schedule()),
            Progress::Done if bounded.bound() + 1 >= end || !bounded.raise_bound(machine) => return None,
            Progress::Done => {}
        }
    }
    None
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
