//! The simplest failing schedule of a machine of messages: fewest packets, then fewest messages
//! that overtake others, then fewest steps.
//!
//! A message *overtakes* another one if both go to the same place, the other one was sent before,
//! could be processed, and is processed later or never. The search goes through the states in the
//! order of these costs, for one set of packets after the other, smaller ones first; so what it
//! finds has the smallest costs, if it does not run out of budget.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use mazurka_machine::{Arrival, Describe, Machine};
use mazurka_trace::{Ending, Event, ProcessId, Schedule, Scheduled, Violation};

/// So many steps are taken in all, those that lead to a state again included.
const BUDGET: usize = 120_000;
/// More packets than this are not combined.
const MOST_PACKETS: usize = 3;
/// A schedule that is not longer is looked at by the general means, too.
pub(crate) const LONG: usize = 300;

/// A simple failing schedule.
pub(crate) struct Simplest {
    pub(crate) schedule: Schedule,
    /// Who overtakes whom, by name.
    pub(crate) overtakings: Vec<(String, String)>,
}

/// Who steps, with the values that are chosen.
type Steps = Vec<(usize, Vec<i64>)>;

/// A prefix of a schedule, as far as the search is concerned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Prefix {
    overtakings: usize,
    steps: Steps,
}

/// The simplest schedule that shows a violation, if there is one among those that the budget allows
/// to look at. Leaves the machine in its initial state.
pub(crate) fn simplest<M: Machine + Describe>(
    machine: &mut M,
    violation: &Violation,
    is_late: &dyn Fn() -> bool,
) -> Option<Simplest> {
    machine.restart();
    let mut packets: Vec<ProcessId> =
        machine.live().iter().filter(|&process| machine.arrival(process) == Some(Arrival::Packet)).collect();
    if packets.is_empty() {
        return None;
    }
    if !shows_on_the_way(machine, violation) {
        return None;
    }
    // A packet that the violation is about takes part.
    let own = packets.iter().position(|&packet| packet == violation.fault.process);
    packets.swap(0, own.unwrap_or(0));
    let mut search = Search { machine, violation, budget: BUDGET, is_late };
    let mut found = None;
    'sizes: for size in 1..=MOST_PACKETS.min(packets.len()) {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            let allowed: HashSet<ProcessId> = chosen.iter().map(|&at| packets[at]).collect();
            found = search.among(&packets, &allowed);
            if found.is_some() || search.budget == 0 {
                break 'sizes;
            }
            if !next_choice(&mut chosen, packets.len()) || (own.is_some() && chosen[0] > 0) {
                break;
            }
        }
    }
    let simplest = found.map(|schedule| search.told(schedule));
    machine.restart();
    simplest
}

/// Whether some step of the schedule shows the violation, and not only what is looked at in the
/// end.
fn shows_on_the_way<M: Machine>(machine: &mut M, violation: &Violation) -> bool {
    machine.restart();
    let (mut event, wanted) = (Event::default(), &violation.fault);
    let found = violation.schedule.iter().any(|step| {
        machine.step(step.process, &step.choices, &mut event);
        event
            .faults
            .iter()
            .any(|fault| (fault.kind, fault.process, fault.site) == (wanted.kind, wanted.process, wanted.site))
    });
    machine.restart();
    found
}

/// The next set of so many of `count` things; whether there is one.
fn next_choice(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    let Some(at) = (0..size).rev().find(|&at| chosen[at] < count - size + at) else { return false };
    chosen[at] += 1;
    for next in at + 1..size {
        chosen[next] = chosen[next - 1] + 1;
    }
    true
}

struct Search<'a, M> {
    machine: &'a mut M,
    violation: &'a Violation,
    budget: usize,
    is_late: &'a dyn Fn() -> bool,
}

/// Where the search stands after a prefix: who is on the way, in the order in which they were sent.
struct Standing {
    sent: Vec<ProcessId>,
}

