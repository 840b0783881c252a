//! `none`, `dpor` and `source`, by several workers: a cone is a subtree of what is explored.
//!
//! # Paper
//! [`super`]; the division of the work is our own.
//!
//! Each worker explores subtrees as [`Backtracking`] does, on a machine of its own, and gives away
//! what is pending in the upper part of its own. The nodes above it are nodes of the trie that the
//! workers share, see [`Frontier`]: the children of such a node are its backtrack set. A race whose
//! first event lies above the subtree adds an initial there, unless one is a child or sleeps.
//!
//! # Guarantee `none`: every interleaving once. `dpor` and `source`: one complete execution of each
//! Mazurkiewicz trace, as with one worker. How many explorations are blocked depends on the order
//! in which tasks are taken.
//!
//! # Why
//! - *Never twice.* Two executions part at a node, one by an elder child, which sleeps on the other
//!   side until a step depends on it. What begins with an elder is not explored again.
//! - *Complete.* In the order of the final trie (children before their parents, elders before
//!   younger ones) in place of the order of time, the argument is that of the paper: it needs the
//!   backtrack sets as they are in the end, and that every race of every execution has been dealt
//!   with. An initial is added as the youngest child, and its subtree is explored with all elders
//!   asleep that it does not depend on, as with one worker.
//! - No sequence is walked down the trie: a backtrack set asks for a process, and whatever begins
//!   with that is explored below it.

use mazurka_machine::{Companion, Describe, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{Event, EventId, ProcessId};

use super::{Backtracking, Policy, initials};
use crate::checkpoint::Deposit;
use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::divided::Divided;
use crate::dpor::way::Way;
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::frontier::{Entries, Frontier, Kind, Node};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::ByConflict;
use crate::plan::Plan;
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::Sleeper;

/// Exploration by backtrack sets: one worker's part.
pub(crate) struct Subtrees<'f> {
    backtracking: Backtracking,
    way: Way<'f>,
    /// For each node of the current path, how many steps slept there when it was entered.
    inherited: Vec<u32>,
}

