//! Guided exploration: somebody looks at every state, and says where it is worth going on.
//!
//! # Paper
//! Godefroid, *Partial-order methods for the verification of concurrent systems*, LNCS 1032: sleep
//! sets and persistent sets, depth first. The guide is ours: see [`Foresight`].
//!
//! # Guarantee
//! Every state property that is stable is seen: if some execution leads to a state that shows it,
//! then the guide is shown one, provided that it never calls a state hopeless from which such a
//! state can be reached, and that whom it puts first is a persistent set.
//!
//! # Deviations
//! 1. Sleep sets may be combined with a cut at any node, and so may persistent sets of the state.
//!    Reductions by races may not: an execution that is cut does not show all of its races.
//! 2. After [`PATIENCE`] nodes in a row at which only some step, all do: a process that goes round
//!    for ever does not hide the others.
//!
//! # Cost
//! A look at each state, and a comparison with each sleeping step.
//!
//! # Tests
//! Crate `testkit`, `tests/deadlocks.rs`.

use std::cell::RefCell;

use mazurka_machine::{Foresight, Machine, Outlook};
use mazurka_trace::{Outcome, ProcessId};
use rustc_hash::FxHashMap;

use crate::choices::{ChoiceId, Script, Step};
use crate::driver::{Exploration, Strategy};
use crate::execution::{Leaf, Record};
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;
use crate::sleep::Sleep;
use crate::{Algorithm, Monitor, Options};

/// So many nodes in a row may leave somebody out.
const PATIENCE: usize = 1_000;

/// Which executions are left out because others are equivalent to them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Reduction {
    /// None.
    None,
    /// Those that sleep sets exclude.
    Sleep,
    /// And those that the guide puts off.
    #[default]
    Persistent,
}

/// Explores a machine as a guide says, and leaves it in its initial state. A state that is hopeless
/// counts as blocked.
pub fn explore_guided<M: Machine>(
    machine: &mut M,
    guide: &mut dyn Foresight<M>,
    reduction: Reduction,
    options: &Options,
    monitor: &Monitor,
) -> Outcome {
    let options = Options { algorithm: Algorithm::UNREDUCED, ..options.clone() };
    monitor.timed(options.limits.timeout, || {
        let mut search = Search::by_conflict(machine, &options, monitor);
        let guide = RefCell::new(guide);
        let make = || Guided { guide: &guide, reduction, nodes: Vec::new(), sleep: Sleep::default() };
        Exploration::new(make).run(&mut search);
        search.conclude()
    })
}

/// A node of the current path.
struct Node {
    /// Who is still to step.
    todo: Vec<ProcessId>,
    /// The step explored last has another variant after this one.
    variant: Option<(ProcessId, ChoiceId)>,
    /// So many nodes in a row have left somebody out.
    narrow: usize,
}

/// Exploration with a guide.
struct Guided<'r, 'g, M> {
    guide: &'r RefCell<&'g mut dyn Foresight<M>>,
    reduction: Reduction,
    nodes: Vec<Node>,
    sleep: Sleep,
}

impl<M: Machine> Guided<'_, '_, M> {
    /// Who is to step from the machine's state, the last one first: those in `order` in this order,
    /// then the others, unless `order` is `all`.
    fn steppers(&self, search: &mut Search<'_, M>, order: &[ProcessId], all: bool) -> Vec<ProcessId> {
        if let Some(at_local) = search.cursor.machine.at_local() {
            return vec![at_local];
        }
        let places: FxHashMap<ProcessId, usize> =
            order.iter().enumerate().map(|(at, &process)| (process, at)).collect();
        let mut live: Vec<ProcessId> = search.cursor.machine.live().iter().collect();
        live.retain(|process| !all || places.contains_key(process));
        live.retain(|&process| search.cursor.machine.is_enabled(process));
        live.sort_by_key(|process| places.get(process).copied().unwrap_or(order.len()));
        live.reverse();
        live
    }

    /// The next step of the newest node that is awake.
    fn next_awake(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        loop {
            let node = self.nodes.last_mut()?;
            let (process, script) = match node.variant.take() {
                Some((process, choice)) => (process, Script::After(choice)),
                None => (node.todo.pop()?, Script::First),
            };
            if self.reduction == Reduction::None {
                return Some((process, script));
            }
            if let Some(script) = self.sleep.first_awake(search, process, script) {
                return Some((process, script));
            }
        }
    }
}

impl<M: Machine> Reverse<M> for Guided<'_, '_, M> {
    fn wanted(&self) -> Wanted {
        Wanted::Nothing
    }

    fn requests_every_variant(&self) -> bool {
        false
    }

    fn reverse(&mut self, _search: &mut Search<'_, M>, _race: &Reversal<'_>) -> Basis {
        unreachable!("no race is reversed");
    }
}

impl<M: Machine> Strategy<M> for Guided<'_, '_, M> {
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let before = self.nodes.last().map_or(0, |node| node.narrow);
        self.nodes.push(Node { todo: Vec::new(), variant: None, narrow: 0 });
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        let outlook = self.guide.borrow_mut().look(search.cursor.machine);
        let (order, all): (&[ProcessId], bool) = match &outlook {
            Outlook::Hopeless => return Err(Leaf::Blocked),
            Outlook::Settled => {
                search.cursor.pace.stopped = true;
                return Err(Leaf::Blocked);
            }
            Outlook::First(first) => (first, before < PATIENCE && self.reduction == Reduction::Persistent),
            Outlook::Ordered(order) => (order, false),
            Outlook::Open => (&[], false),
        };
        let todo = self.steppers(search, order, all);
        if todo.is_empty() {
            return Err(Leaf::Complete);
        }
        if search.is_too_long() {
            return Err(Leaf::TooLong);
        }
        if let Some(node) = self.nodes.last_mut() {
            node.todo = todo;
            node.narrow = if all { before + 1 } else { 0 };
        }
        self.next_awake(search).ok_or(Leaf::Blocked)
    }

    fn descend(&mut self, search: &mut Search<'_, M>) {
        if self.reduction == Reduction::None {
            return;
        }
        let event = search.execution.last().expect("a step was taken");
        self.sleep.descend(event, &search.cursor.names.footprints);
    }

    fn ascend(&mut self, search: &mut Search<'_, M>, event: &Record) {
        self.nodes.pop();
        if self.reduction != Reduction::None {
            self.sleep.ascend(event);
        }
        if let Some(node) = self.nodes.last_mut().filter(|_| search.cursor.names.choices.has_next(event.choice)) {
            node.variant = Some((event.process, event.choice));
        }
    }

    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        self.next_awake(search)
    }

    fn alternatives_to_end(&mut self, _search: &mut Search<'_, M>) {
        unreachable!("whoever could step is explored");
    }
}
