//! `optimal-cs`: wakeup trees, without what commutes where it happens. `optimal-cs-observers`: the
//! same, with two writes ordered only if somebody observes what they leave. `optimal-constrained`,
//! `optimal-constrained-observers`: these two, with events left unordered that constraints say
//! commute uniformly.
//!
//! # Paper
//! Albert and others, *Optimal context-sensitive dynamic partial order reduction with observers*,
//! JSS 2023, Algorithms 1 and 2; the check and the don't-do sets are [`crate::dpor::context`] and
//! [`crate::dpor::dont`].
//!
//! # Guarantee
//! `optimal-cs`: at most one complete execution for each trace; all states in which an execution
//! can end, and all failures, are found. Explorations are blocked where a don't-do set, or a sleep
//! set, leaves nothing to do. `optimal-cs-observers`: what [`super::wakeups`] promises of
//! `observers` is found, by executions of which some can be of the same class. With constraints:
//! the same, see [`crate::order`].
//!
//! # What an explored step stands for
//! What was explored is known by the states it led to, not by all of its executions. So wakeup
//! trees share a branch only if its step is part of both sequences, and do not stand for what
//! commutes with it: each sequence is compared with what was explored when its branch is taken.
//! What this costs is that sleep sets can block.
//!
//! # Deviations
//! Those of [`super::wakeups`] but the first, and where the paper's algorithm loses states (each
//! has a program in `testkit/tests/twins.rs` or `regressions.rs`):
//! 1. A node whose wakeup tree requested forbidden steps only goes on with somebody else
//!    ([`Pruned::go_on`]). The paper runs the forbidden step for its races and leaves the node; but
//!    what comes before that step in other executions is not explored then.
//! 2. A sequence holds all that does not happen after the first event of its race, as in `optimal`,
//!    but for those that a don't-do set would cut: [`reverse`].
//! 3. An explored step covers what merely commutes with it only if nothing was left out that
//!    happens after it: [`partial`].
//! 4. What is to be explored from a node when it turns out that it would be cut is requested once
//!    more, in the order that is explored instead: [`pending`].
//! 5. Where an exploration was cut, nobody sees what would have been observed. Where it was cut by
//!    a don't-do sequence, the same events in another order were explored to their end: only
//!    writes whose order the other one does not tell count as observed, see [`crate::execution`]
//!    (`NobodyAfterCut` of the mutations has the program). Where it was cut by a sleep set, the
//!    last write of every location does. Sequences share a branch only if they begin with its step
//!    whoever observes it.
//! 6. Nothing is explored beside a redundant step that is inevitable: [`crate::dpor::inevitable`].

mod insert;
mod partial;
mod pending;
mod reverse;

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use super::sequence::{Sequence, World};
use super::tree::{Branch, Sharing, Tree};
use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::context::Contextual;
use crate::dpor::cuts::explain_cut;
use crate::dpor::dont::Set;
use crate::driver::Strategy;
use crate::execution::{Causes, Cut, Leaf, Record};
use crate::names::Variant;
use crate::order::{Order, Watched};
use crate::search::Search;
use crate::sleep::{Reason, Sleep, Sleeper};

/// A node of the current path.
#[derive(Clone, Copy)]
struct Node {
    /// The first branch of the wakeup tree that is still to be explored.
    branch: Option<Branch>,
    /// Some step from it has been explored; not only run redundantly.
    explored: bool,
    /// Nothing else has to be explored than the redundant step that is run first.
    settled: bool,
    /// All variants of the local step that is taken here are in the wakeup tree, or have been
    /// explored.
    chosen: bool,
    /// Of what the step that is explored from here comes before, something was left out: see
    /// [`partial`].
    partial: bool,
}

