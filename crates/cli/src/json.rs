//! Reports for programs. The names and the order of the fields are relied upon.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mazurka::{Checked, Loaded, Program, Trace};
use mazurka_machine::Place;
use mazurka_report::{Effect, Failure, Step, Timeline, Waiter, fault_name, kind_name};
use mazurka_trace::{Check as Decided, Explanation, Hunted, HuntedBy, Limit, Outcome, Verdict};
use serde::Serialize;

use crate::memory;

/// The object of `check`.
#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    algorithm: Cow<'static, str>,
    /// What ran, where the machine or the program did not allow for the algorithm, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    explored_as: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored_as_reason: Option<String>,
    /// How many threads explored, where there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    verdict: &'static str,
    executions: u64,
    blocked: u64,
    assume_blocked: u64,
    /// Where comparing states was given up: the explorations that count for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<u64>,
    events: u64,
    max_events: u64,
    /// Nodes of the tree that was explored, for actors.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    time_s: f64,
    frontend_time_s: f64,
    compile_time_s: f64,
    solver_time_s: f64,
    peak_memory_bytes: u64,
    violations: Vec<Violation<'a>>,
    /// The states in which executions end, for actors.
    #[serde(skip_serializing_if = "Option::is_none")]
    final_states: Option<Vec<FinalState<'a>>>,
    /// What becomes of packets, for networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<Vec<Packet<'a>>>,
    /// The executions that were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traces: Vec<Traced<'a>>,
    limits: Vec<&'static str>,
    /// What the verdict rests on, or what could not be done, in words.
    notes: Vec<&'a String>,
    memory_model: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unfolding: Option<Unfolding>,
    /// Where the violation was found beside the proof: how. The other counts are the proof's.
    #[serde(skip_serializing_if = "Option::is_none")]
    hunt: Option<Hunt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<Explained<'a>>>,
}

/// A state in which executions end.
#[derive(Serialize)]
struct FinalState<'a> {
    executions: u64,
    /// The number of the first of them.
    first_execution: u64,
    objects: BTreeMap<&'a str, BTreeMap<&'a str, serde_json::Value>>,
    waiting: BTreeMap<&'a str, &'a str>,
    exceptions: &'a [String],
    /// The tasks of the first execution, in the order of their steps.
    schedule: Vec<String>,
}

/// What becomes of a packet of a network.
#[derive(Serialize)]
struct Packet<'a> {
    name: &'a str,
    outcomes: Vec<PacketOutcome<'a>>,
}

#[derive(Serialize)]
struct PacketOutcome<'a> {
    kind: &'a str,
    at: &'a str,
    classes: u64,
}

fn packet(packet: &mazurka_machine::PacketEnds) -> Packet<'_> {
    let outcomes = packet.outcomes.iter().map(|(kind, at, classes)| PacketOutcome { kind, at, classes: *classes });
    Packet { name: &packet.name, outcomes: outcomes.collect() }
}

/// An execution that was requested.
#[derive(Serialize)]
struct Traced<'a> {
    execution: u64,
    /// Its final state, from 0.
    final_state: Option<usize>,
    schedule: Vec<Scheduled<'a>>,
}

fn final_state<'a>(state: &'a mazurka_machine::FinalState, names: &[Vec<String>], number: usize) -> FinalState<'a> {
    let fields = |fields: &'a [(String, String)]| fields.iter().map(|(name, value)| (&**name, json_value(value)));
    FinalState {
        executions: state.executions,
        first_execution: state.first,
        objects: state.objects.iter().map(|(object, of)| (&**object, fields(of).collect())).collect(),
        waiting: state.waiting.iter().map(|(task, place)| (&**task, &**place)).collect(),
        exceptions: &state.exceptions,
        schedule: names.get(number).cloned().unwrap_or_default(),
    }
}

/// A remark of `--explain`.
#[derive(Serialize)]
#[serde(tag = "remark", rename_all = "lowercase")]
enum Explained<'a> {
    Unordered {
        steps: &'a [String; 2],
    },
    Explored {
        schedule: &'a [String],
    },
    Compared {
        number: usize,
        first: Occurrence<'a>,
        second: Occurrence<'a>,
        observed_writes: bool,
        after: &'a [String],
        explored: &'a [String],
        reversed: &'a [String],
        same_state: bool,
        check: &'static str,
        explored_uses: Vec<Use<'a>>,
        reversed_uses: Vec<Use<'a>>,
    },
    Cut {
        schedule: &'a [String],
        because: &'a [usize],
        explored_before: Vec<Asleep<'a>>,
    },
}

