//! Causality and conflict of single events, by maps of threads and locks.
//!
//! # Paper
//! Definition 7 and Theorem 6. For an event e, *tmax(e, i)* is the newest event of process i in e's
//! history or e itself, *lmax(e, l)* the newest use of location l. Then e < e' iff e is *tmax(e',
//! i)*, with i the process of e, or an ancestor of it in i's tree; and e # e' iff *lmax(e, l)* and
//! *lmax(e', l)* are in conflict for some l.
//!
//! # Deviations
//! 1. Locations can be read. So *lmax* is the last use that was not a read, together with the reads
//!    since; the uses of a location in two histories fit together iff the one's last change is that
//!    of the other or an ancestor of it, and the next change on the way has all reads of the first
//!    before it. For a mutex this is the theorem.
//! 2. Variants of a step are in conflict although they use no location: the trees of the processes
//!    are compared too. An event that ends the execution is in conflict with all that is not in its
//!    history.
//!
//! # Cost
//! An answer costs a search with skip pointers for each location and process that both maps have.
//! The maps cost memory for each event in the number of processes and locations of its history, and
//! time to make; so the exploration, which asks few questions about most events, does without, and
//! they are made for drawings. What both cost is measured: `bench/results`.

use mazurka_relation::Footprint;
use mazurka_trace::ProcessId;

use crate::unfolding::ancestry::Ancestry;
use crate::unfolding::structure::{NONE, Name, Structure};

/// The newest uses of a location in a history.
#[derive(Clone, Copy, Debug)]
struct Latest {
    location: u32,
    /// The last one that was not a read.
    change: u32,
    /// Where the reads since end; they begin where those of the entry before end.
    reads: u32,
}

/// The maps of all events of a structure.
#[derive(Debug)]
pub(crate) struct Causality<'a> {
    structure: &'a Structure,
    /// For each event, by process, the newest event in its history or itself.
    threads: Vec<(ProcessId, Name)>,
    /// For each event, by location.
    locks: Vec<Latest>,
    reads: Vec<Name>,
    /// Where the entries of each event end.
    ends: Vec<(u32, u32)>,
    /// The trees of the locations, and of the processes.
    uses: Ancestry,
    events: Ancestry,
}

