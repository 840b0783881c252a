//! What helps a network that fails: fewer packets that show it, and the barrier that is missing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_sdn::{Barriers, Image, Network, NetworkMachine};
use mazurka_trace::{Outcome, Verdict};

use crate::load::Loaded;
use crate::program::Program;

/// For so long, advice is looked for.
const TIME: Duration = Duration::from_secs(3);
/// One network is explored for so long at most.
const EACH: Duration = Duration::from_millis(500);
/// Among more packets than this, no smaller set is looked for.
const MOST_PACKETS: usize = 12;

/// What there is to say about a network that fails, in sentences. Each of them was checked by
/// exploring another network; none comes where that took too long.
pub fn advice(loaded: &Loaded) -> Vec<String> {
    let Program::Network { image, .. } = &loaded.program else { return Vec::new() };
    let mut search = Search { image, until: Instant::now() + TIME };
    let mut notes = Vec::new();
    notes.extend(search.fewer_packets());
    notes.extend(search.exact_barriers());
    notes.extend(search.missing_barriers());
    notes
}

struct Search<'a> {
    image: &'a Arc<Image>,
    until: Instant,
}

impl Search<'_> {
    /// Explores another network, if there is time for it.
    fn explore(&mut self, network: Network, barriers: Barriers) -> Option<Outcome> {
        let left = self.until.checked_duration_since(Instant::now())?;
        let mut machine = NetworkMachine::new(Image::new(network, barriers));
        let limits = Limits { timeout: Some(left.min(EACH)), ..Options::default().limits };
        let algorithm = Algorithm::OptimalConstrainedObservers;
        let options = Options { algorithm, limits, ..Options::default() };
        Some(explore(&mut machine, &options, &Monitor::default()))
    }

    /// The smallest set of packets that fails, if that is not all of them.
    fn fewer_packets(&mut self) -> Option<String> {
        let network = self.image.network();
        let count = network.packets();
        if !(2..=MOST_PACKETS).contains(&count) {
            return None;
        }
        let mut sets: Vec<Vec<usize>> = (1u32..1 << count)
            .map(|set| (0..count).filter(|&packet| set >> packet & 1 == 1).collect())
            .filter(|set: &Vec<usize>| set.len() < count)
            .collect();
        sets.sort_by_key(Vec::len);
        for set in sets {
            let outcome = self.explore(network.only(&set), self.image.barriers())?;
            if outcome.verdict() == Verdict::Violation {
                let names: Vec<String> = set.iter().map(usize::to_string).collect();
                let (packets, fail) = if set.len() == 1 { ("packet", "fails") } else { ("packets", "fail") };
                let names = names.join(", ");
                return Some(format!("{packets} {names} alone {fail}, of {count} that are sent"));
            }
        }
        None
    }

    /// Whether barriers to the letter of OpenFlow exclude the failure.
    fn exact_barriers(&mut self) -> Option<String> {
        let network = self.image.network();
        if !network.has_barriers() || self.image.barriers() == Barriers::Exact {
            return None;
        }
        let outcome = self.explore(network.clone(), Barriers::Exact)?;
        (outcome.verdict() == Verdict::Verified).then(|| {
            "nothing fails with barriers to the letter of OpenFlow (--barriers exact), which concern \
             all messages to a switch"
                .to_owned()
        })
    }

    /// The barriers each of which alone makes the failure go away.
    fn missing_barriers(&mut self) -> Vec<String> {
        let network = self.image.network();
        let mut notes = Vec::new();
        for place in network.places_for_barriers() {
            let Some(outcome) = self.explore(network.with_barrier(&place), self.image.barriers()) else { break };
            if outcome.verdict() == Verdict::Verified {
                let executions = outcome.executions;
                let classes =
                    if executions == 1 { "1 execution".to_owned() } else { format!("{executions} executions") };
                notes.push(format!("with `{}` before {}: verified ({classes})", place.barrier(), place.text(network)));
            }
        }
        notes
    }
}
