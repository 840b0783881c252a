//! Alternatives: where to go on when all that contains an event has been explored.
//!
//! An *alternative* to the disabled events D after the configuration C is a configuration that can be added to C, contains nothing of D, and
//! conflicts with every event of D; a *k-partial* one conflicts with k of them at least. The events that conflict with one event of D
//! are a *spike*, the spikes of all of them the *comb*. An alternative is found by picking an event from each spike such that their
//! histories fit together.
//!
//! The comb is never built. After each pick, which is added to the configuration itself, event by event, the search looks at what can still follow. Often a single event,
//! with its history, conflicts with all that is open: then that is it. Otherwise the smallest of the spikes that are left is filled, and an event picked from it; where
//! one of them is empty, the search goes back.
//!
//! Cost: that of the [`Future`], of which the spikes are parts. Picking is exponential in the number of disabled events in the worst case; the problem is
//! NP-complete. With k-partial alternatives it is polynomial, with the exponent k.

use mazurka_relation::Footprints;

use crate::mutation::{self, Mutation};
use crate::unfolding::configuration::Configuration;
use crate::unfolding::future::Future;
use crate::unfolding::spike::{Look, Spike};
use crate::unfolding::structure::{Name, Structure};

/// A spike from which an event is to be picked.
#[derive(Debug, Default)]
struct Level {
    /// What can follow what was picked before.
    future: Future,
    /// The events of the spike; so many have been tried.
    spike: Vec<Name>,
    tried: usize,
    /// So many events were in the configuration before.
    length: usize,
}

/// Searches for alternatives. Keeps its memory from one time to the next.
#[derive(Debug, Default)]
pub(crate) struct Comb {
    /// The first `depth` are in use; the others keep their memory.
    levels: Vec<Level>,
    depth: usize,
    /// The disabled events that what was picked does not conflict with: first those with which the alternative has to conflict, so many.
    open: Vec<Name>,
    required: usize,
    /// The part of a history that is still to be added.
    missing: Vec<Name>,
    todo: Vec<Name>,
    /// The number of the last search that met each event.
    met: Vec<u32>,
    search: u32,
}

/// What an alternative is looked for in.
pub(crate) struct Question<'a> {
    pub(crate) structure: &'a Structure,
    pub(crate) footprints: &'a Footprints,
    /// The disabled events, the one disabled last at the end.
    pub(crate) disabled: &'a [Name],
    /// How many of them, from the end, the alternative has to conflict with.
    pub(crate) width: usize,
}

impl Question<'_> {
    #[inline]
    pub(crate) fn conflict(&self, one: Name, other: Name) -> bool {
        let (one, other) = (self.structure.event(one), self.structure.event(other));
        one.process == other.process || self.footprints.dependent(one.footprint, other.footprint)
    }

    /// Whether an event is part of no alternative.
    #[inline]
    pub(crate) fn is_out(&self, event: Name) -> bool {
        (self.disabled.contains(&event) && !mutation::on(Mutation::AlternativesOfDisabled))
            || self.structure.is_void(event)
    }
}

impl Comb {
    /// Finds an alternative after the configuration, which is left as it was. Gives its events that are not in the configuration, in an order in
    /// which they can happen.
    pub(crate) fn find(
        &mut self,
        question: &Question<'_>,
        configuration: &mut Configuration,
        alternative: &mut Vec<Name>,
    ) -> bool {
        let base = configuration.len();
        let structure = question.structure;
        let (others, targets) = question.disabled.split_at(question.disabled.len().saturating_sub(question.width));
        match self.pick_rival(question, configuration, targets) {
            Rival::Nobody => return false,
            Rival::Unsure => {}
            Rival::Enough => {
                alternative.clear();
                alternative.extend_from_slice(&self.missing);
                return true;
            }
        }
        self.depth = 0;
        loop {
            let picked = &configuration.events()[base..];
            let is_open = |target: &Name| !picked.iter().any(|&event| question.conflict(*target, event));
            self.open.clear();
            self.open.extend(targets.iter().copied().filter(is_open));
            self.required = self.open.len();
            self.open.extend(others.iter().copied().filter(is_open));
            if self.required == 0 || self.pick_all(question, configuration) {
                alternative.clear();
                alternative.extend_from_slice(&configuration.events()[base..]);
                configuration.truncate(structure, base);
                return true;
            }
            if !self.pick(question, configuration) {
                return false;
            }
        }
    }

