//! `cargo xtask ci`: everything that has to hold.

use crate::shell::{self, Result, cargo};

pub(crate) fn run() -> Result {
    crate::clang::ensure()?;
    crate::solver::ensure()?;
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    shell::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]))?;
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
    shell::run(documentation.env("RUSTDOCFLAGS", "-D warnings"))?;
    crate::tidy::run()?;
    crate::test::run()
}
