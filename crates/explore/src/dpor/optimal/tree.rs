//! Wakeup trees.
//!
//! The wakeup tree of a node holds the sequences that are to be explored from it. Its branches are
//! in order: a step in a later branch is explored when all that begins with the steps before it has
//! been. A leaf stands for everything that begins with the path to it.

use mazurka_relation::{Footprint, Footprints};
use mazurka_trace::{EventId, ProcessId};

use crate::choices::ChoiceId;
use crate::dpor::dont::Set;
use crate::dpor::optimal::sequence::{Initial, Sequence, World, begins_with};
use crate::mutation::{self, Mutation};
use crate::races::Basis;
use crate::sleep::Sleeper;

/// A branch of a wakeup tree, by its number in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Branch(u32);

/// What a branch says.
#[derive(Clone, Copy, Debug)]
struct Content {
    step: Sleeper,
    /// What is accessed when all is over, if that is what comes next.
    finale: Footprint,
    /// A sequence ends here, although others go on.
    ends: bool,
    /// The first branch below.
    child: Option<Branch>,
    /// The next branch beside.
    sibling: Option<Branch>,
}

/// A branch that was taken out of its tree to be explored.
pub(crate) struct Taken {
    pub(crate) process: ProcessId,
    pub(crate) choice: ChoiceId,
    pub(crate) child: Option<Branch>,
    pub(crate) sibling: Option<Branch>,
}

/// When sequences share a branch.
pub(crate) enum Sharing<'a> {
    /// If the sequence could begin with the branch's step, and a leaf stands for all that begins
    /// with it.
    Commuting,
    /// If the branch's step is part of the sequence, which begins with it whoever observes what it
    /// writes; where these don't-do sequences hold. What is still to be explored when a branch is
    /// taken is told by each sequence: a leaf does not stand for those that go on from it, since
    /// what is left out there counts on them.
    Members(&'a Set),
}

/// Where a new branch comes: after the last one beside it, or as the first below its parent.
#[derive(Clone, Copy)]
struct Place {
    parent: Option<Branch>,
    last: Option<Branch>,
}

/// What a sequence shares with a branch.
enum Shared {
    /// It goes another way.
    Nothing,
    /// It begins with the branch's step.
    By(Initial),
    /// The same, and all that begins with that is redundant, and nothing else is explored from it.
    Redundant,
}

/// What a sequence shares with a branch that begins with this step; where there are don't-do
/// sequences, only what is part of it.
#[inline]
fn shared(step: &Sleeper, sequence: &Sequence, world: World<'_>, dont: Option<&Set>) -> Shared {
    let initial = match dont {
        Some(_) => sequence.begins_with(step, world),
        None => sequence.weak_initial(step, world),
    };
    match initial.filter(|_| !mutation::on(Mutation::NeverShareBranches)) {
        Some(Initial::Member(_)) if dont.is_some_and(|dont| dont.forbids(step.process, step.choice)) => {
            Shared::Redundant
        }
        Some(Initial::Stranger) if dont.is_some() => Shared::Nothing,
        Some(initial) => Shared::By(initial),
        None => Shared::Nothing,
    }
}

/// The pool in which all wakeup trees live.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pool: Vec<Content>,
    free: Option<Branch>,
    /// Scratch: the don't-do sequences along a path.
    dont: [Set; 2],
    path: Vec<Sleeper>,
    todo: Vec<(Branch, usize)>,
}

impl Tree {
    /// Takes the first branch of a tree out of it.
    #[inline]
    pub(crate) fn take(&mut self, branch: Branch) -> Taken {
        let content = &mut self.pool[branch.0 as usize];
        let Content { step, child, sibling, .. } = *content;
        content.sibling = self.free;
        self.free = Some(branch);
        Taken { process: step.process, choice: step.choice, child, sibling }
    }

    /// The first step of a branch.
    pub(crate) fn step(&self, branch: Branch) -> Sleeper {
        self.pool[branch.0 as usize].step
    }

    /// The branch that comes after this one.
    pub(crate) fn sibling(&self, branch: Branch) -> Option<Branch> {
        self.pool[branch.0 as usize].sibling
    }

