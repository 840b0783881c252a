//! Extensions: from the current execution to events of the unfolding.
//!
//! A step that was taken has its history in the execution. A step that reverses a race has as its
//! history what it depends on among the events that remain before it: an extension of the current
//! configuration that conflicts with it, because it was meant to run before the race's first event.
//! Which those are, and what the step does there, is known from [`crate::races`].

use mazurka_machine::Machine;
use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, EventId, LocationId, ProcessId, SiteId};

use crate::choices::{ChoiceId, Script};
use crate::execution::{Execution, Head, Link, NONE, Record};
use crate::mutation::{self, Mutation};
use crate::names::Variant;
use crate::races::Reversal;
use crate::search::Search;
use crate::unfolding::comb::Comb;
use crate::unfolding::configuration::Configuration;
use crate::unfolding::spike::{Part, Rival};
use crate::unfolding::structure::{self, Draft, DraftUse, Name, Structure};

/// Finds the names of events.
pub(crate) struct Extending<'a> {
    pub(crate) structure: &'a mut Structure,
    pub(crate) comb: &'a mut Comb,
    pub(crate) draft: &'a mut Draft,
    /// The events of the current execution.
    pub(crate) configuration: &'a Configuration,
    /// What the history of the drafted event reaches to.
    reach: Reach,
}

/// What the history of an event reaches to in the execution.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// After so many events something that is in immediate conflict with it can happen.
    from: u32,
    /// So many events contain the history.
    to: u32,
}

impl Reach {
    /// It comes right after an event of its process, or after a change of a location.
    #[inline]
    fn follow(&mut self, event: EventId) {
        let after = event.index() as u32 + 1;
        (self.from, self.to) = (self.from.min(after), self.to.max(after));
    }

    /// It comes after an event.
    #[inline]
    fn contain(&mut self, event: EventId) {
        self.to = self.to.max(event.index() as u32 + 1);
    }
}

/// For so many uses it costs less to look for each than to sort them.
const FEW: usize = 16;

