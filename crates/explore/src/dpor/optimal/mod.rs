//! `optimal`: wakeup trees. `optimal-cs`: the same, without what commutes where it happens.
//! `observers`: the same, with two writes ordered only if somebody observes what they leave.
//! `optimal-cs-observers`: both. `optimal-constrained`, `optimal-constrained-observers`:
//! `optimal-cs` and `optimal-cs-observers`, with events left unordered that constraints say commute
//! uniformly.
//!
//! # Paper
//! Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014,
//! Algorithm 2, in the formulation with sleep sets. For `optimal-cs`: Albert and others, *Optimal
//! context-sensitive dynamic partial order reduction with observers*, JSS 2023, Algorithm 1; the
//! check and the don't-do sets are [`crate::dpor::context`] and [`crate::dpor::dont`]. For
//! `observers`: Fig. 5 of the same paper, after Aronis, Jonsson, Lång, Sagonas, TACAS 2018; the
//! order is [`crate::execution`]'s, the condition on which steps sleep [`crate::order`]'.
//!
//! # Guarantee
//! `optimal`: exactly one complete execution for each Mazurkiewicz trace, and no exploration is
//! ever blocked. `optimal-cs`: at most one complete execution for each trace; all states in which
//! an execution can end, and all failures, are found. Explorations are blocked where a don't-do
//! set, or a sleep set, leaves nothing to do.
//!
//! `observers`: what processes see, and all failures, are found, by exactly one complete execution
//! for each class of those that differ only in what nobody observes, none blocked; by more of them
//! where steps make data choices, or read a location in one order and not in another, and where
//! deviation 9 counts as observed what nobody reads. `optimal-cs-observers`:
//! the same is found, by executions of which some can be of the same class; explorations are
//! blocked as in `optimal-cs`.
//!
//! With constraints: the same, see [`crate::order`].
//!
//! # Names
//! *wut(E)* is the forest that begins at `Node::branch`, see [`wakeup`]; *sleep(E)* is [`Sleep`];
//! *v = notdep(e, E).e'* is [`Sequence`]; *WI(v)* is [`Sequence::weak_initial`]; *pre(E, e)* is
//! node number `e`; *dnd(E)* is `Contextual::dont`.
//!
//! # Deviations
//! 1. A race is not dealt with again where its wakeup sequence is what it was at the end of the
//!    execution before, or a beginning of that, see [`crate::races`]. In `optimal`, neither is one
//!    that was covered by steps of the sequence, all of which are still there: a step that sleeps,
//!    or the path to a leaf of the wakeup tree. Nothing that these steps need is in the sequence
//!    then, whatever follows, so they begin every sequence of this race as long as they stay.
//! 2. The last event of a wakeup sequence can do something else before `e` than it did after it.
//!    Where it could, it is looked at in its new context, by rewinding and stepping; so the
//!    footprints in wakeup trees are exact, and with data choices each variant becomes a sequence
//!    of its own. Only that it fails is not looked for, where the first failure ends the
//!    exploration. Such a step can be explored after a failed assumption, where it does not count;
//!    it then races with all that came before, and the branch that requests it is known to fail.
//! 3. A step is a process with the data choices it makes; its variants conflict like steps of
//!    different processes of which only one can run. An event races with the other variants of its
//!    step, see [`crate::races`].
//! 4. Waiting steps and attempts: see [`crate::races`].
//! 5. After an event that ended the execution, everybody else who could have run in its place is
//!    inserted as a sequence of one.
//!
//! For `optimal-cs`, where the paper's algorithm loses states (each has a program in the tests):
//! 6. A node whose wakeup tree requested forbidden steps only goes on with somebody else. The paper
//!    runs the forbidden step for its races and leaves the node; but what comes before that step in
//!    other executions is not explored then.
//! 7. What was explored is known by the states it led to, not by all of its executions. So wakeup
//!    trees share a branch only if its step is part of both sequences, and do not stand for what
//!    commutes with it: each sequence is compared with what was explored when its branch is taken.
//!    A sequence holds all that does not happen after the first event of its race, as in `optimal`,
//!    but for those that a don't-do set would cut before their end. Then it is as short as it can
//!    be, *ance(e, e', E).e'*: the paper's future initials would make it longer with steps that are
//!    forbidden, and then redundant. What this costs is that sleep sets can block. Another variant
//!    of a step is requested alone, if it needs nothing else. What is to be explored from a node
//!    when it turns out that it would be cut is requested once more, in the order that is explored
//!    instead (not with constraints: see 17). Where one of the two steps creates processes whose
//!    names states do not tell, others can stand in for these in that order. Then everybody is
//!    explored from where the first of them would be needed.
//! 8. Where only the machine knows what the second event needs, and the sequence begins with a
//!    forbidden step, everybody at that node is explored.
//!
//! For `observers`:
//! 9. Writes of a location that somebody waits for, and of waiting steps, count as observed: what a
//!    step that cannot run would read is not seen in an execution. So do writes that can be part of
//!    a data race, where the machine looks for those. So does everything that is written, where a
//!    fault, or the program itself, ends executions before everybody has ended and the exploration
//!    goes on after that: how far the others had come counts then. So does what a step reads in one
//!    order and not in another: in which order it was written when the step did not read it is
//!    arbitrary, and the other order can have been taken for explored.
//! 10. What the program does once every process has ended observes like an event that comes after
//!     all others.
//! 11. A step that was explored with one of several data choices, and overtaken since, covers only
//!     what it is part of: it could still make others.
//!
//! For `optimal-cs-observers` (Algorithm 2 of the paper):
//! 12. Where an exploration was cut, nobody sees what would have been observed. Where it was cut by
//!     a don't-do sequence, the same events in another order were explored to their end: only
//!     writes whose order the other one does not tell count as observed, see [`crate::execution`].
//!     Where it was cut by a sleep set, the last write of every location does. Sequences share a
//!     branch only if they begin with its step whoever observes it.
//! 13. An explored step q covers what merely commutes with it only if nothing was left out that
//!     happens after it. For a sequence v that commutes with q, whatever comes before q although it
//!     depends on it, d, is found by the race of q and d after q and v. If that execution was left
//!     out for one that leads to the same state, by steps e and e' that commute there, the race is
//!     found in that one; and if e and e' are independent of q, they commute without it as well, so
//!     reversing the race there leads to the same state. But if one of them depends on q, they can
//!     commute after q only. So where an execution is cut, all events that one of the two depends
//!     on are *partially explored*; and so is the first event of a race that is reversed in its
//!     shortest form, which other explored steps can cover. This is so for `optimal-cs` too.
//! 14. Where the sequence of an observed race would be cut, it is reversed as shortly as any other:
//!     its observer is not part of it, but found when that has been explored. Until then the first
//!     event of the race is partially explored only: it could be overtaken, and observed, in an
//!     execution that is not seen.
//! 15. Observed writes are compared like any other race, by whole states. The paper's refined check
//!     (Section 4.3) compares only what their observers write, and loses failures: who reads the
//!     same location later can see what the first observer does not tell (a program in the tests).
//!     With all who read it included, and only where nobody is left who could, it does not leave
//!     out more than whole states do before the very end of an execution: the N writers of
//!     lastwrite-dif then take one execution, not N, and of the order of N! that are cut.
//!
//! With constraints ([`crate::order`] has the argument):
//! 16. Sequences hold events that conflict and are not ordered. Of such, what stands in wakeup
//!     trees and sleep sets tells nothing, so it counts as dependent, and a branch is compared once
//!     more with what sleeps when it is taken.
//! 17. An explored step covers only what it is part of. So nobody counts on what is pending and
//!     turns out to be redundant.
//! 18. What the last step of a sequence uses is asked of the machine wherever it varies, not only
//!     where it reads what the first event of the race wrote.
//!
//! # Cost
//! A race costs the length of the execution after its first event, times the sleepers and branches
//! that the sequence is compared with (mostly decided by the first comparison). Trees live in one
//! pool with a free list.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

