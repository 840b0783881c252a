//! Taking a step.

use std::sync::Arc;

use mazurka_trace::{
    Access, AccessKind, Choice, Ending, Event, Fault, FaultKind, LocationId, ProcessId, SiteId, Value,
};

use super::mutation::{Mutation, on};
use super::outcome::Outcome;
use super::packets::{Packet, PacketName};
use super::store::{Owner, touch};
use super::tables::{Key, includes};
use super::tasks::{Kind, Task};
use super::{NetworkMachine, Record};
use crate::eval::Trouble;
use crate::hir::{FieldValue, Kind as Property};

/// What `detail` of a fault of kind `Misuse` says first.
pub(super) mod misuse {
    /// A map has no such entry.
    pub(in crate::machine) const MISSING: i64 = 0;
    /// No path leads there.
    pub(in crate::machine) const NO_PATH: i64 = 1;
    /// The packet does not wait there any more.
    pub(in crate::machine) const TAKEN: i64 = 2;
    /// The packet waits at another switch.
    pub(in crate::machine) const ELSEWHERE: i64 = 3;
}

/// What ends a step before its end.
pub(super) enum Stop {
    Trouble(Trouble),
    OutOfFuel,
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Stop::Trouble(trouble)
    }
}

impl NetworkMachine {
    /// See `Run::step`.
    pub(super) fn take_step(&mut self, process: ProcessId, choices: &[Value], event: &mut Event) {
        assert!(self.live.contains(process), "a task that is not live was stepped");
        let task = self.tasks.get(process);
        event.begin(process, SiteId::new(task.site as usize));
        event.joined.extend_from_slice(self.tasks.waits.get(task.waits));
        event.varies = self.varies(task.kind);
        self.records.push(Record { process, log: self.store.log.len() as u32, ended: true });
        self.live.remove(process);
        let done = match task.kind {
            Kind::Send(number) => {
                self.send(process, number, choices, event);
                Ok(())
            }
            Kind::Deliver { host, packet } => self.deliver(host, packet, event),
            Kind::Arrive { switch, port, packet } => self.arrive(switch, port, packet, choices, event),
            Kind::PacketOut { buffer, action } => self.packet_out(buffer, action, task.site, choices, event),
            Kind::PacketIn { .. } | Kind::Start { .. } | Kind::Resume { .. } => self.handle(process, task.kind, event),
            Kind::FlowMod { key, action } => {
                self.install(key, i64::from(action) + 1, event);
                Ok(())
            }
            Kind::Remove { key } => {
                self.install(key, 0, event);
                Ok(())
            }
            Kind::RemoveAll { switch, matches } => {
                self.remove_all(switch, matches, event);
                Ok(())
            }
            Kind::End => unreachable!("the end of a network is not stepped"),
        };
        if let Err(stop) = done {
            self.halt(process, &stop, event);
        }
    }

    /// Whether what a task uses depends on what it reads.
    fn varies(&self, kind: Kind) -> bool {
        let network = &self.image.network;
        let looks = |property: &Property| {
            matches!(property, Property::NeverDeliver(_, Some(_)) | Property::NeverForward(_, Some(_)))
        };
        match kind {
            Kind::PacketIn { .. } | Kind::Start { .. } | Kind::Resume { .. } | Kind::RemoveAll { .. } => true,
            Kind::Arrive { .. } | Kind::PacketOut { .. } | Kind::Deliver { .. } => {
                network.overlaps_chosen || !network.stages.is_empty() || self.property(looks).is_some()
            }
            Kind::Send(_) | Kind::FlowMod { .. } | Kind::Remove { .. } | Kind::End => false,
        }
    }

