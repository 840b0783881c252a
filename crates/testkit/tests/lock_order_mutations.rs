//! Deliberate breakages of the analysis of lock order: each one makes it miss a deadlock of a
//! program of the folder `lock_order_programs`.
//!
//! Built only with the feature `mutations`; `cargo xtask test` does.
#![cfg(feature = "mutations")]

use std::path::Path;

use mazurka_explore::Algorithm;
use mazurka_llvm::CMachine;
use mazurka_llvm::skeleton::mutation as skeleton;
use mazurka_testkit::c::Compiler;
use mazurka_testkit::{compare_lock_order, corpus};
use mazurka_waits::mutation as waits;

/// Whether the analysis misses nothing of a program of the folder `lock_order_programs`.
fn agrees(name: &str) -> bool {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lock_order_programs").join(name);
    let machine = CMachine::new(corpus::load_c(&file).expect("it compiles"));
    let skeleton = machine.skeleton();
    let found = compare_lock_order(machine, skeleton, Algorithm::Optimal, 100_000);
    if let Ok(order) = &found {
        assert!(order.is_some_and(|order| order.deadlocks > 0), "{name} does not deadlock");
    }
    found.is_ok()
}

/// Programs that deadlock.
const DEADLOCKING: &[&str] = &[
    "accounts-swapped.c",
    "callbacks-crossed.c",
    "descents-crossed.c",
    "ended-with-the-lock.c",
    "gate-lock-missing.c",
    "gates-by-ticket.c",
    "gates-from-one-place.c",
    "gates-made-by-each.c",
    "gates-of-their-own.c",
    "join-while-holding.c",
    "joined-one-of-several.c",
    "joined-the-other.c",
    "lock-of-the-caller.c",
    "readers-and-writer-crossed.c",
    "tried-then-crossed.c",
    "trylock-then-lock.c",
    "wrapped-locks-crossed.c",
];

fn noticed_by(mutation: waits::Mutation) -> bool {
    use waits::Mutation as M;
    let name = match mutation {
        M::WritersShare => "readers-and-writer-crossed.c",
        M::OneOfEach => "gates-of-their-own.c",
        M::TriedIsNotHeld => "tried-then-crossed.c",
        M::JoinedAnyway => "joined-one-of-several.c",
        M::JoinsDoNotWait => "join-while-holding.c",
        M::CreatedLater => "joined-the-other.c",
        M::KeptForgotten => "ended-with-the-lock.c",
        M::TakenAgain => "lock-of-the-caller.c",
        M::CallsSkipped => "descents-crossed.c",
    };
    !agrees(name)
}

fn noticed_in_c(mutation: skeleton::Mutation) -> bool {
    use skeleton::Mutation as M;
    let name = match mutation {
        M::PointersNotCalled => "callbacks-crossed.c",
        M::IndicesZero => "gates-by-ticket.c",
        M::OneBlock => "gates-from-one-place.c",
        M::TriesSucceed => "trylock-then-lock.c",
        M::FirstHandle => "joined-the-other.c",
        M::FirstTarget => "gates-of-their-own.c",
    };
    !agrees(name)
}

#[test]
fn every_breakage_is_noticed() {
    if let Err(error) = Compiler::new() {
        assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "{error}");
        eprintln!("skipped: {error}");
        return;
    }
    let mut unnoticed = Vec::new();
    for &mutation in waits::Mutation::ALL {
        assert!(!noticed_by(mutation), "{mutation:?}: wrong without any breakage");
        waits::set(Some(mutation));
        if !noticed_by(mutation) && !DEADLOCKING.iter().any(|name| !agrees(name)) {
            unnoticed.push(format!("{mutation:?}"));
        }
        waits::set(None);
    }
    for &mutation in skeleton::Mutation::ALL {
        assert!(!noticed_in_c(mutation), "{mutation:?}: wrong without any breakage");
        skeleton::set(Some(mutation));
        if !noticed_in_c(mutation) && !DEADLOCKING.iter().any(|name| !agrees(name)) {
            unnoticed.push(format!("{mutation:?}"));
        }
        skeleton::set(None);
    }
    assert!(unnoticed.is_empty(), "what no program shows: {unnoticed:?}");
}
