//! `optimal`: wakeup trees.
//!
//! # Paper
//! Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014, Algorithm 2, in the formulation with
//! sleep sets.
//!
//! # Guarantee
//! Exactly one complete execution for each Mazurkiewicz trace, and no exploration is ever blocked.
//!
//! # Names
//! *wut(E)* is the forest that begins at `Node::branch`, see [`wakeup`]; *sleep(E)* is [`Sleep`]; *v = notdep(e, E).e'* is [`Sequence`]; *WI(v)* is
//! [`Sequence::weak_initial`]; *pre(E, e)* is node number `e`.
//!
//! # Deviations
//! 1. A race is not dealt with again where its wakeup sequence is what it was at the end of the execution before, or
//!    a beginning of that, see [`crate::races`].
//! 2. The last event of a wakeup sequence can do something else before `e` than it did after it. Where it could, it is looked
//!    at in its new context, by rewinding and stepping; so the footprints in wakeup trees are exact, and with data
//!    choices each variant becomes a sequence of its own.
//! 3. A step is a process with the data choices it makes; its variants conflict like steps of different processes of which only
//!    one can run. An event races with the other variants of its step, see [`crate::races`].
//! 4. Waiting steps and attempts: see [`crate::races`].
//! 5. After an event that ended the execution, everybody else who could have run in its place is inserted as a
//!    sequence of one.
//!
//! # Cost
//! A race costs the length of the execution after its first event, times the sleepers and branches that the sequence is
//! compared with (mostly decided by the first comparison). Trees live in one pool with a free list.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

mod sequence;
mod wakeup;

use mazurka_machine::Machine;

use crate::choices::Script;
use crate::driver::{Step, Strategy};
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::races::{Races, Reversal, Reverse, Wanted};
use crate::search::{Leaf, Search, Variant};
use crate::sleep::Sleep;
use sequence::{Sequence, World};
use wakeup::{Branch, Wakeup};

/// A node of the current path.
#[derive(Clone, Copy)]
struct Node {
    /// The first branch of the wakeup tree that is still to be explored.
    branch: Option<Branch>,
}

/// Exploration by wakeup trees.
pub(crate) struct Optimal {
    nodes: Vec<Node>,
    wakeup: Wakeup,
    /// The wakeup tree that the next node inherits.
    inherited: Option<Branch>,
    sleep: Sleep,
    races: Races,
    sequence: Sequence,
}

impl Optimal {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            wakeup: Wakeup::default(),
            inherited: None,
            sleep: Sleep::default(),
            races: Races::default(),
            sequence: Sequence::default(),
        }
    }

    /// Takes the first branch out of the newest node's wakeup tree.
    #[inline]
    fn take_branch(&mut self) -> Option<Step> {
        let node = self.nodes.last_mut().expect("the root is never left");
        let taken = self.wakeup.take(node.branch?);
        node.branch = taken.sibling;
        self.inherited = taken.child;
        Some((taken.process, Script::Exactly(taken.label)))
    }

    /// The newest event ended the execution: whoever else could have run there has to run there too.
    fn alternatives_to_end<M: Machine>(&mut self, search: &mut Search<'_, M>) {
        let number = search.execution.len() - 1;
        let ender = search.execution.last().expect("some event ended the execution").process;
        search.seek(number);
        let (mut from, mut variants) = (0, Vec::<Variant>::new());
        while let Some(process) = search.machine.live().next_from(from) {
            from = process.index() + 1;
            if process == ender {
                continue;
            }
            search.variants(process, &mut variants);
            for &variant in &variants {
                self.sequence.of_one(process, variant);
                self.inserting().insert(search, number);
            }
        }
    }

    #[inline]
    fn inserting(&mut self) -> Inserting<'_> {
        let Optimal { nodes, wakeup, sleep, sequence, .. } = self;
        Inserting { nodes, wakeup, sleep, sequence }
    }
}

/// What is needed to insert sequences into wakeup trees.
struct Inserting<'a> {
    nodes: &'a mut [Node],
    wakeup: &'a mut Wakeup,
    sleep: &'a Sleep,
    sequence: &'a mut Sequence,
}

impl Inserting<'_> {
    /// Inserts the sequence at a node, unless what it leads to is explored anyway.
    fn insert<M>(&mut self, search: &Search<'_, M>, number: usize) {
        let world = World::of(search);
        let (sequence, sleepers) = (&mut *self.sequence, self.sleep.at(number));
        let redundant = sleepers.iter().any(|sleeper| sequence.weak_initial(sleeper, world).is_some());
        if !redundant {
            self.wakeup.insert(&mut self.nodes[number].branch, sequence, world);
        }
    }
}

impl<M> Reverse<M> for Inserting<'_> {
    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        let record = search.execution.record(race.second);
        let as_it_was = [Variant { label: record.label, footprint: record.footprint }];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        for &variant in variants {
            self.sequence.reverse(race, variant, &search.execution);
            self.insert(search, race.first.index());
        }
    }
}

impl<M: Machine> Strategy<M> for Optimal {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let branch = self.inherited.take();
        self.nodes.push(Node { branch });
        if search.has_halted() {
            return Err(Leaf::Complete);
        }
        let step = match self.take_branch() {
            Some(step) => step,
            None => match search.machine.urgent() {
                Some(urgent) => {
                    let script = self.sleep.first_awake(search, urgent, Script::First);
                    (urgent, script.ok_or(Leaf::Blocked)?)
                }
                None => self.sleep.pick_awake(search)?,
            },
        };
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    #[inline(always)]
    fn next(&mut self, _: &mut Search<'_, M>) -> Option<Step> {
        self.take_branch()
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        let event = search.execution.last().expect("a step was taken");
        self.sleep.descend(event, &search.footprints);
    }

    #[inline(always)]
    fn ascend(&mut self, _: &mut Search<'_, M>, event: &Record) {
        self.nodes.pop();
        self.sleep.ascend(event);
    }

    fn reverse_races(&mut self, search: &mut Search<'_, M>) {
        let Optimal { nodes, wakeup, sleep, races, sequence, .. } = self;
        races.for_each(search, Wanted::Changed, &mut Inserting { nodes, wakeup, sleep, sequence });
        if search.has_halted() && !mutation::on(Mutation::HaltWithoutAlternatives) {
            self.alternatives_to_end(search);
        }
    }
}
