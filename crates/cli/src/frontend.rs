//! The front ends, behind one door: to add one, add a kind and a variant here.

use std::sync::Arc;

use mazurka_machine::{Describe, Machine};
use mazurka_process::{Image, ProcessMachine};

use crate::diagnostics::Refusal;

/// The kinds of programs, by the endings of their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The process notation.
    Process,
}

impl Kind {
    /// The kind of a file, from its ending.
    pub(crate) fn of_file(name: &str, ending: &str) -> Result<Kind, Refusal> {
        const READS: &str = "this version reads `.mzk` files (process notation)";
        let later = match ending {
            "mzk" => return Ok(Kind::Process),
            "c" | "cc" | "cpp" | "ll" | "bc" => "C and C++ programs cannot be checked yet",
            "abs" => "actor programs (`.abs`) cannot be checked yet",
            "" => "no ending tells what kind of program it is",
            _ => "its ending is not one of a kind of program that Mazurka knows",
        };
        Err(Refusal::with_help(format!("{name}: {later}"), READS))
    }
}

/// What a front end is told besides the program itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Other values for constants.
    pub(crate) defines: Vec<(String, i64)>,
    /// The program's own arguments.
    pub(crate) arguments: Vec<String>,
    /// How many instructions a step may run.
    pub(crate) max_instructions: u64,
}

/// A program that is ready to run.
pub(crate) enum Program {
    /// In the process notation.
    Process {
        /// The program.
        image: Arc<Image>,
        /// How many instructions a step may run.
        fuel: u64,
    },
}

/// Something to be done with the machine of a program, whatever its kind.
pub(crate) trait Task {
    /// What comes of it.
    type Output;

    /// Does it; `make` makes a machine in its initial state, as often as needed.
    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Self::Output;
}

impl Program {
    /// Compiles a program.
    pub(crate) fn compile(kind: Kind, file: &str, source: &str, settings: &Settings) -> Result<Program, Refusal> {
        match kind {
            Kind::Process => compile_process(file, source, settings),
        }
    }

    /// Does something with its machine.
    pub(crate) fn run<T: Task>(&self, task: T) -> T::Output {
        match self {
            Program::Process { image, fuel } => task.run(|| {
                let mut machine = ProcessMachine::new(Arc::clone(image));
                machine.set_fuel(*fuel);
                machine
            }),
        }
    }
}

fn compile_process(file: &str, source: &str, settings: &Settings) -> Result<Program, Refusal> {
    if !settings.arguments.is_empty() {
        return Err(Refusal::with_help(
            "a program in the process notation takes no arguments",
            "to give a `const` another value, use -D NAME=VALUE",
        ));
    }
    let program = mazurka_process::compile(file, source, &settings.defines)
        .map_err(|diagnostics| Refusal::Source { source: source.to_owned(), diagnostics })?;
    Ok(Program::Process { image: Arc::new(Image::new(&program, file, source)), fuel: settings.max_instructions })
}