mod pending;
mod sequence;
mod wakeup;

use mazurka_machine::Machine;
use mazurka_trace::{EventId, ProcessId};

use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::checking;
use crate::dpor::context::Contextual;
use crate::dpor::cuts::explain_cut;
use crate::dpor::descend::descend;
use crate::dpor::dont::Set;
use crate::driver::Strategy;
use crate::execution::{Causes, Cut, Leaf, Record, Writes};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::{Order, Watched};
use crate::races::{Basis, Observation, Observer, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::{Reason, Sleep, Sleeper};
use sequence::{Initial, Sequence, World, begins_with};
use wakeup::{Branch, Sharing, Wakeup};

/// A node of the current path.
#[derive(Clone, Copy)]
struct Node {
    /// The first branch of the wakeup tree that is still to be explored.
    branch: Option<Branch>,
    /// Some step from it has been explored; not only run redundantly.
    explored: bool,
    /// All variants of the internal step that is taken here are in the wakeup tree, or have been
    /// explored.
    chosen: bool,
    /// Of what the step that is explored from here comes before, something was left out: see
    /// deviation 13.
    partial: bool,
}

/// Exploration by wakeup trees; `PLAIN` where nothing is left out because of states or of
/// observers.
pub(crate) struct Optimal<const PLAIN: bool> {
    nodes: Vec<Node>,
    wakeup: Wakeup,
    /// The wakeup tree that the next node inherits.
    inherited: Option<Branch>,
    sleep: Sleep,
    sequence: Sequence,
    contextual: Option<Contextual>,
    /// Where it counts who observes what is written.
    observers: bool,
    /// The steps that were run redundantly from the nodes of the current path, each with how many
    /// nodes there were.
    redundant: Vec<(usize, ProcessId, ChoiceId)>,
    /// Scratch.
    causes: Causes,
    known: Vec<Watched>,
}

impl Optimal<true> {
    /// Nothing is left out.
    pub(crate) fn plain() -> Self {
        Self::with(None, false)
    }
}

impl Optimal<false> {
    /// `compares` says whether what commutes where it happens is left out, `observers` whether it
    /// counts who observes what is written.
    pub(crate) fn new(compares: bool, observers: bool) -> Self {
        Self::with(compares.then(Contextual::new), observers)
    }
}

impl<const PLAIN: bool> Optimal<PLAIN> {
    fn with(contextual: Option<Contextual>, observers: bool) -> Self {
        Self {
            nodes: Vec::new(),
            wakeup: Wakeup::default(),
            inherited: None,
            sleep: Sleep::default(),
            sequence: Sequence::new(observers),
            contextual,
            observers,
            redundant: Vec::new(),
            causes: Causes::default(),
            known: Vec::new(),
        }
    }

    /// Takes the first branch out of the newest node's wakeup tree.
    #[inline(always)]
    fn take_branch<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>) -> Option<Step> {
        if !PLAIN {
            return self.take_unknown_branch(search, false);
        }
        let node = self.nodes.last_mut()?;
        let taken = self.wakeup.take(node.branch?);
        node.branch = taken.sibling;
        self.inherited = taken.child;
        Some((taken.process, Script::Exactly(taken.choice)))
    }

    /// The same where branches can turn out to have been explored: requested when that was not
    /// known yet. Not so the only branch of a node that has just been reached, `inherited`: that
    /// was looked at one node before.
    fn take_unknown_branch<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        inherited: bool,
    ) -> Option<Step> {
        loop {
            let node = self.nodes.last().expect("the root is never left");
            let looked_at = inherited && self.wakeup.is_only(node.branch?);
            let known = self.contextual.is_some() && !looked_at && self.is_known(node.branch?, search);
            let node = self.nodes.last_mut().expect("the root is never left");
            let taken = self.wakeup.take(node.branch?);
            node.branch = taken.sibling;
            if known {
                if let Some(child) = taken.child {
                    self.wakeup.discard(child);
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
        let (process, choice) = self.wakeup.first(branch);
        if self.sleep.has_explored(process, choice) {
            return true;
        }
        let number = self.nodes.len() - 1;
        let observers = self.observers;
        let footprints = &search.cursor.names.footprints;
        let asleep = self.sleep.at(number).iter().map(|&sleeper| Watched::new(sleeper));
        let watched = search.order.watched(number).iter().copied();
        let known = &mut self.known;
        known.clear();
        known.extend(asleep.chain(watched).filter(|known| known.step().reason == Reason::Explored));
        !known.is_empty()
            && self.wakeup.all_paths(branch, |path, finale| {
                known.iter().any(|watched| {
                    let steps = path.iter().map(|step| (step.process, step.choice, step.footprint));
                    watched.covers(steps, Some(finale), observers, footprints).is_some()
                })
            })
    }

    /// Picks somebody who is awake.
    #[inline]
    fn pick<M: Machine, O: Order<M>>(&self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        match &self.contextual {
            Some(contextual) if !PLAIN => contextual.pick(search, &self.sleep),
            _ => self.sleep.pick_awake(search),
        }
    }

    /// Sequences that share branches are in other orders than the executions they come from. But an
    /// internal step is taken as soon as it can be.
    fn urgent_first<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        branch: Option<Branch>,
    ) -> Option<Branch> {
        let (branch, urgent) = (branch?, search.cursor.machine.urgent());
        let Some(urgent) = urgent else { return Some(branch) };
        let mut variants = Vec::new();
        search.cursor.variants(urgent, &mut variants);
        let Some(&Variant { choice, footprint, .. }) = variants.first() else { return Some(branch) };
        Some(self.wakeup.bring_forward(branch, Sleeper::new(urgent, choice, footprint)))
    }

    /// All that the wakeup tree requested at the newest node was forbidden. Then it tells nothing
    /// of the executions that begin with somebody else.
    #[inline]
    fn go_on<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        if PLAIN {
            return None;
        }
        if self.contextual.is_none() || self.nodes.last()?.explored {
            return None;
        }
        search.seek(search.execution.len());
        self.pick(search).ok().or_else(|| self.forbidden(search))
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
        let forbidden = self.contextual.as_ref()?.dont.forbidden();
        let forbidden: Vec<Sleeper> = forbidden.filter(|step| !self.has_run_for_races(step)).collect();
        for step in forbidden {
            if search.cursor.machine.live().contains(step.process) && search.cursor.machine.is_enabled(step.process) {
                self.sequence.of_one(step.process, Variant::new(step.choice, step.footprint));
                let number = self.nodes.len() - 1;
                self.wakeup.insert(
                    &mut self.nodes[number].branch,
                    &mut self.sequence,
                    World::of(search),
                    Sharing::Members(&Set::default()),
                );
            }
        }
        self.take_branch(search)
    }

    /// Whether the execution, which has come to its end, is one that was explored before as far as
    /// somebody observes it. The machine is there.
    fn is_explored<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>) -> bool {
        self.contextual.is_some() && search.order.was_seen(&mut search.cursor, &search.execution)
    }

    /// The newest event is redundant: what follows it here is left out of all that one of the two
    /// events in question depends on.
    fn note_left_out<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, redundant: Cut) {
        let both = [search.execution.len() - 1, redundant.second.index()];
        self.causes.find(&search.execution, &both, Writes::Ordered);
        for (node, &needed) in self.nodes.iter_mut().zip(self.causes.events()) {
            node.partial |= needed;
        }
    }
}

