//! What can be asked on the command line: the commands, with their help.

use clap::{Parser, Subcommand};

use crate::args::{Check, Replay};

const ABOUT: &str = "Mazurka checks concurrent programs: is there a schedule under which this one fails?";

const EXAMPLES: &str = "\
Examples:
  mazurka check queue.c                         a proof, or a schedule that fails
  mazurka check counter.mzk                     the same, in the process notation
  mazurka check queue.c list.c -I include -- 3  several files, a folder of headers, argv
  mazurka check counter.mzk -D N=4 --all        with N = 4; every distinct violation
  mazurka check counter.mzk --timeout 60        give up after a minute
  mazurka check counter.mzk --save-trace t.json
  mazurka replay counter.mzk t.json             the failing schedule again, step by step

Exit status:
  0  verified: no schedule fails
  1  a violation was found
  2  the program or the call is wrong; a message on stderr says what and where
  3  incomplete: a limit was reached or Ctrl-C pressed, and no violation was found
     (a second Ctrl-C kills: status 130, no report)
  4  a bug in Mazurka; the message says what to report";

const ALGORITHMS: &str = "\
Algorithms (-a):
  auto      what suits the program: optimal-cs-observers; optimal-constrained-observers
            where it declares when steps commute (`independent`), optimal where data races
            are looked for (C)
  none      every interleaving; a baseline, feasible for small programs only
  dpor      dynamic partial order reduction of Flanagan and Godefroid, with sleep sets
  source    source sets with sleep sets: fewer explorations, some of them cut short
  optimal   wakeup trees: exactly one execution per trace (the executions that differ only in
            the order of independent steps are one trace)
  observers  optimal, with two writes ordered only if somebody reads what they leave
  cs        source, without orders that lead to the same state as one explored before
  optimal-cs  optimal, likewise: context-sensitive; pays where steps commute although
            they touch the same variables (sums, equal writes), some explorations are cut.
            Where data races are looked for (C), cs and optimal-cs leave nothing out: see
            --no-data-races
  optimal-cs-observers  observers and optimal-cs together: mostly the fewest executions; it
            ends as observers where comparing states does not pay
  constrained  cs, with what is known of when steps commute: declared (`independent … when
            …`) and proven, or found out by a solver. Orders of uniformly independent steps
            are not even tried; where nothing is known, it is source
  optimal-constrained, optimal-constrained-observers  optimal-cs and optimal-cs-observers,
            likewise
  quasi:K   the unfolding, with alternatives to K = 1, 2, … of the events that were explored;
            some explorations are cut, the fewer the larger K is
  quasi:optimal  the unfolding, with alternatives to all of them: none is cut
  random:N  N random executions, from --seed: finds failures, proves nothing (the verdict is
            `incomplete` unless there is a violation)

All but random:N show every failure that some schedule shows, under sequential consistency:
they explore at least one execution per trace, or skip only traces that reach explored states.
";

const BENCH: &str = "\
Examples:
  mazurka bench                                   the suites there are
  mazurka bench --suite jss23 --filter lastwrite  some rows of a paper's table, beside ours
  mazurka bench --suite jss23 -a source,optimal --size 5 --format csv

Each run is a process of its own. Exit status: 0 if all figures are met, 1 if one is missed,
3 if a run did not finish in time.";

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "mazurka", version, about = ABOUT, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Explore the schedules of a program: a proof, or a schedule that fails
    #[command(after_help = format!("{ALGORITHMS}\n{EXAMPLES}"))]
    Check(Box<Check>),
    /// Look for a violation within so many steps, over all schedules and inputs at once, with a
    /// solver
    #[command(after_help = crate::bmc::HELP)]
    Bmc(crate::bmc::Bmc),
    /// Run a failing schedule that `check --save-trace` wrote once more, step by step
    #[command(after_help = "Exit status: 1 if the violation shows again, 0 if not, 2 if the schedule does not fit.")]
    Replay(Replay),
    /// Find out when the steps of a program commute, or prove what it declares about that
    #[command(after_help = crate::constraints::HELP)]
    Constraints(crate::constraints::Constraints),
    /// Can a program of actors deadlock? A proof for all data, or each cycle confirmed or refuted
    #[command(after_help = crate::deadlocks::HELP)]
    Deadlocks(crate::deadlocks::Deadlocks),
    /// Methods of actors instead of a main block: which objects with which tasks can one begin
    /// with?
    #[command(after_help = crate::contexts::HELP)]
    Contexts(crate::contexts::Contexts),
    /// Test cases for a method of actors, or for a context: values, a schedule, and what comes of
    /// it
    #[command(after_help = crate::test::HELP)]
    Test(Box<crate::test::Test>),
    /// Check a software-defined network: is there an order of packets and control messages that
    /// breaks a property?
    #[command(after_help = crate::sdn::HELP)]
    Sdn(Box<crate::sdn::Sdn>),
    /// Run the programs of a paper, and compare with the paper's figures
    #[command(after_help = BENCH)]
    Bench(crate::bench::Bench),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
