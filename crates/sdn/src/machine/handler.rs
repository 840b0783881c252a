//! The controller: runs its handlers, up to their ends or to where they wait.

use std::sync::Arc;

use mazurka_trace::{AccessKind, Event, Fault, FaultKind, ProcessId, SiteId};

use super::NetworkMachine;
use super::mutation::{Mutation, on};
use super::step::{Stop, misuse};
use super::store::{Store, touch};
use super::tables::Key;
use super::tasks::{Kind, Lists};
use crate::eval::{Scope, Trouble, cell_of, value_of};
use crate::hir::{ABSENT, Action, ActionEx, Ex, Match, MatchEx, Network, Op, Targets};

/// A handler in the course of a step.
struct Running {
    /// The task that it began with.
    handler: u32,
    /// Where the packet waits that it is about.
    switch: Option<u32>,
    packet: Option<u32>,
    pc: usize,
    frame: Vec<i64>,
    /// What it has sent.
    sent: Vec<(u32, Lists)>,
}

struct Values<'a> {
    network: &'a Network,
    store: &'a Store,
    frame: &'a [i64],
    header: &'a [i64],
    event: &'a mut Event,
}

impl Scope for Values<'_> {
    fn network(&self) -> Option<&Network> {
        Some(self.network)
    }

    fn local(&self, slot: usize) -> Option<i64> {
        self.frame.get(slot).copied()
    }

    fn field(&self, field: usize) -> Option<i64> {
        self.header.get(field).copied()
    }

    fn cell(&mut self, cell: usize) -> Option<i64> {
        Some(self.store.read(cell as u32, self.event))
    }
}

impl NetworkMachine {
    /// A handler begins or goes on.
    pub(super) fn handle(&mut self, process: ProcessId, kind: Kind, event: &mut Event) -> Result<(), Stop> {
        let image = Arc::clone(&self.image);
        let mut frame = vec![0; image.network.locals.max(2)];
        let handler = process.index() as u32;
        let nobody = Running { handler, switch: None, packet: None, pc: 0, frame: Vec::new(), sent: Vec::new() };
        let running = match kind {
            Kind::PacketIn { switch, port, packet } => {
                let Some((pc, _)) = image.network.packet_in else { return Ok(()) };
                (frame[0], frame[1]) = (i64::from(switch), port);
                Running { switch: Some(switch), packet: Some(packet), pc, frame, ..nobody }
            }
            Kind::Start { switch } => {
                let Some((pc, _)) = image.network.start else { return Ok(()) };
                frame[0] = i64::from(switch);
                Running { pc, frame, ..nobody }
            }
            Kind::Resume { handler, pc, frame, sent } => {
                let about = match self.tasks.get(ProcessId::new(handler as usize)).kind {
                    Kind::PacketIn { switch, packet, .. } => Some((switch, packet)),
                    _ => None,
                };
                let (frame, sent) = (self.tasks.frames.get(frame).clone(), self.tasks.sent.get(sent).clone());
                let (switch, packet) = (about.map(|about| about.0), about.map(|about| about.1));
                Running { handler, switch, packet, pc: pc as usize, frame, sent }
            }
            _ => return Ok(()),
        };
        self.run(&image.network, running, event)
    }

    fn run(&mut self, network: &Network, mut running: Running, event: &mut Event) -> Result<(), Stop> {
        let mut fuel = self.fuel;
        loop {
            fuel = fuel.checked_sub(1).ok_or(Stop::OutOfFuel)?;
            let op = &network.code[running.pc];
            running.pc += 1;
            match op {
                Op::Set(slot, value) => running.frame[*slot] = self.value(network, value, &running, event)?,
                Op::Store(entry, value) => {
                    let value = self.value(network, value, &running, event)?;
                    let cell = self.with_values(network, &running, event, |values| cell_of(entry, values))?;
                    self.store.write(cell as u32, AccessKind::Write, value, event);
                }
                Op::Erase(entry) => {
                    let cell = self.with_values(network, &running, event, |values| cell_of(entry, values))?;
                    self.store.write(cell as u32, AccessKind::Write, ABSENT, event);
                }
                Op::Jump(to) => running.pc = *to,
                Op::Unless(condition, to) => {
                    if self.value(network, condition, &running, event)? == 0 {
                        running.pc = *to;
                    }
                }
                Op::Assert(condition, site) => {
                    if self.value(network, condition, &running, event)? == 0 {
                        let (kind, process) = (FaultKind::Assertion, event.process);
                        let site = SiteId::new(*site as usize);
                        event.faults.push(Fault { kind, process, site, detail: [0; 2] });
                    }
                }
                Op::Install { .. } | Op::Remove { .. } | Op::PacketOut { .. } => {
                    self.tell_switch(network, op, &mut running, event)?;
                }
                Op::Barrier { targets, waits, site } => {
                    let targets = self.targets(network, targets, *site, &running, event)?;
                    let others = self.barrier(&targets, &mut running, *waits, event);
                    if !others.is_empty() {
                        self.suspend(&running, others, *site, event);
                        return Ok(());
                    }
                }
                Op::Return => return Ok(()),
            }
        }
    }

