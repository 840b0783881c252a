//! Flow tables.
//!
//! A table is a set of rules by their keys, a priority and a match. Each key of each switch is a
//! location that holds what the rule does, or nothing. So two installations are dependent if they
//! have the same key, and a lookup depends on all rules that match the packet, whether they are
//! there or not: it names all of their keys. Which keys there can be is found out by running the
//! network a few times before (`Image::new`). A rule with another key is *unforeseen*: it changes a
//! location that every lookup at its switch reads, which costs executions, and nothing else.

use mazurka_machine::Digest;
use rustc_hash::FxHashMap;

use super::interned::{Interned, word};
use super::mutation::{Mutation, on};
use super::store::{Owner, Store};
use crate::hir::{Action, Match};

/// What a rule is called by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) switch: u32,
    pub(crate) priority: i64,
    pub(crate) matches: Match,
}

/// Whether a match fits a header at a port.
pub(super) fn covers(matches: &Match, header: &[i64], port: i64) -> bool {
    let ports = if on(Mutation::PortIgnored) { matches.len() - 1 } else { matches.len() };
    let values = header.iter().chain([&port]);
    matches[..ports].iter().zip(values).all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
}

/// Whether all that the second match fits, the first one fits.
pub(super) fn includes(one: &Match, other: &Match) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_none() || one == other)
}

/// Whether some packet fits both.
pub(crate) fn intersect(one: &Match, other: &Match) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_none() || other.is_none() || one == other)
}

/// A header at a port of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Point {
    pub(super) switch: u32,
    pub(super) header: u32,
    pub(super) port: i64,
}

/// The keys that were met, and which of them fit what.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    keys: Interned<Key>,
    /// The location of each key.
    pub(super) locations: Vec<u32>,
    of_switch: Vec<Vec<u32>>,
    pub(super) actions: Interned<Action>,
    points: FxHashMap<Point, u32>,
    points_of: Vec<Vec<(u32, u32, i64)>>,
    /// For each point the keys that fit, highest priority first.
    fitting: Vec<Vec<u32>>,
    /// Keys with smaller numbers were foreseen.
    pub(super) foreseen: u32,
}

impl Tables {
    pub(super) fn new(switches: usize) -> Self {
        let lists = || vec![Vec::new(); switches];
        Tables { of_switch: lists(), points_of: vec![Vec::new(); switches], ..Tables::default() }
    }

    pub(super) fn key(&self, key: u32) -> &Key {
        self.keys.get(key)
    }

    /// All keys that were met, in the order of their numbers.
    pub(super) fn all(&self) -> &[Key] {
        self.keys.all()
    }

    /// The keys of a switch.
    pub(super) fn of_switch(&self, switch: u32) -> &[u32] {
        &self.of_switch[switch as usize]
    }

    /// The number of a key.
    pub(super) fn enter(&mut self, key: Key, headers: &Interned<Vec<i64>>, store: &mut Store) -> u32 {
        let known = self.keys.len();
        let number = self.keys.enter(key);
        if number as usize == known {
            let key = self.keys.get(number);
            let name = digest_of_key(key);
            self.locations.push(store.add(Owner::Key(number), name, 0));
            self.of_switch[key.switch as usize].push(number);
            let points = &self.points_of[key.switch as usize];
            let fits = points.iter().filter(|&&(_, header, port)| covers(&key.matches, headers.get(header), port));
            let fits: Vec<u32> = fits.map(|&(point, ..)| point).collect();
            for point in fits {
                self.fitting[point as usize].push(number);
                self.sort(point);
            }
        }
        number
    }

    fn sort(&mut self, point: u32) {
        let Tables { fitting, keys, .. } = self;
        fitting[point as usize].sort_by(|&one, &other| {
            let (one, other) = (keys.get(one), keys.get(other));
            other.priority.cmp(&one.priority).then_with(|| one.matches.cmp(&other.matches))
        });
    }

    /// The keys that fit a point, highest priority first.
    pub(super) fn fitting(&mut self, at: Point, headers: &Interned<Vec<i64>>) -> u32 {
        if let Some(&known) = self.points.get(&at) {
            return known;
        }
        let point = self.fitting.len() as u32;
        let header = headers.get(at.header);
        let keys = self.of_switch[at.switch as usize].iter().copied();
        let fits = keys.filter(|&key| covers(&self.keys.get(key).matches, header, at.port)).collect();
        self.fitting.push(fits);
        self.sort(point);
        self.points.insert(at, point);
        self.points_of[at.switch as usize].push((point, at.header, at.port));
        point
    }

    pub(super) fn at_point(&self, point: u32) -> &[u32] {
        &self.fitting[point as usize]
    }

    /// The keys that two rules must not both have with different actions.
    pub(super) fn rivals(&self, key: u32) -> impl Iterator<Item = u32> + '_ {
        let own = self.key(key);
        self.of_switch(own.switch).iter().copied().filter(move |&other| {
            let rival = self.key(other);
            other != key && rival.priority == own.priority && intersect(&rival.matches, &own.matches)
        })
    }
}

/// A name for a key.
fn digest_of_key(key: &Key) -> Digest {
    let start = Digest::default().name(101).name(u64::from(key.switch)).name(word(key.priority));
    digest_of_match(start, &key.matches)
}

pub(super) fn digest_of_match(start: Digest, matches: &Match) -> Digest {
    matches.iter().fold(start, |digest, value| match value {
        Some(value) => digest.name(1).name(word(*value)),
        None => digest.name(0),
    })
}

pub(super) fn digest_of_action(action: &Action) -> Digest {
    let start = Digest::default().name(102);
    match action {
        Action::Drop => start.name(1),
        Action::Flood => start.name(2),
        Action::Controller => start.name(3),
        Action::Out(ports) => ports.iter().fold(start.name(4), |digest, &port| digest.name(word(port))),
    }
}