/// Inserting sequences into wakeup trees.
impl<const PLAIN: bool> Optimal<PLAIN> {
    /// Reverses a race, if nothing but its second event has to run for that: all that comes after
    /// the first event happens after it. None where it is not so.
    #[inline(always)]
    fn insert_single<M: Machine, O: Order<M>>(
        &mut self,
        search: &Search<'_, M, O>,
        race: &Reversal<'_>,
    ) -> Option<Basis> {
        if !PLAIN || !race.is_plain() || !search.execution.precedes_all_from(race.first) {
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
        let covers = !is_redundant && self.wakeup.insert_single(&mut self.nodes[number].branch, step, footprints);
        Some(lasting.filter(|_| covers))
    }

    /// Inserts the sequence at a node, unless what it leads to is explored anyway. Tells what it
    /// rests on that it is.
    fn insert<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) -> Basis {
        if !PLAIN && self.contextual.is_some() {
            self.insert_among_forbidden(search, number);
            return None;
        }
        let world = World::of(search);
        if PLAIN {
            let mut is_redundant = false;
            for sleeper in self.sleep.at(number) {
                // One that is no step of the sequence is enough; a step of it lasts longer.
                if is_redundant && !self.sequence.has_steps_of(sleeper.process) {
                    continue;
                }
                match self.sequence.weak_initial(sleeper, world) {
                    Some(Initial::Member(number)) => return self.sequence.basis(number),
                    Some(Initial::Stranger) => is_redundant = true,
                    None => {}
                }
            }
            if is_redundant {
                return None;
            }
        } else if self.is_redundant(search, number) {
            return None;
        }
        self.wakeup.insert(&mut self.nodes[number].branch, &mut self.sequence, world, Sharing::Commuting)
    }

