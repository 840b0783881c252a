//! Footprints: what dependence needs to know of an event, as one small number.

use std::hash::Hasher;

use hashbrown::HashTable;
use mazurka_trace::{Access, AccessKind, LocationId, SiteId};
use rustc_hash::FxHasher;

use crate::conflicts;

/// The locations an event used and how, without the values, as a number: equal numbers, equal uses.
///
/// The use of a single location is written into the number itself; anything else is an index into a
/// table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Footprint(u32);

/// Set in a footprint that is an index into the table.
const TABLE: u32 = 1 << 31;
const KIND_BITS: u32 = 3;

impl Footprint {
    /// No location at all: independent of everything (but the events that end an execution).
    pub const EMPTY: Footprint = Footprint(TABLE);
    /// Everything: an event that ends the execution.
    pub const HALT: Footprint = Footprint(TABLE | 1);

    #[inline]
    fn single(location: LocationId, kind: AccessKind) -> Footprint {
        Footprint((location.index() as u32) << KIND_BITS | kind as u32)
    }

    #[inline]
    fn as_single(self) -> Option<(u32, AccessKind)> {
        use AccessKind::{Acquire, Cycle, Halt, Read, Release, Update, Write};
        const KINDS: [AccessKind; 8] = [Read, Write, Update, Acquire, Release, Cycle, Halt, Halt];
        (self.0 & TABLE == 0).then(|| (self.0 >> KIND_BITS, KINDS[(self.0 & ((1 << KIND_BITS) - 1)) as usize]))
    }
}

/// How two events depend on each other, where it counts who observes what they write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// Their order does not matter.
    Independent,
    /// They write the same locations and read nothing of each other: their order matters if
    /// somebody observes what is left.
    IfObserved,
    /// Their order matters.
    Dependent,
}

/// How much of what an event wrote is written again by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overwritten {
    /// Nothing.
    Not,
    /// Some locations, but not all.
    Partly,
    /// All of it.
    Wholly,
}

/// The table of footprints that use more than one location.
///
/// It grows with the number of *different* footprints that a program has, not with the number of
/// events.
#[derive(Debug)]
pub struct Footprints {
    /// Uses of each footprint, sorted by location; `ends[i]` is where those of number `i` end.
    uses: Vec<(LocationId, AccessKind)>,
    ends: Vec<u32>,
    table: HashTable<u32>,
    /// The footprint that the last event of each site had: mostly the next one has it too.
    latest: Vec<Footprint>,
    scratch: Vec<(LocationId, AccessKind)>,
}

impl Default for Footprints {
    fn default() -> Self {
        // Numbers 0 and 1 are `EMPTY` and `HALT`; neither lists its uses.
        Self { uses: Vec::new(), ends: vec![0, 0], table: HashTable::new(), latest: Vec::new(), scratch: Vec::new() }
    }
}

impl Footprints {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The footprint of an event at `site` with these accesses, each location once.
    #[inline]
    pub fn of(&mut self, site: SiteId, accesses: &[Access]) -> Footprint {
        match accesses {
            [] => Footprint::EMPTY,
            [access] if access.kind != AccessKind::Halt && access.location.index() < 1 << (31 - KIND_BITS) => {
                Footprint::single(access.location, access.kind)
            }
            _ => self.of_several(site, accesses),
        }
    }

    fn of_several(&mut self, site: SiteId, accesses: &[Access]) -> Footprint {
        if accesses.iter().any(|access| access.kind == AccessKind::Halt) {
            return Footprint::HALT;
        }
        self.scratch.clear();
        self.scratch.extend(accesses.iter().map(|access| (access.location, access.kind)));
        self.scratch.sort_unstable();
        if let Some(&latest) = self.latest.get(site.index()) {
            if latest != Footprint::EMPTY && self.uses(latest) == &self.scratch[..] {
                return latest;
            }
        } else {
            self.latest.resize(site.index() + 1, Footprint::EMPTY);
        }
        let footprint = self.look_up();
        self.latest[site.index()] = footprint;
        footprint
    }

    /// The number of the footprint in `scratch`, a new one if it is new.
    fn look_up(&mut self) -> Footprint {
        let hash = hash(&self.scratch);
        let (uses, ends) = (&self.uses, &self.ends);
        let same = |&number: &u32| uses[range(ends, number)] == self.scratch[..];
        if let Some(&number) = self.table.find(hash, same) {
            return Footprint(TABLE | number);
        }
        let number = u32::try_from(self.ends.len()).expect("fewer than 2^31 different footprints");
        assert!(number < TABLE, "fewer than 2^31 different footprints");
        self.uses.extend_from_slice(&self.scratch);
        self.ends.push(self.uses.len() as u32);
        let (uses, ends) = (&self.uses, &self.ends);
        self.table.insert_unique(hash, number, |&other| crate::footprint::hash(&uses[range(ends, other)]));
        Footprint(TABLE | number)
    }

