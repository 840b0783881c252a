//! `cargo xtask runtime`: compiles the C library's plain half, `crates/llvm/runtime/*.c`, to the
//! bitcode that is part of Mazurka.
//!
//! The bitcode is committed, so that nobody needs clang to build Mazurka. Beside it stands a sum of
//! the sources, by which a test finds out that it has not been compiled again after a change.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Result, read, relative, root, run};

/// As the front end compiles programs, but without what clang knows of functions of the C library.
const FLAGS: &[&str] = &[
    "-x",
    "c",
    "-std=c17",
    "-target",
    "x86_64-unknown-linux-gnu",
    "-O0",
    "-g",
    "-emit-llvm",
    "-c",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-math-errno",
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-stack-protector",
    "-fno-ident",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-incompatible-library-redeclaration",
    "-fdebug-compilation-dir=libc",
    "-fdebug-prefix-map=/usr/lib/llvm-19/lib=libc",
];

pub(crate) fn run_it() -> Result {
    let folder = folder();
    let clang = std::env::var("MAZURKA_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let mut command = Command::new(clang);
    command.args(FLAGS).args(["runtime.c", "-o", "runtime.bc"]).current_dir(&folder);
    run(&mut command)?;
    let sum = folder.join("runtime.sum");
    std::fs::write(&sum, sum_of_sources(&folder)?).map_err(|error| format!("{}: {error}", relative(&sum)))
}

fn folder() -> PathBuf {
    root().join("crates/llvm/runtime")
}

/// A line for each source file: its sum and its name.
fn sum_of_sources(folder: &Path) -> Result<String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", relative(folder)))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c" || ending == "h"));
    files.sort();
    let mut lines = String::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        lines += &format!("{:016x} {name}\n", sum(read(file)?.as_bytes()));
    }
    Ok(lines)
}

/// A sum of 64 bits (FNV-1a).
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_compiled_from_its_sources() {
        let folder = folder();
        let known = read(&folder.join("runtime.sum")).expect("a sum");
        assert_eq!(known, sum_of_sources(&folder).expect("sources"), "`cargo xtask runtime` has to be run");
    }
}
