//! What is to hold.

use super::{Checker, Meaning};
use crate::hir::{Ex, Kind, Property, Ty};
use crate::syntax::ast::{self, Expression, PropertyKind, Who};

impl Checker<'_> {
    pub(super) fn properties(&mut self, file: &ast::File) {
        for property in &file.properties {
            if let Some(kind) = self.property(property) {
                let site = self.site(property.span);
                self.network.properties.push(Property { kind, site });
            }
        }
    }

    fn property(&mut self, property: &ast::Property) -> Option<Kind> {
        Some(match &property.kind {
            PropertyKind::NoLoop => Kind::NoLoop,
            PropertyKind::NoRevisit => Kind::NoRevisit,
            PropertyKind::NoBlackhole => Kind::NoBlackhole,
            PropertyKind::ConsistentTables => Kind::ConsistentTables,
            PropertyKind::Delivered(unless) => {
                Kind::Delivered(unless.as_ref().map(|(name, condition)| self.condition(name, condition, true)))
            }
            PropertyKind::Hops(most) => Kind::Hops(self.constant(most, Ty::Int)?),
            PropertyKind::Balanced(arguments) => {
                let (most, hosts) = arguments.split_last()?;
                let most = self.constant(most, Ty::Int)?;
                let hosts: Option<Vec<usize>> =
                    hosts.iter().map(|host| Some(self.constant(host, Ty::Host)? as usize)).collect();
                let hosts = hosts?;
                if hosts.len() < 2 {
                    self.wrong(property.span, "there is nothing to balance", "expected two hosts and a number");
                }
                Kind::Balanced(hosts, most)
            }
            PropertyKind::Waypoint(switch) => Kind::Waypoint(self.constant(switch, Ty::Switch)? as usize),
            PropertyKind::NeverDeliver(name, who, when) => {
                let hosts = self.who(who, Ty::Host, self.network.hosts.len())?;
                Kind::NeverDeliver(hosts, when.as_ref().map(|when| self.condition(name, when, false)))
            }
            PropertyKind::NeverForward(name, who, when) => {
                let switches = self.who(who, Ty::Switch, self.network.switches.len())?;
                Kind::NeverForward(switches, when.as_ref().map(|when| self.condition(name, when, false)))
            }
        })
    }

    /// A condition on a packet; mostly it may look at the controller's variables.
    fn condition(&mut self, name: &ast::Name, condition: &Expression, is_constant: bool) -> Ex {
        self.scopes.push((name.text.clone(), Meaning::Packet));
        self.is_constant = is_constant;
        let ex = self.typed(condition, Ty::Bool);
        self.is_constant = true;
        self.scopes.pop();
        ex
    }

    fn who(&mut self, who: &Who, of: Ty, count: usize) -> Option<Vec<bool>> {
        let mut chosen = vec![matches!(who, Who::Anybody); count];
        match who {
            Who::Anybody => {}
            Who::One(one) => {
                let one = self.constant(one, of)?;
                chosen[one as usize] = true;
            }
            Who::Group(name) => match self.find(&name.text, name.span) {
                Meaning::Group(first, size, found) if found == of => {
                    chosen[first as usize..(first + size) as usize].fill(true);
                }
                Meaning::Wrong => return None,
                _ => {
                    let wanted = if of == Ty::Host { "a group of hosts" } else { "a group of switches" };
                    self.wrong(name.span, format!("`{}` is no such group", name.text), &format!("expected {wanted}"));
                    return None;
                }
            },
        }
        Some(chosen)
    }
}
