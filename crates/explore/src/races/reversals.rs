//! The reversals of the races in the current execution, kept from one execution to the next.

use mazurka_trace::EventId;

use super::{Basis, Reversal};
use crate::names::Variant;

/// What is remembered of a reversal.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) first: EventId,
    pub(super) second: EventId,
    last: bool,
    /// What the newest decision about it rests on.
    basis: Basis,
    /// Where, in the pools, what belongs to it ends; it begins where that of the one before ends.
    removed: u32,
    variants: u32,
}

/// The reversals of the races in the current execution, in the order of their second events.
#[derive(Default)]
pub(super) struct Reversals {
    pub(super) stored: Vec<Stored>,
    removed: Vec<EventId>,
    variants: Vec<Variant>,
}

impl Reversals {
    pub(super) fn push(&mut self, second: EventId, removed: &[EventId], variants: &[Variant], last: bool) {
        let first = *removed.iter().min().expect("something is removed");
        // A single one is `first` itself.
        if removed.len() > 1 {
            self.removed.extend_from_slice(removed);
        }
        self.variants.extend_from_slice(variants);
        let (removed, variants) = (self.removed.len() as u32, self.variants.len() as u32);
        self.stored.push(Stored { first, second, last, basis: None, removed, variants });
    }

    /// What the newest decision about a reversal rests on.
    #[inline]
    pub(super) fn set_basis(&mut self, number: usize, basis: Basis) {
        self.stored[number].basis = basis;
    }

    /// Whether a reversal needs nothing more, since what decided about it is as it was. Otherwise
    /// that decision is forgotten.
    #[inline]
    pub(super) fn is_settled(&mut self, number: usize, stable: usize) -> bool {
        let basis = &mut self.stored[number].basis;
        let settled = basis.is_some_and(|basis| basis.index() < stable);
        if !settled {
            *basis = None;
        }
        settled
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> Reversal<'_> {
        let (removed, variants) = if number == 0 {
            (0, 0)
        } else {
            let before = self.stored[number - 1];
            (before.removed as usize, before.variants as usize)
        };
        let stored = &self.stored[number];
        let several = &self.removed[removed..stored.removed as usize];
        Reversal {
            first: stored.first,
            second: stored.second,
            last: stored.last,
            removed: if several.is_empty() { std::slice::from_ref(&stored.first) } else { several },
            variants: &self.variants[variants..stored.variants as usize],
        }
    }

    /// Forgets those whose second event is at `position` or later.
    #[inline]
    pub(super) fn forget_from(&mut self, position: usize) {
        let stay = self.stored.iter().rposition(|stored| stored.second.index() < position);
        self.truncate(stay.map_or(0, |last| last + 1));
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.stored.truncate(length);
        let (removed, variants) = self.stored.last().map_or((0, 0), |last| (last.removed, last.variants));
        self.removed.truncate(removed as usize);
        self.variants.truncate(variants as usize);
    }
}
