//! `cargo xtask bench`: the speed suite.
//!
//! Builds what is handed out (`--profile dist`), runs each row of the [suite](suite::SUITE), once
//! as it is for time and memory and once under callgrind for the number of instructions (which is
//! the same every time), and writes `bench/results/speed.md`.

pub(crate) mod report;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::{self, cargo, root};
use suite::{Case, Results, SUITE};

/// Which measurements.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only rows whose program or algorithm contains this
    #[arg(long)]
    only: Option<String>,
    /// Do not count instructions
    #[arg(long)]
    no_callgrind: bool,
}

/// What was measured of one row.
#[derive(Clone, Debug)]
struct Result {
    executions: u64,
    seconds: f64,
    peak_memory: u64,
    instructions: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> shell::Result {
    shell::run(&mut cargo(&["build", "--profile", "dist", "--package", "mazurka-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let program = target.join("dist/mazurka");
    let only = |case: &&Case| {
        let matches = |word: &String| case.program.contains(word.as_str()) || case.algorithm.contains(word.as_str());
        arguments.only.as_ref().is_none_or(matches)
    };
    let mut results = Results::new();
    for case in SUITE.iter().filter(only) {
        let result = measure(&program, case, case.counted && !arguments.no_callgrind)?;
        eprintln!("{} {} {}: {result:?}", case.program, case.definitions, case.algorithm);
        results.insert((case.program, case.definitions, case.algorithm), result);
    }
    let broken = report::broken_promises(&results);
    if arguments.only.is_none() {
        let file = report::write(&results)?;
        eprintln!("written to {}", shell::relative(&file));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

fn measure(program: &Path, case: &Case, counted: bool) -> shell::Result<Result> {
    let json = output(Command::new(program).args(arguments(case)), case)?;
    let number =
        |field: &str| json.get(field).and_then(Value::as_u64).ok_or_else(|| format!("no `{field}` in the answer"));
    let executions = number("executions")?;
    if executions != case.executions {
        let (program, expected) = (case.program, case.executions);
        return Err(format!("{program} {}: {executions} executions, not {expected}", case.algorithm));
    }
    let seconds = json.get("time_s").and_then(Value::as_f64).ok_or("no `time_s` in the answer")?;
    let instructions = if counted { Some(count_instructions(program, case)?) } else { None };
    Ok(Result { executions, seconds, peak_memory: number("peak_memory_bytes")?, instructions })
}

/// The arguments of one measurement.
fn arguments(case: &Case) -> Vec<String> {
    let mut words: Vec<String> =
        ["check", case.program, "-a", case.algorithm, "--no-hunt", "--format", "json"].map(String::from).into();
    for definition in case.definitions.split_whitespace() {
        words.extend(["-D".to_string(), definition.to_string()]);
    }
    words
}

fn output(command: &mut Command, case: &Case) -> shell::Result<Value> {
    let output = command.current_dir(root()).output().map_err(|error| format!("{}: {error}", shell::text(command)))?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let message = String::from_utf8_lossy(&output.stderr);
        format!("{} {}: no answer ({error}): {message}", case.program, case.algorithm)
    })
}

/// Instructions from the start of the program to its end, by callgrind.
fn count_instructions(program: &Path, case: &Case) -> shell::Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(arguments(case));
    let output = command.current_dir(root()).output().map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = line.and_then(|count| count.trim().parse().ok());
    count.ok_or_else(|| format!("callgrind gave no count:\n{text}"))
}
