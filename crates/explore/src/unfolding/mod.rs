//! `quasi:K`, `quasi:optimal`: exploring the unfolding.
//!
//! # Paper
//! Nguyen, Rodríguez, Sousa, Coti, Petrucci, *Quasi-optimal partial order reduction*, CAV 2018, Algorithm 1, after Rodríguez, Sousa, Sharma,
//! Kroening, *Unfolding-based partial order reduction*, CONCUR 2015.
//!
//! # Guarantee
//! Exactly one complete execution for each Mazurkiewicz trace. With `quasi:optimal` no exploration is blocked; with `quasi:K` some can be, the fewer
//! the larger K is.
//!
//! # Names
//! *U* is [`Structure`]; *C* is [`Configuration`], and the current execution is an interleaving of it; *D* is `disabled`, and as steps [`Sleep`]; *A*, the part of an
//! alternative that is still to be followed, is `guide`; *Alt(C, D)* is [`Comb::find`]; *ex(C)* and *cex(C)* are [`extension`]; *Q(C, D)* is `needed`;
//! a *spike* is the part of the [`future`] that conflicts with one event.
//!
//! # Deviations
//! 1. The paper's programs race on mutexes only. Here an action is a step with the locations that it used, two reads of a location are independent, and what a step uses can
//!    depend on what ran before. An event is a step with its footprint and its history; the trees of the locations are those of [`structure`].
//! 2. Conflicting extensions come from the races of an execution that has come to its end, each race once, by way of [`crate::races`]: so steps that do something else when
//!    they come earlier, steps that wait, variants of a step, and ends of executions are what they are in the other engines. The paper takes an acquisition
//!    back over all acquisitions before it; here the others are found when the first is explored. Let M be a maximal configuration that contains C and nothing of D = {d1, …, dn}, in the
//!    order in which they were explored, and let c1, …, cn-1 be known events of M that conflict with d1, …, dn-1. If none of them or of their histories
//!    depends on dn, then C with dn and these could be extended without D, and was; there dn raced with the first event of M that depends on it, so that one is known.
//! 3. Disabled events that conflict with the configuration are dropped, as from a sleep set: the configuration conflicts with them already.
//! 4. Causality and conflict of single events (Theorem 6, [`causality`]) are asked for by drawings only. The exploration asks whether an event fits a configuration: that has one map of threads and
//!    one of locks, and an event is added to it with what is missing of its history; that costs what is missing, whereas maps cost memory for every event.
//! 5. U is not pruned on each return, but when it has grown to four times its size. What is kept is less than the paper's: what could still be picked at its node.
//! 6. After an alternative, the exploration goes on with what the alternative leaves of the execution before: the clue is larger than the paper's, and its events need not be looked up.
//! 7. A k-partial alternative is, of a few that were found, one that conflicts with the most.
//! 8. After an event that ended the execution, everybody else who could have run in its place is an extension.
//!
//! # Cost
//! An event costs a look into a table. Leaving an event costs nothing where nobody conflicts with it, mostly a look at a few of those who do, and otherwise a walk through the [`future`] of the node. Nothing is
//! allocated for an event in the steady state.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

mod alternative;
mod ancestry;
mod causality;
mod configuration;
mod drawing;
mod extension;
mod future;
mod spike;
mod structure;
mod uses;

use mazurka_machine::Machine;
use mazurka_relation::Footprints;
use mazurka_trace::{ProcessId, Unfolded};

use crate::Options;
use crate::choices::Script;
use crate::driver::{Step, Strategy};
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::races::{Races, Wanted};
use crate::search::{Leaf, Search};
use crate::sleep::Sleep;
use alternative::{Comb, Question};
use configuration::Configuration;
use extension::Extending;
use spike::Spike;
use structure::{Draft, Name, Structure};

/// The structure is pruned when it has so many times as many events as it had after the last time.
const GROWTH: usize = 4;

/// It is not pruned while it has fewer events.
const FEWEST: usize = 32_768;

/// The same in tests, so that small programs try out pruning: where first choices are random, and in debug builds.
const FEWEST_IN_TESTS: usize = 64;

/// Exploration of the unfolding.
pub(crate) struct Unfolding {
    /// How many disabled events an alternative has to conflict with.
    width: usize,
    structure: Structure,
    /// Memory for pruning it.
    spare: Structure,
    /// The current configuration: the events of the current execution.
    configuration: Configuration,
    /// What is disabled at each node, as steps; and the same as events.
    sleep: Sleep,
    disabled: Vec<Name>,
    starts: Vec<u32>,
    /// The alternative that is being followed, and how far.
    guide: Vec<Name>,
    followed: usize,
    /// The events of the last execution.
    last: Vec<Name>,
    /// The event that the last step of it was to be.
    expected: Option<Name>,
    /// There are configurations without the event that was explored last.
    avoidable: bool,
    comb: Comb,
    races: Races,
    draft: Draft,
    /// It is not pruned while it has fewer events.
    fewest: usize,
    /// The structure is pruned when it has so many events.
    prune_at: usize,
    asked: u64,
    found: u64,
}

