//! Races that were analysed before, and may mean something else now.

use mazurka_machine::Machine;

use super::{Races, Reverse, hand_out};
use crate::order::Order;
use crate::search::Search;

impl Races {
    /// Hands out the known reversals that mean something else than before: because of the new
    /// events, from position `stable` on. Forgets those whose second event is not the same any
    /// more.
    pub(super) fn analyse_again<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        stable: usize,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        self.reversals.forget_from(stable);
        self.forget_varying_from(stable);
        search.execution.set_new(stable, self.reversals.stored.len() + self.varying.len());
        for number in 0..self.reversals.stored.len() {
            if search.is_late() {
                return;
            }
            if self.reversals.is_settled(number, stable)
                || search.execution.precedes_all_new(self.reversals.stored[number].first)
            {
                continue;
            }
            let race = self.reversals.get(number);
            if !race.removed.iter().any(|&gone| search.execution.precedes_all_new(gone)) {
                let basis = hand_out(search, &race, &mut self.uncertain, algorithm);
                self.reversals.set_basis(number, basis);
            }
        }
        for number in 0..self.varying.len() {
            if search.is_late() {
                return;
            }
            let race = self.varying[number];
            if !search.execution.precedes_all_new(race.first.unwrap_or(race.second)) {
                self.analyse_varying(search, race, algorithm);
            }
        }
        for number in 0..search.execution.choosing().len() {
            if search.is_late() {
                return;
            }
            let event = search.execution.choosing()[number];
            if event.index() >= stable || !search.execution.precedes_all_new(event) {
                self.analyse_choices(search, event, algorithm);
            }
        }
    }
}