impl<'a> Causality<'a> {
    /// Makes the maps of all events, with skip pointers of this step.
    pub(crate) fn new(structure: &'a Structure, step: u32) -> Self {
        let mut uses = Ancestry::new(step);
        for number in 0..structure.uses.len() as u32 {
            uses.add(structure.used(number).parent);
        }
        let mut events = Ancestry::new(step);
        for name in (0..structure.len() as u32).map(Name) {
            let event = structure.event(name);
            events.add(event.previous().filter(|_| event.index > 0).map_or(NONE, |previous| previous.0));
        }
        let (threads, locks, reads, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut causality = Self { structure, threads, locks, reads, ends, uses, events };
        let mut map = Map::default();
        for name in (0..structure.len() as u32).map(Name) {
            causality.collect(name, &mut map);
            causality.store(&mut map);
        }
        causality
    }

    /// Joins the maps of an event's causes, and adds the event.
    fn collect(&self, name: Name, map: &mut Map) {
        let event = self.structure.event(name);
        for cause in self.structure.causes(name) {
            map.threads.extend_from_slice(self.threads_of(cause));
            for (latest, reads) in self.locks_of(cause) {
                map.changes.push((latest.location, latest.change));
                map.reads.extend(reads.iter().map(|&read| (latest.location, latest.change, read)));
            }
        }
        map.threads.push((event.process, name));
        for (number, used) in self.structure.numbered_uses(name) {
            let location = used.location.index() as u32;
            let change = if used.kind.is_read() { used.parent } else { number };
            map.changes.push((location, change));
            if used.kind.is_read() {
                map.reads.push((location, change, name));
            }
        }
    }

    /// Keeps what is newest of each process and location as the map of the next event.
    fn store(&mut self, map: &mut Map) {
        map.threads.sort_unstable_by_key(|&(process, name)| (process, self.structure.event(name).index));
        for (at, &(process, name)) in map.threads.iter().enumerate() {
            if map.threads.get(at + 1).is_none_or(|&(next, _)| next != process) {
                self.threads.push((process, name));
            }
        }
        let depth = |change: u32| if change == NONE { 0 } else { 1 + self.uses.depth(change) };
        map.changes.sort_unstable_by_key(|&(location, change)| (location, depth(change)));
        map.reads.sort_unstable();
        map.reads.dedup();
        for (at, &(location, change)) in map.changes.iter().enumerate() {
            if map.changes.get(at + 1).is_none_or(|&(next, _)| next != location) {
                let since = map.reads.iter().filter(|&&(read, after, _)| (read, after) == (location, change));
                self.reads.extend(since.map(|&(_, _, read)| read));
                self.locks.push(Latest { location, change, reads: self.reads.len() as u32 });
            }
        }
        self.ends.push((self.threads.len() as u32, self.locks.len() as u32));
        map.threads.clear();
        map.changes.clear();
        map.reads.clear();
    }

    fn starts(&self, name: Name) -> (usize, usize) {
        let (threads, locks) = if name.0 == 0 { (0, 0) } else { self.ends[name.index() - 1] };
        (threads as usize, locks as usize)
    }

    fn threads_of(&self, name: Name) -> &[(ProcessId, Name)] {
        &self.threads[self.starts(name).0..self.ends[name.index()].0 as usize]
    }

    fn locks_of(&self, name: Name) -> impl Iterator<Item = (Latest, &[Name])> {
        let (start, end) = (self.starts(name).1, self.ends[name.index()].1 as usize);
        (start..end).map(|at| {
            let before = if at == 0 { 0 } else { self.locks[at - 1].reads as usize };
            (self.locks[at], &self.reads[before..self.locks[at].reads as usize])
        })
    }

    /// tmax(e, i).
    pub(crate) fn newest(&self, event: Name, process: ProcessId) -> Option<Name> {
        let threads = self.threads_of(event);
        threads.binary_search_by_key(&process, |&(process, _)| process).ok().map(|at| threads[at].1)
    }

    /// Whether `one` is part of the history of `other`.
    pub(crate) fn precedes(&self, one: Name, other: Name) -> bool {
        let newest = self.newest(other, self.structure.event(one).process);
        one != other && newest.is_some_and(|newest| self.events.is_ancestor(one.0, newest.0))
    }

    /// Whether no execution contains both.
    pub(crate) fn conflict(&self, one: Name, other: Name) -> bool {
        if one == other || self.precedes(one, other) || self.precedes(other, one) {
            return false;
        }
        let halts = |event: Name| self.structure.event(event).footprint == Footprint::HALT;
        halts(one) || halts(other) || self.threads_conflict(one, other) || self.locks_conflict(one, other)
    }

    fn threads_conflict(&self, one: Name, other: Name) -> bool {
        let is_ancestor = |one: Name, other: Name| self.events.is_ancestor(one.0, other.0);
        let related = |one, other| is_ancestor(one, other) || is_ancestor(other, one);
        let mut theirs = self.threads_of(other).iter().peekable();
        self.threads_of(one).iter().any(|&(process, ours)| {
            while theirs.next_if(|&&(other, _)| other < process).is_some() {}
            theirs.peek().is_some_and(|&&(other, theirs)| other == process && !related(ours, theirs))
        })
    }

    fn locks_conflict(&self, one: Name, other: Name) -> bool {
        let mut theirs = self.locks_of(other).peekable();
        self.locks_of(one).any(|(ours, our_reads)| {
            while theirs.next_if(|(latest, _)| latest.location < ours.location).is_some() {}
            let Some(&(latest, reads)) = theirs.peek().filter(|(latest, _)| latest.location == ours.location) else {
                return false;
            };
            !self.follows(latest.change, ours.change, our_reads) && !self.follows(ours.change, latest.change, reads)
        })
    }

    /// Whether a change of a location comes after another one of it and the reads since that, or is
    /// the same.
    fn follows(&self, later: u32, earlier: u32, reads: &[Name]) -> bool {
        if later == earlier {
            return true;
        }
        let depth = if earlier == NONE { 0 } else { self.uses.depth(earlier) + 1 };
        if later == NONE || self.uses.depth(later) < depth {
            return false;
        }
        let next = self.uses.at_depth(later, depth);
        let used = self.structure.used(next);
        used.parent == earlier && reads.iter().all(|&read| read == used.event || self.precedes(read, used.event))
    }
}

/// A map that is being made.
#[derive(Default)]
struct Map {
    threads: Vec<(ProcessId, Name)>,
    changes: Vec<(u32, u32)>,
    reads: Vec<(u32, u32, Name)>,
}

#[cfg(test)]
mod tests {
    use mazurka_relation::Footprints;
    use mazurka_trace::{Access, AccessKind, LocationId, SiteId};

    use super::*;
    use crate::unfolding::structure::{Draft, DraftUse};

