//! Hosts and switches: what happens to a packet.

use std::sync::Arc;

use mazurka_trace::{AccessKind, Event, Fault, FaultKind, SiteId, Value};

use super::NetworkMachine;
use super::mutation::{Mutation, on};
use super::outcome::Outcome;
use super::packets::Decision;
use super::step::{Stop, choose, misuse};
use super::store::{Store, touch};
use super::tables::Point;
use super::tasks::Kind;
use crate::eval::{Scope, value_of};
use crate::hir::{Action, Ex, Kind as Property, Network, Peer};

/// What a table says about a packet.
enum Found {
    Rule(u32, u32),
    Nothing,
    Ambiguous(u32, u32),
}

/// A condition on a packet, which may look at the controller's variables: whoever evaluates it
/// names what it looks at.
struct Condition<'a> {
    network: &'a Network,
    store: &'a Store,
    header: &'a [i64],
    event: &'a mut Event,
}

impl Scope for Condition<'_> {
    fn network(&self) -> Option<&Network> {
        Some(self.network)
    }

    fn local(&self, _: usize) -> Option<i64> {
        None
    }

    fn field(&self, field: usize) -> Option<i64> {
        self.header.get(field).copied()
    }

    fn cell(&mut self, cell: usize) -> Option<i64> {
        if on(Mutation::PropertyUntold) {
            return Some(self.store.get(cell as u32));
        }
        Some(self.store.read(cell as u32, self.event))
    }
}

impl NetworkMachine {
    /// Whether a condition holds of a packet.
    pub(super) fn holds(&self, condition: Option<&Ex>, packet: u32, event: &mut Event) -> Result<bool, Stop> {
        let Some(condition) = condition else { return Ok(true) };
        let header = self.packets.header(packet);
        let mut scope = Condition { network: &self.image.network, store: &self.store, header, event };
        Ok(value_of(condition, &mut scope)? != 0)
    }

    /// A packet comes to a host.
    pub(super) fn deliver(&mut self, host: u32, packet: u32, event: &mut Event) -> Result<(), Stop> {
        let image = Arc::clone(&self.image);
        let name = self.packets.get(packet).name;
        let outcome = Outcome::Delivered(host);
        for property in &image.network.properties {
            let is_broken = match &property.kind {
                Property::NeverDeliver(hosts, when) => {
                    hosts[host as usize] && self.holds(when.as_ref(), packet, event)?
                }
                Property::Waypoint(switch) => self.packets.trail(packet).all(|visit| visit.switch as usize != *switch),
                _ => false,
            };
            if is_broken {
                event.faults.push(self.packet_fault(FaultKind::Policy, name, property.site, outcome));
            }
        }
        self.end_packet(packet, outcome, event);
        Ok(())
    }

    /// A packet comes to a switch.
    pub(super) fn arrive(
        &mut self,
        switch: u32,
        port: i64,
        packet: u32,
        choices: &[Value],
        event: &mut Event,
    ) -> Result<(), Stop> {
        if let Some(site) = self.property(|kind| matches!(kind, Property::NoRevisit))
            && self.packets.trail(packet).any(|visit| visit.switch == switch)
        {
            self.end_with(FaultKind::Loop, packet, Outcome::Revisit(switch), site, event);
            return Ok(());
        }
        self.count_hops(switch, packet, event);
        match self.look_up(switch, port, packet, choices, event) {
            Found::Ambiguous(one, other) => {
                self.be_ambiguous(switch, packet, [one, other], event);
                Ok(())
            }
            Found::Rule(_, action) if *self.tables.actions.get(action) == Action::Controller => {
                self.ask(switch, port, packet, event);
                Ok(())
            }
            Found::Rule(key, action) => self.emit(switch, port, packet, Decision::Rule(key, action), action, event),
            Found::Nothing if self.image.network.misses_dropped => {
                self.end_packet(packet, Outcome::Dropped(switch), event);
                Ok(())
            }
            Found::Nothing => {
                self.ask(switch, port, packet, event);
                Ok(())
            }
        }
    }

    /// A packet comes to its end by a failure.
    fn end_with(&mut self, kind: FaultKind, packet: u32, outcome: Outcome, site: u32, event: &mut Event) {
        let name = self.packets.get(packet).name;
        let fault = self.packet_fault(kind, name, site, outcome);
        event.faults.push(fault);
        self.end_packet(packet, outcome, event);
    }

