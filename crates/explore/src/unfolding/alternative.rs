//! Alternatives: where to go on when all that contains an event has been explored.
//!
//! An *alternative* to the disabled events D after the configuration C is a configuration that can
//! be added to C, contains nothing of D, and conflicts with every event of D; a *k-partial* one
//! conflicts with k of them at least. It is found by picking rivals from the
//! [comb](crate::unfolding::comb) that fit together with their histories.
//!
//! # Where to look
//! Let M be a maximal configuration that contains C and nothing of D = {d1, …, dn}, in the order in
//! which they were disabled. Suppose that rivals of M in the spikes of d1, …, di-1 have been
//! picked, such that they, with their histories, conflict with d1, …, di-1. Either they conflict
//! with di, too; or di can be added to C and them, and that was explored without d1, …, di-1, where
//! di raced with the first event of M that depends on it, with all of M before that is independent
//! of di. So that event is in the spike of di itself. Hence the oldest disabled event that the
//! picks do not conflict with has to have its rival in its own spike, and no other spike need be
//! looked at. What C has conflicted with since it was disabled is no matter: what conflicts with it
//! is part of C, and independent of those that are still disabled.
//!
//! There is one exception: of the other variants of a step, each one knows only the next. So for a
//! step that makes data choices the spikes of the variants that were disabled after it are looked
//! at, too.
//!
//! A k-partial alternative has to conflict with the event that was disabled last and with the k - 1
//! oldest; between two choices, it is the one that conflicts with more. What may stay without
//! conflict has its rivals in M nevertheless, and these can be what conflicts with the others: for
//! these, its spike is looked at too.
//!
//! # Cost
//! Mostly a look at the spike of the oldest disabled event: often that is empty, or a single rival,
//! with its history, conflicts with all that is disabled. Picking is exponential in the number of
//! disabled events in the worst case; the problem is NP-complete. With k-partial alternatives it is
//! polynomial, with the exponent k.

use crate::Monitor;
use crate::mutation::{self, Mutation};
use crate::unfolding::comb::{Comb, Dependence};
use crate::unfolding::configuration::Configuration;
use crate::unfolding::spike::Part;
use crate::unfolding::structure::Name;

/// A disabled event for which a rival is being picked.
#[derive(Clone, Copy, Debug)]
struct Level {
    target: usize,
    /// From whose spike, and how many of its rivals have been tried.
    source: usize,
    tried: usize,
    /// So much had been picked before.
    picked: usize,
}

/// Searches for alternatives. Keeps its memory from one time to the next.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    levels: Vec<Level>,
    /// What has been picked, with the histories, but for what is in the configuration.
    picked: Vec<Part>,
    /// The same for the rival that is being looked at.
    candidate: Vec<Part>,
}

/// What an alternative is looked for in.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) dependence: Dependence<'a>,
    pub(crate) configuration: &'a Configuration,
    /// With how many disabled events the alternative has to conflict.
    pub(crate) width: usize,
    /// Whether the exploration has to end: then none is found.
    pub(crate) monitor: &'a Monitor,
}

/// So many k-partial alternatives are compared.
const TRIALS: usize = 4;

impl Finder {
    /// Finds an alternative at the newest node. Gives its events that are not in the configuration,
    /// in an order in which they can happen.
    pub(crate) fn find(&mut self, question: &Question<'_>, comb: &mut Comb, alternative: &mut Vec<Name>) -> bool {
        let disabled = comb.top();
        let [oldest, ..] = disabled else { return false };
        let wants_all = question.width >= disabled.len();
        if (wants_all && comb.surely_has_none(oldest)) || last_has_none(question, comb) {
            return false;
        }
        if let Some(rival) = find_single(question, comb) {
            let fresh = comb.spikes.parts(rival).iter().filter(|part| !question.configuration.contains(part.name));
            alternative.clear();
            alternative.extend(fresh.map(|part| part.name));
            return true;
        }
        if comb.top().len() == 1 || (wants_all && oldest_has_none(question, comb)) {
            return false;
        }
        let found = self.find_several(question, comb);
        if found {
            self.picked.sort_unstable_by_key(|part| part.name);
            alternative.clear();
            alternative.extend(self.picked.iter().map(|part| part.name));
        }
        found
    }

