//! What can be asked of `test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mazurka::Dialect;
use mazurka::constraints::Solving;
use mazurka::methods::{Criterion, Exploring};
use mazurka::{ObjectChoice, TaskChoice};
use mazurka_actor::Bounds;

use crate::actor::{Objects, Tasks, dialects};
use crate::args::Colour;
use crate::values::seconds;

pub(crate) const HELP: &str = "\
Examples:
  mazurka test bank.abs Account.withdraw                tests for both ways of each branch
  mazurka test bank.abs Account.withdraw --coverage paths --format json -o tests.json
  mazurka test db.abs --context 'db1:[register, connect] worker1:[work]' --coverage deadlocks
  mazurka replay bank.abs tests.json#3                  runs the third one again

No main block is needed. Fields and arguments are inputs: they are decided as late as the program
asks for them, and every way to decide is explored, with every schedule of the tasks. For each path
there are values and a schedule; each test was run with them before it is printed.

A reference is decided where it is called: each object that is there, or a new one with fields that
are inputs in turn. Null is tried where the program compares with it, and with --null everywhere.

What a bound leaves out is said, and the exit status is 3 then. A condition that the simple rules do
not decide goes to a solver, where there is one.

Exit status:
  0  all paths were explored, and none ends in a deadlock (with --fail: nor with an exception)
  1  a test ends in a deadlock (with --fail: or with an exception or a failed assertion)
  2  the program or the call is wrong
  3  a bound or a limit was reached
  4  a test does not do what it was computed to do: a bug in Mazurka";

/// `mazurka test`.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// The program (.abs), in one file or several, and the method: C.m
    #[arg(value_name = "PROGRAM C.m", required = true)]
    pub(crate) words: Vec<String>,

    /// Begin with these objects and tasks: `db1:[register, connect] worker1:[work]`, or a file that
    /// holds that; with values as `mazurka contexts --deadlock` prints them, these are no inputs
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) context: Option<String>,

    /// What tests are to cover
    #[arg(
        long,
        value_name = "statements|branches|paths|results|deadlocks",
        default_value = "branches",
        hide_possible_values = true
    )]
    pub(crate) coverage: Coverage,

    /// Print conditions on the inputs instead of values
    #[arg(long)]
    pub(crate) constraints: bool,

    /// An exception or a failed assertion is a failure: exit status 1
    #[arg(long)]
    pub(crate) fail: bool,

    #[command(flatten)]
    pub(crate) exploring: ExploringArguments,

    /// Give a function without parameters another value
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,

    /// Today's rules, or those of SYCO [default: syco where the program says `new cog`]
    #[arg(long, value_name = "abs|syco", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    /// text, or json
    #[arg(long, value_name = "text|json", default_value = "text", hide_possible_values = true)]
    pub(crate) format: Format,

    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Use colours in messages: always, never, or auto
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: Colour,
}

/// How far to explore.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct ExploringArguments {
    /// Rounds of a loop in which something is decided
    #[arg(long, value_name = "K", default_value_t = 2)]
    loops: u32,

    /// Calls of a function or method within each other, where something is decided
    #[arg(long, value_name = "K", default_value_t = 5)]
    recursion: u32,

    /// Constructors within each other in an input
    #[arg(long, value_name = "K", default_value_t = 3)]
    data_depth: u32,

    /// Objects that one `new` makes
    #[arg(long = "max-objects", value_name = "K", default_value_t = 4)]
    made: u32,

    /// New input objects of a class
    #[arg(long, value_name = "K", default_value_t = 2)]
    input_objects: u32,

    /// Steps of an object
    #[arg(long, value_name = "K")]
    switches: Option<u32>,

    /// References can also be null where they are called
    #[arg(long)]
    null: bool,

    /// Steps of a path
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_depth: usize,

    /// Paths
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_paths: u64,

    /// Give up after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Which task of an object moves next: every one that can, the first in its queue, or the last
    #[arg(long, value_name = "all|fifo|lifo", default_value = "all", hide_possible_values = true)]
    tasks: Tasks,

    /// Which object moves next: every one that can, or one after the other
    #[arg(long, value_name = "all|round-robin", default_value = "all", hide_possible_values = true)]
    objects_order: Objects,

    /// The solver, a program that reads SMT-LIB [default: the one that MAZURKA_SOLVER names, or z3]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// Do without a solver
    #[arg(long, conflicts_with = "solver")]
    no_solver: bool,
}

impl ExploringArguments {
    /// What is explored.
    pub(crate) fn exploring(&self) -> Exploring {
        let bounds = Bounds {
            loops: self.loops,
            recursion: self.recursion,
            data_depth: self.data_depth,
            objects: self.made,
            input_objects: self.input_objects,
            switches: self.switches,
            null: self.null,
        };
        Exploring {
            bounds,
            tasks: match self.tasks {
                Tasks::All => TaskChoice::All,
                Tasks::Fifo => TaskChoice::Fifo,
                Tasks::Lifo => TaskChoice::Lifo,
            },
            objects: match self.objects_order {
                Objects::All => ObjectChoice::All,
                Objects::RoundRobin => ObjectChoice::RoundRobin,
            },
            depth: self.max_depth,
            paths: self.max_paths,
            timeout: self.timeout,
            solver: (!self.no_solver).then(|| self.solving()),
            ..Exploring::default()
        }
    }

    fn solving(&self) -> Solving {
        let (solver, named_by) = crate::solver::solver(self.solver.as_deref());
        Solving { solver, named_by, ..Solving::default() }
    }
}

/// What tests are to cover.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// Every statement.
    Statements,
    /// Both ways of every branch.
    Branches,
    /// Every path.
    Paths,
    /// Every result.
    Results,
    /// Every deadlock.
    Deadlocks,
}

impl Coverage {
    pub(crate) fn criterion(self) -> Criterion {
        match self {
            Coverage::Statements => Criterion::Statements,
            Coverage::Branches => Criterion::Branches,
            Coverage::Paths => Criterion::Paths,
            Coverage::Results => Criterion::Results,
            Coverage::Deadlocks => Criterion::Deadlocks,
        }
    }

    /// What is counted, of so many.
    pub(crate) fn counted(self) -> &'static str {
        match self {
            Coverage::Statements => "lines",
            Coverage::Branches => "ways of branches",
            Coverage::Paths => "paths",
            Coverage::Results => "results",
            Coverage::Deadlocks => "deadlocks",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Coverage::Statements => "statements",
            Coverage::Branches => "branches",
            other => other.counted(),
        }
    }
}

/// How to print.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs, and for `mazurka replay`.
    Json,
}
