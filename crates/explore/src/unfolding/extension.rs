//! Extensions: from the current execution to events of the unfolding.
//!
//! A step that was taken has its history in the execution. A step that reverses a race has as its history what it depends on among
//! the events that remain before it: an extension of the current configuration that conflicts with it, because it was meant to run before the race's first
//! event. Which those are, and what the step does there, is known from [`crate::races`].

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, EventId, LocationId, ProcessId, SiteId};

use crate::choices::{Label, Script};
use crate::execution::{Execution, Head, NONE, Record};
use crate::mutation::{self, Mutation};
use crate::races::{Reversal, Reverse};
use crate::search::{Search, Variant};
use crate::unfolding::comb::Comb;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::structure::{Draft, DraftUse, Name, Structure};

/// Finds the names of events.
pub(crate) struct Extending<'a> {
    pub(crate) structure: &'a mut Structure,
    pub(crate) comb: &'a mut Comb,
    pub(crate) draft: &'a mut Draft,
    /// The events of the current execution.
    pub(crate) configuration: &'a Configuration,
}

/// So many uses are sorted where they stand.
const FEW: usize = 16;

/// Which events of the execution remain before a step.
enum Before<'a> {
    /// Those at earlier positions.
    Position(usize),
    /// The same, without some events and all that happens after them; the earliest of them is given, too.
    Without(EventId, usize, &'a [EventId]),
    /// All of the execution but some events, one more that is later, and all that happens after these.
    All(EventId, &'a [EventId], EventId),
}

impl Before<'_> {
    #[inline(always)]
    fn contains(&self, execution: &Execution, event: EventId) -> bool {
        match *self {
            Before::Position(position) => event.index() < position,
            Before::Without(first, position, removed) => {
                event < first || (event.index() < position && !execution.is_removed(event, removed))
            }
            Before::All(first, removed, second) => {
                event < first || (!execution.is_removed(event, removed) && !execution.happens_before(second, event))
            }
        }
    }
}

