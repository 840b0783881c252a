//! Ancestors in growing trees, by skip pointers.
//!
//! A node at depth d knows its parent, and its ancestors at the distances s, s², s³, … as far as
//! these powers of the step s divide d. So the ancestor at a given depth is found in a number of
//! hops that is logarithmic in the distance.

use crate::unfolding::structure::NONE;

/// A forest. Nodes are numbered in the order in which they are added.
#[derive(Debug)]
pub(crate) struct Ancestry {
    step: u32,
    nodes: Vec<Node>,
    /// The skip pointers of all nodes, shortest first.
    skips: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    depth: u32,
    /// Where its skip pointers end; they begin where those of the node before end.
    skips: u32,
}

impl Ancestry {
    /// An empty forest with skip pointers of this step, at least 2.
    pub(crate) fn new(step: u32) -> Self {
        Self { step: step.max(2), nodes: Vec::new(), skips: Vec::new() }
    }

    /// How many ancestors a node has.
    #[inline]
    pub(crate) fn depth(&self, node: u32) -> u32 {
        self.nodes[node as usize].depth
    }

    /// Adds a node below `parent`, or a root.
    pub(crate) fn add(&mut self, parent: u32) {
        let depth = if parent == NONE { 0 } else { self.nodes[parent as usize].depth + 1 };
        let (mut distance, mut at, mut at_depth) = (self.step, parent, depth.wrapping_sub(1));
        while depth > 0 && depth.is_multiple_of(distance) {
            // The pointers of this distance lie on multiples of it, so the one before this one ends
            // on a shorter chain of hops.
            let goal = depth - distance;
            while at_depth > goal {
                (at, at_depth) = self.hop(at, at_depth, goal);
            }
            self.skips.push(at);
            let Some(longer) = distance.checked_mul(self.step) else { break };
            distance = longer;
        }
        self.nodes.push(Node { parent, depth, skips: self.skips.len() as u32 });
    }

    /// The farthest ancestor that is not above `goal`.
    #[inline]
    fn hop(&self, node: u32, depth: u32, goal: u32) -> (u32, u32) {
        let Node { parent, skips, .. } = self.nodes[node as usize];
        let start = if node == 0 { 0 } else { self.nodes[node as usize - 1].skips };
        let mut best = (parent, depth - 1);
        let mut distance = self.step;
        for &skip in &self.skips[start as usize..skips as usize] {
            if depth - goal < distance {
                break;
            }
            best = (skip, depth - distance);
            distance = distance.saturating_mul(self.step);
        }
        best
    }

    /// The ancestor of a node at a depth that is not below it.
    #[inline]
    pub(crate) fn at_depth(&self, mut node: u32, goal: u32) -> u32 {
        let mut depth = self.nodes[node as usize].depth;
        while depth > goal {
            (node, depth) = self.hop(node, depth, goal);
        }
        node
    }

    /// Whether `one` is `other` or an ancestor of it.
    #[inline]
    pub(crate) fn is_ancestor(&self, one: u32, other: u32) -> bool {
        let depth = self.nodes[one as usize].depth;
        depth <= self.nodes[other as usize].depth && self.at_depth(other, depth) == one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Skip pointers of every step agree with walking from parent to parent.
    #[test]
    fn ancestors_are_those_of_the_parents() {
        for step in [2, 3, 4, 7] {
            let (mut forest, mut parents, mut seed) = (Ancestry::new(step), Vec::new(), 11u64);
            for number in 0..600u32 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Deep trees, with some roots.
                let near = number.checked_sub(1 + (seed >> 33) as u32 % 3).filter(|_| seed >> 58 != 0);
                let parent = near.unwrap_or(NONE);
                forest.add(parent);
                parents.push(parent);
            }
            for other in 0..600u32 {
                let mut line = vec![other];
                while parents[line[line.len() - 1] as usize] != NONE {
                    line.push(parents[line[line.len() - 1] as usize]);
                }
                for one in 0..600 {
                    assert_eq!(forest.is_ancestor(one, other), line.contains(&one), "{one} {other}, step {step}");
                }
                for (depth, &ancestor) in line.iter().rev().enumerate() {
                    assert_eq!(forest.at_depth(other, depth as u32), ancestor);
                }
            }
        }
    }
}