/// Which step of a process.
#[derive(Serialize)]
struct Occurrence<'a> {
    process: &'a str,
    step: usize,
}

/// What a step did in one of the orders.
#[derive(Serialize)]
struct Use<'a> {
    process: &'a str,
    effects: &'a [String],
}

/// A process whose step was explored, at a prefix of so many steps.
#[derive(Serialize)]
struct Asleep<'a> {
    process: &'a str,
    prefix: usize,
}

impl<'a> Explained<'a> {
    fn new(remark: &'a Explanation<String, String, String>) -> Self {
        let uses = |used: &'a [(String, Vec<String>)]| {
            used.iter().map(|(process, effects)| Use { process, effects }).collect()
        };
        let occurrence = |(process, step): &'a (String, usize)| Occurrence { process, step: *step };
        match remark {
            Explanation::Unordered { sites } => Explained::Unordered { steps: sites },
            Explanation::Explored { schedule } => Explained::Explored { schedule },
            Explanation::Compared(comparison) => Explained::Compared {
                number: comparison.number,
                first: occurrence(&comparison.first),
                second: occurrence(&comparison.second),
                observed_writes: comparison.observed,
                after: &comparison.after,
                explored: &comparison.explored,
                reversed: &comparison.reversed,
                same_state: comparison.same,
                check: match comparison.check {
                    Decided::States => "states",
                    Decided::Uses => "uses",
                    Decided::Constraint => "constraint",
                },
                explored_uses: uses(&comparison.used[0]),
                reversed_uses: uses(&comparison.used[1]),
            },
            Explanation::Cut { schedule, because, asleep } => Explained::Cut {
                schedule,
                because,
                explored_before: asleep.iter().map(|(process, prefix)| Asleep { process, prefix: *prefix }).collect(),
            },
        }
    }
}

/// What exploring the unfolding took.
#[derive(Serialize)]
struct Unfolding {
    events: u64,
    peak_events: u64,
    maximal_configurations: u64,
    blocked: u64,
    alternatives_asked: u64,
    alternatives_found: u64,
}

impl Unfolding {
    fn new(outcome: &Outcome) -> Option<Self> {
        outcome.unfolded.map(|unfolded| Self {
            events: unfolded.events,
            peak_events: unfolded.most_events,
            maximal_configurations: outcome.executions + outcome.assume_blocked,
            blocked: outcome.blocked,
            alternatives_asked: unfolded.alternatives_asked,
            alternatives_found: unfolded.alternatives_found,
        })
    }
}

/// How a violation was found beside the proof.
#[derive(Serialize)]
struct Hunt {
    /// `preemption-bound`, or `random-priorities`.
    found_by: &'static str,
    /// The bound, or the number of changes of priorities; null where they changed after each step.
    bound: Option<usize>,
    executions: u64,
    events: u64,
    switches: u64,
    seed: u64,
}

impl Hunt {
    fn new(outcome: &Outcome) -> Option<Self> {
        outcome.hunted.map(|hunted| {
            let (found_by, bound) = match hunted.by {
                HuntedBy::Preemptions(bound) => ("preemption-bound", Some(bound)),
                HuntedBy::Priorities(changes) => ("random-priorities", changes),
            };
            let Hunted { executions, events, switches, seed, .. } = hunted;
            Self { found_by, bound, executions, events, switches, seed }
        })
    }
}

/// The object where the input or the call is wrong.
#[derive(Serialize)]
struct Error<'a> {
    tool: &'static str,
    version: &'static str,
    error: &'a str,
}

/// What is wrong with the input or the call, as on stderr.
pub(crate) fn error(message: &str) -> String {
    text(&Error { tool: "mazurka", version: env!("CARGO_PKG_VERSION"), error: message.trim_end() })
}

/// A hop of a packet: switch, port, why, next.
type PathHop<'a> = (&'a str, i64, &'a str, Option<&'a str>);

