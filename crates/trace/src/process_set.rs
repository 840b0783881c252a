//! A set of processes in flat memory.

use crate::ProcessId;

const WORD: usize = u64::BITS as usize;

/// A set of processes: a bit each, with a second level that has a bit for each word that is not
/// empty, so that the smallest member of a large and sparse set is found at once. Insertion,
/// removal and membership are constant time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessSet {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl ProcessSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a process; tells whether it was new.
    #[inline]
    pub fn insert(&mut self, process: ProcessId) -> bool {
        let (word, bit) = (process.index() / WORD, 1 << (process.index() % WORD));
        if word >= self.words.len() {
            self.grow(word);
        }
        let before = self.words[word];
        self.words[word] = before | bit;
        if before == 0 {
            self.summary[word / WORD] |= 1 << (word % WORD);
        }
        before & bit == 0
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        self.words.resize(word + 1, 0);
        self.summary.resize(word / WORD + 1, 0);
    }

    /// Removes a process.
    #[inline]
    pub fn remove(&mut self, process: ProcessId) {
        let (word, bit) = (process.index() / WORD, 1 << (process.index() % WORD));
        if let Some(bits) = self.words.get_mut(word) {
            *bits &= !bit;
            if *bits == 0 {
                self.summary[word / WORD] &= !(1 << (word % WORD));
            }
        }
    }

    /// Whether the process is a member.
    #[inline]
    pub fn contains(&self, process: ProcessId) -> bool {
        let (word, bit) = (process.index() / WORD, 1 << (process.index() % WORD));
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.summary.iter().all(|&bits| bits == 0)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// Removes all members, keeping the memory.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.summary.fill(0);
    }

    /// The smallest member that is at least `from`.
    #[inline]
    pub fn next_from(&self, from: usize) -> Option<ProcessId> {
        let word = from / WORD;
        let rest = self.words.get(word)? & (!0 << (from % WORD));
        if rest != 0 {
            return Some(ProcessId::new(word * WORD + rest.trailing_zeros() as usize));
        }
        if word + 1 == self.words.len() {
            return None;
        }
        let mut group = (word + 1) / WORD;
        let mut mask = !0u64 << ((word + 1) % WORD);
        while group < self.summary.len() {
            let groups = self.summary[group] & mask;
            if groups != 0 {
                let word = group * WORD + groups.trailing_zeros() as usize;
                return Some(ProcessId::new(word * WORD + self.words[word].trailing_zeros() as usize));
            }
            mask = !0;
            group += 1;
        }
        None
    }

    /// The members, smallest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let next = self.next_from(from)?;
            from = next.index() + 1;
            Some(next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_sorted_set() {
        let mut set = ProcessSet::new();
        let mut model = std::collections::BTreeSet::new();
        let mut seed = 1u64;
        for _ in 0..5_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let process = ProcessId::new((seed >> 40) as usize % 9_000);
            if seed >> 63 == 0 {
                assert_eq!(set.insert(process), model.insert(process));
            } else {
                set.remove(process);
                model.remove(&process);
            }
        }
        assert!(set.iter().eq(model.iter().copied()));
        assert_eq!(set.len(), model.len());
        assert!(model.iter().all(|&p| set.contains(p)));
        assert_eq!(set.next_from(9_001), None);
        set.clear();
        assert!(set.is_empty());
    }
}
