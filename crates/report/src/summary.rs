//! The verdict in one line, and the totals.

use std::time::Duration;

use mazurka_machine::Place;
use mazurka_trace::{Busiest, FaultKind, Hunted, HuntedBy, Limit, Outcome, Verdict};

use crate::text::{Line, Style, Text, wrap};
use crate::view::{Failure, Timeline};
use crate::words::{counted, duration, grouped};

/// The limits that were set, so that a sentence can name the one that was reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// How long.
    pub timeout: Option<Duration>,
    /// How many executions.
    pub executions: Option<u64>,
    /// How many events an execution may have.
    pub depth: usize,
    /// How many context switches an execution may have.
    pub switches: Option<usize>,
    /// In how many of a hundred executions data races are looked for.
    pub data_race_share: u32,
    /// How many instructions a step may run.
    pub instructions: u64,
    /// How often a loop may go round.
    pub unroll: Option<u64>,
    /// Whether there is such a limit for this kind of program.
    pub can_unroll: bool,
}

/// What a report on a check says besides the timelines.
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    /// What was found.
    pub outcome: &'a Outcome,
    /// The limits that were set.
    pub bounds: &'a Bounds,
    /// The algorithm's name.
    pub algorithm: &'a str,
    /// What the algorithm explores, to follow "explored".
    pub explored: &'a str,
    /// Whether the check was to go on after the first violation.
    pub all: bool,
    /// The memory model, where the program's language has others: a proof says so.
    pub model: Option<&'a str>,
}

/// The verdict in one line.
pub fn verdict_line(summary: &Summary<'_>, first: Option<&Failure>) -> Line {
    let outcome = summary.outcome;
    match (outcome.verdict(), first) {
        (Verdict::Violation, Some(failure)) => {
            let more = match outcome.violations.len() {
                1 => String::new(),
                count => format!(" (and {} more)", grouped(count as u64 - 1)),
            };
            Line::new().with(Style::Bad, "violation: ").with(Style::Strong, sentence(failure) + &more)
        }
        (Verdict::Violation, None) => Line::new().with(Style::Bad, "violation"),
        (Verdict::Verified, _) => verified_line(outcome, summary.model),
        (Verdict::Incomplete, _) => {
            let words = format!(
                "{} explored, but not all, because {}; no violation so far",
                counted(outcome.executions, "execution"),
                reasons(summary)
            );
            Line::new().with(Style::Open, "incomplete: ").with(Style::Strong, words)
        }
    }
}

/// A failure with its place and process; what several processes have a part in names them itself.
fn sentence(failure: &Failure) -> String {
    if failure.kind.is_standstill() {
        return format!("{} at {}", failure.message, failure.location());
    }
    if failure.kind == FaultKind::DataRace {
        return failure.message.clone();
    }
    format!("{} at {} in {}", failure.message, failure.location(), failure.process)
}

fn verified_line(outcome: &Outcome, model: Option<&str>) -> Line {
    let model = model.map_or_else(String::new, |model| format!(" under {model}"));
    let line = Line::new().with(Style::Good, "verified: ");
    if outcome.executions == 0 && outcome.assume_blocked > 0 {
        let words = format!(
            "no schedule fails{model}, but none reaches its end either: assumptions discard all {}",
            counted(outcome.assume_blocked, "execution")
        );
        return line.with(Style::Strong, words);
    }
    let longest = counted(outcome.max_events, "event");
    let words =
        format!("no schedule fails{model} ({}, the longest of {longest})", counted(outcome.executions, "execution"));
    line.with(Style::Strong, words)
}

/// Why an exploration is incomplete.
fn reasons(summary: &Summary<'_>) -> String {
    let reasons: Vec<String> = summary.outcome.limits.iter().map(|&limit| reason(limit, summary)).collect();
    reasons.join(" and ")
}

