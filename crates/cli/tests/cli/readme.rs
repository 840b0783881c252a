//! What the README shows is what the program prints.

use std::path::Path;
use std::process::Command;

use crate::c::clang;

/// The timelines of the README that follow the call with this program are part of its report, line
/// by line.
fn check(program: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let call = format!("    cargo run --release -- check {program}");
    let (_, shown) = readme.split_once(&call).unwrap_or_else(|| panic!("the README does not run {program}"));
    let lines = shown.lines().skip_while(|line| !is_timeline(line)).take_while(|line| is_timeline(line));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert!(lines.len() > 5, "{lines:#?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    let output = command.current_dir(&root).args(["check", program]).output().expect("the program runs");
    let report = String::from_utf8(output.stdout).expect("a report is text");
    for line in lines {
        assert!(report.lines().any(|printed| printed.trim_end() == line.trim_end()), "{line}\nis not in\n{report}");
    }
}

fn is_timeline(line: &str) -> bool {
    line.contains(['│', '┼', '┿'])
}

#[test]
fn the_first_call() {
    check("corpus/violation/peterson-swapped.mzk");
}

#[test]
fn a_program_in_c() {
    if clang() {
        check("corpus/violation/c/use-after-free.c");
    }
}

#[test]
fn a_program_of_actors() {
    check("corpus/violation/abs/database-worker.abs");
}