    /// Whether some execution that begins with the sequence has been explored at a node, by a step
    /// of which nothing was left out.
    fn is_redundant<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, number: usize) -> bool {
        let world = World::of(search);
        let whole = |sleeper: &&Sleeper| sleeper.reason == Reason::Explored;
        let mut sleepers = self.sleep.at(number).iter().filter(whole);
        match self.observers {
            false => sleepers.any(|sleeper| self.sequence.weak_initial(sleeper, world).is_some()),
            true => {
                let asleep = sleepers.map(|&sleeper| Watched::new(sleeper));
                let watched = search.order.watched(number).iter().filter(|watched| whole(&watched.step())).copied();
                asleep.chain(watched).any(|watched| self.sequence.covered_by(watched, world.footprints).is_some())
            }
        }
    }

    /// The same where steps are forbidden. What was explored is known by its states, not by all of
    /// its executions, so it covers only sequences that begin with it, not those that could.
    fn insert_among_forbidden<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) {
        let world = World::of(search);
        let sequence = &mut self.sequence;
        for sleeper in self.sleep.at(number) {
            match sequence.begins_with(sleeper, world) {
                Some(Initial::Member(_)) => {}
                Some(Initial::Stranger) if mutation::on(Mutation::ForbiddenCovers) => return,
                _ => continue,
            }
            if sleeper.reason != Reason::Forbidden {
                return;
            }
            // All of it is redundant, but the step has not been run for its races.
            let Sleeper { process, choice, footprint, .. } = *sleeper;
            sequence.of_one(process, Variant::new(choice, footprint));
            break;
        }
        let none = Set::default();
        let dont = self.contextual.as_ref().map_or(&none, |contextual| contextual.dont.at(number));
        let sharing = Sharing::Members(dont);
        self.wakeup.insert(&mut self.nodes[number].branch, sequence, world, sharing);
    }

    /// Whether the sequence, run from a node, could be cut before its end.
    fn may_be_cut<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) -> bool {
        let Some(contextual) = &mut self.contextual else { return false };
        contextual.dont.may_cut(
            number,
            self.sequence.sleepers(),
            &search.cursor.names.footprints,
            !search.order.is_total(),
        ) && !mutation::on(Mutation::WholeThoughRedundant)
    }

    /// Whether a step is part of the sequence, and nothing of that comes before it.
    fn needs_nothing<M: Machine, O: Order<M>>(
        &self,
        search: &Search<'_, M, O>,
        process: ProcessId,
        variant: Variant,
    ) -> bool {
        let step = Sleeper::new(process, variant.choice, variant.footprint);
        matches!(self.sequence.begins_with(&step, World::of(search)), Some(Initial::Member(_)))
    }

    /// Whether the sequence begins with a forbidden step that is not known to be needed.
    fn begins_with_forbidden<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, number: usize) -> bool {
        let forbidden = self.sleep.at(number).iter().filter(|sleeper| !sleeper.reason.is_explored());
        let mut initials = forbidden.filter_map(|sleeper| self.sequence.begins_with(sleeper, World::of(search)));
        initials.any(|initial| matches!(initial, Initial::Member(at) if !self.sequence.is_last(at)))
    }

    /// Inserts everybody who could run at a node.
    #[cold]
    fn insert_everybody<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, number: usize) {
        search.seek(number);
        let live: Vec<_> = search.cursor.machine.live().iter().collect();
        let mut variants = Vec::new();
        for process in live {
            search.cursor.variants(process, &mut variants);
            for &variant in &variants {
                self.sequence.of_one(process, variant);
                self.insert(search, number);
            }
        }
    }
}