impl<'a> Extending<'a> {
    pub(crate) fn new(
        structure: &'a mut Structure,
        comb: &'a mut Comb,
        draft: &'a mut Draft,
        configuration: &'a Configuration,
    ) -> Self {
        Self { structure, comb, draft, configuration, reach: Reach { from: 0, to: 0 } }
    }

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
        self.begin((record.process, record.site), Variant::of(record), previous, record.index);
        if record.footprint == Footprint::HALT {
            self.follow_everybody(execution, |other| other < event);
        } else {
            self.follow_links(search, event, |_| true);
        }
        self.follow_ends(execution, execution.joined(event), |_| true);
        self.structure.intern(self.draft)
    }

    fn begin(&mut self, step: (ProcessId, SiteId), variant: Variant, previous: Option<EventId>, index: u32) {
        let (process, site) = step;
        self.draft.begin(process, previous.map(|event| self.name(event)));
        self.reach = Reach { from: if previous.is_some() { u32::MAX } else { 0 }, to: 0 };
        if let Some(previous) = previous {
            self.reach.follow(previous);
        }
        (self.draft.choice, self.draft.footprint) = (variant.choice, variant.footprint);
        (self.draft.site, self.draft.index) = (site, index);
    }

    /// Uses the locations as an event of the execution did, in their order, after what remains
    /// before it.
    #[inline]
    fn follow_links<M>(&mut self, search: &Search<'_, M>, event: EventId, remains: impl Fn(EventId) -> bool + Copy) {
        let links = search.execution.links_of(event);
        if links.len() > 1 && !links.is_sorted_by_key(|link| link.location) {
            return self.follow_footprint(search, search.execution.record(event).footprint, remains, Some(event));
        }
        for link in links {
            self.follow(&search.execution, (link.location, link.kind), link.before(), remains);
        }
    }

    /// Uses a location after what remains of the uses up to `head`.
    #[inline]
    fn follow(
        &mut self,
        execution: &Execution,
        (location, kind): (LocationId, AccessKind),
        mut head: Head,
        remains: impl Fn(EventId) -> bool,
    ) {
        let event = |link: u32| EventId::new(execution.used(link).event as usize);
        // What read a change that is gone is gone with it.
        while head.write != NONE && !remains(event(head.write)) {
            head = execution.used(head.write).before();
        }
        let start = self.draft.causes.len();
        let mut read = if kind.is_read() || mutation::on(Mutation::NamesWithoutReads) { NONE } else { head.read };
        while read != NONE {
            if remains(event(read)) {
                self.draft.add_cause(self.name(event(read)));
                self.reach.contain(event(read));
            }
            read = execution.used(read).before().read;
        }
        if self.draft.causes.len() > start + 1 {
            self.draft.causes[start..].sort_unstable();
        }
        let (mut write, mut parent) = (None, structure::NONE);
        if head.write == NONE {
            self.reach.from = 0;
        } else {
            let name = self.name(event(head.write));
            self.reach.follow(event(head.write));
            (write, parent) = (Some(name), self.structure.use_of(name, location));
        }
        self.draft.add_use(DraftUse { location, kind, parent }, write);
    }

    /// Comes after the ends of the processes that were waited for.
    #[inline]
    fn follow_ends(&mut self, execution: &Execution, joined: &[ProcessId], remains: impl Fn(EventId) -> bool) {
        for &process in joined {
            let (end, _) = execution.latest(process);
            if let Some(end) = end.filter(|&end| remains(end)) {
                self.draft.add_cause(self.name(end));
                self.reach.contain(end);
            }
        }
    }

    /// Comes after everything that remains.
    #[cold]
    fn follow_everybody(&mut self, execution: &Execution, remains: impl Fn(EventId) -> bool) {
        for latest in execution.latest_of_each() {
            let mut event = latest;
            let process = execution.record(event).process;
            if process == self.draft.process {
                continue;
            }
            let remaining = loop {
                if remains(event) {
                    break Some(event);
                }
                let record = execution.record(event);
                match record.previous() {
                    Some(previous) if record.index > 0 => event = previous,
                    _ => break None,
                }
            };
            if let Some(event) = remaining {
                self.draft.add_cause(self.name(event));
                self.reach.contain(event);
            }
        }
        self.draft.causes.sort_unstable();
        self.reach.from = 0;
    }

    /// A step with these uses, after what remains; that is nothing of what comes from `until` on,
    /// if there is such an event.
    fn follow_footprint<M>(
        &mut self,
        search: &Search<'_, M>,
        footprint: Footprint,
        remains: impl Fn(EventId) -> bool + Copy,
        until: Option<EventId>,
    ) {
        let execution = &search.execution;
        if footprint == Footprint::HALT {
            return self.follow_everybody(execution, remains);
        }
        let mut links = until.map_or(&[][..], |until| execution.links_of(until));
        let sorted;
        if links.len() > FEW {
            sorted = sort(links);
            links = &sorted;
        }
        for (location, kind) in search.cursor.names.footprints.list(footprint) {
            let link = if links.len() > FEW {
                links.binary_search_by_key(&location, |link| link.location).ok().map(|at| &links[at])
            } else {
                links.iter().find(|link| link.location == location)
            };
            let head = link.map_or_else(|| execution.newest(location), |link| link.before());
            self.follow(execution, (location, kind), head, remains);
        }
    }

    /// What is drafted can come instead of the event at this position.
    #[inline]
    fn note_instead_of(&mut self, position: usize) -> Rival {
        let name = self.structure.intern(self.draft);
        let event = Part { name, process: self.draft.process, footprint: self.draft.footprint };
        let rival = Rival { event, reach: self.reach.to };
        self.comb.spikes.note(position, rival);
        rival
    }

    /// The same; and it is of a step whose accesses vary, or that waits.
    fn note_varying_instead_of(&mut self, position: usize, execution: &Execution) {
        let rival = self.note_instead_of(position);
        if mutation::on(Mutation::VaryingStepsOnce) {
            return;
        }
        let Reach { from, to } = self.reach;
        // What precedes the latest part of its history is what most of it is.
        let contains =
            |at: usize| at < to as usize && execution.happens_before(EventId::new(at), EventId::new(to as usize - 1));
        self.comb.note_varying(position, (rival, from as usize), (self.structure, self.configuration), contains);
    }

    /// The newest event ended the execution: finds whoever else could have run in its place.
    pub(crate) fn instead_of_end<M: Machine>(&mut self, search: &mut Search<'_, M>) {
        let position = search.execution.len() - 1;
        let ender = search.execution.record(EventId::new(position)).process;
        search.seek(position);
        let live: Vec<ProcessId> = search.cursor.machine.live().iter().collect();
        for process in live {
            if process == ender || !search.cursor.machine.is_enabled(process) {
                continue;
            }
            let mut script = Script::First;
            loop {
                search.cursor.try_step(process, script);
                if search.is_late() {
                    return;
                }
                let variant = search.cursor.variant();
                let (joined, site) = (search.cursor.event.joined.clone(), search.cursor.event.site);
                search.cursor.machine.rewind(position);
                let (previous, index) = search.execution.latest(process);
                self.begin((process, site), variant, previous, index);
                self.follow_footprint(search, variant.footprint, |event| event.index() < position, None);
                self.follow_ends(&search.execution, &joined, |event| event.index() < position);
                self.note_instead_of(position);
                if !search.cursor.names.choices.has_next(variant.choice) || search.cursor.pace.stopped {
                    break;
                }
                script = Script::After(variant.choice);
            }
        }
    }
}

