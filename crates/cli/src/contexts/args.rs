//! What can be asked of `contexts`.

use std::path::PathBuf;

use clap::Args;
use mazurka_contexts::MOST_TASKS;

use crate::actor::Dialect;
use crate::args::Output;

pub(crate) const HELP: &str = "\
Examples:
  mazurka contexts db.abs --task DB.register --task Worker.work=1..2   how many there are
  mazurka contexts db.abs --all-tasks --max 2 --list                   each of them, small ones first

A context says which objects exist and which tasks wait in them; fields and arguments are free. No
main block is needed. Contexts that differ only in the names of objects count once.

A task is `C.m` (from 1 to --max of them), `C.m=2` (two) or `C.m=1..2`.

Exit status:
  0  they were counted or listed
  2  the program or the call is wrong
  3  there are too many for the formula to count";

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
    #[arg(long, value_name = "abs|syco", hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    #[command(flatten)]
    pub(crate) output: Output,
}