impl Extending<'_> {
    #[inline]
    fn name(&self, event: EventId) -> Name {
        self.configuration.events()[event.index()]
    }

    /// The name of the newest event of the execution; the names of all others are known.
    #[inline]
    pub(crate) fn newest<M>(&mut self, search: &Search<'_, M>) -> Name {
        let execution = &search.execution;
        let event = EventId::new(execution.len() - 1);
        let record = execution.record(event);
        let previous = record.previous();
        self.begin(
            (record.process, record.site),
            Variant { label: record.label, footprint: record.footprint },
            previous,
            record.index,
        );
        let before = Before::Position(event.index());
        if record.footprint == Footprint::HALT {
            self.follow_everybody(execution, &before);
        } else {
            self.follow_links(execution, event, &before);
        }
        self.follow_ends(execution, execution.joined(event), &before);
        self.structure.intern(self.draft)
    }

    fn begin(&mut self, step: (ProcessId, SiteId), variant: Variant, previous: Option<EventId>, index: u32) {
        let previous = previous.map(|event| self.name(event));
        let draft = &mut *self.draft;
        (draft.process, draft.site) = step;
        (draft.label, draft.footprint) = (variant.label, variant.footprint);
        (draft.previous, draft.index) = (previous, index);
        draft.uses.clear();
        draft.causes.clear();
    }

    /// Uses the locations as an event of the execution did, after what remains before it.
    #[inline]
    fn follow_links(&mut self, execution: &Execution, event: EventId, before: &Before<'_>) {
        let links = execution.links_of(event);
        for link in links {
            self.follow(execution, link.location, link.kind, link.before(), before);
        }
        if links.len() > 1 && !links.is_sorted_by_key(|link| link.location) {
            if links.len() <= FEW { self.sort_few_uses() } else { self.sort_uses() }
        }
    }

    /// Puts the uses into the order of their locations, with their reads.
    fn sort_few_uses(&mut self) {
        let Draft { uses, causes, .. } = &mut *self.draft;
        let mut end = 0;
        for at in 0..uses.len() {
            end += uses[at].reads as usize;
            let location = uses[at].location;
            let (mut to, mut start) = (at, end - uses[at].reads as usize);
            while to > 0 && uses[to - 1].location > location {
                to -= 1;
                start -= uses[to].reads as usize;
            }
            if to < at {
                causes[start..end].rotate_right(uses[at].reads as usize);
                uses[to..=at].rotate_right(1);
            }
        }
    }

    /// The same, where there are many.
    #[cold]
    fn sort_uses(&mut self) {
        let mut order: Vec<(DraftUse, Vec<Name>)> = Vec::new();
        let mut start = 0;
        for used in &self.draft.uses {
            let end = start + used.reads as usize;
            order.push((*used, self.draft.causes[start..end].to_vec()));
            start = end;
        }
        order.sort_by_key(|(used, _)| used.location);
        self.draft.uses.clear();
        self.draft.causes.clear();
        for (used, reads) in order {
            self.draft.uses.push(used);
            self.draft.causes.extend(reads);
        }
    }

    /// Uses a location after what remains of the uses up to `head`.
    #[inline]
    fn follow(
        &mut self,
        execution: &Execution,
        location: LocationId,
        kind: AccessKind,
        mut head: Head,
        before: &Before<'_>,
    ) {
        let remains = |link: u32| {
            let event = EventId::new(execution.used(link).event as usize);
            before.contains(execution, event).then_some(event)
        };
        // What read a change that is gone is gone with it.
        let mut write = None;
        while head.write != NONE {
            write = remains(head.write);
            if write.is_some() {
                break;
            }
            head = execution.used(head.write).before();
        }
        let start = self.draft.causes.len();
        let mut read = if kind.is_read() || mutation::on(Mutation::NamesWithoutReads) { NONE } else { head.read };
        while read != NONE {
            if let Some(event) = remains(read) {
                self.draft.causes.push(self.name(event));
            }
            read = execution.used(read).before().read;
        }
        let reads = (self.draft.causes.len() - start) as u32;
        if reads > 1 {
            self.draft.causes[start..].sort_unstable();
        }
        let write = write.map(|event| self.name(event));
        self.draft.uses.push(DraftUse { location, kind, write, reads });
    }

    /// Comes after the ends of the processes that were waited for.
    #[inline]
    fn follow_ends(&mut self, execution: &Execution, joined: &[ProcessId], before: &Before<'_>) {
        for &process in joined {
            let (end, _) = execution.latest(process);
            let end = end.filter(|&end| before.contains(execution, end));
            self.draft.causes.extend(end.map(|end| self.name(end)));
        }
    }

    /// Comes after everything that remains.
    #[cold]
    fn follow_everybody(&mut self, execution: &Execution, before: &Before<'_>) {
        for latest in execution.latest_of_each() {
            let mut event = latest;
            let process = execution.record(event).process;
            if process == self.draft.process {
                continue;
            }
            let remaining = loop {
                if before.contains(execution, event) {
                    break Some(event);
                }
                let record = execution.record(event);
                match record.previous() {
                    Some(previous) if record.index > 0 => event = previous,
                    _ => break None,
                }
            };
            self.draft.causes.extend(remaining.map(|event| self.name(event)));
        }
        self.draft.causes.sort_unstable();
    }

    /// A step with these uses, after what remains; that is nothing of what comes from `until` on, if there is such an event.
    fn follow_footprint<M>(
        &mut self,
        search: &Search<'_, M>,
        footprint: Footprint,
        before: &Before<'_>,
        until: Option<EventId>,
    ) {
        let execution = &search.execution;
        if footprint == Footprint::HALT {
            return self.follow_everybody(execution, before);
        }
        let links = until.map_or(&[][..], |until| execution.links_of(until));
        for (location, kind) in search.footprints.list(footprint) {
            let link = links.iter().find(|link| link.location == location);
            let head = link.map_or_else(|| execution.newest(location), |link| link.before());
            self.follow(execution, location, kind, head, before);
        }
    }

    /// What is drafted can come instead of the event at this position.
    #[inline]
    fn note_instead_of(&mut self, position: usize) -> Name {
        let name = self.structure.intern(self.draft);
        self.comb.spikes.note(position, name);
        name
    }

    /// The newest event ended the execution: finds whoever else could have run in its place.
    pub(crate) fn instead_of_end<M: Machine>(&mut self, search: &mut Search<'_, M>) {
        let position = search.execution.len() - 1;
        let ender = search.execution.record(EventId::new(position)).process;
        search.seek(position);
        let live: Vec<ProcessId> = search.machine.live().iter().collect();
        for process in live {
            if process == ender || !search.machine.is_enabled(process) {
                continue;
            }
            let mut script = Script::First;
            loop {
                search.try_step(process, script);
                let variant = search.variant();
                let (joined, site) = (search.event.joined.clone(), search.event.site);
                search.machine.rewind(position);
                let (previous, index) = search.execution.latest(process);
                self.begin((process, site), variant, previous, index);
                let before = Before::Position(position);
                self.follow_footprint(search, variant.footprint, &before, None);
                self.follow_ends(&search.execution, &joined, &before);
                self.note_instead_of(position);
                if !search.choices.has_next(variant.label) || search.stopped {
                    break;
                }
                script = Script::After(variant.label);
            }
        }
    }
}

