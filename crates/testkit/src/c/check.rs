//! Every algorithm, and the machine itself, on a C program.

use std::sync::Arc;

use mazurka_audit::{Budget, Probes, check_contract};
use mazurka_llvm::{CMachine, Image, Settings};

use crate::check::{Checks, Counts, Culprit, Disagreement, catch, check_machine};

use super::build::Compiled;

/// How thoroughly to check a C program.
#[derive(Clone, Debug)]
pub struct CChecks {
    /// What is compared with brute force.
    pub checks: Checks,
    /// How the machine's contract is checked.
    pub probes: Probes,
    /// With data races as failures, without, or both.
    pub data_races: Vec<bool>,
}

impl Default for CChecks {
    fn default() -> Self {
        let budget = Budget { executions: 3_000, steps: 100_000 };
        // A machine that runs again numbers locations in another order.
        let checks = Checks { budget, few: 300, rerun: false, ..Checks::default() };
        let probes = Probes { executions: 4, pasts: 3, steps: 200, seed: 1 };
        CChecks { checks, probes, data_races: vec![false, true] }
    }
}

/// Loop iterations and calls that one step may do: a program that never rests is found soon.
const FUEL: u64 = 20_000;

/// Runs every algorithm on a program, and compares all they say with brute force; `None` for a program that is too large.
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
        match check_machine(machine(&image), &checks.checks).map_err(with)? {
            None => return Ok(None),
            Some(counts) => {
                let executions = all.map_or(0, |all| all.executions) + counts.executions;
                all = Some(Counts { executions, ..counts });
            }
        }
    }
    Ok(all)
}

/// Whether the machine keeps its contract, whatever explores it.
fn check_machine_itself(image: &Arc<Image>, probes: Probes) -> Result<(), Disagreement> {
    let checked = catch(|| {
        let breach = check_contract(&mut machine(image), || machine(image), probes);
        breach.map_err(|breach| Disagreement::new(Culprit::Machine, breach.to_string()))
    });
    checked.map_err(|disagreement| disagreement.blame(Culprit::Machine))
}

fn machine(image: &Arc<Image>) -> CMachine {
    let mut machine = CMachine::new(Arc::clone(image));
    machine.set_fuel(FUEL);
    machine
}
