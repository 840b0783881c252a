//! Constraints, for people and for programs.

use std::sync::Arc;
use std::time::Duration;

use mazurka_machine::Describe;
use mazurka_process::hir::Program;
use mazurka_process::{Declared, Image, ProcessMachine, Synthesised};
use mazurka_smt::synthesis::proof::Verified;
use mazurka_trace::SiteId;
use serde::Serialize;

use crate::args::Format;
use crate::load::Loaded;

#[derive(Serialize)]
struct Report<'a, T> {
    tool: &'static str,
    version: &'static str,
    program: &'a str,
    solver_time_s: f64,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<Vec<T>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    left: Step,
    right: Step,
    constraints: Option<&'a [String]>,
    necessary: bool,
}

#[derive(Serialize)]
struct Step {
    location: String,
    text: String,
}

#[derive(Serialize)]
struct Proof<'a> {
    declaration: String,
    left: Step,
    right: Step,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    state: &'a [(String, String)],
    results: &'a [(String, String, String)],
}

/// What was found about each two steps.
pub(super) fn found(loaded: &Loaded, image: &Image, found: &[&Synthesised], format: Format, time: Duration) -> String {
    let machine = ProcessMachine::new(Arc::new(image.clone()));
    if super::is_json(format) {
        let pair = |pair: &&Synthesised| {
            let [left, right] = pair.sites.map(|site| step(&machine, site));
            let (constraints, necessary) = (pair.texts.as_deref(), pair.necessary);
            // A value, since what it borrows is not the same for all.
            serde_json::to_value(Pair { left, right, constraints, necessary }).unwrap_or_default()
        };
        let pairs = Some(found.iter().map(pair).collect());
        return report(loaded, time, pairs, None);
    }
    let mut text = String::new();
    for pair in found {
        let [left, right] = pair.sites.map(|site| words(&machine, site));
        text += &format!("{left}\n{right}\n");
        text += &match pair.texts.as_deref() {
            None => "    nothing is known\n".to_owned(),
            Some([]) if pair.necessary => "    never commute\n".to_owned(),
            Some([]) => "    nothing was found\n".to_owned(),
            Some(texts) => {
                let only = if pair.necessary && texts != ["true"] { "\n    and in no other state" } else { "" };
                let lines: Vec<String> = texts.iter().map(|text| format!("    commute when {text}")).collect();
                format!("{}{only}\n", lines.join("\n"))
            }
        };
        text.push('\n');
    }
    if found.is_empty() {
        text += "no two steps have anything in common that one of them changes\n";
    }
    text
}

/// What came of the proofs.
pub(super) fn verified(
    loaded: &Loaded,
    program: &Program,
    image: &Image,
    found: &[Declared],
    format: Format,
    time: Duration,
) -> String {
    let machine = ProcessMachine::new(Arc::new(image.clone()));
    if super::is_json(format) {
        let proof = |declared: &Declared| {
            let [left, right] = declared.sites.map(|site| step(&machine, site));
            let (result, reason) = match &declared.verified {
                Verified::Proven => ("proven", None),
                Verified::Refuted { .. } => ("wrong", None),
                Verified::Unknown(reason) => ("unknown", Some(reason.as_str())),
            };
            let (state, results) = match &declared.verified {
                Verified::Refuted { state, results } => (&state[..], &results[..]),
                Verified::Proven | Verified::Unknown(_) => (&[][..], &[][..]),
            };
            let declaration = declaration(program, image, declared);
            let proof = Proof { declaration, left, right, result, reason, state, results };
            serde_json::to_value(proof).unwrap_or_default()
        };
        return report(loaded, time, None, Some(found.iter().map(proof).collect()));
    }
    if program.independences.is_empty() {
        return "nothing is declared\n".to_owned();
    }
    let numbers = 0..program.independences.len();
    numbers.map(|number| of_declaration(program, &machine, image, number, found)).collect()
}

