//! The event structure: the events of the unfolding that have been met so far.
//!
//! An event of the unfolding is a step together with its *history*, all that has to happen before
//! it. It has a [`Name`]: equal steps with equal histories have equal names, in whatever order they
//! were run. A history is given by its latest parts: the previous event of the process; for each
//! location, the last event that changed it and, for a step that changes it too, the reads since;
//! whoever created the process, or was waited for. So a name is looked up by these, and nothing is
//! compared along whole histories. Mostly few events come right after another one: these hang off
//! it in a *chain*, where an event is found without a table.
//!
//! The events of a process form a tree, and so do the [uses](super::uses) of a location; the reads
//! before a write are part of what names the write.
//!
//! Names are given out in the order of discovery, and the history of an event is discovered before
//! the event: so the order of names is an order in which events can happen.
//!
//! Cost: looking up an event takes time in the number of its latest causes. A chain has few events;
//! what does not fit, and what comes after many reads, is in a table. Memory: about 80 bytes an
//! event.

use std::hash::Hasher;

use hashbrown::HashTable;
use mazurka_relation::Footprint;
use mazurka_trace::{AccessKind, LocationId, ProcessId, SiteId};
use rustc_hash::FxHasher;

use crate::choices::ChoiceId;
use crate::unfolding::ROOM;
use crate::unfolding::uses::{Use, Uses};

/// No event, no use.
pub(crate) const NONE: u32 = u32::MAX;

/// The chain of the events without causes. That of an event has the event's number and one more.
const ROOTS: u32 = 0;

/// The name of an event: what it does, and its history, as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Name(pub(crate) u32);

impl Name {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    fn some(number: u32) -> Option<Name> {
        (number != NONE).then_some(Name(number))
    }

    /// The number of the chain of what comes right after this event.
    #[inline]
    fn chain(self) -> u32 {
        self.0 + 1
    }
}

/// An event of the unfolding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unfolded {
    pub(crate) process: ProcessId,
    pub(crate) choice: ChoiceId,
    pub(crate) footprint: Footprint,
    /// Its number among the events of its process.
    pub(crate) index: u32,
    /// The previous event of its process, or the one that created the process.
    previous: u32,
    /// Where its uses and further causes end; they begin where those of the event before end.
    uses: u32,
    causes: u32,
    /// The next older event in its chain.
    next: u32,
    /// Where it stands in the code.
    pub(crate) site: SiteId,
    /// It turned out to do something else when it was run.
    void: bool,
}

impl Unfolded {
    #[inline]
    pub(crate) fn previous(&self) -> Option<Name> {
        Name::some(self.previous)
    }
}

/// So many events are kept in a chain; what is beyond them, in a table.
const LONGEST: usize = 8;

/// Events with more reads before them, or waited for, than so many are kept in a table: of these
/// there can be one for each subset.
const FEW_CAUSES: usize = 1;

/// A use of an event that is to be looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DraftUse {
    pub(crate) location: LocationId,
    pub(crate) kind: AccessKind,
    /// The last use before it that was not a read.
    pub(crate) parent: u32,
}

/// An event that is to be looked up.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) process: ProcessId,
    pub(crate) choice: ChoiceId,
    pub(crate) footprint: Footprint,
    pub(crate) site: SiteId,
    pub(crate) index: u32,
    previous: u32,
    /// The number of the chain that it can be in: that of its newest cause.
    chain: u32,
    /// Sorted by location.
    pub(crate) uses: Vec<DraftUse>,
    /// The reads before each use, in the order of the uses, by name; then the end of the process
    /// that was waited for; for an event that ends the execution the newest event of every other
    /// process.
    pub(crate) causes: Vec<Name>,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            process: ProcessId::new(0),
            choice: ChoiceId::NONE,
            footprint: Footprint::EMPTY,
            site: SiteId::new(0),
            index: 0,
            previous: NONE,
            chain: ROOTS,
            uses: Vec::new(),
            causes: Vec::new(),
        }
    }
}

impl Draft {
    /// Begins anew, with an event that comes after the previous one of its process.
    #[inline]
    pub(crate) fn begin(&mut self, process: ProcessId, previous: Option<Name>) {
        self.process = process;
        (self.previous, self.chain) = previous.map_or((NONE, ROOTS), |name| (name.0, name.chain()));
        self.uses.clear();
        self.causes.clear();
    }

    /// It uses a location, which was changed last by an event that is known, too.
    #[inline]
    pub(crate) fn add_use(&mut self, used: DraftUse, write: Option<Name>) {
        self.chain = self.chain.max(write.map_or(ROOTS, Name::chain));
        self.uses.push(used);
    }