impl<M: Machine, O: Order<M>, const PLAIN: bool> Reverse<M, O> for Optimal<PLAIN> {
    fn wanted(&self) -> Wanted {
        Wanted::Changed
    }

    fn keeps_footprints(&self) -> bool {
        true
    }

    fn requests_every_variant(&self) -> bool {
        self.contextual.is_some()
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
        let chooses = record.internal && race.first == race.second;
        self.nodes[number].chosen |= chooses;
        let mut basis = None;
        for &variant in variants {
            self.sequence.reverse(race, variant, World::of(search));
            checking::check_sequence(search, number, self.sequence.sleepers());
            if PLAIN || self.contextual.is_none() {
                basis = self.insert(search, number);
                continue;
            }
            if self.is_redundant(search, number) {
                self.nodes[number].chosen = false;
                continue;
            }
            if record.internal || (race.first == race.second && self.needs_nothing(search, record.process, variant)) {
                // It commutes with all of the sequence.
                self.sequence.of_one(record.process, variant);
                self.insert(search, number);
                continue;
            }
            if let Some(contextual) = &mut self.contextual
                && contextual.compare_variant(search, race, variant)
            {
                self.move_pending(search, race.first, race.second);
            }
            if !self.may_be_cut(search, number) {
                self.insert(search, number);
                continue;
            }
            self.sequence.reverse_shortly(race, variant, World::of(search));
            checking::check_sequence(search, number, self.sequence.sleepers());
            let unsure = race.is_unsure(&search.execution);
            self.nodes[number].partial |= unsure || !mutation::on(Mutation::ShortThoughWhole);
            if unsure && self.begins_with_forbidden(search, number) {
                self.insert_everybody(search, number);
            } else {
                self.insert(search, number);
            }
        }
        basis.filter(|_| PLAIN && variants.len() == 1)
    }

    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        match self.insert_single(search, race) {
            Some(basis) => basis,
            None => self.reverse(search, race),
        }
    }

    fn wants_variants(&self, search: &Search<'_, M, O>, event: EventId) -> bool {
        PLAIN
            || self.contextual.is_none()
            || !search.execution.record(event).internal
            || !self.nodes[event.index()].chosen
    }

    fn reverse_observed(&mut self, search: &mut Search<'_, M, O>, race: &Observation<'_>) {
        let number = race.first.index();
        let ways = match race.observer {
            Observer::Event(_, variants) => variants.len(),
            Observer::Finale(_) => 1,
        };
        let mut looked = false;
        for way in 0..ways {
            let variant = match race.observer {
                Observer::Event(_, variants) => Some(variants[way]),
                Observer::Finale(_) => None,
            };
            self.sequence.reverse_observed(race, variant, World::of(search));
            if self.contextual.is_some() && self.is_redundant(search, number) {
                continue;
            }
            if let Some(contextual) = &mut self.contextual
                && !std::mem::replace(&mut looked, true)
                && contextual.compare_writes(search, race)
            {
                self.move_pending(search, race.first, race.second);
            }
            if self.may_be_cut(search, number) {
                self.nodes[number].partial = true;
                self.sequence.reverse_observed_shortly(race, World::of(search));
            }
            self.insert(search, number);
        }
    }
}

