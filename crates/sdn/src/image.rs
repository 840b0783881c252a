//! A network that is ready to run.

use std::sync::Arc;

use crate::hir::Network;
use crate::machine::{Key, NetworkMachine};

/// What a barrier orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Barriers {
    /// The messages of the handler's run that sent it. That is less than what OpenFlow promises, so
    /// more can happen, and what is verified so holds there too.
    #[default]
    Scoped,
    /// All messages to the switch, whoever sent them: OpenFlow to the letter.
    Exact,
}

/// A network that is ready to run.
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) network: Network,
    pub(crate) barriers: Barriers,
    /// The rules that are likely to be installed, by their keys.
    pub(crate) foreseen: Vec<Key>,
}

impl Image {
    /// Makes a network ready: runs it a few times, at random but always alike, to see which rules
    /// there can be.
    pub fn new(network: Network, barriers: Barriers) -> Arc<Image> {
        let image = Arc::new(Image { network, barriers, foreseen: Vec::new() });
        let foreseen = NetworkMachine::new(Arc::clone(&image)).survey();
        let network = Arc::unwrap_or_clone(image).network;
        Arc::new(Image { network, barriers, foreseen })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What barriers order.
    pub fn barriers(&self) -> Barriers {
        self.barriers
    }
}
