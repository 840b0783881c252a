//! `quasi:K`, `quasi:optimal`: exploring the unfolding.
//!
//! # Paper
//! Nguyen, Rodríguez, Sousa, Coti, Petrucci, *Quasi-optimal partial order reduction*, CAV 2018,
//! Algorithm 1, after Rodríguez, Sousa, Sharma, Kroening, *Unfolding-based partial order
//! reduction*, CONCUR 2015.
//!
//! # Guarantee
//! Exactly one complete execution for each Mazurkiewicz trace. With `quasi:optimal` no exploration
//! is blocked; with `quasi:K` some can be.
//!
//! A (K+1)-partial alternative is a K-partial one, so the larger K is, the fewer there are to pick
//! from at a node, and where none is left the exploration returns earlier. But which one is picked
//! decides what is explored and disabled first, and so what is requested afterwards: the theory
//! does not promise that blocked explorations never rise with K. Over many programs they fall
//! steeply, but in one random program of some thousands `quasi:2` blocks more than `quasi:1`
//! (`cargo xtask fuzz --widths` counts them).
//!
//! # Names
//! *U* is [`Structure`]; *C* is [`Configuration`], and the current execution is an interleaving of
//! it; *D* is what the [`comb`] has, and as steps [`Sleep`]; *A*, the part of an alternative that
//! is still to be followed, is `guide`; *Alt(C, D)* is [`Finder::find`]; *ex(C)* and *cex(C)* are
//! [`extension`]; *Q(C, D)* is `needed`; a [`spike`] is what can come instead of one event.
//!
//! # Deviations
//! 1. The paper's programs race on mutexes only. Here an action is a step with the locations that
//!    it used, two reads of a location are independent, and what a step uses can depend on what ran
//!    before. An event is a step with its footprint and its history; the trees of the locations are
//!    those of [`structure`].
//! 2. Conflicting extensions come from the races of an execution that has come to its end, each
//!    race once, by way of [`crate::races`]: so steps that do something else when they come
//!    earlier, steps that wait, variants of a step, and ends of executions are what they are in the
//!    other engines. The paper takes an acquisition back over all acquisitions before it; here the
//!    others are found when the first is explored.
//! 3. A spike holds what was found in a race with its event, rather than all that is known to
//!    conflict with it. Why that is enough: [`alternative`]. For steps whose accesses vary with
//!    what they read, and for steps that wait, it is not: a race says how such a step can come
//!    after everything else, and only the exploration of that, how it can come before some of it.
//!    What is found of these can come instead of whatever was disabled on the way
//!    ([`Comb::note_varying`]).
//! 4. Disabled events that conflict with the configuration are dropped, as from a sleep set: the
//!    configuration conflicts with them already.
//! 5. Causality and conflict of any two events (Theorem 6, [`causality`]) are requested by drawings
//!    only. The exploration asks whether what can come instead of an event still fits after one
//!    more event: for that the part of its history that was missing when it was found is compared
//!    with the new event. Maps of threads and locks would be made for each event, and cost more to
//!    make than all questions about most events do (`bench/results`).
//! 6. U is not pruned on each return, but when it has grown to four times its size. What is kept is
//!    less than the paper's: what could still be picked at its node.
//! 7. After an alternative, the exploration goes on with what the alternative leaves of the
//!    execution before: the clue is larger than the paper's, and its events need not be looked up.
//! 8. A k-partial alternative conflicts with what was disabled last and with the k - 1 oldest. Of a
//!    few that were found, it is one that conflicts with the most.
//! 9. After an event that ended the execution, everybody else who could have run in its place is an
//!    extension.
//!
//! # Cost
//! An event costs a look at those that come right after its newest cause. Leaving an event costs
//! nothing where nothing was found instead of it and nothing conflicts with it; otherwise mostly a
//! look at the spike of the oldest disabled event, which is sifted once for each node. Nothing is
//! allocated for an event in the steady state.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

mod alternative;
mod ancestry;
mod causality;
mod comb;
mod configuration;
mod drawing;
mod extension;
mod marks;
mod spike;
mod structure;
mod uses;
mod varying;

use std::num::NonZeroU32;

use mazurka_machine::Machine;
use mazurka_relation::Footprints;
use mazurka_trace::{ProcessId, Unfolded};

use crate::Options;
use crate::choices::{Script, Step};
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::mutation::{self, Mutation};
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::Sleep;
use alternative::{Finder, Question};
use comb::{Comb, Dependence};
use configuration::Configuration;
use extension::Extending;
use marks::Marks;
use spike::Part;
use structure::{Draft, Name, Structure};

/// The structure is pruned when it has so many times as many events as it had after the last time.
const GROWTH: usize = 4;

/// It is not pruned while it has fewer events: so many stay in a processor's cache.
const FEWEST: usize = 4_096;

