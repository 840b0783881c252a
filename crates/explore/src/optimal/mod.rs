//! `optimal`: wakeup trees. `optimal-cs`: the same, without what commutes where it happens.
//!
//! # Paper
//! Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014, Algorithm 2, in the formulation with
//! sleep sets. For `optimal-cs`: Albert and others, *Optimal context-sensitive dynamic partial order reduction with
//! observers*, JSS 2023, Algorithm 1; the check and the don't-do sets are [`crate::context`] and [`crate::dont`].
//!
//! # Guarantee
//! `optimal`: exactly one complete execution for each Mazurkiewicz trace, and no exploration is ever blocked. `optimal-cs`: at most one
//! complete execution for each trace; all states in which an execution can end, and all failures, are found. Explorations
//! are blocked where a don't-do set, or a sleep set, leaves nothing to do.
//!
//! # Names
//! *wut(E)* is the forest that begins at `Node::branch`, see [`wakeup`]; *sleep(E)* is [`Sleep`]; *v = notdep(e, E).e'* is [`Sequence`]; *WI(v)* is
//! [`Sequence::weak_initial`]; *pre(E, e)* is node number `e`; *dnd(E)* is `Contextual::dont`.
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
//! For `optimal-cs`, where the paper's algorithm loses states (each has a program in the tests):
//! 6. A node whose wakeup tree asked for forbidden steps only goes on with somebody else. The paper runs the forbidden step for
//!    its races and leaves the node; but what comes before that step in other executions is not explored then.
//! 7. What was explored is known by the states it led to, not by all of its executions, and their races are not all seen. So an explored or
//!    forbidden step covers a sequence only if it is part of it, not if it merely commutes with it (an initial, not
//!    a weak initial), and wakeup trees share branches in that case only. Sequences are as short as they can be, *ance(e, e', E).e'*: the paper's
//!    future initials would make them longer with steps that are forbidden, and then in vain. What this costs is that sleep sets can block.
//! 8. Where only the machine knows what the second event needs, and the sequence begins with a forbidden step, everybody at that
//!    node is explored.
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
use crate::context::Contextual;
use crate::driver::{Step, Strategy};
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::races::{Races, Reversal, Reverse, Wanted};
use crate::search::{Leaf, Search, Variant};
use crate::sleep::{Reason, Sleep, Sleeper};
use sequence::{Initial, Sequence, World};
use wakeup::{Branch, Wakeup};

/// A node of the current path.
#[derive(Clone, Copy)]
struct Node {
    /// The first branch of the wakeup tree that is still to be explored.
    branch: Option<Branch>,
    /// Some step from it has been explored; not only run in vain.
    explored: bool,
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
    contextual: Option<Contextual>,
}

impl Optimal {
    pub(crate) fn new(contextual: Option<Contextual>) -> Self {
        Self {
            nodes: Vec::new(),
            wakeup: Wakeup::default(),
            inherited: None,
            sleep: Sleep::default(),
            races: Races::new(contextual.is_some()),
            sequence: Sequence::default(),
            contextual,
        }
    }

    /// Takes the first branch out of the newest node's wakeup tree.
    #[inline]
    fn take_branch(&mut self) -> Option<Step> {
        loop {
            let node = self.nodes.last_mut().expect("the root is never left");
            let taken = self.wakeup.take(node.branch?);
            node.branch = taken.sibling;
            if self.contextual.is_some() && self.sleep.has_explored(taken.process, taken.label) {
                // Asked for when that was not known yet.
                if let Some(child) = taken.child {
                    self.wakeup.discard(child);
                }
                continue;
            }
            self.inherited = taken.child;
            return Some((taken.process, Script::Exactly(taken.label)));
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
                self.inserting().insert(search, number);
            }
        }
    }

    /// All that the wakeup tree asked for at the newest node was forbidden. Then it tells nothing of the executions that begin
    /// with somebody else.
    #[inline]
    fn go_on<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let contextual = self.contextual.as_ref()?;
        if self.nodes.last()?.explored {
            return None;
        }
        search.seek(search.execution.len());
        contextual.pick(search, &self.sleep).ok()
    }

    /// Nobody is awake: those who sleep only because of the don't-do set are run once more, for their races.
    #[cold]
    fn forbidden<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let forbidden: Vec<Sleeper> = self.contextual.as_ref()?.dont.forbidden().collect();
        for step in forbidden {
            if search.machine.live().contains(step.process) && search.machine.is_enabled(step.process) {
                self.sequence.of_one(step.process, Variant { label: step.label, footprint: step.footprint });
                let number = self.nodes.len() - 1;
                self.wakeup.insert(
                    &mut self.nodes[number].branch,
                    &mut self.sequence,
                    World::of(search),
                    Some(Vec::new()),
                );
            }
        }
        self.take_branch()
    }

    #[inline]
    fn inserting(&mut self) -> Inserting<'_> {
        let Optimal { nodes, wakeup, sleep, sequence, contextual, .. } = self;
        Inserting { nodes, wakeup, sleep, sequence, contextual }
    }
}

/// What is needed to insert sequences into wakeup trees.
struct Inserting<'a> {
    nodes: &'a mut [Node],
    wakeup: &'a mut Wakeup,
    sleep: &'a Sleep,
    sequence: &'a mut Sequence,
    contextual: &'a mut Option<Contextual>,
}

