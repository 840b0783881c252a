//! What was found by races that a step's accesses vary in, or that a waiting step is part of.
//!
//! Such a rival can come instead of whatever it is in immediate conflict with, at all nodes from
//! the first at which it could be in conflict with something to the one where it was found: what
//! was disabled there before, and what will be disabled there later. So it is held for these nodes,
//! until they are left. The first of them are left out as long as the event that is being explored
//! there is part of its history: once that is disabled, too, the rival can come instead of nothing
//! at such a node.
//!
//! # Invariants
//! For one rival, the stretches of nodes that it is held for are disjoint and follow each other
//! without a gap. A stretch is stored with its last node, and loses that when the node is left: so
//! what is held for the newest node is what is stored with it.
//!
//! Cost: a rival is held in constant time, and moved once for each node that is left.

use crate::unfolding::spike::Rival;
use crate::unfolding::structure::Name;

/// A rival that is held for the nodes from `first` to the one that it is stored with.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    rival: Rival,
    first: u32,
    /// Where it stands in the structure: what it is in immediate conflict with has one of these
    /// bits in common with it.
    places: u128,
    /// There is one more stretch, up to the node before the first.
    goes_on: bool,
}

/// What is held for each node.
#[derive(Debug, Default)]
pub(crate) struct Varying {
    /// By the last node.
    stretches: Vec<Vec<Stretch>>,
    /// For each event, how many nodes there are up to the last that it is held for; or 0.
    held: Vec<u32>,
}

impl Varying {
    /// Whether nothing was ever held.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// How many nodes there are up to the last that an event is held for; or 0.
    #[inline]
    pub(crate) fn held(&self, rival: Name) -> usize {
        self.held.get(rival.index()).copied().unwrap_or(0) as usize
    }

    /// Holds an event for the nodes from `first` to `last`. It is held for the one before the
    /// first, or for none.
    pub(crate) fn hold(&mut self, rival: Rival, places: u128, first: usize, last: usize) {
        if self.stretches.len() <= last {
            self.stretches.resize_with(last + 1, Vec::new);
        }
        let number = rival.event.name.index();
        if self.held.len() <= number {
            self.held.resize(number + 1 + number / 2, 0);
        }
        let held = &mut self.held[number];
        self.stretches[last].push(Stretch { rival, first: first as u32, places, goes_on: *held > 0 });
        *held = last as u32 + 1;
    }

    /// What is held for the newest node, which has this number, with its places.
    #[inline]
    pub(crate) fn at(&self, node: usize) -> impl Iterator<Item = (Rival, u128)> + '_ {
        self.stretches.get(node).into_iter().flatten().map(|stretch| (stretch.rival, stretch.places))
    }

    /// The newest node, which has this number, is left.
    #[inline]
    pub(crate) fn leave(&mut self, node: usize) {
        if self.stretches.get(node).is_some_and(|stretches| !stretches.is_empty()) {
            self.shorten(node);
        }
    }

    fn shorten(&mut self, node: usize) {
        let mut left = std::mem::take(&mut self.stretches[node]);
        let held = &mut self.held;
        left.retain(|stretch| {
            let stays = (stretch.first as usize) < node;
            held[stretch.rival.event.name.index()] = if stays || stretch.goes_on { node as u32 } else { 0 };
            stays
        });
        let Some(before) = node.checked_sub(1).map(|before| &mut self.stretches[before]) else { return };
        if before.is_empty() {
            std::mem::swap(before, &mut left);
        } else {
            before.append(&mut left);
        }
        // Its memory is of use again.
        self.stretches[node] = left;
    }

    /// All that is held.
    pub(crate) fn events(&self) -> impl Iterator<Item = Name> + '_ {
        self.stretches.iter().flatten().map(|stretch| stretch.rival.event.name)
    }

    /// The events have got new names, and stand at other places.
    pub(crate) fn rename(&mut self, renamed: &[u32], places: impl Fn(Name) -> u128) {
        self.held.clear();
        for (node, stretches) in self.stretches.iter_mut().enumerate() {
            for stretch in stretches {
                let name = Name(renamed[stretch.rival.event.name.index()]);
                (stretch.rival.event.name, stretch.places) = (name, places(name));
                if self.held.len() <= name.index() {
                    self.held.resize(name.index() + 1, 0);
                }
                self.held[name.index()] = node as u32 + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_relation::Footprint;
    use mazurka_trace::ProcessId;

    use super::*;
    use crate::unfolding::spike::Part;

    /// The stretches say what a set for each node would say.
    #[test]
    fn stretches_are_sets_of_nodes() {
        let (mut varying, mut sets) = (Varying::default(), vec![Vec::<Name>::new(); 12]);
        let mut random = 5u64;
        let mut below = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((random >> 33) % most) as usize
        };
        let mut newest = 0;
        for _ in 0..20_000 {
            let rival = Name(below(6) as u32);
            let held = varying.held(rival);
            if newest < 11 && below(2) == 0 {
                newest += 1;
            } else if held <= newest && below(3) > 0 {
                // Up to a node on the path, from where it was held up to now, or from anywhere.
                let last = held + below((newest - held + 1) as u64);
                let first = if held > 0 { held } else { below(last as u64 + 1) };
                let event = Part { name: rival, process: ProcessId::new(0), footprint: Footprint::EMPTY };
                varying.hold(Rival { event, reach: 0 }, u128::MAX, first, last);
                sets[first..=last].iter_mut().for_each(|set| set.push(rival));
            } else {
                varying.leave(newest);
                sets[newest].clear();
                newest = newest.saturating_sub(1);
            }
            let mut at: Vec<Name> = varying.at(newest).map(|(rival, _)| rival.event.name).collect();
            at.sort_unstable();
            sets[newest].sort_unstable();
            assert_eq!(at, sets[newest]);
            for rival in (0..6).map(Name) {
                let last = sets.iter().rposition(|set| set.contains(&rival));
                assert_eq!(varying.held(rival), last.map_or(0, |last| last + 1));
            }
            if below(50) == 0 {
                varying.rename(&[0, 1, 2, 3, 4, 5], |_| u128::MAX);
            }
        }
    }
}
