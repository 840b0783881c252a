//! Configurations: sets of events that can happen together, with the history of each.
//!
//! A configuration is kept as a stack, in an order in which its events can happen, together with its latest parts: the newest event of each
//! process, the last change of each location and how many have read it since. With these it can be told by looking at the latest causes of an event alone
//! whether the event can be added: its history is part of the configuration, and nothing in the configuration conflicts with it. What
//! was latest before an event stands in the event itself, so taking it back needs no log.
//!
//! Cost: adding and taking back an event take time in the number of its uses.

use mazurka_relation::Footprint;

use crate::mutation::{self, Mutation};
use crate::unfolding::structure::{NONE, Name, Structure};
use crate::unfolding::uses::Group;

/// The latest uses of a location.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The last one that was not a read, as a node of the location's tree.
    write: u32,
    /// How many reads since.
    reads: u32,
}

const UNUSED: Head = Head { write: NONE, reads: 0 };

/// A set of events that can happen together.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    events: Vec<Name>,
    /// Whether each event of the structure is a member.
    members: Vec<bool>,
    /// The newest event of each process.
    latest: Vec<u32>,
    /// How many processes have events.
    started: usize,
    heads: Vec<Head>,
}

impl Configuration {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Its events, in the order in which they were added.
    #[inline]
    pub(crate) fn events(&self) -> &[Name] {
        &self.events
    }

    #[inline]
    pub(crate) fn contains(&self, event: Name) -> bool {
        self.members.get(event.index()).copied().unwrap_or(false)
    }

    /// The newest event of the process that `event` is of.
    #[inline]
    fn latest(&self, structure: &Structure, event: Name) -> Option<Name> {
        let latest = self.latest.get(structure.event(event).process.index()).copied().unwrap_or(NONE);
        (latest != NONE).then_some(Name(latest))
    }

    /// Whether the process of an event that is not a member has taken another way already.
    #[inline]
    pub(crate) fn has_left(&self, structure: &Structure, event: Name) -> bool {
        let Some(latest) = self.latest(structure, event) else { return false };
        let unfolded = structure.event(event);
        let next = structure.event(latest).index + 1;
        if unfolded.index == next {
            return unfolded.previous() != Some(latest);
        }
        unfolded.index < next || !structure.is_ancestor(latest, event)
    }

    /// Whether the process of these uses has gone past all of their events.
    #[inline]
    pub(crate) fn is_past(&self, structure: &Structure, group: &Group) -> bool {
        let latest = self.latest.get(group.process.index()).copied().unwrap_or(NONE);
        let ahead = u32::from(mutation::on(Mutation::RivalsPassedOver));
        latest != NONE && structure.event(Name(latest)).index + ahead >= group.deepest
    }

    /// Whether the event, whose history is part of the configuration, conflicts with nothing in it.
    fn allows(&self, structure: &Structure, event: Name) -> bool {
        let unfolded = structure.event(event);
        let previous = if unfolded.index > 0 { unfolded.previous() } else { None };
        if self.latest(structure, event) != previous || self.is_halted(structure) {
            return false;
        }
        if unfolded.footprint == Footprint::HALT {
            return self.is_all(structure, event);
        }
        structure.uses(event).iter().all(|used| {
            let head = self.heads.get(used.location.index()).copied().unwrap_or(UNUSED);
            head.write == used.parent && (used.kind.is_read() || head.reads == used.reads)
        })
    }

    /// Whether an event that ends the execution has all of the configuration in its history.
    #[cold]
    fn is_all(&self, structure: &Structure, event: Name) -> bool {
        let causes = structure.further_causes(event);
        let latest = |&cause: &Name| self.latest(structure, cause) == Some(cause);
        causes.iter().all(latest) && self.started == causes.len() + usize::from(structure.event(event).index > 0)
    }

    /// Whether the history of an event that ends the execution contains the configuration.
    #[cold]
    fn could_be_all(&self, structure: &Structure, event: Name) -> bool {
        let mut known = usize::from(self.latest(structure, event).is_some());
        for &cause in structure.further_causes(event) {
            if let Some(latest) = self.latest(structure, cause) {
                if !structure.is_ancestor(latest, cause) {
                    return false;
                }
                known += 1;
            }
        }
        known == self.started
    }

