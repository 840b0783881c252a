//! `none`, `dpor`, `source`, `cs`: exploration by backtrack sets.
//!
//! # Paper
//! Flanagan and Godefroid, *Dynamic partial-order reduction for model checking software*, POPL 2005
//! (`dpor`); Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL
//! 2014, Algorithm 1 (`source`). `none` is every interleaving, and the measure of the others. `cs`
//! is `source` with the check and the don't-do sets of [`crate::dpor::context`] and
//! [`crate::dpor::dont`] (Albert and others, *Context-sensitive dynamic partial order reduction*,
//! CAV 2017).
//!
//! # Guarantee
//! `dpor` and `source` complete exactly one execution of each Mazurkiewicz trace; they can start
//! explorations that turn out to be redundant and are cut (*blocked*). `none` completes every
//! interleaving. `cs` completes at most one execution of each trace, and finds all states in which
//! an execution can end, and all failures.
//!
//! # Names
//! *backtrack(E)* is `Node::known`, the part not yet explored `Node::todo`; *sleep(E)* is
//! [`Sleep`]; *pre(E, e)* is node number `e`; *I(v)*, the initials of the reversed race, is
//! [`initials`].
//!
//! # Deviations
//! 1. Races are looked for at the end of an execution instead of at each step; nothing earlier
//!    depends on them.
//! 2. Of the processes that `dpor` may add for a race, an initial of the reversed race is taken.
//!    With another one, which the original allows, the sleep sets can cut an exploration before it
//!    has found the race that would add an initial.
//! 3. A process in the sleep set of pre(E, e) that is an initial of the reversed race spares it, in
//!    `source`: the original may choose to add that very process, and would then never run it.
//! 4. A step with data choices is explored with all of them; the sleep sets tell them apart. An
//!    event also races with the other variants of its step, where these depend on something that it
//!    does not. Somebody of whom nothing sleeps is picked first; where there is nobody, everybody
//!    who is enabled is explored.
//! 5. Waiting steps and disabled steps: see [`crate::races`].
//! 6. After an event that ended the execution, everybody else who could have run in its place is
//!    explored too.
//! 7. `cs`: a forbidden process in the backtrack set is run for its races and no further, and
//!    spares the reversal of a race only if the second event needs it. Where only the machine knows
//!    what it needs, the first step of that is explored; where the comparison of the two orders
//!    does not tell, everybody at that node.
//! 8. `cs`: nothing is explored beside a redundant step that is inevitable, see
//!    [`crate::dpor::inevitable`].
//!
//! # Cost
//! A race costs a look at the clock of its second event; nothing is allocated for a node in the
//! steady state.
//!
//! # Tests
//! Random programs, corpus, mutations: crate `testkit`.

mod initials;
pub(crate) mod subtrees;

use mazurka_machine::Machine;
use mazurka_trace::ProcessId;

use crate::choices::{ChoiceId, Script, Step};
use crate::dpor::context::Contextual;
use crate::dpor::cuts::explain_cut;
use crate::dpor::processes::Processes;
use crate::driver::Strategy;
use crate::execution::{Cut, Execution, Leaf, Record};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::order::Order;
use crate::plan::Engine;
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::{Reason, Sleep, Sleeper};

/// How a backtrack set begins and grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    /// Everybody who is enabled, at once.
    Everything,
    /// Somebody first; then an initial of each reversed race.
    Persistent,
    /// Somebody first; an initial of the reversed race, unless there is one already.
    Source,
}

impl Policy {
    /// That of an engine.
    pub(crate) fn of(engine: Engine) -> Self {
        match engine {
            Engine::Everything => Policy::Everything,
            Engine::Persistent => Policy::Persistent,
            Engine::Sources | Engine::WakeupTrees | Engine::Unfolding(_) | Engine::Random(_) => Policy::Source,
        }
    }
}

/// A node of the current path.
#[derive(Default)]
struct Node {
    /// The backtrack set.
    known: Processes,
    /// The part of it that is still to be explored.
    todo: Processes,
    /// The step explored last has another variant after this one.
    variant: Option<(ProcessId, ChoiceId)>,
    /// Steps that the don't-do set forbids, to be run for their races and no further.
    redundant: Vec<(ProcessId, ChoiceId)>,
}

/// Exploration by backtrack sets.
pub(crate) struct Backtracking {
    policy: Policy,
    /// The nodes of the current path are the first `depth`; the others keep their memory.
    nodes: Vec<Node>,
    depth: usize,
    sleep: Sleep,
    contextual: Option<Contextual>,
}

impl Backtracking {
    /// `compares` says whether what commutes where it happens is left out.
    pub(crate) fn new(policy: Policy, compares: bool) -> Self {
        let contextual = compares.then(Contextual::new);
        Self { policy, nodes: Vec::new(), depth: 0, sleep: Sleep::default(), contextual }
    }

    #[inline(always)]
    fn push_node(&mut self) {
        if self.depth == self.nodes.len() {
            self.nodes.push(Node::default());
        }
        self.depth += 1;
        let node = &mut self.nodes[self.depth - 1];
        node.known.clear();
        node.todo.clear();
        node.variant = None;
        node.redundant.clear();
    }

