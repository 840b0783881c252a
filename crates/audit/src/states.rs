//! Every state, one after the other.

use mazurka_machine::Machine;
use mazurka_trace::{Ending, Event};

use crate::brute::{Budget, Node, TooLarge, candidates, next_values};

/// Shows every state of every interleaving, ends included, from the machine's initial state on, and
/// leaves it there. A state that several interleavings lead to is shown for each of them. Goes on
/// as long as `look` wants.
///
/// # Errors
/// When there is more than the budget allows.
pub fn for_each_state<M: Machine>(
    machine: &mut M,
    budget: Budget,
    mut look: impl FnMut(&mut M) -> bool,
) -> Result<(), TooLarge> {
    machine.restart();
    let mut event = Event::default();
    let (mut steps, mut executions) = (0, 0);
    let mut goes_on = look(machine);
    let mut nodes = vec![Node { processes: candidates(machine), script: Vec::new() }];
    while let Some(node) = nodes.last_mut().filter(|_| goes_on) {
        let Some(&process) = node.processes.last() else {
            nodes.pop();
            continue;
        };
        machine.rewind(nodes.len() - 1);
        let node = nodes.last_mut().expect("it is the one just seen");
        machine.step(process, &node.script, &mut event);
        if !next_values(&event.choices, &mut node.script) {
            node.processes.pop();
        }
        steps += 1;
        goes_on = look(machine);
        let processes = if event.ending == Ending::Halts { Vec::new() } else { candidates(machine) };
        executions += u64::from(processes.is_empty());
        nodes.push(Node { processes, script: Vec::new() });
        let endless = event.ending == Ending::OutOfFuel;
        if endless || executions > budget.executions || steps > budget.steps || nodes.len() > budget.depth {
            machine.restart();
            return Err(TooLarge);
        }
    }
    machine.restart();
    Ok(())
}
