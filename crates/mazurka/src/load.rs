//! From a path to a program that is ready to run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::compile::{Compiled, compile, compile_text};
use crate::files::kind_of;
use crate::program::{Kind, Program};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// A program, and what is told about it.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// What the front end was told.
    pub settings: Settings,
    /// The paths of its files, as the user gave them.
    pub path: String,
    /// A digest of its sources.
    pub source_hash: String,
    /// How long it took to get ready.
    pub time: Duration,
    /// How much of that time a compiler took.
    pub compiler_time: Duration,
    /// How long a solver took to find out what is known of it.
    pub solver_time: Duration,
    /// What a compiler has to say besides errors, if that was wanted.
    pub warnings: String,
    /// What the user is to know of how it was made ready.
    pub notes: Vec<String>,
}

impl Loaded {
    /// Reads and compiles a program of one or more files.
    pub fn from_files(paths: &[PathBuf], settings: &Settings) -> Result<Loaded, Refusal> {
        let started = Instant::now();
        let kind = kind_of(paths)?;
        let compiled = compile(kind, paths, settings)?;
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(Loaded::new(compiled, names.join(" "), settings, started))
    }

    /// Compiles a program that is there as a text. Messages call it by the name.
    ///
    /// C and C++ are read from files only.
    pub fn from_text(kind: Kind, name: &str, text: &str, settings: &Settings) -> Result<Loaded, Refusal> {
        let started = Instant::now();
        let compiled = compile_text(kind, name, text, settings)?;
        Ok(Loaded::new(compiled, name.to_owned(), settings, started))
    }

    fn new(compiled: Compiled, path: String, settings: &Settings, started: Instant) -> Loaded {
        let Compiled { program, sources, compiler_time, warnings } = compiled;
        Loaded {
            program,
            settings: settings.clone(),
            path,
            source_hash: hash(sources.iter().flatten().copied()),
            time: started.elapsed(),
            compiler_time,
            solver_time: Duration::ZERO,
            warnings,
            notes: Vec::new(),
        }
    }
}

/// A digest that tells whether a source has changed (FNV-1a, 64 bits). Not meant against malice.
pub(crate) fn hash(bytes: impl Iterator<Item = u8>) -> String {
    let digest =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("fnv1a64:{digest:016x}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(super::hash(b"".iter().copied()), "fnv1a64:cbf29ce484222325");
        assert_eq!(super::hash(b"a".iter().copied()), "fnv1a64:af63dc4c8601ec8c");
    }
}