/// What came of the proofs of one declaration: where it is right for all steps, in a line.
fn of_declaration(
    program: &Program,
    machine: &ProcessMachine,
    image: &Image,
    number: usize,
    found: &[Declared],
) -> String {
    let text = image.excerpt(program.independences[number].span);
    let own: Vec<&Declared> = found.iter().filter(|declared| declared.number == number).collect();
    let proven = own.iter().filter(|declared| declared.verified == Verified::Proven).count();
    let mut lines = match (proven, own.len()) {
        (_, 0) => format!("of no use: {text}\n  there are no two such steps that could be side by side\n"),
        (0, _) => String::new(),
        (_, all) if proven == all => format!("proven: {text}\n"),
        (_, all) => format!("proven for {proven} of {all} pairs of steps: {text}\n"),
    };
    for declared in own.iter().filter(|declared| declared.verified != Verified::Proven) {
        lines += &(told(program, machine, image, declared) + "\n");
    }
    lines
}

/// So many declarations that could not be proven are told of one by one.
const MOST_TOLD: usize = 4;

/// The declarations that could not be proven, a few lines each.
pub(super) fn unproven(path: &str, program: &Program, image: &Image, found: &[Declared], trust: bool) -> Vec<String> {
    let machine = ProcessMachine::new(Arc::new(image.clone()));
    let mut notes = Vec::new();
    // Those of one declaration stand together.
    for own in found.chunk_by(|one, other| one.number == other.number) {
        let mut unknown = own.iter().filter(|declared| matches!(declared.verified, Verified::Unknown(_)));
        let Some(first) = unknown.next() else { continue };
        if notes.len() == MOST_TOLD {
            let verify = format!("`mazurka constraints {path} --verify` tells which");
            notes.push(format!("other declarations could not be proven, either: {verify}"));
            break;
        }
        let (open, all) = (1 + unknown.count(), own.len());
        let consequence = if trust { "believed all the same" } else { "not used there (--trust uses it)" };
        notes.push(format!(
            "{}\n  that is so for {open} of {all} pairs of steps: {consequence}; `mazurka constraints {path} --verify` tells all",
            told(program, &machine, image, first)
        ));
    }
    notes
}

fn report(
    loaded: &Loaded,
    time: Duration,
    pairs: Option<Vec<serde_json::Value>>,
    declared: Option<Vec<serde_json::Value>>,
) -> String {
    let report = Report {
        tool: "mazurka",
        version: env!("CARGO_PKG_VERSION"),
        program: &loaded.path,
        solver_time_s: time.as_secs_f64(),
        notes: &loaded.notes,
        pairs,
        declared,
    };
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

/// What came of one proof, in words.
pub(super) fn sentence(program: &Program, image: &Image, declared: &Declared) -> String {
    told(program, &ProcessMachine::new(Arc::new(image.clone())), image, declared)
}

fn told(program: &Program, machine: &ProcessMachine, image: &Image, declared: &Declared) -> String {
    let declaration = declaration(program, image, declared);
    let [left, right] = declared.sites.map(|site| words(machine, site));
    match &declared.verified {
        Verified::Proven => format!("proven: {declaration}"),
        Verified::Unknown(reason) => format!("not proven: {declaration}\n  for {left}\n  and {right}: {reason}"),
        Verified::Refuted { state, results } => {
            let state = list(state.iter().map(|(name, value)| format!("{name} = {value}")).collect());
            let one = list(results.iter().map(|(name, value, _)| result(name, value)).collect());
            let other = list(results.iter().map(|(name, _, value)| result(name, value)).collect());
            format!(
                "wrong: {declaration}\n  first  {left}\n  second {right}\n  from {state}\n  first, then second: {one}\n  second, then first: {other}"
            )
        }
    }
}

fn list(items: Vec<String>) -> String {
    if items.is_empty() { "any state".to_owned() } else { items.join(", ") }
}

/// `x = 1`, `the first step fails`, `created w(1)`
fn result(name: &str, value: &str) -> String {
    let is = if name.starts_with("the ") || name == "created" { " " } else { " = " };
    format!("{name}{is}{value}")
}

/// The declaration, as it stands in the program.
fn declaration(program: &Program, image: &Image, declared: &Declared) -> String {
    image.excerpt(program.independences[declared.number].span)
}

fn step(machine: &ProcessMachine, site: SiteId) -> Step {
    let place = machine.place(site);
    Step { location: format!("{}:{}:{}", place.file, place.line, place.column), text: place.text }
}

fn words(machine: &ProcessMachine, site: SiteId) -> String {
    let Step { location, text } = step(machine, site);
    format!("{location}: {text}")
}
