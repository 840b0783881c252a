//! Pictures: the topology, and the way of a packet.

use mazurka_machine::{Hop, Journey, Link, Node, Topology};
use mazurka_trace::{Fault, FaultKind};

use super::NetworkMachine;
use super::outcome::Outcome;
use super::packets::{Decision, Visit};
use super::tasks::Kind;
use crate::hir::{Kind as Property, Network, Peer};

impl Network {
    /// What is linked to what: switches first, then hosts, as they are numbered. Tables are as they
    /// are at the beginning.
    pub fn topology(&self) -> Topology {
        let rules = |switch: usize| {
            let mut rules: Vec<_> = self.rules.iter().filter(|rule| rule.0 == switch).collect();
            rules.sort_by_key(|rule| std::cmp::Reverse(rule.1));
            rules
                .iter()
                .map(|(_, priority, of, action)| format!("{priority}: {} -> {action}", self.show_match(of)))
                .collect()
        };
        let switches = self.switches.iter().enumerate();
        let switches = switches.map(|(at, one)| Node { name: one.name.clone(), is_host: false, rules: rules(at) });
        let hosts = self.hosts.iter().map(|host| Node { name: host.name.clone(), is_host: true, rules: Vec::new() });
        let nodes = switches.chain(hosts).collect();
        let mut links = Vec::new();
        for (at, switch) in self.switches.iter().enumerate() {
            for &(port, peer) in &switch.ports {
                match peer {
                    Peer::Host(host) => {
                        links.push(Link { nodes: [at, self.switches.len() + host], ports: [Some(port), None] });
                    }
                    Peer::Switch(other, back) if (at, port) < (other, back) => {
                        links.push(Link { nodes: [at, other], ports: [Some(port), Some(back)] });
                    }
                    Peer::Switch(..) => {}
                }
            }
        }
        Topology { nodes, links }
    }
}

impl NetworkMachine {
    /// The topology with the tables as they are.
    fn topology_now(&self) -> Topology {
        let mut topology = self.image.network.topology();
        for (switch, node) in topology.nodes.iter_mut().enumerate().filter(|(_, node)| !node.is_host) {
            let keys = self.tables.of_switch(switch as u32).iter();
            let mut there: Vec<(u32, u32)> = keys
                .filter_map(|&key| {
                    let value = self.store.get(self.tables.locations[key as usize]);
                    (value != 0).then(|| (key, value as u32 - 1))
                })
                .collect();
            there.sort_by_key(|&(key, _)| std::cmp::Reverse(self.tables.key(key).priority));
            node.rules =
                there.into_iter().map(|(key, action)| self.decision_text(Decision::Rule(key, action))).collect();
        }
        topology
    }

    fn decision_text(&self, decision: Decision) -> String {
        match decision {
            Decision::Rule(key, action) => {
                let of = self.tables.key(key);
                let matches = self.image.network.show_match(&of.matches);
                format!("{}: {matches} -> {}", of.priority, self.tables.actions.get(action))
            }
            Decision::Told(action) => format!("the controller says {}", self.tables.actions.get(action)),
        }
    }

    /// The packet that a failure is about, and what became of it.
    fn packet_of(&self, fault: &Fault) -> Option<(u32, Outcome)> {
        let [first, second] = fault.detail;
        let is_about_packet = match fault.kind {
            FaultKind::Loop | FaultKind::Blackhole => true,
            FaultKind::Policy => {
                let property = self.image.network.properties.iter().find(|one| one.site as usize == fault.site.index());
                matches!(
                    property?.kind,
                    Property::NeverDeliver(..)
                        | Property::NeverForward(..)
                        | Property::Waypoint(_)
                        | Property::Delivered(_)
                )
            }
            _ => false,
        };
        is_about_packet.then(|| (first as u32, Outcome::from_word(second)))
    }

    /// See `Describe::journey`.
    pub(super) fn journey_of(&self, fault: &Fault) -> Option<Journey> {
        let (name, outcome) = self.packet_of(fault)?;
        let network = &self.image.network;
        let (number, _) = self.packets.origin(name);
        let switches = network.switches.len();
        let last = match outcome {
            Outcome::Delivered(host) => switches + host as usize,
            Outcome::Dropped(at) | Outcome::Lost(at) | Outcome::NoLink(at) | Outcome::Loop(at) => at as usize,
            Outcome::Revisit(at) | Outcome::Ambiguous(at) | Outcome::Stuck(at) => at as usize,
        };
        let visits = self.longest_trail(name);
        let goes_on = !matches!(outcome, Outcome::NoLink(_) | Outcome::Dropped(_));
        let hops = visits.iter().enumerate().map(|(at, visit)| Hop {
            node: visit.switch as usize,
            port: visit.port,
            decision: self.decision_text(visit.decision),
            next: visits.get(at + 1).map(|next| next.switch as usize).or(goes_on.then_some(last)),
        });
        let header = self.header_text(name);
        Some(Journey {
            hops: hops.collect(),
            topology: self.topology_now(),
            packet: format!("{}{header}", self.packets.show(name)),
            from: switches + network.sent[number as usize].host,
            end: self.end_text(outcome),
        })
    }

    fn header_text(&self, name: u32) -> String {
        let network = &self.image.network;
        let Some(header) = self.header_of(name) else { return String::new() };
        let fields = network.fields.iter().zip(header);
        let shown: Vec<String> =
            fields.map(|((name, of), &value)| format!("{name} = {}", network.show(*of, value))).collect();
        format!(" ({})", shown.join(", "))
    }

    fn end_text(&self, outcome: Outcome) -> String {
        let (_, at) = outcome.show(&self.image.network);
        match outcome {
            Outcome::Delivered(_) => format!("delivered to {at}"),
            Outcome::Dropped(_) => format!("dropped at {at}"),
            Outcome::Lost(_) => format!("lost at {at}: no rule fits it when it leaves the buffer"),
            Outcome::NoLink(_) => format!("lost at {at}: nothing is behind the port that it leaves by"),
            Outcome::Loop(_) => format!("again at {at}, and by the same rule: a loop"),
            Outcome::Revisit(_) => format!("at {at} a second time"),
            Outcome::Ambiguous(_) => format!("caught between two rules at {at}"),
            Outcome::Stuck(_) => format!("stays at {at}: the controller never answers"),
        }
    }

    /// Where a packet of the current execution has been, oldest first. A copy begins where its
    /// original did.
    fn longest_trail(&self, name: u32) -> Vec<Visit> {
        let tasks = self.started.iter().filter_map(|process| match self.tasks.get(process).kind {
            Kind::Arrive { packet, .. } | Kind::Deliver { packet, .. } | Kind::PacketIn { packet, .. } => Some(packet),
            _ => None,
        });
        let own = tasks.filter(|&packet| self.packets.get(packet).name == name);
        let Some(packet) = own.max_by_key(|&packet| self.packets.hops(packet)) else { return Vec::new() };
        let mut visits: Vec<Visit> = self.packets.trail(packet).collect();
        visits.reverse();
        visits
    }
}
