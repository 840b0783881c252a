//! Actors: what can be asked of them, and their sequence diagrams.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use mazurka::{ActorSettings, Checked, Dependence, Dialect, Loaded, ObjectChoice, Refusal, TaskChoice, Traces};
use mazurka_report::Timeline;

/// What is only for actors.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Actors (ABS)")]
pub(crate) struct Actors {
    /// Today's rules, or those of SYCO and its time (nobody starts `run`, `n / 2` is cut off where
    /// an integer is wanted) [default: syco where the program says `new cog`]
    #[arg(long, value_name = "abs|syco", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    /// When two steps of one object group depend on each other: always, if one writes a field that
    /// the other uses, or likewise with the entries of a map told apart [default: field]
    #[arg(long, value_name = "object|field|entry", value_parser = dependences(), hide_possible_values = true)]
    pub(crate) dependence: Option<Dependence>,

    /// The module whose main block runs, where there are several
    #[arg(long, value_name = "MODULE")]
    pub(crate) main: Option<String>,

    /// Begin with this call instead of the main block: 'C.m(3, true)'; 'C(1, 2).m(3, true)' makes
    /// the object with parameters
    #[arg(long, value_name = "CALL", conflicts_with = "main")]
    pub(crate) call: Option<String>,

    /// A method, as m or C.m: a call of it is a failure
    #[arg(long, value_name = "METHOD")]
    pub(crate) property: Option<String>,

    /// Which object moves next: every one that can, or one after the other (not every schedule is
    /// explored then: the verdict is `incomplete`, and nothing is reduced)
    #[arg(long, value_name = "all|round-robin", default_value = "all", hide_possible_values = true)]
    pub(crate) objects: Objects,

    /// Which task of an object moves next: every one that can, the first in its queue, or the last
    /// (likewise)
    #[arg(long, value_name = "all|fifo|lifo", default_value = "all", hide_possible_values = true)]
    pub(crate) tasks: Tasks,

    /// Show the execution of this number, from 1, in the order of exploration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "all_traces")]
    pub(crate) trace: Option<u64>,

    /// Show every execution that was explored (at most 1,000)
    #[arg(long)]
    pub(crate) all_traces: bool,
}

/// Which object moves next.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Objects {
    /// Every one that can.
    #[default]
    All,
    /// One after the other.
    RoundRobin,
}

/// Which task of an object moves next.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tasks {
    /// Every one that can.
    #[default]
    All,
    /// The first in its queue.
    Fifo,
    /// The last.
    Lifo,
}

impl Actors {
    /// An option that leaves out schedules.
    pub(crate) fn restricts(&self) -> Option<&'static str> {
        match (self.objects, self.tasks) {
            (Objects::All, Tasks::All) => None,
            (Objects::RoundRobin, _) => Some("--objects round-robin"),
            (Objects::All, Tasks::Fifo) => Some("--tasks fifo"),
            (Objects::All, Tasks::Lifo) => Some("--tasks lifo"),
        }
    }

    /// The executions that are to be shown.
    pub(crate) fn traces(&self) -> Traces {
        match self.trace {
            Some(number) => Traces::One(number),
            None if self.all_traces => Traces::All,
            None => Traces::None,
        }
    }
}

/// `abs`, `syco`
pub(crate) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(["abs", "syco"]).map(|name| if name == "abs" { Dialect::Abs } else { Dialect::Syco })
}

/// `object`, `field`, `entry`
fn dependences() -> impl TypedValueParser<Value = Dependence> {
    PossibleValuesParser::new(["object", "field", "entry"]).map(|name| match name.as_str() {
        "object" => Dependence::Object,
        "field" => Dependence::Field,
        _ => Dependence::Entry,
    })
}

impl Actors {
    /// What the front end is told.
    pub(crate) fn settings(&self) -> ActorSettings {
        ActorSettings {
            dialect: self.dialect,
            dependence: self.dependence,
            main: self.main.clone(),
            call: self.call.clone(),
            property: self.property.clone(),
            methods: false,
            traces: self.traces(),
            objects: match self.objects {
                Objects::All => ObjectChoice::All,
                Objects::RoundRobin => ObjectChoice::RoundRobin,
            },
            tasks: match self.tasks {
                Tasks::All => TaskChoice::All,
                Tasks::Fifo => TaskChoice::Fifo,
                Tasks::Lifo => TaskChoice::Lifo,
            },
        }
    }

    /// The first option that was given, to be named where it has no meaning.
    /// Executions of networks are shown as well.
    pub(crate) fn first_given(&self, programs: &[PathBuf]) -> Option<&'static str> {
        let is_network = programs.iter().any(|path| path.extension().is_some_and(|ending| ending == "sdn"));
        let given = [
            ("--dialect", self.dialect.is_some()),
            ("--dependence", self.dependence.is_some()),
            ("--main", self.main.is_some()),
            ("--call", self.call.is_some()),
            ("--property", self.property.is_some()),
            ("--trace", self.trace.is_some() && !is_network),
            ("--all-traces", self.all_traces && !is_network),
            ("--objects or --tasks", self.restricts().is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// What concerns the program alone.
pub(crate) fn of_program(dialect: Option<Dialect>, main: Option<String>) -> ActorSettings {
    ActorSettings { dialect, main, ..ActorSettings::default() }
}

/// What concerns methods: no main block is needed.
pub(crate) fn of_methods(dialect: Option<Dialect>) -> ActorSettings {
    ActorSettings { dialect, methods: true, ..ActorSettings::default() }
}

/// How diagrams become a file.
type Draw = fn(&str, &[(Option<String>, &Timeline)]) -> String;

/// Writes the sequence diagrams of failing executions, and of those that were requested.
pub(crate) fn write_diagrams(path: &Path, draw: Draw, loaded: &Loaded, checked: &Checked) -> Result<(), Refusal> {
    let failing = checked.shown.iter().map(|timeline| (None, timeline));
    let traces = checked.traces.iter().map(|trace| (Some(trace.heading()), &trace.timeline));
    let diagrams: Vec<(Option<String>, &Timeline)> = failing.chain(traces).collect();
    if diagrams.is_empty() {
        return Ok(());
    }
    std::fs::write(path, draw(&loaded.path, &diagrams))
        .map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display())))
}