    /// Fills a node's backtrack set with everybody who is enabled.
    fn everybody<M: Machine, O: Order<M>>(node: &mut Node, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        let mut from = 0;
        while let Some(process) = search.cursor.machine.live().next_from(from) {
            from = process.index() + 1;
            if search.cursor.machine.is_enabled(process) {
                node.todo.insert(process);
            }
        }
        node.todo.pop().map(|process| (process, Script::First)).ok_or(Leaf::Complete)
    }

    /// Nobody is awake: those who sleep only because of the don't-do set are run once more, for
    /// their races.
    #[cold]
    fn forbidden<M: Machine, O: Order<M>>(
        node: &mut Node,
        contextual: &Contextual,
        search: &mut Search<'_, M, O>,
    ) -> Option<Step> {
        for step in contextual.dont.forbidden() {
            if search.cursor.machine.live().contains(step.process) && search.cursor.machine.is_enabled(step.process) {
                node.redundant.push((step.process, step.choice));
            }
        }
        node.redundant.pop().map(|(process, choice)| (process, Script::Exactly(choice)))
    }

    fn add(node: &mut Node, process: ProcessId) {
        if node.known.insert(process) {
            node.todo.insert(process);
        }
    }

    /// Adds everybody who is enabled in the machine's state to the backtrack set.
    #[cold]
    fn add_enabled<M: Machine, O: Order<M>>(node: &mut Node, search: &mut Search<'_, M, O>) {
        let mut from = 0;
        while let Some(process) = search.cursor.machine.live().next_from(from) {
            from = process.index() + 1;
            if search.cursor.machine.is_enabled(process) {
                Self::add(node, process);
            }
        }
    }
}

impl<M: Machine, O: Order<M>> Strategy<M, O> for Backtracking {
    #[inline(always)]
    fn enter(&mut self, search: &mut Search<'_, M, O>) -> Result<Step, Leaf> {
        let policy = self.policy;
        self.push_node();
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        if policy == Policy::Everything && search.cursor.machine.detects_data_races() {
            search.check_pending();
        }
        if self.contextual.as_ref().is_some_and(|contextual| contextual.is_redundant(search)) {
            return Err(Leaf::Blocked);
        }
        if let Some(inevitable) = self.contextual.as_mut().and_then(|contextual| contextual.inevitable(search)) {
            return Ok(inevitable);
        }
        let step = match search.cursor.machine.at_local() {
            Some(at_local) => (at_local, Script::First),
            None if policy == Policy::Everything => Self::everybody(&mut self.nodes[self.depth - 1], search)?,
            None => match &self.contextual {
                None => self.sleep.pick_awake(search)?,
                Some(contextual) => match contextual.pick(search, &self.sleep) {
                    Ok(step) => step,
                    Err(leaf) => Self::forbidden(&mut self.nodes[self.depth - 1], contextual, search).ok_or(leaf)?,
                },
            },
        };
        if search.is_too_long() {
            return Err(Leaf::TooLong);
        }
        if policy == Policy::Everything {
            return Ok(step);
        }
        let node = &mut self.nodes[self.depth - 1];
        node.known.insert(step.0);
        if self.sleep.is_drowsy(step.0) {
            Self::add_enabled(node, search);
        }
        Ok(step)
    }

    #[inline(always)]
    fn next(&mut self, search: &mut Search<'_, M, O>) -> Option<Step> {
        loop {
            let node = &mut self.nodes[self.depth - 1];
            if let Some((process, choice)) = node.redundant.pop() {
                return Some((process, Script::Exactly(choice)));
            }
            let (process, script) = match node.variant.take() {
                Some((process, choice)) => (process, Script::After(choice)),
                None => (node.todo.pop()?, Script::First),
            };
            if self.policy == Policy::Everything {
                return Some((process, script));
            }
            if let Some(script) = self.sleep.first_awake(search, process, script) {
                return Some((process, script));
            }
            let forbidden = |step: &&Sleeper| step.process == process && step.reason == Reason::Forbidden;
            let node = &mut self.nodes[self.depth - 1];
            node.redundant.extend(self.sleep.top().iter().filter(forbidden).map(|step| (process, step.choice)));
        }
    }

    #[inline(always)]
    fn descend(&mut self, search: &mut Search<'_, M, O>) {
        if self.policy != Policy::Everything {
            match &mut self.contextual {
                Some(contextual) => contextual.wake(search, &mut self.sleep),
                None => {
                    let Search { order, cursor, execution, .. } = search;
                    order.wake(cursor, execution, &mut self.sleep, &mut std::iter::empty());
                }
            }
        }
    }

