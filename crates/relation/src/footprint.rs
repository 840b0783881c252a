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
    /// Wherever they meet, both merely write: their order matters if somebody observes what is left
    /// there.
    IfObserved,
    /// Their order matters.
    Dependent,
}

/// Of the locations that an event uses, those that another one merely writes as the event itself
/// does, by their places in the event's footprint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contested(u64);

impl Contested {
    /// No location.
    pub const NOTHING: Contested = Contested(0);

    /// A location beyond these places is never contested: see [`Footprints::dependence`].
    const PLACES: usize = u64::BITS as usize;

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The locations of both.
    #[inline]
    pub fn and(self, other: Contested) -> Contested {
        Contested(self.0 | other.0)
    }

    fn contains(self, place: usize) -> bool {
        place < Self::PLACES && self.0 >> place & 1 == 1
    }
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

    /// The footprint with these uses: see [`Footprints::list`].
    pub fn of_uses(&mut self, uses: &[(LocationId, AccessKind)]) -> Footprint {
        match *uses {
            [] => Footprint::EMPTY,
            [(location, kind)] if location.index() < 1 << (31 - KIND_BITS) => Footprint::single(location, kind),
            _ => {
                self.scratch.clear();
                self.scratch.extend_from_slice(uses);
                self.look_up()
            }
        }
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
        self.dependence_of_several(one, other)
    }

    fn dependence_of_several(&self, one: Footprint, other: Footprint) -> Dependence {
        if one == Footprint::HALT || other == Footprint::HALT {
            return Dependence::Dependent;
        }
        let mut dependence = Dependence::Independent;
        for (place, other_place, kind, other_kind) in self.common(one, other) {
            let merely_written = (kind, other_kind) == (AccessKind::Write, AccessKind::Write);
            if merely_written && place.max(other_place) < Contested::PLACES {
                dependence = Dependence::IfObserved;
            } else if conflicts(kind, other_kind) {
                return Dependence::Dependent;
            }
        }
        dependence
    }