/// Exploration by wakeup trees, without what leads to states that were reached.
pub(crate) struct Pruned {
    nodes: Vec<Node>,
    tree: Tree,
    /// The wakeup tree that the next node inherits.
    inherited: Option<Branch>,
    sleep: Sleep,
    sequence: Sequence,
    contextual: Contextual,
    /// The steps that were run redundantly from the nodes of the current path, each with how many
    /// nodes there were.
    redundant: Vec<(usize, ProcessId, ChoiceId)>,
    /// Scratch.
    causes: Causes,
    known: Vec<Watched>,
}

impl Pruned {
    /// `observers` says whether it counts who observes what is written.
    pub(crate) fn new(observers: bool) -> Self {
        Self {
            nodes: Vec::new(),
            tree: Tree::default(),
            inherited: None,
            sleep: Sleep::default(),
            sequence: Sequence::new(observers),
            contextual: Contextual::new(),
            redundant: Vec::new(),
            causes: Causes::default(),
            known: Vec::new(),
        }
    }

    fn node(&mut self) -> &mut Node {
        self.nodes.last_mut().expect("the root is never left")
    }

    /// Takes the first branch out of the newest node's wakeup tree that has not been explored by
    /// now. Those of a node that has just been reached, `inherited`, were looked at one node
    /// before where there is only one.
    fn take_branch<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, inherited: bool) -> Option<Step> {
        loop {
            let branch = self.node().branch?;
            let looked_at = inherited && self.tree.is_only(branch);
            let known = !looked_at && self.is_known(branch, search);
            let taken = self.tree.take(branch);
            self.node().branch = taken.sibling;
            if known {
                if let Some(child) = taken.child {
                    self.tree.discard(child);
                }
                continue;
            }
            self.inherited = taken.child;
            return Some((taken.process, Script::Exactly(taken.choice)));
        }
    }

    /// Whether all that begins with a branch of the newest node's wakeup tree has been explored by
    /// now.
    fn is_known<M: Machine, O: Order<M>>(&mut self, branch: Branch, search: &Search<'_, M, O>) -> bool {
        let Sleeper { process, choice, .. } = self.tree.step(branch);
        if self.sleep.has_explored(process, choice) {
            return true;
        }
        let number = self.nodes.len() - 1;
        let (observers, footprints) = (!search.order.orders_writes(), &search.cursor.names.footprints);
        let asleep = self.sleep.at(number).iter().map(|&sleeper| Watched::new(sleeper));
        let watched = search.order.watched(number).iter().copied();
        let known = &mut self.known;
        known.clear();
        known.extend(asleep.chain(watched).filter(|known| known.step().reason == Reason::Explored));
        !known.is_empty()
            && self.tree.all_paths(branch, |path, finale| {
                known.iter().any(|watched| {
                    let steps = path.iter().map(|step| (step.process, step.choice, step.footprint));
                    watched.covers(steps, Some(finale), observers, footprints).is_some()
                })
            })
    }

    /// Sequences that share branches are in other orders than the executions they come from. But an
    /// local step is taken as soon as it can be.
    fn local_first<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        branch: Option<Branch>,
    ) -> Option<Branch> {
        let (branch, at_local) = (branch?, search.cursor.machine.at_local());
        let Some(at_local) = at_local else { return Some(branch) };
        let mut variants = Vec::new();
        search.cursor.variants(at_local, &mut variants);
        let Some(&Variant { choice, footprint, .. }) = variants.first() else { return Some(branch) };
        Some(self.tree.bring_forward(branch, Sleeper::new(at_local, choice, footprint)))
    }

    /// Nothing is requested at the newest node: somebody who is awake; or, where nobody is, those
    /// who are forbidden.
    fn pick<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        if let Some(at_local) = search.cursor.machine.at_local() {
            return match self.sleep.first_awake(search, at_local, Script::First) {
                Some(script) => Ok((at_local, script)),
                None => self.forbidden(search).ok_or(Leaf::Blocked),
            };
        }
        match self.contextual.pick(search, &self.sleep) {
            Ok(step) => Ok(step),
            Err(Leaf::Complete) if search.order.was_seen(&mut search.cursor, &search.execution) => Err(Leaf::Blocked),
            Err(leaf) => self.forbidden(search).ok_or(leaf),
        }
    }

    /// All that the wakeup tree requested at the newest node was forbidden. Then it tells nothing
    /// of the executions that begin with somebody else.
    #[inline]
    fn go_on<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        let node = self.node();
        if node.explored || node.settled {
            return None;
        }
        search.seek(search.execution.len());
        self.contextual.pick(search, &self.sleep).ok().or_else(|| self.forbidden(search))
    }

    /// Whether a step has been run redundantly from the newest node.
    fn has_run_for_races(&self, step: &Sleeper) -> bool {
        let node = self.nodes.len();
        self.redundant
            .iter()
            .rev()
            .take_while(|run| run.0 == node)
            .any(|run| (run.1, run.2) == (step.process, step.choice))
    }

    /// Nobody is awake: those who sleep only because of the don't-do set, and have not been run for
    /// their races, are run once more.
    #[cold]
    fn forbidden<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        let forbidden = self.contextual.dont.forbidden();
        let forbidden: Vec<Sleeper> = forbidden.filter(|step| !self.has_run_for_races(step)).collect();
        for step in forbidden {
            if search.cursor.can_step(step.process) {
                self.sequence.of_one(step.process, Variant::new(step.choice, step.footprint));
                let node = self.nodes.last_mut().expect("the root is never left");
                let sharing = Sharing::Members(&Set::default());
                self.tree.insert(&mut node.branch, &mut self.sequence, World::of(search), sharing);
            }
        }
        self.take_branch(search, false)
    }
}

