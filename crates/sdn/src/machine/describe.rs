//! Names and places for people.

use mazurka_machine::{Arrival, Describe, Ends, Journey, Place};
use mazurka_trace::{Fault, FaultKind, LocationId, ProcessId, SiteId, Value};

use super::NetworkMachine;
use super::outcome::Outcome;
use super::step::misuse;
use super::store::Owner;
use super::tasks::{Kind, Task};
use crate::hir::{FieldValue, Kind as Property, Ty};

impl NetworkMachine {
    /// How the task came about: `0.1.2` is the second task of the first task of the first packet's.
    fn path(&self, process: ProcessId) -> String {
        let mut path: Vec<String> = Vec::new();
        let mut at = process;
        loop {
            let task = self.tasks.get(at);
            match task.parent.checked_sub(1) {
                Some(parent) => {
                    path.push(format!("{}{}", task.nth + 1, self.chosen_text(task)));
                    at = ProcessId::new(parent as usize);
                }
                None => break,
            }
        }
        let root = match self.tasks.get(at).kind {
            Kind::Send(number) => number.to_string(),
            Kind::Start { switch } => self.switch_name(switch),
            _ => "end".to_owned(),
        };
        path.reverse();
        let mut text = root;
        let mut rest = &path[..];
        while let [first, ..] = rest {
            let alike = rest.iter().take_while(|step| *step == first).count();
            text += &if alike > 2 { format!(".{first}×{alike}") } else { format!(".{first}").repeat(alike) };
            rest = &rest[alike..];
        }
        text
    }

    /// What was chosen of the header by whoever sent the packet of this task: the same step makes
    /// another task for each choice.
    fn chosen_text(&self, task: Task) -> String {
        let sender = task.parent.checked_sub(1).map(|parent| self.tasks.get(ProcessId::new(parent as usize)).kind);
        let (Some(Kind::Send(number)), Kind::Arrive { packet, .. }) = (sender, task.kind) else { return String::new() };
        let network = &self.image.network;
        let fields = network.sent[number as usize].fields.iter().zip(self.packets.header(packet)).zip(&network.fields);
        let chosen = fields.filter(|((of, _), _)| matches!(of, FieldValue::Any(..)));
        let chosen: Vec<String> = chosen.map(|((_, value), (_, of))| network.show(*of, *value)).collect();
        if chosen.is_empty() { String::new() } else { format!("[{}]", chosen.join(",")) }
    }

    fn switch_name(&self, switch: u32) -> String {
        self.image.network.switches[switch as usize].name.clone()
    }

    /// Who does a task, and what it is.
    fn parts(&self, process: ProcessId) -> (String, &'static str) {
        let network = &self.image.network;
        let controller = || "controller".to_owned();
        match self.tasks.get(process).kind {
            Kind::Send(number) => (network.hosts[network.sent[number as usize].host].name.clone(), "send"),
            Kind::Deliver { host, .. } => (network.hosts[host as usize].name.clone(), "receive"),
            Kind::Arrive { switch, .. } => (self.switch_name(switch), "packet"),
            Kind::PacketIn { .. } => (controller(), "packet_in"),
            Kind::Start { .. } => (controller(), "start"),
            Kind::Resume { .. } => (controller(), "goes_on"),
            Kind::FlowMod { key, .. } => (self.switch_name(self.tables.key(key).switch), "install"),
            Kind::Remove { key } => (self.switch_name(self.tables.key(key).switch), "remove"),
            Kind::RemoveAll { switch, .. } => (self.switch_name(switch), "remove"),
            Kind::PacketOut { buffer, .. } => {
                let asked = self.tasks.get(ProcessId::new(buffer as usize)).kind;
                let Kind::PacketIn { switch, .. } = asked else { return (controller(), "packet_out") };
                (self.switch_name(switch), "packet_out")
            }
            Kind::End => (controller(), "end"),
        }
    }

