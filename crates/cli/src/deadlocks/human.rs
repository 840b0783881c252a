//! The report of `deadlocks`, for people.

use mazurka::Loaded;
use mazurka_actor::deadlock::Searched;
use mazurka_report::{Layout, Line, Style, Text, counted, diagram_text, duration, timeline_text};

use super::{Answer, Cycle, CycleStatus, Deadlocks, Explored, Verdict, Witness, other_path, trace_path, was_cut};
use crate::terminal::Terminal;

/// So many cycles are shown.
const MOST_SHOWN: usize = 20;

pub(super) fn text(arguments: &Deadlocks, loaded: &Loaded, answer: &Answer, terminal: &Terminal) -> Text {
    let mut text = Text::default();
    text.push(verdict_line(answer));
    for (number, cycle, status) in answer.cycles().take(MOST_SHOWN) {
        text.gap();
        text.push(heading(answer, number, cycle, status));
        match answer.witness(number) {
            Some(witness) => text.append(circle(witness)),
            None => text.append(abstract_cycle(cycle)),
        }
        if let Some(searched) = answer.searched(number) {
            text.push(dim(format!("  {}", search(searched))));
        }
    }
    if answer.analysis.cycles.len() > MOST_SHOWN {
        text.gap();
        text.push(dim("…; --format json has all of them".to_owned()));
    }
    if answer.analysis.more {
        text.gap();
        let words = "there are too many cycles: one for each group of those who wait for each other is shown";
        text.push(plain(words.to_owned()));
    }
    if let Some(explored) = &answer.explored {
        text.append(executions(arguments, explored, terminal));
        text.append(others(arguments, explored, terminal));
        text.append(unforeseen(answer, explored));
        text.append(stuck(explored));
        text.append(failures(explored));
    }
    text.gap();
    text.push(dim(totals(answer)));
    text.append(undecided(answer));
    text.push(dim(format!("not covered: {}", answer.analysis.uncovered.join("; "))));
    text.append(hints(arguments, loaded, answer));
    text
}

/// The paper's search for one cycle.
fn search(Searched { states, pruned, deadlocks, matches }: &Searched) -> String {
    let [states, pruned, deadlocks] = [(states, "state"), (pruned, "pruned state"), (deadlocks, "deadlock")]
        .map(|(&count, word)| counted(count, word));
    format!("its own search: {states}, {pruned}, {deadlocks}, {matches} of which meet its constraints")
}

fn plain(words: String) -> Line {
    Line::new().with(Style::Plain, words)
}

fn dim(words: String) -> Line {
    Line::new().with(Style::Dim, words)
}

/// The answer in one line.
fn verdict_line(answer: &Answer) -> Line {
    let all = answer.statuses.len();
    let [confirmed, refuted, unknown] =
        [CycleStatus::Confirmed, CycleStatus::Refuted, CycleStatus::Unknown].map(|status| answer.count(status));
    match (answer.verdict, &answer.explored) {
        (Verdict::Free, None) => {
            let why = if all == 0 {
                "no cycle".to_owned()
            } else {
                format!("{}, none of which can happen at the same time", counted(all as u64, "cycle"))
            };
            Line::new().with(Style::Good, "deadlock-free: ").with(Style::Strong, format!("proved by analysis ({why})"))
        }
        (Verdict::Free, Some(explored)) => {
            let which = match all {
                0 => "no schedule comes to a standstill".to_owned(),
                1 => "1 cycle, refuted".to_owned(),
                _ => format!("{all} cycles, all refuted"),
            };
            let states = counted(explored.states, explored.unit);
            Line::new().with(Style::Good, "deadlock-free: ").with(Style::Strong, format!("{which} ({states})"))
        }
        (Verdict::Deadlock, _) => {
            let mut words = match all {
                0 => "found by exploring the schedules".to_owned(),
                _ => format!("{confirmed} of {} confirmed", counted(all as u64, "cycle")),
            };
            for (count, word) in [(refuted, "refuted"), (unknown, "not decided")] {
                if count > 0 {
                    words += &format!(", {count} {word}");
                }
            }
            Line::new().with(Style::Bad, "deadlock: ").with(Style::Strong, words)
        }
        (Verdict::Unknown, explored) => {
            let cycles = match unknown {
                0 => "waits that are no cycle".to_owned(),
                _ => counted(unknown as u64, "cycle"),
            };
            let words = match explored {
                None => format!("{cycles} left by the analysis"),
                Some(explored) => {
                    let states = counted(explored.states, explored.unit);
                    let time = if was_cut(&explored.outcome) {
                        format!(" after {}", duration(explored.outcome.time))
                    } else {
                        String::new()
                    };
                    let limits = explored.limits.join(", ");
                    format!("{cycles} neither confirmed nor refuted{time} ({states}; reached: {limits})")
                }
            };
            Line::new().with(Style::Open, "unknown: ").with(Style::Strong, words)
        }
    }
}

fn heading(answer: &Answer, number: usize, cycle: &Cycle, status: CycleStatus) -> Line {
    let kind = if cycle.kind == "deadlock" { String::new() } else { format!(" ({})", cycle.kind) };
    let line = Line::new().with(Style::Strong, format!("cycle {}{kind}  ", number + 1));
    let why = answer.reason(number, status).unwrap_or_default();
    match (status, answer.witness(number)) {
        (CycleStatus::Confirmed, Some(Witness { states: Some(states), .. })) => {
            line.with(Style::Bad, format!("CONFIRMED after {}", counted(*states, "state")))
        }
        (CycleStatus::Confirmed, _) => line.with(Style::Bad, "CONFIRMED"),
        (CycleStatus::Refuted, _) => line.with(Style::Good, "REFUTED: no schedule leads to it"),
        (CycleStatus::Unknown, _) => line.with(Style::Open, format!("not decided: {why}")),
        (CycleStatus::Discharged, _) => line.with(Style::Good, format!("cannot happen: {why}")),
    }
}