impl<M: Machine, O: Order<M>> Strategy<M, O> for Pruned {
    fn enter(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        let inherited = self.inherited.take();
        let branch = self.local_first(search, inherited);
        self.nodes.push(Node { branch, explored: false, settled: false, chosen: false, partial: false });
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        if self.contextual.is_redundant(search) {
            return Err(Leaf::Blocked);
        }
        // Where not all conflicts are ordered, what sleeps is known of the newest node alone.
        let step = match self.take_branch(search, search.order.is_total()) {
            Some(step) => step,
            None => match self.contextual.inevitable(search) {
                Some(step) => {
                    self.node().settled = true;
                    step
                }
                None => self.pick(search)?,
            },
        };
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    fn next(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        self.take_branch(search, false).or_else(|| self.go_on(search))
    }

    fn descend(&mut self, search: &mut Search<'_, M, O>) {
        self.contextual.wake(search, &mut self.sleep);
    }

    fn ascend(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        let left = self.nodes.pop().expect("a node is left");
        if let Some(branch) = left.branch {
            self.tree.discard(branch);
        }
        search.order.ascend();
        self.contextual.dont.ascend();
        while self.redundant.last().is_some_and(|run| run.0 > self.nodes.len()) {
            self.redundant.pop();
        }
        let number = self.nodes.len();
        let partial = std::mem::take(&mut self.node().partial);
        if self.contextual.dont.forbids(search.execution.len(), event) {
            self.redundant.push((number, event.process, event.choice));
            return self.sleep.ascend_redundant(event);
        }
        self.node().explored = true;
        self.sleep.ascend_for(event, partial::reason(partial, search.order.is_total()));
    }

    fn end(&mut self, search: &mut Search<'_, M, O>) -> Option<Cut> {
        let cut = self.contextual.reason(search);
        explain_cut(search, &self.sleep, Some(&self.contextual));
        if let Some(cut) = cut {
            self.note_left_out(&search.execution, cut);
        }
        cut
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M, O>) {
        let number = search.execution.len() - 1;
        for (process, variant) in search.instead_of_end() {
            self.sequence.of_one(process, variant);
            self.insert(search, number);
        }
    }
}
