//! What can be asked of `contexts`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mazurka::Dialect;
use mazurka_contexts::MOST_TASKS;

use crate::actor::dialects;
use crate::args::Output;
use crate::values::seconds;

pub(crate) const HELP: &str = "\
Examples:
  mazurka contexts db.abs --task DB.register --task Worker.work=1..2   how many there are
  mazurka contexts db.abs --all-tasks --max 2 --list                   each of them, small ones first
  mazurka contexts db.abs --deadlock --max 2                           those in which a deadlock can happen

A context says which objects exist and which tasks wait in them; fields and arguments are free. No
main block is needed. Contexts that differ only in the names of objects count once.

A task is `C.m` (from 1 to --max of them), `C.m=2` (two) or `C.m=1..2`.

With --deadlock, the analysis of all methods finds the cycles of waits that no order of steps and no
data can be excluded for. For each, the contexts are those with a task of every method that blocks
an object in it, or writes what decides whether another one comes to do so. If a context of at most
--max tasks of a method has a deadlock, so has one of those.

Each of those contexts is then judged, small ones first. A deadlock is confirmed by an execution, with
values for fields and arguments that are tried out; a context that has a smaller one in it with a
deadlock has one, too. A context is free, for all schedules and all data, where an analysis shows that
nobody comes to a wait of each cycle. What neither decides is executed symbolically (see `mazurka test`),
and unknown where a bound was reached.

Exit status:
  0  they were counted or listed; with --deadlock: no context of so many tasks has a deadlock
  1  with --deadlock: some context has a deadlock
  2  the program or the call is wrong
  3  there are too many for the formula to count; with --deadlock: of some context nothing is known,
     or --count or --list was given and there are cycles";

/// `mazurka contexts`.
#[derive(Args, Debug)]
pub(crate) struct Contexts {
    /// The program (.abs), in one file or several
    #[arg(value_name = "PROGRAM", required = true)]
    pub(crate) programs: Vec<PathBuf>,

    /// A method that initial tasks run, and how many of them there are; may be repeated
    #[arg(long = "task", value_name = "C.m[=1..2]")]
    pub(crate) tasks: Vec<String>,

    /// Initial tasks of every method of the program; --task overrides the numbers of single ones
    #[arg(long)]
    pub(crate) all_tasks: bool,

    /// So many tasks of a method at most, where --task does not say how many
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_TASKS)))]
    pub(crate) max: u8,

    /// The contexts in which a deadlock can happen, for each cycle of waits
    #[arg(long, conflicts_with_all = ["tasks", "all_tasks"])]
    pub(crate) deadlock: bool,

    /// Take every method that writes a field which is used before a wait, as the paper does, and
    /// not only those that write what decides about the wait
    #[arg(long, requires = "deadlock")]
    pub(crate) coarse: bool,

    /// Execute each context, also one that follows from a smaller one
    #[arg(long, requires = "deadlock", conflicts_with_all = ["count", "list"])]
    pub(crate) each: bool,

    /// Try out so many values for the fields and arguments of a context
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "deadlock")]
    pub(crate) tries: usize,

    /// Look for a deadlock in one context for so many seconds
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds, requires = "deadlock")]
    pub(crate) per_context: Duration,

    /// Look at so many contexts for a cycle
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "deadlock")]
    pub(crate) most: u64,

    /// Count them by formula, class by class (the default)
    #[arg(long)]
    pub(crate) count: bool,

    /// Generate each of them, small ones first
    #[arg(long)]
    pub(crate) list: bool,

    /// Give a function without parameters another value
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,

    /// Today's rules, or those of SYCO [default: syco where the program says `new cog`]
    #[arg(long, value_name = "abs|syco", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) output: Output,
}
