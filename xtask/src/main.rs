//! The project's chores: `cargo xtask <command>`.

mod bench;
mod bless;
mod ci;
mod clang;
mod fuzz;
mod fuzz_actors;
mod fuzz_bmc;
mod fuzz_c;
mod fuzz_counts;
mod fuzz_deadlocks;
mod fuzz_decoder;
mod fuzz_networks;
mod fuzz_symbolic;
mod fuzz_widths;
mod packages;
mod real;
#[cfg(unix)]
mod rivals;
mod runtime;
mod shell;
mod solver;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything that has to hold: format, clippy, documentation, tidy, tests
    Ci,
    /// The tests alone
    Test,
    /// Layers, links, corpus expectations, leftovers, long files
    Tidy,
    /// Random programs: every algorithm against brute force
    Fuzz(fuzz::Arguments),
    /// Rewrites what the corpus programs say is found in them
    Bless(bless::Arguments),
    /// The speed suite: instructions, time and memory, written to bench/results
    Bench(bench::Arguments),
    /// C programs with GenMC and Nidhugg side by side, where they are installed
    #[cfg(unix)]
    Rivals(rivals::Arguments),
    /// Fetches programs of Debian and says what the analysis of locks says of them
    Real,
    /// Compiles the part of the C library that is written in C
    Runtime,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Ci => ci::run(),
        Command::Test => test::run(),
        Command::Tidy => tidy::run(),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Bless(arguments) => bless::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        #[cfg(unix)]
        Command::Rivals(arguments) => rivals::run(&arguments),
        Command::Real => real::run(),
        Command::Runtime => runtime::run_it(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
