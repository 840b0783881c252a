//! From the files of a program to an image that a machine runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mazurka_llvm::{Image, Settings, Unsupported};

use crate::{Clang, Error, Language, Options};

/// Larger files are not read for reports.
const LARGEST_SOURCE: u64 = 1 << 26;

/// A program that was compiled.
#[derive(Debug)]
pub struct Built {
    /// What a machine runs.
    pub image: Image,
    /// The contents of the program's own files, with those that they include, system headers left
    /// out.
    pub sources: Vec<Vec<u8>>,
    /// How long clang took.
    pub compiler_time: Duration,
    /// What clang had to say all the same.
    pub warnings: String,
}

/// Why a program cannot be run.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// Clang is missing or refuses the program.
    Clang(Error),
    /// A file cannot be used.
    File {
        /// Its name.
        file: String,
        /// Why.
        message: String,
    },
    /// The program needs something that is not supported: all of it.
    Unsupported(Vec<Unsupported>),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Clang(error) => error.fmt(f),
            BuildError::File { file, message } => write!(f, "{file}: {message}"),
            BuildError::Unsupported(list) => {
                let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

/// Compiles, links and lowers the files of a program; their endings say what they are (`.c`, `.cc`,
/// `.cpp`, `.ll`, `.bc`).
///
/// # Errors
/// Where clang is missing or refuses a file, where a file cannot be read, and where something is
/// not supported.
pub fn build(
    files: &[PathBuf],
    clang: Option<&str>,
    options: &Options,
    settings: &Settings,
) -> Result<Built, BuildError> {
    let mut warnings = String::new();
    let mut compiler_time = Duration::ZERO;
    let mut modules = Vec::new();
    let mut sources: Vec<Vec<u8>> = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let unreadable = |message: String| BuildError::File { file: name.clone(), message };
        let own = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
        let bitcode = match language(file) {
            None => own.clone(),
            Some(language) => {
                let started = Instant::now();
                let clang = Clang::find(clang).map_err(BuildError::Clang)?;
                let compiled = clang.compile(file, language, options).map_err(BuildError::Clang)?;
                compiler_time += started.elapsed();
                warnings += &compiled.warnings;
                let others = compiled.sources.iter().filter(|other| *other != file);
                sources.extend(others.filter_map(|other| std::fs::read(other).ok()));
                compiled.bitcode
            }
        };
        sources.push(own);
        modules.push(mazurka_llvm::bitcode::decode(&bitcode).map_err(|error| unreadable(error.to_string()))?);
    }
    let image = mazurka_llvm::compile(modules, settings, &read_source).map_err(BuildError::Unsupported)?;
    Ok(Built { image, sources, compiler_time, warnings })
}

/// What clang is to take a file for; none where it is bitcode already.
fn language(file: &Path) -> Option<Language> {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("bc") => None,
        Some("ll") => Some(Language::Assembly),
        Some("cc" | "cpp") => Some(Language::Cpp),
        _ => Some(Language::C),
    }
}

/// The text of a source file, for reports: whatever can be read of it.
fn read_source(name: &str) -> Option<String> {
    let metadata = std::fs::metadata(name).ok().filter(|file| file.is_file() && file.len() <= LARGEST_SOURCE);
    metadata.and_then(|_| std::fs::read(name).ok()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
