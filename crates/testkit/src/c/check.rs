//! Every algorithm, and the machine itself, on a C program.

use std::sync::Arc;

use mazurka_audit::Budget;
use mazurka_llvm::{CMachine, Image, Settings};

use crate::check::{Checks, Counts, Disagreement, check_machine};

use super::build::Compiled;

/// How thoroughly to check a C program.
#[derive(Clone, Debug)]
pub struct CChecks {
    /// What is compared with brute force.
    pub checks: Checks,
    /// With data races as failures, without, or both.
    pub data_races: Vec<bool>,
}

impl Default for CChecks {
    fn default() -> Self {
        let budget = Budget { executions: 3_000, steps: 100_000 };
        // A machine that runs again numbers locations in another order.
        let checks = Checks { budget, few: 300, rerun: false, ..Checks::default() };
        CChecks { checks, data_races: vec![false, true] }
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

fn machine(image: &Arc<Image>) -> CMachine {
    let mut machine = CMachine::new(Arc::clone(image));
    machine.set_fuel(FUEL);
    machine
}
