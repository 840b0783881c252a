//! What was found before about steps, in a file for each two of them.

use std::path::PathBuf;

use mazurka_smt::synthesis::known::Known;

/// The environment variable that names the folder; empty for none.
const VARIABLE: &str = "MAZURKA_CACHE";

/// The folder, if there is one.
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder that the environment names.
    pub(super) fn new() -> Cache {
        let folder = match std::env::var_os(VARIABLE) {
            Some(folder) if folder.is_empty() => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => {
                let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
                let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
                cache.map(|cache| cache.join("mazurka"))
            }
        };
        Cache { folder }
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        let version = env!("CARGO_PKG_VERSION");
        Some(self.folder.as_ref()?.join(format!("constraints-{version}-{key}.txt")))
    }
}

impl Known for Cache {
    fn get(&mut self, key: &str) -> Option<String> {
        std::fs::read_to_string(self.file(key)?).ok()
    }

    /// Keeps it, if that can be done: it can be found again.
    fn put(&mut self, key: &str, text: &str) {
        let Some(file) = self.file(key) else { return };
        let folder = file.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) {
            // Whoever reads at the same time sees all of it or nothing.
            let draft = file.with_extension(format!("{}", std::process::id()));
            if std::fs::write(&draft, text).is_ok() && std::fs::rename(&draft, &file).is_err() {
                let _ = std::fs::remove_file(&draft);
            }
        }
    }
}