    #[inline]
    fn uses(&self, footprint: Footprint) -> &[(LocationId, AccessKind)] {
        &self.uses[range(&self.ends, footprint.0 & !TABLE)]
    }

    /// The locations of a footprint, in order, and how they are used. None for [`Footprint::HALT`].
    pub fn list(&self, footprint: Footprint) -> impl Iterator<Item = (LocationId, AccessKind)> + '_ {
        let single = footprint.as_single().map(|(location, kind)| (LocationId::new(location as usize), kind));
        let several = if single.is_some() { &[][..] } else { self.uses(footprint) };
        single.into_iter().chain(several.iter().copied())
    }

    /// Whether two events of different processes with these footprints are dependent.
    #[inline]
    pub fn dependent(&self, one: Footprint, other: Footprint) -> bool {
        if let (Some((location, kind)), Some((other_location, other_kind))) = (one.as_single(), other.as_single()) {
            return location == other_location && conflicts(kind, other_kind);
        }
        self.dependent_several(one, other)
    }

    /// Whether both use some mutex.
    pub fn share_mutex(&self, one: Footprint, other: Footprint) -> bool {
        let unused = [(LocationId::default(), AccessKind::Read)];
        let (mut one_buffer, mut other_buffer) = (unused, unused);
        let (one, other) = (self.listed(one, &mut one_buffer), self.listed(other, &mut other_buffer));
        let in_other = |location: LocationId| other.iter().any(|&(known, _)| known == location);
        one.iter().any(|&(location, kind)| kind.is_mutex() && in_other(location))
    }

    /// How two events of different processes with these footprints depend on each other, if it
    /// counts who observes what they write.
    #[inline]
    pub fn dependence(&self, one: Footprint, other: Footprint) -> Dependence {
        if let (Some((location, kind)), Some((other_location, other_kind))) = (one.as_single(), other.as_single()) {
            return match (kind, other_kind) {
                _ if location != other_location => Dependence::Independent,
                (AccessKind::Write, AccessKind::Write) => Dependence::IfObserved,
                _ if conflicts(kind, other_kind) => Dependence::Dependent,
                _ => Dependence::Independent,
            };
        }
        if !self.dependent_several(one, other) {
            Dependence::Independent
        } else if self.overwrite_each_other(one, other) {
            Dependence::IfObserved
        } else {
            Dependence::Dependent
        }
    }

    /// Whether two events write the same locations, and neither reads what the other writes.
    fn overwrite_each_other(&self, one: Footprint, other: Footprint) -> bool {
        if one == Footprint::HALT || other == Footprint::HALT {
            return false;
        }
        let unused = [(LocationId::default(), AccessKind::Read)];
        let (mut one_buffer, mut other_buffer) = (unused, unused);
        let (a, b) = (self.listed(one, &mut one_buffer), self.listed(other, &mut other_buffer));
        let changes = |&&(_, kind): &&(LocationId, AccessKind)| !kind.is_read();
        a.iter().filter(changes).eq(b.iter().filter(changes))
            && a.iter().filter(changes).all(|&(location, kind)| {
                kind == AccessKind::Write && a.iter().chain(b).all(|&(l, k)| l != location || k == AccessKind::Write)
            })
    }

    /// How much of what an event with footprint `earlier` wrote is written again by one with
    /// footprint `later`.
    pub fn overwritten(&self, earlier: Footprint, later: Footprint) -> Overwritten {
        if later == Footprint::HALT || earlier == Footprint::HALT {
            return Overwritten::Partly;
        }
        let unused = [(LocationId::default(), AccessKind::Read)];
        let (mut one_buffer, mut other_buffer) = (unused, unused);
        let (a, b) = (self.listed(later, &mut one_buffer), self.listed(earlier, &mut other_buffer));
        let again = |location| a.iter().any(|&(l, kind)| l == location && !kind.is_read());
        let mut written = b.iter().filter(|(_, kind)| !kind.is_read()).map(|&(location, _)| again(location));
        let first = written.next().unwrap_or(false);
        match written.all(|again| again == first) {
            true if first => Overwritten::Wholly,
            true => Overwritten::Not,
            false => Overwritten::Partly,
        }
    }

    /// Whether an event with footprint `reader` observes what one with footprint `writer` writes.
    #[inline]
    pub fn observes(&self, reader: Footprint, writer: Footprint) -> bool {
        if reader == Footprint::HALT || writer == Footprint::HALT {
            return true;
        }
        let unused = [(LocationId::default(), AccessKind::Read)];
        let (mut one_buffer, mut other_buffer) = (unused, unused);
        let (a, b) = (self.listed(reader, &mut one_buffer), self.listed(writer, &mut other_buffer));
        a.iter().any(|&(location, kind)| kind.observes() && b.iter().any(|&(l, k)| l == location && !k.is_read()))
    }

    fn dependent_several(&self, one: Footprint, other: Footprint) -> bool {
        if one == Footprint::HALT || other == Footprint::HALT {
            return true;
        }
        let unused = [(LocationId::default(), AccessKind::Read)];
        let (mut one_buffer, mut other_buffer) = (unused, unused);
        let (mut a, mut b) = (self.listed(one, &mut one_buffer), self.listed(other, &mut other_buffer));
        while let ([(one_location, one_kind), one_rest @ ..], [(other_location, other_kind), other_rest @ ..]) = (a, b)
        {
            if one_location == other_location {
                if conflicts(*one_kind, *other_kind) {
                    return true;
                }
                (a, b) = (one_rest, other_rest);
            } else if one_location < other_location {
                a = one_rest;
            } else {
                b = other_rest;
            }
        }
        false
    }

    fn listed<'a>(
        &'a self,
        footprint: Footprint,
        buffer: &'a mut [(LocationId, AccessKind); 1],
    ) -> &'a [(LocationId, AccessKind)] {
        match footprint.as_single() {
            Some((location, kind)) => {
                *buffer = [(LocationId::new(location as usize), kind)];
                buffer
            }
            None => self.uses(footprint),
        }
    }
}

