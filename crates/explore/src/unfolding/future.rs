//! The future of a configuration: the known events that can still happen after it without what is disabled.
//!
//! An event is part of the future if it can be added to the configuration together with its history, and nothing of these is disabled. The future is
//! found forwards: each event hangs off the newest of its causes, so whatever has its causes in the configuration and in the future
//! is met by walking through what hangs off these, in the order of names. For each of its events it is also known with which of the disabled events the
//! event or its history conflicts.
//!
//! Cost: a walk through the configuration and the future. The events that hang off an event are few, whereas those that use a location after the same change are
//! many, with all their histories; and the future is small where many futures are asked for, deep in the exploration.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::unfolding::alternative::Question;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::structure::{Name, Structure};

/// With which targets an event conflicts: a bit for each of the first 64.
pub(crate) type Mask = u64;

/// What can still happen. Keeps its memory from one time to the next.
#[derive(Debug, Default)]
pub(crate) struct Future {
    /// Its events, in an order in which they can happen, each with what the event itself conflicts with.
    events: Vec<(Name, Mask)>,
    todo: BinaryHeap<Reverse<u32>>,
    /// For each event of the structure, in which search it was found to be part of the future, and what it and its history conflict with.
    found: Vec<(u32, Mask)>,
    search: u32,
}

impl Future {
    /// Begins a search.
    fn begin(&mut self, structure: &Structure) {
        self.events.clear();
        self.todo.clear();
        if self.found.len() < structure.len() {
            self.found.resize(structure.len(), (0, 0));
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.found.fill((0, 0));
            self.search = 1;
        }
    }

    fn meet_followers(&mut self, structure: &Structure, configuration: &Configuration, cause: Option<Name>) {
        let mut next = structure.newest_follower(cause);
        while let Some(event) = next {
            if !configuration.contains(event) {
                self.todo.push(Reverse(event.0));
            }
            next = structure.older_follower(event);
        }
    }

    /// Finds the future; stops at an event that conflicts, with its history, with all targets, and gives that. Otherwise gives one that conflicts with as many as possible, the
    /// first ones, which are required, among them.
    pub(crate) fn find(
        &mut self,
        question: &Question<'_>,
        configuration: &Configuration,
        targets: &[Name],
        required: usize,
    ) -> Option<Name> {
        let structure = question.structure;
        let first = |count: usize| if count > 64 { None } else { Some(Mask::MAX >> (64 - count)) };
        let (all, required) = (first(targets.len()), first(required));
        let mut best: Option<(u32, Name)> = None;
        self.begin(structure);
        self.meet_followers(structure, configuration, None);
        for &member in configuration.events() {
            self.meet_followers(structure, configuration, Some(member));
        }
        while let Some(Reverse(number)) = self.todo.pop() {
            let event = Name(number);
            let Some(inherited) = self.inherited(question, configuration, event) else { continue };
            let own = targets.iter().take(64).enumerate().filter(|&(_, &target)| question.conflict(target, event));
            let own = own.fold(0, |mask, (at, _)| mask | 1 << at);
            self.found[event.index()] = (self.search, inherited | own);
            self.events.push((event, own));
            let mask = inherited | own;
            if all == Some(mask) {
                return Some(event);
            }
            if required.is_some_and(|required| mask & required == required)
                && best.is_none_or(|(most, _)| mask.count_ones() > most)
            {
                best = Some((mask.count_ones(), event));
            }
            self.meet_followers(structure, configuration, Some(event));
        }
        best.map(|(_, event)| event)
    }

    /// What the history of an event conflicts with, if the event is part of the future.
    fn inherited(&self, question: &Question<'_>, configuration: &Configuration, event: Name) -> Option<Mask> {
        let structure = question.structure;
        if question.is_out(event) {
            return None;
        }
        let (mut mask, mut known) = (0, true);
        let could = configuration.could_allow(structure, event, |cause| {
            let (search, inherited) = self.found[cause.index()];
            known &= search == self.search;
            mask |= inherited;
        });
        (could && known).then_some(mask)
    }

    /// The fewest events that conflict themselves with one of the targets, those first that, with their histories, conflict with the most.
    pub(crate) fn smallest_spike(&self, question: &Question<'_>, targets: &[Name], spike: &mut Vec<Name>) {
        let mut counts = [0u32; 64];
        for &(_, mut own) in &self.events {
            while own != 0 {
                counts[own.trailing_zeros() as usize] += 1;
                own &= own - 1;
            }
        }
        // The targets beyond the first 64 wait until those are dealt with.
        let smallest = (0..targets.len().min(64)).min_by_key(|&at| counts[at]).unwrap_or(0);
        spike.clear();
        spike.extend(self.events.iter().filter(|&&(_, own)| own >> smallest & 1 == 1).map(|&(event, _)| event));
        debug_assert!(spike.iter().all(|&event| question.conflict(targets[smallest], event)), "masks are right");
        spike.sort_by_key(|event| Reverse(self.found[event.index()].1.count_ones()));
    }
}
