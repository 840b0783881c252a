//! The command line of Mazurka, a model checker for concurrent programs.
//!
//! `command` and `args` say what can be asked. The library `mazurka` turns files into programs and
//! checks them. `check`, `bmc`, `replay` and `bench` do what was asked, `human` and `json` print
//! it. Nothing outside this crate reads the environment, prints or serialises.

mod actor;
mod algorithm;
mod args;
mod bench;
mod bmc;
mod bug;
mod check;
mod command;
mod constraints;
mod contexts;
mod deadlocks;
mod diagnostics;
mod human;
mod interrupt;
mod json;
mod load;
mod memory;
mod network;
mod progress;
mod replay;
mod sdn;
mod solver;
mod status;
mod terminal;
mod test;
mod trace_file;
mod values;

use std::process::ExitCode;

use clap::Parser;
use mazurka::Refusal;

use crate::command::{Arguments, Command};
use crate::status::Status;
use crate::terminal::Terminal;

/// The stack of the thread that does the work: address space, of which only what is used costs
/// anything.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    bug::install_hook();
    let arguments = Arguments::parse_from(sdn::with_command(std::env::args_os().collect()));
    let worker = std::thread::Builder::new().name("mazurka".to_owned()).stack_size(STACK);
    let status = match worker.spawn(move || run(&arguments)) {
        // A panic has been reported by the hook.
        Ok(running) => running.join().unwrap_or(Status::Bug),
        Err(error) => {
            let refusal = Refusal::new(format!("cannot start a thread: {error}"));
            diagnostics::print(&refusal, &Terminal::of_stderr(args::Colour::Auto));
            Status::Refused
        }
    };
    ExitCode::from(status)
}

fn run(arguments: &Arguments) -> Status {
    let (done, output) = match &arguments.command {
        Command::Check(check) => (check::run(check), Some(&check.output)),
        Command::Bmc(bmc) => (bmc::run(bmc), Some(&bmc.output)),
        Command::Constraints(constraints) => (constraints::run(constraints), Some(&constraints.output)),
        Command::Deadlocks(deadlocks) => (deadlocks::run(deadlocks), Some(&deadlocks.output)),
        Command::Contexts(contexts) => (contexts::run(contexts), Some(&contexts.output)),
        Command::Test(test) => (test::run(test), None),
        Command::Sdn(network) => (sdn::run(network), network.checks().map(|check| &check.output)),
        Command::Bench(bench) => (bench::run(bench), None),
        Command::Replay(replay) => (replay::run(replay), Some(&replay.output)),
    };
    done.unwrap_or_else(|refusal| {
        if output.is_some_and(|output| output.format == args::Format::Json) {
            // Where stdout cannot be written to, stderr tells all the same.
            let _ = terminal::print(&json::error(&refusal.to_string()));
        }
        diagnostics::print(&refusal, &Terminal::of_stderr(output.map_or(args::Colour::Auto, |output| output.color)));
        Status::Refused
    })
}
