//! A solver for what takes more than a look.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mazurka_actor::Oracle;
use mazurka_smt::solver::Settings;
use mazurka_smt::{Answer, Arena, Assignment, Error, Look, Solver, Term};

use crate::constraints::Solving;

/// A solver that is started once it is needed. Where there is none, nothing is known.
#[derive(Debug)]
pub(super) struct SolverOracle {
    settings: Settings,
    solver: Option<Solver>,
    is_missing: bool,
}

impl SolverOracle {
    pub(super) fn new(solving: &Solving, stop: &Arc<AtomicBool>) -> SolverOracle {
        let settings = Settings {
            program: solving.solver.clone(),
            named_by: solving.named_by.clone(),
            time_limit: Some(solving.question),
            stop: Some(Arc::clone(stop)),
        };
        SolverOracle { settings, solver: None, is_missing: false }
    }

    fn question(&mut self, arena: &Arena, conditions: &[Term]) -> Result<Look, Error> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(Solver::start(self.settings.clone())?),
        };
        solver.push();
        for &condition in conditions {
            solver.assert(arena, condition);
        }
        let variables = arena.variables_of(conditions);
        solver.declare(arena, &variables);
        let found = match solver.check()? {
            Answer::Unsat => Look::Unsat,
            Answer::Unknown(_) => Look::Unknown,
            Answer::Sat => {
                let values = solver.values(arena, &variables)?;
                let mut assignment = Assignment::new();
                for (variable, value) in variables.into_iter().zip(values) {
                    assignment.set(variable, value);
                }
                Look::Sat(assignment)
            }
        };
        solver.pop();
        Ok(found)
    }
}

impl Oracle for SolverOracle {
    fn ask(&mut self, arena: &Arena, conditions: &[Term]) -> Look {
        if self.is_missing {
            return Look::Unknown;
        }
        self.question(arena, conditions).unwrap_or_else(|_| {
            // One that cannot be started is not tried again; one that died is.
            self.is_missing = self.solver.is_none();
            self.solver = None;
            Look::Unknown
        })
    }
}