fn reason(limit: Limit, summary: &Summary<'_>) -> String {
    let bounds = summary.bounds;
    match limit {
        Limit::Timeout => match bounds.timeout {
            Some(timeout) => format!("the time limit of {} was reached", duration(timeout)),
            None => "the time limit was reached".to_owned(),
        },
        Limit::Executions => match bounds.executions {
            Some(executions) => format!("the limit of {} was reached", counted(executions, "execution")),
            None => "the limit of executions was reached".to_owned(),
        },
        Limit::Depth => {
            format!("some execution is longer than the limit of {}", counted(bounds.depth as u64, "event"))
        }
        Limit::Switches => {
            let most = grouped(bounds.switches.unwrap_or(0) as u64);
            format!("some execution, as it was explored, has more context switches than the limit of {most}")
        }
        Limit::DataRaces => {
            format!("data races were looked for in {} % of the executions only", bounds.data_race_share)
        }
        Limit::Choices => "not every choice of the next object or task was explored".to_owned(),
        Limit::Fuel if bounds.unroll.is_some() => {
            let rounds = counted(bounds.unroll.unwrap_or(0), "round");
            format!("some loop has more than the limit of {rounds} (or some step more than that of instructions)")
        }
        Limit::Fuel => {
            // Only threads, whose memory has a model, are cut while they give way to each other, or
            // wait for a time that is later each time.
            let threads = summary.model.map_or(
                "",
                |_| ", or threads give way to each other, or wait up to a later and later time, again and again",
            );
            format!("some step runs more than the limit of {}{threads}", counted(bounds.instructions, "instruction"))
        }
        Limit::Sampled => "they were chosen at random".to_owned(),
        Limit::Interrupted => "it was interrupted".to_owned(),
    }
}

/// Who made an execution longer than allowed, where, and what can be done about it.
pub fn busiest_text(busiest: &Busiest, name: &str, place: &Place, bounds: &Bounds) -> String {
    let (events, of) = (grouped(busiest.events), grouped(busiest.of));
    let unroll = if bounds.can_unroll { ", `--unroll N` cuts loops after N rounds" } else { "" };
    format!(
        "{name} took {events} of the {of} events of an execution that was cut, most of them at {}; `--max-depth N` \
         allows for longer executions{unroll}",
        place_words(place)
    )
}

/// Whose step ran more instructions than allowed, where, and what can be done about it.
pub fn endless_text(name: &str, place: &Place, bounds: &Bounds) -> String {
    let at = place_words(place);
    match bounds.unroll {
        Some(rounds) => {
            format!("{name} was cut in a loop at {at}; `--unroll N` with N above {rounds} allows for more rounds",)
        }
        None => {
            let unroll = if bounds.can_unroll { ", `--unroll N` cuts loops after N rounds" } else { "" };
            format!("{name} was cut in a loop at {at}; `--max-instructions N` allows for longer steps{unroll}")
        }
    }
}

fn place_words(place: &Place) -> String {
    format!("{}:{}:{} (`{}`)", place.file, place.line, place.column, place.text)
}

/// What stands above the timeline of one violation of several.
pub fn violation_heading(number: usize, executions: u64, outcome: &Outcome, timeline: &Timeline) -> Line {
    let line = Line::new().with(Style::Bad, format!("violation {number} of {}", outcome.violations.len()));
    let words = timeline.failure.as_ref().map_or_else(String::new, sentence);
    let share = format!("  ({} of {})", grouped(executions), counted(outcome.executions, "execution"));
    line.with(Style::Strong, format!(": {words}")).with(Style::Plain, share)
}

/// What was explored, how much of it, and how fast.
pub fn totals_text(summary: &Summary<'_>, width: usize) -> Text {
    let outcome = summary.outcome;
    let mut text = Text::default();
    let end = match outcome.verdict() {
        Verdict::Violation if !outcome.limits.is_empty() => {
            format!(", not to the end because {}", reasons(summary))
        }
        Verdict::Violation if !summary.all => ", up to the first violation".to_owned(),
        _ => String::new(),
    };
    if let Some(hunted) = &outcome.hunted {
        for piece in wrap(&hunted_words(hunted), width) {
            text.push(Line::new().with(Style::Dim, piece));
        }
    }
    let how = format!("explored {} ({}; sequential consistency){end}", summary.explored, summary.algorithm);
    for piece in wrap(&how, width) {
        text.push(Line::new().with(Style::Dim, piece));
    }
    let mut counts = vec![counted(outcome.executions, "execution"), format!("{} blocked", grouped(outcome.blocked))];
    counts.push(format!("{} discarded", grouped(outcome.assume_blocked)));
    counts.push(format!("{} (longest {})", counted(outcome.events, "event"), grouped(outcome.max_events)));
    counts.push(duration(outcome.time));
    counts.extend(rate(outcome));
    for piece in wrap(&counts.join(" · "), width) {
        text.push(Line::new().with(Style::Plain, piece));
    }
    text
}

