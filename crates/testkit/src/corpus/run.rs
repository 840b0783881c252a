//! Running the programs of the corpus, and comparing.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mazurka_actor::ActorMachine;
use mazurka_explore::{Algorithm, Kept, Limits, Monitor, Options, explore, explore_parallel, hunt};
use mazurka_llvm::CMachine;
use mazurka_machine::{Companion, Describe, Machine};
use mazurka_report::{fault_name, kind_name};
use mazurka_sdn::{Barriers, NetworkMachine};
use mazurka_trace::{Event, FaultKind, Hunted, Outcome};

use super::{Counted, Expectation, actor, c, is_actor, is_c, is_network, is_to_fail};
use crate::actor::MethodFinder;
use crate::load::{load, machine};
use crate::network::load_network;

/// No algorithm may need more than this on a program of the corpus.
const LIMITS: Limits =
    Limits { timeout: Some(Duration::from_secs(120)), executions: Some(5_000_000), depth: 1_000_000, switches: None };

/// Programs with more executions are not divided in the tests.
const MOST_DIVIDED: u64 = 20_000;

/// Runs a program of the corpus under every algorithm and compares with what stands in it.
///
/// # Errors
/// A readable list of all differences.
pub fn check_file(file: &Path) -> Result<(), String> {
    let source = read(file)?;
    let expected = Expectation::parse(&source)?;
    if is_actor(file) && actor::is_constrained(&expected) && !MethodFinder::has_solver() {
        return Ok(());
    }
    let found = measure(file, &source)?;
    let mut differences = Vec::new();
    compare_counts(&expected, &found, &mut differences);
    compare_violations(&expected, &found, &mut differences);
    check_folder(file, &found, &mut differences);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Rewrites the lines of a program that say what is found; tells whether they changed.
///
/// # Errors
/// Where the program cannot be read, run or written, or stands in the wrong folder.
pub fn bless_file(file: &Path) -> Result<bool, String> {
    let source = read(file)?;
    let mut found = measure(file, &source)?;
    let mut differences = Vec::new();
    check_folder(file, &found, &mut differences);
    if !differences.is_empty() {
        return Err(differences.join("\n"));
    }
    // Lines that came or went move the places of the violations; what is written now has as many
    // lines as it will have.
    let moved = found.write_into(&source);
    found.violations = if is_c(file) {
        // Clang reads the file itself.
        write(file, &moved)?;
        let measured = violations(file, &moved, &found);
        write(file, &source)?;
        measured?
    } else {
        violations(file, &moved, &found)?
    };
    let blessed = found.write_into(&source);
    if blessed == source {
        return Ok(false);
    }
    write(file, &blessed)?;
    Ok(true)
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("cannot be written: {error}"))
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("cannot be read: {error}"))
}

/// What all algorithms find in a program, and what its lines say that are not about that. (Clang
/// reads a C program from its file, not from `source`.)
///
/// # Errors
/// Where the program is refused, an algorithm reaches a limit, two do not find the same violations,
/// or two that explore each trace once do not count the same.
pub fn measure(file: &Path, source: &str) -> Result<Expectation, String> {
    let given = Expectation::parse(source)?;
    let mut found = Expectation { counts: Vec::new(), violations: Vec::new(), ..given };
    let algorithms: Vec<Algorithm> = found.algorithms().collect();
    let program = Program::load(file, source, &found)?;
    for (number, &algorithm) in algorithms.iter().enumerate() {
        let (outcome, violations) = program.run(algorithm)?;
        if number > 0 && violations != found.violations {
            let (first, other) = (found.violations.join("; "), violations.join("; "));
            return Err(format!("{} finds [{first}], {algorithm} finds [{other}]", algorithms[0]));
        }
        found.violations = violations;
        let Outcome { executions, blocked, assume_blocked, .. } = outcome;
        found.counts.push((algorithm, Counted { executions, blocked, assume_blocked }));
    }
    compare_optimal(&found)?;
    Ok(found)
}

/// Each trace has one execution, whether interleavings or the unfolding are explored.
fn compare_optimal(found: &Expectation) -> Result<(), String> {
    let [optimal, unfolding] = [Algorithm::Optimal, Algorithm::QuasiOptimal];
    match (found.counted(optimal), found.counted(unfolding)) {
        (Some(one), Some(other)) if one != other => Err(format!("{optimal} counts {one}, {unfolding} {other}")),
        _ => Ok(()),
    }
}