/// One violation.
#[derive(Serialize)]
pub(crate) struct Violation<'a> {
    kind: &'static str,
    message: &'a str,
    location: String,
    schedule: Vec<Scheduled<'a>>,
    process: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<u64>,
    preemptions: usize,
    waiting: Vec<Waiting<'a>>,
    /// The exact kind, of which `kind` is the family.
    fault: &'static str,
    /// For a data race: who is about to do what.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    racing: Vec<Racing<'a>>,
    /// For networks: the packet that it is about, and its way: switch, port, why, next.
    #[serde(skip_serializing_if = "Option::is_none")]
    packet: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Vec<PathHop<'a>>>,
    /// How many packets are sent in the schedule, and how many messages overtake others.
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reordered: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overtakings: Option<&'a [(String, String)]>,
    /// What the program printed.
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'a str,
}

/// Whether a packet is sent in a step.
fn is_sending(turn: &mazurka_report::Turn) -> bool {
    turn.task.split('#').next().is_some_and(|task| task.ends_with(".send"))
}

/// The way of a packet.
fn path(journey: &mazurka_machine::Journey) -> Vec<(&str, i64, &str, Option<&str>)> {
    let name = |node: usize| journey.topology.nodes[node].name.as_str();
    journey.hops.iter().map(|hop| (name(hop.node), hop.port, hop.decision.as_str(), hop.next.map(name))).collect()
}

/// A process that is about to do an access that races.
#[derive(Serialize)]
struct Racing<'a> {
    process: &'a str,
    location: String,
    statement: &'a str,
}

/// One step of a schedule.
#[derive(Serialize)]
struct Scheduled<'a> {
    process: &'a str,
    location: String,
    statement: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    choices: &'a [i64],
    reads: Vec<Read<'a>>,
    writes: Vec<Write<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unlocks: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    spawns: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    joins: &'a [String],
    /// No event: local code that makes a choice of data.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    local: bool,
}

#[derive(Serialize)]
struct Read<'a> {
    variable: &'a str,
    value: serde_json::Value,
}

#[derive(Serialize)]
struct Write<'a> {
    variable: &'a str,
    before: serde_json::Value,
    value: serde_json::Value,
}

/// A process that cannot move at the end.
#[derive(Serialize)]
struct Waiting<'a> {
    process: &'a str,
    location: String,
    statement: &'a str,
    waits_for: Vec<&'a str>,
    held_by: Option<&'a str>,
    /// It goes round in a loop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    spins: bool,
}

/// The object of `check`, with a line feed at its end.
pub(crate) fn check(loaded: &Loaded, checked: &Checked) -> String {
    let outcome = &checked.outcome;
    let violations = checked.violations();
    text(&Report {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        algorithm: checked.plan.asked().name(),
        explored_as: checked.plan.reason().map(|_| checked.plan.taken().name()),
        explored_as_reason: checked.plan.reason().map(|reason| reason.to_string()),
        threads: Some(checked.threads).filter(|&threads| threads > 1),
        verdict: verdict(outcome.verdict()),
        executions: outcome.executions,
        blocked: outcome.blocked,
        assume_blocked: outcome.assume_blocked,
        given_up: outcome.uncompared,
        events: outcome.events,
        max_events: outcome.max_events,
        states: matches!(loaded.program, Program::Actor { .. } | Program::Network { .. }).then_some(outcome.nodes),
        time_s: outcome.time.as_secs_f64(),
        frontend_time_s: loaded.time.as_secs_f64(),
        compile_time_s: loaded.compiler_time.as_secs_f64(),
        solver_time_s: loaded.solver_time.as_secs_f64(),
        notes: loaded.notes.iter().chain(&checked.notes).collect(),
        peak_memory_bytes: memory::peak(),
        violations: violations
            .filter_map(|(violation, timeline)| {
                let failure = timeline.failure.as_ref()?;
                Some(Violation::new(failure, timeline, Some(violation.executions)))
            })
            .collect(),
        final_states: matches!(loaded.program, Program::Actor { .. } | Program::Network { .. }).then(|| {
            let states = checked.ends.states.iter().enumerate();
            states.map(|(number, state)| final_state(state, &checked.schedules, number)).collect()
        }),
        packets: matches!(loaded.program, Program::Network { .. })
            .then(|| checked.ends.packets.iter().map(packet).collect()),
        traces: checked.traces.iter().map(traced).collect(),
        limits: outcome.limits.iter().map(|&limit| limit_name(limit)).collect(),
        memory_model: "sequential consistency",
        unfolding: Unfolding::new(outcome),
        hunt: Hunt::new(outcome),
        explanation: checked.explanation.as_ref().map(|remarks| remarks.iter().map(Explained::new).collect()),
    })
}

