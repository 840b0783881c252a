//! Lines and columns.

/// Lines and columns of a text, from byte offsets.
///
/// Building it reads the text once; a look-up is a binary search. It does not borrow the text.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Offset of the first byte of each line.
    starts: Vec<u32>,
    /// Offsets of the bytes that continue a character: what a column must not count.
    continuations: Vec<u32>,
    length: u32,
}

impl LineIndex {
    /// The index of a text.
    pub fn new(text: &str) -> Self {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut index = LineIndex { starts: vec![0], continuations: Vec::new(), length };
        for (offset, byte) in (0..length).zip(text.bytes()) {
            match byte {
                b'\n' => index.starts.push(offset + 1),
                0x80..=0xBF => index.continuations.push(offset),
                _ => {}
            }
        }
        index
    }

    /// Line, and column in characters, of a byte offset; both count from 1. An offset beyond the
    /// end is the end.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let offset = offset.min(self.length);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let before = |offset| self.continuations.partition_point(|&byte| byte < offset);
        (line, (offset - start) as usize - (before(offset) - before(start)) + 1)
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let index = LineIndex::new("ab\nß∧x\n");
        let places: Vec<_> = [0, 2, 3, 5, 8, 9, 10, 99].map(|offset| index.line_column(offset)).into();
        assert_eq!(places, [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 1)]);
        assert_eq!(index.lines(), 3);
        assert_eq!(LineIndex::new("").line_column(0), (1, 1));
    }
}
