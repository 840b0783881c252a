//! The simple cycles of a graph.
//!
//! # Paper
//! Johnson, *Finding all the elementary circuits of a directed graph*, SIAM J. Comput. 1975, with
//! Tarjan's components. Edges beside each other make different cycles.
//!
//! # Deviations
//! 1. Components are computed once, not again for each first node. A search from a node without
//!    cycles can therefore look at its whole component.
//! 2. Nothing recurses.
//!
//! # Cost
//! As much for each cycle as the component has edges; after so many cycles as were wanted it stops.

/// A graph: for each node the numbers of its edges, each with the node that it leads to.
pub type Successors = Vec<Vec<(usize, usize)>>;

/// Cycles, each as the numbers of its edges.
pub struct Cycles {
    /// By the numbers of their edges.
    pub all: Vec<Vec<usize>>,
    /// There are more: then it is one for each component.
    pub more: bool,
}

/// The simple cycles of a graph, at most so many.
pub fn cycles(successors: &Successors, most: usize) -> Cycles {
    let components = components(successors);
    let mut all = Vec::new();
    let mut sizes = vec![0; successors.len()];
    components.iter().for_each(|&component| sizes[component] += 1);
    let is_in_cycle =
        |&start: &usize| sizes[components[start]] > 1 || successors[start].iter().any(|&(_, to)| to == start);
    for start in (0..successors.len()).filter(is_in_cycle) {
        if !from(successors, &components, start, most, &mut all) {
            return Cycles { all: one_each(successors, &components), more: true };
        }
    }
    Cycles { all, more: false }
}

/// A node on the path.
struct Frame {
    node: usize,
    next: usize,
    found: bool,
}

/// Adds the cycles whose lowest node is `start`; false where there are too many.
fn from(successors: &Successors, components: &[usize], start: usize, most: usize, all: &mut Vec<Vec<usize>>) -> bool {
    let is_inside = |node: usize| node >= start && components[node] == components[start];
    let mut blocked = vec![false; successors.len()];
    let mut blocks: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    let mut path: Vec<usize> = Vec::new();
    let mut frames = vec![Frame { node: start, next: 0, found: false }];
    blocked[start] = true;
    while let Some(frame) = frames.last_mut() {
        let node = frame.node;
        if let Some(&(edge, to)) = successors[node].get(frame.next) {
            frame.next += 1;
            if !is_inside(to) {
                continue;
            }
            if to == start {
                frame.found = true;
                if all.len() == most {
                    return false;
                }
                all.push(path.iter().copied().chain([edge]).collect());
            } else if !blocked[to] {
                blocked[to] = true;
                path.push(edge);
                frames.push(Frame { node: to, next: 0, found: false });
            }
            continue;
        }
        if frame.found {
            unblock(node, &mut blocked, &mut blocks);
        } else {
            for &(_, to) in successors[node].iter().filter(|&&(_, to)| is_inside(to)) {
                if !blocks[to].contains(&node) {
                    blocks[to].push(node);
                }
            }
        }
        let found = frame.found;
        frames.pop();
        path.pop();
        if let Some(parent) = frames.last_mut() {
            parent.found |= found;
        }
    }
    true
}

fn unblock(node: usize, blocked: &mut [bool], blocks: &mut [Vec<usize>]) {
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        blocked[node] = false;
        let freed = std::mem::take(&mut blocks[node]);
        left.extend(freed.into_iter().filter(|&other| blocked[other]));
    }
}

/// The strongly connected component of each node, by number.
pub fn components(successors: &Successors) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = successors.len();
    let (mut index, mut low, mut component) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut frames = vec![(root, 0)];
        while let Some(&mut (node, ref mut edge)) = frames.last_mut() {
            if *edge == 0 && index[node] == NONE {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(&(_, to)) = successors[node].get(*edge) {
                *edge += 1;
                if index[to] == NONE {
                    frames.push((to, 0));
                } else if component[to] == NONE {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(parent, _)) = frames.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// A shortest cycle through the first node of each component that has one.
fn one_each(successors: &Successors, components: &[usize]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; successors.len()];
    let mut all = Vec::new();
    for start in 0..successors.len() {
        if !std::mem::replace(&mut seen[components[start]], true) {
            all.extend(shortest(successors, components, start));
        }
    }
    all
}

/// A shortest cycle through a node.
fn shortest(successors: &Successors, components: &[usize], start: usize) -> Option<Vec<usize>> {
    let mut came: Vec<Option<(usize, usize)>> = vec![None; successors.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &(edge, to) in &successors[node] {
            if to == start {
                let mut cycle = vec![edge];
                let mut at = node;
                while let Some((edge, before)) = came[at].filter(|_| at != start) {
                    cycle.push(edge);
                    at = before;
                }
                cycle.reverse();
                return Some(cycle);
            }
            if components[to] == components[start] && came[to].is_none() {
                came[to] = Some((edge, node));
                queue.push_back(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Successors {
        let mut successors = vec![Vec::new(); nodes];
        for (number, &(from, to)) in edges.iter().enumerate() {
            successors[from].push((number, to));
        }
        successors
    }

    /// By definition: every sequence of edges that closes, no node twice, from its lowest node.
    fn by_definition(successors: &Successors) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        let mut paths: Vec<(Vec<usize>, Vec<usize>)> = (0..successors.len()).map(|node| (vec![node], vec![])).collect();
        while let Some((nodes, edges)) = paths.pop() {
            for &(edge, to) in &successors[nodes[nodes.len() - 1]] {
                let more = [edges.as_slice(), &[edge]].concat();
                if to == nodes[0] {
                    all.push(more);
                } else if to > nodes[0] && !nodes.contains(&to) {
                    paths.push(([nodes.as_slice(), &[to]].concat(), more));
                }
            }
        }
        all.sort();
        all
    }

    #[test]
    fn all_cycles_are_found_once() {
        let mut number = 12345_u64;
        let mut below = |most: u64| {
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (number >> 33) % most
        };
        for _ in 0..2_000 {
            let nodes = 1 + below(6) as usize;
            let edges: Vec<(usize, usize)> =
                (0..below(14)).map(|_| (below(nodes as u64) as usize, below(nodes as u64) as usize)).collect();
            let successors = graph(nodes, &edges);
            let mut found = cycles(&successors, 10_000).all;
            found.sort();
            assert_eq!(found, by_definition(&successors), "{edges:?}");
        }
    }

    #[test]
    fn beyond_the_limit_there_is_one_for_each_component() {
        let edges: Vec<(usize, usize)> = (0..8).flat_map(|from| (0..8).map(move |to| (from, to))).collect();
        let found = cycles(&graph(9, &edges), 100);
        assert!(found.more);
        assert_eq!(found.all.len(), 1);
    }
}
