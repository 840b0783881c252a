//! The files of a program: of which kind they are, and what they hold.

use std::io;
use std::path::{Path, PathBuf};

use crate::program::Kind;
use crate::refusal::Refusal;

/// The largest source that is read: places in it are 32-bit numbers.
const LARGEST: u64 = 1 << 31;

/// The kind of a program of these files. They are there, and can be read as far as that shows.
pub fn kind_of(paths: &[PathBuf]) -> Result<Kind, Refusal> {
    let kinds: Vec<Kind> = paths.iter().map(|path| kind_of_file(path)).collect::<Result<_, _>>()?;
    let kind = *kinds.first().ok_or_else(|| Refusal::new("no program was given"))?;
    if let Some(other) = kinds.iter().position(|&other| other != kind) {
        let (first, other) = (paths[0].display(), paths[other].display());
        return Err(Refusal::new(format!("`{first}` and `{other}` are not of one kind: they do not make one program")));
    }
    Ok(kind)
}

/// The kind of the file, if there is one.
fn kind_of_file(path: &Path) -> Result<Kind, Refusal> {
    let name = path.display().to_string();
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(&name, &error))?;
    if metadata.is_dir() {
        return Err(Refusal::new(format!("`{name}` is a directory, not a program")));
    }
    if metadata.len() > LARGEST {
        return Err(Refusal::new(format!("`{name}` is too large: {} bytes, more than {LARGEST}", metadata.len())));
    }
    Kind::of_file(path)
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

/// Why a file cannot be read.
fn unreadable(name: &str, error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(format!("there is no file `{name}`")),
        io::ErrorKind::PermissionDenied => Refusal::new(format!("`{name}` may not be read: permission denied")),
        _ => Refusal::new(format!("cannot read `{name}`: {error}")),
    }
}
