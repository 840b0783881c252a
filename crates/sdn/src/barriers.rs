//! Networks with one barrier more.

use crate::hir::{Network, Op, Targets};

/// Where a barrier could stand that is not there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The instruction that it would stand before.
    at: usize,
    waits: bool,
    site: u32,
}

impl Place {
    /// Whether it stands before another one.
    pub fn is_before(&self, other: &Place) -> bool {
        self.at < other.at
    }

    /// The barrier, as it would be written.
    pub fn barrier(&self) -> &'static str {
        if self.waits { "await barrier();" } else { "barrier();" }
    }

    /// The statement that it would stand before, with its line.
    pub fn text(&self, network: &Network) -> String {
        let span = network.sites[self.site as usize];
        let (line, _) = network.lines.line_column(span.start);
        let text = network.source.get(span.start as usize..span.end as usize).unwrap_or_default();
        format!("`{}` (line {line})", text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl Network {
    /// All places where a barrier could help: before each answer, where the handler waits, and
    /// before each rule.
    pub fn places_for_barriers(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, op) in self.code.iter().enumerate() {
            match op {
                Op::PacketOut { site, .. } => places.push(Place { at, waits: true, site: *site }),
                Op::Install { site, .. } | Op::Remove { site, .. } => {
                    places.push(Place { at, waits: false, site: *site });
                }
                _ => {}
            }
        }
        // Answers come first: there, barriers are missing most often.
        places.sort_by_key(|place| !place.waits);
        places
    }

    /// The network with one more barrier, for all switches that the handler has sent something to.
    pub fn with_barrier(&self, place: &Place) -> Network {
        let mut network = self.clone();
        let moved = |to: usize| if to > place.at { to + 1 } else { to };
        for op in &mut network.code {
            if let Op::Jump(to) | Op::Unless(_, to) = op {
                *to = moved(*to);
            }
        }
        for entry in [&mut network.packet_in, &mut network.start].into_iter().flatten() {
            entry.0 = moved(entry.0);
        }
        let barrier = Op::Barrier { targets: Targets::All, waits: place.waits, site: place.site };
        network.code.insert(place.at, barrier);
        network
    }
}