impl Subtrees<'_> {
    /// Whether steps sleep.
    fn sleeps(&self) -> bool {
        self.backtracking.policy != Policy::Everything
    }

    /// Whether a step sleeps at a node of the current path.
    fn is_asleep(&self, number: usize, process: ProcessId, choice: ChoiceId) -> bool {
        let is_it = |sleeper: &Sleeper| (sleeper.process, sleeper.choice) == (process, choice);
        self.sleeps() && self.backtracking.sleep.at(number).iter().any(is_it)
    }

    /// The steps that are still to be explored from a node of the current path, beside the current
    /// one, if there is one.
    fn pending<M: Machine>(&mut self, search: &mut Search<'_, M>, number: usize) -> Vec<(ProcessId, Variant)> {
        let (mut steps, mut variants): (_, Vec<Variant>) = (Vec::new(), Vec::new());
        let node = &mut self.backtracking.nodes[number];
        let explored = node.variant.take();
        let newest = if number < search.execution.len() {
            let Record { process, choice, .. } = *search.execution.record(EventId::new(number));
            Some((process, choice)).filter(|_| search.cursor.names.choices.has_next(choice))
        } else {
            explored
        };
        if let Some((process, choice)) = newest {
            search.seek(number);
            search.cursor.variants(process, &mut variants);
            let later = variants.iter().skip_while(|variant| variant.choice != choice).skip(1);
            steps.extend(later.map(|&variant| (process, variant)));
        }
        while let Some(process) = self.backtracking.nodes[number].todo.pop() {
            search.seek(number);
            search.cursor.variants(process, &mut variants);
            steps.extend(variants.iter().map(|&variant| (process, variant)));
        }
        steps.retain(|&(process, variant)| !self.is_asleep(number, process, variant.choice));
        steps
    }

    /// Gives away what is pending at the uppermost node of the subtree at which something is.
    #[cold]
    fn give_away<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>) {
        let (mut entries, mut path) = (Entries::new(), Vec::new());
        for number in self.way.frozen()..search.execution.len() {
            let is_pending = self.add_level(search, number, &mut entries, &mut path);
            if search.is_late() {
                return;
            }
            if is_pending {
                entries[path[path.len() - 1]].2 = Kind::Taken;
                return self.way.give(entries, &path);
            }
        }
    }

    /// Gives away all that is pending in the subtree. The newest node is its root from now on, from
    /// which nothing is left to be explored.
    #[cold]
    fn give_all<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>) {
        let (mut entries, mut path) = (Entries::new(), Vec::new());
        let mut is_pending = false;
        for number in self.way.frozen()..=search.execution.len() {
            is_pending = self.add_level(search, number, &mut entries, &mut path);
            if search.is_late() {
                return;
            }
        }
        if let Some(&last) = path.last().filter(|_| !is_pending) {
            entries[last].2 = Kind::Taken;
        }
        self.way.give(entries, &path);
    }

    /// Adds what has been explored, and what is pending, from a node of the current path to what is
    /// given away; and the next node of the path, if there is one, between them. Whether anything
    /// is pending.
    fn add_level<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        number: usize,
        entries: &mut Entries,
        path: &mut Vec<usize>,
    ) -> bool {
        let parent = path.last().map_or(Ok(self.way.path[self.way.frozen()]), |&entry| Err(entry));
        let pending = self.pending(search, number);
        if self.sleeps() {
            let Self { backtracking, way, inherited } = self;
            for step in &backtracking.sleep.at(number)[inherited[number] as usize..] {
                let named = way.named_sleeper(search, step);
                entries.push((parent, named, Kind::Taken));
            }
        }
        if number < search.execution.len() {
            path.push(entries.len());
            entries.push((parent, self.way.named_event(search, EventId::new(number)), Kind::Inner));
        }
        let is_pending = !pending.is_empty();
        for (process, variant) in pending {
            let named = self.way.named(search, (process, variant.choice), used(variant));
            entries.push((parent, named, Kind::Task));
        }
        is_pending
    }

    /// Sees to it that some initial of the reversed race is explored from a node above the subtree.
    fn request<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        if mutation::on(Mutation::RequestsForgotten) {
            return;
        }
        let number = race.first.index();
        while self.learn_children(search, number) {
            let by_source = self.backtracking.policy == Policy::Source;
            if by_source && self.backtracking.covers(&search.execution, race) {
                return;
            }
            if self.insert(search, number, initials::some(&search.execution, race)) {
                return;
            }
        }
    }

    /// Finds out who is a child of a node above the subtree. False where it is late.
    fn learn_children<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, number: usize) -> bool {
        let Self { backtracking, way, .. } = self;
        let mut next = way.copy.first(way.path[number]);
        while let Some(child) = next {
            let Some(own) = way.own(search, (number, &[]), child) else { return false };
            backtracking.nodes[number].known.insert(own.step.process);
            next = way.copy.next(child);
        }
        !search.is_late()
    }

    /// Adds a process to the children of a node above the subtree, unless it is one. False where
    /// the trie has grown in the meantime: then the worker knows it.
    fn insert<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        number: usize,
        process: ProcessId,
    ) -> bool {
        if self.backtracking.nodes[number].known.contains(process) {
            return true;
        }
        let mut variants = Vec::new();
        search.seek(number);
        search.cursor.variants(process, &mut variants);
        if search.is_late() {
            return true;
        }
        let is_awake = |variant: &Variant| !self.is_asleep(number, process, variant.choice);
        let awake: Vec<Variant> = variants.into_iter().filter(is_awake).collect();
        let way = &mut self.way;
        let (parent, count) = (Ok(way.path[number]), awake.len());
        let mut task =
            |variant: Variant| (parent, way.named(search, (process, variant.choice), used(variant)), Kind::Task);
        let entries: Entries = awake.into_iter().map(&mut task).collect();
        if way.frontier.insert(way.worker, way.copy.length(), entries).is_ok() {
            way.note_new(count);
            return true;
        }
        way.copy.refresh(way.frontier);
        false
    }

    /// The step from node `number` of the current path, which is the newest, on the way to the
    /// subtree.
    fn follow<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, number: usize) -> Option<Step> {
        if self.sleeps() {
            let asleep = (&mut self.backtracking.sleep, self.inherited[number]);
            return self.way.follow_beside(search, number, asleep);
        }
        let own = self.way.follow(search, number)?;
        Some((own.step.process, Script::Exactly(own.step.choice)))
    }
}

