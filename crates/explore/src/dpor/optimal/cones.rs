//! `optimal`, by several workers.
//!
//! # Paper
//! [`super`]; the division of the work is our own.
//!
//! Each worker explores cones, as [`Wakeups`] does, on a machine of its own. The nodes above its
//! cone are nodes of the trie that the workers share, see [`Frontier`]. A race found in a cone
//! whose first event lies above it is inserted there.
//!
//! **Insertion** of a sequence *v* at a node above the cone:
//! 1. A step that sleeps there, other than the node's own children, is a weak initial of *v*: it is
//!    redundant.
//! 2. The first child that is a weak initial of *v* is taken off *v*, if it is a member. If that
//!    child is whole, or nothing is left, *v* is covered. Otherwise, go on with 2 at that child.
//! 3. There is no such child: what is left of *v* becomes a chain of new nodes, the last of which
//!    is whole, and a task.
//!
//! **Giving away.** A worker whom others wait for gives away what is pending in the upper part of
//! its cone: down to a node at which nobody sleeps, and which becomes the root of its cone. What it
//! has explored there becomes whole nodes. Who inserts a sequence stops there, rightly: everything
//! that begins with them has been explored.
//!
//! # Guarantee
//! That of `optimal`, whatever the order in which tasks are taken and sequences arrive: exactly one
//! complete execution for each trace, none blocked.
//!
//! # Why
//! - *Nobody sleeps at the root of a cone.* A chain is appended only if no sleeper of the node and
//!   no child that was passed is a weak initial of it, so some step of it wakes each of them.
//! - *Never twice.* Two executions part at a node, one by an elder child. If they were equivalent,
//!   that child would be a weak initial of what follows on the other side. It sleeps there, and
//!   nothing wakes it before it runs.
//! - *Never blocked.* Nothing asleep is taken on a chain, since step 2 would have shared that
//!   branch. After it, nobody sleeps.
//! - *Complete.* As in the paper, with the order of the final trie (children before their parents,
//!   elders before younger ones) in place of the order of time. Let E be the first node in that
//!   order from which something is missing that begins with no sleeper of E, and *w* the longest
//!   beginning of it that some *q*, asleep at E or a child, is a weak initial of. Below *q*, which
//!   is earlier in the order, a race of *q* and the next event was met, and a sequence that begins
//!   with *w* and that event was inserted at E, or at the node of which *q* is a child. In the
//!   latter case, its way leads down to E: it cannot stop at a whole node on the way, since *q*
//!   sleeps all along it, and nobody sleeps at a whole node. So something at E covers it.
//!
//!   This is why a sequence is walked down through branches that have been taken: "somebody has
//!   that branch" does not cover it (`NoWalkDown` of the mutations).
//!
//! # Deviations
//! 1. Steps of the trie are told by names. What they are on the worker's own machine is found by
//!    stepping it, once for each node. So their footprints are exact, and no branch has to be
//!    corrected when its step turns out to fail (deviation 2 of [`super::wakeups`]).
//! 2. A race that is covered in the trie by steps of its sequence is not dealt with again as long
//!    as these stay, as in [`super::wakeups`]: the trie only grows.
//!
//! # Cost
//! A task costs the replay of its prefix, from where the path to it leaves the current one. A
//! race within a cone costs one comparison more than with one worker. Memory: each worker has a
//! copy of the trie.
//!
//! # Tests
//! Random programs with several workers that give away everything at once and take tasks at random;
//! corpus; mutations: crate `testkit`.

use mazurka_machine::{Companion, Describe, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{Event, EventId};

use super::sequence::{self, Initial, World};
use super::tree::Branch;
use super::wakeups::Wakeups;
use crate::checkpoint::Deposit;
use crate::choices::{ChoiceId, Step};
use crate::dpor::divided::Divided;
use crate::dpor::way::Way;
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::frontier::{Entries, Frontier, Kind, Named, Node, Own};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::ByConflict;
use crate::plan::Plan;
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;

/// Exploration of cones by wakeup trees: one worker's part.
pub(crate) struct Cones<'f> {
    wakeups: Wakeups,
    way: Way<'f>,
    /// For each node of the current path, how many steps slept there when it was entered.
    inherited: Vec<u32>,
    /// Scratch: the steps of the sequence that were taken off it.
    removed: Vec<usize>,
    /// Scratch: the nodes that an insertion was walked down.
    below: Vec<Node>,
}