/// Hunts for a failure of a program, without a proof, for so many steps: how it was found, and the
/// violations as they are written into a program.
///
/// # Errors
/// Where the program cannot be read, or is refused.
pub fn hunt_file(file: &Path, seed: u64, steps: u64) -> Result<Option<(Hunted, Vec<String>)>, String> {
    let source = read(file)?;
    let given = Expectation::parse(&source)?;
    Ok(match Program::load(file, &source, &given)? {
        Program::Process(image) => hunted(&mut machine(&image), seed, steps, kind_name),
        Program::C(image) => hunted(&mut CMachine::new(image), seed, steps, fault_name),
        Program::Actor(image) => hunted(&mut ActorMachine::new(image), seed, steps, kind_name),
        Program::Network(image) => hunted(&mut NetworkMachine::new(image), seed, steps, kind_name),
    })
}

fn hunted<M: Machine + Describe>(
    machine: &mut M,
    seed: u64,
    steps: u64,
    name: fn(FaultKind) -> &'static str,
) -> Option<(Hunted, Vec<String>)> {
    let (hunted, violations) = hunt(machine, &Options::default(), seed, steps)?;
    let outcome = Outcome { violations, ..Outcome::default() };
    Some((hunted, violation_lines(&outcome, machine, name)))
}

/// Compares what several workers find in a program in C or in the process notation with what one
/// does, by every algorithm that can be divided; the workers give away all that they can, from this
/// seed.
///
/// # Errors
/// The first difference.
pub fn compare_workers(file: &Path, workers: usize, seed: u64) -> Result<(), String> {
    let source = read(file)?;
    let given = Expectation::parse(&source)?;
    let name = if is_c(file) { fault_name } else { kind_name };
    let divided = Divided { given: &given, workers, seed, name };
    match Program::load(file, &source, &given)? {
        Program::Process(image) => divided.compare(&machine(&image)),
        Program::C(image) => divided.compare(&CMachine::new(image)),
        Program::Actor(_) | Program::Network(_) => Ok(()),
    }
}

/// What several workers are to find.
struct Divided<'a> {
    given: &'a Expectation,
    workers: usize,
    seed: u64,
    /// What kinds of failures are called.
    name: fn(FaultKind) -> &'static str,
}

impl Divided<'_> {
    fn compare<M: Machine + Describe + Companion + Send>(&self, machine: &M) -> Result<(), String> {
        let Divided { given, workers, seed, .. } = *self;
        let expected: BTreeSet<&String> = given.violations.iter().collect();
        for algorithm in given.algorithms().filter(|algorithm| algorithm.is_divisible()) {
            let said = given.counted(algorithm).ok_or(format!("nothing is said about {algorithm}"))?;
            if said.executions > MOST_DIVIDED {
                continue;
            }
            let options = Options { algorithm, all: true, limits: LIMITS, restless: Some(seed), ..Options::default() };
            let mut machines: Vec<M> = (0..workers).map(|_| machine.companion()).collect();
            let outcome = explore_parallel(&mut machines, None, Kept::default(), &options, &Monitor::default());
            let Outcome { executions, blocked, assume_blocked, .. } = outcome;
            // How much is cut depends on how the work is divided, where anything can be.
            let blocked = if matches!(algorithm, Algorithm::Dpor | Algorithm::Source) { said.blocked } else { blocked };
            let found = Counted { executions, blocked, assume_blocked };
            let violations = violation_lines(&outcome, &mut machines[0], self.name);
            if found != said || violations.iter().collect::<BTreeSet<_>>() != expected || !outcome.limits.is_empty() {
                let (limits, violations) = (&outcome.limits, violations.join("; "));
                return Err(format!("{algorithm}, {workers} workers: {found} [{violations}] {limits:?}, not {said}"));
            }
        }
        Ok(())
    }
}

/// The violations alone, by the strongest algorithm.
fn violations(file: &Path, source: &str, given: &Expectation) -> Result<Vec<String>, String> {
    let strongest = given.algorithms().last().ok_or("every algorithm is skipped")?;
    Ok(Program::load(file, source, given)?.run(strongest)?.1)
}

/// A program that is ready to run.
enum Program {
    Process(Arc<mazurka_process::Image>),
    C(Arc<mazurka_llvm::Image>),
    Actor(Arc<mazurka_actor::Image>),
    Network(Arc<mazurka_sdn::Image>),
}

