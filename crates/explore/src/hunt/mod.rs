//! Finding before proving: a search for failures that runs beside the proof.
//!
//! A proof looks at every order of dependent steps, in an order that suits the reduction. A failure
//! that few context switches lead to can be very late in it. Two searches that prove nothing find
//! most failures soon, each where the other is weak:
//!
//! - [`bounded`]: all schedules with few preemptions, depth first;
//! - [`priorities`]: random schedules, by priorities.
//!
//! They take turns on a machine of their own, and together get a small share of the steps. The
//! proof goes on from where it was: it neither sees the machine nor the numbers of the hunt, so all
//! that it counts is the same with and without.
//!
//! # Guarantee
//! None for a program without failures: `verified` comes from the proof alone, which nothing here
//! takes part in. So a bound costs nothing but findings, and so does every shortcut here. What is
//! found is a failure by the same definition as in the proof (a fault of a step, a standstill, a
//! fault of the conclusion, two processes that stand before accesses that race), its schedule was
//! run once more from the initial state, and it failed again.
//!
//! # Deviations
//! 1. A failed assumption ends the execution here. In the proof the others go on, and what fails
//!    there counts unless the assumption happens before it. Mostly, the same failure shows in an
//!    execution in which the assumption is not tried before. Where it always is, since it stands in
//!    local code, the failure is left to the proof.
//! 2. Executions are cut after [`DEPTH`] steps.
//!
//! # Cost
//! Nothing before the proof has taken [`WARM_UP`] steps, so that small programs do not notice. Then
//! one step for [`SHARE`] of the proof, and later one for [`LATER_SHARE`]. Everything is counted in
//! steps, not in time: the same program and the same seed find the same failure after the same
//! number of executions, on every computer. Memory is that of a machine, an execution, and a table
//! of at most 2 MB.
//!
//! # Tests
//! `testkit/tests/hunt.rs`: what is found on random programs is what brute force finds, and the
//! proof's counts stay the same.

pub(crate) mod bounded;
mod failure;
mod priorities;
pub(crate) mod random;
mod seen;
pub(crate) mod shows;

use mazurka_machine::Machine;
use mazurka_trace::{Event, Hunted, HuntedBy, Outcome, Schedule, Violation};

use crate::Options;
use crate::pace::Beside;
use bounded::{Bounded, Progress};
use failure::{Failure, Lookout};
use priorities::Priorities;
use shows::shows_at_end;

/// The proof takes so many steps before the hunt begins.
const WARM_UP: u64 = 1 << 15;

/// The hunt takes one step for so many of the proof. Its steps cost about twice as much, since it
/// asks more often who is enabled and what the state is: so this is one part in eight of the time.
const SHARE: u64 = 16;

/// The proof has taken so many steps when the hunt's share becomes smaller: what is easy to find
/// was found by then.
const LATE: u64 = 1 << 19;

/// From then on, the hunt takes one step for so many of the proof.
const LATER_SHARE: u64 = 64;

/// The hunt takes at least so many steps in a row.
const SLICE: u64 = 1 << 11;

/// An execution may have so many steps, if it may have as many at all.
const DEPTH: usize = 20_000;

/// The first turn of each of the two searches has so many steps. Each turn has twice as many as the
/// one before.
const FIRST_TURN: u64 = 1 << 10;

/// No turn has more steps.
const LONGEST_TURN: u64 = 1 << 16;

/// A hunt beside a proof.
pub(crate) struct Hunt<'a, M> {
    make: &'a dyn Fn() -> M,
    prey: Option<(M, Chase)>,
    seed: u64,
    depth: usize,
    /// Steps of the proof.
    proof: u64,
    /// Steps that the hunt may take.
    credit: u64,
    found: Option<(Hunted, Vec<Violation>)>,
}

impl<'a, M: Machine> Hunt<'a, M> {
    /// A hunt that has not begun. `make` makes its machine when it does.
    pub(crate) fn new(make: &'a dyn Fn() -> M, seed: u64, options: &Options) -> Self {
        Self { make, prey: None, seed, depth: options.limits.depth, proof: 0, credit: 0, found: None }
    }

    /// What came of the proof and the hunt together. If the hunt found something, `machine` becomes
    /// the one that the failure's numbers are of.
    pub(crate) fn conclude(self, mut outcome: Outcome, machine: &mut M) -> Outcome {
        let (Some((found, violations)), Some((own, _))) = (self.found, self.prey) else { return outcome };
        *machine = own;
        machine.restart();
        // Both may have found something in the same step.
        outcome.violations = violations;
        // Which of two engines would have come to its end first is not known.
        outcome.uncompared = None;
        Outcome { hunted: Some(found), ..outcome }
    }
}

impl<M: Machine> Beside for Hunt<'_, M> {
    fn go_on(&mut self, steps: u32) -> bool {
        if self.found.is_some() {
            return true;
        }
        self.proof += u64::from(steps);
        self.credit += u64::from(steps) / if self.proof < LATE { SHARE } else { LATER_SHARE };
        if self.proof >= WARM_UP && self.credit >= SLICE {
            let (make, seed, depth) = (self.make, self.seed, self.depth);
            let (machine, chase) = self.prey.get_or_insert_with(|| {
                let mut machine = make();
                // Nothing is left out here, so nothing has to be assumed of the program.
                machine.assume_nothing();
                (machine, Chase::new(seed, depth))
            });
            self.found = chase.go_on(machine, std::mem::take(&mut self.credit));
        }
        self.found.is_some()
    }
}

