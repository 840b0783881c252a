//! Which clang.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::Error;

/// The environment variable that names a clang.
const VARIABLE: &str = "MAZURKA_CLANG";

/// The newest version that is looked for by its number, and the oldest.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// A clang that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang {
    /// The program, and words that stand before all others (`zig cc`).
    words: Vec<OsString>,
}

impl Clang {
    /// The clang that was requested, or else the one that `MAZURKA_CLANG` names, or else one on the
    /// path: `clang`, `clang-22`, ..., `clang-14`.
    ///
    /// # Errors
    /// Where there is none.
    pub fn find(asked: Option<&str>) -> Result<Clang, Error> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if let Some(asked) = asked {
            return named(asked, &path).ok_or_else(|| missing(format!("there is no program `{asked}` (--clang)")));
        }
        if let Some(variable) = std::env::var(VARIABLE).ok().filter(|value| !value.trim().is_empty()) {
            return named(&variable, &path)
                .ok_or_else(|| missing(format!("there is no program `{variable}` ({VARIABLE})")));
        }
        let names = std::iter::once("clang".to_owned()).chain(VERSIONS.rev().map(|version| format!("clang-{version}")));
        let mut found = names.filter_map(|name| named(&name, &path));
        found.next().ok_or_else(|| {
            let (first, last) = (VERSIONS.end(), VERSIONS.start());
            missing(format!(
                "C programs are compiled with clang, and there is none on the path (`clang`, `clang-{first}` ... `clang-{last}`)"
            ))
        })
    }

    /// The program, and the words that come before all others.
    pub(crate) fn words(&self) -> (&OsStr, &[OsString]) {
        (&self.words[0], &self.words[1..])
    }
}

fn missing(message: String) -> Error {
    Error::Missing { message }
}

/// The program of this name, or the program of its first word with the other words.
fn named(name: &str, path: &OsStr) -> Option<Clang> {
    if let Some(program) = program(name, path) {
        return Some(Clang { words: vec![program.into()] });
    }
    let mut words = name.split_whitespace();
    let program = program(words.next()?, path)?;
    Some(Clang { words: std::iter::once(program.into()).chain(words.map(OsString::from)).collect() })
}

/// A file of this name, or one in the folders of the path.
fn program(name: &str, path: &OsStr) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| is_program(file));
    }
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_the_path_with_their_words() {
        let path = OsStr::new("/nowhere:/bin:/usr/bin");
        assert_eq!(named("sh", path).map(|found| found.words.len()), Some(1));
        let found = named("sh -c cc", path).expect("there is a shell");
        assert_eq!(found.words().1, ["-c", "cc"]);
        assert_eq!(named("no-such-clang", path), None);
        assert_eq!(named("/no/such/clang", path), None);
        assert_eq!(named("", path), None);
    }

    #[test]
    fn what_was_asked_for_is_not_replaced() {
        let error = Clang::find(Some("no-such-clang")).expect_err("there is no such program");
        assert!(error.to_string().contains("`no-such-clang`"), "{error}");
    }
}
