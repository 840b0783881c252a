//! States that were seen, in a table of limited size.

use std::hash::{Hash, Hasher};

use mazurka_machine::Digest;
use mazurka_trace::ProcessId;
use rustc_hash::FxHasher;

/// The table begins with so many places.
const FEWEST: usize = 1 << 10;

/// It never has more: 2 MB.
const MOST: usize = 1 << 18;

/// A state may be in one of so many places.
const WAYS: usize = 4;

/// The bits of an entry that say how many preemptions were spent.
const SPENT: u64 = 0xff;

/// States, with who ran last and the fewest preemptions that led there.
///
/// Where the table is full, states are forgotten, and searched again when they come up: that costs
/// time and nothing else. One entry is a word, the upper 56 bits of which tell the state; an
/// accident of 1 in 2^50 or so takes a state for another one, which costs a finding at worst.
#[derive(Debug)]
pub(crate) struct Seen {
    places: Vec<u64>,
    count: usize,
}

impl Seen {
    /// Nothing seen.
    pub(crate) fn new() -> Self {
        Self { places: vec![0; FEWEST], count: 0 }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.places.fill(0);
        self.count = 0;
    }

    /// Enters a state. Tells whether it is new, or was seen with more preemptions only.
    pub(crate) fn insert(&mut self, state: Digest, running: Option<ProcessId>, spent: usize) -> bool {
        if self.count > self.places.len() / WAYS && self.places.len() < MOST {
            self.grow();
        }
        let mut hasher = FxHasher::default();
        state.name(running.map_or(u64::MAX, |process| process.index() as u64)).hash(&mut hasher);
        // No entry is 0.
        let (key, spent) = (hasher.finish() & !SPENT | 1 << 63, (spent as u64).min(SPENT));
        let first = self.first_place(key);
        let ways = &mut self.places[first..first + WAYS];
        if let Some(known) = ways.iter_mut().find(|entry| **entry & !SPENT == key) {
            let is_better = spent < *known & SPENT;
            *known = if is_better { key | spent } else { *known };
            return is_better;
        }
        match ways.iter_mut().find(|entry| **entry == 0) {
            Some(free) => {
                *free = key | spent;
                self.count += 1;
            }
            None => ways[(key >> 40) as usize % WAYS] = key | spent,
        }
        true
    }

    fn first_place(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.places.len() - 1) & !(WAYS - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![0; 2 * self.places.len()];
        for entry in std::mem::replace(&mut self.places, larger) {
            let first = self.first_place(entry);
            // Those that shared their places before are now in two groups of places: there is room.
            if entry != 0
                && let Some(free) = self.places[first..first + WAYS].iter_mut().find(|place| **place == 0)
            {
                *free = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_known_with_as_many_preemptions_or_more() {
        let mut seen = Seen::new();
        let process = Some(ProcessId::new(1));
        let state = |number| Digest::default().name(number);
        for number in 0..5000 {
            assert!(seen.insert(state(number), process, 2));
        }
        // A few of them were forgotten, where too many share their places.
        let is_known = |&number: &u64| !seen.insert(state(number), process, 3);
        let known: Vec<u64> = (0..5000).filter(is_known).collect();
        assert!(known.len() > 4900, "{} are known", known.len());
        let mut number_of = |spent| known.iter().filter(|&&number| seen.insert(state(number), process, spent)).count();
        assert!(number_of(2) < 100);
        assert!(number_of(1) > 4900);
        assert!(number_of(1) < 100);
        assert!(seen.insert(state(0), None, 2));
        seen.clear();
        assert!(seen.insert(state(0), process, 5));
    }

    #[test]
    fn the_table_stays_small() {
        let mut seen = Seen::new();
        for number in 0..2 * MOST as u64 {
            seen.insert(Digest::default().name(number), None, 0);
        }
        assert_eq!(seen.places.len(), MOST);
    }
}