    /// Looks at a few events in immediate conflict with the last target. Often one of them is enough, or there is none.
    fn pick_rival(&mut self, question: &Question<'_>, configuration: &Configuration, targets: &[Name]) -> Rival {
        let structure = question.structure;
        let Some(&last) = targets.last() else { return Rival::Nobody };
        if !structure.has_rivals(last) {
            return Rival::Nobody;
        }
        let mut spike = Spike::new(structure, last);
        let (mut trials, mut best) = (0, None);
        for _ in 0..FEW {
            let look = spike.look(structure, configuration.events(), |group| configuration.is_past(structure, group));
            match look {
                Look::Rival(rival) if self.fits(question, configuration, rival) => {
                    let picked = &self.missing;
                    let conflicts = |&&target: &&Name| picked.iter().any(|&event| question.conflict(target, event));
                    let count = question.disabled.iter().filter(conflicts).count();
                    if count == question.disabled.len() {
                        return Rival::Enough;
                    }
                    // A k-partial alternative need not conflict with all, but the more, the fewer explorations are blocked.
                    if best.is_none_or(|(most, _)| count > most) && targets.iter().all(|target| conflicts(&target)) {
                        best = Some((count, rival));
                    }
                    trials += 1;
                    if trials == TRIALS {
                        break;
                    }
                }
                Look::Rival(_) if mutation::on(Mutation::OnlyFirstRival) => return Rival::Nobody,
                Look::Rival(_) | Look::Nobody => {}
                Look::End if trials > 0 || mutation::on(Mutation::AlternativesOfDisabled) => break,
                Look::End => return Rival::Nobody,
            }
        }
        match best {
            Some((_, rival)) if self.fits(question, configuration, rival) => Rival::Enough,
            _ => Rival::Unsure,
        }
    }

    /// Picks a single event that conflicts with all that is open, if there is one; otherwise begins with the smallest spike.
    fn pick_all(&mut self, question: &Question<'_>, configuration: &mut Configuration) -> bool {
        if self.depth == self.levels.len() {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[self.depth];
        let single = level.future.find(question, configuration, &self.open, self.required);
        if let Some(single) = single
            && self.add(question, configuration, single)
        {
            return true;
        }
        let level = &mut self.levels[self.depth];
        self.depth += 1;
        level.future.smallest_spike(question, &self.open[..self.required], &mut level.spike);
        (level.tried, level.length) = (0, configuration.len());
        false
    }

    /// Picks the next event that fits from the last spike; where there is none, from the one before it, and so on.
    fn pick(&mut self, question: &Question<'_>, configuration: &mut Configuration) -> bool {
        while self.depth > 0 {
            let level = &mut self.levels[self.depth - 1];
            configuration.truncate(question.structure, level.length);
            match level.spike.get(level.tried).copied() {
                Some(event) => {
                    level.tried += 1;
                    if self.add(question, configuration, event) {
                        return true;
                    }
                }
                None => self.depth -= 1,
            }
        }
        false
    }

    /// Adds an event with its history to the configuration, if they fit and nothing of them is disabled.
    pub(crate) fn add(&mut self, question: &Question<'_>, configuration: &mut Configuration, event: Name) -> bool {
        let fits = self.fits(question, configuration, event);
        if fits {
            for &missing in &self.missing {
                configuration.push(question.structure, missing);
            }
        }
        fits
    }

    /// Whether an event with its history can be added to the configuration, and nothing of them is disabled; leaves what is to be added as what is missing.
    fn fits(&mut self, question: &Question<'_>, configuration: &Configuration, event: Name) -> bool {
        let has_left = || configuration.has_left(question.structure, event);
        !configuration.contains(event) && !has_left() && self.collect(question, configuration, event)
    }

    /// Collects the part of an event's history that is not in the configuration, and the event, in the order of their names. False if something of it is disabled, or
    /// cannot follow the configuration.
    fn collect(&mut self, question: &Question<'_>, configuration: &Configuration, event: Name) -> bool {
        self.begin_search(question.structure.len());
        self.missing.clear();
        self.todo.clear();
        self.todo.push(event);
        while let Some(event) = self.todo.pop() {
            if question.is_out(event) {
                return false;
            }
            let Comb { met, todo, search, .. } = self;
            let could = configuration.could_allow(question.structure, event, |cause| {
                let met = &mut met[cause.index()];
                if *met != *search {
                    *met = *search;
                    todo.push(cause);
                }
            });
            if !could {
                return false;
            }
            self.missing.push(event);
        }
        if self.missing.len() > 1 {
            self.missing.sort_unstable();
        }
        true
    }

    fn begin_search(&mut self, events: usize) {
        if self.met.len() < events {
            self.met.resize(events, 0);
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.met.fill(0);
            self.search = 1;
        }
    }
}

/// So many events are looked at one by one.
const FEW: usize = 32;

/// So many are tried with the other disabled events.
const TRIALS: usize = 4;

/// What a look at the events in immediate conflict with a disabled one says.
enum Rival {
    /// None of them can follow.
    Nobody,
    /// One was picked that, with its history, conflicts with all that is disabled.
    Enough,
    /// There are some, or too many to tell.
    Unsure,
}