    /// The oldest disabled event that has to be conflicted with, and is not.
    fn first_open(&self, question: &Question<'_>, comb: &Comb) -> Option<usize> {
        let (start, disabled) = (comb.start(), comb.top());
        (start..start + disabled.len()).find(|&at| {
            is_required(question, comb, at)
                && !self.picked.iter().any(|part| question.dependence.conflict(part, &disabled[at - start].event))
        })
    }

    /// Takes a rival, by its place in the spike of a disabled event that is known, as the
    /// candidate. False if something of it is disabled.
    #[inline]
    fn consider(&mut self, question: &Question<'_>, comb: &mut Comb, (at, rival): (usize, usize)) -> bool {
        let list = comb.spike(at, question.dependence, question.configuration);
        self.candidate.clear();
        for part in comb.spikes.parts(comb.spikes.list(list)[rival]) {
            if question.configuration.contains(part.name) {
                continue;
            }
            if comb.is_out(question.dependence.structure, part.name) {
                return false;
            }
            self.candidate.push(*part);
        }
        true
    }

    /// Picks rivals, from the oldest disabled event on, until what was picked conflicts with
    /// enough.
    fn find_several(&mut self, question: &Question<'_>, comb: &mut Comb) -> bool {
        self.levels.clear();
        self.picked.clear();
        loop {
            let Some(target) = self.first_open(question, comb) else { return true };
            self.levels.push(Level { target, source: target, tried: 0, picked: self.picked.len() });
            if !self.pick(question, comb) {
                return false;
            }
        }
    }

    /// Picks the next rival that fits for the last target; where there is none, for the one before
    /// it, and so on.
    fn pick(&mut self, question: &Question<'_>, comb: &mut Comb) -> bool {
        while let Some(level) = self.levels.last_mut() {
            if question.monitor.is_due() {
                return false;
            }
            self.picked.truncate(level.picked);
            let list = comb.spike(level.source, question.dependence, question.configuration);
            if level.tried == comb.spikes.list(list).len() {
                match next_source(question, comb, level.target, level.source) {
                    Some(source) => (level.source, level.tried) = (source, 0),
                    None => {
                        self.levels.pop();
                    }
                }
                continue;
            }
            let Level { target, source, tried, .. } = *level;
            level.tried += 1;
            if !self.consider(question, comb, (source, tried)) {
                continue;
            }
            let event = &comb.top()[target - comb.start()].event;
            if self.candidate.iter().any(|part| question.dependence.conflict(part, event))
                && fit(question, &self.picked, &self.candidate)
            {
                let known = self.picked.len();
                for part in &self.candidate {
                    if !self.picked[..known].iter().any(|picked| picked.name == part.name) {
                        self.picked.push(*part);
                    }
                }
                return true;
            }
        }
        false
    }
}

/// Whether the alternative has to conflict with a disabled event.
#[inline]
fn is_required(question: &Question<'_>, comb: &Comb, at: usize) -> bool {
    let (start, count) = (comb.start(), comb.top().len());
    question.width >= count || at + 1 == start + count || at - start + 1 < question.width
}

/// The next event in whose spike a rival of the target can be, too.
#[inline]
fn next_source(question: &Question<'_>, comb: &Comb, target: usize, source: usize) -> Option<usize> {
    if source >= target && comb.makes_choices(target) {
        let newer = comb.next_variant(target, source);
        if newer.is_some() {
            return newer;
        }
    }
    if question.width >= comb.top().len() {
        return None;
    }
    (comb.start()..source.min(target)).rev().find(|&at| !is_required(question, comb, at))
}

