//! How objects are divided into cells, the units that events name.

/// The most cells that an object is divided into; beyond that its cells are coarser.
pub(crate) const MOST_CELLS: u32 = 65_536;

/// A pattern of cells that repeats itself every `period` bytes.
///
/// Any partition is sound where an access names all the cells that it overlaps; a good one makes
/// nearly every access name one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Partition {
    /// In bytes; not 0.
    period: u32,
    /// Where the cells of a period begin: ascending, the first is 0. The gaps behind a cell belong
    /// to it.
    starts: Box<[u32]>,
    /// The cell of each byte of a period; empty where each period is one cell.
    of_byte: Box<[u16]>,
    /// Where each period is one cell and a power of two: its logarithm.
    shift: Option<u8>,
}

impl Partition {
    /// Equal cells of so many bytes (at least 1).
    pub(crate) fn uniform(bytes: u32) -> Partition {
        Partition::new(bytes.max(1), vec![0])
    }

    /// Cells that begin at these offsets of every period. Repairs what is out of order.
    pub(crate) fn new(period: u32, mut starts: Vec<u32>) -> Partition {
        let period = period.max(1);
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start < period);
        if starts.len() > MOST_CELLS as usize || (starts.len() > 1 && period > MOST_BYTES) {
            return Partition::uniform(period.div_ceil(MOST_CELLS).next_power_of_two());
        }
        let even = period / starts.len() as u32;
        if even.is_power_of_two() && starts.iter().enumerate().all(|(at, &start)| start == at as u32 * even) {
            return Partition {
                period: even,
                starts: Box::new([0]),
                of_byte: Box::default(),
                shift: Some(even.ilog2() as u8),
            };
        }
        let of_byte = if starts.len() == 1 { Box::default() } else { cells_of_bytes(period, &starts) };
        Partition { period, starts: starts.into(), of_byte, shift: None }
    }

    /// The same pattern, made coarse enough for an object of so many bytes.
    pub(crate) fn coarse_enough(self, size: u64) -> Partition {
        let cells = size.div_ceil(u64::from(self.period)).saturating_mul(self.starts.len() as u64);
        if cells <= u64::from(MOST_CELLS) {
            return self;
        }
        let bytes = size.div_ceil(u64::from(MOST_CELLS)).next_power_of_two();
        Partition::uniform(u32::try_from(bytes).unwrap_or(1 << 31))
    }

    /// How many bytes the pattern has.
    pub(crate) fn period(&self) -> u32 {
        self.period
    }

    /// How many cells an object of so many bytes has; at least one.
    #[inline]
    pub(crate) fn cells(&self, size: u32) -> u32 {
        if size == 0 { 1 } else { self.cell(size - 1) + 1 }
    }

    /// The cell that the byte at this offset belongs to.
    #[inline]
    pub(crate) fn cell(&self, offset: u32) -> u32 {
        match self.shift {
            Some(shift) => offset >> shift,
            None => self.cell_slowly(offset),
        }
    }

    fn cell_slowly(&self, offset: u32) -> u32 {
        let (whole, rest) = (offset / self.period, offset % self.period);
        whole * self.starts.len() as u32 + self.of_byte.get(rest as usize).map_or(0, |&cell| u32::from(cell))
    }

    /// The offset of a cell's first byte.
    pub(crate) fn start(&self, cell: u32) -> u32 {
        let many = self.starts.len() as u32;
        (cell / many).saturating_mul(self.period).saturating_add(self.starts[(cell % many) as usize])
    }

    /// The bytes of a cell, in an object of so many bytes.
    pub(crate) fn range(&self, cell: u32, size: u32) -> std::ops::Range<u32> {
        let start = self.start(cell).min(size);
        start..self.start(cell.saturating_add(1)).min(size).max(start)
    }
}

/// Patterns of several cells are no longer than this; what is longer is divided evenly.
const MOST_BYTES: u32 = 1 << 22;

fn cells_of_bytes(period: u32, starts: &[u32]) -> Box<[u16]> {
    let ends = starts[1..].iter().copied().chain([period]);
    let runs = starts.iter().zip(ends).enumerate();
    runs.flat_map(|(cell, (&start, end))| std::iter::repeat_n(cell as u16, (end - start) as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_repeats() {
        let partition = Partition::new(16, vec![0, 4, 8]);
        assert_eq!(
            (0..16).map(|at| partition.cell(at)).collect::<Vec<_>>(),
            [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]
        );
        assert_eq!(partition.cell(17), 3);
        assert_eq!(partition.cells(32), 6);
        assert_eq!(partition.start(4), 20);
        assert_eq!(partition.range(2, 32), 8..16);
        assert_eq!(partition.range(2, 14), 8..14);
    }

    #[test]
    fn equal_cells_are_uniform() {
        assert_eq!(Partition::new(16, vec![0, 4, 8, 12]), Partition::uniform(4));
        assert_eq!(Partition::new(12, vec![]).cell(25), 2);
        assert_eq!(Partition::uniform(0).cell(3), 3);
    }

    #[test]
    fn large_objects_have_coarse_cells() {
        let partition = Partition::uniform(1).coarse_enough(1_000_000);
        assert_eq!(partition.period(), 16);
        assert!(partition.cells(1_000_000) <= MOST_CELLS);
        assert!(Partition::new(u32::MAX, (0..100).collect()).cells(u32::MAX) <= MOST_CELLS);
    }
}
