//! The analysis of lock order against an exploration of all schedules, on C programs: those of the
//! corpus, and random ones.

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
        let mut machine = CMachine::new(image);
        let skeleton = machine.skeleton();
        match compare_lock_order(&mut machine, skeleton, Algorithm::Optimal, 500_000) {
            Ok(Some(order)) => deadlocks += order.deadlocks,
            Ok(None) => complaints.push(format!("{}: too large", file.display())),
            Err(wrong) => complaints.push(format!("{}: {wrong}", file.display())),
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(deadlocks >= 10, "{deadlocks}");
}

/// What the analysis says of programs of the corpus: how many cycles are open, how many discharged,
/// and whether it proves the program free.
#[test]
fn what_is_said_of_the_corpus() {
    if compiler().is_none() {
        return;
    }
    let said = |name: &str| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name);
        let image = corpus::load_c(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let analysis = mazurka_waits::Analysis::of(CMachine::new(image).skeleton());
        let open = analysis.cycles.iter().filter(|cycle| cycle.discharged.is_none()).count();
        let is_decided = analysis.communications().is_empty() && analysis.unknown().is_empty();
        (open, analysis.cycles.len() - open, is_decided)
    };
    let found: Vec<(&str, (usize, usize, bool))> = EXPECTED.iter().map(|&(name, _)| (name, said(name))).collect();
    assert_eq!(found, EXPECTED, "{found:#?}");
}

const EXPECTED: &[(&str, (usize, usize, bool))] = &[
    ("verified/c/accounts-in-order.c", (0, 0, true)),
    ("verified/c/c11-mutexes-in-order.c", (0, 0, true)),
    ("verified/c/callbacks-in-order.c", (0, 0, true)),
    ("verified/c/cond-wait-holding-nothing.c", (0, 0, true)),
    ("verified/c/descents-in-order.c", (0, 0, true)),
    ("verified/c/ended-without-the-lock.c", (0, 0, true)),
    ("verified/c/gate-lock.c", (0, 0, true)),
    ("verified/c/gate-made-by-main.c", (0, 0, true)),
    ("verified/c/gate-of-all.c", (0, 0, true)),
    ("verified/c/guards-in-order.cpp", (0, 0, true)),
    ("verified/c/join-after-unlock.c", (0, 0, true)),
    ("verified/c/joined-before-crossing.c", (0, 0, true)),
    ("verified/c/lower-lock-first.c", (0, 0, true)),
    ("verified/c/nodes-locked-one-way.c", (0, 0, true)),
    ("verified/c/readers-crossed.c", (0, 0, true)),
    ("verified/c/recursive-lock-of-the-caller.c", (0, 0, true)),
    ("verified/c/tried-then-in-order.c", (0, 0, true)),
    ("verified/c/trylock-gives-up.c", (0, 0, true)),
    ("verified/c/wrapped-locks-in-order.c", (0, 0, true)),
    ("violation/c/accounts-swapped.c", (0, 0, true)),
    ("violation/c/c11-mutexes-crossed.c", (0, 0, true)),
    ("violation/c/callbacks-crossed.c", (0, 0, true)),
    ("violation/c/cond-wait-while-holding.c", (0, 0, true)),
    ("violation/c/descents-crossed.c", (0, 0, true)),
    ("violation/c/dining-philosophers.c", (0, 0, true)),
    ("violation/c/ended-with-the-lock.c", (0, 0, true)),
    ("violation/c/gate-lock-missing.c", (0, 0, true)),
    ("violation/c/gates-made-by-each.c", (0, 0, true)),
    ("violation/c/gates-of-their-own.c", (0, 0, true)),
    ("violation/c/guards-crossed.cpp", (0, 0, true)),
    ("violation/c/join-while-holding.c", (0, 0, true)),
    ("violation/c/joined-the-other.c", (0, 0, true)),
    ("violation/c/lock-of-the-caller.c", (0, 0, true)),
    ("violation/c/lock-twice.c", (0, 0, true)),
    ("violation/c/nodes-locked-both-ways.c", (0, 0, true)),
    ("violation/c/own-lock-first.c", (0, 0, true)),
    ("violation/c/readers-and-writer-crossed.c", (0, 0, true)),
    ("violation/c/tried-then-crossed.c", (0, 0, true)),
    ("violation/c/trylock-then-lock.c", (0, 0, true)),
    ("violation/c/wrapped-locks-crossed.c", (0, 0, true)),
];