/// The lines of a cycle, with what the last one waits for.
fn abstract_cycle(cycle: &Cycle) -> Text {
    let mut text = Text::default();
    for step in &cycle.steps {
        text.push(plain(format!("  {}", step.text)));
    }
    if let Some(last) = cycle.steps.last() {
        text.push(plain(format!("  {}", last.to)));
    }
    text
}

fn circle(witness: &Witness) -> Text {
    let mut text = Text::default();
    for line in &witness.lines {
        text.push(plain(format!("  {line}")));
    }
    if let Some(first) = witness.lines.first() {
        let name = first.split([',', ' ']).next().unwrap_or_default();
        text.push(plain(format!("  {name}")));
    }
    text
}

/// The execution of each cycle that was confirmed, once where several show in the same.
fn executions(arguments: &Deadlocks, explored: &Explored, terminal: &Terminal) -> Text {
    let mut text = Text::default();
    let mut seen: Vec<&Witness> = Vec::new();
    for (number, (timeline, witness)) in explored.shown.iter().zip(&explored.confirmed).enumerate() {
        let (Some(timeline), Some(witness)) = (timeline, witness) else { continue };
        if seen.iter().any(|known| known.schedule == witness.schedule) {
            continue;
        }
        seen.push(witness);
        text.gap();
        text.push(Line::new().with(Style::Strong, format!("an execution with cycle {}", number + 1)));
        let layout = Layout { width: terminal.width, full: arguments.output.full };
        text.append(diagram_text(timeline, terminal.width).unwrap_or_else(|| timeline_text(timeline, &layout)));
    }
    text
}

/// Deadlocks that no cycle of the analysis describes; the first with its execution.
fn others(arguments: &Deadlocks, explored: &Explored, terminal: &Terminal) -> Text {
    let mut text = Text::default();
    for (number, (witness, timeline)) in explored.others.iter().take(MOST_SHOWN).enumerate() {
        text.gap();
        text.push(Line::new().with(Style::Bad, format!("standstill {}", number + 1)));
        for line in &witness.lines {
            text.push(plain(format!("  {line}")));
        }
        if let Some(timeline) = timeline.as_ref().filter(|_| number == 0) {
            let layout = Layout { width: terminal.width, full: arguments.output.full };
            text.gap();
            text.append(timeline_text(timeline, &layout));
        }
    }
    text
}

/// Why the analysis alone proves nothing.
fn undecided(answer: &Answer) -> Text {
    let mut text = Text::default();
    for reason in answer.analysis.undecided.iter().take(MOST_SHOWN) {
        text.push(dim(format!("left to the exploration: {reason}")));
    }
    text
}

fn unforeseen(answer: &Answer, explored: &Explored) -> Text {
    let mut text = Text::default();
    for witness in &explored.unforeseen {
        text.gap();
        let words = if answer.analysis.more {
            "a deadlock beside the cycles that are shown"
        } else {
            "a deadlock that the analysis excludes: a bug in Mazurka, please report it"
        };
        text.push(Line::new().with(Style::Bad, words));
        text.append(circle(witness));
    }
    text
}

fn stuck(explored: &Explored) -> Text {
    let mut text = Text::default();
    if !explored.stuck.is_empty() {
        text.gap();
        let tasks = explored.stuck.join(", ");
        text.push(plain(format!("besides, these tasks can wait for ever without being in a circle: {tasks}")));
    }
    text
}

/// Failures that are no deadlocks.
fn failures(explored: &Explored) -> Text {
    let mut text = Text::default();
    if !explored.failures.is_empty() {
        text.gap();
        text.push(plain("besides, the program fails, and what would come after that is not covered:".to_owned()));
        for failure in explored.failures.iter().take(MOST_SHOWN) {
            text.push(plain(format!("  {failure}")));
        }
        text.push(dim("`mazurka check` shows how".to_owned()));
    }
    text
}

fn totals(answer: &Answer) -> String {
    let analysis = duration(answer.analysis_time);
    match &answer.explored {
        None => format!("analysis {analysis}"),
        Some(explored) => {
            let [states, pruned, deadlocks] =
                [(explored.states, explored.unit), (explored.pruned, "pruned state"), (explored.deadlocks, "deadlock")]
                    .map(|(count, word)| counted(count, word));
            format!(
                "{states}, {pruned}, {deadlocks}; exploration {}, analysis {analysis}",
                duration(explored.outcome.time)
            )
        }
    }
}

/// What the user can do next.
fn hints(arguments: &Deadlocks, loaded: &Loaded, answer: &Answer) -> Text {
    let mut text = Text::default();
    let first = answer.cycles().find(|(_, _, status)| *status == CycleStatus::Confirmed).map(|(number, _, _)| number);
    let others = answer.explored.as_ref().is_some_and(|explored| !explored.others.is_empty());
    match (&arguments.save_trace, first) {
        (Some(folder), None) if others => {
            let file = other_path(folder, 0);
            text.push(dim(format!("saved; to run it again: mazurka replay {} {}", loaded.path, file.display())));
        }
        (None, None) if others => {
            text.push(dim("--save-trace DIR keeps the schedules for `mazurka replay`".to_owned()));
        }
        (Some(folder), Some(first)) => {
            let file = trace_path(folder, first);
            text.push(dim(format!("saved; to run it again: mazurka replay {} {}", loaded.path, file.display())));
        }
        (None, Some(_)) => text.push(dim("--save-trace DIR keeps the schedules for `mazurka replay`".to_owned())),
        (_, None) => {}
    }
    text
}
