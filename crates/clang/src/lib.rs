//! From the files of a C or C++ program to an image that a machine runs: finding clang, running it,
//! reading what it wrote.
//!
//! What is compiled is the program as it is written: no pass of LLVM runs, so every access of the
//! source is there, in its order, and nothing is left out because a program without data races
//! could not tell.

mod build;
mod find;
mod run;

pub use build::{BuildError, Built, build};
pub use find::Clang;
pub use run::{Compiled, Language, Options, Scratch};

use std::fmt;

/// Why there is no bitcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is no clang, or not the one that was requested.
    Missing {
        /// What was looked for, in a sentence.
        message: String,
    },
    /// Clang cannot be run, or its result cannot be read.
    System {
        /// What went wrong.
        message: String,
    },
    /// Clang refuses the program.
    Refused {
        /// The source file.
        file: String,
        /// What clang says.
        diagnostics: String,
    },
}

/// How to get clang, for the user.
pub const HELP: &str = "install it: `apt install clang-19` on Debian and Ubuntu, `dnf install clang` on Fedora; or, without a \
                        system package, `pip install ziglang` and MAZURKA_CLANG=\"python3 -m ziglang cc\". A clang that stands \
                        elsewhere is named by --clang PATH or MAZURKA_CLANG=PATH";

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing { message } | Error::System { message } => f.write_str(message),
            Error::Refused { file, diagnostics } => {
                write!(f, "clang does not compile `{file}`:\n{}", diagnostics.trim_end())
            }
        }
    }
}
