//! `optimal`: wakeup trees. `observers`: the same, with two writes ordered only if somebody
//! observes what they leave.
//!
//! # Paper
//! [`super`]; for `observers`, Fig. 5 of JSS 2023, after Aronis, Jonsson, Lång, Sagonas, TACAS
//! 2018.
//!
//! # Guarantee
//! `optimal`: exactly one complete execution for each Mazurkiewicz trace, and no exploration is
//! ever blocked.
//!
//! `observers`: what processes see, and all failures, are found, by exactly one complete execution
//! for each class of those that differ only in what nobody observes, none blocked; by more of them
//! where steps make data choices, or read a location in one order and not in another, and where
//! what nobody reads counts as observed ([`crate::cursor::Known`] says where).
//!
//! # Deviations
//! 1. A race is not dealt with again where its wakeup sequence is what it was at the end of the
//!    execution before, or a beginning of that, see [`crate::races`]. In `optimal`, neither is one
//!    that was covered by steps of the sequence, all of which are still there: see below.
//! 2. The last event of a wakeup sequence can do something else before `e` than it did after it.
//!    Where it could, it is looked at in its new context, by rewinding and stepping; so the
//!    footprints in wakeup trees are exact, and with data choices each variant becomes a sequence
//!    of its own. Only that it fails is not looked for, where the first failure ends the
//!    exploration. Such a step can be explored after a failed assumption, where it does not count;
//!    it then races with all that came before, and the branch that requests it is known to fail.
//!    (`FailingBranchCommutes` of the mutations has the program.)
//! 3. A step is a process with the data choices it makes; its variants conflict like steps of
//!    different processes of which only one can run. An event races with the other variants of its
//!    step, see [`crate::races`].
//! 4. Waiting steps and disabled steps: see [`crate::races`].
//! 5. After an event that ended the execution, everybody else who could have run in its place is
//!    inserted as a sequence of one. (`HaltWithoutAlternatives`.)
//!
//! # Why a race that stays covered needs nothing more
//! Let *v* be the sequence of a race of `e` and `e'` at the end of an execution, covered by a path
//! *u*: a step that sleeps at *pre(E, e)*, or the steps to a leaf of the wakeup tree there, each of
//! which is a step of *v*. Let *v'* be the sequence of the same race at the end of a later
//! execution, which is the same up to the latest of the steps of *u*.
//! - *u* is still there. While `e` is on the path, nothing goes to sleep at *pre(E, e)*, and
//!   branches are only added to its tree, never below a leaf.
//! - *u* covers *v'*. What stands before a step of *u* in *v'* stood there in *v*. The last step of
//!   a sequence, `e'`, can be part of *u* only if it does the same in its new context; and what
//!   comes after it and conflicts with it happens after `e'`, so after `e`, and is not in *v'*.
//! - So all that begins with *v'* is explored when *u* is. *v'* could also begin with a branch
//!   before *u*, with which *v* could not, and inserting it would add to the tree below that. But
//!   all that begins with *v'* is then explored below that branch in any case, as every branch is
//!   explored to its end, and *u* is still explored for *v*: no exploration is blocked for it.
//!
//! So no program can tell whether such a race is dealt with again, but by the time it takes. That
//! the step is one *of the sequence* is needed: one that merely commutes with *v* need not commute
//! with *v'*.

use mazurka_machine::Machine;

use super::sequence::{Initial, Sequence, World, begins_with};
use super::tree::{Branch, Sharing, Tree};
use crate::choices::{Script, Step};
use crate::dpor::checking;
use crate::dpor::cuts::explain_cut;
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::names::Variant;
use crate::order::{Order, Watched};
use crate::races::{Basis, Observation, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};

/// Exploration by wakeup trees.
pub(crate) struct Wakeups {
    /// For each node of the current path, the first branch of its wakeup tree that is still to be
    /// explored.
    pub(super) nodes: Vec<Option<Branch>>,
    pub(super) tree: Tree,
    /// The wakeup tree that the next node inherits.
    inherited: Option<Branch>,
    pub(super) sleep: Sleep,
    pub(super) sequence: Sequence,
}

impl Wakeups {
    /// `observers` says whether it counts who observes what is written.
    pub(crate) fn new(observers: bool) -> Self {
        Self {
            nodes: Vec::new(),
            tree: Tree::default(),
            inherited: None,
            sleep: Sleep::default(),
            sequence: Sequence::new(observers),
        }
    }

    /// Takes the first branch out of the newest node's wakeup tree.
    #[inline(always)]
    pub(super) fn take_branch(&mut self) -> Option<Step> {
        let branch = self.nodes.last_mut()?;
        let taken = self.tree.take((*branch)?);
        *branch = taken.sibling;
        self.inherited = taken.child;
        Some((taken.process, Script::Exactly(taken.choice)))
    }

