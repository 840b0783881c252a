//! Files that keep failing schedules and explorations: where they may be written.

use std::path::Path;

use mazurka::Refusal;

/// Refuses a path that cannot be written, before any time is spent.
pub(crate) fn check_writable(path: &Path) -> Result<(), Refusal> {
    let name = path.display();
    if path.is_dir() {
        return Err(Refusal::new(format!("cannot write to `{name}`: it is a directory")));
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
            Err(Refusal::new(format!("cannot write to `{name}`: there is no directory `{}`", parent.display())))
        }
        _ => Ok(()),
    }
}