#[inline]
fn range(ends: &[u32], number: u32) -> std::ops::Range<usize> {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    start..ends[number] as usize
}

fn hash(uses: &[(LocationId, AccessKind)]) -> u64 {
    let mut hasher = FxHasher::default();
    for &(location, kind) in uses {
        hasher.write_u64((location.index() as u64) << 8 | kind as u64);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(location: usize, kind: AccessKind) -> Access {
        Access { location: LocationId::new(location), kind, before: 0, after: 0 }
    }

    /// The table agrees with the definition on random events.
    #[test]
    fn agrees_with_the_definition() {
        use AccessKind::{Read, Update, Write};
        let mut seed = 3u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut footprints = Footprints::new();
        let mut events: Vec<(Vec<Access>, Footprint)> = Vec::new();
        for _ in 0..300 {
            let mut accesses: Vec<Access> = Vec::new();
            for _ in 0..random(4) {
                let location = random(6) as usize;
                if accesses.iter().all(|access| access.location.index() != location) {
                    accesses.push(access(location, [Read, Write, Update][random(3) as usize]));
                }
            }
            let footprint = footprints.of(SiteId::new(random(5) as usize), &accesses);
            events.push((accesses, footprint));
        }
        for (one, one_footprint) in &events {
            for (other, other_footprint) in &events {
                let expected = one
                    .iter()
                    .any(|a| other.iter().any(|b| a.location == b.location && !(a.kind == Read && b.kind == Read)));
                assert_eq!(footprints.dependent(*one_footprint, *other_footprint), expected);
                let key = |accesses: &[Access]| {
                    let mut key: Vec<_> = accesses.iter().map(|a| (a.location, a.kind)).collect();
                    key.sort();
                    key
                };
                assert_eq!(one_footprint == other_footprint, key(one) == key(other));
            }
        }
    }

    #[test]
    fn an_end_concerns_everybody() {
        let mut footprints = Footprints::new();
        let halt = footprints.of(SiteId::new(0), &[access(3, AccessKind::Read), access(0, AccessKind::Halt)]);
        let read = footprints.of(SiteId::new(0), &[access(9, AccessKind::Read)]);
        assert!(footprints.dependent(halt, read) && footprints.dependent(Footprint::EMPTY, halt));
        assert!(!footprints.dependent(Footprint::EMPTY, read));
    }

    #[test]
    fn every_two_operations_on_a_mutex_are_dependent() {
        use AccessKind::{Acquire, Cycle, Release};
        for one in [Acquire, Release, Cycle] {
            for other in [Acquire, Release, Cycle] {
                assert!(conflicts(one, other));
            }
        }
    }
}
