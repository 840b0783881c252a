//! What was found before about steps, in a file for each two of them.

use std::path::PathBuf;

use mazurka_smt::synthesis::known::Known;

/// What was found before about steps, in a folder; without one, nothing is kept.
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// What is kept in this folder.
    pub(super) fn in_folder(folder: Option<PathBuf>) -> Cache {
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
