//! Scratch.
use mazurka_testkit::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (from, to): (u64, u64) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let most: usize = args[3].parse().unwrap();
    let profile: Option<Profile> = args.get(4).filter(|p| *p != "-").map(|p| p.parse().unwrap());
    let mut checks = Checks::default();
    if let Some(list) = args.get(5) {
        checks.algorithms = list.split(',').map(|a| a.parse().unwrap()).collect();
    }
    std::panic::set_hook(Box::new(|_| {}));
    let start = std::time::Instant::now();
    let (mut failed, mut agreed, mut large) = (0, 0, 0);
    for seed in from..to {
        match fuzz_seed(seed, profile, &checks) {
            Ok(Fuzzed::Agreed(_)) => agreed += 1,
            Ok(Fuzzed::TooLarge) => large += 1,
            Err(f) => {
                println!("{f}");
                failed += 1;
                if failed >= most {
                    break;
                }
            }
        }
    }
    println!("agreed {agreed} large {large} failed {failed} {:?}", start.elapsed());
}
