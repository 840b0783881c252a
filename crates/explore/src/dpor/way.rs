//! A worker's way through the trie that all share: from the current path to the next cone.

use mazurka_machine::{Companion, Describe, Machine};
use mazurka_relation::Footprint;
use mazurka_trace::{EventId, ProcessId};

use crate::checkpoint::{Counts, Deposit};
use crate::choices::{ChoiceId, Script, Step};
use crate::execution::Record;
use crate::frontier::{Copy, Entries, Frontier, Kind, Named, Next, Node, Own};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::search::Search;
use crate::sleep::{Sleep, Sleeper};
use crate::told::Told;

/// A cone is not divided before so many executions of it have been explored: a task has to be worth
/// the replay of its prefix.
const WORTH: u64 = 50;

/// A worker's way. The current path begins with nodes of the trie, of which the last is the root of
/// the cone; what comes after them is the worker's own.
pub(super) struct Way<'f> {
    pub(super) frontier: &'f Frontier,
    pub(super) worker: usize,
    pub(super) copy: Copy,
    /// The nodes of the trie that the current path begins with.
    pub(super) path: Vec<Node>,
    /// The cone is being explored.
    is_busy: bool,
    /// What comes next: the path of a task that has been taken.
    next: Option<Vec<Node>>,
    /// There is no task left.
    is_over: bool,
    /// Executions of the current cone.
    explored: u64,
    /// Steps that were taken to come to a cone, less those that nobody had taken before.
    repeated: i64,
}

impl<'f> Way<'f> {
    /// That to the first task.
    pub(super) fn new(frontier: &'f Frontier, worker: usize, task: Node) -> Self {
        let mut copy = Copy::new();
        copy.refresh(frontier);
        let (path, next) = (copy.path_to(task), None);
        Self { frontier, worker, copy, path, is_busy: true, next, is_over: false, explored: 0, repeated: 0 }
    }

    /// How many steps were taken that had been taken before.
    pub(super) fn repeated(&self) -> i64 {
        self.repeated
    }

    /// Whether a task has not come to its end.
    pub(super) fn has_task(&self) -> bool {
        self.is_busy || self.next.is_some()
    }

    /// The number of the cone's root on the current path.
    #[inline(always)]
    pub(super) fn frozen(&self) -> usize {
        self.path.len() - 1
    }

    /// Whether a node of the current path belongs to the cone, which is being explored.
    #[inline(always)]
    pub(super) fn is_own(&self, number: usize) -> bool {
        self.is_busy && number >= self.frozen()
    }

    /// An execution has come to its end.
    #[inline]
    pub(super) fn note_end(&mut self) {
        self.explored += 1;
    }

    /// Whether it is time to give something away.
    #[inline(always)]
    pub(super) fn is_to_share(&self) -> bool {
        self.frontier.is_hungry() && (self.explored >= WORTH || self.frontier.is_restless())
    }

    /// A chain of so many nodes, which nobody has explored yet, was appended.
    pub(super) fn note_new(&mut self, nodes: usize) {
        self.repeated -= nodes as i64;
    }

