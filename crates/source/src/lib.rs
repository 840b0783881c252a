//! What front ends share about source text: places in it, lines and columns, and what is said about
//! a program that is refused.

mod diagnostic;
mod lines;

pub use diagnostic::{Diagnostic, Note, Sink, suggest};
pub use lines::LineIndex;

/// A stretch of the source, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// From the beginning of this one to the end of another.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.end) }
    }
}