impl<M: Machine> Reverse<M> for Extending<'_> {
    /// What is before the first event is all that the second needs.
    #[inline]
    fn reverse_adjacent(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        self.reverse_single(search, race);
    }

    fn reverse(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        let single = race.removed.len() == 1 && search.execution.precedes_all_from(race.first);
        if single && race.variants.is_empty() && !race.last {
            return self.reverse_single(search, race);
        }
        let record = *search.execution.record(race.second);
        let previous = record.previous();
        let before = if single {
            Before::Position(race.first.index())
        } else if race.last {
            Before::All(race.first, race.removed, race.second)
        } else {
            Before::Without(race.first, race.second.index(), race.removed)
        };
        if race.variants.is_empty() && !race.last {
            let as_it_was = Variant { label: record.label, footprint: record.footprint };
            self.begin((record.process, record.site), as_it_was, previous, record.index);
            self.follow_links(&search.execution, race.second, &before);
            self.follow_ends(&search.execution, search.execution.joined(race.second), &before);
            self.note(race, &record, record.footprint);
            return;
        }
        for &variant in race.variants {
            self.begin((record.process, record.site), variant, previous, record.index);
            let until = (single || !race.last).then_some(race.second);
            self.follow_footprint(search, variant.footprint, &before, until);
            self.follow_ends(&search.execution, search.execution.joined(race.second), &before);
            self.note(race, &record, variant.footprint);
        }
    }
}

impl Extending<'_> {
    /// Reverses a race for which nothing but the second event has to run, and that does the same there.
    fn reverse_single<M>(&mut self, search: &Search<'_, M>, race: &Reversal<'_>) {
        let record = search.execution.record(race.second);
        let position = race.first.index();
        let varies = varies(record) && !mutation::on(Mutation::VaryingStepsOnce);
        if !varies && self.comb.is_disabled_at(position, record.process, record.label) {
            return;
        }
        let before = Before::Position(position);
        let as_it_was = Variant { label: record.label, footprint: record.footprint };
        self.begin((record.process, record.site), as_it_was, record.previous(), record.index);
        self.follow_links(&search.execution, race.second, &before);
        self.follow_ends(&search.execution, search.execution.joined(race.second), &before);
        let name = self.note_instead_of(position);
        if varies {
            self.comb.note_varying(position, name, self.structure, self.configuration);
        }
    }

    /// What is drafted, with this footprint, reverses a race.
    #[inline]
    fn note(&mut self, race: &Reversal<'_>, second: &Record, footprint: Footprint) {
        let position = race.first.index();
        let name = self.note_instead_of(position);
        if (varies(second) || second.footprint != footprint) && !mutation::on(Mutation::VaryingStepsOnce) {
            self.comb.note_varying(position, name, self.structure, self.configuration);
        }
    }
}

/// Whether what an event does, or whether it can run, depends on what ran before.
#[inline]
fn varies(event: &Record) -> bool {
    event.varies || event.waits || event.label != Label::NONE
}
