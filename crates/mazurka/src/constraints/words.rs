//! What is known of constraints, in words.

use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_smt::synthesis::asking::Shortfall;
use mazurka_smt::synthesis::proof::Verified;

use super::{Proven, Step};

/// What was not looked into, and why.
pub fn shortcomings(found: &Shortfall, stop: &AtomicBool) -> Vec<String> {
    let pairs =
        |count: usize| if count == 1 { "1 pair of steps".to_owned() } else { format!("{count} pairs of steps") };
    let mut texts = Vec::new();
    if found.unasked > 0 {
        let why = if stop.load(Ordering::Relaxed) { "interrupted" } else { "the time for constraints is over" };
        let missing = pairs(found.unasked);
        texts.push(format!("{why}, without a look at {missing} (--constraints-timeout gives more)"));
    }
    if let Some(trouble) = &found.trouble {
        texts.push(format!("nothing is known about {}: {trouble}", pairs(found.failures)));
    }
    texts
}

/// So many declarations that could not be proven are told of one by one.
const MOST_TOLD: usize = 4;

/// The declarations that could not be proven, a few lines each.
pub(super) fn unproven(path: &str, found: &[Proven], trust: bool) -> Vec<String> {
    let mut notes = Vec::new();
    // Those of one declaration stand together.
    for own in found.chunk_by(|one, other| one.number == other.number) {
        let mut unknown = own.iter().filter(|proven| matches!(proven.verified, Verified::Unknown(_)));
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
            sentence(first)
        ));
    }
    notes
}

/// What came of one proof, in words.
pub fn sentence(proven: &Proven) -> String {
    let Proven { declaration, steps: [left, right], verified, .. } = proven;
    let (left, right) = (words(left), words(right));
    match verified {
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
    let is = if name.starts_with("the ") || name == "created" || name == "called" { " " } else { " = " };
    format!("{name}{is}{value}")
}

/// A step, for people.
pub fn words(Step { location, text }: &Step) -> String {
    format!("{location}: {text}")
}
