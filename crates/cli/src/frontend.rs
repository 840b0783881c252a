//! The front ends, behind one door: to add one, add a kind and a variant here.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mazurka_actor::ActorMachine;
use mazurka_llvm::CMachine;
use mazurka_machine::{Describe, Machine};
use mazurka_process::{Image, ProcessMachine};
use serde::{Deserialize, Serialize};

use crate::actor::{ActorSettings, Watched};
use crate::args;
use crate::diagnostics::Refusal;
use crate::load;

/// The kinds of programs, by the endings of their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The process notation.
    Process,
    /// C and C++, and what they are compiled to.
    C,
    /// ABS.
    Actor,
}

impl Kind {
    /// The kind of a file, from its ending.
    pub(crate) fn of_file(path: &Path) -> Result<Kind, Refusal> {
        const READS: &str = "this version reads `.mzk` (process notation), `.abs` (actors), `.c`, `.cc`, `.cpp`, `.ll` and `.bc` (C and C++) files";
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let later = match ending.as_ref() {
            "mzk" => return Ok(Kind::Process),
            "c" | "cc" | "cpp" | "ll" | "bc" => return Ok(Kind::C),
            "abs" => return Ok(Kind::Actor),
            "" => "no ending tells what kind of program it is",
            _ => "its ending is not one of a kind of program that Mazurka knows",
        };
        Err(Refusal::with_help(format!("{}: {later}", path.display()), READS))
    }
}

/// What a front end is told besides the program itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Other values for constants, or macros, as they were given.
    pub(crate) defines: Vec<String>,
    /// The program's own arguments.
    pub(crate) arguments: Vec<String>,
    /// How many instructions a step may run.
    #[serde(skip)]
    pub(crate) max_instructions: u64,
    /// What is only for C.
    pub(crate) c: CSettings,
    /// What is only for actors.
    #[serde(default)]
    pub(crate) actor: ActorSettings,
}

/// What only the front end for C is told.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CSettings {
    /// Folders of header files.
    pub(crate) includes: Vec<PathBuf>,
    /// Further words for clang.
    pub(crate) flags: Vec<String>,
    /// Whether clang's warnings are shown.
    #[serde(skip)]
    pub(crate) warnings: bool,
    /// Whether data races are failures.
    pub(crate) data_races: bool,
    /// Whether leaks are failures.
    pub(crate) leaks: bool,
    /// Whether an exit status other than 0 is no failure.
    #[serde(default)]
    pub(crate) any_exit_status: bool,
    /// Whether overflow of signed integers is a failure.
    pub(crate) overflow: bool,
    /// How often each thread may be woken without a signal.
    #[serde(default)]
    pub(crate) spurious_wakeups: u32,
    /// Whether every access to memory is a step.
    #[serde(default)]
    pub(crate) no_shortcuts: bool,
    /// How often a loop may go round.
    pub(crate) unroll: Option<u64>,
    /// The values of nondeterministic integers.
    pub(crate) nondet: Option<(i64, i64)>,
    /// The clang that was requested.
    #[serde(skip)]
    pub(crate) clang: Option<String>,
    /// An option that was given and that only C knows.
    #[serde(skip)]
    pub(crate) first_given: Option<&'static str>,
}

impl From<&args::C> for CSettings {
    fn from(arguments: &args::C) -> Self {
        let words = arguments.cflags.iter().flat_map(|flags| flags.split_whitespace());
        Self {
            includes: arguments.includes.clone(),
            flags: words.map(str::to_owned).collect(),
            warnings: arguments.warnings,
            data_races: !arguments.no_data_races,
            leaks: arguments.leaks,
            any_exit_status: arguments.any_exit_status,
            overflow: arguments.overflow,
            spurious_wakeups: arguments.spurious_wakeups.unwrap_or(0),
            no_shortcuts: arguments.no_shortcuts,
            unroll: arguments.unroll,
            nondet: arguments.nondet,
            clang: arguments.compiler.clang.clone(),
            first_given: arguments.first_given(),
        }
    }
}

/// A program that is ready to run.
pub(crate) enum Program {
    /// In the process notation.
    Process {
        /// The program.
        image: Arc<Image>,
        /// The same, before it was lowered.
        checked: Arc<mazurka_process::hir::Program>,
        /// How many instructions a step may run.
        fuel: u64,
    },
    /// In C or C++.
    C {
        /// The program.
        image: Arc<mazurka_llvm::Image>,
        /// How many instructions a step may run.
        fuel: u64,
    },
    /// In ABS.
    Actor {
        /// The program.
        image: Arc<mazurka_actor::Image>,
        /// How many instructions a step may run.
        fuel: u64,
        /// How it is run.
        watched: Watched,
    },
}

