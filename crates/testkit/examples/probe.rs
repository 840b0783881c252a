//! Scratch.
use mazurka_audit::*;
use mazurka_testkit::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (from, to): (u64, u64) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let mut stats = std::collections::BTreeMap::new();
    let start = std::time::Instant::now();
    let mut shown = 0;
    for seed in from..to {
        let program = generate(seed);
        let source = program.to_string();
        let image = match load("random.mzk", &source, &[]) {
            Ok(i) => i,
            Err(e) => {
                println!("seed {seed} refused: {e}\n{source}");
                shown += 1;
                if shown > 3 {
                    return;
                }
                continue;
            }
        };
        let stat = stats.entry(Profile::of_seed(seed).name()).or_insert([0u64; 8]);
        match brute_force(&mut machine(&image), Budget { executions: 20_000, steps: 1_000_000 }) {
            Ok(c) => {
                if let Some(x) = c.contradictions.first() {
                    println!("seed {seed}: {x}\n{source}");
                    shown += 1;
                    if shown > 3 {
                        return;
                    }
                }
                stat[0] += 1;
                stat[1] += c.executions;
                stat[2] += c.discarded;
                stat[3] += c.traces.len() as u64;
                stat[4] += c.findings.len() as u64;
                stat[5] += c.findings.keys().filter(|f| matches!(f, Finding::Deadlock(_))).count() as u64;
                stat[6] += u64::from(c.executions == 0);
            }
            Err(_) => stat[7] += 1,
        }
    }
    println!("profile: programs executions discarded traces findings deadlocks empty toolarge");
    for (p, s) in stats {
        println!("{p:10} {s:?}");
    }
    println!("{:?}", start.elapsed());
}
