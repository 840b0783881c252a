//! Clocks of many processes, as trees that share what they have in common.
//!
//! A clock is a tree of small nodes: the leaves hold counters, the nodes above hold the numbers of
//! other nodes. Node 0 is a tree of zeros of any height. An event's clock begins as the tree of the
//! event before it; only the nodes on the way to a counter that changes are copied. So where each
//! process is created by the one before, a clock costs the height of the tree and not the number of
//! processes, and a join of two clocks skips all that both have from the same event.
//!
//! The nodes of a clock that are its own are the newest, so forgetting it is cutting them off.

use super::LANE;

/// The children of a node.
const WIDTH: usize = 2 * LANE;
const BITS: u32 = WIDTH.trailing_zeros();

type Node = [u32; WIDTH];

/// The tree of zeros.
const ZEROS: u32 = 0;

/// A clock.
#[derive(Clone, Copy, Debug)]
struct Tree {
    root: u32,
    /// How many nodes there are above a leaf.
    height: u32,
    /// How many nodes there were before it.
    start: u32,
}

/// A stack of clocks.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    nodes: Vec<Node>,
    trees: Vec<Tree>,
}

impl Default for Shared {
    fn default() -> Self {
        Self { nodes: vec![[0; WIDTH]], trees: Vec::new() }
    }
}

impl Shared {
    pub(super) fn len(&self) -> usize {
        self.trees.len()
    }

    /// Begins a clock: what another one knows, or nothing.
    #[cold]
    pub(super) fn push(&mut self, previous: Option<usize>) {
        let Tree { root, height, .. } =
            previous.map_or(Tree { root: ZEROS, height: 0, start: 0 }, |previous| self.trees[previous]);
        let start = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes of clocks");
        self.trees.push(Tree { root, height, start });
    }

    /// Forgets the newest clock.
    pub(super) fn pop(&mut self) {
        if let Some(tree) = self.trees.pop() {
            self.nodes.truncate(tree.start as usize);
        }
    }

    /// What a clock knows of a process.
    #[cold]
    pub(super) fn get(&self, clock: usize, process: usize) -> u32 {
        let Tree { root, height, .. } = self.trees[clock];
        if process >> BITS >> (height * BITS) > 0 {
            return 0;
        }
        (0..=height).rev().fold(root, |node, level| self.nodes[node as usize][place(process, level)])
    }

    /// Sets a counter of the newest clock.
    #[cold]
    pub(super) fn set(&mut self, process: usize, count: u32) {
        let mut height = self.newest().height;
        while process >> BITS >> (height * BITS) > 0 {
            height += 1;
        }
        self.raise(height);
        let mut node = self.own(self.newest().root);
        self.newest_mut().root = node;
        for level in (1..=height).rev() {
            let child = self.own(self.nodes[node as usize][place(process, level)]);
            self.nodes[node as usize][place(process, level)] = child;
            node = child;
        }
        self.nodes[node as usize][place(process, 0)] = count;
    }

    /// Lets the newest clock know all that another one knows.
    #[cold]
    pub(super) fn join(&mut self, other: usize) {
        let other = self.trees[other];
        self.raise(other.height);
        let Tree { root, height, .. } = self.newest();
        let root = self.joined(root, height, other.root, other.height);
        self.newest_mut().root = root;
    }

    /// The counters of a clock that are not zero, smallest process first.
    pub(super) fn known(&self, clock: usize) -> Known<'_> {
        let Tree { root, height, .. } = self.trees[clock];
        Known { nodes: &self.nodes, left: vec![(root, height, 0)], leaf: None }
    }

    fn newest(&self) -> Tree {
        *self.trees.last().expect("a clock was begun")
    }

    fn newest_mut(&mut self) -> &mut Tree {
        self.trees.last_mut().expect("a clock was begun")
    }

    /// Makes the newest clock at least so high.
    fn raise(&mut self, height: u32) {
        while self.newest().height < height {
            let root = self.newest().root;
            let above = if root == ZEROS { ZEROS } else { self.with(ZEROS, 0, root) };
            let tree = self.newest_mut();
            (tree.root, tree.height) = (above, tree.height + 1);
        }
    }

    /// A node with the same children that belongs to the newest clock alone.
    fn own(&mut self, node: u32) -> u32 {
        if node >= self.newest().start {
            return node;
        }
        self.nodes.push(self.nodes[node as usize]);
        self.nodes.len() as u32 - 1
    }

    /// The larger counters of two trees, of which the first belongs to the newest clock and is at
    /// least as high. Recurses over the height.
    fn joined(&mut self, mine: u32, height: u32, other: u32, other_height: u32) -> u32 {
        if other == ZEROS || mine == other {
            return mine;
        }
        if height > other_height {
            let first = self.nodes[mine as usize][0];
            let joined = self.joined(first, height - 1, other, other_height);
            return if joined == first { mine } else { self.with(mine, 0, joined) };
        }
        if mine == ZEROS {
            return other;
        }
        let (one, two) = (self.nodes[mine as usize], self.nodes[other as usize]);
        let mut joined = [0; WIDTH];
        for (child, joined) in joined.iter_mut().enumerate() {
            *joined = match height {
                0 => one[child].max(two[child]),
                _ => self.joined(one[child], height - 1, two[child], height - 1),
            };
        }
        if joined == one {
            return mine;
        }
        // What is the same is shared again.
        if joined == two {
            return other;
        }
        let own = self.own(mine);
        self.nodes[own as usize] = joined;
        own
    }

    /// A node of the newest clock with one other child.
    fn with(&mut self, node: u32, child: usize, value: u32) -> u32 {
        let own = self.own(node);
        self.nodes[own as usize][child] = value;
        own
    }
}

fn place(process: usize, level: u32) -> usize {
    process >> (level * BITS) & (WIDTH - 1)
}

/// The counters of a clock that are not zero.
pub(super) struct Known<'a> {
    nodes: &'a [Node],
    /// The trees that are still to be looked at: root, height and first process of each.
    left: Vec<(u32, u32, usize)>,
    /// The leaf that is being looked at, its first process, and the next of its counters.
    leaf: Option<(u32, usize, usize)>,
}

impl Iterator for Known<'_> {
    type Item = (usize, u32);

    fn next(&mut self) -> Option<(usize, u32)> {
        loop {
            while let Some((node, first, next)) = self.leaf {
                self.leaf = (next + 1 < WIDTH).then_some((node, first, next + 1));
                let count = self.nodes[node as usize][next];
                if count > 0 {
                    return Some((first + next, count));
                }
            }
            let (root, height, first) = self.left.pop()?;
            if height == 0 {
                self.leaf = Some((root, first, 0));
                continue;
            }
            let children = self.nodes[root as usize].iter().enumerate().rev().filter(|&(_, &child)| child != ZEROS);
            self.left.extend(children.map(|(at, &child)| (child, height - 1, first + (at << (height * BITS)))));
        }
    }
}
