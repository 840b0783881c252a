//! Where output goes: colours, width, and pipes that close early.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};

use crate::args::Colour;

/// The width of what is written to a file or a pipe.
const WIDTH: usize = 100;

/// The narrowest width that is laid out for.
const NARROWEST: usize = 40;

/// What is known about a place to print to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    /// Whether to use colours.
    pub(crate) colour: bool,
    /// The number of characters of a line.
    pub(crate) width: usize,
}

impl Terminal {
    /// What is known about stdout.
    pub(crate) fn of_stdout(colour: Colour) -> Self {
        let stdout = io::stdout();
        let columns = terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
        Self::new(colour, stdout.is_terminal(), columns)
    }

    /// What is known about stderr.
    pub(crate) fn of_stderr(colour: Colour) -> Self {
        let stderr = io::stderr();
        let columns = terminal_size::terminal_size_of(&stderr).map(|(width, _)| usize::from(width.0));
        Self::new(colour, stderr.is_terminal(), columns)
    }

    fn new(colour: Colour, is_terminal: bool, columns: Option<usize>) -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let colour = colours(colour, is_terminal, variable("NO_COLOR").is_some(), variable("TERM").as_deref());
        let asked = variable("COLUMNS").and_then(|columns| columns.to_str()?.parse().ok());
        Self { colour, width: columns.filter(|&columns| columns > 0).or(asked).unwrap_or(WIDTH).max(NARROWEST) }
    }
}

/// Whether to use colours.
fn colours(asked: Colour, is_terminal: bool, no_color: bool, terminal: Option<&OsStr>) -> bool {
    match asked {
        Colour::Auto => is_terminal && !no_color && terminal != Some(OsStr::new("dumb")),
        Colour::Always => true,
        Colour::Never => false,
    }
}

/// Writes to stdout. A reader that has gone away (`| head`) is not an error.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes to stderr; there is nowhere to complain if that fails.
pub(crate) fn print_error(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_where_they_are_welcome() {
        let xterm = Some(OsStr::new("xterm"));
        assert!(colours(Colour::Auto, true, false, xterm));
        assert!(!colours(Colour::Auto, false, false, xterm));
        assert!(!colours(Colour::Auto, true, true, xterm));
        assert!(!colours(Colour::Auto, true, false, Some(OsStr::new("dumb"))));
        assert!(colours(Colour::Always, false, true, None));
        assert!(!colours(Colour::Never, true, false, xterm));
    }
}
