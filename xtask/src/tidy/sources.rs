//! Leftovers, and files that have grown too long.

use crate::shell::{Result, files, read, relative};

/// What is not to be left in a source file.
const LEFTOVERS: &[&str] =
    &[concat!("todo", "!("), concat!("dbg", "!("), concat!("FIX", "ME"), concat!("unimplemented", "!(")];

/// A file beyond this is a question to answer.
const LONGEST: usize = 800;

/// Files for which the question was answered: path, reason.
const LONG_FILES: &[(&str, &str)] = &[];

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    for file in files("rs")? {
        let (name, text) = (relative(&file), read(&file)?);
        for (number, line) in text.lines().enumerate() {
            for leftover in LEFTOVERS.iter().filter(|leftover| line.contains(**leftover)) {
                complaints.push(format!("{name}:{}: `{leftover}` was left behind", number + 1));
            }
        }
        let length = text.lines().count();
        if length > LONGEST && LONG_FILES.iter().all(|(known, _)| *known != name) {
            complaints.push(format!("{name}: has {length} lines, more than {LONGEST}: split it"));
        }
    }
    Ok(())
}
