//! The constraints of a program, as a machine uses them: for two sites the conditions, compiled.

use mazurka_trace::SiteId;
use rustc_hash::FxHashMap;

use super::condition::Condition;
use super::writes::Writes;

/// What is known about two sites.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    /// The conditions under which their steps commute.
    pub(crate) conditions: Vec<Known>,
    /// One of them is `true`, and not wild.
    pub(crate) always: bool,
    /// There are no other states in which they commute.
    pub(crate) necessary: bool,
}

/// A condition for two sites.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Its number.
    pub(crate) condition: u32,
    /// The sites stand in it the other way round.
    pub(crate) swapped: bool,
    /// See [`Constraint::wild`](crate::Constraint::wild).
    pub(crate) wild: bool,
}

/// All constraints of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) pairs: FxHashMap<(SiteId, SiteId), Pair>,
    pub(crate) writes: Writes,
    /// The named atomic blocks that are steps.
    pub(crate) atomics: Vec<(String, SiteId)>,
}

impl Constraints {
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(crate) fn pair(&self, one: SiteId, other: SiteId) -> Option<&Pair> {
        self.pairs.get(&(one, other))
    }

    pub(crate) fn add(&mut self, left: SiteId, right: SiteId, condition: u32, wild: bool) {
        let always = self.conditions[condition as usize].is_true() && !wild;
        for (sites, swapped) in [((left, right), false), ((right, left), true)] {
            let pair = self.pairs.entry(sites).or_default();
            pair.always |= always;
            pair.conditions.push(Known { condition, swapped, wild });
        }
    }
}
