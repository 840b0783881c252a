//! `cargo xtask bless`: rewrites what the corpus programs say is found in them.

use std::path::PathBuf;

use mazurka_testkit::corpus;

use crate::shell::{Result, relative, root};

/// What to bless.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these programs (default: all of the corpus)
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result {
    let files = if arguments.files.is_empty() {
        corpus::files(&root().join("corpus")).map_err(|error| format!("corpus: {error}"))?
    } else {
        arguments.files.clone()
    };
    let (mut changed, mut failed) = (0, 0);
    for file in &files {
        match corpus::bless_file(file) {
            Ok(true) => {
                println!("blessed {}", relative(file));
                changed += 1;
            }
            Ok(false) => {}
            Err(error) => {
                eprintln!("{}: {error}", relative(file));
                failed += 1;
            }
        }
    }
    println!("{} programs, {changed} changed: review the diff", files.len());
    if failed == 0 { Ok(()) } else { Err(format!("{failed} programs could not be blessed")) }
}
