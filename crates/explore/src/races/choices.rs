//! The other variants of steps that make data choices.

use mazurka_machine::Machine;
use mazurka_trace::EventId;

use super::{Races, Reversal, Reverse, add_unordered, is_open};
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::search::Search;

impl Races {
    /// An event that makes data choices: what if it makes others, after all that does not depend on
    /// it?
    ///
    /// The variants of a step exclude each other, like processes of which only one can go on. So
    /// each event races with the other variants of its step. It is enough to request the next one,
    /// in a circle: that one requests the one after it. Unless it is not explored to its end; then
    /// each of them is requested.
    #[cold]
    pub(super) fn analyse_choices<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        event: EventId,
        algorithm: &mut impl Reverse<M, O>,
    ) {
        if !algorithm.wants_variants(search, event) {
            return;
        }
        self.analyse_choices_without(search, &[event], algorithm);
        let mut uncertain = std::mem::take(&mut self.uncertain);
        if add_unordered(search, &[event], event, &mut uncertain) && is_open(search, &[event], event, &uncertain) {
            self.analyse_choices_without(search, &uncertain, algorithm);
        }
        self.uncertain = uncertain;
    }

    /// The same without these, of which it is the first.
    fn analyse_choices_without<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        removed: &[EventId],
        algorithm: &mut impl Reverse<M, O>,
    ) {
        let event = removed[0];
        let record = *search.execution.record(event);
        search.cursor.replay_without(&search.execution, removed, event, search.execution.len());
        if search.is_late() {
            return;
        }
        if algorithm.requests_every_variant() {
            search.cursor.variants(record.process, &mut self.variants);
            self.variants.retain(|variant| variant.choice != record.choice);
        } else {
            self.variants.clear();
            self.variants.extend(search.cursor.next_variant(record.process, record.choice));
        }
        search.cursor.machine.rewind(event.index());
        search.order.see_variants(&mut search.cursor, record.footprint, &self.variants);
        if !self.variants.is_empty() && !mutation::on(Mutation::FirstChoiceOnly) {
            let variants = &self.variants[..];
            algorithm.reverse(search, &Reversal { first: event, second: event, removed, variants, last: true });
        }
    }
}
