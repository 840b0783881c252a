//! Sets of events that are emptied at once.

use crate::unfolding::structure::Name;

/// A set of events. Keeps its memory from one time to the next.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// In which round each event was marked last.
    marked: Vec<u32>,
    round: u32,
}

impl Marks {
    /// Empties the set; there are so many events that can be marked.
    #[inline]
    pub(crate) fn clear(&mut self, events: usize) {
        if self.marked.len() < events {
            self.marked.resize(events + events / 2, 0);
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marked.fill(0);
            self.round = 1;
        }
    }

    /// Marks an event; tells whether it was not.
    #[inline]
    pub(crate) fn insert(&mut self, event: Name) -> bool {
        std::mem::replace(&mut self.marked[event.index()], self.round) != self.round
    }

    #[inline]
    pub(crate) fn contains(&self, event: Name) -> bool {
        self.marked[event.index()] == self.round
    }
}
