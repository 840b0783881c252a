//! A solver for as long as it lasts.

use std::fmt;
use std::time::Duration;

use super::{Error, Solver};

/// Starts a solver once one is needed, and another one where it had to be ended.
pub struct Supply<'a> {
    start: Box<dyn FnMut() -> Result<Solver, Error> + 'a>,
    solver: Option<Solver>,
    /// The last one that was wanted could be started.
    started: bool,
    /// What solvers took that are no more.
    spent: Duration,
}

impl<'a> Supply<'a> {
    /// Solvers that `start` starts.
    pub fn new(start: impl FnMut() -> Result<Solver, Error> + 'a) -> Supply<'a> {
        Supply { start: Box::new(start), solver: None, started: false, spent: Duration::ZERO }
    }

    /// Asks on a level of its own, and once more where the solver may have been ended because of
    /// what was asked before.
    ///
    /// # Errors
    /// Where no solver can be started, or it dies or answers nonsense.
    pub fn ask<T>(&mut self, mut question: impl FnMut(&mut Solver) -> Result<T, Error>) -> Result<T, Error> {
        let is_used = self.solver.is_some();
        let answer = self.ask_once(&mut question);
        if answer.is_err() && is_used { self.ask_once(&mut question) } else { answer }
    }

    fn ask_once<T>(&mut self, question: &mut impl FnMut(&mut Solver) -> Result<T, Error>) -> Result<T, Error> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => {
                self.started = false;
                none.insert((self.start)()?)
            }
        };
        self.started = true;
        solver.push();
        let answer = question(solver);
        solver.pop();
        if answer.is_err() {
            self.spent += solver.time();
            self.solver = None;
        }
        answer
    }

    /// Whether the last solver that was wanted could be started.
    pub fn is_started(&self) -> bool {
        self.started
    }

    /// The time that questions have taken so far.
    pub fn time(&self) -> Duration {
        self.spent + self.solver.as_ref().map_or(Duration::ZERO, Solver::time)
    }
}

impl fmt::Debug for Supply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supply").field("solver", &self.solver).field("spent", &self.spent).finish_non_exhaustive()
    }
}
