//! What the speed suite measures. A new measurement is a new row here.

use std::collections::BTreeMap;

/// One measurement: a program under one algorithm.
pub(super) struct Case {
    /// The program, from the root of the repository.
    pub(super) program: &'static str,
    /// Values for its constants.
    pub(super) definitions: &'static str,
    /// How it is explored.
    pub(super) algorithm: &'static str,
    /// How many executions there are; anything else is an error.
    pub(super) executions: u64,
    /// Whether instructions are counted (some fifty times slower than running).
    pub(super) counted: bool,
    /// The most instructions for one execution, where there is a promise.
    pub(super) allowed: Option<u64>,
}

const LASTWRITE: &str = "corpus/verified/lastwrite.mzk";
const PREFIX: &str = "corpus/verified/prefix-then-race.mzk";
const LONG: &str = "corpus/verified/one-race-among-many.mzk";
const MANY: &str = "corpus/verified/one-race-many-processes.mzk";

const C_LASTWRITE: &str = "bench/c/lastwrite.c";
const C_LOCAL: &str = "bench/c/local.c";

const fn case(
    program: &'static str,
    definitions: &'static str,
    algorithm: &'static str,
    executions: u64,
    counted: bool,
    allowed: Option<u64>,
) -> Case {
    Case { program, definitions, algorithm, executions, counted, allowed }
}

/// The suite.
pub(super) const SUITE: &[Case] = &[
    // Eight writers of one variable: the cost of one short execution.
    case(LASTWRITE, "N=8", "none", 40_320, true, None),
    case(LASTWRITE, "N=8", "dpor", 40_320, true, None),
    case(LASTWRITE, "N=8", "source", 40_320, true, Some(3_000)),
    case(LASTWRITE, "N=8", "optimal", 40_320, true, Some(6_000)),
    // Memory must not grow with the number of executions.
    case(LASTWRITE, "N=10", "source", 3_628_800, false, None),
    case(LASTWRITE, "N=10", "optimal", 3_628_800, false, None),
    // Going back must cost what changed, not what came before.
    case(PREFIX, "N=8 STEPS=10", "source", 40_320, true, None),
    case(PREFIX, "N=8 STEPS=10000", "source", 40_320, true, None),
    case(PREFIX, "N=8 STEPS=10", "optimal", 40_320, true, None),
    case(PREFIX, "N=8 STEPS=10000", "optimal", 40_320, true, None),
    // Long executions, and many processes, must stay cheap.
    case(LONG, "STEPS=1000", "source", 2, true, None),
    case(LONG, "STEPS=10000", "source", 2, true, None),
    case(LONG, "STEPS=100000", "source", 2, true, None),
    case(LONG, "STEPS=1000", "optimal", 2, true, None),
    case(LONG, "STEPS=10000", "optimal", 2, true, None),
    case(LONG, "STEPS=100000", "optimal", 2, true, None),
    case(MANY, "N=1000", "source", 2, true, None),
    case(MANY, "N=1000", "optimal", 2, true, None),
    // C programs, thread creation and joins included.
    case(C_LASTWRITE, "N=8", "source", 40_320, true, None),
    case(C_LASTWRITE, "N=8", "optimal", 40_320, true, Some(8_000)),
    case("bench/c/floating-read.c", "N=7", "optimal", 40_320, true, None),
    case("bench/c/last-zero.c", "N=10", "optimal", 3_328, true, None),
    case("bench/c/readers.c", "N=12", "optimal", 4_096, true, None),
    case("bench/c/indexer.c", "N=12", "optimal", 8, true, None),
    case("bench/c/dispatcher.c", "R=3", "optimal", 1_482, true, None),
    case("bench/c/dispatcher.c", "R=5", "optimal", 151_032, false, None),
    case("bench/c/producers-consumers.c", "P=3", "optimal", 2_958, true, None),
    case("bench/c/producers-consumers.c", "P=4", "optimal", 314_064, false, None),
    case("bench/c/pi.c", "N=7", "optimal", 5_040, true, None),
    case("bench/c/poked-pool.c", "N=7", "optimal", 2_440, true, None),
    case("bench/c/poked-pool.c", "N=12", "optimal", 12_940, true, None),
    // Local code before the one shared access is not run again for each execution.
    case(C_LOCAL, "N=8 STEPS=10", "source", 40_320, true, None),
    case(C_LOCAL, "N=8 STEPS=10000", "source", 40_320, true, None),
    case(C_LOCAL, "N=8 STEPS=10", "optimal", 40_320, true, None),
    case(C_LOCAL, "N=8 STEPS=10000", "optimal", 40_320, true, None),
];

/// A relation between two measurements that was promised.
pub(super) struct Promise {
    pub(super) what: &'static str,
    /// Program, definitions, algorithm: of the one, of the other.
    pub(super) small: (&'static str, &'static str),
    pub(super) large: (&'static str, &'static str),
    /// What is compared.
    pub(super) measure: Measure,
    /// The large one is at most so many times the small one.
    pub(super) factor: f64,
}

/// What is compared.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    InstructionsPerExecution,
    Instructions,
    PeakMemory,
}

/// n log n from one size to the next ten times larger one, with log 10^3 : log 10^4 : log 10^5 = 3
/// : 4 : 5.
const TENFOLD_FROM_3: f64 = 10.0 * 4.0 / 3.0;
const TENFOLD_FROM_4: f64 = 10.0 * 5.0 / 4.0;

/// The promises, each for both algorithms.
pub(super) const PROMISES: &[Promise] = &[
    Promise {
        what: "10,000 steps before the race cost at most half as much again as 10",
        small: (PREFIX, "N=8 STEPS=10"),
        large: (PREFIX, "N=8 STEPS=10000"),
        measure: Measure::InstructionsPerExecution,
        factor: 1.5,
    },
    Promise {
        what: "C: 10,000 rounds of local code before the race cost at most half as much again as 10",
        small: (C_LOCAL, "N=8 STEPS=10"),
        large: (C_LOCAL, "N=8 STEPS=10000"),
        measure: Measure::InstructionsPerExecution,
        factor: 1.5,
    },
    Promise {
        what: "90 times as many executions need no more memory",
        small: (LASTWRITE, "N=8"),
        large: (LASTWRITE, "N=10"),
        measure: Measure::PeakMemory,
        factor: 1.1,
    },
    Promise {
        what: "n log n in the length of an execution, 10^3 to 10^4",
        small: (LONG, "STEPS=1000"),
        large: (LONG, "STEPS=10000"),
        measure: Measure::Instructions,
        factor: TENFOLD_FROM_3,
    },
    Promise {
        what: "n log n in the length of an execution, 10^4 to 10^5",
        small: (LONG, "STEPS=10000"),
        large: (LONG, "STEPS=100000"),
        measure: Measure::Instructions,
        factor: TENFOLD_FROM_4,
    },
];

/// The algorithms that promises are made for.
pub(super) const PROMISING: [&str; 2] = ["source", "optimal"];

/// Results by program, definitions and algorithm.
pub(super) type Results = BTreeMap<(&'static str, &'static str, &'static str), super::Result>;
