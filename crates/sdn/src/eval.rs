//! What expressions come to. Nesting is limited by the parser, and with it the recursion here.

use crate::hir::{Binary, Entry, Ex, Network, Unary};

/// What is wrong with an operation, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Overflow(u32),
    DivisionByZero(u32),
    /// A value that is not in its range.
    Range(u32, i64),
    /// A map has no such entry.
    Missing(u32),
    /// No path leads from a switch to a host.
    NoPath(u32),
    /// It is not constant.
    Unknown,
}

/// Where the values of names come from.
pub(crate) trait Scope {
    fn network(&self) -> Option<&Network>;
    fn local(&self, slot: usize) -> Option<i64>;
    fn field(&self, field: usize) -> Option<i64>;
    /// What a cell of a variable holds; the cell is counted from the first of all variables.
    fn cell(&mut self, cell: usize) -> Option<i64>;
}

/// No names have values.
pub(crate) struct Nothing;

impl Scope for Nothing {
    fn network(&self) -> Option<&Network> {
        None
    }

    fn local(&self, _: usize) -> Option<i64> {
        None
    }

    fn field(&self, _: usize) -> Option<i64> {
        None
    }

    fn cell(&mut self, _: usize) -> Option<i64> {
        None
    }
}

/// The cell of an entry.
pub(crate) fn cell_of(entry: &Entry, scope: &mut impl Scope) -> Result<usize, Trouble> {
    let mut offset = 0usize;
    for (position, key) in entry.keys.iter().enumerate() {
        let value = value_of(key, scope)?;
        let network = scope.network().ok_or(Trouble::Unknown)?;
        let (low, size) = domain(network, network.variables[entry.variable].keys[position]);
        let index = value.checked_sub(low).filter(|index| (0..size).contains(index));
        let index = index.ok_or(Trouble::Range(entry.site, value))?;
        offset = offset * size as usize + index as usize;
    }
    let network = scope.network().ok_or(Trouble::Unknown)?;
    Ok(network.variables[entry.variable].first + offset)
}

/// The first value of a type, and how many there are.
fn domain(network: &Network, of: crate::hir::Ty) -> (i64, i64) {
    use crate::hir::Ty;
    match of {
        Ty::Bool => (0, 2),
        Ty::Host => (0, network.hosts.len() as i64),
        Ty::Switch => (0, network.switches.len() as i64),
        Ty::Named(list) => (0, network.values[list].len() as i64),
        Ty::Range(low, high) => (low, high - low + 1),
        Ty::Int | Ty::Wrong => (0, 0),
    }
}

/// What an expression comes to.
pub(crate) fn value_of(ex: &Ex, scope: &mut impl Scope) -> Result<i64, Trouble> {
    Ok(match ex {
        Ex::Const(value) => *value,
        Ex::Local(slot) => scope.local(*slot).ok_or(Trouble::Unknown)?,
        Ex::Field(field) => scope.field(*field).ok_or(Trouble::Unknown)?,
        Ex::Get(entry) => {
            let cell = cell_of(entry, scope)?;
            let value = scope.cell(cell).ok_or(Trouble::Unknown)?;
            if value == crate::hir::ABSENT {
                return Err(Trouble::Missing(entry.site));
            }
            value
        }
        Ex::Has(entry) => {
            let cell = cell_of(entry, scope)?;
            let value = scope.cell(cell).ok_or(Trouble::Unknown)?;
            i64::from(value != crate::hir::ABSENT)
        }
        Ex::Unary(Unary::Not, inner, _) => i64::from(value_of(inner, scope)? == 0),
        Ex::Unary(Unary::Negate, inner, site) => {
            value_of(inner, scope)?.checked_neg().ok_or(Trouble::Overflow(*site))?
        }
        Ex::Binary(operator, sides, site) => binary(*operator, sides, *site, scope)?,
        Ex::Conditional(parts) => {
            let [condition, then, otherwise] = &**parts;
            let chosen = if value_of(condition, scope)? != 0 { then } else { otherwise };
            value_of(chosen, scope)?
        }
        Ex::Within(inner, low, high, site) => {
            let value = value_of(inner, scope)?;
            if !(*low..=*high).contains(&value) {
                return Err(Trouble::Range(*site, value));
            }
            value
        }
        Ex::Element(first, count, index, site) => {
            let index = value_of(index, scope)?;
            if !(0..*count).contains(&index) {
                return Err(Trouble::Range(*site, index));
            }
            first + index
        }
        _ => of_topology(ex, scope)?,
    })
}

