//! What a program needs and this front end does not have.

use std::fmt;

/// Something that is not supported, with its place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Unsupported {
    /// The file, as the compiler was given it; empty where it is not known.
    pub file: String,
    /// From 1; 0 where it is not known.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
    /// The function it stands in; empty where it stands in none.
    pub function: String,
    /// What it is.
    pub what: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        }
        f.write_str(&self.what)?;
        if !self.function.is_empty() {
            write!(f, " (in `{}`)", self.function)?;
        }
        Ok(())
    }
}