impl Unfolding {
    /// With alternatives that conflict with so many of the disabled events; with all of them, if no number is given.
    pub(crate) fn new(options: &Options) -> Self {
        let width = options.algorithm.width();
        let fewest = if cfg!(debug_assertions) || options.shuffle.is_some() { FEWEST_IN_TESTS } else { FEWEST };
        Self {
            width: width.unwrap_or(usize::MAX),
            structure: Structure::new(options.skip_step),
            spare: Structure::new(options.skip_step),
            configuration: Configuration::default(),
            sleep: Sleep::default(),
            disabled: Vec::new(),
            starts: vec![0],
            guide: Vec::new(),
            followed: 0,
            last: Vec::new(),
            expected: None,
            avoidable: false,
            comb: Comb::default(),
            races: Races::new(width.is_some()),
            draft: Draft::default(),
            fewest,
            prune_at: fewest,
            asked: 0,
            found: 0,
        }
    }

    /// The same, but nothing is dropped until there are more events than so many: for a drawing.
    pub(crate) fn keeping(self, most: usize) -> Self {
        Self { prune_at: most.saturating_add(1), ..self }
    }

    /// What it took.
    pub(crate) fn statistics(&self) -> Unfolded {
        let (events, most_events) = self.structure.totals();
        Unfolded { events, most_events, alternatives_asked: self.asked, alternatives_found: self.found }
    }

    /// The next step of the alternative that is being followed.
    #[inline]
    fn guided<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let &name = self.guide.get(self.followed)?;
        let event = self.structure.event(name);
        let (process, label) = (event.process, event.label);
        if self.sleep.has_explored(process, label) || (search.sets_aside() && !can_follow(search, process)) {
            // It is an event that is disabled, by another name; or a data race was not looked for.
            self.give_up(name);
            return None;
        }
        self.followed += 1;
        self.expected = Some(name);
        Some((process, Script::Exactly(label)))
    }

    /// An event of the alternative is not what it was taken for: there is no such alternative.
    ///
    /// After a failed assumption faults do not count. Where the exploration ends with the first failure, nobody looks whether a step
    /// fails when it comes earlier; and if it does, but does not count, it ends the execution.
    #[cold]
    fn give_up(&mut self, name: Name) {
        self.structure.mark_void(name);
        self.guide.clear();
        self.followed = 0;
    }

    /// Looks for an alternative to what is disabled at the newest node, and takes its first step.
    fn turn<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        loop {
            let Unfolding { width, structure, configuration, disabled, starts, guide, comb, last, .. } = self;
            let disabled = &disabled[starts[starts.len() - 1] as usize..];
            let width = if mutation::on(Mutation::PartialAlternatives) { 1 } else { *width };
            let question = Question { structure, footprints: &search.footprints, disabled, width };
            self.followed = 0;
            self.asked += 1;
            if !comb.find(&question, configuration, guide) {
                self.guide.clear();
                return None;
            }
            if !search.limits_switches() {
                go_on_as_before(structure, configuration, last, guide);
            }
            if let Some(step) = self.guided(search) {
                self.found += 1;
                return Some(step);
            }
        }
    }

    /// What is disabled at the newest node.
    fn disabled(&self) -> &[Name] {
        &self.disabled[self.starts[self.starts.len() - 1] as usize..]
    }

    /// What is disabled at a node.
    fn disabled_at(&self, node: usize) -> &[Name] {
        let end = self.starts.get(node + 1).map_or(self.disabled.len(), |&start| start as usize);
        &self.disabled[self.starts[node] as usize..end]
    }

    /// Drops what cannot be needed any more, and gives new names to the rest.
    fn prune(&mut self, footprints: &Footprints) {
        let kept = self.needed(footprints);
        let renamed = self.structure.retain(&kept, &mut self.spare);
        self.configuration.rename(&self.structure, &renamed);
        for name in &mut self.disabled {
            *name = Name(renamed[name.index()]);
        }
        self.guide.clear();
        self.followed = 0;
        self.last.clear();
        self.prune_at = (GROWTH * self.structure.len()).max(self.fewest);
    }

    /// What can still be needed: the current configuration, what is disabled at its nodes, and what is in immediate conflict with these and
    /// could be picked at their nodes, with its history.
    fn needed(&mut self, footprints: &Footprints) -> Vec<bool> {
        let mut kept = vec![false; self.structure.len()];
        let mut prefix = Configuration::default();
        let mut comb = std::mem::take(&mut self.comb);
        for node in 0..self.starts.len() {
            let disabled = self.disabled_at(node);
            let inherited = if node == 0 { &[][..] } else { self.disabled_at(node - 1) };
            let next = self.configuration.events().get(node).copied();
            let question = Question { structure: &self.structure, footprints, disabled, width: 0 };
            for event in disabled.iter().copied().filter(|event| !inherited.contains(event)).chain(next) {
                kept[event.index()] = true;
                if mutation::on(Mutation::PruneConflicts) {
                    continue;
                }
                let mut spike = Spike::new(&self.structure, event);
                while let Some(other) = spike.next(&self.structure, prefix.events()) {
                    if !kept[other.index()] && comb.add(&question, &mut prefix, other) {
                        for &added in &prefix.events()[node..] {
                            kept[added.index()] = true;
                        }
                        prefix.truncate(&self.structure, node);
                    }
                }
            }
            if let Some(next) = next {
                prefix.push(&self.structure, next);
            }
        }
        self.comb = comb;
        kept
    }
}

