//! Every algorithm, and the machine itself, on an ABS program.

use std::sync::Arc;

use mazurka_actor::{ActorMachine, Dependence, Image, Options, Source, compile};
use mazurka_audit::{Budget, Census, Finding, Probes, Seen, brute_force, check_contract};

use super::circles::check_circles;
use crate::check::{Checks, Counts, Culprit, Disagreement, catch, check_machine};

/// How thoroughly to check an ABS program.
#[derive(Clone, Debug)]
pub struct ActorChecks {
    /// What is compared with brute force.
    pub checks: Checks,
    /// How the machine's contract is checked.
    pub probes: Probes,
    /// By which dependences.
    pub dependences: Vec<Dependence>,
}

impl Default for ActorChecks {
    fn default() -> Self {
        let budget = Budget { executions: 2_000, steps: 60_000, depth: 300 };
        // Several workers are for the process notation.
        let workers = Vec::new();
        let checks = Checks { budget, few: 200, up_to_names: true, workers, ..Checks::default() };
        let probes = Probes { executions: 4, pasts: 3, neighbours: 0, steps: 200, seed: 1 };
        ActorChecks { checks, probes, dependences: vec![Dependence::Object, Dependence::Field, Dependence::Entry] }
    }
}

/// What every dependence has to agree on: the interleavings, and what goes wrong in how many of
/// them. Sites are left out, since the code for entries of maps is longer.
fn summary(census: &Census) -> impl PartialEq + use<> {
    let named = |(finding, seen): (&Finding, &Seen)| match finding {
        Finding::Fault { kind, process, .. } => (format!("{kind:?} in {process}"), seen.executions),
        Finding::Deadlock(waiters) => {
            let waiters: Vec<&str> = waiters.iter().map(|waiter| &*waiter.process).collect();
            (waiters.join(" "), seen.executions)
        }
    };
    let mut findings: Vec<(String, u64)> = census.findings.iter().map(named).collect();
    findings.sort();
    (census.executions, census.discarded, findings)
}

/// Runs every algorithm on a program, and compares all they say with brute force, by every
/// dependence; `None` for a program that is too large.
///
/// # Errors
/// The first difference found. A program that the front end refuses is one, and so is a panic.
pub fn check_actors(source: &str, checks: &ActorChecks) -> Result<Option<Counts>, Disagreement> {
    let (mut all, mut first) = (None::<Counts>, None);
    for &dependence in &checks.dependences {
        let with = |disagreement: Disagreement| {
            let what = format!("--dependence {dependence:?}: {}", disagreement.what);
            Disagreement { what, ..disagreement }
        };
        let image = catch(|| load(source, dependence)).map_err(with)?;
        let make = || ActorMachine::new(Arc::clone(&image));
        let truth = catch(|| Ok(brute_force(&mut make(), checks.checks.budget)));
        let Ok(truth) = truth.map_err(|found| with(found.blame(Culprit::Machine)))? else { return Ok(None) };
        let found = summary(&truth);
        if first.as_ref().is_some_and(|first| *first != found) {
            return Err(with(Disagreement::new(Culprit::Machine, "brute force finds something else".to_owned())));
        }
        first = Some(found);
        let kept = catch(|| {
            let breach = check_contract(&mut make(), make, checks.probes);
            breach.map_err(|breach| Disagreement::new(Culprit::Machine, breach.to_string()))
        });
        kept.map_err(|found| with(found.blame(Culprit::Machine)))?;
        // A future in a field may be replaced while somebody waits for it: such waits are no
        // reason.
        let all_told = !source.contains("await f?");
        catch(|| check_circles(&image, all_told)).map_err(|found| with(found.blame(Culprit::Machine)))?;
        let Some(counts) = check_machine(make(), &checks.checks).map_err(with)? else { return Ok(None) };
        let executions = all.map_or(0, |all| all.executions) + counts.executions;
        all = Some(Counts { executions, ..counts });
    }
    Ok(all)
}

pub(super) fn load(source: &str, dependence: Dependence) -> Result<Arc<Image>, Disagreement> {
    let options = Options { dependence, ..Options::default() };
    match compile(&[Source { name: "random.abs", text: source }], &options) {
        Ok(image) => Ok(Arc::new(image)),
        Err(problems) => {
            let first = problems.first().map_or_else(String::new, |problem| format!("{problem:?}"));
            Err(Disagreement::refused(first))
        }
    }
}