    /// Reverses a race, if nothing but its second event has to run for that: all that comes after
    /// the first event happens after it. None where it is not so.
    #[inline(always)]
    fn insert_single<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        race: &Reversal<'_>,
    ) -> Option<Basis> {
        // Where writes are not ordered, who observes them counts, and that is not known of a step.
        if !search.order.orders_writes() || !race.is_plain() || !search.execution.precedes_all_from(race.first) {
            return None;
        }
        let number = race.first.index();
        let second = search.execution.record(race.second);
        let step = Sleeper::new(second.process, second.choice, second.footprint);
        let footprints = &search.cursor.names.footprints;
        // Nothing that the second event needs comes after the first one, whatever is added.
        let lasting = Some(race.second);
        let mut is_redundant = false;
        for sleeper in self.sleep.at(number) {
            match begins_with(&step, sleeper, footprints) {
                Some(Initial::Member(_)) => return Some(lasting),
                Some(Initial::Stranger) => is_redundant = true,
                None => {}
            }
        }
        let covers = !is_redundant && self.tree.insert_single(&mut self.nodes[number], step, footprints);
        Some(lasting.filter(|_| covers))
    }

    /// Inserts the sequence at a node, unless what it leads to is explored anyway. Tells what it
    /// rests on that it is.
    fn insert<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) -> Basis {
        let explored = if search.order.orders_writes() {
            self.explored(search, number)
        } else {
            self.is_watched(search, number).then_some(None)
        };
        match explored {
            Some(basis) => basis,
            None => {
                self.tree.insert(&mut self.nodes[number], &mut self.sequence, World::of(search), Sharing::Commuting)
            }
        }
    }

    /// Whether some execution that begins with the sequence has been explored at a node, and what
    /// that rests on.
    #[inline]
    fn explored<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, number: usize) -> Option<Basis> {
        self.covered_by_sleepers(search, self.sleep.at(number))
    }

    /// Whether some execution that begins with the sequence begins with one of these steps, which
    /// sleep, and what that rests on.
    #[inline]
    pub(super) fn covered_by_sleepers<M: Machine, O: Order<M>>(
        &self,
        search: &Search<'_, M, O>,
        sleepers: &[Sleeper],
    ) -> Option<Basis> {
        let world = World::of(search);
        let mut is_redundant = false;
        for sleeper in sleepers {
            // One that is no step of the sequence is enough; a step of it lasts longer.
            if is_redundant && !self.sequence.has_steps_of(sleeper.process) {
                continue;
            }
            match self.sequence.weak_initial(sleeper, world) {
                Some(Initial::Member(number)) => return Some(self.sequence.basis(number)),
                Some(Initial::Stranger) => is_redundant = true,
                None => {}
            }
        }
        is_redundant.then_some(None)
    }

    /// The same where steps sleep on a condition.
    fn is_watched<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, number: usize) -> bool {
        let footprints = &search.cursor.names.footprints;
        let asleep = self.sleep.at(number).iter().map(|&sleeper| Watched::new(sleeper));
        let mut known = asleep.chain(search.order.watched(number).iter().copied());
        known.any(|watched| self.sequence.covered_by(watched, footprints).is_some())
    }
}

impl<M: Machine, O: Order<M>> Reverse<M, O> for Wakeups {
    fn wanted(&self) -> Wanted {
        Wanted::Changed
    }

    fn keeps_footprints(&self) -> bool {
        true
    }

    fn requests_every_variant(&self) -> bool {
        false
    }

    fn reverse(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        let record = *search.execution.record(race.second);
        if let Some(basis) = self.insert_single(search, race) {
            let step = Sleeper::new(record.process, record.choice, record.footprint);
            checking::check_sequence(search, race.first.index(), std::iter::once(step));
            return basis;
        }
        let as_it_was = [Variant::of(&record)];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        let number = race.first.index();
        let mut basis = None;
        for &variant in variants {
            self.sequence.reverse(race, variant, World::of(search));
            checking::check_sequence(search, number, self.sequence.sleepers());
            basis = self.insert(search, number);
        }
        // Where writes are not ordered, what comes later can order them.
        basis.filter(|_| search.order.orders_writes() && variants.len() == 1)
    }

    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        match self.insert_single(search, race) {
            Some(basis) => basis,
            None => self.reverse(search, race),
        }
    }

    fn reverse_observed(&mut self, search: &mut Search<'_, M, O>, race: &Observation<'_>) {
        for variant in race.observer.variants() {
            self.sequence.reverse_observed(race, variant, World::of(search));
            self.insert(search, race.first.index());
        }
    }
}

impl<M: Machine, O: Order<M>> Strategy<M, O> for Wakeups {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        self.nodes.push(self.inherited.take());
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        let step = match self.take_branch() {
            Some(step) => step,
            None => match search.cursor.machine.at_local() {
                Some(at_local) => {
                    let script = self.sleep.first_awake(search, at_local, Script::First).ok_or(Leaf::Blocked)?;
                    (at_local, script)
                }
                None => self.sleep.pick_awake(search)?,
            },
        };
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    #[inline(always)]
    fn next(&mut self, _search: &mut Search<'_, M, O>) -> Option<Step> {
        self.take_branch()
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M, O>) {
        let Search { order, cursor, execution, .. } = search;
        order.wake(cursor, execution, &mut self.sleep, &mut std::iter::empty());
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        if let Some(branch) = self.nodes.pop().expect("a node is left") {
            self.tree.discard(branch);
        }
        search.order.ascend();
        self.sleep.ascend(event);
    }

    fn end(&mut self, search: &mut Search<'_, M, O>) -> Option<Cut> {
        explain_cut(search, &self.sleep, None);
        None
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M, O>) {
        let number = search.execution.len() - 1;
        for (process, variant) in search.instead_of_end() {
            self.sequence.of_one(process, variant);
            self.insert(search, number);
        }
    }
}