    #[inline(always)]
    fn ascend(&mut self, search: &mut Search<'_, M, O>, event: &Record) {
        self.depth -= 1;
        if self.policy != Policy::Everything {
            if let Some(contextual) = &mut self.contextual {
                contextual.dont.ascend();
            }
            let redundant = |contextual: &Contextual| contextual.dont.forbids(search.execution.len(), event);
            if self.contextual.as_ref().is_some_and(redundant) {
                self.sleep.ascend_redundant(event);
            } else {
                self.sleep.ascend(event);
            }
        }
        if search.cursor.names.choices.has_next(event.choice) && !mutation::on(Mutation::FirstChoiceOnly) {
            self.nodes[self.depth - 1].variant = Some((event.process, event.choice));
        }
    }

    fn end(&mut self, search: &mut Search<'_, M, O>) -> Option<Cut> {
        let cut = self.contextual.as_ref().and_then(|contextual| contextual.reason(search));
        explain_cut(search, &self.sleep, self.contextual.as_ref());
        cut
    }

    fn alternatives_to_end(&mut self, search: &mut Search<'_, M, O>) {
        let number = search.execution.len() - 1;
        search.seek(number);
        Self::add_enabled(&mut self.nodes[number], search);
    }
}

impl<M: Machine, O: Order<M>> Reverse<M, O> for Backtracking {
    #[inline]
    fn wanted(&self) -> Wanted {
        if self.policy == Policy::Everything { Wanted::Nothing } else { Wanted::New }
    }

    fn requests_every_variant(&self) -> bool {
        false
    }

    fn reverse(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        if race.first == race.second && !initials::needs_others(search, race) {
            // Another variant of the first event itself, which is explored from the same node
            // anyway.
            return None;
        }
        if self.contextual.is_some() && race.is_unsure(&search.execution) {
            self.reverse_unsure(search, race);
            return None;
        }
        if let Some(contextual) = &mut self.contextual {
            contextual.compare(search, race);
        }
        if self.policy == Policy::Persistent || !self.covers(&search.execution, race) {
            Backtracking::add(&mut self.nodes[race.first.index()], initials::some(&search.execution, race));
        }
        None
    }

    #[inline(always)]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) -> Basis {
        if let Some(contextual) = &mut self.contextual {
            contextual.compare(search, race);
        }
        let second = search.execution.record(race.second);
        let node = &mut self.nodes[race.first.index()];
        if node.known.contains(second.process) || (self.policy == Policy::Source && is_covered_by_mistake(node)) {
            return None;
        }
        let asleep = |sleeper: &Sleeper| {
            sleeper.process == second.process && sleeper.choice == second.choice && sleeper.reason == Reason::Explored
        };
        if self.policy == Policy::Persistent || !self.sleep.at(race.first.index()).iter().any(asleep) {
            Backtracking::add(node, second.process);
        }
        None
    }
}

impl Backtracking {
    /// Reverses a race of which only the machine knows what its second event needs. A forbidden
    /// step could be an initial of the reversed race without being needed. So the first one that is
    /// needed is added for each variant; where that is not known, everybody is.
    #[cold]
    fn reverse_unsure<M: Machine, O: Order<M>>(&mut self, search: &mut Search<'_, M, O>, race: &Reversal<'_>) {
        let number = race.first.index();
        let Some(contextual) = &mut self.contextual else { return };
        let as_it_was = [Variant::of(search.execution.record(race.second))];
        let variants = if race.variants.is_empty() { &as_it_was[..] } else { race.variants };
        for &variant in variants {
            contextual.compare_variant(search, race, variant);
            match contextual.first_needed() {
                Some(process) => Backtracking::add(&mut self.nodes[number], process),
                None => {
                    search.seek(number);
                    Backtracking::add_enabled(&mut self.nodes[number], search);
                }
            }
        }
    }

    /// Whether an initial of the reversed race is explored from the first event's node, or sleeps
    /// there.
    fn covers(&self, execution: &Execution, race: &Reversal<'_>) -> bool {
        let node = &self.nodes[race.first.index()];
        let sleepers = self.sleep.at(race.first.index());
        let initial = |process| {
            let choice = initials::contains(execution, race, process)?;
            // Who is forbidden there is run redundantly, which is as good as exploring it only if
            // the second event needs it.
            let is_it = |sleeper: &Sleeper| sleeper.process == process && sleeper.reason != Reason::Explored;
            let forbidden = self.contextual.is_some() && sleepers.iter().any(is_it);
            let needed = || {
                let event = execution.first_from(process, race.first.index() + 1);
                event.is_some_and(|event| execution.happens_before(event, race.second))
            };
            (!forbidden || needed()).then_some(choice)
        };
        // Mostly it is the second event's own process.
        let process = execution.record(race.second).process;
        (node.known.contains(process) && initial(process).is_some())
            || node.known.iter().any(|other| other != process && initial(other).is_some())
            || sleepers
                .iter()
                .any(|sleeper| sleeper.reason == Reason::Explored && initial(sleeper.process) == Some(sleeper.choice))
            || is_covered_by_mistake(node)
    }
}

/// For the breakage of that name only.
fn is_covered_by_mistake(node: &Node) -> bool {
    mutation::on(Mutation::AnyBacktrackWillDo) && node.known.iter().count() > 1
}
