//! Fixed tables: where all packets go that any host can send, without a controller that changes
//! anything.
//!
//! Sets of headers are followed along the ports. At a switch a set is divided by the rules, in the
//! order of their priorities. Headers do not change on the way, so a set that comes to a port again
//! goes round for ever.

mod space;

use std::collections::BTreeMap;

use crate::eval::{Scope, value_of};
use crate::hir::{Action, Ex, Kind, Match, Network, Peer};
use space::{Domains, Headers};

/// So many sets are followed.
const MOST_SETS: usize = 5_000_000;
/// So many findings of a kind are kept.
const MOST_FOUND: usize = 200;
/// A condition is looked at for so many headers of a set.
const MOST_HEADERS: i64 = 4_096;

/// What there is to say about fixed tables, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Sets of packets that go round, with their ways.
    pub loops: Vec<String>,
    /// Sets of packets that disappear.
    pub blackholes: Vec<String>,
    /// Properties that do not hold.
    pub violations: Vec<String>,
    /// Rules of equal priority that disagree about some packet.
    pub overlaps: Vec<String>,
    /// Rules that others of higher priority leave nothing to.
    pub shadowed: Vec<String>,
    /// Rules that no packet of any host comes to.
    pub unused: Vec<String>,
    /// Sets of packets about which the controller would be asked.
    pub asked: Vec<String>,
    /// From which host to which other one which packets come.
    pub reach: BTreeMap<(String, String), Vec<String>>,
    /// What was not looked at.
    pub left_out: Vec<String>,
    /// How many sets were followed.
    pub sets: usize,
}

impl Found {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.loops.is_empty() && self.blackholes.is_empty() && self.violations.is_empty() && self.overlaps.is_empty()
    }
}

/// A set of packets on its way.
struct Set {
    from: usize,
    headers: Headers,
    switch: usize,
    port: i64,
    /// The ports that it came to before.
    trail: Vec<(usize, i64)>,
}

struct Look<'n> {
    network: &'n Network,
    domains: Domains,
    /// By switch: rules in the order in which they are tried.
    tables: Vec<Vec<(i64, &'n Match, &'n Action)>>,
    used: Vec<Vec<bool>>,
    found: Found,
    sets: Vec<Set>,
}

impl Network {
    /// Looks at the tables that are there at the beginning.
    pub fn look_at_tables(&self) -> Found {
        let mut tables = vec![Vec::new(); self.switches.len()];
        for (switch, priority, matches, action) in &self.rules {
            tables[*switch].push((*priority, matches, action));
        }
        for table in &mut tables {
            table.sort_by_key(|&(priority, ..)| std::cmp::Reverse(priority));
        }
        let used = tables.iter().map(|table| vec![false; table.len()]).collect();
        let domains = Domains::new(self);
        let mut look = Look { network: self, domains, tables, used, found: Found::default(), sets: Vec::new() };
        look.at_tables();
        for (from, host) in self.hosts.iter().enumerate() {
            let headers = look.domains.all();
            look.sets.push(Set { from, headers, switch: host.switch, port: host.port, trail: Vec::new() });
            look.follow();
        }
        look.unused();
        look.found
    }
}

fn note(list: &mut Vec<String>, words: impl FnOnce() -> String) {
    if list.len() < MOST_FOUND {
        list.push(words());
    }
}

/// The header of one packet.
struct Header<'a>(&'a Network, &'a [i64]);

