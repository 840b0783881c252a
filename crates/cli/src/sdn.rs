//! `mazurka sdn`: software-defined networks.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use mazurka::Refusal;

use mazurka::TablesFound;
use mazurka_report::topology_svg;

use crate::args::{Check, Format};
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
  mazurka sdn tables network.sdn --matrix                      all packets, on fixed tables
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
    /// Draw the topology, with ports and tables, as SVG
    Show(File),
    /// Look at the tables that are there at the beginning: where do all packets go?
    Tables(Tables),
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

/// `mazurka sdn tables`.
#[derive(Args, Debug)]
pub(crate) struct Tables {
    /// The network
    #[arg(value_name = "NETWORK")]
    pub(crate) network: PathBuf,
    /// Gives a `const` another value
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,
    /// Show which packets each host can send to each other one
    #[arg(long)]
    pub(crate) matrix: bool,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
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
            Command::Show(_) | Command::Tables(_) | Command::Export(_) => None,
        }
    }
}

/// Does what was requested.
pub(crate) fn run(arguments: &Sdn) -> Result<Status, Refusal> {
    match &arguments.command {
        Command::Check(check) => check_network(check),
        Command::Show(file) => show(file),
        Command::Tables(arguments) => tables(arguments),
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

fn show(file: &File) -> Result<Status, Refusal> {
    let network = mazurka::read_network(&file.network, &file.defines)?;
    write(file.output.as_deref(), &topology_svg(&network.topology(), None))
}

fn tables(arguments: &Tables) -> Result<Status, Refusal> {
    let network = mazurka::read_network(&arguments.network, &arguments.defines)?;
    let found = network.look_at_tables();
    let text = match arguments.format {
        Format::Json => tables_json(&found),
        Format::Human => tables_text(&found, arguments.matrix),
    };
    write(None, &text)?;
    Ok(if found.is_good() { Status::Verified } else { Status::Violation })
}

fn export(file: &File) -> Result<Status, Refusal> {
    let network = mazurka::read_network(&file.network, &file.defines)?;
    let text = network
        .to_abs()
        .map_err(|reason| Refusal::new(format!("`{}` cannot be exported: {reason}", file.network.display())))?;
    write(file.output.as_deref(), &text)
}

/// What was found in tables, for people.
fn tables_text(found: &TablesFound, matrix: bool) -> String {
    let mut text = String::new();
    let mut list = |title: &str, items: &[String]| {
        if !items.is_empty() {
            text.push_str(&format!("{title}:\n"));
            items.iter().for_each(|item| text.push_str(&format!("  {item}\n")));
        }
    };
    list("loops", &found.loops);
    list("black holes", &found.blackholes);
    list("violations", &found.violations);
    list("rules of equal priority that disagree", &found.overlaps);
    list("rules that others leave nothing to", &found.shadowed);
    list("rules that no packet comes to", &found.unused);
    list("the controller is asked about", &found.asked);
    list("not looked at", &found.left_out);
    if matrix {
        let pairs = found.reach.iter().map(|((from, to), sets)| format!("{from} -> {to}: {}", sets.join("; ")));
        list("who reaches whom", &pairs.collect::<Vec<_>>());
    }
    let verdict = if found.is_good() { "nothing is wrong with these tables" } else { "something is wrong" };
    format!("{verdict}: {} sets of packets, {} pairs of hosts\n{text}", found.sets, found.reach.len())
}

/// What was found in tables, for programs.
fn tables_json(found: &TablesFound) -> String {
    let reach: Vec<serde_json::Value> = found
        .reach
        .iter()
        .map(|((from, to), packets)| serde_json::json!({ "from": from, "to": to, "packets": packets }))
        .collect();
    let object = serde_json::json!({
        "tool": "mazurka",
        "verdict": if found.is_good() { "verified" } else { "violation" },
        "loops": found.loops, "blackholes": found.blackholes, "violations": found.violations,
        "overlaps": found.overlaps, "shadowed": found.shadowed, "unused": found.unused,
        "asked": found.asked, "left_out": found.left_out, "reach": reach, "sets": found.sets,
    });
    format!("{object:#}\n")
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
