//! The same random programs, in the process notation and in C: the same outcomes, the same numbers
//! of executions. `MAZURKA_TWINS` says how many of each profile are compared.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use mazurka_audit::Watch;
use mazurka_clang::{Clang, Options as ClangOptions, build};
use mazurka_explore::{Algorithm, Limits, Monitor, Options, explore};
use mazurka_llvm::{CMachine, Settings};
use mazurka_machine::{Describe, Machine};
use mazurka_testkit::{Profile, generate_with, load, machine};

/// How many executions a program may have.
const MOST: u64 = 3_000;

/// The programs compared: each of these profiles, with these seeds.
const PROFILES: [Profile; 5] = [Profile::Races, Profile::Locks, Profile::Atomics, Profile::Spawn, Profile::Mixed];
const SEEDS: u64 = 12;

/// What an algorithm finds: executions, deadlocks and faults, and the final values of the global
/// variables by name.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    executions: u64,
    violations: usize,
    finals: BTreeSet<Vec<(String, i64)>>,
}

fn explored<M: Machine + Describe>(machine: M, algorithm: Algorithm, globals: &[String]) -> Option<Found> {
    let mut watch = Watch::new(machine);
    let limits = Limits { executions: Some(MOST), ..Limits::default() };
    let options = Options { algorithm, all: true, limits, ..Options::default() };
    let outcome = explore(&mut watch, &options, &Monitor::default());
    let (census, machine) = watch.finish();
    let is_global = |name: &String| globals.iter().any(|g| name == g || name.starts_with(&format!("{g}[")));
    let finals = census.finals.iter().map(|values| {
        let named = values.iter().map(|&(location, value)| (machine.location_name(location), value));
        let mut named: Vec<_> = named.filter(|(name, _)| is_global(name)).collect();
        named.sort();
        named
    });
    let finals = finals.collect();
    outcome.limits.is_empty().then_some(Found {
        executions: outcome.executions,
        violations: outcome.violations.len(),
        finals,
    })
}

#[test]
fn programs_and_their_twins_in_c_agree() {
    if let Err(error) = Clang::find(None) {
        assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "{error}");
        eprintln!("skipped: {error}");
        return;
    }
    let folder = std::env::temp_dir().join(format!("mazurka-twins-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let (mut compared, mut executions) = (0, 0);
    let wanted = std::env::var("MAZURKA_TWINS").ok().and_then(|count| count.parse().ok());
    for profile in PROFILES {
        for seed in 0..wanted.unwrap_or(SEEDS) {
            let program = generate_with(profile, seed).without_what_c_lacks();
            let Some(twin) = program.to_c() else { continue };
            let globals: Vec<String> = program.globals.iter().map(|global| global.name.clone()).collect();
            let image = load("twin.mzk", &program.to_string(), &[]).unwrap_or_else(|e| panic!("{e}\n{program}"));
            let Some(plain) = explored(machine(&image), Algorithm::Optimal, &globals) else { continue };
            let c = compile(&folder.join(format!("{profile}-{seed}.c")), &twin);
            for algorithm in [Algorithm::Optimal, Algorithm::Source] {
                let found = explored(CMachine::new(Arc::clone(&c)), algorithm, &globals);
                assert_eq!(found.as_ref(), Some(&plain), "{profile} {seed}, {algorithm}:\n{program}\n{twin}");
            }
            compared += 1;
            executions += plain.executions;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    eprintln!("{compared} programs, {executions} executions");
    assert!(compared >= 45 && executions > 500, "only {compared} programs, {executions} executions");
}

fn compile(file: &Path, source: &str) -> Arc<mazurka_llvm::Image> {
    std::fs::write(file, source).expect("the program can be written");
    // As in the notation, leaving 64 bits is a fault.
    let settings = Settings { overflow: true, ..Settings::default() };
    let built = build(&[file.to_path_buf()], None, &ClangOptions::default(), &settings);
    Arc::new(built.unwrap_or_else(|error| panic!("{error}\n{source}")).image)
}
