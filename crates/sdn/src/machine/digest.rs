//! Digests of states: of the cells by their names, and of the tasks that there are by theirs.

use mazurka_machine::Digest;
use mazurka_machine::undo::Change;
use mazurka_trace::ProcessId;

use super::NetworkMachine;
use super::interned::word;
use super::mutation::{Mutation, on};
use super::outcome::Outcome;
use super::packets::Decision;
use super::store::Owner;
use super::tables::{digest_of_action, digest_of_match};
use super::tasks::{Kind, Task};

impl NetworkMachine {
    pub(super) fn digest_of_decision(&self, decision: Decision) -> Digest {
        match decision {
            Decision::Rule(key, action) => {
                let mut digest = self.store.name(self.tables.locations[key as usize] as usize).name(1);
                digest.combine(digest_of_action(self.tables.actions.get(action)));
                digest
            }
            Decision::Told(action) => digest_of_action(self.tables.actions.get(action)).name(2),
        }
    }

    fn digest_of_packet(&mut self, packet: u32) -> Digest {
        let mut packets = std::mem::take(&mut self.packets);
        let digest = packets.digest(packet, |decision| self.digest_of_decision(decision));
        self.packets = packets;
        digest
    }

    /// What a task is, by what it says and not by numbers of this machine.
    pub(super) fn content(&mut self, task: Task) -> Digest {
        let start = |kind: u64| Digest::default().name(105).name(kind);
        let mut digest = match task.kind {
            Kind::Send(number) => start(1).name(u64::from(number)),
            Kind::Deliver { host, packet } => self.with_packet(start(2).name(u64::from(host)), packet),
            Kind::Arrive { switch, port, packet } => {
                self.with_packet(start(3).name(u64::from(switch)).name(word(port)), packet)
            }
            Kind::PacketIn { switch, port, packet } => {
                self.with_packet(start(4).name(u64::from(switch)).name(word(port)), packet)
            }
            Kind::Start { switch } => start(5).name(u64::from(switch)),
            Kind::Resume { handler, pc, frame, sent } => {
                let frame = self.tasks.frames.get(frame);
                let mut digest =
                    frame.iter().fold(start(6).name(u64::from(pc)), |digest, &value| digest.name(word(value)));
                digest.combine(self.tasks.digest(ProcessId::new(handler as usize)));
                for (switch, lists) in self.tasks.sent.get(sent) {
                    digest = digest.name(u64::from(*switch));
                    digest.combine(self.tasks.list_digest(&lists.before));
                    digest = digest.name(1);
                    digest.combine(self.tasks.list_digest(&lists.since));
                }
                digest
            }
            Kind::FlowMod { key, action } => {
                let mut digest = start(7);
                digest.combine(self.digest_of_decision(Decision::Rule(key, action)));
                digest
            }
            Kind::Remove { key } => {
                let mut digest = start(8);
                digest.combine(self.store.name(self.tables.locations[key as usize] as usize));
                digest
            }
            Kind::RemoveAll { switch, matches } => {
                digest_of_match(start(9).name(u64::from(switch)), self.matches.get(matches))
            }
            Kind::PacketOut { buffer, action } => {
                let mut digest = start(10);
                digest.combine(self.tasks.digest(ProcessId::new(buffer as usize)));
                if let Some(action) = action {
                    digest = digest.name(1);
                    digest.combine(digest_of_action(self.tables.actions.get(action)));
                }
                digest
            }
            Kind::End => start(11),
        };
        digest = digest.name(11);
        digest.combine(self.tasks.list_digest(self.tasks.waits.get(task.waits)));
        digest.name(12)
    }

    fn with_packet(&mut self, digest: Digest, packet: u32) -> Digest {
        let mut digest = digest;
        digest.combine(self.digest_of_packet(packet));
        digest.name(13)
    }

    /// What a cell with this value adds to a state.
    fn part(&self, location: usize, value: i64) -> Digest {
        let slot = self.store.name(location);
        let mixed = |digest: Digest| {
            let mut part = slot.name(14);
            part.combine(digest);
            part.name(15)
        };
        match self.store.owners[location] {
            // What is not there counts as nothing, whether it was met or not.
            Owner::Key(_) | Owner::Buffer(_) | Owner::Outcome(_) | Owner::Unforeseen(_) if value == 0 => {
                Digest::default()
            }
            Owner::Key(_) => mixed(digest_of_action(self.tables.actions.get(value as u32 - 1))),
            Owner::Epoch(_) => {
                let lists = self.tasks.epochs.get(value as u32);
                let mut digest = self.tasks.list_digest(&lists.before).name(1);
                digest.combine(self.tasks.list_digest(&lists.since));
                mixed(digest)
            }
            Owner::Outcome(_) if on(Mutation::OutcomesUncompared) => Digest::default(),
            Owner::Outcome(_) => mixed(Outcome::from_word(value).digest()),
            Owner::Variable(..) | Owner::Stage(_) | Owner::Buffer(_) | Owner::Unforeseen(_) => slot.name(word(value)),
        }
    }

    /// See `Run::digest`.
    pub(super) fn digest_of_all(&self) -> Digest {
        let mut digest = self.digest_of_tasks();
        for location in 0..self.store.memory.len() {
            digest.combine(self.part(location, self.store.memory[location]));
        }
        digest
    }

    /// See `Run::local_digest`.
    pub(super) fn digest_of_tasks(&self) -> Digest {
        let mut digest = Digest::default();
        for process in self.live.iter() {
            digest.combine(self.tasks.digest(process));
        }
        digest
    }

    /// See `Machine::effects_since`.
    pub(super) fn digest_of_effects(&mut self, steps: usize) -> Digest {
        let mut digest = Digest::default();
        let mut met = std::mem::take(&mut self.met);
        met.begin(self.store.memory.len());
        let first = self.records.get(steps).map_or(self.store.log.len(), |record| record.log as usize);
        for at in first..self.store.log.len() {
            let Change { slot, old } = self.store.log[at];
            let new = self.store.memory[slot as usize];
            if met.mark(slot as usize) && old != new {
                digest.combine(self.part(slot as usize, old));
                digest.combine(self.part(slot as usize, new));
            }
        }
        self.met = met;
        for record in self.records.get(steps..).unwrap_or_default() {
            if record.ended {
                digest.combine(self.tasks.digest(record.process));
            }
        }
        for process in self.started.since(steps) {
            digest.combine(self.tasks.digest(process));
        }
        digest
    }
}
