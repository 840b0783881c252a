//! The report of `bmc`, for programs.

use mazurka::Loaded;
use mazurka_bmc::{Cutoff, Encoding, Reduction};
use serde::Serialize;

use super::{Bmc, Checked};
use crate::{json, memory};

/// The object of `bmc`. Fields that `check` has, too, are called the same.
#[derive(Serialize)]
struct Object<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    algorithm: &'static str,
    por: &'static str,
    encoding: &'static str,
    verdict: &'static str,
    /// All executions of up to so many steps were looked at.
    steps: usize,
    /// The processes met, in all executions together.
    processes: usize,
    conflicts: u64,
    decisions: u64,
    propagations: u64,
    /// Terms of the formula, and bytes that the solver read.
    terms: usize,
    formula_bytes: usize,
    time_s: f64,
    frontend_time_s: f64,
    solver_time_s: f64,
    /// Processor time and memory of the solver's process.
    solver_processor_time_s: f64,
    peak_memory_bytes: u64,
    solver_memory_bytes: u64,
    depths: Vec<Depth>,
    violations: Vec<json::Violation<'a>>,
    limits: Vec<&'static str>,
    memory_model: &'static str,
}

#[derive(Serialize)]
struct Depth {
    steps: usize,
    solver_time_s: f64,
    encoding_time_s: f64,
    conflicts: u64,
    decisions: u64,
    terms: usize,
    formula_bytes: usize,
}

pub(crate) fn text(arguments: &Bmc, loaded: &Loaded, checked: &Checked) -> String {
    let report = &checked.report;
    let last = report.depths.last().copied().unwrap_or_default();
    let depths = report.depths.iter().map(|depth| Depth {
        steps: depth.steps,
        solver_time_s: depth.time.as_secs_f64(),
        encoding_time_s: depth.encoding_time.as_secs_f64(),
        conflicts: depth.conflicts,
        decisions: depth.decisions,
        terms: depth.terms,
        formula_bytes: depth.size,
    });
    let shown = checked.shown.iter().filter_map(|timeline| Some((timeline.failure.as_ref()?, timeline)));
    json::text(&Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        algorithm: "bmc",
        por: Reduction::from(arguments.por).name(),
        encoding: Encoding::from(arguments.encoding).name(),
        verdict: json::verdict(report.verdict()),
        steps: report.steps,
        processes: report.processes,
        conflicts: report.statistics.conflicts,
        decisions: report.statistics.decisions,
        propagations: report.statistics.propagations,
        terms: last.terms,
        formula_bytes: last.size,
        time_s: report.time.as_secs_f64(),
        frontend_time_s: loaded.time.as_secs_f64(),
        solver_time_s: report.solver_time.as_secs_f64(),
        solver_processor_time_s: report.usage.processor.as_secs_f64(),
        peak_memory_bytes: memory::peak(),
        solver_memory_bytes: report.usage.memory.max(report.statistics.memory),
        depths: depths.collect(),
        violations: shown.map(|(failure, timeline)| json::Violation::new(failure, timeline, None)).collect(),
        limits: report.cutoffs.iter().map(|&cutoff| name(cutoff)).collect(),
        memory_model: "sequential consistency",
    })
}

fn name(cutoff: Cutoff) -> &'static str {
    match cutoff {
        Cutoff::Steps => "steps",
        Cutoff::Rounds(_) => "unroll",
        Cutoff::Processes => "max-processes",
        Cutoff::Timeout => "timeout",
        Cutoff::Stopped => "interrupted",
        Cutoff::Unknown => "unknown",
    }
}
