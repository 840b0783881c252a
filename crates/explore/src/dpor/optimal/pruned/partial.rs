//! Steps that are explored partially, and so cover only what they are part of.
//!
//! An explored step q covers what merely commutes with it only if nothing was left out that happens
//! after it. For a sequence v that commutes with q, whatever comes before q although it depends on
//! it, d, is found by the race of q and d after q and v. If that execution was left out for one
//! that leads to the same state, by steps e and e' that commute there, the race is found in that
//! one; and if e and e' are independent of q, they commute without it as well, so reversing the
//! race there leads to the same state. But if one of them depends on q, they can commute after q
//! only. So where an execution is cut, all events that one of the two depends on are *partially
//! explored* (`ExploredThoughLeftOut` of the mutations); and so is the first event of a race that
//! is reversed in its shortest form, which other explored steps can cover (`ShortThoughWhole` has
//! the program).
//!
//! Where constraints leave events unordered, every explored step covers only what it is part of:
//! what comes before it is found by its races, and steps that commute uniformly are in none. So
//! nobody counts on what is pending and turns out to be redundant ([`super::pending`]).

use super::Pruned;
use crate::execution::{Cut, Execution, Writes};
use crate::mutation::{self, Mutation};
use crate::sleep::Reason;

/// Why an explored step sleeps. `partial` says whether something was left out, `total` whether all
/// conflicting events are ordered.
pub(super) fn reason(partial: bool, total: bool) -> Reason {
    let whole = (!partial && total) || mutation::on(Mutation::ExploredThoughLeftOut);
    if whole { Reason::Explored } else { Reason::PartiallyExplored }
}

impl Pruned {
    /// The newest event is redundant: what follows it here is left out of all that one of the two
    /// events in question depends on.
    pub(super) fn note_left_out(&mut self, execution: &Execution, redundant: Cut) {
        let both = [execution.len() - 1, redundant.second.index()];
        self.causes.find(execution, &both, Writes::Ordered);
        for (node, &needed) in self.nodes.iter_mut().zip(self.causes.events()) {
            node.partial |= needed;
        }
    }
}
