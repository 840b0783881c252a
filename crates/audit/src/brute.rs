//! Every interleaving.

use std::fmt;

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{Choice, Ending, Event, ProcessId, Value};

use crate::census::{Census, End, assumes, waiting};
use crate::names::Names;
use crate::path::Path;

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Executions, discarded ones included.
    pub executions: u64,
    /// Steps in all.
    pub steps: u64,
    /// Steps of one execution: a thread that never ends is noticed soon.
    pub depth: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { executions: 1_000_000, steps: 20_000_000, depth: 100_000 }
    }
}

/// There are more executions than was allowed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are more executions than the budget allows")
    }
}

impl std::error::Error for TooLarge {}

/// A node of the tree of executions: the choices that are left there.
pub(crate) struct Node {
    /// Processes still to be tried, the current one last.
    pub(crate) processes: Vec<ProcessId>,
    /// The data choices for the current process's step.
    pub(crate) script: Vec<Value>,
}

/// Runs every interleaving, with every value of every data choice, from the machine's initial
/// state; leaves it there.
///
/// A local step with a data choice commutes with everything and is taken first, so it multiplies
/// values and not interleavings. Costs a step and a rewind for each edge of the tree of all
/// executions.
///
/// # Errors
/// When there is more than the budget allows.
pub fn brute_force<M: Machine + Describe>(machine: &mut M, budget: Budget) -> Result<Census, TooLarge> {
    machine.restart();
    machine.observe();
    let mut census = Census::default();
    let mut names = Names::default();
    let mut path = Path::default();
    let mut event = Event::default();
    let mut steps = 0;
    let mut nodes = Vec::new();
    arrive(machine, &mut path, &mut nodes, &mut census, &mut names);
    while let Some(node) = nodes.last_mut() {
        let Some(&process) = node.processes.last() else {
            nodes.pop();
            continue;
        };
        machine.rewind(nodes.len() - 1);
        path.truncate(nodes.len() - 1);
        let node = nodes.last_mut().expect("it is the one just seen");
        machine.step(process, &node.script, &mut event);
        event.show_unseen();
        path.push(&event);
        if !next_values(&event.choices, &mut node.script) {
            node.processes.pop();
        }
        steps += 1;
        arrive(machine, &mut path, &mut nodes, &mut census, &mut names);
        let executions = census.executions + census.discarded;
        // A step that does not end is beyond every budget.
        let endless = event.ending == Ending::OutOfFuel;
        if endless || executions > budget.executions || steps > budget.steps || nodes.len() > budget.depth {
            machine.restart();
            return Err(TooLarge);
        }
    }
    machine.restart();
    Ok(census)
}

/// In a state reached for the first time: a new node, or the end of an execution.
fn arrive<M: Machine + Describe>(
    machine: &mut M,
    path: &mut Path,
    nodes: &mut Vec<Node>,
    census: &mut Census,
    names: &mut Names,
) {
    let processes = if path.halted() { Vec::new() } else { candidates(machine) };
    if processes.is_empty() {
        let end = conclude(machine, path, names);
        census.add(path, &end, names, machine);
    } else {
        if machine.detects_data_races() {
            census.note_data_races(machine, names);
        }
        nodes.push(Node { processes, script: Vec::new() });
    }
}

/// Who may step: the first process whose step is local, if there is one, else everyone who is
/// enabled.
pub(crate) fn candidates<M: Machine>(machine: &mut M) -> Vec<ProcessId> {
    if let Some(process) = machine.at_local() {
        return vec![process];
    }
    let mut live: Vec<_> = machine.live().iter().collect();
    live.retain(|&process| machine.is_enabled(process));
    live.reverse();
    live
}

fn conclude<M: Machine + Describe>(machine: &mut M, path: &Path, names: &mut Names) -> End {
    let (digest, shape, locals) = (machine.digest(), machine.shape(), machine.local_digest());
    let waiting = waiting(machine, names);
    let mut event = Event::default();
    let regular = waiting.is_empty() && !path.halted() && !path.cut_short();
    let concluded = regular && machine.conclude(&mut event);
    let assumes = !path.halted() && assumes(machine);
    let races = machine.detects_data_races();
    End { digest, shape, locals, waiting, assumes, races, conclusion: concluded.then_some(event) }
}

/// The next values of a step's data choices after those it made, the last one counting fastest;
/// false, and none, when there are no more.
pub(crate) fn next_values(made: &[Choice], script: &mut Vec<Value>) -> bool {
    script.clear();
    let Some(last) = made.iter().rposition(|choice| choice.value < choice.high) else { return false };
    script.extend(made[..last].iter().map(|choice| choice.value));
    script.push(made[last].value + 1);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_like_an_odometer_whose_wheels_come_and_go() {
        let choice = |value, high| Choice { low: 0, value, high };
        let mut script = Vec::new();
        assert!(next_values(&[choice(0, 1), choice(2, 2)], &mut script));
        assert_eq!(script, [1]);
        assert!(next_values(&[choice(1, 1), choice(0, 1)], &mut script));
        assert_eq!(script, [1, 1]);
        assert!(!next_values(&[choice(1, 1), choice(1, 1)], &mut script));
        assert!(script.is_empty());
        assert!(!next_values(&[], &mut script));
    }
}
