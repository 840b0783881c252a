//! Where output goes: colours, width, and pipes that close early.

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
        let colour = match colour {
            Colour::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb(),
            Colour::Always => true,
            Colour::Never => false,
        };
        let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self { colour, width: columns.filter(|&columns| columns > 0).or(asked).unwrap_or(WIDTH).max(NARROWEST) }
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
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
