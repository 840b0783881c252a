//! The corpus: programs with what is to be found in them.
//!
//! The folder a program stands in is its verdict. What each algorithm counts, and which violations there are, stands in
//! the program, in lines that begin with `//~` (see [`Expectation`]). [`check_file`] compares, [`bless_file`] rewrites
//! the lines; a changed line is a diff to be reviewed.

mod expectation;
mod run;

pub use expectation::{Counted, Expectation};
pub use run::{bless_file, check_file, measure};

use std::path::{Path, PathBuf};

/// The folders of the corpus, with whether their programs fail.
pub const FOLDERS: [(&str, bool); 2] = [("verified", false), ("violation", true)];

/// All programs of the corpus, in the order of their names.
///
/// # Errors
/// Where a folder cannot be read.
pub fn files(corpus: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (folder, _) in FOLDERS {
        for entry in std::fs::read_dir(corpus.join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "mzk") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether the programs of the folder that a file stands in fail.
pub fn is_to_fail(file: &Path) -> Option<bool> {
    let folder = file.parent()?.file_name()?.to_str()?;
    FOLDERS.iter().find(|(name, _)| *name == folder).map(|&(_, fails)| fails)
}
