//! The report of `deadlocks`, for programs.

use mazurka::Loaded;
use mazurka_actor::deadlock::Searched;
use mazurka_waits::Step;
use serde::Serialize;

use super::{Answer, Cycle, CycleStatus, Verdict};
use crate::json;

/// The object of `deadlocks`.
#[derive(Serialize)]
struct Object<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    verdict: &'static str,
    /// What shows that it is free.
    proof: Option<&'static str>,
    cycles: Vec<CycleObject<'a>>,
    /// There are more cycles than are listed.
    more_cycles: bool,
    stuck: &'a [String],
    /// Failures that are no deadlocks.
    failures: &'a [String],
    uncovered: &'a [String],
    /// Waits that are no matter of cycles, left to the exploration.
    undecided: &'a [String],
    /// Standstills that are no cycle.
    others: Vec<&'a [String]>,
    /// Circles of waits that the analysis did not foresee: a bug, unless there are more cycles.
    unforeseen: Vec<&'a [String]>,
    states: u64,
    pruned: u64,
    deadlocks: u64,
    time_s: f64,
    analysis_time_s: f64,
    frontend_time_s: f64,
    limits_hit: &'a [&'static str],
}

#[derive(Serialize)]
struct CycleObject<'a> {
    id: usize,
    kind: &'static str,
    edges: Vec<Edge>,
    status: &'static str,
    reason: Option<String>,
    /// After so many states it was confirmed.
    states: Option<u64>,
    schedule: Option<Vec<&'a str>>,
    chain: Option<&'a [String]>,
    /// The search for this cycle alone, with `--guide paper`.
    searched: Option<SearchedObject>,
}

#[derive(Serialize)]
struct SearchedObject {
    states: u64,
    pruned: u64,
    deadlocks: u64,
    /// Deadlocks that meet all constraints of the cycle: those that the paper counts for it.
    matches: u64,
}

#[derive(Serialize)]
struct Edge {
    from: String,
    to: String,
    point: String,
    task: String,
    kind: &'static str,
}

pub(super) fn text(loaded: &Loaded, answer: &Answer) -> String {
    let explored = answer.explored.as_ref();
    let cycles = answer.cycles().map(|(number, cycle, status)| cycle_object(answer, number, cycle, status));
    json::text(&Object {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        verdict: match answer.verdict {
            Verdict::Free => "free",
            Verdict::Deadlock => "deadlock",
            Verdict::Unknown => "unknown",
        },
        proof: (answer.verdict == Verdict::Free).then(|| if explored.is_some() { "exploration" } else { "analysis" }),
        cycles: cycles.collect(),
        more_cycles: answer.analysis.more,
        stuck: explored.map_or(&[], |explored| explored.stuck.as_slice()),
        failures: explored.map_or(&[], |explored| explored.failures.as_slice()),
        uncovered: &answer.analysis.uncovered,
        undecided: &answer.analysis.undecided,
        others: explored
            .map_or(Vec::new(), |explored| explored.others.iter().map(|(found, _)| found.lines.as_slice()).collect()),
        unforeseen: explored
            .map_or(Vec::new(), |explored| explored.unforeseen.iter().map(|found| found.lines.as_slice()).collect()),
        states: explored.map_or(0, |explored| explored.states),
        pruned: explored.map_or(0, |explored| explored.pruned),
        deadlocks: explored.map_or(0, |explored| explored.deadlocks),
        time_s: explored.map_or(0.0, |explored| explored.outcome.time.as_secs_f64()),
        analysis_time_s: answer.analysis_time.as_secs_f64(),
        frontend_time_s: loaded.time.as_secs_f64(),
        limits_hit: explored.map_or(&[], |explored| explored.limits.as_slice()),
    })
}

fn cycle_object<'a>(answer: &'a Answer, number: usize, cycle: &'a Cycle, status: CycleStatus) -> CycleObject<'a> {
    let witness = answer.witness(number);
    let shown = answer.explored.as_ref().and_then(|explored| explored.shown[number].as_ref());
    let steps = |timeline: &'a mazurka_report::Timeline| {
        let steps = timeline.steps.iter().filter(|step| step.column.is_some());
        steps.map(|step| step.process.as_str()).collect()
    };
    CycleObject {
        id: number + 1,
        kind: cycle.kind,
        edges: cycle.steps.iter().map(edge).collect(),
        status: match status {
            CycleStatus::Discharged => "discharged",
            CycleStatus::Confirmed => "confirmed",
            CycleStatus::Refuted => "refuted",
            CycleStatus::Unknown => "unknown",
        },
        reason: answer.reason(number, status),
        states: witness.and_then(|witness| witness.states),
        schedule: shown.map(steps),
        chain: witness.map(|witness| witness.lines.as_slice()),
        searched: answer.searched(number).map(|searched| {
            let Searched { states, pruned, deadlocks, matches } = *searched;
            SearchedObject { states, pruned, deadlocks, matches }
        }),
    }
}

fn edge(step: &Step) -> Edge {
    let Step { from, to, point, task, kind, .. } = step.clone();
    Edge { from, to, point: format!("{}:{}:{}", point.file, point.line, point.column), task, kind }
}
