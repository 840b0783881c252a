//! From files to images: a module for each kind of program.

mod actor;
mod c;
mod network;
mod process;

use std::path::PathBuf;
use std::time::Duration;

pub use network::read_network;

use crate::program::{Kind, Program};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// What compiling came to.
pub(crate) struct Compiled {
    /// The program.
    pub(crate) program: Program,
    /// The texts that it was made from, to tell later whether they have changed.
    pub(crate) sources: Vec<Vec<u8>>,
    /// The time that other programs took.
    pub(crate) compiler_time: Duration,
    /// What a compiler has to say besides errors.
    pub(crate) warnings: String,
}

/// Compiles a program; there is at least one file.
pub(crate) fn compile(kind: Kind, files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    match kind {
        Kind::Process => process::compile(files, settings),
        Kind::C => c::compile(files, settings),
        Kind::Actor => actor::compile(files, settings),
        Kind::Network => network::compile(files, settings),
    }
}

/// Compiles a program that is there as a text.
pub(crate) fn compile_text(kind: Kind, name: &str, text: &str, settings: &Settings) -> Result<Compiled, Refusal> {
    match kind {
        Kind::Process => process::from_text(name, text.to_owned(), settings),
        Kind::Actor => actor::from_texts(&[name.to_owned()], vec![text.to_owned()], settings),
        Kind::Network => network::from_text(name, text.to_owned(), settings),
        Kind::C => Err(Refusal::with_help(
            format!("`{name}`: C and C++ are compiled by clang, which reads files"),
            "write the text to a file",
        )),
    }
}

/// `NAME=VALUE`: an integer, or `true` or `false`.
pub fn constant(text: &str) -> Result<(String, i64), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("`{text}` gives no value: expected NAME=VALUE, such as -D N=5"));
    };
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if !is_name(name) {
        return Err(format!("`{name}` is not a name"));
    }
    let value = match value {
        "true" => 1,
        "false" => 0,
        _ => value.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
            std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                format!("`{value}` does not fit 64 bits")
            }
            _ => format!("`{value}` is neither an integer nor `true` or `false`"),
        })?,
    };
    Ok((name.to_owned(), value))
}

/// All constants that were given other values; `help` says what that is for.
fn constants(defines: &[String], help: &str) -> Result<Vec<(String, i64)>, Refusal> {
    let constants: Result<_, String> = defines.iter().map(|define| constant(define)).collect();
    constants.map_err(|error| Refusal::with_help(format!("-D: {error}"), help))
}

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn defines() {
        assert_eq!(constant("N=5"), Ok(("N".to_owned(), 5)));
        assert_eq!(constant("FLAG=true"), Ok(("FLAG".to_owned(), 1)));
        assert_eq!(constant("LOW=-3"), Ok(("LOW".to_owned(), -3)));
        for wrong in ["N", "=5", "5=5", "N=", "N=five", "N=99999999999999999999", "a b=1"] {
            assert!(constant(wrong).is_err(), "{wrong}");
        }
    }
}
