//! Random networks: every algorithm agrees with brute force, and the machine keeps its contract.

use mazurka_testkit::network::{NetworkChecks, check_network, generate_network};

/// The seeds to try: `NETWORK_SEEDS=FROM..TO`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let given = std::env::var("NETWORK_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..few)
}

#[test]
fn random_networks() {
    let checks = NetworkChecks::default();
    let (mut agreed, mut failing, mut large, mut executions) = (0, 0, 0, 0);
    for seed in seeds(150) {
        let network = generate_network(seed);
        match check_network(&network, &checks) {
            Ok(Some(counts)) => {
                agreed += 1;
                failing += u64::from(counts.findings > 0);
                executions += counts.executions;
            }
            Ok(None) => large += 1,
            Err(found) => panic!("// seed {seed}\n// {found}\n{network}"),
        }
    }
    println!(
        "{agreed} networks agree, {failing} of them fail somewhere, {large} are too large; {executions} executions"
    );
    assert!(agreed > 0 && failing > 0, "some network is small enough");
}
