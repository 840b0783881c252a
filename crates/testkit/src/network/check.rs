//! Every algorithm, and the machine itself, on a network.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_audit::{Budget, Probes, check_contract};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_machine::{Describe, Run, Traces};
use mazurka_sdn::{Barriers, Image, NetworkMachine, compile};
use mazurka_trace::FaultKind;

use crate::check::{Checks, Counts, Culprit, Disagreement, catch, check_machine};

/// How thoroughly to check a network.
#[derive(Clone, Debug)]
pub struct NetworkChecks {
    /// What is compared with brute force.
    pub checks: Checks,
    /// How the machine's contract is checked.
    pub probes: Probes,
}

impl Default for NetworkChecks {
    fn default() -> Self {
        let budget = Budget { executions: 1_500, steps: 60_000, depth: 200 };
        // Several workers are for the process notation.
        let workers = Vec::new();
        let checks = Checks { budget, few: 200, workers, ..Checks::default() };
        let probes = Probes { executions: 4, pasts: 3, neighbours: 3, steps: 200, seed: 1 };
        NetworkChecks { checks, probes }
    }
}

/// Compiles a network.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn load_network(
    name: &str,
    source: &str,
    defines: &[(String, i64)],
    barriers: Barriers,
) -> Result<Arc<Image>, String> {
    match compile(name, source, defines) {
        Ok(network) => Ok(Image::new(network, barriers)),
        Err(problems) => Err(problems.first().map_or_else(String::new, |problem| format!("{problem:?}"))),
    }
}

/// What becomes of packets, and which kinds of failure there are.
#[derive(PartialEq, Eq, Debug, Default)]
struct Found {
    fates: BTreeSet<(String, String, String)>,
    kinds: BTreeSet<FaultKind>,
}

fn found(machine: &mut NetworkMachine, algorithm: Algorithm) -> Found {
    machine.keep_account(Traces::None);
    let limits = Limits { executions: Some(100_000), ..Options::default().limits };
    let options = Options { algorithm, all: true, limits, ..Options::default() };
    let outcome = explore(machine, &options, &Monitor::default());
    let packets = machine.take_ends().packets;
    let fates = packets.into_iter().flat_map(|packet| {
        let name = packet.name;
        packet.outcomes.into_iter().map(move |(kind, at, _)| (name.clone(), kind, at))
    });
    let kinds = outcome.violations.iter().map(|violation| violation.fault.kind).collect();
    Found { fates: fates.collect(), kinds }
}

/// Compares all that every algorithm says about a network with brute force, for both kinds of
/// barriers. `None` for one that is too large.
///
/// # Errors
/// The first difference.
pub fn check_network(source: &str, checks: &NetworkChecks) -> Result<Option<Counts>, Disagreement> {
    let (mut all, mut scoped) = (None::<Counts>, None::<Found>);
    for barriers in [Barriers::Scoped, Barriers::Exact] {
        let image = load_network("random.sdn", source, &[], barriers).map_err(Disagreement::refused)?;
        if barriers == Barriers::Exact && !image.network().has_barriers() {
            break;
        }
        // Contradictions of rules are told where they come about, whatever is known of removals.
        let make = || {
            let mut machine = NetworkMachine::new(Arc::clone(&image));
            machine.assume_nothing();
            machine
        };
        let with = |found: Disagreement| Disagreement { what: format!("{barriers:?}: {}", found.what), ..found };
        let kept = catch(|| {
            let breach = check_contract(&mut make(), make, checks.probes);
            breach.map_err(|breach| Disagreement::new(Culprit::Machine, breach.to_string()))
        });
        kept.map_err(|found| with(found.blame(Culprit::Machine)))?;
        let Some(counts) = check_machine(make(), &checks.checks).map_err(with)? else { return Ok(None) };
        let truth = compare_fates(&image, &checks.checks.algorithms).map_err(with)?;
        if let Some(scoped) = &scoped
            && !truth.fates.is_subset(&scoped.fates)
        {
            let what = "barriers to the letter allow what those of one run do not";
            return Err(with(Disagreement::new(Culprit::Machine, what)));
        }
        if barriers == Barriers::Scoped {
            // More executions than these take longer as actors than all that comes before.
            let compared = catch(|| {
                let compared = super::compare_with_actors(image.network(), 500);
                compared.map_err(|found| Disagreement::new(Culprit::Machine, found))
            });
            compared.map_err(|found| with(found.blame(Culprit::Machine)))?;
        }
        scoped = Some(truth);
        let executions = all.map_or(0, |all| all.executions) + counts.executions;
        all = Some(Counts { executions, ..counts });
    }
    Ok(all)
}

/// What becomes of packets is the same for all algorithms; a machine that finds out on the way that
/// rules are changed finds the same kinds of failure.
fn compare_fates(image: &Arc<Image>, algorithms: &[Algorithm]) -> Result<Found, Disagreement> {
    let mut strict = NetworkMachine::new(Arc::clone(image));
    strict.assume_nothing();
    let truth = found(&mut strict, Algorithm::None);
    for &algorithm in algorithms {
        let own = found(&mut NetworkMachine::new(Arc::clone(image)), algorithm);
        if own != truth {
            let what = format!("finds {own:?} instead of {truth:?}");
            return Err(Disagreement::new(Culprit::Algorithm(algorithm), what));
        }
    }
    Ok(truth)
}
