//! Leftovers, and files that have grown too long.

use crate::shell::{Result, files, read, relative};

/// What is not to be left in a source file.
const LEFTOVERS: &[&str] =
    &[concat!("todo", "!("), concat!("dbg", "!("), concat!("FIX", "ME"), concat!("unimplemented", "!(")];

/// A file beyond this is a question to answer.
const LONGEST: usize = 800;

/// Files for which the question was answered: path, reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Comments in lines beyond this are hard to read.
const WIDEST: usize = 100;

/// What only the crates at the edge do: print, and read the environment.
const EDGE_ONLY: &[&str] = &["print!(", "println!(", "eprint!(", "eprintln!(", "std::env::"];

/// The crates at the edge.
const EDGE: &[&str] = &["crates/cli/", "crates/clang/", "crates/web/", "xtask/"];

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    for file in files("rs")? {
        let (name, text) = (relative(&file), read(&file)?);
        for (number, line) in text.lines().enumerate() {
            for leftover in LEFTOVERS.iter().filter(|leftover| line.contains(**leftover)) {
                complaints.push(format!("{name}:{}: `{leftover}` was left behind", number + 1));
            }
        }
        check_edge(&name, &text, complaints);
        check_comments(&name, &text, complaints);
        let length = text.lines().count();
        if length > LONGEST && LONG_FILES.iter().all(|(known, _)| *known != name) {
            complaints.push(format!("{name}: has {length} lines, more than {LONGEST}: split it"));
        }
    }
    Ok(())
}

/// Comments stand in short lines. Tests have programs in other languages in them.
fn check_comments(name: &str, text: &str, complaints: &mut Vec<String>) {
    if !name.contains("/src/") {
        return;
    }
    let comments = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"));
    for (number, _) in comments.filter(|(_, line)| line.chars().count() > WIDEST) {
        complaints.push(format!("{name}:{}: a comment wider than {WIDEST} columns", number + 1));
    }
}

/// Tests and examples may do as they like.
fn check_edge(name: &str, text: &str, complaints: &mut Vec<String>) {
    if !name.contains("/src/") || name.ends_with("/tests.rs") || EDGE.iter().any(|edge| name.starts_with(edge)) {
        return;
    }
    let code = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    for (number, line) in code.filter(|(_, line)| !line.trim_start().starts_with("//")) {
        let begins_a_word = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric());
        for word in EDGE_ONLY.iter().filter(|word| line.find(**word).is_some_and(begins_a_word)) {
            complaints.push(format!("{name}:{}: `{word}` belongs into the crates at the edge", number + 1));
        }
    }
}
