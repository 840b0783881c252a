//! What can go wrong with a solver.

use std::fmt;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// There is no such program.
    Missing {
        /// What to tell the user, with how to get one.
        message: String,
    },
    /// The program cannot be run, or does not talk.
    Silent {
        /// Which.
        program: String,
    },
    /// The process came to an end.
    Died {
        /// What it had to say at last.
        last: String,
    },
    /// It was ended before, since it did not answer in time or not sensibly.
    Gone,
    /// It answered something else than was requested.
    Nonsense {
        /// What would have been an answer.
        expected: String,
        /// The beginning of what came.
        got: String,
    },
}

/// So much of a wrong answer is shown.
const SHOWN: usize = 200;

impl Error {
    pub(super) fn nonsense(expected: &str, got: &str) -> Error {
        Error::Nonsense { expected: expected.to_owned(), got: got.chars().take(SHOWN).collect() }
    }

    pub(super) fn missing(program: &str, named_by: &str) -> Error {
        let by = if named_by.is_empty() { String::new() } else { format!(" ({named_by})") };
        let message = format!(
            "this needs a solver, and there is no program `{program}`{by}\n\
             install Z3 (`apt install z3`, or `pip install z3-solver`), or name another solver that reads SMT-LIB with \
             --solver or MAZURKA_SOLVER"
        );
        Error::Missing { message }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing { message } => f.write_str(message),
            Error::Silent { program } => write!(f, "`{program}` does not answer; is it a solver that reads SMT-LIB?"),
            Error::Died { last } if last.is_empty() => f.write_str("the solver died"),
            Error::Died { last } => write!(f, "the solver died: {last}"),
            Error::Gone => f.write_str("the solver was ended before"),
            Error::Nonsense { expected, got } => {
                write!(f, "the solver answered `{got}` where {expected} was expected")
            }
        }
    }
}

impl std::error::Error for Error {}
