//! Questions about many pairs of steps, within a time, with solvers that may fail.

use crate::solver::{Error, Solver, Supply};

/// So many pairs of steps may cost a solver its life.
const MOST_FAILURES: usize = 4;

/// What was not found out.
#[derive(Clone, Debug, Default)]
pub struct Shortfall {
    /// About so many pairs of steps nobody was asked, since the time was over.
    pub unasked: usize,
    /// About so many of them solvers failed to answer.
    pub failures: usize,
    /// Why the last solver failed.
    pub trouble: Option<Error>,
}

/// Whoever asks about one pair of steps after the other.
pub struct Asking<'a, 's> {
    supply: &'a mut Supply<'s>,
    is_late: &'a dyn Fn() -> bool,
    /// What was not found out so far.
    pub shortfall: Shortfall,
}

impl<'a, 's> Asking<'a, 's> {
    /// Asks these solvers, and no more once somebody says that it is late.
    pub fn new(supply: &'a mut Supply<'s>, is_late: &'a dyn Fn() -> bool) -> Asking<'a, 's> {
        Asking { supply, is_late, shortfall: Shortfall::default() }
    }

    /// Whether there is time for another pair. Where there is none, it counts as unasked.
    pub fn has_time(&mut self) -> bool {
        let late = (self.is_late)();
        self.shortfall.unasked += usize::from(late);
        !late
    }

    /// Asks about a pair; nothing where that costs a solver its life, which it may do a few times.
    ///
    /// # Errors
    /// Where no solver can be started, or they keep dying or answering nonsense.
    pub fn ask<T>(&mut self, question: impl FnMut(&mut Solver) -> Result<T, Error>) -> Result<Option<T>, Error> {
        match self.supply.ask(question) {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if self.supply.is_started() && self.shortfall.failures < MOST_FAILURES => {
                self.shortfall.failures += 1;
                self.shortfall.trouble = Some(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
