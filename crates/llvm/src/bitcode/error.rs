//! What is wrong with a file, and where.

use std::fmt;

/// Why a file is not bitcode that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong, with the record or block that it was found in.
    pub what: String,
    /// The byte of the file that reading had come to.
    pub byte: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bitcode, byte {}: {}", self.byte, self.what)
    }
}

impl std::error::Error for DecodeError {}

/// The result of reading.
pub(super) type Result<T> = std::result::Result<T, DecodeError>;

/// An error at a byte.
pub(super) fn error<T>(byte: usize, what: impl Into<String>) -> Result<T> {
    Err(DecodeError { what: what.into(), byte })
}
