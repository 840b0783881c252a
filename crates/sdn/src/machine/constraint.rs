//! When messages to a switch commute, by what they say alone.
//!
//! What an installation does is fixed when it is sent. Two that put the same rule into the same
//! place leave the same table in either order, and so do two removals. That is so in every state,
//! and nothing that others do changes it, so such steps are uniformly independent. Whether a
//! message can step depends on a barrier: both have to be enabled.

use mazurka_machine::{Constrained, Constraints, Independence};
use mazurka_trace::{ProcessId, SiteId};

use super::NetworkMachine;
use super::mutation::{Mutation, on};
use super::tasks::Kind;
use crate::hir::Op;

impl NetworkMachine {
    /// Whether a site is one of a message that changes a table.
    fn changes_tables(&self, site: SiteId) -> bool {
        let wanted = site.index() as u32;
        self.image.network.code.iter().any(|op| match op {
            Op::Install { site, .. } | Op::Remove { site, .. } => *site == wanted,
            _ => false,
        })
    }
}

impl Constraints for NetworkMachine {
    /// Not where rules are looked at when they are installed: then an installation reads others.
    fn has_constraints(&self) -> bool {
        !self.strict
    }

    fn constrained(&self, one: SiteId, other: SiteId) -> Constrained {
        match self.changes_tables(one) && self.changes_tables(other) {
            true => Constrained::Sometimes,
            false => Constrained::Unknown,
        }
    }

    fn independence(&mut self, one: ProcessId, other: ProcessId) -> Independence {
        if self.strict {
            return Independence::Unknown;
        }
        let foreseen = |key: u32| key < self.tables.foreseen;
        match (self.tasks.get(one).kind, self.tasks.get(other).kind) {
            (Kind::FlowMod { key, action }, Kind::FlowMod { key: other, action: same })
                if key == other && foreseen(key) && (action == same || on(Mutation::ActionsIgnored)) =>
            {
                Independence::Uniform
            }
            (Kind::Remove { key }, Kind::Remove { key: other }) if key == other && foreseen(key) => {
                Independence::Uniform
            }
            _ => Independence::Unknown,
        }
    }

    fn others_may_write(&self, _: ProcessId, _: ProcessId, _: mazurka_trace::LocationId) -> bool {
        true
    }

    /// Nothing is computed from integers where constraints are about.
    fn has_large_integers(&self) -> bool {
        true
    }
}
