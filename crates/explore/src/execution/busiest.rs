//! Who made an execution longer than allowed.

use std::hash::Hash;

use mazurka_trace::Busiest;
use rustc_hash::FxHashMap;

use super::Execution;

impl Execution {
    /// The process with the most events, and where it took most of them.
    pub(crate) fn busiest(&self) -> Option<Busiest> {
        let events = || self.records.iter().filter(|record| !record.is_local);
        let (process, count) = most(events().map(|record| record.process))?;
        let (site, _) = most(events().filter(|record| record.process == process).map(|record| record.site))?;
        Some(Busiest { process, site, events: count, of: self.visible() as u64 })
    }
}

/// What there is most of, and how many; the smallest where that is not clear.
fn most<T: Copy + Ord + Hash>(all: impl Iterator<Item = T>) -> Option<(T, u64)> {
    let mut counts = FxHashMap::<T, u64>::default();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|&(one, count)| (count, std::cmp::Reverse(one)))
}