/// The same in tests, so that small programs try out pruning: where first choices are random, and
/// in debug builds.
const FEWEST_IN_TESTS: usize = 64;

/// For so many events, or parts of them, there is room from the beginning.
const ROOM: usize = 256;

/// Exploration of the unfolding.
pub(crate) struct Unfolding {
    /// How many disabled events an alternative has to conflict with.
    width: usize,
    structure: Structure,
    /// Memory for pruning it.
    spare: Structure,
    /// The current configuration: the events of the current execution.
    configuration: Configuration,
    /// What is disabled at each node, as steps; and the same as events, with what can come instead
    /// of them.
    sleep: Sleep,
    comb: Comb,
    /// The alternative that is being followed, and how far.
    guide: Vec<Name>,
    followed: usize,
    /// The events of the last execution.
    last: Vec<Name>,
    /// The event that the last step of it was to be.
    expected: Option<Name>,
    /// There are configurations without the event that was explored last.
    avoidable: bool,
    finder: Finder,
    draft: Draft,
    /// How far apart skip pointers lie in drawings.
    skip_step: u32,
    /// The events of the last execution, and those of an alternative that it does not have.
    had: Marks,
    foreign: Vec<Part>,
    /// It is not pruned while it has fewer events.
    fewest: usize,
    /// The structure is pruned when it has so many events.
    prune_at: usize,
    asked: u64,
    found: u64,
}

impl Unfolding {
    /// With alternatives that conflict with so many of the disabled events; with all of them, if no
    /// number is given.
    pub(crate) fn new(width: Option<NonZeroU32>, options: &Options) -> Self {
        let fewest = if cfg!(debug_assertions) || options.shuffle.is_some() { FEWEST_IN_TESTS } else { FEWEST };
        Self {
            width: width.map_or(usize::MAX, |width| width.get() as usize),
            structure: Structure::default(),
            spare: Structure::default(),
            configuration: Configuration::default(),
            sleep: Sleep::default(),
            comb: Comb::default(),
            guide: Vec::with_capacity(ROOM),
            followed: 0,
            last: Vec::with_capacity(ROOM),
            expected: None,
            avoidable: false,
            finder: Finder::default(),
            draft: Draft::default(),
            skip_step: options.skip_step,
            had: Marks::default(),
            foreign: Vec::new(),
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

    #[inline]
    fn extending(&mut self) -> Extending<'_> {
        let Unfolding { structure, configuration, comb, draft, .. } = self;
        Extending::new(structure, comb, draft, configuration)
    }

    /// The next step of the alternative that is being followed.
    #[inline]
    fn guided<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let &name = self.guide.get(self.followed)?;
        let event = self.structure.event(name);
        let (process, choice) = (event.process, event.choice);
        if self.sleep.has_explored(process, choice) || (search.cursor.sets_aside() && !can_follow(search, process)) {
            // It is an event that is disabled, by another name; or a data race was not looked for.
            self.give_up(name);
            return None;
        }
        self.followed += 1;
        self.expected = Some(name);
        Some((process, Script::Exactly(choice)))
    }

    /// An event of the alternative is not what it was taken for: there is no such alternative.
    ///
    /// After a failed assumption faults do not count. Where the exploration ends with the first
    /// failure, nobody looks whether a step fails when it comes earlier; and if it does, but does
    /// not count, it ends the execution.
    #[cold]
    fn give_up(&mut self, name: Name) {
        self.structure.mark_void(name);
        self.guide.clear();
        self.followed = 0;
        // The current execution need not be one that the last one has a part of.
        self.last.clear();
    }