    /// Whether an event that is not a member, and whose causes are members or could be added, could be added after these. Tells which causes are not members; some
    /// of them twice, and some of them if it could not.
    #[inline]
    pub(crate) fn could_allow(&self, structure: &Structure, event: Name, mut missing: impl FnMut(Name)) -> bool {
        let unfolded = structure.event(event);
        let latest = self.latest(structure, event);
        match unfolded.previous() {
            Some(previous) if unfolded.index > 0 => {
                if latest != Some(previous) {
                    if self.contains(previous) {
                        return false;
                    }
                    missing(previous);
                }
            }
            _ if latest.is_some() => return false,
            creator => creator.filter(|&creator| !self.contains(creator)).into_iter().for_each(&mut missing),
        }
        let further = structure.further_causes(event);
        if unfolded.footprint == Footprint::HALT {
            further.iter().copied().filter(|&cause| !self.contains(cause)).for_each(missing);
            return !self.is_halted(structure) && self.could_be_all(structure, event);
        }
        let mut at = 0;
        for used in structure.uses(event) {
            let head = self.heads.get(used.location.index()).copied().unwrap_or(UNUSED);
            let reads = &further[at..at + used.reads as usize];
            at += reads.len();
            let mut present = 0;
            for &read in reads {
                if self.contains(read) {
                    present += 1;
                } else {
                    missing(read);
                }
            }
            if head.write == used.parent {
                // The last change is a member, and so has to be every read since.
                if !used.kind.is_read() && head.reads != present {
                    return false;
                }
            } else if used.parent == NONE {
                return false;
            } else {
                let change = structure.used(used.parent).event;
                if self.contains(change) {
                    return false;
                }
                missing(change);
            }
        }
        further[at..].iter().copied().filter(|&end| !self.contains(end)).for_each(missing);
        !self.is_halted(structure)
    }

    fn is_halted(&self, structure: &Structure) -> bool {
        self.events.last().is_some_and(|&last| structure.event(last).footprint == Footprint::HALT)
    }

    /// Adds an event whose history is part of the configuration, if nothing in it conflicts with the event.
    #[inline]
    pub(crate) fn extend(&mut self, structure: &Structure, event: Name) -> bool {
        let allowed = self.allows(structure, event);
        if allowed {
            self.push(structure, event);
        }
        allowed
    }

    /// Adds an event that can be added.
    #[inline]
    pub(crate) fn push(&mut self, structure: &Structure, event: Name) {
        let unfolded = structure.event(event);
        let process = unfolded.process.index();
        if process >= self.latest.len() {
            self.latest.resize(process + 1, NONE);
        }
        self.latest[process] = event.0;
        self.started += usize::from(unfolded.index == 0);
        for (number, used) in structure.numbered_uses(event) {
            let location = used.location.index();
            if location >= self.heads.len() {
                self.heads.resize(location + 1, UNUSED);
            }
            let head = &mut self.heads[location];
            if used.kind.is_read() {
                head.reads += 1;
            } else {
                *head = Head { write: number, reads: 0 };
            }
        }
        if event.index() >= self.members.len() {
            self.members.resize(structure.len(), false);
        }
        self.members[event.index()] = true;
        self.events.push(event);
    }

    /// Takes the newest event back.
    #[inline]
    pub(crate) fn pop(&mut self, structure: &Structure) -> Name {
        let event = self.events.pop().expect("there is an event to take back");
        let unfolded = structure.event(event);
        let first = unfolded.index == 0;
        self.latest[unfolded.process.index()] =
            if first { NONE } else { unfolded.previous().map_or(NONE, |previous| previous.0) };
        self.started -= usize::from(first);
        for used in structure.uses(event) {
            let head = &mut self.heads[used.location.index()];
            if used.kind.is_read() {
                head.reads -= 1;
            } else {
                *head = Head { write: used.parent, reads: used.reads };
            }
        }
        self.members[event.index()] = false;
        event
    }

    /// Takes the newest events back until so many are left.
    pub(crate) fn truncate(&mut self, structure: &Structure, length: usize) {
        while self.events.len() > length {
            self.pop(structure);
        }
    }

    /// The events have got new names.
    pub(crate) fn rename(&mut self, structure: &Structure, renamed: &[u32]) {
        let events: Vec<Name> = self.events.iter().map(|name| Name(renamed[name.index()])).collect();
        *self = Configuration::default();
        for event in events {
            self.push(structure, event);
        }
    }
}