/// What a step uses that has just been tried at its node, and that it can sleep. Of a step that
/// uses nothing it is not known whether it is local.
fn used(variant: Variant) -> Option<(Footprint, bool)> {
    (variant.footprint != Footprint::EMPTY).then_some((variant.footprint, true))
}

impl<'f, M: Machine + Describe + Companion> Divided<'f, M> for Subtrees<'f> {
    fn begin(frontier: &'f Frontier, worker: usize, task: Node, plan: Plan) -> Self {
        let policy = Policy::of(plan.parts().engine);
        let backtracking = Backtracking::new(policy, false);
        Self { backtracking, way: Way::new(frontier, worker, task), inherited: Vec::new() }
    }

    fn repeated(&self) -> i64 {
        self.way.repeated()
    }

    fn has_task(&self) -> bool {
        self.way.has_task()
    }

    fn deposit(&self, search: &Search<'_, M>) -> Deposit {
        self.way.deposit(search)
    }
}

impl<M: Machine + Describe + Companion> Reverse<M, ByConflict> for Subtrees<'_> {
    fn wanted(&self) -> Wanted {
        Reverse::<M, ByConflict>::wanted(&self.backtracking)
    }

    fn requests_every_variant(&self) -> bool {
        Reverse::<M, ByConflict>::requests_every_variant(&self.backtracking)
    }

    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        if race.first.index() >= self.way.frozen() {
            return self.backtracking.reverse(search, race);
        }
        // Another variant of the first event itself is explored from the same node anyway.
        if race.first != race.second || initials::needs_others(search, race) {
            self.request(search, race);
        }
        None
    }

    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) -> Basis {
        if race.first.index() >= self.way.frozen() {
            self.backtracking.reverse_adjacent(search, race)
        } else {
            Reverse::<M, ByConflict>::reverse(self, search, race)
        }
    }
}

impl<M: Machine + Describe + Companion> Strategy<M, ByConflict> for Subtrees<'_> {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let number = self.backtracking.depth;
        self.inherited.push(self.backtracking.sleep.top().len() as u32);
        if number < self.way.frozen() {
            self.backtracking.push_node();
            // Where it is late, nobody asks what kind of leaf this is.
            return self.follow(search, number).ok_or(Leaf::Blocked);
        }
        self.backtracking.enter(search)
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        let number = self.backtracking.depth - 1;
        if self.way.is_own(number) {
            if self.way.is_to_rest() {
                self.give_all(search);
                self.way.rest(search);
            } else if self.way.is_to_share() {
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
        if self.way.turn(search, number) { self.follow(search, number) } else { None }
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M>) {
        self.backtracking.descend(search);
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        self.inherited.pop();
        self.backtracking.ascend(search, event);
    }

    fn end(&mut self, search: &mut Search<'_, M>) -> Option<Cut> {
        self.way.note_end();
        self.backtracking.end(search)
    }

    fn virtual_events(&mut self, search: &mut Search<'_, M>, cut: Option<Cut>, events: &mut Vec<Event>) {
        self.backtracking.virtual_events(search, cut, events);
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M>) {
        let number = search.execution.len() - 1;
        if number >= self.way.frozen() {
            return self.backtracking.alternatives_to_end(search);
        }
        search.seek(number);
        let live: Vec<ProcessId> = search.cursor.machine.live().iter().collect();
        for process in live {
            while self.learn_children(search, number) && !self.insert(search, number, process) {}
        }
    }
}