    /// The first branch below this one.
    pub(crate) fn child(&self, branch: Branch) -> Option<Branch> {
        self.pool[branch.0 as usize].child
    }

    /// Whether no branch comes after this one.
    pub(crate) fn is_only(&self, branch: Branch) -> bool {
        self.pool[branch.0 as usize].sibling.is_none()
    }

    /// Whether all sequences that begin with a branch, to the leaves below it, are such.
    pub(crate) fn all_paths(&mut self, root: Branch, mut such: impl FnMut(&[Sleeper], Footprint) -> bool) -> bool {
        let Tree { pool, path, todo, .. } = self;
        todo.clear();
        todo.push((root, 0));
        while let Some((branch, depth)) = todo.pop() {
            let Content { step, finale, ends, child, sibling } = pool[branch.0 as usize];
            path.truncate(depth);
            path.push(step);
            if let Some(sibling) = sibling.filter(|_| branch != root) {
                todo.push((sibling, depth));
            }
            if (ends || child.is_none()) && !such(path, finale) {
                return false;
            }
            todo.extend(child.map(|child| (child, depth + 1)));
        }
        true
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

    /// Makes all sequences of a tree begin with a step of the same process: their own first one of
    /// it, or, where they have none, `step`.
    #[cold]
    pub(crate) fn bring_forward(&mut self, root: Branch, step: Sleeper) -> Branch {
        let mut sequences: Vec<(Vec<Sleeper>, Footprint)> = Vec::new();
        let mut next = Some(root);
        while let Some(branch) = next {
            self.all_paths(branch, |path, finale| {
                sequences.push((path.to_vec(), finale));
                true
            });
            next = self.sibling(branch);
        }
        self.discard(root);
        let mut tree = None;
        for (mut sequence, finale) in sequences {
            let own = sequence.iter().position(|other| other.process == step.process);
            let first = own.map_or(step, |own| sequence.remove(own));
            sequence.insert(0, first);
            self.insert_exactly(&mut tree, &sequence, finale);
        }
        tree.expect("there is a sequence")
    }

    /// Inserts a sequence as it is. It shares what others begin with.
    pub(crate) fn insert_exactly(&mut self, root: &mut Option<Branch>, sequence: &[Sleeper], finale: Footprint) {
        let (mut parent, mut next) = (None::<Branch>, *root);
        for (at, &step) in sequence.iter().enumerate() {
            let mut last = None;
            while let Some(branch) = next {
                let content = &self.pool[branch.0 as usize];
                if (content.step.process, content.step.choice) == (step.process, step.choice) {
                    break;
                }
                (last, next) = (Some(branch), content.sibling);
            }
            let is_last = at + 1 == sequence.len();
            let branch = next.unwrap_or_else(|| {
                let branch = self.add(step, Footprint::EMPTY);
                match (last, parent) {
                    (Some(last), _) => self.pool[last.0 as usize].sibling = Some(branch),
                    (None, Some(parent)) => self.pool[parent.0 as usize].child = Some(branch),
                    (None, None) => *root = Some(branch),
                }
                branch
            });
            let content = &mut self.pool[branch.0 as usize];
            if is_last {
                content.ends = true;
                content.finale = finale;
            }
            (parent, next) = (Some(branch), content.child);
        }
    }

    #[inline]
    fn add(&mut self, step: Sleeper, finale: Footprint) -> Branch {
        let content = Content { step, finale, ends: false, child: None, sibling: None };
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
    /// Follows the first branch that the sequence could begin with, without that step, and so on.
    /// Where that ends at a leaf, the leaf's exploration covers the sequence. Otherwise what
    /// remains becomes a new branch, the last one. Tells what it rests on that a leaf covers it.
    pub(crate) fn insert(
        &mut self,
        root: &mut Option<Branch>,
        sequence: &mut Sequence,
        world: World<'_>,
        sharing: Sharing<'_>,
    ) -> Basis {
        // Where something is left out, nobody knows what would have been observed.
        let given = match sharing {
            Sharing::Commuting => None,
            Sharing::Members(dont) => Some(dont),
        };
        let mut is_first = true;
        let mut place = Place { parent: None, last: None };
        let mut next = *root;
        let mut basis = Some(EventId::new(0));
        while let Some(branch) = next {
            if world.monitor.is_due() {
                // Each of the branches can cost a look at all of a long sequence. What is lost is
                // not explored anyway.
                return None;
            }
            let Content { step, child, sibling, .. } = self.pool[branch.0 as usize];
            let dont = given.map(|given| if is_first { given } else { &self.dont[0] });
            match shared(&step, sequence, world, dont) {
                Shared::Nothing => {
                    (place.last, next) = (Some(branch), sibling);
                    continue;
                }
                Shared::Redundant => return None,
                Shared::By(Initial::Member(number)) => {
                    basis = basis.and_then(|basis| sequence.basis(number).map(|event| event.max(basis)));
                    self.take_from(sequence, number, branch);
                }
                Shared::By(Initial::Stranger) => basis = None,
            }
            if child.is_none() && given.is_none() {
                return basis;
            }
            if child.is_none() || sequence.is_empty() {
                self.pool[branch.0 as usize].ends = true;
            }
            if sequence.is_empty() {
                return None;
            }
            if let Some(given) = given.filter(|_| child.is_some()) {
                let [dont, after] = &mut self.dont;
                let dont = if is_first { given } else { &*dont };
                dont.after(&step, world.footprints, after);
                self.dont.swap(0, 1);
                is_first = false;
            }
            (place, next) = (Place { parent: Some(branch), last: None }, child);
        }
        let chain = self.chain(sequence);
        self.attach(root, place, chain);
        None
    }

    /// Removes a step from a sequence, which begins with this branch.
    #[inline]
    fn take_from(&mut self, sequence: &mut Sequence, number: usize, branch: Branch) {
        let footprint = sequence.remove(number);
        if footprint == Footprint::HALT && !mutation::on(Mutation::FailingBranchCommutes) {
            // The branch was requested by an execution in which the step did not fail: see
            // deviation 2 of [`super::wakeups`].
            self.pool[branch.0 as usize].step.footprint = footprint;
        }
    }

    /// A new branch comes at this place.
    #[inline]
    fn attach(&mut self, root: &mut Option<Branch>, place: Place, branch: Option<Branch>) {
        match (place.last, place.parent) {
            (Some(last), _) => self.pool[last.0 as usize].sibling = branch,
            (None, Some(parent)) => self.pool[parent.0 as usize].child = branch,
            (None, None) => *root = branch,
        }
    }

    /// The same for a sequence of a single step, where a leaf stands for all that begins with it.
    /// Tells whether there is a leaf now that is this step and nothing else.
    #[inline]
    pub(crate) fn insert_single(
        &mut self,
        root: &mut Option<Branch>,
        single: Sleeper,
        footprints: &Footprints,
    ) -> bool {
        let mut parent: Option<Branch> = None;
        let mut next = *root;
        let mut last = None;
        while let Some(branch) = next {
            let Content { step, child, sibling, .. } = self.pool[branch.0 as usize];
            match begins_with(&single, &step, footprints).filter(|_| !mutation::on(Mutation::NeverShareBranches)) {
                Some(Initial::Member(_)) => {
                    self.pool[branch.0 as usize].ends = true;
                    return child.is_none() && parent.is_none();
                }
                Some(Initial::Stranger) if child.is_none() => return false,
                Some(Initial::Stranger) => (parent, last, next) = (Some(branch), None, child),
                None => (last, next) = (Some(branch), sibling),
            }
        }
        let new = Some(self.add(single, Footprint::EMPTY));
        self.attach(root, Place { parent, last }, new);
        parent.is_none()
    }

    /// What remains of a sequence, as a path.
    fn chain(&mut self, sequence: &Sequence) -> Option<Branch> {
        let mut below = None;
        let mut finale = sequence.finale();
        for step in sequence.remaining().rev() {
            let (process, choice, footprint) = (step.process, Sequence::choice(step), step.variant.footprint);
            let finale = std::mem::replace(&mut finale, Footprint::EMPTY);
            let branch = self.add(Sleeper::new(process, choice, footprint), finale);
            self.pool[branch.0 as usize].child = below;
            below = Some(branch);
        }
        below
    }
}
