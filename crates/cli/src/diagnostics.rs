//! Refusals on stderr.

use mazurka::Refusal;

use crate::terminal::{self, Terminal};

/// Prints a refusal on stderr.
pub(crate) fn print(refusal: &Refusal, terminal: &Terminal) {
    terminal::print_error(&mazurka::render(refusal, terminal.colour, terminal.width));
}
