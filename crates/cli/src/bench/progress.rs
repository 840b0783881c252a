//! A line on the terminal that says what is being run.

use std::io::IsTerminal;

use super::plan::Case;
use crate::terminal;

/// Rewrites one line on stderr, if that is a terminal.
pub(crate) struct Progress {
    shows: bool,
    number: usize,
    total: usize,
}

impl Progress {
    /// For so many runs.
    pub(crate) fn new(total: usize) -> Self {
        Self { shows: std::io::stderr().is_terminal(), number: 0, total }
    }

    /// Says what is run next.
    pub(crate) fn show(&mut self, case: &Case, algorithm: impl std::fmt::Display) {
        self.number += 1;
        if self.shows {
            let (number, total) = (self.number, self.total);
            terminal::print_error(&format!("\r\x1b[K[{number}/{total}] {} · {algorithm}", case.title()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shows {
            terminal::print_error("\r\x1b[K");
        }
    }
}