    fn with_values<T>(
        &self,
        network: &Network,
        running: &Running,
        event: &mut Event,
        ask: impl FnOnce(&mut Values<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Stop> {
        let header = running.packet.map_or(&[][..], |packet| self.packets.header(packet));
        let mut values = Values { network, store: &self.store, frame: &running.frame, header, event };
        Ok(ask(&mut values)?)
    }

    fn value(&self, network: &Network, ex: &Ex, running: &Running, event: &mut Event) -> Result<i64, Stop> {
        if let Ex::Const(value) = ex {
            return Ok(*value);
        }
        self.with_values(network, running, event, |values| value_of(ex, values))
    }

    fn matches(&self, network: &Network, of: &MatchEx, running: &Running, event: &mut Event) -> Result<Match, Stop> {
        let values = of.iter().map(|value| match value {
            Some(value) => self.value(network, value, running, event).map(Some),
            None => Ok(None),
        });
        values.collect()
    }

    fn action(&mut self, network: &Network, of: &ActionEx, running: &Running, event: &mut Event) -> Result<u32, Stop> {
        let action = match of {
            ActionEx::Drop => Action::Drop,
            ActionEx::Flood => Action::Flood,
            ActionEx::Controller => Action::Controller,
            ActionEx::Out(ports) => {
                let ports = ports.iter().map(|port| self.value(network, port, running, event));
                Action::Out(ports.collect::<Result<_, _>>()?)
            }
        };
        Ok(self.tables.actions.enter(action))
    }

    /// Sends a message to a switch.
    fn tell_switch(
        &mut self,
        network: &Network,
        op: &Op,
        running: &mut Running,
        event: &mut Event,
    ) -> Result<(), Stop> {
        let (switch, kind, site) = match op {
            Op::Install { switch, priority, matches, action, site } => {
                let switch = self.value(network, switch, running, event)? as u32;
                let priority = self.value(network, priority, running, event)?;
                let matches = self.matches(network, matches, running, event)?;
                let action = self.action(network, action, running, event)?;
                let key = self.enter_key(Key { switch, priority, matches });
                (switch, Kind::FlowMod { key, action }, *site)
            }
            Op::Remove { switch, priority, matches, site } => {
                let switch = self.value(network, switch, running, event)? as u32;
                let priority = match priority {
                    Some(priority) => Some(self.value(network, priority, running, event)?),
                    None => None,
                };
                let matches = self.matches(network, matches, running, event)?;
                let kind = match priority {
                    Some(priority) => Kind::Remove { key: self.enter_key(Key { switch, priority, matches }) },
                    None => Kind::RemoveAll { switch, matches: self.matches.enter(matches) },
                };
                (switch, kind, *site)
            }
            Op::PacketOut { switch, action, site } => {
                let switch = self.value(network, switch, running, event)? as u32;
                let action = match action {
                    Some(action) => Some(self.action(network, action, running, event)?),
                    None => None,
                };
                if running.switch != Some(switch) {
                    let (kind, process) = (FaultKind::Misuse, event.process);
                    let detail = [misuse::ELSEWHERE, i64::from(switch)];
                    event.faults.push(Fault { kind, process, site: SiteId::new(*site as usize), detail });
                    return Ok(());
                }
                (switch, Kind::PacketOut { buffer: running.handler, action }, *site)
            }
            _ => return Ok(()),
        };
        self.send_message(switch, kind, site, running, event);
        Ok(())
    }

    /// What a handler has sent to a switch.
    fn sent_to(running: &mut Running, switch: u32) -> &mut Lists {
        let at = match running.sent.binary_search_by_key(&switch, |&(switch, _)| switch) {
            Ok(at) => at,
            Err(at) => {
                running.sent.insert(at, (switch, Lists::default()));
                at
            }
        };
        &mut running.sent[at].1
    }

    /// A message waits for those before the last barrier.
    fn send_message(&mut self, switch: u32, kind: Kind, site: u32, running: &mut Running, event: &mut Event) {
        let own = Self::sent_to(running, switch);
        if !self.is_exact() {
            let late = on(Mutation::BarrierLate) && own.since.is_empty();
            let waits = if late { Vec::new() } else { own.before.clone() };
            let waits = self.tasks.waits.enter(waits);
            let message = self.spawn(kind, waits, site, event);
            Self::sent_to(running, switch).since.push(message);
            return;
        }
        let cell = self.first.epochs + switch;
        let mut lists = self.tasks.epochs.get(self.store.get(cell) as u32).clone();
        // Who sends adds to a list, in whatever order; who sends a barrier looks at it.
        touch(event, cell, AccessKind::Read, 0, 0);
        let late = on(Mutation::BarrierLate) && lists.since.is_empty();
        let waits = self.tasks.waits.enter(if late { Vec::new() } else { lists.before.clone() });
        let message = self.spawn(kind, waits, site, event);
        // In the order of names: numbers are another machine's in another order.
        let name = self.tasks.digest(message);
        let at = lists.since.partition_point(|&other| self.tasks.digest(other) < name);
        lists.since.insert(at, message);
        let lists = self.tasks.epochs.enter(lists);
        self.store.put(cell, i64::from(lists));
    }

    fn targets(
        &self,
        network: &Network,
        of: &Targets,
        site: u32,
        running: &Running,
        event: &mut Event,
    ) -> Result<Vec<u32>, Stop> {
        let mut targets = match of {
            Targets::All => running.sent.iter().map(|&(switch, _)| switch).collect(),
            Targets::Switch(switch) => vec![self.value(network, switch, running, event)? as u32],
            Targets::Path(switch, host) => {
                let switch = self.value(network, switch, running, event)? as usize;
                let host = self.value(network, host, running, event)? as usize;
                let length = network.path_length(switch, host).ok_or(Trouble::NoPath(site))?;
                (0..length).map(|index| network.path_switch(switch, host, index) as u32).collect()
            }
        };
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// Barriers at switches; gives what has to end before the handler goes on, if it waits.
    fn barrier(&mut self, targets: &[u32], running: &mut Running, waits: bool, event: &mut Event) -> Vec<ProcessId> {
        let mut others = Vec::new();
        for &switch in targets {
            if self.is_exact() {
                others.extend(self.exact_barrier(switch, event));
                continue;
            }
            let own = Self::sent_to(running, switch);
            if !own.since.is_empty() {
                own.before = std::mem::take(&mut own.since);
            }
            if waits {
                // What the handler waits for is over by cause when it goes on.
                others.append(&mut own.before);
            }
        }
        if !waits {
            others.clear();
        }
        others
    }

    fn exact_barrier(&mut self, switch: u32, event: &mut Event) -> Vec<ProcessId> {
        let cell = self.first.epochs + switch;
        let Lists { before, since } = self.tasks.epochs.get(self.store.get(cell) as u32).clone();
        let before = if since.is_empty() { before } else { since };
        let lists = self.tasks.epochs.enter(Lists { before: before.clone(), since: Vec::new() });
        let kind = if on(Mutation::BarrierUntold) { AccessKind::Read } else { AccessKind::Update };
        touch(event, cell, kind, 0, 0);
        self.store.put(cell, i64::from(lists));
        before
    }

    /// Another task goes on when these have ended.
    fn suspend(&mut self, running: &Running, mut others: Vec<ProcessId>, site: u32, event: &mut Event) {
        others.sort_unstable_by_key(|&other| self.tasks.digest(other));
        others.dedup();
        let waits = self.tasks.waits.enter(others);
        let frame = self.tasks.frames.enter(running.frame.clone());
        let sent = self.tasks.sent.enter(running.sent.clone());
        let kind = Kind::Resume { handler: running.handler, pc: running.pc as u32, frame, sent };
        self.spawn(kind, waits, site, event);
    }
}