    /// The execution ends here.
    fn halt(&mut self, process: ProcessId, stop: &Stop, event: &mut Event) {
        if let Some(record) = self.records.last_mut() {
            record.ended = false;
        }
        self.live.insert(process);
        event.ending = Ending::Halts;
        match *stop {
            Stop::OutOfFuel => event.ending = Ending::OutOfFuel,
            Stop::Trouble(trouble) => {
                let (kind, site, detail) = match trouble {
                    Trouble::Overflow(site) => (FaultKind::Overflow, site, [0; 2]),
                    Trouble::DivisionByZero(site) => (FaultKind::DivisionByZero, site, [0; 2]),
                    Trouble::Range(site, value) => (FaultKind::Bounds, site, [value, 0]),
                    Trouble::Missing(site) => (FaultKind::Misuse, site, [misuse::MISSING, 0]),
                    Trouble::NoPath(site) => (FaultKind::Misuse, site, [misuse::NO_PATH, 0]),
                    Trouble::Unknown => (FaultKind::Unmodelled, 0, [0; 2]),
                };
                event.faults.push(Fault { kind, process, site: SiteId::new(site as usize), detail });
            }
        }
        event.accesses.push(Access { location: LocationId::new(0), kind: AccessKind::Halt, before: 0, after: 0 });
    }

    /// Makes a task.
    pub(super) fn spawn(&mut self, kind: Kind, waits: u32, site: u32, event: &mut Event) -> ProcessId {
        let parent = event.process.index() as u32 + 1;
        let task = Task { parent, nth: event.spawned.len() as u32, kind, waits, site };
        let process = self.enter_task(task);
        self.live.insert(process);
        self.started.note(self.records.len() - 1, process);
        event.spawned.push(process);
        process
    }

    /// A host sends a packet.
    fn send(&mut self, process: ProcessId, number: u32, choices: &[Value], event: &mut Event) {
        let image = Arc::clone(&self.image);
        let sent = &image.network.sent[number as usize];
        let mut header = Vec::with_capacity(sent.fields.len());
        for field in &sent.fields {
            header.push(match *field {
                FieldValue::Fixed(value) => value,
                FieldValue::Any(low, high) => choose(low, high, choices, event),
            });
        }
        let header = self.packets.headers.enter(header);
        let name = self.packets.names.enter(PacketName::Sent(number, process.index() as u32));
        let packet = self.packets.packets.enter(Packet { name, header, trail: 0 });
        let host = &image.network.hosts[sent.host];
        let switch = host.switch as u32;
        let site = image.network.switches[host.switch].site;
        self.spawn(Kind::Arrive { switch, port: host.port, packet }, 0, site, event);
    }

    /// A rule, or nothing (0), at a key.
    fn install(&mut self, key: u32, value: i64, event: &mut Event) {
        let switch = self.tables.key(key).switch;
        let cell = self.tables.locations[key as usize];
        let before = self.store.get(cell);
        if key >= self.tables.foreseen && !on(Mutation::UnforeseenUntold) {
            touch(event, self.first.unforeseen + switch, AccessKind::Update, 0, 0);
        } else if self.strict {
            touch(event, self.first.unforeseen + switch, AccessKind::Read, 0, 0);
        }
        match value == 0 && on(Mutation::RemovalUntold) {
            true => self.store.put(cell, value),
            false => self.store.write(cell, AccessKind::Write, value, event),
        }
        self.changed |= before != 0 && before != value;
        if value != 0 && self.property(|kind| matches!(kind, Property::ConsistentTables)).is_some() {
            self.look_for_contradictions(key, value, event);
        }
    }

    /// Contradictions with a rule that was just installed. While rules are only added, the second
    /// of two shows it in every order, so what is looked at is named only where some are removed.
    fn look_for_contradictions(&mut self, key: u32, value: i64, event: &mut Event) {
        let rivals: Vec<u32> = self.tables.rivals(key).collect();
        for rival in rivals {
            let cell = self.tables.locations[rival as usize];
            let other = match self.strict && rival < self.tables.foreseen {
                true => self.store.read(cell, event),
                false => self.store.get(cell),
            };
            if other != 0 && other != value {
                let fault = self.contradiction(key.min(rival), key.max(rival));
                event.faults.push(fault);
            }
        }
    }

