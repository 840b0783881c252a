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
//! 3. A branch of a wakeup tree carries the data choices of its step. Somebody picked freely is explored with all variants.
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
use mazurka_trace::ProcessId;

use crate::choices::{Label, Script};
use crate::driver::Strategy;
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::races::{Races, Wanted};
use crate::search::{Leaf, Search, Variant};
use crate::sleep::Sleep;
use sequence::{Initial, Sequence, World};
use wakeup::{Branch, Wakeup};

/// A node of the current path.
#[derive(Clone, Copy)]
struct Node {
    /// The first branch of the wakeup tree that is still to be explored.
    branch: Option<Branch>,
    /// Somebody was picked freely, and this is the next step to take.
    free: Option<(ProcessId, Script)>,
    /// The step being explored was picked freely, so its other variants are to be explored too.
    all_variants: bool,
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

    /// Inserts the sequence at a node, unless what it leads to is explored anyway.
    fn insert<M: Machine>(
        sequence: &mut Sequence,
        search: &Search<'_, M>,
        sleep: &Sleep,
        wakeup: &mut Wakeup,
        node: &mut Node,
        number: usize,
    ) {
        let world = World::of(search);
        let sleepers = sleep.at(number);
        let redundant = sleepers.iter().any(|sleeper| match sequence.weak_initial(sleeper, world) {
            None => false,
            Some(Initial::Member(_)) => true,
            Some(Initial::Stranger) => sequence.is_strange_to_all(sleeper, sleepers.iter(), world),
        });
        if !redundant {
            wakeup.insert(&mut node.branch, sequence, sleepers, world);
        }
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
                let node = &mut self.nodes[number];
                Self::insert(&mut self.sequence, search, &self.sleep, &mut self.wakeup, node, number);
            }
        }
    }
}

impl<M: Machine> Strategy<M> for Optimal {
    #[inline]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Option<Leaf> {
        let branch = self.inherited.take();
        self.nodes.push(Node { branch, free: None, all_variants: false });
        if search.has_halted() {
            return Some(Leaf::Complete);
        }
        if search.is_too_long() {
            return Some(Leaf::TooLong);
        }
        if branch.is_some() {
            return None;
        }
        let (picked, any_enabled) = match search.machine.urgent() {
            Some(urgent) => (self.sleep.first_awake(search, urgent, Script::First).map(|_| urgent), true),
            None => self.sleep.pick_awake(search),
        };
        match picked {
            Some(process) => {
                self.nodes.last_mut().expect("just pushed").free = Some((process, Script::First));
                None
            }
            None if any_enabled => Some(Leaf::Blocked),
            None => Some(Leaf::Complete),
        }
    }

    #[inline]
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<(ProcessId, Script)> {
        let node = self.nodes.last_mut().expect("the root is never left");
        if let Some((process, script)) = node.free.take()
            && let Some(script) = self.sleep.first_awake(search, process, script)
        {
            node.all_variants = true;
            return Some((process, script));
        }
        let branch = node.branch?;
        node.all_variants = false;
        let taken = self.wakeup.take(branch);
        node.branch = taken.sibling;
        self.inherited = taken.child;
        let script = if taken.label == Label::NONE { Script::First } else { Script::Exactly(taken.label) };
        Some((taken.process, script))
    }

    #[inline]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        let event = search.execution.last().expect("a step was taken");
        self.sleep.descend(event, &search.footprints);
    }

    #[inline]
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        let left = self.nodes.pop().expect("the root is never left");
        debug_assert!(left.branch.is_none(), "all of a wakeup tree is explored");
        self.sleep.ascend(event);
        let node = self.nodes.last_mut().expect("the root is never left");
        if node.all_variants && search.choices.has_next(event.label) && !mutation::on(Mutation::FirstChoiceOnly) {
            node.free = Some((event.process, Script::After(event.label)));
        }
    }

    fn reverse_races(&mut self, search: &mut Search<'_, M>) {
        let Optimal { nodes, wakeup, sleep, sequence, .. } = self;
        self.races.for_each(search, Wanted::Changed, |search, race| {
            let number = race.first.index();
            let record = *search.execution.record(race.second);
            let as_it_was = [Variant { label: record.label, footprint: record.footprint }];
            let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
            for &variant in variants {
                sequence.reverse(race, variant, &search.execution);
                Self::insert(sequence, search, sleep, wakeup, &mut nodes[number], number);
            }
        });
        if search.has_halted() && !mutation::on(Mutation::HaltWithoutAlternatives) {
            self.alternatives_to_end(search);
        }
    }
}
