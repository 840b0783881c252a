//! Deliberate breakages of the machine for networks: each one must be noticed, by the corpus, by
//! counts, or by random networks.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::path::{Path, PathBuf};

use mazurka_audit::{Budget, Probes};
use mazurka_sdn::mutation::{self, Mutation};
use mazurka_testkit::network::{NetworkChecks, check_network, generate_network};
use mazurka_testkit::{Checks, corpus};

/// Within so many random networks.
const NETWORKS: u64 = 600;

/// Not shown by any network yet.
const UNSHOWN: &[Mutation] = &[];

/// Two tasks of one name: a violation is reported once for each of them, whatever is broken.
const NOISY: &[u64] = &[475];

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files = corpus::files(&corpus).expect("the corpus is there");
    files.retain(|file| corpus::is_network(file));
    files
}

/// What shows that something is broken.
fn noticed(files: &[PathBuf]) -> Option<String> {
    for file in files {
        let checked = std::panic::catch_unwind(|| corpus::check_file(file));
        if !matches!(checked, Ok(Ok(()))) {
            return Some(file.file_name().unwrap_or_default().display().to_string());
        }
    }
    let budget = Budget { executions: 400, steps: 20_000, depth: 200 };
    let checks = Checks { budget, rerun: false, workers: Vec::new(), ..Checks::default() };
    let probes = Probes { executions: 3, pasts: 3, neighbours: 3, steps: 200, seed: 1 };
    let checks = NetworkChecks { checks, probes };
    (0..NETWORKS).filter(|seed| !NOISY.contains(seed)).find_map(|seed| {
        let found = check_network(&generate_network(seed), &checks).err()?;
        Some(format!("random network {seed}: {found}"))
    })
}

#[test]
fn every_breakage_is_noticed() {
    let files = programs();
    let mut unnoticed = Vec::new();
    for &mutation in Mutation::ALL {
        mutation::set(Some(mutation));
        match noticed(&files) {
            Some(by) => println!("{mutation:?}: {by}"),
            None => unnoticed.push(mutation),
        }
        mutation::set(None);
    }
    assert_eq!(unnoticed, UNSHOWN, "nobody notices these, and only those are known not to be shown");
}