    struct Random(u64);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % most
        }
    }

    /// How large a random program is, and how many executions of it are met.
    struct Size {
        processes: usize,
        steps: usize,
        locations: usize,
        executions: usize,
    }

    /// The unfolding of a random program, from random executions; the last of some of them ends it.
    /// Also the executions.
    fn random_structure(seed: u64, size: &Size, footprints: &mut Footprints) -> (Structure, Vec<Vec<Name>>) {
        const KINDS: [AccessKind; 3] = [AccessKind::Read, AccessKind::Write, AccessKind::Update];
        let mut random = Random(seed);
        let &Size { processes, steps, locations, executions } = size;
        let programs: Vec<Vec<Vec<(usize, AccessKind)>>> = (0..processes)
            .map(|_| {
                let step = |random: &mut Random| -> Vec<(usize, AccessKind)> {
                    let used = (0..locations).filter(|_| 2 * random.below(locations) < 3).collect::<Vec<_>>();
                    used.into_iter().map(|location| (location, KINDS[random.below(3)])).collect()
                };
                (0..steps).map(|_| step(&mut random)).collect()
            })
            .collect();
        let (mut structure, mut met) = (Structure::default(), Vec::new());
        let mut draft = Draft::default();
        for _ in 0..executions {
            let mut execution = Vec::new();
            let (mut latest, mut counts) = (vec![None; processes], vec![0; processes]);
            let mut heads: Vec<(Option<Name>, Vec<Name>)> = vec![Default::default(); locations];
            while counts.iter().any(|&count| count < steps) {
                let process = random.below(processes);
                let Some(step) = programs[process].get(counts[process]) else { continue };
                let halts = random.below(40) == 0;
                draft.begin(ProcessId::new(process), latest[process]);
                (draft.site, draft.index) = (SiteId::new(0), counts[process] as u32);
                if halts {
                    draft.footprint = Footprint::HALT;
                    let others = (0..processes).filter(|&other| other != process);
                    others.filter_map(|other| latest[other]).for_each(|cause| draft.add_cause(cause));
                    draft.causes.sort_unstable();
                    structure.intern(&draft);
                    break;
                }
                let access = |&(location, kind): &(usize, AccessKind)| Access {
                    location: LocationId::new(location),
                    kind,
                    before: 0,
                    after: 0,
                };
                draft.footprint = footprints.of(SiteId::new(0), &step.iter().map(access).collect::<Vec<_>>());
                for &(location, kind) in step {
                    let (write, reads) = &mut heads[location];
                    reads.sort_unstable();
                    let before = if kind.is_read() { &[][..] } else { &reads[..] };
                    before.iter().for_each(|&read| draft.add_cause(read));
                    let location = LocationId::new(location);
                    let parent = write.map_or(NONE, |write| structure.use_of(write, location));
                    draft.add_use(DraftUse { location, kind, parent }, *write);
                }
                let name = structure.intern(&draft);
                for &(location, kind) in step {
                    if kind.is_read() {
                        heads[location].1.push(name);
                    } else {
                        heads[location] = (Some(name), Vec::new());
                    }
                }
                latest[process] = Some(name);
                counts[process] += 1;
                execution.push(name);
            }
            met.push(execution);
        }
        (structure, met)
    }

    /// The histories with the events themselves, as sets.
    fn local_configurations(structure: &Structure) -> Vec<Vec<bool>> {
        let mut all: Vec<Vec<bool>> = Vec::new();
        for name in (0..structure.len() as u32).map(Name) {
            let mut own = vec![false; structure.len()];
            own[name.index()] = true;
            for cause in structure.causes(name) {
                own.iter_mut().zip(&all[cause.index()]).for_each(|(own, &theirs)| *own |= theirs);
            }
            all.push(own);
        }
        all
    }

    /// Theorem 6 says what the definitions of causality and conflict say, for every step of skip
    /// pointers.
    #[test]
    fn maps_agree_with_the_definitions() {
        let (mut conflicts, mut causes, mut concurrent) = (0, 0, 0);
        for seed in 0..200 {
            let mut footprints = Footprints::new();
            let size = Size { processes: 3, steps: 3, locations: 3, executions: 12 };
            let (structure, _) = random_structure(seed, &size, &mut footprints);
            let causality = Causality::new(&structure, 2 + seed as u32 % 5);
            let local = &local_configurations(&structure)[..];
            let names: Vec<Name> = (0..structure.len() as u32).map(Name).collect();
            let dependent = |one: Name, other: Name| {
                let (one, other) = (structure.event(one), structure.event(other));
                one.process == other.process || footprints.dependent(one.footprint, other.footprint)
            };
            // Definition 1: in conflict are events that are dependent and not ordered, and whatever
            // comes after such events.
            let immediate = |one: Name, other: Name| {
                one != other
                    && dependent(one, other)
                    && !local[one.index()][other.index()]
                    && !local[other.index()][one.index()]
            };
            for &one in &names {
                for &other in &names {
                    let before = one != other && local[other.index()][one.index()];
                    assert_eq!(causality.precedes(one, other), before, "seed {seed}: {one:?} < {other:?}");
                    let members = |event: Name| names.iter().filter(move |&&name| local[event.index()][name.index()]);
                    let conflict = members(one).any(|&mine| members(other).any(|&theirs| immediate(mine, theirs)));
                    assert_eq!(causality.conflict(one, other), conflict, "seed {seed}: {one:?} # {other:?}");
                    conflicts += usize::from(conflict);
                    causes += usize::from(before);
                    concurrent += usize::from(!conflict && !before && one != other);
                }
            }
        }
        assert!(conflicts > 10_000 && causes > 10_000 && concurrent > 10_000, "{conflicts} {causes} {concurrent}");
    }
}
