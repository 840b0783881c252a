//! `cargo xtask fuzz --decoder`: damaged bitcode, for as long as one likes. The test that does it
//! for a few seconds in every run does it here too.

use crate::shell::{self, Result, cargo};

/// How many inputs are tried where neither a number nor a time is given.
const COUNT: u64 = 1_000_000;

/// Damages `count` files, or as many as there is time for, beginning with those that `seed` names.
pub(crate) fn run(seed: u64, count: Option<u64>, seconds: Option<u64>) -> Result {
    let mut command = cargo(&["test", "--package", "mazurka-llvm", "--test", "decode_mutations"]);
    command.args(["--", "--nocapture"]).env("MAZURKA_SEED", seed.to_string());
    match seconds {
        Some(seconds) => command.env("MAZURKA_SECONDS", seconds.to_string()),
        None => command.env("MAZURKA_MUTATIONS", COUNT.to_string()),
    };
    if let Some(count) = count {
        command.env("MAZURKA_MUTATIONS", count.to_string());
    }
    shell::run(&mut command)
}
