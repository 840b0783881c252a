//! `random:N`: so many random executions.
//!
//! # Paper
//! Yuan, Yang, Gu, *Partial order aware concurrency sampling*, CAV 2018, in its simplest form: each
//! process has a random priority, the enabled one with the highest steps, and gets a new priority
//! then.
//!
//! # Guarantee
//! None: the verdict is `violation` or `incomplete`. What is found is a failure as in every other
//! engine. The same seed runs the same executions.
//!
//! # Deviations
//! 1. Which steps choose is not known beforehand. The first step from each place takes the lowest
//!    values of its data choices, later ones random values.
//!
//! # Cost
//! A step for each event, and two more for one that chooses from two values. At each node,
//! everybody is asked whether they are enabled.
//!
//! # Tests
//! Crate `testkit`, `tests/sampling.rs`.

use mazurka_machine::Machine;
use mazurka_trace::{ProcessId, SiteId};

use crate::choices::{ChoiceId, Script, Step};
use crate::driver::Strategy;
use crate::execution::{Cut, Leaf, Record};
use crate::hunt::random::Random;
use crate::names::Variant;
use crate::races::{Basis, Reversal, Reverse, Wanted};
use crate::search::Search;

/// Random executions, one after the other.
pub(crate) struct Sampling {
    /// So many are to begin.
    left: u64,
    random: Random,
    /// The priorities of the processes; 0 for those that have none yet.
    priorities: Vec<u64>,
    /// The places from which steps choose, by number.
    choosing: Vec<bool>,
    variants: Vec<Variant>,
}

impl Sampling {
    /// So many executions, from a seed.
    pub(crate) fn new(executions: u32, seed: u64) -> Self {
        let (priorities, choosing, variants) = Default::default();
        Self { left: u64::from(executions), random: Random::new(seed), priorities, choosing, variants }
    }

    /// A random step from the current state.
    fn draw<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        let process = search.cursor.machine.at_local().or_else(|| self.pick(search)).ok_or(Leaf::Complete)?;
        let site = search.cursor.machine.pending(process);
        if !self.choosing.get(site.index()).is_some_and(|&chooses| chooses) {
            return Ok((process, Script::First));
        }
        search.cursor.variants(process, &mut self.variants);
        let number = self.random.below(self.variants.len().max(1) as u64) as usize;
        let script = self.variants.get(number).map_or(Script::First, |variant| Script::Exactly(variant.choice));
        Ok((process, script))
    }

    /// Who is enabled and has the highest priority.
    fn pick<M: Machine>(&mut self, search: &mut Search<'_, M>) -> Option<ProcessId> {
        let (mut best, mut highest, mut from) = (None, 0, 0);
        while let Some(process) = search.cursor.machine.live().next_from(from) {
            from = process.index() + 1;
            let priority = self.priority(process);
            if priority > highest && search.cursor.machine.is_enabled(process) {
                (best, highest) = (Some(process), priority);
            }
        }
        best
    }

    fn priority(&mut self, process: ProcessId) -> u64 {
        if process.index() >= self.priorities.len() {
            self.priorities.resize(process.index() + 1, 0);
        }
        let priority = &mut self.priorities[process.index()];
        if *priority == 0 {
            *priority = self.random.next().max(1);
        }
        *priority
    }

    /// Remembers that steps from here choose.
    fn note_choice(&mut self, site: SiteId) {
        if site.index() >= self.choosing.len() {
            self.choosing.resize(site.index() + 1, false);
        }
        self.choosing[site.index()] = true;
    }
}

impl<M: Machine> Reverse<M> for Sampling {
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

impl<M: Machine> Strategy<M> for Sampling {
    fn enter(&mut self, search: &mut Search<'_, M>) -> Result<Step, Leaf> {
        if search.execution.has_halted() {
            return Err(Leaf::Complete);
        }
        if search.cursor.machine.detects_data_races() {
            search.check_pending();
        }
        let step = self.draw(search)?;
        if search.is_too_long() { Err(Leaf::TooLong) } else { Ok(step) }
    }

    fn descend(&mut self, search: &mut Search<'_, M>) {
        let Some(&Record { process, site, choice, .. }) = search.execution.last() else { return };
        if choice != ChoiceId::NONE {
            self.note_choice(site);
        }
        if let Some(priority) = self.priorities.get_mut(process.index()) {
            *priority = 0;
        }
    }

    fn ascend(&mut self, _search: &mut Search<'_, M>, _event: &Record) {}

    /// Nothing is left at a node, but at the root there is the next execution.
    fn next(&mut self, search: &mut Search<'_, M>) -> Option<Step> {
        if search.execution.len() > 0 || self.left == 0 {
            return None;
        }
        search.seek(0);
        self.priorities.clear();
        self.draw(search).ok()
    }

    fn end(&mut self, _search: &mut Search<'_, M>) -> Option<Cut> {
        self.left = self.left.saturating_sub(1);
        None
    }

    fn alternatives_to_end(&mut self, _search: &mut Search<'_, M>) {
        unreachable!("nothing is explored instead of something else");
    }
}