impl Scope for Header<'_> {
    fn network(&self) -> Option<&Network> {
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

impl Look<'_> {
    fn rule_text(&self, switch: usize, at: usize) -> String {
        let (priority, matches, action) = self.tables[switch][at];
        let name = &self.network.switches[switch].name;
        format!("{name}: `{priority}: {} -> {action}`", self.network.show_match(matches))
    }

    /// Overlaps, and rules that others leave nothing to.
    fn at_tables(&mut self) {
        for switch in 0..self.tables.len() {
            for at in 0..self.tables[switch].len() {
                let (priority, matches, action) = self.tables[switch][at];
                let mut rest = vec![self.domains.all()];
                rest = rest.iter().filter_map(|set| self.domains.common(set, matches)).collect();
                for before in 0..at {
                    let (other, wider, otherwise) = self.tables[switch][before];
                    let meets = crate::machine::intersect(matches, wider);
                    if other == priority && meets && action != otherwise {
                        let words = format!("{} and {}", self.rule_text(switch, before), self.rule_text(switch, at));
                        note(&mut self.found.overlaps, || words);
                    }
                    let port = matches.len() - 1;
                    if other > priority && meets && (wider[port].is_none() || wider[port] == matches[port]) {
                        rest = rest.iter().flat_map(|set| self.domains.rest(set, wider)).collect();
                    }
                }
                if rest.is_empty() {
                    let words = self.rule_text(switch, at);
                    note(&mut self.found.shadowed, || words);
                }
            }
        }
    }

    fn unused(&mut self) {
        for switch in 0..self.tables.len() {
            for at in 0..self.tables[switch].len() {
                if !self.used[switch][at] {
                    let words = self.rule_text(switch, at);
                    note(&mut self.found.unused, || words);
                }
            }
        }
    }

    fn follow(&mut self) {
        while let Some(set) = self.sets.pop() {
            self.found.sets += 1;
            if self.found.sets > MOST_SETS {
                self.found.left_out.push(format!("more than {MOST_SETS} sets of packets"));
                self.sets.clear();
                return;
            }
            self.at_switch(&set);
        }
    }

    fn words(&self, set: &Set, headers: &Headers) -> String {
        let from = &self.network.hosts[set.from].name;
        format!("{} from {from}", space::show(self.network, headers))
    }

    fn way(&self, set: &Set) -> String {
        let name = |switch: usize| self.network.switches[switch].name.as_str();
        let names = set.trail.iter().map(|&(switch, _)| name(switch)).chain([name(set.switch)]);
        names.collect::<Vec<_>>().join(" -> ")
    }

    fn at_switch(&mut self, set: &Set) {
        if set.trail.contains(&(set.switch, set.port)) {
            let words = format!("{}: {}", self.words(set, &set.headers), self.way(set));
            return note(&mut self.found.loops, || words);
        }
        let hops = set.trail.len() as i64 + 1;
        for property in &self.network.properties {
            if matches!(property.kind, Kind::Hops(most) if hops > most) {
                let words = format!("{} passes {hops} switches: {}", self.words(set, &set.headers), self.way(set));
                return note(&mut self.found.violations, || words);
            }
        }
        let mut rest = vec![set.headers.clone()];
        for at in 0..self.tables[set.switch].len() {
            let (_, matches, action) = self.tables[set.switch][at];
            if matches[matches.len() - 1].is_some_and(|port| port != set.port) {
                continue;
            }
            let (mut fitting, mut left) = (Vec::new(), Vec::new());
            for one in rest {
                match self.domains.common(&one, matches) {
                    None => left.push(one),
                    Some(common) => {
                        left.extend(self.domains.rest(&one, matches));
                        fitting.push(common);
                    }
                }
            }
            rest = left;
            if fitting.is_empty() {
                continue;
            }
            self.used[set.switch][at] = true;
            for headers in fitting {
                self.act(set, headers, action);
            }
            if rest.is_empty() {
                return;
            }
        }
        for headers in rest {
            self.miss(set, &headers);
        }
    }

    fn miss(&mut self, set: &Set, headers: &Headers) {
        if self.network.misses_dropped {
            return;
        }
        let words = format!("{} at {}", self.words(set, headers), self.network.switches[set.switch].name);
        match self.network.packet_in {
            Some(_) => note(&mut self.found.asked, || words),
            None => note(&mut self.found.blackholes, || format!("{words}: no rule fits, and nobody is asked")),
        }
    }

    fn act(&mut self, set: &Set, headers: Headers, action: &Action) {
        let ports: Vec<i64> = match action {
            Action::Drop => return,
            Action::Controller => return self.miss(set, &headers),
            Action::Out(ports) => ports.clone(),
            Action::Flood => {
                let all = self.network.switches[set.switch].ports.iter().map(|&(port, _)| port);
                all.filter(|&port| port != set.port).collect()
            }
        };
        for port in ports {
            match self.network.switches[set.switch].peer(port) {
                None => {
                    let name = &self.network.switches[set.switch].name;
                    let words = format!("{}: {name} has nothing behind port {port}", self.words(set, &headers));
                    note(&mut self.found.blackholes, || words);
                }
                Some(Peer::Host(host)) => self.arrive(set, &headers, host),
                Some(Peer::Switch(next, port)) => {
                    let mut trail = set.trail.clone();
                    trail.push((set.switch, set.port));
                    self.sets.push(Set { from: set.from, headers: headers.clone(), switch: next, port, trail });
                }
            }
        }
    }

    /// A set of packets comes to a host.
    fn arrive(&mut self, set: &Set, headers: &Headers, host: usize) {
        let network = self.network;
        let key = (network.hosts[set.from].name.clone(), network.hosts[host].name.clone());
        let shown = space::show(network, headers);
        let known = self.found.reach.entry(key).or_default();
        if known.len() < MOST_FOUND && !known.contains(&shown) {
            known.push(shown);
        }
        let passes = |switch: usize| set.switch == switch || set.trail.iter().any(|&(at, _)| at == switch);
        for property in &network.properties {
            let broken = match &property.kind {
                Kind::Waypoint(switch) => !passes(*switch),
                Kind::NeverDeliver(hosts, when) => {
                    hosts[host] && self.some_header(headers, when.as_ref(), property.site)
                }
                _ => false,
            };
            if broken {
                let span = network.sites[property.site as usize];
                let text = network.source.get(span.start as usize..span.end as usize).unwrap_or_default();
                let to = &network.hosts[host].name;
                let words = format!("`{text}` does not hold: {} comes to {to}", self.words(set, headers));
                note(&mut self.found.violations, || words);
            }
        }
    }

    /// Whether a condition holds of some header of a set.
    fn some_header(&mut self, headers: &Headers, when: Option<&Ex>, site: u32) -> bool {
        let Some(when) = when else { return true };
        let holds = |header: &Vec<i64>| value_of(when, &mut Header(self.network, header)).map(|value| value != 0);
        let all = self.domains.each(headers, MOST_HEADERS);
        let known: Option<Vec<bool>> = all.and_then(|all| all.iter().map(|header| holds(header).ok()).collect());
        known.map_or_else(
            || {
                let (line, _) = self.network.lines.line_column(self.network.sites[site as usize].start);
                let words = format!("the property in line {line}, for some packets");
                if !self.found.left_out.contains(&words) {
                    self.found.left_out.push(words);
                }
                false
            },
            |known| known.contains(&true),
        )
    }
}
