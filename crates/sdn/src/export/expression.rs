//! Expressions in ABS. All values are integers there; conditions are truth values where they are
//! used as such.

use super::RESERVED;
use crate::hir::{Action, ActionEx, Binary, Entry, Ex, MatchEx, Network, Unary};

/// Writes expressions about a packet.
pub(super) struct Words<'n> {
    pub(super) network: &'n Network,
    /// The header of the packet, in ABS.
    pub(super) header: &'static str,
}

type Written = Result<String, String>;

/// A variable of the controller in ABS.
pub(super) fn variable_name(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains("__");
    let is_local = name.strip_prefix('x').is_some_and(|rest| rest.parse::<u32>().is_ok());
    if is_plain && !is_local && !RESERVED.contains(&name) { name.to_owned() } else { format!("its_{name}") }
}

impl Words<'_> {
    /// An expression as a number.
    pub(super) fn number(&self, ex: &Ex) -> Written {
        Ok(match ex {
            Ex::Const(value) if *value < 0 => format!("({value})"),
            Ex::Const(value) => value.to_string(),
            Ex::Local(slot) => format!("x{slot}"),
            Ex::Field(field) => format!("nth({}, {field})", self.header),
            Ex::Get(entry) => self.entry_value(entry)?,
            Ex::Unary(Unary::Negate, inner, _) => format!("(0 - {})", self.number(inner)?),
            Ex::Binary(operator, sides, _) if is_arithmetic(*operator) => {
                let (left, right) = (self.number(&sides[0])?, self.number(&sides[1])?);
                match operator {
                    Binary::Add => format!("({left} + {right})"),
                    Binary::Subtract => format!("({left} - {right})"),
                    Binary::Multiply => format!("({left} * {right})"),
                    Binary::Divide => format!("truncate({left} / {right})"),
                    _ => format!("({left} % {right})"),
                }
            }
            Ex::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                let (then, otherwise) = (self.number(then)?, self.number(otherwise)?);
                format!("(if {} then {then} else {otherwise})", self.truth(condition)?)
            }
            Ex::Within(inner, low, high, _) => format!("within({}, {low}, {high})", self.number(inner)?),
            Ex::Element(first, count, index, _) => {
                format!("({first} + within({}, 0, {}))", self.number(index)?, count - 1)
            }
            Ex::Towards(sides, _) => format!("towards({}, {})", self.number(&sides[0])?, self.number(&sides[1])?),
            Ex::PathLength(sides, _) => {
                format!("pathLength({}, {})", self.number(&sides[0])?, self.number(&sides[1])?)
            }
            Ex::HopSwitch([switch, host, index]) => format!("hop(x{switch}, x{host}, x{index})"),
            Ex::SwitchOf(host) => format!("switchOf({})", self.number(host)?),
            Ex::PortOf(host) => format!("portOf({})", self.number(host)?),
            Ex::HostIndex(host) => format!("hostIndex({})", self.number(host)?),
            Ex::SwitchIndex(switch) => format!("switchIndex({})", self.number(switch)?),
            Ex::Unary(..) | Ex::Binary(..) | Ex::Has(_) => format!("(if {} then 1 else 0)", self.truth(ex)?),
        })
    }

    /// An expression as a truth value.
    pub(super) fn truth(&self, ex: &Ex) -> Written {
        Ok(match ex {
            Ex::Const(0) => "False".to_owned(),
            Ex::Const(1) => "True".to_owned(),
            Ex::Unary(Unary::Not, inner, _) => format!("!{}", self.truth(inner)?),
            Ex::Has(entry) => {
                let name = variable_name(&self.network.variables[entry.variable].name);
                format!("isJust(lookup({name}, {}))", self.key(entry)?)
            }
            Ex::Binary(operator, sides, _) if !is_arithmetic(*operator) => {
                let sign = match operator {
                    Binary::Or => "||",
                    Binary::And => "&&",
                    Binary::Equal => "==",
                    Binary::NotEqual => "!=",
                    Binary::Less => "<",
                    Binary::LessEqual => "<=",
                    Binary::Greater => ">",
                    _ => ">=",
                };
                let (left, right) = match operator {
                    Binary::Or | Binary::And => (self.truth(&sides[0])?, self.truth(&sides[1])?),
                    _ => (self.number(&sides[0])?, self.number(&sides[1])?),
                };
                format!("({left} {sign} {right})")
            }
            Ex::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                let (then, otherwise) = (self.truth(then)?, self.truth(otherwise)?);
                format!("(if {} then {then} else {otherwise})", self.truth(condition)?)
            }
            _ => format!("({} != 0)", self.number(ex)?),
        })
    }

    fn entry_value(&self, entry: &Entry) -> Written {
        let name = variable_name(&self.network.variables[entry.variable].name);
        Ok(match entry.keys.is_empty() {
            true => name,
            false => format!("lookupUnsafe({name}, {})", self.key(entry)?),
        })
    }

    /// The key of an entry.
    pub(super) fn key(&self, entry: &Entry) -> Written {
        let keys = entry.keys.iter().map(|key| self.number(key)).collect::<Result<Vec<_>, _>>()?;
        Ok(if keys.len() == 1 { keys.concat() } else { format!("list[{}]", keys.join(", ")) })
    }

    /// A match.
    pub(super) fn matches(&self, of: &MatchEx) -> Written {
        let fields = of.iter().map(|value| match value {
            Some(value) => Ok(format!("Is({})", self.number(value)?)),
            None => Ok("Any".to_owned()),
        });
        Ok(format!("list[{}]", fields.collect::<Result<Vec<_>, String>>()?.join(", ")))
    }

    /// An action.
    pub(super) fn action(&self, of: &ActionEx) -> Written {
        Ok(match of {
            ActionEx::Drop => super::show_action(&Action::Drop),
            ActionEx::Flood => super::show_action(&Action::Flood),
            ActionEx::Controller => super::show_action(&Action::Controller),
            ActionEx::Out(ports) => {
                let ports = ports.iter().map(|port| self.number(port)).collect::<Result<Vec<_>, _>>()?;
                format!("Out(list[{}])", ports.join(", "))
            }
        })
    }
}

fn is_arithmetic(operator: Binary) -> bool {
    use Binary::{Add, Divide, Multiply, Remainder, Subtract};
    matches!(operator, Add | Subtract | Multiply | Divide | Remainder)
}
