//! Makes the table of the benchmark suites: every folder of `bench/suites`, with the text of all
//! its files, becomes part of the program, so that an installed one can run them. A new suite is a
//! new folder.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let suites = own.join("../../bench/suites");
    println!("cargo::rerun-if-changed={}", suites.display());
    let mut code = String::from("&[\n");
    for folder in entries(&suites).into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
        writeln!(code, "    Embedded {{ name: {:?}, files: &[", name(&folder)).expect("text can be written");
        for file in entries(&folder).into_iter().filter(|path| path.is_file()) {
            let path = file.canonicalize().expect("a file that is listed has a path");
            writeln!(code, "        ({:?}, include_str!({path:?})),", name(&file)).expect("text can be written");
        }
        code.push_str("    ] },\n");
    }
    code.push_str("]\n");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where to write"));
    std::fs::write(folder.join("suites.rs"), code).expect("cargo's folder can be written to");
}

/// What a folder holds, in the order of names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().expect("what is listed has a name").to_string_lossy().into_owned()
}