/// Hunts without a proof, for so many steps. What was found, if something was. The machine is left
/// in its initial state.
pub fn hunt<M: Machine>(machine: &mut M, options: &Options, seed: u64, steps: u64) -> Option<(Hunted, Vec<Violation>)> {
    machine.restart();
    machine.assume_nothing();
    let found = Chase::new(seed, options.limits.depth).go_on(machine, steps);
    machine.restart();
    found
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Bounded,
    Priorities,
}

/// Both searches.
struct Chase {
    turn: Turn,
    /// Steps of the current turn, and how many it may have.
    taken: u64,
    most: u64,
    bounded: Bounded,
    priorities: Priorities,
    lookout: Lookout,
    /// The bounded search has come to its end, so that the other one has all turns.
    is_alone: bool,
    /// There is nothing that the bounded search has not seen.
    is_exhausted: bool,
    steps: u64,
    seed: u64,
}

impl Chase {
    fn new(seed: u64, depth: usize) -> Self {
        let depth = depth.min(DEPTH);
        Self {
            turn: Turn::Bounded,
            taken: 0,
            most: FIRST_TURN,
            bounded: Bounded::new(depth),
            priorities: Priorities::new(seed, depth),
            lookout: Lookout::default(),
            is_alone: false,
            is_exhausted: false,
            steps: 0,
            seed,
        }
    }

    /// Goes on for so many steps. What was found, if something was.
    fn go_on<M: Machine>(&mut self, machine: &mut M, steps: u64) -> Option<(Hunted, Vec<Violation>)> {
        for _ in 0..steps {
            if self.is_exhausted {
                return None;
            }
            let failed = match self.turn {
                Turn::Bounded => self.step_bounded(machine),
                Turn::Priorities => self.priorities.step(machine, &mut self.lookout),
            };
            self.steps += 1;
            self.taken += 1;
            if failed && let Some(found) = self.confirm(machine) {
                return Some(found);
            }
            // A step without an end takes as long as all others together: the clock comes first.
            if self.lookout.has_run_out() {
                return None;
            }
            self.take_turns(machine);
        }
        None
    }

    /// A step of the bounded search. Tells whether it failed.
    fn step_bounded<M: Machine>(&mut self, machine: &mut M) -> bool {
        match self.bounded.step(machine, &mut self.lookout) {
            Progress::GoesOn => false,
            Progress::Found => true,
            Progress::Done => {
                if !self.bounded.raise_bound(machine) {
                    self.is_alone = true;
                    self.is_exhausted = !self.bounded.is_cut();
                    self.turn = Turn::Priorities;
                }
                false
            }
        }
    }

    /// Gives the machine to the other search where it is time to.
    fn take_turns<M: Machine>(&mut self, machine: &mut M) {
        if self.taken < self.most || self.is_alone {
            return;
        }
        match self.turn {
            Turn::Bounded => {
                machine.restart();
                self.turn = Turn::Priorities;
            }
            // A random execution comes to its end first.
            Turn::Priorities if !self.priorities.is_between() => return,
            Turn::Priorities => {
                self.bounded.replay(machine);
                self.turn = Turn::Bounded;
                self.most = LONGEST_TURN.min(2 * self.most);
            }
        }
        self.taken = 0;
    }

    /// Runs the schedule that failed once more. What it shows; if it does not fail again, the hunt
    /// goes on.
    fn confirm<M: Machine>(&mut self, machine: &mut M) -> Option<(Hunted, Vec<Violation>)> {
        let (by, schedule) = match self.turn {
            Turn::Bounded => (HuntedBy::Preemptions(self.bounded.bound()), self.bounded.schedule()),
            Turn::Priorities => (self.priorities.method(), self.priorities.schedule()),
        };
        let failures = self.lookout.take_failures();
        let violations: Vec<Violation> = failures
            .into_iter()
            .map(|Failure { fault, waiting }| Violation { fault, waiting, schedule: schedule.clone(), executions: 1 })
            .filter(|violation| shows_at_end(machine, violation, &schedule))
            .collect();
        debug_assert!(!violations.is_empty(), "a failing schedule fails again");
        if violations.is_empty() {
            self.go_back(machine);
            return None;
        }
        let executions = self.bounded.executions() + self.priorities.executions() + 1;
        let switches = switches(machine, &schedule);
        Some((Hunted { by, executions, events: self.steps, switches, seed: self.seed }, violations))
    }

    /// Brings the machine back to where the search is.
    fn go_back<M: Machine>(&mut self, machine: &mut M) {
        match self.turn {
            Turn::Bounded => self.bounded.replay(machine),
            Turn::Priorities => self.priorities.give_up(machine),
        }
    }
}

/// How often in a schedule another process steps than the one before. Local steps come when they
/// have to.
fn switches<M: Machine>(machine: &mut M, schedule: &Schedule) -> u64 {
    machine.restart();
    let (mut count, mut running, mut event) = (0, None, Event::default());
    for step in schedule {
        machine.step(step.process, &step.choices, &mut event);
        if !event.is_local {
            count += u64::from(running.is_some_and(|running| running != step.process));
            running = Some(step.process);
        }
    }
    count
}
