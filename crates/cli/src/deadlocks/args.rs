//! What can be asked of `deadlocks`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mazurka::{Dialect, Refusal};

use crate::actor::dialects;
use crate::args::{C, Output, Progress};
use crate::load::Given;
use crate::values::seconds;

pub(crate) const HELP: &str = "\
Examples:
  mazurka deadlocks barber.abs                    free for all data, or what can happen
  mazurka deadlocks forks.mzk                     mutexes of the process notation
  mazurka deadlocks pool.c -D N=3                 locks of C and C++
  mazurka deadlocks *.bc --static                 a program that cannot be run here
  mazurka deadlocks barber.abs --static           the analysis alone
  mazurka deadlocks barber.abs --dot waits.dot    who may wait for whom
  mazurka deadlocks barber.abs --save-trace DIR   the schedules, for `mazurka replay`
  mazurka deadlocks barber.abs --guide paper --goal all
                                                  the searches of iFM 2016, for comparison

The analysis finds cycles of waits that no order of steps and no data can be excluded for. An
exploration of the schedules then confirms or refutes each of them, for this program and its
constants. Where somebody waits for a condition, the exploration decides. --static takes C programs
that call functions which are not there, and says what it assumes of them.

Exit status:
  0  free of deadlocks: proved by the analysis, or all cycles refuted
  1  a deadlock was confirmed
  2  the program or the call is wrong
  3  unknown: a limit was reached, or --static left cycles
  4  a bug in Mazurka";

/// `mazurka deadlocks`.
#[derive(Args, Debug)]
pub(crate) struct Deadlocks {
    /// The program (.abs: actors; .mzk: the process notation; .c, .cpp, .bc: threads of C)
    #[arg(value_name = "PROGRAM", required = true)]
    pub(crate) programs: Vec<PathBuf>,

    /// Arguments of the program itself (C: argv)
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// What to look for: a schedule for each cycle, any deadlock, or all of them
    #[arg(long, value_name = "cycle|first|all", default_value = "cycle", hide_possible_values = true)]
    pub(crate) goal: Goal,

    /// How the exploration is guided: by the analysis of each state, by the constraints of one
    /// cycle
    /// after the other (as published at iFM 2016, nothing reduced), or not at all
    #[arg(long, value_name = "rooted|paper|none", default_value = "rooted", hide_possible_values = true)]
    pub(crate) guide: Guidance,

    /// With --guide paper: an execution ends where nobody can move, not where a circle closes
    #[arg(long)]
    pub(crate) late: bool,

    /// Leave out equivalent executions: none; by sleep sets; by persistent sets, too
    #[arg(long, value_name = "none|sleep|persistent", default_value = "persistent", hide_possible_values = true)]
    pub(crate) reduction: Reduction,

    /// Only analyse, explore nothing
    #[arg(long = "static", conflicts_with_all = ["goal", "guide", "reduction", "timeout", "max_states", "save_trace"])]
    pub(crate) is_static: bool,

    /// How many makers tell objects apart in the analysis
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) sensitivity: usize,

    /// Keep cycles whose waits cannot happen at the same time
    #[arg(long)]
    pub(crate) no_mhp: bool,

    /// Give a constant another value (.abs: a function without parameters; C: a macro)
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub(crate) defines: Vec<String>,

    /// Stop exploring after so many seconds [default: none]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,

    /// Stop exploring after so many states (threads: executions) [default: none]
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,

    /// Today's rules, or those of SYCO [default: syco where the program says `new cog`]
    #[arg(long, value_name = "abs|syco", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    /// The module whose main block runs, where there are several
    #[arg(long, value_name = "MODULE")]
    pub(crate) main: Option<String>,

    /// Write the schedules of confirmed cycles into a folder, for `mazurka replay`
    #[arg(long, value_name = "DIR")]
    pub(crate) save_trace: Option<PathBuf>,

    /// Draw who may wait for whom into a file, for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) dot: Option<PathBuf>,

    /// Draw the execution of each confirmed cycle as a sequence diagram, as a web page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Show progress on stderr: always, never, or auto: for the human format, if stderr is a
    /// terminal
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) progress: Progress,

    #[command(flatten)]
    pub(crate) c: C,

    #[command(flatten)]
    pub(crate) output: Output,
}

impl Deadlocks {
    /// Options that were given and that only one kind of program knows.
    pub(super) fn given(&self) -> Given {
        let actor = self.dialect.map(|_| "--dialect").or(self.main.as_ref().map(|_| "--main"));
        Given { c: self.c.first_given(), actor, network: None }
    }

    /// Options of one guide given with another.
    pub(super) fn refuse_contradictions(&self) -> Result<(), Refusal> {
        let is_paper = self.guide == Guidance::Paper;
        if self.late && !is_paper {
            return Err(Refusal::with_help("--late changes what the paper counts", "add `--guide paper`"));
        }
        if is_paper && self.reduction == Reduction::Sleep {
            let help = "its searches are those of the paper, which reduces nothing";
            return Err(Refusal::with_help("--reduction does not go with `--guide paper`", help));
        }
        Ok(())
    }

    /// Options that mean nothing without objects and futures.
    pub(super) fn refuse_for_threads(&self) -> Result<(), Refusal> {
        let given = [
            ("--sensitivity", self.sensitivity != 1),
            ("--no-mhp", self.no_mhp),
            ("--guide", self.guide != Guidance::Rooted),
            ("--reduction", self.reduction != Reduction::Persistent),
            ("--late", self.late),
            ("--html", self.html.is_some()),
        ];
        match given.into_iter().find(|&(_, given)| given) {
            Some((option, _)) => Err(Refusal::new(format!("{option} is for programs of actors (`.abs`)"))),
            None if self.c.lock_races_only => {
                Err(Refusal::new("--lock-races-only is for `mazurka check` with `-a quasi:optimal`, or `-a quasi:K`"))
            }
            None => Ok(()),
        }
    }
}

/// What to look for.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A schedule for each cycle.
    Cycle,
    /// Any deadlock.
    First,
    /// All of them.
    All,
}

impl From<Goal> for mazurka_actor::deadlock::Goal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Cycle => mazurka_actor::deadlock::Goal::Cycle,
            Goal::First => mazurka_actor::deadlock::Goal::First,
            Goal::All => mazurka_actor::deadlock::Goal::All,
        }
    }
}

/// How the exploration is guided.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guidance {
    /// By the analysis of each state.
    Rooted,
    /// By the constraints of one cycle after the other.
    Paper,
    /// Not at all.
    None,
}

/// Which executions are left out.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// None.
    None,
    /// Those that sleep sets exclude.
    Sleep,
    /// And those that persistent sets put off.
    Persistent,
}

impl From<Reduction> for mazurka_explore::Reduction {
    fn from(reduction: Reduction) -> Self {
        match reduction {
            Reduction::None => mazurka_explore::Reduction::None,
            Reduction::Sleep => mazurka_explore::Reduction::Sleep,
            Reduction::Persistent => mazurka_explore::Reduction::Persistent,
        }
    }
}
