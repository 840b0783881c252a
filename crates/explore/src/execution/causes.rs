//! Which events come before others, told by what they use alone.
//!
//! The order of an execution is known at its end only, where it counts who observes what is
//! written. An event that is redundant asks earlier than that.

use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, EventId};

use super::{Execution, Link};

/// Whether two events are in order that merely write the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Writes {
    /// They are, although nobody may observe them.
    Ordered,
    /// Not because of that.
    Unordered,
}

/// The events that come before some others. Keeps its memory from one time to the next.
#[derive(Debug, Default)]
pub(crate) struct Causes {
    /// For each event up to the latest of those, whether it comes before one of them, or is one.
    events: Vec<bool>,
    /// Of all of them: their processes and those whose ends they waited for.
    processes: Vec<bool>,
    /// For each location, how they use it.
    uses: Vec<Uses>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// In a way that comes after every change of it.
    used: bool,
    changed: bool,
}

impl Causes {
    /// For each event up to the latest that was requested, whether it comes before one of those, or
    /// is one.
    pub(crate) fn events(&self) -> &[bool] {
        &self.events
    }

    /// Finds what comes before these events, the latest of which is the first.
    pub(crate) fn find(&mut self, execution: &Execution, of: &[usize], writes: Writes) {
        let Causes { events, processes, uses } = self;
        let latest = of[0];
        reset(events, latest + 1);
        reset(processes, execution.tracks.len());
        reset(uses, execution.heads.len());
        of.iter().for_each(|&event| events[event] = true);
        let mut everything = false;
        let is_ordered = |link: &Link| writes == Writes::Ordered || link.kind != AccessKind::Write;
        for number in (0..=latest).rev() {
            let (record, links) = (&execution.records[number], execution.links_of(EventId::new(number)));
            let halts = record.footprint == Footprint::HALT;
            let depends = |link: &Link| {
                let Uses { used, changed } = uses[link.location.index()];
                (used && !link.kind.is_read()) || (changed && is_ordered(link))
            };
            events[number] |= everything || halts || processes[record.process.index()] || links.iter().any(depends);
            if !events[number] {
                continue;
            }
            everything |= halts;
            for process in execution.joined(EventId::new(number)).iter().chain([&record.process]) {
                processes[process.index()] = true;
            }
            if let Some(previous) = record.previous() {
                events[previous.index()] = true;
            }
            for link in links {
                let uses = &mut uses[link.location.index()];
                uses.used |= is_ordered(link);
                uses.changed |= !link.kind.is_read();
            }
        }
    }
}

fn reset<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    list.clear();
    list.resize(length, T::default());
}