    /// Looks for an alternative to what is disabled at the newest node, and takes its first step.
    fn turn<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        loop {
            let Unfolding { width, structure, configuration, comb, finder, guide, .. } = self;
            let width = if mutation::on(Mutation::PartialAlternatives) { 1 } else { *width };
            let dependence = Dependence { structure, footprints: &search.cursor.names.footprints };
            self.followed = 0;
            self.asked += 1;
            if !finder.find(
                &Question { dependence, configuration, width, monitor: search.cursor.pace.monitor },
                comb,
                guide,
            ) {
                self.guide.clear();
                return None;
            }
            comb.complete(dependence, configuration);
            if !search.pick.limits_switches() {
                self.go_on_as_before(&search.cursor.names.footprints);
            }
            if let Some(step) = self.guided(search) {
                self.found += 1;
                return Some(step);
            }
        }
    }

    /// After an alternative comes what it leaves of the last execution: these events are known, and
    /// need not be looked up. What is disabled is not among them.
    fn go_on_as_before(&mut self, footprints: &Footprints) {
        let Unfolding { structure, configuration, guide, last, foreign, had, .. } = self;
        let base = configuration.len();
        let Some(rest) = last.get(base + 1..).filter(|rest| !rest.is_empty()) else { return };
        foreign.clear();
        if let [event] = guide[..] {
            // What comes instead of the last execution's next event is not part of it.
            foreign.push(Part::of(structure, event));
        } else {
            had.clear(structure.len());
            rest.iter().for_each(|&event| _ = had.insert(event));
            let foreign_ones = guide.iter().filter(|&&event| !had.contains(event));
            foreign.extend(foreign_ones.map(|&event| Part::of(structure, event)));
        }
        guide.iter().for_each(|&event| configuration.push(event));
        let dependence = Dependence { structure, footprints };
        for &event in rest {
            if configuration.contains(event) || !structure.causes(event).all(|cause| configuration.contains(cause)) {
                continue;
            }
            let part = Part::of(structure, event);
            // What is part of the same execution is in no conflict.
            let conflicts = foreign.iter().any(|foreign| dependence.conflict(foreign, &part));
            if !conflicts || mutation::on(Mutation::GoOnRegardless) {
                configuration.push(event);
                guide.push(event);
            }
        }
        configuration.truncate(base);
    }

    /// Drops what cannot be needed any more, and gives new names to the rest. What is explored
    /// afterwards does not depend on it.
    fn prune(&mut self) {
        let positions = self.configuration.len() + usize::from(self.avoidable);
        let kept = self.needed(positions);
        let renamed = self.structure.retain(&kept, &mut self.spare);
        self.configuration.rename(&renamed);
        self.comb.rename(positions, &renamed, &self.structure);
        self.guide.clear();
        self.followed = 0;
        self.last.iter_mut().for_each(|name| *name = Name(renamed[name.index()]));
        self.prune_at = (GROWTH * self.structure.len()).max(self.fewest);
    }

    /// What can still be needed: the current configuration, the last one, what is disabled at its
    /// nodes, and what can come instead of these, with its history. The spikes of the first
    /// positions, so many, are growing or have just grown.
    fn needed(&mut self, positions: usize) -> Vec<bool> {
        let mut kept = vec![false; self.structure.len()];
        if mutation::on(Mutation::PruneConflicts) {
            self.comb.spikes.lose_all();
        }
        let current = self.configuration.events().iter().chain(&self.last).copied();
        let others = self.comb.events().chain(self.comb.spikes.events(positions));
        current.chain(others).for_each(|event| kept[event.index()] = true);
        // Causes have smaller names.
        for number in (0..kept.len()).rev() {
            if kept[number] {
                self.structure.causes(Name(number as u32)).for_each(|cause| kept[cause.index()] = true);
            }
        }
        kept
    }
}

/// Whether a process can go on after the current execution.
#[cold]
fn can_follow<M: Machine>(search: &mut Search<'_, M>, process: ProcessId) -> bool {
    search.seek(search.execution.len());
    search.cursor.can_step(process)
}

impl<M: Machine> Reverse<M> for Unfolding {
    fn wanted(&self) -> Wanted {
        Wanted::New
    }

    fn requests_every_variant(&self) -> bool {
        self.width != usize::MAX
    }

    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        self.extending().reverse(search, race);
        None
    }

    #[inline]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        self.extending().reverse_adjacent(search, race);
        None
    }
}

impl<M: Machine> Strategy<M> for Unfolding {
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        let following = self.followed < self.guide.len();
        let step = match self.guided(search) {
            Some(step) => step,
            None if following => self.turn(search).ok_or(Leaf::Blocked)?,
            None => match search.cursor.machine.at_local() {
                Some(at_local) => {
                    let script = self.sleep.first_awake(search, at_local, Script::First).ok_or(Leaf::Blocked)?;
                    (at_local, script)
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
                let Unfolding { structure, configuration, comb, draft, .. } = self;
                Extending::new(structure, comb, draft, configuration).newest(search)
            }
        };
        if let Some(expected) = expected.filter(|&expected| expected != name) {
            self.give_up(expected);
        }
        self.comb.spikes.begin(self.configuration.len());
        self.configuration.push(name);
        self.sleep.descend(event, &search.cursor.names.footprints);
        self.comb.descend(self.sleep.top());
    }

    fn ascend(&mut self, _search: &mut Search<'_, M>, event: &Record) {
        let name = self.configuration.pop();
        self.comb.ascend();
        self.sleep.ascend(event);
        self.avoidable = self.sleep.top().len() > self.comb.top().len();
        if self.avoidable {
            let Record { process, footprint, choice, .. } = *event;
            self.comb.disable(Part { name, process, footprint }, choice, &self.structure);
        }
        if self.structure.len() >= self.prune_at {
            self.prune();
        }
    }

    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        if self.avoidable { self.turn(search) } else { None }
    }

    fn end(&mut self, _search: &mut Search<'_, M>) -> Option<Cut> {
        self.last.clear();
        self.last.extend_from_slice(self.configuration.events());
        None
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M>) {
        self.extending().instead_of_end(search);
    }
}