impl Inserting<'_> {
    /// Inserts the sequence at a node, unless what it leads to is explored anyway. Tells whether it is not.
    fn insert<M>(&mut self, search: &Search<'_, M>, number: usize) -> bool {
        if self.contextual.is_some() {
            return self.insert_among_forbidden(search, number);
        }
        let world = World::of(search);
        let (sequence, sleepers) = (&mut *self.sequence, self.sleep.at(number));
        let redundant = sleepers.iter().any(|sleeper| sequence.weak_initial(sleeper, world).is_some());
        if !redundant {
            self.wakeup.insert(&mut self.nodes[number].branch, sequence, world, None);
        }
        !redundant
    }

    /// The same where steps are forbidden. What was explored is known by its states, not by all of its executions, so it covers
    /// only sequences that begin with it, not those that could.
    fn insert_among_forbidden<M>(&mut self, search: &Search<'_, M>, number: usize) -> bool {
        let world = World::of(search);
        let sequence = &mut *self.sequence;
        for sleeper in self.sleep.at(number) {
            match sequence.weak_initial(sleeper, world) {
                Some(Initial::Member(_)) => {}
                Some(Initial::Stranger) if mutation::on(Mutation::ForbiddenCovers) => return false,
                _ => continue,
            }
            if sleeper.reason != Reason::Forbidden {
                return false;
            }
            // All of it is in vain, but the step has not been run for its races.
            let Sleeper { process, label, footprint, .. } = *sleeper;
            sequence.of_one(process, Variant { label, footprint });
            break;
        }
        let dont = self.contextual.as_ref().map(|contextual| contextual.dont.at(number));
        self.wakeup.insert(&mut self.nodes[number].branch, sequence, world, dont);
        true
    }

    /// Whether the sequence begins with a forbidden step that is not known to be needed.
    fn begins_in_vain<M>(&self, search: &Search<'_, M>, number: usize) -> bool {
        let forbidden = self.sleep.at(number).iter().filter(|sleeper| sleeper.reason != Reason::Explored);
        let mut initials = forbidden.filter_map(|sleeper| self.sequence.weak_initial(sleeper, World::of(search)));
        initials.any(|initial| matches!(initial, Initial::Member(at) if !self.sequence.is_last(at)))
    }

    /// Inserts everybody who could run at a node.
    #[cold]
    fn insert_everybody<M: Machine>(&mut self, search: &mut Search<'_, M>, number: usize) {
        search.seek(number);
        let live: Vec<_> = search.machine.live().iter().collect();
        let mut variants = Vec::new();
        for process in live {
            search.variants(process, &mut variants);
            for &variant in &variants {
                self.sequence.of_one(process, variant);
                self.insert(search, number);
            }
        }
    }
}

impl<M: Machine> Reverse<M> for Inserting<'_> {
    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        let record = *search.execution.record(race.second);
        let as_it_was = [Variant { label: record.label, footprint: record.footprint }];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        for &variant in variants {
            let number = race.first.index();
            if self.contextual.is_none() {
                self.sequence.reverse(race, variant, &search.execution);
                self.insert(search, number);
                continue;
            }
            if record.internal {
                // It commutes with everything.
                self.sequence.of_one(record.process, variant);
                self.insert(search, number);
                continue;
            }
            self.sequence.reverse_shortly(race, variant, &search.execution);
            let inserted = if race.is_unsure(&search.execution) && self.begins_in_vain(search, number) {
                self.insert_everybody(search, number);
                true
            } else {
                self.insert(search, number)
            };
            if let (true, Some(contextual)) = (inserted, &mut *self.contextual) {
                contextual.look_into_variant(search, race, variant);
            }
        }
    }
}

impl<M: Machine> Strategy<M> for Optimal {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let branch = self.inherited.take();
        self.nodes.push(Node { branch, explored: false });
        if search.has_halted() {
            return Err(Leaf::Complete);
        }
        if self.contextual.as_ref().is_some_and(|contextual| contextual.is_in_vain(search)) {
            return Err(Leaf::Blocked);
        }
        let step = match self.take_branch() {
            Some(step) => step,
            None => match search.machine.urgent() {
                Some(urgent) => match self.sleep.first_awake(search, urgent, Script::First) {
                    Some(script) => (urgent, script),
                    None => self.forbidden(search).ok_or(Leaf::Blocked)?,
                },
                None => match &self.contextual {
                    None => self.sleep.pick_awake(search)?,
                    Some(contextual) => match contextual.pick(search, &self.sleep) {
                        Ok(step) => step,
                        Err(leaf) => self.forbidden(search).ok_or(leaf)?,
                    },
                },
            },
        };
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        self.take_branch().or_else(|| self.go_on(search))
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        let event = search.execution.last().expect("a step was taken");
        self.sleep.descend(event, &search.footprints);
        if let Some(contextual) = &mut self.contextual {
            contextual.dont.descend(event, &search.footprints, &mut self.sleep);
        }
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        let left = self.nodes.pop().expect("a node is left");
        if let Some(branch) = left.branch {
            self.wakeup.discard(branch);
        }
        if let Some(contextual) = &mut self.contextual {
            contextual.dont.ascend();
            let node = self.nodes.last_mut().expect("the root is never left");
            if contextual.dont.forbids(search.execution.len(), event) {
                return self.sleep.ascend_in_vain(event);
            }
            node.explored = true;
        }
        self.sleep.ascend(event);
    }

    fn reverse_races(&mut self, search: &mut Search<'_, M>) {
        let in_vain = |contextual: &Contextual| contextual.is_in_vain(search);
        if mutation::on(Mutation::InVainWithoutRaces) && self.contextual.as_ref().is_some_and(in_vain) {
            return;
        }
        let Optimal { nodes, wakeup, sleep, races, sequence, contextual, .. } = self;
        let inserting = &mut Inserting { nodes, wakeup, sleep, sequence, contextual };
        races.for_each(search, Wanted::Changed, inserting);
        if search.has_halted() && !mutation::on(Mutation::HaltWithoutAlternatives) {
            self.alternatives_to_end(search);
        }
    }
}
