//! Inserting sequences where steps are forbidden.

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use super::super::sequence::{Initial, World};
use super::super::tree::Sharing;
use super::Pruned;
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::{Order, Watched};
use crate::search::Search;
use crate::sleep::{Reason, Sleeper};

impl Pruned {
    /// Inserts the sequence at a node, unless what it leads to is explored anyway. What was
    /// explored is known by its states, not by all of its executions, so it covers only sequences
    /// that begin with it, not those that could.
    pub(super) fn insert<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) {
        let world = World::of(search);
        let sequence = &mut self.sequence;
        for sleeper in self.sleep.at(number) {
            match sequence.begins_with(sleeper, world) {
                Some(Initial::Member(_)) => {}
                Some(Initial::Stranger) if mutation::on(Mutation::ForbiddenCovers) => return,
                _ => continue,
            }
            if sleeper.reason != Reason::Forbidden {
                return;
            }
            // All of it is redundant, but the step has not been run for its races.
            let Sleeper { process, choice, footprint, .. } = *sleeper;
            sequence.of_one(process, Variant::new(choice, footprint));
            break;
        }
        let sharing = Sharing::Members(self.contextual.dont.at(number));
        self.tree.insert(&mut self.nodes[number].branch, sequence, world, sharing);
    }

    /// Whether some execution that begins with the sequence has been explored at a node, by a step
    /// of which nothing was left out.
    pub(super) fn is_redundant<M: Machine, O: Order<M>>(&self, search: &Search<'_, M, O>, number: usize) -> bool {
        let world = World::of(search);
        let whole = |sleeper: &&Sleeper| sleeper.reason == Reason::Explored;
        let mut sleepers = self.sleep.at(number).iter().filter(whole);
        if search.order.orders_writes() {
            return sleepers.any(|sleeper| self.sequence.weak_initial(sleeper, world).is_some());
        }
        let asleep = sleepers.map(|&sleeper| Watched::new(sleeper));
        let watched = search.order.watched(number).iter().filter(|watched| whole(&watched.step())).copied();
        asleep.chain(watched).any(|watched| self.sequence.covered_by(watched, world.footprints).is_some())
    }

    /// Whether the sequence, run from a node, could be cut before its end.
    pub(super) fn may_be_cut<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, number: usize) -> bool {
        let footprints = &search.cursor.names.footprints;
        let sleepers = self.sequence.sleepers();
        self.contextual.dont.may_cut(number, sleepers, footprints, !search.order.is_total())
            && !mutation::on(Mutation::WholeThoughRedundant)
    }

    /// Whether a step is part of the sequence, and nothing of that comes before it.
    pub(super) fn needs_nothing<M: Machine, O: Order<M>>(
        &self,
        search: &Search<'_, M, O>,
        process: ProcessId,
        variant: Variant,
    ) -> bool {
        let step = Sleeper::new(process, variant.choice, variant.footprint);
        matches!(self.sequence.begins_with(&step, World::of(search)), Some(Initial::Member(_)))
    }

    /// Whether the sequence begins with a forbidden step that is not known to be needed.
    pub(super) fn begins_with_forbidden<M: Machine, O: Order<M>>(
        &self,
        search: &Search<'_, M, O>,
        number: usize,
    ) -> bool {
        let forbidden = self.sleep.at(number).iter().filter(|sleeper| !sleeper.reason.is_explored());
        let mut initials = forbidden.filter_map(|sleeper| self.sequence.begins_with(sleeper, World::of(search)));
        initials.any(|initial| matches!(initial, Initial::Member(at) if !self.sequence.is_last(at)))
    }

    /// Inserts everybody who could run at a node.
    #[cold]
    pub(super) fn insert_everybody<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, number: usize) {
        for (process, variant) in search.everybody_at(number, None) {
            self.sequence.of_one(process, variant);
            self.insert(search, number);
        }
    }
}
