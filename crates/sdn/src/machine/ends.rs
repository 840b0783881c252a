//! The end of an execution: what is looked at then, and what is kept account of.

use std::collections::BTreeMap;
use std::sync::Arc;

use mazurka_machine::{Digest, Ends, FinalState, Heard, PacketEnds, Traces};
use mazurka_trace::{Event, FaultKind, Schedule, Scheduled, SiteId};
use rustc_hash::FxHashMap;

use super::outcome::Outcome;
use super::store::Owner;
use super::tasks::Kind;
use super::{NetworkMachine, Record};
use crate::eval::value_of;
use crate::hir::{FieldValue, Kind as Property};

/// So many different states are kept.
const MOST_STATES: usize = 1_000;
/// So many executions are kept where all are requested.
const MOST_TRACES: usize = 1_000;

/// For each packet, by its name and what was chosen of its header: what became of it how often.
type Fates = BTreeMap<(Vec<u32>, String), BTreeMap<Outcome, u64>>;

/// What was met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    traces: Traces,
    found: Found,
    aside: Option<Box<Found>>,
}

#[derive(Clone, Debug, Default)]
struct Found {
    ends: Ends,
    numbers: FxHashMap<Digest, usize>,
    fates: Fates,
}

impl NetworkMachine {
    /// From now on, keeps account of what becomes of packets, of the states in which executions
    /// end, and of some executions.
    pub fn keep_account(&mut self, traces: Traces) {
        self.account = Some(Box::new(Account { traces, ..Account::default() }));
    }

    /// See `Run::hear`.
    pub(super) fn hear_of(&mut self, heard: Heard) {
        let Some(mut account) = self.account.take() else { return };
        match heard {
            Heard::Complete => self.enter_end(&mut account),
            Heard::Cut => {}
            Heard::Begun => account.found = Found::default(),
            Heard::SetAside => account.aside = Some(Box::new(std::mem::take(&mut account.found))),
            Heard::TakenUp => {
                if let Some(aside) = account.aside.take() {
                    account.found = *aside;
                }
            }
        }
        self.account = Some(account);
    }

    /// See `Describe::take_ends`.
    pub(super) fn end_account(&mut self) -> Ends {
        let Some(account) = self.account.take() else { return Ends::default() };
        let Found { mut ends, fates, .. } = account.found;
        ends.packets = fates.into_iter().map(|((_, name), fates)| self.show_fates(name, &fates)).collect();
        ends
    }

    fn show_fates(&self, name: String, fates: &BTreeMap<Outcome, u64>) -> PacketEnds {
        let shown = fates.iter().map(|(outcome, &executions)| {
            let (kind, at) = outcome.show(&self.image.network);
            (kind.to_owned(), at, executions)
        });
        PacketEnds { name, outcomes: shown.collect() }
    }

    fn enter_end(&mut self, account: &mut Account) {
        let Account { traces, found, .. } = account;
        let ends = &mut found.ends;
        ends.executions += 1;
        let digest = self.digest_of_all();
        let number = match found.numbers.get(&digest) {
            Some(&number) => Some(number),
            None if ends.states.len() < MOST_STATES => {
                found.numbers.insert(digest, ends.states.len());
                let state = self.final_state(ends.executions);
                ends.states.push(state);
                Some(ends.states.len() - 1)
            }
            None => None,
        };
        match number {
            Some(number) => ends.states[number].executions += 1,
            None => ends.uncounted += 1,
        }
        let is_wanted = match traces {
            Traces::None => false,
            Traces::One(wanted) => *wanted == ends.executions,
            Traces::All => ends.traces.len() < MOST_TRACES,
        };
        if is_wanted {
            ends.traces.push((ends.executions, number, self.schedule()));
        }
        for (name, outcome) in self.fates() {
            let key = (self.packet_path(name), self.packet_name(name));
            *found.fates.entry(key).or_default().entry(outcome).or_default() += 1;
        }
    }

