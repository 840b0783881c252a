//! What happens at most once in an execution.

use rustc_hash::{FxHashMap, FxHashSet};

use mazurka_waits::{Successors, components};

use super::flow::successors;
use super::mutation::{self, Mutation};
use super::objects::Object;
use super::solve::Solution;

/// What happens at most once.
pub(super) struct Counts {
    /// The instances that run at most once.
    once: FxHashSet<u32>,
    /// The instructions of each function that are part of a cycle.
    cyclic: FxHashMap<u32, Vec<bool>>,
}

impl Counts {
    pub(super) fn of(solution: &Solution<'_>) -> Self {
        let mut counts = Counts { once: FxHashSet::default(), cyclic: FxHashMap::default() };
        let mut callers: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        for (&site, callees) in solution.calls.iter().chain(&solution.creates) {
            callees.iter().for_each(|&callee| callers.entry(callee).or_default().push(site));
        }
        let mut callees: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (&callee, sites) in &callers {
            if let &[(caller, _)] = sites.as_slice() {
                callees.entry(caller).or_default().push(callee);
            }
        }
        let mut todo = vec![solution.start];
        while let Some(instance) = todo.pop() {
            if solution.finish == Some(instance) || !counts.once.insert(instance) {
                continue;
            }
            for &callee in callees.get(&instance).into_iter().flatten() {
                if !counts.is_cyclic(solution, instance, callers[&callee][0].1) {
                    todo.push(callee);
                }
            }
        }
        counts
    }

    /// Whether an instruction of an instance can run several times while its function runs once.
    fn is_cyclic(&mut self, solution: &Solution<'_>, instance: u32, pc: u32) -> bool {
        let function = solution.instances[instance as usize].function;
        let entry = solution.image.functions[function as usize].entry;
        let cyclic = self.cyclic.entry(function).or_insert_with(|| cyclic(solution, entry, solution.end(function)));
        cyclic[(pc - entry) as usize]
    }

    /// Whether an object is one concrete object at most.
    pub(super) fn is_one(&mut self, solution: &Solution<'_>, object: Object) -> bool {
        match object {
            Object::Global(_) | Object::Function(_) => true,
            Object::Stack { instance, pc, .. }
            | Object::Heap { instance, pc, .. }
            | Object::Handle { instance, pc } => {
                mutation::on(Mutation::OneBlock)
                    || self.once.contains(&instance) && !self.is_cyclic(solution, instance, pc)
            }
            Object::Number | Object::Own(_) | Object::Oneself => false,
        }
    }
}

/// Which instructions of a function are part of a cycle.
fn cyclic(solution: &Solution<'_>, entry: u32, end: u32) -> Vec<bool> {
    let next = |pc| successors(solution.image, pc).into_iter().filter(|next| (entry..end).contains(next));
    let graph: Successors =
        (entry..end).map(|pc| next(pc).map(|next| (0, (next - entry) as usize)).collect()).collect();
    let components = components(&graph);
    let mut sizes = vec![0; graph.len()];
    components.iter().for_each(|&component| sizes[component] += 1);
    let is_cyclic = |at: usize| sizes[components[at]] > 1 || graph[at].iter().any(|&(_, to)| to == at);
    (0..graph.len()).map(is_cyclic).collect()
}
