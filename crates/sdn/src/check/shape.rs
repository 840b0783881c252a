//! Topologies that have a name: `topology fat_tree(4);`. Their switches are `s`, their hosts `h`.

use mazurka_source::{Diagnostic, Span, suggest};

use super::{Checker, Meaning};
use crate::hir::{Host, Peer, Switch, Ty};
use crate::syntax::ast;

/// The names there are, with what each takes.
const SHAPES: [(&str, &str, usize); 4] = [
    ("fat_tree", "an even number from 2 to 16", 1),
    ("linear", "a number from 1 to 10000", 1),
    ("ring", "a number from 3 to 10000", 1),
    ("tree", "depth and fanout, with at most 10000 leaves", 2),
];

/// Which switch has which hosts and links, by ports.
#[derive(Default)]
struct Plan {
    switches: usize,
    hosts: Vec<(usize, i64)>,
    links: Vec<[(usize, i64); 2]>,
}

/// Pods of edge and aggregation switches below core switches; hosts at the edge. Edge switches come
/// first, then those of aggregation, then the core.
fn fat_tree(k: usize) -> Plan {
    let (half, port) = (k / 2, |number: usize| number as i64);
    let (edge, aggregation) = (0, k * half);
    let core = 2 * k * half;
    let mut plan = Plan { switches: core + half * half, ..Plan::default() };
    for pod in 0..k {
        for one in 0..half {
            let low = edge + pod * half + one;
            plan.hosts.extend((0..half).map(|host| (low, port(host))));
            for other in 0..half {
                let high = aggregation + pod * half + other;
                plan.links.push([(low, port(half + other)), (high, port(one))]);
            }
        }
        for other in 0..half {
            let high = aggregation + pod * half + other;
            let cores = (0..half).map(|up| [(high, port(half + up)), (core + other * half + up, port(pod))]);
            plan.links.extend(cores);
        }
    }
    plan
}

/// Switches in a row, each with a host at port 0.
fn linear(count: usize, is_closed: bool) -> Plan {
    let links = (1..count).map(|right| [(right - 1, 1), (right, 2)]);
    let mut plan =
        Plan { switches: count, hosts: (0..count).map(|switch| (switch, 0)).collect(), links: links.collect() };
    if is_closed {
        plan.links.push([(count - 1, 1), (0, 2)]);
    }
    plan
}

/// A tree of switches; what hangs on those of the last level are hosts. Port 0 leads up.
fn tree(depth: usize, fanout: usize) -> Plan {
    let mut plan = Plan { switches: 1, ..Plan::default() };
    let mut level = vec![0];
    for _ in 1..depth {
        let mut below = Vec::new();
        for &switch in &level {
            for child in 0..fanout {
                plan.links.push([(switch, child as i64 + 1), (plan.switches, 0)]);
                below.push(plan.switches);
                plan.switches += 1;
            }
        }
        level = below;
    }
    plan.hosts = level.iter().flat_map(|&switch| (0..fanout).map(move |host| (switch, host as i64 + 1))).collect();
    plan
}

fn plan_of(name: &str, sizes: &[i64]) -> Option<Plan> {
    let sizes: Vec<usize> = sizes.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)).collect();
    match (name, &*sizes) {
        ("fat_tree", &[k]) if (2..=16).contains(&k) && k % 2 == 0 => Some(fat_tree(k)),
        ("linear", &[count]) if (1..=10_000).contains(&count) => Some(linear(count, false)),
        ("ring", &[count]) if (3..=10_000).contains(&count) => Some(linear(count, true)),
        ("tree", &[depth @ 1..=13, fanout @ 1..=10_000])
            if fanout.checked_pow(depth as u32).is_some_and(|leaves| leaves <= 10_000) =>
        {
            Some(tree(depth, fanout))
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Makes the topology that is named, if one is.
    pub(super) fn shape(&mut self, file: &ast::File) {
        for other in file.topologies.iter().skip(1) {
            self.wrong(other.name.span, "there are two topologies", "expected one");
        }
        let Some(topology) = file.topologies.first() else { return };
        let name = topology.name.text.as_str();
        let Some((_, takes, count)) = SHAPES.iter().find(|(known, ..)| *known == name) else {
            let names = SHAPES.map(|(known, ..)| known);
            let problem = Diagnostic::new(topology.name.span, format!("there is no topology `{name}`"), "expected one");
            let help = suggest(name, names).unwrap_or_else(|| format!("there are {}", names.join(", ")));
            return self.sink.push(problem.help(help));
        };
        let sizes: Option<Vec<i64>> = topology.sizes.iter().map(|size| self.constant(size, Ty::Int)).collect();
        let Some(sizes) = sizes else { return };
        match plan_of(name, &sizes) {
            Some(plan) if sizes.len() == *count => self.build(&topology.name, &plan),
            _ => {
                let shown: Vec<String> = sizes.iter().map(i64::to_string).collect();
                let message = format!("there is no `{name}({})`", shown.join(", "));
                self.wrong(topology.name.span, message, &format!("`{name}` takes {takes}"));
            }
        }
    }

    /// Whether something was declared by a topology that has a name.
    pub(super) fn is_shape(&self, span: Span) -> bool {
        self.shaped == Some(span)
    }

    fn build(&mut self, name: &ast::Name, plan: &Plan) {
        let site = self.site(name.span);
        self.shaped = Some(name.span);
        for index in 0..plan.switches {
            let name = format!("s[{index}]");
            self.network.switches.push(Switch { name, index: index as i64, ports: Vec::new(), site });
        }
        for (index, &(switch, port)) in plan.hosts.iter().enumerate() {
            let name = format!("h[{index}]");
            self.network.hosts.push(Host { name, index: index as i64, switch, port });
            self.network.switches[switch].ports.push((port, Peer::Host(index)));
        }
        for &[(one, port), (other, back)] in &plan.links {
            self.network.switches[one].ports.push((port, Peer::Switch(other, back)));
            self.network.switches[other].ports.push((back, Peer::Switch(one, port)));
        }
        for switch in &mut self.network.switches {
            switch.ports.sort_by_key(|&(port, _)| port);
        }
        let named = |text: &str| ast::Name { text: text.to_owned(), span: name.span };
        self.declare(&named("s"), Meaning::Group(0, plan.switches as i64, Ty::Switch));
        self.declare(&named("h"), Meaning::Group(0, plan.hosts.len() as i64, Ty::Host));
    }
}