/// What came of walking a sequence down the trie.
enum Walked {
    /// It is covered, which rests on this.
    Covered(Basis),
    /// What is left of it belongs below this node.
    Missing(Node),
    /// There was no time.
    Late,
}

impl Cones<'_> {
    /// The step from node `number` of the current path, which is the newest, on the way to the
    /// cone. Its elders go to sleep.
    fn follow<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, number: usize) -> Option<Step> {
        let asleep = (&mut self.wakeups.sleep, self.inherited[number]);
        self.way.follow_beside(search, number, asleep)
    }

    /// Sees to it that everything is explored that begins with the sequence at a node above the
    /// cone.
    fn request<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, number: usize) -> Basis {
        let sleepers = &self.wakeups.sleep.at(number)[..self.inherited[number] as usize];
        if let Some(basis) = self.wakeups.covered_by_sleepers(search, sleepers) {
            return basis;
        }
        loop {
            let at = match self.walk(search, number) {
                Walked::Covered(basis) => return basis,
                Walked::Late => return None,
                Walked::Missing(at) => at,
            };
            let chain: Vec<Named> = self.rest(search);
            let way = &mut self.way;
            let unseen = mutation::on(Mutation::InsertUnseen);
            let known = if unseen { way.frontier.length() } else { way.copy.length() };
            if way.frontier.insert(way.worker, known, chained(at, &chain)).is_ok() {
                way.note_new(chain.len());
                return None;
            }
            while let Some(step) = self.removed.pop() {
                self.wakeups.sequence.restore(step);
            }
            self.way.copy.refresh(self.way.frontier);
        }
    }

    /// Walks the sequence down the trie, as far as that is known, without the steps on the way.
    fn walk<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, number: usize) -> Walked {
        self.below.clear();
        self.removed.clear();
        let mut at = self.way.path[number];
        let mut next = self.way.copy.first(at);
        let mut basis = Some(EventId::new(0));
        while let Some(child) = next {
            if search.is_late() {
                return Walked::Late;
            }
            let Some(Own { step, .. }) = self.way.own(search, (number, &self.below), child) else {
                return Walked::Late;
            };
            let initial = self.wakeups.sequence.weak_initial(&step, World::of(search));
            match initial.filter(|_| !mutation::on(Mutation::NeverShareBranches)) {
                None => {
                    next = self.way.copy.next(child);
                    continue;
                }
                Some(Initial::Member(step)) => {
                    let sequence = &mut self.wakeups.sequence;
                    basis = basis.and_then(|basis| sequence.basis(step).map(|event| event.max(basis)));
                    sequence.remove(step);
                    self.removed.push(step);
                }
                Some(Initial::Stranger) => basis = None,
            }
            if mutation::on(Mutation::NoWalkDown)
                || (self.way.copy.is_whole(child) && !mutation::on(Mutation::WalkThroughCones))
            {
                return Walked::Covered(basis);
            }
            if self.wakeups.sequence.is_empty() {
                return Walked::Covered(None);
            }
            self.below.push(child);
            (at, next) = (child, self.way.copy.first(child));
        }
        Walked::Missing(at)
    }

    /// What is left of the sequence, by names.
    fn rest<M: Machine + Describe + Companion>(&mut self, search: &Search<'_, M>) -> Vec<Named> {
        let Self { wakeups, way, .. } = self;
        let exact = Way::are_exact(search);
        let named = |step: &sequence::Step| {
            let Variant { choice, footprint, .. } = step.variant;
            // What has not happened yet is not local if it uses anything.
            let local = step.event.map(|event| search.execution.record(event).is_local);
            let local = local.or_else(|| (footprint != Footprint::EMPTY).then_some(false)).filter(|_| exact);
            let uses = local.map(|local| (footprint, !local || choice != ChoiceId::NONE));
            way.named(search, (step.process, choice), uses)
        };
        wakeups.sequence.remaining().map(named).collect()
    }

    /// Gives away what is pending in the upper part of the cone, if anything is.
    #[cold]
    fn give_away<M: Machine + Describe + Companion>(&mut self, search: &Search<'_, M>) {
        let (root, newest) = (self.way.frozen(), search.execution.len());
        let mut is_pending = false;
        let end = (root + 1..=newest).find(|&number| {
            is_pending |= self.wakeups.nodes[number - 1].is_some();
            is_pending && self.inherited[number] == 0
        });
        let Some(end) = end else { return };
        let (mut entries, mut path) = (Entries::new(), Vec::new());
        for number in root..end {
            self.add_level(search, number, &mut entries, &mut path);
        }
        if let Some(&last) = path.last() {
            entries[last].2 = Kind::Taken;
        }
        self.way.give(entries, &path);
    }

    /// Gives away all that is pending in the cone. The newest node is its root from now on, from
    /// which nothing is left to be explored.
    #[cold]
    fn give_all<M: Machine + Describe + Companion>(&mut self, search: &Search<'_, M>) {
        let (mut entries, mut path) = (Entries::new(), Vec::new());
        let mut is_pending = false;
        for number in self.way.frozen()..=search.execution.len() {
            is_pending = self.add_level(search, number, &mut entries, &mut path);
        }
        if let Some(&last) = path.last().filter(|_| !is_pending) {
            entries[last].2 = Kind::Taken;
        }
        self.way.give(entries, &path);
    }

    /// Adds what has been explored, and what is pending, from a node of the current path to what is
    /// given away; and the next node of the path, if there is one, between them. Whether anything
    /// is pending.
    fn add_level<M: Machine + Describe + Companion>(
        &mut self,
        search: &Search<'_, M>,
        number: usize,
        entries: &mut Entries,
        path: &mut Vec<usize>,
    ) -> bool {
        let parent = path.last().map_or(Ok(self.way.path[self.way.frozen()]), |&entry| Err(entry));
        for step in &self.wakeups.sleep.at(number)[self.inherited[number] as usize..] {
            let named = self.way.named_sleeper(search, step);
            entries.push((parent, named, Kind::Taken));
        }
        if number < search.execution.len() {
            path.push(entries.len());
            entries.push((parent, self.way.named_event(search, EventId::new(number)), Kind::Inner));
        }
        let pending = self.wakeups.nodes[number].take();
        if let Some(branch) = pending {
            self.add_pending(search, branch, parent, entries);
            self.wakeups.tree.discard(branch);
        }
        pending.is_some()
    }

    /// Adds the branches of a wakeup tree to what is given away.
    fn add_pending<M: Machine + Describe + Companion>(
        &mut self,
        search: &Search<'_, M>,
        root: Branch,
        parent: Result<Node, usize>,
        entries: &mut Entries,
    ) {
        let tree = &self.wakeups.tree;
        let mut todo = vec![(root, parent)];
        while let Some((branch, parent)) = todo.pop() {
            let (step, child) = (tree.step(branch), tree.child(branch));
            todo.extend(tree.sibling(branch).map(|sibling| (sibling, parent)));
            todo.extend(child.map(|child| (child, Err(entries.len()))));
            if child.is_some() {
                self.way.note_new(1);
            }
            let kind = if child.is_some() { Kind::Inner } else { Kind::Task };
            // Of a step that uses nothing it is not known whether it is local.
            let uses = (step.footprint != Footprint::EMPTY).then_some((step.footprint, true));
            entries.push((parent, self.way.named(search, (step.process, step.choice), uses), kind));
        }
    }
}

