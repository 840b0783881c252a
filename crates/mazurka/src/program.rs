//! The kinds of programs, behind one door: to add one, add a kind and a variant here, and a module
//! in `compile`.

use std::path::Path;
use std::sync::Arc;

use mazurka_actor::{ActorMachine, ObjectChoice, TaskChoice};
use mazurka_llvm::CMachine;
use mazurka_machine::{Companion, Describe, Machine, Traces};
use mazurka_process::{Image, ProcessMachine};
use mazurka_sdn::NetworkMachine;

use crate::refusal::Refusal;

/// The kinds of programs, by the endings of their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The process notation.
    Process,
    /// C and C++, and what they are compiled to.
    C,
    /// ABS.
    Actor,
    /// Software-defined networks.
    Network,
}

impl Kind {
    /// The kind of a file, from its ending.
    pub fn of_file(path: &Path) -> Result<Kind, Refusal> {
        const READS: &str = "this version reads `.mzk` (process notation), `.abs` (actors), `.sdn` (networks), `.c`, `.cc`, `.cpp`, `.ll` and `.bc` (C and C++) files";
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let later = match ending.as_ref() {
            "mzk" => return Ok(Kind::Process),
            "c" | "cc" | "cpp" | "ll" | "bc" => return Ok(Kind::C),
            "abs" => return Ok(Kind::Actor),
            "sdn" => return Ok(Kind::Network),
            "" => "no ending tells what kind of program it is",
            _ => "its ending is not one of a kind of program that Mazurka knows",
        };
        Err(Refusal::with_help(format!("{}: {later}", path.display()), READS))
    }
}

/// A program that is ready to run.
pub enum Program {
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
    /// A software-defined network.
    Network {
        /// The network.
        image: Arc<mazurka_sdn::Image>,
        /// How many instructions a step may run.
        fuel: u64,
        /// Which executions are kept.
        traces: Traces,
    },
}

/// How a machine for actors is run.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// Which executions are kept.
    pub traces: Traces,
    /// Which object moves next.
    pub objects: ObjectChoice,
    /// Which task of an object moves next.
    pub tasks: TaskChoice,
}

impl Watched {
    fn prepare(self, machine: &mut ActorMachine) {
        machine.keep_account(self.traces);
        machine.restrict(self.objects, self.tasks);
        machine.tell_circles();
    }
}

/// Something to be done with the machine of a program, whatever its kind.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it; `make` makes a machine in its initial state, as often as needed.
    fn run<M: Machine + Describe + Companion + Send>(self, make: impl Fn() -> M + Sync) -> Self::Output;
}

impl Program {
    /// Whether data races are looked for.
    pub fn detects_data_races(&self) -> bool {
        match self {
            Program::Process { .. } | Program::Actor { .. } | Program::Network { .. } => false,
            Program::C { image, .. } => image.detects_data_races(),
        }
    }

    /// Whether it says, or it is known of its kind, when steps commute.
    pub fn declares_constraints(&self) -> bool {
        match self {
            Program::Process { checked, .. } => !checked.independences.is_empty(),
            Program::Actor { image, .. } => image.declares_constraints(),
            Program::Network { .. } => true,
            Program::C { .. } => false,
        }
    }

    /// The memory model that it is run under, where its language has others.
    pub fn memory_model(&self) -> Option<&'static str> {
        match self {
            Program::Process { .. } | Program::Actor { .. } | Program::Network { .. } => None,
            Program::C { .. } => Some("sequential consistency"),
        }
    }

    /// Does something with its machine.
    pub fn run<T: Task>(&self, task: T) -> T::Output {
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
            Program::Network { image, fuel, traces } => task.run(|| {
                let mut machine = NetworkMachine::new(Arc::clone(image));
                machine.set_fuel(*fuel);
                machine.keep_account(*traces);
                machine
            }),
        }
    }
}
