//! `cargo xtask test`: the tests alone.

use std::process::Stdio;

use crate::shell::{self, Result, cargo};
use crate::{clang, solver};

pub(crate) fn run() -> Result {
    let needs = [(clang::NEED, clang::ensure()?), (solver::NEED, solver::ensure()?)];
    if has_nextest() {
        shell::run(cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]).envs(needs))?;
        shell::run(&mut cargo(&["test", "--quiet", "--workspace", "--doc"]))?;
    } else {
        shell::run(cargo(&["test", "--quiet", "--workspace"]).envs(needs))?;
    }
    // The engines with a deliberate breakage built in, to see that the tests notice.
    let breakages = [
        "--package",
        "mazurka-testkit",
        "--features",
        "mutations",
        "--test",
        "mutations",
        "--test",
        "actor_mutations",
        "--test",
        "c_mutations",
        "--test",
        "lock_order_mutations",
        "--test",
        "network_mutations",
    ];
    shell::run(cargo(&["test", "--quiet"]).args(breakages))?;
    let of_guide =
        ["--package", "mazurka-actor", "--features", "mutations", "--test", "paper_mutations", "--test", "symbolic"];
    shell::run(cargo(&["test", "--quiet"]).args(of_guide))
}

fn has_nextest() -> bool {
    let mut question = cargo(&["nextest", "--version"]);
    question.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