    fn count_hops(&self, switch: u32, packet: u32, event: &mut Event) {
        let hops = self.packets.hops(packet) + 1;
        for property in &self.image.network.properties {
            if matches!(property.kind, Property::Hops(most) if hops > most) {
                let name = self.packets.get(packet).name;
                let fault = self.packet_fault(FaultKind::Policy, name, property.site, Outcome::Lost(switch));
                event.faults.push(fault);
            }
        }
    }

    /// Rules contradict each other about a packet, which goes no further.
    fn be_ambiguous(&mut self, switch: u32, packet: u32, keys: [u32; 2], event: &mut Event) {
        let site = self.image.network.switches[switch as usize].site;
        let (_, task) = self.packets.origin(self.packets.get(packet).name);
        let process = mazurka_trace::ProcessId::new(task as usize);
        let detail = keys.map(i64::from);
        event.faults.push(Fault { kind: FaultKind::Policy, process, site: SiteId::new(site as usize), detail });
        self.end_packet(packet, Outcome::Ambiguous(switch), event);
    }

    /// The rule that fits a packet. It names all rules that could.
    fn look_up(&mut self, switch: u32, port: i64, packet: u32, choices: &[Value], event: &mut Event) -> Found {
        let header = self.packets.get(packet).header;
        let point = self.tables.fitting(Point { switch, header, port }, &self.packets.headers);
        touch(event, self.first.unforeseen + switch, AccessKind::Read, 0, 0);
        let mut best: Vec<(u32, u32)> = Vec::new();
        for &key in self.tables.at_point(point) {
            let cell = self.tables.locations[key as usize];
            let value = match key < self.tables.foreseen {
                true => self.store.read(cell, event),
                false => self.store.get(cell),
            };
            let is_level =
                best.first().is_none_or(|&(first, _)| self.tables.key(first).priority == self.tables.key(key).priority);
            if value != 0 && is_level {
                let action = value as u32 - 1;
                if best.iter().all(|&(_, known)| known != action) {
                    best.push((key, action));
                }
            }
        }
        match best[..] {
            [] => Found::Nothing,
            [(key, action)] => Found::Rule(key, action),
            _ if self.image.network.overlaps_chosen => {
                let chosen = choose(0, best.len() as i64 - 1, choices, event);
                let (key, action) = best[chosen as usize];
                Found::Rule(key, action)
            }
            [(one, _), (other, _), ..] => Found::Ambiguous(one, other),
        }
    }

    /// A switch asks the controller what to do with a packet.
    fn ask(&mut self, switch: u32, port: i64, packet: u32, event: &mut Event) {
        let Some((_, site)) = self.image.network.packet_in else {
            return self.end_packet(packet, Outcome::Stuck(switch), event);
        };
        let task = self.spawn(Kind::PacketIn { switch, port, packet }, 0, site, event);
        // Nobody but this task, and what comes of it, can reach the buffer.
        let buffer = self.tasks.buffers[&(task.index() as u32)];
        self.store.put(buffer, 1);
    }

    /// The controller says what to do with a packet that waits at a switch.
    pub(super) fn packet_out(
        &mut self,
        buffer: u32,
        action: Option<u32>,
        site: u32,
        choices: &[Value],
        event: &mut Event,
    ) -> Result<(), Stop> {
        let asked = self.tasks.get(mazurka_trace::ProcessId::new(buffer as usize)).kind;
        let Kind::PacketIn { switch, port, packet } = asked else { return Ok(()) };
        let cell = self.tasks.buffers[&buffer];
        let waits = self.store.get(cell) != 0;
        self.store.write(cell, AccessKind::Update, 0, event);
        let found = match action {
            None => self.look_up(switch, port, packet, choices, event),
            Some(_) => Found::Nothing,
        };
        if !waits {
            let (kind, process) = (FaultKind::Misuse, event.process);
            let site = SiteId::new(site as usize);
            event.faults.push(Fault { kind, process, site, detail: [misuse::TAKEN, 0] });
            return Ok(());
        }
        match (action, found) {
            (Some(action), _) if *self.tables.actions.get(action) == Action::Controller => {
                self.ask(switch, port, packet, event);
                Ok(())
            }
            (Some(action), _) => self.emit(switch, port, packet, Decision::Told(action), action, event),
            (None, Found::Rule(_, action)) if *self.tables.actions.get(action) == Action::Controller => {
                self.miss(switch, packet, event);
                Ok(())
            }
            (None, Found::Rule(key, action)) => {
                self.emit(switch, port, packet, Decision::Rule(key, action), action, event)
            }
            (None, Found::Nothing) => {
                self.miss(switch, packet, event);
                Ok(())
            }
            (None, Found::Ambiguous(one, other)) => {
                self.be_ambiguous(switch, packet, [one, other], event);
                Ok(())
            }
        }
    }

