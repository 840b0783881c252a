//! Changes that must not change what is found.

use mazurka_audit::Budget;
use mazurka_testkit::{Algorithm, Checks, check_all_algorithms, check_renamed, generate};

const BUDGET: Budget = Budget { executions: 2_000, steps: 100_000, depth: 1_000 };

#[test]
fn names_and_order_of_processes_do_not_matter() {
    for seed in 10_000..10_300 {
        let program = generate(seed);
        for variant in 0..3 {
            if let Err(disagreement) = check_renamed(&program, variant, &Algorithm::ALL, BUDGET.executions) {
                panic!("seed {seed}: {disagreement}\n{program}");
            }
        }
    }
}

#[test]
fn first_choices_do_not_matter() {
    let checks = Checks { shuffles: (1..=6).collect(), budget: BUDGET, rerun: false, ..Checks::default() };
    for seed in 20_000..20_300 {
        let program = generate(seed);
        if let Err(disagreement) = check_all_algorithms(&program.to_string(), &checks) {
            panic!("seed {seed}: {disagreement}\n{program}");
        }
    }
}
