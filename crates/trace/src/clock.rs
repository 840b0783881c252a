//! Vector clocks of the events of one execution.

use crate::{EventId, ProcessId};

/// Counters of eight processes: what is copied and joined at once.
type Lane = [u32; LANE];

const LANE: usize = 8;

/// The most lanes that a clock is kept in; with more processes it is a list.
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
/// instructions. With many (more than 256) it is a sorted list of the counters that are not zero,
/// since most processes do not know of each other. Nothing is allocated per event in the steady
/// state.
#[derive(Clone, Debug)]
pub struct Clocks {
    /// Lanes of a row; 0 when clocks are sparse.
    lanes: usize,
    rows: Vec<Lane>,
    /// Where each sparse clock ends.
    ends: Vec<usize>,
    entries: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { lanes: 1, rows: Vec::new(), ends: Vec::new(), entries: Vec::new(), merged: Vec::new() }
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
        self.rows.len().checked_div(self.lanes).unwrap_or(self.ends.len())
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
                let known = row.as_flattened().iter().enumerate().filter(|&(_, &count)| count > 0);
                self.entries.extend(known.map(|(process, &count)| (process as u32, count)));
                self.ends.push(self.entries.len());
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
            _ if self.lanes == 0 => self.push_sparse(previous),
            Some(event) => self.rows.extend_from_within(event.index() * self.lanes..(event.index() + 1) * self.lanes),
            None => self.rows.resize(self.rows.len() + self.lanes, [0; LANE]),
        }
    }

    #[cold]
    fn push_sparse(&mut self, previous: Option<EventId>) {
        if let Some(event) = previous {
            self.entries.extend_from_within(self.sparse_range(event));
        }
        self.ends.push(self.entries.len());
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
            return self.join_sparse(event);
        }
        let top = self.rows.len() - self.lanes;
        let (earlier, newest) = self.rows.split_at_mut(top);
        let other = &earlier[event.index() * self.lanes..][..self.lanes];
        newest.iter_mut().zip(other).for_each(|(mine, other)| join_lane(mine, other));
    }

    #[cold]
    fn join_sparse(&mut self, event: EventId) {
        let top = self.sparse_range(EventId::new(self.ends.len() - 1));
        self.merged.clear();
        {
            let mut mine = self.entries[top.clone()].iter().copied().peekable();
            let mut other = self.entries[self.sparse_range(event)].iter().copied().peekable();
            while let (Some(&a), Some(&b)) = (mine.peek(), other.peek()) {
                let (process, count) = (a.0.min(b.0), if a.0 == b.0 { a.1.max(b.1) } else { a.min(b).1 });
                self.merged.push((process, count));
                mine.next_if(|entry| entry.0 == process);
                other.next_if(|entry| entry.0 == process);
            }
            self.merged.extend(mine);
            self.merged.extend(other);
        }
        self.entries.truncate(top.start);
        self.entries.extend_from_slice(&self.merged);
        *self.ends.last_mut().expect("a clock was begun") = self.entries.len();
    }

    /// Counts the newest event itself, as number `index` of its process.
    #[inline]
    pub fn tick(&mut self, process: ProcessId, index: u32) {
        if self.lanes > 0 {
            let newest = self.rows.len() - self.lanes;
            self.rows[newest + process.index() / LANE][process.index() % LANE] = index + 1;
        } else {
            self.tick_sparse(process, index);
        }
    }

    #[cold]
    fn tick_sparse(&mut self, process: ProcessId, index: u32) {
        let top = self.sparse_range(EventId::new(self.ends.len() - 1));
        let key = process.index() as u32;
        match self.entries[top.clone()].binary_search_by_key(&key, |entry| entry.0) {
            Ok(at) => self.entries[top.start + at].1 = index + 1,
            Err(at) => {
                self.entries.insert(top.start + at, (key, index + 1));
                *self.ends.last_mut().expect("a clock was begun") += 1;
            }
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
        if self.lanes > 0 { 0 } else { self.get_sparse(event, process) }
    }

    #[cold]
    fn get_sparse(&self, event: EventId, process: ProcessId) -> u32 {
        let clock = &self.entries[self.sparse_range(event)];
        match clock.binary_search_by_key(&(process.index() as u32), |entry| entry.0) {
            Ok(at) => clock[at].1,
            Err(_) => 0,
        }
    }

    /// The counters of `event` that are not zero, smallest process first.
    #[inline]
    pub fn known(&self, event: EventId) -> impl Iterator<Item = (ProcessId, u32)> + '_ {
        let (row, list): (&[u32], &[(u32, u32)]) = if self.lanes > 0 {
            let from = event.index() * self.lanes;
            (self.rows[from..from + self.lanes].as_flattened(), &[])
        } else {
            (&[], &self.entries[self.sparse_range(event)])
        };
        let dense = row.iter().enumerate().filter(|&(_, &count)| count > 0);
        dense
            .map(|(process, &count)| (ProcessId::new(process), count))
            .chain(list.iter().map(|&(process, count)| (ProcessId::new(process as usize), count)))
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
        // A process that is missing in one of the lists is not known to that event.
        let Some(last) = self.ends.len().checked_sub(1).filter(|&last| last >= start) else { return };
        let widest = self.entries[self.sparse_range(EventId::new(last))].last().map_or(0, |entry| entry.0 as usize + 1);
        least.resize(widest, 0);
        for (process, count) in self.known(EventId::new(last)) {
            let others = (start..last).map(|event| self.get(EventId::new(event), process));
            least[process.index()] = others.min().map_or(count, |other| other.min(count));
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
            self.ends.pop();
            self.entries.truncate(self.ends.last().copied().unwrap_or(0));
        }
    }

    #[inline]
    fn sparse_range(&self, event: EventId) -> std::ops::Range<usize> {
        let start = if event.index() == 0 { 0 } else { self.ends[event.index() - 1] };
        start..self.ends[event.index()]
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

    /// Rows, widened rows and lists agree with each other.
    #[test]
    fn sparse_and_dense_agree() {
        let event = EventId::new;
        for processes in [3usize, 8, 20, 64, 65, 256, 257, 300] {
            let mut wide = Clocks::new();
            let mut model: Vec<Vec<u32>> = Vec::new();
            let mut last: Vec<Option<usize>> = vec![None; processes];
            let mut count = vec![0u32; processes];
            let mut seed = 7usize;
            for n in 0..400usize {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // New processes come one after the other.
                let process = (seed >> 33) % processes.min(n / 4 + 1);
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
            for start in [0, 350, 399] {
                wide.least(start, &mut least);
                for p in 0..processes {
                    let expected = model[start..].iter().map(|clock| clock[p]).min().unwrap();
                    assert_eq!(least.get(p).copied().unwrap_or(0), expected);
                }
            }
            for left in (0..400).rev() {
                wide.pop();
                assert_eq!(wide.len(), left);
            }
        }
    }
}
