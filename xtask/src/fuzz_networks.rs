//! `cargo xtask fuzz --networks`: random networks, every algorithm against brute force.

use std::time::{Duration, Instant};

use mazurka_testkit::network::{NetworkChecks, check_network, generate_network};

use crate::fuzz::save_as;
use crate::shell::Result;

/// So many networks, unless it is told otherwise.
const NETWORKS: u64 = 100_000;

pub(crate) fn run(first: u64, count: Option<u64>, seconds: Option<u64>, print: bool) -> Result {
    if print {
        print!("{}", generate_network(first));
        return Ok(());
    }
    let (start, checks) = (Instant::now(), NetworkChecks::default());
    let count = count.unwrap_or(if seconds.is_some() { u64::MAX } else { NETWORKS });
    let is_late = || seconds.is_some_and(|seconds| start.elapsed() > Duration::from_secs(seconds));
    let (mut agreed, mut failing, mut large, mut executions) = (0u64, 0u64, 0u64, 0u64);
    let mut last = Instant::now();
    for number in 0..count {
        let seed = first.wrapping_add(number);
        if is_late() {
            break;
        }
        match check_network(&generate_network(seed), &checks) {
            Ok(Some(counts)) => {
                agreed += 1;
                failing += u64::from(counts.findings > 0);
                executions += counts.executions;
            }
            Ok(None) => large += 1,
            Err(found) => {
                let text = format!("// seed {seed}\n// {found}\n{}", generate_network(seed));
                println!("{text}");
                let file = save_as(&format!("seed-{seed}.sdn"), &text)?;
                return Err(format!("seed {seed} disagrees; the network is in {file}"));
            }
        }
        if last.elapsed() > Duration::from_secs(10) {
            last = Instant::now();
            eprintln!("{agreed} agree, {large} are too large, after {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    println!(
        "no disagreement: {agreed} networks agree, {failing} of them fail somewhere, {large} are too large; \
         {executions} executions in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