    /// A packet leaves the buffer, and no rule fits it.
    fn miss(&mut self, switch: u32, packet: u32, event: &mut Event) {
        let outcome = match on(Mutation::MissDelivered) {
            true => Outcome::Delivered(0),
            false => Outcome::Lost(switch),
        };
        self.end_packet(packet, outcome, event);
    }

    /// A switch does with a packet what was decided.
    fn emit(
        &mut self,
        switch: u32,
        port: i64,
        packet: u32,
        decision: Decision,
        action: u32,
        event: &mut Event,
    ) -> Result<(), Stop> {
        let header = self.packets.get(packet).header;
        let by_port = on(Mutation::LoopByPort);
        let again = self.packets.trail(packet).any(|visit| {
            (visit.switch, visit.port, visit.header) == (switch, port, header)
                && (by_port || visit.decision == decision)
        });
        if again {
            let declared = self.property(|kind| matches!(kind, Property::NoLoop));
            let site = declared.unwrap_or(self.image.network.switches[switch as usize].site);
            self.end_with(FaultKind::Loop, packet, Outcome::Loop(switch), site, event);
            return Ok(());
        }
        let image = Arc::clone(&self.image);
        let ports: Vec<i64> = match self.tables.actions.get(action) {
            Action::Out(ports) => ports.clone(),
            Action::Flood => {
                let all = image.network.switches[switch as usize].ports.iter().map(|&(port, _)| port);
                all.filter(|&out| out != port).collect()
            }
            Action::Drop | Action::Controller => {
                self.end_packet(packet, Outcome::Dropped(switch), event);
                return Ok(());
            }
        };
        self.look_at_forwarding(switch, packet, event)?;
        let packet = self.packets.visit(packet, switch, port, decision);
        if ports.is_empty() {
            self.end_packet(packet, Outcome::NoLink(switch), event);
            return Ok(());
        }
        if ports.len() > 1 {
            let name = self.packets.get(packet).name;
            self.count_stage(name, ports.len() as i64 - 1, event);
        }
        for (nth, &out) in ports.iter().enumerate() {
            let copy = if ports.len() > 1 { self.packets.copy(packet, nth as u32) } else { packet };
            self.put_on_link(switch, out, copy, event);
        }
        Ok(())
    }

    fn put_on_link(&mut self, switch: u32, out: i64, packet: u32, event: &mut Event) {
        let image = Arc::clone(&self.image);
        let here = &image.network.switches[switch as usize];
        match here.peer(out) {
            Some(Peer::Host(host)) => {
                self.spawn(Kind::Deliver { host: host as u32, packet }, 0, here.site, event);
            }
            Some(Peer::Switch(next, port)) => {
                let site = image.network.switches[next].site;
                self.spawn(Kind::Arrive { switch: next as u32, port, packet }, 0, site, event);
            }
            None => self.end_packet(packet, Outcome::NoLink(switch), event),
        }
    }

    /// `never forward(p) at s when …`
    fn look_at_forwarding(&mut self, switch: u32, packet: u32, event: &mut Event) -> Result<(), Stop> {
        let image = Arc::clone(&self.image);
        for property in &image.network.properties {
            if let Property::NeverForward(switches, when) = &property.kind
                && switches[switch as usize]
                && self.holds(when.as_ref(), packet, event)?
            {
                let name = self.packets.get(packet).name;
                let fault = self.packet_fault(FaultKind::Policy, name, property.site, Outcome::Lost(switch));
                event.faults.push(fault);
            }
        }
        Ok(())
    }
}