    /// Two rules contradict each other. The failure is that of the network, whenever it is noticed.
    pub(super) fn contradiction(&self, one: u32, other: u32) -> Fault {
        let process = self.finale;
        let site = self.property(|kind| matches!(kind, Property::ConsistentTables)).unwrap_or(0);
        let detail = [i64::from(one), i64::from(other)];
        Fault { kind: FaultKind::Policy, process, site: SiteId::new(site as usize), detail }
    }

    /// Removes all rules that a match includes. Rules that were not foreseen are told of together.
    fn remove_all(&mut self, switch: u32, matches: u32, event: &mut Event) {
        let unforeseen = self.first.unforeseen + switch;
        touch(event, unforeseen, AccessKind::Read, 0, 0);
        let matches = self.matches.get(matches).clone();
        let keys: Vec<u32> = self.tables.of_switch(switch).to_vec();
        for key in keys {
            let Key { matches: own, .. } = self.tables.key(key);
            if !includes(&matches, own) {
                continue;
            }
            let cell = self.tables.locations[key as usize];
            self.changed |= self.store.get(cell) != 0;
            if on(Mutation::RemovalUntold) {
                self.store.put(cell, 0);
            } else if key < self.tables.foreseen {
                self.store.write(cell, AccessKind::Write, 0, event);
            } else if self.store.get(cell) != 0 {
                touch(event, unforeseen, AccessKind::Update, 0, 0);
                self.store.write(cell, AccessKind::Write, 0, event);
            }
        }
    }

    /// The cell that says what has become of a packet.
    pub(super) fn outcome_cell(&mut self, name: u32) -> u32 {
        while self.outcomes.len() <= name as usize {
            let packet = self.outcomes.len() as u32;
            let digest = self.packets.name_digest(packet).name(17);
            let cell = self.store.add(Owner::Outcome(packet), digest, 0);
            self.outcomes.push(cell);
        }
        self.outcomes[name as usize]
    }

    /// A packet has come to its end. Nobody else can decide that, so the cell is not told of; but
    /// where others are sent afterwards, the last one of a stage starts them.
    pub(super) fn end_packet(&mut self, packet: u32, outcome: Outcome, event: &mut Event) {
        let name = self.packets.get(packet).name;
        let cell = self.outcome_cell(name);
        self.store.put(cell, outcome.word());
        self.ended.note(self.records.len() - 1, name);
        if matches!(outcome, Outcome::Lost(_) | Outcome::NoLink(_) | Outcome::Stuck(_))
            && let Some(site) = self.property(|kind| matches!(kind, Property::NoBlackhole))
        {
            let fault = self.packet_fault(FaultKind::Blackhole, name, site, outcome);
            event.faults.push(fault);
        }
        self.count_stage(name, -1, event);
    }

    /// Counts packets of a stage that are on their way.
    pub(super) fn count_stage(&mut self, name: u32, change: i64, event: &mut Event) {
        let (number, _) = self.packets.origin(name);
        let image = Arc::clone(&self.image);
        let Some(stage) = image.network.sent[number as usize].stage else { return };
        let cell = self.first.stages + stage as u32;
        let left = self.store.get(cell) + change;
        self.store.write(cell, AccessKind::Update, left, event);
        if left == 0 {
            for &next in &image.network.stages[stage].next {
                self.spawn(Kind::Send(next as u32), 0, image.network.sent[next].site, event);
            }
        }
    }

    /// A failure of a packet: it is called after the task that sent the packet.
    pub(super) fn packet_fault(&self, kind: FaultKind, name: u32, site: u32, outcome: Outcome) -> Fault {
        let (_, task) = self.packets.origin(name);
        let detail = [i64::from(name), outcome.word()];
        Fault { kind, process: ProcessId::new(task as usize), site: SiteId::new(site as usize), detail }
    }
}

/// A choice of data.
pub(super) fn choose(low: i64, high: i64, choices: &[Value], event: &mut Event) -> i64 {
    let given = choices.get(event.choices.len()).copied().filter(|value| (low..=high).contains(value));
    let value = given.unwrap_or(low);
    event.choices.push(Choice { value, low, high });
    value
}