impl Program {
    fn load(file: &Path, source: &str, given: &Expectation) -> Result<Program, String> {
        if is_c(file) {
            return c::load(file, given).map(Program::C);
        }
        if is_actor(file) {
            return actor::load(&file.display().to_string(), source, given).map(Program::Actor);
        }
        let name = file.display().to_string();
        if is_network(file) {
            return load_network(&name, source, &given.definitions, Barriers::Scoped).map(Program::Network);
        }
        load(&name, source, &given.definitions).map(Program::Process)
    }

    fn run(&self, algorithm: Algorithm) -> Result<(Outcome, Vec<String>), String> {
        match self {
            Program::Process(image) => explored(&mut machine(image), algorithm, kind_name),
            Program::C(image) => explored(&mut CMachine::new(Arc::clone(image)), algorithm, fault_name),
            Program::Actor(image) => explored(&mut ActorMachine::new(Arc::clone(image)), algorithm, kind_name),
            Program::Network(image) => explored(&mut NetworkMachine::new(Arc::clone(image)), algorithm, kind_name),
        }
    }
}

/// What an algorithm finds; `name` is what kinds of failure are called.
fn explored<M: Machine + Describe>(
    machine: &mut M,
    algorithm: Algorithm,
    name: fn(FaultKind) -> &'static str,
) -> Result<(Outcome, Vec<String>), String> {
    let options = Options { algorithm, all: true, limits: LIMITS, ..Options::default() };
    let outcome = explore(machine, &options, &Monitor::default());
    if !outcome.limits.is_empty() {
        let (limits, executions) = (&outcome.limits, outcome.executions);
        return Err(format!(
            "{algorithm} reached {limits:?} after {executions} executions: make it smaller or skip it"
        ));
    }
    let violations = violation_lines(&outcome, machine, name);
    Ok((outcome, violations))
}

/// The violations as they are written into a program, in the order of their places, each once.
fn violation_lines(
    outcome: &Outcome,
    machine: &mut (impl Machine + Describe),
    name: fn(FaultKind) -> &'static str,
) -> Vec<String> {
    let mut lines: Vec<(usize, usize, String)> = Vec::new();
    for violation in &outcome.violations {
        let fault = &violation.fault;
        let kind = name(fault.kind);
        if fault.kind.is_standstill() {
            lines.push((usize::MAX, 0, kind.to_string()));
            continue;
        }
        // Who takes part is told by the state that the schedule leads to.
        machine.restart();
        let mut event = Event::default();
        for step in &violation.schedule {
            machine.step(step.process, &step.choices, &mut event);
        }
        let place = machine.fault_place(fault);
        let process = machine.process_name(fault.process);
        let line = format!("{kind} in {process} at {}:{}", place.line, place.column);
        lines.push((place.line, place.column, line));
    }
    lines.sort();
    lines.dedup();
    lines.into_iter().map(|(_, _, line)| line).collect()
}

fn compare_counts(expected: &Expectation, found: &Expectation, differences: &mut Vec<String>) {
    for &(algorithm, counted) in &found.counts {
        match expected.counted(algorithm) {
            None => differences.push(format!(
                "nothing is said about {algorithm} ({counted}): run `cargo xtask bless` and review the diff"
            )),
            Some(said) if said != counted => {
                differences.push(format!("- {algorithm}: {said}\n+ {algorithm}: {counted}"))
            }
            Some(_) => {}
        }
    }
}

fn compare_violations(expected: &Expectation, found: &Expectation, differences: &mut Vec<String>) {
    let lacking = expected.violations.iter().filter(|violation| !found.violations.contains(violation));
    differences.extend(lacking.map(|violation| format!("- violation: {violation}")));
    let new = found.violations.iter().filter(|violation| !expected.violations.contains(violation));
    differences.extend(new.map(|violation| format!("+ violation: {violation}")));
}

fn check_folder(file: &Path, found: &Expectation, differences: &mut Vec<String>) {
    let fails = !found.violations.is_empty();
    match is_to_fail(file) {
        Some(expected) if expected == fails => {}
        _ => {
            let verdict = if fails { "violation" } else { "verified" };
            differences.push(format!("stands in the wrong folder: it is to be in `{verdict}`"));
        }
    }
}