    /// What has become of each packet of the current execution, those that are stuck included.
    pub(super) fn fates(&self) -> Vec<(u32, Outcome)> {
        let ended =
            self.ended.iter().map(|name| (name, Outcome::from_word(self.store.get(self.outcomes[name as usize]))));
        let stuck = self.started.iter().filter_map(|process| match self.tasks.get(process).kind {
            Kind::PacketIn { switch, packet, .. } => {
                let buffer = self.tasks.buffers[&(process.index() as u32)];
                let waits = self.store.get(buffer) != 0;
                waits.then(|| (self.packets.get(packet).name, Outcome::Stuck(switch)))
            }
            _ => None,
        });
        ended.chain(stuck).collect()
    }

    /// Where a packet stands in a list of all packets.
    fn packet_path(&self, name: u32) -> Vec<u32> {
        let shown = self.packets.show(name);
        shown.split('.').filter_map(|part| part.parse().ok()).collect()
    }

    /// The name of a packet, with what was chosen of its header.
    pub(super) fn packet_name(&self, name: u32) -> String {
        let (number, _) = self.packets.origin(name);
        let network = &self.image.network;
        let shown = self.packets.show(name);
        let fields = network.sent[number as usize].fields.iter().enumerate();
        let free: Vec<usize> = fields.filter(|(_, of)| matches!(of, FieldValue::Any(..))).map(|(at, _)| at).collect();
        let Some(header) = self.header_of(name).filter(|_| !free.is_empty()) else { return shown };
        let values = free.iter().map(|&at| {
            let (name, of) = &network.fields[at];
            format!("{name} = {}", network.show(*of, header[at]))
        });
        format!("{shown} ({})", values.collect::<Vec<_>>().join(", "))
    }

    /// The header of a packet of the current execution.
    pub(super) fn header_of(&self, name: u32) -> Option<&[i64]> {
        let mut tasks = self.started.iter().chain(self.live.iter());
        tasks.find_map(|process| match self.tasks.get(process).kind {
            Kind::Arrive { packet, .. } | Kind::Deliver { packet, .. }
                if self.packets.origin(self.packets.get(packet).name) == self.packets.origin(name) =>
            {
                Some(self.packets.header(packet))
            }
            _ => None,
        })
    }

    /// The schedule of the current execution.
    fn schedule(&self) -> Schedule {
        let mut chosen = Vec::new();
        for record in self.records.iter().filter(|record| record.process != self.finale) {
            chosen.push(Scheduled { process: record.process, choices: Vec::new() });
        }
        chosen
    }

    /// The current state, as the first one of its kind.
    fn final_state(&self, first: u64) -> FinalState {
        let network = &self.image.network;
        let mut objects = Vec::new();
        if !network.variables.is_empty() {
            objects.push(("controller".to_owned(), self.show_variables()));
        }
        for (number, switch) in network.switches.iter().enumerate() {
            let rules = self.show_table(number as u32);
            if !rules.is_empty() {
                objects.push((switch.name.clone(), rules));
            }
        }
        let packets = self.fates().into_iter().map(|(name, outcome)| {
            let (kind, at) = outcome.show(network);
            (format!("packet {}", self.packet_name(name)), format!("{kind} at {at}"))
        });
        objects.push(("traffic".to_owned(), packets.collect()));
        FinalState {
            objects,
            waiting: Vec::new(),
            exceptions: Vec::new(),
            executions: 0,
            first,
            schedule: self.schedule(),
        }
    }

    fn show_variables(&self) -> Vec<(String, String)> {
        let network = &self.image.network;
        let mut shown = Vec::new();
        for (number, owner) in self.store.owners.iter().enumerate() {
            let Owner::Variable(variable, _) = owner else { continue };
            let of = &network.variables[*variable as usize];
            let value = self.store.get(number as u32);
            if value != crate::hir::ABSENT {
                shown.push((self.location_text(number as u32), network.show(of.value, value)));
            }
        }
        shown
    }

    /// The rules of a switch, with what they do; highest priority first.
    pub(super) fn show_table(&self, switch: u32) -> Vec<(String, String)> {
        let network = &self.image.network;
        let mut rules: Vec<(i64, String, String)> = Vec::new();
        for &key in self.tables.of_switch(switch) {
            let value = self.store.get(self.tables.locations[key as usize]);
            if value != 0 {
                let of = self.tables.key(key);
                let action = self.tables.actions.get(value as u32 - 1).to_string();
                rules.push((-of.priority, network.show_match(&of.matches), action));
            }
        }
        rules.sort();
        rules.into_iter().map(|(priority, matches, action)| (format!("{}: {matches}", -priority), action)).collect()
    }

