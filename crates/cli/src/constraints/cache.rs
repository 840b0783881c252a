//! Constraints that were found before, in files named after the program's steps.

use std::path::PathBuf;

use mazurka_process::{Image, Synthesised, store};

/// The environment variable that names the folder; empty for none.
const VARIABLE: &str = "MAZURKA_CACHE";

/// What was found before about these steps.
pub(crate) fn load(image: &Image) -> Option<Vec<Synthesised>> {
    store::read(&std::fs::read_to_string(file(image)?).ok()?)
}

/// Keeps what was found, if that can be done: it can be found again.
pub(crate) fn store(image: &Image, found: &[Synthesised]) {
    if let Some(file) = file(image) {
        let folder = file.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) {
            // Whoever reads at the same time sees all of it or nothing.
            let draft = file.with_extension(format!("{}", std::process::id()));
            if std::fs::write(&draft, store::write(found)).is_ok() && std::fs::rename(&draft, &file).is_err() {
                let _ = std::fs::remove_file(&draft);
            }
        }
    }
}

fn file(image: &Image) -> Option<PathBuf> {
    let folder = match std::env::var_os(VARIABLE) {
        Some(folder) if folder.is_empty() => return None,
        Some(folder) => PathBuf::from(folder),
        None => {
            let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
            std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?.join("mazurka")
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    Some(folder.join(format!("constraints-{version}-{:016x}.txt", image.fingerprint())))
}
