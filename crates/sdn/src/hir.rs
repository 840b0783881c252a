//! A network that was checked: names are numbers, types fit, the handlers are straight code with
//! jumps.

use mazurka_source::{LineIndex, Span};

pub(crate) use crate::syntax::ast::{Binary, Unary};

/// The type of a value. All values are 64-bit integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int,
    Bool,
    Host,
    Switch,
    /// One of the named values of a list.
    Named(usize),
    Range(i64, i64),
    /// Something is wrong, and was reported.
    Wrong,
}

/// An expression. How deep it nests is limited by the parser.
#[derive(Clone, Debug)]
pub(crate) enum Ex {
    Const(i64),
    Local(usize),
    /// A field of the packet at hand.
    Field(usize),
    /// A variable of the controller, or an entry of a map.
    Get(Entry),
    /// Whether a map has an entry, or a set an element.
    Has(Entry),
    Unary(Unary, Box<Ex>, u32),
    Binary(Binary, Box<[Ex; 2]>, u32),
    Conditional(Box<[Ex; 3]>),
    /// The value if it is in the range, with what to blame otherwise.
    Within(Box<Ex>, i64, i64, u32),
    /// Of a group of hosts or switches that begins with this one.
    Element(i64, i64, Box<Ex>, u32),
    /// The port of a switch that leads to a host by the shortest path.
    Towards(Box<[Ex; 2]>, u32),
    /// How many switches there are on the shortest path from a switch to a host.
    PathLength(Box<[Ex; 2]>, u32),
    /// Of the path from a switch to a host (locals), the switch at an index (local).
    HopSwitch([usize; 3]),
    SwitchOf(Box<Ex>),
    PortOf(Box<Ex>),
    HostIndex(Box<Ex>),
    SwitchIndex(Box<Ex>),
}

/// A variable of the controller with keys.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) variable: usize,
    pub(crate) keys: Vec<Ex>,
    pub(crate) site: u32,
}

/// An action whose ports are computed.
#[derive(Clone, Debug)]
pub(crate) enum ActionEx {
    Drop,
    Flood,
    Controller,
    Out(Vec<Ex>),
}

/// A match whose values are computed: one for each field of the header, and last the port.
pub(crate) type MatchEx = Vec<Option<Ex>>;

/// The switches of a barrier.
#[derive(Clone, Debug)]
pub(crate) enum Targets {
    All,
    Switch(Ex),
    Path(Ex, Ex),
}

/// An instruction of a handler.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Set(usize, Ex),
    Store(Entry, Ex),
    Erase(Entry),
    Jump(usize),
    Unless(Ex, usize),
    Install {
        switch: Ex,
        priority: Ex,
        matches: MatchEx,
        action: ActionEx,
        site: u32,
    },
    Remove {
        switch: Ex,
        priority: Option<Ex>,
        matches: MatchEx,
        site: u32,
    },
    PacketOut {
        switch: Ex,
        action: Option<ActionEx>,
        site: u32,
    },
    /// Whether the handler waits.
    Barrier {
        targets: Targets,
        waits: bool,
        site: u32,
    },
    Assert(Ex, u32),
    Return,
}

/// What a packet is to match; `None` is a wildcard. The port at which it comes in is last.
pub(crate) type Match = Vec<Option<i64>>;

/// What a rule does.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Action {
    Drop,
    Flood,
    Controller,
    Out(Vec<i64>),
}

#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub(crate) name: String,
    /// As which of its group.
    pub(crate) index: i64,
    pub(crate) switch: usize,
    pub(crate) port: i64,
}

/// What is at the other end of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    Host(usize),
    Switch(usize, i64),
}

#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) name: String,
    pub(crate) index: i64,
    /// In the order of their numbers.
    pub(crate) ports: Vec<(i64, Peer)>,
    pub(crate) site: u32,
}

impl Switch {
    pub(crate) fn peer(&self, port: i64) -> Option<Peer> {
        let at = self.ports.binary_search_by_key(&port, |&(port, _)| port).ok()?;
        Some(self.ports[at].1)
    }
}

/// A variable of the controller: its cells stand one behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) keys: Vec<Ty>,
    pub(crate) value: Ty,
    pub(crate) first: usize,
    pub(crate) cells: usize,
    pub(crate) initial: i64,
}

/// A map has no such entry.
pub(crate) const ABSENT: i64 = i64::MIN;

/// A field of a packet that is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldValue {
    Fixed(i64),
    /// Every value from the first to the last.
    Any(i64, i64),
}

/// A packet that is sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) host: usize,
    pub(crate) fields: Vec<FieldValue>,
    pub(crate) site: u32,
    /// The stage that ends when this packet, and others, have come to their ends.
    pub(crate) stage: Option<usize>,
}

/// Packets, after the end of which others are sent.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) packets: i64,
    pub(crate) next: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) kind: Kind,
    pub(crate) site: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    NoLoop,
    NoRevisit,
    NoBlackhole,
    Delivered(Option<Ex>),
    ConsistentTables,
    Balanced(Vec<usize>, i64),
    Hops(i64),
    /// For which hosts, and when.
    NeverDeliver(Vec<bool>, Option<Ex>),
    /// For which switches, and when.
    NeverForward(Vec<bool>, Option<Ex>),
    Waypoint(usize),
}

