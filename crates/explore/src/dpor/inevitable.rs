//! Redundant steps that nothing new can come before.
//!
//! # Meaning
//! A don't-do set forbids a step f at the newest node n: taking it next leads to a state that was
//! reached before. Only executions can be new in which something that depends on f comes before it.
//! So everybody else is explored until only f is left, in all orders of what has nothing to do with
//! it. But if nobody else can ever do something that depends on f before f is taken, {f} is a
//! persistent set of n: every execution from n contains f, and is equivalent to one that begins
//! with it. Then f is *inevitable*. It is run for its races, and nothing else is explored from n.
//! Whether that is so the machine tells, [`Constraints::others_may_interfere`]; if it does not
//! know, it says that somebody may.
//!
//! # The races that are not seen
//! A persistent set alone is not enough. What is left out would show races of what comes later with
//! what is on the path, and their reversals can lead elsewhere. They have to be found in what was
//! explored instead: Q, in which f runs where the don't-do sequence was added, at node o. In Q the
//! same events depend on each other; only, f comes before the events x since o that depend on it,
//! and here it comes after them. So an event d that happens after such an x also happens, in Q,
//! after all that f needs. Let k be an event that f needs and x does not. If d depends on k, the
//! two race here, and perhaps not in Q:
//!
//! - k sets a variable and creates f; f and x add to a counter; x creates d, which sets the
//!   variable.
//! - Explored is k f x d, where k happens before d. Then k x, where f is forbidden. Here k and d
//!   race, and x d k is another execution (`corpus/violation/abs/overtaken-race.abs`).
//!
//! So nobody may do anything that depends on such a k, either, before f is taken. All of them stand
//! before o, since f could run there. Other races lose nothing: what is between their events in Q
//! is also between them here. What comes after f is left out here as it is after any redundant
//! step, with the same events partially explored (see the modules of [`super::optimal`]). Failures
//! of what is left out happen in Q, too.
//!
//! # Order
//! What f needs is told by conflicts, the strictest order. What x needs is told by the order of the
//! execution; where that is known at its end only, by what is ordered whoever observes it. Where
//! there are constraints besides, nothing is inevitable.
//!
//! # Cost
//! For each forbidden step of a node, a question to the machine; if that answers well, a look at
//! the path and another question.
//!
//! [`Constraints::others_may_interfere`]: mazurka_machine::Constraints::others_may_interfere

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, EventId, LocationId};

use crate::choices::{ChoiceId, Script, Step};
use crate::execution::{Causes, Writes};
use crate::mutation::{self, Mutation};
use crate::order::Order;
use crate::search::Search;
use crate::sleep::Sleeper;

/// Looks for inevitable steps. Keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Inevitable {
    /// What the step needs.
    needed: Causes,
    /// What an event needs that came before it, where only the end of an execution tells.
    known: Causes,
    /// What the step uses, and events that it needs.
    accesses: Vec<(LocationId, AccessKind)>,
}

impl Inevitable {
    /// The step, if nothing else has to be explored from the newest node, where the machine is.
    /// Since node `origin` a don't-do sequence forbids it.
    pub(crate) fn find<M: Machine, O: Order<M>>(
        &mut self,
        search: &mut Search<'_, M, O>,
        step: &Sleeper,
        origin: usize,
    ) -> Option<Step> {
        let unknown = !search.order.is_known_at_once() && !search.order.is_total();
        if unknown || step.choice != ChoiceId::NONE || step.footprint == Footprint::HALT {
            return None;
        }
        if !search.cursor.can_step(step.process) {
            return None;
        }
        self.accesses.clear();
        self.accesses.extend(search.cursor.names.footprints.list(step.footprint));
        if search.cursor.machine.others_may_interfere(step.process, &self.accesses) {
            return None;
        }
        self.add_overtaken(search, step, origin);
        (!search.cursor.machine.others_may_interfere(step.process, &self.accesses))
            .then_some((step.process, Script::Exactly(step.choice)))
    }

    /// Adds what those events use that the step needs, and not all of the events since `origin`
    /// that depend on it.
    fn add_overtaken<M: Machine, O: Order<M>>(&mut self, search: &Search<'_, M, O>, step: &Sleeper, origin: usize) {
        let Inevitable { needed, known, accesses } = self;
        let (execution, footprints) = (&search.execution, &search.cursor.names.footprints);
        let depends = |&event: &usize| {
            let record = execution.record(EventId::new(event));
            record.process != step.process && footprints.dependent(record.footprint, step.footprint)
        };
        let own = execution.newest_of(step.process).map(EventId::index);
        let mut before: Vec<usize> = (0..origin).filter(|event| own == Some(*event) || depends(event)).collect();
        before.reverse();
        if before.is_empty() || mutation::on(Mutation::OvertakenRacesLost) {
            return;
        }
        needed.find(execution, &before, Writes::Ordered);
        let mut overtaken = vec![false; before[0] + 1];
        for event in (origin..execution.len()).filter(depends) {
            let at_once = search.order.is_known_at_once();
            if !at_once {
                known.find(execution, &[event], Writes::Unordered);
            }
            for (earlier, overtaken) in overtaken.iter_mut().enumerate() {
                let knows = if at_once {
                    execution.happens_before(EventId::new(earlier), EventId::new(event))
                } else {
                    known.events()[earlier]
                };
                *overtaken |= !knows;
            }
        }
        let both = needed.events().iter().zip(&overtaken).enumerate();
        for (event, _) in both.filter(|(_, (needed, overtaken))| **needed && **overtaken) {
            accesses.extend(footprints.list(execution.record(EventId::new(event)).footprint));
        }
    }
}
