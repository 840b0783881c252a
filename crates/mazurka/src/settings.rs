//! What a front end is told besides the program itself.

use std::path::PathBuf;

use mazurka_actor::{ObjectChoice, TaskChoice};
use mazurka_machine::Traces;
use serde::{Deserialize, Serialize};

/// A step of a program may run so many instructions, unless it is told otherwise.
pub const MAX_INSTRUCTIONS: u64 = 10_000_000;

/// What a front end is told besides the program itself. A [saved schedule](crate::Saved) keeps what
/// decides how the program runs.
///
/// ```
/// let settings = mazurka::Settings { defines: vec!["N=3".to_owned()], ..Default::default() };
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Other values for constants (`N=3`), or macros of C, as a compiler takes them.
    pub defines: Vec<String>,
    /// The program's own arguments, for C.
    pub arguments: Vec<String>,
    /// How many instructions a step may run.
    #[serde(skip, default = "max_instructions")]
    pub max_instructions: u64,
    /// What is only for C and C++.
    pub c: CSettings,
    /// What is only for actors.
    #[serde(default)]
    pub actor: ActorSettings,
    /// What is only for networks.
    #[serde(default)]
    pub network: NetworkSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            arguments: Vec::new(),
            max_instructions: MAX_INSTRUCTIONS,
            c: CSettings::default(),
            actor: ActorSettings::default(),
            network: NetworkSettings::default(),
        }
    }
}

fn max_instructions() -> u64 {
    MAX_INSTRUCTIONS
}

/// What only the front end for C and C++ is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CSettings {
    /// Folders of header files.
    pub includes: Vec<PathBuf>,
    /// Further words for clang.
    pub flags: Vec<String>,
    /// Whether clang's warnings are wanted.
    #[serde(skip)]
    pub warnings: bool,
    /// Whether data races are failures.
    pub data_races: bool,
    /// Whether leaks are failures.
    pub leaks: bool,
    /// Whether an exit status other than 0 is no failure.
    #[serde(default)]
    pub any_exit_status: bool,
    /// Whether overflow of signed integers is a failure.
    pub overflow: bool,
    /// How often each thread may be woken without a signal.
    #[serde(default)]
    pub spurious_wakeups: u32,
    /// Whether every access to memory is a step.
    #[serde(default)]
    pub no_shortcuts: bool,
    /// The program is only analysed: what is not supported is left out, and said.
    #[serde(skip)]
    pub analysed: bool,
    /// How often a loop may go round.
    pub unroll: Option<u64>,
    /// The values of nondeterministic integers.
    pub nondet: Option<(i64, i64)>,
    /// Which clang; otherwise it is looked for.
    #[serde(skip)]
    pub clang: Option<String>,
}

impl Default for CSettings {
    fn default() -> Self {
        Self {
            includes: Vec::new(),
            flags: Vec::new(),
            warnings: false,
            data_races: true,
            leaks: false,
            any_exit_status: false,
            overflow: false,
            spurious_wakeups: 0,
            no_shortcuts: false,
            analysed: false,
            unroll: None,
            nondet: None,
            clang: None,
        }
    }
}

/// What only the front end for actors is told.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ActorSettings {
    /// Which rules the program was written for; otherwise that is recognised.
    pub dialect: Option<Dialect>,
    /// When steps of one group depend on each other; otherwise by field.
    pub dependence: Option<Dependence>,
    /// The module whose main block runs, where there are several.
    pub main: Option<String>,
    /// The call to begin with instead of the main block.
    #[serde(default)]
    pub call: Option<String>,
    /// A method whose call is a failure.
    #[serde(default)]
    pub property: Option<String>,
    /// Methods are looked at, and no main block is needed: nothing begins.
    #[serde(default)]
    pub methods: bool,
    /// Which executions are kept, to be looked at afterwards.
    #[serde(skip)]
    pub traces: Traces,
    /// Which object moves next. With less than all, the verdict is `incomplete`.
    #[serde(skip)]
    pub objects: ObjectChoice,
    /// Which task of an object moves next. With less than all, the verdict is `incomplete`.
    #[serde(skip)]
    pub tasks: TaskChoice,
}

impl ActorSettings {
    /// Not every schedule is explored.
    pub fn restricts(&self) -> bool {
        self.objects != ObjectChoice::All || self.tasks != TaskChoice::All
    }
}

/// What only the front end for networks is told.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct NetworkSettings {
    /// What barriers order.
    pub barriers: Barriers,
}

/// What a barrier orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Barriers {
    /// The messages of the handler's run that sent it.
    #[default]
    Scoped,
    /// All messages to the switch.
    Exact,
    /// The controller waits for its messages one by one, as in the paper: the network is run as
    /// actors.
    Futures,
}

impl From<Barriers> for mazurka_sdn::Barriers {
    fn from(barriers: Barriers) -> Self {
        match barriers {
            Barriers::Scoped => mazurka_sdn::Barriers::Scoped,
            // As actors, barriers are made of futures.
            Barriers::Exact | Barriers::Futures => mazurka_sdn::Barriers::Exact,
        }
    }
}

/// Which rules programs of actors were written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Today's.
    Abs,
    /// Those of SYCO.
    Syco,
}

/// When steps of one group of objects depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dependence {
    /// Always.
    Object,
    /// If one writes a field that the other uses.
    Field,
    /// Likewise, with the entries of maps told apart.
    Entry,
}

impl From<Dialect> for mazurka_actor::Dialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Abs => mazurka_actor::Dialect::Abs,
            Dialect::Syco => mazurka_actor::Dialect::Syco,
        }
    }
}

impl From<Dependence> for mazurka_actor::Dependence {
    fn from(dependence: Dependence) -> Self {
        match dependence {
            Dependence::Object => mazurka_actor::Dependence::Object,
            Dependence::Field => mazurka_actor::Dependence::Field,
            Dependence::Entry => mazurka_actor::Dependence::Entry,
        }
    }
}