/// A chain of steps below a node, the end of which is a task.
fn chained(at: Node, chain: &[Named]) -> Entries {
    let kind = |number| if number + 1 == chain.len() { Kind::Task } else { Kind::Inner };
    let parent = |number: usize| number.checked_sub(1).map_or(Ok(at), Err);
    chain.iter().enumerate().map(|(number, step)| (parent(number), step.clone(), kind(number))).collect()
}

impl<'f, M: Machine + Describe + Companion> Divided<'f, M> for Cones<'f> {
    fn begin(frontier: &'f Frontier, worker: usize, task: Node, _: Plan) -> Self {
        let (wakeups, way) = (Wakeups::new(false), Way::new(frontier, worker, task));
        Self { wakeups, way, inherited: Vec::new(), removed: Vec::new(), below: Vec::new() }
    }

    fn repeated(&self) -> i64 {
        self.way.repeated()
    }

    fn has_task(&self) -> bool {
        self.way.has_task()
    }

    fn deposit(&self, search: &Search<'_, M>) -> Deposit {
        self.way.deposit(search)
    }
}

impl<M: Machine + Describe + Companion> Reverse<M, ByConflict> for Cones<'_> {
    fn wanted(&self) -> Wanted {
        Reverse::<M, ByConflict>::wanted(&self.wakeups)
    }

    fn keeps_footprints(&self) -> bool {
        Reverse::<M, ByConflict>::keeps_footprints(&self.wakeups)
    }

    fn requests_every_variant(&self) -> bool {
        Reverse::<M, ByConflict>::requests_every_variant(&self.wakeups)
    }

    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        let number = race.first.index();
        if number >= self.way.frozen() {
            return self.wakeups.reverse(search, race);
        }
        let as_it_was = [Variant::of(search.execution.record(race.second))];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        let mut basis = None;
        for &variant in variants {
            self.wakeups.sequence.reverse(race, variant, World::of(search));
            basis = self.request(search, number);
        }
        basis.filter(|_| variants.len() == 1)
    }

    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        if race.first.index() >= self.way.frozen() {
            self.wakeups.reverse_adjacent(search, race)
        } else {
            Reverse::<M, ByConflict>::reverse(self, search, race)
        }
    }
}

