//! Steps that commute with the newest event where it happened.

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::Fault;

use super::check::{Context, key, repeat};
use crate::choices::Script;
use crate::execution::Record;
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::search::Search;

impl Context {
    /// Of the steps that could have run instead of the newest event, keeps those that commute with
    /// it where it happened. The machine is after the event, and stays there.
    #[inline]
    pub(super) fn keep_commuting<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        if !self.commuting.is_empty() {
            self.compare_commuting(search, event);
        }
    }

    #[cold]
    fn compare_commuting<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        let Context { commuting, afterwards, .. } = self;
        let here = search.cursor.machine.steps();
        if event.footprint == Footprint::HALT || event.locks || event.is_local || here != search.execution.len() {
            return commuting.clear();
        }
        // First after the event, then before it.
        afterwards.clear();
        commuting.retain(|step| {
            let mut faults = Vec::new();
            let same = step.footprint != Footprint::HALT
                && repeat(search, step.process, step.choice, &mut faults) == Some(step.footprint);
            if same {
                afterwards.push((search.cursor.machine.effects_since(here - 1), [faults, Vec::new()]));
            }
            search.cursor.machine.rewind(here);
            same
        });
        if commuting.is_empty() {
            return;
        }
        search.cursor.machine.rewind(here - 1);
        let mut number = 0;
        commuting.retain(|step| {
            let (digest, [_, faults]) = &mut afterwards[number];
            let same = repeat(search, step.process, step.choice, faults) == Some(step.footprint)
                && repeat(search, event.process, event.choice, faults) == Some(event.footprint)
                && (search.cursor.machine.effects_since(here - 1) == *digest
                    || mutation::on(Mutation::ForbiddenForever));
            search.cursor.machine.rewind(here - 1);
            if same {
                number += 1;
            } else {
                afterwards.remove(number);
            }
            same
        });
        search.cursor.try_step(event.process, Script::Exactly(event.choice));
        self.keep_failing_alike(&search.cursor.event.faults);
    }

    /// Of the steps that commute, keeps those that show the same failures before the event as after
    /// it; these are the event's.
    fn keep_failing_alike(&mut self, own: &[Fault]) {
        let Context { commuting, afterwards, .. } = self;
        let mut faults = afterwards.iter_mut().map(|(_, faults)| faults);
        commuting.retain(|_| {
            let Some([after, before]) = faults.next() else { return false };
            after.extend_from_slice(own);
            after.sort_unstable_by_key(key);
            before.sort_unstable_by_key(key);
            after == before
        });
    }
}
