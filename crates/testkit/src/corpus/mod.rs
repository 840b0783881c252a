//! The corpus: programs with what is to be found in them.
//!
//! The folder a program stands in is its verdict. What each algorithm counts, and which violations
//! there are, stands in the program, in lines that begin with `//~` (see [`Expectation`]).
//! [`check_file`] compares, [`bless_file`] rewrites the lines; a changed line is a diff to be
//! reviewed.

mod actor;
mod c;
mod expectation;
mod run;

pub use actor::load as load_actor;
pub use c::load_file as load_c;
pub use expectation::{Counted, Expectation};
pub use run::{bless_file, check_file, compare_workers, hunt_file, measure};

use std::path::{Path, PathBuf};

/// The folders of the corpus, with whether their programs fail.
pub const FOLDERS: [(&str, bool); 2] = [("verified", false), ("violation", true)];

/// The endings of programs.
const ENDINGS: [&str; 7] = ["mzk", "abs", "sdn", "c", "cc", "cpp", "ll"];

/// All programs of the corpus, in the order of their names: those of a folder and of its folders
/// `c`, `abs` and `sdn`.
///
/// # Errors
/// Where a folder cannot be read.
pub fn files(corpus: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for (folder, _) in FOLDERS {
        let folder = corpus.join(folder);
        for folder in [folder.clone(), folder.join("c"), folder.join("abs"), folder.join("sdn")] {
            for entry in std::fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_file() && path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
                {
                    files.push(path);
                }
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a program is one of C or C++, or LLVM assembly, and needs clang.
pub fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending != "mzk" && ending != "abs" && ending != "sdn")
}

/// Whether a program is one of actors.
pub fn is_actor(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "abs")
}

/// Whether a program is a network.
pub fn is_network(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "sdn")
}

/// Whether the programs of the folder that a file stands in fail.
pub fn is_to_fail(file: &Path) -> Option<bool> {
    file.ancestors().skip(1).find_map(|folder| {
        let name = folder.file_name()?.to_str()?;
        FOLDERS.iter().find(|(known, _)| *known == name).map(|&(_, fails)| fails)
    })
}