impl<M: Machine + Describe + Companion> Strategy<M, ByConflict> for Cones<'_> {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let number = self.wakeups.nodes.len();
        self.inherited.push(self.wakeups.sleep.top().len() as u32);
        if number < self.way.frozen() {
            self.wakeups.nodes.push(None);
            // Where it is late, nobody asks what kind of leaf this is.
            return self.follow(search, number).ok_or(Leaf::Blocked);
        }
        debug_assert!(number > self.way.frozen() || self.inherited[number] == 0, "nobody sleeps at the root of a cone");
        self.wakeups.enter(search)
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let number = self.wakeups.nodes.len() - 1;
        if self.way.is_own(number) {
            if self.way.is_to_rest() {
                self.give_all(search);
                self.way.rest(search);
            } else if self.way.is_to_share() {
                self.give_away(search);
            }
            if let Some(step) = self.wakeups.take_branch() {
                return Some(step);
            }
            if number > 0 {
                return None;
            }
        }
        if self.way.turn(search, number) { self.follow(search, number) } else { None }
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        self.wakeups.descend(search);
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        self.inherited.pop();
        self.wakeups.ascend(search, event);
    }

    fn end(&mut self, search: &mut Search<'_, M>) -> Option<Cut> {
        self.way.note_end();
        self.wakeups.end(search)
    }

    fn virtual_events(&mut self, search: &mut Search<'_, M>, cut: Option<Cut>, events: &mut Vec<Event>) {
        self.wakeups.virtual_events(search, cut, events);
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M>) {
        let number = search.execution.len() - 1;
        if number >= self.way.frozen() {
            return self.wakeups.alternatives_to_end(search);
        }
        for (process, variant) in search.instead_of_end() {
            self.wakeups.sequence.of_one(process, variant);
            self.request(search, number);
        }
    }
}
