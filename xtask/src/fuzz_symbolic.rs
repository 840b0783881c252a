//! `cargo xtask fuzz --methods`: random methods of actors, executed symbolically, against brute
//! force. The test that does it for a few programs in every run does it here for many.

use crate::shell::{self, Result, cargo};

/// How many programs are tried where no number is given.
const COUNT: u64 = 10_000;

/// Tries `count` programs, beginning with that of `seed`.
pub(crate) fn run(seed: u64, count: Option<u64>) -> Result {
    let mut command = cargo(&["test", "--package", "mazurka-actor", "--test", "symbolic"]);
    command.args(["--", "--nocapture"]).env("MAZURKA_SEED", seed.to_string());
    shell::run(command.env("MAZURKA_METHODS", count.unwrap_or(COUNT).to_string()))
}
