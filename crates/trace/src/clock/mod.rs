//! Vector clocks of the events of one execution.

mod shared;

use shared::Shared;

use crate::{EventId, ProcessId};

/// Counters of eight processes: what is copied and joined at once.
type Lane = [u32; LANE];

const LANE: usize = 8;

/// The most lanes that a clock is kept in; with more processes it is a tree.
const MOST_LANES: usize = 32;

/// For so many clocks there is room at once when they become wider.
const ROOM: usize = 1 << 12;

/// A vector clock for each event of the current execution, as a stack.
///
/// The clock of an event says, for each process, how many of its events happen before it or are it.
/// So event number `i` of process `p` (counted from 0) happens before `e`, or is `e`, exactly when
/// `clock(e)[p] > i`.
///
/// With few processes a clock is a row of counters in one flat vector: a join is a few vector
/// instructions. With many (more than 256) it is a tree that shares what it has in common with the
/// clocks before it. Nothing is allocated per event in the steady state.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// Lanes of a row; 0 when clocks are trees.
    lanes: usize,
    rows: Vec<Lane>,
    trees: Shared,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { lanes: 1, rows: Vec::new(), trees: Shared::default() }
    }
}

impl Clocks {
    /// No clocks.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many clocks there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.lanes).unwrap_or(self.trees.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room for processes with an index below `processes`. To be called before a new
    /// process's first event.
    #[inline]
    pub fn reserve(&mut self, processes: usize) {
        if self.lanes > 0 && processes > self.lanes * LANE {
            self.widen(processes);
        }
    }

    #[cold]
    fn widen(&mut self, processes: usize) {
        let old = self.lanes;
        let rows = std::mem::take(&mut self.rows);
        let needed = processes.div_ceil(LANE);
        if needed <= MOST_LANES {
            self.lanes = needed.max(2 * old).min(MOST_LANES);
            self.rows.reserve(ROOM * self.lanes);
            for row in rows.chunks_exact(old) {
                self.rows.extend_from_slice(row);
                self.rows.resize(self.rows.len() + self.lanes - old, [0; LANE]);
            }
        } else {
            self.lanes = 0;
            for row in rows.chunks_exact(old) {
                self.trees.push(None);
                for (process, &count) in row.as_flattened().iter().enumerate().filter(|&(_, &count)| count > 0) {
                    self.trees.set(process, count);
                }
            }
        }
    }

    /// Begins the clock of a new event: what its process's previous event, if any, knew.
    #[inline(always)]
    pub fn push(&mut self, previous: Option<EventId>) {
        if self.lanes == 1 {
            return self.rows.push(previous.map_or([0; LANE], |event| self.rows[event.index()]));
        }
        if self.lanes == 2 {
            let known = previous.map_or([[0; LANE]; 2], |event| self.pair(event));
            return self.rows.extend_from_slice(&known);
        }
        self.push_wide(previous);
    }

    /// Both lanes of a row of two.
    #[inline]
    fn pair(&self, event: EventId) -> [Lane; 2] {
        let row = &self.rows[2 * event.index()..][..2];
        [row[0], row[1]]
    }

    fn push_wide(&mut self, previous: Option<EventId>) {
        match previous {
            _ if self.lanes == 0 => self.trees.push(previous.map(EventId::index)),
            Some(event) => self.rows.extend_from_within(event.index() * self.lanes..(event.index() + 1) * self.lanes),
            None => self.rows.resize(self.rows.len() + self.lanes, [0; LANE]),
        }
    }

    /// Lets the newest event, which knows of nothing yet, know all that `event` knows.
    #[inline]
    pub fn copy(&mut self, event: EventId) {
        if self.lanes == 1 {
            let other = self.rows[event.index()];
            if let Some(newest) = self.rows.last_mut() {
                *newest = other;
            }
        } else if self.lanes == 2 {
            let other = self.pair(event);
            if let Some(newest) = self.rows.last_chunk_mut::<2>() {
                *newest = other;
            }
        } else {
            self.join(event);
        }
    }

    /// Lets the newest event know all that `event` knows.
    #[inline]
    pub fn join(&mut self, event: EventId) {
        if self.lanes == 1 {
            let other = self.rows[event.index()];
            if let Some(newest) = self.rows.last_mut() {
                join_lane(newest, &other);
            }
            return;
        }
        if self.lanes == 2 {
            let other = self.pair(event);
            if let Some([low, high]) = self.rows.last_chunk_mut::<2>() {
                join_lane(low, &other[0]);
                join_lane(high, &other[1]);
            }
            return;
        }
        self.join_wide(event);
    }

    fn join_wide(&mut self, event: EventId) {
        if self.lanes == 0 {
            return self.trees.join(event.index());
        }
        let top = self.rows.len() - self.lanes;
        let (earlier, newest) = self.rows.split_at_mut(top);
        let other = &earlier[event.index() * self.lanes..][..self.lanes];
        newest.iter_mut().zip(other).for_each(|(mine, other)| join_lane(mine, other));
    }

    /// Counts the newest event itself, as number `index` of its process.
    #[inline]
    pub fn tick(&mut self, process: ProcessId, index: u32) {
        if self.lanes > 0 {
            let newest = self.rows.len() - self.lanes;
            self.rows[newest + process.index() / LANE][process.index() % LANE] = index + 1;
        } else {
            self.trees.set(process.index(), index + 1);
        }
    }

    /// What the newest event knows of each process, where clocks are rows.
    #[inline]
    pub fn newest_row(&self) -> &[u32] {
        self.rows[self.rows.len() - self.lanes..].as_flattened()
    }