    /// See `Run::conclude`.
    pub(super) fn look_at_end(&mut self, event: &mut Event) -> bool {
        let concludes = |kind: &Property| {
            matches!(
                kind,
                Property::NoBlackhole | Property::Delivered(_) | Property::Balanced(..) | Property::ConsistentTables
            )
        };
        let is_over = self.records.last().is_some_and(|record| record.process == self.finale);
        if is_over || self.property(concludes).is_none() {
            return false;
        }
        event.begin(self.finale, SiteId::new(0));
        self.records.push(Record { process: self.finale, log: self.store.log.len() as u32, ended: false });
        let fates = self.fates();
        for &(name, _) in &fates {
            let cell = self.outcome_cell(name);
            self.store.read(cell, event);
        }
        let image = Arc::clone(&self.image);
        for property in &image.network.properties {
            match &property.kind {
                Property::NoBlackhole => self.report(&fates, FaultKind::Blackhole, property.site, event, |outcome| {
                    // The others were reported when they happened.
                    matches!(outcome, Outcome::Stuck(_)) && image.network.packet_in.is_some()
                }),
                Property::Delivered(unless) => self.look_at_deliveries(&fates, unless.as_ref(), property.site, event),
                Property::Balanced(hosts, most) => self.weigh(&fates, hosts, *most, property.site, event),
                Property::ConsistentTables => self.compare_rules(event),
                _ => {}
            }
        }
        true
    }

    fn report(
        &self,
        fates: &[(u32, Outcome)],
        kind: FaultKind,
        site: u32,
        event: &mut Event,
        is_wrong: impl Fn(Outcome) -> bool,
    ) {
        for &(name, outcome) in fates.iter().filter(|&&(_, outcome)| is_wrong(outcome)) {
            event.faults.push(self.packet_fault(kind, name, site, outcome));
        }
    }

    fn look_at_deliveries(
        &self,
        fates: &[(u32, Outcome)],
        unless: Option<&crate::hir::Ex>,
        site: u32,
        event: &mut Event,
    ) {
        struct Header<'a>(&'a crate::hir::Network, &'a [i64]);
        impl crate::eval::Scope for Header<'_> {
            fn network(&self) -> Option<&crate::hir::Network> {
                Some(self.0)
            }
            fn local(&self, _: usize) -> Option<i64> {
                None
            }
            fn field(&self, field: usize) -> Option<i64> {
                self.1.get(field).copied()
            }
            fn cell(&mut self, _: usize) -> Option<i64> {
                None
            }
        }
        for &(name, outcome) in fates {
            let is_excused = match (unless, self.header_of(name)) {
                (Some(condition), Some(header)) => {
                    let value = value_of(condition, &mut Header(&self.image.network, header));
                    value.is_ok_and(|value| value != 0)
                }
                _ => false,
            };
            if !matches!(outcome, Outcome::Delivered(_)) && !is_excused {
                event.faults.push(self.packet_fault(FaultKind::Policy, name, site, outcome));
            }
        }
    }

    /// Whether hosts have got about as many packets as each other.
    fn weigh(&self, fates: &[(u32, Outcome)], hosts: &[usize], most: i64, site: u32, event: &mut Event) {
        let received = hosts.iter().map(|&host| {
            fates.iter().filter(|(_, outcome)| *outcome == Outcome::Delivered(host as u32)).count() as i64
        });
        let received: Vec<i64> = received.collect();
        let (least, largest) = (received.iter().min().copied(), received.iter().max().copied());
        let difference = largest.unwrap_or(0) - least.unwrap_or(0);
        if difference > most {
            let (kind, process, site) = (FaultKind::Policy, self.finale, SiteId::new(site as usize));
            event.faults.push(mazurka_trace::Fault { kind, process, site, detail: [difference, most] });
        }
    }

    /// Rules that contradict each other from the beginning. Others are told when they are
    /// installed: the second of two that are there at the end was installed while the first one was
    /// there. So nothing of the tables is looked at here.
    fn compare_rules(&self, event: &mut Event) {
        for &(one, other) in self.contradicting.iter() {
            event.faults.push(self.contradiction(one, other));
        }
    }
}