    pub(super) fn location_text(&self, cell: u32) -> String {
        let network = &self.image.network;
        match self.store.owners[cell as usize] {
            Owner::Variable(variable, offset) => {
                let of = &network.variables[variable as usize];
                let (mut rest, mut keys) = (offset as i64, Vec::new());
                for &key in of.keys.iter().rev() {
                    let (low, size) = match key {
                        Ty::Bool => (0, 2),
                        Ty::Host => (0, network.hosts.len() as i64),
                        Ty::Switch => (0, network.switches.len() as i64),
                        Ty::Named(list) => (0, network.values[list].len() as i64),
                        Ty::Range(low, high) => (low, high - low + 1),
                        Ty::Int | Ty::Wrong => (0, 1),
                    };
                    keys.push(format!("[{}]", network.show(key, low + rest % size)));
                    rest /= size;
                }
                keys.reverse();
                format!("{}{}", of.name, keys.concat())
            }
            Owner::Epoch(switch) => format!("barriers of {}", self.switch_name(switch)),
            Owner::Unforeseen(switch) => format!("other rules of {}", self.switch_name(switch)),
            Owner::Stage(stage) => format!("packets on their way before `then` {stage}"),
            Owner::Key(key) => {
                let of = self.tables.key(key);
                let matches = network.show_match(&of.matches);
                format!("{} [{}: {matches}]", self.switch_name(of.switch), of.priority)
            }
            Owner::Buffer(task) => {
                format!("the packet of {}", self.process_name(ProcessId::new(task as usize)))
            }
            Owner::Outcome(packet) => format!("packet {}", self.packets.show(packet)),
        }
    }

    /// A rule in the user's words.
    fn rule_text(&self, key: u32) -> String {
        let of = self.tables.key(key);
        let value = self.store.get(self.tables.locations[key as usize]);
        let matches = self.image.network.show_match(&of.matches);
        let action = match value {
            0 => "gone".to_owned(),
            value => self.tables.actions.get(value as u32 - 1).to_string(),
        };
        format!("`{}: {matches} -> {action}`", of.priority)
    }

    /// Where a packet of the current execution has been: the longest trail of that name.
    fn way(&self, name: u32) -> String {
        let tasks = self.started.iter().filter_map(|process| match self.tasks.get(process).kind {
            Kind::Arrive { packet, .. } | Kind::Deliver { packet, .. } | Kind::PacketIn { packet, .. } => Some(packet),
            _ => None,
        });
        let own = tasks.filter(|&packet| self.packets.get(packet).name == name);
        let Some(packet) = own.max_by_key(|&packet| self.packets.hops(packet)) else { return String::new() };
        let mut visits: Vec<String> = self.packets.trail(packet).map(|visit| self.switch_name(visit.switch)).collect();
        visits.reverse();
        visits.join(" -> ")
    }

    fn packet_text(&self, name: u32, outcome: Outcome) -> String {
        let packet = format!("packet {}", self.packet_name(name));
        let (way, (_, at)) = (self.way(name), outcome.show(&self.image.network));
        let came = if way.is_empty() { String::new() } else { format!(", which came by {way},") };
        match outcome {
            Outcome::Delivered(_) => format!("{packet}{came} is delivered to {at}"),
            Outcome::Dropped(_) => format!("{packet}{came} is dropped at {at}"),
            Outcome::Lost(_) => format!("{packet}{came} is lost at {at}: no rule fits it when it leaves the buffer"),
            Outcome::NoLink(_) => {
                format!("{packet}{came} is lost at {at}: nothing is behind the port that it leaves by")
            }
            Outcome::Loop(_) => format!("{packet} goes round in a loop: {way} -> {at} by the same rule"),
            Outcome::Revisit(_) => format!("{packet} comes to {at} a second time: {way} -> {at}"),
            Outcome::Ambiguous(_) => format!("{packet}{came} is caught between two rules at {at}"),
            Outcome::Stuck(_) => format!("{packet}{came} stays at {at}: the controller never answers"),
        }
    }

