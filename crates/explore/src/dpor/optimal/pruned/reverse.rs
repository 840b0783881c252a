//! Reversing a race where explorations can be cut.
//!
//! A sequence holds all that does not happen after the first event of its race, as in `optimal`,
//! but for those that a don't-do set would cut, before their end or right after it, since their
//! race commutes. Then it is as short as it can be, *ance(e, e', E).e'*: the paper's future
//! initials would make it longer with steps that are forbidden, and then redundant
//! (`WholeThoughRedundant` of the mutations). Another variant of a step is requested alone, if it
//! needs nothing else. Where only the machine knows what the second event needs, the comparison of
//! the two orders tells. Where it does not (there is none, or somebody conflicts with the second
//! event only as it is then), and the sequence begins with a forbidden step, everybody at that node
//! is explored.
//!
//! Where the sequence of an observed race would be cut, it is reversed as shortly as any other: its
//! observer is not part of it, but found when that has been explored. Until then the first event of
//! the race is partially explored only: it could be overtaken, and observed, in an execution that
//! is not seen.
//!
//! Observed writes are compared like any other race, by whole states. The paper's refined check
//! (Section 4.3) compares only what their observers write, and loses failures: who reads the same
//! location later can see what the first observer does not tell (a program in the tests). With all
//! who read it included, and only where nobody is left who could, it does not leave out more than
//! whole states do before the very end of an execution: the N writers of lastwrite-dif then take
//! one execution, not N, and of the order of N! that are cut.

use mazurka_machine::Machine;
use mazurka_trace::EventId;

use super::super::sequence::World;
use super::Pruned;
use crate::dpor::checking;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::races::{Basis, Observation, Reversal, Reverse, Wanted};
use crate::search::Search;

impl Pruned {
    /// Reverses a race, with the second event as this variant.
    fn reverse_as<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) {
        let number = race.first.index();
        self.sequence.reverse(race, variant, World::of(search));
        checking::check_sequence(search, number, self.sequence.sleepers());
        if self.is_redundant(search, number) {
            self.nodes[number].chosen = false;
            return;
        }
        let record = *search.execution.record(race.second);
        if record.is_local || (race.first == race.second && self.needs_nothing(search, record.process, variant)) {
            // It commutes with all of the sequence.
            self.sequence.of_one(record.process, variant);
            return self.insert(search, number);
        }
        let (commutes, new) = self.contextual.compare_variant(search, race, variant);
        if new {
            self.move_pending(search, race.first, race.second);
        }
        if commutes || self.may_be_cut(search, number) {
            return self.reverse_shortly(search, race, variant);
        }
        self.insert(search, number);
    }

    /// Likewise, with as few other events as possible.
    fn reverse_shortly<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        race: &Reversal<'_>,
        variant: Variant,
    ) {
        let number = race.first.index();
        let (whole, needed) = (self.sequence.len(), self.contextual.needed());
        let unsure = race.is_unsure(&search.execution) && needed.is_none();
        self.sequence.reverse_shortly(race, needed, variant, World::of(search));
        checking::check_sequence(search, number, self.sequence.sleepers());
        let shorter = self.sequence.len() < whole && !mutation::on(Mutation::ShortThoughWhole);
        self.nodes[number].partial |= unsure || shorter;
        if unsure && self.begins_with_forbidden(search, number) {
            self.insert_everybody(search, number);
        } else {
            self.insert(search, number);
        }
    }
}

impl<M: Machine, O: Order<M>> Reverse<M, O> for Pruned {
    fn wanted(&self) -> Wanted {
        Wanted::Changed
    }

    fn keeps_footprints(&self) -> bool {
        true
    }

    fn requests_every_variant(&self) -> bool {
        true
    }

    fn wants_variants(&self, search: &Search<'_, M, O>, event: EventId) -> bool {
        !search.execution.record(event).is_local || !self.nodes[event.index()].chosen
    }

    fn reverse(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        let record = search.execution.record(race.second);
        let as_it_was = [Variant::of(record)];
        self.nodes[race.first.index()].chosen |= record.is_local && race.first == race.second;
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        for &variant in variants {
            self.reverse_as(search, race, variant);
        }
        None
    }

    fn reverse_observed(&mut self, search: &mut Search<'_, M, O>, race: &Observation<'_>) {
        let number = race.first.index();
        let mut looked = false;
        for variant in race.observer.variants() {
            self.sequence.reverse_observed(race, variant, World::of(search));
            if self.is_redundant(search, number) {
                continue;
            }
            if !std::mem::replace(&mut looked, true) && self.contextual.compare_writes(search, race) {
                self.move_pending(search, race.first, race.second);
            }
            if self.may_be_cut(search, number) {
                self.nodes[number].partial = true;
                self.sequence.reverse_observed_shortly(race, World::of(search));
            }
            self.insert(search, number);
        }
    }
}
