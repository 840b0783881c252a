//! A set of processes for each node: small, and free of allocation where there are few processes.

use mazurka_trace::ProcessId;

/// A set of processes: a bit each for the first 64, a list for the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processes {
    low: u64,
    high: Vec<ProcessId>,
}

impl Processes {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.low = 0;
        self.high.clear();
    }

    /// Adds a process; tells whether it was new.
    #[inline]
    pub(crate) fn insert(&mut self, process: ProcessId) -> bool {
        if process.index() < 64 {
            let bit = 1 << process.index();
            let new = self.low & bit == 0;
            self.low |= bit;
            return new;
        }
        let new = !self.high.contains(&process);
        if new {
            self.high.push(process);
        }
        new
    }

    #[inline]
    pub(crate) fn contains(&self, process: ProcessId) -> bool {
        if process.index() < 64 { self.low >> process.index() & 1 == 1 } else { self.high.contains(&process) }
    }

    /// Takes a process out of the set.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<ProcessId> {
        if self.low == 0 {
            return self.high.pop();
        }
        let first = self.low.trailing_zeros() as usize;
        self.low &= self.low - 1;
        Some(ProcessId::new(first))
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let mut low = self.low;
        let bits = std::iter::from_fn(move || {
            let first = (low != 0).then(|| low.trailing_zeros() as usize)?;
            low &= low - 1;
            Some(ProcessId::new(first))
        });
        bits.chain(self.high.iter().copied())
    }
}
