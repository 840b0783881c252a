//! `mazurka sdn`: software-defined networks.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use mazurka::Refusal;

use crate::args::Check;
use crate::status::Status;
use crate::terminal;

/// What is shown behind the commands.
pub(crate) const HELP: &str = "\
Examples:
  mazurka sdn check corpus/violation/sdn/load-balancer.sdn     a loop, and the order that leads to it
  mazurka sdn check corpus/verified/sdn/load-balancer.sdn      with barriers: verified
  mazurka sdn check network.sdn -D P=3 --all                   every failure, with three packets
  mazurka sdn check network.sdn --barriers exact               barriers to the letter of OpenFlow
  mazurka sdn show network.sdn -o network.svg                  the topology, with ports and tables
  mazurka sdn export network.sdn -o network.abs                the same network as actors

`mazurka sdn FILE` is `mazurka sdn check FILE`.

Packets and control messages are in no order but that of cause and of barriers. Not modelled:
capacity, queues, meters, real time, several tables and groups, several controllers, losses of
links, retransmission, reboots.

Exit status: 0 verified, 1 a violation, 2 the input or the call is wrong, 3 incomplete, 4 a bug of
ours.";

/// What can be done with a network; other words are files to check.
const COMMANDS: [&str; 8] = ["check", "tables", "show", "export", "help", "-h", "--help", "--version"];

/// `mazurka sdn`.
#[derive(Args, Debug)]
pub(crate) struct Sdn {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do with a network.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Is there an order of packets and control messages that breaks a property?
    #[command(after_help = HELP)]
    Check(Box<Check>),
    /// Write the network as a program in ABS, for `mazurka check`
    Export(File),
}

/// A network, and where to write to.
#[derive(Args, Debug)]
pub(crate) struct File {
    /// The network
    #[arg(value_name = "NETWORK")]
    pub(crate) network: PathBuf,
    /// Gives a `const` another value
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    /// Write to this file [default: the terminal]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The words of the command line with the command that is meant.
pub(crate) fn with_command(mut words: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let is_sdn = words.get(1).is_some_and(|word| word == "sdn");
    if is_sdn && words.get(2).is_some_and(|word| COMMANDS.iter().all(|command| word != command)) {
        words.insert(2, "check".into());
    }
    words
}

impl Sdn {
    /// The options of `check`, if that is to be done.
    pub(crate) fn checks(&self) -> Option<&Check> {
        match &self.command {
            Command::Check(check) => Some(check),
            Command::Export(_) => None,
        }
    }
}

/// Does what was requested.
pub(crate) fn run(arguments: &Sdn) -> Result<Status, Refusal> {
    match &arguments.command {
        Command::Check(check) => check_network(check),
        Command::Export(file) => export(file),
    }
}

fn check_network(check: &Check) -> Result<Status, Refusal> {
    let is_network = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sdn" || ending == "abs");
    if let Some(other) = check.programs.iter().find(|path| !is_network(path)) {
        let message = format!("`{}` is no network", other.display());
        return Err(Refusal::with_help(
            message,
            "`mazurka sdn` reads `.sdn` files, and `.abs` files that import Mazurka.Sdn",
        ));
    }
    crate::check::run(check)
}

fn export(file: &File) -> Result<Status, Refusal> {
    let network = mazurka::read_network(&file.network, &file.defines)?;
    let text = network.to_abs().map_err(|reason| {
        Refusal::new(format!("`{}` cannot be exported: {reason}", file.network.display()))
    })?;
    write(file.output.as_deref(), &text)
}

/// Writes to a file, or to the terminal.
fn write(path: Option<&Path>, text: &str) -> Result<Status, Refusal> {
    match path {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display())))?,
        None => {
            terminal::print(text).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))?;
        }
    }
    Ok(Status::Verified)
}