impl<M: Machine + Describe> Search<'_, M> {
    /// The simplest schedule with these packets alone.
    fn among(&mut self, packets: &[ProcessId], allowed: &HashSet<ProcessId>) -> Option<Schedule> {
        let mut waiting = BinaryHeap::from([Reverse((0, 0, Prefix { overtakings: 0, steps: Vec::new() }))]);
        let mut met = HashSet::new();
        while let Some(Reverse((_, _, prefix))) = waiting.pop() {
            let standing = self.run(&prefix)?;
            if !met.insert(self.machine.digest()) {
                continue;
            }
            let excluded = |process: &ProcessId| packets.contains(process) && !allowed.contains(process);
            let candidates: Vec<ProcessId> = standing.sent.iter().copied().filter(|one| !excluded(one)).collect();
            for &process in &candidates {
                if !self.machine.is_enabled(process) {
                    continue;
                }
                let cost = self.overtaken(&standing, process).len();
                for next in self.continuations(&prefix, process)? {
                    let (steps, is_it) = next;
                    if is_it {
                        return Some(as_schedule(&steps));
                    }
                    let overtakings = prefix.overtakings + cost;
                    let entry = (overtakings, steps.len(), Prefix { overtakings, steps });
                    waiting.push(Reverse(entry));
                }
            }
        }
        None
    }

    /// The prefix with one step of a process more, once for each of its choices, and whether that
    /// shows the violation. Afterwards the machine is where it was. None without budget.
    fn continuations(&mut self, prefix: &Prefix, process: ProcessId) -> Option<Vec<(Steps, bool)>> {
        let mut all = Vec::new();
        let mut given: Vec<i64> = Vec::new();
        let before = self.machine.steps();
        loop {
            self.pay()?;
            let mut event = Event::default();
            self.machine.step(process, &given, &mut event);
            let wanted = &self.violation.fault;
            let is_it = event
                .faults
                .iter()
                .any(|fault| (fault.kind, fault.process, fault.site) == (wanted.kind, wanted.process, wanted.site));
            let goes_on = !matches!(event.ending, Ending::Halts | Ending::OutOfFuel);
            let taken: Vec<i64> = event.choices.iter().map(|choice| choice.value).collect();
            let highs: Vec<i64> = event.choices.iter().map(|choice| choice.high).collect();
            self.machine.rewind(before);
            if goes_on || is_it {
                let mut steps = prefix.steps.clone();
                steps.push((process.index(), taken.clone()));
                all.push((steps, is_it));
            }
            // The next values, like an odometer.
            let Some(at) = (0..taken.len()).rev().find(|&at| taken[at] < highs[at]) else { return Some(all) };
            given = taken[..at].to_vec();
            given.push(taken[at] + 1);
        }
    }

    fn pay(&mut self) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        if self.budget.is_multiple_of(1_024) && (self.is_late)() {
            self.budget = 0;
            return None;
        }
        Some(())
    }

    /// Runs a prefix from the beginning.
    fn run(&mut self, prefix: &Prefix) -> Option<Standing> {
        self.machine.restart();
        let mut standing = Standing { sent: self.machine.live().iter().collect() };
        for (process, choices) in &prefix.steps {
            self.pay()?;
            self.step(&mut standing, ProcessId::new(*process), choices);
        }
        Some(standing)
    }

    fn step(&mut self, standing: &mut Standing, process: ProcessId, choices: &[i64]) {
        let mut event = Event::default();
        self.machine.step(process, choices, &mut event);
        standing.sent.retain(|&other| other != process);
        standing.sent.extend(&event.spawned);
    }

    /// Whom a message overtakes.
    fn overtaken(&mut self, standing: &Standing, process: ProcessId) -> Vec<ProcessId> {
        if self.machine.arrival(process) != Some(Arrival::Message) {
            return Vec::new();
        }
        let place = self.machine.lane(process);
        let older: Vec<ProcessId> = standing.sent.iter().copied().take_while(|&other| other != process).collect();
        older
            .into_iter()
            .filter(|&other| {
                self.machine.arrival(other) == Some(Arrival::Message)
                    && self.machine.lane(other) == place
                    && self.machine.is_enabled(other)
            })
            .collect()
    }

    /// The schedule with who overtakes whom.
    fn told(&mut self, schedule: Schedule) -> Simplest {
        self.machine.restart();
        let mut standing = Standing { sent: self.machine.live().iter().collect() };
        let mut overtakings = Vec::new();
        for step in &schedule {
            for other in self.overtaken(&standing, step.process) {
                overtakings.push((self.machine.process_name(step.process), self.machine.process_name(other)));
            }
            self.step(&mut standing, step.process, &step.choices);
        }
        Simplest { schedule, overtakings }
    }
}

fn as_schedule(steps: &[(usize, Vec<i64>)]) -> Schedule {
    let step = |(process, choices): &(usize, Vec<i64>)| Scheduled {
        process: ProcessId::new(*process),
        choices: choices.clone(),
    };
    steps.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::next_choice;

    #[test]
    fn all_sets_come_in_order() {
        let mut chosen = vec![0, 1];
        let mut all = vec![chosen.clone()];
        while next_choice(&mut chosen, 4) {
            all.push(chosen.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