    fn policy_text(&self, fault: &Fault) -> String {
        let network = &self.image.network;
        let [first, second] = fault.detail;
        let property = network.properties.iter().find(|one| one.site as usize == fault.site.index());
        match property.map(|one| &one.kind) {
            Some(Property::Balanced(..)) => {
                format!("hosts got {first} packets more than others, and {second} more are allowed")
            }
            None | Some(Property::ConsistentTables) => {
                let switch = self.switch_name(self.tables.key(first as u32).switch);
                let (one, other) = (self.rule_text(first as u32), self.rule_text(second as u32));
                format!("rules of {switch} contradict each other: {one} and {other}")
            }
            Some(Property::Hops(most)) => {
                format!("packet {} passes more than {most} switches", self.packet_name(first as u32))
            }
            Some(_) => {
                let text = self.place(fault.site).text;
                format!("`{text}` does not hold: {}", self.packet_text(first as u32, Outcome::from_word(second)))
            }
        }
    }
}

impl Describe for NetworkMachine {
    fn process_name(&self, process: ProcessId) -> String {
        let (who, what) = self.parts(process);
        format!("{who}.{what}#{}", self.path(process))
    }

    fn find_process(&self, name: &str) -> Option<ProcessId> {
        let is_it = |process: &ProcessId| self.process_name(*process) == name;
        self.live.iter().find(is_it).or_else(|| (0..self.tasks.len()).map(ProcessId::new).find(is_it))
    }

    fn location_name(&self, location: LocationId) -> String {
        self.location_text(location.index() as u32)
    }

    fn value_text(&self, location: LocationId, value: Value) -> String {
        let network = &self.image.network;
        match self.store.owners[location.index()] {
            Owner::Variable(variable, _) => network.show(network.variables[variable as usize].value, value),
            Owner::Key(_) if value == 0 => "no rule".to_owned(),
            Owner::Key(_) => self.tables.actions.get(value as u32 - 1).to_string(),
            Owner::Buffer(_) => if value == 0 { "gone" } else { "waits" }.to_owned(),
            Owner::Outcome(_) if value != 0 => {
                let (kind, at) = Outcome::from_word(value).show(network);
                format!("{kind} at {at}")
            }
            Owner::Stage(_) => value.to_string(),
            Owner::Epoch(_) | Owner::Unforeseen(_) | Owner::Outcome(_) => "…".to_owned(),
        }
    }

    fn tells_value(&self, location: LocationId) -> bool {
        !matches!(self.store.owners[location.index()], Owner::Epoch(_) | Owner::Unforeseen(_) | Owner::Buffer(_))
    }

    fn place(&self, site: SiteId) -> Place {
        let network = &self.image.network;
        let span = network.sites.get(site.index()).copied().unwrap_or_default();
        let (line, column) = network.lines.line_column(span.start);
        let text = network.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Place { file: network.file.clone(), line, column, text }
    }

    fn lane(&self, process: ProcessId) -> Option<String> {
        Some(self.parts(process).0)
    }

    fn arrival(&self, process: ProcessId) -> Option<Arrival> {
        Some(match self.tasks.get(process).kind {
            Kind::Send(_) => Arrival::Packet,
            Kind::Start { .. } | Kind::Resume { .. } | Kind::End => Arrival::Other,
            _ => Arrival::Message,
        })
    }

    fn fault_text(&self, fault: &Fault) -> String {
        let [first, second] = fault.detail;
        match fault.kind {
            FaultKind::Loop | FaultKind::Blackhole => self.packet_text(first as u32, Outcome::from_word(second)),
            FaultKind::Policy => self.policy_text(fault),
            FaultKind::Assertion => {
                let text = self.place(fault.site).text;
                format!("assertion failed: {}", text.trim_start_matches("assert").trim())
            }
            FaultKind::Bounds => format!("{first} is out of range"),
            FaultKind::Overflow => "integer overflow".to_owned(),
            FaultKind::DivisionByZero => "division by zero".to_owned(),
            FaultKind::Misuse => match first {
                misuse::MISSING => "the map has no such entry".to_owned(),
                misuse::NO_PATH => "no path leads there".to_owned(),
                misuse::TAKEN => "the packet does not wait any more: it was sent before".to_owned(),
                _ => format!("the packet does not wait at {}", self.switch_name(second as u32)),
            },
            other => format!("{other:?}"),
        }
    }

    fn journey(&self, fault: &Fault) -> Option<Journey> {
        self.journey_of(fault)
    }

    fn take_ends(&mut self) -> Ends {
        self.end_account()
    }
}