    /// What an event knows of each process, where clocks are rows.
    #[inline]
    pub fn row(&self, event: EventId) -> &[u32] {
        self.rows[event.index() * self.lanes..][..self.lanes].as_flattened()
    }

    /// How many events of `process` happen before `event` or are it.
    #[inline]
    pub fn get(&self, event: EventId, process: ProcessId) -> u32 {
        let lane = process.index() / LANE;
        if lane < self.lanes {
            return self.rows[event.index() * self.lanes + lane][process.index() % LANE];
        }
        // A process that came later than the last `reserve` is known to nobody.
        if self.lanes > 0 { 0 } else { self.trees.get(event.index(), process.index()) }
    }

    /// The counters of `event` that are not zero, smallest process first.
    #[inline]
    pub fn known(&self, event: EventId) -> impl Iterator<Item = (ProcessId, u32)> + '_ {
        let row = &self.rows[event.index() * self.lanes..][..self.lanes];
        let dense = row.as_flattened().iter().copied().enumerate().filter(|&(_, count)| count > 0);
        let tree = (self.lanes == 0).then(|| self.trees.known(event.index()));
        dense.chain(tree.into_iter().flatten()).map(|(process, count)| (ProcessId::new(process), count))
    }

    /// For each process, the least that any event from number `start` on knows of it.
    pub fn least(&self, start: usize, least: &mut Vec<u32>) {
        least.clear();
        for lane in 0..self.lanes {
            let mut lowest = [i32::MAX; LANE];
            let mut at = start * self.lanes + lane;
            while let Some(counts) = self.rows.get(at) {
                for (lowest, &count) in lowest.iter_mut().zip(counts) {
                    *lowest = (*lowest).min(count as i32);
                }
                at += self.lanes;
            }
            least.extend(lowest.map(|lowest| lowest as u32));
        }
        if self.lanes > 0 {
            return;
        }
        let Some(last) = self.trees.len().checked_sub(1).filter(|&last| last >= start) else { return };
        for (process, count) in self.trees.known(last) {
            least.resize(process + 1, 0);
            let others = (start..last).map(|event| self.trees.get(event, process));
            least[process] = others.min().map_or(count, |other| other.min(count));
        }
    }

    /// Whether all events from number `start` on know more than `index` events of `process`.
    #[inline]
    pub fn all_know(&self, start: usize, process: ProcessId, index: u32) -> bool {
        let (lane, column) = (process.index() / LANE, process.index() % LANE);
        if lane >= self.lanes {
            return (start..self.len()).all(|event| self.get(EventId::new(event), process) > index);
        }
        let mut at = start * self.lanes + lane;
        while let Some(row) = self.rows.get(at) {
            if row[column] <= index {
                return false;
            }
            at += self.lanes;
        }
        true
    }

    /// Forgets the newest clock.
    #[inline]
    pub fn pop(&mut self) {
        if self.lanes == 1 {
            self.rows.pop();
        } else if self.lanes > 0 {
            self.rows.truncate(self.rows.len() - self.lanes);
        } else {
            self.trees.pop();
        }
    }
}

#[inline(always)]
fn join_lane(mine: &mut Lane, other: &Lane) {
    for (mine, &other) in mine.iter_mut().zip(other) {
        // Counters stay far below 2^31, and signed numbers are compared faster on many processors.
        *mine = (*mine as i32).max(other as i32) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows, widened rows and trees agree with each other.
    #[test]
    fn rows_and_trees_agree() {
        let event = EventId::new;
        for processes in [3usize, 8, 20, 64, 65, 256, 257, 300, 5_000] {
            let mut wide = Clocks::new();
            let mut model: Vec<Vec<u32>> = Vec::new();
            let mut last: Vec<Option<usize>> = vec![None; processes];
            let mut count = vec![0u32; processes];
            let mut seed = 7usize;
            let events = if processes > 300 { 900 } else { 400 };
            for n in 0..events {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // New processes come one after the other.
                let process = (seed >> 33) % processes.min(if processes > 300 { n * n / 100 } else { n / 4 } + 1);
                wide.reserve(process + 1);
                wide.push(last[process].map(event));
                let mut clock = last[process].map_or(vec![0; processes], |e| model[e].clone());
                if n > 0 && seed >> 60 < 9 {
                    let other = (seed >> 20) % n;
                    wide.join(event(other));
                    for (a, b) in clock.iter_mut().zip(&model[other]) {
                        *a = (*a).max(*b);
                    }
                }
                wide.tick(ProcessId::new(process), count[process]);
                count[process] += 1;
                clock[process] = count[process];
                model.push(clock);
                last[process] = Some(n);
            }
            for (e, clock) in model.iter().enumerate() {
                for (p, &c) in clock.iter().enumerate() {
                    assert_eq!(wide.get(event(e), ProcessId::new(p)), c, "{processes} processes, event {e}");
                }
                let known: Vec<_> = wide.known(event(e)).map(|(p, c)| (p.index(), c)).collect();
                let expected: Vec<_> = clock.iter().copied().enumerate().filter(|&(_, c)| c > 0).collect();
                assert_eq!(known, expected);
            }
            let mut least = Vec::new();
            for start in [0, events - 50, events - 1] {
                wide.least(start, &mut least);
                for p in 0..processes {
                    let expected = model[start..].iter().map(|clock| clock[p]).min().unwrap();
                    assert_eq!(least.get(p).copied().unwrap_or(0), expected);
                }
            }
            for left in (0..events).rev() {
                wide.pop();
                assert_eq!(wide.len(), left);
            }
        }
    }
}
