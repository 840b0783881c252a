//! Networks, to be drawn: what is linked to what, and the way of a packet.

/// A switch or a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether it is a host.
    pub is_host: bool,
    /// The rules of a switch, in words.
    pub rules: Vec<String>,
}

/// A link between two nodes: by their indices, with the ports; hosts have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The nodes.
    pub nodes: [usize; 2],
    /// The port at each end.
    pub ports: [Option<i64>; 2],
}

/// What is linked to what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Topology {
    /// Switches and hosts.
    pub nodes: Vec<Node>,
    /// The links.
    pub links: Vec<Link>,
}

/// A switch on the way of a packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    /// The switch, as a node.
    pub node: usize,
    /// The port at which the packet came in.
    pub port: i64,
    /// What the switch did with it, and why: `1: src = h -> out 2`.
    pub decision: String,
    /// Where it went, if it went on: a node.
    pub next: Option<usize>,
}

/// The way of a packet that something went wrong with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journey {
    /// The network as it was then.
    pub topology: Topology,
    /// The packet, with its header.
    pub packet: String,
    /// Who sent it, as a node.
    pub from: usize,
    /// Where it was.
    pub hops: Vec<Hop>,
    /// What became of it.
    pub end: String,
}
