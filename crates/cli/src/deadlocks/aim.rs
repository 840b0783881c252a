//! Aiming at cycles: random executions that bring threads to the locks of a cycle.
//!
//! A thread that stands before a lock of the cycle is held back there until nobody else can move.
//! So each of the cycle's threads has what it holds when the others come. Which of them are held
//! back is drawn anew in each execution, since the same place is often passed without the cycle.
//! What is found is a circle of a state that was reached; nothing is refuted here.

use mazurka_machine::{Describe, Machine, Run};
use mazurka_trace::{Choice, Ending, Event, ProcessId};
use mazurka_waits::{Analysis, Circles, Cycle};

use super::threads::standing_of;

/// An execution is given up after so many steps.
const DEPTH: usize = 5_000;

/// How much is tried.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) executions: u64,
    pub(super) steps: u64,
}

/// Random executions towards the cycles of a program.
pub(super) struct Aim<'a> {
    analysis: &'a Analysis,
    random: Random,
    /// For each thread, whether it is held back where it stands, if that is known.
    held: Vec<Option<bool>>,
    /// So many executions were run.
    pub(super) executions: u64,
}

impl<'a> Aim<'a> {
    pub(super) fn new(analysis: &'a Analysis, seed: u64) -> Self {
        Aim { analysis, random: Random(seed), held: Vec::new(), executions: 0 }
    }

    /// Tries to close the cycles that `wanted` gives, one after the other, until there is none or
    /// the effort is spent. The machine keeps the circles that it was seen with.
    pub(super) fn take(
        &mut self,
        machine: &mut Circles<'_>,
        effort: Effort,
        mut wanted: impl FnMut(&mut Circles<'_>) -> Vec<usize>,
        mut is_over: impl FnMut() -> bool,
    ) {
        let mut left = effort.steps;
        let mut cycles = wanted(machine);
        for number in 0..effort.executions {
            if cycles.is_empty() || left == 0 || is_over() {
                break;
            }
            let cycle = &self.analysis.cycles[cycles[number as usize % cycles.len()]];
            machine.restart();
            if self.run(machine, cycle, &mut left) {
                cycles = wanted(machine);
            }
            self.executions += 1;
        }
        machine.restart();
    }

    /// Runs an execution. Whether it shows a circle.
    fn run(&mut self, machine: &mut Circles<'_>, cycle: &Cycle, left: &mut u64) -> bool {
        self.held.clear();
        let mut last = None;
        for _ in 0..DEPTH {
            if *left == 0 {
                break;
            }
            let Some(process) = machine.at_local().or_else(|| self.pick(machine, cycle, last)) else { break };
            let ending = self.step(machine, process);
            *left = left.saturating_sub(1);
            self.forget(process);
            last = Some(process);
            if ending != Ending::Continues {
                break;
            }
        }
        machine.look()
    }

    /// Somebody who can move: rather who is not held back, and rather who moved before.
    fn pick(&mut self, machine: &mut Circles<'_>, cycle: &Cycle, last: Option<ProcessId>) -> Option<ProcessId> {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let enabled: Vec<ProcessId> = live.into_iter().filter(|&process| machine.is_enabled(process)).collect();
        let free: Vec<ProcessId> =
            enabled.iter().copied().filter(|&process| !self.is_held(machine, cycle, process)).collect();
        if let Some(last) = last.filter(|last| free.contains(last))
            && self.random.below(8) > 0
        {
            return Some(last);
        }
        let some = if free.is_empty() { &enabled } else { &free };
        (!some.is_empty()).then(|| some[self.random.below(some.len() as u64) as usize])
    }

    fn is_held(&mut self, machine: &Circles<'_>, cycle: &Cycle, process: ProcessId) -> bool {
        let number = process.index();
        if self.held.len() <= number {
            self.held.resize(number + 1, None);
        }
        *self.held[number].get_or_insert_with(|| {
            let place = standing_of(machine, process, machine.pending(process));
            self.analysis.stands_in(cycle, &machine.process_name(process), &place) && self.random.below(4) > 0
        })
    }

    fn forget(&mut self, process: ProcessId) {
        if let Some(held) = self.held.get_mut(process.index()) {
            *held = None;
        }
    }

    /// A step with random data choices.
    fn step(&mut self, machine: &mut Circles<'_>, process: ProcessId) -> Ending {
        let (mut event, mut choices) = (Event::default(), Vec::new());
        machine.step(process, &choices, &mut event);
        while let Some(&Choice { value, low, high }) = event.choices.get(choices.len()) {
            let others = high.abs_diff(low).saturating_add(1);
            choices.push(low.wrapping_add_unsigned(self.random.below(others)));
            if choices.last() != Some(&value) {
                machine.rewind(machine.steps() - 1);
                machine.step(process, &choices, &mut event);
            }
        }
        event.ending
    }
}

/// Random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most.max(1)
    }
}