fn traced(trace: &Trace) -> Traced<'_> {
    let schedule = trace.timeline.steps.iter().map(scheduled).collect();
    Traced { execution: trace.number, final_state: trace.state, schedule }
}

/// An object as one line per field, with a line feed at its end.
pub(crate) fn text(object: &impl Serialize) -> String {
    serde_json::to_string_pretty(object).expect("a report has only strings for keys") + "\n"
}

/// The name of a verdict.
pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Violation => "violation",
        Verdict::Incomplete => "incomplete",
    }
}

pub(crate) fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Timeout => "timeout",
        Limit::Executions => "max-executions",
        Limit::Depth => "max-depth",
        Limit::Switches => "max-switches",
        Limit::DataRaces => "data-race-share",
        Limit::Choices => "choices",
        Limit::Fuel => "max-instructions",
        Limit::Sampled => "random",
        Limit::Interrupted => "interrupted",
    }
}

impl<'a> Violation<'a> {
    /// A failure with the timeline that shows it.
    pub(crate) fn new(failure: &'a Failure, timeline: &'a Timeline, executions: Option<u64>) -> Self {
        Self {
            kind: kind_name(failure.kind),
            message: &failure.message,
            location: failure.location(),
            schedule: timeline.steps.iter().map(scheduled).collect(),
            process: &failure.process,
            executions,
            preemptions: timeline.preemptions(),
            waiting: timeline.waiting.iter().map(waiting).collect(),
            fault: fault_name(failure.kind),
            racing: timeline.races.iter().flat_map(|race| race.sides.iter().map(racing)).collect(),
            packet: timeline.journey.as_ref().map(|journey| journey.packet.as_str()),
            path: timeline.journey.as_ref().map(path),
            packets: timeline
                .overtakings
                .as_ref()
                .map(|_| timeline.turns.iter().filter(|turn| is_sending(turn)).count()),
            reordered: timeline.overtakings.as_ref().map(Vec::len),
            overtakings: timeline.overtakings.as_deref(),
            output: &timeline.output,
        }
    }
}

fn scheduled(step: &Step) -> Scheduled<'_> {
    let names = |wanted: fn(&Effect) -> bool| {
        step.effects.iter().filter(move |effect| wanted(effect)).map(Effect::name).collect::<Vec<_>>()
    };
    Scheduled {
        process: &step.process,
        location: step.location(),
        statement: &step.place.text,
        choices: &step.choices,
        reads: step.effects.iter().filter_map(read).collect(),
        writes: step.effects.iter().filter_map(write).collect(),
        locks: names(|effect| matches!(effect, Effect::Locks { .. })),
        unlocks: names(|effect| matches!(effect, Effect::Unlocks { .. })),
        spawns: &step.spawned,
        joins: &step.joined,
        local: step.is_local(),
    }
}

fn read(effect: &Effect) -> Option<Read<'_>> {
    match effect {
        Effect::Reads { name, value } | Effect::Writes { name, before: value, reads: true, .. } => {
            Some(Read { variable: name, value: json_value(value) })
        }
        _ => None,
    }
}

fn write(effect: &Effect) -> Option<Write<'_>> {
    match effect {
        Effect::Writes { name, before, after, .. } => {
            Some(Write { variable: name, before: json_value(before), value: json_value(after) })
        }
        _ => None,
    }
}

/// A value as a number or a truth value where it is one.
fn json_value(text: &str) -> serde_json::Value {
    match (text, text.parse::<i64>()) {
        (_, Ok(number)) => number.into(),
        ("true", _) => true.into(),
        ("false", _) => false.into(),
        _ => text.into(),
    }
}

fn racing((process, place): &(String, Place)) -> Racing<'_> {
    let location = format!("{}:{}:{}", place.file, place.line, place.column);
    Racing { process, location, statement: &place.text }
}

fn waiting(waiter: &Waiter) -> Waiting<'_> {
    Waiting {
        process: &waiter.process,
        location: waiter.location(),
        statement: &waiter.place.text,
        waits_for: waiter.waits_for.iter().map(|(name, _)| name.as_str()).collect(),
        held_by: waiter.holder.as_deref(),
        spins: waiter.spins,
    }
}