impl<M: Machine, O: Order<M>, const PLAIN: bool> Strategy<M, O> for Optimal<PLAIN> {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        let mut branch = self.inherited.take();
        if !PLAIN && self.contextual.is_some() {
            branch = self.urgent_first(search, branch);
        }
        self.nodes.push(Node { branch, explored: false, chosen: false, partial: false });
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        if !PLAIN && self.contextual.as_ref().is_some_and(|contextual| contextual.is_redundant(search)) {
            return Err(Leaf::Blocked);
        }
        let inherited =
            if PLAIN { self.take_branch(search) } else { self.take_unknown_branch(search, search.order.is_total()) };
        let step = match inherited {
            Some(step) => step,
            None => match search.cursor.machine.urgent() {
                Some(urgent) => match self.sleep.first_awake(search, urgent, Script::First) {
                    Some(script) => (urgent, script),
                    None => self.forbidden(search).ok_or(Leaf::Blocked)?,
                },
                None => match self.pick(search) {
                    Ok(step) => step,
                    Err(leaf) if PLAIN || self.contextual.is_none() => return Err(leaf),
                    Err(Leaf::Complete) if self.is_explored(search) => return Err(Leaf::Blocked),
                    Err(leaf) => self.forbidden(search).ok_or(leaf)?,
                },
            },
        };
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        self.take_branch(search).or_else(|| self.go_on(search))
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M, O>) {
        if PLAIN {
            let event = search.execution.last().expect("a step was taken");
            return self.sleep.descend(event, &search.cursor.names.footprints);
        }
        descend(search, &mut self.sleep, &mut self.contextual);
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        let left = self.nodes.pop().expect("a node is left");
        if let Some(branch) = left.branch {
            self.wakeup.discard(branch);
        }
        if PLAIN {
            return self.sleep.ascend(event);
        }
        search.order.ascend();
        if let Some(contextual) = &mut self.contextual {
            contextual.dont.ascend();
            while self.redundant.last().is_some_and(|run| run.0 > self.nodes.len()) {
                self.redundant.pop();
            }
            let number = self.nodes.len();
            let node = self.nodes.last_mut().expect("the root is never left");
            let partial = std::mem::take(&mut node.partial);
            if contextual.dont.forbids(search.execution.len(), event) {
                self.redundant.push((number, event.process, event.choice));
                return self.sleep.ascend_redundant(event);
            }
            node.explored = true;
            let whole = !partial && search.order.is_total();
            let whole = whole || mutation::on(Mutation::ExploredThoughLeftOut);
            let reason = if whole { Reason::Explored } else { Reason::PartiallyExplored };
            return self.sleep.ascend_for(event, reason);
        }
        self.sleep.ascend(event);
    }

    fn end(&mut self, search: &mut Search<'_, M, O>) -> Option<Cut> {
        let cut = self.contextual.as_ref().and_then(|contextual| contextual.reason(search));
        explain_cut(search, &self.sleep, self.contextual.as_ref());
        if let Some(cut) = cut {
            self.note_left_out(search, cut);
        }
        cut
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M, O>) {
        let number = search.execution.len() - 1;
        let ender = search.execution.last().expect("some event ended the execution").process;
        search.seek(number);
        let (mut from, mut variants) = (0, Vec::<Variant>::new());
        while let Some(process) = search.cursor.machine.live().next_from(from) {
            from = process.index() + 1;
            if process == ender {
                continue;
            }
            search.cursor.variants(process, &mut variants);
            for &variant in &variants {
                self.sequence.of_one(process, variant);
                self.insert(search, number);
            }
        }
    }
}
