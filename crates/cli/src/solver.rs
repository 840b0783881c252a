//! What is asked of a solver that finds and proves constraints.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mazurka::constraints::Solving;

use crate::values::seconds;

/// The environment variable that names a solver.
pub(crate) const SOLVER: &str = "MAZURKA_SOLVER";

/// The environment variable that names the folder in which constraints are kept; empty for none.
const CACHE: &str = "MAZURKA_CACHE";

/// Which solver.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Constraints")]
pub(crate) struct SolverArguments {
    /// The solver, a program that reads SMT-LIB [default: the one that MAZURKA_SOLVER names, or z3]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,

    /// How many seconds the solver may take for one question about two steps [default: 0.5]
    #[arg(long, value_name = "S", value_parser = seconds)]
    solver_timeout: Option<Duration>,

    /// For how many seconds constraints are looked for; of what comes later only what was found
    /// before is known
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "60")]
    constraints_timeout: Duration,
}

/// The solver that was requested, or that the environment names, or Z3; and who named it.
pub(crate) fn solver(asked: Option<&str>) -> (String, String) {
    let named = std::env::var(SOLVER).ok().filter(|name| !name.trim().is_empty());
    let (solver, named_by) = match (asked, named) {
        (Some(asked), _) => (asked.to_owned(), "--solver"),
        (None, Some(named)) => (named, SOLVER),
        (None, None) => (Solving::default().solver, ""),
    };
    (solver, named_by.to_owned())
}

impl SolverArguments {
    /// The solver that was requested, or that the environment names, or Z3.
    pub(crate) fn solving(&self, trust: bool) -> Solving {
        let usual = Solving::default();
        let (solver, named_by) = solver(self.solver.as_deref());
        Solving {
            solver,
            named_by,
            question: self.solver_timeout.unwrap_or(usual.question),
            whole: self.constraints_timeout,
            cache: cache(),
            trust,
        }
    }
}

/// The folder that the environment names for what was found before.
fn cache() -> Option<PathBuf> {
    match std::env::var_os(CACHE) {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => {
            let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
            let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
            cache.map(|cache| cache.join("mazurka"))
        }
    }
}
