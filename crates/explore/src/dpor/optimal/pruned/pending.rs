//! What is still to be explored, and turns out to be redundant, is requested in the order that is
//! explored instead.
//!
//! What is to be explored from a node when it turns out that it would be cut is requested once more
//! (`PendingRedundant` of the mutations has the program). Where one of the two steps creates
//! processes whose names states do not tell, others can stand in for these in that order. Then
//! everybody is explored from where the first of them would be needed. Not with constraints: what
//! was explored covers only what it is part of, so nobody counts on it.

use mazurka_machine::Machine;
use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{EventId, ProcessId, ProcessSet};

use super::Pruned;
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::search::Search;
use crate::sleep::Sleeper;

impl Pruned {
    /// Something new is not to be run: what is still to be explored from the first event's node,
    /// and would be cut because of it, is requested in the order that is explored instead, which
    /// begins with the current execution.
    pub(super) fn move_pending<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        first: EventId,
        second: EventId,
    ) {
        // With constraints, nobody counts on it: what was explored covers only what it is part of.
        if !search.order.is_total() || mutation::on(Mutation::PendingRedundant) {
            return;
        }
        let moved = self.redundant_paths(first.index(), &search.cursor.names.footprints);
        if moved.is_empty() {
            return;
        }
        let same = search.same_in_both_orders(first, second);
        let is_same = |process: ProcessId| same.as_ref().is_none_or(|same| same.contains(process));
        let mut open = Vec::new();
        for (mut path, finale) in moved {
            let node = strip(&mut path, search, first.index() + 1, is_same);
            if node == search.execution.len() {
                continue;
            }
            if path.iter().all(|step| is_same(step.process)) {
                self.tree.insert_exactly(&mut self.nodes[node].branch, &path, finale);
            } else if !open.contains(&node) {
                open.push(node);
            }
        }
        let another = self.sequence.another();
        let sequence = std::mem::replace(&mut self.sequence, another);
        for node in open {
            self.insert_everybody(search, node);
        }
        self.sequence = sequence;
    }

    /// What is still to be explored from a node and would be cut because of the newest don't-do
    /// sequence, without the last step of that.
    fn redundant_paths(&mut self, number: usize, footprints: &Footprints) -> Vec<(Vec<Sleeper>, Footprint)> {
        let Pruned { nodes, tree, contextual, .. } = self;
        let (mut next, mut moved) = (nodes[number].branch, Vec::new());
        while let Some(branch) = next {
            tree.all_paths(branch, |path, finale| {
                if let Some(last) = contextual.dont.newest_cuts(number, path, footprints) {
                    let mut path = path.to_vec();
                    let at = path.iter().position(|step| (step.process, step.choice) == (last.process, last.choice));
                    path.remove(at.expect("it is one of the steps"));
                    moved.push((path, finale));
                }
                true
            });
            next = tree.sibling(branch);
        }
        moved
    }
}

impl<M: Machine, O: Order<M>> Search<'_, M, O> {
    /// Two events lead to the same state in both orders, but for names: which processes are the
    /// same then? None where all are. Where one of the two creates processes that states do not
    /// tell by name, another one may create them in the other order, and only those are known that
    /// were there before.
    fn same_in_both_orders(&mut self, first: EventId, second: EventId) -> Option<ProcessSet> {
        let [one, other] = [first, second].map(|event| self.execution.record(event).spawns);
        if !one && !other {
            return None;
        }
        let told = |process| self.cursor.machine.is_told_by_name(process);
        if [first, second].into_iter().all(|event| self.execution.children(event).all(told)) {
            return None;
        }
        self.seek(first.index());
        Some(self.cursor.machine.live().clone())
    }
}

/// Takes what the current execution does from a node on away from a sequence, as long as that could
/// begin with it, and these are the same processes. Gives the node where it goes on in another way.
fn strip<M: Machine, O: Order<M>>(
    sequence: &mut Vec<Sleeper>,
    search: &Search<'_, M, O>,
    mut node: usize,
    is_same: impl Fn(ProcessId) -> bool,
) -> usize {
    while node < search.execution.len() {
        let event = search.execution.record(EventId::new(node));
        if !is_same(event.process) {
            return node;
        }
        let own = sequence.iter().position(|step| step.process == event.process);
        match own.map(|at| (at, sequence[at])) {
            Some((at, step)) => {
                let independent =
                    |other: &Sleeper| !search.cursor.names.footprints.dependent(other.footprint, step.footprint);
                let same = (step.choice, step.footprint) == (event.choice, event.footprint);
                if event.is_local && !same {
                    // It is taken as soon as it can be.
                    sequence[..=at].rotate_right(1);
                    return node;
                }
                if !same || !sequence[..at].iter().all(independent) {
                    return node;
                }
                sequence.remove(at);
            }
            None if event.is_local => {}
            None => return node,
        }
        node += 1;
    }
    node
}
