//! `cargo xtask test`: the tests alone.

use std::process::Stdio;

use crate::clang;
use crate::shell::{self, Result, cargo};

pub(crate) fn run() -> Result {
    let need = clang::ensure()?;
    if has_nextest() {
        shell::run(cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]).env(clang::NEED, need))?;
        shell::run(&mut cargo(&["test", "--quiet", "--workspace", "--doc"]))?;
    } else {
        shell::run(cargo(&["test", "--quiet", "--workspace"]).env(clang::NEED, need))?;
    }
    // The engines with a deliberate breakage built in, to see that the tests notice.
    let breakages = ["--package", "mazurka-testkit", "--features", "mutations", "--test", "mutations"];
    shell::run(cargo(&["test", "--quiet"]).args(breakages))
}

fn has_nextest() -> bool {
    let mut question = cargo(&["nextest", "--version"]);
    question.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
