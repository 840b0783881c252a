//! Deliberate breakages of the machine for C: each one must be noticed by a program of the corpus.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::path::{Path, PathBuf};

use mazurka_audit::{Breach, Probes, check_contract};
use mazurka_llvm::mutation::{self, Mutation};
use mazurka_llvm::{CMachine, Settings};
use mazurka_testkit::c::Compiler;
use mazurka_testkit::corpus;

/// The program that shows a breakage.
fn witness(mutation: Mutation) -> &'static str {
    match mutation {
        Mutation::UsedAdditionsCommute => "violation/c/counter-tickets.c",
        Mutation::SharesUntold => "violation/c/counter-read.c",
        Mutation::AcquiringAdditionsCommute => "violation/c/counter-acquires.c",
        Mutation::ExitAtOnce => "verified/c/exit-comes-last.c",
        Mutation::NeverReconsider => "violation/c/polling-races.c",
        Mutation::AssumptionsDeadlock => "verified/c/assume-waits.c",
        Mutation::AloneUnseen => "verified/c/lastwrite.c",
        Mutation::ReadsForgotten => "violation/c/lost-update.c",
        Mutation::TriesNameReaders => "verified/c/rwlock-tried-among-readers.c",
    }
}

fn is_noticed(file: &Path) -> bool {
    !matches!(std::panic::catch_unwind(|| corpus::check_file(file)), Ok(Ok(())))
}

#[test]
fn every_breakage_is_noticed() {
    if let Err(error) = Compiler::new() {
        assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "{error}");
        eprintln!("skipped: {error}");
        return;
    }
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for &mutation in Mutation::ALL {
        let file = folder.join(witness(mutation));
        assert!(!is_noticed(&file), "{} is wrong without any breakage", file.display());
        mutation::set(Some(mutation));
        let noticed = is_noticed(&file);
        mutation::set(None);
        assert!(noticed, "{mutation:?}: {} does not notice", file.display());
    }
}

/// The engines' breakage that only data races show.
#[test]
fn waiting_steps_have_data_races() {
    use mazurka_explore::mutation::{Mutation, set};

    if Compiler::new().is_err() {
        assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "no clang");
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/violation/c/raced-while-waiting.c");
    assert!(!is_noticed(&file), "{} is wrong without any breakage", file.display());
    set(Some(Mutation::WaitingUnlooked));
    let noticed = is_noticed(&file);
    set(None);
    assert!(noticed, "{} does not notice", file.display());
}

/// Which clause of the contract the program of a breakage finds broken.
fn breach(file: &Path, compiler: &Compiler) -> Result<(), Breach> {
    let compiled = compiler.compile_file(file, &[]).expect("a program of the corpus");
    let settings = Settings { data_races: false, ..Settings::default() };
    let image = compiled.image(0, &settings).expect("nothing unsupported");
    let machine = || CMachine::new(image.clone());
    check_contract(&mut machine(), machine, Probes { executions: 100, ..Probes::default() })
}

/// A try that names whom it finds names others once a reader has given the lock back, which it does
/// not read.
#[test]
fn tries_that_name_readers_break_the_contract() {
    let Ok(compiler) = Compiler::new() else {
        assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "no clang");
        return;
    };
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let file = folder.join(witness(Mutation::TriesNameReaders));
    breach(&file, &compiler).expect("nothing is wrong without the breakage");
    mutation::set(Some(Mutation::TriesNameReaders));
    let noticed = breach(&file, &compiler);
    mutation::set(None);
    assert_eq!(noticed.expect_err("the breakage is noticed").check, "neighbours");
}