    /// It comes after an event.
    #[inline]
    pub(crate) fn add_cause(&mut self, cause: Name) {
        self.chain = self.chain.max(cause.chain());
        self.causes.push(cause);
    }

    fn hash(&self) -> u64 {
        hash((self.process, self.footprint, self.previous), self.uses.iter().map(|used| used.parent), &self.causes)
    }
}

fn hash(
    (process, footprint, previous): (ProcessId, Footprint, u32),
    parents: impl Iterator<Item = u32>,
    causes: &[Name],
) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64((process.index() as u64) << 32 | u64::from(previous));
    std::hash::Hash::hash(&footprint, &mut hasher);
    parents.chain(causes.iter().map(|cause| cause.0)).for_each(|cause| hasher.write_u32(cause));
    hasher.finish()
}

/// The events met so far.
#[derive(Debug)]
pub(crate) struct Structure {
    events: Vec<Unfolded>,
    pub(crate) uses: Uses,
    causes: Vec<Name>,
    /// The newest event of each chain, or none.
    chains: Vec<u32>,
    /// The events that are in no chain.
    table: HashTable<u32>,
    /// Some event ends the execution.
    halts: bool,
    /// Some event is none.
    voids: bool,
    /// How many events were added and not kept.
    dropped: u64,
    /// The most there were at once.
    most: usize,
}

impl Default for Structure {
    fn default() -> Self {
        let mut chains = Vec::with_capacity(ROOM);
        chains.push(NONE);
        Self {
            events: Vec::with_capacity(ROOM),
            uses: Uses::default(),
            causes: Vec::new(),
            chains,
            table: HashTable::new(),
            halts: false,
            voids: false,
            dropped: 0,
            most: 0,
        }
    }
}

impl Structure {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// How many events were met in all, and the most there were at once.
    pub(crate) fn totals(&self) -> (u64, u64) {
        (self.dropped + self.len() as u64, self.most.max(self.len()) as u64)
    }

    #[inline]
    pub(crate) fn event(&self, name: Name) -> &Unfolded {
        &self.events[name.index()]
    }

    #[inline]
    fn uses_range(&self, name: Name) -> std::ops::Range<usize> {
        let start = if name.0 == 0 { 0 } else { self.events[name.index() - 1].uses };
        start as usize..self.events[name.index()].uses as usize
    }

    /// The uses of locations by an event.
    #[inline]
    pub(crate) fn uses(&self, name: Name) -> &[Use] {
        self.uses.range(self.uses_range(name))
    }

    /// A node of a location's tree.
    #[inline]
    pub(crate) fn used(&self, number: u32) -> &Use {
        self.uses.get(number)
    }

    /// The numbers of an event's uses.
    #[inline]
    pub(crate) fn numbered_uses(&self, name: Name) -> impl Iterator<Item = (u32, &Use)> {
        let range = self.uses_range(name);
        (range.start as u32..).zip(self.uses.range(range))
    }

    /// The causes of an event beside the previous one and the last changes of its locations.
    #[inline]
    pub(crate) fn further_causes(&self, name: Name) -> &[Name] {
        let start = if name.0 == 0 { 0 } else { self.events[name.index() - 1].causes };
        &self.causes[start as usize..self.events[name.index()].causes as usize]
    }

