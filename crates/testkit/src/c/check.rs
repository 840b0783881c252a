//! Every algorithm, and the machine itself, on a C program.
//!
//! What is compared is what [`check_machine`] compares for the process notation, with two
//! exceptions. A data race is a property of a state and not of an execution, so in how many
//! executions it shows is not compared. And nothing is run on a machine that runs again instead of
//! rewinding: such a machine meets locations in another order and numbers them otherwise. Traces
//! are compared for all programs: a waiting loop is one step that is not enabled until it ends, and
//! what ends the program depends on everything.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka_audit::{Budget, Claim, Finding, Probes, brute_force, check_contract, compare_visible};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Image, Settings};
use mazurka_machine::Run;
use mazurka_trace::FaultKind;

use crate::check::{Checks, Counts, Culprit, Disagreement, catch, check_machine};

use super::build::Compiled;

/// How thoroughly to check a C program.
#[derive(Clone, Debug)]
pub struct CChecks {
    /// What is compared with brute force.
    pub checks: Checks,
    /// How the machine's contract is checked.
    pub probes: Probes,
    /// How many executions may be explored where every access is an event; others are passed over.
    pub visible: u64,
    /// With data races as failures, without, or both.
    pub data_races: Vec<bool>,
}

impl Default for CChecks {
    fn default() -> Self {
        let budget = Budget { executions: 3_000, steps: 100_000, depth: 300 };
        // A machine that runs again numbers locations in another order.
        let checks = Checks { budget, few: 300, rerun: false, ..Checks::default() };
        let probes = Probes { executions: 4, pasts: 3, neighbours: 3, steps: 200, seed: 1 };
        CChecks { checks, probes, visible: 2_000, data_races: vec![false, true] }
    }
}

/// Loop iterations and calls that one step may do: a program that never rests is found soon.
const FUEL: u64 = 20_000;

/// Runs every algorithm on a program, and compares all they say with brute force; `None` for a
/// program that is too large.
///
/// # Errors
/// The first difference found.
pub fn check_c(compiled: &Compiled, number: usize, checks: &CChecks) -> Result<Option<Counts>, Disagreement> {
    let mut all: Option<Counts> = None;
    for &data_races in &checks.data_races {
        let settings = Settings { data_races, ..Settings::default() };
        let image = compiled.image(number, &settings).map_err(Disagreement::refused)?;
        let with = |disagreement: Disagreement| {
            let how = if data_races { "" } else { "--no-data-races: " };
            Disagreement { what: format!("{how}{}", disagreement.what), ..disagreement }
        };
        check_machine_itself(&image, checks.probes).map_err(with)?;
        let mut machine = machine(&image);
        let met = catch(|| Ok(meets_all(&mut machine, checks.checks.budget)));
        let all_met = met.map_err(|disagreement| with(disagreement.blame(Culprit::Machine)))?;
        if !all_met {
            return Ok(None);
        }
        match check_machine(machine, &checks.checks).map_err(with)? {
            None => return Ok(None),
            Some(counts) => {
                let executions = all.map_or(0, |all| all.executions) + counts.executions;
                all = Some(Counts { executions, ..counts });
            }
        }
        let settings = Settings { shortcuts: false, ..settings };
        let visible = compiled.image(number, &settings).map_err(Disagreement::refused)?;
        check_visible(&image, &visible, checks.visible).map_err(with)?;
    }
    Ok(all)
}

/// Runs everything, if that is not too much. A number that looks like an address is one only once
/// the machine has met the object, so it meets all of them; and what it assumed of the program, and
/// was wrong, is not assumed any more.
fn meets_all(machine: &mut CMachine, budget: Budget) -> bool {
    loop {
        if brute_force(machine, budget).is_err() {
            return false;
        }
        if !machine.reconsiders() {
            return true;
        }
    }
}

/// Whether the machine keeps its contract, whatever explores it.
fn check_machine_itself(image: &Arc<Image>, probes: Probes) -> Result<(), Disagreement> {
    let checked = catch(|| {
        let breach = check_contract(&mut machine(image), || machine(image), probes);
        breach.map_err(|breach| Disagreement::new(Culprit::Machine, breach.to_string()))
    });
    checked.map_err(|disagreement| disagreement.blame(Culprit::Machine))
}

/// Whether the same goes wrong where every access to memory is an event. The algorithm is one that
/// was compared with brute force before, on the first of them.
fn check_visible(hidden: &Arc<Image>, visible: &Arc<Image>, most: u64) -> Result<(), Disagreement> {
    let findings = |image: &Arc<Image>| -> Option<BTreeSet<String>> {
        let limits = Limits { executions: Some(most), ..Limits::default() };
        let options = Options { algorithm: Algorithm::Source, all: true, limits, ..Options::default() };
        let mut machine = machine(image);
        let outcome = explore(&mut machine, &options, &Monitor::default());
        let finding = |violation| by_names(&Claim::new(violation, &machine).finding);
        outcome.limits.is_empty().then(|| outcome.violations.iter().map(finding).collect())
    };
    let compared = catch(|| {
        let (Some(hidden), Some(visible)) = (findings(hidden), findings(visible)) else { return Ok(()) };
        compare_visible(&hidden, &visible).map_err(|breach| Disagreement::new(Culprit::Machine, breach.to_string()))
    });
    compared.map_err(|disagreement| disagreement.blame(Culprit::Machine))
}

/// What goes wrong, with those who wait by name alone: a loop waits at its first event, which is
/// another one where more are visible, and a thread that has gone past joins stands at the first of
/// them. A data race without its place: what a thread does with an object before it makes its
/// address known races with what others do with it only if the making known is a race, which is
/// found in both.
fn by_names(finding: &Finding) -> String {
    let waiters = match finding {
        Finding::Deadlock(waiters) => waiters,
        Finding::Fault { kind: FaultKind::DataRace, .. } => return "a data race".to_owned(),
        Finding::Fault { .. } => return finding.to_string(),
    };
    waiters.iter().fold("deadlock:".to_owned(), |text, waiter| format!("{text} {}", waiter.process))
}

fn machine(image: &Arc<Image>) -> CMachine {
    let mut machine = CMachine::new(Arc::clone(image));
    machine.set_fuel(FUEL);
    machine
}
