//! Random C programs: every algorithm against brute force. `MAZURKA_C_PROGRAMS` says how many,
//! `MAZURKA_C_SEED` from which seed on.

use mazurka_testkit::Fuzzed;
use mazurka_testkit::c::{CChecks, Compiler, fuzz_c};

#[test]
fn every_algorithm_agrees_on_random_c_programs() {
    let compiler = match Compiler::new() {
        Ok(compiler) => compiler,
        Err(error) => {
            assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "{error}");
            eprintln!("skipped: {error}");
            return;
        }
    };
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let (first, count) = (number("MAZURKA_C_SEED").unwrap_or(0), number("MAZURKA_C_PROGRAMS").unwrap_or(200));
    let (mut agreed, mut failures) = (0, Vec::new());
    let seeds: Vec<u64> = (first..first + count).collect();
    for seeds in seeds.chunks(40) {
        for result in fuzz_c(seeds, None, &compiler, &CChecks::default()).expect("the programs are valid") {
            match result {
                Ok(Fuzzed::Agreed(_)) => agreed += 1,
                Ok(Fuzzed::TooLarge) => {}
                Err(failure) => {
                    eprintln!("{failure}");
                    failures.push(failure.seed);
                }
            }
        }
    }
    eprintln!("{agreed} of {count} programs agree");
    assert!(failures.is_empty(), "seeds {failures:?} disagree");
    assert!(agreed > count / 2, "only {agreed} programs of {count} are small enough");
}
