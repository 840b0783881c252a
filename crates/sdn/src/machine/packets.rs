//! Packets: what they are, and where they have been. All of it is immutable and kept once, so a
//! task names its packet by a number, and a packet that goes on costs one step of its trail.

use mazurka_machine::Digest;
use rustc_hash::FxHashMap;

use super::interned::{Interned, word};

/// How a switch came to do what it did with a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Decision {
    /// By a rule: its key and its action.
    Rule(u32, u32),
    /// The controller said so: the action.
    Told(u32),
}

/// One switch on the way of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Visit {
    /// The visit before, counted from 1; 0 is none.
    pub(super) before: u32,
    pub(super) switch: u32,
    pub(super) port: i64,
    pub(super) header: u32,
    pub(super) decision: Decision,
}

/// What a packet is called: who sent it, or of which packet it is which copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PacketName {
    /// As which of all that are sent, and the task that sent it.
    Sent(u32, u32),
    Copy(u32, u32),
}

/// A packet on its way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Packet {
    pub(super) name: u32,
    pub(super) header: u32,
    /// The last visit, counted from 1.
    pub(super) trail: u32,
}

/// All packets that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Packets {
    pub(super) headers: Interned<Vec<i64>>,
    pub(super) names: Interned<PacketName>,
    pub(super) packets: Interned<Packet>,
    visits: Interned<Visit>,
    /// How many visits a trail has.
    lengths: Vec<u32>,
    digests: FxHashMap<u32, Digest>,
}

impl Packets {
    pub(super) fn get(&self, packet: u32) -> Packet {
        *self.packets.get(packet)
    }

    pub(super) fn header(&self, packet: u32) -> &[i64] {
        self.headers.get(self.get(packet).header)
    }

    /// The visits of a packet, newest first.
    pub(super) fn trail(&self, packet: u32) -> impl Iterator<Item = Visit> + '_ {
        let mut at = self.get(packet).trail;
        std::iter::from_fn(move || {
            let visit = *self.visits.get(at.checked_sub(1)?);
            at = visit.before;
            Some(visit)
        })
    }

    /// How many switches a packet has passed.
    pub(super) fn hops(&self, packet: u32) -> i64 {
        self.get(packet).trail.checked_sub(1).map_or(0, |last| i64::from(self.lengths[last as usize]))
    }

    /// The packet after one more visit.
    pub(super) fn visit(&mut self, packet: u32, switch: u32, port: i64, decision: Decision) -> u32 {
        let Packet { name, header, trail } = self.get(packet);
        let length = self.hops(packet) as u32 + 1;
        let visit = self.visits.enter(Visit { before: trail, switch, port, header, decision });
        if self.lengths.len() == visit as usize {
            self.lengths.push(length);
        }
        self.packets.enter(Packet { name, header, trail: visit + 1 })
    }

    /// One of several copies of a packet.
    pub(super) fn copy(&mut self, packet: u32, nth: u32) -> u32 {
        let Packet { name, header, trail } = self.get(packet);
        let name = self.names.enter(PacketName::Copy(name, nth));
        self.packets.enter(Packet { name, header, trail })
    }

    /// As which of all that are sent a packet was sent, and the task that did it.
    pub(super) fn origin(&self, name: u32) -> (u32, u32) {
        let mut at = name;
        loop {
            match *self.names.get(at) {
                PacketName::Sent(number, task) => return (number, task),
                PacketName::Copy(of, _) => at = of,
            }
        }
    }

    /// A packet's name: `0`, `0.2.1`.
    pub(super) fn show(&self, name: u32) -> String {
        let (mut at, mut path) = (name, String::new());
        loop {
            match *self.names.get(at) {
                PacketName::Sent(number, _) => return format!("{number}{path}"),
                PacketName::Copy(of, nth) => {
                    path = format!(".{}{path}", nth + 1);
                    at = of;
                }
            }
        }
    }

    /// The digest of a packet's name, by which of all that are sent it is.
    pub(super) fn name_digest(&self, name: u32) -> Digest {
        let (mut at, mut digest) = (name, Digest::default().name(103));
        loop {
            match *self.names.get(at) {
                PacketName::Sent(number, _) => return digest.name(0).name(u64::from(number)),
                PacketName::Copy(of, nth) => {
                    digest = digest.name(u64::from(nth) + 1);
                    at = of;
                }
            }
        }
    }

    /// The digest of a packet: its name, its header, and where it has been.
    pub(super) fn digest(&mut self, packet: u32, decision: impl Fn(Decision) -> Digest) -> Digest {
        if let Some(&known) = self.digests.get(&packet) {
            return known;
        }
        let Packet { name, .. } = self.get(packet);
        let start = self.name_digest(name);
        let mut digest = self.header(packet).iter().fold(start, |digest, &value| digest.name(word(value)));
        for visit in self.trail(packet) {
            let header = self.headers.get(visit.header).iter();
            let at = digest.name(u64::from(visit.switch)).name(word(visit.port));
            digest = header.fold(at, |digest, &value| digest.name(word(value)));
            // The decision is mixed in through a name of its own.
            let mut mixed = digest.name(7);
            mixed.combine(decision(visit.decision));
            digest = mixed.name(8);
        }
        self.digests.insert(packet, digest);
        digest
    }
}
