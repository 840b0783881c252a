//! Partitions of objects into cells, with tables for what is asked often.

use std::ops::Range;

use crate::code::partition::Partition;

use super::object::UNEVEN;

/// Patterns longer than this have no table.
const LONGEST: u32 = 4096;

/// A way to divide objects into cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) partition: Partition,
    /// See [`Object::shift`](super::object::Object::shift).
    pub(crate) shift: u8,
    /// The cell of each byte of the first period, where the cells are not even.
    of_byte: Box<[u16]>,
    /// Where each cell of the first period begins, and how long it is.
    ranges: Box<[(u32, u32)]>,
}

impl Cells {
    pub(crate) fn new(partition: Partition) -> Cells {
        let period = partition.period();
        let even = period.is_power_of_two() && partition.cells(period) == 1;
        let shift = if even { period.ilog2() as u8 } else { UNEVEN };
        let tabled = if even || period > LONGEST { 0 } else { period };
        let of_byte = (0..tabled).map(|offset| partition.cell(offset) as u16).collect();
        let count = if tabled == 0 { 0 } else { partition.cells(period) };
        let range = |cell| {
            let range = partition.range(cell, period);
            (range.start, range.end - range.start)
        };
        let ranges = (0..count).map(range).collect();
        Cells { partition, shift, of_byte, ranges }
    }

    /// The cell that the byte at this offset belongs to.
    #[inline]
    pub(crate) fn cell(&self, offset: u32) -> u32 {
        match self.of_byte.get(offset as usize) {
            Some(&cell) => u32::from(cell),
            None => self.partition.cell(offset),
        }
    }

    /// The bytes of a cell, in an object of so many bytes.
    #[inline]
    pub(crate) fn range(&self, cell: u32, size: u32) -> Range<u32> {
        match self.ranges.get(cell as usize) {
            Some(&(start, length)) if start + length <= size => start..start + length,
            _ => self.partition.range(cell, size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_the_same() {
        for partition in [Partition::new(40, vec![0, 4, 8, 12, 16, 20, 22, 24, 32]), Partition::uniform(4)] {
            let cells = Cells::new(partition.clone());
            for offset in 0..200 {
                assert_eq!(cells.cell(offset), partition.cell(offset));
            }
            for (cell, size) in (0..40).flat_map(|cell| [24, 40, 80, 90].map(|size| (cell, size))) {
                assert_eq!(cells.range(cell, size), partition.range(cell, size));
            }
        }
    }
}
