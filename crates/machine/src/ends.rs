//! Final states: what executions lead to, for programs whose machines keep account of that.

use mazurka_trace::Schedule;

/// Which executions are to be kept, to be looked at afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traces {
    /// None.
    #[default]
    None,
    /// The one of this number, from 1.
    One(u64),
    /// All, up to a limit.
    All,
}

/// A state in which executions end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalState {
    /// The objects, by name, each with its fields and their values.
    pub objects: Vec<(String, Vec<(String, String)>)>,
    /// Who has not ended, and where it waits.
    pub waiting: Vec<(String, String)>,
    /// The exceptions that nobody caught.
    pub exceptions: Vec<String>,
    /// How many executions end there.
    pub executions: u64,
    /// The first of them: its number, from 1.
    pub first: u64,
    /// Its schedule.
    pub schedule: Schedule,
}

/// What becomes of a packet of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PacketEnds {
    /// The packet.
    pub name: String,
    /// What becomes of it, where, and in how many executions.
    pub outcomes: Vec<(String, String, u64)>,
}

/// What the executions of an exploration lead to.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// The different states, in the order in which they were met.
    pub states: Vec<FinalState>,
    /// Executions that end in states beyond those: there are too many to keep.
    pub uncounted: u64,
    /// The executions that were requested: number, which of the states they end in, schedule.
    pub traces: Vec<(u64, Option<usize>, Schedule)>,
    /// How many executions there are.
    pub executions: u64,
    /// What becomes of packets, for networks.
    pub packets: Vec<PacketEnds>,
}
