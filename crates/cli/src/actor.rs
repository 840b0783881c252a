//! Actors: from ABS files to a program that is ready to run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mazurka_actor::{ActorMachine, ObjectChoice, Options, Source, TaskChoice, compile as compile_abs};
use mazurka_machine::Traces;
use mazurka_report::{Timeline, diagrams_html};
use mazurka_source::Diagnostic;
use serde::{Deserialize, Serialize};

use crate::check::Checked;
use crate::diagnostics::Refusal;
use crate::frontend::{Compiled, Program, Settings};
use crate::load::{self, Loaded};

/// What is only for actors.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Actors (ABS)")]
pub(crate) struct Actors {
    /// Today's rules, or those of SYCO and its time (nobody starts `run`, `n / 2` is cut off where
    /// an integer is wanted) [default: syco where the program says `new cog`]
    #[arg(long, value_name = "abs|syco", hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,

    /// When two steps of one object group depend on each other: always, if one writes a field that
    /// the other uses, or likewise with the entries of a map told apart [default: field]
    #[arg(long, value_name = "object|field|entry", hide_possible_values = true)]
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

/// Which rules programs were written for.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dialect {
    /// Today's.
    Abs,
    /// Those of SYCO.
    Syco,
}

/// When steps of one group depend on each other.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dependence {
    /// Always.
    Object,
    /// By field.
    Field,
    /// By entry of a map.
    Entry,
}

/// How a machine for actors is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    traces: Traces,
    objects: ObjectChoice,
    tasks: TaskChoice,
}

impl Watched {
    pub(crate) fn prepare(self, machine: &mut ActorMachine) {
        machine.keep_account(self.traces);
        machine.restrict(self.objects, self.tasks);
        machine.tell_circles();
    }
}

/// What the front end for actors is told.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ActorSettings {
    dialect: Option<Dialect>,
    dependence: Option<Dependence>,
    main: Option<String>,
    #[serde(default)]
    call: Option<String>,
    #[serde(default)]
    property: Option<String>,
    #[serde(skip)]
    traces: Traces,
    #[serde(skip)]
    restricts: bool,
    #[serde(skip)]
    objects: Objects,
    #[serde(skip)]
    tasks: Tasks,
}

impl From<&Actors> for ActorSettings {
    fn from(arguments: &Actors) -> Self {
        let Actors { dialect, dependence, main, call, property, objects, tasks, .. } = arguments.clone();
        let traces = arguments.traces();
        let restricts = arguments.restricts().is_some();
        Self { dialect, dependence, main, call, property, traces, restricts, objects, tasks }
    }
}

impl ActorSettings {
    /// What concerns the program alone.
    pub(crate) fn of_program(dialect: Option<Dialect>, main: Option<String>) -> Self {
        Self { dialect, main, ..Self::default() }
    }

    /// Refuses what was given and has no meaning for another kind of program.
    pub(crate) fn refuse(&self, kind: &str) -> Result<(), Refusal> {
        let given = [
            ("--dialect", self.dialect.is_some()),
            ("--dependence", self.dependence.is_some()),
            ("--main", self.main.is_some()),
            ("--call", self.call.is_some()),
            ("--property", self.property.is_some()),
            ("--trace", matches!(self.traces, Traces::One(_))),
            ("--all-traces", self.traces == Traces::All),
            ("--objects or --tasks", self.restricts),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Refusal::new(format!("{option} is for actors (`.abs`), not for {kind}"))),
            None => Ok(()),
        }
    }

    fn watched(&self) -> Watched {
        Watched {
            traces: self.traces,
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

    fn options(&self) -> Options {
        Options {
            dialect: self.dialect.map(|dialect| match dialect {
                Dialect::Abs => mazurka_actor::Dialect::Abs,
                Dialect::Syco => mazurka_actor::Dialect::Syco,
            }),
            dependence: match self.dependence.unwrap_or(Dependence::Field) {
                Dependence::Object => mazurka_actor::Dependence::Object,
                Dependence::Field => mazurka_actor::Dependence::Field,
                Dependence::Entry => mazurka_actor::Dependence::Entry,
            },
            main: self.main.clone(),
            call: self.call.clone(),
            defines: Vec::new(),
            property: self.property.clone(),
        }
    }
}

/// Compiles a program of one or more files.
pub(crate) fn compile(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let file = files[0].display();
    if let Some(option) = settings.c.first_given {
        return Err(Refusal::new(format!("{option} is for C and C++ programs, and `{file}` is none")));
    }
    let defines = settings.defines.iter().map(|define| crate::args::constant(define));
    let defines: Vec<(String, i64)> = defines.collect::<Result<_, _>>().map_err(|error| {
        Refusal::with_help(format!("-D: {error}"), "-D n=3 gives the function `def Int n() = …;` another value")
    })?;
    if !settings.arguments.is_empty() {
        return Err(Refusal::new("a program in ABS takes no arguments"));
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut texts = Vec::new();
    for (file, name) in files.iter().zip(&names) {
        texts.push(load::read(file, name)?);
    }
    let sources: Vec<Source<'_>> =
        names.iter().zip(&texts).map(|(name, text)| Source { name: name.as_str(), text: text.as_str() }).collect();
    let options = Options { defines, ..settings.actor.options() };
    let image = compile_abs(&sources, &options).map_err(|diagnostics| refusal(&sources, diagnostics))?;
    Ok(Compiled {
        program: Program::Actor {
            image: Arc::new(image),
            fuel: settings.max_instructions,
            watched: settings.actor.watched(),
        },
        sources: texts.into_iter().map(String::into_bytes).collect(),
        compiler_time: Duration::ZERO,
    })
}

/// The errors of each file, in the order of the files.
fn refusal(sources: &[Source<'_>], diagnostics: Vec<Diagnostic>) -> Refusal {
    let mut files = Vec::new();
    for source in sources {
        let own: Vec<Diagnostic> =
            diagnostics.iter().filter(|diagnostic| diagnostic.file == source.name).cloned().collect();
        if !own.is_empty() {
            files.push((source.text.to_owned(), own));
        }
    }
    let elsewhere: Vec<Diagnostic> = diagnostics
        .into_iter()
        .filter(|diagnostic| sources.iter().all(|source| source.name != diagnostic.file))
        .collect();
    if !elsewhere.is_empty() {
        files.push((String::new(), elsewhere));
    }
    Refusal::Sources(files)
}

/// Writes the sequence diagrams of failing executions, and of those that were requested.
pub(crate) fn write_page(path: &Path, loaded: &Loaded, checked: &Checked) -> Result<(), Refusal> {
    let failing = checked.shown.iter().map(|timeline| (None, timeline));
    let traces = checked.traces.iter().map(|trace| (Some(trace.heading()), &trace.timeline));
    let diagrams: Vec<(Option<String>, &Timeline)> = failing.chain(traces).collect();
    if diagrams.is_empty() {
        return Ok(());
    }
    let page = diagrams_html(&loaded.path, &diagrams);
    std::fs::write(path, page).map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display())))
}
