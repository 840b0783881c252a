//! Hosts, switches, links, the tables that are there at the beginning, and shortest paths.

use std::collections::VecDeque;

use mazurka_source::Span;

use super::{Checker, Meaning};
use crate::hir::{Action, ActionEx, Host, Match, MatchEx, Peer, Switch, Ty};
use crate::syntax::ast;

/// More hosts, switches or links than this are refused.
const MOST: i64 = 100_000;

impl Checker<'_> {
    /// Declares switches and hosts. Where hosts are is looked at when all switches are known.
    pub(super) fn groups(&mut self, file: &ast::File) {
        for group in &file.switches {
            let first = self.network.switches.len();
            let count = self.size(group);
            let site = self.site(group.name.span);
            for index in 0..count {
                let name = self.element_name(group, index);
                self.network.switches.push(Switch { name, index, ports: Vec::new(), site });
            }
            self.declare_group(group, first as i64, count, Ty::Switch);
        }
        for group in &file.hosts {
            let first = self.network.hosts.len();
            let count = self.size(group);
            for index in 0..count {
                let name = self.element_name(group, index);
                self.network.hosts.push(Host { name, index, switch: 0, port: 0 });
            }
            self.declare_group(group, first as i64, count, Ty::Host);
        }
    }

    fn size(&mut self, group: &ast::Group) -> i64 {
        let Some(size) = &group.size else { return 1 };
        match self.constant(size, Ty::Int) {
            Some(count) if (0..=MOST).contains(&count) => count,
            Some(count) => {
                self.wrong(size.span, format!("{count} is no number of things"), &format!("expected 0..{MOST}"));
                0
            }
            None => 0,
        }
    }

    fn element_name(&self, group: &ast::Group, index: i64) -> String {
        let name = &group.name.text;
        if group.size.is_some() { format!("{name}[{index}]") } else { name.clone() }
    }

    fn declare_group(&mut self, group: &ast::Group, first: i64, count: i64, of: Ty) {
        let meaning = match group.size {
            Some(_) => Meaning::Group(first, count, of),
            None => Meaning::Constant(first, of),
        };
        self.declare(&group.name, meaning);
    }

    /// Connects everything: ports that are named first, then hosts at the smallest free ports.
    pub(super) fn topology(&mut self, file: &ast::File) {
        for link in &file.links {
            match &link.repeat {
                None => self.link(link),
                Some(repeat) => self.repeated(repeat, |checker| checker.link(link)),
            }
        }
        let mut waiting = Vec::new();
        let mut first = self.shaped_hosts();
        for group in &file.hosts {
            let count = match self.names.get(&group.name.text) {
                Some(&(Meaning::Group(at, count, Ty::Host), span)) if span == group.name.span && at == first => count,
                Some(&(Meaning::Constant(at, Ty::Host), span)) if span == group.name.span && at == first => 1,
                _ => return,
            };
            let hosts = first as usize..(first + count) as usize;
            first += count;
            let Some((switch, port)) = &group.at else { continue };
            let Some(at) = self.constant(switch, Ty::Switch) else { continue };
            let from = port.as_ref().map(|port| (self.constant(port, Ty::Int).unwrap_or(0), port.span));
            for (offset, host) in hosts.enumerate() {
                self.network.hosts[host].switch = at as usize;
                match from {
                    Some((port, span)) => self.connect_host(host, port + offset as i64, span),
                    None => waiting.push((host, switch.span)),
                }
            }
        }
        self.connect_waiting(&waiting);
        self.shortest_paths();
    }

    /// How many hosts come from a topology that has a name.
    fn shaped_hosts(&self) -> i64 {
        match self.names.get("h") {
            Some(&(Meaning::Group(0, count, Ty::Host), span)) if self.is_shape(span) => count,
            _ => 0,
        }
    }

    fn connect_waiting(&mut self, waiting: &[(usize, Span)]) {
        let mut next = vec![0i64; self.network.switches.len()];
        for &(host, span) in waiting {
            let switch = self.network.hosts[host].switch;
            while self.network.switches[switch].peer(next[switch]).is_some() {
                next[switch] += 1;
            }
            self.connect_host(host, next[switch], span);
        }
    }

    fn connect_host(&mut self, host: usize, port: i64, span: Span) {
        self.network.hosts[host].port = port;
        let switch = self.network.hosts[host].switch;
        self.connect(switch, port, Peer::Host(host), span);
    }

    /// Runs something with a number bound to one value after the other.
    pub(super) fn repeated(&mut self, repeat: &ast::Repeat, mut run: impl FnMut(&mut Self)) {
        let bounds = (self.constant(&repeat.first, Ty::Int), self.constant(&repeat.last, Ty::Int));
        let (Some(first), Some(last)) = bounds else { return };
        if last.saturating_sub(first) >= MOST {
            return self.wrong(repeat.first.span.to(repeat.last.span), "this is repeated too often", "expected fewer");
        }
        for value in first..=last {
            self.scopes.push((repeat.name.text.clone(), Meaning::Constant(value, Ty::Int)));
            run(self);
            self.scopes.pop();
            if self.sink.is_full() {
                return;
            }
        }
    }

    fn link(&mut self, link: &ast::Link) {
        let end = |checker: &mut Self, at: usize| {
            let (switch, port) = &link.ends[at];
            Some((checker.constant(switch, Ty::Switch)? as usize, checker.constant(port, Ty::Int)?))
        };
        let (Some((one, one_port)), Some((other, other_port))) = (end(self, 0), end(self, 1)) else { return };
        if one == other {
            return self.wrong(link.span, "this links a switch to itself", "expected two switches");
        }
        self.connect(one, one_port, Peer::Switch(other, other_port), link.ends[0].1.span);
        self.connect(other, other_port, Peer::Switch(one, one_port), link.ends[1].1.span);
    }

    fn connect(&mut self, switch: usize, port: i64, peer: Peer, span: Span) {
        if port < 0 {
            return self.wrong(span, format!("{port} is no port"), "expected a number from 0 on");
        }
        let ports = &mut self.network.switches[switch].ports;
        match ports.binary_search_by_key(&port, |&(known, _)| known) {
            Err(at) => ports.insert(at, (port, peer)),
            Ok(_) => {
                let name = &self.network.switches[switch].name;
                let message = format!("port {port} of `{name}` is used twice");
                self.wrong(span, message, "expected a port that is free");
            }
        }
    }

    /// For each switch and host the port that leads there; among equals the smallest port.
    fn shortest_paths(&mut self) {
        let switches = &self.network.switches;
        let mut towards = vec![vec![None; self.network.hosts.len()]; switches.len()];
        let mut distances: Vec<Option<Vec<usize>>> = vec![None; switches.len()];
        for (number, host) in self.network.hosts.iter().enumerate() {
            let Some(home) = switches.get(host.switch) else { continue };
            if home.peer(host.port) != Some(Peer::Host(number)) {
                continue;
            }
            let distance = distances[host.switch].get_or_insert_with(|| distances_to(switches, host.switch));
            for (at, switch) in switches.iter().enumerate() {
                let nearer = |&&(_, peer): &&(i64, Peer)| match peer {
                    Peer::Switch(next, _) => distance[at] != usize::MAX && distance[next] + 1 == distance[at],
                    Peer::Host(_) => false,
                };
                towards[at][number] = match at == host.switch {
                    true => Some(host.port),
                    false => switch.ports.iter().find(nearer).map(|&(port, _)| port),
                };
            }
        }
        self.network.towards = towards;
    }

    /// The tables that are there at the beginning.
    pub(super) fn tables(&mut self, file: &ast::File) {
        for (switch, rules) in &file.tables {
            let Some(at) = self.constant(switch, Ty::Switch) else { continue };
            for rule in rules {
                self.rule(at as usize, rule);
            }
        }
    }

    /// Rules everywhere that lead to each host by the shortest path.
    pub(super) fn routes(&mut self, file: &ast::File) {
        for (priority, field) in &file.routes {
            let Some(priority) = self.constant(priority, Ty::Int) else { continue };
            let Some(at) = self.network.fields.iter().position(|(name, of)| *name == field.text && *of == Ty::Host)
            else {
                self.wrong(field.span, format!("there is no field `{}` that names a host", field.text), "expected one");
                continue;
            };
            for switch in 0..self.network.switches.len() {
                for host in 0..self.network.hosts.len() {
                    let Some(port) = self.network.towards[switch][host] else { continue };
                    let mut matches: Match = vec![None; self.network.fields.len() + 1];
                    matches[at] = Some(host as i64);
                    self.network.rules.push((switch, priority, matches, Action::Out(vec![port])));
                }
            }
        }
    }

    fn rule(&mut self, switch: usize, rule: &ast::Rule) {
        let priority = self.constant(&rule.priority, Ty::Int).unwrap_or(0);
        let matches = self.matches(&rule.matches);
        let matches: Match = matches.iter().map(|ex| self.fold(ex.as_ref()?, rule.span)).collect();
        let action = match self.action(&rule.action) {
            ActionEx::Drop => Action::Drop,
            ActionEx::Flood => Action::Flood,
            ActionEx::Controller => Action::Controller,
            ActionEx::Out(ports) => Action::Out(ports.iter().filter_map(|port| self.fold(port, rule.span)).collect()),
        };
        let known = &self.network.rules;
        if known.iter().any(|(at, p, m, _)| (*at, *p, m) == (switch, priority, &matches)) {
            return self.wrong(rule.span, "this rule is there twice", "expected another priority or another match");
        }
        if let Action::Out(ports) = &action {
            for &port in ports {
                if self.network.switches[switch].peer(port).is_none() {
                    let (line, _) = self.network.lines.line_column(rule.span.start);
                    let name = &self.network.switches[switch].name;
                    self.network.warnings.push(format!("line {line}: `{name}` has no port {port}"));
                }
            }
        }
        self.network.rules.push((switch, priority, matches, action));
    }

    /// A match: a value or nothing for each field, and last for the port.
    pub(super) fn matches(&mut self, matches: &ast::Match) -> MatchEx {
        let mut values: MatchEx = vec![None; self.network.fields.len() + 1];
        for (name, value) in &matches.fields {
            let at = self.network.fields.iter().position(|(known, _)| *known == name.text);
            let (at, of) = match at {
                Some(at) => (at, self.network.fields[at].1),
                None if name.text == "in_port" => (values.len() - 1, Ty::Int),
                None => {
                    let message = format!("there is no field `{}` in `header`", name.text);
                    self.wrong(name.span, message, "expected a field of the header, or `in_port`");
                    continue;
                }
            };
            let value = self.typed(value, of);
            if values[at].replace(value).is_some() {
                self.wrong(name.span, format!("`{}` stands here twice", name.text), "expected each field once");
            }
        }
        values
    }

    /// An action.
    pub(super) fn action(&mut self, action: &ast::Action) -> ActionEx {
        match action {
            ast::Action::Drop => ActionEx::Drop,
            ast::Action::Flood => ActionEx::Flood,
            ast::Action::Controller => ActionEx::Controller,
            ast::Action::Out(ports) => ActionEx::Out(ports.iter().map(|port| self.typed(port, Ty::Int)).collect()),
        }
    }
}

/// How far each switch is from this one.
fn distances_to(switches: &[Switch], to: usize) -> Vec<usize> {
    let mut distances = vec![usize::MAX; switches.len()];
    let mut queue = VecDeque::from([to]);
    distances[to] = 0;
    while let Some(at) = queue.pop_front() {
        for &(_, peer) in &switches[at].ports {
            if let Peer::Switch(next, _) = peer
                && distances[next] == usize::MAX
            {
                distances[next] = distances[at] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}
