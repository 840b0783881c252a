//! Wakeup trees.
//!
//! The wakeup tree of a node holds the sequences that are to be explored from it. Its branches are in order: a step in a later
//! branch is explored when all that begins with the steps before it has been. A leaf stands for everything that begins with
//! the path to it.

use mazurka_trace::ProcessId;

use crate::choices::Label;
use crate::dont::after;
use crate::mutation::{self, Mutation};
use crate::optimal::sequence::{Initial, Sequence, World};
use crate::sleep::Sleeper;

/// A branch of a wakeup tree, by its number in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Branch(u32);

/// What a branch says.
#[derive(Clone, Copy, Debug)]
struct Content {
    step: Sleeper,
    /// The first branch below.
    child: Option<Branch>,
    /// The next branch beside.
    sibling: Option<Branch>,
}

/// A branch that was taken out of its tree to be explored.
pub(crate) struct Taken {
    pub(crate) process: ProcessId,
    pub(crate) label: Label,
    pub(crate) child: Option<Branch>,
    pub(crate) sibling: Option<Branch>,
}

/// The pool in which all wakeup trees live.
#[derive(Debug, Default)]
pub(crate) struct Wakeup {
    pool: Vec<Content>,
    free: Option<Branch>,
}

impl Wakeup {
    /// Takes the first branch of a tree out of it.
    #[inline]
    pub(crate) fn take(&mut self, branch: Branch) -> Taken {
        let content = &mut self.pool[branch.0 as usize];
        let Content { step, child, sibling } = *content;
        content.sibling = self.free;
        self.free = Some(branch);
        Taken { process: step.process, label: step.label, child, sibling }
    }

    /// Gives up a tree that will not be explored.
    #[cold]
    pub(crate) fn discard(&mut self, root: Branch) {
        let mut todo = vec![root];
        while let Some(branch) = todo.pop() {
            let Taken { child, sibling, .. } = self.take(branch);
            todo.extend(child);
            todo.extend(sibling);
        }
    }

    #[inline]
    fn add(&mut self, step: Sleeper) -> Branch {
        let content = Content { step, child: None, sibling: None };
        match self.free {
            Some(branch) => {
                let slot = &mut self.pool[branch.0 as usize];
                self.free = slot.sibling;
                *slot = content;
                branch
            }
            None => {
                self.pool.push(content);
                Branch(self.pool.len() as u32 - 1)
            }
        }
    }

    /// Inserts a sequence into the tree that begins at `root`.
    ///
    /// Follows the first branch that the sequence could begin with, without that step, and so on. Where that ends at a leaf,
    /// the leaf's exploration covers the sequence. Otherwise what remains becomes a new branch, the last one.
    pub(crate) fn insert(
        &mut self,
        root: &mut Option<Branch>,
        sequence: &mut Sequence,
        world: World<'_>,
        dont: Option<Vec<Vec<Sleeper>>>,
    ) {
        let exact = dont.is_none();
        let mut dont = dont.unwrap_or_default();
        let mut parent: Option<Branch> = None;
        let mut next = *root;
        let mut last = None;
        while let Some(branch) = next {
            let Content { step, child, sibling } = self.pool[branch.0 as usize];
            let forbidden = dont.iter().any(
                |dont| matches!(dont[..], [single] if (single.process, single.label) == (step.process, step.label)),
            );
            let initial = sequence.weak_initial(&step, world).filter(|_| !mutation::on(Mutation::NeverShareBranches));
            let initial = match initial {
                // All that begins with it is in vain, and nothing else is explored from it.
                Some(Initial::Member(_)) if forbidden => return,
                Some(Initial::Member(number)) => Initial::Member(number),
                Some(Initial::Stranger) if exact => Initial::Stranger,
                _ => {
                    (last, next) = (Some(branch), sibling);
                    continue;
                }
            };
            if let Initial::Member(number) = initial {
                sequence.remove(number);
            }
            after(&mut dont, &step, world.footprints);
            if child.is_none() || sequence.is_empty() {
                return;
            }
            (parent, last, next) = (Some(branch), None, child);
        }
        let chain = self.chain(sequence);
        match (last, parent) {
            (Some(last), _) => self.pool[last.0 as usize].sibling = chain,
            (None, Some(parent)) => self.pool[parent.0 as usize].child = chain,
            (None, None) => *root = chain,
        }
    }

    /// What remains of a sequence, as a path.
    fn chain(&mut self, sequence: &Sequence) -> Option<Branch> {
        let mut below = None;
        for step in sequence.remaining().rev() {
            let (process, label, footprint) = (step.process, Sequence::label(step), step.variant.footprint);
            let branch = self.add(Sleeper::new(process, label, footprint));
            self.pool[branch.0 as usize].child = below;
            below = Some(branch);
        }
        below
    }
}
