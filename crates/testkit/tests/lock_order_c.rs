//! The analysis of lock order against an exploration of all schedules, on C programs: those of the
//! corpus, those of the folder `lock_order_programs`, and random ones.
//!
//! The programs of the folder come in pairs: one that can deadlock, and one that is nearly the same
//! and cannot.

use std::path::{Path, PathBuf};

use mazurka_explore::Algorithm;
use mazurka_llvm::CMachine;
use mazurka_testkit::c::{CProgram, Compiler, generate_nested};
use mazurka_testkit::{LockOrder, check_c_lock_order, compare_lock_order, corpus};

fn compiler() -> Option<Compiler> {
    match Compiler::new() {
        Ok(compiler) => Some(compiler),
        Err(error) => {
            assert!(std::env::var_os("MAZURKA_NEED_CLANG").is_none(), "{error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// The seeds to try: `LOCK_SEEDS=FROM..TO`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let given = std::env::var("LOCK_SEEDS").ok();
    let range = given.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..few)
}

#[derive(Default, Debug)]
struct Tally {
    agreed: u64,
    too_large: u64,
    with_cycles: u64,
    excluded: u64,
    proved: u64,
    deadlocks: u64,
}

#[test]
fn no_deadlock_of_random_programs_is_missed() {
    let Some(compiler) = compiler() else { return };
    let mut tally = Tally::default();
    let seeds: Vec<u64> = seeds(200).collect();
    for seeds in seeds.chunks(40) {
        let programs: Vec<CProgram> = seeds.iter().map(|&seed| generate_nested(seed)).collect();
        let compiled = compiler.compile(&programs).expect("the programs are valid");
        for (number, seed) in seeds.iter().enumerate() {
            match check_c_lock_order(&compiled, number, 20_000) {
                Ok(None) => tally.too_large += 1,
                Ok(Some(LockOrder { cycles, discharged, is_proved, deadlocks })) => {
                    tally.agreed += 1;
                    tally.with_cycles += u64::from(cycles > 0);
                    tally.excluded += u64::from(cycles > 0 && discharged == cycles);
                    tally.proved += u64::from(is_proved);
                    tally.deadlocks += u64::from(deadlocks > 0);
                }
                Err(wrong) => panic!("seed {seed}: {wrong}\n{}", programs[number]),
            }
        }
    }
    println!("{tally:?}");
    assert!(
        tally.agreed > tally.too_large && tally.proved > 0 && tally.deadlocks > 0 && tally.excluded > 0,
        "{tally:?}"
    );
}

fn corpus_files() -> Vec<PathBuf> {
    let files = corpus::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
    files.expect("the corpus is there").into_iter().filter(|file| corpus::is_c(file)).collect()
}

/// Every deadlock of the corpus is an instance of an open cycle, or of a communication.
#[test]
fn every_deadlock_of_the_corpus_is_foreseen() {
    if compiler().is_none() {
        return;
    }
    let (mut deadlocks, mut complaints) = (0, Vec::new());
    for file in corpus_files() {
        let source = std::fs::read_to_string(&file).expect("it can be read");
        if !source.contains("violation: deadlock") && !source.contains("violation: standstill") {
            continue;
        }
        let image = corpus::load_c(&file).expect("it compiles");
        let machine = CMachine::new(image);
        let skeleton = machine.skeleton();
        match compare_lock_order(machine, skeleton, Algorithm::Optimal, 500_000) {
            Ok(Some(order)) => deadlocks += order.deadlocks,
            Ok(None) => complaints.push(format!("{}: too large", file.display())),
            Err(wrong) => complaints.push(format!("{}: {wrong}", file.display())),
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(deadlocks >= 10, "{deadlocks}");
}

/// What is known of a program: whether it deadlocks, how many cycles the analysis leaves open, how
/// many it discharges, and whether nothing else is left to an exploration.
type Known = (bool, usize, usize, bool);

/// What the analysis says of a pair, and that an exploration agrees.
#[test]
fn what_is_said_of_the_pairs() {
    if compiler().is_none() {
        return;
    }
    let said = |name: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lock_order_programs").join(name);
        let image = corpus::load_c(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let machine = CMachine::new(image);
        let skeleton = machine.skeleton();
        let analysis = mazurka_waits::Analysis::of(skeleton.clone());
        let order = compare_lock_order(machine, skeleton, Algorithm::Optimal, 100_000);
        let order = order.unwrap_or_else(|wrong| panic!("{name}: {wrong}")).expect("it is small");
        let is_decided = analysis.communications().is_empty() && analysis.unknown().is_empty();
        (order.deadlocks > 0, order.cycles - order.discharged, order.discharged, is_decided)
    };
    let found: Vec<(&str, Known)> = EXPECTED.iter().map(|&(name, _)| (name, said(name))).collect();
    assert_eq!(found, EXPECTED, "{found:#?}");
}

const EXPECTED: &[(&str, Known)] = &[
    ("accounts-in-order.c", (false, 14, 0, true)),
    ("c11-mutexes-in-order.c", (false, 1, 0, true)),
    ("callbacks-in-order.c", (false, 0, 0, true)),
    ("cond-wait-holding-nothing.c", (false, 0, 0, false)),
    ("descents-in-order.c", (false, 0, 0, true)),
    ("ended-by-the-holder.c", (false, 6, 0, true)),
    ("ended-without-the-lock.c", (false, 0, 0, true)),
    ("gate-by-constant.c", (false, 0, 1, true)),
    ("gate-lock.c", (false, 0, 1, true)),
    ("gate-made-by-main.c", (false, 6, 1, true)),
    ("gate-of-all.c", (false, 6, 1, true)),
    ("gate-shared-by-both.c", (false, 0, 1, true)),
    ("guards-in-order.cpp", (false, 4, 0, true)),
    ("join-after-unlock.c", (false, 0, 0, true)),
    ("joined-all-of-several.c", (false, 0, 2, true)),
    ("joined-before-crossing.c", (false, 0, 1, true)),
    ("lower-lock-first.c", (false, 3, 0, true)),
    ("nodes-locked-one-way.c", (false, 0, 0, true)),
    ("readers-crossed.c", (false, 0, 0, true)),
    ("recursive-lock-of-the-caller.c", (false, 1, 0, true)),
    ("tried-then-in-order.c", (false, 0, 0, true)),
    ("trylock-gives-up.c", (false, 0, 0, true)),
    ("wrapped-locks-in-order.c", (false, 0, 0, true)),
    ("accounts-swapped.c", (true, 1, 0, true)),
    ("c11-mutexes-crossed.c", (true, 1, 0, true)),
    ("callbacks-crossed.c", (true, 1, 0, true)),
    ("circle-beside-a-loop.c", (true, 1, 0, false)),
    ("circle-beside-an-assertion.c", (true, 1, 0, true)),
    ("circle-beside-the-end.c", (true, 1, 0, true)),
    ("cond-wait-while-holding.c", (true, 0, 0, false)),
    ("descents-crossed.c", (true, 10, 0, true)),
    ("ended-with-the-lock.c", (true, 4, 0, true)),
    ("gate-lock-missing.c", (true, 1, 0, true)),
    ("gates-by-ticket.c", (true, 1, 0, true)),
    ("gates-from-one-place.c", (true, 1, 0, true)),
    ("gates-made-by-each.c", (true, 7, 0, true)),
    ("gates-of-their-own.c", (true, 7, 0, true)),
    ("guards-crossed.cpp", (true, 6, 0, true)),
    ("join-while-holding.c", (true, 1, 0, true)),
    ("join-while-others-hang.c", (true, 1, 0, true)),
    ("joined-one-of-several.c", (true, 1, 0, true)),
    ("joined-the-other.c", (true, 1, 0, true)),
    ("lock-of-the-caller.c", (true, 1, 0, true)),
    ("nodes-locked-both-ways.c", (true, 1, 0, true)),
    ("once-while-holding.c", (true, 1, 0, true)),
    ("own-lock-first.c", (true, 3, 0, true)),
    ("readers-and-writer-crossed.c", (true, 1, 0, true)),
    ("tried-again-and-again.c", (true, 0, 0, false)),
    ("tried-then-crossed.c", (true, 1, 0, true)),
    ("trylock-then-lock.c", (true, 1, 0, true)),
    ("wrapped-locks-crossed.c", (true, 1, 0, true)),
    ("writer-behind-two-readers.c", (true, 1, 0, false)),
];