/// What compiling came to.
pub(crate) struct Compiled {
    /// The program.
    pub(crate) program: Program,
    /// The texts that it was made from, to tell later whether they have changed.
    pub(crate) sources: Vec<Vec<u8>>,
    /// The time that other programs took.
    pub(crate) compiler_time: Duration,
}

/// Something to be done with the machine of a program, whatever its kind.
pub(crate) trait Task {
    /// What comes of it.
    type Output;

    /// Does it; `make` makes a machine in its initial state, as often as needed.
    fn run<M: Machine + Describe>(self, make: impl Fn() -> M + Sync) -> Self::Output;
}

impl Program {
    /// Compiles a program; there is at least one file.
    pub(crate) fn compile(kind: Kind, files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
        match kind {
            Kind::Process => compile_process(files, settings),
            Kind::C => crate::c::compile(files, settings),
            Kind::Actor => crate::actor::compile(files, settings),
        }
    }

    /// Whether data races are looked for.
    pub(crate) fn detects_data_races(&self) -> bool {
        match self {
            Program::Process { .. } | Program::Actor { .. } => false,
            Program::C { image, .. } => image.detects_data_races(),
        }
    }

    /// Whether it says when steps commute.
    pub(crate) fn declares_constraints(&self) -> bool {
        match self {
            Program::Process { checked, .. } => !checked.independences.is_empty(),
            Program::Actor { image, .. } => image.declares_constraints(),
            Program::C { .. } => false,
        }
    }

    /// The memory model that it is run under, where its language has others.
    pub(crate) fn memory_model(&self) -> Option<&'static str> {
        match self {
            Program::Process { .. } | Program::Actor { .. } => None,
            Program::C { .. } => Some("sequential consistency"),
        }
    }

    /// Does something with its machine.
    pub(crate) fn run<T: Task>(&self, task: T) -> T::Output {
        match self {
            Program::Process { image, fuel, .. } => task.run(|| {
                let mut machine = ProcessMachine::new(Arc::clone(image));
                machine.set_fuel(*fuel);
                machine
            }),
            Program::C { image, fuel } => task.run(|| {
                let mut machine = CMachine::new(Arc::clone(image));
                machine.set_fuel(*fuel);
                machine
            }),
            Program::Actor { image, fuel, watched } => task.run(|| {
                let mut machine = ActorMachine::new(Arc::clone(image));
                machine.set_fuel(*fuel);
                watched.prepare(&mut machine);
                machine
            }),
        }
    }
}

fn compile_process(files: &[PathBuf], settings: &Settings) -> Result<Compiled, Refusal> {
    let [file] = files else {
        return Err(Refusal::new("a program in the process notation is one file"));
    };
    if let Some(option) = settings.c.first_given {
        return Err(Refusal::new(format!("{option} is for C and C++ programs, and `{}` is none", file.display())));
    }
    settings.actor.refuse("the process notation")?;
    if !settings.arguments.is_empty() {
        return Err(Refusal::with_help(
            "a program in the process notation takes no arguments",
            "to give a `const` another value, use -D NAME=VALUE",
        ));
    }
    let defines = settings.defines.iter().map(|define| args::constant(define));
    let defines: Vec<(String, i64)> = defines
        .collect::<Result<_, _>>()
        .map_err(|error| Refusal::with_help(format!("-D: {error}"), "-D NAME=VALUE gives a `const` another value"))?;
    let name = file.display().to_string();
    let source = load::read(file, &name)?;
    if source.trim().is_empty() {
        return Err(Refusal::with_help(
            format!("`{name}` is empty: there is no process to run"),
            "a smallest program is `int x = 0; process p { x = 1; }`",
        ));
    }
    let program = mazurka_process::compile(&name, &source, &defines)
        .map_err(|diagnostics| Refusal::Source { source: source.clone(), diagnostics })?;
    let image = Arc::new(Image::new(&program, &name, &source));
    let program = Program::Process { image, checked: Arc::new(program), fuel: settings.max_instructions };
    Ok(Compiled { program, sources: vec![source.into_bytes()], compiler_time: Duration::ZERO })
}