impl Extending<'_> {
    /// Reverses the race of two neighbours: what is before the first event is all that the second
    /// needs.
    #[inline]
    pub(crate) fn reverse_adjacent<M: Machine>(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        self.reverse_single(search, race);
    }

    /// Finds the events of the unfolding that reverse a race.
    pub(crate) fn reverse<M: Machine>(&mut self, search: &mut Search<'_, M>, race: &Reversal<'_>) {
        let single = race.removed.len() == 1 && search.execution.precedes_all_from(race.first);
        if single && race.variants.is_empty() && !race.last {
            return self.reverse_single(search, race);
        }
        let Reversal { first, second, removed, .. } = *race;
        let execution = &search.execution;
        if single {
            self.reverse_with(search, race, Some(second), |event| event < first);
        } else if race.last {
            self.reverse_with(search, race, None, |event| {
                event < first || !(execution.is_removed(event, removed) || execution.happens_before(second, event))
            });
        } else {
            self.reverse_with(search, race, Some(second), |event| {
                event < first || (event < second && !execution.is_removed(event, removed))
            });
        }
    }
}

impl Extending<'_> {
    /// Reverses a race for which nothing but the second event has to run, and that does the same
    /// there.
    fn reverse_single<M>(&mut self, search: &Search<'_, M>, race: &Reversal<'_>) {
        let record = search.execution.record(race.second);
        let position = race.first.index();
        let varies = varies(record) && !mutation::on(Mutation::VaryingStepsOnce);
        if !varies && self.comb.is_disabled_at(position, record.process, record.choice) {
            return;
        }
        self.draft_again(search, race.second, |event| event < race.first);
        if varies {
            self.note_varying_instead_of(position, &search.execution);
        } else {
            self.note_instead_of(position);
        }
    }

    /// Reverses a race: the second event comes after what remains of the execution. That is nothing
    /// of what comes from `until` on, if there is such an event.
    fn reverse_with<M>(
        &mut self,
        search: &Search<'_, M>,
        race: &Reversal<'_>,
        until: Option<EventId>,
        remains: impl Fn(EventId) -> bool + Copy,
    ) {
        let execution = &search.execution;
        let record = execution.record(race.second);
        if race.variants.is_empty() && !race.last {
            self.draft_again(search, race.second, remains);
            return self.note(execution, race, record.footprint);
        }
        for &variant in race.variants {
            self.begin((record.process, record.site), variant, record.previous(), record.index);
            self.follow_footprint(search, variant.footprint, remains, until);
            self.follow_ends(execution, search.cursor.names.joined(variant), remains);
            self.note(execution, race, variant.footprint);
        }
    }

    /// Drafts an event of the execution as it was, after what remains.
    #[inline]
    fn draft_again<M>(&mut self, search: &Search<'_, M>, event: EventId, remains: impl Fn(EventId) -> bool + Copy) {
        let execution = &search.execution;
        let record = execution.record(event);
        let as_it_was = Variant::of(record);
        self.begin((record.process, record.site), as_it_was, record.previous(), record.index);
        self.follow_links(search, event, remains);
        self.follow_ends(execution, execution.joined(event), remains);
    }

    /// What is drafted, with this footprint, reverses a race.
    #[inline]
    fn note(&mut self, execution: &Execution, race: &Reversal<'_>, footprint: Footprint) {
        let second = execution.record(race.second);
        if varies(second) || second.footprint != footprint {
            self.note_varying_instead_of(race.first.index(), execution);
        } else {
            self.note_instead_of(race.first.index());
        }
    }
}

/// Uses in the order of their locations.
#[cold]
fn sort(links: &[Link]) -> Vec<Link> {
    let mut sorted = links.to_vec();
    sorted.sort_unstable_by_key(|link| link.location);
    sorted
}

/// Whether what an event does, or whether it can run, depends on what ran before.
#[inline]
fn varies(event: &Record) -> bool {
    event.varies || event.waits || event.choice != ChoiceId::NONE
}
