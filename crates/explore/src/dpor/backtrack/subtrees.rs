//! `none`, by several workers: a cone is a subtree of all interleavings.
//!
//! Each worker explores subtrees as [`Backtracking`] does, with everybody in its backtrack sets,
//! and gives away what is pending in the upper part of its own. Nothing is ever inserted from
//! elsewhere, and nothing sleeps, so subtrees have nothing to do with each other.
//!
//! # Guarantee
//! Every interleaving once, as with one worker.

use mazurka_machine::{Describe, Machine};
use mazurka_trace::{Event, EventId, ProcessId};

use super::{Backtracking, Policy};
use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::divided::Divided;
use crate::dpor::way::Way;
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::frontier::{Frontier, Kind, Node};
use crate::names::Variant;
use crate::order::ByConflict;
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;

/// Exploration of all interleavings: one worker's part.
pub(crate) struct Subtrees<'f> {
    backtracking: Backtracking,
    way: Way<'f>,
}

impl Subtrees<'_> {
    /// The steps that are still to be explored from a node, beside the current one.
    fn pending<M: Machine>(&mut self, search: &mut Search<'_, M>, number: usize) -> Vec<(ProcessId, ChoiceId)> {
        let Record { process, choice, .. } = *search.execution.record(EventId::new(number));
        let (mut steps, mut variants): (_, Vec<Variant>) = (Vec::new(), Vec::new());
        let node = &mut self.backtracking.nodes[number];
        node.variant = None;
        if search.cursor.names.choices.has_next(choice) {
            search.seek(number);
            search.cursor.variants(process, &mut variants);
            let later = variants.iter().skip_while(|variant| variant.choice != choice).skip(1);
            steps.extend(later.map(|variant| (process, variant.choice)));
        }
        while let Some(process) = node.todo.pop() {
            search.seek(number);
            search.cursor.variants(process, &mut variants);
            steps.extend(variants.iter().map(|variant| (process, variant.choice)));
        }
        steps
    }

    /// Gives away what is pending at the uppermost node of the subtree at which something is.
    #[cold]
    fn give_away<M: Machine + Describe>(&mut self, search: &mut Search<'_, M>) {
        let (mut entries, mut path) = (Vec::new(), Vec::new());
        for number in self.way.frozen()..search.execution.len() {
            let parent = path.last().map_or(Ok(self.way.path[self.way.frozen()]), |&entry| Err(entry));
            let Record { process, choice, .. } = *search.execution.record(EventId::new(number));
            let pending = self.pending(search, number);
            if search.is_late() {
                return;
            }
            let kind = if pending.is_empty() { Kind::Inner } else { Kind::Taken };
            path.push(entries.len());
            entries.push((parent, self.way.named(search, process, choice), kind));
            if pending.is_empty() {
                continue;
            }
            for (process, choice) in pending {
                entries.push((parent, self.way.named(search, process, choice), Kind::Task));
            }
            return self.way.give(entries, &path);
        }
    }
}

impl<'f, M: Machine + Describe> Divided<'f, M> for Subtrees<'f> {
    fn begin(frontier: &'f Frontier, worker: usize, task: Node) -> Self {
        let backtracking = Backtracking::new(Policy::Everything, false);
        Self { backtracking, way: Way::new(frontier, worker, task) }
    }

    fn repeated(&self) -> i64 {
        self.way.repeated()
    }

    fn has_task(&self) -> bool {
        self.way.has_task()
    }
}

impl<M: Machine + Describe> Reverse<M, ByConflict> for Subtrees<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::Nothing
    }

    fn requests_every_variant(&self) -> bool {
        false
    }

    fn reverse(&mut self, _: &mut Search<'_, M>, _: &Reversal<'_>) -> Basis {
        None
    }
}

impl<M: Machine + Describe> Strategy<M, ByConflict> for Subtrees<'_> {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let number = self.backtracking.depth;
        if number < self.way.frozen() {
            self.backtracking.push_node();
            // Where it is late, nobody asks what kind of leaf this is.
            let own = self.way.follow(search, number).ok_or(Leaf::Blocked)?;
            return Ok((own.step.process, Script::Exactly(own.step.choice)));
        }
        self.backtracking.enter(search)
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let number = self.backtracking.depth - 1;
        if self.way.is_own(number) {
            if self.way.is_to_share() {
                self.give_away(search);
            }
            if self.way.is_own(number)
                && let Some(step) = self.backtracking.next(search)
            {
                return Some(step);
            }
            if number > 0 {
                return None;
            }
        }
        if !self.way.turn(search, number) {
            return None;
        }
        let own = self.way.follow(search, number)?;
        Some((own.step.process, Script::Exactly(own.step.choice)))
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        self.backtracking.descend(search);
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        self.backtracking.ascend(search, event);
    }

    fn end(&mut self, search: &mut Search<'_, M>) -> Option<Cut> {
        self.way.note_end();
        self.backtracking.end(search)
    }

    fn virtual_events(&mut self, search: &mut Search<'_, M>, cut: Option<Cut>, events: &mut Vec<Event>) {
        self.backtracking.virtual_events(search, cut, events);
    }

    fn alternatives_to_end(&mut self, _: &mut Search<'_, M>) {}
}