/// How a violation was found beside the proof.
fn hunted_words(hunted: &Hunted) -> String {
    let by = match hunted.by {
        HuntedBy::Preemptions(0) => "schedules without preemptions".to_owned(),
        HuntedBy::Preemptions(most) => format!("schedules with at most {}", counted(most as u64, "preemption")),
        HuntedBy::Priorities(None) => "a random priority for each step".to_owned(),
        HuntedBy::Priorities(Some(count)) => {
            format!("random priorities with {}", counted(count as u64, "change"))
        }
    };
    let executions = counted(hunted.executions, "execution");
    format!("found beside the proof, by a hunt of {executions} ({by}, seed {}); --no-hunt turns it off", hunted.seed)
}

/// Executions per second, where there were enough to tell.
fn rate(outcome: &Outcome) -> Option<String> {
    let seconds = outcome.time.as_secs_f64();
    let explored = outcome.executions + outcome.blocked + outcome.assume_blocked;
    (seconds > 0.0 && explored >= 100).then(|| format!("{}/s", grouped((explored as f64 / seconds) as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    const BOUNDS: Bounds = Bounds {
        timeout: Some(Duration::from_secs(5)),
        executions: Some(1),
        depth: 9,
        switches: None,
        data_race_share: 100,
        instructions: 7,
        unroll: None,
        can_unroll: false,
    };

    fn summary(outcome: &Outcome) -> Summary<'_> {
        Summary { outcome, bounds: &BOUNDS, algorithm: "optimal", explored: "one of each", all: false, model: None }
    }

    #[test]
    fn the_verdict_comes_in_one_line() {
        let mut outcome = Outcome { executions: 12, max_events: 9, ..Outcome::default() };
        let line = |outcome: &Outcome| verdict_line(&summary(outcome), None).paint(false);
        assert_eq!(line(&outcome), "verified: no schedule fails (12 executions, the longest of 9 events)");
        let c = Summary { model: Some("sequential consistency"), ..summary(&outcome) };
        let words = "verified: no schedule fails under sequential consistency (12 executions, the longest of 9 events)";
        assert_eq!(verdict_line(&c, None).paint(false), words);
        outcome.reached(Limit::Timeout);
        outcome.reached(Limit::Depth);
        assert_eq!(
            line(&outcome),
            "incomplete: 12 executions explored, but not all, because the time limit of 5 s was reached and some \
             execution is longer than the limit of 9 events; no violation so far"
        );
    }

    #[test]
    fn a_violation_names_place_and_process() {
        let mut outcome = Outcome { executions: 3, ..Outcome::default() };
        let failure = samples::lost_update().failure.expect("it fails");
        outcome.violations = vec![
            mazurka_trace::Violation {
                fault: mazurka_trace::Fault {
                    kind: failure.kind,
                    process: mazurka_trace::ProcessId::new(0),
                    site: mazurka_trace::SiteId::new(0),
                    detail: [0, 0],
                },
                waiting: Vec::new(),
                schedule: Vec::new(),
                executions: 2,
            };
            2
        ];
        let line = verdict_line(&summary(&outcome), Some(&failure)).paint(false);
        assert_eq!(line, "violation: assertion failed: x == 2 at sample.mzk:14:3 in finally (and 1 more)");
        let heading = violation_heading(1, 2, &outcome, &samples::lost_update()).paint(false);
        assert_eq!(
            heading,
            "violation 1 of 2: assertion failed: x == 2 at sample.mzk:14:3 in finally  (2 of 3 executions)"
        );
    }
}