    /// The locations that two footprints have in common: their places in both, and how both use
    /// them.
    fn common(
        &self,
        one: Footprint,
        other: Footprint,
    ) -> impl Iterator<Item = (usize, usize, AccessKind, AccessKind)> + '_ {
        let mut others = self.list(other).enumerate().peekable();
        self.list(one).enumerate().filter_map(move |(place, (location, kind))| {
            while others.next_if(|&(_, (other, _))| other < location).is_some() {}
            let &(other_place, (_, other_kind)) = others.peek().filter(|&&(_, (other, _))| other == location)?;
            Some((place, other_place, kind, other_kind))
        })
    }

    /// How two events use the location that they have in common, if each uses a single one.
    #[inline]
    fn common_of_singles(one: Footprint, other: Footprint) -> Option<Option<(AccessKind, AccessKind)>> {
        let ((location, kind), (other_location, other_kind)) = (one.as_single()?, other.as_single()?);
        Some((location == other_location).then_some((kind, other_kind)))
    }

    /// Where an event with footprint `event` and another one both merely write.
    #[inline]
    pub fn contested(&self, event: Footprint, other: Footprint) -> Contested {
        if let Some(kinds) = Self::common_of_singles(event, other) {
            return Contested(u64::from(kinds == Some((AccessKind::Write, AccessKind::Write))));
        }
        self.contested_by_several(event, other)
    }

    fn contested_by_several(&self, event: Footprint, other: Footprint) -> Contested {
        let merely_written = |&(place, _, kind, other_kind): &(usize, usize, AccessKind, AccessKind)| {
            (kind, other_kind) == (AccessKind::Write, AccessKind::Write) && place < Contested::PLACES
        };
        let places = self.common(event, other).filter(merely_written).map(|(place, ..)| 1 << place);
        Contested(places.fold(0, |all, place: u64| all | place))
    }

    /// Whether an event with footprint `reader` observes what one with footprint `writer` writes at
    /// these locations.
    #[inline]
    pub fn observes_contested(&self, reader: Footprint, writer: Footprint, contested: Contested) -> bool {
        if let Some(kinds) = Self::common_of_singles(writer, reader) {
            return contested.contains(0) && kinds.is_some_and(|(_, kind)| kind.observes());
        }
        reader == Footprint::HALT || writer == Footprint::HALT || self.observe_contested(reader, writer, contested)
    }

    fn observe_contested(&self, reader: Footprint, writer: Footprint, contested: Contested) -> bool {
        self.common(writer, reader).any(|(place, _, _, kind)| contested.contains(place) && kind.observes())
    }

    /// Of these locations of an event with footprint `writer`, those that a later one with
    /// footprint `later` does not write again.
    #[inline]
    pub fn still_contested(&self, later: Footprint, writer: Footprint, contested: Contested) -> Contested {
        if let Some(kinds) = Self::common_of_singles(writer, later) {
            return if kinds.is_some_and(|(_, kind)| !kind.is_read()) { Contested::NOTHING } else { contested };
        }
        self.left_contested(later, writer, contested)
    }

    fn left_contested(&self, later: Footprint, writer: Footprint, contested: Contested) -> Contested {
        let mut left = contested;
        for (place, _, _, kind) in self.common(writer, later) {
            if contested.contains(place) && !kind.is_read() {
                left.0 &= !(1 << place);
            }
        }
        left
    }

    /// Whether two events change the same locations, and merely write them.
    pub fn overwrite_each_other(&self, one: Footprint, other: Footprint) -> bool {
        let changes = |footprint| self.list(footprint).filter(|(_, kind)| !kind.is_read());
        one != Footprint::HALT
            && other != Footprint::HALT
            && changes(one).eq(changes(other))
            && changes(one).all(|(_, kind)| kind == AccessKind::Write)
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

    /// What two events contest, who observes it, and what is left of it, by definition.
    #[test]
    fn contested_locations_agree_with_the_definition() {
        use AccessKind::{Read, Update, Write};
        let mut footprints = Footprints::new();
        let mut events: Vec<(Vec<Access>, Footprint)> = Vec::new();
        for number in 0..4usize.pow(3) {
            let kinds = (0..3).map(|location| (location, number / 4usize.pow(location as u32) % 4));
            let accesses: Vec<Access> =
                kinds.filter(|(_, kind)| *kind < 3).map(|(at, kind)| access(at, [Read, Write, Update][kind])).collect();
            let footprint = footprints.of(SiteId::new(0), &accesses);
            events.push((accesses, footprint));
        }
        let kind_at = |accesses: &[Access], at: &Access| {
            accesses.iter().find(|access| access.location == at.location).map(|access| access.kind)
        };
        for (one, one_footprint) in &events {
            for (other, other_footprint) in &events {
                let meets = |access: &&Access| kind_at(other, access).is_some();
                let both_write = |access: &&Access| access.kind == Write && kind_at(other, access) == Some(Write);
                let both_read = |access: &&Access| access.kind == Read && kind_at(other, access) == Some(Read);
                let expected = match one.iter().filter(meets).find(|access| !both_write(access) && !both_read(access)) {
                    Some(_) => Dependence::Dependent,
                    None if one.iter().any(|access| both_write(&access)) => Dependence::IfObserved,
                    None => Dependence::Independent,
                };
                assert_eq!(footprints.dependence(*one_footprint, *other_footprint), expected);
                let contested = footprints.contested(*one_footprint, *other_footprint);
                let places: Vec<usize> = (0..one.len()).filter(|&place| both_write(&&one[place])).collect();
                assert!((0..64).all(|place| contested.contains(place) == places.contains(&place)));
                for (third, third_footprint) in &events {
                    let kinds = || places.iter().filter_map(|&place| kind_at(third, &one[place]));
                    let observed = footprints.observes_contested(*third_footprint, *one_footprint, contested);
                    assert_eq!(observed, kinds().any(AccessKind::observes));
                    let left = footprints.still_contested(*third_footprint, *one_footprint, contested);
                    let changed = kinds().filter(|kind| !kind.is_read()).count();
                    assert_eq!(left.0.count_ones() as usize, places.len() - changed);
                }
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
