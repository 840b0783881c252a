//! The graph of values: which addresses each can be, and what has to happen with them.
//!
//! # Paper
//! Hardekopf and Lin, *The ant and the grasshopper*, PLDI 2007: values that are copied in a circle
//! can be the same, and become one node; Pearce, Kelly and Hankin, *Efficient field-sensitive
//! pointer analysis of C*, TOPLAS 2007: only what is new is passed on, and sources go first.
//!
//! # Deviations
//! Circles are looked for whenever as much has been passed on as the graph is large, not when two
//! ends of a copy hold the same.

use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use mazurka_waits::{Successors, components};

use super::targets::{Target, Targets};

/// What happens to what a node can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Use {
    Copy {
        to: u32,
    },
    Shift {
        to: u32,
        by: i64,
        is_short: bool,
    },
    Smear {
        to: u32,
    },
    /// Number of a computation from two nodes.
    Pair(u32),
    Load {
        offset: i64,
        width: u32,
        to: u32,
    },
    Store {
        offset: i64,
        width: u32,
        from: u32,
    },
    /// Number of a call through it.
    Call(u32),
    /// Number of a creation of a thread with the function that it is.
    Create(u32),
    /// Functions that nobody defines know of it.
    World,
}

/// The nodes of the graph, by number. Numbers stay valid when nodes become one.
#[derive(Default)]
pub(super) struct Graph {
    /// The node that stands for it.
    standing: Vec<u32>,
    targets: Vec<Targets>,
    uses: Vec<Vec<Use>>,
    /// How many targets of each node have been passed on.
    done: Vec<u32>,
    /// What is copied comes from nodes of higher rank, as far as that was known.
    rank: Vec<u32>,
    is_waiting: Vec<bool>,
    todo: BinaryHeap<(u32, u32)>,
    copies: FxHashSet<(u32, u32)>,
    /// How many addresses were passed on.
    pub(super) work: u64,
    /// Circles are looked for when so many have been.
    due: u64,
    /// How often nodes have become one: since then, the targets of a node can be in another order.
    pub(super) merges: u32,
}

impl Graph {
    /// New nodes; the number of the first.
    pub(super) fn fresh(&mut self, count: u32) -> u32 {
        let first = self.targets.len() as u32;
        let size = (first + count) as usize;
        self.standing.extend(first..first + count);
        self.targets.resize_with(size, Targets::default);
        self.uses.resize_with(size, Vec::new);
        self.done.resize(size, 0);
        self.rank.resize(size, 0);
        self.is_waiting.resize(size, false);
        first
    }

    /// The node that stands for one. After each look for circles it is one step away.
    fn find(&self, node: u32) -> u32 {
        self.standing[node as usize]
    }

    /// What a node can be.
    pub(super) fn targets(&self, node: u32) -> &Targets {
        &self.targets[self.find(node) as usize]
    }

    pub(super) fn add(&mut self, node: u32, target: Target) {
        let node = self.find(node);
        if self.targets[node as usize].insert(target) {
            self.wait(node);
        }
    }

    fn wait(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_waiting[node as usize], true) {
            self.todo.push((self.rank[node as usize], node));
        }
    }

    /// From now on, what a node is matters in one more way. What has been passed on before.
    pub(super) fn uses(&mut self, node: u32, new: Use) -> Vec<Target> {
        let at = self.find(node) as usize;
        self.uses[at].push(new);
        self.work += u64::from(self.done[at]);
        self.targets[at].since(0)[..self.done[at] as usize].to_vec()
    }

    /// One node can be whatever the other can be; whether that is new.
    pub(super) fn copies(&mut self, from: u32, to: u32) -> bool {
        let (from, to) = (self.find(from), self.find(to));
        from != to && self.copies.insert((from, to))
    }

    /// What is to be done next: something new of a node. As far as nothing is known of circles, the
    /// newest node goes first.
    pub(super) fn next(&mut self) -> Option<(u32, Vec<Target>)> {
        while let Some((_, node)) = self.todo.pop() {
            let at = node as usize;
            self.is_waiting[at] = false;
            if self.find(node) != node || self.targets[at].len() == self.done[at] as usize {
                continue;
            }
            let new = self.targets[at].since(self.done[at] as usize).to_vec();
            self.done[at] = self.targets[at].len() as u32;
            self.work += new.len() as u64 * self.uses[at].len() as u64;
            return Some((node, new));
        }
        None
    }

    /// What happens to what a node can be.
    pub(super) fn uses_of(&self, node: u32) -> Vec<Use> {
        self.uses[node as usize].clone()
    }

    /// Whether it is time to look for circles.
    pub(super) fn is_due(&self) -> bool {
        self.work > self.due
    }

    /// Makes one node of those that are copied in a circle. What then has to be passed on.
    pub(super) fn collapse(&mut self) -> Vec<(Use, Vec<Target>)> {
        let copied = |use_: &Use| match *use_ {
            Use::Copy { to } => Some((0, self.find(to) as usize)),
            _ => None,
        };
        let of = |uses: &Vec<Use>| uses.iter().filter_map(copied).collect();
        let successors: Successors = self.uses.iter().map(of).collect();
        let component = components(&successors);
        let edges: usize = successors.iter().map(Vec::len).sum();
        self.due = self.work + 16 * (edges + successors.len()) as u64;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); successors.len()];
        for (node, &component) in (0..).zip(&component) {
            self.rank[node as usize] = component as u32;
            if self.find(node) == node {
                members[component].push(node);
            }
        }
        self.merges += 1;
        let mut left = Vec::new();
        for circle in members.into_iter().filter(|members| members.len() > 1) {
            self.merge(&circle, &mut left);
        }
        for node in 0..self.standing.len() {
            self.standing[node] = self.find(self.find(node as u32));
        }
        self.todo =
            self.todo.drain().map(|(_, node)| (self.rank[self.standing[node as usize] as usize], node)).collect();
        left
    }

    fn merge(&mut self, circle: &[u32], left: &mut Vec<(Use, Vec<Target>)>) {
        let mut all = Targets::default();
        for &node in circle {
            for target in self.targets[node as usize].iter() {
                all.insert(target);
            }
        }
        circle.iter().for_each(|&node| self.standing[node as usize] = circle[0]);
        let (mut known, mut uses) = (FxHashSet::default(), Vec::new());
        for at in circle.iter().map(|&node| node as usize) {
            let done: FxHashSet<Target> = self.targets[at].iter().take(self.done[at] as usize).collect();
            let missing: Vec<Target> = all.iter().filter(|target| !done.contains(target)).collect();
            for one in std::mem::take(&mut self.uses[at]) {
                let within = matches!(one, Use::Copy { to } if self.find(to) == circle[0]);
                if within || !known.insert(one) {
                    continue;
                }
                uses.push(one);
                self.work += missing.len() as u64;
                if !missing.is_empty() {
                    left.push((one, missing.clone()));
                }
            }
            self.targets[at] = Targets::default();
            self.is_waiting[at] = false;
        }
        let first = circle[0] as usize;
        self.done[first] = all.len() as u32;
        self.targets[first] = all;
        self.uses[first] = uses;
    }
}