/// Questions about the topology.
fn of_topology(ex: &Ex, scope: &mut impl Scope) -> Result<i64, Trouble> {
    let pair = |sides: &[Ex; 2], scope: &mut _| -> Result<(usize, usize), Trouble> {
        Ok((value_of(&sides[0], scope)? as usize, value_of(&sides[1], scope)? as usize))
    };
    match ex {
        Ex::Towards(sides, site) => {
            let (switch, host) = pair(sides, scope)?;
            let network = scope.network().ok_or(Trouble::Unknown)?;
            network
                .towards
                .get(switch)
                .and_then(|row| row.get(host))
                .ok_or(Trouble::Unknown)?
                .ok_or(Trouble::NoPath(*site))
        }
        Ex::PathLength(sides, site) => {
            let (switch, host) = pair(sides, scope)?;
            let network = scope.network().ok_or(Trouble::Unknown)?;
            if network.towards.get(switch).is_none_or(|row| row.get(host).is_none()) {
                return Err(Trouble::Unknown);
            }
            network.path_length(switch, host).ok_or(Trouble::NoPath(*site))
        }
        Ex::HopSwitch(slots) => {
            let [switch, host, index] = slots.map(|slot| scope.local(slot));
            let (switch, host) = (switch.ok_or(Trouble::Unknown)? as usize, host.ok_or(Trouble::Unknown)? as usize);
            let network = scope.network().ok_or(Trouble::Unknown)?;
            Ok(network.path_switch(switch, host, index.ok_or(Trouble::Unknown)?) as i64)
        }
        Ex::SwitchOf(host) => host_of(host, scope, |host| host.switch as i64),
        Ex::PortOf(host) => host_of(host, scope, |host| host.port),
        Ex::HostIndex(host) => host_of(host, scope, |host| host.index),
        Ex::SwitchIndex(switch) => {
            let switch = value_of(switch, scope)? as usize;
            let network = scope.network().ok_or(Trouble::Unknown)?;
            Ok(network.switches.get(switch).ok_or(Trouble::Unknown)?.index)
        }
        _ => Err(Trouble::Unknown),
    }
}

fn host_of(host: &Ex, scope: &mut impl Scope, what: fn(&crate::hir::Host) -> i64) -> Result<i64, Trouble> {
    let host = value_of(host, scope)? as usize;
    let network = scope.network().ok_or(Trouble::Unknown)?;
    Ok(what(network.hosts.get(host).ok_or(Trouble::Unknown)?))
}

fn binary(operator: Binary, sides: &[Ex; 2], site: u32, scope: &mut impl Scope) -> Result<i64, Trouble> {
    let left = value_of(&sides[0], scope)?;
    match operator {
        Binary::And if left == 0 => return Ok(0),
        Binary::Or if left != 0 => return Ok(1),
        _ => {}
    }
    let right = value_of(&sides[1], scope)?;
    let truth = |holds: bool| Ok(i64::from(holds));
    let number = |value: Option<i64>| value.ok_or(Trouble::Overflow(site));
    match operator {
        Binary::And | Binary::Or => truth(right != 0),
        Binary::Equal => truth(left == right),
        Binary::NotEqual => truth(left != right),
        Binary::Less => truth(left < right),
        Binary::LessEqual => truth(left <= right),
        Binary::Greater => truth(left > right),
        Binary::GreaterEqual => truth(left >= right),
        Binary::Add => number(left.checked_add(right)),
        Binary::Subtract => number(left.checked_sub(right)),
        Binary::Multiply => number(left.checked_mul(right)),
        Binary::Divide | Binary::Remainder if right == 0 => Err(Trouble::DivisionByZero(site)),
        Binary::Divide => number(left.checked_div(right)),
        Binary::Remainder => number(left.checked_rem(right)),
        Binary::In => Err(Trouble::Unknown),
    }
}
