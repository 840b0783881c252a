//! From a path to a program that is ready to run.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::diagnostics::Refusal;
use crate::frontend::{Kind, Program, Settings};

/// The largest source that is read: places in it are 32-bit numbers.
const LARGEST: u64 = 1 << 31;

/// A program, and what is told about it.
pub(crate) struct Loaded {
    /// The program.
    pub(crate) program: Program,
    /// Its path, as the user gave it.
    pub(crate) path: String,
    /// A digest of its source.
    pub(crate) source_hash: String,
    /// How long it took to get ready.
    pub(crate) time: Duration,
}

/// Reads and compiles a program.
pub(crate) fn load(path: &Path, settings: &Settings) -> Result<Loaded, Refusal> {
    let started = Instant::now();
    let name = path.display().to_string();
    let kind = kind_of(path, &name)?;
    let source = read(path, &name)?;
    if source.trim().is_empty() {
        return Err(Refusal::with_help(
            format!("`{name}` is empty: there is no process to run"),
            "a smallest program is `int x = 0; process p { x = 1; }`",
        ));
    }
    let program = Program::compile(kind, &name, &source, settings)?;
    Ok(Loaded { program, path: name, source_hash: hash(source.as_bytes()), time: started.elapsed() })
}

/// The kind of the file, if there is one.
fn kind_of(path: &Path, name: &str) -> Result<Kind, Refusal> {
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(name, &error))?;
    if metadata.is_dir() {
        return Err(Refusal::new(format!("`{name}` is a directory, not a program")));
    }
    if metadata.len() > LARGEST {
        return Err(Refusal::new(format!("`{name}` is too large: {} bytes, more than {LARGEST}", metadata.len())));
    }
    Kind::of_file(name, &path.extension().unwrap_or_default().to_string_lossy())
}

/// The text of a file.
pub(crate) fn read(path: &Path, name: &str) -> Result<String, Refusal> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(name, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[at];
        let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Refusal::new(format!("`{name}` is not text: byte {at} (0x{byte:02x}, in line {line}) is not UTF-8"))
    })?;
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(Refusal::new(format!("`{name}` is not text: byte {at} is zero"))),
        None => Ok(text),
    }
}

fn unreadable(name: &str, error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(format!("there is no file `{name}`")),
        io::ErrorKind::PermissionDenied => Refusal::new(format!("`{name}` may not be read: permission denied")),
        _ => Refusal::new(format!("cannot read `{name}`: {error}")),
    }
}

/// A digest that tells whether a source has changed (FNV-1a, 64 bits). Not meant against malice.
fn hash(bytes: &[u8]) -> String {
    let digest = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |digest, &byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("fnv1a64:{digest:016x}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(super::hash(b""), "fnv1a64:cbf29ce484222325");
        assert_eq!(super::hash(b"a"), "fnv1a64:af63dc4c8601ec8c");
    }
}
