//! What helps a network that fails: fewer packets that show it, and the barrier that is missing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_report::{Timeline, counted};
use mazurka_sdn::{Barriers, Image, Network, NetworkMachine, Place};
use mazurka_trace::{Outcome, Verdict};

use crate::checked::Checked;
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
pub fn advice(loaded: &Loaded, checked: &Checked) -> Vec<String> {
    let Program::Network { image, .. } = &loaded.program else { return Vec::new() };
    let mut search = Search { image, until: Instant::now() + TIME };
    let mut notes = Vec::new();
    match checked.shown.first().and_then(|timeline| simplest(timeline, image.network().packets())) {
        Some(words) => notes.push(words),
        None => notes.extend(search.fewer_packets()),
    }
    notes.extend(search.exact_barriers());
    notes.extend(search.missing_barriers());
    notes
}

/// What is strange about a network, and no error.
pub fn warnings(loaded: &Loaded) -> &[String] {
    let Program::Network { image, .. } = &loaded.program else { return &[] };
    image.network().warnings()
}

/// What a proof holds for.
pub fn bound(loaded: &Loaded, checked: &Checked) -> Option<String> {
    let Program::Network { image, .. } = &loaded.program else { return None };
    let network = image.network();
    let barriers = match (network.has_barriers(), image.barriers()) {
        (false, _) => "",
        (true, Barriers::Scoped) => ", barriers that order at least what one run of a handler sends",
        (true, Barriers::Exact) => ", barriers to the letter of OpenFlow",
    };
    let packets = match network.packets() as u64 {
        1 => "this packet".to_owned(),
        count => format!("these {}", counted(count, "packet")),
    };
    let words = format!("for {packets}, messages in any order{barriers}, no failures, and no rules that expire");
    (checked.verdict() == Verdict::Verified).then_some(words)
}

/// How simple the failing schedule is, where that is known.
fn simplest(timeline: &Timeline, count: usize) -> Option<String> {
    let overtakings = timeline.overtakings.as_ref()?;
    let is_sending = |task: &str| task.split('#').next().is_some_and(|task| task.ends_with(".send"));
    let sent = timeline.turns.iter().filter(|turn| is_sending(&turn.task)).count();
    let packets = match (sent, count) {
        (1, 1) => "it takes the one packet that is sent".to_owned(),
        (1, count) => format!("it takes one packet of {count}"),
        (sent, count) => format!("it takes {sent} packets of {count}"),
    };
    /// So many are told.
    const MOST: usize = 3;
    let mut words: Vec<String> = overtakings
        .iter()
        .take(MOST)
        .map(|(one, other)| format!("{one} overtakes {other}, which was sent to the same place before"))
        .collect();
    if overtakings.len() > MOST {
        words.push(format!("and {} more", overtakings.len() - MOST));
    }
    Some(match words.is_empty() {
        true => format!("{packets}, and no message overtakes another one"),
        false => format!("{packets}; {}", words.join("; ")),
    })
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

    /// The barriers each of which alone makes the failure go away; two, where none does.
    fn missing_barriers(&mut self) -> Vec<String> {
        let network = self.image.network();
        let mut notes = Vec::new();
        let verified = |outcome: &Outcome| {
            let executions = counted(outcome.executions, "execution");
            (outcome.verdict() == Verdict::Verified).then(|| format!("verified ({executions})"))
        };
        let words = |place: &Place| format!("`{}` before {}", place.barrier(), place.text(network));
        let places = network.places_for_barriers();
        for place in &places {
            let Some(outcome) = self.explore(network.with_barrier(place), self.image.barriers()) else { return notes };
            notes.extend(verified(&outcome).map(|verified| format!("with {}: {verified}", words(place))));
        }
        if !notes.is_empty() {
            return notes;
        }
        // Where one is not enough, two: the first pair that is.
        for (number, first) in places.iter().enumerate() {
            for second in &places[number + 1..] {
                let (early, late) = if first.is_before(second) { (first, second) } else { (second, first) };
                // The later one first, so that the other one does not move.
                let both = network.with_barrier(late).with_barrier(early);
                let Some(outcome) = self.explore(both, self.image.barriers()) else { return notes };
                if let Some(verified) = verified(&outcome) {
                    notes.push(format!("with {} and {}: {verified}", words(early), words(late)));
                    return notes;
                }
            }
        }
        notes
    }
}
