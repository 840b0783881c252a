//! `mazurka test`: test cases for methods of actors, by symbolic execution.

mod args;
mod context;
mod json;
mod text;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka::methods::{Explored, Selection, Tested, explore_context, select};
use mazurka::{Loaded, Monitor, Program, Refusal, Settings};
use mazurka_actor::{Ended, Image, Situation};

pub(crate) use args::{HELP, Test};
pub(crate) use json::{is_tests, replay};

use crate::actor::of_methods;
use crate::interrupt;
use crate::load::{Given, load};
use crate::status::Status;
use args::Format;

/// A step may run so many instructions.
const MAX_INSTRUCTIONS: u64 = 10_000_000;

/// What is printed.
struct Report<'a> {
    arguments: &'a Test,
    loaded: &'a Loaded,
    image: &'a Image,
    /// The method, or the context.
    target: String,
    explored: &'a Explored,
    selection: &'a Selection,
}

impl Report<'_> {
    /// The tests that were selected.
    fn tests(&self) -> impl Iterator<Item = &Tested> {
        self.selection.tests.iter().map(|&number| &self.explored.tested[number])
    }
}

/// Does what was asked.
pub(crate) fn run(arguments: &Test) -> Result<Status, Refusal> {
    let (programs, method) = context::words(arguments)?;
    let settings = Settings {
        defines: arguments.defines.clone(),
        max_instructions: MAX_INSTRUCTIONS,
        actor: of_methods(arguments.dialect),
        ..Settings::default()
    };
    let loaded = load(&programs, &settings, Given::default())?;
    let image = image(&loaded)?;
    let (situation, target, body) = context::target(arguments, method, image)?;
    let cancel = Arc::new(AtomicBool::new(false));
    interrupt::install(&cancel);
    let mut monitor = Monitor::default();
    monitor.cancel = cancel;
    let explored = explore_context(image, &situation, &arguments.exploring.exploring(), &monitor);
    let selection = select(image, &explored, arguments.coverage.criterion(), body);
    let report = Report { arguments, loaded: &loaded, image, target, explored: &explored, selection: &selection };
    let output = match arguments.format {
        Format::Text => text::text(&report),
        Format::Json => json::text(&report),
    };
    write(arguments, &output)?;
    for mismatch in &explored.mismatches {
        let what = mismatch.text(image);
        crate::terminal::print_error(&format!("error: a test does something else than was computed: {what}\n"));
    }
    Ok(status(arguments, &explored))
}

fn write(arguments: &Test, output: &str) -> Result<(), Refusal> {
    match &arguments.output {
        Some(path) => std::fs::write(path, output)
            .map_err(|error| Refusal::new(format!("cannot write `{}`: {error}", path.display()))),
        None => {
            crate::terminal::print(output).map_err(|error| Refusal::new(format!("cannot write to stdout: {error}")))
        }
    }
}

fn status(arguments: &Test, explored: &Explored) -> Status {
    let fails = |ended: Ended| match ended {
        Ended::Deadlock | Ended::AwaitCycle => true,
        Ended::Exception | Ended::Halted => arguments.fail,
        Ended::Returns | Ended::Stuck => false,
    };
    match () {
        () if !explored.mismatches.is_empty() => Status::Bug,
        () if explored.first(fails).is_some() => Status::Violation,
        () if !explored.is_complete() => Status::Incomplete,
        () => Status::Verified,
    }
}

/// The program, which has to be one of actors.
fn image(loaded: &Loaded) -> Result<&Arc<Image>, Refusal> {
    match &loaded.program {
        Program::Actor { image, .. } => Ok(image),
        Program::Process { .. } | Program::C { .. } | Program::Network { .. } => {
            Err(Refusal::new(format!("`{}` has no methods: tests are for actors (`.abs`)", loaded.path)))
        }
    }
}

/// How an execution ended, in a word.
fn ended_name(ended: Ended) -> &'static str {
    match ended {
        Ended::Returns => "returns",
        Ended::Exception => "exception",
        Ended::Deadlock => "deadlock",
        Ended::AwaitCycle => "await-cycle",
        Ended::Stuck => "stuck",
        Ended::Halted => "halted",
    }
}

/// The values that a test begins with, and what it begins with.
fn begin(tested: &Tested) -> Option<&Situation> {
    tested.path.situation.as_ref()
}
