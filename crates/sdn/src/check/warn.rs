//! What is strange about a network, and no error.

use super::Checker;
use crate::hir::{Action, ActionEx, Network, Op, Peer};
use crate::syntax::ast;

/// A header may have so many bits.
const MOST_BITS: u32 = 256;

impl Checker<'_> {
    /// Collects it.
    pub(super) fn warn(&mut self, file: &ast::File) {
        let network = &self.network;
        let mut warnings = Vec::new();
        if network.sent.is_empty() {
            warnings.push("no packet is sent: nothing can happen".to_owned());
        }
        warnings.extend(disconnected(network));
        if let Some(controller) = file.controllers.first() {
            let (line, _) = network.lines.line_column(controller.span.start);
            if network.packet_in.is_none() && !network.misses_dropped {
                warnings.push(format!(
                    "the controller (line {line}) has no `packet_in`: packets without a rule stay where they are"
                ));
            }
            warnings.extend(never_answers(network, line));
        }
        warnings.extend(useless_barriers(network));
        if floods(network) && has_circle(network) {
            warnings.push("packets are flooded, and links make a circle: copies can go round".to_owned());
        }
        self.network.warnings.extend(warnings);
        self.header_width(file);
    }

    fn header_width(&mut self, file: &ast::File) {
        let bits = |of: &crate::hir::Ty| match *of {
            crate::hir::Ty::Bool => 1,
            crate::hir::Ty::Host => width(self.network.hosts.len() as i64),
            crate::hir::Ty::Switch => width(self.network.switches.len() as i64),
            crate::hir::Ty::Named(list) => width(self.network.values[list].len() as i64),
            crate::hir::Ty::Range(low, high) => width(high.saturating_sub(low).saturating_add(1)),
            crate::hir::Ty::Int | crate::hir::Ty::Wrong => 0,
        };
        let sum: u32 = self.network.fields.iter().map(|(_, of)| bits(of)).sum();
        if let (true, Some((name, _))) = (sum > MOST_BITS, file.header.last()) {
            let expected = format!("expected at most {MOST_BITS} in all fields");
            self.wrong(name.span, format!("the header has {sum} bits"), &expected);
        }
    }
}

/// How many bits it takes to tell so many values apart.
fn width(count: i64) -> u32 {
    i64::BITS - (count - 1).max(0).leading_zeros()
}

/// Hosts that cannot reach each other, the first pair.
fn disconnected(network: &Network) -> Option<String> {
    let first = network.hosts.first()?;
    let row = network.towards.get(first.switch)?;
    let other = network.hosts.iter().zip(row).find(|(_, port)| port.is_none())?.0;
    Some(format!("no path leads from {} to {}", first.name, other.name))
}

/// The instructions of a handler.
fn handler_code(network: &Network, entry: usize) -> &[Op] {
    let entries = [network.packet_in, network.start].into_iter().flatten().map(|(at, _)| at);
    let end = entries.filter(|&at| at > entry).min().unwrap_or(network.code.len());
    &network.code[entry..end]
}

fn never_answers(network: &Network, line: usize) -> Option<String> {
    let (entry, _) = network.packet_in?;
    let answers = handler_code(network, entry).iter().any(|op| matches!(op, Op::PacketOut { .. }));
    (!answers).then(|| {
        format!("`packet_in` of the controller (line {line}) never answers: packets that ask stay where they are")
    })
}

/// Barriers before which nothing was sent.
fn useless_barriers(network: &Network) -> Vec<String> {
    let mut found = Vec::new();
    for (entry, _) in [network.packet_in, network.start].into_iter().flatten() {
        let code = handler_code(network, entry);
        let is_message = |op: &Op| matches!(op, Op::Install { .. } | Op::Remove { .. } | Op::PacketOut { .. });
        for (at, op) in code.iter().enumerate() {
            let Op::Barrier { site, .. } = op else { continue };
            let again = code[at..].iter().any(|op| matches!(op, Op::Jump(to) if *to <= entry + at));
            if !again && !code[..at].iter().any(is_message) {
                let (line, _) = network.lines.line_column(network.sites[*site as usize].start);
                found.push(format!("the barrier in line {line} waits for nothing: nothing was sent before"));
            }
        }
    }
    found
}

fn floods(network: &Network) -> bool {
    let in_tables = network.rules.iter().any(|(.., action)| *action == Action::Flood);
    in_tables
        || network.code.iter().any(|op| {
            matches!(
                op,
                Op::Install { action: ActionEx::Flood, .. } | Op::PacketOut { action: Some(ActionEx::Flood), .. }
            )
        })
}

/// Whether links between switches make a circle.
fn has_circle(network: &Network) -> bool {
    let mut groups: Vec<usize> = (0..network.switches.len()).collect();
    fn find(groups: &mut [usize], mut at: usize) -> usize {
        while groups[at] != at {
            groups[at] = groups[groups[at]];
            at = groups[at];
        }
        at
    }
    for (at, switch) in network.switches.iter().enumerate() {
        for &(port, peer) in &switch.ports {
            let Peer::Switch(other, back) = peer else { continue };
            if (at, port) > (other, back) {
                continue;
            }
            let (one, other) = (find(&mut groups, at), find(&mut groups, other));
            if one == other {
                return true;
            }
            groups[one] = other;
        }
    }
    false
}
