//! What can be asked of `mazurka bmc`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mazurka_bmc::{Encoding, Reduction};

use crate::args::Output;

pub(crate) const HELP: &str = "\
Reductions (--por): which schedules need not be looked at, since others stand for them
  none      none of them is left out
  static    orders of steps that use nothing in common, whatever the values
  simple    orders of steps that use no common location in the state they are taken in
  full      also of steps that do not disturb each other's values: a write of what is there
            already, two writes of one value, a condition that comes out the same
  synth     also of steps that a solver finds to commute: x = x + 1 and x = x + 2
  monotonic as simple, and of all that are left one for each class of equivalent schedules,
            also with more than two processes

Examples:
  mazurka bmc inputs.mzk --steps 20             all schedules and all inputs, 20 steps deep
  mazurka bmc philosophers.mzk -D N=4 --steps 29 --por simple
  mazurka bmc inputs.mzk --save-trace t.json    then: mazurka replay inputs.mzk t.json

The verdict is `verified` where no execution has more steps than were looked at, and
`incomplete` where some has. Exit status as of `mazurka check`. It needs a solver: Z3 (`apt
install z3`, or `pip install z3-solver`).";

/// `mazurka bmc`.
#[derive(Args, Debug)]
pub(crate) struct Bmc {
    /// The program, in the process notation (.mzk)
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,

    /// Look at executions of up to so many steps; a choice of inputs is one, too
    #[arg(short = 'k', long, value_name = "K", default_value = "50")]
    pub(crate) steps: usize,

    /// Which schedules to leave out: none, static, simple, full, synth, monotonic
    #[arg(long, value_name = "NAME", default_value = "full", hide_possible_values = true)]
    pub(crate) por: Por,

    /// How the reduction is written down: pairs, one constraint for each pair of steps; merged, one
    /// for a step and all steps of the other process where their conditions are one; dependent, one
    /// for all steps that never depend on the other process, and pairs for the rest; both, the same
    /// with merged ones for the rest
    #[arg(long, value_name = "NAME", default_value = "both", hide_possible_values = true)]
    pub(crate) encoding: How,

    /// Give a `const` of the program another value; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,

    /// Stop after so many seconds [default: none]
    #[arg(long, value_name = "S", value_parser = crate::values::seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,

    /// Follow loops within a step for so many rounds
    #[arg(long, value_name = "N", default_value = "16")]
    pub(crate) unroll: usize,

    /// Follow so many processes, in all executions together; those of the beginning are always
    /// followed
    #[arg(long, value_name = "N", default_value = "64")]
    pub(crate) max_processes: usize,

    /// The solver, a program that reads SMT-LIB [default: the one that MAZURKA_SOLVER names, or z3]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) solver: Option<String>,

    /// Write the schedule of the violation to a file, for `mazurka replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,

    /// Show the failing schedule as the solver found it, instead of with as few preemptions as
    /// possible
    #[arg(long)]
    pub(crate) no_shorten: bool,

    /// Show what each depth took
    #[arg(long)]
    pub(crate) statistics: bool,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// A reduction.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Por {
    /// None.
    None,
    /// Without values.
    Static,
    /// Rules 1 to 3.
    Simple,
    /// Rules 1 to 4.
    Full,
    /// And what a solver finds.
    Synth,
    /// For any number of processes.
    Monotonic,
}

impl From<Por> for Reduction {
    fn from(por: Por) -> Self {
        match por {
            Por::None => Reduction::None,
            Por::Static => Reduction::Static,
            Por::Simple => Reduction::Simple,
            Por::Full => Reduction::Full,
            Por::Synth => Reduction::Synth,
            Por::Monotonic => Reduction::Monotonic,
        }
    }
}

/// How constraints are written down.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// For each pair of steps.
    Pairs,
    /// For each step and process.
    Merged,
    /// For all free steps of two processes.
    Dependent,
    /// The last two together.
    Both,
}

impl From<How> for Encoding {
    fn from(how: How) -> Self {
        match how {
            How::Pairs => Encoding::Pairs,
            How::Merged => Encoding::Merged,
            How::Dependent => Encoding::Dependent,
            How::Both => Encoding::Both,
        }
    }
}
