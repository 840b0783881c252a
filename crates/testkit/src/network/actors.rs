//! The other way to run a network: exported to ABS, and run as actors.

use std::collections::BTreeMap;
use std::sync::Arc;

use mazurka_actor::{ActorMachine, Dependence, Options as AbsOptions, Source, compile};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_machine::{Describe, Traces};
use mazurka_sdn::{Barriers, Image, Network, NetworkMachine};
use mazurka_trace::FaultKind;

/// What becomes of packets: name, what and where, in how many executions.
pub type Fates = BTreeMap<(String, String), u64>;

/// What an exploration comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// How many executions there are.
    pub executions: u64,
    /// What becomes of packets.
    pub fates: Fates,
    /// The kinds of failure.
    pub kinds: Vec<FaultKind>,
}

fn options(algorithm: Algorithm, most: u64) -> Options {
    let limits = Limits { executions: Some(most), ..Options::default().limits };
    Options { algorithm, all: true, limits, ..Options::default() }
}

/// Explores a network as actors. None where there are more executions, or more different ends, than
/// are kept.
///
/// # Errors
/// Where the program that was exported is not valid: that is a mistake of ours.
pub fn explore_exported(network: &Network, algorithm: Algorithm, most: u64) -> Result<Option<Explored>, String> {
    let Ok(text) = network.to_abs() else { return Ok(None) };
    let settings = AbsOptions {
        dependence: Dependence::Entry,
        property: Some("SwitchC.broken".to_owned()),
        ..AbsOptions::default()
    };
    let image = compile(&[Source { name: "exported.abs", text: &text }], &settings)
        .map_err(|problems| format!("the exported program is not valid: {:?}\n{text}", problems.first()))?;
    let mut machine = ActorMachine::new(Arc::new(image));
    machine.keep_account(Traces::None);
    let outcome = explore(&mut machine, &options(algorithm, most), &Monitor::default());
    let ends = machine.take_ends();
    if !outcome.limits.is_empty() || ends.uncounted > 0 {
        return Ok(None);
    }
    let mut fates = Fates::new();
    for state in &ends.states {
        let fields = state.objects.iter().flat_map(|(_, fields)| fields);
        for (_, value) in fields.filter(|(name, _)| name == "fates") {
            for entry in value.split("Pair(").skip(1) {
                let entry = entry.split(')').next().unwrap_or_default();
                let Some((packet, fate)) = entry.split_once(", ") else { continue };
                *fates.entry((packet.to_owned(), fate.to_owned())).or_insert(0) += state.executions;
            }
        }
    }
    let mut kinds: Vec<FaultKind> = outcome.violations.iter().map(|violation| violation.fault.kind).collect();
    kinds.sort();
    kinds.dedup();
    Ok(Some(Explored { executions: outcome.executions, fates, kinds }))
}

/// Explores a network by the flat machine. None where there are more executions.
pub fn explore_flat(network: Network, barriers: Barriers, algorithm: Algorithm, most: u64) -> Option<Explored> {
    let mut machine = NetworkMachine::new(Image::new(network, barriers));
    machine.keep_account(Traces::None);
    let outcome = explore(&mut machine, &options(algorithm, most), &Monitor::default());
    if !outcome.limits.is_empty() {
        return None;
    }
    let mut fates = Fates::new();
    for packet in machine.take_ends().packets {
        for (kind, at, executions) in packet.outcomes {
            *fates.entry((packet.name.clone(), format!("{kind} at {at}"))).or_insert(0) += executions;
        }
    }
    let mut kinds: Vec<FaultKind> = outcome.violations.iter().map(|violation| violation.fault.kind).collect();
    kinds.sort();
    kinds.dedup();
    Some(Explored { executions: outcome.executions, fates, kinds })
}

/// Whether a handler can come to an untimely end: there, a failure ends a task of an actor alone,
/// or ends it where the flat machine goes on.
fn is_cut(kinds: &[FaultKind]) -> bool {
    use FaultKind::{Assertion, Bounds, DivisionByZero, Misuse, Overflow};
    kinds.iter().any(|kind| matches!(kind, Assertion | Bounds | DivisionByZero | Misuse | Overflow))
}

/// Compares both ways to run a network: without barriers the same happens, as often; with barriers,
/// a controller that holds back itself allows no more than barriers to the letter. Whether there
/// was something to compare.
///
/// # Errors
/// The first difference.
pub fn compare_with_actors(network: &Network, most: u64) -> Result<bool, String> {
    let network = network.ways_only();
    let algorithm = Algorithm::Optimal;
    let barriers = if network.has_barriers() { Barriers::Exact } else { Barriers::Scoped };
    let Some(flat) = explore_flat(network.clone(), barriers, algorithm, most) else { return Ok(false) };
    if is_cut(&flat.kinds) {
        return Ok(false);
    }
    let Some(actors) = explore_exported(&network, algorithm, most)? else { return Ok(false) };
    let missing: Vec<_> = actors.fates.keys().filter(|fate| !flat.fates.contains_key(*fate)).collect();
    if !missing.is_empty() {
        return Err(format!("as actors there is {missing:?}, and with the flat machine {:?}", flat.fates));
    }
    if network.has_barriers() {
        return Ok(true);
    }
    // Removing whatever a match includes reads the whole table there.
    let same = match network.removes_by_match() {
        true => flat.fates.keys().eq(actors.fates.keys()),
        false => flat.fates == actors.fates && flat.executions == actors.executions,
    };
    match same {
        true => Ok(true),
        false => Err(format!("as actors {actors:?}, and with the flat machine {flat:?}")),
    }
}
