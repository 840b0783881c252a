//! Constraints, for people and for programs.

use std::time::Duration;

use mazurka::Loaded;
use mazurka::constraints::{Found, Proven, Step, Verified, sentence, words};
use serde::Serialize;

use crate::args::Format;

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
    left: &'a Step,
    right: &'a Step,
    constraints: Option<&'a [String]>,
    necessary: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Proof<'a> {
    declaration: &'a str,
    left: &'a Step,
    right: &'a Step,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    state: &'a [(String, String)],
    results: &'a [(String, String, String)],
}

/// What was found about each two steps.
pub(super) fn found(loaded: &Loaded, found: &[Found], format: Format, time: Duration) -> String {
    if super::is_json(format) {
        let pair = |Found { steps: [left, right], constraints, necessary, reason }: &Found| {
            let (constraints, necessary, reason) = (constraints.as_deref(), *necessary, *reason);
            // A value, since what it borrows is not the same for all.
            serde_json::to_value(Pair { left, right, constraints, necessary, reason }).unwrap_or_default()
        };
        let pairs = Some(found.iter().map(pair).collect());
        return report(loaded, time, pairs, None);
    }
    let mut text = String::new();
    for pair in found {
        let [left, right] = [&pair.steps[0], &pair.steps[1]].map(words);
        text += &format!("{left}\n{right}\n");
        text += &match pair.constraints.as_deref() {
            None => "    nothing is known\n".to_owned(),
            Some([]) if pair.necessary => "    never commute\n".to_owned(),
            Some([]) => "    nothing was found\n".to_owned(),
            Some(texts) => {
                let only = if pair.necessary && texts != ["true"] { "\n    and in no other state" } else { "" };
                let lines: Vec<String> = texts.iter().map(|text| format!("    commute when {text}")).collect();
                format!("{}{only}\n", lines.join("\n"))
            }
        };
        if let Some(reason) = pair.reason {
            text += &format!("    not looked into: {reason}\n");
        }
        text.push('\n');
    }
    if found.is_empty() {
        text += "no two steps have anything in common that one of them changes\n";
    }
    text
}

/// What came of the proofs of these declarations.
pub(super) fn verified(
    loaded: &Loaded,
    declarations: &[String],
    found: &[Proven],
    format: Format,
    time: Duration,
) -> String {
    if super::is_json(format) {
        let proof = |proven: &Proven| {
            let (result, reason) = match &proven.verified {
                Verified::Proven => ("proven", None),
                Verified::Refuted { .. } => ("wrong", None),
                Verified::Unknown(reason) => ("unknown", Some(reason.as_str())),
            };
            let (state, results) = match &proven.verified {
                Verified::Refuted { state, results } => (&state[..], &results[..]),
                Verified::Proven | Verified::Unknown(_) => (&[][..], &[][..]),
            };
            let Proven { declaration, steps: [left, right], .. } = proven;
            let proof = Proof { declaration, left, right, result, reason, state, results };
            serde_json::to_value(proof).unwrap_or_default()
        };
        return report(loaded, time, None, Some(found.iter().map(proof).collect()));
    }
    if declarations.is_empty() {
        return "nothing is declared\n".to_owned();
    }
    declarations.iter().enumerate().map(|(number, text)| of_declaration(text, number, found)).collect()
}

/// What came of the proofs of one declaration: where it is right for all steps, in a line.
fn of_declaration(text: &str, number: usize, found: &[Proven]) -> String {
    let own: Vec<&Proven> = found.iter().filter(|proven| proven.number == number).collect();
    let proven = own.iter().filter(|proven| proven.verified == Verified::Proven).count();
    let mut lines = match (proven, own.len()) {
        (_, 0) => format!("of no use: {text}\n  there are no two such steps that could be side by side\n"),
        (0, _) => String::new(),
        (_, all) if proven == all => format!("proven: {text}\n"),
        (_, all) => format!("proven for {proven} of {all} pairs of steps: {text}\n"),
    };
    for proven in own.iter().filter(|proven| proven.verified != Verified::Proven) {
        lines += &(sentence(proven) + "\n");
    }
    lines
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