/// A network, its controller, its traffic, and what is to hold.
#[derive(Clone, Debug)]
pub struct Network {
    pub(crate) file: String,
    pub(crate) source: String,
    pub(crate) lines: LineIndex,
    pub(crate) sites: Vec<Span>,
    pub(crate) hosts: Vec<Host>,
    pub(crate) switches: Vec<Switch>,
    /// Of the header: name and type.
    pub(crate) fields: Vec<(String, Ty)>,
    /// The lists of named values.
    pub(crate) values: Vec<Vec<String>>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) code: Vec<Op>,
    /// Where the handlers begin, if they are there.
    pub(crate) packet_in: Option<(usize, u32)>,
    pub(crate) start: Option<(usize, u32)>,
    /// How many locals a handler has.
    pub(crate) locals: usize,
    pub(crate) rules: Vec<(usize, i64, Match, Action)>,
    pub(crate) misses_dropped: bool,
    pub(crate) overlaps_chosen: bool,
    pub(crate) sent: Vec<Sent>,
    /// The packets that are sent at the beginning.
    pub(crate) first: Vec<usize>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) properties: Vec<Property>,
    /// For each switch and host, the port that leads there.
    pub(crate) towards: Vec<Vec<Option<i64>>>,
    pub(crate) warnings: Vec<String>,
}

impl Network {
    /// The next hop of the shortest path from a switch to a host: the switch after this one, if the
    /// host is not here.
    pub(crate) fn next_switch(&self, switch: usize, host: usize) -> Option<usize> {
        match self.switches[switch].peer(self.towards[switch][host]?)? {
            Peer::Host(_) => None,
            Peer::Switch(next, _) => Some(next),
        }
    }

    /// How many switches there are on the shortest path.
    pub(crate) fn path_length(&self, switch: usize, host: usize) -> Option<i64> {
        self.towards[switch][host]?;
        let mut at = switch;
        let mut length = 1;
        while let Some(next) = self.next_switch(at, host) {
            at = next;
            length += 1;
        }
        Some(length)
    }

    /// The switch at an index of the path.
    pub(crate) fn path_switch(&self, switch: usize, host: usize, index: i64) -> usize {
        (0..index).fold(switch, |at, _| self.next_switch(at, host).unwrap_or(at))
    }

    /// A value in the user's words.
    pub(crate) fn show(&self, of: Ty, value: i64) -> String {
        let at = usize::try_from(value).unwrap_or(usize::MAX);
        let named = match of {
            _ if value == ABSENT => return "absent".to_owned(),
            Ty::Bool => Some(if value == 0 { "false" } else { "true" }.to_owned()),
            Ty::Host => self.hosts.get(at).map(|host| host.name.clone()),
            Ty::Switch => self.switches.get(at).map(|switch| switch.name.clone()),
            Ty::Named(list) => self.values[list].get(at).cloned(),
            Ty::Int | Ty::Range(..) | Ty::Wrong => None,
        };
        named.unwrap_or_else(|| value.to_string())
    }

    /// A match in the user's words.
    pub(crate) fn show_match(&self, matches: &Match) -> String {
        let fields = self.fields.iter().map(|(name, of)| (name.as_str(), *of)).chain([("in_port", Ty::Int)]);
        let set = fields.zip(matches).filter_map(|((name, of), value)| {
            let value = (*value)?;
            Some(format!("{name} = {}", self.show(of, value)))
        });
        let set: Vec<String> = set.collect();
        if set.is_empty() { "*".to_owned() } else { set.join(", ") }
    }

    /// What messages go by where a program has no barrier at all.
    pub fn has_barriers(&self) -> bool {
        self.code.iter().any(|op| matches!(op, Op::Barrier { .. }))
    }

    /// Whether rules are removed that are not named by their keys.
    pub fn removes_by_match(&self) -> bool {
        self.code.iter().any(|op| matches!(op, Op::Remove { priority: None, .. }))
    }

    /// The network with no properties but those that say where packets go no further.
    pub fn ways_only(&self) -> Network {
        let mut network = self.clone();
        network.properties.retain(|one| matches!(one.kind, Kind::NoRevisit | Kind::NoLoop));
        network
    }

    /// What is strange about the network, and no error.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How many packets are sent.
    pub fn packets(&self) -> usize {
        self.sent.len()
    }

    /// The same network in which only some of its packets are sent. Those that come after others
    /// are sent at the beginning.
    pub fn only(&self, packets: &[usize]) -> Network {
        let sent: Vec<Sent> = packets.iter().map(|&one| Sent { stage: None, ..self.sent[one].clone() }).collect();
        Network { first: (0..sent.len()).collect(), sent, stages: Vec::new(), ..self.clone() }
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Drop => f.write_str("drop"),
            Action::Flood => f.write_str("flood"),
            Action::Controller => f.write_str("controller"),
            Action::Out(ports) => {
                let ports: Vec<String> = ports.iter().map(i64::to_string).collect();
                write!(f, "out {}", ports.join(", "))
            }
        }
    }
}