    /// What the step to a node of the trie is on this machine. From node `number` of the current
    /// path, the nodes `below` lead to its parent. None where it is late.
    pub(super) fn own<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        (number, below): (usize, &[Node]),
        child: Node,
    ) -> Option<Own> {
        if let Some(own) = self.copy.own(child) {
            return Some(own);
        }
        if let Some(known) = &self.copy.step(child).known {
            let names = &mut search.cursor.names;
            let (choice, footprint) = (names.choices.number(&known.choices), names.footprints.of_uses(&known.uses));
            let own = Own { step: Sleeper::new(known.process, choice, footprint), sleeps: known.sleeps };
            self.copy.set_own(child, own);
            return Some(own);
        }
        search.seek(number);
        for &node in below {
            let Own { step, .. } = self.copy.own(node)?;
            search.cursor.try_step(step.process, Script::Exactly(step.choice));
        }
        if search.is_late() {
            return None;
        }
        let process = self.process(search, child);
        search.cursor.try_values(process, &self.copy.step(child).values);
        if search.is_late() {
            return None;
        }
        let is_local = search.cursor.event.is_local;
        let Variant { choice, footprint, .. } = search.cursor.variant();
        search.cursor.machine.rewind(number);
        let sleeps = !is_local || choice != ChoiceId::NONE;
        let own = Own { step: Sleeper::new(process, choice, footprint), sleeps };
        self.copy.set_own(child, own);
        Some(own)
    }

    /// The process that steps, in the state before the step.
    fn process<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>, child: Node) -> ProcessId {
        let name = std::sync::Arc::clone(&self.copy.step(child).process);
        let machine = &mut *search.cursor.machine;
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let found = live.into_iter().find(|&process| *self.copy.name(machine, process) == name);
        let found = found.filter(|&process| machine.is_enabled(process));
        found.unwrap_or_else(|| panic!("`{name}` cannot step where it did on another worker's machine"))
    }

    /// The step from node `number` of the current path, which is the newest, on the way to the
    /// cone.
    pub(super) fn follow<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        number: usize,
    ) -> Option<Own> {
        let own = self.own(search, (number, &[]), self.path[number + 1])?;
        search.seek(number);
        self.repeated += 1;
        Some(own)
    }

    /// The same where steps sleep: so do the elders of that step, besides the first `inherited` of
    /// those that slept at the node when it was entered.
    pub(super) fn follow_beside<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        number: usize,
        (sleep, inherited): (&mut Sleep, u32),
    ) -> Option<Step> {
        let child = self.path[number + 1];
        sleep.keep(inherited as usize);
        let mut elder = self.copy.first(self.path[number]);
        while let Some(node) = elder.filter(|&node| node != child || mutation::on(Mutation::EldersByTime)) {
            let own = self.own(search, (number, &[]), node)?;
            if own.sleeps && node != child {
                sleep.put(own.step);
            }
            elder = self.copy.next(node);
        }
        let Own { step, .. } = self.follow(search, number)?;
        Some((step.process, Script::Exactly(step.choice)))
    }

    /// The cone has been explored, and node `number`, above it, is the newest. Whether the way to
    /// the next cone leads on from there.
    #[cold]
    pub(super) fn turn<M: Machine + Describe + Companion>(
        &mut self,
        search: &mut Search<'_, M>,
        number: usize,
    ) -> bool {
        if std::mem::take(&mut self.is_busy) {
            self.frontier.finish();
        }
        while self.next.is_none() && !self.is_over {
            match self.frontier.take(self.worker, || search.is_late()) {
                Next::Task(task) => {
                    self.copy.refresh(self.frontier);
                    self.next = Some(self.copy.path_to(task));
                }
                Next::Rest => self.rest(search),
                Next::End => self.is_over = true,
            }
        }
        let Some(next) = self.next.take_if(|next| next.get(number) == Some(&self.path[number])) else { return false };
        self.path = next;
        self.is_busy = true;
        self.explored = 0;
        true
    }

    /// Gives away part of the cone. The entries `path` are the next
    /// nodes of the current path, the last of which is the cone's root from now on.
    pub(super) fn give(&mut self, entries: Entries, path: &[usize]) {
        self.repeated -= entries.iter().filter(|entry| entry.2 == Kind::Task).count() as i64;
        let first = self.frontier.publish(self.worker, entries);
        self.copy.refresh(self.frontier);
        self.path.extend(path.iter().map(|&entry| Node::appended(first + entry)));
        self.explored = 0;
    }

    /// Whether all workers are to rest, and this one has to give away all that it has.
    #[inline(always)]
    pub(super) fn is_to_rest(&self) -> bool {
        self.frontier.is_pausing()
    }

    /// Rests until all workers do. The worker has given away all that it had.
    #[cold]
    pub(super) fn rest<M: Machine + Describe + Companion>(&mut self, search: &mut Search<'_, M>) {
        let deposit = self.deposit(search);
        search.cursor.pace.rest(deposit);
    }

    /// What the worker has come to.
    pub(super) fn deposit<M: Machine + Describe + Companion>(&self, search: &Search<'_, M>) -> Deposit {
        let machine = &*search.cursor.machine;
        let mut outcome = search.session.outcome.clone();
        search.cursor.pace.conclude(&mut outcome);
        outcome.nodes = outcome.nodes.saturating_add_signed(-self.repeated);
        let violations = search.session.findings.violations().iter();
        Deposit {
            counts: Counts::of(machine, &outcome),
            violations: violations.map(|violation| Told::of(machine, violation)).collect(),
            notes: machine.remember(),
        }
    }

    /// A step by names; also what it uses at its node, and whether it can sleep, if that is sure.
    pub(super) fn named<M: Machine + Describe + Companion>(
        &mut self,
        search: &Search<'_, M>,
        (process, choice): (ProcessId, ChoiceId),
        uses: Option<(Footprint, bool)>,
    ) -> Named {
        // What ends an execution uses everything, which is no list.
        let uses = uses.filter(|&(footprint, _)| M::NUMBERS_AGREE && footprint != Footprint::HALT);
        self.copy.named(&*search.cursor.machine, process, choice, (&search.cursor.names, uses))
    }

    /// An event of the current execution, as a step by names.
    pub(super) fn named_event<M: Machine + Describe + Companion>(
        &mut self,
        search: &Search<'_, M>,
        event: EventId,
    ) -> Named {
        let &Record { process, choice, footprint, is_local, .. } = search.execution.record(event);
        self.named(search, (process, choice), Some((footprint, !is_local || choice != ChoiceId::NONE)))
    }

    /// A step that sleeps, or could, by names.
    pub(super) fn named_sleeper<M: Machine + Describe + Companion>(
        &mut self,
        search: &Search<'_, M>,
        step: &Sleeper,
    ) -> Named {
        self.named(search, (step.process, step.choice), Some((step.footprint, true)))
    }

    /// Whether steps that have not been run use at their nodes what they used elsewhere. They could
    /// fail; that is looked for where the exploration goes on after a failure. Otherwise a failure
    /// ends everything, unless an assumption has failed before it.
    pub(super) fn are_exact<M: Machine>(search: &Search<'_, M>) -> bool {
        search.options.all || !search.execution.is_discarded()
    }
}