    /// The latest events of an event's history.
    #[inline(always)]
    pub(crate) fn causes(&self, name: Name) -> impl Iterator<Item = Name> + '_ {
        let writes = self.uses(name).iter().filter(|used| used.parent != NONE);
        let writes = writes.map(|used| self.uses.get(used.parent).event);
        self.event(name).previous().into_iter().chain(writes).chain(self.further_causes(name).iter().copied())
    }

    /// Whether some event met so far can be in immediate conflict with this one. Where it cannot,
    /// the answer is sure.
    #[inline]
    pub(crate) fn has_rivals(&self, name: Name) -> bool {
        let event = self.event(name);
        event.choice != ChoiceId::NONE
            || event.footprint == Footprint::HALT
            || self.halts
            || self.uses(name).iter().any(|used| self.uses.has_rivals(used, event.process))
    }

    /// Where an event stands, as bits: after which event of its process, and after which change of
    /// each location. Events in immediate conflict have a bit in common.
    pub(crate) fn places(&self, name: Name) -> u128 {
        let event = self.event(name);
        if event.footprint == Footprint::HALT {
            return u128::MAX;
        }
        let bit = |tree: u32, after: u32| {
            let mixed = (u64::from(tree) << 32 | u64::from(after)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            1u128 << (mixed >> 57)
        };
        let uses = self.uses(name).iter().map(|used| bit(used.location.index() as u32, used.parent));
        uses.fold(bit(!(event.process.index() as u32), event.previous), |places, place| places | place)
    }

    /// Whether two events are in immediate conflict, if neither changed something that the other
    /// one used: they use a location after the same change of it, not both of them reading and not
    /// one after the other, are variants of one step, or one of them ends the execution.
    pub(crate) fn are_rivals(&self, one: Name, other: Name) -> bool {
        let (first, second) = (self.event(one), self.event(other));
        // Uses are sorted by location.
        let share_use = || {
            let mut others = self.uses(other);
            self.uses(one).iter().any(|used| {
                while let [next, rest @ ..] = others
                    && next.location < used.location
                {
                    others = rest;
                }
                others.first().is_some_and(|theirs| {
                    (used.location, used.parent) == (theirs.location, theirs.parent)
                        && match (used.kind.is_read(), theirs.kind.is_read()) {
                            (true, true) => false,
                            (true, false) => !self.further_causes(other).contains(&one),
                            (false, true) => !self.further_causes(one).contains(&other),
                            (false, false) => true,
                        }
                })
            })
        };
        one != other
            && (first.footprint == Footprint::HALT
                || second.footprint == Footprint::HALT
                || self.are_of_one_step(one, other)
                || share_use())
    }

    /// Whether two events are what a process can do after the same one of its events.
    #[inline]
    pub(crate) fn are_of_one_step(&self, one: Name, other: Name) -> bool {
        let (one, other) = (self.event(one), self.event(other));
        one.process == other.process && one.previous == other.previous
    }

    /// Notes that there is no such event.
    #[cold]
    pub(crate) fn mark_void(&mut self, name: Name) {
        self.events[name.index()].void = true;
        self.voids = true;
    }

    #[inline]
    pub(crate) fn is_void(&self, name: Name) -> bool {
        self.voids && self.event(name).void
    }

    /// The number of an event's use of a location.
    #[inline]
    pub(crate) fn use_of(&self, name: Name, location: LocationId) -> u32 {
        let used = self.numbered_uses(name).find(|(_, used)| used.location == location);
        used.expect("an event that changed a location used it").0
    }

    /// The name of an event, a new one if it is new.
    #[inline]
    pub(crate) fn intern(&mut self, draft: &Draft) -> Name {
        if draft.causes.len() > FEW_CAUSES {
            return self.intern_in_table(draft);
        }
        let (newest, mut length) = (self.chains[draft.chain as usize], 0);
        let mut number = newest;
        while number != NONE {
            if self.is(Name(number), draft) {
                return Name(number);
            }
            number = self.event(Name(number)).next;
            length += 1;
        }
        if length == LONGEST {
            return self.intern_in_table(draft);
        }
        let name = self.add(draft, newest);
        self.chains[draft.chain as usize] = name.0;
        name
    }

    fn intern_in_table(&mut self, draft: &Draft) -> Name {
        let hash = draft.hash();
        if let Some(&number) = self.table.find(hash, |&number| self.is(Name(number), draft)) {
            return Name(number);
        }
        let name = self.add(draft, NONE);
        // It borrows nothing that the hashes of the others are computed from.
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, name.0, |&number| self.hash_of(Name(number)));
        self.table = table;
        name
    }

    fn hash_of(&self, name: Name) -> u64 {
        let event = self.event(name);
        let parents = self.uses(name).iter().map(|used| used.parent);
        hash((event.process, event.footprint, event.previous), parents, self.further_causes(name))
    }

    #[inline]
    fn is(&self, name: Name, draft: &Draft) -> bool {
        let event = self.event(name);
        (event.process, event.choice, event.footprint) == (draft.process, draft.choice, draft.footprint)
            && event.previous == draft.previous
            && self.uses(name).iter().zip(&draft.uses).all(|(used, draft)| used.parent == draft.parent)
            && self.further_causes(name) == &draft.causes[..]
    }

    /// Adds an event that is new, before another one of its chain.
    fn add(&mut self, draft: &Draft, next: u32) -> Name {
        let number = u32::try_from(self.events.len()).ok().filter(|&number| number < NONE - 1);
        let name = Name(number.expect("fewer than 2^32 events"));
        for &used in &draft.uses {
            self.uses.add(name, draft.process, used);
        }
        self.causes.extend_from_slice(&draft.causes);
        self.events.push(Unfolded {
            process: draft.process,
            choice: draft.choice,
            footprint: draft.footprint,
            index: draft.index,
            previous: draft.previous,
            uses: self.uses.len() as u32,
            causes: self.causes.len() as u32,
            next,
            site: draft.site,
            void: false,
        });
        self.chains.push(NONE);
        self.halts |= draft.footprint == Footprint::HALT;
        name
    }

    /// An empty structure with the memory of this one.
    fn clear(&mut self) {
        self.events.clear();
        self.uses.clear();
        self.causes.clear();
        self.chains.clear();
        self.chains.push(NONE);
        self.table.clear();
        (self.halts, self.voids) = (false, false);
    }

    /// Drops all events that are not kept, and gives the others new names, in the same order. What
    /// is kept has its history kept. The result tells the new names. `spare` lends its memory, and
    /// gets that of this structure.
    pub(crate) fn retain(&mut self, kept: &[bool], spare: &mut Structure) -> Vec<u32> {
        spare.clear();
        std::mem::swap(self, spare);
        let old = &*spare;
        let mut renamed = vec![NONE; old.len()];
        let new_name = |renamed: &[u32], name: Name| Name(renamed[name.index()]);
        let mut draft = Draft::default();
        for number in (0..old.len()).filter(|&number| kept[number]) {
            let (name, event) = (Name(number as u32), &old.events[number]);
            draft.begin(event.process, event.previous().map(|name| new_name(&renamed, name)));
            (draft.choice, draft.footprint) = (event.choice, event.footprint);
            (draft.site, draft.index) = (event.site, event.index);
            for used in old.uses(name) {
                let Use { location, kind, .. } = *used;
                let write = Name::some(used.parent).map(|parent| new_name(&renamed, old.uses.get(parent.0).event));
                let parent = write.map_or(NONE, |write| self.use_of(write, location));
                draft.add_use(DraftUse { location, kind, parent }, write);
            }
            old.further_causes(name).iter().for_each(|&cause| draft.add_cause(new_name(&renamed, cause)));
            renamed[number] = self.intern(&draft).0;
            self.events[renamed[number] as usize].void = event.void;
            self.voids |= event.void;
        }
        self.most = old.most.max(old.len());
        self.dropped = old.dropped + (old.len() - self.len()) as u64;
        renamed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event of a process that has done nothing before, which uses a location after `write` and
    /// these reads.
    fn draft(structure: &Structure, process: usize, kind: AccessKind, write: Option<Name>, reads: &[Name]) -> Draft {
        let location = LocationId::new(0);
        let mut draft = Draft { footprint: Footprint::EMPTY, ..Draft::default() };
        draft.begin(ProcessId::new(process), None);
        reads.iter().for_each(|&read| draft.add_cause(read));
        let parent = write.map_or(NONE, |write| structure.use_of(write, location));
        draft.add_use(DraftUse { location, kind, parent }, write);
        draft
    }

    /// Equal events have equal names and others have others, in a chain and beyond it, after many
    /// reads, and when some are gone.
    #[test]
    fn names_are_found_again() {
        const READERS: usize = 6;
        let mut structure = Structure::default();
        let write = structure.intern(&draft(&structure, 0, AccessKind::Write, None, &[]));
        let name = |structure: &mut Structure, number: usize, readers: &[Name]| {
            let draft = match number {
                0..READERS => draft(structure, 1 + number, AccessKind::Read, Some(readers[0]), &[]),
                _ => {
                    let subset = number - READERS;
                    let read = (0..READERS).filter(|&reader| subset >> reader & 1 == 1);
                    let reads: Vec<Name> = read.map(|reader| readers[1 + reader]).collect();
                    draft(structure, 1 + READERS + subset % 20, AccessKind::Write, Some(readers[0]), &reads)
                }
            };
            structure.intern(&draft)
        };
        let mut readers = vec![write];
        for reader in 0..READERS {
            readers.push(name(&mut structure, reader, &readers));
        }
        let count = READERS + (1 << READERS);
        let names: Vec<Name> = (0..count).map(|number| name(&mut structure, number, &readers)).collect();
        assert_eq!(structure.len(), 1 + count);
        assert!(!structure.table.is_empty() && structure.table.len() < structure.len());
        assert!((0..count).all(|number| name(&mut structure, number, &readers) == names[number]));
        let kept: Vec<bool> = (0..=count).map(|number| number <= READERS || number % 3 > 0).collect();
        let renamed = structure.retain(&kept, &mut Structure::default());
        let readers: Vec<Name> = readers.iter().map(|reader| Name(renamed[reader.index()])).collect();
        for number in (0..count).filter(|&number| kept[names[number].index()]) {
            assert_eq!(name(&mut structure, number, &readers), Name(renamed[names[number].index()]));
        }
        assert_eq!(structure.len(), kept.iter().filter(|&&kept| kept).count());
    }
}