/// What there is to say of a single rival.
enum Single {
    /// Something of it is disabled.
    Out,
    /// It does not conflict with all that it has to conflict with.
    NotEnough,
    /// It conflicts with so many.
    Enough(usize),
}

/// Picks a single rival that conflicts with enough, preferably with all.
fn find_single(question: &Question<'_>, comb: &mut Comb) -> Option<u32> {
    let (start, count) = (comb.start(), comb.top().len());
    let target = (start..start + count).find(|&at| is_required(question, comb, at))?;
    let (mut source, mut trials, mut best) = (Some(target), 0, None);
    while let Some(at) = source {
        let mut list = comb.spike(at, question.dependence, question.configuration);
        for tried in (0..comb.spikes.list(list).len()).rev() {
            let rival = comb.spikes.list(list)[tried];
            if question.monitor.is_due() {
                return None;
            }
            match judge(question, comb, comb.spikes.parts(rival)) {
                Single::Out => list = comb.drop_rival(at, list, tried),
                Single::NotEnough => {}
                Single::Enough(conflicts) if conflicts == count => {
                    // When somebody asks again, it has been explored and is disabled.
                    if tried + 1 == comb.spikes.list(list).len() && comb.spikes.parts(rival).len() == 1 {
                        comb.drop_rival(at, list, tried);
                    }
                    return Some(rival);
                }
                Single::Enough(conflicts) => {
                    if best.is_none_or(|(most, _)| conflicts > most) {
                        best = Some((conflicts, rival));
                    }
                    trials += 1;
                    if trials == TRIALS {
                        return best.map(|(_, rival)| rival);
                    }
                }
            }
        }
        source = next_source(question, comb, target, at);
    }
    best.map(|(_, rival)| rival)
}

#[inline]
fn judge(question: &Question<'_>, comb: &Comb, parts: &[Part]) -> Single {
    let Question { dependence, configuration, .. } = question;
    let is_fresh = |part: &&Part| !configuration.contains(part.name);
    if parts.iter().filter(is_fresh).any(|part| comb.is_out(dependence.structure, part.name)) {
        return Single::Out;
    }
    let mut conflicts = 0;
    for (at, disabled) in (comb.start()..).zip(comb.top()) {
        // What it comes instead of, it mostly conflicts with itself.
        if parts.iter().rev().filter(is_fresh).any(|part| dependence.conflict(part, &disabled.event)) {
            conflicts += 1;
        } else if is_required(question, comb, at) {
            return Single::NotEnough;
        }
    }
    Single::Enough(conflicts)
}

/// Whether surely nothing can come instead of the event that was disabled last, and nothing is in
/// conflict with it.
#[inline]
fn last_has_none(question: &Question<'_>, comb: &Comb) -> bool {
    let disabled = comb.top();
    comb.last_has_none(question.configuration.len())
        && disabled
            .last()
            .is_some_and(|last| disabled.len() == 1 || !question.dependence.structure.has_rivals(last.event.name))
}

/// Whether nothing can come instead of the oldest disabled event.
#[inline]
fn oldest_has_none(question: &Question<'_>, comb: &mut Comb) -> bool {
    let oldest = comb.start();
    let list = comb.spike(oldest, question.dependence, question.configuration);
    comb.spikes.list(list).is_empty() && !comb.makes_choices(oldest)
}

/// Whether two rivals, or what was picked before and a rival, with their histories, fit together.
fn fit(question: &Question<'_>, some: &[Part], others: &[Part]) -> bool {
    let lacks = |parts: &[Part], name: Name| !parts.iter().any(|part| part.name == name);
    let conflict = |one: &Part, other: &Part| question.dependence.conflict(one, other);
    mutation::on(Mutation::AnythingFits)
        || !others
            .iter()
            .filter(|other| lacks(some, other.name))
            .any(|other| some.iter().any(|one| conflict(one, other) && lacks(others, one.name)))
}
