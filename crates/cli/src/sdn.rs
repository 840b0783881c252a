//! `mazurka sdn`: `check`, for networks.

use clap::Args;
use mazurka::Refusal;

use crate::args::Check;
use crate::status::Status;

/// What is shown behind the options.
pub(crate) const HELP: &str = "\
Examples:
  mazurka sdn corpus/violation/sdn/load-balancer.sdn     a loop, and the order that leads to it
  mazurka sdn corpus/verified/sdn/load-balancer.sdn      with barriers: verified
  mazurka sdn network.sdn -D P=3 --all                   every failure, with three packets
  mazurka sdn network.sdn --barriers exact               barriers to the letter of OpenFlow

Packets and control messages are in no order but that of cause and of barriers. Not modelled:
capacity, queues, meters, real time, several tables and groups, several controllers, losses of
links, retransmission, reboots.

Exit status: 0 verified, 1 a violation, 2 the input or the call is wrong, 3 incomplete, 4 a bug of
ours.";

/// `mazurka sdn`.
#[derive(Args, Debug)]
pub(crate) struct Sdn {
    #[command(flatten)]
    pub(crate) check: Check,
}

/// Does what was requested.
pub(crate) fn run(arguments: &Sdn) -> Result<Status, Refusal> {
    let is_network =
        |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "sdn" || ending == "abs");
    if let Some(other) = arguments.check.programs.iter().find(|path| !is_network(path)) {
        let message = format!("`{}` is no network", other.display());
        return Err(Refusal::with_help(
            message,
            "`mazurka sdn` reads `.sdn` files, and `.abs` files that import Mazurka.Sdn",
        ));
    }
    crate::check::run(&arguments.check)
}