/// Whether a process can go on after the current execution.
#[cold]
fn can_follow<M: Machine>(search: &mut Search<'_, M>, process: ProcessId) -> bool {
    search.seek(search.execution.len());
    search.can_step(process)
}

/// After an alternative comes what it leaves of the last execution: these events are known, and need not be looked up. What is disabled is not among them.
fn go_on_as_before(structure: &Structure, configuration: &mut Configuration, last: &[Name], guide: &mut Vec<Name>) {
    let base = configuration.len();
    for &event in &*guide {
        configuration.push(structure, event);
    }
    for &event in last.get(base + 1..).unwrap_or_default() {
        let can_follow =
            !configuration.contains(event) && structure.causes(event).all(|cause| configuration.contains(cause));
        if can_follow && configuration.extend(structure, event) {
            guide.push(event);
        } else if can_follow && mutation::on(Mutation::GoOnRegardless) {
            configuration.push(structure, event);
            guide.push(event);
        }
    }
    configuration.truncate(structure, base);
}

impl<M: Machine> Strategy<M> for Unfolding {
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        if search.has_halted() {
            return Err(Leaf::Complete);
        }
        let following = self.followed < self.guide.len();
        let step = match self.guided(search) {
            Some(step) => step,
            None if following => self.turn(search).ok_or(Leaf::Blocked)?,
            None => match search.machine.urgent() {
                Some(urgent) => {
                    let script = self.sleep.first_awake(search, urgent, Script::First).ok_or(Leaf::Blocked)?;
                    (urgent, script)
                }
                None => self.sleep.pick_awake(search)?,
            },
        };
        if search.is_too_long() {
            self.followed = self.guide.len();
            return Err(Leaf::TooLong);
        }
        Ok(step)
    }

    fn descend(&mut self, search: &mut Search<'_, M>) {
        let event = search.execution.last().expect("a step was taken");
        let expected = self.expected.take();
        let name = match expected {
            // It has its history, so it is the event that it was taken for, if it does the same.
            Some(expected) if self.structure.event(expected).footprint == event.footprint => expected,
            _ => {
                let Unfolding { structure, configuration, draft, .. } = self;
                Extending { structure, draft, names: configuration.events() }.newest(search)
            }
        };
        if let Some(expected) = expected.filter(|&expected| expected != name) {
            self.give_up(expected);
        }
        self.configuration.push(&self.structure, name);
        self.sleep.descend(event, &search.footprints);
        let (start, end) = (self.starts[self.starts.len() - 1] as usize, self.disabled.len());
        self.starts.push(end as u32);
        let mut at = start;
        for sleeper in self.sleep.top() {
            let same = |name: Name| {
                let event = self.structure.event(name);
                (event.process, event.label) == (sleeper.process, sleeper.label)
            };
            while !same(self.disabled[at]) {
                at += 1;
            }
            self.disabled.push(self.disabled[at]);
            at += 1;
        }
    }

    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        let name = self.configuration.pop(&self.structure);
        let start = self.starts.pop().expect("the root is never left");
        self.disabled.truncate(start as usize);
        self.sleep.ascend(event);
        self.avoidable = self.sleep.top().len() > self.disabled().len();
        if self.avoidable {
            self.disabled.push(name);
        }
        if self.structure.len() >= self.prune_at {
            self.prune(&search.footprints);
        }
    }

    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        if self.avoidable { self.turn(search) } else { None }
    }

    fn reverse_races(&mut self, search: &mut Search<'_, M>) {
        let Unfolding { structure, configuration, draft, races, last, .. } = self;
        last.clear();
        last.extend_from_slice(configuration.events());
        let mut extending = Extending { structure, draft, names: configuration.events() };
        races.for_each(search, Wanted::New, &mut extending);
        if search.has_halted() && !mutation::on(Mutation::HaltWithoutAlternatives) {
            extending.instead_of_end(search);
        }
    }
}
