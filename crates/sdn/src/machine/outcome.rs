//! What becomes of packets.

use mazurka_machine::Digest;

use crate::hir::Network;

/// What has become of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// It came to this host.
    Delivered(u32),
    /// A rule, or the controller, said that this switch is to drop it.
    Dropped(u32),
    /// It was taken out of the buffer of this switch when no rule fitted it.
    Lost(u32),
    /// Nothing is behind the port that it left this switch by.
    NoLink(u32),
    /// It came back to this switch, and went the same way again.
    Loop(u32),
    /// It came to this switch a second time.
    Revisit(u32),
    /// Rules of this switch contradict each other about it.
    Ambiguous(u32),
    /// It waits at this switch for an answer that does not come.
    Stuck(u32),
}

impl Outcome {
    fn parts(self) -> (u32, u32) {
        match self {
            Outcome::Delivered(at) => (0, at),
            Outcome::Dropped(at) => (1, at),
            Outcome::Lost(at) => (2, at),
            Outcome::NoLink(at) => (3, at),
            Outcome::Loop(at) => (4, at),
            Outcome::Revisit(at) => (5, at),
            Outcome::Ambiguous(at) => (6, at),
            Outcome::Stuck(at) => (7, at),
        }
    }

    /// As the value of a cell: not 0.
    pub(super) fn word(self) -> i64 {
        let (kind, at) = self.parts();
        1 + i64::from(kind) + 8 * i64::from(at)
    }

    /// From the value of a cell.
    pub(super) fn from_word(word: i64) -> Outcome {
        let (kind, at) = ((word - 1) % 8, ((word - 1) / 8) as u32);
        match kind {
            0 => Outcome::Delivered(at),
            1 => Outcome::Dropped(at),
            2 => Outcome::Lost(at),
            3 => Outcome::NoLink(at),
            4 => Outcome::Loop(at),
            5 => Outcome::Revisit(at),
            6 => Outcome::Ambiguous(at),
            _ => Outcome::Stuck(at),
        }
    }

    pub(super) fn digest(self) -> Digest {
        Digest::default().name(106).name(self.word() as u64)
    }

    /// The kind, and where, in the user's words.
    pub(super) fn show(self, network: &Network) -> (&'static str, String) {
        let switch = |at: u32| network.switches[at as usize].name.clone();
        match self {
            Outcome::Delivered(host) => ("delivered", network.hosts[host as usize].name.clone()),
            Outcome::Dropped(at) => ("dropped", switch(at)),
            Outcome::Lost(at) => ("lost", switch(at)),
            Outcome::NoLink(at) => ("no-link", switch(at)),
            Outcome::Loop(at) => ("loop", switch(at)),
            Outcome::Revisit(at) => ("revisit", switch(at)),
            Outcome::Ambiguous(at) => ("ambiguous", switch(at)),
            Outcome::Stuck(at) => ("stuck", switch(at)),
        }
    }
}
