//! The races of what has not happened.

use mazurka_machine::Machine;

use super::{Races, Reverse, Wanted, check_data_races};
use crate::order::Order;
use crate::search::Search;

impl Races {
    /// The races of the virtual events, each as if it came next.
    #[cold]
    pub(super) fn analyse_virtual<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        wanted: Wanted,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        let virtual_events = std::mem::take(&mut self.virtual_events);
        for event in &virtual_events {
            search.order.push_virtual(&mut search.cursor, &mut search.execution, event);
            let mut races = std::mem::take(&mut self.races);
            search.execution.take_races(&mut races);
            if search.cursor.machine.detects_data_races() {
                check_data_races(search, &races);
            }
            self.leave_out_bound(search, 0, &mut races);
            for &race in &races {
                if search.is_late() {
                    break;
                }
                self.analyse(search, wanted, race, algorithm);
            }
            self.races = races;
            self.reversals.forget_from(search.execution.len() - 1);
            self.forget_varying_from(search.execution.len() - 1);
            search.execution.pop();
        }
        self.virtual_events = virtual_events;
    }
}
